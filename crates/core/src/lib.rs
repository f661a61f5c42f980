//! The engine of thusfar: text to a strict JSON document or an honest failure, chunk by chunk.
//!
//! Two layers. A [`Scanner`] reads each byte once with O(depth) state and tells a [`Sink`] what it is; it keeps no text. A [`Reply`]
//! keeps the text and judges what needs it: which of several documents, duplicate keys, repetition, the document's text.
//! [`read`] is both for a reply that is there as a whole.
//!
//! ```
//! use thusfar_core::{Ending, Expect, Reply};
//!
//! let mut reply = Reply::new(Expect::object());
//! for chunk in ["Sure: {\"id\": 4", "2, \"tags\": [\"a\",", "]}"] {
//!     if reply.push(chunk).is_decided() {
//!         break;
//!     }
//! }
//! let document = reply.finish(Ending::Stop)?;
//! assert_eq!(document.text(), "{\"id\": 42, \"tags\": [\"a\"]}");
//! # Ok::<(), thusfar_core::Failure>(())
//! ```
//!
//! What is deliberately absent: I/O, async, providers, clocks, threads, random numbers, and guesses.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod class; // const byte tables beside the grammar they quote
mod span; // offsets, spans, line and column on request
mod utf8; // bytes to text across chunks
mod later; // room that is made when it is needed
mod number; // how large a number is
mod ending; // what ended a reply, what to do after a push
mod limits; // every limit, its name and default
mod repair; // the repairs: what they are
mod expect; // what the caller expects
mod raw; // the text of a reply, or what is kept of it
mod failure; // why not, where, what was open
mod sink; // events, trait Sink
mod listener; // a sink whose type is not known
mod tree; // the values of the document that is open
mod pieces; // what each byte is
#[doc(hidden)]
pub mod locate; // prose, reasoning, fences, what stands behind a root
mod skim; // short chunks of an array of numbers
mod scan; // the machine: one function per state
mod edits; // the edits and the text they give
mod value; // values compared
mod view; // what is known so far
mod changes; // what has come since
mod elements; // values handed out as they close
mod warnings; // legal, but probably not meant
mod document; // the finished text
mod trace; // the path and the frames of a failure
mod sha; // SHA-256
mod digest; // values by digest
mod index; // many digests, searched
mod choose; // which document
mod keys; // two equal keys in one object
mod ledger; // the same where no text is kept
mod desk; // what is judged as the scanner speaks
mod guard; // repetition
mod reply; // all of it behind push
mod answer; // and behind finish
mod stitch; // going on after a cut
mod live; // a reply with its view

pub use answer::read;
#[cfg(feature = "bytes")]
pub use answer::read_bytes;
pub use changes::{Change, ChangeKind, Changes, Cursor};
pub use document::{Document, Verdict};
pub use elements::{Elements, PointerError};
pub use ending::{Cause, Ending, Progress};
pub use expect::{Expect, Keep, Root, Take};
pub use failure::{Code, Failure, FailureKind, Frame};
pub use limits::{FEWEST_COPIES, GUARD_STRIDE, LEAST_WHITE_SPACE, LONGEST_PERIOD, Limits};
pub use listener::Listener;
pub use live::{Live, Partial};
pub use repair::{Repair, RepairKind};
pub use reply::Reply;
pub use scan::Scanner;
pub use sink::{Edit, Event, Flow, Kind, Part, Piece, Place, Sink};
pub use span::{Position, Span};
pub use stitch::Verbatim;
pub use tree::Tree;
pub use view::{Node, ValueKind, ValueState, View};
pub use warnings::{Warning, WarningKind};
