//! What a sink is told tiles the reply, and is the document.
#![no_main]

use thusfar_testkit::law::{Input, cleaned};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    cleaned(&input);
});
