//! The tap: idle it is not there; acting it never lets a client take a cut for a whole.

mod closed; // what closes a body, dialect by dialect
mod law; // what holds of every body
mod wire; // a body that does what is written down

use std::cell::RefCell;
use std::rc::Rc;
use std::task::Poll;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderValue, Response};
use http_body::{Body, Frame};
use thusfar_core::{Event, Expect, Flow, Sink, Take};
use thusfar_stream::tap::{Act, HungUp, Tap, TapOptions, Watching};
use thusfar_stream::{
    Framing, LaneFailure, Listeners, Provider, Reason, SessionEvent, SessionOptions, StreamOutcome, Summary,
};
use thusfar_testkit::corpus;
use thusfar_testkit::events::{self, DONE};
use wire::{End, Length, Step, Wire, drain, pieces, poll};

/// Every recorded body, with its name.
pub(crate) fn recordings() -> Vec<(String, Vec<u8>)> {
    let folders = ["streams", "captures"];
    let all = folders.into_iter().flat_map(|folder| {
        ["sse", "ndjson", "json", "bin"].into_iter().flat_map(move |end| corpus::recordings(folder, end))
    });
    all.filter(|(name, _)| !name.ends_with(".expected") && !name.ends_with(".meta")).collect()
}

/// A reply that is doomed by its second event, and goes on behind it.
fn doomed() -> [String; 4] {
    let (start, broken, more) = (events::text(0, "{\"a\": "), events::text(0, "'x'"), events::text(0, "}"));
    [start, broken, more, events::finish(0, "stop") + DONE]
}

fn judged() -> SessionOptions {
    SessionOptions::default().judge_text(Expect::object())
}

/// Keeps what it came to; each summary once.
fn keep(into: &Rc<RefCell<Vec<Summary>>>) -> impl FnOnce(Summary) + use<> {
    let into = into.clone();
    move |summary| into.borrow_mut().push(summary)
}

#[test]
fn an_idle_tap_gives_the_same_bytes() {
    let mut count = 0;
    for (name, body) in recordings() {
        for length in [Length::Known, Length::Unknown] {
            let steps = pieces(&body, 300);
            let mut upstream = Wire::of(steps.clone(), length);
            let mut tap = Tap::new(Wire::of(steps, length), judged());
            loop {
                assert_eq!(tap.is_end_stream(), upstream.is_end_stream(), "{name}");
                let (ours, theirs) = (tap.size_hint(), upstream.size_hint());
                assert_eq!((ours.lower(), ours.upper()), (theirs.lower(), theirs.upper()), "{name}");
                match (poll(&mut tap), poll(&mut upstream)) {
                    (Poll::Ready(Some(Ok(ours))), Poll::Ready(Some(Ok(theirs)))) => {
                        let data = |frame: Frame<Bytes>| frame.into_data().expect("data");
                        let (ours, theirs) = (data(ours), data(theirs));
                        assert_eq!((ours.as_ptr(), ours.len()), (theirs.as_ptr(), theirs.len()), "{name}");
                        count += 1;
                    }
                    (Poll::Ready(None), Poll::Ready(None)) => break,
                    _ => panic!("{name}: not the same"),
                }
            }
        }
    }
    assert!(count > 1000, "{count} frames");
}

#[test]
fn trailers_errors_and_waiting_go_on_as_they_come() {
    let mut trailers = HeaderMap::new();
    trailers.insert("x-sum", HeaderValue::from_static("1"));
    let data = Bytes::from(events::text(0, "{"));
    let empty = Step::Data(Bytes::new());
    for act in [None, Some(Act::ErrorEvent), Some(Act::BodyError)] {
        let steps =
            [Step::Pending, Step::Data(data.clone()), empty.clone(), Step::Trailers(trailers.clone()), Step::Reset];
        let upstream = Wire::of(steps, Length::Unknown);
        let seen = upstream.seen();
        let mut options = TapOptions::new(judged());
        if let Some(act) = act {
            options = options.acting(act);
        }
        let mut tap = options.body(upstream);
        assert!(poll(&mut tap).is_pending());
        assert_eq!(seen.polls(), 1);
        let Poll::Ready(Some(Ok(frame))) = poll(&mut tap) else { panic!("data") };
        assert_eq!(frame.into_data().expect("data").as_ptr(), data.as_ptr());
        assert!(
            matches!(poll(&mut tap), Poll::Ready(Some(Ok(frame))) if frame.data_ref().is_some_and(Bytes::is_empty))
        );
        assert!(matches!(poll(&mut tap), Poll::Ready(Some(Ok(frame))) if frame.trailers_ref() == Some(&trailers)));
        let Poll::Ready(Some(Err(error))) = poll(&mut tap) else { panic!("an error") };
        assert_eq!(error.downcast_ref(), Some(&wire::Reset));
        assert_eq!(seen.polls(), 5, "one poll of upstream a poll");
    }
}

#[test]
fn a_reply_that_is_lost_is_closed_by_an_event() {
    let events = doomed();
    let summaries = Rc::default();
    // The whole body in one frame: what stands behind the event that dooms it is cut off.
    let whole = Bytes::from(events.concat());
    let upstream = Wire::of([Step::Data(whole.clone()), Step::Pending], Length::Unknown);
    let seen = upstream.seen();
    let mut tap = TapOptions::new(judged()).acting(Act::ErrorEvent).on_end(keep(&summaries)).body(upstream);
    let Poll::Ready(Some(Ok(frame))) = poll(&mut tap) else { panic!("the beginning") };
    let data = frame.into_data().expect("data");
    assert_eq!((data.as_ptr(), data.len()), (whole.as_ptr(), events[..2].concat().len()), "uncopied");
    assert!(seen.is_dropped(), "upstream is let go with the last of its bytes");
    assert!(!tap.is_end_stream());
    let Poll::Ready(Some(Ok(frame))) = poll(&mut tap) else { panic!("the closing event") };
    assert!(frame.into_data().expect("data").starts_with(b"data: {\"error\":{\"message\":\"thusfar_doomed: "));
    assert!(tap.is_end_stream());
    assert!(matches!(poll(&mut tap), Poll::Ready(None)));
    drop(tap);
    let summaries = summaries.borrow();
    let [summary] = &summaries[..] else { panic!("told once") };
    assert_eq!(summary.advice(), Some((Reason::Doomed, data.len() as u64)));
    assert_eq!(summary.outcome(), StreamOutcome::Cancelled);
}

/// The same of a lane that its listener refuses, with the code of a schema.
#[test]
fn a_reply_that_is_refused_is_closed_by_an_event() {
    let events = [events::text(0, "{\"a\": "), events::text(0, "1"), events::text(0, ", \"b\": 2}")];
    let listeners = Listeners::new(|_, _| Some(Box::new(NoNumbers)));
    let tap = TapOptions::new(judged().listeners(listeners)).acting(Act::ErrorEvent);
    for len in [7, 1000] {
        let (all, end) = drain(&mut tap.clone().body(Wire::of_bytes(events.concat().as_bytes(), len)));
        let all = String::from_utf8(all).expect("UTF-8");
        let behind = all.strip_prefix(&events[..2].concat()).expect("as it came, up to the event that decides it");
        assert!(behind.starts_with("data: {\"error\":{\"message\":\"thusfar_schema: "), "{behind}");
        assert_eq!(end, End::Clean);
    }
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
fn a_reply_that_is_lost_is_closed_by_an_error() {
    let events = doomed();
    let upstream = Wire::of_bytes(events.concat().as_bytes(), 10);
    let mut tap = TapOptions::new(judged()).acting(Act::BodyError).body(upstream);
    let mut all = Vec::new();
    let error = loop {
        match poll(&mut tap) {
            Poll::Ready(Some(Ok(frame))) => all.extend(frame.into_data().expect("data")),
            Poll::Ready(Some(Err(error))) => break error,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(String::from_utf8(all).expect("UTF-8"), events[..2].concat());
    let hung_up = error.downcast_ref::<HungUp>().expect("ours");
    assert_eq!((hung_up.reason(), hung_up.offset()), (Reason::Doomed, events[..2].concat().len() as u64));
    assert_eq!(error.to_string(), format!("hung up on upstream at byte {}: doomed", hung_up.offset()));
}

/// A document that is final is no reply that is lost: it is cut only where that was asked for, and then with an error too.
#[test]
fn a_final_document_is_cut_only_if_asked() {
    let expect = Expect::object().take(Take::First);
    let body = [events::text(0, "{\"a\": 1}"), events::text(0, "\n\nI hope this"), events::text(0, " helps.")];
    let body = body.concat() + &events::finish(0, "stop") + DONE;
    let options = || TapOptions::new(SessionOptions::default().judge_text(expect));
    for (tap, is_cut) in [
        (options().acting(Act::ErrorEvent), false),
        (options().acting(Act::BodyError), false),
        (options().acting_when_final(Act::ErrorEvent), true),
        (options().acting_when_final(Act::BodyError), true),
    ] {
        let (all, end) = drain(&mut tap.clone().body(Wire::of_bytes(body.as_bytes(), 100)));
        let all = String::from_utf8(all).expect("UTF-8");
        if !is_cut {
            assert_eq!((all, end), (body.clone(), End::Clean));
        } else if end == End::Clean {
            assert!(all.contains("thusfar_final") && !all.contains("[DONE]"), "{all}");
        } else {
            assert!(body.starts_with(&all) && all.len() < body.len());
        }
    }
}

#[test]
fn the_end_is_told_once() {
    let whole = [events::text(0, "{\"a\": 1}"), events::finish(0, "stop"), DONE.to_owned()].concat();
    let half = events::text(0, "{\"a\": ");
    let data = |text: &str| Step::Data(Bytes::copy_from_slice(text.as_bytes()));
    // How upstream ends; how many polls, if the client goes away behind them; what it came to.
    let cases = [
        (vec![data(&whole)], Length::Unknown, None, StreamOutcome::Complete, None),
        // Nobody polls again who was told that this was the last frame.
        (vec![data(&whole)], Length::Known, Some(1), StreamOutcome::Complete, None),
        (vec![], Length::Known, Some(0), StreamOutcome::TruncatedCut, None),
        (vec![data(&half)], Length::Unknown, None, StreamOutcome::TruncatedCut, None),
        (vec![data(&half), Step::Reset], Length::Unknown, None, StreamOutcome::TruncatedCut, None),
        (
            vec![data(&half), Step::Pending],
            Length::Unknown,
            Some(2),
            StreamOutcome::Cancelled,
            Some(Reason::ClientGone),
        ),
        // The client hangs up behind the last event; and behind all but that.
        (vec![data(&whole), Step::Pending], Length::Unknown, Some(2), StreamOutcome::Complete, None),
        (
            vec![data(whole.strip_suffix(DONE).expect("it ends so")), Step::Pending],
            Length::Unknown,
            Some(2),
            StreamOutcome::Cancelled,
            Some(Reason::ClientGone),
        ),
        (vec![data(&half)], Length::Unknown, Some(0), StreamOutcome::Cancelled, Some(Reason::ClientGone)),
    ];
    for (steps, length, polls, outcome, reason) in cases {
        let (summaries, texts) = (Rc::default(), Rc::new(RefCell::new(String::new())));
        let heard = texts.clone();
        let tap = TapOptions::new(judged()).on_end(keep(&summaries)).on_event(move |event| {
            if let SessionEvent::Text(_, text) = event {
                heard.borrow_mut().push_str(text);
            }
        });
        let is_reset = steps.iter().any(|step| matches!(step, Step::Reset));
        let mut tap = tap.body(Wire::of(steps, length));
        match polls {
            Some(polls) => (0..polls).for_each(|_| drop(poll(&mut tap))),
            None => drop(drain(&mut tap)),
        }
        drop(tap);
        let summaries = summaries.borrow();
        let [summary] = &summaries[..] else { panic!("told once") };
        assert_eq!((summary.outcome(), summary.advice().map(|(reason, _)| reason)), (outcome, reason));
        let failure = summary.lanes().next().and_then(|lane| lane.outcome()?.failure().cloned());
        if is_reset {
            let Some(LaneFailure::Reply(failure)) = failure else { panic!("it is open") };
            assert_eq!(failure.cause().map(|cause| cause.as_str()), Some("disconnected"));
        }
        let text_len: usize = summary.lanes().map(|lane| lane.text_len() as usize).sum();
        assert_eq!(text_len, texts.borrow().len());
    }
}

#[test]
fn headers_that_would_lie_go_where_the_tap_acts() {
    let response = || {
        let named = Response::builder().header(CONTENT_LENGTH, 7).header(ETAG, "\"x\"").header("content-digest", "x");
        let more = named.header("repr-digest", "x").header("digest", "x").header("content-md5", "x");
        let kept = more.header(TRANSFER_ENCODING, "chunked").header(CONTENT_TYPE, "text/event-stream");
        kept.body(Wire::of_bytes(b"", 1)).expect("a response")
    };
    let idle = TapOptions::new(judged()).response(response());
    assert_eq!(idle.headers(), response().headers());
    for act in [Act::ErrorEvent, Act::BodyError] {
        let acting = TapOptions::new(judged()).acting(act).response(response());
        let mut names: Vec<_> = acting.headers().keys().map(|name| name.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["content-type", "transfer-encoding"]);
        assert_eq!(acting.body().watching(), Watching::Yes);
    }
}

/// Of a known length nothing is said where it may become another: servers write the header from it.
#[test]
fn an_acting_tap_has_no_size() {
    let upstream = || Wire::of(pieces(doomed().concat().as_bytes(), 50), Length::Known);
    assert!(Tap::new(upstream(), judged()).size_hint().exact().is_some());
    for act in [Act::ErrorEvent, Act::BodyError] {
        let hint = TapOptions::new(judged()).acting(act).body(upstream()).size_hint();
        assert_eq!((hint.lower(), hint.upper()), (0, None));
    }
}

#[test]
fn a_body_in_a_coding_is_left_alone() {
    let body = doomed().concat();
    for (coding, is_left) in [("gzip", true), ("identity, br", true), ("identity", false), (" Identity ,", false)] {
        let summaries = Rc::default();
        let response = Response::builder().header(CONTENT_ENCODING, coding).header(CONTENT_LENGTH, body.len());
        let response = response.body(Wire::of(pieces(body.as_bytes(), 50), Length::Known)).expect("a response");
        let tapped = TapOptions::new(judged()).acting(Act::ErrorEvent).on_end(keep(&summaries)).response(response);
        assert_eq!(tapped.headers().contains_key(CONTENT_LENGTH), is_left, "{coding}");
        assert_eq!(tapped.body().watching() == Watching::Encoded, is_left, "{coding}");
        assert_eq!(tapped.body().size_hint().exact().is_some(), is_left, "{coding}");
        let (all, end) = drain(&mut tapped.into_body());
        assert_eq!(end, End::Clean);
        assert_eq!(all == body.as_bytes(), is_left, "{coding}");
        assert_eq!(summaries.borrow().is_empty(), is_left, "{coding}");
    }
}

/// A content type says what the framing is, unless it was said.
#[test]
fn the_content_type_says_the_framing() {
    // To be guessed this would be JSON on lines.
    let body = "{\"error\": 1}\n\n";
    for (said, wanted) in [(None, Some(Provider::OpenAi)), (Some(Framing::Ndjson), None)] {
        let event = events::text(0, "{\"a\": 'x'}");
        let response = Response::builder().header(CONTENT_TYPE, "text/event-stream; charset=utf-8");
        let response = response.body(Wire::of_bytes((body.to_owned() + &event).as_bytes(), 9)).expect("a response");
        let summaries = Rc::new(RefCell::new(Vec::new()));
        let tap = TapOptions::new(judged().framing(said)).on_end(keep(&summaries));
        drain(&mut tap.response(response).into_body());
        assert_eq!(summaries.borrow()[0].provider(), wanted);
    }
}

#[test]
fn it_is_what_upstream_is() {
    fn is<T: Send + Sync + Unpin>(_: &T) {}
    is(&Tap::new(Wire::of_bytes(b"", 1), judged()));
    is(&TapOptions::new(judged()).on_end(|_| ()).on_event(|_| ()).acting(Act::BodyError));
}

#[test]
fn debug_shows_no_text() {
    let body = events::text(0, "{\"canary\": \"canary\"") + &events::text(0, "canary");
    let mut tap = TapOptions::new(judged()).acting(Act::ErrorEvent).body(Wire::of_bytes(body.as_bytes(), 40));
    loop {
        let shown = format!("{tap:?} {tap:#?}");
        assert!(!shown.contains("canary"), "{shown}");
        match poll(&mut tap) {
            Poll::Ready(Some(Ok(frame)))
                if frame.data_ref().is_some_and(|data| data.starts_with(b"data: {\"error")) =>
            {
                assert!(!String::from_utf8_lossy(frame.data_ref().expect("data")).contains("canary"));
            }
            Poll::Ready(None) => break,
            _ => {}
        }
    }
    let shown = format!("{tap:?}");
    assert!(shown.starts_with("Tap { flow: \"closed\", act: Some(ErrorEvent), watching: Yes"), "{shown}");
}

/// Advice that is not acted upon hides no limit behind it.
#[test]
fn a_limit_behind_a_final_document_is_acted_upon() {
    let lanes = thusfar_stream::LaneOptions {
        limits: thusfar_stream::LaneLimits { session_len: Some(200), ..Default::default() },
        ..Default::default()
    };
    let body =
        events::text(0, "{\"a\": 1}") + &events::text(0, "\n\nI hope this") + &events::text(0, "more ").repeat(200);
    let options = SessionOptions { lanes: lanes.into(), ..SessionOptions::default() };
    let tap = TapOptions::new(options.judge_text(Expect::object().take(Take::First))).acting(Act::ErrorEvent);
    for len in [50, body.len()] {
        let (all, end) = drain(&mut tap.clone().body(Wire::of_bytes(body.as_bytes(), len)));
        let all = String::from_utf8(all).expect("UTF-8");
        assert!(all.contains("thusfar_limit") && all.len() < body.len() && end == End::Clean, "{all}");
    }
}

/// A callback that panics, and would again, takes the poll with it and not the process.
#[test]
fn a_callback_that_panics_is_not_called_again() {
    let body = events::text(0, "{\"a\": [1, ");
    let gone = std::panic::catch_unwind(|| {
        let tap = TapOptions::new(judged()).on_event(|_| panic!("the caller's"));
        drain(&mut tap.body(Wire::of_bytes(body.as_bytes(), 500)));
    });
    assert!(gone.is_err());
}
