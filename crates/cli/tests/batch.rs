//! `thusfar batch`, as a shell sees it.

mod support;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};

use serde_json::{Value, json};
use support::{File, Run, command, run};

fn reports(told: &Run) -> Vec<Value> {
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("each report is JSON")).collect()
}

#[test]
fn each_line_gets_its_report_in_order() {
    let lines = concat!(
        r#"{"id":"a1","text":"{\n \"x\": 1.50,\n \"y\": [1,]\n}"}"#,
        "\n",
        r#"{"id":"a2","chunks":["{\"items\": [{\"na","me\": \"Jo"],"ending":"length"}"#,
        "\n"
    );
    let told = run(&["batch"], lines);
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    let mut out = told.stdout.lines();
    assert_eq!(
        out.next(),
        Some(concat!(
            r#"{"id":"a1","outcome":"ok","document":{  "x": 1.50,  "y": [1] },"#,
            r#""repairs":[{"kind":"trailing_comma","offset":22,"line":3,"column":9,"before":",","after":""}],"warnings":[]}"#
        ))
    );
    let failed = out.next().unwrap_or_default();
    assert!(
        failed.starts_with(
            r#"{"id":"a2","outcome":"truncated","repairs":[],"warnings":[],"failure":{"code":"open_string","cause":"budget","message":""#
        ),
        "{failed}"
    );
    assert!(failed.contains(r#""offset":23,"decided_at":23,"line":1,"column":24,"path":""#), "{failed}");
    assert!(failed.ends_with(r#""excerpt":"{\"items\": [{\"name\": \"Jo"}}"#), "{failed}");
    assert_eq!(out.next(), None);
}

#[test]
fn the_exit_code_is_the_worst_line() {
    let (ok, failure, bad) = (r#"{"text":"{}"}"#, r#"{"text":"no"}"#, r#"{"text":1}"#);
    for (lines, code) in [
        (vec![], 0),
        (vec![ok, ok], 0),
        (vec![failure, ok], 1),
        (vec![bad, ok], 2),
        (vec![failure, bad, ok], 2),
        (vec![bad, failure], 2),
    ] {
        let told = run(&["batch", "-"], lines.join("\n"));
        assert_eq!(told.code, Some(code), "{lines:?}");
        assert_eq!(told.stdout.lines().count(), lines.len());
    }
}

#[test]
fn an_id_is_echoed_as_it_was_written() {
    for id in [
        "\"a1\"",
        "null",
        "1.50",
        "-0",
        "1e999",
        "true",
        r#"{"a" : [1, 2.0]}"#,
        r#""\u0061\/\ud800""#,
        "12345678901234567890123",
    ] {
        for (rest, told) in [(r#""text":"{}""#, "outcome"), (r#""text":7"#, "error"), ("", "error")] {
            for line in [format!("{{\"id\": {id} ,{rest}}}"), format!("{{{rest} , \"id\":{id}}}")] {
                let line = if rest.is_empty() { format!("{{\"id\":{id}}}") } else { line };
                let expected = format!("{{\"id\":{id},\"{told}\":");
                assert!(run(&["batch"], &line).stdout.starts_with(&expected), "{line}");
            }
        }
    }
    assert!(run(&["batch"], r#"{"text":"{}"}"#).stdout.starts_with(r#"{"id":null,"outcome":"ok","#));
}

#[test]
fn a_line_that_is_no_request_is_answered_in_its_place() {
    let mut lines = Vec::new();
    for bad in [
        &b"nonsense"[..],
        b"[\"a\",\"{}\"]",
        b"5",
        br#"{"id":"x"}"#,
        br#"{"id":"x","text":"{}","chunks":["{}"]}"#,
        br#"{"id":"x","text":"{}","text":"[]"}"#,
        br#"{"id":"x","text":"\ud800"}"#,
        br#"{"id":"x","chunks":["\ud83d","\ude00"]}"#,
        br#"{"id":"x","text":"{}","root":"map"}"#,
        br#"{"id":"x","text":"{}","take":7}"#,
        br#"{"id":"x","text":"{}","ending":"eof"}"#,
        b"{\"id\":\"x\",\"text\":\"\xff\"}",
        br#"{"id":"x","text":"{}"} {}"#,
        br#"{"id":"x","text":"{}"#,
    ] {
        lines.extend_from_slice(bad);
        lines.extend_from_slice(b"\n{\"id\":1,\"text\":\"{}\"}\n");
    }
    let told = run(&["batch"], &lines);
    assert_eq!((told.code, told.stderr.as_str()), (Some(2), ""));
    let reports = reports(&told);
    assert_eq!(reports.len(), 28);
    for (number, pair) in reports.chunks(2).enumerate() {
        assert_eq!(pair[0]["id"], if number < 3 { Value::Null } else { "x".into() }, "line {number}");
        let error = pair[0]["error"].as_str().unwrap_or_default();
        assert!(error.starts_with(&format!("line {}", 2 * number + 1)), "{error}");
        assert_eq!(pair[0].as_object().map(|report| report.len()), Some(2));
        assert_eq!(pair[1]["outcome"], "ok");
    }
}

#[test]
fn blank_lines_line_ends_and_marks_are_no_requests() {
    let told = run(&["batch"], "\u{feff}{\"text\":\"{}\"}\r\n\n \t\r\n{\"text\":\"{}\"}");
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    assert_eq!(reports(&told).len(), 2);
    assert_eq!(run(&["batch"], "\n\n"), Run { code: Some(0), stdout: String::new(), stderr: String::new() });
}

#[test]
fn options_are_defaults_and_requests_stand_above_them() {
    let lines = concat!(
        r#"{"text":"{\"a\": 1} or {\"a\": 2}"}"#,
        "\n",
        r#"{"text":"{\"a\": 1} or {\"a\": 2}","take":"first"}"#,
        "\n",
        r#"{"text":"{\"a\": 1} or {\"a\": 2}","take":null,"more":{"take":"first"}}"#,
        "\n",
        r#"{"text":"{\"a\": [","ending":"timed-out"}"#,
        "\n",
        r#"{"text":"{\"a\": [","ending":"timed_out"}"#,
        "\n",
        r#"{"text":"{\"a\": ["}"#,
        "\n",
        r#"{"text":"{\"a\": 1,}"}"#,
        "\n",
    );
    let told =
        reports(&run(&["batch", "--take", "last", "--ending", "length", "--no-repair", "trailing_comma"], lines));
    let found: Vec<_> = told[..3].iter().map(|report| report["document"]["a"].as_i64()).collect();
    assert_eq!(found, [Some(2), Some(1), Some(2)]);
    let causes: Vec<_> = told[3..6].iter().filter_map(|report| report["failure"]["cause"].as_str()).collect();
    assert_eq!(causes, ["timed_out", "timed_out", "budget"]);
    assert_eq!(told[6]["outcome"], "malformed");
}

#[test]
fn chunks_and_text_give_the_same_report() {
    for text in ["é {\"a\": \"漢🦀\", \"b\": [1,], // x\n}", "{\"a\": \"漢", "{\"a\": 1} {\"a\": 2}", "", "[1 2]"]
    {
        let chunks: Vec<_> = text.chars().map(String::from).collect();
        let lines = format!("{}\n{}\n", serde_json::json!({"text": text}), serde_json::json!({"chunks": chunks}));
        let told = run(&["batch"], lines);
        let (whole, pieces) = told.stdout.split_once('\n').unwrap_or_default();
        assert_eq!(whole, pieces.trim_end(), "{text}");
    }
}

#[test]
fn a_file_is_read_like_standard_input() {
    let lines = "{\"id\":1,\"text\":\"{}\"}\nx\n";
    let file = File::with("batch.jsonl", lines);
    assert_eq!(run(&["batch", file.path()], ""), run(&["batch"], lines));
    let told = run(&["batch", "no/such.jsonl"], "");
    assert_eq!(told.stderr, "thusfar: cannot read no/such.jsonl: no such file or directory\n");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
}

#[test]
fn a_report_comes_before_the_next_request_is_waited_for() {
    let mut child = command(&["batch"]).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    let mut report = String::new();
    for number in 0..3 {
        writeln!(input, "{{\"id\":{number},\"text\":\"{{}}\"}}").expect("the command reads");
        report.clear();
        output.read_line(&mut report).expect("the command writes");
        assert!(report.starts_with(&format!("{{\"id\":{number},\"outcome\":\"ok\"")), "{report}");
    }
    drop(input);
    assert_eq!(child.wait().expect("the command ends").code(), Some(0));
}

#[test]
fn a_reader_that_goes_away_ends_the_run_quietly() {
    let mut child = command(&["batch"]).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    drop(child.stdout.take());
    let line = format!("{}\n", serde_json::json!({"text": format!("{{\"a\": \"{}\"}}", "xyz ".repeat(100))}));
    // Sooner or later the command stops reading; before that it must have noticed that nobody listens.
    while input.write_all(line.as_bytes()).is_ok() {}
    drop(input);
    let mut told = String::new();
    child.stderr.take().expect("standard error is piped").read_to_string(&mut told).expect("standard error is UTF-8");
    assert_eq!(told, "");
    assert_eq!(child.wait().expect("the command ends").code(), Some(141));
}

#[test]
fn a_line_over_the_limit_is_an_error_and_the_run_goes_on() {
    let mut lines = b"{\"id\":\"long\",\"text\":\"".to_vec();
    lines.resize((64 << 20) + 100, b'x');
    lines.extend_from_slice(b"\"}\n{\"id\":\"next\",\"text\":\"{}\"}\n");
    let told = run(&["batch"], &lines);
    assert_eq!(told.code, Some(2));
    let mut out = told.stdout.lines();
    assert_eq!(out.next(), Some(r#"{"id":"long","error":"line 1: longer than 67108864 bytes"}"#));
    assert!(out.next().is_some_and(|line| line.starts_with(r#"{"id":"next","outcome":"ok""#)));
}

/// Lines of requests with these schemas.
fn lines(requests: &[(Value, &str)]) -> String {
    let line = |(schema, text): &(Value, &str)| json!({"id": text, "schema": schema, "text": text}).to_string() + "\n";
    requests.iter().map(line).collect()
}

#[test]
fn a_request_brings_its_schema() {
    let bound = json!({"properties": {"n": {"maximum": 100}}, "required": ["n"]});
    let requests = [
        (bound.clone(), r#"{"n": 15}"#, "ok", &[][..]),
        (bound.clone(), r#"{"n": 150}"#, "schema_mismatch", &["/n"]),
        (bound.clone(), r#"Sure: {"N": 150}"#, "schema_mismatch", &[""]),
        (json!({"items": {"type": "string"}}), "[1, \"a\", 2]", "schema_mismatch", &["/0", "/2"]),
        (bound.clone(), "no", "not_found", &[]),
        (bound, r#"{"n": 15}"#, "ok", &[]),
        (json!(true), "{}", "ok", &[]),
        (json!(false), "{}", "schema_mismatch", &[""]),
        (json!({"type": "string"}), "\"a\"", "ok", &[]),
        (json!({"type": "array"}), "{}", "schema_mismatch", &[""]),
    ];
    let given: Vec<_> = requests.iter().map(|(schema, text, ..)| (schema.clone(), *text)).collect();
    let told = run(&["batch"], lines(&given));
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    let reports = reports(&told);
    assert_eq!(reports.len(), requests.len());
    for (report, (_, text, outcome, paths)) in reports.iter().zip(requests) {
        let violations = report["violations"].as_array().expect("violations");
        let found: Vec<_> = violations.iter().map(|violation| violation["path"].clone()).collect();
        assert_eq!(
            (&report["outcome"], found),
            (&json!(outcome), paths.iter().map(|path| json!(path)).collect()),
            "{report}"
        );
        assert_eq!(report["id"], text, "each line has its own report");
        assert_eq!(report.get("document").is_some(), outcome != "not_found", "{report}");
    }
    for (schema, code) in [(true, 0), (false, 1)] {
        assert_eq!(run(&["batch"], lines(&[(json!(schema), "{}")])).code, Some(code), "{schema}");
    }
}

#[test]
fn a_reply_is_refused_at_the_same_byte_however_it_comes() {
    let schema = json!({
        "properties": {"label": {"enum": ["yes", "no"]}, "tags": {"maxItems": 1}, "n": {"maximum": 100}},
        "additionalProperties": false
    });
    for (text, offset, decided_at) in [
        (r#"So: {"label": "maybe", "n": 1"#, 15, 15),
        (r#"{"label": "n\u0065w"#, 17, 17),
        // A comma may be dropped; the item behind it may not.
        (r#"{"tags": ["a", "b"#, 13, 15),
        (r#"{"n": 1, "é": 2"#, 10, 11),
        (r#"{"n": 150, "label"#, 9, 9),
        ("```json\n{\"n\": 1, \"label\": nu", 26, 26),
    ] {
        let pieces: Vec<_> = text.chars().map(String::from).collect();
        let lines = [json!({"text": text, "schema": schema}), json!({"chunks": pieces, "schema": schema})];
        let told = run(&["batch"], lines.map(|line| line.to_string()).join("\n"));
        let (whole, cut) = told.stdout.split_once('\n').expect("two reports");
        assert_eq!((told.code, whole), (Some(1), cut.trim_end()), "{text}");
        let report: Value = serde_json::from_str(whole).expect("a report");
        let (failure, violation) = (&report["failure"], &report["violations"][0]);
        assert_eq!((&report["outcome"], &failure["code"]), (&json!("schema_mismatch"), &json!("schema_mismatch")));
        assert_eq!((&failure["offset"], &failure["decided_at"]), (&json!(offset), &json!(decided_at)), "{text}");
        assert_eq!((&violation["offset"], report.get("document")), (&json!(offset), None), "{text}");
    }
}

#[test]
fn without_a_schema_there_are_no_violations() {
    for line in [r#"{"text":"{}"}"#, r#"{"text":"{}","schema":null}"#] {
        let told = reports(&run(&["batch"], line));
        assert_eq!((&told[0]["outcome"], told[0].get("violations")), (&json!("ok"), None), "{line}");
    }
}

#[test]
fn the_schema_of_an_option_is_for_lines_that_bring_none() {
    let file = File::with(
        "batch-schema.json",
        r#"{"type": "object", "required": ["a"], "properties": {"b": {"pattern": "^(?=x)"}}}"#,
    );
    let lines = concat!(
        r#"{"text":"{}"}"#,
        "\n",
        r#"{"text":"{}","schema":null}"#,
        "\n",
        r#"{"text":"{}","schema":{}}"#,
        "\n",
        r#"{"text":"{\"a\": 1, \"b\": \"y\"}"}"#,
        "\n",
        r#"{"text":"[1]"}"#,
        "\n",
        r#"{"text":"[1]","root":"object"}"#,
        "\n",
        r#"{"text":"\"a\"","schema":{"type":"string"}}"#,
        "\n",
        r#"{"text":"\"a\"","schema":{"type":"string"},"root":"any"}"#,
        "\n",
    );
    let told = run(&["batch", "--schema", file.path()], lines);
    assert_eq!(told.code, Some(1));
    let reports = reports(&told);
    let keywords: Vec<_> =
        reports.iter().map(|report| report["violations"][0]["keyword"].as_str().unwrap_or("-")).collect();
    assert_eq!(keywords, ["required", "required", "-", "pattern", "type", "-", "-", "-"]);
    let outcomes: Vec<_> = reports[4..].iter().filter_map(|report| report["outcome"].as_str()).collect();
    assert_eq!(
        outcomes,
        ["schema_mismatch", "malformed", "ok", "not_found"],
        "a request's root stands above a schema's"
    );
    let told = run(&["batch", "--schema", "no/such.json"], lines);
    let stderr = "thusfar: cannot read no/such.json: no such file or directory\n";
    assert_eq!(told, Run { code: Some(2), stdout: String::new(), stderr: stderr.into() });
}

#[test]
fn a_line_whose_schema_is_none_is_answered_in_its_place() {
    let bad = [
        (json!({"type": 12}), "[schema_invalid]"),
        (json!({"type": 12}), "[schema_invalid]"),
        (json!(7), "[schema_invalid]"),
        (json!({"$ref": "https://example.com/a.json"}), "[schema_reference]"),
        // What could take more than linear time is refused in a request, and fine in a file of --schema.
        (json!({"pattern": "^(?=a)"}), "[schema_pattern]"),
        (json!({"title": "x".repeat(256 << 10)}), "[schema_limit]"),
        (json!({"type": (0..2000).map(|n| format!("{n} ")).collect::<String>()}), "[schema_invalid]"),
    ];
    let requests: Vec<_> = bad.iter().flat_map(|(schema, _)| [(schema.clone(), "{}"), (json!({}), "{}")]).collect();
    let told = run(&["batch"], lines(&requests));
    assert_eq!((told.code, told.stderr.as_str()), (Some(2), ""));
    let reports = reports(&told);
    assert_eq!(reports.len(), 2 * bad.len());
    for (number, (pair, (_, why))) in reports.chunks(2).zip(&bad).enumerate() {
        let error = pair[0]["error"].as_str().unwrap_or_default();
        let start = format!("line {}: `schema`: ", 2 * number + 1);
        assert!(error.starts_with(&start) && error.ends_with(why) && error.len() < 300, "{error}");
        assert_eq!((&pair[0]["id"], pair[0].as_object().map(|report| report.len())), (&json!("{}"), Some(2)));
        assert_eq!(pair[1]["outcome"], "ok", "the run goes on");
    }
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let told = run(&["batch"], format!("{{\"schema\":{deep},\"text\":\"{{}}\",\"id\":1}}"));
    assert!(told.code == Some(2) && told.stdout.starts_with(r#"{"id":1,"error":"line 1: `schema`: "#), "{told:?}");
}

#[test]
fn the_schema_of_the_line_before_is_forgotten() {
    let (string, number) = (json!({"type": "string"}), json!({"type": "number"}));
    let outcome = |schema: &Value, text| {
        let line = lines(&[(schema.clone(), text)]);
        reports(&run(&["batch", "--ending", "stop"], line))[0]["outcome"].clone()
    };
    // Every order of three schemas of which two are equal, and lines without one between.
    let requests =
        [(&string, "1"), (&number, "1"), (&string, "\"a\""), (&string, "1"), (&number, "\"a\""), (&number, "1")];
    let mixed: String = requests
        .iter()
        .map(|(schema, text)| lines(&[((*schema).clone(), *text)]) + "{\"text\":\"1\",\"root\":\"value\"}\n")
        .collect();
    let told = reports(&run(&["batch", "--ending", "stop"], mixed));
    for ((schema, text), pair) in requests.iter().zip(told.chunks(2)) {
        assert_eq!(pair[0]["outcome"], outcome(schema, text), "{schema} {text}");
        assert_eq!((&pair[1]["outcome"], pair[1].get("violations")), (&json!("ok"), None));
    }
}

#[test]
fn chunks_and_text_break_the_same_of_a_schema() {
    let schema = json!({"properties": {"é": {"enum": ["漢"]}}, "additionalProperties": false});
    for text in ["So: {\"é\": \"字\", \"n\": [1,],}", "{\"é\": \"漢\"}", "{\"é\": \"漢"] {
        let chunks: Vec<_> = text.chars().map(String::from).collect();
        let lines =
            format!("{}\n{}\n", json!({"text": text, "schema": schema}), json!({"chunks": chunks, "schema": schema}));
        let told = run(&["batch"], lines);
        let (whole, pieces) = told.stdout.split_once('\n').unwrap_or_default();
        assert_eq!(whole, pieces.trim_end(), "{text}");
    }
}
