//! What an event costs on the wire: our decoder over the bare line splitter, `sse-stream` and `eventsource-stream`.
//!
//! The same bytes in the same run; `common/ratios.rs` says how the ratios are made, and what the command line takes. A
//! peer takes a stream of `Bytes`: the pieces are made outside the clock, and the stream always has one, so nothing ever
//! waits. Each case asserts how many events there were and how long their data.
//!
//! The rows `9` go on from the event to the lane: a `Session`, whose text is judged or kept. Beside it the clients that
//! most have: an event decoder, `serde_json` into owned types of every key, and the same engine behind it.

#![allow(clippy::print_stdout)] // The table is what it is for.

use std::convert::Infallible;
use std::hint::black_box;
use std::mem;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use eventsource_stream::EventStream;
use futures_core::Stream;
use memchr::memchr;
use serde::Deserialize;
use sse_stream::SseByteStream;
use thusfar::{Expect, Progress, Reply};
use thusfar_stream::sse::Decoder;
use thusfar_stream::{Session, SessionEvent, SessionOptions};
use thusfar_testkit::workload::{self, WireEvent};

#[path = "common/ratios.rs"]
mod ratios;

use ratios::{Case, Options, Row, Unit, case};

/// As many events as a cache near the core holds: behind a socket they have just been written.
const EVENTS: usize = 2_000;

/// A whole body and what is in it.
struct Body {
    bytes: Bytes,
    /// Where each event ends.
    ends: Vec<usize>,
    found: Tally,
    /// The bytes of the reply.
    content_len: usize,
}

/// What a case has found; each is held to that of the body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tally {
    events: usize,
    data_len: usize,
}

impl Tally {
    fn add(&mut self, data_len: usize) {
        self.events += 1;
        self.data_len += data_len;
    }
}

impl Body {
    fn of(events: &[WireEvent], line_end: &str) -> Self {
        let (mut text, mut ends, mut found) = (String::new(), Vec::new(), Tally::default());
        for event in events {
            text.push_str(&event.text.replace('\n', line_end));
            ends.push(text.len());
            found.add(event.data_len);
        }
        let content_len = events.iter().map(|event| event.content.len()).sum();
        Self { bytes: text.into(), ends, found, content_len }
    }

    /// One event of one line.
    fn of_line(data_len: usize) -> Self {
        let text = format!("data: {}\n\n", "x".repeat(data_len));
        Self { ends: vec![text.len()], bytes: text.into(), found: Tally { events: 1, data_len }, content_len: 0 }
    }

    /// Cut behind each event, or every so many bytes.
    fn pieces(&self, len: Option<usize>) -> Vec<Bytes> {
        let ends: Vec<usize> = match len {
            None => self.ends.clone(),
            Some(len) => (len..self.bytes.len()).step_by(len).chain([self.bytes.len()]).collect(),
        };
        let starts = [0].into_iter().chain(ends.iter().copied());
        starts.zip(&ends).map(|(start, &end)| self.bytes.slice(start..end)).collect()
    }
}

/// The yardstick: finds the line feeds and counts what lies between them. Nothing else: no fields, no text kept. It is
/// not inlined, as the decoders are not.
#[derive(Clone, Copy, Default)]
struct Lines {
    count: usize,
    len: usize,
}

impl Lines {
    #[inline(never)]
    fn push(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(at) = memchr(b'\n', rest) {
            self.count += 1;
            self.len += at;
            rest = &rest[at + 1..];
        }
        self.len += rest.len();
    }
}

fn splitting<'a>(body: &'a Body, pieces: &'a [Bytes]) -> Case<'a> {
    let run = move |lines: &mut Lines| {
        for piece in black_box(pieces) {
            lines.push(piece);
        }
    };
    let line_count = body.bytes.iter().filter(|&&byte| byte == b'\n').count();
    case(body.bytes.len(), Lines::default, run, move |lines| {
        assert_eq!((lines.count, lines.len + lines.count), (line_count, body.bytes.len()));
    })
}

fn decoding<'a>(body: &'a Body, pieces: &'a [Bytes]) -> Case<'a> {
    let run = move |(decoder, tally): &mut (Decoder, Tally)| {
        for piece in black_box(pieces) {
            each_event(decoder, piece, |data| tally.add(data.len()));
        }
    };
    let make = || (Decoder::new(), Tally::default());
    case(body.bytes.len(), make, run, |(_, tally)| assert_eq!(tally, body.found))
}

#[inline(always)]
fn each_event(decoder: &mut Decoder, mut chunk: &[u8], mut see: impl FnMut(&[u8])) {
    while let Some(item) = decoder.next_item(&mut chunk).expect("within the limits") {
        see(item.event().expect("no error field").data());
    }
}

/// The pieces as they come from a socket that always has one.
struct Socket(std::vec::IntoIter<Bytes>);

impl Stream for Socket {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.next().map(Ok))
    }
}

/// Polls a stream to its end.
#[inline(always)]
fn each_item<T, E: std::fmt::Debug>(stream: impl Stream<Item = Result<T, E>>, mut see: impl FnMut(T)) {
    let mut stream = pin!(stream);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        match stream.as_mut().poll_next(&mut context) {
            Poll::Ready(Some(item)) => see(item.expect("a clean stream")),
            Poll::Ready(None) => return,
            Poll::Pending => unreachable!("the socket always has a piece"),
        }
    }
}

/// A case of a peer, which takes the pieces themselves.
fn polling<'a, T: 'a>(
    body: &'a Body,
    pieces: &'a [Bytes],
    start: impl Fn() -> T + 'a,
    run: impl Fn(Socket, &mut T) + 'a,
    check: impl Fn(T) + 'a,
) -> Case<'a> {
    let make = move || (pieces.to_vec(), start());
    let run = move |(pieces, found): &mut (Vec<Bytes>, T)| run(Socket(mem::take(pieces).into_iter()), found);
    case(body.bytes.len(), make, run, move |(_, found)| check(found))
}

fn sse_stream<'a>(body: &'a Body, pieces: &'a [Bytes]) -> Case<'a> {
    let run = |socket, tally: &mut Tally| {
        each_item(SseByteStream::new(socket), |event| tally.add(event.data.map_or(0, |data| data.len())));
    };
    polling(body, pieces, Tally::default, run, |tally| assert_eq!(tally, body.found))
}

fn eventsource_stream<'a>(body: &'a Body, pieces: &'a [Bytes]) -> Case<'a> {
    let run = |socket, tally: &mut Tally| {
        each_item(EventStream::new(socket), |event| tally.add(event.data.len()));
    };
    polling(body, pieces, Tally::default, run, |tally| assert_eq!(tally, body.found))
}

/// A chunk as the clients of such providers type it: owned, and every key named.
#[allow(dead_code, reason = "they are there to be read into")]
mod owned {
    use super::Deserialize;

    #[derive(Deserialize)]
    pub(super) struct Chunk {
        id: String,
        object: String,
        created: u32,
        model: String,
        service_tier: Option<String>,
        system_fingerprint: Option<String>,
        pub(super) choices: Vec<Choice>,
        usage: Option<Usage>,
    }

    #[derive(Deserialize)]
    pub(super) struct Choice {
        index: u32,
        pub(super) delta: Delta,
        finish_reason: Option<String>,
        logprobs: Option<serde_json::Value>,
    }

    #[derive(Deserialize)]
    pub(super) struct Delta {
        role: Option<String>,
        pub(super) content: Option<String>,
        refusal: Option<String>,
        tool_calls: Option<Vec<serde_json::Value>>,
    }

    #[derive(Deserialize)]
    struct Usage {
        prompt_tokens: u32,
        completion_tokens: u32,
        total_tokens: u32,
    }
}

/// From the bytes to the lane, all in one; `judged`: the text of the reply is JSON, and the engine reads it.
fn session<'a>(body: &'a Body, pieces: &'a [Bytes], judged: bool) -> Case<'a> {
    let options = SessionOptions::default();
    let options = if judged { options.judge_text(Expect::any()) } else { options };
    let make = move || (Session::new(&options), 0);
    let run = move |(session, content_len): &mut (Session, usize)| {
        for piece in black_box(pieces) {
            let advice = session.push(piece, &mut |event| {
                if let SessionEvent::Text(_, text) = event {
                    *content_len += text.len();
                }
            });
            debug_assert!(!advice.is_cancel());
        }
    };
    case(body.bytes.len(), make, run, move |(session, content_len)| {
        let lane = session.lanes().next().expect("a lane");
        let progress = judged.then_some(Progress::Closed);
        assert_eq!((content_len, lane.progress(), session.lanes().len()), (body.content_len, progress, 1));
        assert_eq!(lane.text().map(str::len), Some(body.content_len));
    })
}

/// What most clients of OpenAI do, and then give the delta to the engine or keep it, as a session does.
struct Client {
    reply: Option<Reply>,
    text: String,
}

impl Client {
    fn new(judged: bool) -> Self {
        Self { reply: judged.then(|| Reply::new(Expect::any())), text: String::new() }
    }

    fn take(&mut self, data: &str) {
        if data == "[DONE]" {
            return;
        }
        let chunk: owned::Chunk = serde_json::from_str(data).expect("a chunk");
        let Some(content) = chunk.choices.into_iter().next().and_then(|choice| choice.delta.content) else { return };
        self.keep(&content);
    }

    /// The delta by its path, read lazily: what stands beside it is skipped, not checked.
    fn take_by_path(&mut self, data: &str) {
        if data == "[DONE]" {
            return;
        }
        let path = sonic_rs::pointer!["choices", 0, "delta", "content"];
        let Ok(found) = sonic_rs::get_from_str(data, &path) else { return };
        let content: String = sonic_rs::from_str(found.as_raw_str()).expect("a string");
        self.keep(&content);
    }

    fn keep(&mut self, content: &str) {
        match &mut self.reply {
            Some(reply) => _ = reply.push(content),
            None => self.text.push_str(content),
        }
    }

    fn check(self, body: &Body) {
        let len = match &self.reply {
            Some(reply) => {
                assert_eq!(reply.progress(), Progress::Closed);
                reply.raw().len()
            }
            None => self.text.len(),
        };
        assert_eq!(len, body.content_len);
    }
}

fn eventsource_stream_and_serde<'a>(body: &'a Body, pieces: &'a [Bytes], judged: bool) -> Case<'a> {
    let run = |socket, client: &mut Client| each_item(EventStream::new(socket), |event| client.take(&event.data));
    polling(body, pieces, move || Client::new(judged), run, |client| client.check(body))
}

fn sse_stream_and_serde<'a>(body: &'a Body, pieces: &'a [Bytes], judged: bool) -> Case<'a> {
    let run = |socket, client: &mut Client| {
        each_item(SseByteStream::new(socket), |event| {
            if let Some(data) = &event.data {
                client.take(data);
            }
        });
    };
    polling(body, pieces, move || Client::new(judged), run, |client| client.check(body))
}

fn sse_stream_and_sonic<'a>(body: &'a Body, pieces: &'a [Bytes], judged: bool) -> Case<'a> {
    let run = |socket, client: &mut Client| {
        each_item(SseByteStream::new(socket), |event| {
            if let Some(data) = &event.data {
                client.take_by_path(data);
            }
        });
    };
    polling(body, pieces, move || Client::new(judged), run, |client| client.check(body))
}

/// Six times the splitter must be reached; and eight times faster than what most clients do.
const OVER_SPLITTER: Option<(f64, f64)> = Some((6.0, 3.0));
const OVER_CLIENT: Option<(f64, f64)> = Some((8.0, 15.0));

/// From the bytes to the lane.
fn sessions(options: &Options, corpus: &str, events: &[WireEvent]) {
    let body = Body::of(events, "\n");
    let unit = Unit::Each(body.found.events, "event");
    for (judged, what) in [(true, "judged"), (false, "kept")] {
        for (cut, len) in &CUTS[..3] {
            let pieces = body.pieces(*len);
            let mut rows = vec![("line splitter", splitting(&body, &pieces), OVER_SPLITTER)];
            if corpus == "S" {
                let peer = eventsource_stream_and_serde(&body, &pieces, judged);
                rows.push(("eventsource-stream+serde", peer, OVER_CLIENT));
                rows.push(("sse-stream+serde", sse_stream_and_serde(&body, &pieces, judged), None));
                rows.push(("sse-stream+sonic-rs get", sse_stream_and_sonic(&body, &pieces, judged), None));
            }
            for (peer, yardstick, bars) in rows {
                let times = if peer == "line splitter" { "" } else { ", times faster" };
                let name = format!("9 session {what}/{corpus}/{cut}{times} : {peer}");
                let Some(name) = options.wanted(name) else { continue };
                // The bars are those of the text that is judged.
                let bars = bars.filter(|_| judged && corpus == "S");
                let row = Row { name, ours: session(&body, &pieces, judged), yardstick, unit, bars };
                if times.is_empty() { options.measure(row) } else { options.faster(row) }
            }
        }
    }
}

type Yardstick = for<'a> fn(&'a Body, &'a [Bytes]) -> Case<'a>;

const PEERS: [(&str, Yardstick); 3] =
    [("line splitter", splitting), ("sse-stream", sse_stream), ("eventsource-stream", eventsource_stream)];

/// The pieces of which a network makes a body; none: an event in each.
const CUTS: [(&str, Option<usize>); 4] =
    [("1 event", None), ("100B", Some(100)), ("16KB", Some(16_384)), ("whole", Some(usize::MAX))];

fn main() {
    let options = Options::from_args();
    options.begin();
    let (s, a) = (workload::s(), workload::a());
    let bodies = [
        ("S", Body::of(&s[..EVENTS], "\n"), 4),
        ("S CRLF", Body::of(&s[..EVENTS], "\r\n"), 3),
        ("A", Body::of(&a[..EVENTS], "\n"), 3),
    ];
    for (corpus, body, cuts) in &bodies {
        let unit = Unit::Each(body.found.events, "event");
        for (cut, len) in &CUTS[..*cuts] {
            let pieces = body.pieces(*len);
            for (peer, yardstick) in PEERS {
                let Some(name) = options.wanted(format!("sse/{corpus}/{cut} : {peer}")) else { continue };
                let (ours, yardstick) = (decoding(body, &pieces), yardstick(body, &pieces));
                options.measure(Row { name, ours, yardstick, unit, bars: None });
            }
        }
    }
    // One peer is quadratic here.
    let body = Body::of_line(if options.test { 100_000 } else { 1_000_000 });
    let pieces = body.pieces(Some(1_000));
    for (peer, yardstick) in PEERS {
        let Some(name) = options.wanted(format!("sse/1MB line/1KB : {peer}")) else { continue };
        let (ours, yardstick) = (decoding(&body, &pieces), yardstick(&body, &pieces));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(body.bytes.len()), bars: None });
    }
    sessions(&options, "S", &s);
    sessions(&options, "A", &a);
    grow(&options);
}

/// From 100 KB of wire to 10 MB, in pieces of 4 bytes: the events alone, and the whole way to a text that is judged.
fn grow(options: &Options) {
    let (decoder, whole_way) = ("9 growth of sse/S/4B", "9 growth of session judged/S/4B");
    if !options.wanted_growth(decoder) && !options.wanted_growth(whole_way) {
        return;
    }
    let cut = |len: usize| {
        // An event is 293 bytes, and 4 or 5 of them are the text.
        let body = Body::of(&workload::s_of(&workload::w2_of(len * 9 / 586)), "\n");
        let pieces = body.pieces(Some(4));
        (body, pieces)
    };
    let texts = options.growing_lens().map(|len| cut(if options.test { 30 * len } else { len }));
    let unit = |(body, pieces): &(Body, Vec<Bytes>)| (body.bytes.len(), Unit::Each(pieces.len(), "chunk"));
    options.growths(decoder, &texts, |(body, pieces)| decoding(body, pieces), unit);
    options.growths(whole_way, &texts, |(body, pieces)| session(body, pieces, true), unit);
}
