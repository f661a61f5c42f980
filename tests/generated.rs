//! Generated replies, whole and damaged, as properties that shrink; and what the generator reaches, by counting.
//!
//! The seed is fixed, so that a run is the same everywhere. `MORE_CASES=20 cargo test --test generated` tries twenty times as many
//! with a seed of its own.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestCaseError, TestError, TestRunner};
use thusfar::{Code, Ending, Expect, RepairKind, Reply};
use thusfar_testkit::around::registers;
use thusfar_testkit::check::{Report, check};
use thusfar_testkit::classes::Verdict;
use thusfar_testkit::damage::{Case, Damaged, SLIPS};
use thusfar_testkit::generate::{cases, damaged};
use thusfar_testkit::twin::equal_text;
use thusfar_testkit::written::{Place, SLOTS, STRINGS};

fn config(count: u32) -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) };
    let cases = count * more.unwrap_or(1);
    // Many short steps: what is shrunk is a tape of hundreds of numbers.
    ProptestConfig { cases, rng_seed: seed, failure_persistence: None, max_shrink_iters: 20_000, ..Default::default() }
}

/// Runs a property that counts something.
fn run<S: Strategy>(count: u32, strategy: S, property: impl FnMut(S::Value)) {
    let property = std::cell::RefCell::new(property);
    let run = TestRunner::new(config(count)).run(&strategy, |value| {
        (property.borrow_mut())(value);
        Ok(())
    });
    run.expect("the property holds");
}

fn read(case: &Case, reply: &str) -> Result<thusfar::Document, thusfar::Failure> {
    let mut reading = Reply::new(Expect::root(case.root));
    let _ = reading.push(reply);
    reading.finish(Ending::Stop)
}

/// What a reply without damage owes: its document, with the repairs that were made and no others.
fn owes(case: &Case, report: &Report) -> Result<(), TestCaseError> {
    match report {
        Report::Document { text, repairs, .. } => {
            prop_assert!(equal_text(text, &case.truth), "{:?}: {}", case.reply(), text);
            let mut made: Vec<RepairKind> = repairs.iter().map(|repair| repair.0).collect();
            let mut wanted: Vec<RepairKind> = case.places.iter().map(|place| place.0).collect();
            made.sort_unstable();
            wanted.sort_unstable();
            prop_assert_eq!(made, wanted, "{:?}", case.reply());
        }
        // In a sentence a document that is no promise is text.
        Report::Failure { code: Code::NoDocument, .. } if case.around.inline => {}
        // The example beside it is another document, or the one that this is a piece of.
        Report::Failure { .. } if case.around.example => {}
        Report::Failure { code, offset, .. } => {
            return Err(TestCaseError::fail(format!("{code:?} at {offset}: {:?}", case.reply())));
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(config(600))]

    /// A reply without damage gives its document, under every split.
    #[test]
    fn whole_replies(case in cases()) {
        prop_assume!(case.reply().len() < 600);
        owes(&case, &check(&case.reply(), Expect::root(case.root), Ending::Stop))?;
    }

    /// A damaged reply gives the truth, a failure, or a value of a class that is listed; and the same under every split.
    #[test]
    fn damaged_replies_under_every_split((case, damaged) in damaged()) {
        prop_assume!(damaged.reply.len() < 400);
        check(&damaged.reply, Expect::root(case.root), Ending::Stop);
        let verdict = Verdict::of(&case, &damaged, &read(&case, &damaged.reply));
        prop_assert_ne!(verdict, Verdict::Wrong, "{:?} for {}", damaged, case.truth);
    }
}

proptest! {
    #![proptest_config(config(12_000))]

    #[test]
    fn whole_replies_at_once(case in cases()) {
        owes(&case, &Report::of(&read(&case, &case.reply())))?;
    }

    #[test]
    fn damaged_replies_at_once((case, damaged) in damaged()) {
        let verdict = Verdict::of(&case, &damaged, &read(&case, &damaged.reply));
        prop_assert_ne!(verdict, Verdict::Wrong, "{:?} for {}", damaged, case.truth);
    }
}

/// Of so many replies without damage, at most so many are refused: a rule that costs more shows here.
#[test]
fn what_the_rules_cost() {
    let mut refused = BTreeMap::new();
    run(10_000, cases(), |case| {
        if let (Err(failure), false) = (read(&case, &case.reply()), case.around.example) {
            *refused.entry(failure.code().as_str()).or_insert(0) += 1;
        }
    });
    assert_eq!(refused.keys().copied().collect::<Vec<_>>(), ["no_document"], "{refused:?}");
    assert!(refused["no_document"] * 200 < 10_000 * config(1).cases, "{refused:?}");
}

/// Each kind of repair, in each form, at each place where one can stand.
fn all_places() -> BTreeSet<Place> {
    let mut all = BTreeSet::new();
    let mut add = |kind, forms: &[&'static str], places: &[&'static str]| {
        all.extend(forms.iter().flat_map(|form| places.iter().map(move |place| (kind, *form, *place))));
    };
    add(RepairKind::Comment, &["//", "/* */", "on its own line"], SLOTS);
    add(RepairKind::EscapedWhitespace, &["\\n", "\\r\\n"], SLOTS);
    // A space stands there to begin with.
    let spaces = ["behind a colon", "behind a comma in an object", "behind a comma in an array"];
    add(RepairKind::EscapedWhitespace, &["\\t"], &spaces);
    add(RepairKind::TrailingComma, &["in an object", "in an array"], &["root", "inside"]);
    let brackets = ["for }", "for ]", "for } in an empty one", "for ] in an empty one"];
    add(RepairKind::BracketKind, &brackets, &["root", "inside"]);
    add(RepairKind::EscapedDelimiter, &["closed", "closed by a plain one"], STRINGS);
    add(RepairKind::EscapedDelimiter, &["with inner quotes"], &["value", "element"]);
    add(RepairKind::RawControl, &["\\t", "\\n"], STRINGS);
    add(RepairKind::RawControl, &["\\r", "\\u0001"], &["value", "element"]);
    all
}

/// Nothing is lost silently: every set of repairs, every place of each, every register, every kind of damage.
#[test]
fn what_the_generator_reaches() {
    let mut sets: BTreeMap<Vec<RepairKind>, usize> = BTreeMap::new();
    let mut places: BTreeMap<Place, usize> = BTreeMap::new();
    let mut around: BTreeSet<&str> = BTreeSet::new();
    let (mut roots, mut lengths) = (BTreeSet::new(), [0; 2]);
    run(12_000, cases(), |case| {
        let set: BTreeSet<RepairKind> = case.places.iter().map(|place| place.0).collect();
        *sets.entry(set.into_iter().collect()).or_insert(0) += 1;
        case.places.iter().for_each(|place| *places.entry(*place).or_insert(0) += 1);
        around.insert(case.around.register);
        roots.insert(case.truth.as_bytes()[0]);
        lengths[usize::from(case.text.len() > 500)] += 1;
    });
    assert_eq!(sets.len(), 1 << RepairKind::ALL.len(), "sets of repairs: {sets:?}");
    let missing: Vec<_> = all_places().into_iter().filter(|place| !places.contains_key(place)).collect();
    assert!(missing.is_empty(), "never made: {missing:?}");
    let unknown: Vec<_> = places.keys().filter(|place| !all_places().contains(*place)).collect();
    assert!(unknown.is_empty(), "made, and not listed: {unknown:?}");
    assert!(registers().iter().all(|register| around.contains(register)) && around.contains("none"), "{around:?}");
    assert!(roots.len() == 2 && lengths.iter().all(|count| *count > 100), "{roots:?} {lengths:?}");
}

#[test]
fn what_the_damage_reaches() {
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    run(12_000, damaged(), |(_, damaged)| *kinds.entry(damaged.kind).or_insert(0) += 1);
    let touches = ["deleted", "doubled", "swapped", "before", "replaced", "exchanged", "inserted"];
    let blows =
        ["run lost", "run twice", "cut", "part twice", "cut and again", "all twice", "another behind", "nested"];
    let slips = SLIPS.iter().filter(|slip| **slip != "two tokens swapped");
    let missing: Vec<_> =
        touches.iter().chain(&blows).chain(slips).filter(|kind| !kinds.contains_key(**kind)).collect();
    assert!(missing.is_empty(), "never done: {missing:?} of {kinds:?}");
}

/// The smallest case for which a property fails.
fn smallest<S: Strategy>(strategy: S, holds: impl Fn(&S::Value) -> bool) -> S::Value {
    let run = TestRunner::new(config(4_000))
        .run(&strategy, |value| if holds(&value) { Ok(()) } else { Err(TestCaseError::fail("found")) });
    match run {
        Err(TestError::Fail(_, value)) => value,
        other => panic!("nothing was found: {other:?}"),
    }
}

/// A failing case becomes small by itself.
#[test]
fn failing_cases_shrink() {
    for kind in RepairKind::ALL {
        let case = smallest(cases(), |case| case.places.iter().all(|place| place.0 != kind));
        assert!(case.reply().len() <= 50 && case.around.register == "none", "{kind:?}: {:?}", case.reply());
    }
    let emoticon = smallest(cases(), |case| !case.reply().contains(":-]"));
    assert!(emoticon.text.len() <= 8, "{:?}", emoticon.reply());
    let (_, damaged) = smallest(damaged(), |(_, damaged)| damaged.kind != "exchanged");
    let Damaged { reply, .. } = damaged;
    assert!(reply.len() <= 40, "{reply:?}");
}
