//! OpenAI's responses.
//!
//! Only what comes in deltas is more text: `.done` events, finished items and the last event repeat it. Arguments of a call
//! are told again with its finished item, for servers that send no deltas. llama.cpp's server leaves `output_index` away, so
//! a delta is found by its `item_id`.

use crate::facts::{Facts, Slot};
use crate::provider::finish;
use crate::provider::read::{Tell, call, number, string, tell_call, tell_error, tell_text, tell_usage, type_of};
use crate::provider::{Dialect, Errors};
use crate::said::{Args, Call, LaneKind, Said, Written};
use crate::walk::Paths;

pub(super) const DIALECT: Dialect =
    Dialect { paths: PATHS, tree: &const { Paths::new(PATHS) }, says_tools: false, errors: Errors::Responses, read };

const PATHS: &[(&str, Slot)] = &[
    ("type", Slot::Type),
    ("output_index", Slot::Block),
    ("item_id", Slot::Item),
    // What it is more of hangs on the type.
    ("delta", Slot::Text),
    ("item/type", Slot::Kind),
    ("item/id", Slot::Item),
    ("item/call_id", Slot::ToolId),
    ("item/name", Slot::ToolName),
    ("item/arguments", Slot::ToolText),
    ("item/input", Slot::ToolText),
    ("item/code", Slot::ToolText),
    ("response/status", Slot::Finish),
    ("response/incomplete_details/reason", Slot::FinishDetail),
    ("response/usage", Slot::Usage),
    ("response/error", Slot::Error),
    ("error", Slot::Error),
];

fn read(name: &[u8], data: &[u8], facts: &Facts<'_>, tell: &mut Tell<'_>) {
    let kind = type_of(name, facts);
    match kind {
        b"response.output_text.delta" => tell_text(0, LaneKind::Text, Slot::Text, facts, tell),
        b"response.reasoning_summary_text.delta" | b"response.reasoning_text.delta" => {
            tell_text(0, LaneKind::Reasoning, Slot::Text, facts, tell);
        }
        b"response.refusal.delta" => tell_text(0, LaneKind::Refusal, Slot::Text, facts, tell),
        b"response.output_item.added" => read_item(facts, false, tell),
        b"response.output_item.done" => read_item(facts, true, tell),
        _ => {
            if let Some((is_free, is_hosted)) = tool_of_delta(kind) {
                let args = string(facts, Slot::Text).map_or(Args::Nothing, Args::Text);
                tell_call(0, Call { is_free, is_hosted, ..call(facts) }, args, tell);
            }
        }
    }
    let terminal = terminal(kind);
    if let Some((terminal, status)) = terminal {
        let detail = string(facts, Slot::FinishDetail).filter(|_| terminal == "response.incomplete");
        let raw = detail.or_else(|| string(facts, Slot::Finish)).unwrap_or(Written(status.as_bytes()));
        tell(Said::Finish { choice: 0, raw, class: finish::class_of(raw.0) });
    }
    tell_usage(facts, tell);
    tell_error(name, data, facts, tell);
    if let Some((terminal, _)) = terminal {
        tell(Said::Terminal(terminal));
    }
}

/// An item that is added, or done: of a call its names, and once more all of its arguments.
fn read_item(facts: &Facts<'_>, is_done: bool, tell: &mut Tell<'_>) {
    let Some((is_free, is_hosted)) = string(facts, Slot::Kind).and_then(|kind| tool_of_item(kind.0)) else { return };
    let call = call(facts);
    let args = string(facts, Slot::ToolText).filter(|_| is_done).map_or(Args::Nothing, Args::Repeat);
    tell_call(0, Call { id: call.id.or(call.item), is_free, is_hosted, ..call }, args, tell);
    if let Some(block) = number(facts, Slot::Block).filter(|_| is_done) {
        tell(Said::BlockEnd { choice: 0, block });
    }
}

/// Whether what a tool is given is plain text, and whether OpenAI runs it.
fn tool_of_item(kind: &[u8]) -> Option<(bool, bool)> {
    match kind {
        b"function_call" => Some((false, false)),
        b"custom_tool_call" | b"shell_call" | b"apply_patch_call" => Some((true, false)),
        b"mcp_call" => Some((false, true)),
        b"code_interpreter_call" => Some((true, true)),
        _ => None,
    }
}

/// The same of the type of a delta.
fn tool_of_delta(kind: &[u8]) -> Option<(bool, bool)> {
    match kind {
        b"response.function_call_arguments.delta" => tool_of_item(b"function_call"),
        b"response.custom_tool_call_input.delta" => tool_of_item(b"custom_tool_call"),
        b"response.shell_call_command.delta" => tool_of_item(b"shell_call"),
        b"response.apply_patch_call_operation_diff.delta" => tool_of_item(b"apply_patch_call"),
        b"response.mcp_call_arguments.delta" => tool_of_item(b"mcp_call"),
        b"response.code_interpreter_call_code.delta" => tool_of_item(b"code_interpreter_call"),
        _ => None,
    }
}

/// The last events, and the status of a response that does not say it.
fn terminal(kind: &[u8]) -> Option<(&'static str, &'static str)> {
    match kind {
        b"response.completed" => Some(("response.completed", "completed")),
        b"response.incomplete" => Some(("response.incomplete", "incomplete")),
        b"response.failed" => Some(("response.failed", "failed")),
        b"response.cancelled" => Some(("response.cancelled", "cancelled")),
        _ => None,
    }
}
