//! Tests of the dialects: recorded and made streams against what they should come to, and single events.

extern crate std;

mod assemble; // a small, naive session
mod events; // single events and what they say
mod streams; // whole bodies
