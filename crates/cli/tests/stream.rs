//! `thusfar stream`, as a shell sees it.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{File, Run, run};

fn recordings() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/streams")
}

fn line(told: &Run) -> Value {
    assert_eq!(told.stdout.lines().count(), 1, "one line: {told:?}");
    serde_json::from_str(&told.stdout).expect("the line is JSON")
}

/// An OpenAI chat stream of these deltas, which ends with this reason.
fn chat(deltas: &[&str], finish: &str) -> String {
    let mut body = String::new();
    for delta in deltas {
        let event = json!({"choices": [{"index": 0, "delta": {"content": delta}, "finish_reason": null}]});
        body.push_str(&format!("data: {event}\n\n"));
    }
    body.push_str(&format!("data: {}\n\n", json!({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})));
    body + "data: [DONE]\n\n"
}

#[test]
fn every_recording_comes_to_what_is_expected() {
    let mut count = 0;
    for entry in fs::read_dir(recordings()).expect("the recordings").flatten() {
        let path = entry.path();
        let name = path.to_str().expect("UTF-8");
        let Some(stem) = name.strip_suffix(".expected.json") else { continue };
        let expected: Value = serde_json::from_slice(&fs::read(&path).expect("a file")).expect("JSON");
        let body = ["sse", "ndjson", "json", "bin"].map(|end| format!("{stem}.{end}"));
        let body = body.iter().find(|body| Path::new(body).exists()).expect("a body");
        let told = run(&["stream", "--json", body], "");
        let mut got = line(&told);
        for lane in got["lanes"].as_array_mut().expect("lanes") {
            let is_judged = !lane["report"].is_null();
            assert_eq!(is_judged, lane["kind"] == "tool_args", "{stem}: only arguments are judged");
            lane.as_object_mut().expect("a lane").remove("report");
        }
        for member in ["lanes", "finish", "outcome", "terminal", "usage", "error"] {
            assert_eq!(got[member], expected[member], "{stem}: {member}");
        }
        assert_eq!(told.code, Some(i32::from(expected["outcome"] != "complete")), "{stem}");
        count += 1;
    }
    assert_eq!(count, 50);
}

#[test]
fn text_is_judged_where_json_is_asked_for() {
    let body = chat(&["Sure: {\"a\"", ": [1,", "]}"], "stop");
    let told = run(&["stream", "--json"], &body);
    assert_eq!((told.code, &line(&told)["lanes"][0]["report"]), (Some(0), &Value::Null));
    let told = run(&["stream", "--json", "--judge", "text"], &body);
    let report = line(&told)["lanes"][0]["report"].clone();
    assert_eq!((told.code, &report["outcome"], &report["document"]), (Some(0), &json!("ok"), &json!({"a": [1]})));
    assert_eq!(report["repairs"][0]["kind"], "trailing_comma");
    let request = File::with("request.json", r#"{"stream": true, "response_format": {"type": "json_object"}}"#);
    assert_eq!(run(&["stream", "--json", "--request", request.path()], &body), told);
    let told = run(&["stream", "--json", "--judge", "text", "--root", "array"], &body);
    assert_eq!((told.code, &line(&told)["lanes"][0]["report"]["outcome"]), (Some(1), &json!("malformed")));
    let told = run(&["stream", "--request", request.path()], chat(&["{\"a\": 1"], "stop"));
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), "[text]\n{\"a\": 1\n"));
    assert!(told.stderr.contains("[open_object") || told.stderr.contains("unclosed"), "{}", told.stderr);
    assert!(told.stderr.ends_with("truncated_cut: standard input: stop\n"), "{}", told.stderr);
}

#[test]
fn advice_is_told_and_taken() {
    let deltas: Vec<&str> = ["{\"a\": x"].into_iter().chain(std::iter::repeat_n(" more", 50)).collect();
    let body = chat(&deltas, "stop");
    let told = run(&["stream", "--json", "--judge", "text"], &body);
    let first = body.find("\n\n").expect("an event") + 2;
    let advice = json!({"action": "cancel", "reason": "doomed", "at_byte": first});
    assert_eq!((told.code, &line(&told)["advice"], &line(&told)["outcome"]), (Some(1), &advice, &json!("complete")));
    let told = run(&["stream", "--json", "--judge", "text", "--cancel"], &body);
    assert_eq!((told.code, &line(&told)["advice"], &line(&told)["outcome"]), (Some(1), &advice, &json!("cancelled")));
}

#[test]
fn lanes_are_printed_as_they_speak() {
    let body = recordings().join("anthropic_tools.sse");
    let told = run(&["stream", body.to_str().expect("UTF-8")], "");
    assert_eq!(told.code, Some(0));
    let expected = "[text]\nLooking up.\n[tool_args 1 weather]\n{\"location\": \"Lisboa\", \"unit\": \"c\"}\n[tool_args 2 sum]\n{\"n\": [1, 2]}\n";
    assert_eq!(told.stdout, expected);
    assert!(told.stderr.ends_with("tool_use\n") && told.stderr.starts_with("complete: "), "{}", told.stderr);
}

#[test]
fn what_is_no_stream_is_an_error() {
    for (body, outcome, kind) in [
        ("<html>\n<title>502 Bad Gateway</title>", "error", json!("html")),
        ("", "truncated_cut", Value::Null),
        ("{\"error\": {\"type\": \"no_such_model\"}}", "error", json!("no_such_model")),
    ] {
        let told = run(&["stream", "--json"], body);
        let got = line(&told);
        assert_eq!((told.code, &got["outcome"], &got["error"]["type"]), (Some(1), &json!(outcome), &kind), "{body}");
    }
}

#[test]
fn usage_errors() {
    for args in [
        &["stream", "--provider", "nobody"][..],
        &["stream", "--judge", "reasoning"],
        &["stream", "--request", "/no/such/file"],
    ] {
        assert_eq!(run(args, "").code, Some(2), "{args:?}");
    }
    let request = File::with("no-request.json", "[1]");
    let told = run(&["stream", "--request", request.path()], "");
    assert_eq!(told.code, Some(2));
    assert!(told.stderr.contains("no JSON object"), "{}", told.stderr);
}

const SCHEMA: &str =
    r#"{"type": "object", "properties": {"n": {"maximum": 100}}, "required": ["n"], "additionalProperties": false}"#;

#[test]
fn text_is_held_against_a_schema() {
    let schema = File::with("stream-schema.json", SCHEMA);
    let args = ["stream", "--json", "--schema", schema.path()];
    let told = run(&args, chat(&["Sure: {\"n\"", ": 15,", "}"], "stop"));
    let report = line(&told)["lanes"][0]["report"].clone();
    assert_eq!((told.code, &report["outcome"], &report["violations"]), (Some(0), &json!("ok"), &json!([])));
    assert_eq!(report["repairs"][0]["kind"], "trailing_comma");

    let told = run(&args, chat(&["Sure: {\"n\"", ": 150", "}"], "stop"));
    let got = line(&told);
    let report = &got["lanes"][0]["report"];
    assert_eq!(
        (told.code, &got["outcome"], &report["outcome"]),
        (Some(1), &json!("complete"), &json!("schema_mismatch"))
    );
    let violation = &report["violations"][0];
    assert_eq!(
        (&violation["path"], &violation["keyword"], &violation["start"]),
        (&json!("/n"), &json!("maximum"), &json!(12))
    );
    assert_eq!(
        (&violation["expected"], &violation["got"], &report["document"]),
        (&json!(100), &json!(150), &json!({"n": 150}))
    );

    let told = run(&args, chat(&["{\"n\": 15"], "length"));
    let report = line(&told)["lanes"][0]["report"].clone();
    assert_eq!((told.code, &report["outcome"], &report["violations"]), (Some(1), &json!("truncated"), &json!([])));
    // A document of the other kind is found, and told to be one.
    let report = line(&run(&args, chat(&["[1]"], "stop")))["lanes"][0]["report"].clone();
    assert_eq!((&report["outcome"], &report["violations"][0]["keyword"]), (&json!("schema_mismatch"), &json!("type")));
    let report =
        line(&run(&[&args[..], &["--root", "object"]].concat(), chat(&["[1]"], "stop")))["lanes"][0]["report"].clone();
    assert_eq!(report["outcome"], "malformed");
}

/// The byte of the body behind the event with so many events in front of it.
fn behind_event(body: &str, number: usize) -> usize {
    body.match_indices("\n\n").nth(number).map_or(body.len(), |(at, _)| at + 2)
}

#[test]
fn text_that_can_no_longer_be_valid_is_told_at_once() {
    let schema =
        File::with("stream-early.json", r#"{"properties": {"label": {"enum": ["yes", "no"]}, "n": {"maximum": 9}}}"#);
    let args = ["stream", "--json", "--schema", schema.path()];
    let deltas = ["Sure: ", "{\"label\": \"ma", "ybe\", \"n\": 10", "}", " Anything else?"];
    let body = chat(&deltas, "stop");
    let told = run(&args, &body);
    let got = line(&told);
    let advice = json!({"action": "cancel", "reason": "schema", "at_byte": behind_event(&body, 1)});
    assert_eq!((told.code, &got["outcome"], &got["advice"]), (Some(1), &json!("complete"), &advice));
    let report = &got["lanes"][0]["report"];
    assert_eq!(
        (&report["outcome"], &report["document"]),
        (&json!("schema_mismatch"), &json!({"label": "maybe", "n": 10}))
    );
    let violations = report["violations"].as_array().expect("violations").iter();
    let said: Vec<_> = violations.map(|it| json!([it["path"], it["offset"], it["start"], it["when"]])).collect();
    assert_eq!(said, [json!(["/label", 17, 16, "early"]), json!(["/n", 32, 30, "final"])]);
    // With --cancel nothing behind that is read, and nothing else is known.
    let told = run(&[&args[..], &["--cancel"]].concat(), &body);
    let got = line(&told);
    let report = &got["lanes"][0]["report"];
    assert_eq!((told.code, &got["outcome"], &got["advice"]), (Some(1), &json!("cancelled"), &advice));
    assert_eq!((report.get("document"), report["violations"].as_array().map(Vec::len)), (None, Some(1)));
    let failure = &report["failure"];
    assert_eq!(
        (&failure["code"], &failure["offset"], &failure["decided_at"]),
        (&json!("schema_mismatch"), &json!(17), &json!(17))
    );
    let told = run(&["stream", "--schema", schema.path(), "--cancel"], &body);
    assert!(
        told.stderr.contains("schema mismatch: `/label` must be one of") && told.stderr.contains("= certain at 1:18\n"),
        "{}",
        told.stderr
    );
    assert!(told.stderr.contains("[schema]\n"), "{}", told.stderr);
    // However the body is cut into events.
    let letters: Vec<String> = deltas.concat().chars().map(String::from).collect();
    let letters: Vec<&str> = letters.iter().map(String::as_str).collect();
    let body = chat(&letters, "stop");
    let got = line(&run(&args, &body));
    assert_eq!(got["lanes"][0]["report"]["violations"][0]["offset"], 17);
    assert_eq!(got["advice"]["at_byte"], behind_event(&body, 17));
}

#[test]
fn text_that_may_be_calls_is_not_given_up() {
    let schema = File::with(
        "stream-may-call.json",
        r#"{"required": ["n"], "additionalProperties": false, "properties": {"n": {"maximum": 9}}}"#,
    );
    let tools = File::with("stream-may-call-tools.json", r#"["now"]"#);
    let args = ["stream", "--json", "--schema", schema.path(), "--tools", tools.path()];
    let call = chat(&["<tool_call>{\"name\": \"now\"", ", \"arguments\": {}}</tool_call>"], "stop");
    for flags in [&[][..], &["--cancel"]] {
        let told = run(&[&args[..], flags].concat(), &call);
        let got = line(&told);
        assert_eq!((told.code, &got["advice"]), (Some(0), &Value::Null), "{got}");
        assert_eq!(got["lanes"][0]["tool_report"]["calls"][0]["name"], "now");
    }
    // It is told all the same when it first broke the schema.
    let broken = chat(&["{\"n\": 10", "}"], "stop");
    let got = line(&run(&args, &broken));
    let violation = &got["lanes"][0]["report"]["violations"][0];
    assert_eq!(
        (&got["advice"], &violation["offset"], &violation["when"]),
        (&Value::Null, &json!(8), &json!("at_close"))
    );
    let got = line(&run(&[&args[..], &["--rescue", "never"]].concat(), &broken));
    assert_eq!(got["advice"]["reason"], "schema");
}

#[test]
fn a_person_is_told_what_text_breaks_of_a_schema() {
    let schema = File::with("stream-notes-schema.json", SCHEMA);
    let told = run(&["stream", "--schema", schema.path()], chat(&["{\"n\": 150,\n \"\u{202e}\u{9b}\": 1}"], "stop"));
    assert_eq!(told.code, Some(1));
    for part in
        ["`/n` must be at most 100; you returned 150", "standard input, choice 0 text:1:7", "[additionalProperties]"]
    {
        assert!(told.stderr.contains(part), "{part}: {}", told.stderr);
    }
    assert!(!told.stderr.contains(['\u{202e}', '\u{9b}']), "{}", told.stderr.escape_debug());
    assert!(told.stderr.ends_with("complete: standard input: stop\n"), "the stream is whole: {}", told.stderr);
}

#[test]
fn no_text_where_json_is_asked_for_is_no_document() {
    let schema = File::with("stream-silent-schema.json", SCHEMA);
    let request = File::with("stream-silent-request.json", r#"{"response_format": {"type": "json_object"}}"#);
    let refusal = json!({"choices": [{"index": 0, "delta": {"refusal": "I will not."}, "finish_reason": "stop"}]});
    let refused = format!("data: {refusal}\n\ndata: [DONE]\n\n");
    for body in [chat(&[], "stop"), chat(&[""], "stop"), refused] {
        for flags in [["--schema", schema.path()], ["--request", request.path()], ["--judge", "text"]] {
            let told = run(&[&["stream"], &flags[..]].concat(), &body);
            assert_eq!(told.code, Some(1), "{told:?}");
            assert!(
                told.stderr.starts_with("not found: standard input, choice 0: neither text nor a call\n"),
                "{told:?}"
            );
            assert_eq!(run(&[&["stream", "--json"], &flags[..]].concat(), &body).code, Some(1));
        }
        // Where none was asked for, none is missed.
        assert_eq!(run(&["stream"], &body).code, Some(0));
    }
    // What is not complete says by that why there is none.
    let told = run(&["stream", "--schema", schema.path()], chat(&[], "content_filter"));
    assert_eq!((told.code, &*told.stderr), (Some(1), "filtered: standard input: content_filter\n"));
    // A call is an answer too.
    let function = json!({"index": 0, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}});
    let call = json!({"choices": [{"index": 0, "delta": {"tool_calls": [function]}, "finish_reason": "tool_calls"}]});
    let told = run(&["stream", "--schema", schema.path()], format!("data: {call}\n\ndata: [DONE]\n\n"));
    assert_eq!(told.code, Some(0), "{told:?}");
}

#[test]
fn arguments_of_tools_are_not_held_against_a_schema() {
    let schema = File::with("stream-tools-schema.json", "false");
    let body = recordings().join("anthropic_tools.sse");
    let told = run(&["stream", "--json", "--schema", schema.path(), body.to_str().expect("UTF-8")], "");
    let got = line(&told);
    let mut kinds = Vec::new();
    for lane in got["lanes"].as_array().expect("lanes") {
        let is_text = lane["kind"] == "text";
        assert_eq!(lane["report"].get("violations").is_some(), is_text, "{lane}");
        kinds.push(lane["kind"].as_str().unwrap_or_default());
    }
    assert_eq!(kinds, ["text", "tool_args", "tool_args"]);
}

#[test]
fn the_schema_is_the_one_that_the_request_asks_for() {
    let (good, bad) = (chat(&["{\"n\": 15}"], "stop"), chat(&["{\"n\": 150}"], "stop"));
    for (name, request) in [
        ("openai", r#"{"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": SCHEMA}}}"#),
        ("responses", r#"{"text": {"format": {"type": "json_schema", "name": "n", "schema": SCHEMA}}}"#),
        ("anthropic", r#"{"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}"#),
        ("anthropic-beta", r#"{"output_format": {"type": "json_schema", "schema": SCHEMA}}"#),
        ("gemini", r#"{"generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}}"#),
        ("ollama", r#"{"format": SCHEMA}"#),
        ("cohere", r#"{"response_format": {"type": "json_object", "json_schema": SCHEMA}}"#),
        ("llama-cpp", r#"{"json_schema": SCHEMA}"#),
        ("vllm-guided", r#"{"guided_json": SCHEMA}"#),
        ("vllm", r#"{"structured_outputs": {"json": SCHEMA}}"#),
    ] {
        let request = File::with(&format!("request-{name}.json"), request.replace("SCHEMA", SCHEMA));
        let args = ["stream", "--json", "--request", request.path()];
        assert_eq!(run(&args, &good).code, Some(0), "{name}");
        let told = run(&args, &bad);
        let report = line(&told)["lanes"][0]["report"].clone();
        assert_eq!((told.code, &report["outcome"]), (Some(1), &json!("schema_mismatch")), "{name}");
        assert_eq!(report["violations"][0]["message"], "`/n` must be at most 100; you returned 150", "{name}");
        let report = line(&run(&args, chat(&["[150]"], "stop")))["lanes"][0]["report"].clone();
        assert_eq!(
            report["violations"][0]["keyword"], "type",
            "a document of the other kind is told to be one: {name}"
        );
        // The option stands above the request.
        let other = File::with(&format!("other-{name}.json"), "true");
        let told = run(&[&args[..], &["--schema", other.path()]].concat(), &bad);
        assert_eq!((told.code, &line(&told)["lanes"][0]["report"]["violations"]), (Some(0), &json!([])), "{name}");
    }
    // OpenAPI's dialect is no JSON Schema: JSON is expected, and held against nothing.
    let openapi = r#"{"generationConfig": {"responseMimeType": "application/json", "responseSchema": {"type": "STRING", "nullable": true}}}"#;
    for request in [openapi, r#"{"response_format": {"type": "json_object"}}"#] {
        let request = File::with("request-no-schema.json", request);
        let report = line(&run(&["stream", "--json", "--request", request.path()], &bad))["lanes"][0]["report"].clone();
        assert!(report.is_object() && report.get("violations").is_none(), "{report}");
    }
}

#[test]
fn a_schema_that_is_none_ends_the_run_before_the_stream_is_read() {
    for (schema, why) in [
        ("{\"type\": 12}", "[schema_invalid]"),
        ("{\"$ref\": \"https://example.com/a.json\"}", "[schema_reference]"),
        ("{\"pattern\": \"^(?=a)\"}", "[schema_pattern]"),
    ] {
        let request = File::with("request-bad-schema.json", format!("{{\"format\": {schema}}}"));
        let told = run(&["stream", "--json", "--request", request.path(), "no/such/body"], "");
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{schema}");
        let start = format!("thusfar: {}: the schema that it asks for: ", request.path());
        assert!(told.stderr.starts_with(&start) && told.stderr.contains(why), "{}", told.stderr);
        let good = File::with("stream-good-schema.json", "true");
        let args = ["stream", "--json", "--request", request.path(), "--schema", good.path()];
        assert_eq!(run(&args, chat(&["{}"], "stop")).code, Some(0), "--schema stands above it: {schema}");
    }
    let told = run(&["stream", "--schema", "no/such.json"], "");
    assert_eq!(
        (told.code, told.stderr.as_str()),
        (Some(2), "thusfar: cannot read no/such.json: no such file or directory\n")
    );
}
