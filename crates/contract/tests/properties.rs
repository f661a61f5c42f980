//! Properties over random schemas and random documents, written as a model may write them.
//!
//! The seed is fixed, so that a run is the same everywhere. `MORE_CASES=20 cargo test --test properties` tries twenty times as many
//! with a seed of its own.

#[path = "support/growing.rs"]
mod growing;
#[path = "support/placing.rs"]
mod placing;
#[path = "support/ring.rs"]
mod ring;

use std::cell::RefCell;
use std::collections::HashSet;

use growing::Dialect;
use placing::Placed;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use ring::has_ring;
use serde_json::Value;
use thusfar_contract::{Check, Contract, Draft, SchemaErrorKind, SchemaOptions, Violation};
use thusfar_core::{Document, Ending, Expect, Reply};
use thusfar_testkit::random::Random;

fn config(count: u32) -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let rng_seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(7) };
    let cases = count * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 20_000, ..ProptestConfig::default() }
}

/// A schema and a document in a reply.
struct Case {
    schema: Value,
    value: Value,
    placed: Placed,
    dialect: Dialect,
}

impl Case {
    fn new(schema: Vec<u16>, document: Vec<u16>) -> Self {
        let (mut of_schema, mut of_document) = (Random::tape(schema), Random::tape(document));
        let dialect = if of_schema.chance(30) { Dialect::Seven } else { Dialect::Modern };
        let value = growing::document(&mut of_document, 3);
        let placed = placing::write(&value, &mut of_document);
        Self { schema: growing::schema(&mut of_schema, dialect), value, placed, dialect }
    }

    /// The validator by itself.
    fn judge(&self) -> jsonschema::Validator {
        let draft = match self.dialect {
            Dialect::Seven => jsonschema::Draft::Draft7,
            Dialect::Modern => jsonschema::Draft::Draft202012,
        };
        jsonschema::options().with_draft(draft).build(&self.schema).expect("a schema")
    }

    /// `None` where the schema asks for too much.
    fn contract(&self) -> Option<Contract> {
        let draft = match self.dialect {
            Dialect::Seven => Draft::Draft7,
            Dialect::Modern => Draft::Draft202012,
        };
        match Contract::with_options(&self.schema.to_string(), &SchemaOptions::trusted().draft(draft)) {
            Ok(contract) => Some(contract),
            Err(error) => {
                assert_eq!(error.kind(), SchemaErrorKind::Limit, "{error}: {}", self.schema);
                None
            }
        }
    }

    fn read<'a>(&self, pieces: impl IntoIterator<Item = &'a [u8]>) -> Document {
        let is_container = self.value.is_array() || self.value.is_object();
        let mut reply = Reply::new(if is_container { Expect::any() } else { Expect::value() });
        for piece in pieces {
            let _ = reply.push_bytes(piece);
        }
        reply.finish(Ending::Stop).unwrap_or_else(|failure| panic!("{failure}: {}", self.placed.reply))
    }

    /// Each violation is about a value that is there, and says where.
    fn holds(&self, violation: &Violation) {
        let what = || format!("{violation} in {} under {}", self.placed.reply, self.schema);
        assert_eq!(self.placed.places.get(violation.path()), Some(&violation.start()), "{}", what());
        let at = self.value.pointer(violation.path()).expect("a value");
        if violation.keyword() == "required" {
            let name = violation.expected().as_str().expect("a name");
            assert!(at.as_object().is_some_and(|members| !members.contains_key(name)), "{}", what());
        }
        let message = violation.message();
        assert!(!message.is_empty() && message.len() < 2_000 && !message.contains('\n'), "{}", what());
    }
}

/// What a run has met.
#[derive(Debug, Default)]
struct Tally {
    valid: u32,
    invalid: u32,
    over: u32,
    unexplained: u32,
    /// The same of schemas that lead to themselves about the same value.
    ringed: u32,
    keywords: HashSet<&'static str>,
}

#[test]
fn a_check_is_the_validators_verdict() {
    let tally = RefCell::new(Tally::default());
    let strategy = (vec(any::<u16>(), 0..300), vec(any::<u16>(), 0..100), any::<[u16; 2]>());
    let run = TestRunner::new(config(3_000)).run(&strategy, |(schema, document, cuts)| {
        holds(&Case::new(schema, document), cuts, &mut tally.borrow_mut());
        Ok(())
    });
    run.expect("the property holds");
    let Tally { valid, invalid, over, unexplained, ringed, keywords } = tally.into_inner();
    // The generator reaches both verdicts and what can be broken.
    let all = valid + invalid;
    assert!(
        valid * 4 > all && invalid * 5 > all && over * 20 < all,
        "{valid} valid, {invalid} invalid, {over} over a limit"
    );
    assert_eq!(unexplained, 0, "of {invalid} not explained");
    assert!(ringed * 10 < invalid, "{ringed} of {invalid} not explained");
    assert!(keywords.len() >= 25, "{keywords:?}");
}

fn holds(case: &Case, cuts: [u16; 2], tally: &mut Tally) {
    let Some(contract) = case.contract() else {
        tally.over += 1;
        return;
    };
    let bytes = case.placed.reply.as_bytes();
    let document = case.read([bytes]);
    assert_eq!(document.value(), case.value, "{}", case.placed.reply);
    let check = contract.check(&document);
    let what = || format!("{} under {}", case.placed.reply, case.schema);
    assert_eq!(check.limit(), None, "{}", what());
    let is_valid = case.judge().is_valid(&case.value);
    assert_eq!(check.is_valid(), is_valid, "{}", what());
    assert_eq!(contract.is_valid(&case.value), Ok(is_valid), "{}", what());
    assert_eq!(check.violations().is_empty(), is_valid, "{}", what());
    if is_valid {
        tally.valid += 1;
    } else {
        tally.invalid += 1;
    }
    check.violations().iter().for_each(|violation| case.holds(violation));
    assert!(check.violations().is_sorted_by_key(Violation::start), "{}", what());
    let mut told = HashSet::new();
    for violation in check.violations() {
        let same = (violation.path(), violation.keyword(), violation.message());
        assert!(told.insert(same), "twice: {violation}: {}", what());
        tally.keywords.insert(violation.keyword());
        if violation.keyword() == "schema" {
            *if has_ring(&case.schema) { &mut tally.ringed } else { &mut tally.unexplained } += 1;
        }
    }
    let mut cuts = cuts.map(|cut| usize::from(cut) % (bytes.len() + 1));
    cuts.sort_unstable();
    let in_three = [&bytes[..cuts[0]], &bytes[cuts[0]..cuts[1]], &bytes[cuts[1]..]];
    for document in [case.read(bytes.chunks(1)), case.read(in_three)] {
        assert_eq!(contract.check(&document), check, "{}", what());
    }
}

#[test]
fn a_contract_may_be_shared() {
    const fn shared<T: Send + Sync + 'static>() {}
    const { shared::<Contract>() };
    const { shared::<Check>() };
    const { shared::<SchemaOptions>() };
}
