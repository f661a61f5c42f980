//! Ratios that travel: thusfar's push over the bare scanner and over `serde_json`, each in the same run.
//!
//! The clock is the CPU time of the thread, since other work shares the cores. The two cases of a row take turns, round
//! by round and in alternating order, so that both meet the same heap and the same clock speed. A ratio is the median
//! of the ratios of the same round; its spread is what lies between the lowest and the highest tenth of them.
//!
//! Making and dropping what a case needs is outside the clock. A pass reads one text; short texts are read in batches,
//! so that reading the clock weighs nothing.
//!
//! ```text
//! cargo bench --bench peers                       all rows
//! cargo bench --bench peers -- W2 dirty           rows whose name holds one of these words
//! cargo bench --bench peers -- --rounds 31        more rounds
//! cargo bench --bench peers -- --test             each case once, no figures
//! ```

#![allow(clippy::print_stdout)] // The table is what it is for.

use std::hint::black_box;
use std::time::Duration;

use serde_json::Value;
use thusfar::{Ending, Expect, Progress, Reply};
use thusfar_testkit::workload::{self, Random};

#[path = "common/bare.rs"]
mod bare;

use bare::Bare;

/// The time that a case is given in one round, at least.
const ROUND: Duration = Duration::from_millis(4);
const STREAMS: usize = 10_000;

/// Runs so many passes; gives the CPU time of the measured part.
type Case<'a> = Box<dyn FnMut(usize) -> Duration + 'a>;

struct Row<'a> {
    name: String,
    ours: Case<'a>,
    yardstick: Case<'a>,
    /// What one pass reads.
    unit: Unit,
    must: f64,
    want: f64,
}

#[derive(Clone, Copy)]
enum Unit {
    Chunks(usize),
    Bytes(usize),
}

impl Unit {
    fn show(self, pass: f64) -> String {
        match self {
            Unit::Chunks(count) => format!("{:.1} ns/chunk", pass * 1e9 / count as f64),
            Unit::Bytes(len) => format!("{:.0} MB/s", len as f64 / pass / 1e6),
        }
    }
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let now = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

/// Without a clock for threads: the time that passes.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// A case of three parts, of which only `run` is on the clock. `len` is what one pass reads.
fn case<'a, S>(len: usize, make: impl Fn() -> S + 'a, run: impl Fn(&mut S) + 'a, check: impl Fn(S) + 'a) -> Case<'a> {
    let batch = (64_000 / len).max(1);
    Box::new(move |passes| {
        let mut spent = Duration::ZERO;
        let mut left = passes;
        while left > 0 {
            let mut states: Vec<S> = (0..batch.min(left)).map(|_| make()).collect();
            left -= states.len();
            let start = cpu_time();
            for state in &mut states {
                run(state);
            }
            spent += cpu_time().saturating_sub(start);
            states.into_iter().for_each(&check);
        }
        spent
    })
}

fn start() -> (Reply, Progress) {
    (Reply::new(Expect::any()), Progress::Searching)
}

fn assert_closed((_, progress): (Reply, Progress)) {
    assert_eq!(progress, Progress::Closed);
}

/// Asserts once, before any clock, that the whole way gives the text that is wanted.
fn assert_document(pieces: &[&str], wanted: &str) {
    let (mut reply, mut progress) = start();
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
    case(text.len(), start, run, assert_closed)
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
        let make = || (0..self.streams).map(|_| start()).collect();
        let run = |streams: &mut Vec<(Reply, Progress)>| {
            self.each(|stream, piece| streams[stream].1 = streams[stream].0.push(piece));
        };
        case(usize::MAX, make, run, |streams| streams.into_iter().for_each(assert_closed))
    }

    fn scanning(&self) -> Case<'_> {
        let make = || vec![Bare::new(); self.streams];
        let run = |streams: &mut Vec<Bare>| self.each(|stream, piece| streams[stream].push(piece.as_bytes()));
        case(usize::MAX, make, run, |streams| streams.iter().for_each(Bare::assert_done))
    }
}

struct Options {
    test: bool,
    rounds: usize,
    words: Vec<String>,
}

impl Options {
    /// Flags that are not ours are for other benches of the same command, and are passed over. As with Criterion, a run
    /// without `--bench` (`cargo test --benches`) is a test.
    fn from_args() -> Self {
        let mut options = Options { test: true, rounds: 15, words: Vec::new() };
        let mut test = false;
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => options.test = false,
                "--test" => test = true,
                "--rounds" => options.rounds = args.next().and_then(|n| n.parse().ok()).unwrap_or(15).max(9),
                _ if arg.starts_with('-') => {}
                _ => options.words.push(arg),
            }
        }
        options.test |= test;
        options
    }

    /// The name again, if a row of that name is to run.
    fn wanted(&self, name: String) -> Option<String> {
        let wanted = self.words.is_empty() || self.words.iter().any(|word| name.contains(word.as_str()));
        wanted.then_some(name)
    }
}

fn main() {
    let options = Options::from_args();
    let texts = workload::all();
    let text = |name: &str| texts.iter().find(|workload| workload.name == name).map_or("", |found| &found.text);
    for workload in &texts {
        bare::check(&workload.text);
    }
    if !options.test {
        warn_of_features();
        println!(
            "{:<36} {:>14} {:>14} {:>7} {:>13} {:>6} {:>6}",
            "name", "ours", "yardstick", "ratio", "spread", "must", "want"
        );
    }

    for &workload::Workload { name: corpus, ref text } in &texts {
        let Some(name) = options.wanted(format!("1 push/{corpus}/4B : bare")) else { continue };
        let pieces = workload::chunks(text, 4);
        let (must, want) = if corpus == "W6" { (3.0, 1.6) } else { (2.0, 1.0) };
        let (ours, yardstick) = (pushing(&pieces, text), scanning(&pieces, text));
        measure(Row { name, ours, yardstick, unit: Unit::Chunks(pieces.len()), must, want }, &options);
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
        measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), must, want }, &options);
    }
    for &workload::Workload { name: corpus, ref text } in &texts {
        let Some(name) = options.wanted(format!("3 push/{corpus}/whole : serde_json")) else { continue };
        let pieces = [text.as_str()];
        let (must, want) = if matches!(corpus, "W2" | "W3" | "W5") { (0.25, 0.10) } else { (0.6, 0.15) };
        let (ours, yardstick) = (pushing(&pieces, text), parsing(text));
        measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), must, want }, &options);
    }
    for corpus in ["W2", "W3"] {
        let Some(name) = options.wanted(format!("4 value/{corpus}/whole : serde_json")) else { continue };
        let text = text(corpus);
        let (ours, yardstick) = (reading(text), parsing_bytes(text));
        measure(Row { name, ours, yardstick, unit: Unit::Bytes(text.len()), must: 1.2, want: 1.0 }, &options);
    }
    if let Some(name) = options.wanted("10 push/dirty W2/whole : serde_json".to_owned()) {
        let (clean, dirty) = (text("W2"), workload::dirty_w2());
        let pieces = [dirty.as_str()];
        let (ours, yardstick) = (pushing(&pieces, clean), parsing(clean));
        measure(Row { name, ours, yardstick, unit: Unit::Bytes(clean.len()), must: 0.4, want: 0.12 }, &options);
    }
    if let Some(name) = options.wanted("11 push/10,000 streams/4B : bare".to_owned()) {
        let crowd = Crowd::new(if options.test { 100 } else { STREAMS });
        let (ours, yardstick) = (crowd.pushing(), crowd.scanning());
        measure(Row { name, ours, yardstick, unit: Unit::Chunks(crowd.chunk_count()), must: 2.0, want: 1.4 }, &options);
    }
}

fn measure(mut row: Row<'_>, options: &Options) {
    if options.test {
        (row.ours)(1);
        (row.yardstick)(1);
        println!("{}: ok", row.name);
        return;
    }
    let passes = [passes_of(&mut row.ours), passes_of(&mut row.yardstick)];
    let (mut ours, mut yardstick, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..options.rounds {
        let mut time = [0.0; 2];
        for turn in 0..2 {
            // The order alternates.
            let which = (round + turn) % 2;
            let case = if which == 0 { &mut row.ours } else { &mut row.yardstick };
            time[which] = case(passes[which]).as_secs_f64() / passes[which] as f64;
        }
        ours.push(time[0]);
        yardstick.push(time[1]);
        ratios.push(time[0] / time[1]);
    }
    let (ratio, ours, yardstick) = (at(&mut ratios, 0.5), at(&mut ours, 0.5), at(&mut yardstick, 0.5));
    println!(
        "{:<36} {:>14} {:>14} {:>7.3} {:>6.3}-{:<6.3} {:>6} {:>6}{}",
        row.name,
        row.unit.show(ours),
        row.unit.show(yardstick),
        ratio,
        at(&mut ratios, 0.1),
        at(&mut ratios, 0.9),
        row.must,
        row.want,
        if ratio > row.must { "  over the bar" } else { "" },
    );
}

/// How many passes fill a round.
fn passes_of(case: &mut Case<'_>) -> usize {
    let mut passes = 1;
    loop {
        let spent = case(passes);
        if spent >= ROUND / 2 {
            return (ROUND.as_secs_f64() / spent.as_secs_f64() * passes as f64).ceil().max(1.0) as usize;
        }
        passes *= 2;
    }
}

/// The value below which `share` of them lie.
fn at(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share).round() as usize]
}

/// Says so when another crate of this build has switched on features of `serde_json` that change what it costs.
fn warn_of_features() {
    let kept = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|value| format!("{value}") == text);
    for (feature, text) in
        [("arbitrary_precision", "0.10000000000000000000000001"), ("preserve_order", r#"{"b":1,"a":2}"#)]
    {
        if kept(text) {
            println!("serde_json is built with {feature}: its figures here are not those of a plain build");
        }
    }
}
