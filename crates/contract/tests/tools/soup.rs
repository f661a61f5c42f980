//! Pieces of calls in any order: read alike however they are cut, and no call of a longer reply is there before it is whole.

use proptest::prelude::*;
use thusfar_contract::{RescueOptions, Tools};
use thusfar_core::Ending;

use crate::cutting;

/// What the openings, insides and ends of calls are made of, in every dialect.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ":",
    ",",
    ";",
    " ",
    "\n",
    "x",
    "é",
    "\\",
    "'",
    "`",
    "```",
    "```json\n",
    "\n```\n",
    "~~~\n",
    "f",
    "g",
    "{}",
    "{\"a\": 1}",
    "{\"name\": \"f\", \"arguments\": {\"a\": \"b\"}}",
    "{\"name\": \"f\"",
    ", \"arguments\": ",
    "{\"f\": {\"a\": 1}}",
    "{\"tool_calls\": [",
    "{\"name\": \"f\"}",
    "<tool_call>",
    "</tool_call>",
    "<think>",
    "</think>",
    "\n<think>",
    "<function=f>",
    "<parameter=a>",
    "</parameter>",
    "</function>",
    "<function>f</function>",
    "<invoke name=\"f\">",
    "<parameter name=\"a\">",
    "</invoke>",
    "<function_calls>",
    "</function_calls>",
    "<｜DSML｜invoke name=\"f\">",
    "<｜DSML｜parameter name=\"a\" string=\"true\">",
    "</｜DSML｜parameter>",
    "</｜DSML｜invoke>",
    "<tool_call>f",
    "<arg_key>a</arg_key>",
    "<arg_value>",
    "</arg_value>",
    "[TOOL_CALLS]",
    "[TOOL_CALLS]f",
    "[ARGS]",
    "[CALL_ID]",
    "<|python_tag|>",
    "<|start|>assistant",
    "<|channel|>commentary to=functions.f",
    "<|channel|>final",
    "<|channel|>analysis",
    "<|message|>",
    "<|call|>",
    "<|end|>",
    "\nAction: f\n",
    "Action Input: ",
    "\nObservation: ",
    "Thought: ",
    "<|tool_call>call:f{",
    "a:<|\"|>x<|\"|>",
    "}<tool_call|>",
    "<start_function_call>call:f{",
    "<escape>",
    "}<end_function_call>",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000 * more(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_are_read_alike_and_no_cut_call_is_there(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 1..14),
        (starts_in_reasoning, chunk_len, at) in (prop::bool::weighted(0.1), 2..6_usize, any::<prop::sample::Index>()),
    ) {
        let tools = Tools::from_json(r#"["f", "g"]"#).expect("tools");
        let mut options = RescueOptions::default();
        options.starts_in_reasoning = starts_in_reasoning;
        let reply = pieces.concat();
        let whole = cutting::any_cut(&tools, &reply, Ending::Stop, options, chunk_len);
        cutting::a_cut_call_is_none(&tools, &reply, options, &whole, at.index(reply.len()));
    }
}

fn more() -> u32 {
    std::env::var("MORE_CASES").ok().and_then(|more| more.parse().ok()).unwrap_or(1)
}
