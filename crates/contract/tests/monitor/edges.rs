//! What stands at the edges: schemas that others bring along, many documents, chunks over a guard, limits.

use thusfar_contract::{Contract, MonitorLimits};
use thusfar_core::{Ending, Expect, Limits, RepairKind, Reply, Take};

use crate::feeding::{Feed, REFUSED};

fn contract(schema: &str) -> Contract {
    Contract::from_schema(schema).unwrap_or_else(|error| panic!("{schema}: {error}"))
}

/// Where two ways lead into a meta-schema its dynamic references mean two things: nothing is said of either.
#[test]
fn a_meta_schema_that_is_entered_twice_is_left_to_the_end() {
    for (draft, one, other) in [
        ("2020-12", "meta/applicator", "schema"),
        ("2020-12", "schema", "meta/applicator"),
        ("2019-09", "meta/applicator", "schema"),
        ("2019-09", "schema", "meta/applicator"),
    ] {
        let uri = |name: &str| format!("https://json-schema.org/draft/{draft}/{name}");
        let schema = format!(
            r#"{{"$schema": "{}", "properties": {{"a": {{"$ref": "{}"}}, "b": {{"$ref": "{}"}}}}}}"#,
            uri("schema"),
            uri(one),
            uri(other)
        );
        let contract = contract(&schema);
        for key in ["a", "b"] {
            let reply = format!(r#"{{"{key}": {{"properties": {{"x": {{"minLength": -1}}}}}}}}"#);
            let answer = Feed::new(&contract, Expect::value()).answer(&reply);
            assert_eq!((answer.told, answer.verdict), (None, None), "{reply} under {schema}");
        }
    }
    // By itself it is as plain as any other.
    let contract = contract(r#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#);
    let answer = Feed::new(&contract, Expect::value()).answer(r#"{"properties": {"x": {"minLength": -1}}}"#);
    assert_eq!(answer.refusal().map(|(told, _)| told.path.as_str()), Some("/properties/x/minLength"));
}

/// A guard on the text around documents cuts chunks at its strides: what is refused behind one is not refused at it.
#[test]
fn a_chunk_over_a_stride_is_refused_where_it_is_wrong() {
    let contract = contract(r#"{"properties": {"k": {"maxLength": 256}}}"#);
    let expect = Expect::object().limits(Limits { text_before: Some(10_000), ..Limits::default() });
    let reply = format!(r#"{{"k": "{}"}}"#, "word ".repeat(60));
    let feed = Feed::new(&contract, expect);
    let answer = feed.answer(&reply);
    for len in 1..40 {
        let mut read = feed.begin();
        for piece in reply.as_bytes().chunks(len) {
            let _ = read.push_bytes(piece);
        }
        let (found, monitor) = read.finish_into(Ending::Stop);
        let failure = found.expect_err("it is too long");
        assert_eq!((failure.code(), failure.offset(), failure.decided_at()), (REFUSED, 263, 263), "in chunks of {len}");
        assert_eq!(monitor.violation().map(|told| told.offset()), answer.told.as_ref().map(|told| told.offset));
    }
}

/// Of more documents than are kept the newest are.
#[test]
fn the_last_of_many_documents_is_the_one_that_is_spoken_of() {
    let contract = contract(r#"{"required": ["b"]}"#);
    let expect = Expect::object().take(Take::Last);
    for (front, last, verdict) in [(17, r#"{"a": 1}"#, false), (15, r#"{"a": 1} {"b": 2}"#, true)] {
        let reply = format!("{}{last}", "{\"b\": 1}\n".repeat(front));
        let mut read = Reply::with_sink(expect, contract.monitor(&expect));
        let _ = read.push(&reply);
        let (document, monitor) = read.finish_into(Ending::Stop);
        let document = document.expect("the last one");
        assert_eq!(monitor.verdict(document.span()), Some(verdict), "{reply}");
        assert_eq!(monitor.violation_of(document.span()).is_some(), !verdict, "{reply}");
        assert_eq!(monitor.violation().is_some(), !verdict, "{reply}");
    }
}

/// Where a comma is never dropped it announces an item.
#[test]
fn a_comma_that_stays_is_told_as_the_item_behind_it() {
    let expect = Expect::value().without(RepairKind::TrailingComma);
    for (schema, reply, path, offset) in [
        (r#"{"properties": {"a": {"prefixItems": [{}], "items": false}}}"#, r#"{"a": [{}, 1]}"#, "/a/1", 9),
        (r#"{"prefixItems": [{}, {}], "items": false}"#, "[1, 2, 3]", "/2", 5),
        (r#"{"prefixItems": [{}, false]}"#, "[1, 2]", "/1", 2),
        (r#"{"maxItems": 1}"#, "[1, 2]", "", 2),
    ] {
        let contract = contract(schema);
        let answer = Feed::new(&contract, expect).answer(reply);
        let (told, decided_at) = answer.refusal().unwrap_or_else(|| panic!("{reply} under {schema}"));
        assert_eq!((told.path.as_str(), told.offset, decided_at), (path, offset, offset), "{reply} under {schema}");
    }
}

/// A form is named by the field that tells it only where that field says so.
#[test]
fn a_union_names_no_form_that_was_not_chosen() {
    let form = |kind: &str, field: &str| {
        format!(
            r#"{{"properties": {{"kind": {{"const": "{kind}"}}, "{field}": {{"type": "integer"}}}}, "required": ["kind"]}}"#
        )
    };
    let contract = contract(&format!(r#"{{"anyOf": [{}, {}]}}"#, form("a", "n"), form("b", "m")));
    let message = |reply: &str| {
        let answer = Feed::new(&contract, Expect::value()).answer(reply);
        answer.told.unwrap_or_else(|| panic!("{reply}")).message
    };
    let late = message(r#"{"n": "x", "kind": "a"}"#);
    assert!(!late.contains("exactly") && !late.starts_with("as "), "{late}");
    assert_eq!(
        message(r#"{"kind": "a", "n": "x"}"#),
        "as `kind` = \"a\": `/n` must be an integer; you returned a string"
    );
    let neither = message(r#"{"n": "x", "kind": "c"}"#);
    assert_eq!(neither, "`/kind` must be one of \"a\", \"b\"; you returned \"c...\"");
}

/// No frame goes over the limit of instances, nor a key's; no key over the limit of keys.
#[test]
fn limits_hold_within_a_frame() {
    let many = (0..500).map(|at| format!(r#"{{"minLength": {at}}}"#)).collect::<Vec<_>>().join(",");
    let limits = MonitorLimits { instances: 10, ..MonitorLimits::default() };
    for (schema, reply) in [
        (format!(r#"{{"propertyNames": {{"allOf": [{many}]}}}}"#), r#"{"k": 1}"#),
        (format!(r#"{{"properties": {{"a": {{"allOf": [{many}]}}}}}}"#), r#"{"a": "x"}"#),
    ] {
        let contract = contract(&schema);
        let feed = Feed { limits, ..Feed::new(&contract, Expect::value()) };
        assert_eq!((feed.answer(reply).told, feed.answer(reply).verdict), (None, None), "{reply}");
        let mut read = feed.begin();
        let _ = read.push(reply);
        assert!(read.sink().instances() <= limits.instances, "{}", read.sink().instances());
    }
    let contract = contract(r#"{"additionalProperties": {"type": "string"}}"#);
    let reply = |len: usize| format!(r#"{{"{}": 1}}"#, "k".repeat(len));
    let limits = MonitorLimits { keys: 8, ..MonitorLimits::default() };
    let feed = Feed { limits, ..Feed::new(&contract, Expect::value()) };
    assert!(feed.answer(&reply(8)).is_refused());
    let over = feed.answer(&reply(9));
    assert_eq!((over.told, over.verdict), (None, None));
}
