//! However a reply is cut, a schema held against it while it arrives says the same; and what it says is what the full validator says.
#![no_main]

use std::sync::LazyLock;

use thusfar_contract::{Contract, Monitor, SchemaOptions};
use thusfar_core::{Document, Ending, Expect, Failure, Reply, Root, Take, read};

/// Schemas for replies that bring none of their own.
static SCHEMAS: LazyLock<Vec<Contract>> = LazyLock::new(|| {
    let compiled = |schema: &&str| Contract::from_schema(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
    SOURCES.iter().map(compiled).collect()
});

const SOURCES: [&str; 16] = [
    r#"{"type": "object", "properties": {"a": {"enum": ["ab", "abc", "b"]}, "b": {"type": "integer", "maximum": 100}, "c": {"type": "string", "maxLength": 3}}, "required": ["a", "b"], "additionalProperties": false}"#,
    r#"{"items": {"type": ["string", "null"], "pattern": "^a+b?$"}, "maxItems": 3, "uniqueItems": true}"#,
    r#"{"prefixItems": [{"type": "number"}, {"const": "x"}], "items": false, "minItems": 2}"#,
    r##"{"anyOf": [{"properties": {"k": {"const": "a"}, "v": {"type": "string"}}, "required": ["k", "v"], "additionalProperties": false}, {"properties": {"k": {"const": "b"}, "v": {"$ref": "#"}}, "required": ["k"], "additionalProperties": false}]}"##,
    r#"{"oneOf": [{"type": "string", "minLength": 2}, {"type": "string", "maxLength": 3}, {"type": "array", "contains": {"type": "number"}, "maxContains": 2}]}"#,
    r#"{"not": {"properties": {"a": {"not": {"enum": [1, "1", [1], {"a": 1}]}}}, "required": ["a"]}}"#,
    r#"{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"properties": {"c": false}, "maxProperties": 2}}"#,
    r#"{"patternProperties": {"^x-[a-z]+$": {"type": "string"}, "b$": {"maximum": 5}}, "additionalProperties": false, "properties": {"a": true}}"#,
    r#"{"propertyNames": {"pattern": "^[a-z_]*$", "maxLength": 4}, "additionalProperties": {"type": "integer", "minimum": 0}, "minProperties": 1, "maxProperties": 3}"#,
    r#"{"dependentRequired": {"a": ["b"]}, "dependentSchemas": {"c": {"properties": {"a": {"type": "string"}}, "maxProperties": 2}}}"#,
    r#"{"allOf": [{"required": ["a"]}, {"properties": {"a": {"multipleOf": 0.5}}}, {"unevaluatedProperties": false, "properties": {"a": true, "b": true}}]}"#,
    r#"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"d": {"format": "date"}, "e": {"format": "email"}}, "dependencies": {"d": ["e"], "e": {"minProperties": 2}}}"#,
    r##"{"$ref": "#/$defs/t", "$defs": {"t": {"type": "object", "properties": {"n": {"type": "string"}, "c": {"items": {"$ref": "#/$defs/t"}, "uniqueItems": true}}, "required": ["n"]}}}"##,
    r#"{"enum": ["a", 1, null, {"a": [1, 2.0]}, [true, {"b": "x"}]]}"#,
    r#"{"type": "array", "items": {"anyOf": [{"type": "string", "pattern": "(a|b)*c"}, {"type": "integer", "exclusiveMinimum": 2}, {"const": {"a": 1}}]}}"#,
    r#"{"properties": {"a": {"not": {"pattern": "b"}}, "b": {"oneOf": [{"pattern": "^a"}, {"pattern": "b$"}]}, "c": {"contains": {"enum": ["x"]}, "minContains": 2}}}"#,
];

/// What is known when a reply has ended.
type Answer = (Result<Document, Failure>, Monitor);

fn answer(contract: &Contract, expect: Expect, text: &str, len: usize) -> Answer {
    let mut reply = Reply::with_sink(expect, contract.monitor(&expect));
    let mut rest = text.as_bytes();
    while !rest.is_empty() {
        let (front, back) = rest.split_at(len.min(rest.len()));
        let _ = reply.push_bytes(front);
        rest = back;
    }
    reply.finish_into(Ending::Stop)
}

/// The same in a form that can be compared.
fn written((answer, monitor): &Answer) -> String {
    let told = monitor.violation().map(|it| format!("{} {} {} {:?}", it.offset(), it.start(), it.message(), it.when()));
    match answer {
        Ok(document) => format!("{:?} {:?} {told:?}", document.span(), monitor.verdict(document.span())),
        Err(failure) => format!("{} {} {} {told:?}", failure.code().as_str(), failure.offset(), failure.decided_at()),
    }
}

// Two characters choose: the schema and what is expected, the length of the chunks. A text of two parts brings its schema in the first.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([first, second], text)) = bytes.split_first_chunk::<2>() else { return };
    let text = String::from_utf8_lossy(text);
    let own = text.split_once('\u{1e}').and_then(|(schema, reply)| {
        Contract::with_options(schema, &SchemaOptions::untrusted()).ok().map(|contract| (contract, reply))
    });
    let (contract, text) = match &own {
        Some((contract, reply)) => (contract, *reply),
        None => (&SCHEMAS[usize::from(first & 15)], &*text),
    };
    let root = [Root::Value, Root::Object, Root::Any, Root::Array][usize::from(first >> 4 & 3)];
    let take = [Take::Only, Take::Only, Take::First, Take::Last][usize::from(first >> 6)];
    let expect = Expect::root(root).take(take);

    let whole = answer(contract, expect, text, usize::MAX);
    let told = written(&whole);
    for len in [1, usize::from(second % 16) + 2] {
        assert_eq!(written(&answer(contract, expect, text, len)), told, "in chunks of {len}");
    }
    let (read_with, monitor) = whole;
    if let Ok(document) = &read_with {
        let is_valid = contract.check(document);
        if let (Some(verdict), None) = (monitor.verdict(document.span()), is_valid.limit()) {
            assert_eq!(verdict, is_valid.is_valid(), "the verdict is the validator's");
        }
        return;
    }
    // What was refused is no valid document to whoever reads on.
    let (Some(violation), Ok(document)) = (monitor.violation(), read(text, expect)) else { return };
    let span = document.span();
    if span.start <= violation.start() && violation.offset() < span.end {
        let check = contract.check(&document);
        assert!(
            check.limit().is_some() || !check.is_valid(),
            "refused at {}: {}",
            violation.offset(),
            violation.message()
        );
    }
});
