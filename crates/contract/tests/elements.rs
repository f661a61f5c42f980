//! Values that have closed, held against what their place asks: while the rest of the document is still being written.

use serde_json::{Value, json};
use thusfar_contract::{Contract, SchemaOptions, Timing};
use thusfar_core::{Elements, Expect, Node, Reply, read};
use thusfar_testkit::corpus;

fn contract(schema: &Value) -> Contract {
    Contract::from_value(schema, &SchemaOptions::default()).expect("a schema")
}

/// What each value at a place breaks, as it closes: pointer, keyword and where it begins.
fn told(schema: &Value, place: &str, reply: &str) -> Vec<(String, &'static str, usize)> {
    let contract = contract(schema);
    let mut told = Vec::new();
    let mut cuts = (0..=reply.len()).filter(|&at| reply.is_char_boundary(at)).collect::<Vec<_>>();
    cuts.dedup();
    let mut live = Reply::live(Expect::any());
    let mut elements = Elements::new(place).expect("a pointer");
    for pair in cuts.windows(2) {
        let _ = live.push(&reply[pair[0]..pair[1]]);
        while let Some(element) = elements.next(&live.view()) {
            let check = contract.check_element(&element).expect("it has closed");
            let last = element.span().end - 1;
            for violation in check.violations() {
                assert_eq!((violation.when(), violation.offset()), (Timing::AtClose, last), "{violation}");
                told.push((violation.path().to_owned(), violation.keyword(), violation.start()));
            }
            // By its text alone the same, but for the places.
            let text = element.json().expect("it has closed");
            let alone = contract.check_element_text(&element.pointer(), &text).expect("a pointer");
            if contract.schema()["type"] == json!("object") {
                let paths = |check: &thusfar_contract::Check| -> Vec<_> {
                    check.violations().iter().map(|it| (it.path().to_owned(), it.message().to_owned())).collect()
                };
                assert_eq!(paths(&alone), paths(&check), "{reply}");
            }
        }
    }
    told
}

/// The row of the corpus: the one can be judged, the other not yet.
#[test]
fn one_member_has_closed_and_the_other_has_not() {
    let row = corpus::cases().into_iter().find(|row| row.id == "partial-constraint-while-open").expect("the row");
    let schema = &row.context["schema"];
    let contract = contract(schema);
    let mut reply = Reply::live(Expect::object());
    let _ = reply.push(&row.input);
    let view = reply.view();
    let user = contract.check_element(&view.get("/user").expect("it has closed")).expect("it can be judged");
    assert!(user.is_valid(), "{user}");
    assert!(contract.check_element(&view.get("/bio").expect("it has begun")).is_none(), "it cannot");
    // A shorter nick would have been told.
    let short = row.input.replace("marten", "mart");
    assert_eq!(told(schema, "/user", &short), [("/user/nick".to_owned(), "minLength", 18)]);
    assert_eq!(told(schema, "/bio", &short), [], "it has not closed");
}

#[test]
fn what_certainly_applies() {
    let at = |path: &str, keyword, start| (path.to_owned(), keyword, start);
    let schema = json!({
        "type": "object",
        "properties": {
            "items": {"type": "array", "prefixItems": [{"type": "string"}], "items": {"$ref": "#/$defs/item"}},
            "pages": {"type": "array", "items": {"allOf": [{"properties": {"notes": {"type": "array", "items": {"maxLength": 3}}}}]}},
        },
        "patternProperties": {"^x-": {"type": "integer"}},
        "additionalProperties": {"type": "boolean"},
        "$defs": {"item": {"required": ["id"], "properties": {"next": {"$ref": "#/$defs/item"}}}},
    });
    let reply =
        r#"{"items": ["a", {"id": 1}, {"next": {}}], "x-a": "1", "other": 2, "pages": [{"notes": ["ab", "abcd"]}]}"#;
    let of = |text: &str| reply.find(text).expect("there");
    let next = of("{\"next\"");
    // In a recursive schema too, all that is in it.
    let mut items = told(&schema, "/items/-", reply);
    items.sort();
    assert_eq!(items, [at("/items/2", "required", next), at("/items/2/next", "required", next + 9)]);
    assert_eq!(told(&schema, "/items/2/next", reply), [at("/items/2/next", "required", next + 9)]);
    assert_eq!(told(&schema, "/items/0", reply), [], "the first is a string");
    assert_eq!(told(&schema, "/x-a", reply), [at("/x-a", "type", of("\"1\""))]);
    assert_eq!(told(&schema, "/other", reply), [at("/other", "type", of("2,"))]);
    assert_eq!(told(&schema, "/pages/-/notes/-", reply), [at("/pages/0/notes/1", "maxLength", of("\"abcd\""))]);
    assert_eq!(told(&schema, "/pages", reply), [at("/pages/0/notes/1", "maxLength", of("\"abcd\""))]);
    // A first item that is none.
    let reply = r#"{"items": [1]}"#;
    assert_eq!(told(&schema, "/items/-", reply), [at("/items/0", "type", 11)]);
    assert_eq!(told(&schema, "/items/0", reply), [at("/items/0", "type", 11)]);
}

/// Branches are not certain: which one is meant depends on what is not there yet.
#[test]
fn what_may_apply_is_not_told() {
    let branch = json!({"properties": {"a": {"type": "string"}}});
    for schema in [
        json!({"anyOf": [branch, {"required": ["b"]}]}),
        json!({"oneOf": [branch, {"required": ["b"]}]}),
        json!({"if": {"required": ["b"]}, "then": branch}),
        json!({"not": {"properties": {"a": {"type": "integer"}}, "required": ["b"]}}),
        json!({"dependentSchemas": {"b": branch}}),
        json!({"properties": {"b": true}, "unevaluatedProperties": false, "anyOf": [{"properties": {"a": true}}]}),
    ] {
        assert_eq!(told(&schema, "/a", r#"{"a": 1}"#), [], "{schema}");
    }
    // In the value itself they are asked as ever.
    let schema = json!({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "boolean"}]}}});
    assert_eq!(told(&schema, "/a", r#"{"a": 1}"#).len(), 1);
}

/// A key that looks like an index, and an index.
#[test]
fn a_token_that_may_be_both() {
    let schema = json!({"properties": {"0": {"type": "string"}}, "items": {"type": "boolean"}});
    assert_eq!(told(&schema, "/0", r#"{"0": 1}"#), [("/0".to_owned(), "type", 6)]);
    assert_eq!(told(&schema, "/-", "[1]"), [("/0".to_owned(), "type", 1)]);
    let contract = contract(&schema);
    let of_text = |contract: &Contract| contract.check_element_text("/0", "1").expect("a pointer").violations().len();
    assert_eq!(of_text(&contract), 0, "nobody says which");
    for (kind, keyword) in [("object", "a string"), ("array", "true or false")] {
        let schema = json!({"type": kind, "properties": {"0": {"type": "string"}}, "items": {"type": "boolean"}});
        let contract = self::contract(&schema);
        assert_eq!(of_text(&contract), 1, "{keyword}");
    }
    assert!(contract.check_element_text("no pointer", "1").is_err());
    assert!(contract.check_element_text("/a~1b/~0", "1").is_ok());
}

/// Where repairs were made, places are those of the reply.
#[test]
fn an_element_with_repairs() {
    let schema = json!({"properties": {"items": {"items": {"properties": {"n": {"maximum": 3}}}}}});
    let reply = "Well:\n{\"items\": [{/* one */ \"n\": 2,}, {\"m\": [1,], \"n\": 4,}";
    let start = reply.find("4,").expect("there");
    assert_eq!(told(&schema, "/items/-", reply), [("/items/1/n".to_owned(), "maximum", start)]);
}

/// Whatever is told of an element of a document is told of the document, and of every element of a valid document nothing is.
#[test]
fn an_element_says_no_more_than_the_document() {
    let (mut elements, mut told) = (0, 0);
    let rows = corpus::cases().into_iter().filter_map(|row| Some((row.context.get("schema")?.clone(), row.input)));
    let member = json!({"type": "object", "properties": {"a": {"type": "integer", "minimum": 2}}, "required": ["a"]});
    let schemas = [
        json!({"items": member}),
        json!({"prefixItems": [member, {"type": "array"}], "items": {"enum": [1, "x", null]}}),
        json!({"additionalProperties": {"items": {"type": "integer"}}, "patternProperties": {"^a": {"type": "string"}}}),
        json!({"properties": {"a": member, "b": {"$ref": "#/$defs/b"}}, "$defs": {"b": {"allOf": [{"maxItems": 1}, {"minLength": 2}]}}}),
        json!({"anyOf": [{"properties": {"a": member}}, {"properties": {"a": {"type": "array"}}}], "properties": {"b": member}}),
        json!({"if": {"required": ["a"]}, "then": {"properties": {"b": false}}, "else": {"properties": {"b": {"type": "null"}}}}),
        json!({"oneOf": [{"properties": {"a": {"type": "integer"}}}, {"properties": {"a": {"minimum": 1}}}]}),
        json!({"$ref": "#/$defs/tree", "$defs": {"tree": {"properties": {"a": {"$ref": "#/$defs/tree"}, "b": {"type": "boolean"}}}}}),
    ];
    let inputs = [
        r#"[{"a": 1}, {"a": 2}, "x"]"#,
        r#"[{"a": 2}, [], 1, "x", null, {"a": "y"}]"#,
        r#"{"a": {"a": 3}, "b": ["x", "y"]}"#,
        r#"{"a": "s", "ab": 1, "b": [1, 2.5, "z"], "c": {}}"#,
        r#"{"a": [1], "b": {"a": 0}}"#,
        r#"{"b": null}"#,
        r#"{"a": {"a": {"b": 1}, "b": true}, "b": "l"}"#,
        r#"{"a": 0.5}"#,
    ];
    let made = schemas.iter().flat_map(|schema| inputs.map(|input| (schema.clone(), input.to_owned())));
    for (schema, input) in rows.chain(made) {
        let Ok(contract) = Contract::from_value(&schema, &SchemaOptions::default()) else { continue };
        let Ok(document) = read(&input, Expect::any()) else { continue };
        let check = contract.check(&document);
        let mut live = Reply::live(Expect::any());
        let _ = live.push(&input);
        let view = live.view();
        let known = |node: &Node<'_>| node.is_known();
        for node in view.nodes().filter(known) {
            let of_element = contract.check_element(&node).expect("it has closed");
            elements += 1;
            assert!(of_element.violations().is_empty() || !check.is_valid(), "{schema} {input}");
            told += of_element.violations().len();
            for violation in of_element.violations() {
                let is_same = |it: &thusfar_contract::Violation| {
                    it.path() == violation.path() && it.keyword() == violation.keyword()
                };
                assert!(check.violations().iter().any(is_same) || !check.is_complete(), "{violation} of {input}");
            }
        }
    }
    assert!(elements > 300 && told > 50, "{elements} values, {told} violations");
}
