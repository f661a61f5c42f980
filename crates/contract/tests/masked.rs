//! What a log may hold of a violation: the place and the reason, and nothing that the model wrote.

use thusfar_contract::{Contract, Violation};
use thusfar_core::{Ending, Expect, Reply, read};

/// What a whole document breaks, for a log.
fn of_document(schema: &str, reply: &str) -> String {
    let contract = Contract::from_schema(schema).expect("a schema");
    let check = contract.check(&read(reply, Expect::value()).expect("a document"));
    check.violations().iter().map(Violation::masked).collect::<Vec<_>>().join("\n")
}

/// What was told first while it came, for a log.
fn of_stream(schema: &str, reply: &str) -> String {
    let contract = Contract::from_schema(schema).expect("a schema");
    let expect = Expect::value();
    let mut reading = Reply::with_sink(expect, contract.monitor(&expect));
    let _ = reading.push(reply);
    let (_, monitor) = reading.finish_into(Ending::Stop);
    monitor.violation().map(Violation::masked).unwrap_or_default().to_owned()
}

#[test]
fn keys_that_the_schema_does_not_name_are_masked() {
    let schema = r##"{"$defs": {"p": {"properties": {"age": {"type": "integer"}, "a/b": {"type": "null"}}}},
        "additionalProperties": {"anyOf": [{"$ref": "#/$defs/p"}]}, "properties": {"all": {"items": {"$ref": "#/$defs/p"}}}}"##;
    for (reply, expected) in [
        (r#"{"Ann": {"age": "x"}}"#, "`/*/age` must be an integer; you returned a string"),
        // An index stays; a key that looks like one does not.
        (r#"{"all": [{}, {"age": null}]}"#, "`/all/1/age` must be an integer; you returned null"),
        (r#"{"4111111111111111": {"age": true}}"#, "`/*/age` must be an integer; you returned a boolean"),
        (r#"{"x": {"a/b": {"secret": 1}}}"#, "`/*/a~1b` must be null; you returned an object"),
    ] {
        assert_eq!(of_document(schema, reply), expected, "{reply}");
        assert_eq!(of_stream(schema, reply), expected, "{reply}");
    }
}

#[test]
fn a_value_is_told_by_its_type_and_length() {
    for (schema, reply, expected) in [
        (
            r#"{"enum": ["Yes", "no"]}"#,
            r#""yes""#,
            "the document must be one of \"Yes\", \"no\"; you returned a string of 3 characters",
        ),
        (r#"{"const": "a"}"#, r#""é""#, "the document must be exactly \"a\"; you returned a string of 1 character"),
        (r#"{"type": "array"}"#, r#""[\"secret\"]""#, "the document must be an array; you returned a string"),
        (r#"{"maximum": 5}"#, "4711", "the document must be at most 5; you returned a number"),
        (r#"{"type": "integer"}"#, "47.11", "the document must be an integer; you returned a number"),
        (
            r#"{"pattern": "^a"}"#,
            r#""secret""#,
            "the document must match the pattern `^a`; you returned a string of 6 characters",
        ),
        (r#"{"minLength": 9}"#, r#""secret""#, "the document must be at least 9 characters long; you returned 6"),
        (r#"{"required": ["id"]}"#, r#"{"ID": 1, "secret": 2}"#, "missing field `id` in the document"),
        (r#"{"required": ["id"]}"#, "{}", "missing field `id` in the document; you returned no fields"),
        (
            r#"{"dependentRequired": {"a": ["b"]}}"#,
            r#"{"a": 1}"#,
            "missing field `b` in the document, which must be there with `a`",
        ),
        (
            r#"{"propertyNames": {"maxLength": 2}}"#,
            r#"{"secret": 1}"#,
            "the field name `*` is not allowed in the document: it does not follow the schema of names",
        ),
        (
            r#"{"properties": {"a": {}}, "additionalProperties": false}"#,
            r#"{"secret": 1}"#,
            "`/*` is a field that is not allowed; allowed there: `a`",
        ),
        (
            r#"{"uniqueItems": true}"#,
            r#"["secret", "secret"]"#,
            "the items of the document must all be different; items 0 and 1 are equal",
        ),
        (
            r#"{"anyOf": [{"title": "A", "required": ["a"]}, {"title": "B", "properties": {"b": {"enum": [1, 2]}}}]}"#,
            r#"{"b": "secret"}"#,
            "the document must match one of 2 forms (A; B)",
        ),
        (
            r#"{"oneOf": [{"title": "A"}, {"title": "B"}]}"#,
            r#"["secret"]"#,
            "the document must match exactly one of 2 forms; it matches 2 (A; B)",
        ),
        (
            r#"{"not": {"type": "string"}}"#,
            r#""secret""#,
            "the document is what the schema excludes with `not`; you returned a string of 6 characters",
        ),
        // The field that tells the branch holds what the model wrote.
        (
            r#"{"anyOf": [{"properties": {"kind": {"const": "a"}}, "required": ["kind"]}, {"required": ["id"]}]}"#,
            r#"{"kind": "secret"}"#,
            "missing field `id` in the document",
        ),
    ] {
        assert_eq!(of_document(schema, reply), expected, "{schema} of {reply}");
    }
}

#[test]
fn what_is_still_open_is_told_without_its_length() {
    for (schema, reply, expected) in [
        (r#"{"enum": ["yes"]}"#, r#""yellow"#, "the document must be one of \"yes\"; you returned a string"),
        (r#"{"maxLength": 2}"#, r#""secret"#, "the document must be at most 2 characters long; you wrote more"),
        (
            r#"{"properties": {"a": {}}, "additionalProperties": false}"#,
            r#"{"secret"#,
            "the document has a field that is not allowed, whose name begins with `*`; allowed there: `a`",
        ),
        (r#"{"maxItems": 1}"#, r#"["secret", "s"#, "the document must have at most 1 item; you began another one"),
    ] {
        assert_eq!(of_stream(schema, reply), expected, "{schema} of {reply}");
    }
}
