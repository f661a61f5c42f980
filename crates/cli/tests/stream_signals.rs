//! `thusfar stream --spec`: signals of the text of each choice.

mod support;

use serde_json::{Value, json};
use support::chat::{calls, chat, event, says, thinks};
use support::{File, Run, run};

const SPEC: &str = r#"{"targets": [{"name": "verdict", "type": "enum", "values": ["approve", "reject"]}]}"#;

fn line(told: &Run) -> Value {
    assert_eq!((told.stdout.lines().count(), told.stderr.as_str()), (1, ""), "one line: {told:?}");
    serde_json::from_str(&told.stdout).expect("the line is JSON")
}

fn stream(flags: &[&str], body: impl AsRef<[u8]>) -> Run {
    let spec = File::with("stream-spec.json", SPEC);
    run(&[&["stream", "--spec", spec.path()], flags].concat(), body)
}

/// The exit code, and the reports on signals of all lanes.
fn reports(flags: &[&str], body: impl AsRef<[u8]>) -> (Option<i32>, Vec<Value>) {
    let told = stream(&[&["--json"], flags].concat(), body);
    let lanes = line(&told)["lanes"].as_array().cloned().expect("lanes");
    (told.code, lanes.into_iter().map(|lane| lane.get("signal_report").cloned().unwrap_or_default()).collect())
}

#[test]
fn the_text_of_a_choice_is_read_for_signals() {
    let body = chat(&[says("All is well.\nVer"), says("dict: app"), says("rove\n")], "stop");
    let (code, told) = reports(&[], &body);
    let target = json!({"outcome": "ok", "value": "approve", "via": "label", "start": 22, "end": 29});
    assert_eq!((code, &told[..]), (Some(0), &[json!({"outcome": "ok", "targets": {"verdict": target}})][..]));
    let told = stream(&[], &body);
    assert_eq!((told.code, told.stdout.as_str()), (Some(0), "[text]\nAll is well.\nVerdict: approve\n"));
    assert_eq!(
        told.stderr,
        "signal: `verdict` is `approve` at line 2, column 10 [label]\ncomplete: standard input: stop\n"
    );
    // Without a spec nothing is looked for.
    let told = run(&["stream", "--json"], &body);
    assert!(line(&told)["lanes"][0].get("signal_report").is_none(), "{told:?}");
}

#[test]
fn text_without_a_value_is_a_failure() {
    let body = chat(&[says("A fine patch.")], "stop");
    let (code, told) = reports(&[], &body);
    assert_eq!((code, &told[0]["outcome"]), (Some(1), &json!("not_found")));
    assert_eq!(run(&["stream"], &body).code, Some(0));
    let told = stream(&[], &body);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), "[text]\nA fine patch.\n"));
    let note = "not found: `verdict`: the reply holds no value at byte 13 (line 1, column 14) [no_value]\n \
                --> standard input, choice 0 text:1:14\n";
    assert!(told.stderr.starts_with(note), "{}", told.stderr);
}

#[test]
fn text_may_be_asked_for_json_too() {
    let labelled = chat(&[says("Verdict: approve")], "stop");
    let document = chat(&[says("Verdict: approve\n\n{\"a\": 1}")], "stop");
    for (flags, body, code) in [
        (&[][..], &labelled, 0),
        (&["--judge", "text"], &labelled, 1),
        (&["--judge", "text"], &document, 0),
        (&["--judge", "text", "--root", "array"], &document, 1),
    ] {
        let (told, reports) = reports(flags, body);
        assert_eq!((told, &reports[0]["outcome"]), (Some(code), &json!("ok")), "{flags:?}: {body}");
    }
}

#[test]
fn reasoning_does_not_count() {
    let body = chat(&[thinks("Verdict: reject\n"), says("Verdict: approve\n")], "stop");
    let (code, told) = reports(&[], &body);
    assert_eq!((code, &told[0]), (Some(0), &Value::Null), "{told:?}");
    assert_eq!(told[1]["targets"]["verdict"]["value"], "approve");
    let (code, told) = reports(&[], chat(&[thinks("Verdict: approve\n"), says("Done.")], "stop"));
    assert_eq!((code, &told[1]["outcome"]), (Some(1), &json!("not_found")));
}

#[test]
fn a_choice_without_text_is_a_failure() {
    for deltas in [&[][..], &[thinks("Verdict: approve")], &[calls("now", "{}")]] {
        let told = stream(&[], chat(deltas, "stop"));
        let note = "not found: standard input, choice 0: no text\n";
        assert!(told.code == Some(1) && told.stderr.contains(note), "{told:?}");
        assert_eq!(reports(&[], chat(deltas, "stop")).0, Some(1), "{deltas:?}");
    }
    // A call beside text is no text, and takes nothing from it.
    let (code, told) = reports(&[], chat(&[says("Verdict: approve\n"), calls("now", "{}")], "tool_calls"));
    assert_eq!((code, &told[0]["outcome"], &told[1]), (Some(0), &json!("ok"), &Value::Null));
}

#[test]
fn each_choice_is_its_own() {
    let end = |choice| event(choice, &json!({}), Some("stop"));
    let both = |first: &str, second: &str| {
        let (front, back) = first.split_at(11);
        let said = [(0, front), (1, second), (0, back)].map(|(choice, text)| event(choice, &says(text), None)).concat();
        said + &end(0) + &end(1) + "data: [DONE]\n\n"
    };
    let (code, told) = reports(&[], both("Verdict: approve", "Verdict: reject"));
    let values: Vec<_> = told.iter().map(|report| &report["targets"]["verdict"]["value"]).collect();
    assert_eq!((code, &values[..]), (Some(0), &[&json!("approve"), &json!("reject")][..]));
    let (code, told) = reports(&[], both("Verdict: approve", "Hm."));
    let outcomes: Vec<_> = told.iter().map(|report| &report["outcome"]).collect();
    assert_eq!((code, &outcomes[..]), (Some(1), &[&json!("ok"), &json!("not_found")][..]));
    let told = stream(&[], both("Verdict: approve", "Hm."));
    assert!(told.stderr.contains(" --> standard input, choice 1 text:1:4\n"), "{}", told.stderr);
}

#[test]
fn the_ending_is_that_of_the_choice() {
    let said = [says("Verdict: approve")];
    for (finish, code) in [("stop", 0), ("tool_calls", 0), ("length", 1), ("content_filter", 1)] {
        let (told, reports) = reports(&[], chat(&said, finish));
        let is_cut = reports[0]["targets"]["verdict"]["code"] == "cut_value";
        assert_eq!((told, is_cut), (Some(code), code == 1), "{finish}: {reports:?}");
    }
    // Nobody said why it ended: it was cut.
    let (code, told) = reports(&[], event(0, &said[0], None));
    assert_eq!((code, &told[0]["targets"]["verdict"]["code"]), (Some(1), &json!("cut_value")));
    // What was whole before that stays.
    let (code, told) = reports(&[], event(0, &says("Verdict: approve.\n\nThe tests"), None));
    assert_eq!((code, &told[0]["targets"]["verdict"]["value"]), (Some(1), &json!("approve")));
}

#[test]
fn text_is_read_up_to_damage() {
    let damaged = |text: &str| -> Vec<u8> {
        let body = chat(&[says(text)], "stop");
        body.bytes().map(|byte| if byte == b'X' { 0xff } else { byte }).collect()
    };
    let (code, told) = reports(&[], damaged("Verdict: approve.\n\nX Verdict: reject\n"));
    assert_eq!((code, &told[0]["outcome"]), (Some(1), &json!("malformed")));
    assert_eq!(told[0]["targets"]["verdict"]["value"], "approve", "{told:?}");
    let failure = &told[0]["failure"];
    assert_eq!((&failure["code"], &failure["offset"], &failure["line"]), (&json!("damaged"), &json!(19), &json!(3)));
    let (code, told) = reports(&[], damaged("Verdict: apprXove\n"));
    assert_eq!((code, &told[0]["outcome"]), (Some(1), &json!("malformed")));
    assert_ne!(told[0]["targets"]["verdict"]["outcome"], "ok");
    let told = stream(&[], damaged("X Verdict: approve"));
    assert!(told.stderr.starts_with("not found: `verdict`: the reply was cut before a value came"), "{told:?}");
    assert!(told.stderr.contains("malformed: damaged on its way: invalid UTF-8 at byte 0 "), "{}", told.stderr);
}

#[test]
fn half_of_a_character_at_the_end_is_damage() {
    let half = chat(&[says("Verdict: approveX")], "stop").replace('X', "\\ud83d");
    let (code, told) = reports(&[], half);
    assert_eq!((code, &told[0]["outcome"]), (Some(1), &json!("malformed")), "{told:?}");
    assert_eq!((&told[0]["failure"]["code"], &told[0]["failure"]["offset"]), (&json!("damaged"), &json!(16)));
    assert_eq!(told[0]["targets"]["verdict"]["code"], "cut_value");
}

#[test]
fn a_lost_event_is_no_bridge() {
    let lost = "data: {\"choices\": [{\"index\": 0, \"delta\": {\"content\": \"not \n\n";
    let body = event(0, &says("Verdict: "), None) + lost + &chat(&[says("approve\n")], "stop");
    let (code, told) = reports(&[], body);
    assert_eq!((code, &told[0]["outcome"]), (Some(1), &json!("malformed")), "{told:?}");
    assert_eq!(told[0]["failure"]["code"], "lost_event");
    assert_ne!(told[0]["targets"]["verdict"]["outcome"], "ok", "{told:?}");
    let (code, told) = reports(&[], lost.to_owned() + &chat(&[says("Verdict: approve\n")], "stop"));
    assert_eq!((code, &told[0]["outcome"]), (Some(1), &json!("malformed")), "{told:?}");
}

#[test]
fn it_hangs_up_where_the_text_is_doomed() {
    let front = event(0, &says("Verdict: approve\n"), None) + &event(0, &says("Verdict: reject\n"), None);
    let body = front.clone() + &event(0, &says("Verdict: approve\n"), None) + &chat(&[says("more")], "stop");
    let advice = json!({"action": "cancel", "reason": "doomed", "at_byte": front.len()});
    // It is told to whoever reads on.
    let told = line(&stream(&["--json"], &body));
    assert_eq!((&told["advice"], &told["outcome"]), (&advice, &json!("complete")));
    let told = stream(&["--json", "--cancel"], &body);
    let report = line(&told);
    assert_eq!((told.code, &report["advice"], &report["outcome"]), (Some(1), &advice, &json!("cancelled")));
    assert_eq!(report["lanes"][0]["text"], "Verdict: approve\nVerdict: reject\n", "nothing behind it was taken");
    assert_eq!(report["lanes"][0]["signal_report"]["targets"]["verdict"]["code"], "two_values");
    let told = stream(&["--cancel"], &body);
    assert_eq!(told.stdout, "[text]\nVerdict: approve\nVerdict: reject\n");
    assert!(told.stderr.contains(&format!("advice: hang up at byte {} [doomed]\n", front.len())), "{}", told.stderr);
}

#[test]
fn it_hangs_up_where_the_text_is_damaged_or_the_body_is_over() {
    let damaged = event(0, &says("Verdict: X"), None);
    let lost = event(0, &says("Verdict: "), None) + "data: {\"choices\": [\n\n";
    for front in [damaged, lost] {
        let body: Vec<u8> = (front.clone() + &chat(&[says("more")], "stop"))
            .bytes()
            .map(|byte| if byte == b'X' { 0xff } else { byte })
            .collect();
        let told = line(&stream(&["--json", "--cancel"], body));
        let advice = json!({"action": "cancel", "reason": "doomed", "at_byte": front.len()});
        assert_eq!((&told["advice"], &told["lanes"][0]["signal_report"]["outcome"]), (&advice, &json!("malformed")));
    }
    // Nothing more is read of a body that is broken: the byte that shows it is the last one that is taken.
    let broken = "[{\"candidates\": []}\n x {}]\n";
    let taken = broken.find('x').map(|at| at + 1);
    let told = line(&stream(&["--json", "--cancel"], broken));
    assert_eq!(told["advice"], json!({"action": "cancel", "reason": "doomed", "at_byte": taken}), "{told}");
}

#[test]
fn it_hangs_up_where_nothing_can_change() {
    let first = SPEC.replace(r#""values""#, r#""which": "first", "values""#);
    let spec = File::with("stream-first.json", first);
    let front = event(0, &says("Verdict: approve.\n\nSo"), None);
    let body = front.clone() + &chat(&[says(" much for that.")], "stop");
    let told = run(&["stream", "--json", "--cancel", "--spec", spec.path()], &body);
    let report = line(&told);
    assert_eq!(report["lanes"][0]["signal_report"]["outcome"], "ok", "{report}");
    // Where the engine knows it, the advice is told; it is never told too early.
    let advice = &report["advice"];
    assert!(advice.is_null() || advice["reason"] == "final", "{advice}");
    assert!(advice["at_byte"].as_u64().is_none_or(|at| at >= front.len() as u64), "{advice}");
}

#[test]
fn it_reads_on_while_something_may_still_come() {
    // Of another choice.
    let request = File::with("stream-two.json", r#"{"n": 2, "messages": []}"#);
    let doomed = event(0, &says("Verdict: approve\nVerdict: reject\n"), None);
    let end = event(0, &json!({}), Some("stop")) + &event(1, &json!({}), Some("stop")) + "data: [DONE]\n\n";
    let body = doomed.clone() + &event(1, &says("Verdict: approve\n"), None) + &end;
    let told = line(&stream(&["--json", "--cancel", "--request", request.path()], &body));
    assert_eq!((&told["advice"], &told["outcome"]), (&Value::Null, &json!("complete")));
    assert_eq!(told["lanes"][1]["signal_report"]["targets"]["verdict"]["value"], "approve");
    // Of a call: nobody says that its arguments are over before the choice is.
    let call = event(0, &calls("now", "{\"zone\": "), None);
    let rest = json!({"tool_calls": [{"index": 0, "function": {"arguments": "\"CET\"}"}}]});
    let told = line(&stream(&["--json", "--cancel"], call + &doomed + &event(0, &rest, Some("tool_calls"))));
    assert_eq!((&told["advice"], &told["lanes"][0]["report"]["outcome"]), (&Value::Null, &json!("ok")), "{told}");
    // Of a document that is asked for.
    let body = doomed + &event(0, &says("{\"a\": 1}"), Some("stop")) + "data: [DONE]\n\n";
    let told = line(&stream(&["--json", "--cancel", "--judge", "text"], body));
    assert_eq!((&told["advice"], &told["lanes"][0]["report"]["document"]), (&Value::Null, &json!({"a": 1})), "{told}");
    // A document that is whole says nothing about the signals.
    let judged = ["--json", "--cancel", "--judge", "text", "--take", "first"];
    let body = chat(&[says("{\"a\": 1}\n\n"), says("Verdict: approve\n")], "stop");
    let told = line(&stream(&judged, body));
    assert_eq!((&told["outcome"], &told["lanes"][0]["signal_report"]["outcome"]), (&json!("complete"), &json!("ok")));
}

#[test]
fn a_call_that_is_over_is_not_waited_for() {
    let [start, arguments, stop, text] = [
        json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "tool_use", "id": "t", "name": "now", "input": {}}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": "{}"}}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "content_block_delta", "index": 1,
            "delta": {"type": "text_delta", "text": "Verdict: approve\nVerdict: reject\n"}}),
    ]
    .map(|event| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default()));
    let front = start + &arguments + &stop + &text;
    let told = line(&stream(&["--json", "--cancel"], front.clone() + &text));
    let advice = json!({"action": "cancel", "reason": "doomed", "at_byte": front.len()});
    assert_eq!((&told["advice"], &told["lanes"][0]["text"]), (&advice, &json!("{}")), "{told}");
}

#[test]
fn a_missing_spec_exits_2() {
    let told = run(&["stream", "--spec", "no/such/spec.json"], "");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert_eq!(told.stderr, "thusfar: cannot read no/such/spec.json: no such file or directory\n");
    let spec = File::with("stream-bad-spec.json", "{\"targets\": [7]}");
    let told = run(&["stream", "--spec", spec.path()], "");
    assert!(told.code == Some(2) && told.stderr.contains("/targets/0: "), "{told:?}");
}

#[test]
fn nobody_is_steered() {
    let hostile = "\u{1b}]0;x\u{7}\u{9b}2J\u{202e}";
    for text in [
        format!("Verdict: {hostile}\n"),
        format!("Verdict: approve {hostile}\nVerdict: reject{hostile}\n"),
        format!("{hostile} nothing"),
    ] {
        let told = stream(&[], chat(&[says(&text)], "stop"));
        let steers = |shown: char| !matches!(shown, '\n' | '\t') && shown.is_control() || shown == '\u{202e}';
        assert!(told.code == Some(1) && !told.stderr.contains(steers), "{}", told.stderr.escape_debug());
    }
}
