//! Why a choice ended, by the names that the providers give to it. No name means two things, so there is one table.

use crate::said::FinishClass;

/// Names in whatever case: Gemini and Cohere write capitals.
const NAMES: &[(FinishClass, &[&str])] = &[
    // `pause_turn` (Anthropic) ends a message that may be taken up again; `load` and `unload` (Ollama) ask for no text.
    (
        FinishClass::Stop,
        &[
            "stop",
            "end_turn",
            "stop_sequence",
            "complete",
            "completed",
            "eos",
            "eos_token",
            "word",
            "pause_turn",
            "load",
            "unload",
        ],
    ),
    (FinishClass::Tool, &["tool_calls", "tool_use", "tool_call", "function_call"]),
    (
        FinishClass::Length,
        &[
            "length",
            "max_tokens",
            "max_output_tokens",
            "max_messages",
            "model_length",
            "model_context_window_exceeded",
            "limit",
        ],
    ),
    (
        FinishClass::Filter,
        &[
            "content_filter",
            "content_filtered",
            "guardrail_intervened",
            "refusal",
            "safety",
            "recitation",
            "language",
            "blocklist",
            "prohibited_content",
            "spii",
            "model_armor",
            "image_safety",
            "image_prohibited_content",
            "image_recitation",
        ],
    ),
    (
        FinishClass::Error,
        &[
            "error",
            "failed",
            "timeout",
            "insufficient_system_resource",
            "malformed_function_call",
            "malformed_model_output",
            "malformed_response",
            "malformed_tool_use",
            "missing_thought_signature",
            "too_many_tool_calls",
            "unexpected_tool_call",
        ],
    ),
    // `repetition` (vLLM): the server stopped a loop. `steered` (OpenAI): the user said something else meanwhile.
    (FinishClass::Abort, &["abort", "cancelled", "repetition", "steered"]),
];

/// The class of a name as it is written.
pub(crate) fn class_of(raw: &[u8]) -> FinishClass {
    let is_it = |name: &&str| name.as_bytes().eq_ignore_ascii_case(raw);
    let row = NAMES.iter().find(|(_, names)| names.iter().any(is_it));
    row.map_or(FinishClass::Unknown, |(class, _)| *class)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the providers say that they may say, provider by provider.
    #[test]
    fn names_of_the_providers() {
        use FinishClass::{Abort, Error, Filter, Length, Stop, Tool};
        let cases: [(FinishClass, &str); 13] = [
            // OpenAI, vLLM, DeepSeek, Mistral, Text Generation Inference.
            (Stop, "stop eos_token stop_sequence completed"),
            (Tool, "tool_calls function_call"),
            (Length, "length model_length max_output_tokens max_messages"),
            (Filter, "content_filter"),
            (Error, "error failed insufficient_system_resource"),
            (Abort, "abort repetition cancelled steered"),
            // Anthropic, Bedrock.
            (Stop, "end_turn stop_sequence pause_turn"),
            (Tool, "tool_use"),
            (Length, "max_tokens model_context_window_exceeded"),
            (Filter, "refusal guardrail_intervened content_filtered"),
            (Error, "malformed_model_output malformed_tool_use"),
            // Gemini, Cohere; Ollama and llama.cpp.
            (Filter, "SAFETY RECITATION LANGUAGE BLOCKLIST PROHIBITED_CONTENT SPII IMAGE_SAFETY MODEL_ARMOR"),
            (
                Error,
                "MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS MALFORMED_RESPONSE ERROR TIMEOUT",
            ),
        ];
        let more = [
            (Stop, "STOP COMPLETE STOP_SEQUENCE load unload eos word"),
            (Length, "MAX_TOKENS limit"),
            (Tool, "TOOL_CALL"),
        ];
        for (class, names) in cases.into_iter().chain(more) {
            for name in names.split(' ') {
                assert_eq!(class_of(name.as_bytes()), class, "{name}");
            }
        }
    }

    #[test]
    fn no_name_has_two_classes() {
        for (class, names) in NAMES {
            for name in *names {
                assert_eq!(class_of(name.as_bytes()), *class, "{name}");
            }
        }
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for name in ["", "OTHER", "FINISH_REASON_UNSPECIFIED", "stopp", "st\\u006fp", "incomplete"] {
            assert_eq!(class_of(name.as_bytes()), FinishClass::Unknown, "{name}");
        }
    }
}
