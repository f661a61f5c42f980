//! Cohere's `/v2/chat`.
//!
//! `tool_calls` is an object, one call at a time, numbered apart from the content blocks.

use crate::facts::{Facts, Slot};
use crate::provider::read::{
    Tell, args, call, number, tell_call, tell_error, tell_finish, tell_text, tell_usage, type_of,
};
use crate::provider::{Dialect, Errors};
use crate::said::{LaneKind, Said};
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: true, errors: Errors::Cohere, read };

const PATHS: &[(&str, Slot)] = &[
    ("type", Slot::Type),
    ("index", Slot::Block),
    ("delta/message/content/text", Slot::Text),
    ("delta/message/content/thinking", Slot::Reasoning),
    ("delta/message/tool_plan", Slot::Plan),
    ("delta/message/tool_calls/id", Slot::ToolId),
    ("delta/message/tool_calls/function/name", Slot::ToolName),
    ("delta/message/tool_calls/function/arguments", Slot::ToolText),
    ("delta/finish_reason", Slot::Finish),
    ("delta/usage", Slot::Usage),
    ("delta/error", Slot::Error),
    ("error", Slot::Error),
];

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    tell_text(0, LaneKind::Reasoning, Slot::Reasoning, facts, tell);
    tell_text(0, LaneKind::Text, Slot::Text, facts, tell);
    tell_text(0, LaneKind::ToolPlan, Slot::Plan, facts, tell);
    tell_call(0, call(facts), args(facts), tell);
    let kind = type_of(name, facts);
    if let (b"tool-call-end", Some(block)) = (kind, number(facts, Slot::Block)) {
        tell(Said::BlockEnd { choice: 0, block });
    }
    tell_finish(0, facts, tell);
    tell_usage(facts, tell);
    tell_error(name, data, facts, tell);
    if kind == b"message-end" {
        tell(Said::Terminal("message-end"));
    }
}
