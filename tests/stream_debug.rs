//! `Debug` never shows text of a stream: a canary is put into every place of an event, and looked for in all that can be printed.

use std::fmt::{Debug, Display};
use std::sync::Arc;

use serde_json::json;
use thusfar::stream::{
    Lane, LaneLimits, LaneOptions, Outcome, Provider, Session, SessionEvent, SessionOptions, Summary,
};
use thusfar::{Ending, Expect};
use thusfar_testkit::events::{self, DONE, message};

const CANARY: &str = "canary";

fn hold(what: &str, shown: &str, body: &str) {
    // Nor as numbers, as a list of bytes would show them.
    let bytes: Vec<String> = CANARY.bytes().take(4).map(|byte| byte.to_string()).collect();
    let flat: String = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!shown.contains(CANARY) && !flat.contains(&bytes.join(", ")), "{what} of {body:?}: {shown}");
}

fn hold_debug(what: &str, thing: &impl Debug, body: &str) {
    hold(what, &format!("{thing:?}"), body);
    hold(what, &format!("{thing:#?}"), body);
}

fn hold_display(what: &str, thing: &impl Display, body: &str) {
    hold(what, &thing.to_string(), body);
}

fn bodies() -> Vec<String> {
    let finish = events::finish(0, "canary");
    let ollama = json!({"model": "m", "message": {"role": "assistant", "content": "canary"}, "done": false});
    vec![
        events::text(0, "canary") + &finish + DONE,
        events::text(0, "{\"canary\": \"canary") + &events::finish(0, "stop"),
        events::text(0, "{\"canary\": \"canary\"}") + &events::finish(0, "stop") + DONE,
        events::text(0, "{canary canary") + &finish,
        events::text(0, "{'canary'") + &events::text(0, "canary"),
        events::chat(0, &json!({"reasoning_content": "canary", "refusal": "canary"}), None),
        events::call(0, 0, "canary", "canary") + &events::arguments(0, 0, "{\"canary\": \"canary\"}") + DONE,
        events::call(0, 0, "canary", "canary") + &events::arguments(0, 0, "{'canary'"),
        events::call(0, 0, "canarycanary", "f"),
        format!("data: {}\n\n", json!({"error": {"message": "canary", "canary": "canary"}})),
        format!("data: {}\n\n", json!({"choices": [], "usage": {"canary": 1, "total_tokens": "canary"}})),
        events::text(0, "x") + "data: {\"choices\": canary\n\ndata: canary\n\n",
        "error: {\"message\": \"canary\"}\n\n".to_owned(),
        "event: canary\ndata: {\"type\": \"canary\"}\n\n".to_owned(),
        "{\"error\": {\"message\": \"canary\"}}".to_owned(),
        "<html><title>canary</title></html>".to_owned(),
        "canary".to_owned(),
        events::text_message(["canary", "{\"canary\""], "canary"),
        message(&json!({"type": "content_block_start", "index": 0,
            "content_block": {"type": "tool_use", "id": "canary", "name": "canary", "input": {"canary": "canary"}}}))
            + &message(&json!({"type": "content_block_stop", "index": 0})),
        message(&json!({"type": "error", "error": {"type": "canary", "message": "canary"}})),
        format!("{ollama}\n{}\n", json!({"model": "m", "done": true, "done_reason": "canary"})),
        format!(
            "[{}]",
            json!({"candidates": [{"content": {"parts": [{"text": "canary"}]}, "finishReason": "canary"}]})
        ),
        format!(
            "data: {}\n\n",
            json!({"candidates": [{"content": {"parts": [
            {"functionCall": {"name": "canary", "args": {"canary": "canary"}}}]}}]})
        ),
    ]
}

fn hold_lane(lane: &Lane<'_>, body: &str) {
    hold_debug("lane", lane, body);
    hold_debug("key", &lane.key(), body);
    hold_debug("progress", &(lane.progress(), lane.doomed(), lane.damage()), body);
    if let Some(outcome) = lane.outcome() {
        hold_debug("outcome", outcome, body);
        if let Outcome::Failure(failure) = outcome {
            hold_debug("failure", failure, body);
            hold_display("failure", failure, body);
        }
    }
}

fn hold_summary(summary: &Summary, body: &str) {
    hold_debug("summary", summary, body);
    hold_debug("cut", summary.cut(), body);
    hold_debug("warnings", &summary.warnings(), body);
    hold_debug("advice", &summary.advice(), body);
    summary.finishes().iter().for_each(|finish| hold_debug("finish", finish, body));
    summary.lanes().for_each(|lane| hold_lane(&lane, body));
}

fn hold_event(event: SessionEvent<'_>, body: &str) {
    hold_debug("event", &event, body);
    match event {
        SessionEvent::Opened(lane) | SessionEvent::Closed(lane) => hold_lane(&lane, body),
        SessionEvent::Text(lane, _) | SessionEvent::Progress(lane, _) => hold_lane(&lane, body),
        _ => {}
    }
}

#[test]
fn no_text_is_shown() {
    let limits = LaneLimits { id_len: Some(8), ..LaneLimits::default() };
    let lanes = LaneOptions { text: Some(Expect::object()), limits, ..LaneOptions::default() };
    let all = [
        SessionOptions::default(),
        SessionOptions::default().judge_text(Expect::any()),
        SessionOptions { lanes: Arc::new(lanes), ..SessionOptions::default() },
        SessionOptions::default().provider(Provider::Anthropic),
    ];
    for (body, options) in bodies().iter().flat_map(|body| all.iter().map(move |options| (body, options))) {
        for len in [5, body.len()] {
            let mut session = Session::new(options);
            hold_debug("options", options, body);
            for chunk in body.as_bytes().chunks(len) {
                let advice = session.push(chunk, &mut |event| hold_event(event, body));
                hold_debug("advice", &advice, body);
                hold_debug("session", &session, body);
                session.lanes().for_each(|lane| hold_lane(&lane, body));
            }
            let summary = session.finish(Ending::Unknown, &mut |event| hold_event(event, body));
            hold_summary(&summary, body);
        }
    }
}

/// The canary is in what the bodies say: it would be seen.
#[test]
fn the_canary_is_there() {
    for body in bodies() {
        let mut session = Session::new(&SessionOptions::default());
        let mut seen = body.contains("canary\n") || body.contains("<html>");
        let _ = session.push(body.as_bytes(), &mut |event| {
            seen |= match event {
                SessionEvent::Text(_, text) | SessionEvent::Failed(text) | SessionEvent::Usage(text) => {
                    text.contains(CANARY)
                }
                SessionEvent::Opened(lane) => lane.id().is_some_and(|id| id.contains(CANARY)),
                SessionEvent::Finished(_, raw, _) => raw.contains(CANARY),
                _ => false,
            };
        });
        let summary = session.finish(Ending::Unknown, &mut |_| ());
        let in_error = summary.error().is_some_and(|error| error.contains(CANARY));
        assert!(seen || in_error || body.starts_with("event: canary") || body == CANARY, "{body}");
    }
}
