//! `thusfar events`, as a shell sees it.

mod support;

use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::{Value, json};
use support::{File, Run, command, run};

/// The lines of standard output, each a JSON text.
fn lines(told: &Run) -> Vec<Value> {
    assert!(told.stdout.is_empty() || told.stdout.ends_with('\n'), "{told:?}");
    told.stdout.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

fn event(data: &str) -> Value {
    json!({"event": "message", "data": data, "id": "", "retry": null})
}

fn eof(partial_line: bool, pending_event: bool) -> Value {
    json!({"eof": {"partial_line": partial_line, "pending_event": pending_event}})
}

#[test]
fn events_come_one_a_line_and_then_the_end() {
    let body =
        "retry: 3000\r\nevent: tick\r\nid: 7\r\ndata: a\r\ndata: b\r\n\r\n: ping\r\n\r\ndata: {\"n\": 1}\r\n\r\n";
    let told = run(&["events"], body);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    let first = json!({"event": "tick", "data": "a\nb", "id": "7", "retry": 3000});
    let second = json!({"event": "message", "data": "{\"n\": 1}", "id": "7", "retry": null});
    assert_eq!(lines(&told), [first, second, eof(false, false)]);
    assert_eq!(run(&["events", "-"], body), told);
    let file = File::with("body.sse", body);
    assert_eq!(run(&["events", file.path()], ""), told);
    assert_eq!(run(&["events", "--framing", "sse", file.path()], ""), told);
}

#[test]
fn the_first_byte_chooses_the_framing() {
    let told = run(&["events"], "{\"a\": 1}\n{\"b\": 2}");
    assert_eq!((told.code, lines(&told)), (Some(0), vec![event("{\"a\": 1}"), event("{\"b\": 2}"), eof(true, false)]));
    let told = run(&["events"], "[{\"a\": 1},\n{\"b\": 2}]");
    assert_eq!((told.code, lines(&told)), (Some(0), vec![event("{\"a\": 1}"), event("{\"b\": 2}"), eof(false, false)]));
}

#[test]
fn a_body_that_is_no_stream_is_a_failure_that_quotes_it() {
    for (body, kind, quoted) in [
        ("{\"error\": {\"message\": \"no such model\"}}", "json", "no such model"),
        ("{\"error\": {\"message\": \"no such model\"}}\n", "json", "no such model"),
        ("{\n  \"error\": \"bad\"\n}\n", "json", "{\\n  \"error\": \"bad\"\\n}\\n"),
        ("<html>\n<title>502 Bad Gateway</title>", "html", "502 Bad Gateway"),
        ("upstream connect error", "text", "upstream connect error"),
        ("", "empty", ""),
        (": ping\n\n", "no_events", ""),
        ("[]", "no_events", ""),
    ] {
        let told = run(&["events"], body);
        assert_eq!(told.code, Some(1), "{body:?}");
        assert_eq!(lines(&told).len(), 1, "{body:?}: the end alone: {told:?}");
        assert!(told.stderr.contains(&format!("[{kind}]")), "{body:?}: {}", told.stderr);
        assert!(told.stderr.contains(quoted), "{body:?}: {}", told.stderr);
    }
    let told = run(&["events"], b"\x1f\x8b\x08\0\0\0\0\0\x02\x03KI,I");
    assert_eq!(told.code, Some(1));
    assert!(told.stderr.contains("[gzip]") && !told.stderr.contains('\u{1f}'), "{}", told.stderr);
}

#[test]
fn errors_beside_the_events_are_told() {
    let told = run(&["events"], "data: 1\n\nerror: {\"code\": 500}\n\n");
    assert_eq!((told.code, lines(&told)), (Some(1), vec![event("1"), eof(false, false)]));
    assert_eq!(told.stderr, "error: standard input: error: {\"code\": 500} [beside_the_events]\n");
    let told = run(&["events"], "data: 1\n\n{\n  \"error\": {\"code\": 503}\n}\n");
    assert_eq!((told.code, lines(&told)), (Some(1), vec![event("1"), eof(false, false)]));
    assert!(told.stderr.contains("at byte 9 [json]"), "{}", told.stderr);
}

#[test]
fn a_cut_is_a_failure_and_taking_what_is_whole_is_a_switch() {
    for (body, left) in [("data: 1\n\ndata: [DONE]\n", eof(false, true)), ("data: 1\n\ndata: [DONE]", eof(true, false))]
    {
        let told = run(&["events"], body);
        assert_eq!((told.code, lines(&told)), (Some(1), vec![event("1"), left.clone()]));
        assert!(told.stderr.contains("--take-unclosed"), "{}", told.stderr);
        let told = run(&["events", "--take-unclosed"], body);
        assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
        assert_eq!(lines(&told), [event("1"), event("[DONE]"), left]);
    }
    let told = run(&["events", "--take-unclosed"], "data: 1\n\ndata: {\"n\": 2");
    assert_eq!((told.code, lines(&told)), (Some(1), vec![event("1"), eof(true, false)]));
    assert!(told.stderr.contains("[partial_line]"), "{}", told.stderr);
}

#[test]
fn a_line_over_the_limit_ends_the_run() {
    let body = ["data: 1\n\ndata: ", &"x".repeat(9 << 20), "\n\ndata: 2\n\n"].concat();
    let told = run(&["events"], body);
    assert_eq!((told.code, lines(&told)), (Some(1), vec![event("1")]));
    assert_eq!(told.stderr, "broken: standard input: line longer than 8388608 bytes at byte 8388617 [line_too_long]\n");
}

#[test]
fn an_unknown_framing_is_wrong_usage() {
    let told = run(&["events", "--framing", "xml"], "");
    assert_eq!((told.code, told.stdout.as_str()), (Some(2), ""));
    assert!(told.stderr.contains("json-array"), "{}", told.stderr);
}

/// Each event is there before the next bytes come.
#[test]
fn a_stream_can_be_watched() {
    let mut child = command(&["events"]).spawn().expect("the command starts");
    let mut input = child.stdin.take().expect("standard input is piped");
    let mut output = BufReader::new(child.stdout.take().expect("standard output is piped"));
    for number in 0..3 {
        input.write_all(format!("data: {number}\n\n").as_bytes()).expect("the command reads");
        let mut line = String::new();
        output.read_line(&mut line).expect("the command writes");
        assert_eq!(serde_json::from_str::<Value>(&line).expect("JSON"), event(&number.to_string()));
    }
    drop(input);
    assert!(child.wait().expect("the command ends").success());
}
