//! However a reply is cut, the same printed calls are found in it, and none that was cut.
#![no_main]

use std::sync::LazyLock;

use thusfar_contract::{RescueOptions, Tools};
use thusfar_core::Ending;

#[path = "../../crates/contract/tests/tools/cutting.rs"]
mod cutting; // what holds of every reply
#[path = "../../crates/contract/tests/tools/rescue.rs"]
#[allow(dead_code)] // it has more ways of cutting
mod rescue; // what a reply comes to, written down

/// Tools without a schema, as the corpus names them, and one with parameters of several types.
static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    let tools = r#"["f", "g", "run", "write", "send", "roll", "add_note", "read", "greet", "define", "get_time", "w", "find", "shell",
        "open_note", "count_letters", "listTables", "lookUp", "open", "search", "save",
        {"name": "weather", "input_schema": {"type": "object", "required": ["city"], "properties": {
            "city": {"type": "string"}, "days": {"type": "integer"}, "note": {"type": ["string", "null"]}, "tags": {"type": "array"}}}}]"#;
    Tools::from_json(tools).unwrap_or_else(|error| panic!("{error}"))
});

// Two characters choose: what ended the reply and whether it begins in reasoning, the length of the chunks and where it is cut for good.
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let Some(([first, second, _], text)) = bytes.split_first_chunk::<3>() else { return };
    let (first, second) = (usize::from(first & 63), usize::from(second & 63));
    let ending = Ending::ALL.get(first & 15).map_or(Ending::Unknown, |(ending, _)| *ending);
    let mut options = RescueOptions::default();
    options.starts_in_reasoning = first & 48 == 48;
    let text = String::from_utf8_lossy(text);
    let whole = cutting::any_cut(&TOOLS, &text, ending, options, second % 8 + 1);
    cutting::a_cut_call_is_none(&TOOLS, &text, options, &whole, text.len() * second / 64);
});
