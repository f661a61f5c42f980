//! A quarter of a megabyte of what is nearly a call: read in one piece and byte by byte, in time that is linear.
//!
//! Nothing is timed. What is read twice for each byte would not come to an end here.

use std::fmt::Write as _;

use thusfar_contract::{Rescued, Tools};
use thusfar_core::Ending;

const LEN: usize = 1 << 18;

fn tools() -> Tools {
    Tools::from_json(
        "[\"run\", {\"name\": \"set\", \"parameters\": {\"properties\": {\"n\": {\"type\": \"integer\"}}}}]",
    )
    .expect("tools")
}

fn read(text: &str, ending: Ending) -> Rescued {
    let mut rescue = tools().rescue();
    let _ = rescue.push(text);
    rescue.finish(ending)
}

fn told(found: &Rescued) -> String {
    let mut told = format!("{} {} {:?}", found.outcome().as_str(), found.text(), found.call_like());
    for refused in found.refused() {
        let _ = write!(told, " {} {:?} {}", refused.code().as_str(), refused.span(), refused.offset());
    }
    told
}

/// A front, and what is repeated behind it.
const NEAR: [(&str, &str); 35] = [
    ("", "<"),
    ("", "</"),
    ("", "<function="),
    ("", "<function=run"),
    ("", "<function=run>"),
    ("", "<function=run> "),
    ("", "x <function=a><parameter=b>"),
    ("", "x <function=a>{"),
    ("", "{\"a\" "),
    ("", "<tool_call>{\"a\" "),
    ("", "<tool_call>run"),
    ("", "<tool_call>run\n"),
    ("", "<tool_call><function=run>"),
    ("", "<invoke name=\"run\">"),
    ("", "<invoke name=\"run"),
    ("", "<invoke     "),
    ("", "<n:"),
    ("", "<a"),
    ("", "<function_calls>"),
    ("", "<function_calls><invoke name=\"run\">"),
    ("", "<｜DSML｜"),
    ("", "<｜"),
    ("", "</parameter>"),
    ("<function=run>", " "),
    ("<function=run><parameter=a>", "<"),
    ("<function=run><parameter=a>", "</param"),
    ("<function=run><parameter=a>", "</n:parameter"),
    ("<function=run><parameter=a>x</parameter>", " "),
    ("<function=run><parameter=a>x</parameter>", "<parameter=b>x</parameter>"),
    ("<invoke name=\"run\"><parameter name=\"a\">", "</invok"),
    ("<｜DSML｜invoke name=\"run\"><｜DSML｜parameter name=\"a\" string=\"true\">", "</｜DSML｜"),
    ("<tool_call>run<arg_key>a</arg_key><arg_value>", "</arg_valu"),
    ("<function_calls>", "<invoke name=\"run\"><parameter name=\"a\">x</parameter></invoke>"),
    ("<function=run><parameter=a>x</parameter></function> ", "</parameter> "),
    ("<function=set><parameter=n>1</parameter></function>y", "</tool_call"),
];

#[test]
fn near_tags_are_read_once() {
    for (front, repeated) in NEAR {
        let text = format!("{front}{}", repeated.repeat(LEN / repeated.len()));
        let whole = read(&text, Ending::Length);
        let mut rescue = tools().rescue();
        let mut buffer = [0; 4];
        for character in text.chars() {
            let _ = rescue.push(character.encode_utf8(&mut buffer));
        }
        assert_eq!(told(&rescue.finish(Ending::Length)), told(&whole), "{front} {repeated}");
    }
}

/// Pieces of replies, put together at random.
const PIECES: [&str; 44] = [
    "<",
    "</",
    ">",
    "\n",
    " ",
    "é",
    "text ",
    "{\"a\": 1}",
    "{\"a\": ",
    "}",
    "\"",
    "`",
    "```\n",
    "<think>",
    "</think>",
    "<function=run>",
    "<function=no>",
    "<parameter=a>",
    "</parameter>",
    "</function>",
    "<tool_call>",
    "</tool_call>",
    "<function>run</function>",
    "<invoke name=\"run\">",
    "<n:invoke name='set'>",
    "<parameter name=\"a\">",
    "<n:parameter name=\"n\">",
    "</n:parameter>",
    "</invoke>",
    "</n:invoke>",
    "<function_calls>",
    "</function_calls>",
    "<n:tool_call>",
    "</n:tool_call>",
    "<｜DSML｜invoke name=\"set\">",
    "<｜DSML｜parameter name=\"n\" string=\"false\">",
    "</｜DSML｜parameter>",
    "</｜DSML｜invoke>",
    "<｜DSML｜tool_calls>",
    "</｜DSML｜tool_calls>",
    "run",
    "<arg_key>n</arg_key>",
    "<arg_value>",
    "</arg_value>",
];

/// Whatever the pieces are, the answer is the same for every cut, and nothing panics.
#[test]
fn pieces_in_any_order_are_read_alike_under_every_cut() {
    let tools = tools();
    let mut state = 7_u64;
    let mut whole = 0;
    for _ in 0..1_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push_str(PIECES[(state >> 33) as usize % PIECES.len()]);
        }
        whole += crate::rescue::rescued(&tools, &text, Ending::Length).calls().len();
    }
    // Some of them are calls.
    assert!(whole > 0);
}
