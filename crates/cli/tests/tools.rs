//! `thusfar tools`, and the lines of `batch` that bring tools, as a shell sees them.

mod support;

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use support::{File, Run, example, run};

/// A tool with a schema, and one that takes anything.
const TOOLS: &str = r#"[
    {"type": "function", "function": {"name": "weather", "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "maximum": 7}},
        "required": ["city"]}}},
    {"name": "now"}
]"#;

fn tools(flags: &[&str], reply: impl AsRef<[u8]>) -> Run {
    let list = File::with("tools-list.json", TOOLS);
    run(&[&["tools", "--tools", list.path()], flags].concat(), reply)
}

/// The line of a run that printed one.
fn line(told: &Run) -> Value {
    assert_eq!((told.stdout.lines().count(), told.stderr.as_str()), (1, ""), "{told:?}");
    serde_json::from_str(&told.stdout).expect("the report is JSON")
}

fn report(flags: &[&str], reply: impl AsRef<[u8]>) -> (Option<i32>, Value) {
    let told = tools(&[flags, &["--json"]].concat(), reply);
    (told.code, line(&told))
}

fn members(report: &Value) -> Vec<&str> {
    report.as_object().expect("an object").keys().map(String::as_str).collect()
}

fn steers_a_terminal(told: &str) -> bool {
    told.contains(|shown: char| {
        !matches!(shown, '\n' | '\t') && shown.is_control() || "\u{202e}\u{2067}".contains(shown)
    })
}

#[test]
fn a_call_is_a_line() {
    let reply = "Sure.<tool_call>{\"name\": \"weather\",\n \"arguments\": {\"city\": \"Oslo\",\n \"days\": 1.0}}</tool_call> Done.";
    let told = tools(&[], reply);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), "text:\nSure. Done.\n"));
    assert_eq!(told.stdout, "{\"name\":\"weather\",\"arguments\":{\"city\": \"Oslo\",  \"days\": 1.0}}\n");
    let told = tools(&["--json"], reply);
    assert_eq!(
        told.stdout,
        "{\"outcome\":\"ok\",\"calls\":[{\"name\":\"weather\",\"arguments\":{\"city\": \"Oslo\",  \"days\": 1.0},\
         \"dialect\":\"hermes\",\"start\":5,\"end\":93}],\"text\":\"Sure. Done.\"}\n"
    );
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    let (code, told) = report(&[], r#"{"id": "call_1", "name": "now", "arguments": {}}"#);
    assert_eq!((code, &told["calls"][0]["id"], &told["text"]), (Some(0), &json!("call_1"), &json!("")));
}

#[test]
fn the_example_of_the_readme_is_what_comes_out() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).expect("the README");
    let command = "thusfar tools --tools examples/tools/travel.json --ending length examples/replies/printed-calls.txt";
    assert!(readme.contains(&format!("`{command}`")), "the command stands there");
    let list = root.join("examples/tools/travel.json");
    let list = list.to_str().expect("a path in UTF-8");
    let told = run(&["tools", "--tools", list, "--ending", "length", &example("printed-calls.txt")], "");
    assert_eq!(told.code, Some(1));
    let notes = told.stderr.replace(&example("printed-calls.txt"), "examples/replies/printed-calls.txt");
    assert!(readme.contains(&format!("```text\n{}{notes}```\n", told.stdout)), "{}{notes}", told.stdout);
}

#[test]
fn a_cut_call_is_refused_and_the_whole_one_before_it_stays() {
    let whole = r#"<tool_call>{"name": "now", "arguments": {"a": 1,}}</tool_call>"#;
    let cut = r#"<tool_call>{"name": "weather", "arguments": {"city": "Os"#;
    let told = tools(&["--ending", "length"], format!("{whole}{cut}"));
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), "{\"name\":\"now\",\"arguments\":{\"a\": 1}}\n"));
    for part in [
        "repaired: `,` to nothing at line 1, column 48, in the arguments of `now` [trailing_comma]\nrefused: ",
        "truncated: cut inside a string at byte 118 (line 1, column 119) [open_string, budget]\n",
        " --> standard input:1:119\n",
        "  = next: ask again with a larger budget",
    ] {
        assert!(told.stderr.contains(part), "{part}: {}", told.stderr);
    }
    let (code, told) = report(&["--ending", "length"], format!("{whole}{cut}"));
    assert_eq!((code, &told["outcome"], &told["failure"]["cause"]), (Some(1), &json!("truncated"), &json!("budget")));
    assert_eq!(members(&told), ["calls", "failure", "outcome", "refused", "text"]);
    assert_eq!(told["calls"].as_array().map(Vec::len), Some(1));
    let repair = json!({"kind": "trailing_comma", "offset": 47, "line": 1, "column": 48, "before": ",", "after": ""});
    assert_eq!(told["calls"][0]["repairs"], json!([repair]));
    let refused = &told["refused"][0];
    assert_eq!((&refused["code"], &refused["dialect"]), (&json!("open_string"), &json!("hermes")));
    assert_eq!((&refused["start"], &refused["end"], &refused["offset"]), (&json!(62), &json!(118), &json!(118)));
    assert!(refused.get("arguments").is_none(), "nothing of a cut call can be run: {refused}");
    assert_eq!(told["failure"]["offset"], refused["offset"]);
}

#[test]
fn what_is_told_of_a_call_stands_in_the_reply() {
    let reply = "é\n<tool_call>{\"name\": \"now\", \"arguments\": {\"a\": 1,\n\"b\": 1e-400,},}</tool_call>";
    let (code, told) = report(&[], reply);
    let places = |notes: &Value| -> Vec<_> {
        let place = |note: &Value| (note["offset"].as_u64(), note["line"].as_u64(), note["column"].as_u64());
        notes.as_array().map(|notes| notes.iter().map(place).collect()).unwrap_or_default()
    };
    let at = |what: &str, line, column| vec![(reply.find(what).map(|at| at as u64), Some(line), Some(column))];
    assert_eq!((code, &told["outcome"]), (Some(0), &json!("ok")));
    assert_eq!(places(&told["calls"][0]["repairs"]), at(",},", 3, 12));
    assert_eq!(places(&told["calls"][0]["warnings"]), at("1e-400", 3, 6));
    assert_eq!(places(&told["repairs"]), at(",}<", 3, 14), "around the arguments");
    let told = tools(&[], reply);
    let notes = "repaired: `,` to nothing at line 3, column 14 [trailing_comma]\n\
                 repaired: `,` to nothing at line 3, column 12, in the arguments of `now` [trailing_comma]\n\
                 warning: a 64-bit float does not hold this number exactly at line 3, column 6, in the arguments of `now` [";
    assert!(told.stderr.starts_with(notes), "{}", told.stderr);
}

#[test]
fn what_is_told_of_arguments_in_a_string_stands_at_the_call() {
    let (_, told) = report(&[], r#"Sure: {"name": "now", "arguments": "{\"a\": 1,}"}"#);
    let (call, repair) = (&told["calls"][0], &told["calls"][0]["repairs"][0]);
    assert_eq!((&call["arguments"], &repair["kind"]), (&json!({"a": 1}), &json!("trailing_comma")));
    assert_eq!((&call["start"], &repair["offset"], &repair["column"]), (&json!(6), &json!(6), &json!(7)));
}

#[test]
fn a_lossy_number_has_its_keyword() {
    let reply = r#"<tool_call>{"name": "weather", "arguments": {"city": "Oslo", "days": 1e-400}}</tool_call>"#;
    let list = r#"[{"name": "weather", "inputSchema": {"properties": {"days": {"maximum": 7}}}}]"#;
    let list = File::with("tools-list.json", list);
    let told = run(&["tools", "--tools", list.path(), "--json"], reply);
    assert_eq!(line(&told)["calls"][0]["warnings"][0]["keyword"], "maximum", "{told:?}");
}

#[test]
fn an_invented_observation_is_as_long_however_it_is_cut() {
    let reply = "Action: now\nAction Input: {}\nObservation: it is late\nThought: so";
    let list = json!(["now"]);
    let pieces: Vec<_> = reply.chars().map(String::from).collect();
    let lines = [json!({"text": reply, "tools": list}), json!({"chunks": pieces, "tools": list})];
    let told = run(&["batch"], lines.map(|line| line.to_string()).join("\n"));
    let reports: Vec<Value> = told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(reports.len(), 2, "{told:?}");
    for report in reports {
        assert_eq!(report["outcome"], "ok");
        assert_eq!(report["invented"], json!({"start": reply.find("Obs"), "end": reply.len()}));
    }
}

#[test]
fn what_breaks_the_schema_is_told_as_validate_tells_it() {
    let reply = r#"<tool_call>{"name": "weather", "arguments": {"city": 5, "days": 9}}</tool_call>"#;
    let (code, told) = report(&[], reply);
    assert_eq!((code, &told["outcome"], &told["calls"]), (Some(1), &json!("schema_mismatch"), &json!([])));
    let violation = &told["violations"][1];
    assert_eq!((&violation["path"], &violation["keyword"]), (&json!("/days"), &json!("maximum")));
    assert_eq!((&violation["expected"], &violation["got"], &violation["start"]), (&json!(7), &json!(9), &json!(64)));
    assert_eq!(told["refused"][0]["violations"], told["violations"]);
    assert_eq!(told["refused"][0]["arguments"], json!({"city": 5, "days": 9}));
    assert_eq!((&told["failure"]["code"], &told["failure"]["path"]), (&json!("schema"), &json!("/city")));
    let told = tools(&[], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(
        told.stderr.starts_with("refused: the call of `weather` [hermes]\nschema mismatch: `/city` must"),
        "{told:?}"
    );
    assert_eq!(told.stderr.matches("schema mismatch: ").count(), 2);
}

#[test]
fn each_refusal_has_its_own_places() {
    let call =
        |arguments: &str| format!("<tool_call>{{\"name\": \"weather\", \"arguments\": {arguments}}}</tool_call>\n");
    let [bad, worse] = ["{\"city\": 5}", "{\"days\": 9,\n \"city\": 5}"].map(call);
    let reply = format!("é\n{bad}{worse}<tool_call>{{\"name\": \"rm\", \"arguments\": {{}}}}</tool_call>{bad}");
    let (code, told) = report(&[], &reply);
    let place = |note: &Value| (note["line"].as_u64(), note["column"].as_u64());
    let refused = told["refused"].as_array().cloned().unwrap_or_default();
    let violations = |refused: &Value| -> Vec<_> {
        refused["violations"].as_array().map(|all| all.iter().map(place).collect()).unwrap_or_default()
    };
    let at = |line, column| (Some(line), Some(column));
    let places: Vec<_> = refused.iter().map(|refused| (place(refused), violations(refused))).collect();
    assert_eq!(code, Some(1));
    assert_eq!(
        places,
        [
            (at(2, 54), vec![at(2, 54)]),
            (at(3, 54), vec![at(3, 54), at(4, 10)]),
            (at(5, 12), vec![]),
            (at(5, 108), vec![at(5, 108)])
        ]
    );
    assert_eq!((place(&told["failure"]), place(&told["violations"][0])), (at(2, 54), at(2, 54)));
}

#[test]
fn two_readings_are_both_told() {
    let reply = r#"{"name": "weather", "arguments": {"city": "Oslo"}, "parameters": {"city": "Bergen"}}"#;
    let (code, told) = report(&[], reply);
    let candidates = json!([{"city": "Oslo"}, {"city": "Bergen"}]);
    assert_eq!((code, &told["outcome"], &told["candidates"]), (Some(1), &json!("ambiguous"), &candidates));
    assert_eq!(told["refused"][0]["candidates"], candidates);
    for reply in [
        r#"{"name": "now", "args": {"a": 1.50,}, "params": {}}"#,
        r#"{\"name\": \"now\", \"args\": {\"a\": 1.50}, \"params\": {}}"#,
    ] {
        let (_, told) = report(&[], reply);
        assert_eq!(told["candidates"], json!([{"a": 1.5}, {}]), "JSON, whatever was repaired: {reply}");
    }
    let told = tools(&[], reply);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(
        told.stderr.contains("  = readings: `{\"city\": \"Oslo\"}`, `{\"city\": \"Bergen\"}`\n"),
        "{}",
        told.stderr
    );
}

#[test]
fn an_unknown_tool_is_invalid_and_prose_is_not_found() {
    let (code, told) = report(&[], r#"{"name": "rm_all", "arguments": {"x": 1}}"#);
    assert_eq!((code, &told["outcome"], &told["calls"]), (Some(1), &json!("invalid"), &json!([])));
    let refused = &told["refused"][0];
    assert_eq!((&refused["code"], &refused["name"]), (&json!("unknown_tool"), &json!("rm_all")));
    for prose in ["It is 5 degrees.", "Some models write <tool_call> in front of a call of weather.", ""] {
        let (code, told) = report(&["--ending", "stop"], prose);
        assert_eq!((code, &told["outcome"], &told["calls"]), (Some(1), &json!("not_found"), &json!([])), "{prose}");
        assert_eq!((&told["text"], told.get("refused")), (&json!(prose), None));
    }
    let told = tools(&[], "It is 5 degrees.");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(
        told.stderr.starts_with("not found: no tool call in the reply")
            && told.stderr.ends_with("text:\nIt is 5 degrees.\n")
    );
    let (code, told) = report(&[], "weather(city='Oslo')");
    assert_eq!((code, &told["failure"]["code"]), (Some(1), &json!("unknown_dialect")));
    assert_eq!(told["call_like"], json!({"start": 0, "end": 8}));
}

#[test]
fn calls_in_reasoning_stand_apart() {
    let draft = r#"<tool_call>{"name": "now", "arguments": {"i": 1}}</tool_call>"#;
    let call = draft.replace('1', "2");
    let (code, told) = report(&[], format!("<think>{draft}</think>{call}"));
    assert_eq!((code, &told["outcome"]), (Some(0), &json!("ok")));
    assert_eq!((&told["calls"][0]["arguments"], told["calls"].as_array().map(Vec::len)), (&json!({"i": 2}), Some(1)));
    assert_eq!(told["in_reasoning"][0]["arguments"], json!({"i": 1}));
    assert_eq!(told["reasoning"], draft);
    let told = tools(&[], format!("<think>{draft}</think>No."));
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.starts_with("draft: `now` is called in reasoning at line 1, column 8 [hermes]\nnot found: "));
}

#[test]
fn arguments_are_those_of_one_call() {
    let of = |name: &'static str, flags: &[&'static str], text: &str| {
        report(&[&["--payload", "arguments", "--tool", name], flags].concat(), text)
    };
    let (code, told) = of("weather", &[], "{\"city\": \"Oslo\",\n \"days\": 2,}");
    let mut call =
        json!({"name": "weather", "arguments": {"city": "Oslo", "days": 2}, "dialect": "native", "start": 0});
    call["end"] = json!(29);
    call["repairs"] = told["calls"][0]["repairs"].clone();
    assert_eq!((code, &told), (Some(0), &json!({"outcome": "ok", "calls": [call], "text": ""})));
    assert_eq!(told["calls"][0]["repairs"][0]["line"], 2);
    for (name, flags, text, code, outcome) in [
        ("now", &["--ending", "stop"][..], "", 0, "ok"),
        ("now", &["--ending", "tool-use"], " \n", 0, "ok"),
        ("now", &["--ending", "length"], "", 1, "truncated"),
        ("now", &[], "", 1, "not_found"),
        ("weather", &["--ending", "stop"], "", 1, "invalid"),
        ("weather", &["--ending", "stop"], "{\"city\": \"Os", 1, "truncated"),
        ("weather", &[], "{\"city\": 5}", 1, "schema_mismatch"),
        ("weather", &[], "[1]", 1, "invalid"),
        ("now", &[], "{\"a\": 1}{\"a\": 2}", 1, "ambiguous"),
        ("now", &[], "{'a': 1}", 1, "malformed"),
        ("other", &[], "{}", 1, "invalid"),
    ] {
        let (told_code, told) = of(name, flags, text);
        assert_eq!((told_code, &told["outcome"]), (Some(code), &json!(outcome)), "{name} {flags:?} {text}");
        assert_eq!(told["calls"].as_array().map(Vec::len), Some(usize::from(code == 0)), "{name} {flags:?} {text}");
    }
    let told = tools(&["--payload", "arguments", "--tool", "weather"], "{\"city\": \"Oslo\"}");
    assert_eq!(told.stdout, "{\"name\":\"weather\",\"arguments\":{\"city\": \"Oslo\"}}\n");
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    let (_, told) = of("now", &[], "{\"a\": 1}{\"a\": 2}");
    assert_eq!(told["candidates"], json!([{"a": 1}, {"a": 2}]));
}

#[test]
fn wrong_usage_exits_2() {
    for flags in [
        &["--payload", "arguments"][..],
        &["--payload", "call"],
        &["--tool", "now"],
        &["--payload", "text", "--tool", "now"],
        &["--ending", "never"],
        &["no/such/reply.txt"],
    ] {
        let told = tools(flags, "");
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{flags:?}: {told:?}");
    }
    assert_eq!(run(&["tools"], "").code, Some(2), "without a list");
    for (list, why) in [
        ("{", "not JSON"),
        ("{\"a\": 1}", "expected an array of tools"),
        ("[{\"description\": \"a\"}]", "tool 0 has no name"),
        ("[\"f\", {\"name\": \"f\"}]", "two tools are named"),
        ("[{\"name\": \"f\", \"input_schema\": {\"type\": 7}}]", "[schema_invalid]"),
        ("[\"\\u001b]0;x\\u0007\\u202e\", \"\\u001b]0;x\\u0007\\u202e\"]", "two tools are named"),
    ] {
        let list = File::with("tools-no-list.json", list);
        // The list is looked at before the reply.
        let told = run(&["tools", "--tools", list.path(), "--json", "no/such/reply.txt"], "");
        assert_eq!((told.code, told.stdout.as_str(), told.stderr.lines().count()), (Some(2), "", 1), "{told:?}");
        assert!(
            told.stderr.starts_with(&format!("thusfar: {}: ", list.path())) && told.stderr.contains(why),
            "{told:?}"
        );
        assert!(!steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
    }
    let list = File::with("tools-no-text.json", b"[\"\xff\"]");
    assert!(run(&["tools", "--tools", list.path()], "").stderr.ends_with("not UTF-8 from byte 3 on\n"));
    let told = run(&["tools", "--tools", "no/such.json"], "");
    assert_eq!(told.stderr, "thusfar: cannot read no/such.json: no such file or directory\n");
    let told = run(&["tools", "--tools", "-"], "[]");
    assert_eq!(told.stderr, "thusfar: --tools: standard input cannot be the tools and the input\n");
}

#[test]
fn lists_of_every_shape_are_read() {
    let schema = r#"{"type": "object", "required": ["a"]}"#;
    for list in [
        r#"[{"type": "function", "function": {"name": "f", "parameters": SCHEMA}}]"#,
        r#"{"model": "m", "tools": [{"type": "function", "name": "f", "parameters": SCHEMA}]}"#,
        r#"[{"name": "f", "input_schema": SCHEMA}]"#,
        r#"{"jsonrpc": "2.0", "id": 1, "result": {"tools": [{"name": "f", "inputSchema": SCHEMA}]}}"#,
        r#"{"toolConfig": {"tools": [{"toolSpec": {"name": "f", "inputSchema": {"json": SCHEMA}}}]}}"#,
        "\u{feff}[{\"functionDeclarations\": [{\"name\": \"f\", \"parametersJsonSchema\": SCHEMA}]}]",
    ] {
        let file = File::with("tools-shape.json", list.replace("SCHEMA", schema));
        for (arguments, code) in [(r#"{"a": 1}"#, 0), ("{}", 1)] {
            let told = run(&["tools", "--tools", file.path(), "--payload", "arguments", "--tool", "f"], arguments);
            assert_eq!(told.code, Some(code), "{list}: {told:?}");
        }
    }
}

#[test]
fn bytes_that_are_no_text_end_the_reading() {
    let call = r#"<tool_call>{"name": "now", "arguments": {}}</tool_call>"#;
    let (code, told) = report(&[], [b"a ", call.as_bytes(), b" \xff ", call.as_bytes()].concat());
    assert_eq!(
        (code, &told["outcome"], &told["failure"]["code"]),
        (Some(1), &json!("malformed"), &json!("invalid_utf8"))
    );
    assert_eq!((told["calls"].as_array().map(Vec::len), &told["failure"]["offset"]), (Some(1), &json!(58)));
    let inside = call.replace("{}", "{\"a\": \"\u{7f}\"}").into_bytes();
    let inside: Vec<u8> = inside.into_iter().map(|byte| if byte == 0x7f { 0xff } else { byte }).collect();
    let (code, told) = report(&["--ending", "stop"], &inside);
    assert_eq!((code, &told["outcome"], &told["calls"]), (Some(1), &json!("malformed"), &json!([])));
    // It was not the model that stopped there.
    let refused = &told["refused"][0];
    assert_eq!((&refused["outcome"], &refused["cause"]), (&json!("truncated"), &json!("failed")));
    let (code, told) = report(&["--payload", "arguments", "--tool", "now"], b"{\"a\": \"\xff\"}");
    assert_eq!((code, &told["failure"]["code"], &told["calls"]), (Some(1), &json!("invalid_utf8"), &json!([])));
    // A character that the end has cut is nothing yet.
    let (code, told) = report(&[], [call.as_bytes(), b" \xc3"].concat());
    assert_eq!((code, &told["outcome"], &told["text"]), (Some(0), &json!("ok"), &json!(" ")));
    let told = tools(&[], b"\xff");
    assert_eq!(
        (told.code, told.stderr.lines().next()),
        (Some(1), Some("malformed: invalid UTF-8 at byte 0 (line 1, column 1) [invalid_utf8]"))
    );
}

#[test]
fn nobody_is_steered() {
    let hostile = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}\u{2067}";
    let text = Value::from(hostile).to_string();
    let call = |name: &str, arguments: &str| {
        format!("<tool_call>{{\"name\": {name}, \"arguments\": {arguments}}}</tool_call>")
    };
    for reply in [
        format!("{hostile}{}", call("\"now\"", &format!("{{\"a\": {text}}}"))),
        call(&text, "{}"),
        call("\"weather\"", &format!("{{{text}: 1}}")),
        call("\"weather\"", &format!("{{\"city\": {{{text}: 1}}}}")),
        format!("{{\"name\": \"now\", \"args\": {{{text}: 1}}, \"arguments\": {{{text}: 2}}}}"),
        format!("<think>{}</think>{hostile}", call("\"now\"", "{}")),
        format!("<tool_call>{{\"name\": \"now\", \"arguments\": {{{text}: '"),
    ] {
        for flags in [&[][..], &["--payload", "arguments", "--tool", hostile]] {
            let told = tools(flags, &reply);
            assert!(!steers_a_terminal(&told.stderr), "{}", told.stderr.escape_debug());
            assert!(told.stderr.contains("\\u{") || told.stderr.is_empty(), "{}", told.stderr);
        }
        assert!(report(&[], &reply).1.is_object());
    }
}

#[test]
fn a_long_reply_is_read_to_its_limit() {
    let call = r#"<tool_call>{"name": "now", "arguments": {}}</tool_call>"#;
    let (code, told) = report(&[], "1 < 2 [and] {so} on\n".repeat(350_000) + call);
    assert_eq!((code, &told["calls"][0]["start"]), (Some(0), &json!(7_000_000)));
    let long = "1 < 2 [and] {so} on\n".repeat(500_000) + call;
    let (code, told) = report(&[], &long);
    assert_eq!(
        (code, &told["outcome"], &told["failure"]["code"]),
        (Some(1), &json!("limit"), &json!("reply_too_long"))
    );
    assert_eq!((&told["failure"]["offset"], &told["calls"]), (&json!(8 << 20), &json!([])));
    let told = tools(&[], &long);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.len() < 4_000, "a person is told the beginning and the end: {}", told.stderr.len());
    let numbers: Vec<_> = (0..1_500_000).map(|number| number.to_string()).collect();
    let long = format!("{{\"a\": \"{}\"}}", numbers.join(" "));
    assert!(long.len() > 10_000_000);
    let (code, told) = report(&["--payload", "arguments", "--tool", "now"], long);
    assert_eq!((code, &told["outcome"], &told["calls"]), (Some(1), &json!("limit"), &json!([])));
}

fn batch(flags: &[&str], lines: &str) -> (Option<i32>, Vec<Value>) {
    let told = run(&[&["batch"], flags].concat(), lines);
    assert_eq!(told.stderr, "");
    (told.code, told.stdout.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect())
}

#[test]
fn a_line_of_a_batch_may_bring_tools() {
    let call = r#"<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": 1.50}}</tool_call>"#;
    let lines = format!(
        "{{\"id\": 1, \"text\": \"Hi{call}\", \"tools\": [\"f\"]}}\n\
         {{\"id\": 2, \"chunks\": [\"Hi<tool\", \"_call>{}\"], \"tools\": [\"f\"]}}\n\
         {{\"id\": 3, \"text\": \"{{\\\"x\\\": 1}}\", \"payload\": \"arguments\", \"tool\": \"f\"}}\n\
         {{\"id\": 4, \"text\": \"{{\\\"x\\\": 1}}\"}}\n",
        &call["<tool_call>".len()..]
    );
    let (code, told) = batch(&[], &lines);
    assert_eq!(code, Some(0), "{told:?}");
    assert_eq!(
        told[0],
        json!({"id": 1, "outcome": "ok", "calls": [{"name": "f", "arguments": {"x": 1.50}, "dialect": "hermes",
        "start": 2, "end": 64}], "text": "Hi"})
    );
    assert_eq!((&told[1]["calls"], &told[1]["text"]), (&told[0]["calls"], &told[0]["text"]));
    assert_eq!(
        (&told[2]["calls"][0]["dialect"], &told[2]["calls"][0]["arguments"]),
        (&json!("native"), &json!({"x": 1}))
    );
    assert_eq!((&told[3]["document"], told[3].get("calls")), (&json!({"x": 1}), None));
    let raw = run(&["batch"], &lines);
    assert!(raw.stdout.contains("\"arguments\":{\"x\": 1.50},"), "digits and all: {}", raw.stdout);
}

#[test]
fn a_line_without_tools_has_those_of_the_option() {
    let list = File::with("tools-batch.json", TOOLS);
    let lines = r#"{"id": 1, "text": "{\"name\": \"weather\", \"arguments\": {\"city\": 1}}"}
{"id": 2, "text": "{\"name\": \"weather\", \"arguments\": {\"city\": 1}}", "tools": ["weather"]}
{"id": 3, "text": "{\"city\": 1}", "schema": {"required": ["city"]}}
{"id": 4, "text": "{\"city\": \"Os", "payload": "arguments", "tool": "weather", "ending": "length"}
{"id": 5, "text": "{\"city\": \"Oslo\"}", "payload": "arguments", "tool": "weather"}
{"id": 6, "text": "{}", "payload": "arguments", "tool": "other"}"#;
    let (code, told) = batch(&["--tools", list.path()], lines);
    let outcomes: Vec<_> = told.iter().map(|report| report["outcome"].as_str().unwrap_or_default()).collect();
    assert_eq!((code, &*outcomes), (Some(1), &["schema_mismatch", "ok", "ok", "truncated", "ok", "invalid"][..]));
    assert_eq!((told[2].get("document"), told[2].get("calls")), (Some(&json!({"city": 1})), None));
    assert_eq!(told[3]["failure"]["cause"], "budget");
    let schema = File::with("tools-batch-schema.json", "true");
    let told = run(&["batch", "--tools", list.path(), "--schema", schema.path()], "");
    assert_eq!(told.code, Some(2), "which of them a line is held against, nobody says");
}

#[test]
fn a_line_whose_tools_are_none_is_an_error() {
    let deep = format!("{{\"id\": 8, \"text\": \"\", \"tools\": {}1{}}}", "[".repeat(5_000), "]".repeat(5_000));
    let long = format!("{{\"id\": 9, \"text\": \"\", \"tools\": [\"{}\"]}}", "x".repeat(1 << 20));
    let lines = [
        r#"{"id": 1, "text": "", "tools": 5}"#,
        r#"{"id": 2, "text": "", "tools": ["f", "f"]}"#,
        r#"{"id": 3, "text": "", "tools": [{"name": "f", "parameters": {"pattern": "^(?=a)"}}]}"#,
        r#"{"id": 4, "text": "", "tools": ["f"], "schema": {}}"#,
        r#"{"id": 5, "text": "", "tools": ["f"], "payload": "arguments"}"#,
        r#"{"id": 6, "text": "", "tools": ["f"], "payload": "calls", "tool": "f"}"#,
        r#"{"id": 7, "text": "", "tools": ["f"], "tool": "f"}"#,
        &deep,
        &long,
        r#"{"id": 10, "text": "{}", "tools": [{"name": "f", "parameters": {"pattern": "^a"}}], "payload": "arguments", "tool": "f"}"#,
    ];
    let (code, told) = batch(&[], &lines.join("\n"));
    assert_eq!(code, Some(2));
    for (at, (report, why)) in told
        .iter()
        .zip([
            "`tools`: expected an array of tools",
            "`tools`: two tools are named \"f\"",
            "[schema_pattern]",
            "both `tools` and `schema`",
            "no `tool` whose",
            "expected one of text, arguments",
            "`payload` does not say it",
            "`tools`: ",
            "`tools`: longer than",
        ])
        .enumerate()
    {
        let error = report["error"].as_str().unwrap_or_default();
        assert!(report["id"] == at + 1 && error.starts_with(&format!("line {}", at + 1)), "{report}");
        assert!(error.contains(why), "{why}: {error}");
    }
    assert_eq!(told[9]["outcome"], "ok", "the run goes on");
}
