//! The line of JSON that says what became of a stream.

use serde::Serialize;
use thusfar_contract::Check;
use thusfar_core::Position;
use thusfar_stream::{Lane, LaneFailure, Outcome, Reason, Summary};

use super::Checked;
use super::held::Judged;
use crate::report::{
    self, Places, push_calls_object, push_json, push_on_one_line, push_report_object, push_signals_object,
};

#[derive(Serialize)]
struct FinishNote<'a> {
    choice: u32,
    raw: &'a str,
    class: &'static str,
}

#[derive(Serialize)]
struct AdviceNote {
    action: &'static str,
    reason: &'static str,
    at_byte: u64,
}

#[derive(Serialize)]
struct FaultNote<'a> {
    code: &'static str,
    message: String,
    offset: u64,
    decided_at: u64,
    line: usize,
    column: usize,
    path: &'static str,
    excerpt: &'a str,
}

/// The line, with its line feed. The checks are those of the lanes, in their order.
pub(super) fn of(summary: &Summary, checks: &[Checked], advice: Option<(Reason, u64)>) -> String {
    let mut line = String::new();
    push_object(&mut line, summary, checks, advice);
    line.push('\n');
    line
}

/// The same without the line feed.
pub(crate) fn push_object(line: &mut String, summary: &Summary, checks: &[Checked], advice: Option<(Reason, u64)>) {
    push_member(line, '{', "provider", &summary.provider().map(|provider| provider.as_str()));
    push_member(line, ',', "outcome", &summary.outcome().as_str());
    push_member(line, ',', "terminal", &summary.terminal());
    line.push_str(",\"lanes\":[");
    for (at, lane) in summary.lanes().enumerate() {
        line.push_str(if at == 0 { "" } else { "," });
        push_lane(line, lane, checks.get(at));
    }
    line.push(']');
    let finishes = summary.finishes().iter();
    let finishes = finishes
        .map(|finish| FinishNote { choice: finish.choice, raw: &finish.raw, class: finish.class.as_str() })
        .collect::<Vec<_>>();
    push_member(line, ',', "finish", &finishes);
    for (name, object) in [("usage", summary.usage()), ("error", summary.error())] {
        line.push_str(&format!(",\"{name}\":"));
        push_on_one_line(line, object.unwrap_or("null"));
    }
    let advice = advice.map(|(reason, at_byte)| AdviceNote { action: "cancel", reason: reason.as_str(), at_byte });
    push_member(line, ',', "advice", &advice);
    line.push('}');
}

fn push_member(line: &mut String, before: char, name: &str, value: &impl Serialize) {
    line.push(before);
    push_json(line, &name);
    line.push(':');
    push_json(line, value);
}

fn push_lane(line: &mut String, lane: Lane<'_>, checked: Option<&Checked>) {
    let schema = checked.and_then(|checked| checked.schema.as_ref());
    let check = schema.and_then(Judged::check);
    let key = lane.key();
    push_member(line, '{', "choice", &key.choice);
    push_member(line, ',', "kind", &key.kind.as_str());
    push_member(line, ',', "tool", &key.tool);
    push_member(line, ',', "id", &lane.id());
    push_member(line, ',', "name", &lane.name());
    let text = lane.text().unwrap_or_default();
    push_member(line, ',', "text", &text);
    line.push_str(",\"report\":");
    match (schema, lane.outcome()) {
        (Some(Judged::Again(found)), _) => {
            push_report_object(line, None, text.as_bytes(), found.verdict.as_ref(), check);
        }
        (_, Some(Outcome::Document(document))) => push_report_object(line, None, text.as_bytes(), Ok(document), check),
        (_, Some(Outcome::NoArguments)) => {
            line.push_str(r#"{"outcome":"ok","document":{},"repairs":[],"warnings":[]}"#);
        }
        (_, Some(Outcome::Failure(failure))) => push_failure(line, text, failure, check),
        _ => line.push_str("null"),
    }
    if let Some(calls) = checked.and_then(|checked| checked.calls.as_ref()) {
        line.push_str(",\"tool_report\":");
        push_calls_object(line, None, text.as_bytes(), calls);
    }
    if let Some(signals) = checked.and_then(|checked| checked.signals.as_ref()) {
        line.push_str(",\"signal_report\":");
        push_signals_object(line, None, text.as_bytes(), signals);
    }
    line.push('}');
}

fn push_failure(line: &mut String, text: &str, failure: &LaneFailure, check: Option<&Check>) {
    if let Some(failure) = failure.reply() {
        return push_report_object(line, None, text.as_bytes(), Err(failure), check);
    }
    let offset = usize::try_from(failure.offset()).unwrap_or(usize::MAX);
    let Position { line: number, column } = Places::of(text.as_bytes()).at(offset);
    let note = FaultNote {
        code: failure.code(),
        message: failure.to_string(),
        offset: failure.offset(),
        decided_at: failure.offset(),
        line: number,
        column,
        path: "",
        excerpt: &report::excerpt(text.as_bytes(), offset),
    };
    push_member(line, '{', "outcome", &failure.outcome());
    line.push_str(",\"repairs\":[],\"warnings\":[]");
    line.push_str(if check.is_some() { ",\"violations\":[]" } else { "" });
    push_member(line, ',', "failure", &note);
    line.push('}');
}
