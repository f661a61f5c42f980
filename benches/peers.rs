//! Ratios that travel: thusfar's push over the bare scanner, `serde_json` and `sonic-rs`, each in the same run.
//!
//! `common/ratios.rs` says how they are made, and what the command line takes.

#![allow(clippy::print_stdout)] // The table is what it is for.

use std::hint::black_box;

use serde_json::Value;
use thusfar::{Ending, Expect, Progress, Reply};
use thusfar_testkit::workload::{self, Random};

#[path = "common/bare.rs"]
mod bare;
#[path = "common/ratios.rs"]
mod ratios;

use bare::Bare;
use ratios::{Case, Options, Row, Unit, case, expect_for};

const STREAMS: usize = 10_000;

fn start() -> (Reply, Progress) {
    start_of(0)
}

fn start_of(len: usize) -> (Reply, Progress) {
    (Reply::new(expect_for(len)), Progress::Searching)
}

fn assert_closed((_, progress): (Reply, Progress)) {
    assert_eq!(progress, Progress::Closed);
}

/// Asserts once, before any clock, that the whole way gives the text that is wanted.
fn assert_document(pieces: &[&str], wanted: &str) {
    let (mut reply, mut progress) = start_of(wanted.len());
    for piece in pieces {
        progress = reply.push(piece);
    }
    assert_eq!(progress, Progress::Closed);
    match reply.finish(Ending::Stop) {
        Ok(document) => {
            let (found, wanted): (Value, Value) = (parse(document.text()), parse(wanted));
            assert_eq!(found, wanted, "the document means what was written");
        }
        Err(_) => panic!("a workload has no document"),
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).expect("strict JSON")
}

/// Pushes the pieces, whose document means `text`.
fn pushing<'a>(pieces: &'a [&'a str], text: &str) -> Case<'a> {
    assert_document(pieces, text);
    let run = move |(reply, progress): &mut (Reply, Progress)| {
        for piece in black_box(pieces) {
            *progress = reply.push(piece);
        }
    };
    let len = text.len();
    case(len, move || start_of(len), run, assert_closed)
}

fn scanning<'a>(pieces: &'a [&'a str], text: &str) -> Case<'a> {
    let run = move |bare: &mut Bare| {
        for piece in black_box(pieces) {
            bare.push(piece.as_bytes());
        }
    };
    case(text.len(), Bare::new, run, |bare| bare.assert_done())
}

fn parsing(text: &str) -> Case<'_> {
    case(
        text.len(),
        || None,
        move |value: &mut Option<Value>| *value = serde_json::from_str(black_box(text)).ok(),
        |value| assert!(value.is_some()),
    )
}

fn parsing_by_sonic(text: &str) -> Case<'_> {
    let wanted = sonic_rs::from_str::<sonic_rs::Value>(text).and_then(|value| sonic_rs::to_string(&value));
    assert_eq!(parse(&wanted.expect("strict JSON")), parse(text), "it reads what is written");
    case(
        text.len(),
        || None,
        move |value: &mut Option<sonic_rs::Value>| *value = sonic_rs::from_str(black_box(text)).ok(),
        |value| assert!(value.is_some()),
    )
}

/// The dirty text without its comments and commas, in place, then `serde_json`. The text to clean is a copy made outside the clock.
fn stripping<'a>(dirty: &'a str, clean: &str) -> Case<'a> {
    let wanted = parse(clean);
    let run = |(text, value): &mut (String, Option<Value>)| {
        *value = json_strip_comments::strip(black_box(text)).ok().and_then(|()| serde_json::from_str(text).ok());
    };
    case(
        clean.len(),
        move || (dirty.to_owned(), None),
        run,
        move |(_, value)| assert_eq!(value.as_ref(), Some(&wanted)),
    )
}

/// Bytes in, strict value out; the document is kept until the clock has stopped, as the value is.
fn reading(text: &str) -> Case<'_> {
    case(
        text.len(),
        || None,
        move |out| {
            let mut reply = Reply::new(Expect::any());
            let progress = reply.push_bytes(black_box(text.as_bytes()));
            assert_eq!(progress, Progress::Closed);
            *out = reply.finish(Ending::Stop).ok().map(|document| {
                let value = document.deserialize::<Value>();
                (document, value)
            });
        },
        |out| assert!(out.is_some_and(|(_, value)| value.is_ok())),
    )
}

fn parsing_bytes(text: &str) -> Case<'_> {
    case(
        text.len(),
        || None,
        move |value: &mut Option<Value>| *value = serde_json::from_slice(black_box(text.as_bytes())).ok(),
        |value| assert!(value.is_some()),
    )
}

/// Many streams at once: at each tick every stream that has one gets its next piece, in a new random order.
struct Crowd {
    /// For each tick, the piece of each text.
    pieces: Vec<Vec<&'static str>>,
    /// The streams of each tick, in order.
    order: Vec<Vec<u16>>,
    streams: usize,
}

/// How many different texts the streams read: a power of two.
const TEXTS: usize = 64;

impl Crowd {
    fn new(streams: usize) -> Self {
        let texts: Vec<Vec<&'static str>> =
            (0..TEXTS).map(|seed| workload::chunks(String::leak(workload::w1_of(seed as u64)), 4)).collect();
        let ticks = texts.iter().map(Vec::len).max().unwrap_or(0);
        let mut random = Random::new(11);
        let order = |tick| {
            let mut order: Vec<u16> =
                (0..streams).filter(|stream| texts[stream % TEXTS].len() > tick).map(|stream| stream as u16).collect();
            random.shuffle(&mut order);
            order
        };
        let order = (0..ticks).map(order).collect();
        let piece = |tick| texts.iter().map(|pieces| pieces.get(tick).copied().unwrap_or("")).collect();
        Self { pieces: (0..ticks).map(piece).collect(), order, streams }
    }

    fn chunk_count(&self) -> usize {
        self.order.iter().map(Vec::len).sum()
    }

    fn each(&self, mut push: impl FnMut(usize, &'static str)) {
        for (pieces, order) in black_box(&self.pieces).iter().zip(&self.order) {
            for &stream in order {
                push(usize::from(stream), pieces[usize::from(stream) % TEXTS]);
            }
        }
    }

    fn pushing(&self) -> Case<'_> {
        // The progress is looked at, as a caller does, and not kept: the yardstick keeps none.
        let make = || (0..self.streams).map(|_| start().0).collect();
        let run = |streams: &mut Vec<Reply>| {
            self.each(|stream, piece| assert_ne!(streams[stream].push(piece), Progress::Doomed));
        };
        case(usize::MAX, make, run, |streams| {
            streams.into_iter().for_each(|reply| assert_eq!(reply.progress(), Progress::Closed));
        })
    }

    fn scanning(&self) -> Case<'_> {
        let make = || vec![Bare::new(); self.streams];
        let run = |streams: &mut Vec<Bare>| self.each(|stream, piece| streams[stream].push(piece.as_bytes()));
        case(usize::MAX, make, run, |streams| streams.iter().for_each(Bare::assert_done))
    }
}

fn main() {
    let options = Options::from_args();
    let texts = workload::all();
    let text = |name: &str| texts.iter().find(|workload| workload.name == name).map_or("", |found| &found.text);
    for workload in &texts {
        bare::check(&workload.text);
    }
    options.begin();

    for &workload::Workload { name: corpus, ref text } in &texts {
        let Some(name) = options.wanted(format!("1 push/{corpus}/4B : bare")) else { continue };
        let pieces = workload::chunks(text, 4);
        let (must, want) = if corpus == "W6" { (3.0, 1.6) } else { (2.0, 1.0) };
        let (ours, yardstick) = (pushing(&pieces, text), scanning(&pieces, text));
        options.measure(Row {
            name,
            ours,
            yardstick,
            unit: Unit::Each(pieces.len(), "chunk"),
            bars: Some((must, want)),
        });
    }
    for (corpus, chunking, len, must, want) in [
        ("W2", "250B", 250, 1.3, 0.45),
        ("W2", "16KB", 16_384, 1.3, 0.32),
        ("W4", "250B", 250, 1.3, 0.45),
        ("W4", "16KB", 16_384, 1.3, 0.32),
        ("W6", "250B", 250, 2.0, 0.6),
        ("W6", "16KB", 16_384, 2.0, 0.4),
    ] {
        let Some(name) = options.wanted(format!("2 push/{corpus}/{chunking} : bare")) else { continue };
        let text = text(corpus);
        let pieces = workload::chunks(text, len);
        let (ours, yardstick) = (pushing(&pieces, text), scanning(&pieces, text));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), bars: Some((must, want)) });
    }
    for &workload::Workload { name: corpus, ref text } in &texts {
        let Some(name) = options.wanted(format!("3 push/{corpus}/whole : serde_json")) else { continue };
        let pieces = [text.as_str()];
        let (must, want) = if matches!(corpus, "W2" | "W3" | "W5") { (0.25, 0.10) } else { (0.6, 0.15) };
        let (ours, yardstick) = (pushing(&pieces, text), parsing(text));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), bars: Some((must, want)) });
    }
    for &workload::Workload { name: corpus, ref text } in &texts {
        let Some(name) = options.wanted(format!("3 push/{corpus}/whole : sonic-rs")) else { continue };
        let pieces = [text.as_str()];
        let (ours, yardstick) = (pushing(&pieces, text), parsing_by_sonic(text));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), bars: None });
    }
    for corpus in ["W2", "W3"] {
        let Some(name) = options.wanted(format!("4 value/{corpus}/whole : serde_json")) else { continue };
        let text = text(corpus);
        let (ours, yardstick) = (reading(text), parsing_bytes(text));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), bars: Some((1.2, 1.0)) });
    }
    if let Some(name) = options.wanted("10 push/dirty W2/whole : serde_json".to_owned()) {
        let (clean, dirty) = (text("W2"), workload::dirty_w2());
        let pieces = [dirty.as_str()];
        let (ours, yardstick) = (pushing(&pieces, clean), parsing(clean));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(clean.len()), bars: Some((0.4, 0.12)) });
    }
    if let Some(name) = options.wanted("10 push/dirty W2/whole : json-strip-comments+serde_json".to_owned()) {
        let (clean, dirty) = (text("W2"), workload::dirty_w2());
        let pieces = [dirty.as_str()];
        let (ours, yardstick) = (pushing(&pieces, clean), stripping(&dirty, clean));
        options.measure(Row { name, ours, yardstick, unit: Unit::Bytes(clean.len()), bars: None });
    }
    if let Some(name) = options.wanted("11 push/10,000 streams/4B : bare".to_owned()) {
        let crowd = Crowd::new(if options.test { 100 } else { STREAMS });
        let (ours, yardstick) = (crowd.pushing(), crowd.scanning());
        options.measure(Row {
            name,
            ours,
            yardstick,
            unit: Unit::Each(crowd.chunk_count(), "chunk"),
            bars: Some((2.0, 1.4)),
        });
    }
    grow(&options);
}

/// A text and its chunks of 4 bytes.
struct Cut {
    text: &'static str,
    pieces: Vec<&'static str>,
}

/// From 100 KB to 10 MB. Such texts are read to the end of the bench, so they are leaked.
fn grow(options: &Options) {
    for (corpus, make) in [("W2", workload::w2_of as fn(usize) -> String), ("W4", workload::w4_of)] {
        let name = format!("1 growth of push/{corpus}/4B");
        if !options.wanted_growth(&name) {
            continue;
        }
        let cut = |len| {
            let text: &'static str = String::leak(make(len));
            Cut { text, pieces: workload::chunks(text, 4) }
        };
        let texts = options.growing_lens().map(cut);
        let unit = |cut: &Cut| (cut.pieces.len(), Unit::Each(cut.pieces.len(), "chunk"));
        options.growths(&name, &texts, |cut| pushing(&cut.pieces, cut.text), unit);
    }
}
