//! A view only grows, and what follows it builds the document.
#![no_main]

use thusfar_testkit::law::{Input, live};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    live(&input);
});
