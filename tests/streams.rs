//! Streams of every provider: what their lanes say and how they end; under many ways of cutting them.

use serde_json::{Value, json};
use thusfar::stream::{Framing, SessionOptions};
use thusfar::{Ending, Expect};
use thusfar_testkit::corpus::{self, CaseRow};
use thusfar_testkit::stream_law;
use thusfar_testkit::streams::{Answer, StreamReport, check_stream};

fn parsed(text: &[u8]) -> Value {
    serde_json::from_slice(text).expect("JSON")
}

/// The recordings of a folder with what is known of each.
fn recordings(folder: &str, known: &str) -> Vec<(String, Vec<u8>, Value)> {
    let about = corpus::recordings(folder, "json");
    let of = |name: &str| about.iter().find(|(other, _)| *other == format!("{name}.{known}"));
    let bodies = ["sse", "ndjson", "json", "bin"].into_iter().flat_map(|end| corpus::recordings(folder, end));
    bodies.filter_map(|(name, body)| of(&name).map(|(_, about)| (name.clone(), body, parsed(about)))).collect()
}

#[test]
fn every_provider() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, body, expected) in recordings("streams", "expected") {
        let is_binary = expected["transport"] == "aws-eventstream";
        if is_binary && !cfg!(feature = "aws") {
            continue;
        }
        count += 1;
        let report = check_stream(&body, &SessionOptions::default(), Ending::Unknown);
        for member in ["lanes", "finish", "outcome", "terminal", "usage", "error"] {
            if report.summary[member] != expected[member] {
                wrong.push(format!(
                    "{name}: {member}\n  wanted {}\n  got    {}",
                    expected[member], report.summary[member]
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count >= 46, "{count} streams");
}

// What a real server said.

/// The text of each choice, and why it ended, as the notes of a capture have them.
fn by_choice(report: &StreamReport) -> (Value, Value) {
    let (mut texts, mut finishes) = (json!({}), json!({}));
    for lane in report.summary["lanes"].as_array().expect("lanes") {
        if lane["kind"] == "text" {
            texts[lane["choice"].to_string()] = lane["text"].clone();
        }
    }
    for finish in report.summary["finish"].as_array().expect("finishes") {
        finishes[finish["choice"].to_string()] = finish["raw"].clone();
    }
    (texts, finishes)
}

/// A choice that said nothing has no lane, and an empty text in the notes.
fn without_empty(map: &Value) -> Value {
    let kept = map.as_object().into_iter().flatten();
    kept.filter(|(_, value)| !value.is_null() && **value != "")
        .map(|(key, value)| (key.clone(), value.clone()))
        .collect()
}

/// Arguments of each call; sorted, since the notes have the calls by IDs.
fn arguments(report: &StreamReport) -> Vec<&str> {
    let lanes = report.summary["lanes"].as_array().expect("lanes").iter();
    let calls = lanes.filter(|lane| lane["kind"] == "tool_args");
    let mut all: Vec<_> = calls.map(|lane| lane["text"].as_str().expect("text")).collect();
    all.sort_unstable();
    all
}

/// The same from the notes.
fn noted_arguments(noted: &Value) -> Vec<&str> {
    let calls = noted.as_object().into_iter().flatten();
    let mut all: Vec<_> = calls.map(|(_, call)| call["arguments"].as_str().expect("text")).collect();
    all.sort_unstable();
    all
}

#[test]
fn captures_say_what_was_noted() {
    let all = recordings("captures", "meta");
    assert_eq!(all.len(), 92);
    let (mut choices, mut tool_calls) = (0, 0);
    for (name, body, noted) in all {
        let report = check_stream(&body, &SessionOptions::default(), Ending::Unknown);
        let (texts, finishes) = by_choice(&report);
        assert_eq!(texts, without_empty(&noted["text"]), "{name}: text");
        // Of Responses the name of the last event was noted; the word is the status in it.
        let words = without_empty(&noted["finish"]).to_string().replace("response.completed", "completed");
        assert_eq!(finishes, parsed(words.as_bytes()), "{name}: finish");
        assert_eq!(arguments(&report), noted_arguments(&noted["tool_calls"]), "{name}: tool calls");
        // One is a plain error; it was noted as no stream at all.
        assert_eq!(report.summary["error"].is_object(), name == "124", "{name}: {}", report.summary["error"]);
        assert_eq!((report.warnings, report.advice), (vec![], None), "{name}");
        // That of the server's own protocol was not noted.
        let has_end = noted["done_marker"] == true || noted["path"] == "/completion";
        assert_eq!(report.summary["terminal"].is_string(), has_end, "{name}");
        choices += texts.as_object().map_or(0, |texts| texts.len());
        tool_calls += report.outcomes.iter().flatten().count();

        let judged = check_stream(&body, &SessionOptions::default().judge_text(Expect::any()), Ending::Unknown);
        assert_eq!(by_choice(&judged).0, texts, "{name}: judging changes no text");
        assert_eq!(judged.warnings, [], "{name}");
    }
    assert_eq!((choices, tool_calls), (78, 25));
}

// The cases.

/// Each call with the value of its arguments, or with the kind of its failure.
fn calls(report: &StreamReport) -> Value {
    let lanes = report.summary["lanes"].as_array().expect("lanes").iter().zip(&report.outcomes);
    let call = |(lane, outcome): (&Value, &Option<Answer>)| match outcome {
        Some(Ok(text)) => json!({"name": lane["name"], "arguments": parsed(text.as_bytes())}),
        Some(Err((kind, _))) => json!({"outcome": kind}),
        None => json!(null),
    };
    lanes.map(call).collect()
}

#[test]
fn calls_of_the_cases() {
    let is_stream = |row: &CaseRow| row.context["payload"].as_str().is_some_and(|payload| payload.ends_with("_stream"));
    let rows: Vec<_> = corpus::cases().into_iter().filter(is_stream).collect();
    assert_eq!(rows.len(), 5);
    for row in rows {
        let report = check_stream(row.input.as_bytes(), &SessionOptions::default(), Ending::Unknown);
        let wanted = match (&row.expected["value"], &row.expected["outcome"]) {
            (Value::Null, outcome) => json!([{"outcome": outcome}]),
            (Value::Array(calls), _) => json!(calls),
            (call, _) => json!([call]),
        };
        assert_eq!(calls(&report), wanted, "{}", row.id);
        // The rows of Anthropic are a block each: whether the message is whole is not what they ask.
        let outcome = if row.context["payload"] == "anthropic_stream" { "truncated_cut" } else { "complete" };
        assert_eq!(report.summary["outcome"], outcome, "{}", row.id);
    }
}

/// What the cases of the wire come to: outcome, error, names of warnings, and whether the text is judged.
type Ends = (&'static str, &'static str, Value, &'static [&'static str]);

fn ends_of_the_cases() -> Vec<Ends> {
    let no = Value::Null;
    vec![
        ("sse-error-as-string", "error", json!({"message": "boom"}), &[]),
        ("sse-body-is-json-not-sse", "error", json!({"message": "no such model"}), &[]),
        ("sse-event-error-named", "error", json!({"message": "overloaded"}), &[]),
        ("sse-empty-body-200", "truncated_cut", no.clone(), &[]),
        ("sse-cut-inside-last-data", "truncated_cut", no.clone(), &[]),
        ("sse-eof-no-finish-no-done", "truncated_cut", no.clone(), &[]),
        ("sse-eof-no-done-but-finish", "complete", no.clone(), &[]),
        ("sse-finish-reason-aliases", "truncated_length", no.clone(), &[]),
        // The row, which is debatable, says `ok` with a warning that there is no signal of the end: here the stream is cut,
        // and the lane has its document all the same.
        ("sse-finish-null-but-complete", "truncated_cut", no.clone(), &[]),
        // The row says `ok`, of the reading: nobody said why the choice ended, and [DONE] follows errors too.
        ("sse-usage-shape-differs", "truncated_cut", no.clone(), &[]),
        // Events of no provider; what the rows ask is which of them are taken.
        ("sse-keepalive-wrapped-as-data", "truncated_cut", no.clone(), &["no_json"]),
        ("sse-double-data-prefix", "truncated_cut", no.clone(), &["no_json"]),
        ("sse-single-newline-between-events", "truncated_cut", no.clone(), &["joined_events"]),
        ("sse-no-final-blank-line", "truncated_cut", no, &[]),
        (
            "sse-gzip-bytes",
            "error",
            json!({"type": "gzip", "message": "bytes compressed with gzip where events were expected at byte 0"}),
            &[],
        ),
    ]
}

#[test]
fn ends_of_cases() {
    let rows = corpus::cases();
    let options = SessionOptions::default().framing(Framing::Sse).judge_text(Expect::any());
    for (id, outcome, error, warnings) in ends_of_the_cases() {
        let row = rows.iter().find(|row| row.id == id).expect("the row");
        let body = match &row.chunks_b64 {
            Some(chunks) => corpus::chunks(chunks).concat(),
            None => row.input.clone().into_bytes(),
        };
        let report = check_stream(&body, &options, Ending::Unknown);
        assert_eq!((&report.summary["outcome"], &report.summary["error"]), (&json!(outcome), &error), "{id}");
        let names: Vec<_> = report.warnings.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, warnings, "{id}");
        if let Some(text) = row.expected["text"].as_str() {
            assert_eq!(by_choice(&report).0, json!({"0": text}), "{id}");
            let document = serde_json::from_str::<Value>(text).ok().map(|_| text);
            let answer = report.outcomes[0].as_ref().and_then(|outcome| outcome.as_deref().ok());
            assert_eq!(answer, document.filter(|_| id != "sse-usage-shape-differs"), "{id}: the document");
        }
        if let Some(finish) = row.expected["finish_reason"].as_str() {
            assert_eq!(by_choice(&report).1, json!({"0": finish}), "{id}");
        }
    }
}

/// Of JSON lines the LF ends a record, and the CR in front of it is white space: the place of a warning is the same.
#[test]
fn a_warning_of_json_lines_has_one_place() {
    let body = b"{\"model\":\"m\",\"response\":\"a\",\"done\":false}\r\n{\"model\":\"m,\"role\":1}\r\n";
    let report = check_stream(body, &SessionOptions::default(), Ending::Unknown);
    assert_eq!(report.warnings, [("damaged_event".to_owned(), body.len() as u64)]);
}

/// What fuzzing found, an input a file, named by what broke: a line that chooses, and the body.
#[test]
fn found_by_fuzzing() {
    let mut count = 0;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/regressions_stream");
    for entry in std::fs::read_dir(folder).expect("the inputs").flatten() {
        let bytes = std::fs::read(entry.path()).expect("a file");
        stream_law::any_cut(&stream_law::Input::of(&bytes).expect("a whole first line"));
        count += 1;
    }
    assert!(count >= 3, "{count} inputs");
}
