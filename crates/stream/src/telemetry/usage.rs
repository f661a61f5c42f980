//! Counts of tokens as the conventions mean them, from what a provider sends.
//!
//! Input holds what came from a cache or went into one, output holds reasoning. Where there are billed counts too, those count.

use serde_json::Value;

/// Counts of tokens; none where the provider did not say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) struct Usage {
    pub(crate) input: Option<u64>,
    pub(crate) output: Option<u64>,
    pub(crate) cache_read: Option<u64>,
    pub(crate) cache_write: Option<u64>,
    pub(crate) reasoning: Option<u64>,
}

impl Usage {
    /// Reads the counts of a [`Summary`](crate::Summary). Names are looked at and not whose they are: no name means two things.
    pub(crate) fn of(text: Option<&str>) -> Self {
        let Some(usage) = text.and_then(|text| serde_json::from_str::<Value>(text).ok()) else {
            return Self::default();
        };
        let count = |pointers: &[&str]| pointers.iter().find_map(|pointer| usage.pointer(pointer)?.as_u64());
        // Of Anthropic and Bedrock what has to do with a cache stands beside the input, elsewhere it is a part of it.
        let beside_read = count(&["/cache_read_input_tokens", "/cacheReadInputTokens"]);
        let beside_write = count(&["/cache_creation_input_tokens", "/cacheWriteInputTokens"]);
        let all_input = count(&[
            "/billed_units/input_tokens",
            "/tokens/input_tokens",
            "/prompt_tokens",
            "/promptTokenCount",
            "/prompt_eval_count",
            "/tokens_evaluated",
        ]);
        let apart = || sum(count(&["/input_tokens", "/inputTokens"]), [beside_read, beside_write]);
        let output = count(&[
            "/billed_units/output_tokens",
            "/tokens/output_tokens",
            "/completion_tokens",
            "/output_tokens",
            "/outputTokens",
            "/candidatesTokenCount",
            "/eval_count",
            "/tokens_predicted",
        ]);
        // Of Gemini thoughts stand beside the output.
        let thoughts = count(&["/thoughtsTokenCount"]);
        let inside_read = || {
            count(&[
                "/prompt_tokens_details/cached_tokens",
                "/input_tokens_details/cached_tokens",
                "/cachedContentTokenCount",
                "/prompt_cache_hit_tokens",
            ])
        };
        let inside_reasoning =
            || count(&["/completion_tokens_details/reasoning_tokens", "/output_tokens_details/reasoning_tokens"]);
        Self {
            input: all_input.or_else(apart),
            output: sum(output.or(thoughts.map(|_| 0)), [thoughts, None]),
            cache_read: beside_read.or_else(inside_read),
            cache_write: beside_write,
            reasoning: thoughts.or_else(inside_reasoning),
        }
    }
}

/// A count and what stands beside it.
fn sum(count: Option<u64>, beside: [Option<u64>; 2]) -> Option<u64> {
    Some(beside.into_iter().flatten().fold(count?, u64::saturating_add))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the providers write them.
    #[test]
    fn counts_of_each_provider() {
        let cases: [(&str, [Option<u64>; 5]); 12] = [
            (
                r#"{"prompt_tokens":21,"completion_tokens":17,"total_tokens":38,"prompt_tokens_details":{"cached_tokens":8},
                    "completion_tokens_details":{"reasoning_tokens":5}}"#,
                [Some(21), Some(17), Some(8), None, Some(5)],
            ),
            (
                r#"{"input_tokens":30,"input_tokens_details":{"cached_tokens":2},"output_tokens":19,
                    "output_tokens_details":{"reasoning_tokens":0},"total_tokens":49}"#,
                [Some(30), Some(19), Some(2), None, Some(0)],
            ),
            (
                r#"{"input_tokens":25,"cache_creation_input_tokens":100,"cache_read_input_tokens":1000,"output_tokens":15}"#,
                [Some(1125), Some(15), Some(1000), Some(100), None],
            ),
            (
                r#"{"inputTokens":12,"outputTokens":9,"totalTokens":51,"cacheReadInputTokens":20,"cacheWriteInputTokens":10}"#,
                [Some(42), Some(9), Some(20), Some(10), None],
            ),
            (
                r#"{"promptTokenCount":9,"candidatesTokenCount":12,"thoughtsTokenCount":30,"cachedContentTokenCount":4}"#,
                [Some(9), Some(42), Some(4), None, Some(30)],
            ),
            // The budget went on thoughts.
            (r#"{"promptTokenCount":9,"thoughtsTokenCount":30}"#, [Some(9), Some(30), None, None, Some(30)]),
            (r#"{"prompt_eval_count":11,"eval_count":4}"#, [Some(11), Some(4), None, None, None]),
            (r#"{"tokens_evaluated":11,"tokens_predicted":4}"#, [Some(11), Some(4), None, None, None]),
            (
                r#"{"billed_units":{"input_tokens":5,"output_tokens":3},"tokens":{"input_tokens":70,"output_tokens":5}}"#,
                [Some(5), Some(3), None, None, None],
            ),
            (
                r#"{"prompt_tokens":7,"completion_tokens":1,"prompt_cache_hit_tokens":6}"#,
                [Some(7), Some(1), Some(6), None, None],
            ),
            // A proxy that speaks both: the prompt is all of it.
            (
                r#"{"prompt_tokens":1125,"completion_tokens":15,"cache_read_input_tokens":1000}"#,
                [Some(1125), Some(15), Some(1000), None, None],
            ),
            (r#"{"prompt_tokens":"7","completion_tokens":-1,"total_tokens":1.5}"#, [None; 5]),
        ];
        for (text, [input, output, cache_read, cache_write, reasoning]) in cases {
            assert_eq!(Usage::of(Some(text)), Usage { input, output, cache_read, cache_write, reasoning }, "{text}");
        }
        assert_eq!(Usage::of(None), Usage::default());
        assert_eq!(Usage::of(Some("{")), Usage::default());
    }
}
