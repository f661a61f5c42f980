//! What a schema adds to a report: violations, and the keyword that a lossy number was held against.

use serde::Serialize;
use serde_json::Value;
use thusfar_contract::{Check, Violation};
use thusfar_core::{Document, Position, WarningKind};

use super::places_of;

#[derive(Serialize)]
pub(super) struct WarningNote {
    kind: &'static str,
    offset: usize,
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    keyword: Option<&'static str>,
}

#[derive(Serialize)]
pub(super) struct ViolationNote<'a> {
    path: &'a str,
    keyword: &'static str,
    expected: &'a Value,
    got: &'a Value,
    offset: usize,
    line: usize,
    column: usize,
    message: &'a str,
    /// Pointers to fields that should be there.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    missing: Vec<String>,
    /// Pointers to fields that should not.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    extra: Vec<&'a str>,
}

/// The warnings of a document. A number whose verdict may be that of its neighbour is named once, with the keyword.
pub(super) fn warnings(document: Option<&Document>, check: Option<&Check>, seen: &[u8]) -> Vec<WarningNote> {
    let warnings = document.map_or(&[][..], Document::warnings);
    let lossy = check.map_or(&[][..], Check::lossy);
    let of =
        |kind: WarningKind, offset, keyword| WarningNote { kind: kind.as_str(), offset, line: 0, column: 0, keyword };
    let mut notes: Vec<_> = warnings
        .iter()
        .map(|warning| {
            let is_it = warning.kind == WarningKind::LossyNumber;
            let keyword = lossy.iter().find(|lossy| is_it && lossy.span == warning.span).map(|lossy| lossy.keyword);
            of(warning.kind, warning.span.start, keyword)
        })
        .collect();
    for lossy in lossy {
        let offset = lossy.span.start;
        if !notes.iter().any(|note| note.offset == offset && note.keyword.is_some()) {
            notes.push(of(WarningKind::LossyNumber, offset, Some(lossy.keyword)));
        }
    }
    notes.sort_by_key(|note| note.offset);
    let places = places_of(seen, notes.iter().map(|note| note.offset));
    for (note, Position { line, column }) in notes.iter_mut().zip(places) {
        (note.line, note.column) = (line, column);
    }
    notes
}

/// Everything that a document breaks.
pub(super) fn violations<'a>(check: &'a Check, seen: &[u8]) -> Vec<ViolationNote<'a>> {
    let violations = check.violations();
    let places = places_of(seen, violations.iter().map(Violation::offset));
    let note = |(violation, place): (&'a Violation, Position)| ViolationNote {
        path: violation.path(),
        keyword: violation.keyword(),
        expected: violation.expected(),
        got: violation.got(),
        offset: violation.offset(),
        line: place.line,
        column: place.column,
        message: violation.message(),
        missing: missing(violation),
        extra: extra(violation),
    };
    violations.iter().zip(places).map(note).collect()
}

/// The fields that a violation misses.
fn missing(violation: &Violation) -> Vec<String> {
    let names = match (violation.keyword(), violation.expected()) {
        ("required" | "dependentRequired" | "dependencies", Value::String(name)) => std::slice::from_ref(name),
        _ => &[],
    };
    let pointer = |name: &String| format!("{}/{}", violation.path(), name.replace('~', "~0").replace('/', "~1"));
    names.iter().map(pointer).collect()
}

/// The field that a violation is about, where it should not be there at all.
fn extra(violation: &Violation) -> Vec<&str> {
    match violation.keyword() {
        "additionalProperties" | "unevaluatedProperties" => vec![violation.path()],
        _ => Vec::new(),
    }
}
