//! The table against the judge: what is said of a value is what the judge says, or "cannot tell".

use serde_json::{Value, json};

use super::{Draft, Schema, SchemaOptions};

#[path = "../../tests/support/official.rs"]
mod official;

/// The drafts with their folders, and the most pairs of a schema and a value in each of which the table cannot tell.
const DRAFTS: [(Draft, &str, usize); 5] = [
    (Draft::Draft4, "draft4", 0),
    (Draft::Draft6, "draft6", 0),
    (Draft::Draft7, "draft7", 0),
    (Draft::Draft201909, "draft2019-09", 50),
    (Draft::Draft202012, "draft2020-12", 50),
];

#[test]
fn the_table_says_what_the_judge_says_of_the_suite() {
    let Some(suite) = official::Suite::found() else { return };
    let mut pairs = 0;
    for (draft, folder, most) in DRAFTS {
        let mut options = SchemaOptions::trusted().draft(draft);
        for (uri, document) in suite.remotes(folder) {
            options = options.document(uri, document);
        }
        let mut unknown = 0;
        for path in official::files(&suite.drafts.join(folder)) {
            let file = official::name(&path, &suite.drafts);
            for group in official::json(&path).as_array().into_iter().flatten() {
                let Ok(schema) = Schema::new(&group["schema"].to_string(), &options) else {
                    assert!(file.contains("optional"), "{file}: {}: not compiled", group["description"]);
                    continue;
                };
                for case in group["tests"].as_array().into_iter().flatten() {
                    let value = &case["data"];
                    let (explained, judged) = (schema.explain(value), schema.is_valid(value));
                    let place = format!("{file}: {}: {}", group["description"], case["description"]);
                    assert!(explained.is_valid.is_none_or(|valid| valid == judged), "{place}: {judged}");
                    assert_eq!(explained.broken.is_empty(), explained.is_valid != Some(false), "{place}");
                    pairs += 1;
                    unknown += usize::from(explained.is_valid.is_none());
                }
            }
        }
        assert!(unknown <= most, "{folder}: {unknown} unknown");
    }
    assert!(pairs > 2_000, "{pairs}");
}

#[test]
fn nothing_is_kept_for_each_who_asks() {
    let explain = |schema: Value, value: Value| {
        let schema = Schema::new(&schema.to_string(), &SchemaOptions::trusted()).expect("a schema");
        let explained = schema.explain(&value);
        (explained.broken.len(), explained.is_complete, explained.touched.len())
    };
    let branches: Vec<_> = (0..500).map(|at| json!({ "const": at })).collect();
    assert_eq!(explain(json!({ "anyOf": branches }), json!([0.1])), (1, true, 1));
    // A long name that each of many items misses, and a long title: not kept with each of them.
    let long = "t".repeat(200_000);
    let items: Value = (0..300).map(|_| json!({ "k": 1 })).collect();
    assert_eq!(explain(json!({ "items": { "required": [long] } }), items), (300, false, 0));
    let items: Value = (0..300).map(Value::from).collect();
    let union = json!([{ "title": long, "required": ["a"], "minimum": 900 }, { "minimum": 800 }]);
    assert_eq!(explain(json!({ "items": { "oneOf": union } }), items), (300, true, 300));
}

#[test]
fn what_a_schema_costs_is_known_before_it_is_built() {
    let doubling = |count: usize, more: &Value| {
        let mut definitions = serde_json::Map::new();
        for at in 0..count {
            let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
            let mut definition = json!({ "anyOf": [next, next] });
            definition.as_object_mut().expect("an object").extend(more.as_object().expect("an object").clone());
            definitions.insert(format!("d{at}"), definition);
        }
        definitions.insert(format!("d{count}"), json!({ "type": "string" }));
        json!({ "$defs": definitions, "$ref": "#/$defs/d0" }).to_string()
    };
    let options = SchemaOptions::trusted();
    assert!(Schema::new(&doubling(12, &json!({})), &options).is_ok());
    assert!(Schema::new(&doubling(16, &json!({})), &options).is_err());
    assert!(Schema::new(&doubling(16, &json!({ "unevaluatedProperties": false })), &options).is_err());
}
