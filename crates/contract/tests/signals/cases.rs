//! Re-created public reports about verdicts and scores (`cases.jsonl`, kind `signal`).

use serde_json::{Map, Value, json};
use thusfar_contract::{Signal, SignalValue};
use thusfar_core::Ending;
use thusfar_testkit::corpus::{self, CaseRow};

use crate::extracted::{Asked, extracted};

fn rows() -> Vec<CaseRow> {
    corpus::cases().into_iter().filter(|row| row.kind == "signal").collect()
}

/// The target that a row asks for: a verdict is one of its labels, a score a number.
fn target(row: &CaseRow) -> Value {
    let asked = &row.context["signal"];
    let mut target = match asked["type"].as_str() {
        Some("verdict") => json!({"name": "verdict", "type": "enum", "values": asked["labels"]}),
        Some("score") => json!({"name": "score", "type": "number"}),
        other => panic!("{}: an unknown type {other:?}", row.id),
    };
    for bound in ["min", "max"] {
        if let Some(bound_value) = asked.get(bound) {
            target[bound] = bound_value.clone();
        }
    }
    if let Some(label) = asked.get("label") {
        target["labels"] = json!([label]);
    }
    target
}

fn json_of(value: &SignalValue) -> Value {
    let number = value.as_number().map(|digits| serde_json::from_str(digits).expect("a number"));
    number.or_else(|| value.as_bool().map(Value::from)).unwrap_or_else(|| json!(value.as_str()))
}

fn faults(row: &CaseRow, signal: &Signal) -> Vec<String> {
    let candidates: Vec<Value> = signal.candidates().iter().map(|candidate| json_of(&candidate.value)).collect();
    let scale: Option<Value> = signal.scale().map(|digits| serde_json::from_str(digits).expect("a number"));
    let found = [
        ("outcome", json!(signal.outcome().as_str())),
        ("value", signal.value().map_or(Value::Null, json_of)),
        ("got", signal.got().map_or(Value::Null, json_of)),
        ("candidates", if candidates.is_empty() { Value::Null } else { json!(candidates) }),
    ];
    let mut faults: Vec<String> = found
        .iter()
        .filter(|(member, found)| row.expected.get(*member).unwrap_or(&Value::Null) != found)
        .map(|(member, found)| format!("{member} {found}"))
        .collect();
    // A row says these only where they matter.
    let some = [("scale", json!(scale)), ("tail", json!(signal.tail()))];
    let some = some.iter().filter(|(member, found)| row.expected.get(*member).is_some_and(|wanted| wanted != found));
    faults.extend(some.map(|(member, found)| format!("{member} {found}")));
    faults
}

#[test]
fn every_row_is_as_expected() {
    let rows = rows();
    assert_eq!(rows.len(), 21);
    let mut wrong = Vec::new();
    for row in &rows {
        let target = target(row);
        let extracted = extracted(&Asked::of(&target.to_string()), &row.input, Ending::Unknown);
        let (_, signal) = extracted.iter().next().expect("a target");
        let faults = faults(row, signal);
        if !faults.is_empty() {
            let (id, input, wanted) = (&row.id, &row.input, &row.expected);
            wrong.push(format!("{id}: {input:?}\n  wanted {wanted}\n  found {}", faults.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// A member of a row that no test looks at would hold nothing.
#[test]
fn nothing_that_a_row_expects_is_passed_over() {
    let looked_at = ["outcome", "value", "got", "candidates", "scale", "tail"];
    let words = ["note", "debatable", "why_debatable"];
    for row in rows() {
        for member in row.expected.as_object().unwrap_or(&Map::new()).keys() {
            assert!(looked_at.contains(&&**member) || words.contains(&&**member), "{}: {member}", row.id);
        }
        for member in row.context["signal"].as_object().expect("a signal").keys() {
            assert!(["type", "labels", "label", "min", "max"].contains(&&**member), "{}: {member}", row.id);
        }
    }
}
