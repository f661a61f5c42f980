//! However a reply is cut, the same signals are read from it, at the same byte.
#![no_main]

use std::sync::LazyLock;

use thusfar_core::Ending;

#[path = "../../crates/contract/tests/signals/extracted.rs"]
#[allow(dead_code)] // rows are read with more of it
mod extracted; // what a reply comes to under every cut

use extracted::Asked;

/// A target of every type, and of every way to choose.
static ASKED: LazyLock<Asked> = LazyLock::new(|| {
    Asked::of(
        r#"{"name": "verdict", "type": "enum", "values": ["approve", "reject", "approve with changes", "A", "B", "no", "C+"],
            "aliases": {"reject": ["not recommended"]}, "labels": ["Verdict", "The verdict is"]},
        {"name": "score", "type": "number", "min": 0, "max": 10},
        {"name": "time", "type": "integer", "unit": "ms", "which": "last"},
        {"name": "blocking", "type": "boolean", "which": "first"},
        {"name": "reason", "type": "text"},
        {"name": "grade", "type": "enum", "values": ["pass", "fail"], "which": "first"}"#,
    )
});

// One character chooses what ended the reply.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([first], text)) = bytes.split_first_chunk::<1>() else { return };
    let ending = Ending::ALL.get(usize::from(first & 15)).map_or(Ending::Unknown, |(ending, _)| *ending);
    let _ = extracted::extracted(&ASKED, &String::from_utf8_lossy(text), ending);
});
