//! What is counted, not timed: allocations for a chunk of 4 bytes, the most memory over the reply, the size of an idle scanner.
//!
//! The rows stand in the table beside the ratios; `tests/cost.rs` and its like hold them. *Steady state* is the second half of a reply whose text
//! has room already; what a view, a cursor or a monitor needs grows on. A reply *without a hint* grows by doubling, so that the worst length
//! is one just over a power of two.

#![allow(clippy::print_stdout)] // The table is what it is for.

use std::hint::black_box;

use jiter::{JsonValue, PartialMode};
use jsonmodem::{ParserOptions, StreamingParser};
use thusfar::{Cursor, Expect, Progress, Reply, Scanner};
use thusfar_stream::{Session, SessionOptions};
use thusfar_testkit::workload;

#[path = "common/held.rs"]
mod held;
#[allow(dead_code, reason = "nothing is timed here")]
#[path = "common/ratios.rs"]
mod ratios;

use ratios::Options;

const NONE: Option<(f64, f64)> = Some((0.0, 0.0));

/// Takes chunk after chunk: those of the first half, then those of the second, of which the allocations are counted.
fn in_steady_state(chunks: &[&str], mut take: impl FnMut(&str)) -> usize {
    let (front, back) = chunks.split_at(chunks.len() / 2);
    front.iter().for_each(|chunk| take(chunk));
    held::count(|| back.iter().for_each(|chunk| take(chunk))).allocations
}

fn allocations(options: &Options, name: &str, count: usize, chunk_count: usize, bars: Option<(f64, f64)>) {
    let each = count as f64 / chunk_count as f64;
    options.counted(name, format!("{count} calls"), format!("{chunk_count} chunks"), each, bars);
}

/// Row 7.
fn rows_of_allocations(options: &Options) {
    for corpus in ["W1", "W2", "W4", "W5", "W6"] {
        let text = workload::named(corpus).text;
        let chunks = workload::chunks(&text, 4);
        let half = chunks.len() - chunks.len() / 2;
        let room = text.len();
        if let Some(name) = options.wanted(format!("7 allocations/push/{corpus}/4B")) {
            let mut reply = Reply::new(Expect::any()).with_capacity(room);
            let count = in_steady_state(&chunks, |chunk| _ = reply.push(chunk));
            assert_eq!(reply.progress(), Progress::Closed);
            allocations(options, &name, count, half, NONE);
        }
        if let Some(name) = options.wanted(format!("7 allocations/tip/{corpus}/4B")) {
            let mut reply = Reply::live(Expect::any()).with_capacity(room);
            let count = in_steady_state(&chunks, |chunk| {
                let _ = reply.push(chunk);
                black_box(reply.view().tip().map(|tip| tip.span()));
            });
            allocations(options, &name, count, half, None);
        }
        if let Some(name) = options.wanted(format!("7 allocations/changes/{corpus}/4B")) {
            let (mut reply, mut cursor) = (Reply::live(Expect::any()).with_capacity(room), Cursor::default());
            let count = in_steady_state(&chunks, |chunk| {
                let _ = reply.push(chunk);
                reply.view().changes(&mut cursor).for_each(|change| _ = black_box(change));
            });
            allocations(options, &name, count, half, None);
        }
    }
    let text = workload::w2();
    let chunks = workload::chunks(&text, 4);
    if let Some(name) = options.wanted("7 allocations/jsonmodem/W2/4B".to_owned()) {
        let mut parser = StreamingParser::new(ParserOptions::default());
        let count = in_steady_state(&chunks, |chunk| {
            parser.feed(chunk);
            parser.by_ref().for_each(|event| _ = black_box(event));
        });
        allocations(options, &name, count, chunks.len() - chunks.len() / 2, None);
    }
    if let Some(name) = options.wanted("7 allocations/jiter/W2/4B, every 100th prefix".to_owned()) {
        let ends: Vec<usize> =
            (1..text.len() / 400).map(|at| at * 400).filter(|&at| text.is_char_boundary(at)).collect();
        let read = |end: &usize| {
            let prefix = &text.as_bytes()[..*end];
            assert!(JsonValue::parse_with_config(prefix, false, PartialMode::TrailingStrings).is_ok());
        };
        let half = ends.len() / 2;
        let counted = held::count(|| ends[half..].iter().for_each(read));
        allocations(options, &name, counted.allocations, ends.len() - half, None);
    }
    if let Some(name) = options.wanted("7 allocations/session kept/S/1 event".to_owned()) {
        let events = workload::s();
        let events: Vec<&str> = events.iter().map(|event| &*event.text).collect();
        let mut session = Session::new(&SessionOptions::default());
        let count =
            in_steady_state(&events, |event| _ = session.push(event.as_bytes(), &mut |event| _ = black_box(event)));
        allocations(options, &name, count, events.len() - events.len() / 2, None);
    }
}

/// Row 8: the reply itself counts too, in a box.
fn rows_of_memory(options: &Options) {
    // The second is a little more than a power of two.
    let texts = [("W2", workload::w2()), ("W2 of 132 KB", workload::w2_of(132_000)), ("W6", workload::w6())];
    for (corpus, text) in texts {
        let hint = [("size hint", Some(text.len()), (1.1, 1.01)), ("no hint", None, (2.1, 1.6))];
        for (what, room, bars) in hint {
            let Some(name) = options.wanted(format!("8 peak/{corpus}/4B, {what} : reply")) else { continue };
            let chunks = workload::chunks(&text, 4);
            let most = held::count(|| {
                let reply = Reply::new(Expect::any());
                let mut reply = Box::new(match room {
                    Some(room) => reply.with_capacity(room),
                    None => reply,
                });
                chunks.iter().for_each(|chunk| _ = reply.push(chunk));
                assert_eq!(reply.progress(), Progress::Closed);
                reply
            });
            let (most, len) = (most.most, text.len());
            options.counted(&name, format!("{most} B"), format!("{len} B"), most as f64 / len as f64, Some(bars));
        }
    }
    if let Some(name) = options.wanted("8 idle Scanner, bytes".to_owned()) {
        let mut scanner = Scanner::new(&Expect::any());
        assert_eq!(scanner.push("Here: {\"items\": [{\"note\": \"so far", &mut ()), Progress::Open);
        // What lies elsewhere is a part of it.
        let size = size_of::<Scanner>() + scanner.heap_len();
        options.counted(&name, format!("{size} B"), "-".to_owned(), size as f64, Some((512.0, 192.0)));
    }
}

fn main() {
    let options = Options::from_args();
    options.begin();
    rows_of_allocations(&options);
    rows_of_memory(&options);
}
