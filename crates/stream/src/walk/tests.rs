//! The scanner on events that were made for one reason each.

extern crate std;

use std::format;
use std::string::String;
use std::vec::Vec;

use super::*;

const TABLE: &[(&str, Slot)] = &[
    ("text", Slot::Text),
    ("list", Slot::Usage),
    ("list/*", Slot::Kind),
    ("a/*/b/*/c/*/d", Slot::ToolId),
    ("a/*/b", Slot::Error),
    ("text", Slot::Type),
    ("texture", Slot::Choice),
    ("tex", Slot::Block),
];

/// The facts as `row@place text`, or where and why there is none.
fn told(data: &[u8]) -> Result<Vec<String>, (usize, Reason)> {
    let mut facts = Facts::new();
    let result = walk(&Paths::new(TABLE), data, &mut facts);
    let fact = |fact: &Fact<'_>| {
        let [first, second, third] = fact.place;
        format!("{}@{first}.{second}.{third} {}", fact.row, fact.text.escape_ascii())
    };
    result.map(|()| facts.iter().map(fact).collect()).map_err(|NoJson { offset, reason }| (offset, reason))
}

#[test]
fn values_at_the_paths() {
    let cases: [(&str, &[&str]); 16] = [
        ("{}", &[]),
        ("[]", &[]),
        ("12", &[]),
        (" \r\n\t\"a\" ", &[]),
        (r#"{"text":"a"}"#, &["0@0.0.0 a", "5@0.0.0 a"]),
        (r#"{"tex":1,"texture":true}"#, &["7@0.0.0 1", "6@0.0.0 true"]),
        (r#"{"text":null,"list":null}"#, &[]),
        (r#"{"x":{"text":"a"},"tex":-0.5e+7}"#, &["7@0.0.0 -0.5e+7"]),
        (r#"{"x":[[{"y":[]}],{}],"tex":false}"#, &["7@0.0.0 false"]),
        (r#"[{"text":"a"}]"#, &[]),
        (r#"{"text":{"text":1}}"#, &[r#"0@0.0.0 {\"text\":1}"#, r#"5@0.0.0 {\"text\":1}"#]),
        (r#"{"list": [1, "b" , [] ]}"#, &[r#"1@0.0.0 [1, \"b\" , [] ]"#, "2@0.0.0 1", "2@1.0.0 b", "2@2.0.0 []"]),
        (r#"{"list":{"*":1}}"#, &[r#"1@0.0.0 {\"*\":1}"#]),
        (
            r#"{"a":[{},{"b":[{"c":[{"d":1},0,{"d":"e"}]},7]},{"b":3}]}"#,
            &[r#"4@1.0.0 [{\"c\":[{\"d\":1},0,{\"d\":\"e\"}]},7]"#, "3@1.0.0 1", "3@1.0.2 e", "4@2.0.0 3"],
        ),
        // Escapes stay as they are written, in values and in keys.
        (r#"{"tex":"\"\\","te\u0078":1}"#, &[r#"7@0.0.0 \\\"\\\\"#]),
        // Of two members with the same key both are told.
        (r#"{"tex":1,"tex":2,"tex":null}"#, &["7@0.0.0 1", "7@0.0.0 2"]),
    ];
    for (data, expected) in cases {
        assert_eq!(told(data.as_bytes()).expect(data), expected, "{data}");
    }
}

#[test]
fn a_string_is_searched_for_its_end_only() {
    assert_eq!(told(b"{\"tex\":\"\n\xff\\x\"}"), Ok(std::vec![String::from(r"7@0.0.0 \n\xff\\x")]));
}

#[test]
fn no_json() {
    let cases: [(&str, usize); 45] = [
        ("", 0),
        (" ", 1),
        ("x", 0),
        ("{", 1),
        ("{]", 1),
        ("[}", 1),
        ("[", 1),
        ("[1", 2),
        ("[1,", 3),
        ("[1,]", 3),
        ("[,1]", 1),
        ("[1 2]", 3),
        ("[1:2]", 2),
        ("{\"a\"}", 4),
        ("{\"a\",1}", 4),
        ("{\"a\":}", 5),
        ("{\"a\":1", 6),
        ("{\"a\":1,}", 7),
        ("{\"a\":1:2}", 6),
        ("{\"a\":1 \"b\":2}", 7),
        ("{1:2}", 1),
        ("{,}", 1),
        ("{\"a\":1]", 6),
        ("[1}", 2),
        ("{}}", 2),
        ("{} {}", 3),
        ("[1]x", 3),
        ("1,", 1),
        ("\"a", 0),
        ("\"a\\\"", 0),
        ("\"\\", 0),
        ("{\"a", 1),
        ("01", 1),
        ("-", 0),
        ("+1", 0),
        (".5", 0),
        ("1.", 0),
        ("1.e5", 0),
        ("1e", 0),
        ("1e+", 0),
        ("1.5.5", 3),
        ("tru", 0),
        ("truex", 4),
        ("nul", 0),
        ("{\"a\":\u{b}1}", 5),
    ];
    for (data, offset) in cases {
        assert_eq!(told(data.as_bytes()), Err((offset, Reason::Syntax)), "{data:?}");
    }
}

#[test]
fn no_fact_is_left_of_a_broken_event() {
    let (paths, mut facts) = (Paths::new(TABLE), Facts::new());
    walk(&paths, b"{\"tex\":1}", &mut facts).expect("JSON");
    assert_eq!(facts.len(), 1);
    walk(&paths, b"{\"tex\":1", &mut facts).expect_err("it is cut");
    assert!(facts.is_empty());
}

#[test]
fn as_deep_as_may_be() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let deepest = DEEPEST as usize;
    assert_eq!(told(nested(deepest).as_bytes()), Ok(Vec::new()));
    assert_eq!(told(nested(deepest + 1).as_bytes()), Err((deepest, Reason::Depth)));
    assert_eq!(told("[{\"a\":".repeat(1 << 20).as_bytes()), Err((6 * deepest / 2, Reason::Depth)));
    let objects = format!("{}1{}", "{\"list\":".repeat(deepest), "}".repeat(deepest));
    assert_eq!(told(objects.as_bytes()).expect("deep enough").len(), 1);
}

#[test]
fn as_many_facts_as_may_be() {
    // The array itself is a fact too.
    let list = |len: usize| format!("{{\"list\":[{}0]}}", "0,".repeat(len - 1));
    assert_eq!(told(list(MOST_FACTS - 1).as_bytes()).expect("few enough").len(), MOST_FACTS);
    let behind_it = r#"{"list":["#.len() + 2 * MOST_FACTS - 1;
    assert_eq!(told(list(MOST_FACTS).as_bytes()), Err((behind_it, Reason::Facts)));
}

#[test]
fn a_place_far_behind_is_the_last_one() {
    let last = |len: usize| {
        let data = format!("{{\"list\":[{}1]}}", "null,".repeat(len));
        told(data.as_bytes()).expect("JSON").pop().expect("a fact")
    };
    assert_eq!(last(65_534), "2@65534.0.0 1");
    assert_eq!(last(65_535), "2@65535.0.0 1");
    assert_eq!(last(65_536), "2@65535.0.0 1");
}

#[test]
fn strings_of_every_length_end_at_their_quote() {
    for len in 0..100 {
        for escapes in 0..4 {
            let inside = format!("{}{}", "\\\"".repeat(escapes), "x".repeat(len));
            for behind in ["", " ", "\"", "\\\"    ", "\"\"\"\"\"\"\"\"\"\"\"\""] {
                let data = format!("{inside}\"{behind}");
                assert_eq!(string_end(data.as_bytes(), 0), Some(inside.len()), "{data}");
            }
            assert_eq!(string_end(inside.as_bytes(), 0), None);
            assert_eq!(string_end(format!("{inside}\\").as_bytes(), 0), None);
            assert_eq!(string_end(format!("{inside}\\\"").as_bytes(), 0), None);
        }
    }
    // Bytes that are one bit away from a quote or a backslash.
    for byte in (0..=u8::MAX).filter(|byte| !matches!(byte, b'"' | b'\\')) {
        let data = [[byte; 11].as_slice(), b"\"", &[byte; 11]].concat();
        assert_eq!(string_end(&data, 0), Some(11), "{byte}");
    }
}

#[test]
fn numbers_end_where_their_grammar_does() {
    let cases = [
        ("0", Some(1)),
        ("00", Some(1)),
        ("-0", Some(2)),
        ("120x", Some(3)),
        ("1.50,", Some(4)),
        ("1E5", Some(3)),
        ("1e-05", Some(5)),
        ("1.2e+3.4", Some(6)),
        ("", None),
        ("-", None),
        ("-x", None),
        ("1.", None),
        ("1.x", None),
        ("1e", None),
        ("1e-", None),
        ("e5", None),
    ];
    for (data, expected) in cases {
        assert_eq!(number_end(data.as_bytes(), 0), expected, "{data}");
    }
}

#[test]
fn a_table_has_at_most_64_rows() {
    static ROWS: [(&str, Slot); 65] = [("tex", Slot::Text); 65];
    let mut facts = Facts::new();
    walk(&Paths::new(&ROWS[..64]), b"{\"tex\":1}", &mut facts).expect("JSON");
    assert_eq!(facts.len(), 64);
    assert!(std::panic::catch_unwind(|| Paths::new(&ROWS)).is_err());
}
