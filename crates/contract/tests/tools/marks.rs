//! Calls of the dialects with marks: Mistral, Llama, Harmony, `ReAct`, Gemma. What is whole, and that no cut of it is.

use std::sync::LazyLock;

use crate::rescue::rescued;
use thusfar_contract::{RescueOptions, Rescued, Tools};
use thusfar_core::Ending;

/// `f` and `g` take anything, `none` takes nothing, `city` requires `city`, `a.b-c` has an odd name.
static TOOLS: LazyLock<Tools> = LazyLock::new(|| {
    Tools::from_json(
        r#"["f", "g", "a.b-c", {"name": "none", "input_schema": {"properties": {}}},
            {"name": "city", "input_schema": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}]"#,
    )
    .expect("tools")
});

/// Calls in a line each: name, arguments, identifier.
fn calls(rescued: &Rescued) -> Vec<String> {
    let one = |call: &thusfar_contract::ToolCall| {
        let id = call.id().map(|id| format!(" #{id}")).unwrap_or_default();
        format!("{} {}{id}", call.name(), call.arguments().text())
    };
    rescued.calls().iter().map(one).collect()
}

/// A reply that holds whole calls.
struct Whole {
    why: &'static str,
    reply: &'static str,
    dialect: &'static str,
    calls: &'static [&'static str],
    text: &'static str,
}

const fn whole(
    why: &'static str,
    dialect: &'static str,
    reply: &'static str,
    calls: &'static [&'static str],
    text: &'static str,
) -> Whole {
    Whole { why, reply, dialect, calls, text }
}

const WHOLE: &[Whole] = &[
    whole("a list", "mistral", r#"[TOOL_CALLS] [{"name": "f", "arguments": {"a": 1}}]"#, &[r#"f {"a": 1}"#], ""),
    whole(
        "a list of several, glued to the mark, with identifiers",
        "mistral",
        r#"[TOOL_CALLS][{"name": "f", "arguments": {"a": 1}, "id": "x1"}, {"name": "g", "arguments": {}, "id": "x2"}]"#,
        &[r#"f {"a": 1} #x1"#, "g {} #x2"],
        "",
    ),
    whole("one object", "mistral", r#"[TOOL_CALLS]{"name": "f", "arguments": "{\"a\": 1}"}"#, &[r#"f {"a": 1}"#], ""),
    whole("a name and its arguments", "mistral", r#"[TOOL_CALLS]f{"a": 1}"#, &[r#"f {"a": 1}"#], ""),
    whole("an odd name", "mistral", r#"[TOOL_CALLS]a.b-c{"a": 1}"#, &[r#"a.b-c {"a": 1}"#], ""),
    whole(
        "repeated",
        "mistral",
        r#"Two of them. [TOOL_CALLS]f{"a": 1}[TOOL_CALLS]g{"b": {"name": "f", "arguments": {}}}"#,
        &[r#"f {"a": 1}"#, r#"g {"b": {"name": "f", "arguments": {}}}"#],
        "Two of them. ",
    ),
    whole("arguments behind a mark", "mistral", r#"[TOOL_CALLS]f[ARGS]{"a": 1}"#, &[r#"f {"a": 1}"#], ""),
    whole(
        "an identifier",
        "mistral",
        r#"[TOOL_CALLS]f[CALL_ID]9xYz12345[ARGS]{"a": 1}[TOOL_CALLS]none[ARGS]{}"#,
        &[r#"f {"a": 1} #9xYz12345"#, "none {}"],
        "",
    ),
    whole(
        "a mark of its own in a string",
        "mistral",
        r#"[TOOL_CALLS]f{"a": "[TOOL_CALLS]g{}"}"#,
        &[r#"f {"a": "[TOOL_CALLS]g{}"}"#],
        "",
    ),
    whole("text behind it", "mistral", "[TOOL_CALLS]f{}\nThat was it.", &["f {}"], "\nThat was it."),
    whole("one", "llama", r#"<|python_tag|>{"name": "f", "parameters": {"a": 1}}"#, &[r#"f {"a": 1}"#], ""),
    whole(
        "with a type, and the mark that ends the turn",
        "llama",
        r#"<|python_tag|>{"type": "function", "name": "f", "parameters": {"a": 1}}<|eom_id|>"#,
        &[r#"f {"a": 1}"#],
        "",
    ),
    whole(
        "several",
        "llama",
        "<|python_tag|>{\"name\": \"f\", \"parameters\": {\"a\": 1}}; {\"name\": \"g\", \"parameters\": {}};\n{\"name\": \"none\", \"parameters\": {}}\n<|eot_id|>",
        &[r#"f {"a": 1}"#, "g {}", "none {}"],
        "",
    ),
    whole("text behind it", "llama", r#"<|python_tag|>{"name": "f", "parameters": {}} ; done"#, &["f {}"], " ; done"),
    whole(
        "bare, several",
        "llama",
        r#"{"name": "f", "parameters": {"a": 1}}; {"name": "g", "parameters": {}}"#,
        &[r#"f {"a": 1}"#, "g {}"],
        "",
    ),
    whole(
        "behind its reasoning",
        "harmony",
        r#"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a": 1}<|call|>"#,
        &[r#"f {"a": 1}"#],
        "",
    ),
    whole(
        "the recipient with the role, the type without its mark",
        "harmony",
        r#"<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"a": 1}<|call|>"#,
        &[r#"f {"a": 1}"#],
        "",
    ),
    whole(
        "in the analysis, without a type",
        "harmony",
        "<|channel|>analysis to=functions.none<|message|>{}\n<|call|>",
        &["none {}"],
        "",
    ),
    whole(
        "no arguments at all",
        "harmony",
        "<|channel|>commentary to=functions.none<|message|><|call|>",
        &["none {}"],
        "",
    ),
    whole(
        "a preamble, and a final message that ends in a quotation",
        "harmony",
        "<|channel|>commentary<|message|>I ask \"f\"<|end|><|start|>assistant<|channel|>commentary to=functions.f<|message|>{}<|call|><|start|>assistant<|channel|>final<|message|>It said \"x\"<|return|>",
        &["f {}"],
        "I ask \"f\"It said \"x\"",
    ),
    whole(
        "offered by its whole name",
        "harmony",
        "<|channel|>commentary to=a.b-c<|message|>{}<|call|>",
        &["a.b-c {}"],
        "",
    ),
    whole(
        "in the middle of a line",
        "harmony",
        r#"Sure: <|channel|>commentary to=functions.f<|message|>{"a": "<|call|>"}<|call|>"#,
        &[r#"f {"a": "<|call|>"}"#],
        "Sure: ",
    ),
    whole("one", "react", "Thought: hm\nAction: f\nAction Input: {\"a\": 1}", &[r#"f {"a": 1}"#], "Thought: hm\n"),
    whole(
        "indented, with line ends of Windows",
        "react",
        "  Action:  f \r\n\r\n Action Input:\r\n{\"a\": 1}\r\n",
        &[r#"f {"a": 1}"#],
        "  ",
    ),
    whole("in a fence", "react", "Action: f\nAction Input:\n```json\n{\n\"a\": 1\n}\n```\n", &["f {\n\"a\": 1\n}"], ""),
    whole("in a fence that stays open", "react", "Action: f\nAction Input: ```\n{\"a\": 1}\n", &[r#"f {"a": 1}"#], ""),
    whole("a piece of an observation", "react", "Action: f\nAction Input: {}\nObserv", &["f {}"], ""),
    whole("a word that is none", "react", "Action: f\nAction Input: {}\nOb", &["f {}"], "Ob"),
    whole(
        "several",
        "react",
        "Action: f\nAction Input: {\"a\": 1}\n\nAction: g\nAction Input: {}\nThought: both\nFinal Answer: done",
        &[r#"f {"a": 1}"#, "g {}"],
        "\nThought: both\nFinal Answer: done",
    ),
    whole(
        "nothing behind an observation",
        "react",
        "Action: f\nAction Input: {}\nObservation: 3\nAction: g\nAction Input: {}\nFinal Answer: 3",
        &["f {}"],
        "",
    ),
    whole("no input at all", "react", "Action: none\nAction Input:\nThought: hm", &["none {}"], "Thought: hm"),
    whole(
        "a string",
        "gemma",
        r#"<|tool_call>call:f{word:<|"|>oak "}{,:" tree<|"|>}<tool_call|>"#,
        &[r#"f {"word": "oak \"}{,:\" tree"}"#],
        "",
    ),
    whole(
        "every kind of value",
        "gemma",
        r#"<|tool_call>call:f{n:12345678901234567890.50,t:true,z:null,l:[1, <|"|>x<|"|>,[],{}],o:{k:<|"|><|"|>,<|"|>a b<|"|>:-1e3},s:"a\"b"}<tool_call|>"#,
        &[
            r#"f {"n": 12345678901234567890.50, "t": true, "z": null, "l": [1, "x", [], {}], "o": {"k": "", "a b": -1e3}, "s": "a\"b"}"#,
        ],
        "",
    ),
    whole(
        "several, the tags of another inside",
        "gemma",
        "Hm. <|tool_call>call:f{a:<|\"|><tool_call|>\n<|\"|>}<tool_call|><|tool_call>call:none{}<tool_call|>\n",
        &[r#"f {"a": "<tool_call|>\n"}"#, "none {}"],
        "Hm. \n",
    ),
    whole(
        "the small one",
        "gemma",
        "<start_function_call>call:city{city:<escape>São \\Tomé<escape>}<end_function_call>",
        &[r#"city {"city": "São \\Tomé"}"#],
        "",
    ),
    whole(
        "nothing behind an answer",
        "gemma",
        "<start_function_call>call:f{}<end_function_call><start_function_response>response:f{a:1}<end_function_response>Done <start_function_call>call:g{}<end_function_call>",
        &["f {}"],
        "",
    ),
    whole(
        "nothing behind an answer, the large one",
        "gemma",
        "<|tool_call>call:f{}<tool_call|>\n<|tool_response>response:f{a:1}<tool_response|>Done",
        &["f {}"],
        "\n",
    ),
];

#[test]
fn whole_calls_are_found() {
    for row in WHOLE {
        let rescued = rescued(&TOOLS, row.reply, Ending::Stop);
        assert_eq!(calls(&rescued), row.calls, "{}: {}", row.why, row.reply);
        assert_eq!(rescued.outcome().as_str(), "ok", "{}: {:?}", row.why, rescued.failure());
        assert_eq!(rescued.text(), row.text, "{}: {}", row.why, row.reply);
        assert!(rescued.calls().iter().all(|call| call.dialect().as_str() == row.dialect), "{}", row.why);
    }
}

const ENDINGS: [Ending; 9] = [
    Ending::Stop,
    Ending::ToolUse,
    Ending::Length,
    Ending::Filtered,
    Ending::TimedOut,
    Ending::Disconnected,
    Ending::Failed,
    Ending::Cancelled,
    Ending::Unknown,
];

/// A call counts from the byte that ends its span on: cut in front of it, it is not there, and those in front of it are.
#[test]
fn a_cut_call_is_never_there() {
    for row in WHOLE {
        let whole = rescued(&TOOLS, row.reply, Ending::Stop);
        let ends: Vec<usize> = whole.calls().iter().map(|call| call.span().end).collect();
        // A list counts when it closes, so all of its calls do.
        let is_list = row.reply.contains("[{");
        let cuts = row.reply.char_indices().map(|(at, _)| at);
        for (at, ending) in cuts.flat_map(|at| ENDINGS.map(|ending| (at, ending))) {
            let cut = calls(&read(&row.reply[..at], ending));
            let count = if is_list { 0 } else { ends.iter().filter(|end| **end <= at).count() };
            assert!(cut.len() <= count, "{}: cut at {at}, {ending:?}: {cut:?}", row.why);
            assert_eq!(cut, row.calls[..cut.len()], "{}: cut at {at}, {ending:?}", row.why);
        }
    }
}

/// Read whole, without the splits: for replies of which there are many.
fn read(reply: &str, ending: Ending) -> Rescued {
    let mut rescue = TOOLS.rescue_with(RescueOptions::default());
    let _ = rescue.push(reply);
    rescue.finish(ending)
}

/// Behind `[TOOL_CALLS]f{}` a cut call takes nothing of the whole one with it, and is told.
#[test]
fn a_whole_call_in_front_of_a_cut_one_stays() {
    let rows = [
        (r#"[TOOL_CALLS]f{"a": 1}[TOOL_CALLS]g{"b""#, "mistral"),
        (r#"[TOOL_CALLS]f{"a": 1}[TOOL_CALLS]"#, "mistral"),
        (r#"<|python_tag|>{"name": "f", "parameters": {"a": 1}}; {"name": "g", "par"#, "llama"),
        (
            r#"<|channel|>commentary to=functions.f<|message|>{"a": 1}<|call|><|start|>assistant to=functions.g<|channel|>comm"#,
            "harmony",
        ),
        ("Action: f\nAction Input: {\"a\": 1}\nAction: g\nAction Input: {\"b\"", "react"),
        ("<|tool_call>call:f{a:1}<tool_call|><|tool_call>call:g{b:<|\"|>x", "gemma"),
    ];
    for (reply, dialect) in rows {
        let rescued = rescued(&TOOLS, reply, Ending::Length);
        let normal: Vec<String> = calls(&rescued).iter().map(|call| call.replace(' ', "")).collect();
        assert_eq!(normal, [r#"f{"a":1}"#], "{reply}");
        assert_eq!(rescued.outcome().as_str(), "truncated", "{reply}");
        assert_eq!(rescued.refused()[0].dialect().as_str(), dialect, "{reply}");
    }
}
