//! What is said of each keyword, and that it is so when a document breaks it.

use serde_json::{Value, json};
use thusfar_core::{Ending, Expect, Reply, Root};

use crate::contract::Contract;
use crate::schema::{Draft, SchemaLimits, SchemaOptions};

/// `pointer when` of each keyword.
fn listed(schema: &Value, options: &SchemaOptions) -> Vec<String> {
    let coverage = Contract::from_value(schema, options).expect("a schema").coverage();
    assert!(coverage.is_complete());
    let line = |one: &super::Covered| format!("{} {} {}", one.pointer, one.keyword, one.when.as_str());
    coverage.keywords().iter().map(line).collect()
}

fn lines(schema: &Value, options: &SchemaOptions, expected: &[&str]) {
    assert_eq!(listed(schema, options), expected, "{schema}");
}

#[test]
fn each_keyword_is_told_when_it_is_listed() {
    let options = SchemaOptions::trusted();
    for (schema, reply, expected) in [
        (json!({ "type": "string" }), "1", "/type type early"),
        (json!({ "type": ["integer", "null"] }), "1.5", "/type type at_close"),
        (json!({ "type": ["integer", "number"] }), r#""a""#, "/type type early"),
        (json!(false), "1", " false early"),
        (json!({ "enum": ["a", null, true] }), r#""b""#, "/enum enum early"),
        (json!({ "enum": ["a", 1] }), "2", "/enum enum at_close"),
        (json!({ "const": { "a": 1 } }), r#"{"a": 2}"#, "/const const at_close"),
        (json!({ "const": "a" }), r#""b""#, "/const const early"),
        (json!({ "maxLength": 3 }), r#""abcd""#, "/maxLength maxLength early"),
        (json!({ "minLength": 3 }), r#""a""#, "/minLength minLength at_close"),
        (json!({ "pattern": "^a+$" }), r#""ab""#, "/pattern pattern early"),
        (json!({ "pattern": "(?=a)" }), r#""b""#, "/pattern pattern at_close"),
        (json!({ "minimum": 1 }), "0", "/minimum minimum at_close"),
        (json!({ "exclusiveMaximum": 1 }), "1", "/exclusiveMaximum exclusiveMaximum at_close"),
        (json!({ "multipleOf": 2 }), "3", "/multipleOf multipleOf at_close"),
        (json!({ "maxItems": 2 }), "[1, 2, 3]", "/maxItems maxItems early"),
        (json!({ "minItems": 2 }), "[1]", "/minItems minItems at_close"),
        (json!({ "uniqueItems": true }), "[1, 1]", "/uniqueItems uniqueItems early"),
        (json!({ "prefixItems": [true, false] }), "[1, 2]", "/prefixItems/1 prefixItems early"),
        (json!({ "items": false }), "[1]", "/items items early"),
        (json!({ "contains": {} }), "[]", "/contains contains at_close"),
        (json!({ "maxProperties": 2 }), r#"{"a": 1, "b": 2, "c": 3}"#, "/maxProperties maxProperties early"),
        (json!({ "minProperties": 2 }), r#"{"a": 1}"#, "/minProperties minProperties at_close"),
        (json!({ "required": ["a"] }), r#"{"b": 1}"#, "/required required at_close"),
        (json!({ "additionalProperties": false }), r#"{"b": 1}"#, "/additionalProperties additionalProperties early"),
        (json!({ "properties": { "a/b~": false } }), r#"{"a/b~": 1}"#, "/properties/a~1b~0 properties early"),
        (
            json!({ "patternProperties": { "^a": false } }),
            r#"{"ab": 1}"#,
            "/patternProperties/^a patternProperties early",
        ),
        (json!({ "propertyNames": { "maxLength": 3 } }), r#"{"abcd": 1}"#, "/propertyNames/maxLength maxLength early"),
        (json!({ "propertyNames": false }), r#"{"a": 1}"#, "/propertyNames propertyNames early"),
        (
            json!({ "dependentRequired": { "a": ["b"] } }),
            r#"{"a": 1}"#,
            "/dependentRequired dependentRequired at_close",
        ),
        (
            json!({ "unevaluatedProperties": false }),
            r#"{"a": 1}"#,
            "/unevaluatedProperties unevaluatedProperties final",
        ),
    ] {
        lines(&schema, &options, &[expected]);
        let (place, when) = expected.rsplit_once(' ').expect("a place and a timing");
        let contract = Contract::from_value(&schema, &options).expect("a schema");
        let expect = Expect::root(Root::Value);
        let mut reply_of = Reply::with_sink(expect, contract.monitor(&expect));
        let _ = reply_of.push(reply);
        let (result, monitor) = reply_of.finish_into(Ending::Stop);
        match (when, monitor.violation()) {
            ("final", told) => assert!(told.is_none() && result.is_ok(), "{schema} of {reply}"),
            (_, told) => {
                let told = told.unwrap_or_else(|| panic!("{schema} of {reply}: not told"));
                assert_eq!(told.when().as_str(), when, "{schema} of {reply}");
                // What a name breaks is told of the field.
                let keyword = if place.starts_with("/propertyNames") { "propertyNames" } else { told.keyword() };
                assert_eq!(told.keyword(), keyword, "{schema} of {reply}");
                assert!(place.ends_with(keyword) || keyword == "propertyNames", "{schema} of {reply}: {told:?}");
            }
        }
    }
}

#[test]
fn what_asks_for_nothing_is_not_listed() {
    let options = SchemaOptions::trusted();
    for schema in [
        json!(true),
        json!({ "title": "t", "description": "d", "default": { "type": "string" }, "examples": [{ "maximum": 1 }] }),
        json!({ "properties": { "a": {} }, "additionalProperties": true, "items": {}, "allOf": [{}] }),
        json!({ "minLength": 0, "minItems": 0, "minProperties": 0, "required": [], "uniqueItems": false }),
        json!({ "contains": {}, "minContains": 0 }),
        json!({ "maxContains": 1 }),
        json!({ "if": { "type": "string" } , "$defs": { "unused": { "type": "string" } } }),
        json!({ "dependentRequired": { "a": [] }, "unevaluatedItems": true }),
        // No draft has the one; and since 2019-09 the other is a note.
        json!({ "format": "smoke-signal" }),
        json!({ "format": "date" }),
        json!({ "contentEncoding": "base64" }),
    ] {
        let found: Vec<_> = listed(&schema, &options);
        let of_test = |line: &String| line.starts_with("/if/");
        assert!(found.iter().all(of_test), "{schema}: {found:?}");
    }
}

#[test]
fn each_draft_has_its_keywords() {
    let draft = |draft| SchemaOptions::trusted().draft(draft);
    let schema = json!({
        "const": "a", "format": "date", "contentEncoding": "base64", "dependentRequired": { "a": ["b"] }, "maximum": 3,
        "dependencies": { "a": ["b"], "c": { "minLength": 1 } }, "if": {}, "then": false,
        "unevaluatedItems": false, "additionalItems": false,
    });
    lines(
        &schema,
        &draft(Draft::Draft4),
        &[
            "/dependencies dependencies at_close",
            "/dependencies/c/minLength minLength at_close",
            "/format format at_close",
            "/maximum maximum at_close",
        ],
    );
    lines(
        &schema,
        &draft(Draft::Draft7),
        &[
            "/const const early",
            "/contentEncoding contentEncoding at_close",
            "/dependencies dependencies at_close",
            "/dependencies/c/minLength minLength at_close",
            "/format format at_close",
            "/if if early",
            "/maximum maximum at_close",
            "/then false early",
        ],
    );
    lines(
        &schema,
        &draft(Draft::Draft201909),
        &[
            "/const const early",
            "/dependencies dependencies at_close",
            "/dependencies/c/minLength minLength at_close",
            "/dependentRequired dependentRequired at_close",
            "/if if early",
            "/maximum maximum at_close",
            "/then false early",
            "/unevaluatedItems unevaluatedItems final",
        ],
    );
    // Beside a reference nothing counts up to draft 7.
    let beside = json!({ "$ref": "#/definitions/d", "maxLength": 2, "definitions": { "d": { "type": "string" } } });
    lines(&beside, &draft(Draft::Draft7), &["/definitions/d/type type early"]);
    lines(&beside, &draft(Draft::Draft201909), &["/definitions/d/type type early", "/maxLength maxLength early"]);
    let old = json!({ "maximum": 3, "exclusiveMaximum": true, "items": [{}], "additionalItems": false });
    lines(&old, &draft(Draft::Draft4), &["/additionalItems additionalItems early", "/maximum maximum at_close"]);
}

#[test]
fn what_only_the_validator_knows_is_final_with_all_below() {
    let options = SchemaOptions::trusted();
    let schema = json!({
        "maxLength": 3,
        "unevaluatedProperties": { "type": "string" },
        "properties": { "a": { "$dynamicRef": "#T", "minimum": 3, "items": { "maxLength": 2 } } },
        "$defs": { "s": { "$dynamicAnchor": "T" }, "t": { "$id": "t", "$dynamicAnchor": "T", "type": "string" } },
    });
    lines(
        &schema,
        &options,
        &[
            "/maxLength maxLength early",
            "/properties/a/$dynamicRef $dynamicRef final",
            "/properties/a/items/maxLength maxLength final",
            "/properties/a/minimum minimum final",
            "/unevaluatedProperties unevaluatedProperties final",
            "/unevaluatedProperties/type type final",
        ],
    );
    let ring = json!({ "allOf": [{ "$ref": "#" }], "maxLength": 3, "properties": { "a": { "type": "null" } } });
    lines(&ring, &options, &["/maxLength maxLength final", "/properties/a/type type final"]);
    // One that is met below itself about another value is no ring.
    let tree = json!({ "properties": { "next": { "$ref": "#" } }, "maxProperties": 1 });
    lines(&tree, &options, &["/maxProperties maxProperties early"]);
}

#[test]
fn other_documents_are_named() {
    let other = json!({ "$defs": { "code": { "pattern": "^[A-Z]$" } }, "maxLength": 1 });
    let options = SchemaOptions::trusted().document("https://example.com/codes", other);
    let schema = json!({ "items": { "$ref": "https://example.com/codes#/$defs/code" }, "maxItems": 1 });
    lines(
        &schema,
        &options,
        &["/maxItems maxItems early", "https://example.com/codes#/$defs/code/pattern pattern early"],
    );
    // What stands in a meta-schema has no place that is told.
    let meta = json!({ "$ref": "https://json-schema.org/draft/2020-12/schema" });
    let coverage = Contract::from_value(&meta, &SchemaOptions::trusted()).expect("a schema").coverage();
    assert_eq!((coverage.keywords().len(), coverage.is_complete()), (0, false));
}

#[test]
fn the_pointers_of_a_deep_and_wide_schema_are_bounded() {
    let long = "n".repeat(4_000);
    let mut deep = json!({ "type": "string" });
    for _ in 0..50 {
        deep = json!({ "properties": { long.as_str(): deep }, "maxProperties": 1 });
    }
    let options = SchemaOptions::trusted().limits(SchemaLimits { len: 8 << 20, ..SchemaLimits::TRUSTED });
    let coverage = Contract::from_value(&deep, &options).expect("a schema").coverage();
    assert!(!coverage.is_complete());
    let len: usize = coverage.keywords().iter().map(|one| one.pointer.len()).sum();
    assert!((900_000..=super::MOST_TEXT).contains(&len), "{len}");
}

#[test]
fn why_a_keyword_is_not_told_earlier() {
    let why = |schema: Value| {
        let coverage = Contract::from_value(&schema, &SchemaOptions::trusted()).expect("a schema").coverage();
        coverage.keywords()[0].why.unwrap_or("-")
    };
    for (pattern, expected) in [
        ("^a", "-"),
        ("(?=a)", "needs look-around, back-references or word boundaries"),
        ("\\ba", "needs look-around, back-references or word boundaries"),
        ("a.{30}b", "its automaton is over the size limit"),
    ] {
        assert_eq!(why(json!({ "pattern": pattern })), expected, "{pattern}");
    }
    assert_eq!(why(json!({ "maximum": 1 })), "a number is judged where it ends");
}
