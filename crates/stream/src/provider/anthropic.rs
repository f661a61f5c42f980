//! Anthropic's messages.
//!
//! What a delta is, its key says. `message_start` and `message_delta` tell usage in parts; of its many members those count
//! that are counts of tokens, and of the cache only where it was used.

use crate::facts::{Fact, Facts, Slot, Written};
use crate::provider::read::{Tell, call, number, string, tell_call, tell_error, tell_finish, tell_text, type_of};
use crate::provider::{Dialect, Errors};
use crate::said::{Args, Call, LaneKind, Said};
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: true, errors: Errors::Anthropic, read };

const PATHS: &[(&str, Slot)] = &[
    ("type", Slot::Type),
    ("index", Slot::Block),
    ("delta/text", Slot::Text),
    ("delta/thinking", Slot::Reasoning),
    ("delta/partial_json", Slot::ToolText),
    ("content_block/type", Slot::Kind),
    ("content_block/text", Slot::Text),
    ("content_block/thinking", Slot::Reasoning),
    ("content_block/id", Slot::ToolId),
    ("content_block/name", Slot::ToolName),
    ("content_block/input", Slot::ToolJson),
    ("delta/stop_reason", Slot::Finish),
    ("error", Slot::Error),
    ("message/usage/input_tokens", Slot::UsageMember),
    ("message/usage/output_tokens", Slot::UsageMember),
    ("message/usage/cache_creation_input_tokens", Slot::UsageMember),
    ("message/usage/cache_read_input_tokens", Slot::UsageMember),
    ("usage/input_tokens", Slot::UsageMember),
    ("usage/output_tokens", Slot::UsageMember),
    ("usage/cache_creation_input_tokens", Slot::UsageMember),
    ("usage/cache_read_input_tokens", Slot::UsageMember),
];

/// The row of the first member of usage, and which members they are, again and again.
const USAGE_ROW: u8 = 13;
const USAGE: [&str; 4] = ["input_tokens", "output_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
const CACHE_PLACE: usize = 2;

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    tell_text(0, LaneKind::Reasoning, Slot::Reasoning, facts, tell);
    tell_text(0, LaneKind::Text, Slot::Text, facts, tell);
    let kind = type_of(name, facts);
    match kind {
        b"content_block_start" => read_start(facts, tell),
        b"content_block_delta" => {
            let args = string(facts, Slot::ToolText).map_or(Args::Nothing, Args::Text);
            tell_call(0, call(facts), args, tell);
        }
        b"content_block_stop" => {
            if let Some(block) = number(facts, Slot::Block) {
                tell(Said::BlockEnd { choice: 0, block });
            }
        }
        _ => tell_finish(0, facts, tell),
    }
    tell_usage(facts, tell);
    tell_error(name, data, facts, tell);
    if kind == b"message_stop" {
        tell(Said::Terminal("message_stop"));
    }
}

/// A block of a call begins: its own tools, or those that Anthropic runs.
fn read_start(facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    let is_hosted = match string(facts, Slot::Kind).map(|kind| kind.0) {
        Some(b"tool_use") => false,
        Some(b"server_tool_use" | b"mcp_tool_use") => true,
        _ => return,
    };
    let input = facts.iter().find(|fact| fact.slot == Slot::ToolJson && fact.text.starts_with(b"{"));
    let args = input.map_or(Args::Nothing, |fact| Args::Placeholder(fact.text));
    tell_call(0, Call { is_hosted, ..call(facts) }, args, tell);
}

/// A count; of the cache only where it is not zero.
fn tell_usage(facts: &[Fact<'_>], tell: &mut Tell<'_>) {
    if !facts.iter().any(|fact| fact.slot == Slot::UsageMember) {
        return;
    }
    for (place, member) in USAGE.into_iter().enumerate() {
        let is_it = |fact: &&Fact<'_>| {
            let is_count = fact.slot == Slot::UsageMember && fact.written == Written::Number;
            is_count && usize::from(fact.row - USAGE_ROW) % USAGE.len() == place
        };
        let count = facts.iter().find(is_it).map_or(&b""[..], |fact| fact.text);
        let is_unused = place >= CACHE_PLACE && count == b"0";
        if !count.is_empty() && !is_unused {
            tell(Said::UsageMember(member, count));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_usage_stand_in_order() {
        for (place, (path, slot)) in PATHS[usize::from(USAGE_ROW)..].iter().enumerate() {
            assert!(*slot == Slot::UsageMember && path.ends_with(USAGE[place % USAGE.len()]), "{path}");
        }
        assert!(USAGE[..CACHE_PLACE].iter().all(|member| !member.contains("cache")));
    }
}
