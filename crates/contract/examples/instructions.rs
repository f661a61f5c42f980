//! One workload, once, for a counter of instructions: `instructions push/W2/4B` prints its bytes, `instructions` the names.
//!
//! `.ci/instructions` runs it under callgrind, which collects inside [`counted`] alone: texts, chunks, the reply and a schema are made
//! outside, and the answer is asserted outside. A first pass goes uncounted, so that what is found out once (the vectors of the
//! processor, the first pages of the heap) is in no figure.
#![allow(clippy::print_stdout)] // What it prints is its answer.

use std::env;
use std::hint::black_box;

use thusfar_contract::Contract;
use thusfar_core::{Cursor, Ending, Expect, Live, Progress, Reply};
use thusfar_stream::{Session, SessionOptions};
use thusfar_testkit::workload::{chunks, dirty_w2, named, s, schema_of};

const NAMES: [&str; 12] = [
    "push/W1/4B",
    "push/W2/4B",
    "push/W2/16KB",
    "push/W4/250B",
    "push/W5/4B",
    "push/W6/4B",
    "push/W6/16KB",
    "push/dirty/whole",
    "view/W4/4B",
    "changes/W2/4B",
    "monitor/W1/4B",
    "session/S/event",
];

/// What is counted. Nothing else may have a name like it: where another is entered, callgrind stops to collect.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    black_box(()); // The call above is no jump.
}

/// Runs some work on two fresh states, the second one counted.
fn run<T>(make: impl Fn() -> T, work: impl Fn(&mut T)) -> T {
    work(&mut make());
    let mut state = make();
    counted(&mut || work(black_box(&mut state)));
    state
}

fn push(pieces: &[&str]) {
    let reply = run(
        || Reply::new(Expect::any()),
        |reply| {
            for piece in pieces {
                let _ = reply.push(piece);
            }
        },
    );
    assert_eq!(reply.progress(), Progress::Closed);
    assert!(reply.finish(Ending::Stop).is_ok());
}

fn view(pieces: &[&str]) {
    let reply = run(
        || Reply::live(Expect::any()),
        |reply| {
            for piece in pieces {
                let _ = reply.push(piece);
                if let Some(tip) = reply.view().tip() {
                    let raw = tip.raw().as_bytes();
                    black_box((tip.kind(), tip.state(), tip.span(), &raw[raw.len().saturating_sub(4)..]));
                }
            }
        },
    );
    assert_eq!(reply.progress(), Progress::Closed);
}

fn changes(pieces: &[&str]) {
    let make = || (Reply::live(Expect::any()), Cursor::default());
    let work = |(reply, cursor): &mut (Live, Cursor)| {
        for piece in pieces {
            let _ = reply.push(piece);
            for change in reply.view().changes(cursor) {
                black_box(&change.kind);
            }
        }
    };
    let (reply, cursor) = run(make, work);
    assert_eq!(reply.progress(), Progress::Closed);
    assert!(cursor.seq() > reply.view().nodes().len() as u64, "each value was told, and its end");
}

fn monitor(text: &str, pieces: &[&str]) {
    let expect = Expect::any();
    let contract = Contract::from_schema(&schema_of(text)).expect("a schema");
    let reply = run(
        || Reply::with_sink(expect, contract.monitor(&expect)),
        |reply| {
            for piece in pieces {
                let _ = reply.push(piece);
            }
        },
    );
    assert_eq!(reply.progress(), Progress::Closed);
    let (document, monitor) = reply.finish_into(Ending::Stop);
    assert_eq!(document.ok().map(|document| monitor.verdict(document.span())), Some(Some(true)));
}

/// An event a chunk; the bytes of them all.
fn session() -> usize {
    let options = SessionOptions::default().judge_text(Expect::any());
    let events = s();
    let session = run(
        || Session::new(&options),
        |session| {
            for event in &events {
                let _ = session.push(event.text.as_bytes(), &mut |event| _ = black_box(event));
            }
        },
    );
    let text_len: usize = events.iter().map(|event| event.content.len()).sum();
    let lane = session.lanes().next().expect("a lane");
    assert_eq!((lane.text_len(), lane.progress()), (text_len as u64, Some(Progress::Closed)));
    events.iter().map(|event| event.text.len()).sum()
}

fn main() {
    let Some(name) = env::args().nth(1) else {
        NAMES.iter().for_each(|name| println!("{name}"));
        return;
    };
    assert!(NAMES.contains(&&*name), "no workload of the name {name:?}");
    let parts: Vec<&str> = name.split('/').collect();
    let (what, corpus, chunking) = (parts[0], parts[1], parts[2]);
    if what == "session" {
        println!("{}", session());
        return;
    }
    let text = if corpus == "dirty" { dirty_w2() } else { named(corpus).text };
    let len = match chunking {
        "4B" => 4,
        "250B" => 250,
        "16KB" => 16 << 10,
        _ => usize::MAX,
    };
    let pieces = chunks(&text, len);
    match what {
        "push" => push(&pieces),
        "view" => view(&pieces),
        "changes" => changes(&pieces),
        _ => monitor(&text, &pieces),
    }
    println!("{}", text.len());
}
