//! `thusfar stream` with tools: calls that were made are checked, calls that were printed are found.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::chat::{calls, chat, says, thinks};
use support::{File, Run, run};

const TOOLS: &str = r#"[{"name": "weather", "input_schema": {"properties": {"city": {"type": "string"}}, "required": ["city"]}}, "now"]"#;

const CALL: &str = r#"<tool_call>{"name": "weather", "arguments": {"city": "Oslo"}}</tool_call>"#;

fn corpus(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(name)
}

fn line(told: &Run) -> Value {
    assert_eq!(told.stdout.lines().count(), 1, "one line: {told:?}");
    serde_json::from_str(&told.stdout).expect("the line is JSON")
}

fn stream(flags: &[&str], body: &str) -> Run {
    let list = File::with("stream-tools.json", TOOLS);
    run(&[&["stream", "--tools", list.path()], flags].concat(), body)
}

/// The exit code, and the reports on calls of all lanes.
fn reports(flags: &[&str], body: &str) -> (Option<i32>, Vec<Value>) {
    let told = stream(&[&["--json"], flags].concat(), body);
    let lanes = line(&told)["lanes"].as_array().cloned().expect("lanes");
    (told.code, lanes.into_iter().map(|lane| lane.get("tool_report").cloned().unwrap_or_default()).collect())
}

#[test]
fn arguments_that_can_no_longer_be_valid_are_told_at_once() {
    // The tool's schema is `TOOLS`'s: the city is a string.
    let (front, behind) = (r#"{"city": 5"#, r#", "days": 3}"#);
    let delta = |arguments: &str| json!({"tool_calls": [{"index": 0, "function": {"arguments": arguments}}]});
    let body = chat(&[calls("weather", front), delta(behind)], "tool_calls");
    let at_byte = body.find("\n\n").expect("an event") + 2;
    let told = stream(&["--json"], &body);
    let got = line(&told);
    let advice = json!({"action": "cancel", "reason": "schema", "at_byte": at_byte});
    assert_eq!((told.code, &got["advice"], &got["outcome"]), (Some(1), &advice, &json!("complete")));
    let report = &got["lanes"][0]["report"];
    let violation = &report["violations"][0];
    assert_eq!((&report["outcome"], &report["document"]["days"]), (&json!("schema_mismatch"), &json!(3)));
    assert_eq!(
        (&violation["path"], &violation["offset"], &violation["when"]),
        (&json!("/city"), &json!(9), &json!("early"))
    );
    assert_eq!(got["lanes"][0]["tool_report"]["outcome"], "schema_mismatch");
    let told = stream(&["--json", "--cancel"], &body);
    let got = line(&told);
    assert_eq!((told.code, &got["advice"], &got["outcome"]), (Some(1), &advice, &json!("cancelled")));
    let report = &got["lanes"][0]["report"];
    assert_eq!((&report["outcome"], &report["failure"]["decided_at"]), (&json!("schema_mismatch"), &json!(9)));
    let told = stream(&["--cancel"], &body);
    assert_eq!(told.stderr.matches("schema mismatch: `/city` must be a string").count(), 1, "{}", told.stderr);
    let told = stream(&[], &body);
    assert_eq!(told.stderr.matches("schema mismatch: `/city` must be a string").count(), 1, "{}", told.stderr);
    // The schema of the text is none of theirs, and without tools there is none.
    let schema = File::with("stream-tools-text.json", "false");
    let told = run(&["stream", "--json", "--schema", schema.path()], &body);
    assert_eq!((told.code, &line(&told)["advice"]), (Some(0), &Value::Null));
}

#[test]
fn calls_that_were_made_are_checked() {
    for (name, arguments, code, outcome) in [
        ("weather", r#"{"city": "Oslo"}"#, 0, json!("ok")),
        ("weather", r#"{"city": 5}"#, 1, json!("schema_mismatch")),
        ("weather", "", 1, json!("invalid")),
        ("now", "", 0, json!("ok")),
        ("rm_all", r#"{"x": 1}"#, 1, json!("invalid")),
        // What the lane has failed of is told by its own report, but for the name.
        ("weather", r#"{"city": "Os"#, 1, Value::Null),
        ("rm_all", r#"{"city": "Os"#, 1, json!("invalid")),
    ] {
        let body = chat(&[says("Sure."), calls(name, arguments)], "tool_calls");
        let (told, reports) = reports(&[], &body);
        assert_eq!((told, &reports[1]["outcome"]), (Some(code), &outcome), "{name} {arguments}: {reports:?}");
        assert_eq!(reports[0], Value::Null, "text beside a call is not looked at");
        // Without tools there is nothing to hold them against.
        let told = run(&["stream", "--json"], &body);
        assert!(line(&told)["lanes"][1].get("tool_report").is_none());
        assert_eq!(told.code, Some(i32::from(arguments.ends_with("Os"))), "{name} {arguments}");
    }
    let (_, reports) = reports(&[], &chat(&[calls("weather", r#"{"city": 5,}"#)], "tool_calls"));
    assert_eq!(reports[0]["violations"][0]["message"], "`/city` must be a string; you returned 5");
    assert_eq!((&reports[0]["refused"][0]["name"], &reports[0]["calls"]), (&json!("weather"), &json!([])));
    let told = stream(&[], &chat(&[calls("rm_all", "{}")], "tool_calls"));
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), "[tool_args 0 rm_all]\n{}\n"));
    assert!(
        told.stderr.starts_with("refused: the call of `rm_all` [native]\ninvalid: no tool of this name"),
        "{told:?}"
    );
}

#[test]
fn printed_calls_are_found_where_none_was_made() {
    let body = chat(&[says("Sure. <tool"), says(&CALL["<tool".len()..]), says(" Done.")], "stop");
    let (code, told) = reports(&[], &body);
    let call = json!({"name": "weather", "arguments": {"city": "Oslo"}, "dialect": "hermes", "start": 6, "end": 6 + CALL.len()});
    assert_eq!((code, &told[0]), (Some(0), &json!({"outcome": "ok", "calls": [call], "text": "Sure.  Done."})));
    let told = stream(&[], &body);
    assert_eq!(
        (told.code, told.stdout),
        (Some(0), format!("[text]\nSure. {CALL} Done.\n")),
        "the lanes stay as they are"
    );
    assert_eq!(told.stderr, "call: `weather` {\"city\": \"Oslo\"} [hermes]\ncomplete: standard input: stop\n");
    assert_eq!(reports(&[], &chat(&[says(CALL)], "tool_calls")).1[0]["outcome"], "ok");
}

#[test]
fn when_to_look_is_a_switch() {
    let beside = chat(&[says(CALL), calls("now", "{}")], "tool_calls");
    let cut = chat(&[says(CALL)], "length");
    let unfinished = cut.split_inclusive("\n\n").next().expect("an event").to_owned();
    let filtered = chat(&[says(CALL)], "content_filter");
    // The choice says that it has ended, and the provider that it failed.
    let failed = chat(&[says(CALL)], "stop").replace("[DONE]", "{\"error\": {\"type\": \"overloaded\"}}");
    for body in [beside, cut, unfinished, filtered, failed] {
        let outcome = |when: &str| reports(&["--rescue", when], &body).1[0]["outcome"].clone();
        assert_eq!((outcome("fallback"), outcome("never")), (Value::Null, Value::Null), "{body}");
        assert_eq!(outcome("always"), "ok", "a call that was written to its end is whole: {body}");
    }
    let whole = chat(&[says(CALL)], "stop");
    assert_eq!(reports(&["--rescue", "never"], &whole), (Some(0), vec![Value::Null]));
    assert_eq!(stream(&["--rescue", "sometimes"], "").code, Some(2));
    let told = run(&["stream", "--rescue", "always"], "");
    assert_eq!(told.stderr, "thusfar: --rescue: no tools to look for: --tools or --request names them\n");
    assert_eq!(told.code, Some(2));
}

#[test]
fn text_without_calls_is_judged_as_before() {
    for text in ["It is 5 degrees.", "Write <tool_call> in front.", "weather(city='Oslo')", "{\"a\": 1}"] {
        let body = chat(&[says(text)], "stop");
        let (code, told) = reports(&[], &body);
        assert_eq!(
            (code, &told[0]["outcome"], &told[0]["calls"]),
            (Some(0), &json!("not_found"), &json!([])),
            "{text}"
        );
        let code = Some(i32::from(!text.starts_with('{')));
        assert_eq!(
            (run(&["stream", "--judge", "text"], &body).code, stream(&["--judge", "text"], &body).code),
            (code, code)
        );
        assert!(!stream(&[], &body).stderr.contains("not found"), "no call is no news");
    }
    let told = stream(&[], &chat(&[says("weather(city='Oslo')")], "stop"));
    assert!(
        told.stderr.starts_with("warning: standard input, choice 0 text: ")
            && told.stderr.contains("[unknown_dialect]")
    );
    // What was meant as a call is a failure, whether JSON was asked for or not; a call is an answer where it was.
    for flags in [&[][..], &["--judge", "text"]] {
        let cut = chat(&[says(&CALL[..40])], "stop");
        assert_eq!(reports(flags, &cut).0, Some(1), "{flags:?}");
        assert_eq!(reports(flags, &chat(&[says(CALL)], "stop")).0, Some(0), "{flags:?}");
    }
    // The whole text is looked at, though the lane was decided before.
    let (code, told) = reports(&["--judge", "text"], &chat(&[says("{\"a\": x} "), says(CALL)], "stop"));
    assert_eq!((code, &told[0]["calls"][0]["name"]), (Some(0), &json!("weather")));
}

#[test]
fn calls_in_reasoning_are_none() {
    let (code, told) = reports(&[], &chat(&[thinks(CALL), thinks("</think>"), thinks(CALL), says("No.")], "stop"));
    let [reasoning, text] = &told[..] else { panic!("two lanes") };
    assert_eq!((code, &reasoning["outcome"], &reasoning["calls"]), (Some(0), &json!("not_found"), &json!([])));
    assert_eq!(reasoning["in_reasoning"].as_array().map(Vec::len), Some(2));
    assert_eq!((&text["outcome"], &text["calls"]), (&json!("not_found"), &json!([])));
    let told = stream(&[], &chat(&[thinks(CALL), says(CALL)], "stop"));
    assert!(
        told.stderr.starts_with("draft: `weather` is called in reasoning at line 1, column 1 [hermes]\ncall: "),
        "{told:?}"
    );
    // Nothing of interest is no report.
    assert_eq!(reports(&[], &chat(&[thinks("Hm."), says("No.")], "stop")).1[0], Value::Null);
}

#[test]
fn each_choice_is_its_own() {
    let mut body = String::new();
    for (choice, delta) in [(0, says(CALL)), (1, calls("now", "{}")), (1, says(CALL)), (2, says("No."))] {
        let finish = json!({"choices": [{"index": choice, "delta": delta, "finish_reason": "stop"}]});
        body += &format!("data: {finish}\n\n");
    }
    body += "data: [DONE]\n\n";
    let (code, told) = reports(&[], &body);
    let outcomes: Vec<_> = told.iter().map(|report| report["outcome"].as_str().unwrap_or("none")).collect();
    assert_eq!((code, &*outcomes), (Some(0), &["ok", "ok", "none", "not_found"][..]), "{told:?}");
}

#[test]
fn damaged_text_gives_no_call() {
    let body = chat(&[says(&CALL.replace("Oslo", "OsXlo"))], "stop");
    let damaged: Vec<u8> = body.bytes().map(|byte| if byte == b'X' { 0xff } else { byte }).collect();
    let list = File::with("stream-tools-damaged.json", TOOLS);
    let told = run(&["stream", "--json", "--tools", list.path()], damaged);
    let report = &line(&told)["lanes"][0]["tool_report"];
    assert_eq!(
        (told.code, &report["outcome"], &report["calls"]),
        (Some(1), &json!("malformed"), &json!([])),
        "{report}"
    );
    assert_eq!(report["failure"]["code"], "damaged");
    // A call that had ended before is what the model wrote.
    let body = chat(&[says(&format!("{CALL} X"))], "stop");
    let damaged: Vec<u8> = body.bytes().map(|byte| if byte == b'X' { 0xff } else { byte }).collect();
    let told = run(&["stream", "--json", "--tools", list.path()], damaged);
    assert_eq!((told.code, &line(&told)["lanes"][0]["tool_report"]["outcome"]), (Some(0), &json!("ok")));
}

#[test]
fn the_tools_are_those_of_the_request() {
    let schema = r#"{"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}"#;
    for (name, request) in [
        ("openai", r#"{"tools": [{"type": "function", "function": {"name": "weather", "parameters": SCHEMA}}]}"#),
        (
            "responses",
            r#"{"tools": [{"type": "function", "name": "weather", "parameters": SCHEMA}, {"type": "web_search"}]}"#,
        ),
        ("anthropic", r#"{"tools": [{"name": "weather", "input_schema": SCHEMA}]}"#),
        ("gemini", r#"{"tools": [{"functionDeclarations": [{"name": "weather", "parametersJsonSchema": SCHEMA}]}]}"#),
        (
            "bedrock",
            r#"{"toolConfig": {"tools": [{"toolSpec": {"name": "weather", "inputSchema": {"json": SCHEMA}}}]}}"#,
        ),
        ("functions", r#"{"functions": [{"name": "weather", "parameters": SCHEMA}]}"#),
    ] {
        let request = File::with(&format!("request-tools-{name}.json"), request.replace("SCHEMA", schema));
        let outcome = |flags: &[&str], body: String| {
            let told = run(&[&["stream", "--json", "--request", request.path()], flags].concat(), body);
            (told.code, line(&told)["lanes"][0]["tool_report"]["outcome"].clone())
        };
        assert_eq!(outcome(&[], chat(&[says(CALL)], "stop")), (Some(0), json!("ok")), "{name}");
        let made = chat(&[calls("weather", "{\"city\": 5}")], "tool_calls");
        assert_eq!(outcome(&[], made.clone()), (Some(1), json!("schema_mismatch")), "{name}");
        // The option stands above the request.
        let other = File::with(&format!("other-tools-{name}.json"), r#"["weather"]"#);
        assert_eq!(outcome(&["--tools", other.path()], made), (Some(0), json!("ok")), "{name}");
    }
    for request in ["{}", r#"{"tools": []}"#] {
        let request = File::with("request-no-tools.json", request);
        let told =
            run(&["stream", "--json", "--rescue", "always", "--request", request.path()], chat(&[says(CALL)], "stop"));
        assert!(told.code == Some(0) && line(&told)["lanes"][0].get("tool_report").is_none(), "{told:?}");
    }
    let request =
        File::with("request-bad-tools.json", r#"{"tools": [{"name": "f", "input_schema": {"pattern": "^(?=a)"}}]}"#);
    let told = run(&["stream", "--request", request.path(), "no/such/body"], "");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    let start = format!("thusfar: {}: the tools that it offers: the schema of tool \"f\": ", request.path());
    assert!(told.stderr.starts_with(&start) && told.stderr.contains("[schema_pattern]"), "{}", told.stderr);
}

/// What small models said to a real server, once with the tools that were offered to them and once with names that were not.
#[test]
fn the_captures_hold_no_false_call() {
    let others = File::with("captures-tools.json", r#"["get_weather", "send_email", "create_order", "search", "f"]"#);
    let (mut bodies, mut made) = (0, Vec::new());
    for entry in fs::read_dir(corpus("captures")).expect("the captures").flatten() {
        let path = entry.path();
        let name = path.to_str().expect("UTF-8");
        let Some(stem) = name.strip_suffix(".sse") else { continue };
        let meta: Value =
            serde_json::from_slice(&fs::read(format!("{stem}.meta.json")).expect("a file")).expect("JSON");
        bodies += 1;
        let request = File::with("capture-request.json", meta["request"].to_string());
        let is_offered = meta["request"]["tools"].is_array();
        let flags = if is_offered { ["--request", request.path()] } else { ["--tools", others.path()] };
        for when in ["fallback", "always"] {
            let got = line(&run(&[&["stream", "--json", "--rescue", when, name], &flags[..]].concat(), ""));
            for lane in got["lanes"].as_array().expect("lanes") {
                let found = lane["tool_report"]["calls"].as_array().cloned().unwrap_or_default();
                match lane["kind"].as_str() {
                    Some("tool_args") if lane["report"]["outcome"] == "ok" => {
                        assert!(is_offered && found.len() == 1, "{name}: {lane}");
                        assert_eq!(
                            (&found[0]["name"], &found[0]["arguments"]),
                            (&lane["name"], &lane["report"]["document"])
                        );
                        made.extend((when == "fallback").then(|| stem[stem.len() - 3..].to_owned()));
                    }
                    _ => assert!(found.is_empty(), "{name} {when}: {lane}"),
                }
            }
        }
    }
    made.sort();
    assert_eq!(bodies, 92);
    let of = |id: &str| made.iter().filter(|made| *made == id).count();
    let counts = ["160", "161", "163", "168", "169", "171", "176", "183"].map(of);
    assert_eq!((counts, made.len()), ([2, 2, 2, 2, 2, 4, 2, 2], 18), "{made:?}");
}

#[test]
fn nobody_is_steered() {
    let hostile = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";
    let text = Value::from(hostile).to_string();
    let call = |name: &str, key: &str| {
        format!("<tool_call>{{\"name\": {name}, \"arguments\": {{{key}: {text}}}}}</tool_call>")
    };
    for delta in [
        calls(hostile, "{}"),
        calls("weather", &format!("{{{text}: 1}}")),
        calls("weather", &format!("{{\"city\": {{{text}: 1}}}}")),
        says(&call("\"now\"", &text)),
        says(&call(&text, "\"a\"")),
        thinks(&call("\"now\"", &text)),
        says(&format!("{hostile} weather(")),
    ] {
        let told = stream(&[], &chat(&[delta], "stop"));
        let steers = |shown: char| !matches!(shown, '\n' | '\t') && shown.is_control() || shown == '\u{202e}';
        assert!(!told.stderr.contains(steers), "{}", told.stderr.escape_debug());
    }
}
