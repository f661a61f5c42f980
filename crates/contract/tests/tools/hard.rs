//! What must not come out as a call: answers of tools, quotations, lists of tools, calls that stand in something else.

use std::sync::LazyLock;

use crate::rescue::{rescued, told};
use thusfar_contract::Tools;
use thusfar_core::Ending;

/// `f` and `g` take anything; `say` has parameters of several types.
static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    Tools::from_json(
        r#"["f", "g", {"name": "say", "input_schema": {"properties": {"text": {"type": "string"}, "n": {"type": "integer"}}}}]"#,
    )
    .expect("tools")
});

/// Replies with what becomes of them. No call of any of them may be run.
const REFUSED: &[(&str, &str)] = &[
    // What a tool answered.
    (r#"{"role": "tool", "tool_call_id": "c1", "name": "f", "content": "42"}"#, "no_call"),
    (r#"[{"role": "tool", "tool_call_id": "c1", "name": "f", "content": "42"}]"#, "no_call"),
    (r#"{"role": "function", "name": "f", "content": "42"}"#, "no_call"),
    (r#"{"type": "tool", "name": "f", "content": "42"}"#, "no_call"),
    (r#"{"tool_call_id": "c1", "name": "f", "content": ""}"#, "no_call"),
    (r#"{"role": "user", "name": "f", "arguments": {}}"#, "other_members"),
    (r#"<tool_call>{"role": "tool", "name": "f", "content": "42"}</tool_call>"#, "expected_markup"),
    // Names alone among words.
    ("The tools are:\n[{\"name\": \"f\"}, {\"name\": \"g\"}]\nPick one.", "no_call"),
    ("[{\"name\": \"f\"}, {\"name\": \"g\"}] are tools", "no_call"),
    ("```json\n[{\"name\": \"f\"}, {\"name\": \"g\"}]\n```\nare tools", "no_call"),
    ("```json\n{\"name\": \"f\"}\n{\"name\": \"g\"}\n```\nare tools", "no_call"),
    (r#"Tools: {"tool_calls": [{"name": "f"}, {"name": "g"}]}"#, "no_call"),
    // Quotations.
    (r#"It prints '<tool_call>{"name": "f", "arguments": {}}</tool_call>'."#, "unknown_dialect"),
    ("It prints '<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>'.", "unknown_dialect"),
    ("It prints \"<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>\".", "unknown_dialect"),
    ("It prints `<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n</tool_call>`.", "unknown_dialect"),
    (r#"'[TOOL_CALLS][{"name": "f", "arguments": {}}]'"#, "unknown_dialect"),
    (r#"["[TOOL_CALLS]f{}"]"#, "unknown_dialect"),
    (r#"'<|python_tag|>{"name": "f", "parameters": {}}'"#, "unknown_dialect"),
    (r#"curl -d '{"name": "f", "arguments": {}}'"#, "no_call"),
    ("> <function=f></function>", "unknown_dialect"),
    (">> <invoke name=\"f\"></invoke> is the form", "unknown_dialect"),
    ("in code -> <function=f></function> does it", "unknown_dialect"),
    ("a => <function=f></function> does it", "unknown_dialect"),
    ("if a < b -> <function=f></function> does it", "unknown_dialect"),
    // Two sets of arguments.
    ("Action: f\nAction Input: {\"a\": 1}\nAction Input: {\"a\": 2}", "two_arguments"),
    ("Action: f\nAction Input: {\"a\": 1}\n\n{\"a\": 2}", "two_arguments"),
    ("Action: f\nAction Input: ```\n{\"a\": 1}\n```\nAction Input: {\"a\": 2}", "two_arguments"),
    (r#"[TOOL_CALLS]f{"a": 1}{"a": 2}"#, "two_arguments"),
    (r#"[TOOL_CALLS]f[ARGS]{"a": 1} {"a": 2}"#, "two_arguments"),
];

#[test]
fn nothing_of_this_may_be_run() {
    let mut others = String::new();
    for (reply, code) in REFUSED {
        let rescued = rescued(&TOOLS, reply, Ending::Stop);
        let told = told(&rescued);
        let is_it = rescued.failure().is_some_and(|failure| failure.code().as_str() == *code);
        if !is_it || !rescued.calls().is_empty() {
            others.push_str(&format!("{reply}\nexpected {code}, found {told}\n"));
        }
    }
    assert!(others.is_empty(), "{others}");
}

/// What stands near these and is a call, with the arguments of all of them.
const CALLS: &[(&str, &[&str])] = &[
    (r#"{"role": "assistant", "name": "f", "arguments": {"a": 1}}"#, &[r#"{"a": 1}"#]),
    (r#"{"name": "f", "content": null}"#, &["{}"]),
    (r#"[{"name": "f"}, {"name": "g"}]"#, &["{}", "{}"]),
    ("```json\n[{\"name\": \"f\"}, {\"name\": \"g\"}]\n```", &["{}", "{}"]),
    (r#"Now [{"name": "f"}, {"name": "g", "arguments": {"a": 1}}]"#, &["{}", r#"{"a": 1}"#]),
    (r#"I don't know: <tool_call>{"name": "f", "arguments": {}}</tool_call>"#, &["{}"]),
    ("It is '<tool_call>'.\n{\"name\": \"f\", \"arguments\": {}}", &["{}"]),
    ("<b>now</b> <function=f></function>", &["{}"]),
    ("<a href=\"x\"> <function=f></function>", &["{}"]),
    ("<|tool_call>call:f{a:<|\"|>a < b<|\"|>}<tool_call|>", &[r#"{"a": "a < b"}"#]),
    ("Action: f\nAction Input: {\"a\": 1}\nAction: f\nAction Input: {\"a\": 2}", &[r#"{"a": 1}"#, r#"{"a": 2}"#]),
    ("Action: f\nAction Input: {\"a\": 1}\n\nAction In", &[r#"{"a": 1}"#]),
    (r#"[TOOL_CALLS]f{"a": 1} [TOOL_CALLS]f{"a": 2}"#, &[r#"{"a": 1}"#, r#"{"a": 2}"#]),
];

#[test]
fn what_stands_near_is_a_call() {
    for (reply, arguments) in CALLS {
        let rescued = rescued(&TOOLS, reply, Ending::Stop);
        let found: Vec<&str> = rescued.calls().iter().map(|call| call.arguments().text()).collect();
        assert_eq!(found, *arguments, "{reply}\n{}", told(&rescued));
        assert_eq!(rescued.outcome().as_str(), "ok", "{reply}\n{}", told(&rescued));
    }
}

/// Behind a call, what a model writes in the name of its tools.
const INVENTED: &[&str] = &[
    "\n<tool_response>\nok\n</tool_response>\n",
    "<tool_response>ok</tool_response>",
    "\n<function_results><result>ok</result></function_results>\n",
    "\n\nObservation: ok\n",
    "\n**Observation:** ok\n",
    "\n[TOOL_RESULTS]ok[/TOOL_RESULTS]",
];

#[test]
fn nothing_behind_an_invented_answer_counts() {
    for call in [
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>",
        "{\"name\": \"f\", \"arguments\": {\"a\": 1}}",
        "[TOOL_CALLS]f{\"a\": 1}",
        "<function=f>{\"a\": 1}</function>",
        "Action: f\nAction Input: {\"a\": 1}",
    ] {
        for answer in INVENTED.iter().filter(|answer| answer.starts_with('\n') || call.starts_with("<tool_call>")) {
            let reply = format!("{call}{answer}<tool_call>{{\"name\": \"g\", \"arguments\": {{}}}}</tool_call> Done.");
            let rescued = rescued(&TOOLS, &reply, Ending::Stop);
            let names: Vec<_> = rescued.calls().iter().map(thusfar_contract::ToolCall::name).collect();
            assert_eq!((names, rescued.outcome().as_str()), (vec!["f"], "ok"), "{reply}\n{}", told(&rescued));
            let invented = rescued.invented().expect("an answer");
            assert!(reply[invented.start..].starts_with(answer.trim_start()), "{reply}");
            assert_eq!(rescued.text().trim(), "", "{reply}");
        }
    }
}

#[test]
fn the_words_are_words_elsewhere() {
    for reply in
        ["Observation: it rains.", "<tool_response> is a tag.", "<tool_response>\n2C\n</tool_response>\n\nIt is 2C."]
    {
        let rescued = rescued(&TOOLS, reply, Ending::Stop);
        assert_eq!((rescued.text(), rescued.invented()), (reply, None));
    }
    let reply = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\nI wait.\nObservation: none yet.";
    assert_eq!(rescued(&TOOLS, reply, Ending::Stop).text(), "\nI wait.\nObservation: none yet.");
}
