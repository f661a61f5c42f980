//! What a push costs, whole and in the pieces a network sends, beside `serde_json` and the bare scanner.
//!
//! Groups are named stage / corpus / chunking. `serde_json` reads the whole only: it has no way to take a piece. Each
//! answer is asserted: whole documents before the clock starts, the last progress inside.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BatchSize, Criterion, Throughput};
use serde_json::Value;
use thusfar::{Ending, Expect, Progress, Reply};
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

fn main() {
    // Short runs: the cores of most machines are shared, and a ratio comes from `peers`.
    let mut criterion = Criterion::default()
        .sample_size(30)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(1_500))
        .configure_from_args();
    push(&mut criterion);
    criterion.final_summary();
}
