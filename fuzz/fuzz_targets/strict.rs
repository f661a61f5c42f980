//! The reader and `serde_json` accept the same, and read the same in a document.
#![no_main]

use thusfar_testkit::law::{Input, strict};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    strict(&input);
});
