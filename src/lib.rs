//! Reads a language model's reply while it arrives: a strict JSON document, or a failure that says what broke and where.
//!
//! Nothing is returned that the model did not write. Six kinds of damage are undone where that cannot change the
//! meaning, and each repair is recorded; where a text has two readings the answer is a failure, and none is picked.
//!
//! ```
//! use thusfar::{Ending, Expect, Reply};
//!
//! let mut reply = Reply::new(Expect::object());
//! for chunk in ["Here: {\"winner\": \"B\", \"sco", "re\": 8.2", "5,}"] {
//!     if reply.push(chunk).is_decided() {
//!         break; // hang up on the provider here
//!     }
//! }
//! let document = reply.finish(Ending::Stop)?;
//! assert_eq!(document.text(), r#"{"winner": "B", "score": 8.25}"#);
//! assert_eq!(document.repairs().len(), 1);
//! # Ok::<(), thusfar::Failure>(())
//! ```
//!
//! A failure names its kind, a stable code, the byte, line and column, and the path of what was open:
//!
//! ```
//! use thusfar::{Ending, Expect, FailureKind, Reply};
//!
//! let mut reply = Reply::new(Expect::object());
//! let _ = reply.push("{\"items\": [{\"name\": \"lam");
//! let failure = reply.finish(Ending::Length).unwrap_err();
//! assert_eq!(failure.kind(), FailureKind::Truncated);
//! assert_eq!((failure.code().as_str(), failure.path()), ("open_string", "/items/0/name"));
//! assert_eq!(failure.to_string(), "cut inside a string at byte 24 (line 1, column 25)");
//! ```
//!
//! While it comes the document can be looked at: nothing is shown that was not written, and what is shown only grows.
//!
//! ```
//! use thusfar::{Elements, Expect, Reply};
//!
//! let mut reply = Reply::live(Expect::object());
//! let mut items = Elements::new("/items/-")?;
//! let _ = reply.push("{\"items\": [{\"id\": 1}, {\"id\": 12");
//! assert_eq!(reply.view().json().as_deref(), Some("{\"items\": [{\"id\": 1}, {}]}")); // it may become 123
//! assert_eq!(items.next(&reply.view()).map(|item| item.pointer()).as_deref(), Some("/items/0"));
//! assert!(items.next(&reply.view()).is_none());
//! # Ok::<(), thusfar::PointerError>(())
//! ```
//!
//! # Where to begin
//!
//! * [`read`] for a reply that is there as a whole; [`Reply`] for one that arrives.
//! * [`Expect`] says what is expected: the kind of root, which of several documents, repairs, [`Limits`].
//! * [`Document`] and [`Failure`] are the two answers.
//! * [`Live`] has a [`View`] of what is known so far; [`Elements`] and [`Changes`] follow it.
//! * [`Scanner`] and [`Sink`] are the layer below: events and pieces without the text.
//!
//! # Features
//!
//! All are off. A feature adds items and never changes what a call does. The crate is `#![no_std]` and needs `alloc`.
//!
//! * `bytes`: `read_bytes` reads a whole reply in one `Bytes` without copying it.
//! * `sha2`: where the text is not kept, and in objects of more than 32 keys, values and keys are compared by digests that the
//!   instructions of the processor make: up to 2.4 times as fast, and eight crates more. It adds no item.
//! * `futures`: `stream::eventsource` gives streams of bytes the method `eventsource()`, in place of the crate
//!   `eventsource-stream`; `stream::session_stream` and `stream::element_stream` read completions in them.
//! * `http-body`: `stream::tap`, a body of HTTP that is watched while it goes on to a client.
//! * `aws`: AWS event-stream frames, which Bedrock sends, in [`stream`].
//! * `tracing`, `metrics`: `stream::telemetry` records what replies came to; codes, lengths and times, and never text.
//! * `contract`: a JSON Schema checked, calls that a model printed as text found, the failure diagnosed, and what to say or do next. It
//!   brings `jsonschema`, without its network.
//! * `schemars`: `Contract::of::<T>()`, the schema of a Rust type.
//! * `std`: the search for line ends in [`stream`] chooses the widest vectors of the processor at run time. It adds no
//!   item.
//!
//! # What is deliberately absent
//!
//! This crate holds no code of its own: it re-exports [`thusfar_core`], [`thusfar_stream`] as [`stream`], and `thusfar_contract` as
//! `contract`.
#![no_std]
#![forbid(unsafe_code)]

// A reply: what is expected, what is pushed, what ended it.
#[cfg(feature = "bytes")]
pub use thusfar_core::read_bytes;
pub use thusfar_core::{Ending, Expect, Keep, Progress, Reply, Root, Take, Verbatim, read};

// The answers.
pub use thusfar_core::{
    Cause, Code, Document, Failure, FailureKind, Frame, Position, Repair, RepairKind, Span, Verdict, Warning,
    WarningKind,
};

// What is known so far.
pub use thusfar_core::{
    Change, ChangeKind, Changes, Cursor, Elements, Live, Node, Partial, PointerError, Tree, ValueKind, ValueState, View,
};

// Limits and guards.
pub use thusfar_core::{FEWEST_COPIES, GUARD_STRIDE, LEAST_WHITE_SPACE, LONGEST_PERIOD, Limits};

// The layer below: a scanner and whoever listens.
pub use thusfar_core::{Edit, Event, Flow, Kind, Listener, Part, Piece, Place, Scanner, Sink};

// The wire.
pub use thusfar_stream as stream;

// What a reply must hold.
#[cfg(feature = "contract")]
pub use thusfar_contract as contract;

/// The pages for whoever comes from another library are tests, before and after.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/from-json_repair.md")]
    struct FromJsonRepair;
    #[doc = include_str!("../docs/from-jiter.md")]
    struct FromJiter;
    #[doc = include_str!("../docs/from-eventsource-stream.md")]
    struct FromEventsourceStream;
}

/// The examples of the README are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
