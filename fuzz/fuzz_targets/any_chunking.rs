//! However a reply is cut, a caller sees the same.
#![no_main]

use thusfar_testkit::law::{Input, any_chunking};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    any_chunking(&input);
});
