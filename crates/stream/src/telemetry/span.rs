//! Spans: one for each reply, and an event in it for each lane that was judged. Codes, lengths and offsets.
//!
//! The fields are fixed where a span is opened; those that are known at its end are empty until then.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::time::Duration;

use thusfar_core::RepairKind;
use tracing::field::{Empty, display};
use tracing::{Level, Span, event, info_span};

use super::facts;
use super::labels::{Conventions, Labels};
use super::usage::Usage;
use super::{DROPPED, Measured};
use crate::asked::Asked;
use crate::lane::{Lane, LaneFailure, Outcome};
use crate::said::FinishClass;
use crate::session::Summary;

/// The name that an exporter is to give to the spans: it tells operation and model, which the name of a span in `tracing` cannot.
pub(super) fn name(labels: &Labels) -> String {
    let operation = labels.operation.as_str();
    labels.model.as_ref().map_or_else(|| operation.into(), |model| format!("{operation} {model}"))
}

/// Opens the span of one reply. Its parent is the span that the caller is in.
pub(super) fn open(labels: &Labels, name: &str) -> Span {
    let server = labels.server.as_ref();
    info_span!(
        target: "thusfar",
        "gen_ai.client.inference",
        otel.name = name,
        otel.kind = "client",
        otel.status_code = Empty,
        gen_ai.operation.name = labels.operation.as_str(),
        gen_ai.provider.name = &*labels.provider,
        gen_ai.request.model = labels.model.as_deref(),
        gen_ai.request.stream = true,
        gen_ai.request.choice.count = Empty,
        "gen_ai.output.type" = Empty,
        server.address = server.map(|(address, _)| &**address),
        server.port = server.map(|(_, port)| *port),
        gen_ai.response.finish_reasons = Empty,
        gen_ai.response.time_to_first_chunk = Empty,
        gen_ai.usage.input_tokens = Empty,
        gen_ai.usage.output_tokens = Empty,
        gen_ai.usage.cache_read.input_tokens = Empty,
        gen_ai.usage.cache_creation.input_tokens = Empty,
        gen_ai.usage.cache_write.input_tokens = Empty,
        gen_ai.usage.reasoning.output_tokens = Empty,
        "error.type" = Empty,
        thusfar.outcome = Empty,
        thusfar.dialect = Empty,
        thusfar.advice.reason = Empty,
        thusfar.advice.offset = Empty,
        thusfar.warnings = Empty,
        thusfar.lanes = Empty,
        thusfar.deltas = Empty,
        thusfar.text.size = Empty,
        thusfar.body.size = Empty,
        thusfar.chunks = Empty,
        thusfar.time_to_first_text = Empty,
        thusfar.duration = Empty,
    )
}

/// Notes what the request asks for.
pub(super) fn asked(span: &Span, asked: &Asked) {
    if asked.text.is_some() {
        span.record("gen_ai.output.type", "json");
    }
    if asked.choice_count != 1 {
        span.record("gen_ai.request.choice.count", asked.choice_count);
    }
}

/// The reply was let go before its end.
pub(super) fn dropped(span: &Span, measured: &Measured) {
    if !span.is_disabled() {
        span.record("thusfar.outcome", DROPPED);
        record_measured(span, measured);
    }
}

/// What a reply came to.
pub(super) fn finish(span: &Span, conventions: Conventions, summary: &Summary, elapsed: Duration, measured: &Measured) {
    if !span.is_disabled() {
        record_ending(span, summary);
        record_usage(span, conventions, &Usage::of(summary.usage()));
        record_measured(span, measured);
        span.record("thusfar.duration", elapsed.as_secs_f64());
    }
    span.in_scope(|| facts::judged(summary).for_each(|(lane, outcome)| tell_lane(&lane, outcome)));
}

fn record_ending(span: &Span, summary: &Summary) {
    span.record("thusfar.outcome", summary.outcome().as_str());
    if let Some(error) = facts::error_type(summary) {
        span.record("error.type", error);
        span.record("otel.status_code", "ERROR");
    }
    if let Some(provider) = summary.provider() {
        span.record("thusfar.dialect", provider.as_str());
    }
    if let Some((reason, at)) = summary.advice() {
        span.record("thusfar.advice.reason", reason.as_str());
        span.record("thusfar.advice.offset", at);
    }
    let reasons = finish_reasons(summary);
    if !reasons.is_empty() {
        span.record("gen_ai.response.finish_reasons", display(Listed(&reasons)));
    }
    if let Some(warnings) = counted(facts::all_warnings(summary)) {
        span.record("thusfar.warnings", display(warnings));
    }
    span.record("thusfar.lanes", summary.lanes().len() as u64);
    span.record("thusfar.deltas", summary.lanes().map(|lane| lane.delta_count()).sum::<u64>());
    span.record("thusfar.text.size", summary.lanes().map(|lane| lane.text_len()).sum::<u64>());
}

fn record_usage(span: &Span, conventions: Conventions, usage: &Usage) {
    let cache_write = match conventions {
        Conventions::V1_41 => "gen_ai.usage.cache_creation.input_tokens",
        Conventions::GenAi => "gen_ai.usage.cache_write.input_tokens",
    };
    let counts = [
        ("gen_ai.usage.input_tokens", usage.input),
        ("gen_ai.usage.output_tokens", usage.output),
        ("gen_ai.usage.cache_read.input_tokens", usage.cache_read),
        (cache_write, usage.cache_write),
        ("gen_ai.usage.reasoning.output_tokens", usage.reasoning),
    ];
    for (name, count) in counts {
        if let Some(count) = count {
            span.record(name, count);
        }
    }
}

fn record_measured(span: &Span, measured: &Measured) {
    span.record("thusfar.body.size", measured.body_bytes);
    span.record("thusfar.chunks", measured.chunk_count);
    if let Some(first) = measured.first_chunk {
        span.record("gen_ai.response.time_to_first_chunk", first.as_secs_f64());
    }
    if let Some(first) = measured.first_text {
        span.record("thusfar.time_to_first_text", first.as_secs_f64());
    }
}

/// An event for one judged lane: `DEBUG` with a document, `WARN` without.
fn tell_lane(lane: &Lane<'_>, outcome: &Outcome) {
    macro_rules! tell {
        ($level:expr, $message:literal) => {{
            let key = lane.key();
            let failure = outcome.failure();
            let reply = failure.and_then(LaneFailure::reply);
            let repairs = |kind| facts::repair_count(outcome, kind) as u64;
            event!(
                target: "thusfar",
                $level,
                thusfar.lane.kind = key.kind.as_str(),
                thusfar.lane.choice = key.choice,
                thusfar.lane.tool = key.tool,
                thusfar.lane.outcome = facts::lane_outcome(outcome),
                thusfar.failure.code = failure.map(LaneFailure::code),
                thusfar.failure.cause = reply.and_then(|failure| failure.cause()).map(|cause| cause.as_str()),
                thusfar.failure.offset = failure.map(LaneFailure::offset),
                thusfar.failure.decided_at = reply.map(|failure| failure.decided_at() as u64),
                thusfar.text.size = lane.text_len(),
                thusfar.deltas = lane.delta_count(),
                thusfar.repairs.escaped_delimiter = repairs(RepairKind::EscapedDelimiter),
                thusfar.repairs.escaped_whitespace = repairs(RepairKind::EscapedWhitespace),
                thusfar.repairs.comment = repairs(RepairKind::Comment),
                thusfar.repairs.trailing_comma = repairs(RepairKind::TrailingComma),
                thusfar.repairs.bracket_kind = repairs(RepairKind::BracketKind),
                thusfar.repairs.raw_control = repairs(RepairKind::RawControl),
                thusfar.repairs.not_kept = facts::unkept_repairs(outcome) as u64,
                thusfar.warnings = counted(facts::warnings(outcome)).map(display),
                $message
            );
        }};
    }
    if outcome.is_ok() {
        tell!(Level::DEBUG, "a lane has its document");
    } else {
        tell!(Level::WARN, "a lane has no document");
    }
}

/// Why each choice ended, by number, in the words of the conventions. A choice that did not say is an error there.
fn finish_reasons(summary: &Summary) -> Vec<&'static str> {
    let said = summary.finishes().iter().map(|finish| {
        // An empty word says nothing.
        let class = if finish.raw.is_empty() { FinishClass::Error } else { finish.class };
        (finish.choice, class)
    });
    let unsaid = summary.cut().choices_without_finish.iter().map(|choice| (*choice, FinishClass::Error));
    let mut all: Vec<_> = said.chain(unsaid).collect();
    all.sort_by_key(|(choice, _)| *choice);
    all.into_iter().map(|(_, class)| reason(class)).collect()
}

const fn reason(class: FinishClass) -> &'static str {
    match class {
        FinishClass::Stop => "stop",
        FinishClass::Tool => "tool_call",
        FinishClass::Length => "length",
        FinishClass::Filter => "content_filter",
        FinishClass::Error => "error",
        FinishClass::Abort => "abort",
        FinishClass::Unknown => "unknown",
    }
}

/// Codes and how often each of them came, in the order in which they came first.
fn counted(codes: impl Iterator<Item = &'static str>) -> Option<Counted> {
    let mut all: Vec<(&'static str, usize)> = Vec::new();
    for code in codes {
        match all.iter_mut().find(|(other, _)| *other == code) {
            Some((_, count)) => *count += 1,
            None => all.push((code, 1)),
        }
    }
    (!all.is_empty()).then_some(Counted(all))
}

/// `stop,length`: a field of `tracing` holds no list.
struct Listed<'a>(&'a [&'static str]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, word) in self.0.iter().enumerate() {
            write!(formatter, "{}{word}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// `lossy_number=2,stitched=1`.
struct Counted(Vec<(&'static str, usize)>);

impl fmt::Display for Counted {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (code, count)) in self.0.iter().enumerate() {
            write!(formatter, "{}{code}={count}", if place > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}
