//! Schemas of documents, as people write them: closed objects, enums, bounds, unions with a telling field. And documents that differ from another in one
//! place.

use serde_json::{Map, Value, json};
use thusfar_testkit::random::Random;

const WORDS: [&str; 8] = ["positive", "positively", "negative", "neutral", "", "naïve 😀", "a\"b\\c", "2026-03-04"];
const NAMES: [&str; 8] = ["label", "labels", "kind", "id", "ideas", "été", "x-1", "note"];

/// A document of a few levels, whose root is an object or an array.
pub(crate) fn document(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 4 } else { 7 }) {
        0 => Value::from(WORDS[random.below(WORDS.len())]),
        1 => [json!(0), json!(7), json!(-3), json!(2.5), json!(150), json!(10)][random.below(6)].clone(),
        2 => Value::from(random.chance(50)),
        3 => Value::Null,
        4 => (0..random.below(4)).map(|_| document(random, depth - 1)).collect(),
        _ => {
            let members = (0..1 + random.below(4)).map(|_| (name(random), document(random, depth - 1)));
            Value::Object(members.collect())
        }
    }
}

fn name(random: &mut Random) -> String {
    NAMES[random.below(NAMES.len())].to_owned()
}

/// A schema that a document follows, as a rule.
pub(crate) fn schema(value: &Value, random: &mut Random) -> Value {
    let mut schema = match value {
        Value::Null | Value::Bool(_) => scalar(value, random),
        Value::Number(_) => number(value, random),
        Value::String(text) => string(text, random),
        Value::Array(items) => array(items, random),
        Value::Object(members) => object(members, random),
    };
    if random.chance(25) {
        schema = wrapped(schema, value, random);
    }
    schema
}

/// The same among others, or behind a reference.
fn wrapped(schema: Value, value: &Value, random: &mut Random) -> Value {
    let other = || json!({"type": "object", "properties": {"kind": {"const": "other"}}, "required": ["kind", "rest"]});
    match random.below(7) {
        0 => json!({"anyOf": [schema, {"type": "null"}]}),
        1 => json!({"anyOf": [other(), schema]}),
        2 => json!({"oneOf": [other(), schema]}),
        3 => json!({"allOf": [schema, {"not": {"const": "never"}}]}),
        4 => json!({"if": {"type": ["object", "array"]}, "then": schema.clone(), "else": schema}),
        5 => json!({"not": {"not": schema}}),
        _ => json!({"allOf": [{"enum": [value, [1, {"a": 2}], "positivity"]}, schema]}),
    }
}

fn scalar(value: &Value, random: &mut Random) -> Value {
    match random.below(3) {
        0 => json!({ "const": value }),
        1 => json!({"enum": ["null", value, 1]}),
        _ => json!({"type": ["boolean", "null"]}),
    }
}

fn number(value: &Value, random: &mut Random) -> Value {
    match random.below(5) {
        0 => json!({"type": "number", "minimum": -3, "maximum": 150}),
        1 => json!({"enum": [value, 15, 1500]}),
        2 => json!({"exclusiveMaximum": 1000, "type": if value.is_f64() { "number" } else { "integer" }}),
        3 => json!({"multipleOf": 0.5}),
        _ => json!({ "const": value }),
    }
}

fn string(text: &str, random: &mut Random) -> Value {
    let chars = text.chars().count();
    match random.below(6) {
        0 => json!({"enum": [text, "neu", "positive and more", null]}),
        1 => json!({ "const": text }),
        2 => json!({"type": "string", "maxLength": chars + random.below(2)}),
        3 => json!({"type": "string", "minLength": chars}),
        4 => json!({"type": "string", "pattern": "^([a-zï😀]+ ?)*[a-z\"\\\\0-9😀-]*$"}),
        _ => json!({"type": "string"}),
    }
}

fn array(items: &[Value], random: &mut Random) -> Value {
    let mut members = Map::new();
    members.insert("type".into(), "array".into());
    let mut put = |keyword: &str, value: Value| _ = members.insert(keyword.to_owned(), value);
    match random.below(3) {
        0 if !items.is_empty() => {
            put("prefixItems", items.iter().map(|item| schema(item, random)).collect());
            put("items", random.chance(50).into());
        }
        1 if !items.is_empty() => {
            put("items", json!({"anyOf": items.iter().map(|item| schema(item, random)).collect::<Value>()}))
        }
        _ => {}
    }
    if random.chance(40) {
        put("maxItems", (items.len() + random.below(2)).into());
    }
    if random.chance(30) {
        put("minItems", items.len().into());
    }
    if random.chance(30) {
        put("uniqueItems", true.into());
    }
    if let Some(first) = items.first().filter(|_| random.chance(20)) {
        put("contains", json!({ "const": first }));
        put("maxContains", 1.into());
    }
    Value::Object(members)
}

fn object(fields: &Map<String, Value>, random: &mut Random) -> Value {
    let mut members = Map::new();
    let mut put = |keyword: &str, value: Value| _ = members.insert(keyword.to_owned(), value);
    put("type", "object".into());
    let mut properties: Map<String, Value> =
        fields.iter().map(|(name, value)| (name.clone(), schema(value, random))).collect();
    if random.chance(50) {
        properties.insert(name(random), json!({"type": "string"}));
    }
    put("properties", Value::Object(properties));
    match random.below(4) {
        0 | 1 => put("additionalProperties", false.into()),
        2 => put("additionalProperties", json!({"type": "integer"})),
        _ => put("patternProperties", json!({"^x-": {"type": ["string", "number", "null", "object"]}})),
    }
    if random.chance(60) {
        put("required", fields.keys().filter(|_| random.chance(70)).cloned().map(Value::from).collect());
    }
    if random.chance(25) {
        put("maxProperties", (fields.len() + random.below(2)).into());
    }
    if random.chance(20) {
        put("propertyNames", json!({"pattern": "^[a-zé-]"}));
    }
    if random.chance(20) {
        put("dependentRequired", json!({"kind": fields.keys().next().into_iter().collect::<Vec<_>>()}));
    }
    Value::Object(members)
}

/// The same document but for one place.
pub(crate) fn changed(value: &Value, random: &mut Random) -> Value {
    match value {
        Value::Object(members) if !members.is_empty() && random.chance(85) => {
            let mut members = members.clone();
            let at = random.below(members.len());
            let (key, inner) =
                members.iter().nth(at).map(|(key, inner)| (key.clone(), inner.clone())).expect("a member");
            match random.below(6) {
                0 => _ = members.remove(&key),
                1 => _ = members.insert(name(random), document(random, 1)),
                2 => {
                    members.remove(&key);
                    members.insert(format!("{key}s"), inner);
                }
                _ => _ = members.insert(key, changed(&inner, random)),
            }
            Value::Object(members)
        }
        Value::Array(items) if random.chance(85) => {
            let mut items = items.clone();
            let at = random.below(items.len() + 1);
            match items.get(at).cloned() {
                Some(item) if random.chance(70) => items[at] = changed(&item, random),
                Some(item) => items.push(item),
                None => items.push(document(random, 1)),
            }
            Value::Array(items)
        }
        Value::String(text) if random.chance(60) => {
            let mut chars: Vec<_> = text.chars().collect();
            match random.below(3) {
                0 => chars.push(['s', 'é', '"'][random.below(3)]),
                1 => _ = chars.pop(),
                _ => {
                    let at = random.below(chars.len().max(1));
                    chars.iter_mut().skip(at).take(1).for_each(|char| *char = 'z');
                }
            }
            Value::from(chars.into_iter().collect::<String>())
        }
        Value::Number(_) if random.chance(60) => [json!(1), json!(70), json!(-30), json!(0.3)][random.below(4)].clone(),
        _ => document(random, 1),
    }
}
