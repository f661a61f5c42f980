//! What the dialects with marks refuse, what is only mentioned, and that reading any of it is linear.

use std::sync::LazyLock;

use crate::rescue::{rescued, told};
use thusfar_contract::{Rescued, Tools};
use thusfar_core::Ending;

/// `f` and `g` take anything, `city` requires `city`.
static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    Tools::from_json(
        r#"["f", "g", {"name": "city", "input_schema": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}]"#,
    )
    .expect("tools")
});

/// Replies with their code and the text that is left. No call of any of them may be run.
const REFUSED: &[(&str, &str, &str)] = &[
    // Mistral.
    (r#"[TOOL_CALLS] [{"name": "f", "arguments": {}}"#, "open_frame", ""),
    (r#"[TOOL_CALLS] [{"name": "f", "arguments": {}}, {"name": "g""#, "open_frame", ""),
    (r#"[TOOL_CALLS] [{"name": "x", "arguments": {"a": 1}}]"#, "unknown_tool", ""),
    (r#"[TOOL_CALLS]x{"a": 1}"#, "unknown_tool", ""),
    (r#"[TOOL_CALLS]{"a": 1}"#, "expected_markup", ""),
    ("[TOOL_CALLS]", "open_call", ""),
    ("[TOOL_CALLS]f", "open_call", ""),
    ("[TOOL_CALLS]f[CALL_ID]x1", "open_call", ""),
    ("[TOOL_CALLS]f[ARGS]", "open_call", ""),
    (r#"[TOOL_CALLS]f[ARGS]"a""#, "arguments_not_object", r#""a""#),
    (r#"[TOOL_CALLS]f{"re": "[^"]+"}"#, "closed_too_early", "+\"}"),
    (r#"[TOOL_CALLS]f{"re": "[^"]"#, "closed_too_early", ""),
    ("Action: f\nAction Input: ```\n{\"re\": \"[^\"]", "closed_too_early", ""),
    (r#"<|python_tag|>{"name": "f", "parameters": {}, "type": "["]+"}"#, "closed_too_early", "+\"}"),
    ("Action: f\nAction Input: {\"re\": \"[^\"]\n+\"}", "closed_too_early", "+\"}"),
    (r#"[TOOL_CALLS]f{"a": "x"}, "b": "y"}"#, "closed_too_early", r#", "b": "y"}"#),
    (r#"[TOOL_CALLS]f{"a": 1, "a": 2}"#, "duplicate_key", "}"),
    (r#"[TOOL_CALLS]city{}"#, "schema", ""),
    (r#"[TOOL_CALLS]{"name": "f", "arguments": {"a": 1}, "input": {"a": 2}}"#, "two_arguments", ""),
    // A call in a string of one that is broken is never run.
    (r#"[TOOL_CALLS]f{"a": "he said " [TOOL_CALLS]g{"b": 1} "}"#, "expected_comma_or_closer", r#" "}"#),
    // Llama.
    ("<|python_tag|>", "open_call", ""),
    (r#"<|python_tag|>{"name": "f", "parameters": {"a": 1}"#, "open_frame", ""),
    (r#"<|python_tag|>{"name": "x", "parameters": {"a": 1}}"#, "unknown_tool", ""),
    (r#"<|python_tag|>{"a": 1}"#, "expected_markup", ""),
    (r#"<|python_tag|>{"name": "f", "parameters": {"a": "x"}, "b": "y"}, "c": 1}"#, "closed_too_early", r#", "c": 1}"#),
    (r#"<|python_tag|>{"name": "f", "parameters": {"a": "x"}}, "b": "y"}"#, "closed_too_early", r#", "b": "y"}"#),
    (r#"<|python_tag|>{"name": "f", "parameters": {"a": tru}}"#, "invalid_literal", "}}"),
    // Harmony.
    (r#"<|channel|>commentary to=functions.f<|message|>{"a": 1}"#, "open_call", ""),
    (r#"<|channel|>commentary to=functions.f<|message|>{"a": 1}<|ca"#, "open_call", ""),
    ("<|channel|>commentary to=functions.f", "open_call", ""),
    ("<|channel|>commentary to=functions.f<|message|>", "open_call", ""),
    (r#"<|channel|>commentary to=functions.f<|message|>{"a": 1}<|end|>ok"#, "expected_markup", "ok"),
    (r#"<|channel|>commentary to=functions.f<|message|>{"a": 1} or so<|call|>ok"#, "expected_markup", "ok"),
    (r#"<|channel|>commentary to=functions.f<|message|>{"a": 1,, "b": 2}<|call|>"#, "expected_key", ""),
    ("<|channel|>commentary to=functions.f<|message|>'abc'<|call|>", "arguments_not_object", ""),
    ("<|channel|>commentary to=functions.f<|message|>{oops}<|call|>", "expected_key", ""),
    ("<|channel|>commentary to=functions.city<|message|><|call|>", "missing_arguments", ""),
    (r#"<|channel|>commentary to=functions.x<|message|>{"a": 1}<|call|>"#, "unknown_tool", ""),
    (r#"<|channel|>commentary to=browser.search<|message|>{"a": 1}<|call|>"#, "unknown_tool", ""),
    ("<|channel|>analysis to=python<|message|>print(1)<|call|>", "unknown_tool", ""),
    (
        r#"<|start|>assistant to=functions.f<|channel|>commentary to=functions.g<|message|>{"a": 1}<|call|>"#,
        "two_names",
        "",
    ),
    // ReAct.
    ("Action: f\n", "open_call", ""),
    ("Action: f", "open_call", ""),
    ("Action: f\nAction Input:", "open_call", ""),
    ("Action: f\nAction Input: {\"a\"", "open_frame", ""),
    ("Action: f\nAction Input: ```json\n", "open_call", ""),
    ("Action: f\nAction Input: ```\n{}\n`` `", "text_around", "`` `"),
    ("Action: x\nAction Input: {\"a\": 1}", "unknown_tool", ""),
    ("Action: f\nAction Input: 'abc'\nObserv", "arguments_not_object", ""),
    ("Action: f\nAction Input: \"abc\"\nFinal Answer: x", "arguments_not_object", "Final Answer: x"),
    ("Action: f\nAction Input:\nFinal Answer: x", "arguments_not_object", "Final Answer: x"),
    ("Action: f\nAction Input: {} {}\nok", "expected_markup", "{}\nok"),
    ("Action: f\nAction Input: {\"a\": 1}\n, \"b\": 2}\nok", "closed_too_early", ", \"b\": 2}\nok"),
    ("Action: f\nAction Input: ```\n{\"a\": 1} x\n```", "text_around", "x\n```"),
    ("Action: city\nAction Input:\nThought: hm", "missing_arguments", "Thought: hm"),
    ("Action: f\nAction Input: {\"a\": 'x'}", "expected_value", "'x'}"),
    // Gemma.
    (r#"<|tool_call>call:f{a:<|"|>x<|"|>}"#, "open_call", ""),
    (r#"<|tool_call>call:f{a:<|"|>x"#, "open_parameter", ""),
    (r#"<|tool_call>call:f{a:<|"|>x<tool_call|>"#, "open_parameter", ""),
    ("<|tool_call>call:f{a:1}", "open_call", ""),
    ("<|tool_call>", "open_call", ""),
    ("<|tool_call>call:x{a:1}<tool_call|>", "unknown_tool", ""),
    ("<|tool_call>call:f{a:oak}<tool_call|>ok", "expected_markup", "ok"),
    ("<|tool_call>call:f{a:1,}<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{a:1]<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{a:01}<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{a:}<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{a}<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{:1}<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{a:1 b:2}<tool_call|>", "expected_markup", ""),
    ("<|tool_call>call:f{a:1}} <tool_call|>", "expected_markup", ""),
    (r#"<|tool_call>call:f{a:"\x"}<tool_call|>"#, "expected_markup", ""),
    (r#"<|tool_call>call:f{a:<|"|>x<|"|>y}<tool_call|>"#, "expected_markup", ""),
    ("<|tool_call>call:f{a:1,a:2}<tool_call|>", "duplicate_key", ""),
    ("<|tool_call>call:city{}<tool_call|>", "schema", ""),
    ("<start_function_call>call:city{city:1}<end_function_call>", "schema", ""),
    // The quote mark of the one is text in the other.
    ("<start_function_call>call:f{a:<|\"|>x<|\"|>}<end_function_call>", "expected_markup", ""),
];

#[test]
fn what_is_broken_is_refused() {
    for (reply, code, text) in REFUSED {
        let rescued = rescued(&TOOLS, reply, Ending::Stop);
        let failure = rescued.failure().map(|failure| failure.code().as_str());
        assert_eq!(failure, Some(*code), "{reply}");
        assert_eq!(rescued.text(), *text, "{reply}");
        assert!(rescued.calls().is_empty(), "{reply}: {:?}", rescued.calls());
    }
}

/// Prose that mentions a tag is text, to the last byte.
const MENTIONED: &[&str] = &[
    "Mistral writes [TOOL_CALLS] in front of its calls.",
    "Mistral writes [TOOL_CALLS]",
    "[TOOL_CALLS] is the mark of Mistral.",
    "Use `[TOOL_CALLS]f{}` for that.",
    "\"[TOOL_CALLS]f{}\" is what it writes.",
    "See [TOOL_CALLS] [1] and [TOOL_CALLS][f](x).",
    "[TOOL_CALLS] [] means none.",
    "[TOOL_CALLS]f[CALL_ID][ARGS]{}",
    "[TOOL_CALLS]f (x)",
    "[TOOL_CALLS]f [ARGS]{}",
    "Llama writes <|python_tag|> in front of code.",
    "<|python_tag|>f.call(a=1)",
    "Then <|python_tag|>",
    "gpt-oss writes <|channel|>, <|start|> and <|message|>.",
    "It ends with <|call|>, <|end|> or <|return|>.",
    "The header is <|start|>assistant<|channel|>final<|message|>, then text.",
    "A tool answers with <|start|>functions.f to=assistant<|channel|>commentary<|message|>, says the page.",
    "<|channel|>final comes last.",
    "<|channel|>other<|message|>x",
    "<|start|><|message|>x",
    "So <|channel|>commentary to=functions.x<|message|> begins a call.",
    "Say `<|channel|>commentary to=functions.f<|message|>{}<|call|>` to it.",
    "Action: buy milk\nThen go home.",
    "Action:\nAction Input: {}",
    "Action: f\nThen Action Input: {}",
    "Action: f\n\nLet me think.\nAction Input: {}",
    "No Action: f\nAction Input: {}",
    "Action: buy milk\nAction Input: some money",
    "> Action: f\n> Action Input: {}",
    "Observation: it rains.\nAction needed.",
    "Gemma writes <|tool_call> and <tool_call|>.",
    "<|tool_call> is a tag, <start_function_call> another.",
    "<|tool_call>call me",
    "<|tool_call>call:f (x)",
    "Then <|tool_call>",
    "<|tool_response> is text, <start_function_response> too.",
];

#[test]
fn what_is_mentioned_is_text() {
    for reply in MENTIONED {
        let found = rescued(&TOOLS, reply, Ending::Stop);
        assert_eq!(found.outcome().as_str(), "not_found", "{reply}");
        assert_eq!(found.text(), *reply);
        for ending in [Ending::Length, Ending::Disconnected, Ending::Unknown] {
            assert!(rescued(&TOOLS, reply, ending).calls().is_empty(), "{reply}");
        }
    }
}

#[test]
fn python_is_told_as_call_like() {
    for reply in ["<|python_tag|>f.call(a=1)", "<|python_tag|>brave_search.call(query=\"x\")"] {
        let rescued = rescued(&TOOLS, reply, Ending::Stop);
        assert_eq!(rescued.failure().map(|failure| failure.code().as_str()), Some("unknown_dialect"), "{reply}");
        assert_eq!(rescued.text(), reply);
    }
}

#[test]
fn the_analysis_is_reasoning() {
    let rows = [
        (
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>b<|return|>",
            "a",
            "b",
            "no_call",
        ),
        ("<|channel|>analysis<|message|>a<|start|>assistant<|channel|>final<|message|>b", "a", "b", "no_call"),
        ("<|channel|>analysis<|message|>a<|channel|>final<|message|>b<|end|>", "a", "b", "no_call"),
        ("<|channel|>analysis<|message|>a <b> <|en", "a <b> <|en", "", "open_reasoning"),
        ("<|channel|>analysis<|message|>", "", "", "open_reasoning"),
        ("<|channel|>final<|message|>b<|end|><|start|>assist", "", "b", "no_call"),
        ("Hi <|channel|>analysis<|message|>a<|end|>", "", "Hi <|channel|>analysis<|message|>a<|end|>", "no_call"),
        ("<|start|>assistant<|message|>b<|end|>\n<|end|>", "", "b\n", "no_call"),
    ];
    for (reply, reasoning, text, code) in rows {
        let rescued = rescued(&TOOLS, reply, Ending::Stop);
        assert_eq!((rescued.reasoning(), rescued.text()), (reasoning, text), "{reply}");
        assert_eq!(rescued.failure().map(|failure| failure.code().as_str()), Some(code), "{reply}");
    }
}

/// Calls in an analysis are drafts: told apart, with their place in the reply.
#[test]
fn a_call_in_the_analysis_is_a_draft() {
    let reply =
        "<|channel|>analysis<|message|>I write <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call><|end|>";
    let rescued = rescued(&TOOLS, reply, Ending::Stop);
    assert!(rescued.calls().is_empty());
    let [draft] = rescued.in_reasoning() else { panic!("one: {}", told(&rescued)) };
    assert!(reply[draft.span().range()].starts_with("<tool_call>") && draft.name() == "f");
}

/// What the model wrote in another's name, and where it begins.
#[test]
fn nothing_that_was_invented_counts() {
    let call = "[TOOL_CALLS]g{}\n<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call> text";
    let rows = [
        ("Action: f\nAction Input: {}\n", "Observation: 3\n", 1),
        ("Action: f\nAction Input: {}\nHm.\n", "Observation:", 1),
        ("Action: f\nAction Input: 3\n", "Observation: 3\n", 0),
        (
            "<|channel|>commentary to=functions.f<|message|>{}<|call|>",
            "<|start|>functions.f to=assistant<|channel|>commentary<|message|>",
            1,
        ),
        ("<|channel|>final<|message|>Hi<|end|>", "<|start|>user<|message|>", 0),
        ("", "<|start|>functions.f to=assistant<|channel|>commentary<|message|>", 0),
        ("<|tool_call>call:f{}<tool_call|>", "<|tool_response>", 1),
        ("<start_function_call>call:f{}<end_function_call>", "<start_function_response>", 1),
    ];
    for (front, invented, count) in rows {
        let reply = format!("{front}{invented}{call}");
        let rescued = rescued(&TOOLS, &reply, Ending::Stop);
        assert_eq!(rescued.calls().len(), count, "{reply}");
        assert_eq!(rescued.invented().map(|span| (span.start, span.end)), Some((front.len(), reply.len())), "{reply}");
        assert!(!rescued.text().contains("text"), "{reply}");
    }
    assert_eq!(rescued(&TOOLS, "Observation: 3", Ending::Stop).invented(), None);
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| {
        let reply = format!("<|tool_call>call:f{{a:{}1{}}}<tool_call|>", "[".repeat(depth), "]".repeat(depth));
        let rescued = rescued(&TOOLS, &reply, Ending::Stop);
        rescued.failure().map(|failure| failure.code().as_str())
    };
    assert_eq!((nested(63), nested(64)), (None, Some("too_deep")));
}

#[test]
fn numbers_keep_their_digits() {
    let reply = "<|tool_call>call:f{a:1.10e2,b:123456789012345678901234567890}<tool_call|>";
    let found = rescued(&TOOLS, reply, Ending::Stop);
    assert_eq!(found.calls()[0].arguments().text(), r#"{"a": 1.10e2, "b": 123456789012345678901234567890}"#);
    let far = rescued(&TOOLS, "<|tool_call>call:f{a:1e400}<tool_call|>", Ending::Stop);
    assert_eq!(far.outcome().as_str(), "malformed");
}

/// A broken schema is told at its place in the reply.
#[test]
fn a_violation_stands_in_the_reply() {
    let reply = "Hi <|tool_call>call:city{city:1}<tool_call|>";
    let rescued = rescued(&TOOLS, reply, Ending::Stop);
    let refused = &rescued.refused()[0];
    assert_eq!((refused.path(), &reply[refused.offset()..=refused.offset()]), ("/city", "{"));
}

/// A fence opens where another one is open, and the marks are read once.
#[test]
fn a_fence_in_a_fence_comes_to_an_end() {
    let reply = "```json\nx\n```json\n```json\n\ny";
    assert_eq!(rescued(&TOOLS, reply, Ending::Stop).text(), reply);
}

/// Texts that begin something again and again. Were any of it read more than a few times, no test would end.
const NEAR: &[&str] = &[
    "[TOOL_CALLS] ",
    "[TOOL_CALLS][",
    "[TOOL_CALLS]f[CALL_ID]",
    "[TOOL_CALLS]f{",
    "<|python_tag|>{",
    "<|python_tag|> ;",
    "<|start|>assistant",
    "<|channel|>final<|message|>",
    "<|channel|>analysis<|message|><|en",
    "<|start|>assistant to=functions.f<|message|>{\"a\": \"",
    "<|channel|>commentary to=x<|message|> <|cal",
    "Action: f\n",
    "Action: f\nAction Input: ",
    "Action: f\nAction Input: {}\n",
    "Action: f\nAction Input: ```\n",
    "Action: f\nAction Input: x\nObserv",
    "<|tool_call>call:f{a:<|\"|>",
    "<|tool_call>call:f{a:[",
    "<|tool_call>call:f{a:1,",
    "<|tool_call>call:f",
    "<start_function_call>call:f{}<end_function_cal",
];
/// What grows without an end inside something.
const GROWING: &[(&str, &str)] = &[
    ("[TOOL_CALLS]", " "),
    ("[TOOL_CALLS]", "x"),
    ("[TOOL_CALLS]f{} ", " "),
    ("[TOOL_CALLS]f[CALL_ID]", "x"),
    ("<|python_tag|>{\"name\": \"f\", \"parameters\": {}};", " "),
    ("<|channel|>", " "),
    ("<|channel|>commentary to=", "x"),
    ("<|channel|>analysis<|message|>", "<"),
    ("<|channel|>commentary to=functions.f<|message|>{} ", " "),
    ("<|channel|>commentary to=functions.f<|message|>x", "<|"),
    ("Action: ", "x"),
    ("Action: f\n", "\n"),
    ("Action: f\nAction Input: {}", " "),
    ("Action: f\nAction Input: ```\n{}\n", "`"),
    ("Action: f\nAction Input: ", "`"),
    ("Action: f\nAction Input: x", "x"),
    ("<|tool_call>call:f{a:", "1"),
    ("<|tool_call>call:f{a:\"", "\\"),
    ("<|tool_call>call:f{a:<|\"|>", "<|"),
    ("<|tool_call>call:f{a:1", " "),
    ("<|tool_call>call:f{", "x"),
    ("<|tool_call>call:f{a:1}x", "<"),
];

fn read(reply: &str, chunk: usize) -> Rescued {
    let mut rescue = TOOLS.rescue();
    for piece in reply.as_bytes().chunks(chunk) {
        let _ = rescue.push(std::str::from_utf8(piece).expect("ASCII"));
    }
    rescue.finish(Ending::Length)
}

#[test]
fn near_tags_are_read_in_linear_time() {
    let near = NEAR.iter().map(|near| near.repeat((1 << 20) / near.len()));
    let growing = GROWING.iter().map(|(front, more)| format!("{front}{}", more.repeat((1 << 20) / more.len())));
    for reply in near.chain(growing) {
        let whole = read(&reply, reply.len());
        assert!(whole.text().len() <= reply.len());
        let front = &reply[..1 << 16];
        assert_eq!(told(&read(front, 1)), told(&read(front, front.len())), "{}", &reply[..60]);
    }
}
