//! What an event costs: run by hand, since time is no property of the code alone.
//!
//! ```text
//! cargo test --release -p thusfar-stream --lib -- --ignored --nocapture cost
//! ```

extern crate std;

use std::format;
use std::hint::black_box;
use std::io::Write as _;
use std::string::String;
use std::time::Instant;
use std::vec::Vec;

use thusfar_testkit::workload::{self, WireEvent};

use super::corpus::tree;
use super::*;
use crate::facts::Slot;
use crate::provider::Provider;

const OPENAI_CHAT: &[(&str, Slot)] = Provider::OpenAi.dialect().paths;
const ANTHROPIC: &[(&str, Slot)] = Provider::Anthropic.dialect().paths;

const ROUNDS: usize = 41;

type Case<'c, 'a> = (&'static str, &'c mut dyn FnMut(&'a [u8]) -> usize);

/// The data of an event.
fn data(event: &WireEvent) -> &[u8] {
    let begin = event.text.find("data: ").expect("a line of data") + 6;
    &event.text.as_bytes()[begin..begin + event.data_len]
}

/// Tells the nanoseconds of an event in each case: the median of the rounds, in which the cases take turns, and the least.
fn measure<'a>(corpus: &str, events: &[&'a [u8]], cases: &mut [Case<'_, 'a>]) {
    let mut times: Vec<Vec<f64>> = cases.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for ((_, case), times) in cases.iter_mut().zip(&mut times) {
            let start = Instant::now();
            for event in events {
                black_box(case(black_box(event)));
            }
            times.push(start.elapsed().as_nanos() as f64 / events.len() as f64);
        }
    }
    for ((case, _), times) in cases.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let (median, least) = (times[ROUNDS / 2], times[0]);
        writeln!(std::io::stderr(), "{corpus}  {case:<28} {median:6.1} ns, least {least:6.1}").expect("written");
    }
}

#[test]
#[ignore = "a measurement"]
fn cost_of_an_event() {
    let (s, a) = (workload::s(), workload::a());
    // The deltas alone.
    for (corpus, table, events) in [("S", OPENAI_CHAT, &s[1..2_001]), ("A", ANTHROPIC, &a[..2_000])] {
        let events: Vec<&[u8]> = events.iter().map(data).collect();
        let paths = Paths::new(table);
        let mut facts: [Facts<'_>; 3] = Default::default();
        let [walked, found, planned] = &mut facts;
        let (mut extractor, mut quick) = (Extractor::<()>::new(tree(table)), Extractor::new(tree(table)));
        for event in &events[..10] {
            quick.facts(event, planned).expect("JSON");
        }
        assert!(quick.plan(7));
        let mut by_walk = |event| {
            walk(&paths, event, walked).expect("JSON");
            walked.len()
        };
        let mut by_facts = |event| {
            extractor.facts(event, found).expect("JSON");
            found.len()
        };
        let mut by_quick = |event| quick.quick(event).map_or(0, |(plan, text)| plan + text.len());
        let mut by_all = |event: &[u8]| usize::from(events[0] == event) + event.len();
        measure(
            corpus,
            &events,
            &mut [
                ("walk", &mut by_walk),
                ("facts", &mut by_facts),
                ("quick", &mut by_quick),
                ("compared with the first", &mut by_all),
            ],
        );
        assert!(extractor.walks() < 5 && quick.walks() < 5, "templates fit");
    }
}

/// Puts a key of a few into each event, which take turns.
fn with_keys(events: &[WireEvent], count: usize, at_front: bool) -> Vec<String> {
    let other = |(number, event): (usize, &WireEvent)| {
        let text = String::from_utf8(data(event).to_vec()).expect("UTF-8");
        // Keys of one length, so that no template is turned away by its length.
        let member = format!("\"{:04}\":0", number % count);
        let inside = &text[1..text.len() - 1];
        if at_front { format!("{{{member},{inside}}}") } else { format!("{{{inside},{member}}}") }
    };
    events.iter().enumerate().map(other).collect()
}

/// No event is like the one before it, or any. Where they differ is what the cost of being turned away hangs on.
#[test]
#[ignore = "a measurement"]
fn cost_of_events_that_are_not_alike() {
    let (s, a) = (workload::s(), workload::a());
    let (s, a) = ((OPENAI_CHAT, &s[1..2_001]), (ANTHROPIC, &a[..2_000]));
    let corpora = [
        ("S, 2000 first keys", s, 2_000, true),
        ("S, 2000 last keys", s, 2_000, false),
        ("S, 3 last keys", s, 3, false),
        ("S, 5 first keys", s, 5, true),
        ("S, 5 last keys", s, 5, false),
        ("S, 12 last keys", s, 12, false),
        ("A, 2000 first keys", a, 2_000, true),
        ("A, 2000 last keys", a, 2_000, false),
        ("A, 5 last keys", a, 5, false),
    ];
    for (corpus, (table, events), count, at_front) in corpora {
        let events = with_keys(events, count, at_front);
        let events: Vec<&[u8]> = events.iter().map(|event| event.as_bytes()).collect();
        let paths = Paths::new(table);
        let mut facts: [Facts<'_>; 4] = Default::default();
        let [walked, found, quickly, learned] = &mut facts;
        let [mut extractor, mut quick, mut learner] = [(); 3].map(|()| Extractor::<usize>::new(tree(table)));
        let mut by_walk = |event| {
            walk(&paths, event, walked).expect("JSON");
            walked.len()
        };
        let mut by_facts = |event| {
            extractor.facts(event, found).expect("JSON");
            found.len()
        };
        let mut by_quick = |event| {
            if quick.quick(event).is_none() {
                quick.facts(event, quickly).expect("JSON");
                quick.plan(7);
            }
            quickly.len()
        };
        let mut by_learning = |event| {
            learner.to_learn = MOST_TO_LEARN;
            learner.facts(event, learned).expect("JSON");
            learned.len()
        };
        measure(
            corpus,
            &events,
            &mut [
                ("walk", &mut by_walk),
                ("facts", &mut by_facts),
                ("quick, facts, plan", &mut by_quick),
                ("learning always", &mut by_learning),
            ],
        );
    }
}
