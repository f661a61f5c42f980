//! `thusfar audit` over replies that were read for signals.

mod support;

use serde_json::{Value, json};
use support::{File, Run, run};
use thusfar_contract::Signals;

const SPEC: &str = r#"{"targets": [
    {"name": "verdict", "type": "enum", "values": ["approve", "reject"]},
    {"name": "score", "type": "number", "min": 0, "max": 100}
]}"#;

const REPLIES: [(&str, &str); 8] = [
    ("Verdict: approve\nScore: 85\n", "stop"),
    ("Verdict: reject\nScore: 850\nSo much for that.", "stop"),
    ("Verdict: approve\nVerdict: reject\nScore: 5\nand a long tail of words", "stop"),
    ("A fine patch.", "stop"),
    ("Verdict: appro", "length"),
    ("Score: maybe\nVerdict: approve\n", "unknown"),
    ("I would reject it, or approve it.\nScore: 7\n", "stop"),
    ("No.", "filtered"),
];

fn requests() -> String {
    let spec: Value = serde_json::from_str(SPEC).expect("JSON");
    let line = |(id, (text, ending)): (usize, &(&str, &str))| {
        json!({"id": id, "text": text, "ending": ending, "spec": spec}).to_string() + "\n"
    };
    REPLIES.iter().enumerate().map(line).collect()
}

fn summary(told: &Run) -> Value {
    assert_eq!((told.stdout.lines().count(), told.stderr.as_str()), (1, ""), "{told:?}");
    serde_json::from_str(&told.stdout).expect("JSON")
}

fn audit(flags: &[&str], log: &str) -> (Option<i32>, Value) {
    let told = run(&[&["audit", "--json"], flags, &["-"]].concat(), log);
    (told.code, summary(&told))
}

/// What a report and a request have in common.
fn common(summary: &Value) -> Value {
    let codes = summary["codes"].as_array().expect("a list").iter();
    let codes: Vec<_> = codes.map(|code| json!([code["outcome"], code["code"], code["count"]])).collect();
    json!([summary["outcomes"], summary["targets"], codes])
}

#[test]
fn targets_are_counted_by_their_names() {
    let (code, told) = audit(&[], &requests());
    assert_eq!((code, &told["judged"]), (Some(1), &json!(8)));
    let of = |name: &str| told["targets"].as_array().and_then(|all| all.iter().find(|target| target["name"] == name));
    assert_eq!(of("verdict"), Some(&json!({"name": "verdict", "ok": 3, "not_found": 2, "ambiguous": 2, "invalid": 1})));
    assert_eq!(of("score"), Some(&json!({"name": "score", "ok": 3, "not_found": 3, "ambiguous": 0, "invalid": 2})));
    let codes = common(&told)[2].clone();
    for code in
        [["invalid", "out_of_range"], ["ambiguous", "two_values"], ["not_found", "no_value"], ["invalid", "cut_value"]]
    {
        let is_told =
            codes.as_array().is_some_and(|all| all.iter().any(|told| told[0] == code[0] && told[1] == code[1]));
        assert!(is_told, "{code:?} in {codes}");
    }
    let example = told["codes"].as_array().and_then(|all| all.iter().find(|code| code["code"] == "out_of_range"));
    let example =
        example.map(|code| (&code["example"]["line"], code["example"]["excerpt"].as_str().unwrap_or_default()));
    assert!(example.is_some_and(|(line, excerpt)| *line == json!(2) && excerpt.contains("850")), "{example:?}");
    let told = run(&["audit", "-"], requests());
    assert!(told.stdout.contains("  verdict: 3 ok, 2 not found, 2 ambiguous, 1 invalid\n"), "{}", told.stdout);
    // The same in as many threads as may be.
    let jobs = |jobs: &str| audit(&["--jobs", jobs], &requests().repeat(50));
    assert_eq!(jobs("1"), jobs("4"));
}

#[test]
fn what_was_wrong_is_diagnosed() {
    let spec: Value = serde_json::from_str(SPEC).expect("JSON");
    let diagnosis = |log: &str| audit(&[], log).1["diagnoses"][0]["name"].clone();
    for (text, ending, name, reported) in [
        ("Verdict: approve\nScore: 5\n", "stop", Value::Null, Value::Null),
        ("Verdict: approve\nVerdict: reject\nScore: 5\n", "length", json!("ambiguous"), json!("ambiguous")),
        // The verdict was cut off, and that is not what is worst.
        ("Score: 5\nScore: 6\n", "length", json!("ambiguous"), json!("ambiguous")),
        ("Hm.", "stop", json!("nothing_found"), json!("nothing_found")),
        ("Hm.", "length", json!("truncation"), json!("truncation")),
        ("Score: 5\nVerdict: appro", "length", json!("truncation"), json!("truncation")),
        ("Score: 500\nVerdict: approve\n", "stop", json!("schema_mismatch"), json!("schema_mismatch")),
        // A report does not say what ended the reply.
        ("Hm.", "filtered", json!("refusal"), json!("truncation")),
        ("Hm.", "timed_out", json!("timed_out"), json!("truncation")),
        ("Hm.", "disconnected", json!("provider_error"), json!("truncation")),
    ] {
        let request = json!({"text": text, "ending": ending, "spec": spec}).to_string();
        assert_eq!(diagnosis(&request), name, "{text} {ending}");
        assert_eq!(diagnosis(&run(&["batch"], &request).stdout), reported, "{text} {ending}");
    }
}

#[test]
fn reports_count_as_the_requests_do() {
    let told = run(&["batch"], requests());
    let (code, reported) = audit(&[], &told.stdout);
    let (_, judged) = audit(&[], &requests());
    assert_eq!((code, &reported["reported"]), (Some(1), &json!(8)));
    assert_eq!(common(&reported), common(&judged));
    let spec = File::with("audit-signals.json", SPEC);
    let told = run(&["extract", "--json", "--spec", spec.path()], "Verdict: approve\nScore: 101");
    let (code, told) = audit(&[], &told.stdout);
    assert_eq!(
        (code, &told["outcomes"][0]["name"], &told["codes"][0]["code"]),
        (Some(1), &json!("invalid"), &json!("out_of_range"))
    );
    assert_eq!(told["codes"][0]["example"]["excerpt"], "101");
    assert_eq!(told["diagnoses"][0]["name"], "schema_mismatch");
}

#[test]
fn the_spec_of_the_option_is_for_requests_that_ask_for_nothing() {
    let spec = File::with("audit-given.json", SPEC);
    let log = "{\"text\": \"Verdict: approve\\nScore: 5\\n\"}\n{\"text\": \"{}\", \"schema\": {}}\n";
    let (code, told) = audit(&["--spec", spec.path()], log);
    assert_eq!((code, &told["outcomes"]), (Some(0), &json!([{"name": "ok", "count": 2, "replies": 2, "share": 1.0}])));
    assert_eq!(told["targets"].as_array().map(Vec::len), Some(2));
    assert_eq!(run(&["audit", "--spec", "no/such/spec.json", "-"], "").code, Some(2));
    for flag in ["--schema", "--tools"] {
        let told = run(&["audit", "--spec", spec.path(), flag, spec.path(), "-"], "");
        assert!(told.code == Some(2) && told.stderr.contains("cannot be used with"), "{flag}: {told:?}");
    }
}

#[test]
fn what_came_after_the_answer_was_certain_is_counted() {
    let signals = Signals::from_spec(SPEC).expect("a spec");
    let wasted = |text: &str| {
        let mut extraction = signals.begin();
        let decides = |end: &usize| !extraction.push(&text[end - 1..*end]).is_decided();
        let certain = (1..=text.len()).take_while(decides).count() + 1;
        text.len().saturating_sub(certain)
    };
    // Of two targets without a value the one that was certain first counts.
    let two = ("Verdict: approve\nVerdict: reject\nand a long tail of words", "stop");
    for (text, ending) in REPLIES.into_iter().chain([two]) {
        let spec: Value = serde_json::from_str(SPEC).expect("JSON");
        let (_, told) = audit(&[], &json!({"text": text, "ending": ending, "spec": spec}).to_string());
        assert_eq!(told["wasted"]["bytes"], wasted(text), "{text}");
    }
    assert!(REPLIES.iter().any(|(text, _)| wasted(text) > 20), "some answer is certain before the end");
    let first = SPEC.replace(r#""type""#, r#""which": "first", "type""#);
    let text = "Verdict: approve.\nScore: 5.\n\nAnd so on, and so on.";
    let spec: Value = serde_json::from_str(&first).expect("JSON");
    let (code, told) = audit(&[], &json!({"text": text, "spec": spec}).to_string());
    let signals = Signals::from_spec(&first).expect("a spec");
    let mut extraction = signals.begin();
    let certain = (1..=text.len()).find(|end| extraction.push(&text[end - 1..*end]).is_decided());
    assert_eq!(
        (code, told["wasted"]["bytes"].as_u64()),
        (Some(0), Some((text.len() - certain.unwrap_or(text.len())) as u64))
    );
}

#[test]
fn a_lane_with_signals_is_what_they_are_or_its_document() {
    let spec = File::with("audit-stream.json", SPEC);
    let body = |text: &str| {
        let event = json!({"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]});
        format!("data: {event}\n\ndata: [DONE]\n\n")
    };
    for (text, flags, outcome, verdict) in [
        ("Verdict: approve\nScore: 5\n", &[][..], "ok", "ok"),
        ("Verdict: approve\nVerdict: reject\nScore: 5\n", &[], "ambiguous", "ambiguous"),
        ("Verdict: approve\nScore: 5\n", &["--judge", "text"], "not_found", "ok"),
        ("Verdict: approve\nScore: 5\n\n{\"a\": 1}", &["--judge", "text"], "ok", "ok"),
        ("Score: 5\n\n{\"a\": 1}", &["--judge", "text"], "not_found", "not_found"),
    ] {
        let told = run(&[&["stream", "--json", "--spec", spec.path()], flags].concat(), body(text));
        let (code, counted) = audit(&[], &told.stdout);
        assert_eq!(code, told.code, "{text}");
        assert_eq!((&counted["reported"], &counted["outcomes"][0]["name"]), (&json!(1), &json!(outcome)), "{text}");
        let targets = counted["targets"].as_array().cloned().unwrap_or_default();
        let target = targets.iter().find(|target| target["name"] == "verdict").cloned().unwrap_or_default();
        assert_eq!(target[verdict], 1, "{text}: {target}");
    }
}

#[test]
fn foreign_names_stay_names() {
    let hostile = "\u{1b}]0;x\u{7}\u{202e}</script><img src=x>";
    let target = json!({"outcome": "invalid", "code": hostile, "got": hostile, "start": 1, "end": 2, "decided_at": 2});
    let report = json!({"outcome": "invalid", "targets": {hostile: target, "Urteil über alles": {"outcome": "ok"}, "": {"outcome": hostile}}});
    for line in [report.to_string(), json!({"outcome": "ok", "targets": {}}).to_string()] {
        let (_, told) = audit(&[], &line);
        let names: Vec<_> = told["targets"].as_array().expect("a list").iter().map(|target| &target["name"]).collect();
        let is_first = line.contains("invalid");
        assert_eq!(names, if is_first { vec!["Urteil über alles", "other"] } else { vec![] }, "{told}");
        let shown = run(&["audit", "-"], &line).stdout;
        let steers = |shown: char| !matches!(shown, '\n' | '\t') && shown.is_control() || shown == '\u{202e}';
        assert!(!shown.contains(steers), "{}", shown.escape_debug());
    }
    for broken in [json!([]), json!({"a": 5}), json!({"a": {}})] {
        let told = run(&["audit", "--json", "-"], json!({"outcome": "ok", "targets": broken}).to_string());
        assert_eq!((told.code, &summary(&told)["unreadable"]), (Some(2), &json!(1)), "{broken}");
    }
    let (_, told) = audit(&[], &json!({"outcome": "vetoed", "targets": {"a": {"outcome": "vetoed"}}}).to_string());
    assert_eq!(told["targets"], json!([]), "what is none of the four is no row of nothing");
    let long = "n".repeat(41);
    let (_, told) = audit(
        &[],
        &json!({"outcome": "ok", "targets": {&long: {"outcome": "ok"}, &long[1..]: {"outcome": "ok"}}}).to_string(),
    );
    assert_eq!((&told["targets"][0]["name"], &told["targets"][1]["name"]), (&json!(&long[1..]), &json!("other")));
    // Codes of ours are kept, however many there are.
    let code = |code: String| json!({"outcome": "ambiguous", "code": code});
    let flood: serde_json::Map<_, _> = (0..300).map(|at| (format!("t{at}"), code(format!("c{at:04}")))).collect();
    let ours = json!({"outcome": "ambiguous", "targets": {"a": code("two_values".into())}}).to_string();
    let log = json!({"outcome": "ambiguous", "targets": flood}).to_string() + "\n" + &ours + "\n" + &ours + "\n";
    assert!(common(&audit(&[], &log).1)[2].as_array().is_some_and(|all| all.contains(&json!([
        "ambiguous",
        "two_values",
        2
    ]))));
    let many: serde_json::Map<_, _> = (0..1_000).map(|at| (format!("t{at:04}"), json!({"outcome": "ok"}))).collect();
    let (code, told) = audit(&[], &json!({"outcome": "ok", "targets": many}).to_string());
    let targets = told["targets"].as_array().cloned().unwrap_or_default();
    assert_eq!((code, targets.len(), &targets[0]["name"]), (Some(0), 257, &json!("other")));
    assert_eq!(targets.iter().filter_map(|target| target["ok"].as_u64()).sum::<u64>(), 1_000);
}
