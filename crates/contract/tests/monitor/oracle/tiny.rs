//! Tiny schemas, a few for each keyword, each with the tokens that its texts are made of.

use super::syntax::Room;

/// A schema and its texts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tiny {
    pub(super) name: &'static str,
    pub(super) schema: &'static str,
    pub(super) tokens: &'static [&'static str],
    /// Tokens of the longest text.
    pub(super) most: usize,
    pub(super) room: Room,
}

/// Little room; `chars` for strings, since those are what goes on and on.
const fn room(chars: usize) -> Room {
    Room { chars, digits: 3, depth: 3 }
}

const fn tiny(
    name: &'static str,
    schema: &'static str,
    tokens: &'static [&'static str],
    most: usize,
    room: Room,
) -> Tiny {
    Tiny { name, schema, tokens, most, room }
}

/// Values of all types.
const ALL: &[&str] = &["\"", "a", "1", "{", "}", "[", "]", ",", "null", "true", "\"a\":"];
/// Strings.
const WORDS: &[&str] = &["\"", "a", "b", "c", "null"];
/// Objects of numbers.
const FIELDS: &[&str] = &["{", "}", ",", "\"a\":", "\"b\":", "\"c\":", "1"];
/// Objects whose keys begin alike.
const NAMES: &[&str] = &["{", "}", ",", "\"a\":", "\"ab\":", "\"b\":", "1"];
const ARRAYS: &[&str] = &["[", "]", ",", "1", "\"a\"", "null"];

#[rustfmt::skip]
pub(super) const TINY: &[Tiny] = &[
    tiny("type", r#"{"type": "string"}"#, ALL, 6, room(2)),
    tiny("types", r#"{"type": ["null", "array"]}"#, ALL, 6, room(2)),
    tiny("type inside", r#"{"properties": {"a": {"type": "null"}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "null"], 9, room(2)),
    tiny("false", "false", ALL, 4, room(2)),
    tiny("false inside", r#"{"properties": {"a": false}, "items": {"not": {}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "[", "]"], 7, room(2)),
    tiny("enum of words", r#"{"enum": ["ab", "ac", "b", null]}"#, WORDS, 7, room(4)),
    tiny("const word", r#"{"const": "ab"}"#, WORDS, 7, room(4)),
    tiny("const literal", r#"{"const": false}"#, &["false", "true", "null", "0", "\"", "a"], 5, room(2)),
    tiny("enum, escaped", r#"{"enum": ["a\"b", "é"]}"#, &["\"", "a", "\\\"", "b", "\\u0061", "\\u00e9", "\\u00e8", "é", "ê"], 6, room(4)),
    tiny("enum of all", r#"{"enum": ["a", 1, true, [1], {"a": 1}]}"#, &["\"", "a", "1", "true", "[", "]", "{", "}", "\"a\":", ","], 6, room(2)),
    tiny("const composite", r#"{"const": {"a": [1]}}"#, &["1", "[", "]", "{", "}", "\"a\":", ","], 8, room(2)),
    tiny("not enum", r#"{"type": "string", "not": {"enum": ["a", "ab"]}}"#, WORDS, 6, room(4)),
    tiny("maxLength", r#"{"maxLength": 2}"#, &["\"", "a", "é", "\\n", "\\u0061", "\\ud83d\\ude00", "😀"], 5, room(4)),
    tiny("minLength", r#"{"minLength": 2}"#, &["\"", "a", "é", "\\n", "\\ud83d\\ude00", "1"], 5, room(4)),
    tiny("pattern", r#"{"type": "string", "pattern": "^a[bc]$"}"#, WORDS, 7, room(5)),
    tiny("pattern anywhere", r#"{"type": "string", "pattern": "b"}"#, WORDS, 6, room(4)),
    tiny("pattern with an end", r#"{"type": "string", "pattern": "b$"}"#, WORDS, 6, room(4)),
    tiny("pattern, negated", r#"{"type": "string", "not": {"pattern": "^a"}}"#, WORDS, 6, room(4)),
    tiny("pattern and maxLength", r#"{"type": "string", "pattern": "^(aaa|b)$", "maxLength": 2}"#, WORDS, 8, room(6)),
    tiny("two patterns", r#"{"type": "string", "allOf": [{"pattern": "^(ab|c)$"}, {"pattern": "^(ac|c)$"}]}"#, WORDS, 7, room(4)),
    tiny("pattern, look-ahead", r#"{"type": "string", "pattern": "^(?=a)[ab]+$"}"#, WORDS, 6, room(4)),
    tiny("format", r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "string", "format": "ipv4"}"#, &["\"", ".", "1", "a"], 10, room(8)),
    tiny("enum and pattern", r#"{"enum": ["ab", "b"], "pattern": "b$"}"#, WORDS, 7, room(4)),
    tiny("integer", r#"{"items": {"type": "integer"}}"#, &["[", "]", ",", "1", ".5", ".0", "e1", "e-1", "\"a\""], 6, room(2)),
    tiny("maximum", r#"{"items": {"maximum": 4}}"#, &["[", "]", ",", "5", "-", "e-9", "e9", "0"], 7, room(2)),
    tiny("minimum", r#"{"items": {"minimum": 0}}"#, &["[", "]", ",", "-", "5", "e-400", "0"], 7, Room { chars: 2, digits: 3, depth: 2 }),
    tiny("maximum of the root", r#"{"type": "number", "maximum": 4}"#, &["5", "0", "e-1", "-", "\"a\"", "."], 6, room(2)),
    tiny("exclusiveMaximum", r#"{"items": {"exclusiveMaximum": 0}}"#, &["[", "]", ",", "-", "5", "0", "e-9"], 7, room(2)),
    tiny("exclusiveMinimum", r#"{"items": {"exclusiveMinimum": 0}}"#, &["[", "]", ",", "-", "5", "0", "e-9"], 7, room(2)),
    tiny("multipleOf", r#"{"items": {"multipleOf": 3}}"#, &["[", "]", ",", "1", "2", "e1", ".5"], 7, room(2)),
    tiny("enum of numbers", r#"{"items": {"enum": [1, 20]}}"#, &["[", "]", ",", "1", "2", "0", ".0", "e1"], 6, room(2)),
    tiny("const number", r#"{"const": 12}"#, &["1", "2", "0", ".0", ".2", "e1", "-"], 5, room(2)),
    tiny("closed", r#"{"properties": {"a": {}, "ab": {}}, "additionalProperties": false}"#, NAMES, 9, room(3)),
    tiny("closed, escaped", r#"{"properties": {"a": {}, "é": {}}, "additionalProperties": false}"#, &["{", "}", ",", "\"a\":", "\"\\u0061\":", "\"\\u00e9\":", "\"\\u00e8\":", "1"], 8, room(3)),
    tiny("closed and empty", r#"{"additionalProperties": false}"#, FIELDS, 6, room(2)),
    tiny("closed, one field", r#"{"properties": {"a": {"type": "number"}}, "additionalProperties": false}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "2"], 9, room(2)),
    tiny("closed inside", r#"{"items": {"properties": {"a": {}}, "additionalProperties": false}}"#, &["[", "]", "{", "}", ",", "\"a\":", "\"b\":", "1"], 8, room(2)),
    tiny("additionalProperties", r#"{"properties": {"a": {}}, "additionalProperties": {"type": "null"}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "null"], 8, room(2)),
    tiny("patternProperties", r#"{"patternProperties": {"^a": {"type": "null"}}}"#, &["{", "}", ",", "\"ab\":", "\"b\":", "1", "null"], 8, room(3)),
    tiny("patternProperties, closed", r#"{"patternProperties": {"^ab*$": {}}, "properties": {"c": {}}, "additionalProperties": false}"#, &["{", "}", ",", "\"a\":", "\"ab\":", "\"ac\":", "\"b\":", "\"c\":", "1"], 7, room(3)),
    tiny("propertyNames with a pattern", r#"{"propertyNames": {"pattern": "^a"}}"#, NAMES, 7, room(3)),
    tiny("propertyNames with a length", r#"{"propertyNames": {"maxLength": 1, "minLength": 1}}"#, &["{", "}", ",", "\"a\":", "\"ab\":", "\"\":", "\"é\":", "1"], 7, room(3)),
    tiny("propertyNames with an enum", r#"{"propertyNames": {"enum": ["a", "ab"]}}"#, NAMES, 8, room(3)),
    tiny("propertyNames, negated", r#"{"propertyNames": {"not": {"enum": ["a"]}}}"#, NAMES, 7, room(3)),
    tiny("required", r#"{"required": ["a"]}"#, FIELDS, 9, room(2)),
    tiny("required, closed", r#"{"properties": {"a": {}, "b": {}}, "required": ["a", "b"], "additionalProperties": false}"#, FIELDS, 10, room(2)),
    tiny("required and maxProperties", r#"{"required": ["a", "b"], "maxProperties": 2}"#, &["{", "}", ",", "\"a\":", "\"b\":", "\"c\":", "1"], 8, room(2)),
    tiny("required, not allowed", r#"{"properties": {"b": {}}, "required": ["a"], "additionalProperties": false}"#, FIELDS, 8, room(2)),
    tiny("minProperties", r#"{"minProperties": 2}"#, FIELDS, 9, room(2)),
    tiny("maxProperties", r#"{"maxProperties": 1}"#, FIELDS, 9, room(2)),
    tiny("maxProperties, none", r#"{"maxProperties": 0}"#, FIELDS, 7, room(2)),
    tiny("dependentRequired", r#"{"dependentRequired": {"a": ["b"]}}"#, FIELDS, 10, room(2)),
    tiny("dependentRequired, closed", r#"{"properties": {"a": {}, "c": {}}, "dependentRequired": {"a": ["b"]}, "additionalProperties": false}"#, &["{", "}", ",", "\"a\":", "\"b\":", "\"c\":", "1"], 8, room(2)),
    tiny("dependentSchemas", r#"{"dependentSchemas": {"a": {"properties": {"b": {"type": "null"}}}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "null"], 9, room(2)),
    tiny("dependencies", r#"{"$schema": "http://json-schema.org/draft-07/schema#", "dependencies": {"a": ["b"], "c": {"required": ["a"]}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "\"c\":", "1"], 9, room(2)),
    tiny("minItems", r#"{"minItems": 2}"#, ARRAYS, 6, room(2)),
    tiny("maxItems", r#"{"maxItems": 1}"#, ARRAYS, 7, room(2)),
    tiny("maxItems, none", r#"{"maxItems": 0}"#, ARRAYS, 5, room(2)),
    tiny("prefixItems", r#"{"prefixItems": [{"type": "null"}, {"type": "string"}], "items": false}"#, ARRAYS, 8, room(2)),
    tiny("additionalItems", r#"{"$schema": "http://json-schema.org/draft-07/schema#", "items": [{"type": "null"}], "additionalItems": {"type": "number"}}"#, ARRAYS, 7, room(2)),
    tiny("items", r#"{"items": {"items": {"type": "null"}}}"#, &["[", "]", ",", "1", "null", "{", "}"], 8, room(2)),
    tiny("items, false", r#"{"items": false}"#, ARRAYS, 5, room(2)),
    tiny("contains", r#"{"contains": {"const": "a"}}"#, ARRAYS, 7, room(2)),
    tiny("contains and maxItems", r#"{"contains": {"const": "a"}, "maxItems": 2}"#, ARRAYS, 8, room(2)),
    tiny("contains and items", r#"{"contains": {"type": "string"}, "items": {"type": ["null", "number"]}}"#, ARRAYS, 7, room(2)),
    tiny("maxContains", r#"{"contains": {"type": "string"}, "maxContains": 1}"#, ARRAYS, 8, room(2)),
    tiny("maxContains of a word", r#"{"contains": {"const": "a"}, "maxContains": 1, "minContains": 0}"#, &["[", "]", ",", "\"", "a", "b"], 9, room(2)),
    tiny("minContains", r#"{"contains": {"type": "string"}, "minContains": 2}"#, ARRAYS, 7, room(2)),
    tiny("uniqueItems", r#"{"uniqueItems": true}"#, &["[", "]", ",", "1", ".0", "\"", "a"], 8, room(2)),
    tiny("uniqueItems of literals", r#"{"uniqueItems": true}"#, &["[", "]", ",", "null", "true", "1"], 7, room(2)),
    tiny("uniqueItems of objects", r#"{"uniqueItems": true}"#, &["[", "]", ",", "{", "}", "\"a\":", "1"], 9, Room { chars: 2, digits: 1, depth: 2 }),
    tiny("uniqueItems and enum", r#"{"items": {"enum": ["a", "b"]}, "uniqueItems": true}"#, &["[", "]", ",", "\"", "a", "b"], 9, room(2)),
    tiny("anyOf", r#"{"anyOf": [{"type": "string", "maxLength": 1}, {"type": "null"}]}"#, WORDS, 6, room(4)),
    tiny("anyOf, discriminated", r#"{"anyOf": [{"properties": {"a": {"const": 1}, "b": {}}, "required": ["a"], "additionalProperties": false}, {"properties": {"a": {"const": true}, "c": {}}, "required": ["a"], "additionalProperties": false}]}"#, &["{", "}", ",", "\"a\":", "\"b\":", "\"c\":", "1", "true"], 9, room(2)),
    tiny("anyOf and enum", r#"{"enum": ["a", "b"], "anyOf": [{"const": "b"}, {"const": "c"}]}"#, WORDS, 6, room(4)),
    tiny("oneOf", r#"{"oneOf": [{"type": "string"}, {"minLength": 2}]}"#, WORDS, 6, room(4)),
    tiny("oneOf of constants", r#"{"oneOf": [{"const": "a"}, {"enum": ["a", "b"]}]}"#, WORDS, 6, room(4)),
    tiny("oneOf of required", r#"{"type": "object", "oneOf": [{"required": ["a"]}, {"required": ["b"]}]}"#, FIELDS, 10, room(2)),
    tiny("oneOf of composites", r#"{"oneOf": [{"enum": [[1]]}, {"type": "array", "maxItems": 1}]}"#, ARRAYS, 6, room(2)),
    tiny("allOf", r#"{"allOf": [{"enum": ["a", "b"]}, {"enum": ["b", "c"]}]}"#, WORDS, 6, room(4)),
    tiny("not", r#"{"not": {"type": "string"}}"#, ALL, 5, room(2)),
    tiny("not required", r#"{"not": {"required": ["a"]}}"#, NAMES, 8, room(3)),
    tiny("not, not", r#"{"not": {"not": {"type": "string", "maxLength": 1}}}"#, WORDS, 6, room(4)),
    tiny("not properties", r#"{"not": {"properties": {"a": {"type": "null"}}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "null"], 8, room(2)),
    tiny("not under propertyNames", r#"{"propertyNames": {"not": {"pattern": "^a"}}}"#, NAMES, 7, room(3)),
    tiny("if", r#"{"if": {"properties": {"a": {"const": 1}}, "required": ["a"]}, "then": {"required": ["b"]}, "else": {"properties": {"b": false}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "null"], 9, room(2)),
    tiny("if, of types", r#"{"if": {"type": "string"}, "then": {"maxLength": 1}, "else": {"type": "null"}}"#, &["\"", "a", "b", "null", "1", "[", "]"], 6, room(4)),
    tiny("if, in draft 6", r#"{"$schema": "http://json-schema.org/draft-06/schema#", "if": {"type": "string"}, "then": false, "else": {"type": "null"}}"#, &["\"", "a", "null", "1"], 4, room(4)),
    tiny("$ref", r##"{"$ref": "#/$defs/list", "$defs": {"list": {"type": "array", "maxItems": 1, "items": {"$ref": "#/$defs/list"}}}}"##, ARRAYS, 8, room(2)),
    tiny("$ref and anyOf", r##"{"anyOf": [{"type": "null"}, {"properties": {"a": {"$ref": "#"}}, "required": ["a"], "additionalProperties": false, "type": "object"}]}"##, &["{", "}", ",", "\"a\":", "\"b\":", "null", "1"], 9, room(2)),
    tiny("$ref in draft 7", r##"{"$schema": "http://json-schema.org/draft-07/schema#", "$ref": "#/definitions/a", "type": "null", "definitions": {"a": {"type": "string"}}}"##, &["\"", "a", "null", "1"], 4, room(4)),
    tiny("unevaluatedProperties", r#"{"properties": {"a": {}}, "unevaluatedProperties": false}"#, FIELDS, 8, room(2)),
    tiny("unevaluatedItems", r#"{"prefixItems": [{}], "unevaluatedItems": false}"#, ARRAYS, 6, room(2)),
    tiny("unevaluated, negated", r#"{"not": {"properties": {"a": {}}, "unevaluatedProperties": false}}"#, FIELDS, 8, room(2)),
    tiny("$dynamicRef", r##"{"$id": "https://example.org/tree", "$dynamicAnchor": "node", "type": "array", "items": {"$dynamicRef": "#node"}}"##, ARRAYS, 6, room(2)),
    tiny("object in an object", r#"{"properties": {"a": {"properties": {"b": {"type": "null"}}, "required": ["b"]}}}"#, &["{", "}", ",", "\"a\":", "\"b\":", "1", "null"], 9, room(2)),
    tiny("minLength and enum", r#"{"enum": ["a", "bb"], "minLength": 2}"#, WORDS, 6, room(4)),
    tiny("minItems and items", r#"{"minItems": 1, "items": false}"#, ARRAYS, 6, room(2)),
    tiny("types, by branch", r#"{"allOf": [{"type": ["string", "null"]}, {"type": ["null", "array"]}]}"#, ALL, 5, room(2)),
];
