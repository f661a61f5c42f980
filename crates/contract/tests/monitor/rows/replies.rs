//! Documents in replies: in prose and fences, not certain yet, one of several, written with escaped quotes.

use thusfar_contract::Contract;
use thusfar_core::{Code, Ending, Expect, Reply, Take};

use super::{ANY, Row, hold, marked, taken};
use crate::feeding::{End, Feed};

const TEXT: &str = r#"{"properties": {"a": {"type": "string"}}}"#;
const LIST: &str = r#"{"type": "array", "items": {"type": "string"}}"#;
const WORD: &str =
    r#"{"properties": {"a": {"enum": ["pos", "neg"]}}, "required": ["a"], "additionalProperties": false}"#;

#[rustfmt::skip]
const FOUND: &[Row] = &[
    (TEXT, r#"Sure: {"a": ‸1}"#, "/a", "type", "early", r#""number""#),
    (TEXT, "Sure:\n\n```json\n{\"b\": [1], \"a\": ‸1}\n```", "/a", "type", "early", r#""number""#),
    (TEXT, "```\n{\"a\": ‸[]}\n```\n", "/a", "type", "early", r#""array""#),
    (TEXT, "<think>{\"a\": 1}</think>{\"a\": ‸null}", "/a", "type", "early", r#""null""#),
    (TEXT, "Use {x} or [y], as in {\"a\": ‸{}}", "/a", "type", "early", r#""object""#),
    (TEXT, "é😀 {\"a\": ‸1}", "/a", "type", "early", r#""number""#),
    (WORD, "Here: {\"a\": \"pos‸sible\"}", "/a", "enum", "early", ANY),
    (WORD, "Here: {\"a\": \"pos\"‸, \"›b\": 1}", ANY, "additionalProperties", "early", ANY),
    // No promise yet: kept, and told with the byte that makes it one.
    (LIST, "Sure: ‸{\"a\"›: 1}", "", "type", "early", r#""object""#),
    (LIST, "‸{\"a\"›: 1}", "", "type", "early", r#""object""#),
    (LIST, "```json\n‸{\"a\": 1}\n```", "", "type", "early", r#""object""#),
    (r#"{"type": "object"}"#, "Sure: ‸[\"a›\", 1]", "", "type", "early", r#""array""#),
    (WORD, "Sure: {\"‸b\"›: 1}", ANY, "additionalProperties", "early", ANY),
    (r#"{"items": {"enum": ["x"]}}"#, "Sure: [\"‸a›\", 1]", "/0", "enum", "early", ANY),
    // The opening of a string may be escaped; what is inside is read as it is meant.
    (TEXT, r#"Sure: {\"a\": ‸1}"#, "/a", "type", "early", r#""number""#),
    (WORD, r#"Sure: {\"a\": \"po‸x\"}"#, "/a", "enum", "early", ANY),
    (r#"{"properties": {"a": {"maxLength": 2}}}"#, r#"{\"a\": \"ab‸c\"}"#, "/a", "maxLength", "early", "3"),
    (r#"{"required": ["a"]}"#, r#"{\"b\": \"x\"‸}"#, "", "required", "at_close", "[]"),
    // A raw line end is one character.
    (r#"{"properties": {"a": {"maxLength": 2}}}"#, "Sure: {\"a\": \"x\n‸y\"}", "/a", "maxLength", "early", "3"),
    (r#"{"properties": {"a": {"maxLength": 1}}}"#, "Sure: {\"a\": \"x‸\n\"}", "/a", "maxLength", "early", "2"),
    (r#"{"properties": {"a": {"pattern": "^[a-z]*$"}}}"#, "Sure: {\"a\": \"x‸\n\"}", "/a", "pattern", "early", ANY),
];

#[test]
fn of_what_is_found() {
    hold(Expect::any(), FOUND);
}

#[test]
fn of_the_first() {
    let rows: &[Row] = &[
        (TEXT, "{\"a\": ‸1} {\"a\": \"x\"}", "/a", "type", "early", r#""number""#),
        (TEXT, "Not {this}: {\"a\": ‸1}\n\n{\"a\": \"x\"}", "/a", "type", "early", r#""number""#),
    ];
    hold(Expect::object().take(Take::First), rows);
    taken(Expect::object().take(Take::First), &[(TEXT, "{\"a\": \"x\"} {\"a\": 1}"), (TEXT, "{\"a\": \"x\"} and")]);
}

#[rustfmt::skip]
const TAKEN: &[(&str, &str)] = &[
    (TEXT, "Use {x} and {\"set\", \"of\"} like {\"a\": \"x\"}"),
    (LIST, "Not {} nor [1, 2], but [\"x\", \"y\"]"),
    // What is an argument, is code, or stands in quotes does not count.
    (TEXT, "Call f({\"a\": 1}) to get {\"a\": \"x\"}"),
    (TEXT, "{\"a\": \"{\\\"a\\\": 1}\"}"),
    (WORD, r#"{\"a\": \"pos\"}"#),
    (WORD, "{\"a\": \"p\\u006fs\",}"),
    (r#"{"properties": {"a": {"maxLength": 2}}}"#, "{\"a\": \"x\n\"}"),
    (r#"{"properties": {"a": {"maxLength": 7}}}"#, r#"{\"a\": \"a \"b\" c\"}"#),
    (r#"{"maxLength": 1}"#, "[\"long enough\"]"),
];

#[test]
fn of_what_is_found_and_taken() {
    taken(Expect::any(), TAKEN);
    taken(Expect::object(), &[(TEXT, "Either [\"a\", \"b\"] or {\"a\": \"x\"}"), (TEXT, "[\"a\"]\n\n{\"a\": \"x\"}")]);
    let other = [(r#"{"type": "array"}"#, "{\"a\": 1}\n\n[\"x\"]"), (LIST, "{\"a\": [1]}\n[\"x\"]")];
    taken(Expect::array(), &other);
}

/// A document that is not valid, and is not refused while it is read: the monitor or the validator says so in the end.
fn judged_at_the_end(expect: Expect, rows: &[(&str, &str)]) {
    for (schema, reply) in rows {
        let contract = Contract::from_schema(schema).expect("a schema");
        let answer = Feed::new(&contract, expect).answer(reply);
        let is_judged = matches!(answer.end, End::Document { is_valid: false, .. });
        assert!(is_judged && answer.verdict != Some(true), "{reply} under {schema}: {answer:?}");
    }
}

#[test]
fn of_what_never_was_a_promise() {
    let rows = [
        (r#"{"required": ["a"]}"#, "{}"),
        (r#"{"required": ["a"]}"#, "It is\n{}\n"),
        (LIST, "{}"),
        (LIST, "[1]"),
        (LIST, "[1, 2,]"),
        (r#"{"maxItems": 1}"#, "[1, 2, 3]"),
        (r#"{"contains": {"type": "string"}}"#, "[[], 1]"),
        (r#"{"uniqueItems": true}"#, "[1, 1]"),
        (TEXT, "```python\n{\"a\": 1}\n```"),
        (r#"{"type": "array"}"#, "```python\n{\"a\": 1}\n```"),
    ];
    judged_at_the_end(Expect::any(), &rows);
}

/// Of several the last counts: none is refused while a later one may come.
#[test]
fn of_the_last() {
    let last = Expect::object().take(Take::Last);
    let rows = [
        (TEXT, "{\"a\": 1}"),
        (TEXT, "{\"a\": \"x\"}\n{\"a\": 1}"),
        (TEXT, "{\"a\": 1}\n{\"a\": 2}"),
        (r#"{"required": ["b"]}"#, "First {\"b\": 1}, then {\"a\": 1}."),
        (WORD, "{\"a\": \"pos\"}\n{\"a\": \"pox\"}"),
        (r#"{"type": "array"}"#, "{\"a\": 1}"),
    ];
    judged_at_the_end(last, &rows);
    let fine = [(TEXT, "{\"a\": 1}\n{\"a\": \"x\"}"), (WORD, "First {\"b\": 1}, then {\"a\": \"neg\"}.")];
    for (schema, reply) in fine {
        let contract = Contract::from_schema(schema).expect("a schema");
        let answer = Feed::new(&contract, last).answer(reply);
        assert_eq!(answer.is_valid(), Some(true), "{reply} under {schema}: {answer:?}");
        assert!(answer.verdict != Some(false), "{reply} under {schema}");
    }
}

/// A candidate that came to nothing is forgotten with all it broke.
#[test]
fn of_what_came_to_nothing() {
    for (schema, reply) in [(TEXT, "{\"a\" and more"), (LIST, "Sure: {\"a\", \"b\"} is a set")] {
        let contract = Contract::from_schema(schema).expect("a schema");
        let answer = Feed::new(&contract, Expect::any()).answer(reply);
        assert!(!answer.is_refused(), "{reply}: {answer:?}");
        assert_eq!(answer.told, None, "{reply}: {answer:?}");
    }
}

/// A reply that is cut before it breaks anything is cut, and no more.
#[test]
fn of_what_is_cut() {
    let rows =
        [(WORD, "{\"a\": \"po", Code::OpenString), (WORD, "{", Code::OpenFrame), (LIST, "[\"a\", 1", Code::OpenNumber)];
    for (schema, reply, code) in rows {
        let contract = Contract::from_schema(schema).expect("a schema");
        let answer = Feed { ending: Ending::Length, ..Feed::new(&contract, Expect::any()) }.answer(reply);
        let found = match answer.end {
            End::Failure { code, .. } => code,
            End::Document { .. } => panic!("a document: {reply}"),
        };
        let is_told = answer.told.is_some();
        assert!(found == code && !is_told || is_told && found.as_str() == "schema_mismatch", "{reply}: {found:?}");
    }
}

/// The closing quote of a string with escaped ones is known when what follows is: the violation names a byte of it.
#[test]
fn of_a_closing_quote_that_is_escaped() {
    let contract = Contract::from_schema(WORD).expect("a schema");
    let at = marked(r#"{\"a\": \"po‸\"}"#);
    let answer = Feed::new(&contract, Expect::any()).answer(&at.reply);
    let (told, decided_at) = answer.refusal().expect("told");
    assert_eq!((told.path.as_str(), told.keyword), ("/a", "enum"));
    assert!((at.offset..at.offset + 2).contains(&told.offset) && decided_at <= at.offset + 2, "{told:?} {decided_at}");
}

/// The sink comes back, and says of a document what a check would.
#[test]
fn of_the_sink_that_comes_back() {
    let contract = Contract::from_schema(TEXT).expect("a schema");
    let expect = Expect::object();
    let mut reply = Reply::with_sink(expect, contract.monitor(&expect));
    let _ = reply.push("Sure: {\"a\": \"x\", \"b\": [1, 2, {}]}");
    let (document, monitor) = reply.finish_into(Ending::Stop);
    let document = document.expect("a document");
    assert_eq!(monitor.verdict(document.span()), Some(true), "nothing here is for the full validator alone");
    let elsewhere = thusfar_core::Span::new(0, 3);
    assert_eq!(monitor.verdict(elsewhere), None, "of another place nothing is known");
}
