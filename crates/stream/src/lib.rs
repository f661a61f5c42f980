//! The wire of thusfar: bytes of any provider to events, lanes and replies.
//!
//! Sans-IO: bytes are pushed as they come, in whatever pieces, and what they say is told as soon as it is certain. It is the
//! same however the body was cut.
//!
//! * [`Session`] reads a streaming completion: one lane for each voice, how it ended, when to hang up.
//! * [`Body`], or one of [`sse`], [`ndjson`], [`array`](mod@array) and `aws`, gives the events alone.
//! * `eventsource` (feature `futures`) gives them from a stream of bytes; `session_stream` what a [`Session`] tells, `element_stream` the
//!   elements of documents.
//! * `telemetry` (features `tracing`, `metrics`) records what replies came to: codes, lengths and times.
//! * `tap` (feature `http-body`) watches a body that goes on to somebody else, and ends it with an error where that is asked for.
//!
//! What is deliberately absent: sockets, clocks, threads, reconnecting. Async stands behind features.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod limits; // every limit, its name and default
mod error; // what ends the decoding
mod event; // what is handed out
mod json; // whole JSON texts
mod buffer; // what waits for its end
pub mod diagnosis; // what a body is that holds no events
mod stray; // lines that are no events
mod eof; // what was left at the end
pub mod sse; // server-sent events
pub mod ndjson; // JSON texts on lines
pub mod array; // the elements of a JSON array
#[cfg(feature = "aws")]
pub mod aws; // AWS event-stream frames
mod body; // whichever of them a body is
mod facts; // what an event says
mod walk; // the path scanner
mod said; // what it means
mod provider; // the dialects
mod text; // the text of a delta
mod lane; // the lanes of a stream
mod template; // learned templates
mod extract; // the facts of an event, fast
mod advice; // what to do with the upstream, and why
mod asked; // what a request asks for
mod session; // all of it, from the first byte to the last
#[cfg(feature = "futures")]
pub mod eventsource; // eventsource() on streams of bytes
#[cfg(feature = "futures")]
pub mod session_stream; // what happens in streams of bytes
#[cfg(feature = "futures")]
pub mod element_stream; // the elements of documents in streams of bytes
#[cfg(any(feature = "tracing", feature = "metrics"))]
pub mod telemetry; // spans and metrics of replies
#[cfg(feature = "http-body")]
pub mod tap; // a body that goes on to somebody else, watched

pub use advice::{Advice, Reason};
pub use asked::{Asked, NotARequest};
pub use body::{Body, Framing};
pub use diagnosis::{BodyKind, Diagnosis};
pub use eof::Eof;
pub use error::{Error, ErrorKind};
pub use event::{Event, Item, WireError};
pub use lane::{
    Fault, FaultCode, Lane, LaneError, LaneFailure, LaneKey, LaneLimits, LaneOptions, Listeners, Outcome, Watch,
};
pub use limits::Limits;
pub use provider::Provider;
pub use said::{FinishClass, LaneKind};
pub use session::{Cut, Finish, Session, SessionEvent, SessionOptions, StreamOutcome, StreamWarning, Summary};
pub use text::{Damage, DamageKind};
pub use thusfar_core::Root;
