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
