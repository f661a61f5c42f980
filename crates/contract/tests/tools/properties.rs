//! What holds of calls in every dialect: they are found as they were meant, and a call that is cut is none.

use crate::dialects::{Meant, NAMES, STYLES, Style, TOOLS};
use crate::rescue::rescued;
use proptest::prelude::*;
use serde_json::{Map, Value, json};
use thusfar_contract::{CallOutcome, Dialect, Rescued, Tools};
use thusfar_core::Ending;

/// Pieces of strings: everything that some dialect or JSON gives a meaning to.
const PIECES: [&str; 18] = [
    "a",
    "Oslo",
    "é",
    "\"",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "\n",
    " ",
    "'",
    ",",
    ":",
    "<b>",
    "```",
    "<think>",
    "[TOOL_CALLS]",
];

fn tools() -> Tools {
    Tools::from_json(TOOLS).expect("tools")
}

fn text() -> impl Strategy<Value = String> {
    // What begins or ends with a line end would be a question of markup in some dialects.
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..8).prop_map(|pieces| format!("x{}x", pieces.concat()))
}

fn meant() -> impl Strategy<Value = Meant> {
    let tags = prop::option::of(prop::collection::vec(text(), 0..3));
    let parts = (text(), prop::option::of(any::<i32>()), prop::option::of(any::<bool>()), tags, any::<bool>());
    (prop::sample::select(&NAMES[..]), parts).prop_map(|(name, (city, days, metric, tags, near))| {
        let mut arguments = Map::new();
        arguments.insert("city".into(), json!(city));
        days.map(|days| arguments.insert("days".into(), json!(days)));
        metric.map(|metric| arguments.insert("metric".into(), json!(metric)));
        tags.map(|tags| arguments.insert("tags".into(), json!(tags)));
        near.then(|| arguments.insert("near".into(), json!({"at": [1, {"deep": city}], "n": null})));
        Meant { name, arguments }
    })
}

fn style() -> impl Strategy<Value = Style> {
    prop::sample::select(STYLES)
}

fn found(rescued: &Rescued) -> Vec<Meant> {
    let one = |call: &thusfar_contract::ToolCall| Meant {
        name: NAMES.into_iter().find(|name| *name == call.name()).expect("an offered name"),
        arguments: match call.arguments().value() {
            Value::Object(arguments) => arguments,
            other => panic!("no object: {other}"),
        },
    };
    rescued.calls().iter().map(one).collect()
}

fn cases() -> ProptestConfig {
    let more: u32 = std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1);
    // A failure is kept as a row of a test that says what it is.
    ProptestConfig { cases: 150 * more, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn a_call_is_found_as_it_was_meant(meant in meant(), style in style(), (front, behind) in around()) {
        let reply = format!("{front}{}{behind}", style.write(&meant));
        let rescued = rescued(&tools(), &reply, Ending::Stop);
        prop_assert_eq!(rescued.outcome(), CallOutcome::Ok, "{:?} {} {}: {}", style.dialect, style.form, reply, crate::rescue::told(&rescued));
        prop_assert_eq!(found(&rescued), [meant]);
        prop_assert_eq!(rescued.calls()[0].dialect(), style.dialect);
        prop_assert_eq!(left(rescued.text(), style), left(&format!("{front}{behind}"), style));
    }

    #[test]
    fn a_call_that_is_cut_is_none(meant in meant(), style in style(), at in any::<prop::sample::Index>(), ending in ending()) {
        let written = style.write(&meant);
        let (tools, len) = (tools(), written.len());
        let whole = rescued(&tools, &written, Ending::Stop).calls()[0].span();
        prop_assert!(whole.end <= len);
        // Everywhere in front of the byte that completes it, and the one that was drawn under every way of cutting.
        for cut in (0..whole.end).filter(|&cut| written.is_char_boundary(cut)) {
            let mut rescue = tools.rescue();
            let _ = rescue.push(&written[..cut]);
            let rescued = rescue.finish(ending);
            prop_assert!(rescued.calls().is_empty(), "cut at {cut}: {written}\n{}", crate::rescue::told(&rescued));
            prop_assert_ne!(rescued.outcome(), CallOutcome::Ok);
        }
        let mut cut = at.index(whole.end);
        while !written.is_char_boundary(cut) {
            cut -= 1;
        }
        prop_assert!(rescued(&tools, &written[..cut], ending).calls().is_empty());
    }

    #[test]
    fn a_whole_call_stays_in_front_of_a_cut_one(one in meant(), two in meant(), style in repeatable(), at in any::<prop::sample::Index>()) {
        let (first, second) = (style.write(&one), style.write(&two));
        let tools = tools();
        let whole = rescued(&tools, &second, Ending::Stop).calls()[0].span();
        let mut cut = at.index(whole.end);
        while !second.is_char_boundary(cut) {
            cut -= 1;
        }
        let reply = format!("{first}\nand\n{}", &second[..cut]);
        let rescued = rescued(&tools, &reply, Ending::Length);
        prop_assert_eq!(found(&rescued), [one], "{}", reply);
        prop_assert!(matches!(rescued.outcome(), CallOutcome::Ok | CallOutcome::Truncated));
    }

    #[test]
    fn calls_behind_each_other_are_all_found(all in prop::collection::vec(meant(), 1..4), style in repeatable()) {
        let reply: Vec<_> = all.iter().map(|meant| style.write(meant)).collect();
        let rescued = rescued(&tools(), &reply.join("\nand\n"), Ending::Stop);
        prop_assert_eq!(found(&rescued), all);
        prop_assert_eq!(left(rescued.text(), style), left(&"\nand\n".repeat(reply.len() - 1), style));
    }
}

/// What is left for the user. Where a line is the markup, its end is too.
fn left(text: &str, style: Style) -> String {
    if style.dialect == Dialect::React { text.replace('\n', "") } else { text.to_owned() }
}

/// Strings of one letter, which nothing else in a call has: every other byte is structure, a name or a key.
fn letters() -> Meant {
    let arguments = json!({"city": "QQQQ", "tags": ["QQ", "QQQ"]});
    Meant { name: NAMES[0], arguments: arguments.as_object().expect("an object").clone() }
}

/// What is found of a text that is read in one piece.
fn at_once(text: &str) -> Vec<Meant> {
    let mut rescue = tools().rescue();
    let _ = rescue.push(text);
    found(&rescue.finish(Ending::Stop))
}

#[test]
fn a_call_with_one_broken_byte_is_the_same_or_none() {
    let meant = letters();
    for style in STYLES {
        let written = style.write(&meant);
        assert_eq!(at_once(&written), std::slice::from_ref(&meant), "{}", style.form);
        // Where text is raw, a line end more is text.
        let is_structure = |byte: u8| byte != b'Q' && byte.is_ascii() && !(style.is_raw && byte == b'\n');
        for at in (0..written.len()).filter(|&at| is_structure(written.as_bytes()[at])) {
            let (front, behind) = written.split_at(at);
            let byte = &behind[..1];
            let broken = [
                format!("{front}{}", &behind[1..]),
                format!("{front}{byte}{behind}"),
                format!("{front}\"{behind}"),
                format!("{front}\n\n{behind}"),
                format!("{front}}}{behind}"),
                format!("{front}>{behind}"),
            ];
            // Directly behind a letter, what is put in belongs to the string.
            let is_behind_letter = front.ends_with('Q');
            for (text, way) in broken.iter().zip(["without", "twice", "quote", "lines", "closer", "angle"]) {
                if way != "without" && is_behind_letter && (style.is_raw || way != "twice") {
                    continue;
                }
                // Directly behind a tag too, where text is raw.
                if style.is_raw
                    && (!matches!(way, "without" | "twice") || (way == "twice" && matches!(byte, "<" | ">")))
                {
                    continue;
                }
                let calls = at_once(text);
                assert!(calls.is_empty() || calls == [meant.clone()], "{} {way}: {text}\n{calls:?}", style.form);
            }
        }
    }
}

fn around() -> impl Strategy<Value = (&'static str, &'static str)> {
    prop::sample::select(vec![
        ("", ""),
        ("Let me look.\n", ""),
        ("Sure:\n\n", "\n"),
        ("I'd say: it's \"fine\".\n", "\n\nDone."),
        ("1 < 2\n", "\n"),
    ])
}

fn ending() -> impl Strategy<Value = Ending> {
    prop::sample::select(Ending::ALL.map(|(ending, _)| ending).to_vec())
}

fn repeatable() -> impl Strategy<Value = Style> {
    prop::sample::select(STYLES.iter().copied().filter(|style| style.is_repeatable).collect::<Vec<_>>())
}
