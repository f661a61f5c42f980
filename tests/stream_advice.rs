//! When to hang up on a stream, and when not: the event by which it is certain, in every cutting.

use std::sync::Arc;

use serde_json::json;
use thusfar::stream::{Advice, LaneKind, LaneLimits, LaneOptions, Limits, Reason, Session, SessionOptions};
use thusfar::{Ending, Expect, Reply, Take, read};
use thusfar_testkit::events::{self, DONE};
use thusfar_testkit::streams::{StreamReport, check_stream};

fn judged() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object())
}

/// It is doomed at its first quote.
const BROKEN: &str = "{\"a\": 'x'}";

/// Advice to stop a lane, without the lane: kind, number of choice and call, and why.
type Word = (&'static str, Option<(LaneKind, u32, Option<u64>)>, Option<Reason>);

const GO_ON: Word = ("go_on", None, None);

fn cancel(reason: Reason) -> Word {
    ("cancel", None, Some(reason))
}

fn stop(kind: LaneKind, choice: u32, tool: Option<u64>, reason: Reason) -> Word {
    ("stop_lane", Some((kind, choice, tool)), Some(reason))
}

/// The advice behind each event.
fn advice(events: &[String], options: &SessionOptions) -> Vec<Word> {
    let mut session = Session::new(options);
    let word = |advice| match advice {
        Advice::GoOn => GO_ON,
        Advice::StopLane(key, reason) => stop(key.kind, key.choice, key.tool, reason),
        Advice::Cancel(reason) => cancel(reason),
    };
    events.iter().map(|event| word(session.push(event.as_bytes(), &mut |_| ()))).collect()
}

/// Reads the events in every cutting; the advice must have come with the last byte of the event of that number.
fn hold(events: &[String], options: &SessionOptions, certain: Option<(&str, usize)>) -> StreamReport {
    let report = check_stream(events.concat().as_bytes(), options, Ending::Unknown);
    let end = |count: usize| events[..=count].concat().len() as u64;
    let wanted = certain.map(|(reason, at)| (reason.to_owned(), end(at)));
    assert_eq!(report.advice, wanted, "{events:?}");
    report
}

/// The piece by which a reply is decided.
fn decided_by(pieces: &[&str], expect: Expect) -> usize {
    let mut reply = Reply::new(expect);
    pieces.iter().position(|piece| reply.push(piece).is_decided()).expect("it is decided")
}

fn texts(pieces: &[&str]) -> Vec<String> {
    pieces.iter().map(|piece| events::text(0, piece)).collect()
}

#[test]
fn a_text_that_breaks() {
    let in_prose = ["Here: ", "{\"a\": ", "'x'", "}", " and so on"];
    let in_a_word = ["{\"a\": ", "tru", "th", "}"];
    for pieces in [&in_prose[..], &in_a_word] {
        let at = decided_by(pieces, Expect::object());
        assert_eq!(at, 2);
        let events = texts(pieces);
        hold(&events, &judged(), Some(("doomed", at)));
        let mut wanted = vec![GO_ON; at];
        wanted.resize(pieces.len(), cancel(Reason::Doomed));
        assert_eq!(advice(&events, &judged()), wanted, "advice to hang up stays");
    }
}

/// A brace that no key follows may be prose, and a document may come behind it.
#[test]
fn a_text_that_only_may_be_broken() {
    let report = hold(&texts(&["{'a'", ": 1}", " and more"]), &judged(), None);
    assert_eq!(report.outcomes, [Some(Err(("malformed".to_owned(), "expected_key".to_owned())))]);
    let report = hold(&texts(&["{'a'", ": 1}", " or {\"a\": 1}"]), &judged(), None);
    assert_eq!(
        report.outcomes,
        [Some(
            read("{'a': 1} or {\"a\": 1}", Expect::object())
                .map(|document| document.text().to_owned())
                .map_err(|failure| (failure.kind().as_str().to_owned(), failure.code().as_str().to_owned()))
        )]
    );
}

#[test]
fn a_text_without_end() {
    let pieces = ["{\"a\": \"", &"ab".repeat(1000), &"ab".repeat(1500), &"ab".repeat(3000), "\"}"];
    let at = decided_by(&pieces, Expect::object());
    assert!(at == 2 || at == 3);
    let report = hold(&texts(&pieces), &judged(), Some(("runaway", at)));
    assert_eq!(report.outcomes, [Some(Err(("runaway".to_owned(), "repetition".to_owned())))]);
}

#[test]
fn the_first_document_is_final() {
    let expect = Expect::object().take(Take::First);
    let pieces = ["{\"a\"", ": 1}", "\n\nI hope ", "this helps {", "}"];
    let at = decided_by(&pieces, expect);
    let options = SessionOptions::default().judge_text(expect);
    let report = hold(&texts(&pieces), &options, Some(("final", at)));
    assert_eq!(report.outcomes, [Some(Ok("{\"a\": 1}".to_owned()))]);
    // Of the one document that may stand anywhere nothing is final.
    hold(&texts(&pieces), &judged(), None);
}

#[test]
fn all_choices_must_be_decided() {
    let broken = |choice| events::text(choice, BROKEN);
    let events = [broken(0), events::text(0, "more"), broken(1), events::text(1, "more")];
    let two = SessionOptions { choice_count: 2, ..judged() };
    hold(&events, &two, Some(("doomed", 2)));
    let stopped = stop(LaneKind::Text, 0, None, Reason::Doomed);
    assert_eq!(advice(&events, &two), [stopped, GO_ON, cancel(Reason::Doomed), cancel(Reason::Doomed)]);
    hold(&events[..2], &two, None);
    hold(&events, &judged(), Some(("doomed", 0)));
    let three = SessionOptions { choice_count: 3, ..judged() };
    hold(&events, &three, None);
    let open = [events::text(1, "{\"a\""), broken(0), events::text(1, ": 1}")];
    hold(&open, &two, None);
    // More choices than were asked for: one of them is open.
    hold(&open, &judged(), None);
}

/// One is doomed while the other is open; when that is doomed too, nothing is left to wait for.
#[test]
fn two_calls() {
    let events = [
        events::call(0, 0, "a", "f"),
        events::call(0, 1, "b", "g"),
        events::arguments(0, 1, "{\"b\": "),
        events::arguments(0, 0, BROKEN),
        events::arguments(0, 1, "1"),
        events::arguments(0, 1, "x"),
    ];
    let options = SessionOptions::default();
    let report = hold(&events[..5], &options, None);
    assert_eq!(report.outcomes.len(), 2);
    let first = stop(LaneKind::ToolArgs, 0, Some(0), Reason::Doomed);
    assert_eq!(advice(&events[..5], &options), [GO_ON, GO_ON, GO_ON, first, GO_ON]);
    hold(&events, &options, Some(("doomed", 5)));
}

#[test]
fn a_call_that_has_said_nothing_is_not_waited_for_but_a_complete_one_is() {
    let broken = events::arguments(0, 0, BROKEN);
    let complete = [events::call(0, 1, "b", "g"), events::arguments(0, 1, "{}"), broken];
    // Its choice has not ended: more of it may come.
    hold(&complete, &SessionOptions::default(), None);
}

#[test]
fn text_that_is_not_judged_is_read_to_its_end() {
    let events = [events::text(0, "I call it."), events::call(0, 0, "a", "f"), events::arguments(0, 0, BROKEN)];
    let options = SessionOptions::default();
    hold(&events, &options, None);
    let stopped = stop(LaneKind::ToolArgs, 0, Some(0), Reason::Doomed);
    assert_eq!(advice(&events, &options), [GO_ON, GO_ON, stopped]);
    hold(&events[1..], &options, Some(("doomed", 1)));
}

#[test]
fn reasoning_is_not_waited_for() {
    let thought = events::chat(0, &json!({"reasoning_content": "Hm {\"a\""}), None);
    let events = [thought.clone(), events::text(0, BROKEN), thought];
    hold(&events, &judged(), Some(("doomed", 1)));
}

#[test]
fn nothing_is_said_of_what_is_not_judged() {
    let events = texts(&[BROKEN, &"ab".repeat(10_000), "{{{"]);
    let report = hold(&events, &SessionOptions::default(), None);
    assert_eq!(report.outcomes, [None]);
}

// Limits.

fn limited(limits: LaneLimits) -> SessionOptions {
    SessionOptions { lanes: Arc::new(LaneOptions { limits, ..LaneOptions::default() }), ..SessionOptions::default() }
}

#[test]
fn lanes_at_their_limit_and_one_past_it() {
    let call = |index: u64| events::call(0, index, &format!("id{index}"), "f");
    let events = [call(0), call(1), call(2), call(3)];
    let options = limited(LaneLimits { lanes: Some(2), ..LaneLimits::default() });
    let report = hold(&events, &options, Some(("limit", 2)));
    assert_eq!(report.summary["outcome"], "error");
    assert_eq!(report.summary["error"], json!({"type": "too_many_lanes", "message": "more than 2 lanes"}));
    assert_eq!(report.outcomes.len(), 2);
    let report = hold(&events[..2], &options, None);
    assert!(report.summary["error"].is_null());
}

#[test]
fn each_limit_of_the_lanes() {
    let base = LaneLimits::default();
    let begin = |id: &str, name: &str| events::call(0, 0, id, name);
    let cases = [
        ("id_too_long", LaneLimits { id_len: Some(4), ..base }, begin("four", "f"), begin("fiver", "f")),
        ("name_too_long", LaneLimits { name_len: Some(4), ..base }, begin("a", "four"), begin("a", "fiver")),
        ("text_too_long", LaneLimits { text_len: Some(4), ..base }, events::text(0, "four"), events::text(0, "fiver")),
        (
            "session_too_long",
            LaneLimits { session_len: Some(4), ..base },
            events::text(0, "fo") + &events::text(1, "ur"),
            events::text(0, "fi") + &events::text(1, "ver"),
        ),
    ];
    for (name, limits, at, past) in cases {
        let options = limited(limits);
        let report = check_stream(at.as_bytes(), &options, Ending::Unknown);
        assert_eq!((&report.advice, report.summary["error"].is_null()), (&None, true), "{name} at it");
        let end = past.len() as u64;
        let past = past + &events::text(0, "behind") + &events::finish(0, "stop") + DONE;
        let report = check_stream(past.as_bytes(), &options, Ending::Unknown);
        assert_eq!(report.advice, Some(("limit".to_owned(), end)), "{name} past it");
        let outcome = (&report.summary["outcome"], &report.summary["error"]["type"]);
        assert_eq!(outcome, (&json!("error"), &json!(name)), "{name}");
        assert_eq!(report.summary["finish"], json!([]), "{name}: nothing is taken any further");
    }
}

/// Text was dropped that might have spoiled it: nothing is claimed.
#[test]
fn a_document_in_front_of_a_limit() {
    let options = SessionOptions {
        lanes: Arc::new(LaneOptions {
            text: Some(Expect::object()),
            limits: LaneLimits { session_len: Some(8), ..LaneLimits::default() },
            ..LaneOptions::default()
        }),
        ..SessionOptions::default()
    };
    let events = texts(&["{\"a\": 1}", " or {\"a\": 2}"]);
    let report = hold(&events, &options, Some(("limit", 1)));
    let mut reply = Reply::new(Expect::object());
    let _ = reply.push("{\"a\": 1}");
    let wanted = reply.finish(Ending::Cancelled).map(|document| document.text().to_owned());
    let wanted = wanted.map_err(|failure| (failure.kind().as_str().to_owned(), failure.code().as_str().to_owned()));
    assert_eq!(report.outcomes, [Some(wanted)], "as where the caller hangs up");
}

#[test]
fn limits_of_the_wire() {
    let event = events::text(0, "four");
    let line = event.trim_end().len();
    for (limit, advice) in [(line, None), (line - 1, Some("limit"))] {
        let limits = Limits { line_len: Some(limit), ..Limits::default() };
        let options = SessionOptions { limits, ..judged() };
        let report = check_stream((event.clone() + &event).as_bytes(), &options, Ending::Unknown);
        assert_eq!(report.advice.as_ref().map(|(reason, _)| &**reason), advice, "{limit}");
        assert_eq!(report.summary["outcome"] == "error", advice.is_some(), "{limit}");
        assert_eq!(report.summary["error"].is_object(), advice.is_some(), "{limit}");
    }
}

/// A lane of which the engine's own limit is reached.
#[test]
fn a_reply_that_is_too_long() {
    let expect = Expect::object().limits(thusfar::Limits { reply_len: Some(8), ..thusfar::Limits::default() });
    let options = SessionOptions::default().judge_text(expect);
    let report = hold(&texts(&["{\"a\": 12", "3", "}"]), &options, Some(("limit", 1)));
    assert_eq!(report.outcomes[0].as_ref().expect("judged").as_ref().expect_err("too long").0, "limit");
    assert_ne!(report.summary["outcome"], "complete");
}

// The caller hangs up.

#[test]
fn a_caller_who_hangs_up() {
    for reason in [Reason::Budget, Reason::Deadline, Reason::ClientGone] {
        let body = events::text(0, "{\"a\": 1") + &events::call(0, 0, "a", "f");
        let mut session = Session::new(&judged());
        let _ = session.push(body.as_bytes(), &mut |_| ());
        session.cancel(reason);
        assert_eq!(session.push(b"", &mut |_| ()), Advice::Cancel(reason));
        let summary = session.finish(Ending::Unknown, &mut |_| ());
        assert_eq!(summary.outcome().as_str(), "cancelled");
        assert_eq!(summary.advice(), Some((reason, body.len() as u64)));
        for lane in summary.lanes() {
            let failure =
                lane.outcome().and_then(|outcome| outcome.failure()?.reply()).expect("a failure of the engine");
            assert_eq!(failure.cause().map(|cause| cause.as_str()), Some("cancelled"), "{:?}", lane.key());
        }
        assert_eq!(summary.lanes().len(), 2);
    }
}

/// A document that was there is not known to be all, unless it was final.
#[test]
fn hanging_up_behind_a_document() {
    for (take, has_document) in [(Take::Only, false), (Take::First, true)] {
        let mut session = Session::new(&SessionOptions::default().judge_text(Expect::object().take(take)));
        let _ = session.push(texts(&["{\"a\": 1}", "\n\nThat was it."]).concat().as_bytes(), &mut |_| ());
        session.cancel(Reason::Budget);
        let summary = session.finish(Ending::Unknown, &mut |_| ());
        let mut reply = Reply::new(Expect::object().take(take));
        let _ = reply.push("{\"a\": 1}\n\nThat was it.");
        let wanted = reply.finish(Ending::Cancelled).is_ok();
        let lane = summary.lanes().next().expect("a lane");
        assert_eq!(lane.outcome().map(|outcome| outcome.is_ok()), Some(wanted), "{take:?}");
        assert!(wanted || !has_document, "{take:?}");
        assert_eq!(summary.outcome().as_str(), "cancelled");
    }
}

/// Advice that was given stays the reason.
#[test]
fn hanging_up_on_advice() {
    let events = texts(&[BROKEN, "more"]);
    let mut session = Session::new(&judged());
    assert_eq!(session.push(events[0].as_bytes(), &mut |_| ()), Advice::Cancel(Reason::Doomed));
    session.cancel(Reason::Doomed);
    let summary = session.finish(Ending::Unknown, &mut |_| ());
    assert_eq!(summary.advice(), Some((Reason::Doomed, events[0].len() as u64)));
}

/// A message of Anthropic: some text, a call behind it, and perhaps more text.
fn text_and_call(behind: Option<&str>) -> Vec<String> {
    let start = |index: u64, block: serde_json::Value| {
        events::message(&json!({"type": "content_block_start", "index": index, "content_block": block}))
    };
    let delta = |index: u64, delta: serde_json::Value| {
        events::message(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
    };
    let stop = |index: u64| events::message(&json!({"type": "content_block_stop", "index": index}));
    let mut all = vec![
        events::message(&json!({"type": "message_start", "message": {"id": "m", "usage": {"input_tokens": 1}}})),
        start(0, json!({"type": "text", "text": ""})),
        delta(0, json!({"type": "text_delta", "text": "Looking it up."})),
        stop(0),
        start(1, json!({"type": "tool_use", "id": "t", "name": "f", "input": {}})),
    ];
    if let Some(text) = behind {
        all.push(delta(0, json!({"type": "text_delta", "text": text})));
    }
    all.push(delta(1, json!({"type": "input_json_delta", "partial_json": BROKEN})));
    all.push(stop(1));
    all
}

#[test]
fn text_whose_block_has_ended_is_no_reason_to_go_on() {
    hold(&text_and_call(None), &SessionOptions::default(), Some(("doomed", 5)));
    // It has not ended after all.
    hold(&text_and_call(Some("And")), &SessionOptions::default(), None);
    // Judged text may be spoiled by more of it.
    hold(&text_and_call(None), &judged().judge_text(Expect::any()), None);
}
