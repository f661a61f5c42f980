//! Events of chat completions and of messages, written as the providers write them.

use serde_json::{Value, json};

/// The last event of OpenAI.
pub const DONE: &str = "data: [DONE]\n\n";

/// One event of one choice.
#[must_use]
pub fn chat(choice: u32, delta: &Value, finish: Option<&str>) -> String {
    let choice = json!({"index": choice, "delta": delta, "finish_reason": finish});
    format!("data: {}\n\n", json!({"object": "chat.completion.chunk", "choices": [choice]}))
}

/// More text of a choice.
#[must_use]
pub fn text(choice: u32, text: &str) -> String {
    chat(choice, &json!({"content": text}), None)
}

/// The beginning of a tool call.
#[must_use]
pub fn call(choice: u32, index: u64, id: &str, name: &str) -> String {
    let call = json!({"index": index, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
    chat(choice, &json!({"tool_calls": [call]}), None)
}

/// More arguments of a tool call.
#[must_use]
pub fn arguments(choice: u32, index: u64, arguments: &str) -> String {
    chat(choice, &json!({"tool_calls": [{"index": index, "function": {"arguments": arguments}}]}), None)
}

/// Why a choice ended.
#[must_use]
pub fn finish(choice: u32, reason: &str) -> String {
    chat(choice, &json!({}), Some(reason))
}

/// An event of Anthropic: its type stands on the wire too.
#[must_use]
pub fn message(event: &Value) -> String {
    format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
}

/// A message of Anthropic with one block of text, in deltas.
pub fn text_message<'a>(deltas: impl IntoIterator<Item = &'a str>, stop_reason: &str) -> String {
    let mut body = message(&json!({"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 1}}}));
    body +=
        &message(&json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}));
    for text in deltas {
        let delta = json!({"type": "text_delta", "text": text});
        body += &message(&json!({"type": "content_block_delta", "index": 0, "delta": delta}));
    }
    body += &message(&json!({"type": "content_block_stop", "index": 0}));
    let delta = json!({"stop_reason": stop_reason});
    body += &message(&json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 1}}));
    body + &message(&json!({"type": "message_stop"}))
}
