//! The wire of thusfar: bytes of any provider to events, lanes and replies.
//!
//! Sans-IO: this crate will decode server-sent events and newline-delimited JSON, read the deltas of each provider, and
//! feed one [`thusfar_core::Reply`] per judged lane. It holds this front page so far; the engine is in `thusfar-core`.
//!
//! What is deliberately absent: sockets, clocks, threads and async. Adapters for futures and HTTP bodies will stand
//! behind features.
#![no_std]
#![forbid(unsafe_code)]
