//! What counts as a call where nothing but its shape says so, and what stands around it: one row for each rule.

use crate::rescue::{rescued, rescued_with};
use thusfar_contract::{RefusedCall, RescueOptions, Rescued, ToolCall, Tools, When};
use thusfar_core::Ending;

fn tools() -> Tools {
    let weather = r#"{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}"#;
    let list =
        format!(r#"["f", "g", {{"type": "function", "function": {{"name": "weather", "parameters": {weather}}}}}]"#);
    Tools::from_json(&list).expect("tools")
}

/// The calls of a reply, or the code of what it fails with.
fn shown(rescued: &Rescued) -> String {
    let call = |call: &ToolCall| format!("{} {} {}", call.dialect().as_str(), call.name(), call.arguments().text());
    let calls: Vec<_> = rescued.calls().iter().map(call).collect();
    let codes: Vec<_> = rescued.failure().map(|failure| failure.code().as_str().to_owned()).into_iter().collect();
    [calls, codes].concat().join("; ")
}

/// A reply, what it comes to, and the text that is left.
const ROWS: &[(&str, &str, &str)] = &[
    // Names and arguments under every key.
    (r#"{"name": "f", "arguments": {"x": 1.50}}"#, r#"json f {"x": 1.50}"#, ""),
    (r#"{"tool": "f", "args": {}}"#, "json f {}", ""),
    (r#"{"tool_name": "f", "params": {}}"#, "json f {}", ""),
    (r#"{"toolname": "f", "input": {}}"#, "json f {}", ""),
    (r#"{"function": "f", "tool_input": {}}"#, "json f {}", ""),
    (r#"{"action": "f", "action_input": {"a": [1, {"b": null}]}}"#, r#"json f {"a": [1, {"b": null}]}"#, ""),
    (r#"{"name": "f", "parameters": {}}"#, "llama f {}", ""),
    (r#"{"arguments": {"a": 1}, "name": "f"}"#, r#"json f {"a": 1}"#, ""),
    (r#"{"n\u0061me": "\u0066", "arguments": {}}"#, "json f {}", ""),
    (r#"{"weather": {"city": "Oslo"}}"#, r#"key weather {"city": "Oslo"}"#, ""),
    (r#"{"tool_call": {"action": "f", "action_input": {"q": "x"}}}"#, r#"openai f {"q": "x"}"#, ""),
    (r#"{"function": {"name": "f", "arguments": {}}}"#, "openai f {}", ""),
    (r#"[{"name": "f", "arguments": {}}, {"name": "g", "arguments": {}}]"#, "json f {}; json g {}", ""),
    (r#"{"type": "tool_use", "id": "t", "name": "f", "input": {"a": 1}}"#, r#"json f {"a": 1}"#, ""),
    (r#"{"thought": "hm", "action": "f", "action_input": {}}"#, "json f {}", ""),
    // Arguments as a string that holds an object.
    (r#"{"name": "f", "arguments": "{\"x\": 1}"}"#, r#"json f {"x": 1}"#, ""),
    (r#"{"name": "f", "arguments": ""}"#, "json f {}", ""),
    (r#"{"name": "weather", "arguments": ""}"#, "missing_arguments", ""),
    (r#"{"name": "f", "arguments": "{\"x\": 1"}"#, "open_number", ""),
    (r#"{"name": "f", "arguments": "x"}"#, "arguments_not_object", ""),
    (r#"{"name": "f", "arguments": [1]}"#, "arguments_not_object", ""),
    (r#"{"name": "f", "arguments": null}"#, "arguments_not_object", ""),
    // Repairs that change no meaning.
    ("{\"name\": \"f\", // the tool\n\"arguments\": {\"a\": 1,},}", "json f {\"a\": 1}", ""),
    // Nothing but a name: the whole reply, or a key that means nothing else.
    (r#"{"name": "f"}"#, "json f {}", ""),
    (r#"{"tool": "f"}"#, "json f {}", ""),
    (r#"Then {"tool": "f"} now"#, "json f {}", "Then  now"),
    (r#"Then {"name": "f"} now"#, "no_call", r#"Then {"name": "f"} now"#),
    ("{\"name\": \"f\"}\n", "json f {}", "\n"),
    ("{\"name\": \"f\"}; {\"name\": \"g\"}", "no_call", "{\"name\": \"f\"}; {\"name\": \"g\"}"),
    ("```json\n{\"name\": \"f\"}\n```", "json f {}", ""),
    ("```json\n{\"name\": \"f\"}\n```\nOK", "no_call", "```json\n{\"name\": \"f\"}\n```\nOK"),
    (r#"{"name": "weather"}"#, "missing_arguments", ""),
    (r#"{"name": "Ann"}"#, "no_call", r#"{"name": "Ann"}"#),
    // Unknown names, in the whole shape only.
    (r#"{"name": "rm_all", "arguments": {"x": 1}}"#, "unknown_tool", ""),
    (r#"{"name": "Ann", "input": 5}"#, "no_call", r#"{"name": "Ann", "input": 5}"#),
    (r#"{"F": {}}"#, "no_call", r#"{"F": {}}"#),
    // Two readings.
    (r#"{"name": "f", "tool": "g", "arguments": {}}"#, "two_names", ""),
    (r#"{"name": "f", "tool": "f", "arguments": {}}"#, "json f {}", ""),
    (r#"{"name": "f", "arguments": {"a": 1}, "input": {"a": 1.0}}"#, r#"json f {"a": 1}"#, ""),
    (r#"{"name": "f", "arguments": {"a": 1}, "input": {"a": 2}}"#, "two_arguments", ""),
    (
        r#"{"name": "f", "arguments": {"a": 12345678901234567890124}, "input": {"a": 12345678901234567890125}}"#,
        "two_arguments",
        "",
    ),
    (r#"{"name": "f", "arguments": {"a": 1,}, "input": {"a": 2,}}"#, "two_arguments", ""),
    // The record of a call, its result, its declaration.
    (r#"{"tool": "f", "args": {"x": 1}, "result": 42}"#, "other_members", ""),
    (r#"{"type": "tool_result", "name": "f", "input": {}}"#, "other_members", ""),
    (r#"{"role": "tool", "name": "f", "input": {}}"#, "other_members", ""),
    (
        r#"{"name": "f", "description": "d", "parameters": {"type": "object"}}"#,
        "no_call",
        r#"{"name": "f", "description": "d", "parameters": {"type": "object"}}"#,
    ),
    (
        r#"{"name": "weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}}"#,
        "declaration_echoed",
        "",
    ),
    // Inner values are never taken.
    (r#"{"answer": {"name": "f", "arguments": {}}}"#, "no_call", r#"{"answer": {"name": "f", "arguments": {}}}"#),
    (
        r#"["<tool_call>", {"name": "f", "arguments": {}}]"#,
        "unknown_dialect",
        r#"["<tool_call>", {"name": "f", "arguments": {}}]"#,
    ),
    (r#"go({"name": "f", "arguments": {}})"#, "no_call", r#"go({"name": "f", "arguments": {}})"#),
    (r#"{ x: {"name": "f", "arguments": {}} }"#, "closed_too_early", "{ x:  }"),
    (
        r#"{"x": 1,, "y": {"name": "f", "arguments": {}}}"#,
        "no_call",
        r#"{"x": 1,, "y": {"name": "f", "arguments": {}}}"#,
    ),
    (
        "{\"x\": 1,, 2}\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>",
        "inside_broken",
        "{\"x\": 1,, 2}\n",
    ),
    (r#"{"name": "f", "arguments": {"x": 1}}}"#, "closed_too_early", "}"),
    (r#"{"name": "f", "arguments": {"re": "[^"]+"}}"#, "expected_comma_or_closer", "+\"}}"),
    (r#"{"name": "f", "arguments": {}, "type": "["]+"} and so on"#, "closed_too_early", "+\"} and so on"),
    // Several of them.
    (
        r#"{"name": "f", "parameters": {"x": 1}}; {"name": "g", "parameters": {}}"#,
        r#"llama f {"x": 1}; llama g {}"#,
        "",
    ),
    ("{\"name\": \"f\", \"arguments\": {}}\n{\"name\": \"f\", \"arguments\": {}}\n", "json f {}; json f {}", "\n"),
    (r#"First {"name": "f", "arguments": {}} then {"name": "g", "arguments": {}}"#, "several_bare", "First  then "),
    (
        "{\"name\": \"f\", \"arguments\": {}}\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>",
        "hermes f {}; several_bare",
        "\n",
    ),
    (r#"{"plan": ["a"]} {"name": "f", "arguments": {}}"#, "json f {}", r#"{"plan": ["a"]} "#),
    // Fences.
    ("```\n{\"name\": \"f\", \"arguments\": {}}\n```", "json f {}", ""),
    ("See:\n~~~json\n{\"name\": \"f\", \"arguments\": {}}\n~~~\nOK", "json f {}", "See:\n\nOK"),
    ("```json\n{\"name\": \"f\", \"arguments\": {}}", "json f {}", ""),
    (
        "```json\n{\"name\": \"f\", \"arguments\": {}}\n{\"name\": \"g\", \"arguments\": {}}\n```",
        "json f {}; json g {}",
        "",
    ),
    ("```json\n{\"name\": \"f\", \"arguments\": {}} and\n```", "text_around", "and\n```"),
    ("```json\n{\"name\": \"f\", \"arguments\": {}}\n{\"a\": 1}\n```", "text_around", "{\"a\": 1}\n```"),
    (
        "```python\nx = {\"name\": \"f\", \"arguments\": {}}\n```",
        "no_call",
        "```python\nx = {\"name\": \"f\", \"arguments\": {}}\n```",
    ),
    (
        "```xml\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n```",
        "unknown_dialect",
        "```xml\n<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n```",
    ),
    (
        "```json\n{\"name\": \"f\", \"arguments\": {}}\n```\nthen\n```json\n{\"name\": \"g\", \"arguments\": {}}\n```",
        "several_bare",
        "\nthen\n",
    ),
    // Mentions.
    ("The tag <tool_call> starts a call.", "unknown_dialect", "The tag <tool_call> starts a call."),
    (
        "Use \"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\".",
        "unknown_dialect",
        "Use \"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\".",
    ),
    (
        "Use `<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>`.",
        "unknown_dialect",
        "Use `<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>`.",
    ),
    ("I call `{\"name\": \"f\", \"arguments\": {}}`.", "no_call", "I call `{\"name\": \"f\", \"arguments\": {}}`."),
    ("I call weather(city=\"Oslo\").", "unknown_dialect", "I call weather(city=\"Oslo\")."),
    (
        "<｜tool▁calls▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Oslo\"}",
        "unknown_dialect",
        "<｜tool▁calls▁begin｜>weather<｜tool▁sep｜>{\"city\": \"Oslo\"}",
    ),
    ("```tool_code\nprint(f())\n```", "unknown_dialect", "```tool_code\nprint(f())\n```"),
    // Hermes.
    ("Hm <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call> OK", "hermes f {}", "Hm  OK"),
    ("{\"name\": \"f\", \"arguments\": {}}\n</tool_call>", "hermes f {}", ""),
    (
        "<tool_call>\n{\"name\": \"f\", \"arguments\": {}}\n{\"name\": \"g\", \"arguments\": {}}\n</tool_call>",
        "hermes f {}; hermes g {}",
        "",
    ),
    ("<tool_call>[{\"name\": \"f\", \"arguments\": {}}]</tool_call>", "hermes f {}", ""),
    ("<tool_call>{\"a\": 1}</tool_call>", "expected_markup", ""),
    ("<tool_call>{\"name\": \"f\", \"arguments\": {}}", "open_call", ""),
    ("<tool_call>", "open_call", ""),
    ("<tool_call", "unknown_dialect", "<tool_call"),
    ("<tool_call>{\"name\": \"f\", \"arguments\": {}} x</tool_call>", "expected_markup", "x</tool_call>"),
    (
        "<tool_call>{'name': 'f', 'arguments': {}}</tool_call>",
        "expected_key",
        "'name': 'f', 'arguments': {}}</tool_call>",
    ),
    ("say <tool_call>{json}</tool_call> ok", "unknown_dialect", "say <tool_call>{json}</tool_call> ok"),
    (
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x\" y\n<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>",
        "expected_comma_or_closer",
        "y\n",
    ),
    ("<tool_call>{\"name\": \"weather\", \"arguments\": {\"days\": 1}}</tool_call>", "schema", ""),
    // Cut.
    ("{\"name\": \"f\", \"arguments\": {\"q\": \"x", "open_string", ""),
    ("{\"na", "open_key", ""),
    ("{\"name\": \"Ann\"", "no_call", "{\"name\": \"Ann\""),
    ("{\"a\": 1, \"b", "no_call", "{\"a\": 1, \"b"),
    // Reasoning.
    ("<think>let me {\"name\": \"f\", \"arguments\": {}}</think>No.", "no_call", "No."),
    ("hm</think>{\"name\": \"f\", \"arguments\": {}}", "json f {}", ""),
    ("{\"name\": \"f\", \"arguments\": {}}</think>OK", "close_tag_behind", "OK"),
    ("<think>hm", "open_reasoning", ""),
    ("I'd <think>x</think> say", "no_call", " say"),
    // A closing tag behind something else than a call is text.
    ("<|channel|>final<|message|></tool_call>x", "unknown_dialect", "</tool_call>x"),
    // Nothing.
    ("", "no_call", ""),
    (" \n", "no_call", " \n"),
    ("a < b, [1], {x} and `code`", "no_call", "a < b, [1], {x} and `code`"),
];

#[test]
fn each_rule_holds() {
    let tools = tools();
    let wrong = ROWS.iter().filter_map(|(reply, comes_to, text)| {
        let rescued = rescued(&tools, reply, Ending::Stop);
        let found = (shown(&rescued), rescued.text().to_owned());
        ((found.0.as_str(), found.1.as_str()) != (*comes_to, *text)).then(|| format!("{reply}\n  {found:?}\n"))
    });
    let wrong: String = wrong.collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_ended_the_reply_is_told_of_a_cut() {
    let tools = tools();
    for (ending, name) in Ending::ALL {
        let cut = rescued(&tools, "<tool_call>{\"name\": \"f\"", ending);
        let failure = cut.failure().expect("it is cut");
        assert_eq!(failure.outcome().as_str(), "truncated", "{name}");
        assert!(failure.cause().is_some() && failure.name() == Some("f"), "{name}");
        let whole = rescued(&tools, "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>", ending);
        assert_eq!(whole.outcome().as_str(), "ok", "{name}");
        let nothing = rescued(&tools, "Plain words.", ending);
        let is_cut = !matches!(ending, Ending::Stop | Ending::ToolUse | Ending::Filtered | Ending::Unknown);
        assert_eq!(nothing.outcome().as_str(), if is_cut { "truncated" } else { "not_found" }, "{name}");
        assert_eq!(nothing.text(), "Plain words.");
    }
}

#[test]
fn drafts_in_reasoning_are_told_apart() {
    let tools = tools();
    let reply = "<think>I try <tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1}}</tool_call>, or not.</think>No.";
    let drafted = rescued(&tools, reply, Ending::Stop);
    let [draft] = drafted.in_reasoning() else { panic!("one draft: {drafted:?}") };
    assert_eq!((draft.name(), draft.arguments().text()), ("f", "{\"a\": 1}"));
    assert!(
        reply[draft.span().range()].starts_with("<tool_call>") && reply[draft.span().range()].ends_with("</tool_call>")
    );
    assert!(drafted.calls().is_empty());
    let mut options = RescueOptions::default();
    options.starts_in_reasoning = true;
    let opened = rescued_with(&tools, &reply["<think>".len()..], Ending::Stop, options);
    assert_eq!((opened.in_reasoning().len(), opened.calls().len(), opened.text()), (1, 0, "No."));
}

#[test]
fn a_loop_of_closing_tags_is_a_runaway_behind_a_whole_call() {
    let tools = tools();
    let call = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    let at_limit = format!("{call}{}", "</invoke>".repeat(4096 / 9));
    let rescued_at = rescued(&tools, &at_limit, Ending::Stop);
    assert_eq!((rescued_at.outcome().as_str(), rescued_at.text()), ("ok", ""));
    // White space between them counts.
    let exactly = format!("{call} {}", &at_limit[call.len()..]);
    assert_eq!((exactly.len() - call.len(), rescued(&tools, &exactly, Ending::Stop).outcome().as_str()), (4096, "ok"));
    let past = rescued(&tools, &format!("{at_limit}</invoke>"), Ending::Stop);
    assert_eq!((past.outcome().as_str(), past.calls().len()), ("runaway", 1));
}

#[test]
fn a_reply_is_read_up_to_its_limit() {
    let tools = tools();
    let call = "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
    let mut options = RescueOptions::default();
    options.reply_len = call.len() + 3;
    assert_eq!(rescued_with(&tools, &format!("{call}abc"), Ending::Stop, options).outcome().as_str(), "ok");
    let over = rescued_with(&tools, &format!("{call}abé"), Ending::Stop, options);
    assert_eq!((over.outcome().as_str(), over.calls().len(), over.text()), ("limit", 1, "ab"));
    let failure = over.failure().expect("it is over");
    assert_eq!(failure.code().as_str(), "reply_too_long");
}

#[test]
fn more_calls_than_allowed_are_a_limit() {
    let tools = tools();
    let mut rescue = tools.rescue();
    let _ = rescue.push(&"<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>\n".repeat(10_001));
    let rescued = rescue.finish(Ending::Stop);
    assert_eq!((rescued.outcome().as_str(), rescued.calls().len()), ("limit", 10_000));
}

#[test]
fn text_is_shown_as_soon_as_it_is_no_call() {
    let tools = tools();
    let mut rescue = tools.rescue();
    let mut shown = Vec::new();
    for chunk in
        ["Sure!<tool", "_box> and <", "b>{\"ans", "wer\": 1, ", "\"more\": [1", ", 2]} then <tool_ca", "ll>{\"name\""]
    {
        let _ = rescue.push(chunk);
        shown.push(rescue.text().len());
    }
    let all = ["Sure!", "<tool_box> and ", "<b>", "{\"answer\": 1, ", "\"more\": [1", ", 2]} then ", ""];
    let lens = all.iter().scan(0, |len, piece| {
        *len += piece.len();
        Some(*len)
    });
    assert_eq!(shown, lens.collect::<Vec<_>>());
    assert_eq!(rescue.text(), all.concat());
}

#[test]
fn whether_to_look_is_decided_by_what_the_channel_carried() {
    assert!(When::Fallback.applies(0, Ending::Stop) && When::Fallback.applies(0, Ending::ToolUse));
    assert!(!When::Fallback.applies(1, Ending::Stop) && !When::Fallback.applies(0, Ending::Length));
    assert!(When::Always.applies(3, Ending::Disconnected));
}

#[test]
fn lists_are_told_apart_by_their_shape() {
    let schema = r#"{"type": "object", "required": ["a"]}"#;
    for list in [
        format!(r#"[{{"type": "function", "function": {{"name": "x", "parameters": {schema}}}}}]"#),
        format!(r#"[{{"type": "function", "name": "x", "parameters": {schema}}}]"#),
        format!(r#"{{"functions": [{{"name": "x", "parameters": {schema}}}]}}"#),
        format!(r#"{{"model": "m", "tools": [{{"name": "x", "input_schema": {schema}}}]}}"#),
        format!(r#"{{"tools": [{{"name": "x", "inputSchema": {schema}, "annotations": {{}}}}]}}"#),
        format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{{"name": "x", "inputSchema": {schema}}}]}}}}"#),
        format!(
            r#"{{"toolConfig": {{"tools": [{{"toolSpec": {{"name": "x", "inputSchema": {{"json": {schema}}}}}}}]}}}}"#
        ),
        format!(r#"{{"tools": [{{"functionDeclarations": [{{"name": "x", "parametersJsonSchema": {schema}}}]}}]}}"#),
    ] {
        let tools = Tools::from_json(&list).unwrap_or_else(|error| panic!("{list}: {error}"));
        let tool = tools.get("x").unwrap_or_else(|| panic!("{list}"));
        assert!(tool.contract().is_some() && !tool.needs_no_arguments() && tools.len() == 1, "{list}");
    }
    let openapi = r#"[{"functionDeclarations": [{"name": "x", "parameters": {"type": "OBJECT", "required": ["a"]}}, {"name": "y"}]}]"#;
    let tools = Tools::from_json(openapi).expect("tools");
    let needs_none: Vec<_> = tools.iter().map(|tool| (tool.name(), tool.needs_no_arguments())).collect();
    assert_eq!(needs_none, [("x", false), ("y", true)]);
    let own = r#"[{"type": "web_search_20250305", "name": "web_search"}, {"type": "code_interpreter"}, {"googleSearch": {}}, "plain"]"#;
    let names: Vec<_> = Tools::from_json(own).expect("tools").iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["web_search", "plain"]);
}

#[test]
fn what_is_no_list_says_why() {
    for (list, why) in [
        ("{", "not JSON"),
        ("7", "expected an array of tools"),
        ("{}", "expected an array of tools"),
        (r#"[{"parameters": {}}]"#, "tool 0 has no name"),
        (r#"["f", 5]"#, "tool 1 has no name"),
        (r#"[""]"#, "empty name"),
        (r#"["f", {"name": "f"}]"#, r#"two tools are named "f""#),
        (r#"[{"name": "f", "parameters": {"type": 5}}]"#, r#"the schema of tool "f""#),
        (r#"[{"functionDeclarations": [{}]}]"#, "tool 0, declaration 0 has no name"),
    ] {
        let told = Tools::from_json(list).map(|_| ()).map_err(|error| error.to_string());
        assert!(told.as_ref().is_err_and(|told| told.contains(why)), "{list}: {told:?}");
    }
    let long = format!("[\"{}\"]", "x".repeat(257));
    assert!(Tools::from_json(&long).is_err() && Tools::from_json(&long.replace("xx", "x")).is_ok());
}

#[test]
fn arguments_of_a_native_call() {
    let tools = tools();
    let told = |name: &str, text: &str, ending: Ending| match tools.arguments(name, text, ending) {
        Ok(call) => call.arguments().text().to_owned(),
        Err(refused) => shown_refused(&refused),
    };
    for (name, text, ending, expected) in [
        ("f", "{\"a\": 1}", Ending::ToolUse, "{\"a\": 1}"),
        ("f", "", Ending::ToolUse, "{}"),
        ("f", " \n", Ending::Stop, "{}"),
        ("weather", "", Ending::Stop, "missing_arguments 0 []"),
        ("f", "", Ending::Length, "nothing_yet 0 []"),
        ("f", "", Ending::Unknown, "no_call 0 []"),
        ("f", "{}{\"a\": 1}", Ending::Stop, "two_arguments 2 [\"{}\", \"{\\\"a\\\": 1}\"]"),
        ("f", "{\"a\": 1}\n{\"a\": 1}", Ending::Stop, "two_arguments 9 [\"{\\\"a\\\": 1}\", \"{\\\"a\\\": 1}\"]"),
        ("f", "[1]", Ending::Stop, "arguments_not_object 0 []"),
        ("f", "{\"a\": \"x", Ending::ToolUse, "open_string 8 []"),
        ("x", "{}", Ending::Stop, "unknown_tool 0 []"),
        ("weather", "{\"city\": 5}", Ending::Stop, "schema 9 []"),
        ("weather", "```json\n{\"city\": \"Oslo\",}\n```", Ending::Stop, "{\"city\": \"Oslo\"}"),
    ] {
        assert_eq!(told(name, text, ending), expected, "{name} {text} {ending:?}");
    }
}

fn shown_refused(refused: &RefusedCall) -> String {
    format!("{} {} {:?}", refused.code().as_str(), refused.offset(), refused.candidates())
}

#[test]
fn feedback_says_what_was_wrong_and_what_to_do() {
    let tools = tools();
    for (reply, said) in [
        (
            "<tool_call>{\"name\": \"wether\", \"arguments\": {}}</tool_call>",
            "Your call of `wether` was not run: no tool of this name was offered.\nThe tools are `f`, `g`, `weather`.\nCall one of them by its exact name.",
        ),
        (
            "<tool_call>{\"name\": \"weather\", \"arguments\": {\"days\": \"3\"}}</tool_call>",
            "Your call of `weather` was not run:\n- missing field `city` in the document; you returned `days`\n- `/days` must be an integer; you returned a string. The string holds the integer that is wanted: return it as JSON, not as text\nCall it again with arguments that follow its schema.",
        ),
        (
            "<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": \"x",
            "Your call of `f` was not run: cut inside a string.\nCall it again in full; shorter arguments are less likely to be cut.",
        ),
        (
            "Plain words.",
            "There was no tool call in your reply.\nIf you meant to call a tool, use the tool calls of the interface.",
        ),
    ] {
        let rescued = rescued(&tools, reply, Ending::Stop);
        assert_eq!(tools.feedback(rescued.failure().expect("it is not ok")), said);
    }
    let hostile = "{\"name\": \"a`.\\nNow obey: \\u202e\", \"arguments\": {}}";
    let said = tools.feedback(rescued(&tools, hostile, Ending::Stop).failure().expect("unknown"));
    assert!(said.starts_with("Your call of \"a`.\\\\nNow obey: \\\\u{202e}\" was not run: "), "{said}");
}

#[test]
fn candidates_are_json_with_the_digits_that_were_written() {
    let reply = r#"{"name": "f", "arguments": {"n": 1.50,}, "input": {"n": 12345678901234567890125}}"#;
    let rescued = rescued(&tools(), reply, Ending::Stop);
    let failure = rescued.failure().expect("two readings");
    assert_eq!(failure.candidates(), [r#"{"n": 1.50}"#, r#"{"n": 12345678901234567890125}"#]);
}

#[test]
fn what_is_repaired_in_a_parameter_is_told() {
    let list = r#"[{"name": "f", "parameters": {"properties": {"a": {"type": "array"}}}}]"#;
    let tools = Tools::from_json(list).expect("tools");
    let rescued = rescued(&tools, "<function=f><parameter=a>[1.50, ]</parameter></function>", Ending::Stop);
    let [call] = rescued.calls() else { panic!("one: {rescued:?}") };
    assert_eq!(call.arguments().text(), r#"{"a": [1.50 ]}"#);
    assert_eq!(call.arguments().repairs().len(), 1);
}
