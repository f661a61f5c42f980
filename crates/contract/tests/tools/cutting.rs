//! What holds of every reply that is read for printed tool calls, under few ways of cutting it. The fuzz target `tools` runs it.

use thusfar_contract::{RescueOptions, Rescued, ToolCall, Tools};
use thusfar_core::Ending;

use crate::rescue::{holds, read, told};

/// What a reply comes to, in chunks of so many characters, and character by character.
///
/// # Panics
/// When it is not the same however it is cut.
#[must_use]
pub(crate) fn any_cut(tools: &Tools, text: &str, ending: Ending, options: RescueOptions, chunk_len: usize) -> Rescued {
    let whole = read(tools, &[text], ending, options);
    let expected = told(&whole);
    let pieces: Vec<&str> = text.split_inclusive(|_| true).collect();
    assert_eq!(told(&read(tools, &pieces, ending, options)), expected, "character by character: {text:?}");
    let mut count = 0;
    let by_len = |_: char| {
        count += 1;
        count % chunk_len == 0
    };
    let chunks: Vec<&str> = text.split_inclusive(by_len).collect();
    assert_eq!(told(&read(tools, &chunks, ending, options)), expected, "in chunks of {chunk_len}: {text:?}");
    holds(text, &whole);
    whole
}

/// A reply that ends inside a call does not have that call.
///
/// # Panics
/// When it has.
pub(crate) fn a_cut_call_is_none(tools: &Tools, text: &str, options: RescueOptions, whole: &Rescued, mut cut: usize) {
    while !text.is_char_boundary(cut) {
        cut -= 1;
    }
    let front = read(tools, &[&text[..cut]], Ending::Stop, options);
    for call in front.calls() {
        let is_cut = |other: &ToolCall| other.span().start == call.span().start && other.span().end > cut;
        assert!(!whole.calls().iter().any(is_cut), "cut at {cut}: {text:?}");
    }
}
