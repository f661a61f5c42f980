//! Random schemas, random documents, written as a model may write them, cut anywhere.
//!
//! The seed is fixed. `MORE_CASES=20 cargo test --test monitor properties` tries twenty times as many with a seed of its own.

use std::cell::RefCell;
use std::collections::BTreeSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::Value;
use thusfar_contract::{Contract, Draft, MonitorLimits, SchemaErrorKind, SchemaOptions};
use thusfar_core::{Ending, Expect, Reply};
use thusfar_testkit::random::Random;

use crate::describing;
use crate::feeding::{Answer, End, Feed};
use crate::growing::{self, Dialect};
use crate::official::say;
use crate::placing;
use crate::spelling::Spelling;

pub(crate) fn config(count: u32) -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let rng_seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(11) };
    let cases = count * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() }
}

/// A schema, a document, and the document in a reply.
struct Case {
    contract: Contract,
    value: Value,
    reply: String,
    /// The same by itself.
    alone: String,
}

/// None where the schema asks for too much.
fn case(schema: Vec<u16>, document: Vec<u16>) -> Option<Case> {
    let (mut of_schema, mut of_document) = (Random::tape(schema), Random::tape(document));
    let (dialect, draft) = match of_schema.chance(30) {
        true => (Dialect::Seven, Draft::Draft7),
        false => (Dialect::Modern, Draft::Draft202012),
    };
    let value = growing::document(&mut of_document, 3);
    let schema = growing::schema(&mut of_schema, dialect).to_string();
    let alone = Spelling::ALL[of_document.below(Spelling::ALL.len())].write(&value);
    let reply = placing::write(&value, &mut of_document).reply;
    match Contract::with_options(&schema, &SchemaOptions::trusted().draft(draft)) {
        Ok(contract) => Some(Case { contract, value, reply, alone }),
        Err(error) => {
            assert_eq!(error.kind(), SchemaErrorKind::Limit, "{error}: {schema}");
            None
        }
    }
}

/// What a run has met.
#[derive(Debug, Default)]
struct Tally {
    valid: usize,
    told: usize,
    by_monitor: usize,
    by_validator: usize,
    over: usize,
    /// Told of something that the full check does not say.
    other: usize,
    keywords: BTreeSet<&'static str>,
}

impl Tally {
    fn take(&mut self, answer: &Answer) {
        match (&answer.end, answer.verdict) {
            (End::Document { is_valid: true, .. }, _) => self.valid += 1,
            (End::Document { .. }, Some(_)) => self.by_monitor += 1,
            (End::Document { .. }, None) => self.by_validator += 1,
            _ => self.told += 1,
        }
        self.keywords.extend(answer.told.as_ref().map(|told| told.keyword));
    }
}

#[test]
fn the_verdict_is_that_of_a_check() {
    let tally = RefCell::new(Tally::default());
    let strategy = (vec(any::<u16>(), 0..300), vec(any::<u16>(), 0..100));
    let run = TestRunner::new(config(3_000)).run(&strategy, |(schema, document)| {
        let tally = &mut *tally.borrow_mut();
        match case(schema, document) {
            Some(case) => holds(&case, tally),
            None => tally.over += 1,
        }
        Ok(())
    });
    run.expect("the property holds");
    let tally = tally.into_inner();
    say(&format!("{tally:?}"));
    let all = tally.valid + tally.told + tally.by_monitor + tally.by_validator;
    assert!(tally.valid * 4 > all && tally.told * 5 > all, "both verdicts are met: {tally:?}");
    assert!(tally.keywords.len() >= 20, "{:?}", tally.keywords);
}

fn holds(case: &Case, tally: &mut Tally) {
    let is_valid = case.contract.is_valid(&case.value).expect("a small value");
    let is_container = case.value.is_array() || case.value.is_object();
    let around = if is_container { Expect::any() } else { Expect::value() };
    for (expect, reply) in [(around, &case.reply), (Expect::value(), &case.alone)] {
        let feed = Feed::new(&case.contract, expect);
        let answer = feed.cut_at(reply, 8);
        let what = || format!("{reply} under {}: {answer:?}", case.contract.schema());
        assert_eq!(answer.is_valid(), Some(is_valid), "{}", what());
        tally.take(&answer);
        let mut plain = Reply::new(expect);
        let _ = plain.push(reply);
        let document = plain.finish(Ending::Stop).expect("a document");
        let check = case.contract.check(&document);
        if let Some((told, _)) = answer.refusal() {
            assert!(told.start >= document.span().start && told.offset <= document.span().end, "{}", what());
            let same = |of: &thusfar_contract::Violation| of.keyword() == told.keyword && of.path() == told.path;
            tally.other += usize::from(!check.violations().iter().any(same));
        }
    }
}

/// With hardly any room the monitor knows less, and what it says is the same.
#[test]
fn with_little_room_less_is_told_and_nothing_else() {
    let strategy = (vec(any::<u16>(), 0..300), vec(any::<u16>(), 0..100), 0..60_usize, 0..40_usize);
    let run = TestRunner::new(config(1_000)).run(&strategy, |(schema, document, text, instances)| {
        let Some(case) = case(schema, document) else { return Ok(()) };
        let is_valid = case.contract.is_valid(&case.value).expect("a small value");
        let with_room = Feed::new(&case.contract, Expect::value());
        let feed = Feed { limits: MonitorLimits { text, instances, ..MonitorLimits::default() }, ..with_room };
        let (wide, close) = (with_room.whole(&case.alone), feed.cut_at(&case.alone, 4));
        let what = || format!("{} under {}: {close:?}", case.alone, case.contract.schema());
        assert_eq!(close.is_valid(), Some(is_valid), "{}", what());
        if let Some((told, decided_at)) = close.refusal() {
            let (first, _) = wide.refusal().unwrap_or_else(|| panic!("not told with room: {}", what()));
            assert!(first.offset <= decided_at && first.offset <= told.offset, "{first:?}: {}", what());
        }
        Ok(())
    });
    run.expect("the property holds");
}

/// A valid document, however its members are ordered and its characters are written, is never told, at any of its prefixes.
#[test]
fn what_is_valid_is_never_told() {
    let strategy = (vec(any::<u16>(), 0..300), vec(any::<u16>(), 0..60));
    let run = TestRunner::new(config(1_500)).run(&strategy, |(schema, document)| {
        let Some(case) = case(schema, document) else { return Ok(()) };
        if case.contract.is_valid(&case.value) == Ok(true) {
            for spelling in Spelling::ALL {
                let answer = Feed::new(&case.contract, Expect::value()).whole(&spelling.write(&case.value));
                assert!(
                    answer.is_valid() == Some(true) && answer.told.is_none(),
                    "{}: {answer:?}",
                    case.contract.schema()
                );
            }
        }
        Ok(())
    });
    run.expect("the property holds");
}

/// A document that differs from a valid one in one place is never lost before that place, however both are written.
#[test]
fn nothing_is_told_before_the_place_that_differs() {
    let counts = RefCell::new([0_usize; 4]);
    let strategy = (vec(any::<u16>(), 0..80), vec(any::<u16>(), 0..200), vec(any::<u16>(), 0..30));
    let run = TestRunner::new(config(4_000)).run(&strategy, |(document, schema, change)| {
        let value = describing::document(&mut Random::tape(document), 3);
        let schema = describing::schema(&value, &mut Random::tape(schema));
        let mut change = Random::tape(change);
        let other = describing::changed(&value, &mut change);
        let contract = match Contract::from_schema(&schema.to_string()) {
            Ok(contract) => contract,
            Err(error) => panic!("{error}: {schema}"),
        };
        let [one_is_valid, other_is_valid] =
            [&value, &other].map(|value| contract.is_valid(value).expect("a small value"));
        let spelling = Spelling::ALL[change.below(Spelling::ALL.len())];
        let [one, other] = [&value, &other].map(|value| spelling.write(value));
        let answer = Feed::new(&contract, Expect::value()).cut_at(&other, 6);
        let what = || format!("{other} beside {one} under {schema}: {answer:?}");
        assert_eq!(answer.is_valid(), Some(other_is_valid), "{}", what());
        let counts = &mut *counts.borrow_mut();
        counts[0] += usize::from(one_is_valid && !other_is_valid);
        if let (true, Some((told, _))) = (one_is_valid, answer.refusal()) {
            let same = one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count();
            assert!(told.offset >= same, "{}", what());
            counts[1] += 1;
            counts[2] += usize::from(told.offset == same);
            counts[3] += other.len() - told.offset.min(other.len());
        }
        Ok(())
    });
    run.expect("the property holds");
    let [pairs, told, at_once, unread] = counts.into_inner();
    say(&format!(
        "{pairs} changed for the worse: {told} told while they were read, {at_once} with the very byte that differs; {unread} bytes not needed"
    ));
    assert!(pairs > 500 && at_once * 3 > told, "the generator reaches what it is for");
}
