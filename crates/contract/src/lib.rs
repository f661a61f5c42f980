//! What a reply must hold, and what to do when it does not: a JSON Schema checked, calls that a model printed as text found and checked,
//! verdicts and scores read out of prose, the failure diagnosed, and the one thing to say or do next.
//!
//! Each part is usable alone. A [`Contract`] is a compiled schema; [`Contract::check`] lists what a document breaks, in words that can
//! be sent back. [`Tools`] are those that a request offers; [`Tools::rescue`] finds their calls in text. [`Signals`] are what a judge is to say;
//! [`Signals::begin`] reads them while the reply arrives. No I/O: nothing is fetched, nobody is asked, no clock is read.
//!
//! ```
//! use thusfar_contract::Contract;
//! use thusfar_core::{Expect, read};
//!
//! let contract = Contract::from_schema(r#"{"properties": {"confidence": {"maximum": 100}}}"#)?;
//! let document = read("Here you are: {\"confidence\": 150}", Expect::object())?;
//! let check = contract.check(&document);
//! let [violation] = check.violations() else { panic!("one") };
//! assert_eq!(violation.message(), "`/confidence` must be at most 100; you returned 150");
//! assert_eq!((violation.path(), violation.start()), ("/confidence", 29));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Nothing is coerced, cast, defaulted, clamped or unwrapped: what the model wrote is valid, or it is not.
#![forbid(unsafe_code)]

mod shown; // text of a model as a prompt may hold it
mod violation; // what is wrong with a value, and the sentence that says so
mod schema; // a schema, compiled: the judge, its options and limits
mod places; // where the values of a document stand
mod contract; // all of it behind one type
mod element; // one value of a document, when it has closed
mod monitor; // the same while the reply arrives
mod monitored; // a check that knows what was heard
mod tools; // tools that are offered, and calls printed as text
mod signals; // verdicts, scores and flags in prose
mod feedback; // what to put into a re-ask
mod words; // the texts of re-asks
mod diagnosis; // what was wrong, in one word
mod remedy; // the one cure
mod retry; // when to call again, with what, and when to stop

pub use contract::{Check, Contract, EngineLimit, Lossy, NotAccepted};
pub use diagnosis::{Case, Diagnosis, NoReply};
pub use feedback::{Excerpt, Feedback, Quote, window};
pub use monitor::{Coverage, CoverageCounts, Covered, Monitor, MonitorLimits};
pub use remedy::{Continuation, Remedy, tail};
pub use retry::{Attempt, Budget, Call, Confidence, Counter, Reason, Repaired, Retry, RetryOptions, Step};
pub use schema::{Draft, Patterns, SchemaError, SchemaErrorKind, SchemaLimits, SchemaOptions};
pub use signals::{
    Candidate, ExtractOptions, Extracted, Extraction, Signal, SignalCode, SignalOutcome, SignalType, SignalValue,
    Signals, SpecError, Via, Which,
};
pub use tools::{
    CallCode, CallOutcome, Dialect, RefusedCall, Rescue, RescueOptions, Rescued, Tool, ToolCall, Tools, ToolsError,
    When,
};
pub use violation::{Timing, Violation};
pub use words::{Filling, Wording, Words, WordsError};
