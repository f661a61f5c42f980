//! How streams end: what is missing, what is broken, and what that makes of the lanes.

use serde_json::{Value, json};
use thusfar::stream::{Provider, Session, SessionOptions, StreamOutcome, Summary};
use thusfar::{Ending, Expect};
use thusfar_testkit::events::{self, DONE};
use thusfar_testkit::streams::{Answer, StreamReport, check_stream};

fn judged() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object())
}

fn read(body: &str) -> StreamReport {
    check_stream(body.as_bytes(), &judged(), Ending::Unknown)
}

/// What is known of the cut, read in one piece.
fn summary(body: &str) -> Summary {
    let mut session = Session::new(&judged());
    let _ = session.push(body.as_bytes(), &mut |_| ());
    session.finish(Ending::Unknown, &mut |_| ())
}

fn failed(kind: &str, code: &str) -> Option<Answer> {
    Some(Err((kind.to_owned(), code.to_owned())))
}

fn document(text: &str) -> Option<Answer> {
    Some(Ok(text.to_owned()))
}

#[test]
fn a_finish_reason_is_missing() {
    let body = events::text(0, "{\"a\": 1}");
    for body in [body.clone(), body.clone() + DONE] {
        let report = read(&body);
        assert_eq!(report.summary["outcome"], "truncated_cut", "{body}");
        assert_eq!(report.outcomes, [document("{\"a\": 1}")], "the document is there all the same");
        assert_eq!(summary(&body).cut().choices_without_finish, [0]);
    }
    let one_of_two = events::text(0, "{}") + &events::text(1, "{}") + &events::finish(1, "stop") + DONE;
    assert_eq!(read(&one_of_two).summary["outcome"], "truncated_cut");
    assert_eq!(summary(&one_of_two).cut().choices_without_finish, [0]);
    let complete = body + &events::finish(0, "stop");
    assert_eq!(read(&complete).summary["outcome"], "complete", "[DONE] is not needed");
    assert_eq!(summary(&complete).cut(), &thusfar::stream::Cut::default());
}

#[test]
fn nothing_but_the_mark_of_the_end() {
    let report = read(DONE);
    assert_eq!((&report.summary["outcome"], &report.summary["terminal"]), (&json!("truncated_cut"), &json!("[DONE]")));
}

#[test]
fn the_last_event_of_a_message_is_missing() {
    let body = events::text_message(["{\"a\"", ": 1}"], "end_turn");
    assert_eq!(read(&body).summary["outcome"], "complete");
    let end = body.rfind("event: message_stop").expect("the last event");
    let cut = summary(&body[..end]);
    assert_eq!((cut.outcome(), cut.cut().needs_terminal), (StreamOutcome::TruncatedCut, true));
    assert_eq!(read(&body[..end]).outcomes, [document("{\"a\": 1}")]);
}

/// At every byte of a stream: nothing that is cut is complete, and nothing is claimed of a document that is not there.
#[test]
fn cut_at_every_byte() {
    let chat = events::text(0, "{\"a\":") + &events::text(0, " 12}") + &events::finish(0, "stop") + DONE;
    let message = events::text_message(["{\"a\":", " 12}"], "end_turn");
    for (body, whole_from) in [(&chat, chat.find(DONE).expect("it") - 2), (&message, message.len() - 2)] {
        for end in 0..body.len() {
            let summary = summary(&body[..end]);
            let is_complete = summary.outcome() == StreamOutcome::Complete;
            assert_eq!(is_complete, end >= whole_from, "{end} of {}", body.escape_debug());
            let document = summary.lanes().next().and_then(|lane| lane.outcome()?.text().map(str::to_owned));
            assert!(document.is_none_or(|text| text == "{\"a\": 12}"), "{end}");
        }
    }
}

#[test]
fn cut_inside_a_line() {
    let body = events::text(0, "{\"a\": 1}") + "data: {\"choices\": [{\"ind";
    let report = read(&body);
    assert_eq!(report.summary["outcome"], "truncated_cut");
    assert_eq!(report.warnings, [], "what was cut was not damaged");
    let cut = summary(&body);
    assert!(cut.cut().partial_line, "{:?}", cut.cut());
    let open = events::text(0, "{\"a\": \"x\"") + "data: {\"choices\": [{\"ind";
    assert_eq!(summary(&open).cut().open_lanes.len(), 1);
    assert_eq!(read(&open).outcomes, [failed("truncated", "open_frame")]);
}

#[test]
fn bodies_without_events() {
    let page = "<!DOCTYPE html><html><title>502 Bad Gateway</title></html>";
    let cases = [
        (page, "error", json!({"type": "html", "message": "an HTML page where events were expected at byte 0"})),
        ("", "truncated_cut", Value::Null),
        ("\n\n", "truncated_cut", Value::Null),
        (": ping\n\n", "truncated_cut", Value::Null),
        ("{\"error\": {\"message\": \"no\", \"code\": 429}}", "error", json!({"message": "no", "code": 429})),
        ("{\n  \"error\": {\n    \"message\": \"no\"\n  }\n}\n", "error", json!({"message": "no"})),
        ("{\"error\": \"no\"}\n", "error", json!({"message": "no"})),
        ("[{\"error\": {\"code\": 400, \"message\": \"no\"}}]", "error", json!({"code": 400, "message": "no"})),
    ];
    for (body, outcome, error) in cases {
        let report = read(body);
        assert_eq!((&report.summary["outcome"], &report.summary["error"]), (&json!(outcome), &error), "{body:?}");
        assert_eq!((report.advice, &*report.outcomes), (None, &[][..]), "{body:?}");
    }
}

/// Behind events too.
#[test]
fn a_page_behind_events() {
    let report = read(&(events::text(0, "{\"a\": \"x\"") + "<html><body>504 Gateway Time-out</body></html>\n"));
    assert_eq!((&report.summary["outcome"], &report.summary["error"]["type"]), (&json!("error"), &json!("html")));
    assert_eq!(report.outcomes, [failed("truncated", "open_frame")]);
}

#[test]
fn a_damaged_event_is_lost_to_every_open_lane() {
    let damaged = "data: {\"choices\": broken\n\n";
    let front = events::text(0, "{\"a\": 1") + damaged;
    let body = front.clone() + &events::text(0, "}") + &events::finish(0, "stop") + DONE;
    let report = read(&body);
    assert_eq!(report.outcomes, [failed("malformed", "lost_event")]);
    assert_eq!(report.summary["outcome"], "truncated_cut");
    assert_eq!(report.warnings, [("damaged_event".to_owned(), front.len() as u64)]);
    assert!(summary(&body).cut().lost_event);

    let unjudged = check_stream(body.as_bytes(), &SessionOptions::default(), Ending::Unknown);
    assert_eq!((&unjudged.summary["outcome"], &*unjudged.outcomes), (&json!("truncated_cut"), &[None][..]));
    assert_eq!(unjudged.summary["lanes"][0]["text"], "{\"a\": 1}");
}

/// A lane that had its document: more text of it may have been lost.
#[test]
fn a_document_in_front_of_a_damaged_event() {
    let body = events::text(0, "{\"a\": 1}") + "data: {\"choices\": broken\n\n" + &events::finish(0, "stop") + DONE;
    assert_eq!(read(&body).outcomes, [failed("malformed", "lost_event")]);
}

#[test]
fn words_between_events_are_passed_over() {
    let front = events::text(0, "{\"a\": 1") + "data: : WAIT\n\n";
    let report = read(&(front.clone() + &events::text(0, "}") + &events::finish(0, "stop") + DONE));
    assert_eq!(report.outcomes, [document("{\"a\": 1}")]);
    assert_eq!(report.summary["outcome"], "complete");
    assert_eq!(report.warnings, [("no_json".to_owned(), front.len() as u64)]);
}

/// Where something stands does not depend on the cutting, in every framing that has line ends.
#[test]
fn the_line_ends_of_a_body_count() {
    let ollama = json!({"model": "m", "message": {"role": "assistant", "content": "x"}, "done": false});
    let report = read(&format!("{ollama}\r\n{{\"model\": broken}}\r\n{ollama}\r\n"));
    let end = ollama.to_string().len() + 2 + "{\"model\": broken}\r\n".len();
    assert_eq!(report.warnings, [("damaged_event".to_owned(), end as u64)]);
    let front = "data: {\"choices\": broken\r\n\r";
    let report = read(&(front.to_owned() + "\n" + &events::text(0, "{}")));
    assert_eq!(report.warnings, [("damaged_event".to_owned(), front.len() as u64)]);
}

#[test]
fn events_without_blank_lines_between_them() {
    let joined = [events::text(0, "{\"a\""), events::text(0, ": 1}"), events::finish(0, "stop"), DONE.to_owned()];
    let body = joined.map(|event| event.trim_end().to_owned()).join("\n") + "\n\n";
    let report = read(&body);
    assert_eq!(report.outcomes, [document("{\"a\": 1}")]);
    assert_eq!((&report.summary["outcome"], &report.summary["terminal"]), (&json!("complete"), &json!("[DONE]")));
    assert_eq!(report.warnings, [("joined_events".to_owned(), body.len() as u64)]);
}

/// The provider says that it stopped, and the document is open.
#[test]
fn stop_with_an_open_document() {
    let body = events::text(0, "{\"a\": [1, {\"b\": \"x") + &events::finish(0, "stop") + DONE;
    let report = read(&body);
    assert_eq!(report.summary["outcome"], "truncated_cut");
    assert_eq!(report.outcomes, [failed("truncated", "open_string")]);
    let summary = summary(&body);
    assert_eq!(summary.cut().open_lanes, [summary.lanes().next().expect("a lane").key()]);
    let unjudged = check_stream(body.as_bytes(), &SessionOptions::default(), Ending::Unknown);
    assert_eq!(unjudged.summary["outcome"], "complete", "text that is not judged is not open");
}

#[test]
fn every_class_of_end() {
    let open = events::text(0, "{\"a\": \"x\"");
    let cases = [
        ("stop", "truncated_cut"),
        ("length", "truncated_length"),
        ("content_filter", "filtered"),
        ("error", "error"),
        ("abort", "cancelled"),
        ("never heard of", "truncated_cut"),
    ];
    for (word, outcome) in cases {
        let report = read(&(open.clone() + &events::finish(0, word) + DONE));
        assert_eq!(report.summary["outcome"], outcome, "{word}");
        assert_eq!(report.outcomes, [failed("truncated", "open_frame")], "{word}");
    }
}

/// Ollama says `done` with an empty reason, or with none, when its runner has gone away: nobody said that the reply is whole.
#[test]
fn an_empty_reason_is_none() {
    let line = |done: Value| format!("{done}\n");
    let text = line(json!({"model": "m", "message": {"role": "assistant", "content": "So"}, "done": false}));
    for (last, outcome) in [
        (json!({"model": "m", "message": {"content": ""}, "done": true, "done_reason": "stop"}), "complete"),
        (json!({"model": "m", "message": {"content": ""}, "done": true, "done_reason": ""}), "truncated_cut"),
        (json!({"model": "m", "message": {"content": ""}, "done": true}), "truncated_cut"),
    ] {
        let body = text.clone() + &line(last.clone());
        let report = check_stream(body.as_bytes(), &SessionOptions::default(), Ending::Unknown);
        assert_eq!(
            (&report.summary["outcome"], &report.summary["terminal"]),
            (&json!(outcome), &json!("done:true")),
            "{last}"
        );
    }
}

/// Bytes that are broken are no limit.
#[test]
fn a_broken_array_is_doomed() {
    let body = b"[{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"a\"}]}}]} {}]";
    let report = check_stream(body, &SessionOptions::default(), Ending::Unknown);
    let broken = body.len() as u64 - 3;
    assert_eq!((report.advice, &report.summary["outcome"]), (Some(("doomed".to_owned(), broken)), &json!("error")));
    assert_eq!(report.summary["error"]["type"], "json");
}

/// The error is what counts, whatever else was said.
#[test]
fn an_error_between_events() {
    let error = "data: {\"error\": {\"message\": \"overloaded\", \"code\": 529}}\n\n";
    let body = events::text(0, "{\"a\": \"x\"") + error + DONE;
    let report = read(&body);
    assert_eq!(report.summary["outcome"], "error");
    assert_eq!(report.summary["error"], json!({"message": "overloaded", "code": 529}));
    assert_eq!(report.outcomes, [failed("truncated", "open_frame")]);
}

/// Strings that nobody has looked into: a member of the counts is left away, a message is escaped.
#[test]
fn usage_and_errors_are_json() {
    let usage = "data: {\"choices\": [], \"usage\": {\"a\": 1, \"b\": \"\u{8}\", \"c\": {\"d\": \"\\q\"}, \"\\q\": 2, \"e\": \"f\"}}\n\n";
    let report = read(&(events::text(0, "{}") + usage + &events::finish(0, "stop") + DONE));
    assert_eq!(report.summary["usage"], json!({"a": 1, "e": "f"}));
    for (raw, message) in [("\u{8}!", "\u{8}!"), ("\\q", "\\q"), ("\\u00e9", "é")] {
        let report = read(&format!("{{\"error\":\"first\",\"done\":true}}\n{{\"error\":\"{raw}\"}}\n"));
        assert_eq!(report.summary["error"]["message"], "first", "the first one stays");
        let ollama = json!({"model": "m", "message": {"role": "assistant", "content": "x"}, "done": false});
        let report = read(&format!("{ollama}\n{{\"error\":\"{raw}\"}}\n"));
        assert_eq!(report.summary["error"], json!({"message": message}));
    }
}

/// A count is a number: what is a string is none, though it begins as one.
#[test]
fn counts_are_numbers() {
    let event = json!({"type": "message_delta", "delta": {}, "usage": {"input_tokens": 7, "output_tokens": "0 ok"}});
    let report = check_stream(
        format!("event: message_delta\ndata: {event}\n\n").as_bytes(),
        &SessionOptions::default(),
        Ending::Unknown,
    );
    assert_eq!(report.summary["usage"], json!({"input_tokens": 7}));
}

/// 🦀 as two escapes, the halves in two events; and a half whose other half never comes.
#[test]
fn a_surrogate_pair_over_two_events() {
    let delta = |raw: &str| format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":\"{raw}\"}}}}]}}\n\n");
    let front = delta("{\\\"a\\\": \\\"x\\ud83e");
    let body = front.clone() + &delta("\\udd80\\\"}") + &events::finish(0, "stop") + DONE;
    let report = read(&body);
    assert_eq!(report.outcomes, [document("{\"a\": \"x🦀\"}")]);
    assert_eq!(report.summary["outcome"], "complete");

    let lone = front + &delta("y\\\"}") + &events::finish(0, "stop") + DONE;
    assert_eq!(read(&lone).outcomes, [failed("malformed", "damaged")]);
    let unjudged = check_stream(lone.as_bytes(), &SessionOptions::default(), Ending::Unknown);
    assert_eq!(unjudged.summary["lanes"][0]["text"], "{\"a\": \"x\u{FFFD}y\"}");
}

/// What the transport says counts where the provider said nothing.
#[test]
fn what_the_transport_says() {
    let body = events::text(0, "{\"a\": 1}");
    for (ending, outcome) in [(Ending::Disconnected, "truncated_cut"), (Ending::Cancelled, "cancelled")] {
        let report = check_stream(body.as_bytes(), &judged(), ending);
        assert_eq!(report.summary["outcome"], outcome, "{ending:?}");
    }
}

#[test]
fn a_provider_that_is_told() {
    let body = events::text(0, "{}") + &events::finish(0, "stop") + DONE;
    let told = check_stream(body.as_bytes(), &judged().provider(Provider::Azure), Ending::Unknown);
    assert_eq!(told, read(&body));
}
