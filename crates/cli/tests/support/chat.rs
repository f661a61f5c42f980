//! OpenAI chat streams, put together.

use serde_json::{Value, json};

/// An event of an OpenAI chat stream.
pub(crate) fn event(choice: u32, delta: &Value, finish: Option<&str>) -> String {
    format!("data: {}\n\n", json!({"choices": [{"index": choice, "delta": delta, "finish_reason": finish}]}))
}

/// The stream of one choice: these deltas, and what ended it.
pub(crate) fn chat(deltas: &[Value], finish: &str) -> String {
    let said: String = deltas.iter().map(|delta| event(0, delta, None)).collect();
    said + &event(0, &json!({}), Some(finish)) + "data: [DONE]\n\n"
}

pub(crate) fn says(text: &str) -> Value {
    json!({"content": text})
}

pub(crate) fn thinks(text: &str) -> Value {
    json!({"reasoning_content": text})
}

pub(crate) fn calls(name: &str, arguments: &str) -> Value {
    json!({"tool_calls": [{"index": 0, "id": "c", "type": "function", "function": {"name": name, "arguments": arguments}}]})
}
