//! Calls of the dialects with tags and parameters: what is whole, what is refused, what is text.

use crate::rescue::{rescued, told};
use serde_json::{Value, json};
use thusfar_contract::{CallOutcome, Dialect, Rescued, Tools};
use thusfar_core::Ending;

/// Every way in which a reply can end.
const ENDINGS: [Ending; 8] = [
    Ending::Stop,
    Ending::ToolUse,
    Ending::Length,
    Ending::Filtered,
    Ending::TimedOut,
    Ending::Disconnected,
    Ending::Cancelled,
    Ending::Unknown,
];

/// Offered everywhere: `run` takes a command, `set` takes values of several types, `ping` takes nothing.
fn tools() -> Tools {
    let value = json!([
        {"name": "run", "input_schema": {"properties": {"cmd": {"type": "string"}}, "required": ["cmd"]}},
        {"name": "set", "input_schema": {"properties": {
            "text": {"type": "string"}, "count": {"type": "integer"}, "ratio": {"type": "number"},
            "list": {"type": "array"}, "map": {"type": "object"}, "on": {"type": "boolean"},
        }}},
        {"name": "ping", "input_schema": {"type": "object", "properties": {}}},
        {"name": "free"},
    ]);
    Tools::from_json(&value.to_string()).expect("tools")
}

/// A call with its dialect, and what it holds.
type Whole = (&'static str, Dialect, &'static str, fn() -> Value);

const WHOLE: &[Whole] = &[
    ("<function=run><parameter=cmd>ls</parameter></function>", Dialect::Qwen, "run", || json!({"cmd": "ls"})),
    (
        "<function=run>\n<parameter=cmd>\nls -la\n</parameter>\n</function>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "ls -la"}),
    ),
    (
        "<function=run>\r\n<parameter=cmd>\r\nls\r\n</parameter>\r\n</function>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<function=run><parameter=cmd>\n\n ls \n\n</parameter></function>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "\n ls \n"}),
    ),
    ("<function=run><parameter=cmd>\n</parameter></function>", Dialect::Qwen, "run", || json!({"cmd": ""})),
    ("<function= run >\n<parameter= cmd >ls</parameter></function>", Dialect::Qwen, "run", || json!({"cmd": "ls"})),
    (
        "<function=run><parameter=cmd>a < b && c > d <e></parameter></function>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "a < b && c > d <e>"}),
    ),
    (
        "<function=run><parameter=cmd>&lt;a&gt; &amp; \\n \"é\" ```</parameter></function>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "&lt;a&gt; &amp; \\n \"é\" ```"}),
    ),
    (
        "<function=run><parameter=cmd><invoke name=\"x\"></invoke></parameter></function>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "<invoke name=\"x\"></invoke>"}),
    ),
    (
        "<function=set><parameter=text>5</parameter><parameter=count>5</parameter><parameter=ratio>1.50</parameter>\
         <parameter=list>[1, \"a\"]</parameter><parameter=map>{\"k\": null}</parameter>\
         <parameter=on>true</parameter></function>",
        Dialect::Qwen,
        "set",
        || json!({"text": "5", "count": 5, "ratio": 1.5, "list": [1, "a"], "map": {"k": null}, "on": true}),
    ),
    ("<function=ping></function>", Dialect::Qwen, "ping", || json!({})),
    ("<tool_call>\n<function=ping>\n</function>\n</tool_call>", Dialect::Qwen, "ping", || json!({})),
    (
        "<tool_call>\n<function=run>\n<parameter=cmd>\nls\n</parameter>\n</function>\n</tool_call>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<seed:tool_call>\n<function=run>\n<parameter=cmd>ls</parameter>\n</function>\n</seed:tool_call>",
        Dialect::Qwen,
        "run",
        || json!({"cmd": "ls"}),
    ),
    ("<function=run>{\"cmd\": \"</function>\"}</function>", Dialect::Function, "run", || json!({"cmd": "</function>"})),
    ("<function=run>\n{\"cmd\": \"ls\"}\n</function>", Dialect::Function, "run", || json!({"cmd": "ls"})),
    (
        "<tool_call><function=run>{\"cmd\": \"ls\"}</function></tool_call>",
        Dialect::Function,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<tool_call>\n<function>run</function>\n{\"cmd\": \"ls\"}\n</tool_call>",
        Dialect::Function,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<invoke name=\"run\"><parameter name=\"cmd\">ls</parameter></invoke>",
        Dialect::Invoke,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<invoke name='run'>\n<parameter name = 'cmd' >\nls\n</parameter>\n</invoke>",
        Dialect::Invoke,
        "run",
        || json!({"cmd": "\nls\n"}),
    ),
    (
        "<a-b.c:invoke name=\"run\"><x:parameter name=\"cmd\">ls</x:parameter></a-b.c:invoke>",
        Dialect::Invoke,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<invoke name=\"run\"><parameter name=\"cmd\"><function=a></parameter></invoke>",
        Dialect::Invoke,
        "run",
        || json!({"cmd": "<function=a>"}),
    ),
    ("<invoke name=\"ping\"></invoke>", Dialect::Invoke, "ping", || json!({})),
    (
        "<function_calls>\n<invoke name=\"run\">\n<parameter name=\"cmd\">ls</parameter>\n</invoke>\n</function_calls>",
        Dialect::Invoke,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<minimax:tool_call>\n<invoke name=\"set\">\n<parameter name=\"list\">[\"a\"]</parameter>\n</invoke>\n</minimax:tool_call>",
        Dialect::Invoke,
        "set",
        || json!({"list": ["a"]}),
    ),
    (
        "<tool_call><invoke name=\"run\"><parameter name=\"cmd\">ls</parameter></invoke></tool_call>",
        Dialect::Invoke,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"free\">\n<｜DSML｜parameter name=\"a\" string=\"true\">5</｜DSML｜parameter>\n\
         <｜DSML｜parameter name=\"b\" string=\"false\">{\"c\": 5}</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        Dialect::Dsml,
        "free",
        || json!({"a": "5", "b": {"c": 5}}),
    ),
    (
        "<｜｜DSML｜｜invoke name=\"run\"><｜｜DSML｜｜parameter name=\"cmd\" string=\"true\"><parameter name=\"x\"></｜｜DSML｜｜parameter></｜｜DSML｜｜invoke>",
        Dialect::Dsml,
        "run",
        || json!({"cmd": "<parameter name=\"x\">"}),
    ),
    (
        "<|DSML|tool_calls><|DSML|invoke name=\"run\"><|DSML|parameter string=\"true\" name=\"cmd\">ls</|DSML|parameter></|DSML|invoke></|DSML|tool_calls>",
        Dialect::Dsml,
        "run",
        || json!({"cmd": "ls"}),
    ),
    (
        "<tool_call>run\n<arg_key>cmd</arg_key>\n<arg_value>ls\n</arg_value>\n</tool_call>",
        Dialect::Glm,
        "run",
        || json!({"cmd": "ls\n"}),
    ),
    (
        "<tool_call>set<arg_key>text</arg_key><arg_value>7</arg_value><arg_key>count</arg_key><arg_value>7</arg_value></tool_call>",
        Dialect::Glm,
        "set",
        || json!({"text": "7", "count": 7}),
    ),
    ("<tool_call>ping\n</tool_call>", Dialect::Glm, "ping", || json!({})),
];

#[test]
fn whole_calls_are_found() {
    for (text, dialect, name, arguments) in WHOLE {
        for (front, behind) in [("", ""), ("Let me look.\n", "\nDone."), ("\n\n", "</tool_call>\n")] {
            let reply = format!("{front}{text}{behind}");
            let rescued = rescued(&tools(), &reply, Ending::Stop);
            let [call] = rescued.calls() else { panic!("{reply}: {rescued:?}") };
            assert_eq!(
                (call.name(), call.arguments().value(), call.dialect()),
                (*name, arguments(), *dialect),
                "{reply}"
            );
            // Of tags around several calls none belongs to one of them.
            let first_line = text.lines().next().unwrap_or_default();
            let is_around = first_line.contains("_calls>") || first_line.contains(":tool_call>");
            let own = &reply[call.span().range()];
            assert!(own == *text || (is_around && text.contains(own)), "{own}");
            assert_eq!(rescued.text(), format!("{front}{}", behind.trim_start_matches("</tool_call>")), "{reply}");
            assert!(rescued.failure().is_none(), "{reply}");
        }
    }
}

/// Where a call is whole: at its own closing tag. Of what stands around it only `<tool_call>` belongs to it.
fn whole_at(text: &str) -> usize {
    let ends = ["</function>", "invoke>"];
    let last = ends.iter().filter_map(|end| Some(text.rfind(end)? + end.len())).max();
    if text.starts_with("<tool_call>") { text.len() } else { last.expect("a closing tag") }
}

fn once(tools: &Tools, text: &str, ending: Ending) -> Rescued {
    let mut rescue = tools.rescue();
    let _ = rescue.push(text);
    rescue.finish(ending)
}

#[test]
fn a_cut_call_is_never_yielded() {
    let tools = tools();
    for (text, _, _, arguments) in WHOLE {
        let whole = whole_at(text);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            for ending in ENDINGS {
                for front in ["", "Let me look: "] {
                    let reply = format!("{front}{}", &text[..at]);
                    let rescued = once(&tools, &reply, ending);
                    assert!(at >= whole || rescued.calls().is_empty(), "{reply}");
                    let is_ok = rescued.outcome() == CallOutcome::Ok;
                    // Of an empty call, words in front of it say that it was only mentioned.
                    assert!(is_ok == (at >= whole) || front.len() > 1 && !is_ok, "{reply}: {rescued:?}");
                }
            }
            let is_same = told(&rescued(&tools, &text[..at], Ending::Length));
            assert_eq!(is_same, told(&once(&tools, &text[..at], Ending::Length)));
        }
        assert_eq!(once(&tools, text, Ending::Length).calls()[0].arguments().value(), arguments());
    }
}

/// The closing tags of a later call close nothing that was cut: of a cut call with another behind it, only the other may come out.
#[test]
fn a_later_call_closes_no_cut_one() {
    let tools = tools();
    for (first, ..) in WHOLE {
        for (second, _, name, arguments) in WHOLE {
            for (at, _) in first.char_indices().filter(|(at, _)| *at < whole_at(first)) {
                for between in ["", "\n\nOnce more.\n"] {
                    let front = format!("{}{between}", &first[..at]);
                    let reply = format!("{front}{second}");
                    for call in once(&tools, &reply, Ending::Stop).calls() {
                        assert_eq!((call.name(), call.arguments().value()), (*name, arguments()), "{reply}");
                        assert!(call.span().end > front.len(), "{reply}");
                    }
                }
            }
        }
    }
}

/// A reply in which a call is refused, the code, and the text that stands where it is wrong.
type Refused = (&'static str, &'static str, &'static str);

const REFUSED: &[Refused] = &[
    // Cut.
    ("<function=run>", "open_call", ""),
    ("<function=run>\n<parameter=cmd>\nrm -rf /tm", "open_parameter", ""),
    ("<function=run><parameter=cmd>ls</parameter></functio", "open_call", ""),
    ("<function=run>{\"cmd\": \"ls\"", "open_frame", ""),
    ("<function=run>{\"cmd\": \"ls\"}", "open_call", ""),
    ("<tool_call><function=run><parameter=cmd>ls</parameter></function>", "open_call", ""),
    ("<tool_call><function=ru", "open_call", ""),
    ("<invoke name=\"run\"><parameter name=\"cmd\">ls", "open_parameter", ""),
    ("<function_calls>", "open_call", ""),
    ("<function_calls><invoke name=\"run\"><parameter name=\"cmd\">ls</para", "open_parameter", ""),
    ("<tool_call>run<arg_key>cmd</arg_key><arg_value>ls", "open_parameter", ""),
    ("<tool_call>run<arg_key>cmd</arg_key><arg_value>ls</arg_value>", "open_call", ""),
    // Text where tags should stand.
    ("<function=run><parameter=cmd>ls</parameter>; rm</function>", "text_between", "; rm"),
    ("<function=run><parameter=cmd>a</parameter> b</parameter></function>", "text_between", "b</par"),
    ("<function=run><parameter=cmd>ls</parameter></parameter></function>", "expected_markup", "</parameter></f"),
    ("<function=run><parameter=cmd>ls</parameter></tool_call>", "expected_markup", "</tool_call>"),
    ("<function=run>{\"cmd\": \"ls\"}<parameter=cmd>ls</parameter></function>", "expected_markup", "<parameter"),
    ("<function=run>{\"cmd\": \"ls\"} {\"cmd\": \"rm\"}</function>", "expected_markup", "{\"cmd\": \"rm"),
    ("<invoke name=\"run\"><parameter name=\"cmd\">ls</parameter> and</invoke>", "text_between", "and"),
    ("<invoke name=\"run\"><parameter name=\"cmd\">ls</parameter></x:invoke>", "expected_markup", "</x:invoke>"),
    (
        "<invoke name=\"run\"><parameter name=\"cmd\">a</parameter><parameter name=\"cmd\" type=\"int\">1</parameter></invoke>",
        "expected_markup",
        "<parameter name=\"cmd\" type",
    ),
    ("<tool_call>run<arg_key>cmd</arg_key><arg_value>ls</arg_value>x</tool_call>", "text_between", "x</tool"),
    // A parameter that was not closed.
    ("<tool_call><function=run><parameter=cmd>ls</function></tool_call>", "unclosed_parameter", "</function>"),
    ("<function=run><parameter=cmd>ls<parameter=dir>x</parameter></function>", "unclosed_parameter", "<parameter=dir"),
    (
        "<function=run><parameter=cmd>rm -rf /\n\nNo.\n<function=run><parameter=cmd>ls</parameter></function>",
        "unclosed_parameter",
        "<function=run><parameter=cmd>ls",
    ),
    (
        "<function=run><parameter=cmd>rm -rf /\n\nNo.\n<tool_call>\n{}</tool_call></parameter></function>",
        "unclosed_parameter",
        "<tool_call>",
    ),
    (
        "<invoke name=\"run\"><parameter name=\"cmd\">rm\n<invoke name=\"run\"><parameter name=\"cmd\">ls</parameter></invoke>",
        "unclosed_parameter",
        "<invoke name=\"run\"><parameter name=\"cmd\">ls",
    ),
    (
        "<n:invoke name=\"run\"><n:parameter name=\"cmd\">ls</parameter></n:invoke>",
        "unclosed_parameter",
        "</parameter>",
    ),
    (
        "<function_calls><invoke name=\"run\"><parameter name=\"cmd\">ls</function_calls>",
        "unclosed_parameter",
        "</function_calls>",
    ),
    (
        "<｜DSML｜invoke name=\"run\"><｜DSML｜parameter name=\"cmd\" string=\"true\">a</｜DSML｜invoke>",
        "unclosed_parameter",
        "</｜DSML｜invoke>",
    ),
    (
        "<tool_call>run<arg_key>cmd</arg_key><arg_value>rm</tool_call>\n<tool_call>run<arg_key>cmd</arg_key><arg_value>ls</arg_value></tool_call>",
        "unclosed_parameter",
        "</tool_call>\n",
    ),
    // Around calls.
    (
        "<function_calls><invoke name=\"run\"><parameter name=\"cmd\">a</parameter></invoke> b</parameter></invoke></function_calls>",
        "expected_markup",
        "b</par",
    ),
    (
        "<tool_call><function=run><parameter=cmd>a</parameter></function></parameter></function></tool_call>",
        "expected_markup",
        "</parameter></function></tool",
    ),
    // Two readings.
    (
        "<function=set><parameter=text>a</parameter><parameter=text>b</parameter></function>",
        "repeated_parameter",
        "b</par",
    ),
    // Not what was offered.
    ("<function=stop><parameter=cmd>ls</parameter></function>", "unknown_tool", "<function=stop"),
    ("I call <function=stop>{\"cmd\": 1}</function>", "unknown_tool", "<function=stop"),
    ("<tool_call><function=stop></function></tool_call>", "unknown_tool", "<function=stop"),
    ("<tool_call>stop<arg_key>a</arg_key><arg_value>b</arg_value></tool_call>", "unknown_tool", "<tool_call>stop"),
    ("<function=run></function>", "missing_arguments", "<function=run"),
    ("<invoke name=\"run\">\n</invoke>", "missing_arguments", "<invoke"),
    // Not what the markup or the schema says.
    (
        "<｜DSML｜invoke name=\"set\"><｜DSML｜parameter name=\"count\" string=\"false\">five</｜DSML｜parameter></｜DSML｜invoke>",
        "parameter_not_json",
        "five",
    ),
    (
        "<｜DSML｜invoke name=\"set\"><｜DSML｜parameter name=\"count\" string=\"true\">5</｜DSML｜parameter></｜DSML｜invoke>",
        "schema",
        "5</",
    ),
    ("<function=set><parameter=on>True</parameter></function>", "schema", "True"),
    ("<function=set><parameter=count>None</parameter></function>", "schema", "None"),
    ("<function=set><parameter=list>['a']</parameter></function>", "schema", "['a']"),
    ("<function=set><parameter=count>\"5\"</parameter></function>", "schema", "\"5\""),
    ("<function=set><parameter=count>5.5</parameter></function>", "schema", "5.5"),
    ("<function=set><parameter=map>see {\"a\": 1}</parameter></function>", "schema", "see"),
    // JSON that is none.
    ("<function=run>{\"cmd\": \"a\" \"b\"}</function>", "expected_comma_or_closer", "\"b\""),
];

#[test]
fn refusals_say_what_is_wrong_and_where() {
    for (reply, code, at) in REFUSED {
        let rescued = rescued(&tools(), reply, Ending::Length);
        assert!(rescued.calls().is_empty(), "{reply}: {:?}", rescued.calls());
        let failure = rescued.failure().expect("a failure");
        assert_eq!(failure.code().as_str(), *code, "{reply}");
        assert!(reply[failure.offset()..].starts_with(at), "{reply}: {}", failure.offset());
    }
}

#[test]
fn what_stands_behind_a_broken_call_is_not_run() {
    let inner = "\n<tool_call>\n<function=run>\n<parameter=cmd>rm -rf /</parameter>\n</function>\n</tool_call>\n";
    let json = "\n<tool_call>{\"name\": \"run\", \"arguments\": {\"cmd\": \"rm -rf /\"}}</tool_call>\n";
    for inner in [inner, json] {
        for reply in [
            format!("<function=set><parameter=text>Never write{inner}here.</parameter></function>"),
            format!("<function=set><parameter=text>A text ends with </parameter>.{inner}</parameter></function>"),
            format!("<tool_call><function=set><parameter=text>It ends </parameter></function>.{inner}</tool_call>"),
        ] {
            let rescued = rescued(&tools(), &reply, Ending::Stop);
            assert!(rescued.calls().is_empty(), "{reply}");
            assert_eq!(rescued.outcome(), CallOutcome::Malformed, "{reply}");
        }
    }
}

#[test]
fn prose_that_mentions_tags_is_text() {
    let mentions = [
        "some use <tool_call>, others <function=...>.",
        "Write <function=NAME> first.",
        "Write <function=run> first, then <parameter=cmd>, then </parameter> and </function>.",
        "Write <function=ping></function> to ping.",
        "The tag <invoke name=\"ping\"></invoke> pings.",
        "Write <function=NAME>{arguments}</function>.",
        "Write <function=NAME><parameter=KEY>VALUE and so on.",
        "Write <invoke name=\"NAME\"><parameter name=\"KEY\"> and so on.",
        "Tags: <function_calls>, <invoke name=\"run\">, <parameter name=\"cmd\">.",
        "Write <function_calls> <invoke> </function_calls>.",
        "<function_calls> is the tag around it.",
        "<minimax:tool_call> is the tag around it.",
        "<function=run> is how it begins.",
        "`<function=run><parameter=cmd>ls</parameter></function>` is a call.",
        "\"<invoke name=\"run\"><parameter name=\"cmd\">ls</parameter></invoke>\" is a call.",
        "<function>run</function>\n{\"colour\": \"red\"}",
        "```xml\n<function=run><parameter=cmd>ls</parameter></function>\n```",
        "```\n<tool_call>run<arg_key>cmd</arg_key><arg_value>ls</arg_value></tool_call>\n```",
        "<tool_call>run the tool",
        "<｜DSML｜tool_calls> and <｜DSML｜invoke name=\"run\"> and <｜DSML｜parameter name=\"cmd\" string=\"true\">",
        "a < b, <p>, <x:y>, <function, <function=, <invoke, <invoke name=, <|DSML|, <｜, <tool_",
        "std::function<void()> <function> <parameter> <T: invoke>",
    ];
    for text in mentions {
        let rescued = rescued(&tools(), text, Ending::Stop);
        assert!(rescued.calls().is_empty() && rescued.refused().is_empty(), "{text}: {rescued:?}");
        assert_eq!(rescued.text(), text);
        assert_eq!(rescued.outcome(), CallOutcome::NotFound);
    }
}

/// A real call behind a mention is found.
#[test]
fn a_mention_hides_no_call() {
    for mention in ["Write <function=NAME> now.", "Say <invoke name=\"x\"> or <function_calls> or <function=y>."] {
        for (text, _, name, _) in WHOLE {
            let rescued = rescued(&tools(), &format!("{mention}\n{text}"), Ending::Stop);
            assert_eq!(rescued.calls().iter().map(|call| call.name()).collect::<Vec<_>>(), [*name], "{mention} {text}");
        }
    }
}

#[test]
fn each_call_between_tags_is_whole_by_itself() {
    let call = |cmd: &str| format!("<invoke name=\"run\"><parameter name=\"cmd\">{cmd}</parameter></invoke>");
    let (a, b) = (call("a"), call("b"));
    let text = format!("<function_calls>\n{a}\n{b}\n</function_calls>");
    let (first, second) = (17 + a.len(), 18 + a.len() + b.len());
    for at in 0..=text.len() {
        for ending in ENDINGS {
            let found = once(&tools(), &text[..at], ending);
            let wanted = usize::from(at >= first) + usize::from(at >= second);
            assert_eq!(found.calls().len(), wanted, "{}", &text[..at]);
            assert_eq!(told(&found), told(&rescued(&tools(), &text[..at], ending)));
        }
    }
    let found = rescued(&tools(), &text, Ending::Stop);
    assert_eq!(found.text(), "");
    assert_eq!(&text[found.calls()[1].span().range()], b);
    // What stands behind the last call may be the rest of its text, so only that one is refused.
    let broken = rescued(&tools(), &format!("<function_calls>{a}{b}, c</parameter></invoke>"), Ending::Stop);
    assert_eq!((broken.calls().len(), broken.refused().len()), (1, 1));
}

#[test]
fn a_name_that_is_too_long_is_none() {
    let long = "a".repeat(300);
    for text in [
        format!("<function={long}><parameter=cmd>ls</parameter></function>"),
        format!("<invoke name=\"{long}\"><parameter name=\"cmd\">ls</parameter></invoke>"),
        format!("<tool_call>{long}<arg_key>cmd</arg_key><arg_value>ls</arg_value></tool_call>"),
    ] {
        let rescued = rescued(&tools(), &text, Ending::Stop);
        assert!(rescued.calls().is_empty() && rescued.refused().is_empty(), "{rescued:?}");
    }
    let text = format!("<function=run><parameter=cmd>ls</parameter><parameter={long}>ls</parameter></function>");
    assert_eq!(rescued(&tools(), &text, Ending::Stop).outcome(), CallOutcome::Malformed);
}

#[test]
fn an_identifier_of_the_markup_is_kept() {
    let text = "<invoke name=\"run\" id=\"call_7\"><parameter name=\"cmd\">ls</parameter></invoke>";
    assert_eq!(rescued(&tools(), text, Ending::Stop).calls()[0].id(), Some("call_7"));
}

/// What closes a parameter behind a call shows that its text went on: it closed too early.
#[test]
fn a_call_that_closed_too_early_is_refused() {
    let ends = "</parameter></function>";
    let text = format!("<function=set><parameter=text>A call ends with {ends} as you see.\n");
    let json = "<tool_call>{\"name\": \"run\", \"arguments\": {\"cmd\": \"rm\"}}</tool_call>\n";
    for behind in [ends.to_owned(), format!("{json}So {ends}"), format!("<function=ping></function>\nSo {ends}")] {
        let found = rescued(&tools(), &format!("{text}{behind}"), Ending::Stop);
        assert!(found.calls().is_empty(), "{behind}: {found:?}");
        assert_eq!(found.outcome(), CallOutcome::Malformed);
    }
    // In code it is a word, and closing tags at once behind a call are a loop.
    let quoted = rescued(&tools(), &format!("{text}It is `</parameter>`."), Ending::Stop);
    assert_eq!(quoted.calls().len(), 1);
    let call = "<function=run><parameter=cmd>ls</parameter></function>";
    let looped = rescued(&tools(), &format!("{call}{}", ends.repeat(300)), Ending::Length);
    assert_eq!((looped.calls().len(), looped.outcome()), (1, CallOutcome::Runaway));
}
