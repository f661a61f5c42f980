//! A document read again is itself and needs no repair.
#![no_main]

use thusfar_testkit::law::{Input, reread};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    reread(&input);
});
