//! Spans and events of replies: their fields, to the value; and a canary that may be seen in none of them.

#[path = "../canary/mod.rs"]
mod canary; // bodies that hold it wherever somebody writes
mod collector; // a subscriber that keeps all

use std::time::Duration;

use canary::{CANARY, bodies, options, read};
use collector::{Collector, Level, collect};
use thusfar_core::{Event, Expect, Flow, Keep, Sink};
use thusfar_stream::telemetry::{Conventions, Labels, Telemetry};
use thusfar_stream::{Asked, Listeners, Provider, SessionOptions};
use thusfar_testkit::corpus;
use thusfar_testkit::events::{self, DONE};

fn telemetry(conventions: Conventions) -> Telemetry {
    Telemetry::new(Labels::of(Provider::OpenAi).model("m-1").server("localhost", 8080), conventions)
}

fn recording(name: &str) -> Vec<u8> {
    let all = ["sse", "ndjson", "json", "bin"].into_iter().flat_map(|end| corpus::recordings("streams", end));
    all.into_iter().find(|(other, _)| other == name).expect("a recording").1
}

/// What one reply records.
fn record(body: &[u8], options: &SessionOptions, conventions: Conventions) -> Collector {
    collect(Level::TRACE, || drop(read(&telemetry(conventions), body, options, body.len())))
}

// Nothing that somebody wrote.

#[test]
fn the_canary_is_never_seen() {
    let (mut spans, mut events, mut failed) = (0, 0, 0);
    for body in bodies() {
        for options in &options() {
            for len in [5, body.len().max(1)] {
                let seen = collect(Level::TRACE, || drop(read(&telemetry(Conventions::GenAi), &body, options, len)));
                let text = seen.everything();
                assert!(!text.contains(CANARY), "{}\nof {}", text, String::from_utf8_lossy(&body));
                // Nor as a list of bytes.
                assert!(!text.contains("99, 97, 110"), "{text}");
                spans += seen.spans.len();
                events += seen.events.len();
                failed += seen.events.iter().filter(|event| event.level == Level::WARN).count();
            }
        }
    }
    assert!(spans > 1000 && events > 500 && failed > 300, "{spans} spans, {events} events, {failed} failed lanes");
}

/// The canary would be seen: in a field, whatever its type, in the message, in what is recorded later.
#[test]
fn the_collector_sees_a_canary() {
    let shown = |work: fn()| collect(Level::TRACE, work).everything();
    assert!(shown(|| drop(tracing::trace_span!("a", field = CANARY))).contains(CANARY));
    assert!(shown(|| drop(tracing::info_span!("a", field = ?Some(CANARY)))).contains(CANARY));
    assert!(shown(|| tracing::trace!("it is a canary")).contains(CANARY));
    assert!(shown(|| tracing::error!(canary = 1)).contains(CANARY));
    let later = || {
        let span = tracing::info_span!("a", f = tracing::field::Empty);
        span.record("f", CANARY);
    };
    assert!(shown(later).contains(CANARY));
    assert!(shown(|| tracing::debug!(field = ?CANARY.as_bytes())).contains("99, 97, 110"));
}

/// The bodies hold it, and the streams tell it.
#[test]
fn the_canary_is_in_what_is_read() {
    let all = bodies();
    assert!(all.len() > 200, "{}", all.len());
    let mut places = [0; 5];
    for body in &all {
        assert!(String::from_utf8_lossy(body).contains(CANARY) || body.len() < 200, "{body:?}");
        let summary = read(&telemetry(Conventions::V1_41), body, &options()[0], body.len().max(1));
        let holds = |text: Option<&str>| usize::from(text.is_some_and(|text| text.contains(CANARY)));
        for lane in summary.lanes() {
            places[0] += holds(lane.text());
            places[1] += holds(lane.id());
            places[2] += holds(lane.name());
        }
        places[3] += holds(summary.error());
        places[4] += summary.finishes().iter().map(|finish| holds(Some(&finish.raw))).sum::<usize>();
    }
    assert!(places.iter().all(|count| *count >= 10), "texts, IDs, names, errors, ends: {places:?}");
}

// What is recorded, to the value.

#[test]
fn a_reply_is_one_span() {
    let seen = record(&recording("openai_chat_text"), &SessionOptions::default(), Conventions::V1_41);
    assert_eq!((seen.spans.len(), seen.events.len()), (1, 0));
    let span = &seen.spans[0];
    assert_eq!((span.name, span.target, span.level), ("gen_ai.client.inference", "thusfar", Level::INFO));
    assert!(span.is_closed);
    let body_len = recording("openai_chat_text").len().to_string();
    span.assert_is(&[
        ("otel.name", "chat m-1"),
        ("otel.kind", "client"),
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "openai"),
        ("gen_ai.request.model", "m-1"),
        ("gen_ai.request.stream", "true"),
        ("server.address", "localhost"),
        ("server.port", "8080"),
        ("thusfar.outcome", "complete"),
        ("thusfar.dialect", "openai"),
        ("gen_ai.response.finish_reasons", "stop"),
        ("gen_ai.response.time_to_first_chunk", "0.5"),
        ("gen_ai.usage.input_tokens", "21"),
        ("gen_ai.usage.output_tokens", "17"),
        ("gen_ai.usage.reasoning.output_tokens", "0"),
        ("thusfar.lanes", "1"),
        ("thusfar.deltas", "10"),
        ("thusfar.text.size", "60"),
        ("thusfar.body.size", &body_len),
        ("thusfar.chunks", "1"),
        ("thusfar.time_to_first_text", "0.5"),
        ("thusfar.duration", "0.75"),
    ]);
}

#[test]
fn a_judged_lane_is_one_event() {
    let seen = record(
        &recording("openai_chat_json_length"),
        &SessionOptions::default().judge_text(Expect::object()),
        Conventions::V1_41,
    );
    let span = &seen.spans[0];
    assert_eq!(span.get("thusfar.outcome"), Some("truncated_length"));
    assert_eq!(span.get("gen_ai.response.finish_reasons"), Some("length"));
    // A budget that is used up is no error of the operation.
    assert_eq!((span.get("error.type"), span.get("otel.status_code")), (None, None));
    let [event] = &seen.events[..] else { panic!("{} events", seen.events.len()) };
    assert_eq!((event.level, event.target), (Level::WARN, "thusfar"));
    assert_eq!(event.parent, Some(0), "it is in the span of the reply");
    assert_eq!(event.get("thusfar.lane.kind"), Some("text"));
    assert_eq!(event.get("thusfar.lane.choice"), Some("0"));
    assert_eq!(event.get("thusfar.lane.tool"), None);
    assert_eq!(event.get("thusfar.lane.outcome"), Some("truncated"));
    assert_eq!(event.get("thusfar.failure.cause"), Some("budget"));
    assert_eq!(event.get("thusfar.failure.offset"), event.get("thusfar.failure.decided_at"));
    assert_eq!(event.get("thusfar.failure.offset"), event.get("thusfar.text.size"));
}

/// What a schema does: it wants no number.
struct NoNumbers;

impl Sink for NoNumbers {
    fn event(&mut self, event: Event) -> Flow {
        match event {
            Event::ScalarOpen { at, .. } => Flow::veto("schema_mismatch", at),
            _ => Flow::Continue,
        }
    }
}

#[test]
fn a_lane_that_its_listener_refuses() {
    let options = SessionOptions::default().judge_text(Expect::object());
    let options = options.listeners(Listeners::new(|_, _| Some(Box::new(NoNumbers))));
    let body = events::text(0, "{\"a\": 1}") + &events::finish(0, "stop") + DONE;
    let seen = record(body.as_bytes(), &options, Conventions::V1_41);
    assert_eq!(seen.spans[0].get("thusfar.advice.reason"), Some("schema"));
    let [event] = &seen.events[..] else { panic!("{} events", seen.events.len()) };
    assert_eq!(event.get("thusfar.lane.outcome"), Some("schema_mismatch"));
    assert_eq!(event.get("thusfar.failure.code"), Some("schema_mismatch"));
    assert_eq!(event.get("thusfar.failure.offset"), Some("6"));
}

#[test]
fn repairs_and_warnings_are_counted() {
    let text = "{\"a\": [1,], \"b\": [2,], \"c\": [3}, \"d\": 0.10000000000000000001}";
    let body = events::text(0, text) + &events::finish(0, "stop") + DONE;
    let options = SessionOptions::default().judge_text(Expect::object());
    let seen = record(body.as_bytes(), &options, Conventions::V1_41);
    seen.events[0].assert_is(&[
        ("message", "a lane has its document"),
        ("thusfar.lane.kind", "text"),
        ("thusfar.lane.choice", "0"),
        ("thusfar.lane.outcome", "document"),
        ("thusfar.text.size", &text.len().to_string()),
        ("thusfar.deltas", "1"),
        ("thusfar.repairs.escaped_delimiter", "0"),
        ("thusfar.repairs.escaped_whitespace", "0"),
        ("thusfar.repairs.comment", "0"),
        ("thusfar.repairs.trailing_comma", "2"),
        ("thusfar.repairs.bracket_kind", "1"),
        ("thusfar.repairs.raw_control", "0"),
        ("thusfar.repairs.not_kept", "0"),
        ("thusfar.warnings", "lossy_number=1"),
    ]);
    assert_eq!(seen.events[0].level, Level::DEBUG);
    assert_eq!(seen.spans[0].get("thusfar.warnings"), Some("lossy_number=1"));

    let options = SessionOptions::default().judge_text(Expect::object().keep(Keep::Nothing));
    let seen = record(body.as_bytes(), &options, Conventions::V1_41);
    assert_eq!(seen.events[0].get("thusfar.lane.outcome"), Some("verdict"));
    assert_eq!(seen.events[0].get("thusfar.repairs.not_kept"), Some("3"));
}

#[test]
fn every_call_is_one_event_with_its_number() {
    let seen = record(&recording("openai_chat_tools_parallel"), &SessionOptions::default(), Conventions::V1_41);
    let numbers: Vec<_> = seen.events.iter().map(|event| event.get("thusfar.lane.tool")).collect();
    assert_eq!(numbers, [Some("0"), Some("1")]);
    assert!(seen.events.iter().all(|event| event.get("thusfar.lane.outcome") == Some("document")));
    assert_eq!(seen.spans[0].get("gen_ai.response.finish_reasons"), Some("tool_call"));
}

#[test]
fn errors_are_classes() {
    for (body, error) in [
        ("<html><title>502</title></html>", Some("html")),
        ("data: {\"error\":{\"type\":\"overloaded_error\",\"message\":\"x\"}}\n\n", Some("overloaded_error")),
        ("data: {\"error\":{\"type\":\"secret\",\"message\":\"x\"}}\n\n", Some("_OTHER")),
        ("data: {\"error\":{\"code\":503,\"message\":\"x\"}}\n\n", Some("503")),
        ("data: {\"error\":{\"code\":12345,\"message\":\"x\"}}\n\n", Some("_OTHER")),
        (&events::text(0, "x"), Some("truncated_cut")),
        (&(events::text(0, "x") + &events::finish(0, "content_filter")), None),
    ] {
        let seen = record(body.as_bytes(), &SessionOptions::default(), Conventions::V1_41);
        assert_eq!(seen.spans[0].get("error.type"), error, "{body}");
        assert_eq!(seen.spans[0].get("otel.status_code"), error.map(|_| "ERROR"), "{body}");
    }
}

/// A choice that did not say why it ended is an error, at its place.
#[test]
fn ends_are_by_choice() {
    let body = events::text(2, "c")
        + &events::text(1, "b")
        + &events::text(0, "a")
        + &events::finish(2, "length")
        + &events::finish(0, "stop");
    let seen = record(body.as_bytes(), &SessionOptions::default(), Conventions::V1_41);
    assert_eq!(seen.spans[0].get("gen_ai.response.finish_reasons"), Some("stop,error,length"));
}

#[test]
fn each_convention_has_its_name_for_what_went_into_a_cache() {
    let usage = "{\"type\":\"message_start\",\"message\":{\"usage\":{\"input_tokens\":3,\"output_tokens\":1,\
                 \"cache_creation_input_tokens\":40,\"cache_read_input_tokens\":500}}}";
    let body = format!("event: message_start\ndata: {usage}\n\n");
    for (conventions, has, has_not) in [
        (Conventions::V1_41, "gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_write.input_tokens"),
        (Conventions::GenAi, "gen_ai.usage.cache_write.input_tokens", "gen_ai.usage.cache_creation.input_tokens"),
    ] {
        let seen = record(body.as_bytes(), &SessionOptions::default(), conventions);
        let span = &seen.spans[0];
        assert_eq!((span.get(has), span.get(has_not)), (Some("40"), None));
        assert_eq!(span.get("gen_ai.usage.input_tokens"), Some("543"));
        assert_eq!(span.get("gen_ai.usage.cache_read.input_tokens"), Some("500"));
    }
}

#[test]
fn what_was_asked_for_is_told() {
    let asked = Asked::of_request(br#"{"n": 3, "response_format": {"type": "json_object"}}"#).expect("a request");
    let seen = collect(Level::TRACE, || drop(telemetry(Conventions::V1_41).reply(&asked)));
    assert_eq!(seen.spans[0].get("gen_ai.output.type"), Some("json"));
    assert_eq!(seen.spans[0].get("gen_ai.request.choice.count"), Some("3"));
}

#[test]
fn a_reply_that_is_dropped_says_so() {
    let seen = collect(Level::TRACE, || {
        let mut reply = telemetry(Conventions::V1_41).reply(&Asked::default());
        reply.on_chunk(Duration::from_secs(2), 10);
    });
    let span = &seen.spans[0];
    assert!(span.is_closed);
    assert_eq!(span.get("thusfar.outcome"), Some("dropped"));
    assert_eq!((span.get("thusfar.body.size"), span.get("thusfar.chunks")), (Some("10"), Some("1")));
    assert_eq!(span.get("gen_ai.response.time_to_first_chunk"), Some("2.0"));
}

#[test]
fn the_span_stands_in_that_of_the_caller() {
    let seen = collect(Level::TRACE, || {
        let outer = tracing::info_span!("outer");
        let reply = outer.in_scope(|| telemetry(Conventions::V1_41).reply(&Asked::default()));
        reply.span().in_scope(|| tracing::info!("within"));
    });
    assert_eq!(seen.spans[1].parent, Some(0));
    assert_eq!(seen.events[0].parent, Some(1));
}

/// Where only warnings are wanted there is no span, and lanes that fail are told all the same.
#[test]
fn levels_are_kept() {
    let judged = SessionOptions::default().judge_text(Expect::object());
    for (level, spans, of_failed, of_whole) in
        [(Level::ERROR, 0, 0, 0), (Level::WARN, 0, 1, 0), (Level::INFO, 1, 1, 0), (Level::DEBUG, 1, 1, 1)]
    {
        for (name, events) in [("openai_chat_json_length", of_failed), ("openai_chat_json_ok", of_whole)] {
            let body = recording(name);
            let work = || drop(read(&telemetry(Conventions::V1_41), &body, &judged, 100));
            let seen = collect(level, work);
            assert_eq!((seen.spans.len(), seen.events.len()), (spans, events), "{level} {name}");
        }
    }
}
