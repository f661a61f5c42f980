//! Elements out of a stream of bytes: each once, whatever the pieces; slow readers, errors on the way, and the end.

#[path = "../eventsource/wire.rs"]
mod wire; // a stream of bytes that does what is written down

use std::pin::{Pin, pin};
use std::task::Poll;

use thusfar_core::{Elements, Expect};
use thusfar_stream::element_stream::{Element, ElementStream, ElementStreamError};
use thusfar_stream::{SessionOptions, StreamOutcome};
use wire::{Reset, Step, Wire, drain, poll};

/// An event of a chat completion with some text.
fn chat(text: &str, finish: Option<&str>) -> String {
    let finish = finish.map(|finish| format!(",\"finish_reason\":\"{finish}\"")).unwrap_or_default();
    let text = serde_json::to_string(text).expect("a string");
    format!("data: {{\"choices\":[{{\"index\":0,\"delta\":{{\"content\":{text}}}{finish}}}]}}\n\n")
}

fn items() -> (SessionOptions, Elements) {
    (SessionOptions::default().judge_text(Expect::object()), Elements::new("/items/-").expect("a pointer"))
}

fn stream(wire: Wire) -> ElementStream<Wire> {
    let (options, elements) = items();
    ElementStream::new(wire, options, elements)
}

type Item = Result<Element, ElementStreamError<Reset>>;

/// The texts of the elements, and the words of the error behind them.
fn split(mut items: Vec<Item>) -> (Vec<String>, Option<String>) {
    let error = items.pop_if(|item| item.is_err()).and_then(Result::err);
    let text = |item: Item| item.expect("one error, at the end").json;
    (items.into_iter().map(text).collect(), error.map(|error| error.to_string()))
}

fn body(finish: Option<&str>, texts: &[&str]) -> String {
    let (last, front) = texts.split_last().expect("texts");
    front.iter().map(|text| chat(text, None)).collect::<String>() + &chat(last, finish)
}

#[test]
fn elements_and_the_end_are_the_same_for_every_chunking() {
    let whole = body(Some("stop"), &["{\"items\": [1, 2", "3, {\"a\": \"", "x\"}], \"b\": 1}"]);
    let cut = body(Some("length"), &["{\"items\": [1, 2", "3, {\"a\": \"", "x\"}], \"b\": 1"]);
    let broken = body(Some("stop"), &["{\"items\": [1, 2", "3, {\"a\": \"", "x\"}], 'b': 1}"]);
    let unsaid = body(None, &["{\"items\": [1, 2", "3, {\"a\": \"", "x\"}], \"b\": 1}"]);
    let ends = [
        (whole, None),
        (cut, Some("the stream ended as truncated_length: cut inside a number at byte 37 (line 1, column 38)")),
        (
            broken,
            Some("the stream ended as complete: expected a key or a closer, found `'` at byte 31 (line 1, column 32)"),
        ),
        (unsaid, Some("the stream ended as truncated_cut")),
    ];
    for (body, end) in ends {
        let body = body.as_bytes();
        for len in [1, 2, 3, 7, 16, 100, body.len()] {
            let found = split(drain(pin!(stream(Wire::of(&body.chunks(len).collect::<Vec<_>>())))));
            let wanted = ["1", "23", "{\"a\": \"x\"}"].map(str::to_owned).to_vec();
            assert_eq!(found, (wanted, end.map(str::to_owned)), "in pieces of {len}");
        }
    }
}

#[test]
fn an_element_is_there_before_the_next_chunk_is_asked_for() {
    let first = chat("{\"items\": [1, 2, 3", None);
    let second = chat("], \"b\": 1}", Some("stop"));
    let wire = Wire::new(vec![Step::Chunk(first.into_bytes()), Step::Wait, Step::Chunk(second.into_bytes())]);
    let count = wire.count.clone();
    let mut stream = pin!(stream(wire));
    for (wanted, waits) in [("1", "waiting: 1"), ("2", "waiting: 0")] {
        let Poll::Ready(Some(Ok(element))) = poll(stream.as_mut()) else { panic!("an element") };
        assert_eq!(element.json, wanted);
        assert_eq!(count.polls.get(), 1, "what waits is handed out first");
        assert!(format!("{stream:?}").contains(waits), "elements wait, and nothing else: {stream:?}");
    }
    assert!(poll(stream.as_mut()).is_pending());
    let Poll::Ready(Some(Ok(element))) = poll(stream.as_mut()) else { panic!("an element") };
    assert_eq!((element.json.as_str(), element.pointer.as_str()), ("3", "/items/2"));
    assert_eq!(element.deserialize::<u32>().expect("a number"), 3);
    assert!(matches!(poll(stream.as_mut()), Poll::Ready(None)));
    assert!(matches!(poll(stream.as_mut()), Poll::Ready(None)), "the end stays");
    let summary = stream.summary().expect("it has ended");
    assert_eq!(summary.outcome(), StreamOutcome::Complete);
}

#[test]
fn an_error_of_the_transport_is_handed_on_and_the_end_is_told() {
    let wire = Wire::new(vec![Step::Chunk(chat("{\"items\": [1, 2", None).into_bytes()), Step::Fail]);
    let mut all = drain(pin!(stream(wire)));
    let last = all.pop().expect("the end");
    assert!(matches!(last, Err(ElementStreamError::Incomplete(ref end)) if end.outcome == StreamOutcome::TruncatedCut));
    assert!(matches!(all.pop(), Some(Err(ElementStreamError::Transport(_)))));
    assert_eq!(split(all), (vec!["1".to_owned()], None));
}

#[test]
fn hanging_up_drops_the_body() {
    let broken = chat("{\"items\": [1, 2], b", None);
    let steps = || vec![Step::Chunk(broken.clone().into_bytes()), Step::Chunk(chat(" more", None).into_bytes())];
    let wire = Wire::new(steps());
    let count = wire.count.clone();
    let (found, error) = split(drain(pin!(stream(wire).hanging_up())));
    assert_eq!((found, count.polls.get()), (vec!["1".to_owned(), "2".to_owned()], 1));
    assert!(error.expect("no document").contains("expected a key"));
    let wire = Wire::new(steps());
    let count = wire.count.clone();
    drop(drain(pin!(stream(wire))));
    assert_eq!(count.polls.get(), 3, "otherwise all of it is read");
}

#[test]
fn the_stream_may_be_sent_and_shown() {
    fn is_all<S: Send + Sync + Unpin>(_: &S) {}
    let (options, elements) = items();
    let stream = ElementStream::new(std::marker::PhantomData::<u8>, options, elements);
    is_all(&stream);
    let secret = chat("{\"items\": [\"SECRET\", \"SECR", None);
    let mut stream = pin!(self::stream(Wire::of(&[secret.as_bytes()])));
    let first = poll(stream.as_mut());
    let second = poll(stream.as_mut());
    for shown in [format!("{first:?}"), format!("{second:?}"), format!("{:?}", Pin::get_ref(stream.as_ref()))] {
        assert!(!shown.contains("SECR"), "{shown}");
    }
}
