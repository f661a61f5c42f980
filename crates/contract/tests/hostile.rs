//! Schemas that ask for more than a machine has: each is refused, or judged, or told to be over a limit, and soon.
//!
//! Every row is one that the validator by itself does not survive, or pays for dearly: exponential in its levels, quadratic in its width, or
//! as deep as the stack. Each runs in a thread with 2 MiB, which is what a thread has. That a row ends is what is held; how long it takes
//! is the business of nobody here.

use std::thread;

use serde_json::{Map, Value, json};
use thusfar_contract::{Contract, EngineLimit, SchemaError, SchemaErrorKind, SchemaOptions};
use thusfar_core::{Expect, Limits, read};

/// What came of a schema and a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    Refused(SchemaErrorKind),
    Over(EngineLimit),
    Valid,
    Invalid,
}

use Outcome::{Invalid, Over, Refused, Valid};

/// Runs with the stack of a thread.
fn on_a_thread<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let thread = thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    thread.join().expect("no panic")
}

/// What comes of the text of a schema, and of a document, for both kinds of options.
fn outcomes(schema: &str, document: &str) -> [Outcome; 2] {
    [SchemaOptions::trusted(), SchemaOptions::untrusted()].map(|options| {
        let (schema, document) = (schema.to_owned(), document.to_owned());
        on_a_thread(move || outcome(&schema, &document, &options))
    })
}

fn outcome(schema: &str, document: &str, options: &SchemaOptions) -> Outcome {
    let contract = match Contract::with_options(schema, options) {
        Ok(contract) => contract,
        Err(error) => return Refused(in_few_words(&error)),
    };
    let document = read(document, Expect::value().limits(Limits::NONE)).expect("a document");
    let check = contract.check(&document);
    assert!(check.violations().len() <= 1_000);
    assert!(check.violations().iter().all(|violation| violation.message().len() < 4_000));
    match check.limit() {
        Some(limit) => Over(limit),
        None if check.is_valid() => Valid,
        None => Invalid,
    }
}

fn in_few_words(error: &SchemaError) -> SchemaErrorKind {
    assert!(error.to_string().len() < 2_000, "{} bytes", error.to_string().len());
    error.kind()
}

fn hold(name: &str, found: Outcome, wanted: &[Outcome]) {
    assert!(wanted.contains(&found), "{name}: {found:?}, not one of {wanted:?}");
}

/// For both kinds of options.
fn both(name: &str, found: [Outcome; 2], wanted: &[Outcome]) {
    found.into_iter().for_each(|found| hold(name, found, wanted));
}

/// A level, made around a reference to the next one.
type Level = fn(Value) -> Value;
/// A document so many levels deep.
type Nested = fn(usize) -> String;

/// Levels that refer one to the next; the last one is given.
fn levels(count: usize, level: impl Fn(Value) -> Value, last: Value) -> Value {
    let mut definitions = Map::new();
    for at in 0..count {
        definitions.insert(format!("d{at}"), level(json!({ "$ref": format!("#/$defs/d{}", at + 1) })));
    }
    definitions.insert(format!("d{count}"), last);
    json!({ "$ref": "#/$defs/d0", "$defs": definitions })
}

fn in_objects(depth: usize) -> String {
    format!("{}1{}", "{\"a\":".repeat(depth), "}".repeat(depth))
}

fn in_arrays(depth: usize) -> String {
    format!("{}1{}", "[".repeat(depth), "]".repeat(depth))
}

const LIMIT: Outcome = Refused(SchemaErrorKind::Limit);
const COMBINATIONS: Outcome = Over(EngineLimit::Combinations);

/// A level that is asked twice, or looked at again, each time it is met: twenty levels are a million ways.
#[test]
fn levels_that_double() {
    let rows: [(&str, Level); 12] = [
        ("allOf", |next| json!({ "allOf": [next, next] })),
        ("anyOf", |next| json!({ "anyOf": [next, next] })),
        ("oneOf", |next| json!({ "oneOf": [next, next] })),
        ("if", |next| json!({ "if": next, "then": next, "else": next })),
        ("dependentSchemas", |next| json!({ "dependentSchemas": { "a": next, "b": next } })),
        ("$ref beside allOf", |next| json!({ "$ref": next["$ref"], "allOf": [next] })),
        ("one branch, marked", |next| json!({ "allOf": [next], "unevaluatedProperties": false })),
        ("two branches, marked", |next| json!({ "anyOf": [next, next], "unevaluatedProperties": false })),
        ("items, marked", |next| json!({ "anyOf": [next, next], "unevaluatedItems": false })),
        ("a condition, marked", |next| json!({ "if": next, "unevaluatedItems": false })),
        ("not", |next| json!({ "not": { "allOf": [next, next] } })),
        ("$dynamicRef", |next| json!({ "allOf": [next, { "$dynamicRef": next["$ref"] }] })),
    ];
    for (name, level) in rows {
        for count in [20, 60, 2_000] {
            let schema = levels(count, level, json!({ "type": "string" })).to_string();
            for document in ["{\"a\": 1, \"b\": 2}", "[1]", "\"a\""] {
                both(name, outcomes(&schema, document), &[LIMIT]);
            }
        }
    }
}

/// The same along the depth of a document.
#[test]
fn levels_that_double_below() {
    let rows: [(&str, Level, Nested); 7] = [
        ("two names", |next| json!({ "properties": { "a": next }, "patternProperties": { "a": next } }), in_objects),
        ("two patterns", |next| json!({ "patternProperties": { "a": next, "^a": next } }), in_objects),
        ("contains, items", |next| json!({ "contains": next, "items": next }), in_arrays),
        ("contains, marked", |next| json!({ "contains": next, "unevaluatedItems": false }), in_arrays),
        ("any contains", |next| json!({ "anyOf": [{ "contains": next }], "unevaluatedItems": false }), in_arrays),
        (
            "any has",
            |next| json!({ "anyOf": [{ "properties": { "a": next } }], "unevaluatedProperties": false }),
            in_objects,
        ),
        ("if has", |next| json!({ "if": { "properties": { "a": next } }, "unevaluatedProperties": false }), in_objects),
    ];
    for (name, level, document) in rows {
        for count in [40, 120] {
            let schema = levels(count, level, json!(true)).to_string();
            both(name, outcomes(&schema, &document(count)), &[LIMIT, COMBINATIONS]);
            // Few levels are no matter.
            let schema = levels(4, level, json!(true)).to_string();
            both(name, outcomes(&schema, &document(4)), &[Valid]);
        }
    }
}

/// A schema that refers to itself, in more ways than one a level, and as deep a document as is read.
#[test]
fn schemas_that_refer_to_themselves() {
    let array = json!({ "type": "array", "items": { "$ref": "#" } });
    let object = json!({ "properties": { "a": { "$ref": "#" } } });
    let rows = [
        ("any", json!({ "anyOf": [array, array, { "const": 2 }] }), in_arrays(126), Invalid),
        ("one", json!({ "oneOf": [array, array, { "const": 2 }] }), in_arrays(126), Invalid),
        ("all", json!({ "allOf": [object, object] }), in_objects(126), Valid),
        (
            "both names",
            json!({ "properties": { "a": { "$ref": "#" } }, "patternProperties": { "a": { "$ref": "#" } } }),
            in_objects(126),
            Valid,
        ),
        ("marked", json!({ "anyOf": [object, object], "unevaluatedProperties": false }), in_objects(126), Valid),
        (
            "a marked ring",
            json!({ "$ref": "#/$defs/a", "$defs": {
                "a": { "$ref": "#/$defs/b", "unevaluatedProperties": false },
                "b": { "$ref": "#/$defs/a", "unevaluatedProperties": false },
            } }),
            in_objects(1),
            Invalid,
        ),
        ("condition", json!({ "if": array, "then": array }), in_arrays(126), Valid),
        ("items and contains", json!({ "items": { "$ref": "#" }, "contains": { "$ref": "#" } }), in_arrays(126), Valid),
        (
            "dynamic",
            json!({ "$dynamicAnchor": "n", "allOf": [{ "items": { "$dynamicRef": "#n" } }] }),
            in_arrays(126),
            Valid,
        ),
        ("by itself", json!({ "$ref": "#" }), in_arrays(1), Valid),
        (
            "of another",
            json!({ "$ref": "#/$defs/a", "$defs": { "a": { "allOf": [{ "$ref": "#" }] } } }),
            in_arrays(1),
            Valid,
        ),
        ("names", json!({ "propertyNames": { "$ref": "#" } }), in_objects(126), Valid),
    ];
    for (name, schema, document, wanted) in rows {
        let found = on_a_thread(move || outcome(&schema.to_string(), &document, &SchemaOptions::trusted()));
        // In debug builds a frame is large.
        hold(name, found, &[wanted, COMBINATIONS]);
    }
    let wide: Vec<_> = (1..=40).map(|least| json!({ "items": { "$ref": "#" }, "minItems": least })).collect();
    let schema = json!({ "anyOf": wide }).to_string();
    both(
        "wide",
        outcomes(&schema, &"[".repeat(60).chars().chain("]".repeat(60).chars()).collect::<String>()),
        &[Invalid, COMBINATIONS],
    );
}

/// One compile for each way to a dynamic reference.
#[test]
fn scopes_that_multiply() {
    for count in [8, 20, 200] {
        let mut definitions = Map::new();
        for at in 0..=count {
            let next = [at + 1, at + 2].map(|to| json!({ "$ref": format!("d{}", to.min(count)) }));
            let scope = json!({ "n": { "$dynamicAnchor": "n", "type": "object" } });
            let mut level = json!({ "$id": format!("http://x/d{at}"), "$defs": scope, "anyOf": next });
            if at == count {
                level = json!({ "$id": format!("http://x/d{at}"), "$defs": scope, "properties": { "a": { "$dynamicRef": "#n" } } });
            }
            definitions.insert(format!("d{at}"), level);
        }
        let schema = json!({ "$id": "http://x/root", "$ref": "d0", "$defs": definitions }).to_string();
        let wanted: &[Outcome] = if count == 8 { &[Invalid, LIMIT] } else { &[LIMIT] };
        both("scopes", outcomes(&schema, "{\"a\": 1}"), wanted);
    }
}

/// As deep as a stack is not.
#[test]
fn deeper_than_the_stack() {
    let chain = levels(15_000, |next| next, json!({ "type": "string" })).to_string();
    both("a chain of references", outcomes(&chain, "1"), &[LIMIT]);
    let below = levels(4_000, |next| json!({ "properties": { "a": next } }), json!({ "type": "string" })).to_string();
    both("a chain of fields", outcomes(&below, &in_objects(126)), &[Valid, LIMIT]);
    // As many levels about one value as are allowed, times the depth of the document.
    let wrapped = levels(25, |next| json!({ "allOf": [next] }), json!({ "items": { "$ref": "#" } })).to_string();
    both("levels times depth", outcomes(&wrapped, &in_arrays(120)), &[COMBINATIONS]);
    both("levels times depth", outcomes(&wrapped, &in_arrays(4)), &[Valid]);
    for depth in [200, 100_000] {
        // Of a document that was let through because the caller raised the limit, nothing is said.
        both("deep", outcomes("{\"items\": {\"$ref\": \"#\"}}", &in_arrays(depth)), &[COMBINATIONS]);
        both("deep", outcomes("{\"type\": \"null\"}", &in_arrays(depth)), &[COMBINATIONS]);
        for keyword in ["not", "items", "additionalProperties", "const", "default", "x"] {
            let open = format!("{{\"{keyword}\":");
            let schema = format!("{}true{}", open.repeat(depth), "}".repeat(depth));
            both(keyword, outcomes(&schema, "1"), &[LIMIT]);
        }
        let pattern = json!({ "pattern": format!("{}a{}", "(".repeat(depth), ")".repeat(depth)) }).to_string();
        both("pattern", outcomes(&pattern, "\"a\""), &[Valid, Refused(SchemaErrorKind::Pattern)]);
        let ahead = json!({ "pattern": format!("{}a{}", "(?=".repeat(depth), ")".repeat(depth)) }).to_string();
        both("look-ahead", outcomes(&ahead, "\"a\""), &[Refused(SchemaErrorKind::Pattern), LIMIT]);
    }
}

/// Width of the schema times width of the document.
#[test]
fn wide_times_wide() {
    let count = 1_500;
    let list = |item: fn(usize) -> Value| (0..count).map(item).collect::<Value>();
    let names: Map<String, Value> = (0..count).map(|at| (format!("k{at}"), json!(true))).collect();
    let fields: Map<String, Value> = (0..count).map(|at| (format!("x{at}"), json!(1))).collect();
    let (fields, numbers) = (Value::Object(fields).to_string(), list(|at| json!(at)).to_string());
    let rows = [
        ("any of many", json!({ "items": { "anyOf": list(|at| json!({ "const": format!("{at}") })) } }), &numbers),
        ("one of many", json!({ "items": { "oneOf": list(|_| json!({ "type": "string" })) } }), &numbers),
        ("objects in an enum", json!({ "items": { "enum": list(|at| json!({ "a": at })) } }), &numbers),
        ("strings in an enum", json!({ "items": { "enum": list(|at| json!(format!("{at}"))) } }), &numbers),
        ("contains", json!({ "allOf": list(|at| json!({ "contains": { "const": format!("{at}") } })) }), &numbers),
        (
            "marked branches",
            json!({ "anyOf": list(|at| json!({ "properties": { format!("k{at}"): true } })), "unevaluatedProperties": false }),
            &fields,
        ),
        ("closed", json!({ "properties": names, "additionalProperties": false }), &fields),
        ("required", json!({ "required": list(|at| json!(format!("k{at}"))) }), &fields),
        (
            "patterns",
            json!({ "patternProperties": (0..150).map(|at| (format!("{at}$"), json!({ "type": "string" }))).collect::<Map<_, _>>() }),
            &fields,
        ),
    ];
    for (name, schema, document) in rows {
        both(name, outcomes(&schema.to_string(), document), &[Invalid, COMBINATIONS, LIMIT]);
    }
    both("unique", outcomes("{\"uniqueItems\": true}", &list(|at| json!({ "a": [at] })).to_string()), &[Valid]);
}

/// Patterns that are large, or that go back.
#[test]
fn patterns() {
    let text = format!("\"{}b\"", "a".repeat(3_000));
    let back = r#"{"pattern": "^(?=a)(a|a?)+\\1$"}"#;
    let options = SchemaOptions::trusted();
    let again = text.clone();
    let found = on_a_thread(move || outcome(back, &again, &options));
    hold("goes back", found, &[Over(EngineLimit::Backtracking)]);
    hold("goes back", outcomes(back, &text)[1], &[Refused(SchemaErrorKind::Pattern)]);
    both("linear", outcomes(r#"{"pattern": "^(a+)+$"}"#, &text), &[Invalid]);
    for large in [r"(((\w{1,20}){1,20}){1,20}){1,20}", r"\pL{1000}{1000}", r"(?:.{1000}){1000}", r"^.{0,1000000}$"] {
        let schema = json!({ "pattern": large }).to_string();
        both(large, outcomes(&schema, "\"a\""), &[Valid, Invalid, Refused(SchemaErrorKind::Pattern)]);
    }
    let many: Map<String, Value> = (0..2_500).map(|at| (format!("^a{at}"), json!(true))).collect();
    both("many", outcomes(&json!({ "patternProperties": many }).to_string(), "{}"), &[LIMIT]);
}

/// What is no schema, or one with odd numbers and names in it.
#[test]
fn odd_ones() {
    let long = json!({ "$id": format!("http://x/{}", "../a/".repeat(20_000)) }).to_string();
    let many: Map<String, Value> =
        (0..2_000).map(|at| (format!("d{at}"), json!({ "$id": format!("d{at}/"), "$anchor": "a" }))).collect();
    let many = json!({ "$id": "http://x/", "$defs": many }).to_string();
    let not_a_schema = Refused(SchemaErrorKind::NotASchema);
    let reference = Refused(SchemaErrorKind::Reference);
    let rows = [
        ("true", Valid),
        ("false", Invalid),
        ("{}", Valid),
        ("null", not_a_schema),
        ("1", not_a_schema),
        ("[]", not_a_schema),
        ("", Refused(SchemaErrorKind::NotJson)),
        ("{\"maxLength\": 1e400}", Refused(SchemaErrorKind::NotJson)),
        ("{\"maxLength\": 1, \"maxLength\": 2}", Refused(SchemaErrorKind::NotJson)),
        ("{\"maxLength\": 1e30}", Valid),
        ("{\"maxLength\": 18446744073709551616}", Valid),
        ("{\"maxLength\": -1}", not_a_schema),
        ("{\"maxLength\": 2.5}", not_a_schema),
        ("{\"multipleOf\": 0}", not_a_schema),
        ("{\"multipleOf\": 1e-300}", Valid),
        ("{\"multipleOf\": 5e-324}", Valid),
        ("{\"contains\": true, \"minContains\": 1e30}", Valid),
        ("{\"$ref\": 1}", not_a_schema),
        ("{\"$ref\": \"\"}", Valid),
        ("{\"$ref\": \"#/const\", \"const\": \"type\"}", not_a_schema),
        ("{\"$ref\": \"#/%24defs/a%25b\", \"$defs\": {\"a%b\": false}}", Invalid),
        ("{\"$ref\": \"#/$defs/%zz\", \"$defs\": {\"%zz\": true}}", reference),
        ("{\"$ref\": \"#/$defs/%ff\"}", reference),
        ("{\"$ref\": \"#/nowhere\"}", reference),
        ("{\"$ref\": \"file:///etc/passwd\"}", reference),
        ("{\"$ref\": \"http://127.0.0.1:1/x\"}", reference),
        ("{\"$id\": \"http://[::1\"}", reference),
        ("{\"$schema\": \"http://x/y\"}", not_a_schema),
        ("{\"$schema\": 1}", not_a_schema),
        ("{\"type\": [\"string\", \"string\"]}", not_a_schema),
        (&long, Valid),
        (&many, Valid),
    ];
    for (schema, wanted) in rows {
        both(&schema[..schema.len().min(80)], outcomes(schema, "7"), &[wanted]);
    }
}
