//! The report on calls: those that may be run, what was refused and why, and what is left of the text.

use serde::Serialize;
use thusfar_contract::{CallOutcome, RefusedCall, ToolCall, Violation};
use thusfar_core::{Position, Span, Warning};

use super::{FailureNote, Places, checked, excerpt, places_of, push_json, push_on_one_line, push_repairs, push_start};
use crate::calls::{Calls, Failing, in_reply};

#[derive(Serialize)]
struct SpanNote {
    start: usize,
    end: usize,
}

impl From<Span> for SpanNote {
    fn from(span: Span) -> Self {
        Self { start: span.start, end: span.end }
    }
}

/// Adds the report on a reply, of which `seen` has been read, with its line feed. Without an `id` there is no member `id`.
pub(crate) fn push_calls(line: &mut String, id: Option<&str>, seen: &[u8], calls: &Calls) {
    push_calls_object(line, id, seen, calls);
    line.push('\n');
}

/// The same without the line feed.
pub(crate) fn push_calls_object(line: &mut String, id: Option<&str>, seen: &[u8], calls: &Calls) {
    push_start(line, id);
    push_json(line, &calls.outcome().as_str());
    line.push_str(",\"calls\":");
    push_all(line, calls.calls(), seen);
    push_member(line, "text", &calls.text());
    if !calls.repairs().is_empty() {
        let mut places = Places::of(seen);
        push_repairs(line, calls.repairs().iter().map(|it| (it, it.span.start, places.at(it.span.start))));
    }
    if !calls.refused().is_empty() {
        // There may be many of them: their places are found in one pass.
        let mut places = places_of(seen, calls.refused().iter().flat_map(offsets)).into_iter();
        line.push_str(",\"refused\":");
        push_list(line, calls.refused(), |line, refused| push_refused(line, refused, &mut places));
    }
    if calls.in_reasoning().next().is_some() {
        line.push_str(",\"in_reasoning\":");
        push_all(line, calls.in_reasoning(), seen);
    }
    if !calls.reasoning().is_empty() {
        push_member(line, "reasoning", &calls.reasoning());
    }
    for (name, span) in [("call_like", calls.call_like()), ("invented", calls.invented())] {
        if let Some(span) = span {
            push_member(line, name, &SpanNote::from(span));
        }
    }
    if let Some(failing) = calls.failing() {
        push_failing(line, &failing, seen);
    }
    line.push('}');
}

/// Adds what a program needs to make a call, as a line of its own.
pub(crate) fn push_call_line(line: &mut String, call: &ToolCall) {
    push_head(line, call);
    line.push_str("}\n");
}

/// Where it is wrong, and where what it breaks of the schema stands.
fn offsets(refused: &RefusedCall) -> impl Iterator<Item = usize> {
    std::iter::once(refused.offset()).chain(refused.check().violations().iter().map(Violation::start))
}

fn push_list<T>(line: &mut String, items: impl IntoIterator<Item = T>, mut push: impl FnMut(&mut String, T)) {
    line.push('[');
    for (at, item) in items.into_iter().enumerate() {
        line.push_str(if at == 0 { "" } else { "," });
        push(line, item);
    }
    line.push(']');
}

fn push_member(line: &mut String, name: &str, value: &impl Serialize) {
    line.push_str(&format!(",\"{name}\":"));
    push_json(line, value);
}

fn push_head(line: &mut String, call: &ToolCall) {
    line.push_str("{\"name\":");
    push_json(line, &call.name());
    line.push_str(",\"arguments\":");
    push_on_one_line(line, call.arguments().text());
    if let Some(id) = call.id() {
        push_member(line, "id", &id);
    }
}

/// Calls of the text in `seen`. There may be many of them: the places are found in one pass.
fn push_all<'c>(line: &mut String, calls: impl IntoIterator<Item = &'c ToolCall> + Clone, seen: &[u8]) {
    let mut places = places_of(seen, calls.clone().into_iter().flat_map(told_at)).into_iter();
    push_list(line, calls, |line, call| push_call(line, call, &mut places));
}

/// Where in the reply the repairs and then the warnings of a call's arguments stand.
fn told_at(call: &ToolCall) -> impl Iterator<Item = usize> {
    let repairs = call.arguments().repairs().iter().map(|repair| repair.span.start);
    let warnings = call.arguments().warnings().iter().map(|warning| warning.span.start);
    repairs.chain(warnings).map(|offset| in_reply(call, offset))
}

/// A call, with the places of what is told of its arguments.
fn push_call(line: &mut String, call: &ToolCall, places: &mut impl Iterator<Item = Position>) {
    push_head(line, call);
    push_member(line, "dialect", &call.dialect().as_str());
    push_ends(line, call.span());
    let (repairs, warnings) = (call.arguments().repairs(), call.arguments().warnings());
    if !repairs.is_empty() {
        let places = places.by_ref().take(repairs.len());
        push_repairs(line, repairs.iter().zip(places).map(|(it, place)| (it, in_reply(call, it.span.start), place)));
    }
    if !warnings.is_empty() {
        let note = |(it, place): (&Warning, Position)| {
            checked::warning_note(it, Some(call.check()), in_reply(call, it.span.start), place)
        };
        push_member(line, "warnings", &warnings.iter().zip(places).map(note).collect::<Vec<_>>());
    }
    line.push('}');
}

fn push_ends(line: &mut String, span: Span) {
    push_member(line, "start", &span.start);
    push_member(line, "end", &span.end);
}

/// What was meant as a call, with the places of its offsets. Its parts stand in the order in which a failure has them.
fn push_refused(line: &mut String, refused: &RefusedCall, places: &mut impl Iterator<Item = Position>) {
    let place = places.next().unwrap_or(Position { line: 1, column: 1 });
    line.push_str("{\"outcome\":");
    push_json(line, &refused.outcome().as_str());
    push_member(line, "code", &refused.code().as_str());
    if let Some(cause) = refused.cause() {
        push_member(line, "cause", &cause.as_str());
    }
    push_member(line, "message", &refused.to_string());
    if let Some(name) = refused.name() {
        push_member(line, "name", &name);
    }
    push_member(line, "dialect", &refused.dialect().as_str());
    push_ends(line, refused.span());
    push_member(line, "offset", &refused.offset());
    push_member(line, "decided_at", &refused.decided_at());
    push_member(line, "line", &place.line);
    push_member(line, "column", &place.column);
    push_member(line, "path", &refused.path());
    if let Some(arguments) = refused.arguments() {
        line.push_str(",\"arguments\":");
        push_on_one_line(line, arguments.text());
    }
    push_details(line, refused, places);
    line.push('}');
}

/// The readings of which none was picked, and what is broken of a schema.
fn push_details(line: &mut String, refused: &RefusedCall, places: &mut impl Iterator<Item = Position>) {
    if !refused.candidates().is_empty() {
        line.push_str(",\"candidates\":");
        push_list(line, refused.candidates(), |line, candidate| push_on_one_line(line, candidate));
    }
    let places = places.take(refused.check().violations().len());
    if refused.outcome() == CallOutcome::SchemaMismatch {
        super::push_violations(line, refused.check(), places);
        line.push_str(if refused.check().is_complete() { "" } else { super::MORE });
    }
}

fn push_failing(line: &mut String, failing: &Failing<'_>, seen: &[u8]) {
    let (code, message, offset, decided_at) = match failing {
        Failing::Damage(damage) => (damage.code, damage.message.to_owned(), damage.offset, damage.offset),
        Failing::Call(refused) => {
            push_details(line, refused, &mut places_of(seen, offsets(refused).skip(1)).into_iter());
            (refused.code().as_str(), refused.to_string(), refused.offset(), refused.decided_at())
        }
    };
    let (cause, path) = match failing {
        Failing::Damage(_) => (None, ""),
        Failing::Call(refused) => (refused.cause().map(|cause| cause.as_str()), refused.path()),
    };
    let place = Places::of(seen).at(offset);
    let excerpt = &excerpt(seen, offset);
    let (line_number, column) = (place.line, place.column);
    let note = FailureNote { code, cause, message, offset, decided_at, line: line_number, column, path, excerpt };
    push_member(line, "failure", &note);
}
