//! `eventsource()` beside the crate whose names it has: equal where that one reads a body right, and what differs.

mod wire; // a stream of bytes that does what is written down

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::rc::Rc;
use std::task::{Context, Poll};
use std::time::Duration;

use eventsource_stream as other;
use futures_core::Stream;
use thusfar_stream::eventsource::{Event, EventStream, EventStreamError, Eventsource};
use thusfar_stream::{BodyKind, ErrorKind, Limits};
use wire::{Reset, Step, Wire, drain, poll};

type Item = Result<Event, EventStreamError<Reset>>;
type Fields = (String, String, String, Option<Duration>);

fn ours(chunks: &[&[u8]]) -> Vec<Item> {
    drain(pin!(Wire::of(chunks).eventsource()))
}

fn theirs(chunks: &[&[u8]]) -> Vec<Result<other::Event, other::EventStreamError<Reset>>> {
    drain(pin!(other::Eventsource::eventsource(Wire::of(chunks))))
}

fn fields(event: Event) -> Fields {
    (event.event, event.data, event.id, event.retry)
}

/// The body whole, byte by byte, in pieces of each small size, and cut everywhere in two and in three; with empty chunks
/// between.
fn every_chunking(body: &[u8], mut judge: impl FnMut(&[&[u8]])) {
    assert!(body.len() <= 120, "short enough for all cuts in three");
    judge(&[body]);
    for len in [1, 2, 3, 5, 7, 16] {
        judge(&body.chunks(len).collect::<Vec<_>>());
        judge(&body.chunks(len).flat_map(|chunk| [b"", chunk]).collect::<Vec<_>>());
    }
    for first in 0..=body.len() {
        for second in first..=body.len() {
            judge(&[&body[..first], &body[first..second], &body[second..]]);
        }
    }
}

/// Holds that a body gives the same items under every chunking, and gives them.
fn always(body: &[u8]) -> Vec<Item> {
    let expected = ours(&[body]);
    every_chunking(body, |chunks| assert_eq!(ours(chunks), expected, "{chunks:?}"));
    expected
}

/// The data of the events, and the error that stands behind them if one does.
fn split(mut items: Vec<Item>) -> (Vec<String>, Option<EventStreamError<Reset>>) {
    let error = items.pop_if(|item| item.is_err()).and_then(Result::err);
    (items.into_iter().map(|item| item.expect("one error, at the end").data).collect(), error)
}

fn event(name: &str, data: &str, id: &str, retry: Option<u64>) -> Fields {
    (name.to_owned(), data.to_owned(), id.to_owned(), retry.map(Duration::from_millis))
}

/// Bodies that both crates read right, and the events in them.
fn right() -> Vec<(&'static str, Vec<Fields>)> {
    let message = |data: &str| event("message", data, "", None);
    vec![
        ("data: a\n\ndata: b\n\n", vec![message("a"), message("b")]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", vec![message("a"), message("b")]),
        ("data: a\r\rdata: b\r\r: no CR is last\n", vec![message("a"), message("b")]),
        ("data: a\r\ndata: b\n\r\ndata: c\r\n\n", vec![message("a\nb"), message("c")]),
        ("data\n\ndata\ndata\n\ndata:\n\n", vec![message(""), message("\n"), message("")]),
        ("data:a\n\ndata:  b \n\ndata:\tc\n\n", vec![message("a"), message(" b "), message("\tc")]),
        (": comment\n:\n\ndata: a\n: b\ndata: c\n\n", vec![message("a\nc")]),
        ("event: x\ndata: a\n\nevent: y\n\ndata: b\n\n", vec![event("x", "a", "", None), message("b")]),
        ("event: x\nevent: y\ndata: a: b\n\n", vec![event("y", "a: b", "", None)]),
        ("event\ndata: a\n\nDATA: b\nDdata: c\n data: d\n\n", vec![message("a")]),
        (
            "id: 1\ndata: a\n\ndata: b\n\nid: 2\n\ndata: c\n\nid\ndata: d\n\n",
            vec![
                event("message", "a", "1", None),
                event("message", "b", "1", None),
                event("message", "c", "2", None),
                message("d"),
            ],
        ),
        ("id: a\0b\ndata: c\n\n", vec![message("c")]),
        (
            "retry: 10\ndata: a\n\nretry: x\ndata: b\n\nretry: 5\n\ndata: c\n\n",
            vec![event("message", "a", "", Some(10)), message("b"), message("c")],
        ),
        (
            "data: \u{e9}\u{8336}\u{1f375}\n\nevent: \u{e9}\nid: \u{8336}\ndata: \u{2028}\u{85}\u{feff}\n\n",
            vec![message("\u{e9}\u{8336}\u{1f375}"), event("\u{e9}", "\u{2028}\u{85}\u{feff}", "\u{8336}", None)],
        ),
        ("other: x\ndata: {\"n\": 1}\nnone\n\n\n\n\ndata: [DONE]\n\n", vec![message("{\"n\": 1}"), message("[DONE]")]),
    ]
}

#[test]
fn a_body_that_both_read_right_gives_equal_events() {
    for (body, expected) in right() {
        every_chunking(body.as_bytes(), |chunks| {
            let ours = ours(chunks).into_iter().map(|item| fields(item.expect("an event")));
            assert_eq!(ours.collect::<Vec<_>>(), expected, "ours, {chunks:?}");
            let theirs = theirs(chunks).into_iter().map(|item| item.expect("an event"));
            let theirs = theirs.map(|event| (event.event, event.data, event.id, event.retry));
            assert_eq!(theirs.collect::<Vec<_>>(), expected, "theirs, {chunks:?}");
        });
    }
}

/// What a user of the other crate has written, compiled against both.
macro_rules! user {
    ($user:ident, $($names:tt)+) => {
        mod $user {
            use super::{Fields, Reset, Stream, Wire, drain};
            use $($names)+::{Event, EventStream, EventStreamError, Eventsource};

            struct Client<S> {
                events: EventStream<S>,
            }

            fn named(chunks: &[&[u8]]) -> Client<Wire> {
                let mut events = EventStream::new(Wire::of(chunks));
                events.set_last_event_id(String::from("7"));
                events.set_last_event_id("8");
                Client { events }
            }

            fn boxed<S, B, E>(bytes: S) -> std::pin::Pin<Box<dyn Stream<Item = Result<Event, EventStreamError<E>>>>>
            where
                S: Stream<Item = Result<B, E>> + 'static,
                B: AsRef<[u8]> + 'static,
                E: 'static,
            {
                Box::pin(bytes.eventsource())
            }

            pub(super) fn read(chunks: &[&[u8]]) -> (String, String, Vec<Fields>) {
                let mut client = named(chunks);
                let before = client.events.last_event_id().to_owned();
                let first = drain(std::pin::Pin::new(&mut client.events));
                let second = drain(std::pin::pin!(boxed(Wire::of(chunks))));
                assert_eq!(first, second);
                let is_transport = |error: &EventStreamError<Reset>| matches!(error, EventStreamError::Transport(Reset));
                let events = first.into_iter().filter_map(|item| match item {
                    Ok(Event { event, data, id, retry }) => Some((event, data, id, retry)),
                    Err(error) if is_transport(&error) => None,
                    Err(error) => panic!("{error}: {error:?}"),
                });
                let events = events.collect();
                assert_eq!(Event::default().clone(), Event::default());
                (before, client.events.last_event_id().to_owned(), events)
            }
        }
    };
}

user!(here, thusfar_stream::eventsource);
user!(there, eventsource_stream);

#[test]
fn the_same_code_compiles_against_both() {
    for (body, expected) in right() {
        let body = body.as_bytes();
        for chunks in [&[body][..], &body.chunks(3).collect::<Vec<_>>()] {
            let (before, after, events) = here::read(chunks);
            assert_eq!((before.as_str(), &events), ("8", &expected));
            assert_eq!(after, expected.last().expect("an event").2);
            assert_eq!((before, after, events), there::read(chunks));
        }
    }
}

#[test]
fn an_id_without_data_is_known_with_its_blank_line() {
    let chunks: [&[u8]; 3] = [b"id: 1\ndata: a\n\n", b"id: 2\n\n: x\n\n", b"id\n\n"];
    let steps = chunks.iter().flat_map(|chunk| [Step::Chunk(chunk.to_vec()), Step::Wait]);
    let mut events = pin!(Wire::new(steps).eventsource());
    let mut seen = Vec::new();
    loop {
        let polled = poll(events.as_mut());
        seen.push(events.last_event_id().to_owned());
        if let Poll::Ready(None) = polled {
            break;
        }
    }
    assert_eq!(seen, ["1", "1", "2", "", ""]);

    let mut events = Wire::of(&[b": no id\n\n", b"data: a\n\n"]).eventsource();
    events.set_last_event_id("7");
    let mut events = pin!(events);
    assert_eq!(events.last_event_id(), "7");
    drain(events.as_mut());
    assert_eq!(events.last_event_id(), "", "the event's");
}

#[test]
fn a_byte_order_mark_is_skipped_and_makes_the_other_panic() {
    let body = b"\xef\xbb\xbfdata: a\n\ndata: \xef\xbb\xbfb\n\n";
    assert_eq!(split(always(body)), (vec!["a".to_owned(), "\u{feff}b".to_owned()], None));
    assert!(catch_unwind(AssertUnwindSafe(|| theirs(&[body]))).is_err());
}

#[test]
fn behind_one_bad_byte_5000_events_come_where_the_other_gives_none() {
    let good = (0..5000).map(|number| format!("data: {{\"n\": {number}}}\n\n").into_bytes());
    let chunks: Vec<Vec<u8>> = [b"data: \xff\n\n".to_vec()].into_iter().chain(good).collect();
    let chunks: Vec<&[u8]> = chunks.iter().map(Vec::as_slice).collect();
    let (data, error) = split(ours(&chunks));
    assert_eq!((data.len(), error), (5001, None));
    assert_eq!((data[0].as_str(), data[5000].as_str()), ("\u{fffd}", "{\"n\": 4999}"));
    assert!(matches!(theirs(&chunks)[..], [Err(other::EventStreamError::Utf8(_))]));
}

#[test]
fn what_is_no_utf_8_is_replaced_wherever_it_stands() {
    let items = always(b"event: \xff\nid: \xc3\ndata: \xe8\x8c\ndata: a\xed\xa0\x80\n\n\xfe: \xff\ndata: b\n\n");
    let events: Vec<_> = items.into_iter().map(|item| fields(item.expect("an event"))).collect();
    let first = event("\u{fffd}", "\u{fffd}\na\u{fffd}\u{fffd}\u{fffd}", "\u{fffd}", None);
    assert_eq!(events, [first, event("message", "b", "\u{fffd}", None)]);
}

#[test]
fn an_event_is_out_with_the_cr_that_closes_it() {
    for body in ["data: a\r\r", "data: a\r\n\r", "data: a\n\r"] {
        let steps = || Wire::new([Step::Chunk(body.into()), Step::Wait]);
        let first = poll(pin!(steps().eventsource()));
        assert!(matches!(first, Poll::Ready(Some(Ok(event))) if event.data == "a"), "{body:?}");
        assert!(poll(pin!(other::Eventsource::eventsource(steps()))).is_pending(), "{body:?}");
        assert_eq!(split(always(body.as_bytes())), (vec!["a".to_owned()], None), "{body:?}");
        assert_eq!(theirs(&[body.as_bytes()]), [], "lost: {body:?}");
    }
}

/// 65,536 pieces: whoever reads a line again for each of them reads 128 GiB here.
#[test]
fn a_long_line_in_many_pieces_is_read_once() {
    let line = vec![b'x'; 4 << 20];
    let chunks: Vec<&[u8]> = [&b"data: "[..]].into_iter().chain(line.chunks(64)).chain([&b"\n\n"[..]]).collect();
    let (data, error) = split(ours(&chunks));
    assert_eq!((data.len(), data[0].len(), error), (1, 4 << 20, None));
}

#[test]
fn a_limit_is_an_error_and_then_the_end() {
    let cases = [
        ("a line", Limits { line_len: Some(8), ..Limits::default() }, ErrorKind::LineTooLong(8), 17),
        ("an event", Limits { event_len: Some(2), ..Limits::default() }, ErrorKind::EventTooLong(2), 17),
    ];
    for (what, limits, kind, offset) in cases {
        every_chunking(b"data: a\n\ndata: bcd\n\ndata: e\n\n", |chunks| {
            let wire = Wire::of(chunks);
            let (data, error) = split(drain(pin!(EventStream::with_limits(wire, limits))));
            assert_eq!(data, ["a"], "{what}");
            let Some(EventStreamError::Limit(error)) = error else { panic!("{what}: {error:?}") };
            assert_eq!((error.kind(), error.offset()), (kind, offset), "{what}");
        });
    }
    let wire = Wire::of(&[b"data: 123\n\n", b"data: 4\n\n"]);
    let count = Rc::clone(&wire.count);
    drain(pin!(EventStream::with_limits(wire, Limits { line_len: Some(8), ..Limits::default() })));
    assert_eq!(count.polls.get(), 1, "what is behind a limit is not asked for");
}

#[test]
fn whole_data_that_nothing_closed_are_an_event_unless_they_must_be_closed() {
    let cases = [
        ("data: 0\n\ndata: {\"n\": 1}\n", "{\"n\": 1}", false, true),
        ("data: 0\n\ndata: {\"n\": 1}", "{\"n\": 1}", true, false),
        ("data: 0\n\nid: 1\ndata: [DONE]", "[DONE]", true, false),
        ("data: 0\n\ndata: [1,\r\ndata: 2]", "[1,\n2]", true, true),
        ("data: 0\n\ndata: null\n: comm", "null", true, true),
    ];
    for (body, last, partial_line, pending_event) in cases {
        let len = body.len() as u64;
        assert_eq!(split(always(body.as_bytes())), (vec!["0".to_owned(), last.to_owned()], None), "{body:?}");
        every_chunking(body.as_bytes(), |chunks| {
            let (data, error) = split(drain(pin!(Wire::of(chunks).eventsource().closed_events_only())));
            assert_eq!(data, ["0"], "{body:?}");
            let Some(EventStreamError::Cut(cut)) = error else { panic!("{body:?}: {error:?}") };
            assert_eq!(
                (cut.offset, cut.partial_line, cut.pending_event),
                (len, partial_line, pending_event),
                "{body:?}"
            );
        });
        assert_eq!(theirs(&[body.as_bytes()]).len(), 1, "lost: {body:?}");
    }
    let mut events = pin!(Wire::of(&[b"id: 1\ndata: {}\n\nid: 2\ndata: {}"]).eventsource());
    drain(events.as_mut());
    assert_eq!(events.last_event_id(), "2");
}

#[test]
fn a_cut_is_an_error_and_then_the_end() {
    let cases = [
        ("data: 0\n\ndata: {\"n\": 1, \"text\": \"ab", true, false),
        ("data: 0\n\ndata: {\"n\":\n", false, true),
        ("data: 0\n\ndata: {\"n\":\ndata: ", true, true),
        ("data: 0\n\ndata: words\r", false, true),
        ("data: 0\n\ndata: 1", true, false),
        ("data: 0\n\nevent: ping\n", false, true),
        ("data: 0\n\nid: 7\n", false, true),
        ("data: 0\n\ndat", true, false),
        ("data: 0\n\nevent: pi", true, false),
        ("data: 0\n\ndata: [DON", true, false),
    ];
    for (body, partial_line, pending_event) in cases {
        let (data, error) = split(always(body.as_bytes()));
        let Some(EventStreamError::Cut(cut)) = error else { panic!("{body:?}: {error:?}") };
        assert_eq!(data, ["0"], "{body:?}");
        let expected = (body.len() as u64, partial_line, pending_event);
        assert_eq!((cut.offset, cut.partial_line, cut.pending_event), expected, "{body:?}");
    }
    // What there is of an error is told.
    let (data, error) = split(always(b"data: 0\n\nerror: {\"message\": "));
    let Some(EventStreamError::Body(diagnosis)) = error else { panic!("{error:?}") };
    assert_eq!((data.len(), diagnosis.offset(), diagnosis.text()), (1, 9, "error: {\"message\": ".into()));
    // Without an event in front it is a cut all the same, and not a body without events.
    let (data, error) = split(always(b"data: {\"n\": 1, \"te"));
    assert!(data.is_empty() && matches!(error, Some(EventStreamError::Cut(_))), "{error:?}");
}

#[test]
fn a_comment_that_is_not_ended_is_no_cut() {
    for body in ["data: 0\n\n: keep-al", "data: 0\n\n:", "data: 0\n\n: ping\n\n:\r\n:"] {
        assert_eq!(split(always(body.as_bytes())), (vec!["0".to_owned()], None), "{body:?}");
    }
}

#[test]
fn a_body_that_holds_something_else_is_an_error_and_then_the_end() {
    let cases: [(&[u8], BodyKind, u64); 9] = [
        (b"{\"error\": {\"message\": \"bad key\"}}", BodyKind::Json, 0),
        (b"{\n  \"error\": {\n    \"code\": 400\n  }\n}\n", BodyKind::Json, 0),
        (b"<!DOCTYPE html>\r\n<title>502 Bad Gateway</title>", BodyKind::Html, 0),
        (b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\xab\x56", BodyKind::Gzip, 0),
        (b"upstream connect error", BodyKind::Text, 0),
        (b"", BodyKind::Empty, 0),
        (b"\r\n\n", BodyKind::Empty, 0),
        (b": ping\n\n: ping\n\n: pi", BodyKind::NoEvents, 0),
        (b"event: ping\nid: 1\n\n", BodyKind::NoEvents, 0),
    ];
    for (body, kind, offset) in cases {
        let (data, error) = split(always(body));
        let Some(EventStreamError::Body(diagnosis)) = error else { panic!("{kind:?}: {error:?}") };
        assert!(data.is_empty(), "{kind:?}");
        assert_eq!((diagnosis.kind(), diagnosis.offset()), (kind, offset));
        let theirs = theirs(&[body]);
        let is_utf_8 = kind != BodyKind::Gzip;
        assert!(theirs.is_empty() == is_utf_8 && theirs.iter().all(Result::is_err), "{kind:?}: {theirs:?}");
    }
    assert_eq!(ours(&[]), ours(&[b""]), "no chunk is an empty body");
}

#[test]
fn a_json_error_behind_events_is_an_error_and_then_the_end() {
    for (body, events) in [
        ("data: 0\n\n{\"error\": {\"code\": 429}}", vec!["0"]),
        ("data: 0\n\n{\"error\": {\n\"code\": 429}}\n\n", vec!["0"]),
        ("data: 0\n\n{\"error\": 1}\ndata: {\"n\": 1}", vec!["0", "{\"n\": 1}"]),
    ] {
        let (data, error) = split(always(body.as_bytes()));
        let Some(EventStreamError::Body(diagnosis)) = error else { panic!("{body:?}: {error:?}") };
        assert_eq!(data, events, "{body:?}");
        assert_eq!((diagnosis.kind(), diagnosis.offset()), (BodyKind::Json, 9), "{body:?}");
        assert!(diagnosis.text().starts_with("{\"error\": "), "{body:?}");
    }
}

#[test]
fn a_field_named_error_is_an_error_and_the_stream_goes_on() {
    let told = |item: &Item| match item {
        Ok(event) => format!("event {}", event.data),
        Err(EventStreamError::Field(error)) => format!("error {}", error.text()),
        Err(error) => error.to_string(),
    };
    let cases: [(&[u8], &[&str]); 5] = [
        (b"data: 0\n\nerror: {\"code\": 500}\n\ndata: 1\n\n", &["event 0", "error {\"code\": 500}", "event 1"]),
        (b"data: 0\nerror: a\xff\ndata: 1\n\n", &["error a\u{fffd}", "event 0\n1"]),
        (b"error\n\n", &["error "]),
        (b"data: 0\n\nerror: {\"code\": 500}", &["event 0", "error {\"code\": 500}"]),
        // The error was told, and the data in front of it were lost all the same.
        (b"data: 0\nerror: {}", &["error {}", "cut in front of the blank line that closes an event at byte 17"]),
    ];
    for (body, expected) in cases {
        assert_eq!(always(body).iter().map(told).collect::<Vec<_>>(), expected);
    }
    let strict = drain(pin!(Wire::of(&[b"data: 0\n\nerror: {}"]).eventsource().closed_events_only()));
    let strict: Vec<_> = strict.iter().map(told).collect();
    assert_eq!(strict, ["event 0", "error {}", "cut inside a line at byte 18"], "no text of an error is kept back");
}

#[test]
fn an_error_of_the_transport_is_handed_on_and_polled_over() {
    let chunk = |text: &str| Step::Chunk(text.into());
    let steps = [chunk("data: 0\n\nda"), Step::Fail, Step::Wait, Step::Fail, chunk("ta: 1\n\n"), Step::Fail];
    let ours = drain(pin!(Wire::new(steps.clone()).eventsource()));
    let ours: Vec<_> =
        ours.into_iter().map(|item| item.map(|event| event.data).map_err(|error| error.to_string())).collect();
    let reset = || Err("transport error: connection reset".to_owned());
    assert_eq!(ours, [Ok("0".to_owned()), reset(), reset(), Ok("1".to_owned()), reset()]);
    let theirs = drain(pin!(other::Eventsource::eventsource(Wire::new(steps))));
    let theirs: Vec<_> = theirs.into_iter().map(|item| item.map(|event| event.data).ok()).collect();
    assert_eq!(theirs, ours.into_iter().map(Result::ok).collect::<Vec<_>>());
}

/// What the end says directly behind an error of the transport.
#[test]
fn a_broken_transport_is_no_place_for_leniency() {
    let told = |text: &str, behind: &str| {
        let chunks = [Step::Chunk(text.into()), Step::Fail, Step::Chunk(behind.into())];
        let items = drain(pin!(Wire::new(chunks).eventsource()));
        let told = items.into_iter().map(|item| item.map_or_else(|error| error.to_string(), |event| event.data));
        told.collect::<Vec<_>>().join("; ")
    };
    let reset = "transport error: connection reset";
    assert_eq!(told("data: {}", ""), format!("{reset}; cut inside a line at byte 8"));
    assert_eq!(told("data: {", "}"), format!("{reset}; {{}}"), "it went on");
    assert_eq!(told("", ""), reset, "no byte came, and why is known");
    assert_eq!(told(": ping\n\n", ""), reset);
    assert_eq!(told("{\"error\": 1}", ""), format!("{reset}; plain JSON where events were expected at byte 0"));
}

#[test]
fn a_chunk_is_pulled_empty_before_the_next_poll_and_pending_is_the_wires() {
    let chunk = |text: &str| Step::Chunk(text.into());
    let steps = [
        Step::Wait,
        chunk("data: 0\n\ndata: 1\n\nda"),
        chunk(""),
        chunk(": x\n"),
        Step::Wait,
        Step::Wait,
        chunk("data: 2\n\n"),
    ];
    let wire = Wire::new(steps);
    let count = Rc::clone(&wire.count);
    let mut events = pin!(wire.eventsource());
    let mut seen = Vec::new();
    loop {
        let waits = count.waits.get();
        let polled = poll(events.as_mut());
        assert_eq!(polled.is_pending(), count.waits.get() == waits + 1, "pending without the wire's pending");
        let what = match polled {
            Poll::Pending => "pending".to_owned(),
            Poll::Ready(Some(item)) => item.expect("an event").data,
            Poll::Ready(None) => break,
        };
        seen.push((what, count.polls.get()));
    }
    let expected = [("pending", 1), ("0", 2), ("1", 2), ("pending", 5), ("pending", 6), ("2", 7)];
    assert_eq!(seen, expected.map(|(what, polls)| (what.to_owned(), polls)));
}

/// A chunk with several events is copied, and let go when it is used up.
#[test]
fn memory_does_not_grow_with_the_body() {
    let small = "data: {\"n\": 1}\n\n".repeat(20);
    let large = "data: {\"n\": 1}\n\n".repeat(20_000);
    let chunks: Vec<&[u8]> = [small.as_bytes(); 500].into_iter().chain([large.as_bytes(), small.as_bytes()]).collect();
    let mut events = pin!(Wire::of(&chunks).eventsource());
    let mut most = 0;
    for _ in 0..500 * 20 {
        assert!(poll(events.as_mut()).is_ready());
        most = most.max(events.heap_len());
    }
    assert!(most <= 1024, "a chunk of {} bytes: {most}", small.len());
    for number in 0..20_000 {
        assert!(poll(events.as_mut()).is_ready());
        assert!(number > 0 || events.heap_len() > large.len() / 2, "the rest is held");
    }
    assert!(events.heap_len() <= 1024, "let go: {}", events.heap_len());
    assert_eq!(drain(events).len(), 20);
}

#[test]
fn to_drop_it_drops_the_wire() {
    let wire = Wire::of(&[b"data: 0\n\ndata: 1\n\n"]);
    let count = Rc::clone(&wire.count);
    let mut events = Box::pin(wire.eventsource());
    assert!(poll(events.as_mut()).is_ready());
    drop(events);
    assert_eq!((Rc::strong_count(&count), count.polls.get()), (1, 1));
}

#[test]
fn it_may_be_sent_and_moved_where_the_bytes_may() {
    struct Bytes;
    impl Stream for Bytes {
        type Item = Result<Rc<[u8]>, Reset>;
        fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
            Poll::Ready(None)
        }
    }
    fn is_all<S: Stream + Send + Sync + Unpin + 'static>(_: S) {}
    is_all(Bytes.eventsource());
}

#[test]
fn errors_show_no_text_and_have_the_transport_as_source() {
    let limits = Limits { line_len: Some(40), ..Limits::default() };
    let long = format!("data: {}", "secret".repeat(20));
    let bodies = ["data: \"secret", "{\"error\": \"secret\"}", "error: secret\n\ndata: 0\n\n", &long];
    let mut shown = Vec::new();
    for body in bodies {
        let events = EventStream::with_limits(Wire::of(&[body.as_bytes()]), limits);
        assert!(!format!("{events:?}").contains("secret"));
        let error = drain(pin!(events)).into_iter().find_map(Result::err).expect("an error");
        assert!(std::error::Error::source(&error).is_none());
        assert!(!format!("{error:?}").contains("secret"), "{error:?}");
        shown.push(error.to_string());
    }
    assert_eq!(
        shown,
        [
            "cut inside a line at byte 13",
            "plain JSON where events were expected at byte 0",
            "field `error` of 6 bytes instead of an event",
            "line longer than 40 bytes at byte 40",
        ]
    );
    let error = EventStreamError::Transport(Reset);
    assert!(std::error::Error::source(&error).is_some_and(|source| source.is::<Reset>()));
}
