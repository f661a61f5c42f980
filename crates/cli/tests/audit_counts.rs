//! `thusfar audit`: what exactly is counted, of requests and of their reports.

mod support;

use serde_json::{Value, json};
use support::counted::{audit, codes, counts, named, summary};
use support::{File, run};

/// An audit of requests, and one of their reports, which must count the same.
fn twice(lines: &[Value]) -> [Value; 2] {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let reports = run(&["batch", "-"], &lines).stdout;
    [&lines, &reports].map(|lines| summary(&audit(&["--json", "-"], lines)))
}

#[test]
fn the_arguments_of_calls_count_and_drafts_do_not() {
    let call = |arguments: &str| format!("<tool_call>{{\"name\": \"f\", \"arguments\": {arguments}}}</tool_call>");
    let text =
        call(r#"{"n": [12345678901234567890123,], "m": [1,]}"#) + &call(r#"{"n": [0.12345678901234567890123,]}"#);
    let draft = format!("<think>{}</think>{}", call(r#"{"n": [12345678901234567890123,]}"#), call("{}"));
    for found in twice(&[json!({"text": text, "tools": ["f"]}), json!({"text": draft, "tools": ["f"]})]) {
        assert_eq!(counts(&found, "outcomes"), named(&[("ok", 2)]), "{found}");
        let kind = |name: &str, count: u64| json!([{"name": name, "count": count, "replies": 1, "share": 0.5}]);
        assert_eq!(found["repairs"], kind("trailing_comma", 3));
        assert_eq!(found["warnings"], kind("lossy_number", 2));
    }
}

#[test]
fn a_diagnosis_knows_what_ended_the_reply() {
    let diagnosed = |line: Value| twice(&[line]).map(|found| found["diagnoses"][0]["name"].clone());
    let cut = "<tool_call>{\"name\": \"f\", \"arg";
    for (ending, diagnosis) in
        [("length", "truncation"), ("timed-out", "timed_out"), ("disconnected", "provider_error")]
    {
        assert_eq!(diagnosed(json!({"text": "{\"a\": ", "ending": ending})), [diagnosis, diagnosis]);
        assert_eq!(diagnosed(json!({"text": cut, "tools": ["f"], "ending": ending})), [diagnosis, diagnosis]);
    }
    // A report does not tell what ended a reply without a document.
    for line in [json!({"text": "", "ending": "filtered"}), json!({"text": "", "tools": ["f"], "ending": "filtered"})] {
        assert_eq!(diagnosed(line), ["refusal", "nothing_found"]);
    }
}

#[test]
fn a_document_without_a_verdict_is_over_a_limit() {
    let schema = File::with("audit-limit-schema.json", r#"{"properties": {"a": {"pattern": "^((?=a)a|a)*c$"}}}"#);
    let line = json!({"text": format!("{{\"a\": \"{}!\"}}", "a".repeat(200))}).to_string();
    let reports = run(&["batch", "--schema", schema.path(), "-"], &line).stdout;
    for lines in [&line, &reports] {
        let found = summary(&audit(&["--json", "--schema", schema.path(), "-"], lines));
        assert_eq!(codes(&found), [("limit".into(), "pattern_backtracking".into(), 1)], "{reports}");
        assert_eq!(counts(&found, "diagnoses"), named(&[("limit", 1)]));
    }
}

#[test]
fn a_reply_that_is_ok_has_no_code() {
    let found = summary(&audit(&["--json", "-"], r#"{"outcome":"ok","id":null,"failure":{"code":"open_key"}}"#));
    assert_eq!((&found["codes"], &found["diagnoses"], &found["cure"]), (&json!([]), &json!([]), &Value::Null));
    let found = summary(&audit(&["--json", "-"], r#"{"outcome":"limit","id":null,"failure":{"code":"too_deep"}}"#));
    assert_eq!(found["codes"][0]["example"]["id"], Value::Null);
}
