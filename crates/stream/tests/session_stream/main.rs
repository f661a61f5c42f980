//! What happens in a completion, out of a stream of bytes: what a session tells, whatever the pieces; slow readers, errors on the
//! way, hanging up, and the end.

#[path = "../eventsource/wire.rs"]
mod wire; // a stream of bytes that does what is written down

use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use thusfar_core::{Elements, Ending, Expect, Keep};
use thusfar_stream::session_stream::{OwnedEvent, SessionStream};
use thusfar_stream::{
    Lane, LaneOptions, Reason, Session, SessionEvent, SessionOptions, StreamOutcome, StreamWarning, Summary, Watch,
};
use thusfar_testkit::corpus;
use wire::{Reset, Step, Wire, drain, poll};

type Item = Result<OwnedEvent, Reset>;

/// An event of a chat completion with some text.
fn chat(text: &str, finish: Option<&str>) -> String {
    let finish = finish.map(|finish| format!(",\"finish_reason\":\"{finish}\"")).unwrap_or_default();
    let text = serde_json::to_string(text).expect("a string");
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}}{finish}}}]}}\n\n")
}

fn judged() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object())
}

fn watched() -> SessionOptions {
    judged().watch(Watch::Elements(Elements::new("/items/-").expect("a pointer")))
}

fn chunk(text: impl Into<Vec<u8>>) -> Step {
    Step::Chunk(text.into())
}

// What is told, in words.

fn closed(lane: Lane<'_>) -> String {
    let outcome = lane.outcome().map(|outcome| match outcome.failure() {
        Some(failure) => failure.to_string(),
        None => format!("ok {:?}", outcome.text()),
    });
    format!("closed {:?} {:?} {:?} {:?} {outcome:?}", lane.key(), lane.id(), lane.name(), lane.text())
}

fn borrowed(event: &SessionEvent<'_>) -> String {
    match event {
        SessionEvent::Opened(lane) => format!("opened {:?} {:?} {:?}", lane.key(), lane.id(), lane.name()),
        SessionEvent::Text(lane, text) => format!("text {:?} {text}", lane.key()),
        SessionEvent::Element(lane, node) => {
            let json = node.json().unwrap_or_default();
            format!("element {:?} {} {} {json}", lane.key(), node.generation(), node.pointer())
        }
        SessionEvent::Progress(lane, progress) => format!("progress {:?} {progress:?}", lane.key()),
        SessionEvent::Closed(lane) => closed(*lane),
        SessionEvent::Finished(choice, raw, class) => format!("finished {choice} {raw} {class:?}"),
        SessionEvent::Usage(usage) => format!("usage {usage}"),
        SessionEvent::Failed(error) => format!("failed {error}"),
        SessionEvent::Warning(warning, at) => format!("warning {warning:?} {at}"),
        other => panic!("no words for {other:?}"),
    }
}

fn ended(summary: &Summary) -> String {
    format!("ended {summary:?} {:?} {:?} {:?}", summary.usage(), summary.error(), summary.warnings())
}

fn owned(event: &OwnedEvent) -> String {
    match event {
        OwnedEvent::Opened { lane, id, name } => format!("opened {lane:?} {id:?} {name:?}"),
        OwnedEvent::Text(lane, text) => format!("text {lane:?} {text}"),
        OwnedEvent::Element(element) => {
            format!("element {:?} {} {} {}", element.lane, element.generation, element.pointer, element.json)
        }
        OwnedEvent::Progress(lane, progress) => format!("progress {lane:?} {progress:?}"),
        OwnedEvent::Closed(lane) => closed(lane.lane()),
        OwnedEvent::Finished(choice, raw, class) => format!("finished {choice} {raw} {class:?}"),
        OwnedEvent::Usage(usage) => format!("usage {usage}"),
        OwnedEvent::Failed(error) => format!("failed {error}"),
        OwnedEvent::Warning(warning, at) => format!("warning {warning:?} {at}"),
        OwnedEvent::Ended(summary) => ended(summary),
        other => panic!("no words for {other:?}"),
    }
}

fn all_owned(items: Vec<Item>) -> Vec<String> {
    items.into_iter().map(|item| owned(&item.expect("no error of the transport"))).collect()
}

/// What a session tells that is given the body as a whole.
fn told(body: &[u8], options: &SessionOptions) -> Vec<String> {
    let (mut session, mut told) = (Session::new(options), Vec::new());
    let _ = session.push(body, &mut |event| told.push(borrowed(&event)));
    let summary = session.finish(Ending::Unknown, &mut |event| told.push(borrowed(&event)));
    told.push(ended(&summary));
    told
}

fn summary(items: &[Item]) -> Arc<Summary> {
    let ends = items.iter().filter(|item| matches!(item, Ok(OwnedEvent::Ended(_)))).count();
    match items.last() {
        Some(Ok(OwnedEvent::Ended(summary))) if ends == 1 => summary.clone(),
        other => panic!("the end is the last item and the only one: {ends}, {other:?}"),
    }
}

// The same as a session.

#[test]
fn every_recording_tells_what_a_session_tells_in_any_pieces() {
    let mut counts = [0; 9];
    let mut seen = 0;
    let bodies = ["sse", "ndjson", "json"].into_iter().flat_map(|end| corpus::recordings("streams", end));
    for (name, body) in bodies.filter(|(name, _)| !name.ends_with(".expected")) {
        seen += 1;
        for options in [SessionOptions::default(), watched()] {
            let wanted = told(&body, &options);
            for len in [1, 2, 3, 7, 64, 300, 1400, body.len()] {
                let wire = Wire::of(&body.chunks(len).collect::<Vec<_>>());
                let found = all_owned(drain(pin!(SessionStream::new(wire, &options))));
                assert_eq!(found, wanted, "{name} in pieces of {len}");
            }
            let kinds = ["opened", "text", "progress", "closed", "finished", "usage", "failed", "warning", "ended"];
            for (count, kind) in counts.iter_mut().zip(kinds) {
                *count += wanted.iter().filter(|words| words.starts_with(kind)).count();
            }
        }
    }
    assert!(seen >= 40 && counts.iter().all(|count| *count > 0), "{seen} recordings, {counts:?}");
}

#[test]
fn elements_and_text_are_the_same_in_any_pieces() {
    let texts = ["{\"items\": [1, 2", "3, {\"a\": \"", "x\"}], \"b\": 1}"];
    for finish in [Some("stop"), Some("length"), None] {
        let body = chat(texts[0], None) + &chat(texts[1], None) + &chat(texts[2], finish);
        let wanted = told(body.as_bytes(), &watched());
        assert_eq!(wanted.iter().filter(|words| words.starts_with("element")).count(), 3);
        for len in 1..=body.len() {
            let wire = Wire::of(&body.as_bytes().chunks(len).collect::<Vec<_>>());
            let found = all_owned(drain(pin!(SessionStream::new(wire, &watched()))));
            assert_eq!(found, wanted, "in pieces of {len}");
        }
    }
}

// How it is polled.

#[test]
fn upstream_is_asked_only_when_all_has_been_handed_out() {
    let steps = [
        chunk(chat("{\"items\": [1, 2", None) + &chat("3, 4", None)),
        Step::Wait,
        chunk(""),
        chunk(": no event\n\n"),
        chunk(chat("], \"b\": 1}", Some("stop"))),
    ];
    let wire = Wire::new(steps);
    let count = wire.count.clone();
    let mut stream = pin!(SessionStream::new(wire, &watched()));
    let mut asked = Vec::new();
    loop {
        match poll(stream.as_mut()) {
            Poll::Ready(Some(item)) => {
                let words = owned(&item.expect("no error"));
                asked.push((words.split(' ').next().unwrap_or_default().to_owned(), count.polls.get()));
            }
            Poll::Pending => asked.push(("pending".to_owned(), count.polls.get())),
            Poll::Ready(None) => break,
        }
    }
    let first = ["opened", "text", "element", "progress", "text", "element"].map(|word| (word, 1));
    let last = ["text", "element", "progress", "finished"].map(|word| (word, 5));
    let end = ["closed", "ended"].map(|word| (word, 6));
    let wanted: Vec<_> = first.into_iter().chain([("pending", 2)]).chain(last).chain(end).collect();
    let asked: Vec<_> = asked.iter().map(|(word, polls)| (word.as_str(), *polls)).collect();
    assert_eq!(asked, wanted);
    assert_eq!(count.waits.get(), 1, "pending where it was pending");
}

#[test]
fn dropping_it_drops_upstream_at_once() {
    let wire = Wire::new([chunk(chat("{\"a\": 1, ", None)), chunk(chat("\"b\": 2}", Some("stop")))]);
    let count = wire.count.clone();
    {
        let mut stream = pin!(SessionStream::new(wire, &judged()));
        assert!(matches!(poll(stream.as_mut()), Poll::Ready(Some(Ok(OwnedEvent::Opened { .. })))));
    }
    assert_eq!((count.polls.get(), std::rc::Rc::strong_count(&count)), (1, 1));
}

// Errors and ends.

/// Why the document of the first lane is open.
fn cause(summary: &Summary) -> Option<&'static str> {
    let lane = summary.lanes().next()?;
    Some(lane.outcome()?.failure()?.reply()?.cause()?.as_str())
}

#[test]
fn an_error_of_the_transport_is_handed_on_and_the_end_is_that_of_a_lost_connection() {
    let begun = chat("{\"a\": [1, 2", None);
    let mut items = drain(pin!(SessionStream::new(Wire::new([chunk(begun.clone()), Step::Fail]), &judged())));
    let end = summary(&items);
    assert_eq!(end.outcome(), StreamOutcome::TruncatedCut);
    assert_eq!(cause(&end), Some("disconnected"));
    items.truncate(items.len() - 2);
    assert_eq!(items.pop().and_then(Result::err), Some(Reset), "in its place");
    assert!(items.iter().all(Result::is_ok));

    // Bytes behind it say that the connection was not lost; no bytes do not.
    for (behind, wanted) in [("", "disconnected"), (": a comment\n\n", "unknown")] {
        let steps = [chunk(begun.clone()), Step::Fail, chunk(behind)];
        let items = drain(pin!(SessionStream::new(Wire::new(steps), &judged())));
        assert_eq!(cause(&summary(&items)), Some(wanted));
    }

    // One that the transport recovers from is none.
    let rest = chat("]}", Some("stop"));
    let steps = [chunk(begun), Step::Fail, chunk(""), Step::Fail, chunk(rest)];
    let items = drain(pin!(SessionStream::new(Wire::new(steps), &judged())));
    assert_eq!(items.iter().filter(|item| item.is_err()).count(), 2);
    assert_eq!(summary(&items).outcome(), StreamOutcome::Complete);
}

#[test]
fn an_end_is_told_of_a_body_that_says_nothing() {
    for body in ["", "\n\n", "<html>502</html>", "{\"error\": {\"message\": \"no\"}}"] {
        let items = drain(pin!(SessionStream::new(Wire::of(&[body.as_bytes()]), &judged())));
        assert_ne!(summary(&items).outcome(), StreamOutcome::Complete, "{body}");
        let fails = items.iter().any(|item| matches!(item, Ok(OwnedEvent::Failed(_))));
        assert_eq!(fails, body.len() > 2, "{body}");
    }
    let noise = chat("{}", Some("stop")) + "data: {\"cho\n\n";
    let items = drain(pin!(SessionStream::new(Wire::of(&[noise.as_bytes()]), &judged())));
    let is_damage = |item: &Item| matches!(item, Ok(OwnedEvent::Warning(StreamWarning::DamagedEvent, _)));
    assert!(items.iter().any(is_damage));
    assert_eq!(summary(&items).outcome(), StreamOutcome::TruncatedCut);
}

#[test]
fn hanging_up_drops_upstream_and_hands_out_what_there_is() {
    let broken = chat("{\"items\": [1, 2], b", None);
    let steps = || [chunk(broken.clone()), chunk(chat(" more", Some("stop")))];
    let wire = Wire::new(steps());
    let count = wire.count.clone();
    let mut stream = pin!(SessionStream::new(wire, &watched()).hanging_up());
    let first = poll(stream.as_mut());
    assert!(matches!(first, Poll::Ready(Some(Ok(OwnedEvent::Opened { .. })))));
    assert_eq!(std::rc::Rc::strong_count(&count), 1, "upstream is gone while there are events to hand out");
    let items = drain(stream);
    let end = summary(&items);
    assert_eq!((count.polls.get(), end.advice().map(|(reason, _)| reason)), (1, Some(Reason::Doomed)));
    assert_eq!(end.outcome(), StreamOutcome::Cancelled);
    assert_eq!(items.iter().filter(|item| matches!(item, Ok(OwnedEvent::Element(_)))).count(), 2);
    assert_eq!(items.iter().filter(|item| matches!(item, Ok(OwnedEvent::Closed(_)))).count(), 1);

    let wire = Wire::new(steps());
    let count = wire.count.clone();
    let items = drain(pin!(SessionStream::new(wire, &watched())));
    assert_eq!(count.polls.get(), 3, "otherwise all of it is read");
    assert_eq!(summary(&items).outcome(), StreamOutcome::Complete);
}

#[test]
fn the_options_hold() {
    // A gateway that keeps no text is told all of it.
    let expect = Expect::object().keep(Keep::Nothing);
    let lanes = LaneOptions { text: Some(expect), tool_args: expect, keep: Keep::Nothing, ..LaneOptions::default() };
    let options = SessionOptions { lanes: lanes.into(), ..SessionOptions::default() };
    let body = chat("{\"a\": ", None) + &chat("1}", Some("stop"));
    let items = drain(pin!(SessionStream::new(Wire::of(&[body.as_bytes()]), &options)));
    let text = |item: &Item| match item {
        Ok(OwnedEvent::Text(_, text)) => Some(text.clone()),
        _ => None,
    };
    assert_eq!(items.iter().filter_map(text).collect::<String>(), "{\"a\": 1}");
    let end = summary(&items);
    let lane = end.lanes().next().expect("a lane");
    assert!(lane.text().is_none() && lane.outcome().is_some_and(|outcome| outcome.is_ok()));
}

#[test]
fn it_may_be_sent_and_shown() {
    fn is_all<S: Send + Sync + Unpin>(_: &S) {}
    is_all(&SessionStream::new(std::marker::PhantomData::<u8>, &judged()));
    is_all(&None::<OwnedEvent>);

    let secret = chat("{\"items\": [\"SECRET\", \"SECR", None)
        + "data: {\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"SECRET\",\"function\":"
        + "{\"name\":\"SECRET\",\"arguments\":\"{\\\"SECRET\\\": 1}\"}}]},\"finish_reason\":\"SECRET\"}],"
        + "\"usage\":{\"SECRET\":1}}\n\n"
        + "data: {\"error\":{\"message\":\"SECRET\"}}\n\n";
    let mut stream = pin!(SessionStream::new(Wire::of(&[secret.as_bytes()]), &watched()));
    let mut kinds = Vec::new();
    loop {
        let item = poll(stream.as_mut());
        for shown in [format!("{item:?}"), format!("{:?}", Pin::get_ref(stream.as_ref()))] {
            assert!(!shown.contains("SECR"), "{shown}");
        }
        let Poll::Ready(Some(Ok(event))) = item else { break };
        let words = owned(&event);
        kinds.push(words.split(' ').next().unwrap_or_default().to_owned());
    }
    for kind in ["opened", "text", "element", "progress", "closed", "finished", "usage", "failed", "ended"] {
        assert!(kinds.iter().any(|seen| seen == kind), "{kind} is among {kinds:?}");
    }
}
