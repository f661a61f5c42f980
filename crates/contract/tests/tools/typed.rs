//! Parameters as text, typed by the declared schema and by nothing else.

use crate::rescue::rescued;
use serde_json::{Value, json};
use thusfar_contract::Tools;
use thusfar_core::Ending;

/// What a text is: the JSON text of the value, or the code of the refusal.
fn typed(field: &Value, text: &str) -> String {
    typed_by(&json!({"properties": {"v": field}, "$defs": {"number": {"type": "number"}}}), text)
}

fn typed_by(schema: &Value, text: &str) -> String {
    let tools = Tools::from_json(&json!([{"name": "f", "input_schema": schema}]).to_string()).expect("tools");
    let found = rescued(&tools, &format!("<function=f><parameter=v>{text}</parameter></function>"), Ending::Stop);
    match found.calls() {
        [call] => {
            call.arguments().text().strip_prefix("{\"v\": ").and_then(|text| text.strip_suffix('}')).expect("v").into()
        }
        _ => found.failure().expect("a failure").code().as_str().into(),
    }
}

#[test]
fn the_schema_alone_says_what_a_text_is() {
    let string = json!({"type": "string"});
    let number = json!({"type": "number"});
    let either = json!({"type": ["string", "integer"]});
    let optional = json!({"anyOf": [{"type": "string"}, {"type": "null"}]});
    let reference = json!({"$ref": "#/$defs/number"});
    let list = json!({"type": "array", "items": {"type": "string"}});
    let rows: [(Value, &str, &str); 45] = [
        // Nothing is said: a string.
        (json!({}), "5", "\"5\""),
        (json!(true), "[1]", "\"[1]\""),
        (json!({"description": "a number"}), "5", "\"5\""),
        // A string, whatever it looks like.
        (string.clone(), "5", "\"5\""),
        (string.clone(), "\"5\"", "\"\\\"5\\\"\""),
        (string.clone(), "{\"a\": 1}", "\"{\\\"a\\\": 1}\""),
        (string.clone(), "null", "\"null\""),
        (string.clone(), "true", "\"true\""),
        (string, "", "\"\""),
        (json!({"enum": ["5", "6"]}), "5", "\"5\""),
        (json!({"const": "1"}), "1", "\"1\""),
        (json!({"enum": ["a"]}), "b", "schema"),
        // JSON, digit by digit.
        (number.clone(), "5", "5"),
        (number.clone(), " 5\n", "5"),
        (number.clone(), "1.50", "1.50"),
        (number.clone(), "12345678901234567890123", "12345678901234567890123"),
        (number.clone(), "-1e3", "-1e3"),
        (number.clone(), "five", "schema"),
        (number.clone(), "\"5\"", "schema"),
        (number.clone(), "5 apples", "schema"),
        (number.clone(), "0x10", "schema"),
        (number.clone(), "", "schema"),
        (number, "NaN", "schema"),
        (json!({"type": "integer"}), "5", "5"),
        (json!({"type": "integer"}), "5.0", "5.0"),
        (json!({"type": "integer"}), "5.5", "schema"),
        (json!({"type": "boolean"}), "true", "true"),
        (json!({"type": "boolean"}), "True", "schema"),
        (json!({"type": "null"}), "null", "null"),
        (json!({"type": "null"}), "None", "schema"),
        (json!({"enum": [1, 2]}), "2", "2"),
        (json!({"const": false}), "false", "false"),
        (list.clone(), "[\"a\", \"b\"]", "[\"a\", \"b\"]"),
        (list.clone(), "a, b", "schema"),
        (list.clone(), "see [\"a\"]", "schema"),
        (list, "['a']", "schema"),
        (json!({"type": "object"}), "{\"a\": {}}", "{\"a\": {}}"),
        (json!({"type": "object"}), "```json\n{}\n```", "schema"),
        (reference, "5", "5"),
        // Two readings.
        (either.clone(), "5", "two_types"),
        (either.clone(), "5.5 or so", "\"5.5 or so\""),
        (either, "true", "\"true\""),
        (optional.clone(), "null", "two_types"),
        (optional, "None", "\"None\""),
        (json!({"allOf": [{"type": ["string", "number"]}, {"type": ["number", "null"]}]}), "5", "5"),
    ];
    for (field, text, wanted) in rows {
        assert_eq!(typed(&field, text), wanted, "{field} {text:?}");
    }
}

#[test]
fn a_field_may_be_declared_anywhere_in_place() {
    let integer = json!({"properties": {"v": {"type": "integer"}}});
    let string = json!({"properties": {"v": {"type": "string"}}});
    let silent = json!({"properties": {"w": {}}});
    let closed = json!({"properties": {"w": {}}, "additionalProperties": false});
    let rows = [
        (json!({"allOf": [integer, silent]}), "5", "5"),
        (json!({"$ref": "#/$defs/i", "$defs": {"i": integer}}), "5", "5"),
        (json!({"additionalProperties": {"type": "integer"}}), "5", "5"),
        (json!({"patternProperties": {"^v": {"type": "integer"}}}), "5", "schema"),
        (json!({"anyOf": [integer, integer]}), "5", "5"),
        (json!({"anyOf": [integer, string]}), "5", "two_types"),
        (json!({"anyOf": [integer, string]}), "five", "\"five\""),
        (json!({"oneOf": [integer, closed]}), "5", "5"),
        (json!({"anyOf": [integer, silent]}), "5", "\"5\""),
    ];
    for (schema, text, wanted) in rows {
        assert_eq!(typed_by(&schema, text), wanted, "{schema} {text}");
    }
}

/// As long as a schema may be nested about one value.
#[test]
fn a_chain_of_references_is_followed() {
    let mut definitions: serde_json::Map<String, Value> =
        (0..60).map(|at| (format!("d{at}"), json!({"$ref": format!("#/$defs/d{}", at + 1)}))).collect();
    definitions.insert("d60".into(), json!({"type": "integer"}));
    let schema = json!({"properties": {"v": {"$ref": "#/$defs/d0"}}, "$defs": definitions});
    assert_eq!(typed_by(&schema, "5"), "5");
}

/// Parameters are few, but nobody says so: each is read once.
#[test]
fn many_parameters_are_many_fields() {
    let tools = Tools::from_json("[\"f\"]").expect("tools");
    let parameters: String = (0..20_000).map(|at| format!("<parameter=p{at}>{at}</parameter>")).collect();
    let mut rescue = tools.rescue();
    let _ = rescue.push(&format!("<function=f>{parameters}</function>"));
    let found = rescue.finish(Ending::Stop);
    let arguments = found.calls()[0].arguments().value();
    assert_eq!(arguments.as_object().expect("an object").len(), 20_000);
    assert_eq!(arguments["p19999"], "19999");
}

/// Names and texts are JSON strings, whatever they hold, and places are those of the reply.
#[test]
fn names_and_places_are_those_of_the_reply() {
    let schema = json!({"properties": {"a/b~\"": {"type": "integer"}}, "additionalProperties": {"type": "string"}});
    let tools = Tools::from_json(&json!([{"name": "f", "input_schema": schema}]).to_string()).expect("tools");
    let text = "<function=f><parameter=x>\u{0}\t\"\\</parameter><parameter=a/b~\">é</parameter></function>";
    let found = rescued(&tools, text, Ending::Stop);
    let failure = found.failure().expect("a failure");
    assert_eq!((failure.code().as_str(), failure.path()), ("schema", "/a~1b~0\""));
    assert!(text[failure.offset()..].starts_with('é'));
    let found = rescued(&tools, &text.replace('é', "7"), Ending::Stop);
    assert_eq!(found.calls()[0].arguments().value(), json!({"x": "\u{0}\t\"\\", "a/b~\"": 7}));
}
