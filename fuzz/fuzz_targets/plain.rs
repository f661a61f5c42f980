//! Whether much is read at once or little, a sink is told the same.
#![no_main]

use thusfar_testkit::law::{Input, plain};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    plain(&input);
});
