//! What is recorded of a summary: codes and counts. No function here gives a text that the other side wrote.

use serde_json::Value;

use crate::lane::{Lane, Outcome};
use crate::session::{StreamOutcome, Summary};
use thusfar_core::{Repair, RepairKind};

/// The class of an error whose name is not known.
pub(crate) const OTHER: &str = "_OTHER";

/// Every class of error that is told by its name: those of this crate, then those of the providers. What a provider calls an
/// error is compared with these, and never told itself.
pub(super) const ERRORS: &[&str] = &[
    // The wire.
    "line_too_long",
    "event_too_long",
    "frame_too_long",
    "checksum",
    "frame",
    "json",
    // The lanes.
    "too_many_lanes",
    "id_too_long",
    "name_too_long",
    "text_too_long",
    "session_too_long",
    "patch_too_long",
    // What a tap in front of us closed a body for.
    "thusfar_doomed",
    "thusfar_runaway",
    "thusfar_limit",
    "thusfar_schema",
    "thusfar_final",
    // Bodies without events.
    "ndjson",
    "event_stream",
    "html",
    "xml",
    "gzip",
    "zlib",
    "zstd",
    "text",
    "binary",
    // OpenAI and those who follow it; Anthropic.
    "api_error",
    "authentication_error",
    "billing_error",
    "context_length_exceeded",
    "insufficient_quota",
    "invalid_prompt",
    "invalid_request_error",
    "model_not_found",
    "not_found_error",
    "overloaded_error",
    "permission_error",
    "rate_limit_error",
    "rate_limit_exceeded",
    "request_too_large",
    "server_error",
    "timeout_error",
    // llama.cpp; vLLM.
    "exceed_context_size_error",
    "not_supported_error",
    "unavailable_error",
    "BadRequestError",
    "InternalServerError",
    "NotFoundError",
    // Google.
    "ABORTED",
    "CANCELLED",
    "DEADLINE_EXCEEDED",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_ARGUMENT",
    "NOT_FOUND",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "UNAUTHENTICATED",
    "UNAVAILABLE",
    "UNKNOWN",
    // AWS.
    "internalServerException",
    "modelStreamErrorException",
    "modelTimeoutException",
    "serviceUnavailableException",
    "throttlingException",
    "validationException",
    // Status codes.
    "400",
    "401",
    "403",
    "404",
    "408",
    "413",
    "422",
    "429",
    "500",
    "502",
    "503",
    "504",
    "529",
];

/// The class of the error that a reply ended in, if it did: a cut is one, a budget that is used up or a filter is none.
pub(crate) fn error_type(summary: &Summary) -> Option<&'static str> {
    match summary.outcome() {
        StreamOutcome::Error => Some(summary.error().and_then(known_error).unwrap_or(OTHER)),
        outcome @ StreamOutcome::TruncatedCut => Some(outcome.as_str()),
        _ => None,
    }
}

/// The name of an error, if it is a known one.
fn known_error(object: &str) -> Option<&'static str> {
    let object: Value = serde_json::from_str(object).ok()?;
    ["type", "status", "code", "status_code"].iter().find_map(|member| {
        let value = object.get(member)?;
        let number = value.as_u64().map(|number| alloc::format!("{number}"));
        let name = value.as_str().or(number.as_deref())?;
        ERRORS.iter().find(|known| **known == name).copied()
    })
}

/// The outcome of a judged lane.
pub(crate) fn lane_outcome(outcome: &Outcome) -> &'static str {
    match outcome {
        Outcome::Document(_) => "document",
        Outcome::Verdict(_) => "verdict",
        Outcome::NoArguments => "no_arguments",
        Outcome::Failure(failure) => failure.outcome(),
    }
}

/// Judged lanes with what they came to.
pub(crate) fn judged(summary: &Summary) -> impl Iterator<Item = (Lane<'_>, &Outcome)> {
    summary.lanes().filter_map(|lane| Some((lane, lane.outcome()?)))
}

/// The repairs of a lane, where they were kept.
pub(crate) fn repairs(outcome: &Outcome) -> &[Repair] {
    match outcome {
        Outcome::Document(document) => document.repairs(),
        Outcome::Failure(failure) => failure.reply().map_or(&[], |failure| failure.repairs()),
        Outcome::Verdict(_) | Outcome::NoArguments => &[],
    }
}

/// How many repairs of a kind a lane needed.
pub(crate) fn repair_count(outcome: &Outcome, kind: RepairKind) -> usize {
    repairs(outcome).iter().filter(|repair| repair.kind == kind).count()
}

/// Repairs of which only the number was kept.
pub(crate) fn unkept_repairs(outcome: &Outcome) -> usize {
    match outcome {
        Outcome::Verdict(verdict) => verdict.repair_count(),
        _ => 0,
    }
}

/// Codes of the warnings of a lane's document.
pub(crate) fn warnings(outcome: &Outcome) -> impl Iterator<Item = &'static str> {
    let warnings = match outcome {
        Outcome::Document(document) => document.warnings(),
        Outcome::Verdict(verdict) => verdict.warnings(),
        Outcome::NoArguments | Outcome::Failure(_) => &[],
    };
    warnings.iter().map(|warning| warning.kind.as_str())
}

/// Codes of all warnings of a reply, each as often as it was given: those of the stream, then those of the lanes.
pub(crate) fn all_warnings(summary: &Summary) -> impl Iterator<Item = &'static str> {
    let of_stream = summary.warnings().iter().map(|(warning, _)| warning.as_str());
    of_stream.chain(judged(summary).flat_map(|(_, outcome)| warnings(outcome)))
}
