//! Several schemas for one value: unions, conditions, negations, references.

use thusfar_core::Expect;

use super::{ANY, Row, hold, taken};

const ACTION: &str = r#"{"anyOf": [
    {"properties": {"kind": {"const": "search"}, "query": {"type": "string"}}, "required": ["kind", "query"], "additionalProperties": false},
    {"properties": {"kind": {"const": "open"}, "url": {"pattern": "^https?://"}}, "required": ["kind", "url"], "additionalProperties": false}
]}"#;

const WHEN: &str = r#"{
    "if": {"properties": {"method": {"const": "courier"}}, "required": ["method"]},
    "then": {"required": ["phone"]},
    "else": {"properties": {"phone": false}}
}"#;

#[rustfmt::skip]
const ROWS: &[Row] = &[
    (r#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, "‸1", "", ANY, "early", ANY),
    (r#"{"properties": {"a": {"anyOf": [{"type": "string", "maxLength": 1}, {"type": "null"}]}}}"#, r#"{"a": "x‸y"}"#, "/a", ANY, "early", ANY),
    // The branch that died last tells.
    (ACTION, r#"{"kind": "search", "‸url": "x"}"#, ANY, "additionalProperties", "early", ANY),
    (ACTION, r#"{"kind": "open", "url": "‸ftp://x"}"#, "/url", "pattern", "early", ANY),
    (ACTION, r#"{"url": "‸ftp://x", "kind": "open"}"#, "/url", "pattern", "early", ANY),
    (ACTION, r#"{"kind": "‸close"}"#, "/kind", ANY, "early", ANY),
    (ACTION, r#"{"kind": "search"‸}"#, "", "required", "at_close", ANY),
    (ACTION, r#"{"‸action": 1}"#, ANY, ANY, "early", ANY),
    (ACTION, r#"{"kind": "search", "query": ‸1}"#, "/query", "type", "early", r#""number""#),
    // More than one of those of which one may hold.
    (r#"{"oneOf": [{"type": "string"}, {"minLength": 2}]}"#, r#""a‸b""#, "", "oneOf", "early", ANY),
    (r#"{"oneOf": [{"const": "a"}, {"enum": ["a", "b"]}]}"#, r#""a‸""#, "", "oneOf", ANY, ANY),
    (r#"{"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, r#"{"b": 1, "a": 2‸}"#, "", "oneOf", "at_close", ANY),
    (r#"{"oneOf": [{"type": "string"}, {"type": "null"}]}"#, "‸{}", "", ANY, "early", ANY),
    (r#"{"oneOf": [{"enum": [[1]]}, {"type": "array"}]}"#, "[1‸]", "", "oneOf", ANY, ANY),
    (r#"{"not": {"type": "string"}}"#, "‸\"a\"", "", "not", "early", ANY),
    (r#"{"not": {"enum": ["F", "N/A"]}}"#, r#""F‸""#, "", "not", ANY, r#""F""#),
    (r#"{"not": {"enum": ["F", "N/A"]}}"#, r#""N\/A‸""#, "", "not", ANY, r#""N/A""#),
    (r#"{"items": {"not": {"maximum": 4}}}"#, "[5, 4‸]", "/1", "not", ANY, "4"),
    (r#"{"not": {"not": {"type": "string"}}}"#, "‸1", "", "not", "early", ANY),
    (r#"{"allOf": [{"type": "string"}, {"maxLength": 1}]}"#, r#""a‸b""#, "", "maxLength", "early", "2"),
    (r#"{"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#, r#""‸a""#, "", "enum", "early", ANY),
    (r#"{"allOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, r#"{"a": 1‸}"#, "", "required", "at_close", r#"["a"]"#),
    // A condition that holds, or does not, decides what is asked.
    (WHEN, r#"{"method": "courier"‸}"#, "", "required", "at_close", r#"["method"]"#),
    (WHEN, r#"{"method": "pickup", "phone‸": 1}"#, "/phone", ANY, "early", ANY),
    (WHEN, r#"{"phone": 1, "method": "‸pickup"}"#, ANY, ANY, ANY, ANY),
    (r#"{"if": {"type": "string"}, "then": {"maxLength": 1}, "else": {"type": "null"}}"#, r#""a‸b""#, "", "maxLength", "early", "2"),
    (r#"{"if": {"type": "string"}, "then": {"maxLength": 1}, "else": {"type": "null"}}"#, "‸1", "", "type", "early", r#""number""#),
    // Of a condition only the branch in force is blamed.
    (r#"{"if": {"required": ["a"]}, "then": {"required": ["b"]}, "else": {"required": ["c"]}}"#, r#"{"a": 1‸}"#, "", "required", "at_close", r#"["a"]"#),
    (r#"{"if": {"required": ["a"]}, "then": {"minProperties": 2}, "else": {"required": ["c"]}}"#, r#"{"a": 1‸}"#, "", "minProperties", "at_close", "1"),
    (r#"{"if": {"required": ["a"]}, "then": {"minProperties": 2}, "else": {"required": ["c"]}}"#, r#"{"b": 1‸}"#, "", "required", "at_close", "[]"),
    (r#"{"if": {"required": ["a"]}, "then": {"required": ["c"]}, "else": {"minProperties": 2}}"#, r#"{"b": 1‸}"#, "", "minProperties", "at_close", "1"),
    (r#"{"dependentSchemas": {"a": {"minProperties": 2}, "b": {"required": ["c"]}}}"#, r#"{"a": 1‸}"#, "", "minProperties", "at_close", "1"),
    (r#"{"dependentSchemas": {"a": {"required": ["c"]}, "b": {"minProperties": 2}}}"#, r#"{"a": 1‸}"#, "", "required", "at_close", r#"["a"]"#),
    (r#"{"dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}}"#, r#"{"a": 1, "b": ‸1}"#, "/b", "type", "early", r#""number""#),
    (r#"{"dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}}"#, r#"{"b": 1, "a‸": 1}"#, ANY, ANY, "early", ANY),
    (r#"{"if": true, "then": {"type": "null"}}"#, "‸1", "", "type", "early", r#""number""#),
    (r#"{"if": false, "else": {"type": "null"}}"#, "‸1", "", "type", "early", r#""number""#),
    // References, to themselves too.
    (r##"{"$ref": "#/$defs/node", "$defs": {"node": {"required": ["t"], "properties": {"t": {"maxLength": 2}, "c": {"items": {"$ref": "#/$defs/node"}}}}}}"##, r#"{"t": "a", "c": [{"t": "ab", "c": []}, {"c": []‸}]}"#, "/c/1", "required", "at_close", r#"["c"]"#),
    (r##"{"$ref": "#/$defs/node", "$defs": {"node": {"required": ["t"], "properties": {"t": {"maxLength": 2}, "c": {"items": {"$ref": "#/$defs/node"}}}}}}"##, r#"{"c": [{"c": [{"t": "ab‸c"}]}]}"#, "/c/0/c/0/t", "maxLength", "early", "3"),
    (r##"{"properties": {"a": {"$ref": "#/$defs/x", "maxLength": 1}}, "$defs": {"x": {"type": "string"}}}"##, r#"{"a": "x‸y"}"#, "/a", "maxLength", "early", "2"),
];

#[test]
fn of_branches() {
    hold(Expect::value(), ROWS);
}

#[rustfmt::skip]
const TAKEN: &[(&str, &str)] = &[
    (ACTION, r#"{"url": "http://x", "kind": "open"}"#),
    (ACTION, r#"{"query": "", "kind": "search",}"#),
    // What is not known of one branch says nothing of the whole.
    (r#"{"oneOf": [{"enum": [[1]]}, {"type": "array"}]}"#, "[2]"),
    (r#"{"oneOf": [{"const": {"a": 1}}, {"required": ["a"]}]}"#, r#"{"a": 2}"#),
    (r#"{"not": {"enum": [[1], {"a": 1}]}}"#, "[2]"),
    (r#"{"not": {"const": {"a": 1}}}"#, r#"{"a": 1, "b": 1}"#),
    (r#"{"not": {"uniqueItems": true}}"#, "[1, 2, 1]"),
    (r#"{"not": {"contains": {"type": "string"}}}"#, "[1, 2]"),
    (r#"{"not": {"required": ["a", "b"]}}"#, r#"{"a": 1}"#),
    (r#"{"not": {"properties": {"a": {"type": "string"}}}}"#, r#"{"a": 1}"#),
    (r#"{"not": {"dependentSchemas": {"a": false}}}"#, r#"{"a": 1}"#),
    (r#"{"not": {"properties": {"a": {}}, "unevaluatedProperties": false}}"#, r#"{"b": 1}"#),
    (r#"{"propertyNames": {"not": {"enum": ["a"]}}}"#, r#"{"ab": 1, "b": 2}"#),
    (r#"{"propertyNames": {"oneOf": [{"const": "a"}, {"pattern": "^b"}]}}"#, r#"{"b": 1, "a": 2}"#),
    (r#"{"$schema": "http://json-schema.org/draft-04/schema#", "if": {"type": "string"}, "then": {"maxLength": 1}}"#, "\"abc\""),
    (r#"{"$schema": "http://json-schema.org/draft-06/schema#", "if": true, "then": false}"#, "1"),
    (r#"{"$schema": "http://json-schema.org/draft-04/schema#", "const": 1, "propertyNames": false, "contains": false}"#, r#"{"a": [1]}"#),
    (r#"{"then": false, "else": false}"#, "1"),
    (r#"{"if": {"properties": {"a": {"const": 1}}}, "else": false}"#, "{}"),
    (WHEN, r#"{"phone": 1, "method": "courier"}"#),
    (WHEN, "{}"),
    (r##"{"$schema": "http://json-schema.org/draft-07/schema#", "properties": {"a": {"$ref": "#/definitions/x", "maxLength": 1}}, "definitions": {"x": {"type": "string"}}}"##, r#"{"a": "xy"}"#),
    (r##"{"anyOf": [{"type": "null"}, {"items": {"$ref": "#"}, "type": "array"}]}"##, "[[], [[null]], null]"),
    (r#"{"minContains": 3, "maxContains": 0, "contains": {"type": "null"}, "minItems": 0}"#, "{}"),
];

#[test]
fn of_branches_that_are_taken() {
    taken(Expect::value(), TAKEN);
}
