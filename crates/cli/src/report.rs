//! The report: one line of JSON that says what became of a reply.
//!
//! It is put together around the document's own text, which is never parsed again and keeps its digits. Line ends are
//! the only thing that changes: strict JSON has them between tokens only, and a space means the same there.

mod checked; // the members that a schema adds
mod called; // the report on calls of tools
mod signalled; // the report on signals

use serde::Serialize;
use thusfar_contract::{Check, EngineLimit, Violation};
use thusfar_core::{Document, Failure, FailureKind, Position, Repair};

use crate::terminal::is_inside_character;

/// Characters of an excerpt.
const EXCERPT: usize = 60;

/// What the engine said of a reply.
pub(crate) type Verdict = Result<Document, Failure>;

pub(crate) use called::{push_call_line, push_calls, push_calls_object};
pub(crate) use checked::keyword;
pub(crate) use signalled::{push_signal_lines, push_signals, push_signals_object, text_of};

/// The member of a report that does not list all violations.
pub(crate) const MORE: &str = ",\"more_violations\":true";

/// The outcome of a document that breaks a schema.
pub(crate) const SCHEMA_MISMATCH: &str = "schema_mismatch";

#[derive(Serialize)]
struct RepairNote<'a> {
    kind: &'static str,
    offset: usize,
    line: usize,
    column: usize,
    before: &'a str,
    after: &'a str,
}

#[derive(Serialize)]
struct FailureNote<'a> {
    code: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<&'static str>,
    message: String,
    offset: usize,
    decided_at: usize,
    line: usize,
    column: usize,
    path: &'a str,
    excerpt: &'a str,
}

/// Adds the report on a reply, of which `seen` has been read, with its line feed. Without an `id` there is no member `id`; without
/// a check, which is that of a schema, no member `violations`.
pub(crate) fn push_report(
    line: &mut String,
    id: Option<&str>,
    seen: &[u8],
    verdict: Result<&Document, &Failure>,
    check: Option<&Check>,
) {
    push_report_object(line, id, seen, verdict, check);
    line.push('\n');
}

/// The same without the line feed.
pub(crate) fn push_report_object(
    line: &mut String,
    id: Option<&str>,
    seen: &[u8],
    verdict: Result<&Document, &Failure>,
    check: Option<&Check>,
) {
    push_start(line, id);
    let repairs = verdict.map_or_else(Failure::repairs, Document::repairs);
    push_json(line, &outcome(verdict, check));
    if let Ok(document) = verdict {
        line.push_str(",\"document\":");
        push_on_one_line(line, document.text());
    }
    let mut places = Places::of(seen);
    push_repairs(line, repairs.iter().map(|repair| (repair, repair.span.start, places.at(repair.span.start))));
    line.push_str(",\"warnings\":");
    push_json(line, &checked::warnings(verdict.map_or(&[], Document::warnings), check, seen));
    if let Some(check) = check {
        let places = places_of(seen, check.violations().iter().map(Violation::start));
        push_violations(line, check, places.into_iter());
        // Of a reply without a document nobody has looked for more.
        line.push_str(if check.is_complete() || verdict.is_err() { "" } else { MORE });
    }
    if let Err(failure) = verdict {
        let place = Places::of(seen).at(failure.offset());
        line.push_str(",\"failure\":");
        push_json(
            line,
            &FailureNote {
                code: failure.code().as_str(),
                cause: failure.cause().map(|cause| cause.as_str()),
                message: refusal(failure, check).map_or_else(|| failure.to_string(), |it| it.message().to_owned()),
                offset: failure.offset(),
                decided_at: failure.decided_at(),
                line: place.line,
                column: place.column,
                path: failure.path(),
                excerpt: &excerpt(seen, failure.offset()),
            },
        );
    }
    if let (Ok(document), Some(limit)) = (verdict, check.and_then(open_question)) {
        push_limit(line, limit, document, seen);
    }
    line.push('}');
}

/// Opens a report: the `id` where there is one, and the name of the outcome.
fn push_start(line: &mut String, id: Option<&str>) {
    line.push('{');
    if let Some(id) = id {
        line.push_str("\"id\":");
        push_on_one_line(line, id);
        line.push(',');
    }
    line.push_str("\"outcome\":");
}

/// Adds repairs, each with its offset and place.
fn push_repairs<'r>(line: &mut String, repairs: impl Iterator<Item = (&'r Repair, usize, Position)>) {
    let repairs = repairs.map(|(repair, offset, Position { line, column })| {
        let (before, after) = (repair.before.as_str(), repair.after.as_str());
        RepairNote { kind: repair.kind.as_str(), offset, line, column, before, after }
    });
    line.push_str(",\"repairs\":");
    push_json(line, &repairs.collect::<Vec<_>>());
}

/// Adds what a document breaks of a schema; the places are those of the violations.
fn push_violations(line: &mut String, check: &Check, places: impl Iterator<Item = Position>) {
    line.push_str(",\"violations\":");
    push_json(line, &checked::violations(check, places));
}

/// Adds the failure of a document that the schema has no verdict on.
fn push_limit(line: &mut String, limit: EngineLimit, document: &Document, seen: &[u8]) {
    let span = document.span();
    let place = Places::of(seen).at(span.start);
    line.push_str(",\"failure\":");
    push_json(
        line,
        &FailureNote {
            code: limit.as_str(),
            cause: None,
            message: limit.message().to_owned(),
            offset: span.start,
            decided_at: span.end,
            line: place.line,
            column: place.column,
            path: "",
            excerpt: &excerpt(seen, span.start),
        },
    );
}

/// The limit that kept the schema from answering; what is broken is broken, whatever was not asked.
pub(crate) fn open_question(check: &Check) -> Option<EngineLimit> {
    check.limit().filter(|_| check.violations().is_empty())
}

/// What a reply was refused for, if it was the schema that refused it.
pub(crate) fn refusal<'c>(failure: &Failure, check: Option<&'c Check>) -> Option<&'c Violation> {
    check.filter(|_| failure.kind() == FailureKind::Vetoed)?.violations().first()
}

/// The one word for what became of a reply.
pub(crate) fn outcome(verdict: Result<&Document, &Failure>, check: Option<&Check>) -> &'static str {
    match (verdict, check) {
        (Err(failure), _) if failure.kind() == FailureKind::Vetoed => failure.code().as_str(),
        (Err(failure), _) => failure.kind().as_str(),
        (Ok(_), Some(check)) if open_question(check).is_some() => FailureKind::Limit.as_str(),
        (Ok(_), Some(check)) if !check.is_valid() => SCHEMA_MISMATCH,
        (Ok(_), _) => "ok",
    }
}

/// Adds the line that stands for a line that is no request.
pub(crate) fn push_error(line: &mut String, id: Option<&str>, error: &str) {
    line.push_str("{\"id\":");
    push_on_one_line(line, id.unwrap_or("null"));
    line.push_str(",\"error\":");
    push_json(line, &error);
    line.push_str("}\n");
}

/// Adds JSON text; a line end between its tokens becomes a space.
pub(crate) fn push_on_one_line(line: &mut String, json: &str) {
    let mut rest = json;
    while let Some(at) = rest.find(['\n', '\r']) {
        line.push_str(&rest[..at]);
        line.push(' ');
        rest = &rest[at + 1..];
    }
    line.push_str(rest);
}

pub(crate) fn push_json(line: &mut String, value: &impl Serialize) {
    // Strings, numbers and lists of them always have a JSON text.
    line.push_str(&serde_json::to_string(value).unwrap_or_default());
}

/// The places of offsets in any order, in one pass over the text.
pub(crate) fn places_of(text: &[u8], offsets: impl Iterator<Item = usize>) -> Vec<Position> {
    let offsets: Vec<_> = offsets.collect();
    let mut order: Vec<_> = (0..offsets.len()).collect();
    order.sort_by_key(|&at| offsets[at]);
    let mut places = Places::of(text);
    let mut found = vec![Position { line: 1, column: 1 }; offsets.len()];
    for at in order {
        found[at] = places.at(offsets[at]);
    }
    found
}

/// Lines and columns of rising offsets, in one pass over the text; a falling offset begins a new one.
pub(crate) struct Places<'a> {
    text: &'a [u8],
    offset: usize,
    place: Position,
}

impl<'a> Places<'a> {
    pub(crate) fn of(text: &'a [u8]) -> Self {
        Self { text, offset: 0, place: Position { line: 1, column: 1 } }
    }

    /// The same as `Position::of`.
    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while offset > 0 && self.text.get(offset).is_some_and(|&byte| is_inside_character(byte)) {
            offset -= 1;
        }
        if offset < self.offset {
            *self = Self::of(self.text);
        }
        for &byte in &self.text[self.offset..offset] {
            match byte {
                b'\n' => self.place = Position { line: self.place.line + 1, column: 1 },
                _ => self.place.column += usize::from(!is_inside_character(byte)),
            }
        }
        self.offset = offset;
        self.place
    }
}

/// About sixty characters around an offset, as they were written; what stands behind the last whole character of a cut
/// text is left away, what is no text is `U+FFFD`.
pub(crate) fn excerpt(text: &[u8], offset: usize) -> String {
    excerpt_of(text, offset, EXCERPT)
}

/// The same of so many characters.
pub(crate) fn excerpt_of(text: &[u8], offset: usize, most: usize) -> String {
    let offset = offset.min(text.len());
    let behind = text[offset..].iter().enumerate().filter(|(_, byte)| !is_inside_character(**byte));
    let starts: Vec<_> = behind.map(|(at, _)| offset + at).take(most / 2 + 1).collect();
    let end = starts.get(most / 2).copied().unwrap_or(text.len());
    let front_count = most - starts.len().min(most / 2);
    let mut fronts = (0..offset).rev().filter(|&at| !is_inside_character(text[at]));
    let start = fronts.nth(front_count - 1).unwrap_or(0);
    let window = &text[start..end];
    let whole_len = match std::str::from_utf8(window) {
        Err(error) if error.error_len().is_none() => error.valid_up_to(),
        _ => window.len(),
    };
    String::from_utf8_lossy(&window[..whole_len]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_agree_with_the_engine_in_any_order() {
        let text = "a\né\r\n\n漢字x\n";
        let mut places = Places::of(text.as_bytes());
        for offset in (0..text.len() + 2).chain((0..text.len()).rev()) {
            assert_eq!(places.at(offset), Position::of(text, offset), "at {offset}");
        }
        let offsets = [7, 2, 9, 2, 0];
        let found = places_of(text.as_bytes(), offsets.into_iter());
        assert_eq!(found, offsets.map(|offset| Position::of(text, offset)));
    }

    #[test]
    fn an_excerpt_is_a_window_of_whole_characters() {
        assert_eq!(excerpt(b"", 0), "");
        assert_eq!(excerpt(b"short", 9), "short");
        let long = "é".repeat(200);
        assert_eq!(excerpt(long.as_bytes(), 200), "é".repeat(60));
        assert_eq!(excerpt(long.as_bytes(), 400), "é".repeat(60));
        assert_eq!(excerpt(long.as_bytes(), 0), "é".repeat(30));
        assert_eq!(excerpt(b"{\"a\": \"x\xc3", 9), "{\"a\": \"x");
        assert_eq!(excerpt(b"{\"a\": \"x\xff\"}", 8), "{\"a\": \"x\u{fffd}\"}");
    }

    #[test]
    fn a_document_on_lines_becomes_one_line() {
        let mut line = String::new();
        push_on_one_line(&mut line, "{\r\n  \"a\\n\": [1.0,\n2]\n}");
        assert_eq!(line, "{    \"a\\n\": [1.0, 2] }");
    }
}
