//! Ollama's own protocol: `/api/chat` and `/api/generate`.
//!
//! Calls come whole, their arguments an object. `done_reason` stays `stop` when a call was sent; it is empty when the model's
//! process went away, and then nothing is known of why it ended.

use crate::facts::{Fact, Facts, Slot};
use crate::provider::finish;
use crate::provider::read::{Tell, args, call, is_true, string, tell_call, tell_counts, tell_error, tell_text};
use crate::provider::{Dialect, Errors};
use crate::said::{Call, LaneKind, Said, Written};
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: false, errors: Errors::Ollama, read };

const PATHS: &[(&str, Slot)] = &[
    ("error", Slot::Error),
    ("done", Slot::Done),
    ("done_reason", Slot::Finish),
    ("message/content", Slot::Text),
    ("response", Slot::Text),
    ("message/thinking", Slot::Reasoning),
    ("thinking", Slot::Reasoning),
    ("prompt_eval_count", Slot::UsageMember),
    ("eval_count", Slot::UsageMember),
    ("message/tool_calls/*/id", Slot::ToolId),
    ("message/tool_calls/*/function/index", Slot::ToolIndex),
    ("message/tool_calls/*/function/name", Slot::ToolName),
    ("message/tool_calls/*/function/arguments", Slot::ToolJson),
];

const USAGE_ROW: u8 = 7;
const USAGE: [&str; 2] = ["prompt_eval_count", "eval_count"];

/// From this row on a fact is of a call.
const CALL_ROW: u8 = 9;

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    tell_text(0, LaneKind::Reasoning, Slot::Reasoning, facts, tell);
    tell_text(0, LaneKind::Text, Slot::Text, facts, tell);
    let is_one = |a: &Fact<'_>, b: &Fact<'_>| a.row >= CALL_ROW && b.row >= CALL_ROW && a.place[0] == b.place[0];
    for facts in facts.chunk_by(is_one).filter(|facts| facts.iter().any(|fact| fact.row >= CALL_ROW)) {
        // What comes whole is a call of its own, whatever its number.
        tell_call(0, Call { is_new: true, ..call(facts) }, args(facts), tell);
    }
    let is_done = is_true(facts, Slot::Done);
    if is_done {
        // The session makes `stop` a tool call where one was sent.
        let raw = string(facts, Slot::Finish).unwrap_or(Written(b""));
        tell(Said::Finish { choice: 0, raw, class: finish::class_of(raw.0) });
        tell_counts(USAGE_ROW, &USAGE, facts, tell);
    }
    tell_error(name, data, facts, tell);
    if is_done {
        tell(Said::Terminal("done:true"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_where_their_numbers_say() {
        for (row, member) in (USAGE_ROW..).zip(USAGE) {
            assert_eq!(PATHS[usize::from(row)].0, member);
        }
        let calls = |(path, _): &(&str, Slot)| path.contains("/tool_calls/*/");
        assert_eq!(PATHS.iter().position(calls), Some(usize::from(CALL_ROW)));
        assert!(PATHS[usize::from(CALL_ROW)..].iter().all(calls));
    }
}
