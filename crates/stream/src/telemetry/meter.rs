//! Metrics: handles that are made once, and what a reply adds to them.

use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::time::Duration;

use metrics::{Counter, Histogram, Key, KeyName, Label, Level, Metadata, SharedString, Unit, with_recorder};
use thusfar_core::RepairKind;

use super::facts;
use super::labels::{Conventions, Labels};
use super::names::{attribute, genai, llm, thusfar, v1_41};
use super::usage::Usage;
use super::{DROPPED, Measured, NOT_KEPT};
use crate::advice::Reason;
use crate::said::FinishClass;
use crate::session::{StreamOutcome, Summary};

static METADATA: Metadata<'static> = Metadata::new("thusfar", Level::INFO, Some(module_path!()));

/// A name and a value, neither of which the other side has written.
type Pair = (&'static str, &'static str);

/// What counters and histograms have in common: the labels of the caller.
struct Base(Vec<Label>);

impl Base {
    fn new(labels: &Labels) -> Self {
        let label = |key: &'static str, value: &str| Label::new(key, SharedString::from_shared(Arc::from(value)));
        let mut all = Vec::from([
            label(attribute::OPERATION_NAME, labels.operation.as_str()),
            label(attribute::PROVIDER_NAME, &labels.provider),
        ]);
        if let Some(model) = &labels.model {
            all.push(label(attribute::REQUEST_MODEL, model));
        }
        if let Some((address, port)) = &labels.server {
            all.push(label(attribute::SERVER_ADDRESS, address));
            all.push(label(attribute::SERVER_PORT, &port.to_string()));
        }
        Self(all)
    }

    fn key(&self, name: &'static str, more: &[Pair]) -> Key {
        let more = more.iter().map(|(key, value)| Label::new(*key, *value));
        Key::from_parts(name, self.0.iter().cloned().chain(more).collect::<Vec<_>>())
    }

    fn counter(&self, name: &'static str, more: &[Pair]) -> Counter {
        with_recorder(|recorder| recorder.register_counter(&self.key(name, more), &METADATA))
    }

    fn histogram(&self, name: &'static str, more: &[Pair]) -> Histogram {
        with_recorder(|recorder| recorder.register_histogram(&self.key(name, more), &METADATA))
    }
}

/// A counter for each value of one label.
struct Family {
    name: &'static str,
    label: &'static str,
    members: Vec<(&'static str, Counter)>,
}

impl Family {
    fn new(
        base: &Base,
        name: &'static str,
        label: &'static str,
        values: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let member = |value| (value, base.counter(name, &[(label, value)]));
        Self { name, label, members: values.into_iter().map(member).collect() }
    }

    fn count(&self, base: &Base, value: &'static str) {
        match self.members.iter().find(|(other, _)| *other == value) {
            Some((_, counter)) => counter.increment(1),
            None => base.counter(self.name, &[(self.label, value)]).increment(1),
        }
    }
}

/// Tokens, as each of the conventions counts them.
enum Tokens {
    V1_41 { input: Histogram, output: Histogram },
    GenAi { totals: [Counter; 5], input: Histogram, output: Histogram },
}

/// Handles for the replies of one provider and model.
pub(super) struct Meter {
    base: Base,
    /// Of the convention: how long a reply took, also of one that ended in an error; and tokens of it, where errors count.
    duration_name: &'static str,
    duration: Histogram,
    tokens: Tokens,
    pub(super) time_to_first_chunk: Histogram,
    pub(super) time_per_output_chunk: Histogram,
    pub(super) time_to_first_text: Histogram,
    body_bytes: Histogram,
    text_bytes: Histogram,
    deltas: Histogram,
    replies: Family,
    finishes: Family,
    advice: Family,
    repairs: Family,
    bracket_repair: Counter,
    pub(super) retry: Counter,
    pub(super) abandoned: Counter,
}

impl Meter {
    /// Makes all handles, with the recorder that is there now.
    pub(super) fn new(labels: &Labels, conventions: Conventions) -> Self {
        let base = Base::new(labels);
        let [duration, first, next] = match conventions {
            Conventions::V1_41 => [v1_41::DURATION, v1_41::TIME_TO_FIRST_CHUNK, v1_41::TIME_PER_OUTPUT_CHUNK],
            Conventions::GenAi => [genai::DURATION, genai::TIME_TO_FIRST_CHUNK, genai::TIME_PER_OUTPUT_CHUNK],
        };
        let outcomes = StreamOutcome::ALL.iter().map(|outcome| outcome.as_str()).chain([DROPPED]);
        let repairs = RepairKind::ALL.iter().map(|kind| kind.as_str()).chain([NOT_KEPT]);
        let plain = |name| base.histogram(name, &[]);
        Self {
            duration_name: duration,
            duration: plain(duration),
            tokens: Tokens::new(&base, conventions),
            time_to_first_chunk: plain(first),
            time_per_output_chunk: plain(next),
            time_to_first_text: plain(thusfar::TIME_TO_FIRST_TEXT),
            body_bytes: plain(thusfar::BODY_BYTES),
            text_bytes: plain(thusfar::TEXT_BYTES),
            deltas: plain(thusfar::DELTAS),
            replies: Family::new(&base, thusfar::REPLIES, attribute::OUTCOME, outcomes),
            finishes: Family::new(
                &base,
                thusfar::FINISHES,
                attribute::FINISH,
                FinishClass::ALL.map(FinishClass::as_str),
            ),
            advice: Family::new(&base, thusfar::ADVICE, attribute::REASON, Reason::ALL.map(Reason::as_str)),
            repairs: Family::new(&base, thusfar::REPAIRS, attribute::REPAIR, repairs),
            bracket_repair: base.counter(llm::JSON_BRACKET_REPAIR, &[]),
            retry: base.counter(llm::PARSE_RETRY, &[]),
            abandoned: base.counter(llm::PARSE_ABANDONED, &[]),
            base,
        }
    }

    /// Counts a reply of which nothing is known but that nobody waited for its end.
    pub(super) fn dropped(&self) {
        self.replies.count(&self.base, DROPPED);
    }

    /// Counts a reply.
    pub(super) fn finish(&self, summary: &Summary, elapsed: Duration, measured: &Measured) {
        let error = facts::error_type(summary);
        match error {
            None => self.duration.record(elapsed),
            Some(error) => {
                self.base.histogram(self.duration_name, &[(attribute::ERROR_TYPE, error)]).record(elapsed);
            }
        }
        self.tokens.count(&self.base, &Usage::of(summary.usage()), error);
        self.body_bytes.record(measured.body_bytes as f64);
        self.text_bytes.record(summary.lanes().map(|lane| lane.text_len()).sum::<u64>() as f64);
        self.deltas.record(summary.lanes().map(|lane| lane.delta_count()).sum::<u64>() as f64);
        self.count_outcomes(summary);
        self.count_repairs(summary);
        self.count_warnings(summary);
        for finish in summary.finishes() {
            self.finishes.count(&self.base, finish.class.as_str());
        }
        if let Some((reason, _)) = summary.advice() {
            self.advice.count(&self.base, reason.as_str());
        }
    }

    fn count_outcomes(&self, summary: &Summary) {
        let outcome = summary.outcome().as_str();
        let code = facts::judged(summary).find_map(|(_, outcome)| outcome.failure()).map(|failure| failure.code());
        match code {
            None => self.replies.count(&self.base, outcome),
            Some(code) => {
                let labels = [(attribute::OUTCOME, outcome), (attribute::FAILURE_CODE, code)];
                self.base.counter(thusfar::REPLIES, &labels).increment(1);
            }
        }
        for (lane, outcome) in facts::judged(summary) {
            let kind = (attribute::LANE_KIND, lane.key().kind.as_str());
            let came_to = (attribute::LANE_OUTCOME, facts::lane_outcome(outcome));
            let counter = match outcome.failure() {
                None => self.base.counter(thusfar::LANES, &[kind, came_to]),
                Some(failure) => {
                    let code = (attribute::FAILURE_CODE, failure.code());
                    self.base.counter(thusfar::LANES, &[kind, came_to, code])
                }
            };
            counter.increment(1);
        }
    }

    /// One count for each kind, in however many lanes and however often it was made.
    fn count_repairs(&self, summary: &Summary) {
        for kind in RepairKind::ALL {
            if facts::judged(summary).any(|(_, outcome)| facts::repair_count(outcome, kind) > 0) {
                self.repairs.count(&self.base, kind.as_str());
                if kind == RepairKind::BracketKind {
                    self.bracket_repair.increment(1);
                }
            }
        }
        if facts::judged(summary).any(|(_, outcome)| facts::unkept_repairs(outcome) > 0) {
            self.repairs.count(&self.base, NOT_KEPT);
        }
    }

    /// One count for each code.
    fn count_warnings(&self, summary: &Summary) {
        let mut seen = Vec::new();
        for code in facts::all_warnings(summary) {
            if !seen.contains(&code) {
                seen.push(code);
                self.base.counter(thusfar::WARNINGS, &[(attribute::WARNING, code)]).increment(1);
            }
        }
    }
}

impl Tokens {
    fn new(base: &Base, conventions: Conventions) -> Self {
        let typed = |value| base.histogram(v1_41::TOKEN_USAGE, &[(attribute::TOKEN_TYPE, value)]);
        let total = |name| base.counter(name, &[(attribute::TOKEN_MODALITY, "unknown")]);
        match conventions {
            Conventions::V1_41 => Tokens::V1_41 { input: typed("input"), output: typed("output") },
            Conventions::GenAi => Tokens::GenAi {
                totals: [
                    genai::INPUT_TOKENS,
                    genai::OUTPUT_TOKENS,
                    genai::CACHE_READ_INPUT_TOKENS,
                    genai::CACHE_WRITE_INPUT_TOKENS,
                    genai::REASONING_OUTPUT_TOKENS,
                ]
                .map(total),
                input: base.histogram(genai::OPERATION_INPUT_TOKENS, &[]),
                output: base.histogram(genai::OPERATION_OUTPUT_TOKENS, &[]),
            },
        }
    }

    /// 1.41 wants nothing where nothing is known, its successor wants a zero.
    fn count(&self, base: &Base, usage: &Usage, error: Option<&'static str>) {
        match self {
            Tokens::V1_41 { input, output } => {
                let record = |handle: &Histogram, count: Option<u64>| {
                    if let Some(count) = count {
                        handle.record(count as f64);
                    }
                };
                record(input, usage.input);
                record(output, usage.output);
            }
            Tokens::GenAi { totals, input, output } => {
                let counts = [usage.input, usage.output, usage.cache_read, usage.cache_write, usage.reasoning];
                for (total, count) in totals.iter().zip(counts) {
                    total.increment(count.unwrap_or(0));
                }
                let record = |handle: &Histogram, name, count: Option<u64>| {
                    let count = count.unwrap_or(0) as f64;
                    match error {
                        None => handle.record(count),
                        Some(error) => base.histogram(name, &[(attribute::ERROR_TYPE, error)]).record(count),
                    }
                };
                record(input, genai::OPERATION_INPUT_TOKENS, usage.input);
                record(output, genai::OPERATION_OUTPUT_TOKENS, usage.output);
            }
        }
    }
}

/// What kind of metric it is.
enum Kind {
    Counter,
    Histogram,
}

/// A metric, what it measures and in what.
type Description = (&'static str, Kind, Unit, &'static str);

use Kind::{Counter as C, Histogram as H};

const OF_V1_41: [Description; 4] = [
    (v1_41::DURATION, H, Unit::Seconds, "From the request to the end of the reply"),
    (v1_41::TIME_TO_FIRST_CHUNK, H, Unit::Seconds, "From the request to the first chunk"),
    (v1_41::TIME_PER_OUTPUT_CHUNK, H, Unit::Seconds, "From one chunk to the next"),
    (v1_41::TOKEN_USAGE, H, Unit::Count, "Tokens used, by type"),
];

const OF_GENAI: [Description; 10] = [
    (genai::DURATION, H, Unit::Seconds, "From the request to the end of the reply"),
    (genai::TIME_TO_FIRST_CHUNK, H, Unit::Seconds, "From the request to the first chunk"),
    (genai::TIME_PER_OUTPUT_CHUNK, H, Unit::Seconds, "From one chunk to the next"),
    (genai::INPUT_TOKENS, C, Unit::Count, "Tokens of prompts"),
    (genai::OUTPUT_TOKENS, C, Unit::Count, "Tokens of replies"),
    (genai::CACHE_READ_INPUT_TOKENS, C, Unit::Count, "Tokens of prompts that came from a cache"),
    (genai::CACHE_WRITE_INPUT_TOKENS, C, Unit::Count, "Tokens of prompts that went into a cache"),
    (genai::REASONING_OUTPUT_TOKENS, C, Unit::Count, "Tokens of reasoning"),
    (genai::OPERATION_INPUT_TOKENS, H, Unit::Count, "Tokens of the prompt of each request"),
    (genai::OPERATION_OUTPUT_TOKENS, H, Unit::Count, "Tokens of each reply"),
];

const OWN: [Description; 13] = [
    (thusfar::REPLIES, C, Unit::Count, "Replies, by outcome and failure code"),
    (thusfar::LANES, C, Unit::Count, "Judged lanes, by kind, outcome and failure code"),
    (thusfar::FINISHES, C, Unit::Count, "Choices, by the class of their end"),
    (thusfar::ADVICE, C, Unit::Count, "Replies with advice to hang up, by reason"),
    (thusfar::REPAIRS, C, Unit::Count, "Replies that needed a repair, by its kind"),
    (thusfar::WARNINGS, C, Unit::Count, "Replies with a warning, by its code"),
    (thusfar::TIME_TO_FIRST_TEXT, H, Unit::Seconds, "From the request to the first text"),
    (thusfar::BODY_BYTES, H, Unit::Bytes, "Bytes of the body"),
    (thusfar::TEXT_BYTES, H, Unit::Bytes, "Bytes of the text of all lanes"),
    (thusfar::DELTAS, H, Unit::Count, "Deltas with text"),
    (llm::JSON_BRACKET_REPAIR, C, Unit::Count, "Replies that needed a bracket of another kind"),
    (llm::PARSE_RETRY, C, Unit::Count, "Requests made again, since a reply could not be used"),
    (llm::PARSE_ABANDONED, C, Unit::Count, "Requests given up, since no reply could be used"),
];

/// Tells the recorder what each metric is, with its unit.
pub(super) fn describe(conventions: Conventions) {
    let of_convention: &[Description] = match conventions {
        Conventions::V1_41 => &OF_V1_41,
        Conventions::GenAi => &OF_GENAI,
    };
    with_recorder(|recorder| {
        for (name, kind, unit, text) in of_convention.iter().chain(&OWN) {
            let (name, text) = (KeyName::from_const_str(name), SharedString::const_str(text));
            match kind {
                Kind::Counter => recorder.describe_counter(name, Some(*unit), text),
                Kind::Histogram => recorder.describe_histogram(name, Some(*unit), text),
            }
        }
    });
}
