//! OpenAI's chat completions and completions, and whoever speaks them.
//!
//! Deviations that are read: `reasoning` and `reasoning_content` (vLLM, DeepSeek, Ollama), `reasoning_details` beside
//! `reasoning` (OpenRouter: the same text, so the first of them counts), content in typed pieces (Mistral), usage in
//! `x_groq` or in a choice, arguments as an object, errors at the top, in a choice, or flat (`"object":"error"`), empty
//! finish reasons. `[DONE]` is no JSON and not read here.

use crate::facts::{Fact, Facts, Slot};
use crate::provider::read::{Tell, args, call, choice, tell_call, tell_error, tell_finish, tell_text, tell_usage};
use crate::provider::{Dialect, Errors};
use crate::said::LaneKind;
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: true, errors: Errors::OpenAi, read };

/// Of rows with one slot the first one counts.
const PATHS: &[(&str, Slot)] = &[
    ("error", Slot::Error),
    ("object", Slot::ErrorMember),
    ("usage", Slot::Usage),
    ("x_groq/usage", Slot::Usage),
    ("choices/*/index", Slot::Choice),
    ("choices/*/finish_reason", Slot::Finish),
    ("choices/*/delta/content", Slot::Text),
    ("choices/*/delta/content/*/text", Slot::Text),
    ("choices/*/text", Slot::Text),
    ("choices/*/delta/reasoning", Slot::Reasoning),
    ("choices/*/delta/reasoning_content", Slot::Reasoning),
    ("choices/*/delta/reasoning_details/*/text", Slot::Reasoning),
    ("choices/*/delta/reasoning_details/*/summary", Slot::Reasoning),
    ("choices/*/delta/content/*/thinking/*/text", Slot::Reasoning),
    ("choices/*/delta/refusal", Slot::Refusal),
    ("choices/*/error", Slot::Error),
    ("choices/*/usage", Slot::Usage),
    ("choices/*/delta/function_call/name", Slot::ToolName),
    ("choices/*/delta/function_call/arguments", Slot::ToolText),
    ("choices/*/delta/tool_calls/*/index", Slot::ToolIndex),
    ("choices/*/delta/tool_calls/*/id", Slot::ToolId),
    ("choices/*/delta/tool_calls/*/function/name", Slot::ToolName),
    ("choices/*/delta/tool_calls/*/function/arguments", Slot::ToolText),
];

/// From this row on a fact is of a choice; from the next ones, of a call.
const CHOICE_ROW: u8 = 4;
const CALL_ROW: u8 = 17;
const CALLS_ROW: u8 = 19;

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    let is_of_choice = |fact: &Fact<'_>| fact.row >= CHOICE_ROW;
    let is_one = |a: &Fact<'_>, b: &Fact<'_>| is_of_choice(a) && is_of_choice(b) && a.place[0] == b.place[0];
    for choice in facts.chunk_by(is_one).filter(|facts| facts.iter().any(is_of_choice)) {
        read_choice(choice, tell);
    }
    tell_usage(facts, tell);
    tell_error(name, data, facts, tell);
}

fn read_choice(facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    let choice = choice(facts);
    tell_text(choice, LaneKind::Reasoning, Slot::Reasoning, facts, tell);
    tell_text(choice, LaneKind::Text, Slot::Text, facts, tell);
    tell_text(choice, LaneKind::Refusal, Slot::Refusal, facts, tell);
    let is_one =
        |a: &Fact<'_>, b: &Fact<'_>| a.row >= CALL_ROW && b.row >= CALL_ROW && place_of_call(a) == place_of_call(b);
    for facts in facts.chunk_by(is_one).filter(|facts| facts.iter().any(|fact| fact.row >= CALL_ROW)) {
        tell_call(choice, call(facts), args(facts), tell);
    }
    tell_finish(choice, facts, tell);
}

/// Which call a fact is of. The one that was not in an array stands in front.
fn place_of_call(fact: &Fact<'_>) -> Option<u16> {
    (fact.row >= CALLS_ROW).then_some(fact.place[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_their_numbers_say() {
        let first = |start: &str| PATHS.iter().position(|(path, _)| path.starts_with(start));
        assert_eq!(first("choices/"), Some(usize::from(CHOICE_ROW)));
        assert_eq!(first("choices/*/delta/function_call/"), Some(usize::from(CALL_ROW)));
        assert_eq!(first("choices/*/delta/tool_calls/"), Some(usize::from(CALLS_ROW)));
        assert!(PATHS[usize::from(CHOICE_ROW)..].iter().all(|(path, _)| path.starts_with("choices/*/")));
        assert!(PATHS[usize::from(CALLS_ROW)..].iter().all(|(path, _)| path.contains("/tool_calls/*/")));
    }
}
