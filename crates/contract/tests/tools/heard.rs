//! Arguments held against their tool's schema while they come: what is told, where, and with which byte.

use thusfar_contract::{RefusedCall, Rescue, Timing, Tools, Violation};
use thusfar_core::{Ending, Expect, Reply, Take, read};

use crate::rescue::rescued;

const SCHEMA: &str = r#"{"type": "object", "additionalProperties": false, "required": ["city"], "properties": {
    "city": {"type": "string", "maxLength": 12},
    "unit": {"enum": ["C", "F"]},
    "days": {"type": "integer", "maximum": 14},
    "tags": {"items": {"type": "string"}, "maxItems": 2},
    "name": {"type": "string"},
    "arguments": {"type": "object", "properties": {"a": {"type": "null"}}}
}}"#;

fn tools() -> Tools {
    Tools::from_json(&format!(r#"[{{"name": "f", "input_schema": {SCHEMA}}}, "g"]"#)).expect("tools")
}

/// Arguments that break the schema, and the byte with which that is certain.
const BROKEN: &[(&str, &str)] = &[
    (r#"{"city": "Oslo", "unit": "K"}"#, "K"),
    (r#"{"city": 1}"#, "1"),
    (r#"{"city": "Oslo", "days": 30, "unit": "C"}"#, ", \"unit"),
    (r#"{"city": "Oslo", "days": true}"#, "true"),
    (r#"{"city": "Oslo", "tags": ["a", "b", "c"]}"#, "\"c\""),
    (r#"{"city": "Oslo", "tags": ["a", {}]}"#, "{}"),
    (r#"{"city": "Oslo and Bergen"}"#, "gen"),
    (r#"{"city": "Oslo and Be\u0072gen"}"#, "gen"),
    (r#"{"city": "Oslo", "colour": 1}"#, "olour"),
    (r#"{"days": 3}"#, "}"),
    (r#"{"city": "Oslo", "name": 7}"#, "7"),
    (r#"{"city": "Oslo", "arguments": {"a": "f"}}"#, "\"f"),
];

/// How calls are written: what stands in front of the arguments, and behind them; the name stands in front.
const FORMS: &[(&str, &str)] = &[
    ("Look:\n<tool_call>{\"name\": \"f\", \"arguments\": ", "}</tool_call>"),
    ("<tool_call>\n{\"id\": \"c1\", \"name\": \"\\u0066\", \"arguments\": ", "}\n</tool_call> and more"),
    ("{\"name\": \"f\", \"parameters\": ", "}"),
    ("{\"type\": \"tool_use\", \"name\": \"f\", \"input\": ", ", \"id\": \"x\"}"),
    ("[{\"name\": \"g\", \"arguments\": {}}, {\"name\": \"f\", \"arguments\": ", "}]"),
    ("{\"tool_calls\": [{\"id\": \"1\", \"function\": {\"name\": \"f\", \"arguments\": ", "}}]}"),
    ("{\"f\": ", "}"),
    ("```json\n{\"action\": \"f\", \"action_input\": ", "}\n```\n"),
    ("<function=f>", "</function>"),
    ("[TOOL_CALLS]f", "[TOOL_CALLS]g{}"),
    ("[TOOL_CALLS] [{\"name\": \"f\", \"arguments\": ", "}]"),
    ("<|python_tag|>{\"name\": \"f\", \"parameters\": ", "}<|eom_id|>"),
    ("<|channel|>commentary to=functions.f<|message|>", "<|call|>"),
    ("Action: f\nAction Input: ", "\n"),
];

fn refused(text: &str) -> RefusedCall {
    let rescued = rescued(&tools(), text, Ending::Stop);
    let [refused] = rescued.refused() else { panic!("{} refused of {text:?}", rescued.refused().len()) };
    refused.clone()
}

fn shown(violation: &Violation) -> (&str, &'static str, usize, usize, Timing) {
    (violation.path(), violation.keyword(), violation.start(), violation.offset(), violation.when())
}

/// What a reply that is the arguments alone comes to, and where that was certain.
fn alone(arguments: &str) -> (Violation, usize) {
    let expect = Expect::any().take(Take::Alone);
    let mut reply = Reply::with_sink(expect, tools().monitor("f", &expect).expect("it has a schema"));
    let _ = reply.push(arguments);
    let violation = reply.sink().violation().expect("it is broken").clone();
    (violation, reply.finish(Ending::Stop).expect_err("it is refused").decided_at())
}

#[test]
fn each_form_tells_what_the_arguments_alone_would() {
    for (arguments, certain) in BROKEN {
        let (violation, decided_at) = alone(arguments);
        assert_eq!(decided_at, arguments.find(certain).expect("there"), "{arguments}");
        for (front, back) in FORMS {
            let text = format!("{front}{arguments}{back}");
            let refused = refused(&text);
            assert_eq!(refused.code().as_str(), "schema", "{text}");
            assert_eq!(refused.decided_at(), front.len() + decided_at, "{text}");
            let told = refused.violation().expect("it was heard");
            let (path, keyword, start, offset, when) = shown(&violation);
            let moved = (path, keyword, front.len() + start, front.len() + offset, when);
            assert_eq!(shown(told), moved, "{text}");
            assert_eq!(
                refused.check().violations().iter().filter(|it| it.path() == path && it.keyword() == keyword).count(),
                1
            );
            assert_eq!(refused.name(), Some("f"));
        }
        let tools = tools();
        let native = tools.arguments("f", arguments, Ending::Stop).expect_err("it is broken");
        assert_eq!((native.decided_at(), shown(native.violation().expect("why"))), (decided_at, shown(&violation)));
        let document = read(&format!("So: {arguments}"), Expect::object()).expect("a document");
        let accepted = tools.accept("f", document).expect_err("it is broken");
        assert_eq!(accepted.decided_at(), 4 + decided_at);
        assert_eq!(accepted.violation().map(Violation::offset), Some(4 + violation.offset()));
    }
}

/// The byte at which [`Rescue::violation`] is there: not one earlier, not one later.
#[test]
fn it_is_told_with_the_byte_that_decides_it() {
    for (arguments, _) in BROKEN {
        let (violation, decided_at) = alone(arguments);
        for (front, back) in FORMS {
            let text = format!("{front}{arguments}{back}");
            let mut rescue = tools().rescue();
            for (at, byte) in text.char_indices() {
                let _ = rescue.push(byte.encode_utf8(&mut [0; 4]));
                let told = rescue.violation().map(Violation::offset);
                if at < front.len() + decided_at {
                    assert_eq!(told, None, "{at} of {text}");
                } else if at < front.len() + arguments.len() - 1 {
                    assert_eq!(told, Some(front.len() + violation.offset()), "{at} of {text}");
                }
            }
        }
    }
}

/// Of a call that is cut, or breaks, behind what its schema does not allow, that is what is wrong.
#[test]
fn what_was_certain_first_is_what_is_wrong() {
    let arguments = r#"{"city": "Oslo", "unit": "K", "tags": ["#;
    for (front, _) in FORMS {
        for behind in ["", "\"a\", x y"] {
            // A list of calls that breaks is text that is broken.
            if front.starts_with("{\"tool_calls\"") && !behind.is_empty() {
                continue;
            }
            let text = format!("{front}{arguments}{behind}");
            let rescued = rescued(&tools(), &text, Ending::Length);
            let refused = rescued.refused().first().unwrap_or_else(|| panic!("{text} is {:?}", rescued.failure()));
            assert_eq!(refused.code().as_str(), "schema", "{text}");
            assert_eq!(refused.decided_at(), front.len() + arguments.find("K").expect("there"), "{text}");
            assert_eq!((refused.path(), refused.cause()), ("/unit", None));
        }
    }
}

/// A name behind the arguments, or arguments in a string: the check at the end says what is wrong.
#[test]
fn what_only_the_whole_call_tells() {
    for text in [
        r#"{"arguments": {"city": "Oslo", "unit": "K"}, "name": "f"}"#,
        r#"{"name": "f", "arguments": "{\"city\": \"Oslo\", \"unit\": \"K\"}"}"#,
    ] {
        let refused = refused(text);
        assert_eq!(refused.code().as_str(), "schema", "{text}");
        assert!(refused.violation().is_none(), "{text}");
        assert!(refused.check().violations().iter().all(|violation| violation.when() == Timing::Final), "{text}");
    }
}

/// What turns out to be no call, or another's, is not refused for the schema.
#[test]
fn what_is_no_call_after_all() {
    let declaration = r#"{"name": "f", "parameters": {"type": "object"}, "description": "It does."}"#;
    let of = |text: &str| rescued(&tools(), text, Ending::Stop);
    assert!(of(declaration).refused().is_empty(), "a declaration is text");
    assert_eq!(of(declaration).text(), declaration);
    let two = r#"{"name": "f", "arguments": {"city": 1}, "tool": "g"}"#;
    assert_eq!(of(two).failure().map(|it| it.code().as_str()), Some("two_names"));
    let others = r#"{"name": "f", "arguments": {"city": 1}, "result": 3}"#;
    assert_eq!(of(others).failure().map(|it| it.code().as_str()), Some("other_members"));
    let deep = r#"{"name": "g", "arguments": {"f": {"name": "f", "arguments": {"city": 1}}}}"#;
    assert!(of(deep).failure().is_none(), "arguments of another tool are its own business");
    let unknown = r#"{"name": "h", "arguments": {"city": 1}}"#;
    assert_eq!(of(unknown).failure().map(|it| it.code().as_str()), Some("unknown_tool"));
}

/// Calls in front of a broken one and behind it stay what they are, and each has its own violation.
#[test]
fn several_calls() {
    let good = r#"{"city": "Oslo"}"#;
    let bad = r#"{"city": "Oslo", "unit": "K"}"#;
    let text = format!("[TOOL_CALLS]f{good}[TOOL_CALLS]f{bad}[TOOL_CALLS]f{good}");
    let rescued = rescued(&tools(), &text, Ending::Stop);
    assert_eq!((rescued.calls().len(), rescued.refused().len()), (2, 1));
    let list = format!(
        r#"[{{"name": "f", "arguments": {bad}}}, {{"name": "f", "arguments": {good}}}, {{"name": "f", "arguments": {bad}}}]"#
    );
    let rescued = crate::rescue::rescued(&tools(), &list, Ending::Stop);
    assert_eq!((rescued.calls().len(), rescued.refused().len()), (1, 2));
    let at: Vec<_> = rescued.refused().iter().map(|it| it.violation().map(Violation::offset)).collect();
    let wanted: Vec<_> = list.match_indices('K').map(|(at, _)| Some(at)).collect();
    assert_eq!(at, wanted);
}

#[test]
fn a_monitor_of_a_tool() {
    let tools = tools();
    let expect = Expect::object();
    assert!(tools.monitor("f", &expect).is_some());
    assert!(tools.monitor("g", &expect).is_none(), "it declares no schema");
    assert!(tools.monitor("h", &expect).is_none(), "nobody offered it");
    let rescue: Rescue = tools.rescue();
    assert!(rescue.violation().is_none());
}
