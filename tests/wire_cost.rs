//! What the wire costs: allocations and the bytes asked for are counted, what is held is held to account.

mod counting;

use thusfar::stream::{Body, Eof, Error, Item, Limits, array, ndjson, sse};
use thusfar_testkit::wire::{SSE, Wire, named};

use counting::{held, taken};

/// How many allocations some work makes.
fn allocations(work: impl FnOnce()) -> usize {
    taken(work).0
}

/// Pulls a chunk empty; how many bytes the items hold.
fn pull(wire: &mut dyn Wire, chunk: &[u8]) -> usize {
    let (mut rest, mut len) = (chunk, 0);
    while let Some(item) = wire.next_item(&mut rest).expect("no limit is reached") {
        len += item.event().map_or(0, |event| event.data().len());
    }
    len
}

fn pull_all(wire: &mut dyn Wire, body: &[u8], chunk_len: usize) -> usize {
    body.chunks(chunk_len).map(|chunk| pull(wire, chunk)).sum()
}

/// A delta of a chat, as it is usually framed.
fn delta(index: usize) -> String {
    format!(
        "{{\"id\":\"chatcmpl-0001\",\"object\":\"chat.completion.chunk\",\"created\":1750000000,\"model\":\"sample\",\"choices\":[{{\
         \"index\":0,\"delta\":{{\"content\":\" w{index:04}\"}},\"logprobs\":null,\"finish_reason\":null}}],\"usage\":null}}"
    )
}

/// Bodies of as many events, one string each: what they are like, the framing, and the events.
fn bodies(count: usize) -> Vec<(&'static str, &'static str, Vec<String>)> {
    let events = |event: &dyn Fn(usize) -> String| (0..count).map(event).collect::<Vec<_>>();
    vec![
        ("one line", "sse", events(&|index| format!("data: {}\n\n", delta(index)))),
        ("CRLF", "sse", events(&|index| format!("data:{}\r\n\r\n", delta(index)))),
        ("named", "sse", events(&|index| format!("event: delta\ndata: {}\n\n", delta(index)))),
        ("with ids", "sse", events(&|index| format!("id: {index:08}\nretry: 10\ndata: {}\n\n", delta(index)))),
        ("two lines", "sse", events(&|index| format!("data: {}\ndata: x\n\n", delta(index)))),
        ("comments", "sse", events(&|index| format!(": keep-alive {index}\n\ndata: {}\n\n", delta(index)))),
        ("errors", "sse", events(&|index| format!("error: {}\n", delta(index)))),
        ("unknown fields", "sse", events(&|index| format!("trace: {index}\ndata: {}\n\n", delta(index)))),
        ("lines", "ndjson", events(&|index| format!("{}\n", delta(index)))),
        ("elements", "array", events(&|index| format!("{}{}", if index == 0 { "[" } else { ",\n" }, delta(index)))),
        ("guessed", "body", events(&|index| format!("data: {}\n\n", delta(index)))),
    ]
}

/// The allocations for the second half of the chunks.
fn from_the_middle(framing: &str, chunks: &[&[u8]]) -> usize {
    let mut wire = (named(framing).make)(Limits::default());
    let (front, back) = chunks.split_at(chunks.len() / 2);
    front.iter().for_each(|chunk| _ = pull(&mut *wire, chunk));
    allocations(|| back.iter().for_each(|chunk| _ = pull(&mut *wire, chunk)))
}

#[test]
fn an_event_allocates_nothing() {
    for (name, framing, events) in bodies(1_000) {
        let body = events.concat().into_bytes();
        let each: Vec<&[u8]> = events.iter().map(String::as_bytes).collect();
        assert_eq!(from_the_middle(framing, &each), 0, "{name}: an event a chunk");
        for len in [100, 16 << 10] {
            let chunks: Vec<&[u8]> = body.chunks(len).collect();
            assert_eq!(from_the_middle(framing, &chunks), 0, "{name}: chunks of {len}");
        }
    }
}

#[test]
fn what_lies_in_one_chunk_is_not_copied() {
    for (name, framing, events) in bodies(100) {
        let mut wire = (named(framing).make)(Limits::default());
        let mut body = events.concat().into_bytes();
        // The array's last element and what closes it.
        body.extend_from_slice(if framing == "array" { b"]" } else { b"" });
        let inside = body.as_ptr_range();
        let mut rest = &body[..];
        let mut count = 0;
        while let Some(item) = wire.next_item(&mut rest).expect("no limit is reached") {
            let data = match &item {
                Item::Event(event) => event.data(),
                Item::Error(error) => error.data(),
                other => panic!("{other:?}"),
            };
            count += usize::from(inside.contains(&data.as_ptr()));
        }
        // Two lines have to be joined.
        assert_eq!(count, if name == "two lines" { 0 } else { 100 }, "{name}");
    }
}

/// A long item in pieces: the buffer doubles, and nothing else is asked for.
#[test]
fn a_long_item_is_copied_once() {
    const LEN: usize = 1 << 20;
    let cases: [(&str, &str, &str); 6] = [
        ("sse", "data: \"", "\"\n\n"),
        ("sse", "event: long\nid: 7\ndata:\"", "\"\r\n\r\n"),
        ("sse", "error: \"", "\"\n"),
        ("ndjson", "{\"a\":\"", "\"}\n"),
        ("array", "[{\"a\":\"", "\"},"),
        ("body", "data: \"", "\"\n\n"),
    ];
    for (framing, before, behind) in cases {
        let cost = |len: usize, chunk_len: usize| {
            let body = [before.as_bytes(), &vec![b'x'; len], behind.as_bytes()].concat();
            let mut wire = (named(framing).make)(Limits::default());
            taken(|| _ = pull_all(&mut *wire, &body, chunk_len))
        };
        for chunk_len in [1, 100, 1_000, 64 << 10] {
            let (count, bytes) = cost(LEN, chunk_len);
            assert!(count <= 24, "{framing} {before:?}: {count} allocations, chunks of {chunk_len}");
            assert!(bytes <= 4 * LEN + (16 << 10), "{framing} {before:?}: {bytes} bytes, chunks of {chunk_len}");
            let (count_of_four, bytes) = cost(4 * LEN, chunk_len);
            assert!(count_of_four <= count + 2, "{framing} {before:?}: {count_of_four} after {count}");
            assert!(bytes <= 16 * LEN + (16 << 10), "{framing} {before:?}: {bytes} bytes of four times as much");
        }
    }
}

/// The data of many lines are joined in the same buffer.
#[test]
fn many_lines_grow_one_buffer() {
    let body = "data: 0123456789\n".repeat(100_000) + "\n";
    for chunk_len in [7, 1_000, body.len()] {
        let mut wire = (SSE.make)(Limits::default());
        let (count, bytes) = taken(|| assert_eq!(pull_all(&mut *wire, body.as_bytes(), chunk_len), 1_099_999));
        assert!(count <= 24 && bytes <= 5 << 20, "{count} allocations of {bytes} bytes, chunks of {chunk_len}");
    }
}

/// An idle decoder, and what it holds. Thousands of streams lie idle in a gateway.
#[test]
fn what_an_idle_decoder_holds() {
    let small = "event: tick\nid: 7\ndata: {\"a\": 1}\n\n";
    let large = format!("data: {}\n\n", "x".repeat(1 << 20));
    let (bytes, mut wire) = held(|| (SSE.make)(Limits::default()));
    let of_itself = size_of::<sse::Decoder>();
    assert_eq!((bytes, wire.heap_len()), (of_itself as isize, 0), "fresh");
    let (bytes, ()) = held(|| assert_eq!(pull(&mut *wire, b"data: whole\n\n"), 5));
    assert_eq!((bytes, wire.heap_len()), (0, 0), "an event in one chunk");
    let (bytes, _) = held(|| pull_all(&mut *wire, small.as_bytes(), 3));
    assert!((1..=256).contains(&bytes) && wire.heap_len() as isize == bytes, "{bytes}: a small event in pieces");
    let many = small.repeat(100);
    pull_all(&mut *wire, many.as_bytes(), 5);
    let len = wire.heap_len();
    assert!(len <= 256, "{len}: many of them");
    let (more, _) = held(|| pull_all(&mut *wire, many.as_bytes(), 7));
    assert_eq!((more, wire.heap_len()), (0, len), "as many again");
    pull_all(&mut *wire, &large.as_bytes()[..1 << 20], 1_000);
    assert!(wire.heap_len() > 1 << 20, "{} before the end", wire.heap_len());
    assert_eq!(pull(&mut *wire, &large.as_bytes()[1 << 20..]), 1 << 20);
    assert!(wire.heap_len() <= 256, "{} behind a large event", wire.heap_len());
}

/// What is said to be held is held.
#[test]
fn heap_len_is_what_is_held() {
    let cases: [(&str, &str); 12] = [
        ("sse", "event: long-name-of-an-event\nid: 17\ndata: 1\ndata: 2\nda"),
        ("sse", "id: 1\n\nid: 22\n\nid: 333\n\nda"),
        ("sse", "what is this?\n<html>\nnone"),
        ("sse", "error: {\"a\": 1}\nerro"),
        ("sse", ": comment"),
        ("ndjson", "{\"a\": 1}\n{\"a\""),
        ("ndjson", "{\n  \"error\": {\n    \"code\""),
        ("array", "[{\"a\": 1},{\"a\""),
        ("array", "{\"error\": 1}"),
        ("body", "data: 1\ndata"),
        ("body", "\n\n{\"error\": {\"code\": 1}}\n"),
        ("body", " [{\"a\": 1},{\"a\""),
    ];
    for (framing, body) in cases {
        let of_itself = match framing {
            "sse" => size_of::<sse::Decoder>(),
            "ndjson" => size_of::<ndjson::Decoder>(),
            "array" => size_of::<array::Decoder>(),
            _ => size_of::<Body>(),
        };
        for chunk_len in [1, 5, 100] {
            let (bytes, wire) = held(|| {
                let mut wire = (named(framing).make)(Limits::default());
                pull_all(&mut *wire, body.as_bytes(), chunk_len);
                wire
            });
            assert_eq!(bytes as usize, of_itself + wire.heap_len(), "{framing} {body:?}, chunks of {chunk_len}");
        }
    }
}

/// A long line leaves nothing behind, whatever it was.
#[test]
fn what_was_long_is_let_go() {
    let long = "x".repeat(1 << 20);
    let bodies = [
        format!("data: {long}\n\n"),
        format!("data: 1\ndata: {long}\n\n"),
        format!("event: {long}\ndata: 1\n\n"),
        format!("event: {long}\n\n"),
        format!("error: {long}\n"),
        format!(": {long}\n"),
        format!("unknown: {long}\n"),
        format!("retry: {long}\n"),
        format!("id: \0{long}\n\n"),
        format!("id: {long}\ndata: 1\n\nid: 1\n\nid: 2\n\n"),
    ];
    for body in bodies {
        for chunk_len in [1_000, body.len()] {
            let mut wire = (SSE.make)(Limits::default());
            pull_all(&mut *wire, body.as_bytes(), chunk_len);
            // What was handed out last is let go at the next call.
            pull_all(&mut *wire, b"\n", 1);
            let len = wire.heap_len();
            assert!(len <= 32 << 10, "{len} bytes behind {:?}, chunks of {chunk_len}", &body[..12]);
        }
    }
}

#[test]
fn a_decoder_without_events_allocates_nothing() {
    let idle = ": comment\n\n:\r\n\n\n\r\rretry: 10\n\n".repeat(100);
    for chunk_len in [1, 7, 100, idle.len()] {
        let mut wire = (SSE.make)(Limits::default());
        let chunks: Vec<_> = idle.as_bytes().chunks(chunk_len).collect();
        // A `retry` in pieces waits for its end, in a buffer that doubles.
        let most = if chunk_len == idle.len() { 0 } else { 2 };
        let made = allocations(|| chunks.iter().for_each(|chunk| _ = pull(&mut *wire, chunk)));
        assert!(made <= most, "{made} allocations, chunks of {chunk_len}");
    }
    assert_eq!(allocations(|| drop(sse::Decoder::new())), 0);
    assert_eq!(allocations(|| _ = sse::Decoder::new().finish()), 1, "the diagnosis");
    let mut decoder = sse::Decoder::new();
    let mut chunk = &b"data: 1\n\n"[..];
    assert!(decoder.next_item(&mut chunk).is_ok_and(|item| item.is_some()));
    assert_eq!(allocations(|| assert!(decoder.finish().is_ok_and(|eof| eof.is_clean()))), 0, "a clean end");
}

#[test]
fn everything_can_be_sent_and_shared() {
    fn shared<T: Send + Sync + 'static>() {}
    shared::<sse::Decoder>();
    shared::<ndjson::Decoder>();
    shared::<array::Decoder>();
    shared::<Body>();
    shared::<Eof>();
    shared::<Error>();
    shared::<Item<'static>>();
}
