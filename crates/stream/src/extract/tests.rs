//! A template and the scanner give the same facts, of recorded and of damaged events.

extern crate std;

use std::format;
use std::string::String;
use std::vec::Vec;

use thusfar_testkit::random::Random;

use super::corpus::{Recorded, Table, recorded, tree};
use super::oracle;
use super::*;
use crate::facts::Slot;
use crate::facts::{Fact, Written};
use crate::provider::Provider;

const OPENAI_CHAT: Table = Provider::OpenAi.dialect().paths;

/// A fact of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Kept {
    slot: Slot,
    written: Written,
    row: u8,
    place: [u16; 3],
    text: Vec<u8>,
}

type Answer = Result<Vec<Kept>, NoJson>;

fn answer(result: Result<(), NoJson>, facts: &Facts<'_>) -> Answer {
    let kept = |&Fact { slot, written, row, place, text }: &Fact<'_>| {
        let text = text.to_vec();
        Kept { slot, written, row, place, text }
    };
    assert!(result.is_ok() || facts.is_empty(), "a broken event has no facts");
    result.map(|()| facts.iter().map(kept).collect())
}

fn by_walk(paths: &Paths, data: &[u8]) -> Answer {
    let mut facts = Facts::new();
    let result = walk(paths, data, &mut facts);
    answer(result, &facts)
}

fn by_extractor<P: Copy>(extractor: &mut Extractor<P>, data: &[u8]) -> Answer {
    let mut facts = Facts::new();
    let result = extractor.facts(data, &mut facts);
    answer(result, &facts)
}

fn shown(data: &[u8]) -> String {
    format!("{}", data.escape_ascii())
}

/// Holds the scanner to the parser. It takes more: what it does not look at.
fn same_as_the_parser(table: Table, data: &[u8]) -> usize {
    let mut facts = Facts::new();
    let result = walk(&Paths::new(table), data, &mut facts);
    match oracle::read(table, data) {
        Ok(told) => assert_eq!(result.map(|()| oracle::told(&facts)), Ok(told), "{}", shown(data)),
        Err(error) => assert!(result.is_err() || oracle::is_of_content(&error), "{error}: {}", shown(data)),
    }
    facts.len()
}

/// Every recording is read: with its own provider's table, and of the streams with those of all others too.
#[test]
fn all_bodies_are_there() {
    let (captures, streams): (Vec<_>, Vec<_>) = recorded().into_iter().partition(Recorded::is_capture);
    assert_eq!(captures.len(), 92);
    assert_eq!(streams.len(), if cfg!(feature = "aws") { 50 } else { 46 });
    let is_silent = |body: &&Recorded| body.events.is_empty();
    // A plain error, a page.
    assert!(captures.iter().filter(is_silent).count() <= 1 && streams.iter().filter(is_silent).count() <= 2);
    assert!(streams.iter().all(|body| body.tables().len() > 8 && body.tables().contains(&body.table())));
}

#[test]
fn the_scanner_reads_what_a_parser_reads() {
    let mut facts_count = 0;
    for body in recorded() {
        for table in body.tables() {
            let counts = body.events.iter().map(|event| same_as_the_parser(table, event));
            facts_count += counts.sum::<usize>();
        }
    }
    assert!(facts_count > 50_000, "facts were found: {facts_count}");
}

#[test]
fn the_scanner_reads_what_a_parser_reads_of_damaged_events() {
    let (mut random, mut facts_count) = (Random::new(2), 0);
    for body in recorded() {
        for event in body.events.iter().take(12) {
            let tables = body.tables();
            for table in tables.iter().cycle().take(if body.is_capture() { 20 } else { 200 }) {
                facts_count += same_as_the_parser(table, &damaged(&mut random, event));
            }
        }
    }
    assert!(facts_count > 20_000, "{facts_count}");
}

#[test]
fn templates_give_the_facts_of_the_scanner() {
    let mut hits = 0;
    for body in recorded() {
        for table in body.tables() {
            let (paths, mut extractor) = (Paths::new(table), Extractor::<()>::new(tree(table)));
            for event in body.events.iter().chain(&body.events) {
                assert_eq!(by_extractor(&mut extractor, event), by_walk(&paths, event), "{}", shown(event));
            }
            assert_eq!(extractor.hits() + extractor.walks(), 2 * body.events.len() as u64);
            hits += extractor.hits();
        }
    }
    assert!(hits > 10_000, "templates were used: {hits}");
}

/// An event that is expected again, but for the text of one fact.
struct Expected {
    facts: Vec<Kept>,
    moving: usize,
}

/// Reads an event as the owner of an extractor does: quickly, else by its facts, and with a plan for the next one. Says
/// whether it was quick.
fn read(extractor: &mut Extractor<usize>, paths: &Paths, plans: &mut Vec<Expected>, data: &[u8]) -> bool {
    let walked = by_walk(paths, data);
    if let Some((plan, text)) = extractor.quick(data) {
        let Expected { facts, moving } = &plans[plan];
        let mut facts = facts.clone();
        facts[*moving].text = text.to_vec();
        assert_eq!(Ok(facts), walked, "{}", shown(data));
        return true;
    }
    assert_eq!(by_extractor(extractor, data), walked, "{}", shown(data));
    if let Ok(facts) = walked {
        if extractor.plan(plans.len()) {
            let current = extractor.current.expect("a template has a plan");
            let moving = extractor.learned[current].template.moving_fact().expect("one fact moves");
            plans.push(Expected { facts, moving });
        }
    }
    false
}

#[test]
fn a_plan_knows_all_facts_but_one() {
    let mut quick = 0;
    for body in recorded() {
        for table in body.tables() {
            let (paths, mut extractor, mut plans) = (Paths::new(table), Extractor::new(tree(table)), Vec::new());
            for event in body.events.iter().chain(&body.events) {
                quick += usize::from(read(&mut extractor, &paths, &mut plans, event));
            }
            extractor.forget_plans();
            assert!(body.events.iter().all(|event| extractor.quick(event).is_none()), "plans are forgotten");
        }
    }
    assert!(quick > 1_500, "plans were used: {quick}");
}

/// Bytes that matter to JSON, and some that do not.
const BYTES: &[u8] = b"\"\\{}[]:,0123456789.-+eE tfnu\n\x00\xff\xe9a";

/// An event with one to three small damages.
fn damaged(random: &mut Random, event: &[u8]) -> Vec<u8> {
    let mut data = event.to_vec();
    for _ in 0..1 + random.below(3) {
        let at = random.below(data.len().max(1));
        let byte = BYTES[random.below(BYTES.len())];
        match random.below(7) {
            0 if at < data.len() => data[at] ^= 1 << random.below(8),
            1 if at < data.len() => data[at] = byte,
            2 if at < data.len() => drop(data.remove(at)),
            3 if at < data.len() => data.insert(at, data[at]),
            4 => data.truncate(at),
            5 => data.insert(at.min(data.len()), byte),
            _ => {
                let until = (at + random.below(12)).min(data.len());
                let part = data[at.min(until)..until].to_vec();
                data.splice(at.min(until)..at.min(until), part);
            }
        }
    }
    data
}

/// Damaged events among whole ones, so that templates are there, and are learned from what is damaged and still JSON.
fn read_damaged(body: &Recorded, table: Table, random: &mut Random, count: usize) -> [usize; 3] {
    let (paths, mut extractor, mut plans) = (Paths::new(table), Extractor::new(tree(table)), Vec::new());
    let mut found = [0; 3];
    for number in 0..count {
        let event = &body.events[(number / 4) % body.events.len()];
        // Not too few templates for what is damaged.
        (extractor.to_learn, extractor.to_try) = (MOST_TO_LEARN, MOST_TO_TRY);
        if number % 4 == 0 {
            read(&mut extractor, &paths, &mut plans, event);
            continue;
        }
        let data = damaged(random, event);
        let hits = extractor.hits();
        let was_quick = read(&mut extractor, &paths, &mut plans, &data);
        let has_hit = extractor.hits() > hits;
        let counts = [was_quick, has_hit, by_walk(&paths, &data).is_err()];
        found.iter_mut().zip(counts).for_each(|(found, count)| *found += usize::from(count));
    }
    found
}

#[test]
fn damaged_events_give_the_facts_of_the_scanner() {
    let (mut random, mut total) = (Random::new(1), [0; 3]);
    for body in recorded().iter().filter(|body| !body.events.is_empty()) {
        for table in body.tables() {
            let count = if body.is_capture() { 400 } else { 800 };
            let found = read_damaged(body, table, &mut random, count);
            total.iter_mut().zip(found).for_each(|(total, found)| *total += found);
        }
    }
    let [quick, hits, broken] = total;
    assert!(quick > 1_000 && hits > 10_000 && broken > 100_000, "{total:?}");
}

#[test]
fn most_events_of_a_long_stream_fit_a_template() {
    let (mut all_count, mut all_quick) = (0, 0);
    for body in recorded().iter().filter(|body| body.events.len() >= 50) {
        let table = body.table();
        let (paths, mut extractor, mut plans) = (Paths::new(table), Extractor::new(tree(table)), Vec::new());
        let mut is_quick = |event: &&Vec<u8>| read(&mut extractor, &paths, &mut plans, event);
        let quick = body.events.iter().filter(&mut is_quick).count();
        let (hits, count) = (extractor.hits() as usize, body.events.len());
        assert!(hits * 100 >= count * 90, "{}: {hits} of {count}", body.name);
        all_count += count;
        all_quick += quick;
    }
    // The server of llama.cpp, at its own path, counts in every event: there no text moves alone.
    assert!(all_count > 5_000 && all_quick * 100 >= all_count * 90, "{all_quick} of {all_count}");
}

fn chat(id: &str, choices: &str) -> String {
    format!("{{\"id\":\"{id}\",\"choices\":[{choices}],\"usage\":{{\"n\":{}}}}}", id.len())
}

fn choice(index: usize, content: &str) -> String {
    format!("{{\"index\":{index},\"delta\":{{\"content\":\"{content}\"}}}}")
}

/// How many of some events fit a template, and how many have a plan.
fn rates(events: impl IntoIterator<Item = String>) -> (u64, usize) {
    let (paths, mut extractor, mut plans) = (Paths::new(OPENAI_CHAT), Extractor::new(tree(OPENAI_CHAT)), Vec::new());
    let read = |event: String| read(&mut extractor, &paths, &mut plans, event.as_bytes());
    let quick = events.into_iter().map(read).filter(|is_quick| *is_quick).count();
    (extractor.hits(), quick)
}

#[test]
fn the_second_event_of_a_shape_fits() {
    let event = |number: usize| format!("{{\"choices\":[{}]}}", choice(0, &"x".repeat(number)));
    assert_eq!(rates((0..100).map(event)), (99, 99));
}

#[test]
fn choices_that_take_turns_have_plans_each() {
    let event = |number: usize| format!("{{\"choices\":[{}]}}", choice(number % 2, "x"));
    assert_eq!(rates((0..100).map(event)), (98, 98));
    // The third makes a hole of the number: its events and those of the second have no plan.
    let event = |number: usize| format!("{{\"choices\":[{}]}}", choice(number % 3, "x"));
    assert_eq!(rates((0..300).map(event)), (297, 99));
}

#[test]
fn a_fact_that_changes_seldom_stays_literal() {
    let event = |number: usize| format!("{{\"choices\":[{}]}}", choice(number / 20, "x"));
    assert_eq!(rates((0..200).map(event)), (190, 190));
}

#[test]
fn a_new_template_has_the_holes_of_its_like() {
    let id = |number: usize| "x".repeat(number % 7);
    let event = |number| format!("{{\"id\":\"{}\",\"choices\":[{}]}}", id(number), choice(number / 20, "x"));
    // Two for the first number, one for each other.
    assert_eq!(rates((0..200).map(event)), (189, 189));
}

#[test]
fn a_container_that_moves_has_no_plan() {
    let event = |number: usize| chat(&"x".repeat(1 + number % 9), &choice(0, "y"));
    let (hits, quick) = rates((0..100).map(event));
    assert_eq!((hits, quick), (98, 0), "the counts are a fact");
}

#[test]
fn two_lanes_in_one_event_have_no_plan() {
    let event = |number: usize| chat("x", &[choice(0, &"a".repeat(number)), choice(1, "b")].join(","));
    assert_eq!(rates((0..100).map(event)), (99, 0));
}

#[test]
fn a_plan_outlives_a_hole_that_is_no_fact() {
    let mut extractor = Extractor::new(tree(OPENAI_CHAT));
    let event = |id: &str, index| format!("{{\"id\":\"{id}\",\"choices\":[{}]}}", choice(index, "x"));
    let first = event("a", 0);
    by_extractor(&mut extractor, first.as_bytes()).expect("JSON");
    assert!(extractor.plan('p'));
    by_extractor(&mut extractor, event("bc", 0).as_bytes()).expect("JSON");
    assert_eq!(extractor.quick(event("def", 0).as_bytes()), Some(('p', &b"x"[..])));
    // The same skeleton with another fact has a template of its own, and no plan yet.
    by_extractor(&mut extractor, event("g", 1).as_bytes()).expect("JSON");
    assert_eq!(extractor.quick(event("h", 1).as_bytes()), None);
    by_extractor(&mut extractor, event("h", 1).as_bytes()).expect("JSON");
    assert!(extractor.plan('q'));
    assert_eq!(extractor.quick(event("i", 1).as_bytes()), Some(('q', &b"x"[..])));
    // The third takes the number for a hole: the plan that held it for literal is gone.
    by_extractor(&mut extractor, event("j", 2).as_bytes()).expect("JSON");
    assert_eq!(extractor.quick(event("k", 1).as_bytes()), None);
    assert!(!extractor.plan('r'));
    assert_eq!(extractor.quick(event("l", 0).as_bytes()), Some(('p', &b"x"[..])));
}

#[test]
fn no_plan_without_a_template() {
    let mut extractor = Extractor::new(tree(OPENAI_CHAT));
    assert!(!extractor.plan(1), "no event");
    let long = chat("x", &choice(0, &"y".repeat(LONGEST)));
    by_extractor(&mut extractor, long.as_bytes()).expect("JSON");
    assert!(!extractor.plan(1), "it is too long to learn");
    let short = format!("{{\"choices\":[{}]}}", choice(0, "z"));
    by_extractor(&mut extractor, short.as_bytes()).expect("JSON");
    assert!(by_extractor(&mut extractor, b"{").is_err());
    assert!(!extractor.plan(1), "the last event is broken");
}

#[test]
fn an_event_with_too_many_holes_is_walked() {
    let event = |number: usize, count| {
        let choices: Vec<String> = (0..count).map(|_| choice(0, &"x".repeat(number))).collect();
        chat("a", &choices.join(","))
    };
    assert_eq!(rates((0..100).map(|number| event(number, 64))).0, 99);
    assert_eq!(rates((0..100).map(|number| event(number, 65))).0, 0);
}

#[test]
fn learning_stops_where_it_does_not_pay() {
    let count = 10_000_u32;
    let (mut extractor, mut learned) = (Extractor::<()>::new(tree(OPENAI_CHAT)), 0);
    for number in 0..count {
        let event = format!("{{\"key {number:05}\":0}}");
        by_extractor(&mut extractor, event.as_bytes()).expect("JSON");
        learned += u32::from(extractor.current.is_some());
    }
    assert_eq!((extractor.hits(), extractor.walks()), (0, u64::from(count)));
    assert!(learned * LEARN <= MOST_TO_LEARN + count * WALK, "{learned} templates were learned");
    assert!(learned > 50, "it goes on now and then: {learned}");
    // It pays again.
    let event = |number: usize| format!("{{\"choices\":[{}]}}", choice(0, &"x".repeat(number % 9)));
    for number in 0..1_000 {
        by_extractor(&mut extractor, event(number).as_bytes()).expect("JSON");
    }
    assert!(extractor.hits() > 900, "{}", extractor.hits());
}

#[test]
fn what_is_held_has_a_bound() {
    let mut extractor = Extractor::<()>::new(tree(OPENAI_CHAT));
    let least = extractor.heap_len();
    for number in 0..400_usize {
        let choices: Vec<String> = (0..40 + number % 50).map(|_| choice(0, &"x".repeat(number))).collect();
        let event =
            format!("{{\"key {number}\":[{}],{}", "0,".repeat(number) + "0", &chat("a", &choices.join(","))[1..]);
        (extractor.to_learn, extractor.to_try) = (MOST_TO_LEARN, MOST_TO_TRY);
        by_extractor(&mut extractor, event.as_bytes()).expect("JSON");
    }
    assert!(extractor.walks() > 300, "templates come and go");
    assert!((least..least + (128 << 10)).contains(&extractor.heap_len()), "{}", extractor.heap_len());
}
