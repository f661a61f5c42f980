//! `thusfar parse`, as a shell sees it.

mod support;

use serde_json::Value;
use support::{File, Run, command, example, run};

fn json(line: &str) -> Value {
    assert!(line.ends_with('\n') && line.lines().count() == 1, "one line: {line:?}");
    serde_json::from_str(line).expect("the report is JSON")
}

#[test]
fn a_clean_document_comes_out_as_it_went_in() {
    for text in
        [r#"{"a":1.50,"b":"é\u00e9\/"}"#, "{ \"a\" :\t1e2 }", "[[1.0],\r\n {}]", "{\"a\": 12345678901234567890}"]
    {
        let expected = Run { code: Some(0), stdout: format!("{text}\n"), stderr: String::new() };
        assert_eq!(run(&["parse"], text), expected);
        assert_eq!(run(&["parse", "-"], text), expected);
        let file = File::with("clean.txt", text);
        assert_eq!(run(&["parse", file.path()], ""), expected);
    }
}

#[test]
fn options_stand_before_or_after_the_file() {
    let file = File::with("order.txt", r#"{"a":1}"#);
    for args in [
        ["parse", "--root", "object", "--take=only", "--ending", "stop", file.path()],
        ["parse", file.path(), "--ending", "stop", "--root", "object", "--take=only"],
        ["parse", "--root", "object", file.path(), "--ending", "stop", "--take=only"],
    ] {
        assert_eq!(run(&args, ""), Run { code: Some(0), stdout: "{\"a\":1}\n".into(), stderr: String::new() });
    }
}

#[test]
fn repairs_are_told_on_standard_error() {
    let told = run(&["parse"], "{\n  \"a\": 1,\n}");
    assert_eq!(told.code, Some(0));
    assert_eq!(told.stdout, "{\n  \"a\": 1\n}\n");
    assert_eq!(told.stderr, "repaired: `,` to nothing at line 2, column 9 [trailing_comma]\n");
}

#[test]
fn a_refused_repair_is_a_failure() {
    let told = run(&["parse", "--no-repair", "trailing_comma"], r#"{"a": 1,}"#);
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.starts_with("malformed: "), "{}", told.stderr);
    let told = run(&["parse", "--no-repair", "comment", "--no-repair", "raw_control"], r#"{"a": 1,}"#);
    assert_eq!(told.code, Some(0));
}

#[test]
fn a_failure_shows_its_line_and_what_to_do() {
    let told = run(&["parse", "--ending", "length"], "Here:\n{\"items\": [\n  {\"name\": \"Jo");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    let lines: Vec<_> = told.stderr.lines().collect();
    assert!(lines[0].starts_with("truncated: cut inside a string"), "{}", told.stderr);
    assert!(lines[0].ends_with("[open_string, budget]"), "{}", told.stderr);
    assert_eq!(lines[1..5], [" --> standard input:3:15", "  |", "3 |   {\"name\": \"Jo", "  |               ^"]);
    assert!(lines.iter().any(|line| line.starts_with("  = next: ask again with a larger budget")), "{}", told.stderr);
}

#[test]
fn standard_error_never_steers_a_terminal() {
    let told = run(&["parse"], "{\"a\u{202e}\u{1b}]0;x\u{7}\": 'b\u{9b}'}");
    assert_eq!(told.code, Some(1));
    assert!(told.stderr.contains("\\u{1b}"), "{}", told.stderr);
    assert!(!told.stderr.contains(|c: char| c != '\n' && c.is_control() || c == '\u{202e}'), "{}", told.stderr);
}

#[test]
fn nothing_is_coloured_in_a_pipe() {
    for text in [r#"{"a": 1,}"#, r#"{"a": "#, "nothing"] {
        let told = run(&["parse"], text);
        assert!(!told.stdout.contains('\u{1b}') && !told.stderr.contains('\u{1b}'), "{told:?}");
        let mut forced = command(&["parse"]);
        forced.env("CLICOLOR_FORCE", "1").env("COLORTERM", "truecolor");
        let child = forced.spawn().expect("the command starts");
        let output = child.wait_with_output().expect("the command ends");
        assert!(!output.stderr.contains(&0x1b));
    }
}

#[test]
fn the_report_is_one_line_without_an_id() {
    let told = run(&["parse", "--json"], "{\n  \"a\": 1.50,\r\n}\n");
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    assert_eq!(
        told.stdout,
        "{\"outcome\":\"ok\",\"document\":{   \"a\": 1.50  },\
         \"repairs\":[{\"kind\":\"trailing_comma\",\"offset\":13,\"line\":2,\"column\":12,\"before\":\",\",\"after\":\"\"}],\
         \"warnings\":[]}\n"
    );
    let told = run(&["parse", "--json", "--ending=length"], "{\"a\": \"é");
    assert_eq!((told.code, told.stderr.as_str()), (Some(1), ""));
    let report = json(&told.stdout);
    let members: Vec<_> = report.as_object().expect("an object").keys().cloned().collect();
    assert!(!members.iter().any(|member| member == "id" || member == "document"), "{members:?}");
    assert_eq!(report["outcome"], "truncated");
    assert_eq!(report["repairs"], Value::Array(vec![]));
    let failure = &report["failure"];
    assert_eq!((&failure["code"], &failure["cause"]), (&"open_string".into(), &"budget".into()));
    assert_eq!((&failure["offset"], &failure["line"], &failure["column"]), (&9.into(), &1.into(), &9.into()));
    assert_eq!((&failure["path"], &failure["excerpt"]), (&"/a".into(), &"{\"a\": \"é".into()));
}

#[test]
fn only_a_truncation_has_a_cause() {
    let report = json(&run(&["parse", "--json"], "nothing here").stdout);
    assert_eq!(report["outcome"], "not_found");
    assert!(report["failure"].get("cause").is_none());
}

#[test]
fn warnings_have_a_place() {
    let text = "{\n\"a\": 0.1234567890123456789}";
    let report = json(&run(&["parse", "--json"], text).stdout);
    assert_eq!(report["warnings"], serde_json::json!([{"kind": "lossy_number", "offset": 7, "line": 2, "column": 6}]));
    let told = run(&["parse"], text);
    assert!(told.stderr.starts_with("warning: ") && told.stderr.ends_with("at line 2, column 6 [lossy_number]\n"));
}

#[test]
fn pretty_changes_white_space_only() {
    let told = run(&["parse", "--pretty"], r#"{"a":[1.50,{"b":"\u00e9, {"}],"c":{},"d":[ ]}"#);
    let expected =
        "{\n  \"a\": [\n    1.50,\n    {\n      \"b\": \"\\u00e9, {\"\n    }\n  ],\n  \"c\": {},\n  \"d\": []\n}\n";
    assert_eq!(told, Run { code: Some(0), stdout: expected.into(), stderr: String::new() });
}

#[test]
fn invalid_utf8_is_a_failure_of_the_reply() {
    let told = run(&["parse"], b"{\"a\": \"\xff\"}");
    assert_eq!((told.code, told.stdout.as_str()), (Some(1), ""));
    assert!(told.stderr.contains("[invalid_utf8]"), "{}", told.stderr);
}

#[test]
fn reading_stops_when_the_answer_is_certain() {
    use std::io::Write as _;
    let mut child = command(&["parse", "--json"]).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    input.write_all(b"{\"a\": \xff").expect("the command reads");
    input.flush().expect("the command reads");
    // The pipe stays open: only a command that hangs up by itself ends.
    let output = child.wait_with_output().expect("the command ends");
    assert_eq!(output.status.code(), Some(1));
    drop(input);
}

#[test]
fn what_cannot_be_read_is_said_with_its_name() {
    let told = run(&["parse", "no/such/reply.txt"], "");
    let stderr = "thusfar: cannot read no/such/reply.txt: no such file or directory\n";
    assert_eq!(told, Run { code: Some(2), stdout: String::new(), stderr: stderr.into() });
    let told = run(&["parse", "."], "");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(told.stderr.starts_with("thusfar: cannot read .: "), "{}", told.stderr);
}

#[test]
fn wrong_usage_is_code_2() {
    for args in [
        &[][..],
        &["read"],
        &["parse", "--root", "map"],
        &["parse", "--take", "all"],
        &["parse", "--ending", "eof"],
        &["parse", "--no-repair", "quotes"],
        &["parse", "--no-repair"],
        &["parse", "--json", "--pretty"],
        &["parse", "a", "b"],
        &["parse", "--jsn"],
    ] {
        let told = run(args, "{}");
        assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert!(!told.stderr.is_empty(), "{args:?}");
    }
}

#[test]
fn help_and_version_are_answers() {
    for args in [&["--help"][..], &["parse", "--help"], &["validate", "--help"], &["batch", "--help"]] {
        let told = run(args, "");
        assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
        assert!(told.stdout.contains("Exit codes:"), "{args:?}");
    }
    assert_eq!(run(&["--version"], "").stdout, concat!("thusfar ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn every_ending_and_repair_has_its_name() {
    for ending in
        ["stop", "tool-use", "length", "filtered", "timed-out", "disconnected", "failed", "cancelled", "unknown"]
    {
        let report = json(&run(&["parse", "--json", "--ending", ending], "{\"a\": [").stdout);
        assert_eq!(report["outcome"], "truncated", "{ending}");
        let cause = match ending {
            "stop" | "tool-use" => "unclosed",
            "length" => "budget",
            other => &other.replace('-', "_"),
        };
        assert_eq!(report["failure"]["cause"], cause);
    }
    for kind in ["escaped_delimiter", "escaped_whitespace", "comment", "trailing_comma", "bracket_kind", "raw_control"]
    {
        assert_eq!(run(&["parse", "--no-repair", kind], "{\"a\": 1}").code, Some(0), "{kind}");
    }
}

/// The examples that are shown to people, and what becomes of them.
#[test]
fn the_examples_are_what_they_say() {
    for (name, outcome, code) in [
        ("fenced-with-comments.txt", "ok", ""),
        ("bare-in-prose.txt", "ok", ""),
        ("reasoning.txt", "ok", ""),
        ("cut.txt", "truncated", "open_string"),
        ("two-answers.txt", "ambiguous", "different_documents"),
        ("broken.txt", "malformed", "expected_comma_or_closer"),
        ("recipe.txt", "ok", ""),
    ] {
        let report = json(&run(&["parse", "--json", &example(name)], "").stdout);
        assert_eq!(report["outcome"], outcome, "{name}");
        assert_eq!(report["failure"]["code"].as_str().unwrap_or_default(), code, "{name}");
    }
    let report = json(&run(&["parse", "--json", &example("fenced-with-comments.txt")], "").stdout);
    let kinds: Vec<_> =
        report["repairs"].as_array().expect("repairs").iter().filter_map(|repair| repair["kind"].as_str()).collect();
    assert_eq!(kinds, ["comment", "comment", "comment", "trailing_comma", "trailing_comma"]);
    assert_eq!(report["document"]["filters"][2], "note:a, b,]");
    let pretty = run(&["parse", "--pretty", &example("fenced-with-comments.txt")], "").stdout;
    assert!(pretty.contains("\"timeout_seconds\": 1800.0,") && pretty.contains("\"batch_size\": 9007199254740993,"));
    assert_eq!(
        run(&["parse", "--take", "last", &example("two-answers.txt")], "").stdout.trim_end(),
        r#"{"queue": "technical", "priority": 1}"#
    );
    assert_eq!(run(&["parse", &example("bare-in-prose.txt")], "").stdout.find("6.50"), Some(27));
}
