//! The machine and the naive twin give one answer. The twin is quadratic: short replies only.
#![no_main]

use thusfar_testkit::law::{Input, same_as_the_twin};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| if let Some(input) = Input::of(bytes) {
    same_as_the_twin(&input);
});
