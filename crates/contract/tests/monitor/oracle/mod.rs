//! The earliest byte, found by trying everything: each text of a few tokens, under about a hundred tiny schemas.
//!
//! Two languages are asked. What the reader would make a valid document of (a comma too many, a member twice with the same value) must never be
//! told. And under strict JSON without repeated keys no violation may name a byte behind which a valid document was still possible. Where it
//! names a later byte than the first of that kind, it lags: those are the kinds in [`LAGS`], no more and no fewer.

mod search;
mod syntax;
mod tiny;

use std::collections::{BTreeMap, BTreeSet};

use search::{Kind, ROOT, Search, is_plain};
use syntax::Room;
use thusfar_contract::{Contract, Draft, Monitor, SchemaOptions};
use thusfar_core::{Code, Expect, Progress, Reply};
use thusfar_testkit::random::Random;
use tiny::{TINY, Tiny};

use crate::feeding::{End, Feed, REFUSED};
use crate::growing::{self, Dialect};
use crate::official::say;

/// Where a violation may be told later than at the first byte behind which nothing valid was possible: the schema, and why.
const LAGS: &[(&str, &str)] = &[
    ("enum, escaped", ESCAPE),
    ("closed, escaped", ESCAPE),
    ("maximum", NUMBER),
    ("exclusiveMaximum", NUMBER),
    ("exclusiveMinimum", NUMBER),
    ("multipleOf", NUMBER),
    ("enum of numbers", NUMBER),
    ("const number", NUMBER),
    ("anyOf, discriminated", NUMBER),
    ("if", NUMBER),
    ("enum of all", WHOLE),
    ("const composite", WHOLE),
    ("oneOf of composites", WHOLE),
    ("format", WHOLE),
    ("pattern, look-ahead", WHOLE),
    ("propertyNames with a length", TOGETHER),
    ("uniqueItems of literals", ITEM),
    ("maxContains", ITEM),
    ("oneOf of required", CLOSE),
    ("not required", CLOSE),
    ("not properties", CLOSE),
    ("propertyNames with an enum", TOGETHER),
    ("pattern and maxLength", TOGETHER),
    ("two patterns", TOGETHER),
    ("oneOf of constants", TOGETHER),
    ("minLength and enum", TOGETHER),
    ("required and maxProperties", TOGETHER),
    ("required, not allowed", TOGETHER),
    ("dependentRequired, closed", TOGETHER),
    ("contains and maxItems", TOGETHER),
    ("contains and items", TOGETHER),
    ("minItems and items", TOGETHER),
    ("uniqueItems and enum", TOGETHER),
    ("unevaluatedProperties", FINAL),
    ("unevaluatedItems", FINAL),
];

const ESCAPE: &str = "an escape is judged with its last byte";
const NUMBER: &str = "a number is judged where it ends";
const WHOLE: &str =
    "what is compared as a whole, or by a format or a pattern that looks around, is judged when it closes";
const ITEM: &str = "an item is counted, or compared with others, when it has ended";
const CLOSE: &str = "that an object or array is valid is known when it closes, for `not`, `oneOf` and `if` too";
const TOGETHER: &str = "keywords that leave nothing together are looked at one by one";
const FINAL: &str = "only the full validator knows";

/// What the reader refuses of the texts that are tried.
const NO_DOCUMENT: [Code; 2] = [Code::DuplicateKey, Code::NumberOutOfRange];

/// Random schemas that are tried.
const RANDOM: u64 = 120;
/// Lags of a schema behind which no more are looked for.
const ENOUGH: usize = 4;
/// Times that a tree is walked.
const ROUNDS: usize = 20;

/// What the texts of one schema came to.
#[derive(Debug, Default)]
struct Found {
    /// Violations that name the first byte.
    exact: usize,
    /// For each node behind which nothing valid was found: how it was told, later, and one of the texts.
    late: BTreeMap<usize, (BTreeSet<String>, String)>,
    faults: Vec<String>,
}

struct Walk<'s, 'c> {
    search: &'s Search<'c>,
    feed: Feed<'c>,
    found: Found,
}

/// Where a walk stands.
struct Step {
    at: usize,
    reply: Reply<Monitor>,
    text: Vec<u8>,
    /// The first node behind which nothing valid and strict was found, and the byte that leads to it.
    lost: Option<(usize, usize)>,
}

impl Walk<'_, '_> {
    fn run(mut self) -> Found {
        let lost = (!self.search.nodes[ROOT].strict).then_some((ROOT, 0));
        let mut waiting = vec![Step { at: ROOT, reply: self.feed.begin(), text: Vec::new(), lost }];
        while let Some(step) = waiting.pop() {
            for &child in &self.search.nodes[step.at].children {
                waiting.extend(self.step(&step, child));
            }
        }
        self.found
    }

    fn fault(&mut self, what: &str, text: &str, told: &dyn std::fmt::Debug) {
        self.found.faults.push(format!("{what}: {text} {told:?} under {}", self.feed.contract.schema()));
    }

    /// One byte more.
    fn step(&mut self, from: &Step, at: usize) -> Option<Step> {
        let node = &self.search.nodes[at];
        let mut reply = from.reply.clone();
        let progress = reply.push_bytes(&[node.byte]);
        let mut text = from.text.clone();
        text.push(node.byte);
        let lost = from.lost.or((!node.strict).then_some((at, text.len() - 1)));
        if progress != Progress::Doomed {
            let step = Step { at, reply, text, lost };
            if let Some(kind) = node.whole {
                self.end(&step, kind);
            }
            return Some(step);
        }
        let code = reply.doomed().expect("a code");
        let so_far = String::from_utf8_lossy(&text).into_owned();
        if node.lenient {
            let witness = self.search.witness(at);
            self.fault("told, and yet valid", &format!("{so_far} of {witness}"), &(code, reply.sink().violation()));
        }
        if code == REFUSED {
            let told = reply.sink().violation().map(|told| (told.offset(), told.keyword(), told.when().as_str()));
            match told {
                Some((offset, keyword, when)) => self.told(offset, &format!("{keyword} {when}"), &so_far, lost),
                None => self.fault("told without a violation", &so_far, &code),
            }
        } else if !NO_DOCUMENT.contains(&code) {
            self.fault("lost for the reader", &so_far, &code);
        }
        None
    }

    fn told(&mut self, offset: usize, how: &str, text: &str, lost: Option<(usize, usize)>) {
        match lost {
            Some((_, first)) if offset == first => self.found.exact += 1,
            Some((node, first)) if offset > first => {
                if is_plain(text) {
                    let late = self.found.late.entry(node).or_default();
                    late.0.insert(how.to_owned());
                    late.1 = format!("{text} names {offset}");
                }
            }
            _ => self.fault("the byte is too early", text, &(offset, how, lost)),
        }
    }

    /// What is a whole document, and not refused yet.
    fn end(&mut self, step: &Step, kind: Kind) {
        let text = String::from_utf8_lossy(&step.text).into_owned();
        let answer = self.feed.finish(step.reply.clone());
        match (&answer.end, kind) {
            (End::Document { is_valid, .. }, _) if kind != Kind::Refused => {
                if *is_valid != (kind == Kind::Valid) {
                    self.fault("another verdict of the validator", &text, &kind);
                }
                if *is_valid && (answer.told.is_some() || answer.verdict == Some(false)) {
                    self.fault("not valid in the end, and yet valid", &text, &answer);
                }
                if !*is_valid {
                    let how = if answer.verdict == Some(false) { "told by nobody" } else { "final" };
                    // It names the last byte, also of a number that might have gone on.
                    let last = step.lost.map_or(text.len(), |(_, first)| first.max(text.len() - 1));
                    self.told(last, how, &text, step.lost.or(Some((step.at, last))));
                }
            }
            (End::Failure { code: REFUSED, offset, .. }, Kind::Invalid | Kind::Refused) => {
                let told = answer.told.as_ref().map_or("told without a violation", |told| told.keyword);
                // Behind its end a number might have gone on.
                let lost = step.lost.or(Some((step.at, text.len())));
                self.told(*offset, &format!("{told} at the end"), &text, lost);
            }
            (End::Failure { code, .. }, Kind::Refused) if NO_DOCUMENT.contains(code) => {}
            _ => self.fault("another end", &text, &answer),
        }
    }
}

/// What one schema came to, and the lags that are none of the horizon.
fn run(tiny: &Tiny, more: usize) -> (Found, Vec<(BTreeSet<String>, String)>) {
    let contract = Contract::from_schema(tiny.schema).unwrap_or_else(|error| panic!("{}: {error}", tiny.name));
    let mut search = Search::new(&contract, tiny.tokens, tiny.most + more, tiny.room);
    let feed = Feed::new(&contract, Expect::value());
    let (mut lost, mut rounds) = (BTreeSet::new(), 0);
    loop {
        let mut found = Walk { search: &search, feed, found: Found::default() }.run();
        let late = std::mem::take(&mut found.late);
        rounds += 1;
        let mut lags = Vec::new();
        let mut has_more = false;
        for (node, (how, example)) in late {
            if lags.len() == ENOUGH << (3 * more) {
                break;
            }
            if lost.contains(&node) || !search.goes_on(node) {
                lost.insert(node);
                lags.push((how, format!("{} is lost; {example}", search.text(node))));
            } else {
                has_more = true;
            }
        }
        if !has_more || !found.faults.is_empty() || rounds == ROUNDS {
            let (prefixes, documents, exact) = (search.nodes.len(), search.documents, found.exact);
            say(&format!(
                "{}: {prefixes} prefixes, {documents} documents; {exact} exact, {} late",
                tiny.name,
                lags.len()
            ));
            assert!(!has_more, "{}: no end of what the horizon hides", tiny.name);
            return (found, lags);
        }
    }
}

fn all(more: usize) {
    let (mut faults, mut late, mut exact) = (Vec::new(), BTreeSet::new(), 0);
    for tiny in TINY {
        let (found, lags) = run(tiny, more);
        exact += found.exact;
        if let Some((_, first)) = lags.first() {
            late.insert(tiny.name);
            let how: BTreeSet<_> = lags.iter().flat_map(|(how, _)| how).collect();
            say(&format!("    {how:?}, as in {first}"));
        }
        faults.extend(found.faults.into_iter().map(|fault| format!("{}: {fault}", tiny.name)));
    }
    say(&format!("{} schemas: {exact} told at the very byte, {} faults, {} lag", TINY.len(), faults.len(), late.len()));
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults[..faults.len().min(30)].join("\n"));
    let known: BTreeSet<_> = LAGS.iter().map(|(name, _)| *name).collect();
    assert_eq!(late, known, "those that lag are those that are known to");
}

#[test]
fn nothing_is_told_too_early() {
    all(0);
}

/// With two tokens more: minutes.
#[test]
#[ignore = "takes minutes"]
fn nothing_is_told_too_early_in_longer_texts() {
    all(2);
}

/// The same under random schemas, of whose lags nothing is said.
#[test]
fn nothing_is_told_too_early_under_random_schemas() {
    let tokens = ["{", "}", "[", "]", ",", "\"a\":", "\"b\":", "1", "2", "\"", "a", "null"];
    let room = Room { chars: 2, digits: 2, depth: 3 };
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u64>().ok());
    let first = more.map_or(0, |_| std::process::id().into());
    let (mut exact, mut asked) = (0, 0);
    for seed in first..first + RANDOM * more.unwrap_or(1) {
        let mut random = Random::new(seed);
        let (dialect, draft) = match random.chance(30) {
            true => (Dialect::Seven, Draft::Draft7),
            false => (Dialect::Modern, Draft::Draft202012),
        };
        let schema = growing::schema(&mut random, dialect).to_string();
        let Ok(contract) = Contract::with_options(&schema, &SchemaOptions::trusted().draft(draft)) else { continue };
        let search = Search::new(&contract, &tokens, 6, room);
        let found =
            Walk { search: &search, feed: Feed::new(&contract, Expect::value()), found: Found::default() }.run();
        assert!(found.faults.is_empty(), "{seed}: {}", found.faults[..found.faults.len().min(5)].join("\n"));
        exact += found.exact;
        asked += 1;
    }
    say(&format!("{asked} random schemas: {exact} told at the very byte"));
    assert!(asked * 10 > RANDOM * more.unwrap_or(1) * 9 && exact > 400, "{asked} schemas, {exact} told");
}
