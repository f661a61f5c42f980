//! A `pattern` as a table that is stepped byte by byte.
//!
//! # Theory
//!
//! A pattern asks whether a text holds a match somewhere, so once a match has been seen the rest does not matter. The automaton that
//! [`regex_automata`] builds says so one byte late, since `$` and the like look at what follows; and it reads any bytes, where a text is UTF-8.
//! So it is walked side by side with an automaton of UTF-8, and of each pair two things are found out once, backwards from the ends: whether
//! any text that goes on from here matches, and whether any does not. A pair from which none matches is [`FAILED`], one from which all match is
//! [`MATCHED`], and both are exact to the byte, inside a character too.
//!
//! What a pattern means is the judge's to say: it is translated by the judge's own crate. Where the judge has two engines that may read a
//! pattern in two ways, which is where the pattern is none of ECMA-262, there is no automaton.

use std::collections::HashMap;

use regex_automata::dfa::{Automaton as _, StartKind, dense};
use regex_automata::nfa::thompson::{self, WhichCaptures};
use regex_automata::util::start;
use regex_automata::{Anchored, MatchKind};

/// A state of an automaton: the row of its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct State(u16);

/// No continuation matches.
const FAILED: State = State(0);
/// Every continuation matches.
const MATCHED: State = State(1);
/// The states that are absorbing: known, whatever follows.
const KNOWN: usize = 2;
/// States of an automaton, at most.
const MOST_STATES: usize = 1 << 16;

/// What became of a text that was stepped through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stepped {
    /// It depends on what follows.
    Alive(State),
    /// With this byte it is certain that the text matches, whatever follows. Every earlier byte left a continuation that does not.
    Matched(usize),
    /// With this byte it is certain that the text does not match. Every earlier byte left a continuation that does.
    Dead(usize),
}

/// A pattern, compiled.
pub(crate) struct Automaton {
    /// The column of each byte.
    columns: Box<[u8; 256]>,
    width: usize,
    /// `next[state * width + columns[byte]]`
    next: Box<[u16]>,
    /// Whether a text that ends in a state matches.
    ends: Box<[bool]>,
    start: State,
}

/// Sizes only: a pattern may be a client's.
impl std::fmt::Debug for Automaton {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Automaton").field("states", &self.ends.len()).finish_non_exhaustive()
    }
}

impl Automaton {
    /// The automaton of a JSON Schema pattern. None where it needs look-around, back-references or a Unicode word boundary, where it is no
    /// pattern of ECMA-262, and where it or one of the stages on the way to it has more than so many bytes.
    pub(crate) fn new(pattern: &str, most: usize) -> Option<Self> {
        // One character is one byte of the table, at least.
        if pattern.len() > most || !jsonschema_regex::is_valid_ecma_regex(pattern) {
            return None;
        }
        let translated = jsonschema_regex::to_rust_regex(pattern).ok()?;
        let searched = match jsonschema_regex::search_form(pattern, &translated) {
            // What stands at an edge and may be left out is left out: the same texts hold a match.
            Some(jsonschema_regex::Search::Collapsed(collapsed)) => collapsed,
            _ => translated.into_owned(),
        };
        let dfa = dense_of(&searched, most)?;
        Pairs::of(&dfa, most)?.automaton(most)
    }

    /// Bytes that it takes.
    pub(crate) fn len(&self) -> usize {
        size_of::<Self>() + self.columns.len() + size_of_val(&*self.next) + self.ends.len()
    }

    /// The state of the empty text.
    pub(crate) fn start(&self) -> State {
        self.start
    }

    /// What is certain in a state, whatever follows: nothing where it depends. Of the start it may be certain already: `` and `a*` match
    /// every text, and `a^` none.
    pub(crate) fn known(state: State) -> Option<bool> {
        match state {
            FAILED => Some(false),
            MATCHED => Some(true),
            _ => None,
        }
    }

    /// A state in which none does.
    pub(crate) const fn failed() -> State {
        FAILED
    }

    /// A state in which every continuation matches.
    pub(crate) const fn matched() -> State {
        MATCHED
    }

    /// Steps through bytes of a text: whole characters, or parts of them in order. Of a state that is known already the first byte says so.
    pub(crate) fn step(&self, state: State, bytes: &[u8]) -> Stepped {
        let mut row = state.0;
        for (at, &byte) in bytes.iter().enumerate() {
            row = self.next[usize::from(row) * self.width + usize::from(self.columns[usize::from(byte)])];
            match State(row) {
                FAILED => return Stepped::Dead(at),
                MATCHED => return Stepped::Matched(at),
                _ => {}
            }
        }
        Stepped::Alive(State(row))
    }

    /// Whether a text matches.
    pub(crate) fn is_match(&self, text: &str) -> bool {
        match self.step(self.start, text.as_bytes()) {
            Stepped::Matched(_) => true,
            Stepped::Dead(_) => false,
            Stepped::Alive(state) => self.end(state),
        }
    }

    /// Whether a text that ends here matches.
    pub(crate) fn end(&self, state: State) -> bool {
        self.ends[usize::from(state.0)]
    }
}

/// Why a pattern of some schema has no automaton.
pub(crate) fn why_none(pattern: &str) -> &'static str {
    let translated = jsonschema_regex::to_rust_regex(pattern).ok();
    let parsed = translated.and_then(|translated| regex_syntax::parse(&translated).ok());
    match parsed.filter(|_| jsonschema_regex::is_valid_ecma_regex(pattern)) {
        Some(parsed) if !parsed.properties().look_set().contains_word_unicode() => {
            "its automaton is over the size limit"
        }
        _ => "needs look-around, back-references or word boundaries",
    }
}

/// The automaton of a translated pattern, searched from the start of a text; each stage of at most so many bytes.
fn dense_of(pattern: &str, most: usize) -> Option<dense::DFA<Vec<u32>>> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let of_states = thompson::Config::new().which_captures(WhichCaptures::None).nfa_size_limit(Some(most));
    let nfa = thompson::Compiler::new().configure(of_states).build_from_hir(&hir).ok()?;
    let config = dense::Config::new()
        .accelerate(false)
        .match_kind(MatchKind::LeftmostFirst)
        .start_kind(StartKind::Unanchored)
        .dfa_size_limit(Some(most))
        .determinize_size_limit(Some(most));
    // A Unicode word boundary is refused here.
    dense::Builder::new().configure(config).build_from_nfa(&nfa).ok()
}

/// Where in a character of UTF-8 a text is (RFC 3629, section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    /// Between two characters.
    Between,
    /// So many bytes are missing, of any value that goes on.
    Missing(u8),
    /// One byte within bounds is missing, and so many more of any value that goes on.
    Bounded { first: u8, last: u8, then: u8 },
}

impl Place {
    fn of(missing: u8) -> Self {
        if missing == 0 { Place::Between } else { Place::Missing(missing) }
    }

    /// Where the text is behind this byte; nowhere where it is no UTF-8.
    fn behind(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Place::Between, 0x00..=0x7F) => Some(Place::Between),
            (Place::Between, 0xC2..=0xDF) => Some(Place::Missing(1)),
            (Place::Between, 0xE0) => Some(Place::Bounded { first: 0xA0, last: 0xBF, then: 1 }),
            (Place::Between, 0xED) => Some(Place::Bounded { first: 0x80, last: 0x9F, then: 1 }),
            (Place::Between, 0xE1..=0xEF) => Some(Place::Missing(2)),
            (Place::Between, 0xF0) => Some(Place::Bounded { first: 0x90, last: 0xBF, then: 2 }),
            (Place::Between, 0xF4) => Some(Place::Bounded { first: 0x80, last: 0x8F, then: 2 }),
            (Place::Between, 0xF1..=0xF3) => Some(Place::Missing(3)),
            (Place::Missing(count), 0x80..=0xBF) => Some(Place::of(count - 1)),
            (Place::Bounded { first, last, then }, byte) if (first..=last).contains(&byte) => Some(Place::of(then)),
            _ => None,
        }
    }
}

/// Bytes at which UTF-8 begins to mean something else.
const BORDERS: [u8; 13] = [0x80, 0x90, 0xA0, 0xC0, 0xC2, 0xE0, 0xE1, 0xED, 0xEE, 0xF0, 0xF1, 0xF4, 0xF5];

/// The column of each byte, and one byte of each column: bytes that neither the automaton nor UTF-8 tells apart share one.
fn columns(dfa: &dense::DFA<Vec<u32>>) -> (Box<[u8; 256]>, Vec<u8>) {
    let (mut columns, mut samples) = (Box::new([0; 256]), Vec::new());
    let mut seen = HashMap::new();
    for byte in 0..=u8::MAX {
        let class = (dfa.byte_classes().get(byte), BORDERS.partition_point(|border| *border <= byte));
        columns[usize::from(byte)] = *seen.entry(class).or_insert_with(|| {
            samples.push(byte);
            // No more than 256 of them.
            (samples.len() - 1) as u8
        });
    }
    (columns, samples)
}

/// States of the automaton with places in a character, numbered. The known ones come first, each for all that are known.
struct Pairs {
    columns: Box<[u8; 256]>,
    width: usize,
    /// Where each leads, column by column. What is no UTF-8 leads nowhere, and is never asked.
    next: Vec<Option<u32>>,
    /// Whether a text that ends here matches. Inside a character no text ends.
    ends: Vec<Option<bool>>,
}

/// The number of the pair that is walked from.
const FIRST: u32 = KNOWN as u32;

impl Pairs {
    fn of(dfa: &dense::DFA<Vec<u32>>, most: usize) -> Option<Self> {
        let (columns, samples) = columns(dfa);
        let width = samples.len();
        let most_pairs = MOST_STATES.min(most / width);
        // Failed and matched lead to themselves.
        let mut next: Vec<_> = [0, 1].into_iter().flat_map(|known| std::iter::repeat_n(Some(known), width)).collect();
        let mut ends = vec![Some(false), Some(true)];
        let from = dfa.start_state(&start::Config::new().anchored(Anchored::No)).ok()?;
        let mut pairs = vec![(from, Place::Between)];
        let mut numbers = HashMap::from([(pairs[0], FIRST)]);
        let mut at = 0;
        while let Some(&(state, place)) = pairs.get(at) {
            ends.push((place == Place::Between).then(|| dfa.is_match_state(dfa.next_eoi_state(state))));
            for &byte in &samples {
                let leads = |place| match dfa.next_state(state, byte) {
                    state if dfa.is_dead_state(state) => u32::from(FAILED.0),
                    state if dfa.is_match_state(state) => u32::from(MATCHED.0),
                    state => *numbers.entry((state, place)).or_insert_with(|| {
                        pairs.push((state, place));
                        FIRST + pairs.len() as u32 - 1
                    }),
                };
                next.push(place.behind(byte).map(leads));
            }
            at += 1;
            if pairs.len() + KNOWN > most_pairs {
                return None;
            }
        }
        Some(Self { columns, width, next, ends })
    }

    fn row(&self, pair: u32) -> &[Option<u32>] {
        &self.next[pair as usize * self.width..][..self.width]
    }

    /// For each pair, whether a text may go on from it to an end of this kind.
    fn reaching(&self, end: Option<bool>) -> Vec<bool> {
        // Who leads to each pair, one behind the other.
        let count = self.ends.len();
        let mut first = vec![0_usize; count + 1];
        self.next.iter().flatten().for_each(|&to| first[to as usize + 1] += 1);
        (1..=count).for_each(|pair| first[pair] += first[pair - 1]);
        let (mut leading, mut free) = (vec![0_u32; first[count]], first.clone());
        for (at, &to) in self.next.iter().enumerate() {
            if let Some(to) = to {
                leading[free[to as usize]] = (at / self.width) as u32;
                free[to as usize] += 1;
            }
        }
        let mut is_reaching = vec![false; count];
        let mut waiting: Vec<_> = (0..count as u32).filter(|&pair| self.ends[pair as usize] == end).collect();
        while let Some(pair) = waiting.pop() {
            if !std::mem::replace(&mut is_reaching[pair as usize], true) {
                waiting.extend(&leading[first[pair as usize]..first[pair as usize + 1]]);
            }
        }
        is_reaching
    }

    /// The table of what is not known, numbered anew in the order in which it is met.
    fn automaton(self, most: usize) -> Option<Automaton> {
        let (may_match, may_fail) = (self.reaching(Some(true)), self.reaching(Some(false)));
        let mut rows = vec![0, 1];
        let mut states = HashMap::new();
        let mut state = |pair: u32, rows: &mut Vec<u32>| match pair as usize {
            at if !may_match[at] => FAILED.0,
            at if !may_fail[at] => MATCHED.0,
            _ => *states.entry(pair).or_insert_with(|| {
                rows.push(pair);
                // There are fewer pairs.
                (rows.len() - 1) as u16
            }),
        };
        let start = State(state(FIRST, &mut rows));
        let (mut next, mut ends) = (Vec::new(), Vec::new());
        let mut at = 0;
        while let Some(&pair) = rows.get(at) {
            next.extend(self.row(pair).iter().map(|to| to.map_or(FAILED.0, |to| state(to, &mut rows))));
            ends.push(self.ends[pair as usize] == Some(true));
            at += 1;
        }
        let (next, ends) = (next.into_boxed_slice(), ends.into_boxed_slice());
        let automaton = Automaton { columns: self.columns, width: self.width, next, ends, start };
        (automaton.len() <= most).then_some(automaton)
    }
}

#[cfg(test)]
mod tests;
