//! However the bytes of the wire are cut, a caller sees the same, and of an event stream what the naive twin says.
#![no_main]

use thusfar_testkit::wire::{Input, any_cut};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    any_cut(&input);
});
