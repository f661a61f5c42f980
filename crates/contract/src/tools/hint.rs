//! Text that looks like a call in no dialect that is read: said, never read.

use thusfar_core::Span;

use super::Tools;

/// Bytes of a tag that are looked at.
const TAG: usize = 40;

/// Words that stand in the tags of calls.
const WORDS: [&str; 7] = ["tool_call", "tool_use", "toolcall", "tool_code", "function", "invoke", "python_tag"];
/// What DeepSeek writes for an underscore.
const LOW_BLOCK: &str = "\u{2581}";

/// Where such text begins, in these pieces of a reply. Linear.
pub(super) fn call_like(text: &str, pieces: &[Span], tools: &Tools) -> Option<Span> {
    pieces.iter().find_map(|piece| {
        let span = in_piece(&text[piece.range()], tools)?;
        Some(Span::new(piece.start + span.start, piece.start + span.end))
    })
}

fn in_piece(piece: &str, tools: &Tools) -> Option<Span> {
    let mut word = 0;
    for (at, character) in piece.char_indices() {
        let is_word = character.is_alphanumeric() || matches!(character, '_' | '-' | '.');
        match character {
            '<' | '[' | '`' if is_tag(&piece[at..]) => return Some(Span::new(at, at + 1)),
            '(' if word < at && tools.get(&piece[word..at]).is_some() => return Some(Span::new(word, at + 1)),
            _ => {}
        }
        if !is_word {
            word = at + character.len_utf8();
        }
    }
    None
}

/// Whether a tag with such a word, a fence with one as its label, or a bracket with one begins here.
fn is_tag(text: &str) -> bool {
    let end = text.char_indices().skip(1).find(|&(at, it)| at > TAG || it.is_whitespace() || matches!(it, '>' | ']'));
    let tag = text[..end.map_or(text.len(), |(at, _)| at)].to_ascii_lowercase().replace(LOW_BLOCK, "_");
    (!text.starts_with('`') || text.starts_with("```")) && WORDS.iter().any(|word| tag.contains(word))
}
