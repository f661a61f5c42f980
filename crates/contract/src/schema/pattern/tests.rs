//! Patterns as automata against the judge, and against all short texts.

use std::cell::Cell;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::{Value, json};
use thusfar_testkit::random::Random;

use super::{Automaton, State, Stepped};
use crate::Contract;
use crate::schema::{Patterns, SchemaOptions};

const MOST: usize = 1 << 20;

fn config(count: u32) -> ProptestConfig {
    let more = std::env::var("MORE_CASES").ok().and_then(|factor| factor.parse::<u32>().ok());
    let rng_seed = if more.is_some() { RngSeed::Random } else { RngSeed::Fixed(11) };
    let cases = count * more.unwrap_or(1);
    ProptestConfig { cases, rng_seed, failure_persistence: None, max_shrink_iters: 500, ..ProptestConfig::default() }
}

/// Patterns grown out of choices.
struct Grower<'r, 'a> {
    random: &'r mut Random,
    atoms: &'a [&'a str],
    repeats: &'a [&'a str],
}

impl Grower<'_, '_> {
    fn alternatives(&mut self, depth: usize, most: usize) -> String {
        let count = 1 + self.random.below(3).saturating_sub(1);
        let branches: Vec<_> = (0..count).map(|_| self.branch(depth, most)).collect();
        branches.join("|")
    }

    fn branch(&mut self, depth: usize, most: usize) -> String {
        let count = self.random.below(most + 1);
        (0..count).map(|_| self.piece(depth)).collect()
    }

    fn piece(&mut self, depth: usize) -> String {
        if self.random.chance(15) {
            return self.random.pick(&["^", "$"]).to_owned();
        }
        let atom = match self.random.below(4) {
            0 if depth > 0 => {
                let open = self.random.pick(&["(", "(?:"]);
                format!("{open}{})", self.alternatives(depth - 1, 2))
            }
            _ => self.random.pick(self.atoms).to_owned(),
        };
        atom + self.random.pick(self.repeats)
    }
}

/// Both engines of the judge.
fn judges(pattern: &str) -> Vec<Contract> {
    let schema = json!({ "pattern": pattern }).to_string();
    let engines = [Patterns::Linear, Patterns::Backtracking { limit: 1_000_000 }];
    let compiled = engines
        .into_iter()
        .filter_map(|patterns| Contract::with_options(&schema, &SchemaOptions::trusted().patterns(patterns)).ok());
    compiled.collect()
}

fn judged(judge: &Contract, text: &str) -> bool {
    judge.is_valid(&Value::from(text)).expect("within bounds")
}

/// What is said of a whole text, and at which byte it was certain.
fn said(automaton: &Automaton, text: &str) -> (bool, Option<usize>) {
    if let Some(known) = Automaton::known(automaton.start()) {
        return (known, None);
    }
    match automaton.step(automaton.start(), text.as_bytes()) {
        Stepped::Alive(state) => (automaton.end(state), None),
        Stepped::Matched(at) => (true, Some(at)),
        Stepped::Dead(at) => (false, Some(at)),
    }
}

/// The same, fed in pieces of one byte.
fn said_bytewise(automaton: &Automaton, text: &str) -> (bool, Option<usize>) {
    let mut state = automaton.start();
    if let Some(known) = Automaton::known(state) {
        return (known, None);
    }
    for (at, byte) in text.bytes().enumerate() {
        match automaton.step(state, &[byte]) {
            Stepped::Alive(next) => state = next,
            Stepped::Matched(0) => return (true, Some(at)),
            Stepped::Dead(0) => return (false, Some(at)),
            other => panic!("{other:?} of one byte"),
        }
    }
    (automaton.end(state), None)
}

const ATOMS: [&str; 24] = [
    "a",
    "b",
    "ab",
    "é",
    "0",
    "_",
    r"\.",
    r"\-",
    "中",
    "😀",
    ".",
    r"\d",
    r"\w",
    r"\s",
    r"\D",
    r"\W",
    r"\S",
    "[ab]",
    "[^a]",
    "[a-c0-9]",
    r"[\s\S]",
    r"[^\d\s]",
    r"\p{Greek}",
    r"\u00e9",
];
const REPEATS: [&str; 12] = ["", "", "", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"];
const LETTERS: [&str; 14] = ["a", "b", "ab", "0", "é", "è", "_", "-", ".", " ", "\n", "\u{2028}", "中", "😀"];

#[test]
fn every_text_is_matched_as_the_judge_says() {
    let mut runner = TestRunner::new(config(300));
    let tapes = (vec(any::<u16>(), 40), vec(any::<u16>(), 120));
    let run = runner.run(&tapes, |(pattern, texts)| {
        let mut random = Random::tape(pattern);
        let pattern = Grower { random: &mut random, atoms: &ATOMS, repeats: &REPEATS }.alternatives(2, 4);
        let judges = judges(&pattern);
        let made = Automaton::new(&pattern, MOST);
        // `^*` is no pattern to the automaton; an engine of the judge may take it.
        prop_assert!(
            made.is_some() || judges.len() < 2 || !jsonschema_regex::is_valid_ecma_regex(&pattern),
            "{pattern}"
        );
        let Some(automaton) = made else { return Ok(()) };
        let mut random = Random::tape(texts);
        for _ in 0..16 {
            let text: String = (0..random.below(6)).map(|_| random.pick(&LETTERS)).collect();
            let said = said(&automaton, &text);
            prop_assert_eq!(said, said_bytewise(&automaton, &text), "{} of {:?}", pattern, text);
            for judge in &judges {
                prop_assert_eq!(said.0, judged(judge, &text), "{} of {:?}", pattern, text);
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}

/// All texts of up to so many of these letters.
fn texts(letters: &[char], most: usize) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut from = 0;
    for _ in 0..most {
        let until = all.len();
        for at in from..until {
            let longer = letters.iter().map(|letter| format!("{}{letter}", all[at])).collect::<Vec<_>>();
            all.extend(longer);
        }
        from = until;
    }
    all
}

/// Where the automaton is certain, in bytes of a text; the whole text where it is certain only at its end.
fn certain_at(automaton: &Automaton, bytes: &[u8]) -> Option<bool> {
    let mut state: State = automaton.start();
    for byte in bytes {
        match automaton.step(state, &[*byte]) {
            Stepped::Alive(next) => state = next,
            Stepped::Matched(_) => return Some(true),
            Stepped::Dead(_) => return Some(false),
        }
    }
    Automaton::known(state)
}

#[test]
fn what_is_certain_is_told_at_its_byte() {
    // Three of the letters share their first byte. What these atoms tell apart, the letters do; and no pattern of them asks for more than five.
    let all = texts(&['a', 'é', 'è', 'ê'], 7);
    let atoms = ["a", "é", "è", "[aé]", "[^a]", "[^é]", r"[\s\S]"];
    let certain: [Cell<usize>; 3] = Default::default();
    let mut runner = TestRunner::new(config(100));
    let run = runner.run(&vec(any::<u16>(), 30), |pattern| {
        let mut random = Random::tape(pattern);
        let repeats = ["", "", "", "*", "+", "?"];
        let pattern = Grower { random: &mut random, atoms: &atoms, repeats: &repeats }.alternatives(1, 2);
        let judge = judges(&pattern).pop().expect("a pattern");
        let Some(automaton) = Automaton::new(&pattern, MOST) else { return Ok(()) };
        let valid: Vec<_> = all.iter().map(|text| judged(&judge, text)).collect();
        for prefix in all.iter().take_while(|text| text.chars().count() <= 2) {
            for len in 0..=prefix.len() {
                let bytes = &prefix.as_bytes()[..len];
                let goes_on = all.iter().zip(&valid).filter(|(text, _)| text.as_bytes().starts_with(bytes));
                let (can, cannot) = goes_on.fold((false, false), |(can, cannot), (_, &is)| (can | is, cannot | !is));
                let expected = if can && cannot { None } else { Some(can) };
                prop_assert_eq!(certain_at(&automaton, bytes), expected, "{} of {:?}", pattern, bytes);
                let kind = &certain[expected.map_or(2, usize::from)];
                kind.set(kind.get() + 1);
            }
        }
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
    assert!(certain.iter().all(|count| count.get() > 100), "{certain:?}");
}

/// What a pattern says of a text: the first byte with which it is certain, and what then.
fn told(pattern: &str, text: &str) -> String {
    let Some(automaton) = Automaton::new(pattern, MOST) else { return "no automaton".to_owned() };
    match (Automaton::known(automaton.start()), automaton.step(automaton.start(), text.as_bytes())) {
        (Some(known), _) => format!("{known} from the start"),
        (None, Stepped::Alive(state)) => format!("{} at the end", automaton.end(state)),
        (None, Stepped::Matched(at)) => format!("true at {at}"),
        (None, Stepped::Dead(at)) => format!("false at {at}"),
    }
}

#[test]
fn each_kind_of_pattern_is_told() {
    for (pattern, text, expected) in [
        ("^[A-Z]{3}-[0-9]+$", "ABX1", "false at 3"),
        ("^[A-Z]{3}-[0-9]+$", "ABC-12", "true at the end"),
        ("^ab", "abc", "true at 1"),
        ("ab", "xxab", "true at 3"),
        ("ab", "xxa", "false at the end"),
        ("^(?:high|low)$", "hot", "false at 1"),
        ("^(?:high|low)$", "lower", "false at 3"),
        ("", "", "true from the start"),
        ("a*", "b", "true from the start"),
        ("x{0,5000}$", "b", "true from the start"),
        ("a^", "b", "false from the start"),
        ("[^\\s\\S]", "b", "false from the start"),
        ("^a|b$", "cb", "true at the end"),
        ("^a|b$", "ab", "true at 0"),
        ("(^a)?b", "cab", "true at 2"),
        // Any character goes on from here, and all of them match: inside the first of them that is known.
        ("^[^a]$", "é", "true at the end"),
        ("^[^a]", "é", "true at 0"),
        ("^é$", "è", "false at 1"),
        ("^é$", "中", "false at 0"),
        ("^\\S*$", "ab c", "false at 2"),
        // A line end ends no text.
        ("^a$", "a\n", "false at 1"),
        // One that starts at the start, or behind a line end.
        ("(?m:^b)", "a\nb", "true at 2"),
        ("(?i:straße)", "STRAẞE", "true at 7"),
        ("^(?=a)b", "a", "no automaton"),
        ("(a)\\1", "aa", "no automaton"),
        ("\\bword\\b", "word", "no automaton"),
        // The judge's engines differ, or refuse it.
        ("a++a", "aaa", "no automaton"),
        ("a{1, 3}", "a", "no automaton"),
        ("(", "", "no automaton"),
        ("\\uD83D", "", "no automaton"),
    ] {
        assert_eq!(told(pattern, text), expected, "{pattern} of {text:?}");
    }
}

#[test]
fn what_is_known_stays_known() {
    let automaton = Automaton::new("^ab", MOST).expect("a pattern");
    let Stepped::Alive(state) = automaton.step(automaton.start(), b"a") else { panic!("it goes on") };
    assert_eq!(automaton.step(state, b""), Stepped::Alive(state));
    assert_eq!(Automaton::known(state), None);
    let always = Automaton::new("", MOST).expect("a pattern");
    assert_eq!(always.step(always.start(), b"x"), Stepped::Matched(0));
    assert!(always.end(always.start()));
}

#[test]
fn no_pattern_is_over_its_bytes() {
    let long = "a".repeat(100_000);
    let nested = "(".repeat(240) + "a" + &")*".repeat(240);
    let hostile = [
        "(a+)+$",
        "(x{0,500}){0,500}",
        ".{0,5000}$",
        "^.{0,5000}$",
        "a.{20}b",
        "(?:a|b)*a(?:a|b){15}$",
        "((a{100}){100}){100}",
        r"^[\p{L}\p{N} ]{1,200}$",
        r"(\w+\s?)*$",
        "^(([a-z])+.)+[A-Z]([a-z])+$",
        "(.*a){30}",
        &long,
        &nested,
    ];
    for most in [0, 100, 1 << 10, 1 << 14, 1 << 18] {
        for pattern in hostile {
            assert!(Automaton::new(pattern, most).is_none_or(|automaton| automaton.len() <= most), "{pattern:.40}");
        }
    }
    assert!(Automaton::new("(a+)+$", 1 << 14).is_some());
    assert!(Automaton::new(".{0,5000}$", 1 << 14).is_some());
    assert!(Automaton::new("a.{20}b", 1 << 18).is_none());
}
