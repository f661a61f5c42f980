//! Whose an event is, by its members and its name on the wire.

use crate::provider::Provider;
use crate::provider::members::{members, unquoted};

/// Whose an event is. None where it may be anybody's: a ping, an error, the end. Then ask again with the next one.
///
/// Linear in the event; the order of its keys does not matter. An event in an event of Bedrock is asked for by itself.
pub(crate) fn detect(name: &[u8], data: &[u8]) -> Option<Provider> {
    let mut found = of_wire_name(name);
    let mut has = Has::default();
    for (key, value) in members(data) {
        let provider = match key {
            b"type" => unquoted(value).and_then(of_type),
            b"choices" if value.starts_with(b"[") => Some(Provider::OpenAi),
            b"object" if is_openai(value) => Some(Provider::OpenAi),
            b"candidates" | b"promptFeedback" | b"usageMetadata" => Some(Provider::Gemini),
            b"done" if is_boolean(value) => Some(Provider::Ollama),
            _ => None,
        };
        has.content |= key == b"content" && unquoted(value).is_some();
        has.stop |= key == b"stop" && is_boolean(value);
        has.bytes |= key == b"bytes" && unquoted(value).is_some();
        found = first(found, provider);
    }
    found.or_else(|| has.provider()).or_else(|| of_type(name))
}

/// Members that say something only beside each other, or where nothing else does.
#[derive(Default)]
struct Has {
    content: bool,
    stop: bool,
    bytes: bool,
}

impl Has {
    fn provider(&self) -> Option<Provider> {
        match self {
            Has { bytes: true, .. } => Some(Provider::BedrockInvoke),
            Has { content: true, stop: true, .. } => Some(Provider::LlamaCpp),
            _ => None,
        }
    }
}

/// Of two the one that stands first among all, so that no order of keys decides.
fn first(one: Option<Provider>, other: Option<Provider>) -> Option<Provider> {
    let both = [one, other];
    Provider::ALL.iter().map(|(provider, _)| *provider).find(|provider| both.contains(&Some(*provider)))
}

/// The type of an event that says it in its data; Anthropic and OpenAI say it beside them too.
fn of_type(kind: &[u8]) -> Option<Provider> {
    match kind {
        b"message_start"
        | b"content_block_start"
        | b"content_block_delta"
        | b"content_block_stop"
        | b"message_delta"
        | b"message_stop" => Some(Provider::Anthropic),
        b"message-start" | b"content-start" | b"content-delta" | b"content-end" | b"tool-plan-delta"
        | b"tool-call-start" | b"tool-call-delta" | b"tool-call-end" | b"citation-start" | b"citation-end"
        | b"message-end" => Some(Provider::Cohere),
        _ if kind.starts_with(b"response.") => Some(Provider::OpenAiResponses),
        _ => None,
    }
}

/// The type of an event of Bedrock, which stands in the frame alone.
fn of_wire_name(name: &[u8]) -> Option<Provider> {
    match name {
        b"messageStart" | b"contentBlockStart" | b"contentBlockDelta" | b"contentBlockStop" | b"messageStop"
        | b"metadata" => Some(Provider::BedrockConverse),
        _ => None,
    }
}

fn is_openai(value: &[u8]) -> bool {
    unquoted(value)
        .is_some_and(|object| object.starts_with(b"chat.completion") || object.starts_with(b"text_completion"))
}

fn is_boolean(value: &[u8]) -> bool {
    matches!(value, b"true" | b"false")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_event_tells_whose_it_is() {
        let cases: [(&str, &str, Option<Provider>); 30] = [
            ("", r#"{"choices":[],"prompt_filter_results":[]}"#, Some(Provider::OpenAi)),
            ("", r#"{"id":"x","object":"chat.completion.chunk"}"#, Some(Provider::OpenAi)),
            ("", r#"{"object":"text_completion","choices":[{"text":""}]}"#, Some(Provider::OpenAi)),
            ("response.created", r#"{"type":"response.created"}"#, Some(Provider::OpenAiResponses)),
            ("", r#"{"response":{"id":1},"type":"response.created"}"#, Some(Provider::OpenAiResponses)),
            ("response.created", "{}", Some(Provider::OpenAiResponses)),
            ("", r#"{"type":"message_start","message":{}}"#, Some(Provider::Anthropic)),
            ("content_block_delta", r#"{"index":0}"#, Some(Provider::Anthropic)),
            ("", r#"{"id":"m","type":"message-start"}"#, Some(Provider::Cohere)),
            ("", r#"{"candidates":[{}]}"#, Some(Provider::Gemini)),
            ("", r#"{"promptFeedback":{},"usageMetadata":{}}"#, Some(Provider::Gemini)),
            ("", r#"{"model":"m","message":{"content":"a"},"done":false}"#, Some(Provider::Ollama)),
            ("", r#"{"done":true,"response":""}"#, Some(Provider::Ollama)),
            ("", r#"{"index":0,"content":"a","stop":false}"#, Some(Provider::LlamaCpp)),
            ("", r#"{"stop":true,"content":""}"#, Some(Provider::LlamaCpp)),
            ("messageStart", r#"{"role":"assistant"}"#, Some(Provider::BedrockConverse)),
            ("contentBlockDelta", "{}", Some(Provider::BedrockConverse)),
            ("chunk", r#"{"p":"ab","bytes":"e30="}"#, Some(Provider::BedrockInvoke)),
            ("ping", r#"{"type":"ping"}"#, None),
            ("error", r#"{"type":"error","error":{"type":"overloaded_error"}}"#, None),
            ("", r#"{"type":"error","code":"x","message":"y"}"#, None),
            ("", r#"{"error":{"message":"x"}}"#, None),
            ("", r#"{"error":"x"}"#, None),
            ("", r#"{"object":"error","message":"x"}"#, None),
            ("", r#"{"content":"a"}"#, None),
            ("", r#"{"choices":null}"#, None),
            ("", "[DONE]", None),
            ("", "{}", None),
            ("", "", None),
            ("", "{\"choices\"", None),
        ];
        for (name, data, expected) in cases {
            assert_eq!(detect(name.as_bytes(), data.as_bytes()), expected, "{name} {data}");
        }
    }

    #[test]
    fn no_order_of_keys_decides() {
        let (one, other) = (br#"{"choices":[],"candidates":[]}"#, br#"{"candidates":[],"choices":[]}"#);
        assert_eq!(detect(b"", one), detect(b"", other));
    }
}
