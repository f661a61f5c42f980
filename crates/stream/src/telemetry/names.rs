//! Every name that is recorded, and where it comes from.
//!
//! The conventions for generative AI are in development and have moved: [`v1_41`] are the names as they were published last among
//! OpenTelemetry's own, [`genai`] those of the repository that they moved to. A caller chooses one, by
//! [`Conventions`](super::Conventions).

/// The semantic conventions 1.41.0, `docs/gen-ai/gen-ai-metrics.md`: the last that hold names for generative AI.
///
/// The crate `opentelemetry-semantic-conventions` 0.33.1 (schema 1.42.0) has the same names, marked as moved.
pub mod v1_41 {
    /// From the request to the end of the reply. Histogram, `s`.
    pub const DURATION: &str = "gen_ai.client.operation.duration";
    /// From the request to the first chunk. Histogram, `s`.
    pub const TIME_TO_FIRST_CHUNK: &str = "gen_ai.client.operation.time_to_first_chunk";
    /// From one chunk to the next. Histogram, `s`.
    pub const TIME_PER_OUTPUT_CHUNK: &str = "gen_ai.client.operation.time_per_output_chunk";
    /// Tokens, by [`TOKEN_TYPE`](super::attribute::TOKEN_TYPE). Histogram, `{token}`.
    pub const TOKEN_USAGE: &str = "gen_ai.client.token.usage";
}

/// The repository `semantic-conventions-genai`, `docs/gen-ai/client-inference.md` and `gen-ai-token-metrics.md`, at commit
/// 024a4f944a12: it has no release with these names yet, and they may change.
pub mod genai {
    /// From the request to the end of the reply. Histogram, `s`.
    pub const DURATION: &str = "gen_ai.client.inference.duration";
    /// From the request to the first chunk. Histogram, `s`.
    pub const TIME_TO_FIRST_CHUNK: &str = "gen_ai.client.inference.time_to_first_chunk";
    /// From one chunk to the next. Histogram, `s`.
    pub const TIME_PER_OUTPUT_CHUNK: &str = "gen_ai.client.inference.time_per_output_chunk";
    /// Tokens of the prompt, those from a cache among them. Counter, `{token}`.
    pub const INPUT_TOKENS: &str = "gen_ai.client.inference.usage.input_tokens";
    /// Tokens of the reply, those of reasoning among them. Counter, `{token}`.
    pub const OUTPUT_TOKENS: &str = "gen_ai.client.inference.usage.output_tokens";
    /// Tokens of the prompt that came from a cache. Counter, `{token}`.
    pub const CACHE_READ_INPUT_TOKENS: &str = "gen_ai.client.inference.usage.cache_read.input_tokens";
    /// Tokens of the prompt that went into a cache. Counter, `{token}`.
    pub const CACHE_WRITE_INPUT_TOKENS: &str = "gen_ai.client.inference.usage.cache_write.input_tokens";
    /// Tokens of reasoning. Counter, `{token}`.
    pub const REASONING_OUTPUT_TOKENS: &str = "gen_ai.client.inference.usage.reasoning.output_tokens";
    /// Tokens of the prompt of each request. Histogram, `{token}`.
    pub const OPERATION_INPUT_TOKENS: &str = "gen_ai.client.inference.operation.input_tokens";
    /// Tokens of each reply. Histogram, `{token}`.
    pub const OPERATION_OUTPUT_TOKENS: &str = "gen_ai.client.inference.operation.output_tokens";
}

/// What no convention has a name for.
pub mod thusfar {
    /// Replies, by [`OUTCOME`](super::attribute::OUTCOME); of those with a judged lane that failed, by the code of the first of
    /// them too. Counter.
    pub const REPLIES: &str = "thusfar.replies";
    /// Judged lanes, by kind, outcome and code. Counter.
    pub const LANES: &str = "thusfar.lanes";
    /// Choices, by the class of their end. Counter.
    pub const FINISHES: &str = "thusfar.finishes";
    /// Replies with advice to hang up, by reason. Counter.
    pub const ADVICE: &str = "thusfar.advice";
    /// Replies that needed a repair, by its kind: one for each kind, however often it was made. Counter.
    pub const REPAIRS: &str = "thusfar.repairs";
    /// Replies with a warning, by its code: one for each code. Counter.
    pub const WARNINGS: &str = "thusfar.warnings";
    /// From the request to the first text of any lane. Histogram, `s`.
    pub const TIME_TO_FIRST_TEXT: &str = "thusfar.time_to_first_text";
    /// Bytes of the body. Histogram, `By`.
    pub const BODY_BYTES: &str = "thusfar.body.size";
    /// Bytes of the text of all lanes. Histogram, `By`.
    pub const TEXT_BYTES: &str = "thusfar.text.size";
    /// Deltas with text, of all lanes. Histogram.
    pub const DELTAS: &str = "thusfar.deltas";
}

/// Counters that are older than this crate: dashboards know them by these names.
pub mod llm {
    /// Replies that needed a bracket of another kind.
    pub const JSON_BRACKET_REPAIR: &str = "llm/json_bracket_repair";
    /// The caller asked again, since a reply could not be used.
    pub const PARSE_RETRY: &str = "llm/parse_retry";
    /// The caller gave up.
    pub const PARSE_ABANDONED: &str = "llm/parse_abandoned";
}

/// Attributes: labels of metrics, fields of spans.
pub mod attribute {
    /// `chat`, `generate_content` or `text_completion`.
    pub const OPERATION_NAME: &str = "gen_ai.operation.name";
    /// Whose API it is.
    pub const PROVIDER_NAME: &str = "gen_ai.provider.name";
    /// The model that was asked for.
    pub const REQUEST_MODEL: &str = "gen_ai.request.model";
    /// `input` or `output`; only in [`v1_41`](super::v1_41).
    pub const TOKEN_TYPE: &str = "gen_ai.token.type";
    /// Always `unknown`; only in [`genai`](super::genai).
    pub const TOKEN_MODALITY: &str = "gen_ai.token.modality";
    /// The class of an error: one of a fixed list.
    pub const ERROR_TYPE: &str = "error.type";
    /// The server.
    pub const SERVER_ADDRESS: &str = "server.address";
    /// Its port.
    pub const SERVER_PORT: &str = "server.port";
    /// What a stream came to: [`StreamOutcome::as_str`](crate::StreamOutcome::as_str), or `dropped`.
    pub const OUTCOME: &str = "thusfar.outcome";
    /// The code of a failure: [`LaneFailure::code`](crate::LaneFailure::code).
    pub const FAILURE_CODE: &str = "thusfar.failure.code";
    /// Which voice a lane is: [`LaneKind::as_str`](crate::LaneKind::as_str).
    pub const LANE_KIND: &str = "thusfar.lane.kind";
    /// `document`, `verdict`, `no_arguments`, or the kind of failure; of a veto, its code.
    pub const LANE_OUTCOME: &str = "thusfar.lane.outcome";
    /// Why a choice ended: [`FinishClass::as_str`](crate::FinishClass::as_str).
    pub const FINISH: &str = "thusfar.finish";
    /// Why to hang up: [`Reason::as_str`](crate::Reason::as_str).
    pub const REASON: &str = "thusfar.reason";
    /// A kind of repair; `not_kept` where only their number is known.
    pub const REPAIR: &str = "thusfar.repair";
    /// The code of a warning.
    pub const WARNING: &str = "thusfar.warning";
}

/// Upper ends of buckets for histograms of seconds, as both conventions advise for the duration.
pub const SECONDS: [f64; 14] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];

/// Upper ends of buckets for histograms of tokens, as the conventions advise.
pub const TOKENS: [f64; 14] = [
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262_144.0,
    1_048_576.0,
    4_194_304.0,
    16_777_216.0,
    67_108_864.0,
];
