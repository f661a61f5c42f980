//! Re-created public reports about tool calls (`cases.jsonl`, kind `tool_call`).

use crate::rescue::rescued;
use serde_json::{Map, Value, json};
use thusfar_contract::{RefusedCall, Rescued, ToolCall, Tools};
use thusfar_core::Ending;
use thusfar_testkit::corpus::{self, CaseRow};

/// Rows that are bodies of streams; the stream's own tests read them.
const STREAMS: [&str; 2] = ["delta_stream", "anthropic_stream"];

fn rows() -> Vec<CaseRow> {
    let is_text = |row: &CaseRow| !STREAMS.contains(&row.context["payload"].as_str().unwrap_or_default());
    corpus::cases().into_iter().filter(|row| row.kind == "tool_call" && is_text(row)).collect()
}

fn tools(row: &CaseRow) -> Tools {
    let names = row.context["tools"].as_array().cloned().unwrap_or_else(|| vec![row.context["tool"].clone()]);
    let tool = |name: &Value| match row.context["schema"].get(name.as_str().unwrap_or_default()) {
        Some(schema) => json!({"name": name, "input_schema": schema}),
        None => name.clone(),
    };
    Tools::from_json(&Value::from(names.iter().map(tool).collect::<Vec<_>>()).to_string()).expect("tools")
}

fn ending(row: &CaseRow) -> Ending {
    match row.context["finish_reason"].as_str() {
        Some("length") => Ending::Length,
        Some("tool_calls") => Ending::ToolUse,
        Some("stop") => Ending::Stop,
        None => Ending::Unknown,
        Some(other) => panic!("an unknown finish reason {other}"),
    }
}

fn value(call: &ToolCall) -> Value {
    json!({"name": call.name(), "arguments": call.arguments().value()})
}

/// What a row's answer looks like, in the row's words.
struct Answer {
    outcome: &'static str,
    values: Vec<Value>,
    failure: Option<RefusedCall>,
    rescued: Option<Rescued>,
}

fn answer(row: &CaseRow) -> Answer {
    let tools = tools(row);
    if row.context["payload"] == "arguments" {
        let name = row.context["tool"].as_str().expect("a name");
        return match tools.arguments(name, &row.input, ending(row)) {
            Ok(call) => Answer { outcome: "ok", values: vec![value(&call)], failure: None, rescued: None },
            Err(refused) => {
                Answer { outcome: refused.outcome().as_str(), values: vec![], failure: Some(*refused), rescued: None }
            }
        };
    }
    let rescued = rescued(&tools, &row.input, ending(row));
    Answer {
        outcome: rescued.outcome().as_str(),
        values: rescued.calls().iter().map(value).collect(),
        failure: rescued.failure().cloned(),
        rescued: Some(rescued),
    }
}

fn faults(row: &CaseRow) -> Vec<String> {
    let (answer, expected) = (answer(row), &row.expected);
    let mut faults = Vec::new();
    let mut hold = |holds: bool, what: String| {
        if !holds {
            faults.push(what);
        }
    };
    hold(expected["outcome"] == answer.outcome, format!("outcome {}, {:?}", answer.outcome, answer.failure));
    if let Some(value) = expected.get("value") {
        let mut found = Value::from(answer.values.clone());
        if !value.is_array() {
            found = if answer.values.len() == 1 { answer.values[0].clone() } else { found };
        }
        if value.get("arguments").is_none() && value.is_object() {
            found = found["arguments"].clone();
        }
        hold(*value == found, format!("value {found}"));
    } else {
        hold(answer.values.is_empty(), format!("calls {:?}", answer.values));
    }
    let text = |rescued: &Rescued| (rescued.text().to_owned(), rescued.reasoning().to_owned());
    let (text, reasoning) = answer.rescued.as_ref().map(text).unwrap_or_default();
    hold(expected.get("text").is_none_or(|wanted| *wanted == text), format!("text {text:?}"));
    hold(expected.get("reasoning").is_none_or(|wanted| *wanted == reasoning), format!("reasoning {reasoning:?}"));
    let failure = answer.failure;
    let path = failure.as_ref().map(|failure| failure.path());
    hold(
        expected.get("path").is_none_or(|wanted| Some(wanted.as_str().unwrap_or_default()) == path),
        format!("path {path:?}"),
    );
    if let Some(wanted) = expected.get("candidates") {
        let found: Vec<Value> = failure
            .iter()
            .flat_map(|failure| failure.candidates())
            .map(|text| serde_json::from_str(text).expect("JSON"))
            .collect();
        hold(*wanted == Value::from(found.clone()), format!("candidates {found:?}"));
    }
    let violations = failure.as_ref().map(|failure| failure.check().violations()).unwrap_or_default();
    if let Some(wanted) = expected.get("wanted") {
        let found = violations.first().map(|violation| (violation.expected().clone(), violation.got().clone()));
        hold(found == Some((wanted.clone(), expected["got"].clone())), format!("violation {found:?}"));
    }
    if let Some(extra) = expected.get("extra") {
        let found: Vec<_> = violations.iter().map(|violation| violation.path()).collect();
        hold(*extra == json!(found), format!("extra {found:?}"));
    }
    faults
}

#[test]
fn every_row_is_as_expected() {
    let rows = rows();
    assert_eq!(rows.len(), 43);
    let wrong: Vec<_> = rows
        .iter()
        .map(|row| (row, faults(row)))
        .filter(|(_, faults)| !faults.is_empty())
        .map(|(row, faults)| format!("{}: {}\n  wanted {}\n  {}", row.id, row.input, row.expected, faults.join("\n  ")))
        .collect();
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}

/// A member of a row that no test looks at would hold nothing.
#[test]
fn nothing_that_a_row_expects_is_passed_over() {
    let looked_at = ["outcome", "value", "text", "reasoning", "path", "candidates", "wanted", "got", "extra"];
    let words = ["note", "debatable", "why_debatable"];
    for row in rows() {
        let none = Map::new();
        for member in row.expected.as_object().unwrap_or(&none).keys() {
            assert!(looked_at.contains(&&**member) || words.contains(&&**member), "{}: {member}", row.id);
        }
    }
}
