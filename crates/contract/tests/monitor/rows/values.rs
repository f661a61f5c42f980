//! Scalars: types, numbers at their end, strings character by character.

use thusfar_core::Expect;

use super::{ANY, Row, hold, taken};

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // The first byte says the type.
    (r#"{"type": "string"}"#, "‸1", "", "type", "early", r#""number""#),
    (r#"{"type": "string"}"#, " \n‸{\"a\": 1}", "", "type", "early", r#""object""#),
    (r#"{"type": "string"}"#, "‸[]", "", "type", "early", r#""array""#),
    (r#"{"type": "string"}"#, "‸null", "", "type", "early", r#""null""#),
    (r#"{"type": "object"}"#, "‸\"{}\"", "", "type", "early", r#""string""#),
    (r#"{"properties": {"a": {"type": ["string", "null"]}}}"#, r#"{"a": ‸true}"#, "/a", "type", "early", r#""boolean""#),
    (r#"{"properties": {"a": {"type": "integer"}}}"#, r#"{"a": ‸"12"}"#, "/a", "type", "early", r#""string""#),
    (r#"{"properties": {"a/b~": {"type": "null"}}}"#, r#"{"a/b~": ‸0}"#, "/a~1b~0", "type", "early", r#""number""#),
    ("false", "‸1", "", "false", "early", ANY),
    (r#"{"properties": {"a": false}}"#, r#"{"a‸": 1}"#, "/a", "properties", "early", ANY),
    // A number is what it is when it ends: 150e-1 is 15, 1.5e1 an integer.
    (r#"{"properties": {"a": {"type": "integer"}}}"#, r#"{"a": 1.5‸}"#, "/a", "type", "at_close", r#""number""#),
    (r#"{"properties": {"a": {"maximum": 100}}}"#, r#"{"a": 150‸, "b": 1}"#, "/a", "maximum", "at_close", "150"),
    (r#"{"properties": {"a": {"maximum": 100}}}"#, "{\"a\": 150‸ }", "/a", "maximum", "at_close", "150"),
    (r#"{"properties": {"a": {"maximum": 100}}}"#, "{\"a\": 150‸/* so much */}", "/a", "maximum", "at_close", "150"),
    (r#"{"properties": {"a": {"maximum": 100}}}"#, "{\"a\": 150‸\n}", "/a", "maximum", "at_close", "150"),
    (r#"{"items": {"minimum": 0}}"#, "[0, -5‸]", "/1", "minimum", "at_close", "-5"),
    (r#"{"items": {"minimum": 0}}"#, "[-0.5e-3‸,1]", "/0", "minimum", "at_close", "-0.0005"),
    (r#"{"items": {"exclusiveMinimum": 0}}"#, "[0‸]", "/0", "exclusiveMinimum", "at_close", "0"),
    (r#"{"items": {"exclusiveMaximum": 1.5}}"#, "[1.50‸]", "/0", "exclusiveMaximum", "at_close", ANY),
    (r#"{"items": {"multipleOf": 15}}"#, "[30, 10‸]", "/1", "multipleOf", "at_close", "10"),
    (r#"{"items": {"multipleOf": 0.5}}"#, "[0.7‸]", "/0", "multipleOf", "at_close", "0.7"),
    (r#"{"items": {"enum": [1, 2.5]}}"#, "[1.0, 25e-1, 3‸]", "/2", "enum", "at_close", "3"),
    (r#"{"items": {"const": 12}}"#, "[12, 1.2‸]", "/1", "const", "at_close", "1.2"),
    (r#"{"enum": ["a", 1]}"#, "2‸", "", "enum", "at_close", "2"),
    (r#"{"maximum": 4}"#, "5‸", "", "maximum", "at_close", "5"),
    (r#"{"maximum": 4}"#, "5‸\n", "", "maximum", "at_close", "5"),
    // Words, as far as one of those that are allowed goes.
    (r#"{"enum": ["positive", "negative", "neutral"]}"#, r#""po‸e""#, "", "enum", "early", ANY),
    (r#"{"enum": ["positive", "negative", "neutral"]}"#, r#""ne‸w""#, "", "enum", "early", ANY),
    (r#"{"enum": ["positive", "negative", "neutral"]}"#, r#""positive‸s""#, "", "enum", "early", ANY),
    (r#"{"enum": ["positive", "negative", "neutral"]}"#, r#""pos‸""#, "", "enum", ANY, r#""pos""#),
    (r#"{"enum": ["positive", "negative", "neutral"]}"#, r#""‸""#, "", "enum", ANY, r#""""#),
    (r#"{"enum": ["positive", null]}"#, "‸true", "", "enum", "early", ANY),
    (r#"{"enum": ["positive", true]}"#, "‸false", "", "enum", "early", ANY),
    (r#"{"enum": ["positive", null]}"#, "‸{}", "", "enum", "early", ANY),
    (r#"{"enum": ["positive", null]}"#, "‸7", "", "enum", "early", ANY),
    (r#"{"type": ["string", "null"], "enum": ["celsius", null]}"#, "‸0", "", ANY, "early", ANY),
    (r#"{"const": "ab"}"#, r#""a‸c""#, "", "const", "early", ANY),
    (r#"{"const": "ab"}"#, r#""a‸""#, "", "const", ANY, r#""a""#),
    (r#"{"const": null}"#, "‸\"null\"", "", "const", "early", ANY),
    (r#"{"enum": ["é", "ab"]}"#, "\"‸€\"", "", "enum", "early", ANY),
    (r#"{"enum": ["é", "ab"]}"#, "\"⁁è\"", "", "enum", "early", ANY),
    (r#"{"enum": ["😀"]}"#, r#""\ud83d\ude0‸1""#, "", "enum", "early", ANY),
    (r#"{"enum": ["neutral"]}"#, r#""n\u006‸1""#, "", "enum", "early", ANY),
    (r#"{"enum": ["N/A"]}"#, r#""N\/‸B""#, "", "enum", "early", ANY),
    (r#"{"enum": ["N-A"]}"#, r#""N\‸/A""#, "", "enum", "early", ANY),
    // Objects and arrays among the values that are allowed.
    (r#"{"enum": [[1], {"a": 1}]}"#, "‸\"x\"", "", "enum", "early", ANY),
    (r#"{"enum": [[1], "x"]}"#, "‸{\"a\": 1}", "", "enum", "early", ANY),
    (r#"{"properties": {"v": {"const": {"a": 1}}}}"#, r#"{"v": ‸[1]}"#, "/v", "const", "early", ANY),
    // Characters, not bytes and not escapes.
    (r#"{"maxLength": 2}"#, r#""ab‸c""#, "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, r#""ab‸cdefgh""#, "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, "\"ab‸é\"", "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, "\"éé‸😀\"", "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, r#""ab‸\›n""#, "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, r#""ab‸\u004›1""#, "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, r#""ab‸\ud83d\ude0›0""#, "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, r#""a\ud83d\ude00‸b""#, "", "maxLength", "early", "3"),
    (r#"{"maxLength": 2}"#, "\"e\u{301}‸x\"", "", "maxLength", "early", "3"),
    (r#"{"maxLength": 0}"#, "\"‸a\"", "", "maxLength", "early", "1"),
    (r#"{"minLength": 2}"#, "\"a‸\"", "", "minLength", "at_close", "1"),
    (r#"{"minLength": 2}"#, "\"😀‸\"", "", "minLength", "at_close", "1"),
    (r#"{"minLength": 2}"#, r#""\ud83d\ude00‸""#, "", "minLength", "at_close", "1"),
    (r#"{"pattern": "^a+$"}"#, r#""aa‸b""#, "", "pattern", "early", ANY),
    (r#"{"pattern": "^a+$"}"#, r#""‸""#, "", "pattern", ANY, r#""""#),
    (r#"{"pattern": "^a+$"}"#, r#""a\u006‸2""#, "", "pattern", "early", ANY),
    (r#"{"pattern": "^a+$"}"#, r#""a\‸n""#, "", "pattern", "early", ANY),
    (r#"{"pattern": "^[0-9]{4}-[01][0-9]$"}"#, r#""2026-‸3""#, "", "pattern", "early", ANY),
    (r#"{"pattern": "b"}"#, r#""aca‸""#, "", "pattern", ANY, r#""aca""#),
    (r#"{"pattern": "^é"}"#, "\"⁁è\"", "", "pattern", "early", ANY),
    (r#"{"pattern": "^é"}"#, "\"‸€\"", "", "pattern", "early", ANY),
    (r#"{"pattern": "^(?=a)..$"}"#, r#""bb‸""#, "", "pattern", "at_close", r#""bb""#),
    (r#"{"$schema": "http://json-schema.org/draft-07/schema#", "format": "date"}"#, r#""yesterday‸""#, "", "format", "at_close", r#""yesterday""#),
];

#[test]
fn of_values() {
    hold(Expect::value(), ROWS);
}

#[rustfmt::skip]
const TAKEN: &[(&str, &str)] = &[
    (r#"{"properties": {"a": {"maximum": 100}}}"#, r#"{"a": 150e-1}"#),
    (r#"{"properties": {"a": {"minimum": 0}}}"#, r#"{"a": -5e-400}"#),
    (r#"{"properties": {"a": {"minimum": 0}}}"#, r#"{"a": -0}"#),
    (r#"{"items": {"type": "integer"}}"#, "[1.0, 1e2, 10e-1, 1.5e1, -0.0]"),
    (r#"{"items": {"enum": [1, 20]}}"#, "[1.0, 2e1, 20.00, 10e-1]"),
    (r#"{"items": {"multipleOf": 0.01}}"#, "[4.35, 0.07]"),
    (r#"{"maximum": 4}"#, "4"),
    (r#"{"enum": ["neutral", "N/A"]}"#, r#""n\u0065utral""#),
    (r#"{"enum": ["neutral", "N/A"]}"#, r#""N\/A""#),
    (r#"{"enum": ["😀"]}"#, r#""\uD83D\uDE00""#),
    (r#"{"enum": ["a", "ab", "abc"]}"#, r#""ab""#),
    (r#"{"enum": ["", "ab"]}"#, r#""""#),
    (r#"{"const": {"a": [1, {"b": "x"}]}}"#, r#"{"a": [1.0, {"\u0062": "x"}]}"#),
    (r#"{"enum": [{"a": 1, "b": 2}]}"#, r#"{"b": 2, "a": 1, }"#),
    (r#"{"maxLength": 2, "minLength": 2}"#, r#""\ud83d\ude00\n""#),
    (r#"{"pattern": "^\\d+$", "maxLength": 4}"#, "\"1234\""),
    (r#"{"pattern": "^$"}"#, "\"\""),
    (r#"{"pattern": "b"}"#, "\"aaaab\""),
    (r#"{"format": "date"}"#, "\"yesterday\""),
    (r#"{"minLength": 3, "pattern": "^x", "minimum": 3, "minItems": 9, "required": ["a"]}"#, "null"),
    (r#"{"maxLength": 1, "maximum": 1, "maxItems": 0}"#, r#"{"a": "long enough"}"#),
];

#[test]
fn of_values_that_are_taken() {
    taken(Expect::value(), TAKEN);
}
