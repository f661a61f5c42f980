//! What is said at the edges: fields that a broken part would know, names that try to look like our words, texts and lists without end.

use serde_json::{Value, json};
use thusfar_contract::{Check, Contract};
use thusfar_core::{Expect, Limits, Root, read};

fn said(schema: &Value, reply: &str) -> Check {
    let contract = Contract::from_schema(&schema.to_string()).expect("a schema");
    let expect = Expect::root(Root::Value).limits(Limits::NONE);
    contract.check(&read(reply, expect).expect("a document"))
}

fn sentences(schema: &Value, reply: &str) -> Vec<String> {
    said(schema, reply).violations().iter().map(ToString::to_string).collect()
}

#[test]
fn a_field_that_a_broken_part_knows_is_not_told_to_be_too_much() {
    let base = json!({"required": ["id"], "properties": {"id": {"type": "integer"}, "name": {}}});
    let missing = ["missing field `id` in the document; you returned `name`"];
    let unknown = "`/other` is a field that is not allowed";
    for part in [
        json!({"$ref": "#/$defs/base"}),
        json!({"allOf": [{"$ref": "#/$defs/base"}]}),
        json!({"if": true, "then": {"$ref": "#/$defs/base"}}),
        json!({"dependentSchemas": {"name": {"$ref": "#/$defs/base"}}}),
        json!({"anyOf": [{"$ref": "#/$defs/base"}, {"type": "null"}]}),
    ] {
        let mut schema = json!({"$defs": {"base": base}, "unevaluatedProperties": false});
        schema.as_object_mut().expect("an object").extend(part.as_object().expect("an object").clone());
        let told = sentences(&schema, r#"{"name": "n"}"#);
        assert_eq!(told.len(), 1, "{part} {told:?}");
        assert!(told[0].ends_with(missing[0]), "{part} {told:?}");
        let told = sentences(&schema, r#"{"name": "n", "id": 1, "other": 2}"#);
        assert_eq!(told, [unknown], "{part}");
        assert_eq!(sentences(&schema, r#"{"name": "n", "id": "x", "other": 2}"#).len(), 2, "{part}");
    }
    let items = json!({"allOf": [{"prefixItems": [{"type": "string"}, {}]}], "unevaluatedItems": false});
    assert_eq!(
        sentences(&items, "[1, 2, 3]"),
        ["`/0` must be a string; you returned 1", "`/2` is an item that is not allowed"]
    );
}
