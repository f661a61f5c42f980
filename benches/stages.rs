//! Criterion groups of every stage: push, view, changes, wire, monitor.
//!
//! Groups are named stage / corpus / chunking. Beside a push stand `serde_json`, which reads the whole only, and the bare scanner; beside the
//! other stages the push alone. Each answer is asserted: whole documents before the clock starts, the last progress inside.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput};
use serde_json::Value;
use thusfar::{Cursor, Ending, Expect, Live, Progress, Reply};
use thusfar_contract::{Contract, Monitor};
use thusfar_stream::sse::Decoder;
use thusfar_stream::{Session, SessionOptions};
use thusfar_testkit::workload;

#[path = "common/bare.rs"]
mod bare;

use bare::Bare;

const CHUNKINGS: [(&str, usize); 4] = [("4B", 4), ("64B", 64), ("1400B", 1_400), ("whole", usize::MAX)];

fn start() -> (Reply, Progress) {
    (Reply::new(Expect::any()), Progress::Searching)
}

fn push_all((reply, progress): &mut (Reply, Progress), pieces: &[&str]) {
    for piece in pieces {
        *progress = reply.push(piece);
    }
    assert_eq!(*progress, Progress::Closed);
}

fn push(criterion: &mut Criterion) {
    for workload::Workload { name, text } in workload::all() {
        bare::check(&text);
        // Made and dropped outside the clock, a few at a time, so that the memory of one batch serves the next: fresh
        // pages for each iteration would cost more than the push.
        let batch = BatchSize::NumIterations((64_000 / text.len() as u64).max(1));
        for (chunking, len) in CHUNKINGS {
            let pieces = workload::chunks(&text, len);
            let mut whole_way = start();
            push_all(&mut whole_way, &pieces);
            match whole_way.0.finish(Ending::Stop) {
                Ok(document) => assert_eq!(document.text(), text, "{name} comes out as it was written"),
                Err(_) => panic!("{name} in {chunking} has no document"),
            }

            let mut group = criterion.benchmark_group(format!("push/{name}/{chunking}"));
            group.throughput(Throughput::Bytes(text.len() as u64));
            group.bench_function("thusfar", |bencher| {
                bencher.iter_batched_ref(start, |state| push_all(state, black_box(&pieces)), batch);
            });
            group.bench_function("bare_scanner", |bencher| {
                let scan_all = |bare: &mut Bare| {
                    for piece in black_box(&pieces) {
                        bare.push(piece.as_bytes());
                    }
                    bare.assert_done();
                };
                bencher.iter_batched_ref(Bare::new, scan_all, batch);
            });
            if chunking == "whole" {
                group.bench_function("serde_json", |bencher| {
                    let parse = |value: &mut Option<Value>| {
                        *value = serde_json::from_str(black_box(&text)).ok();
                        assert!(value.is_some());
                    };
                    bencher.iter_batched_ref(|| None, parse, batch);
                });
            }
            group.finish();
        }
    }
}

/// The chunkings in which looking while the reply comes is shown.
const LOOKED_AT: [(&str, usize); 2] = [CHUNKINGS[0], CHUNKINGS[2]];

fn few(text: &str) -> BatchSize {
    BatchSize::NumIterations((64_000 / text.len() as u64).max(1))
}

/// A view and its tip, or the changes, after every chunk.
fn look(criterion: &mut Criterion) {
    for workload::Workload { name, text } in workload::all() {
        for (chunking, len) in LOOKED_AT {
            let pieces = workload::chunks(&text, len);
            let mut group = criterion.benchmark_group(format!("view/{name}/{chunking}"));
            group.throughput(Throughput::Bytes(text.len() as u64));
            let tips = |reply: &mut Live| {
                for piece in black_box(&pieces) {
                    let _ = reply.push(piece);
                    black_box(reply.view().tip().map(|tip| (tip.kind(), tip.state(), tip.span())));
                }
                assert_eq!(reply.progress(), Progress::Closed);
            };
            group.bench_function("tip", |bencher| {
                bencher.iter_batched_ref(|| Reply::live(Expect::any()), tips, few(&text));
            });
            group.bench_function("push", |bencher| {
                bencher.iter_batched_ref(start, |state| push_all(state, black_box(&pieces)), few(&text));
            });
            group.finish();

            let mut group = criterion.benchmark_group(format!("changes/{name}/{chunking}"));
            group.throughput(Throughput::Bytes(text.len() as u64));
            let changes = |(reply, cursor): &mut (Live, Cursor)| {
                for piece in black_box(&pieces) {
                    let _ = reply.push(piece);
                    reply.view().changes(cursor).for_each(|change| _ = black_box(change));
                }
                assert_eq!(reply.progress(), Progress::Closed);
            };
            group.bench_function("thusfar", |bencher| {
                bencher.iter_batched_ref(|| (Reply::live(Expect::any()), Cursor::default()), changes, few(&text));
            });
            group.finish();
        }
    }
}

/// The events of a body, and the whole way to a text that is judged.
fn wire(criterion: &mut Criterion) {
    for (name, events) in [("S", workload::s()), ("A", workload::a())] {
        let body: String = events.iter().map(|event| event.text.as_str()).collect();
        for (chunking, len) in CHUNKINGS {
            let pieces: Vec<&[u8]> = body.as_bytes().chunks(len.min(body.len())).collect();
            let mut group = criterion.benchmark_group(format!("wire/{name}/{chunking}"));
            group.throughput(Throughput::Bytes(body.len() as u64));
            let decode = |decoder: &mut Decoder| {
                let mut count = 0;
                for piece in black_box(&pieces) {
                    let mut rest = *piece;
                    while let Some(item) = decoder.next_item(&mut rest).expect("within the limits") {
                        count += usize::from(item.event().is_some());
                    }
                }
                assert_eq!(count, events.len());
            };
            group.bench_function("events", |bencher| {
                bencher.iter_batched_ref(Decoder::new, decode, BatchSize::NumIterations(1));
            });
            let options = SessionOptions::default().judge_text(Expect::any());
            let session = |session: &mut Session| {
                for piece in black_box(&pieces) {
                    let _ = session.push(piece, &mut |event| _ = black_box(event));
                }
                let lane = session.lanes().next().expect("a lane");
                assert_eq!(lane.progress(), Some(Progress::Closed));
            };
            group.bench_function("session", |bencher| {
                bencher.iter_batched_ref(|| Session::new(&options), session, BatchSize::NumIterations(1));
            });
            group.finish();
        }
    }
}

/// A schema held against an array of records.
fn monitor(criterion: &mut Criterion) {
    let schema = r#"{"type": "array", "items": {"type": "object", "required": ["id", "state"], "properties": {
        "id": {"type": "string", "maxLength": 40}, "name": {"type": "string"}, "score": {"type": "integer", "minimum": 0},
        "state": {"enum": ["open", "held", "sent", "closed", "returned"]}, "note": {"type": "string"},
        "done": {"type": "boolean"}, "tags": {"type": "array", "items": {"type": "string"}}}}}"#;
    let contract = Contract::from_schema(schema).expect("a schema");
    let text = workload::w2();
    for (chunking, len) in CHUNKINGS {
        let pieces = workload::chunks(&text, len);
        let mut group = criterion.benchmark_group(format!("monitor/W2/{chunking}"));
        group.throughput(Throughput::Bytes(text.len() as u64));
        let expect = Expect::any();
        let run = |reply: &mut Reply<Monitor>| {
            pieces.iter().for_each(|piece| _ = reply.push(black_box(piece)));
            assert_eq!(reply.progress(), Progress::Closed);
        };
        group.bench_function("thusfar", |bencher| {
            bencher.iter_batched_ref(|| Reply::with_sink(expect, contract.monitor(&expect)), run, few(&text));
        });
        group.bench_function("push", |bencher| {
            bencher.iter_batched_ref(start, |state| push_all(state, black_box(&pieces)), few(&text));
        });
        group.finish();
    }
}

fn main() {
    // Short runs: the cores of most machines are shared, and a ratio comes from `peers`.
    let mut criterion = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1_500))
        .configure_from_args();
    push(&mut criterion);
    look(&mut criterion);
    wire(&mut criterion);
    monitor(&mut criterion);
    criterion.final_summary();
}
