//! What a schema adds to a report: violations, and the keyword that a lossy number was held against.

use serde::Serialize;
use serde_json::Value;
use thusfar_contract::{Check, Timing, Violation};
use thusfar_core::{Position, Warning, WarningKind};

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
    when: &'static str,
    offset: usize,
    start: usize,
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
pub(super) fn warnings(warnings: &[Warning], check: Option<&Check>, seen: &[u8]) -> Vec<WarningNote> {
    let places = places_of(seen, warnings.iter().map(|warning| warning.span.start));
    warnings
        .iter()
        .zip(places)
        .map(|(warning, place)| warning_note(warning, check, warning.span.start, place))
        .collect()
}

/// A warning at an offset, whose place this is.
pub(super) fn warning_note(warning: &Warning, check: Option<&Check>, offset: usize, place: Position) -> WarningNote {
    let keyword = check.and_then(|check| keyword(check, warning));
    WarningNote { kind: warning.kind.as_str(), offset, line: place.line, column: place.column, keyword }
}

/// The keyword that a number of a warning was held against.
pub(crate) fn keyword(check: &Check, warning: &Warning) -> Option<&'static str> {
    // 0 <= at <= lossy.len(), and those in front of it begin before the warning: they stand in the order of the document.
    let lossy = check.lossy();
    let at = lossy.partition_point(|lossy| lossy.span.start < warning.span.start);
    let it = lossy.get(at).filter(|lossy| warning.kind == WarningKind::LossyNumber && lossy.span == warning.span);
    it.map(|lossy| lossy.keyword)
}

/// Everything that a document breaks, with the places of the offsets.
pub(super) fn violations<'a>(check: &'a Check, places: impl Iterator<Item = Position>) -> Vec<ViolationNote<'a>> {
    let violations = check.violations();
    let note = |(violation, place): (&'a Violation, Position)| ViolationNote {
        path: violation.path(),
        keyword: violation.keyword(),
        expected: violation.expected(),
        got: violation.got(),
        when: violation.when().as_str(),
        offset: violation.offset(),
        start: violation.start(),
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

/// The field that a violation is about, where it should not be there at all: by its name, or since no value is allowed for it.
fn extra(violation: &Violation) -> Vec<&str> {
    match violation.keyword() {
        "properties" | "patternProperties" | "additionalProperties" | "unevaluatedProperties" | "propertyNames"
            if has_name(violation) =>
        {
            vec![violation.path()]
        }
        _ => Vec::new(),
    }
}

/// Whether the path is that of the field: what is told inside a name is told at the object.
fn has_name(violation: &Violation) -> bool {
    let name = violation.got().as_str().map(|name| name.replace('~', "~0").replace('/', "~1"));
    violation.when() != Timing::Early || violation.path().rsplit_once('/').map(|(_, last)| last) == name.as_deref()
}
