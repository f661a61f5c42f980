//! Arrays: how many items, which, and all different.

use thusfar_core::{Expect, RepairKind};

use super::{ANY, Row, hold, taken};

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // One item too many: the comma, which may also be one too many itself.
    (r#"{"maxItems": 2}"#, "[1,2‸,›3]", "", "maxItems", "early", "3"),
    (r#"{"maxItems": 2}"#, "[1, 2‸, ›\"x\", 4, 5]", "", "maxItems", "early", "3"),
    (r#"{"maxItems": 2}"#, "[1, 2 ‸, /* c */\n ›[3]]", "", "maxItems", "early", "3"),
    (r#"{"maxItems": 2}"#, "[{}, []‸,›null]", "", "maxItems", "early", "3"),
    (r#"{"maxItems": 0}"#, "[‸1]", "", "maxItems", "early", "1"),
    (r#"{"properties": {"l": {"maxItems": 1}}}"#, "{\"l\": [[1, 2]‸, ›3]}", "/l", "maxItems", "early", "2"),
    (r#"{"prefixItems": [{}, {}], "items": false}"#, "[1, \"a\"‸, ›null]", ANY, "items", "early", ANY),
    (r#"{"items": false}"#, "[‸1]", "/0", "items", "early", ANY),
    (r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [true, true], "additionalItems": false}"#, "[1, 2‸, ›3]", ANY, "additionalItems", "early", ANY),
    (r#"{"minItems": 2}"#, "[1‸]", "", "minItems", "at_close", "1"),
    (r#"{"minItems": 2}"#, "[1,‸]", "", "minItems", "at_close", "1"),
    (r#"{"minItems": 1}"#, "[‸]", "", "minItems", "at_close", "0"),
    (r#"{"properties": {"l": {"minItems": 1}}}"#, "{\"l\": [‸}}", "/l", "minItems", "at_close", "0"),
    // Each item by its place.
    (r#"{"items": {"type": "number"}}"#, "[1, 2, ‸\"a\"]", "/2", "type", "early", r#""string""#),
    (r#"{"items": {"items": {"type": "number"}}}"#, "[[1], [2, ‸null]]", "/1/1", "type", "early", r#""null""#),
    (r#"{"prefixItems": [{"type": "null"}, {"enum": ["x", "y"]}]}"#, "[null, \"‸z\"]", "/1", "enum", "early", ANY),
    (r#"{"prefixItems": [{"type": "null"}], "items": {"type": "string"}}"#, "[null, \"a\", ‸null]", "/2", "type", "early", r#""null""#),
    (r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}], "additionalItems": {"type": "string"}}"#, "[null, ‸null]", "/1", "type", "early", r#""null""#),
    // What must be among them.
    (r#"{"contains": {"const": "final"}}"#, "[\"draft\"‸]", "", "contains", "at_close", "0"),
    (r#"{"contains": {"const": "final"}}"#, "[‸]", "", "contains", "at_close", "0"),
    (r#"{"contains": {"type": "string"}, "minContains": 2}"#, "[\"a\", 1‸]", "", "contains", "at_close", "1"),
    (r#"{"contains": {"const": "a"}, "maxContains": 1}"#, "[\"a\", 1, \"a‸\", 2]", "", "maxContains", "early", "2"),
    (r#"{"contains": {"const": 1}, "maxContains": 1}"#, "[1, 1.0‸, 2]", "", "maxContains", "early", "2"),
    // All different, by value.
    (r#"{"uniqueItems": true}"#, "[1, 2, 1‸, 3]", "", "uniqueItems", "early", "[0,2]"),
    (r#"{"uniqueItems": true}"#, "[1, 1.0‸ , 3]", "", "uniqueItems", "early", "[0,1]"),
    (r#"{"uniqueItems": true}"#, "[10, 1e1‸]", "", "uniqueItems", ANY, "[0,1]"),
    (r#"{"uniqueItems": true}"#, r#"["a", "b", "\u0061‸", "c"]"#, "", "uniqueItems", "early", "[0,2]"),
    (r#"{"uniqueItems": true}"#, r#"[{"a": 1, "b": [2]}, {"b": [2.0], "a": 1‸}, 3]"#, "", "uniqueItems", "early", "[0,1]"),
    (r#"{"uniqueItems": true}"#, r#"[{"a": 1}, {"a": 1, "a": 1‸}, 3]"#, "", "uniqueItems", "early", "[0,1]"),
    (r#"{"uniqueItems": true}"#, "[[1, 2], [2, 1], [1, 2,‸]]", "", "uniqueItems", "early", "[0,2]"),
    (r#"{"uniqueItems": true}"#, "[true, null, tru‸e›, 1]", "", "uniqueItems", "early", "[0,2]"),
];

#[test]
fn of_arrays() {
    hold(Expect::value(), ROWS);
}

/// Where no comma may be dropped, the comma itself tells.
#[test]
fn of_arrays_to_the_letter() {
    let rows: &[Row] = &[
        (r#"{"maxItems": 2}"#, "[1,2‸,3]", "", "maxItems", "early", "3"),
        (r#"{"maxItems": 2}"#, "[1,2‸,]", "", "maxItems", "early", "3"),
        (r#"{"prefixItems": [{}, {}], "items": false}"#, "[1, \"a\"‸, null]", ANY, "items", "early", ANY),
        (r#"{"properties": {"l": {"maxItems": 1}}}"#, "{\"l\": [[1, 2]‸, 3]}", "/l", "maxItems", "early", "2"),
    ];
    hold(Expect::value().without(RepairKind::TrailingComma), rows);
}

#[rustfmt::skip]
const TAKEN: &[(&str, &str)] = &[
    (r#"{"maxItems": 2}"#, "[1, 2,]"),
    (r#"{"maxItems": 2}"#, "[1, 2, // no more\n]"),
    (r#"{"prefixItems": [{}, {}], "items": false}"#, "[1, 2,]"),
    (r#"{"items": false}"#, "[ ]"),
    (r#"{"uniqueItems": true}"#, r#"[1, "1", [1], {"a": 1}, {"a": 2}, {"b": 1}, true, null, [], {}]"#),
    (r#"{"uniqueItems": true}"#, r#"[[1, 2], [2, 1], "ab", "a", "b", "", 0.1, 0.10000001]"#),
    (r#"{"contains": {"type": "string"}, "minContains": 0}"#, "[]"),
    (r#"{"contains": {"minimum": 5}, "maxContains": 1}"#, "[1, 50e-1, 2, 3]"),
    (r#"{"items": {"maxItems": 1}, "maxItems": 2}"#, "[[1], [2,]}"),
];

#[test]
fn of_arrays_that_are_taken() {
    taken(Expect::value(), TAKEN);
}
