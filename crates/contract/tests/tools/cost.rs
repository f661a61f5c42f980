//! What reading for printed calls costs: linear in the reply, whatever is in it and however it is cut.

use std::time::Instant;

use thusfar_contract::Tools;
use thusfar_core::Ending;

/// Texts that look like the beginning of a call, over and over.
const NEAR: &[&str] = &[
    "<",
    "<t",
    "<tool_call",
    "<tool_call>",
    "<tool_call> ",
    "<tool_call>{",
    "<tool_call>{\"",
    "<tool_call>{\"name\": \"f\", ",
    "<tool_call>\n",
    "<tool_call>{}</tool_call>",
    "</tool_call>",
    "</",
    "</think>",
    "<think>",
    "\n<think>x</think>",
    "{",
    "[",
    "[{",
    "{}",
    "[]",
    "{\"",
    "{\"name",
    "{\"name\": ",
    "{\"name\": \"f\"",
    "{\"name\": \"f\", ",
    "{\"name\": \"f\"} ",
    "{\"name\": \"f\", \"arguments\": {",
    "{\"name\": \"f\", \"arguments\": {}} ",
    "{\"name\": \"f\", \"arguments\": {}};",
    "{\"a\": 1}",
    "{\"a\": 1",
    "{\"f\": {}} x ",
    "`",
    "``",
    "```",
    "```\n",
    "```json\n",
    "```json\n{",
    "```json\n{\"name\": \"f\"}\n```\n",
    "~~~\n",
    "\"",
    "'",
    " ",
    "\n",
    ";",
    "f(",
    "}",
    "]",
    "é<",
    "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>",
    "{\"name\": \"f\", \"arguments\": {}}</think>",
    "<function=",
    "<function=f",
    "<function=f>",
    "<function=f><parameter=a>",
    "<function=f><parameter=a>x</parameter>",
    "<function=f><parameter=a>x</",
    "<function=f></function>",
    "<invoke name=\"f",
    "<invoke name=\"f\">",
    "<a:invoke name=\"f\"><a:parameter name=\"x\">",
    "<function_calls>",
    "<function_calls>\n<invoke name=\"f\"></invoke>",
    "[TOOL_CALLS]",
    "[TOOL_CALLS]f",
    "[TOOL_CALLS]f{",
    "[TOOL_CALLS] [{",
    "[TOOL_CALLS]f[ARGS]",
    "[TOOL_CALLS]f{}",
    "<|channel|>",
    "<|start|>",
    "<|start|>assistant<|channel|>commentary to=functions.f<|message|>",
    "<|channel|>analysis<|message|>a<|end|>",
    "<|end|>",
    "<|python_tag|>",
    "<|python_tag|>{",
    "<｜DSML｜",
    "<｜DSML｜invoke name=\"f\">",
    "<｜DSML｜invoke name=\"f\"><｜DSML｜parameter name=\"a\" string=\"true\">",
    "Action: f\n",
    "\nAction: f\nAction Input: {",
    "\nAction: f\nAction Input: {}\n",
    "\nAction: f\nAction Input:\n",
    "\nObservation: x\n",
    "<|tool_call>",
    "<|tool_call>call:f{",
    "<|tool_call>call:f{a:<|\"|>",
    "<start_function_call>call:f{a:",
];

fn tools() -> Tools {
    Tools::from_json(r#"["f", "g"]"#).expect("tools")
}

/// Steps for each byte of a text that is cut into chunks of so many bytes, in front of them in a reply that goes wrong in its own way.
fn steps_per_byte(near: &str, chunk_len: usize, len: usize) -> f64 {
    let text = near.repeat(len / near.len() + 1);
    let mut rescue = tools().rescue();
    let mut rest = text.as_str();
    while !rest.is_empty() {
        let mut at = chunk_len.min(rest.len());
        while !rest.is_char_boundary(at) {
            at += 1;
        }
        let _ = rescue.push(&rest[..at]);
        rest = &rest[at..];
    }
    let steps = rescue.steps();
    let _ = rescue.finish(Ending::Stop);
    steps as f64 / text.len() as f64
}

#[test]
fn near_tags_cost_a_bounded_number_of_steps_a_byte() {
    for near in NEAR {
        let all = steps_per_byte(near, usize::MAX, 50_000);
        assert!(all < 400.0, "{near:?} whole: {all} steps a byte");
        let each = steps_per_byte(near, 1, 50_000);
        assert!(each < 400.0, "{near:?} byte by byte: {each} steps a byte");
    }
}

#[allow(clippy::print_stdout)] // it is asked for by hand
/// Prints what a megabyte of each costs; run by hand, in release.
#[test]
#[ignore = "a measurement"]
fn a_megabyte_of_near_tags() {
    for near in NEAR {
        for chunk_len in [usize::MAX, 1] {
            let begun = Instant::now();
            let steps = steps_per_byte(near, chunk_len, 1 << 20);
            let took = begun.elapsed();
            println!(
                "{:>8.1} ms {steps:>6.1} steps a byte  {near:?} in chunks of {chunk_len}",
                took.as_secs_f64() * 1e3
            );
        }
    }
}
