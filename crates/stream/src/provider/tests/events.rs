//! Single events and what they say, in the order in which it is said.

use std::string::String;
use std::vec::Vec;

use super::assemble::{show, turned};
use super::std;
use crate::provider::plain::facts_of;
use crate::provider::{Dialect, Provider, UNKNOWN};

fn said(dialect: &Dialect, name: &str, data: &str) -> Vec<String> {
    let facts = facts_of(dialect.paths, data.as_bytes()).expect("JSON");
    let mut said = Vec::new();
    (dialect.read)(name.as_bytes(), data.as_bytes(), &facts, &mut |one| said.push(show(&one)));
    said
}

/// Events of one dialect: the name on the wire, the data, what they say.
fn check(dialect: &Dialect, rows: &[(&str, &str, &[&str])]) {
    for (name, data, expected) in rows {
        assert_eq!(said(dialect, name, data), *expected, "{data}");
        assert_eq!(said(dialect, name, &turned(data)), *expected, "turned: {data}");
    }
}

/// Events without a name.
fn check_data(provider: Provider, rows: &[(&str, &[&str])]) {
    let rows: Vec<_> = rows.iter().map(|(data, expected)| ("", *data, *expected)).collect();
    check(provider.dialect(), &rows);
}

#[test]
fn texts_of_chat_completions() {
    check_data(
        Provider::OpenAi,
        &[
            (r#"{"choices":[{"delta":{"content":"a"},"index":3}]}"#, &["3 text `a`"]),
            (r#"{"choices":[{"delta":{"content":"a"}},{"delta":{"content":"b"}}]}"#, &["0 text `a`", "1 text `b`"]),
            (
                r#"{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}"#,
                &["1 text `b`", "0 text `a`"],
            ),
            (r#"{"choices":[{"index":-1,"delta":{"content":"a"}}]}"#, &["0 text `a`"]),
            (r#"{"choices":[{"index":4294967296,"delta":{"content":"a"}}]}"#, &["0 text `a`"]),
            (r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"usage":null}"#, &[]),
            (r#"{"choices":[{"index":0,"delta":{"content":null}}]}"#, &[]),
            (r#"{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}"#, &[]),
            (r#"{"choices":[{"index":0,"delta":{"content":"\ud83e"}}]}"#, &[r"0 text `\ud83e`"]),
            (r#"{"choices":[{"index":0,"delta":{"refusal":"no"}}]}"#, &["0 refusal `no`"]),
            (r#"{"choices":[{"text":"a","index":1,"logprobs":{"text":"x"}}]}"#, &["1 text `a`"]),
            (
                r#"{"choices":[{"delta":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}}]}"#,
                &["0 text `a`", "0 text `b`"],
            ),
            (
                r#"{"choices":[{"delta":{"content":[{"type":"text","text":"b"},
                    {"type":"thinking","thinking":[{"type":"text","text":"a"}]}]}}]}"#,
                &["0 reasoning `a`", "0 text `b`"],
            ),
        ],
    );
}

#[test]
fn reasoning_counts_once() {
    check_data(
        Provider::OpenAi,
        &[
            (r#"{"choices":[{"delta":{"content":"b","reasoning":"a"}}]}"#, &["0 reasoning `a`", "0 text `b`"]),
            (r#"{"choices":[{"delta":{"reasoning_content":"a","content":null}}]}"#, &["0 reasoning `a`"]),
            (r#"{"choices":[{"delta":{"reasoning_content":"a","reasoning":"a"}}]}"#, &["0 reasoning `a`"]),
            (r#"{"choices":[{"delta":{"reasoning_content":"a","reasoning":""}}]}"#, &["0 reasoning `a`"]),
            (r#"{"choices":[{"delta":{"reasoning_content":"b","reasoning":"a"}}]}"#, &["0 reasoning `a`"]),
            (
                r#"{"choices":[{"delta":{"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a"}]}}]}"#,
                &["0 reasoning `a`"],
            ),
            (
                r#"{"choices":[{"delta":{"reasoning_details":[{"text":"a"},{"data":"x"},{"text":"b"}]}}]}"#,
                &["0 reasoning `a`", "0 reasoning `b`"],
            ),
            (r#"{"choices":[{"delta":{"reasoning_details":[{"summary":"a"}]}}]}"#, &["0 reasoning `a`"]),
        ],
    );
}

#[test]
fn calls_of_chat_completions() {
    check_data(
        Provider::OpenAi,
        &[
            (
                r#"{"choices":[{"index":1,"delta":{"tool_calls":[
                    {"index":0,"id":"c","type":"function","function":{"name":"f","arguments":""}}]}}]}"#,
                &["1 call id=c name=f index=0"],
            ),
            (
                r#"{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"1"}},
                    {"index":1,"id":"","function":{"name":null,"arguments":"2"}}]}}]}"#,
                &["0 call `1`", "0 call index=1 `2`"],
            ),
            (r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":""}}]}}]}"#, &[]),
            (
                r#"{"choices":[{"delta":{"tool_calls":[{"id":"c","function":{"name":"f","arguments":{"a":1}}}]}}]}"#,
                &[r#"0 call id=c name=f json {"a":1}"#],
            ),
            (
                r#"{"choices":[{"delta":{"function_call":{"name":"f","arguments":"{"}},"finish_reason":"function_call"}]}"#,
                &["0 call name=f `{`", "0 finish function_call tool"],
            ),
        ],
    );
}

#[test]
fn ends_of_chat_completions() {
    check_data(
        Provider::OpenAi,
        &[
            (
                r#"{"choices":[{"finish_reason":"stop","delta":{"content":"a"}}],"usage":{"b":1,"a":2}}"#,
                &["0 text `a`", "0 finish stop stop", r#"usage {"a":2,"b":1}"#],
            ),
            (r#"{"choices":[{"finish_reason":"","delta":{}}]}"#, &[]),
            (r#"{"choices":[{"finish_reason":"max_tokens"}]}"#, &["0 finish max_tokens length"]),
            (
                r#"{"choices":[{"finish_reason":"abort"},{"finish_reason":"new"}]}"#,
                &["0 finish abort abort", "1 finish new unknown"],
            ),
            (r#"{"choices":[],"x_groq":{"usage":{"a":1}}}"#, &[r#"usage {"a":1}"#]),
            (r#"{"choices":[],"x_groq":{"usage":{"a":1}},"usage":{"a":1}}"#, &[r#"usage {"a":1}"#]),
            (r#"{"choices":[{"usage":{"a":1},"delta":{}}]}"#, &[r#"usage {"a":1}"#]),
            (r#"{"choices":[],"usage":"none"}"#, &[]),
            (
                r#"{"error":{"code":1},"choices":[{"finish_reason":"error","delta":{"content":"a"}}]}"#,
                &["0 text `a`", "0 finish error error", r#"error {"code":1}"#],
            ),
            (
                r#"{"choices":[{"error":{"code":1},"finish_reason":"error"}]}"#,
                &["0 finish error error", r#"error {"code":1}"#],
            ),
            (r#"{"choices":[{"error":{"code":1}}],"error":{"code":1}}"#, &[r#"error {"code":1}"#]),
            (r#"{"error":"boom"}"#, &["error `boom`"]),
            (r#"{"choices":[],"error":""}"#, &[]),
            (r#"{"choices":[],"error":false}"#, &[]),
            (r#"{"choices":[],"error":null}"#, &[]),
            (
                r#"{"object":"error","message":"m","code":400}"#,
                &[r#"error {"code":400,"message":"m","object":"error"}"#],
            ),
        ],
    );
}

#[test]
fn responses() {
    check_data(
        Provider::OpenAiResponses,
        &[
            (r#"{"type":"response.output_text.delta","delta":"a","output_index":0}"#, &["0 text `a`"]),
            (r#"{"type":"response.output_text.done","text":"a","delta":"a"}"#, &[]),
            (r#"{"type":"response.reasoning_text.delta","delta":"a"}"#, &["0 reasoning `a`"]),
            (r#"{"type":"response.refusal.delta","delta":"a"}"#, &["0 refusal `a`"]),
            (
                r#"{"type":"response.output_item.added","output_index":2,"item":
                    {"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":""}}"#,
                &["0 call id=c item=fc name=f index=2"],
            ),
            (
                r#"{"type":"response.function_call_arguments.delta","item_id":"fc","output_index":2,"delta":"{"}"#,
                &["0 call item=fc index=2 `{`"],
            ),
            (
                r#"{"type":"response.function_call_arguments.delta","item_id":"fc","delta":"{"}"#,
                &["0 call item=fc `{`"],
            ),
            (r#"{"type":"response.function_call_arguments.done","item_id":"fc","arguments":"{}"}"#, &[]),
            (
                r#"{"type":"response.output_item.done","output_index":2,"item":
                    {"type":"function_call","id":"fc","call_id":"c","name":"f","arguments":"{}"}}"#,
                &["0 call id=c item=fc name=f index=2 repeat `{}`", "0 end of block 2"],
            ),
            (r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"message","id":"m"}}"#, &[]),
            (
                r#"{"type":"response.output_item.added","item":{"type":"mcp_call","id":"m","name":"f","arguments":""}}"#,
                &["0 call id=m item=m name=f hosted"],
            ),
            (r#"{"type":"response.output_item.added","item":{"type":"web_search_call","id":"w"}}"#, &[]),
            (
                r#"{"type":"response.output_item.added","item":{"type":"function_call","call_id":"c","arguments":"{}"}}"#,
                &["0 call id=c"],
            ),
            (
                r#"{"type":"response.custom_tool_call_input.delta","item_id":"ct","delta":"SELECT"}"#,
                &["0 call item=ct free `SELECT`"],
            ),
            (
                r#"{"type":"response.code_interpreter_call_code.delta","item_id":"ci","delta":"import"}"#,
                &["0 call item=ci hosted free `import`"],
            ),
            (r#"{"type":"response.function_call_arguments.delta","item_id":"fc","delta":{"a":1}}"#, &[]),
        ],
    );
}

#[test]
fn ends_of_responses() {
    check(
        Provider::OpenAiResponses.dialect(),
        &[
            (
                "",
                r#"{"response":{"status":"completed","usage":{"a":1},"error":null},"type":"response.completed"}"#,
                &["0 finish completed stop", r#"usage {"a":1}"#, "terminal response.completed"],
            ),
            ("response.completed", r#"{"response":{}}"#, &["0 finish completed stop", "terminal response.completed"]),
            (
                "",
                r#"{"type":"response.completed","response":{"status":"completed","incomplete_details":{"reason":"x"}}}"#,
                &["0 finish completed stop", "terminal response.completed"],
            ),
            (
                "",
                r#"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}}"#,
                &["0 finish content_filter filter", "terminal response.incomplete"],
            ),
            (
                "",
                r#"{"type":"response.incomplete","response":{"status":"incomplete"}}"#,
                &["0 finish incomplete unknown", "terminal response.incomplete"],
            ),
            (
                "",
                r#"{"type":"response.failed","response":{"status":"failed","error":{"code":"c"}}}"#,
                &["0 finish failed error", r#"error {"code":"c"}"#, "terminal response.failed"],
            ),
            ("", r#"{"type":"response.created","response":{"status":"in_progress"}}"#, &[]),
            (
                "error",
                r#"{"type":"error","code":"c","message":"m"}"#,
                &[r#"error {"code":"c","message":"m","type":"error"}"#],
            ),
            ("error", r#"{"type":"error","error":{"code":"c"},"sequence_number":2}"#, &[r#"error {"code":"c"}"#]),
        ],
    );
}

#[test]
fn messages_of_anthropic() {
    check(
        Provider::Anthropic.dialect(),
        &[
            (
                "",
                r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"a"}}"#,
                &["0 text `a`"],
            ),
            (
                "",
                r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#,
                &["0 text `a`"],
            ),
            ("", r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"x"}}"#, &[]),
            ("content_block_delta", r#"{"delta":{"thinking":"a"}}"#, &["0 reasoning `a`"]),
            (
                "",
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}}"#,
                &["0 call id=t name=f index=1 placeholder {}"],
            ),
            (
                "",
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"server_tool_use","id":"t","name":"f"}}"#,
                &["0 call id=t name=f index=1 hosted"],
            ),
            (
                "",
                r#"{"type":"content_block_start","index":1,"content_block":{"type":"web_search_tool_result","id":"t","name":"f"}}"#,
                &[],
            ),
            (
                "",
                r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{"}}"#,
                &["0 call index=1 `{`"],
            ),
            (
                "",
                r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":""}}"#,
                &[],
            ),
            ("", r#"{"type":"content_block_stop","index":1}"#, &["0 end of block 1"]),
            (
                "",
                r#"{"type":"message_start","message":{"usage":{"input_tokens":3,"cache_read_input_tokens":9,
                    "cache_creation_input_tokens":0,"output_tokens":0,"service_tier":"standard"}}}"#,
                &["usage input_tokens 3", "usage output_tokens 0", "usage cache_read_input_tokens 9"],
            ),
            (
                "",
                r#"{"type":"message_delta","delta":{"stop_reason":"pause_turn"},"usage":{"output_tokens":5}}"#,
                &["0 finish pause_turn stop", "usage output_tokens 5"],
            ),
            ("message_stop", r#"{"type":"message_stop"}"#, &["terminal message_stop"]),
            ("ping", r#"{"type":"ping"}"#, &[]),
            (
                "error",
                r#"{"type":"error","error":{"type":"overloaded_error"}}"#,
                &[r#"error {"type":"overloaded_error"}"#],
            ),
        ],
    );
}

#[test]
fn candidates_of_gemini() {
    check_data(
        Provider::Gemini,
        &[
            (
                r#"{"candidates":[{"content":{"parts":[{"text":"a","thought":true},{"text":"b"}]},"index":1}]}"#,
                &["1 reasoning `a`", "1 text `b`"],
            ),
            (
                r#"{"candidates":[{"finishReason":"STOP","content":{"parts":[
                    {"functionCall":{"name":"f","args":{"a":1}}},{"functionCall":{"name":"f","args":{"a":2}}}]}}]}"#,
                &[r#"0 call name=f new json {"a":1}"#, r#"0 call name=f new json {"a":2}"#, "0 finish STOP stop"],
            ),
            (
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"id":"i","name":"f"}}]}}]}"#,
                &["0 call id=i name=f new"],
            ),
            (
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{},"willContinue":true}}]}}]}"#,
                &["0 call name=f new placeholder {}"],
            ),
            (
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","willContinue":true,"partialArgs":[
                    {"jsonPath":"$.a","stringValue":"x","willContinue":true},{"jsonPath":"$.b","nullValue":null},
                    {"jsonPath":"$.c"},{"boolValue":true}]}}]}}]}"#,
                &["0 call name=f new", "0 call patch $.a `x` ...", "0 call patch $.b null"],
            ),
            (
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"id":"i","partialArgs":[{"jsonPath":"$.n[0]","numberValue":-1e3}]}}]}}]}"#,
                &["0 call id=i", "0 call id=i patch $.n[0] -1e3"],
            ),
            (r#"{"candidates":[{"content":{"parts":[{"functionCall":{}}]}}]}"#, &[]),
            (r#"{"candidates":[{"content":{"parts":[{"executableCode":{"code":"x"}}]}}]}"#, &[]),
            (r#"{"promptFeedback":{"blockReason":"OTHER"}}"#, &["0 finish OTHER filter"]),
            (r#"{"candidates":[{"finishReason":"OTHER","index":2}]}"#, &["2 finish OTHER unknown"]),
            (r#"{"error":{"code":503}}"#, &[r#"error {"code":503}"#]),
        ],
    );
}

#[test]
fn lines_of_ollama() {
    check_data(
        Provider::Ollama,
        &[
            (r#"{"message":{"content":"b","thinking":"a"},"done":false}"#, &["0 reasoning `a`", "0 text `b`"]),
            (r#"{"response":"b","thinking":"a","done":false}"#, &["0 reasoning `a`", "0 text `b`"]),
            (
                r#"{"message":{"content":"","tool_calls":[{"function":{"name":"f","arguments":{"a":1}}},
                    {"id":"c","function":{"index":1,"name":"f","arguments":{}}}]},"done":false}"#,
                &[r#"0 call name=f new json {"a":1}"#, "0 call id=c name=f index=1 new json {}"],
            ),
            (
                r#"{"done":true,"done_reason":"length","eval_count":4,"prompt_eval_count":2,"message":{"content":"a"}}"#,
                &[
                    "0 text `a`",
                    "0 finish length length",
                    "usage prompt_eval_count 2",
                    "usage eval_count 4",
                    "terminal done:true",
                ],
            ),
            (r#"{"done":true,"done_reason":""}"#, &["0 finish  unknown", "terminal done:true"]),
            (r#"{"done":true}"#, &["0 finish  unknown", "terminal done:true"]),
            (r#"{"done":false,"done_reason":"stop","eval_count":1}"#, &[]),
            (r#"{"error":"gone"}"#, &["error `gone`"]),
        ],
    );
}

#[test]
fn events_of_cohere() {
    check_data(
        Provider::Cohere,
        &[
            (r#"{"type":"content-delta","index":0,"delta":{"message":{"content":{"text":"a"}}}}"#, &["0 text `a`"]),
            (r#"{"type":"tool-plan-delta","delta":{"message":{"tool_plan":"a"}}}"#, &["0 tool_plan `a`"]),
            (
                r#"{"type":"tool-call-start","index":1,"delta":{"message":{"tool_calls":
                    {"id":"c","function":{"name":"f","arguments":""}}}}}"#,
                &["0 call id=c name=f index=1"],
            ),
            (r#"{"type":"tool-call-end","index":1}"#, &["0 end of block 1"]),
            (r#"{"type":"content-end","index":1}"#, &[]),
            (
                r#"{"type":"message-end","delta":{"finish_reason":"ERROR","error":"gone","usage":{"a":1}}}"#,
                &["0 finish ERROR error", r#"usage {"a":1}"#, "error `gone`", "terminal message-end"],
            ),
        ],
    );
}

#[test]
fn frames_of_bedrock() {
    check(
        Provider::BedrockConverse.dialect(),
        &[
            ("contentBlockDelta", r#"{"contentBlockIndex":0,"delta":{"text":"a"},"p":"ab"}"#, &["0 text `a`"]),
            ("contentBlockDelta", r#"{"delta":{"reasoningContent":{"text":"a"}}}"#, &["0 reasoning `a`"]),
            (
                "contentBlockStart",
                r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t","name":"f"}}}"#,
                &["0 call id=t name=f index=1"],
            ),
            (
                "contentBlockStart",
                r#"{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t","name":"f","type":"server_tool_use"}}}"#,
                &["0 call id=t name=f index=1 hosted"],
            ),
            (
                "contentBlockDelta",
                r#"{"delta":{"toolUse":{"input":"{"}},"contentBlockIndex":1}"#,
                &["0 call index=1 `{`"],
            ),
            ("contentBlockStop", r#"{"contentBlockIndex":1}"#, &["0 end of block 1"]),
            (
                "messageStop",
                r#"{"stopReason":"guardrail_intervened"}"#,
                &["0 finish guardrail_intervened filter", "terminal messageStop"],
            ),
            ("metadata", r#"{"metrics":{},"usage":{"inputTokens":1}}"#, &[r#"usage {"inputTokens":1}"#]),
        ],
    );
    check(Provider::BedrockInvoke.dialect(), &[("chunk", r#"{"bytes":"e30=","p":"a"}"#, &["inner"])]);
}

#[test]
fn events_of_llama_cpp() {
    check_data(
        Provider::LlamaCpp,
        &[
            (r#"{"content":"a","stop":false,"index":1,"tokens_predicted":1}"#, &["1 text `a`"]),
            (
                r#"{"content":"","stop":true,"stop_type":"word","tokens_predicted":1,"tokens_evaluated":2}"#,
                &["0 finish word stop", "usage tokens_evaluated 2", "usage tokens_predicted 1", "terminal stop:true"],
            ),
            (
                r#"{"content":"","stop":true,"stopped_eos":false,"stopped_limit":true,"stopped_word":false}"#,
                &["0 finish limit length", "terminal stop:true"],
            ),
            (r#"{"error":{"code":500}}"#, &[r#"error {"code":500}"#]),
        ],
    );
}

#[test]
fn errors_are_told_before_anybody_is_found_out() {
    check(
        &UNKNOWN,
        &[
            ("", r#"{"error":{"code":1}}"#, &[r#"error {"code":1}"#]),
            ("error", r#"{"message":"m"}"#, &[r#"error {"message":"m"}"#]),
            ("", r#"{"object":"error","message":"m"}"#, &[r#"error {"message":"m","object":"error"}"#]),
            ("ping", r#"{"type":"ping"}"#, &[]),
            ("", r#"{"message":"m"}"#, &[]),
        ],
    );
}

/// A dialect that looked through all facts for each of them would be noticed by its time.
#[test]
fn an_event_of_many_parts_is_read_once() {
    let repeat = |front: &str, part: &str, back: &str| {
        let parts: Vec<_> = (0..30_000).map(|_| part).collect();
        [front, &parts.join(","), back].concat()
    };
    let cases = [
        (Provider::OpenAi, repeat(r#"{"choices":["#, r#"{"delta":{"content":"a"}}"#, "]}")),
        (
            Provider::OpenAi,
            repeat(r#"{"choices":[{"delta":{"tool_calls":["#, r#"{"function":{"arguments":"a"}}"#, "]}}]}"),
        ),
        (Provider::Gemini, repeat(r#"{"candidates":[{"content":{"parts":["#, r#"{"text":"a"}"#, "]}}]}")),
        (
            Provider::Gemini,
            repeat(
                r#"{"candidates":[{"content":{"parts":[{"functionCall":{"partialArgs":["#,
                r#"{"jsonPath":"$.a","boolValue":true}"#,
                "]}}]}}]}",
            ),
        ),
        (Provider::Ollama, repeat(r#"{"message":{"tool_calls":["#, r#"{"function":{"arguments":{}}}"#, "]}}")),
    ];
    for (provider, data) in cases {
        assert_eq!(said(provider.dialect(), "", &data).len(), 30_000, "{}", provider.as_str());
    }
}
