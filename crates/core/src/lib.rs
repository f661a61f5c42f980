//! The engine of thusfar: text to a strict JSON document or an honest failure, chunk by chunk.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod choose; // which document
mod class; // const byte tables beside the grammar they quote
mod document; // the finished text
mod edits; // the edits and the text they give
mod ending; // what ended a reply, what to do after a push
mod expect; // what the caller expects
mod failure; // why not, where, what was open
mod guard; // repetition
mod keys; // two equal keys in one object
mod limits; // every limit, its name and default
mod locate; // prose, reasoning, fences, what stands behind a root
mod number; // how large a number is
mod pieces; // what each byte is
mod repair; // the repairs: what, as what edit
mod reply;
mod scan; // the machine: one function per state
mod sink; // events, trait Sink
mod span; // offsets, spans, line and column on request
mod trace; // the path and the frames of a failure
mod utf8; // bytes to text across chunks
mod value; // values compared
mod warnings; // legal, but probably not meant // all of it behind push and finish

pub use document::Document;
pub use ending::{Cause, Ending, Progress};
pub use expect::{Expect, Root, Take};
pub use failure::{Code, Failure, FailureKind, Frame};
pub use limits::{FEWEST_COPIES, GUARD_STRIDE, LONGEST_PERIOD, Limits};
pub use repair::{Repair, RepairKind};
#[cfg(feature = "bytes")]
pub use reply::read_bytes;
pub use reply::{Reply, read};
pub use scan::Scanner;
pub use sink::{Edit, Event, Flow, Kind, Part, Piece, Place, Sink};
pub use span::{Position, Span};
pub use warnings::{Warning, WarningKind};
