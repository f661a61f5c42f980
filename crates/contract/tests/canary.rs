//! `Debug` shows nothing of what a model wrote: keys and values of a reply hold a word that must not come out.

use std::fmt::Debug;

use serde::Deserialize;
use thusfar_contract::{Check, Contract, Signals, Tools};
use thusfar_core::{Ending, Expect, Reply, read};

const CANARY: &str = "canary";

fn hidden(what: &str, shown: &impl Debug) {
    for text in [format!("{shown:?}"), format!("{shown:#?}")] {
        assert!(!text.to_lowercase().contains(CANARY), "{what}: {text}");
    }
}

/// Schemas, and what breaks each with the word in it.
const ROWS: &[(&str, &str)] = &[
    (r#"{"type": "object"}"#, r#""canary""#),
    (r#"{"properties": {"a": {"enum": [1]}}}"#, r#"{"a": "canary"}"#),
    (r#"{"properties": {"a": {"const": 1}}}"#, r#"{"a": {"canary": "canary"}}"#),
    (r#"{"items": {"maxLength": 2}}"#, r#"["canary"]"#),
    (r#"{"items": {"pattern": "^a"}}"#, r#"["canary"]"#),
    (r#"{"items": {"format": "date"}, "$schema": "http://json-schema.org/draft-07/schema#"}"#, r#"["canary"]"#),
    (r#"{"uniqueItems": true}"#, r#"["canary", "canary"]"#),
    (r#"{"required": ["a"]}"#, r#"{"canary": 1}"#),
    (r#"{"additionalProperties": false}"#, r#"{"canary": "canary"}"#),
    (r#"{"unevaluatedProperties": false}"#, r#"{"canary": "canary"}"#),
    (r#"{"propertyNames": {"maxLength": 2}}"#, r#"{"canary": 1}"#),
    (r#"{"patternProperties": {"c": {"type": "null"}}}"#, r#"{"canary": "canary"}"#),
    (r#"{"contains": {"const": 1}}"#, r#"["canary"]"#),
    (r#"{"not": {"type": "string"}}"#, r#""canary""#),
    (r#"{"anyOf": [{"type": "null"}, {"required": ["a"]}]}"#, r#"{"canary": "canary"}"#),
    (r#"{"oneOf": [{}, {}]}"#, r#"{"canary": "canary"}"#),
    (r#"{"properties": {"a": false}, "type": "object"}"#, r#"{"a": {"canary": ["canary"]}}"#),
    (r#"{"properties": {"a": {"type": "null"}}}"#, r#"{"properties": {"a": {"canary": 1}}, "a": "canary"}"#),
];

#[test]
fn debug_shows_no_text_of_the_model() {
    for (schema, reply) in ROWS {
        let contract = Contract::from_schema(schema).expect("a schema");
        let document = read(reply, Expect::value()).expect("a document");
        let check: Check = contract.check(&document);
        assert!(!check.violations().is_empty(), "{schema}");
        hidden(schema, &contract);
        hidden(schema, &check);
        for violation in check.violations() {
            hidden(schema, violation);
            hidden(schema, &violation.masked());
        }
        hidden(schema, &contract.accept::<serde_json::Value>(&document).expect_err("not valid"));
    }
}

#[test]
fn what_is_told_while_it_comes_is_masked_for_logs() {
    let mut told = 0;
    for (schema, reply) in ROWS {
        let contract = Contract::from_schema(schema).expect("a schema");
        let expect = Expect::value();
        let mut reading = Reply::with_sink(expect, contract.monitor(&expect));
        let _ = reading.push(reply);
        let (_, monitor) = reading.finish_into(Ending::Stop);
        let Some(violation) = monitor.violation() else { continue };
        hidden(schema, violation);
        hidden(schema, &violation.masked());
        told += 1;
    }
    assert!(told > 12, "{told}");
}

/// A type that the reply is not of, although its schema allows it.
#[derive(Debug, Deserialize)]
struct Number {
    #[serde(rename = "a")]
    _a: u8,
}

#[test]
fn debug_of_a_wrong_shape_shows_no_text_of_the_model() {
    let contract = Contract::from_schema("{}").expect("a schema");
    for reply in [r#"{"a": "canary"}"#, r#"{"canary": 1}"#, r#""canary""#] {
        let document = read(reply, Expect::value()).expect("a document");
        hidden(reply, &contract.accept::<Number>(&document).expect_err("another shape"));
    }
}

#[test]
fn debug_of_lossy_numbers_shows_places_alone() {
    let contract = Contract::from_schema(r#"{"items": {"maximum": 1e30}}"#).expect("a schema");
    let document = read("[123456789012345678901]", Expect::value()).expect("a document");
    let check = contract.check(&document);
    assert_eq!(check.lossy().len(), 1);
    assert!(!format!("{check:?}").contains("12345"), "{check:?}");
}

/// Calls and what is none, with the word in every part of them.
const CALLS: &[&str] = &[
    r#"{"name": "f", "arguments": {"a": "canary"}, "id": "canary"}"#,
    r#"{"name": "canary", "arguments": {"a": "canary"}}"#,
    r#"{"name": "f", "arguments": {"canary": 1, "canary": 2}}"#,
    r#"{"name": "f", "arguments": {"canary": {"canary": "canary"#,
    r#"{"name": "f", "arguments": {"a": "canary"}, "input": {"a": "Canary"}}"#,
    r#"{"name": "g", "arguments": {"canary": "canary"}}"#,
    "<function=f><parameter=canary>canary</parameter><parameter=canary>Canary</parameter></function>",
    "<think>canary <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"canary\"}}</tool_call></think>canary",
    "canary <tool_call> canary(canary)",
    "Action: f\nAction Input: {\"canary\": \"canary\"}\nObservation: canary",
];

#[test]
fn debug_shows_nothing_of_calls() {
    let tools = Tools::from_json(
        r#"["f", {"name": "g", "description": "canary", "input_schema": {"properties": {"canary": {"type": "null"}}}}, "canary"]"#,
    )
    .expect("tools");
    hidden("tools", &tools);
    tools.iter().for_each(|tool| hidden("tool", tool));
    for reply in CALLS {
        let mut rescue = tools.rescue();
        let _ = rescue.push(reply);
        hidden(reply, &rescue);
        let rescued = rescue.finish(Ending::Stop);
        hidden(reply, &rescued);
        rescued.calls().iter().chain(rescued.in_reasoning()).for_each(|call| hidden(reply, call));
        rescued.refused().iter().chain(rescued.failure()).for_each(|refused| hidden(reply, refused));
    }
    hidden("native", &tools.arguments("f", "{\"canary\": canary", Ending::Stop));
    hidden("native", &tools.arguments("canary", "{\"canary\": 1}", Ending::Stop));
}

/// Replies with the word as a value, as what is none, behind a value, in quotes and in reasoning.
const SIGNALS: &[&str] = &[
    "Verdict: canary, canary",
    "Verdict: canary canary\nVerdict: Canary",
    "Verdict: \"canary\"\nVerdict: other",
    "Verdict: a canary\nScore: canary\nNote: canary\n",
    "The canary: canary or other?",
    "[[canary]] \"[[other]]\"",
    "<think>canary</think> canary",
    "Score: 7 canary\nNote: a canary\nNote: the canary",
    "Score: 7canary",
    "Canary: yes",
    "Note:\n\ncanary\ncanary",
    "`canary",
];

#[test]
fn debug_shows_nothing_of_signals() {
    let signals = Signals::from_spec(
        r#"{"targets": [
            {"name": "verdict", "type": "enum", "values": ["canary", "other"], "aliases": {"canary": ["the canary"]}},
            {"name": "score", "type": "number"},
            {"name": "canary_flag", "type": "boolean", "labels": ["canary"]},
            {"name": "note", "type": "text"}
        ]}"#,
    )
    .expect("a spec");
    hidden("spec", &signals);
    for reply in SIGNALS {
        let mut extraction = signals.begin();
        for piece in reply.split_inclusive(' ') {
            let _ = extraction.push(piece);
            hidden(reply, &extraction);
        }
        for ending in [Ending::Stop, Ending::Length] {
            let extracted = signals.extract(reply, ending);
            hidden(reply, &extracted);
            for (_, signal) in extracted.iter() {
                hidden(reply, signal);
                hidden(reply, &(signal.value(), signal.got(), signal.candidates(), signal.span(), signal.code()));
            }
        }
        hidden(reply, &extraction.finish(Ending::Stop));
    }
}
