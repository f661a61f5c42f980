//! Live views over the corpora and over generated replies, at every byte.
//!
//! `cargo test --release --test view -- --ignored --nocapture contradictions` counts: prefixes that were looked at, those that the
//! document contradicts, and how often something that was shown was taken back.

use std::panic::{RefUnwindSafe, catch_unwind};

use thusfar::Elements;
use thusfar::{Ending, Expect, Limits, RepairKind, Reply, Root, Take};
use thusfar_testkit::live::{Marks, Seen, live};
use thusfar_testkit::workload::Random;
use thusfar_testkit::{corpus, generate};

/// A reply: its name, the root that is expected, its text.
type Row = (String, Root, String);

/// Every row of the corpora that is a reply: cases, reference, captures, known truth.
fn replies() -> Vec<Row> {
    let root = |name: &str| match name {
        "object" => Root::Object,
        "array" => Root::Array,
        "value" => Root::Value,
        _ => Root::Any,
    };
    let captures = corpus::captures().into_iter().map(|row| (row.id, root(&row.root), row.text));
    captures.chain(corpus::replies()).collect()
}

/// Replies that are generated: every other one is damaged.
fn generated(count: usize, seed: u64) -> Vec<Row> {
    let mut random = Random::new(seed);
    let one = |number| {
        let case = generate::case(&mut random);
        let text = if number % 2 == 0 { case.reply() } else { case.one(&mut random).reply };
        (format!("generated {number}"), case.root, text)
    };
    (0..count).map(one).collect()
}

/// What was seen of all rows; panics with those that broke, or whose document contradicts what was shown.
fn all(rows: &[Row], take: Take, marks: Marks) -> Seen {
    all_as(rows, |expect| expect.take(take), marks)
}

/// The same of what is expected in another way.
fn all_as(rows: &[Row], how: impl Fn(Expect) -> Expect + RefUnwindSafe, marks: Marks) -> Seen {
    let (mut seen, mut broken) = (Seen::default(), Vec::new());
    for (name, root, text) in rows {
        let expect = how(Expect::root(*root));
        match catch_unwind(|| live(text.as_bytes(), expect, Ending::Unknown, [3, 0, 11], marks)) {
            Ok(one) if one.contradicting == 0 => seen += one,
            Ok(one) => broken.push(format!("{name}: {one:?}: {text:?}")),
            Err(_) => broken.push(format!("{name}: told above: {text:?}")),
        }
    }
    assert!(broken.is_empty(), "{} of {}:\n{}", broken.len(), rows.len(), broken.join("\n"));
    seen
}

/// The part of the corpora with an even number, or an odd one.
fn half(of: usize) -> Vec<Row> {
    replies().into_iter().skip(of).step_by(2).collect()
}

/// Of long rows, as many places as this; `contradictions` looks at all of them.
const MOST: Marks = Marks::Most(400);

// In halves, so that they run side by side.

#[test]
fn the_corpora_at_every_byte() {
    let seen = all(&half(0), Take::Only, MOST);
    assert!(seen.prefixes > 150_000 && seen.shown * 10 > seen.prefixes * 8 && seen.restarts > 20, "{seen:?}");
}

#[test]
fn the_other_half_of_the_corpora_at_every_byte() {
    let seen = all(&half(1), Take::Only, MOST);
    assert!(seen.prefixes > 150_000 && seen.shown * 10 > seen.prefixes * 8 && seen.restarts > 20, "{seen:?}");
}

#[test]
fn whichever_is_taken() {
    for take in [Take::First, Take::Last, Take::Alone] {
        all(&replies(), take, Marks::Most(12));
    }
}

/// A repair that is switched off, or one too many, is a failure: what is refused is not shown.
#[test]
fn where_repairs_are_refused() {
    let rows: Vec<Row> = replies().into_iter().step_by(3).collect();
    for kind in RepairKind::ALL {
        all_as(&rows, |expect| expect.without(kind), Marks::Most(6));
    }
}

/// What is too much is not shown.
#[test]
fn where_limits_are_reached() {
    let rows: Vec<Row> = replies().into_iter().skip(1).step_by(3).collect();
    let of = |limits: Limits| all_as(&rows, |expect| expect.limits(limits), Marks::Most(12));
    let defaults = Limits::default();
    of(Limits { repairs: Some(0), ..defaults });
    of(Limits { repairs: Some(1), ..defaults });
    of(Limits { nesting: Some(1), ..defaults });
    of(Limits { keys: Some(1), ..defaults });
    of(Limits { reply_len: Some(40), ..defaults });
    of(Limits { text_before: Some(256), text_behind: Some(256), ..defaults });
}

#[test]
fn generated_replies() {
    let seen = all(&generated(600, 3), Take::Only, Marks::Most(32));
    assert!(seen.restarts > 20, "{seen:?}");
}

/// The rows that say what a view may show at their end, and what has closed by then.
#[test]
fn vectors_with_a_partial_view() {
    let mut count = 0;
    for row in corpus::cases().into_iter().filter(|row| !row.expected["partial_view"].is_null()) {
        let wanted = Some(&row.expected["partial_view"]);
        for len in [1, 2, 3, 1_000] {
            let mut reply = Reply::live(Expect::any());
            row.input.as_bytes().chunks(len).for_each(|chunk| _ = reply.push_bytes(chunk));
            assert_eq!(reply.view().to_value().as_ref(), wanted, "{}", row.id);
            let closed: Vec<_> = row.expected["closed"].as_array().into_iter().flatten().collect();
            for pointer in &closed {
                let pointer = pointer.as_str().expect("a pointer");
                assert!(reply.view().get(pointer).is_some_and(|node| node.is_known()), "{}: {pointer}", row.id);
            }
            if !closed.is_empty() {
                let mut elements = Elements::new("/-").expect("a pointer");
                let view = reply.view();
                let given: Vec<_> = std::iter::from_fn(|| elements.next(&view)).map(|node| node.pointer()).collect();
                assert_eq!(
                    given,
                    closed.iter().filter_map(|pointer| pointer.as_str()).collect::<Vec<_>>(),
                    "{}",
                    row.id
                );
            }
            let failure = reply.finish(Ending::Unknown).expect_err("every one of them is cut");
            let partial = failure.partial().expect("what had been said can be seen");
            assert_eq!(partial.view().to_value().as_ref(), wanted, "{}", row.id);
        }
        count += 1;
    }
    assert!(count >= 17, "{count} rows");
}

/// The figures: every corpus and generated replies, at every byte.
#[test]
#[ignore = "some minutes; the figures of the live view"]
#[allow(clippy::print_stdout)] // The table is what it is for.
fn contradictions() {
    println!(
        "{:<28} {:>8} {:>10} {:>10} {:>14} {:>9}",
        "", "replies", "prefixes", "shown", "contradicting", "restarts"
    );
    let mut total = (0, Seen::default());
    let mut line = |name: &str, rows: &[Row], take: Take| {
        let seen = all(rows, take, Marks::Every);
        let Seen { prefixes, shown, contradicting, restarts } = seen;
        println!("{name:<28} {:>8} {prefixes:>10} {shown:>10} {contradicting:>14} {restarts:>9}", rows.len());
        total.0 += rows.len();
        total.1 += seen;
    };
    let corpora = replies();
    for (name, take) in [("only", Take::Only), ("first", Take::First), ("last", Take::Last), ("alone", Take::Alone)] {
        line(&format!("corpora, take {name}"), &corpora, take);
    }
    line("generated, take only", &generated(10_000, 71), Take::Only);
    line("generated, take last", &generated(2_000, 72), Take::Last);
    let (replies, Seen { prefixes, shown, contradicting, restarts }) = total;
    println!("{:<28} {replies:>8} {prefixes:>10} {shown:>10} {contradicting:>14} {restarts:>9}", "all");
}
