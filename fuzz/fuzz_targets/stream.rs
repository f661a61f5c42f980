//! However a body is cut, a stream tells the same and comes to the same.
#![no_main]

use thusfar_testkit::stream_law::{Input, any_cut};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    any_cut(&input);
});
