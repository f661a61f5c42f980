//! How a schema is read: options, limits at and past them, and what cannot be used.

use serde_json::{Value, json};
use thusfar_contract::{Contract, Draft, SchemaErrorKind, SchemaLimits, SchemaOptions};
use thusfar_core::{Document, Ending, Expect, Root, read};
use thusfar_testkit::check::check;

/// A document, whose reply is read under every split.
fn document(reply: &str, root: Root) -> Document {
    let expect = Expect::root(root);
    let report = check(reply, expect, Ending::Stop);
    let document = read(reply, expect).expect("a document");
    assert_eq!(report.text(), Some(document.text()), "{reply}");
    document
}

#[test]
fn a_schema_that_cannot_be_used_is_an_error_of_its_own() {
    use SchemaErrorKind::{Limit, NotASchema, NotJson, Pattern, Reference};
    for (schema, kind, path, message) in [
        ("{", NotJson, "", "not JSON: not closed yet at byte 1 (line 1, column 2) [schema_not_json]"),
        ("```json\n{}\n```", NotJson, "", "not JSON: expected value at line 1 column 1 [schema_not_json]"),
        (
            r#"{"type": "object", "type": "array"}"#,
            NotJson,
            "",
            "not JSON: two equal keys have different values at byte 19 (line 1, column 20) [schema_not_json]",
        ),
        (
            r#"{"type": 12}"#,
            NotASchema,
            "/type",
            "not a JSON Schema: 12 is not valid under any of the schemas listed in the 'anyOf' keyword at `/type` of the schema [schema_invalid]",
        ),
        (
            r#"{"$schema": "urn:own"}"#,
            NotASchema,
            "/$schema",
            "`urn:own` is no draft that is known: 4, 6, 7, 2019-09 and 2020-12 are at `/$schema` of the schema [schema_invalid]",
        ),
        (
            r#"{"$ref": "https://example.com/a"}"#,
            Reference,
            "",
            "`https://example.com/a` stands outside the schema, and nothing is fetched: hand it over with the schema [schema_reference]",
        ),
        (
            r##"{"$ref": "#/$defs/a"}"##,
            Reference,
            "",
            "nothing stands at `/$defs/a`, which a reference names [schema_reference]",
        ),
        (
            r#"{"pattern": "(a"}"#,
            Pattern,
            "/pattern",
            "a pattern is no regular expression, or is larger than allowed at `/pattern` of the schema [schema_pattern]",
        ),
    ] {
        let error = Contract::from_schema(schema).expect_err(schema);
        assert_eq!((error.kind(), error.path(), error.to_string().as_str()), (kind, path, message), "{schema}");
    }
    let deep = format!("{}true{}", "{\"not\":".repeat(200), "}".repeat(200));
    assert_eq!(Contract::from_schema(&deep).expect_err("deep").kind(), Limit);
    let ahead = r#"{"pattern": "^(?=a)"}"#;
    assert_eq!(Contract::with_options(ahead, &SchemaOptions::untrusted()).expect_err("ahead").kind(), Pattern);
    assert!(Contract::from_schema(ahead).is_ok());
}

/// Each limit of a schema, at it and one past it.
#[test]
fn each_limit_of_a_schema_holds_at_it_and_one_past_it() {
    let of = |schema: &Value, change: &dyn Fn(&mut SchemaLimits)| {
        let mut limits = SchemaLimits::TRUSTED;
        change(&mut limits);
        Contract::with_options(&schema.to_string(), &SchemaOptions::trusted().limits(limits))
            .map_err(|error| error.kind())
    };
    let plain = json!({"properties": {"a": {"pattern": "a"}, "b": {"pattern": "b"}}});
    let text_len = plain.to_string().len();
    // The root, the map of properties, two schemas and two patterns.
    let chain = json!({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {}}});
    // Two ways to two ways to one; each schema is a way itself.
    let ways = json!({"anyOf": [{"anyOf": [{}, {}]}, {"anyOf": [{}, {}]}]});
    type Change = fn(&mut SchemaLimits, usize);
    let rows: [(&Value, usize, Change); 5] = [
        (&plain, text_len, |limits, most| limits.len = most),
        (&plain, 6, |limits, most| limits.values = most),
        (&plain, 2, |limits, most| limits.patterns = most),
        (&chain, 3, |limits, most| limits.nesting = most),
        (&ways, 7, |limits, most| limits.combinations = most),
    ];
    for (schema, most, change) in rows {
        assert!(of(schema, &|limits| change(limits, most)).is_ok(), "{schema} {most}");
        let past = of(schema, &|limits| change(limits, most - 1));
        assert_eq!(past.err(), Some(SchemaErrorKind::Limit), "{schema} {most}");
    }
    let large = json!({"pattern": "(\\p{L}x){1,200}"});
    assert!(of(&large, &|_| {}).is_ok());
    assert_eq!(of(&large, &|limits| limits.pattern_size = 1 << 10).err(), Some(SchemaErrorKind::Pattern));
}

#[test]
fn drafts_formats_and_documents_are_options() {
    let valid = |schema: &str, options: &SchemaOptions, reply: &str| {
        let contract = Contract::with_options(schema, options).expect("a schema");
        contract.check(&document(reply, contract.root())).is_valid()
    };
    let trusted = SchemaOptions::trusted;
    let date = r#"{"properties": {"d": {"format": "date"}}}"#;
    assert!(valid(date, &trusted(), r#"{"d": "x"}"#));
    assert!(!valid(date, &trusted().formats(true), r#"{"d": "x"}"#));
    for draft in [Draft::Draft4, Draft::Draft6, Draft::Draft7] {
        assert!(!valid(date, &trusted().draft(draft), r#"{"d": "x"}"#), "{draft:?}");
        assert!(valid(date, &trusted().draft(draft).formats(false), r#"{"d": "x"}"#), "{draft:?}");
    }
    // Draft 4 has no `const`; its `exclusiveMaximum` is a flag.
    let old = r#"{"properties": {"a": {"const": 1}, "b": {"maximum": 3, "exclusiveMaximum": true}}}"#;
    assert!(valid(old, &trusted().draft(Draft::Draft4), r#"{"a": 2, "b": 2}"#));
    assert!(!valid(old, &trusted().draft(Draft::Draft4), r#"{"b": 3}"#));
    // The schema's own word stands above the option.
    let named = r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "properties": {"a": {"const": 1}}}"#;
    assert!(!valid(named, &trusted().draft(Draft::Draft4), r#"{"a": 2}"#));
    let outside = r#"{"properties": {"a": {"$ref": "https://example.com/whole.json"}}}"#;
    let options = trusted().document("https://example.com/whole.json", json!({"type": "integer"}));
    assert!(valid(outside, &options, r#"{"a": 2}"#) && !valid(outside, &options, r#"{"a": "x"}"#));
}

#[test]
fn a_schema_says_which_root_to_expect() {
    let old = SchemaOptions::trusted().draft(Draft::Draft4);
    assert_eq!(Contract::with_options(r#"{"const": 1}"#, &old).expect("a schema").root(), Root::Any, "no keyword yet");
    for (schema, root) in [
        (r#"{"type": "object"}"#, Root::Any),
        (r#"{"type": ["null", "array"]}"#, Root::Any),
        ("{}", Root::Any),
        ("true", Root::Any),
        (r#"{"type": "string"}"#, Root::Value),
        (r#"{"type": ["null", "integer"]}"#, Root::Value),
        (r#"{"enum": ["a", null]}"#, Root::Value),
        (r#"{"enum": ["a", {}]}"#, Root::Any),
        (r#"{"const": 1}"#, Root::Value),
        (r#"{"anyOf": [{"type": "string"}, {"const": null}]}"#, Root::Value),
        (r#"{"anyOf": [{"type": "string"}, {}]}"#, Root::Any),
        (r##"{"$ref": "#/$defs/s", "$defs": {"s": {"allOf": [{}, {"type": "number"}]}}}"##, Root::Value),
        (r##"{"$ref": "#"}"##, Root::Any),
    ] {
        assert_eq!(Contract::from_schema(schema).expect("a schema").root(), root, "{schema}");
    }
}
