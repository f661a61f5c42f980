//! What replies came to, for `tracing` (feature `tracing`), for `metrics` (feature `metrics`), or for both: a span for each reply,
//! counts and times. Codes, lengths and offsets; nothing that the model, the provider or the client of a gateway wrote.
//!
//! A [`Telemetry`] is made once for each provider and model, and gives a [`ReplyTelemetry`] for each reply, which is driven beside
//! a [`Session`](crate::Session): told of each chunk, of each event, and of the end. There is no clock here: the caller says how
//! long ago the request was sent.
//!
//! ```
//! use std::time::Instant;
//! use thusfar_core::{Ending, Expect};
//! use thusfar_stream::telemetry::{Conventions, Labels, Telemetry};
//! use thusfar_stream::{Asked, Provider, Session, SessionOptions};
//!
//! // Once, behind the installation of a recorder of `metrics`.
//! Telemetry::describe(Conventions::V1_41);
//! let telemetry = Telemetry::new(Labels::of(Provider::OpenAi).model("gpt-4.1-mini"), Conventions::V1_41);
//!
//! // For each reply.
//! let asked = Asked::of_request(br#"{"response_format": {"type": "json_object"}}"#)?;
//! let mut session = Session::new(&SessionOptions::default().asked(asked));
//! let (sent, mut reply) = (Instant::now(), telemetry.reply(&asked));
//! for chunk in [
//!     &br#"data: {"choices":[{"index":0,"delta":{"content":"{\"ok\": true}"},"finish_reason":"stop"}]}"#[..],
//!     b"\n\ndata: [DONE]\n\n",
//! ] {
//!     reply.on_chunk(sent.elapsed(), chunk.len());
//!     if session.push(chunk, &mut |event| reply.on_event(&event)).is_cancel() {
//!         break;
//!     }
//! }
//! let summary = session.finish(Ending::Unknown, &mut |_| ());
//! reply.finish(&summary, sent.elapsed());
//! if !summary.lanes().all(|lane| lane.outcome().is_none_or(|outcome| outcome.is_ok())) {
//!     telemetry.count_retry(); // and ask again
//! }
//! # Ok::<(), thusfar_stream::NotARequest>(())
//! ```
//!
//! # Spans
//!
//! The span of a reply has the target `thusfar`, the level `INFO` and the name `gen_ai.client.inference`. The conventions want
//! `{operation} {model}`, and a span of `tracing` cannot have a name that is made up: it stands in the field `otel.name`, where
//! `tracing-opentelemetry` takes it from, as it takes `otel.kind` and `otel.status_code`. Its parent is the span in which
//! [`Telemetry::reply`] is called, and it closes when the reply is finished or dropped.
//!
//! | fields | |
//! |---|---|
//! | `gen_ai.operation.name` `gen_ai.provider.name` `gen_ai.request.model` `server.address` `server.port` | the caller's [`Labels`] |
//! | `gen_ai.request.stream` `gen_ai.request.choice.count` `gen_ai.output.type` | `true`; of [`Asked`], if not 1; `json` if it was asked for |
//! | `gen_ai.response.finish_reasons` | one of each choice, by class, joined by commas; `error` where one is missing |
//! | `gen_ai.response.time_to_first_chunk` | seconds |
//! | `gen_ai.usage.input_tokens` and `output_tokens` `cache_read.input_tokens` `reasoning.output_tokens`; `cache_creation.input_tokens`, with [`Conventions::GenAi`] `cache_write.input_tokens` | what the provider says, input with what was cached, output with reasoning |
//! | `error.type` `otel.status_code` | one of a fixed list, `_OTHER` for what is not on it, `truncated_cut` for a cut; `ERROR` |
//! | `thusfar.outcome` `thusfar.dialect` `thusfar.advice.reason` `thusfar.advice.offset` `thusfar.warnings` | codes; `no_json=2,lossy_number=1` |
//! | `thusfar.lanes` `thusfar.deltas` `thusfar.chunks` `thusfar.text.size` `thusfar.body.size` | counts, bytes |
//! | `thusfar.duration` `thusfar.time_to_first_text` | seconds |
//!
//! In it is one event for each judged lane, `DEBUG` with a document and `WARN` without: `thusfar.lane.kind`, `.choice`, `.tool` (its
//! number) and `.outcome`, `thusfar.failure.code`, `.cause`, `.offset` and `.decided_at` (bytes of the lane's text),
//! `thusfar.text.size`, `thusfar.deltas`, `thusfar.repairs.*` by kind, `thusfar.warnings`.
//!
//! Names of tools and IDs of calls are left out: the client and the model write them. So is the provider's word for an end or for
//! an error.
//!
//! # Metrics
//!
//! All have the labels `gen_ai.operation.name` and `gen_ai.provider.name`, with `gen_ai.request.model`, `server.address` and
//! `server.port` where they are known. In the last column is the name that `metrics-exporter-prometheus` 0.18 makes of it: what is
//! not a letter, digit, `_` or `:` becomes `_`. It adds `_total` to counters and the unit to histograms only where
//! `with_recommended_naming(true)` says so and the unit was [described](Telemetry::describe).
//!
//! | name | | more labels | for Prometheus | with recommended naming |
//! |---|---|---|---|---|
//! | `gen_ai.client.operation.duration` | s | `error.type` | `gen_ai_client_operation_duration` | `gen_ai_client_operation_duration_seconds` |
//! | `gen_ai.client.operation.time_to_first_chunk` | s | | `gen_ai_client_operation_time_to_first_chunk` | `gen_ai_client_operation_time_to_first_chunk_seconds` |
//! | `gen_ai.client.operation.time_per_output_chunk` | s | | `gen_ai_client_operation_time_per_output_chunk` | `gen_ai_client_operation_time_per_output_chunk_seconds` |
//! | `gen_ai.client.token.usage` | tokens | `gen_ai.token.type` | `gen_ai_client_token_usage` | `gen_ai_client_token_usage` |
//! | `gen_ai.client.inference.duration` | s | `error.type` | `gen_ai_client_inference_duration` | `gen_ai_client_inference_duration_seconds` |
//! | `gen_ai.client.inference.time_to_first_chunk` | s | | `gen_ai_client_inference_time_to_first_chunk` | `gen_ai_client_inference_time_to_first_chunk_seconds` |
//! | `gen_ai.client.inference.time_per_output_chunk` | s | | `gen_ai_client_inference_time_per_output_chunk` | `gen_ai_client_inference_time_per_output_chunk_seconds` |
//! | `gen_ai.client.inference.usage.input_tokens` | counter | `gen_ai.token.modality` | `gen_ai_client_inference_usage_input_tokens` | `gen_ai_client_inference_usage_input_tokens_total` |
//! | `gen_ai.client.inference.usage.output_tokens` | counter | `gen_ai.token.modality` | `gen_ai_client_inference_usage_output_tokens` | `gen_ai_client_inference_usage_output_tokens_total` |
//! | `gen_ai.client.inference.usage.cache_read.input_tokens` | counter | `gen_ai.token.modality` | `gen_ai_client_inference_usage_cache_read_input_tokens` | `gen_ai_client_inference_usage_cache_read_input_tokens_total` |
//! | `gen_ai.client.inference.usage.cache_write.input_tokens` | counter | `gen_ai.token.modality` | `gen_ai_client_inference_usage_cache_write_input_tokens` | `gen_ai_client_inference_usage_cache_write_input_tokens_total` |
//! | `gen_ai.client.inference.usage.reasoning.output_tokens` | counter | `gen_ai.token.modality` | `gen_ai_client_inference_usage_reasoning_output_tokens` | `gen_ai_client_inference_usage_reasoning_output_tokens_total` |
//! | `gen_ai.client.inference.operation.input_tokens` | tokens | `error.type` | `gen_ai_client_inference_operation_input_tokens` | `gen_ai_client_inference_operation_input_tokens` |
//! | `gen_ai.client.inference.operation.output_tokens` | tokens | `error.type` | `gen_ai_client_inference_operation_output_tokens` | `gen_ai_client_inference_operation_output_tokens` |
//! | `thusfar.replies` | counter | `thusfar.outcome` `thusfar.failure.code` | `thusfar_replies` | `thusfar_replies_total` |
//! | `thusfar.lanes` | counter | `thusfar.lane.kind` `thusfar.lane.outcome` `thusfar.failure.code` | `thusfar_lanes` | `thusfar_lanes_total` |
//! | `thusfar.finishes` | counter | `thusfar.finish` | `thusfar_finishes` | `thusfar_finishes_total` |
//! | `thusfar.advice` | counter | `thusfar.reason` | `thusfar_advice` | `thusfar_advice_total` |
//! | `thusfar.repairs` | counter | `thusfar.repair` | `thusfar_repairs` | `thusfar_repairs_total` |
//! | `thusfar.warnings` | counter | `thusfar.warning` | `thusfar_warnings` | `thusfar_warnings_total` |
//! | `thusfar.time_to_first_text` | s | | `thusfar_time_to_first_text` | `thusfar_time_to_first_text_seconds` |
//! | `thusfar.body.size` | bytes | | `thusfar_body_size` | `thusfar_body_size_bytes` |
//! | `thusfar.text.size` | bytes | | `thusfar_text_size` | `thusfar_text_size_bytes` |
//! | `thusfar.deltas` | histogram | | `thusfar_deltas` | `thusfar_deltas` |
//! | `llm/json_bracket_repair` | counter | | `llm_json_bracket_repair` | `llm_json_bracket_repair_total` |
//! | `llm/parse_retry` | counter | | `llm_parse_retry` | `llm_parse_retry_total` |
//! | `llm/parse_abandoned` | counter | | `llm_parse_abandoned` | `llm_parse_abandoned_total` |
//!
//! * **Values of labels are enums.** Nothing comes from the wire: an error is compared with a fixed list, an end is a class.
//! * **A repair is counted once for a reply**, for each kind, however often it was made and in however many lanes; in replies that
//!   failed too, as far as repairs were recorded. Where the text was not [kept](thusfar_core::Keep) only their number is known: such
//!   a reply is counted under `not_kept`, and not in `llm/json_bracket_repair`.
//! * **Counters begin with zero** for each outcome, end, reason and kind of repair, so that a rate sees the first one; codes of
//!   failures, warnings and errors appear with the first one.
//! * **Tokens** are recorded under 1.41 only where the provider told them; its successor wants a zero otherwise.
//!
//! # Costs
//!
//! A chunk costs two comparisons and a record of one histogram, whose handle is there already; an event one comparison; nothing is
//! allocated. The end of a reply allocates some, and looks up the counters of failures. Where the span is disabled nothing is put
//! together for it.

mod facts; // what is recorded of a summary
mod labels; // what the caller says
#[cfg(feature = "metrics")]
mod meter; // metrics
pub mod names; // every name, and where it comes from
#[cfg(feature = "tracing")]
mod span; // spans
mod usage; // counts of tokens

use alloc::sync::Arc;
use core::fmt;
use core::time::Duration;

pub use labels::{Conventions, Labels, Operation};

use crate::asked::Asked;
use crate::session::{SessionEvent, Summary};

/// The outcome of a reply that was dropped before its end.
pub(crate) const DROPPED: &str = "dropped";
/// The kind of repairs of which only the number was kept.
#[cfg(feature = "metrics")]
pub(crate) const NOT_KEPT: &str = "not_kept";

/// Whether a class of error is told by its name.
#[cfg(all(test, feature = "http-body"))]
pub(crate) fn is_known_error(class: &str) -> bool {
    facts::ERRORS.contains(&class)
}

/// Where the replies of one provider and model are recorded. A clone is another handle to the same.
///
/// See [the module](self) for an example.
#[derive(Clone)]
pub struct Telemetry {
    shared: Arc<Shared>,
}

struct Shared {
    labels: Labels,
    conventions: Conventions,
    #[cfg(feature = "tracing")]
    name: alloc::string::String,
    #[cfg(feature = "metrics")]
    meter: meter::Meter,
}

impl Telemetry {
    /// Makes what is needed once. Metrics go to the recorder that is installed now; without one they go nowhere, also later.
    #[must_use]
    pub fn new(labels: Labels, conventions: Conventions) -> Self {
        let shared = Shared {
            #[cfg(feature = "tracing")]
            name: span::name(&labels),
            #[cfg(feature = "metrics")]
            meter: meter::Meter::new(&labels, conventions),
            labels,
            conventions,
        };
        Self { shared: Arc::new(shared) }
    }

    /// Tells the recorder of `metrics` what each metric is, and its unit. Once, in front of the first [`Telemetry::new`].
    ///
    /// Does nothing without the feature `metrics`.
    pub fn describe(conventions: Conventions) {
        #[cfg(feature = "metrics")]
        meter::describe(conventions);
        #[cfg(not(feature = "metrics"))]
        let _ = conventions;
    }

    /// What it was made with.
    #[must_use]
    pub fn labels(&self) -> &Labels {
        &self.shared.labels
    }

    /// Which names are recorded.
    #[must_use]
    pub fn conventions(&self) -> Conventions {
        self.shared.conventions
    }

    /// Begins a reply: its span opens. `asked` is what the request asked for; by default one choice of text.
    pub fn reply(&self, asked: &Asked) -> ReplyTelemetry {
        #[cfg(feature = "tracing")]
        let span = span::open(&self.shared.labels, &self.shared.name);
        #[cfg(feature = "tracing")]
        span::asked(&span, asked);
        #[cfg(not(feature = "tracing"))]
        let _ = asked;
        ReplyTelemetry {
            shared: self.shared.clone(),
            measured: Measured::default(),
            is_finished: false,
            #[cfg(feature = "tracing")]
            span,
        }
    }

    /// Counts that the caller asks again, since a reply could not be used: `llm/parse_retry`.
    pub fn count_retry(&self) {
        #[cfg(feature = "metrics")]
        self.shared.meter.retry.increment(1);
    }

    /// Counts that the caller gives up, since no reply could be used: `llm/parse_abandoned`.
    pub fn count_abandoned(&self) {
        #[cfg(feature = "metrics")]
        self.shared.meter.abandoned.increment(1);
    }
}

impl fmt::Debug for Telemetry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Telemetry")
            .field("labels", &self.shared.labels)
            .field("conventions", &self.shared.conventions)
            .finish_non_exhaustive()
    }
}

/// What is measured while a reply comes.
#[derive(Clone, Copy, Debug, Default)]
struct Measured {
    first_chunk: Option<Duration>,
    first_text: Option<Duration>,
    last_chunk: Duration,
    chunk_count: u64,
    body_bytes: u64,
}

/// One reply, while it comes. Times are those since its request was sent.
///
/// Where it is dropped without [`finish`](ReplyTelemetry::finish), its outcome is `dropped`: so it goes with a future that is let go.
#[must_use = "a reply that is dropped at once has the outcome `dropped`"]
pub struct ReplyTelemetry {
    shared: Arc<Shared>,
    measured: Measured,
    is_finished: bool,
    #[cfg(feature = "tracing")]
    span: tracing::Span,
}

impl ReplyTelemetry {
    /// The span of the reply, to enter it or to record more of it.
    #[cfg(feature = "tracing")]
    #[must_use]
    pub const fn span(&self) -> &tracing::Span {
        &self.span
    }

    /// A chunk of the body has come, so many bytes. Called in front of [`Session::push`](crate::Session::push). An empty one is none.
    pub fn on_chunk(&mut self, elapsed: Duration, len: usize) {
        if len == 0 {
            return;
        }
        let measured = &mut self.measured;
        if measured.first_chunk.is_none() {
            measured.first_chunk = Some(elapsed);
            #[cfg(feature = "metrics")]
            self.shared.meter.time_to_first_chunk.record(elapsed);
        } else {
            #[cfg(feature = "metrics")]
            self.shared.meter.time_per_output_chunk.record(elapsed.saturating_sub(measured.last_chunk));
        }
        measured.last_chunk = elapsed;
        measured.chunk_count += 1;
        measured.body_bytes += len as u64;
    }

    /// Something has happened in the stream. Only its first text is looked at; its time is that of the last chunk.
    #[inline]
    pub fn on_event(&mut self, event: &SessionEvent<'_>) {
        if self.measured.first_text.is_none() && matches!(event, SessionEvent::Text(..)) {
            self.measured.first_text = Some(self.measured.last_chunk);
            #[cfg(feature = "metrics")]
            self.shared.meter.time_to_first_text.record(self.measured.last_chunk);
        }
    }

    /// The reply has come to its end.
    pub fn finish(mut self, summary: &Summary, elapsed: Duration) {
        self.is_finished = true;
        #[cfg(feature = "metrics")]
        self.shared.meter.finish(summary, elapsed, &self.measured);
        #[cfg(feature = "tracing")]
        span::finish(&self.span, self.shared.conventions, summary, elapsed, &self.measured);
    }
}

impl Drop for ReplyTelemetry {
    fn drop(&mut self) {
        if self.is_finished {
            return;
        }
        #[cfg(feature = "metrics")]
        self.shared.meter.dropped();
        #[cfg(feature = "tracing")]
        span::dropped(&self.span, &self.measured);
    }
}

impl fmt::Debug for ReplyTelemetry {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReplyTelemetry").field("measured", &self.measured).finish_non_exhaustive()
    }
}
