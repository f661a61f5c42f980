//! Objects: their keys, byte by byte, and what is counted or missed.

use thusfar_contract::Contract;
use thusfar_core::{Code, Expect};

use super::{ANY, Row, hold, taken};
use crate::feeding::{End, Feed};

const CLOSED: &str = r#"{"properties": {"label": {}, "confidence": {}}, "additionalProperties": false}"#;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // A key that no unseen field begins with.
    (CLOSED, r#"{"‸score": 1}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"lab‸s": 1}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"label‸s": 1}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"lab‸": 1}"#, "/lab", "additionalProperties", ANY, ANY),
    (CLOSED, r#"{"label": 1, "‸score": 1}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"\u007‸3core": 1}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"l\u0061b\u0065‸k": 1}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, "{\"‸étiquette\": 1}", ANY, "additionalProperties", "early", ANY),
    (CLOSED, "{ /* first */ \"‸score\": 1}", ANY, "additionalProperties", "early", ANY),
    // It may still be a field that stood there, said once more: the byte is the same, told when it is not that either.
    (CLOSED, r#"{"label": 1, "‸la›x": 2}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"label": 1, "‸lab›": 2}"#, ANY, "additionalProperties", ANY, ANY),
    // None is left: the comma, though it alone may be one too many.
    (CLOSED, r#"{"label": 1, "confidence": 2‸, "›note": 3}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, r#"{"label": 1, "confidence": 2‸, "label›s": 3}"#, ANY, "additionalProperties", "early", ANY),
    (CLOSED, "{\"label\": 1, \"confidence\": 2 ‸,\n// one more\n \"›x\": 3}", ANY, "additionalProperties", "early", ANY),
    (r#"{"additionalProperties": false}"#, r#"{‸"a": 1}"#, ANY, "additionalProperties", "early", ANY),
    (r#"{"properties": {"o": {"properties": {"x": {}}, "additionalProperties": false}}}"#, r#"{"o": {"‸y": 1}}"#, ANY, "additionalProperties", "early", ANY),
    // Values of fields that are not named.
    (r#"{"properties": {"a": {}}, "additionalProperties": {"type": "integer"}}"#, r#"{"a": "x", "b": ‸"x"}"#, "/b", "type", "early", r#""string""#),
    (r#"{"patternProperties": {"^x-": {"type": "string"}}}"#, r#"{"x-a": ‸1}"#, "/x-a", "type", "early", r#""number""#),
    (r#"{"patternProperties": {"^x-": false}}"#, r#"{"x-a‸": 1}"#, "/x-a", "patternProperties", "early", ANY),
    (r#"{"properties": {"ab": {"type": "string"}}, "patternProperties": {"^a": {"maxLength": 1}}}"#, r#"{"ab": "x‸y"}"#, "/ab", "maxLength", "early", "2"),
    // What is missing, at the closer. Names that the schema does not know are not kept.
    (r#"{"required": ["a", "b"]}"#, r#"{"a": 1‸}"#, "", "required", "at_close", r#"["a"]"#),
    (r#"{"required": ["a"]}"#, "{‸}", "", "required", "at_close", "[]"),
    (r#"{"required": ["a"]}"#, r#"{"\u0041": 1,‸}"#, "", "required", "at_close", "[]"),
    (r#"{"required": ["a"]}"#, r#"{"b": 1‸]"#, "", "required", "at_close", "[]"),
    (r#"{"properties": {"o": {"required": ["a"]}}}"#, r#"{"o": {"b": {"a": 1}‸}}"#, "/o", "required", "at_close", "[]"),
    (r#"{"properties": {"b": {}, "c": {}}, "required": ["a"]}"#, r#"{"c": 1, "x": 1, "b": {"a": 1}‸}"#, "", "required", "at_close", r#"["b", "c"]"#),
    (r#"{"items": {"required": ["a"]}}"#, r#"[{"a": 1}, {‸}]"#, "/1", "required", "at_close", "[]"),
    (r#"{"dependentRequired": {"card": ["cvc"]}}"#, r#"{"card": 1‸}"#, "", "dependentRequired", "at_close", r#"["card"]"#),
    (r#"{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"card": ["cvc"]}}"#, r#"{"card": 1‸}"#, "", ANY, ANY, ANY),
    // What is counted.
    (r#"{"minProperties": 2}"#, r#"{"a": 1‸}"#, "", "minProperties", "at_close", "1"),
    (r#"{"minProperties": 2}"#, r#"{"a": 1, "a": 1‸}"#, "", "minProperties", "at_close", "1"),
    (r#"{"maxProperties": 1}"#, r#"{"a": 1‸, "b»": 2}"#, "", "maxProperties", "early", "2"),
    (r#"{"maxProperties": 0}"#, r#"{‸"a»": 2}"#, "", "maxProperties", "early", "1"),
    (r#"{"maxProperties": 2}"#, r#"{"a": 1, "a": 1, "b": 2‸, "c»": 3}"#, "", "maxProperties", "early", "3"),
];

#[test]
fn of_objects() {
    hold(Expect::value(), ROWS);
}

/// Names are held against a schema somewhere between the byte that loses them and the end of the key.
#[test]
fn of_names() {
    let rows = [
        (r#"{"propertyNames": {"pattern": "^[a-z_]+$"}}"#, "{\"a‸ b»\": 1}", "propertyNames"),
        (r#"{"propertyNames": {"maxLength": 2}}"#, "{\"ab‸c»\": 1}", "propertyNames"),
        (r#"{"propertyNames": {"enum": ["a", "bc"]}}"#, "{\"a\": 1, \"b‸d»\": 1}", "propertyNames"),
        (r#"{"propertyNames": {"minLength": 2}}"#, "{\"a‸»\": 1}", "propertyNames"),
        (r#"{"propertyNames": {"not": {"const": "a"}}}"#, "{\"a‸»\": 1}", "propertyNames"),
        (r#"{"propertyNames": false}"#, "{‸\"a»\": 1}", "propertyNames"),
        (
            r#"{"patternProperties": {"^x-[a-z]+$": {}}, "additionalProperties": false}"#,
            "{\"‸y-a»\": 1}",
            "additionalProperties",
        ),
        (
            r#"{"patternProperties": {"^x-[a-z]+$": {}}, "additionalProperties": false}"#,
            "{\"x-‸1»\": 1}",
            "additionalProperties",
        ),
        (
            r#"{"patternProperties": {"^x-[a-z]+$": {}}, "additionalProperties": false}"#,
            "{\"x-‸»\": 1}",
            "additionalProperties",
        ),
        (
            r#"{"patternProperties": {"^x": {}}, "properties": {"id": {}}, "additionalProperties": false}"#,
            "{\"id\": 1, \"i‸s»\": 1}",
            "additionalProperties",
        ),
    ];
    for (schema, reply, keyword) in rows {
        let contract = Contract::from_schema(schema).expect("a schema");
        let at = super::marked(reply);
        let answer = Feed::new(&contract, Expect::value()).answer(&at.reply);
        let (told, _) = answer.refusal().unwrap_or_else(|| panic!("{reply} under {schema}: {answer:?}"));
        let latest = at.latest.expect("a mark");
        assert!((at.offset..=latest).contains(&told.offset), "{reply} under {schema}: {told:?}");
        assert_eq!(told.keyword, keyword, "{reply} under {schema}: {told:?}");
    }
}

#[rustfmt::skip]
const TAKEN: &[(&str, &str)] = &[
    (CLOSED, r#"{"label": 1, "confidence": 2,}"#),
    (CLOSED, r#"{"label": 1, "confidence": 2, "label": 1}"#),
    (CLOSED, r#"{"label": {"x": [1]}, "label": {"x": [1.0]}, "confidence": 2}"#),
    (CLOSED, r#"{"\u006cabel": 1, /* and now */ "confidence": 2}"#),
    (CLOSED, "{}"),
    (r#"{"additionalProperties": false}"#, "{ }"),
    (r#"{"maxProperties": 1}"#, r#"{"a": 1, "a": 1,}"#),
    (r#"{"maxProperties": 1}"#, r#"{"a": "x", "\u0061": "\u0078"}"#),
    (r#"{"required": ["a"]}"#, r#"{"b": {"c": 1}, "\u0061": null]"#),
    (r#"{"required": ["a"]}"#, "[]"),
    (r#"{"properties": {"a": {"items": {"uniqueItems": true}}}}"#, r#"{"a": [[1]], "a": [[1]]}"#),
    (r#"{"dependentRequired": {"card": ["cvc"]}}"#, r#"{"cvc": 1, "card": 2}"#),
    (r#"{"propertyNames": {"maxLength": 2}}"#, r#"{"\ud83d\ude00é": 1, "": 2}"#),
    (r#"{"patternProperties": {"^x": {}}, "properties": {"id": {}}, "additionalProperties": false}"#, r#"{"x": 1, "xy": 2, "id": 3, "x": 1}"#),
];

#[test]
fn of_objects_that_are_taken() {
    taken(Expect::value(), TAKEN);
}

/// Two values under one key are the reader's to refuse: of a second value the schema says nothing.
#[test]
fn of_a_key_that_stands_twice() {
    let rows = [
        (r#"{"properties": {"a": {"type": "null"}}}"#, r#"{"a": null, "‸"#, r#"a": "x"}"#),
        (r#"{"properties": {"a": {"enum": ["x"]}}}"#, r#"{"a": "x", "‸"#, r#"a": "y"}"#),
        (r#"{"additionalProperties": {"maxItems": 1}}"#, r#"{"a": [1], "‸"#, r#"a": [1, 2]}"#),
        (CLOSED, r#"{"label": 1, "confidence": 2, "‸"#, r#"label": 2}"#),
        (r#"{"maxProperties": 1}"#, r#"{"a": 1, "‸"#, r#"a": 2}"#),
        (r#"{"properties": {"a": {"properties": {"b": false}}}}"#, r#"{"a": {"c": 1}, "‸"#, r#"a": {"b": 1}}"#),
    ];
    for (schema, front, back) in rows {
        let contract = Contract::from_schema(schema).expect("a schema");
        let at = super::marked(&format!("{front}{back}"));
        let answer = Feed::new(&contract, Expect::value()).answer(&at.reply);
        let key = at.offset - 1;
        let is_ambiguous = matches!(answer.end, End::Failure { code: Code::DuplicateKey, offset, .. } if offset == key);
        assert!(is_ambiguous && answer.told.is_none(), "{} under {schema}: {answer:?}", at.reply);
    }
}
