//! What a model writes in the name of its tools: an observation, a response. It has invented it, so nothing from there on counts.
//!
//! It is one only behind a call: directly, or at the beginning of a line. Elsewhere the words are words. Of a stop sequence that cuts
//! `Observation:` behind ReAct a beginning may be left at the end of the reply; it is no text either.

use super::super::input::{Input, Reader, Seen, Step, starts};
use super::{Before, Dialect};

/// Tags of responses: of Hermes and Qwen, of Anthropic's prompts, of Gemma.
const TAGS: [&str; 8] = [
    "<tool_response",
    "<tool_result",
    "<tool_output",
    "<function_result",
    "<function_response",
    "<observation>",
    "<|tool_response>",
    "<start_function_response>",
];
/// Mistral's.
const BRACKET: [&str; 1] = ["[TOOL_RESULTS]"];
/// ReAct's.
const WORDS: [&str; 2] = ["Observation:", "OBSERVATION:"];
const BOLD: [&str; 2] = ["**Observation:**", "**Observation**:"];
/// Bytes of its beginning that are enough at the end of a reply.
const LEAST: usize = 3;

pub(super) fn tag(text: &str, before: Before) -> Result<usize, Seen> {
    opens(text, before, &TAGS)
}

pub(super) fn bracket(text: &str, before: Before) -> Result<usize, Seen> {
    opens(text, before, &BRACKET)
}

pub(super) fn bold(text: &str, before: Before) -> Result<usize, Seen> {
    opens(text, Before { is_behind_call: before.is_behind_call && before.is_line_start, ..before }, &BOLD)
}

/// The word at the beginning of a line: anywhere behind an action, directly behind any other call.
pub(super) fn word(text: &str, before: Before) -> Result<usize, Seen> {
    let is_react = before.last == Some(Dialect::React);
    if !before.is_line_start || !(is_react || before.is_behind_call) {
        return Err(Seen::No);
    }
    match opens(text, before, &WORDS) {
        Err(Seen::More) if is_react && before.is_end && text.len() >= LEAST => Ok(text.len()),
        seen => seen,
    }
}

fn opens(text: &str, before: Before, words: &[&str]) -> Result<usize, Seen> {
    if before.last.is_none() || !(before.is_line_start || before.is_behind_call) {
        return Err(Seen::No);
    }
    let mut none = Seen::No;
    for word in words {
        match starts(text, word) {
            Seen::Yes => return Ok(word.len()),
            Seen::More => none = Seen::More,
            Seen::No => {}
        }
    }
    Err(none)
}

/// Reads what was invented.
pub(super) struct Invented;

impl Reader for Invented {
    fn read(&mut self, input: &mut Input<'_>) -> Step {
        let is_whole = WORDS.iter().all(|word| starts(&input.text[input.start..], word) != Seen::More);
        if is_whole { Step::Stop(input.start) } else { Step::Done }
    }

    fn dialect(&self) -> Dialect {
        Dialect::React
    }
}
