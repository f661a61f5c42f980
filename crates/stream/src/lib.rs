//! The wire of thusfar: bytes of any provider to events.
//!
//! Sans-IO: bytes are pushed as they come, in whatever pieces, and items are pulled out of each piece as soon as they
//! are certain. The items are the same however the body was cut.
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
#[cfg(feature = "futures")]
pub mod eventsource; // eventsource() on streams of bytes

pub use body::{Body, Framing};
pub use diagnosis::{BodyKind, Diagnosis};
pub use eof::Eof;
pub use error::{Error, ErrorKind};
pub use event::{Event, Item, WireError};
pub use limits::Limits;
