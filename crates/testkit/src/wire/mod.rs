//! The wire, tested: the same items however a body is cut, each out with the chunk that ends it.
//!
//! [`check_wire`] holds every decoder of the table [`ALL`] to that. A decoder that has a twin (a slow reader of whole
//! bodies, written from the specification alone) must also say what the twin says, of every beginning of the body.

mod record; // what a decoder said, owned
mod twin; // event streams, read slowly
mod decoder; // the decoders, one entry each
mod check; // one body under every way of cutting it
mod bodies; // bodies that look like event streams
mod law; // what holds for every body, for the fuzzer

pub use bodies::{checksum, event_stream, frames, json};
pub use check::{check_wire, cut_by};
pub use decoder::{ALL, Decoder, SSE, Wire, named};
pub use law::{Input, any_cut};
pub use record::{End, Report, Said, Stray};
pub use twin::{Told, is_whole_data};
