//! Names that are counted. Those of reports are foreign: what is no name counts as `other`, and so do too many of them.
//!
//! Which names are kept does not depend on the order in which they come: the first in the order of [`Name`] are, and those that the
//! engine knows stand in front. A name that is among the first of all is among the first of any part of them, so it has never been given
//! up when parts are put together.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use thusfar_contract::{CallCode, Diagnosis, EngineLimit, SignalCode};
use thusfar_core::{Code, RepairKind};

/// Distinct names that are told apart.
const MOST: usize = 256;
/// Characters of the longest name.
const LONGEST: usize = 40;
/// What everything else counts as.
const OTHER: &str = "other";

/// Outcomes, warnings and keywords: names of ours that no other table lists.
const MORE: [&str; 33] = [
    "ok",
    "truncated",
    "malformed",
    "ambiguous",
    "not_found",
    "runaway",
    "invalid",
    "lossy_number",
    "commented_member",
    "suspicious_escape",
    "ended_by_length",
    "ended_by_filter",
    "tail_unread",
    "stitched",
    "type",
    "enum",
    "const",
    "maximum",
    "minimum",
    "required",
    "pattern",
    "format",
    "items",
    "properties",
    "additionalProperties",
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "anyOf",
    "oneOf",
    "not",
    "schema",
];

static KNOWN: LazyLock<BTreeSet<&'static str>> = LazyLock::new(|| {
    let codes = Code::ALL.iter().map(|code| code.as_str()).chain(CallCode::ALL.iter().map(|code| code.as_str()));
    let limits = [EngineLimit::Backtracking, EngineLimit::Combinations].map(EngineLimit::as_str);
    let repairs = RepairKind::ALL.map(RepairKind::as_str);
    let diagnoses = Diagnosis::ALL.map(Diagnosis::as_str);
    let signals = SignalCode::ALL.iter().map(|code| code.as_str());
    codes.chain(signals).chain(limits).chain(repairs).chain(diagnoses).chain(MORE).collect()
});

/// Where a name stands among those that are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Other,
    Known,
    Foreign,
}

/// A name that is counted: short, of few letters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Name {
    rank: Rank,
    text: Cow<'static, str>,
}

impl Name {
    /// A name of ours.
    pub(crate) fn ours(text: &'static str) -> Self {
        Self { rank: rank(text), text: Cow::Borrowed(text) }
    }

    /// What a report has for the name of an outcome, a code, a kind.
    pub(crate) fn of(text: &str) -> Self {
        Self::checked(text, |byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
    }

    /// The name of a target: whoever wrote the spec chose it, so words in any script are names too.
    pub(crate) fn of_target(text: &str) -> Self {
        let is_plain = |character: char| character.is_alphanumeric() || " _-.".contains(character);
        if text.is_empty() || text.chars().count() > LONGEST || !text.chars().all(is_plain) {
            return Self::other();
        }
        Self { rank: rank(text), text: Cow::Owned(text.to_owned()) }
    }

    /// What a report has for a keyword of JSON Schema: capitals may stand in it.
    pub(crate) fn of_keyword(text: &str) -> Self {
        Self::checked(text, |byte| byte.is_ascii_alphanumeric() || byte == b'_')
    }

    fn checked(text: &str, may_follow: impl Fn(u8) -> bool) -> Self {
        let begins = text.bytes().next().is_some_and(|first| first.is_ascii_lowercase());
        if !begins || text.len() > LONGEST || !text.bytes().all(may_follow) {
            return Self::other();
        }
        match KNOWN.get(text) {
            Some(known) => Self { rank: Rank::Known, text: Cow::Borrowed(known) },
            None => Self { rank: rank(text), text: Cow::Owned(text.to_owned()) },
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }
}

fn rank(text: &str) -> Rank {
    match text {
        OTHER => Rank::Other,
        _ if KNOWN.contains(text) => Rank::Known,
        _ => Rank::Foreign,
    }
}

/// A code and the outcome that it stands under.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct CodeName {
    /// Of the two the one that is less known: it decides what is kept.
    rank: Rank,
    outcome: Name,
    code: Name,
}

impl CodeName {
    pub(crate) fn new(outcome: Name, code: Name) -> Self {
        let rank = match outcome.rank.max(code.rank) {
            // One of the two is `other`: not the pair that takes what is given up.
            Rank::Other if outcome != Name::other() || code != Name::other() => Rank::Known,
            rank => rank,
        };
        Self { rank, outcome, code }
    }

    pub(crate) fn outcome(&self) -> &str {
        self.outcome.as_str()
    }

    pub(crate) fn code(&self) -> &str {
        self.code.as_str()
    }
}

/// A key that has a place for everything else.
pub(crate) trait Key: Ord {
    /// It stands in front of all others.
    fn other() -> Self;
}

impl Key for Name {
    fn other() -> Self {
        Self { rank: Rank::Other, text: Cow::Borrowed(OTHER) }
    }
}

impl Key for CodeName {
    fn other() -> Self {
        Self { rank: Rank::Other, outcome: Name::other(), code: Name::other() }
    }
}

/// What is known of a key, and of several put together, in any order.
pub(crate) trait Sum {
    fn add(&mut self, more: Self);
}

impl Sum for u64 {
    fn add(&mut self, more: Self) {
        *self += more;
    }
}

/// Something for each key, of a bounded number of them.
#[derive(Debug)]
pub(crate) struct Named<K, V>(BTreeMap<K, V>);

impl<K, V> Default for Named<K, V> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<K: Key, V: Sum> Named<K, V> {
    /// Adds to what is known of a key.
    pub(crate) fn add(&mut self, key: K, value: V) {
        match self.0.get_mut(&key) {
            Some(known) => known.add(value),
            None => {
                self.0.insert(key, value);
                self.give_up();
            }
        }
    }

    /// Puts two together.
    pub(crate) fn merge(&mut self, more: Self) {
        more.0.into_iter().for_each(|(key, value)| self.add(key, value));
    }

    pub(crate) fn get(&self, key: &K) -> Option<&V> {
        self.0.get(key)
    }

    pub(crate) fn get_mut(&mut self, key: &K) -> Option<&mut V> {
        self.0.get_mut(key)
    }

    pub(crate) fn into_entries(self) -> impl Iterator<Item = (K, V)> {
        self.0.into_iter()
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The last of too many becomes `other`, which is none of those that are told apart.
    fn give_up(&mut self) {
        let room = MOST + usize::from(self.0.contains_key(&K::other()));
        if self.0.len() > room {
            if let Some((_, value)) = self.0.pop_last() {
                match self.0.get_mut(&K::other()) {
                    Some(other) => other.add(value),
                    None => drop(self.0.insert(K::other(), value)),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_name_is_other() {
        let long = "a".repeat(41);
        for text in
            ["", "Ok", "_a", "1a", "a b", "a-b", "a.b", "é", "aé", "a\u{202e}", "a\n", "</script>", "a<b", &long]
        {
            assert_eq!(Name::of(text), Name::other(), "{text:?}");
        }
        for text in ["a", "ok", "open_string", "a1_", &long[..40]] {
            assert_eq!(Name::of(text).as_str(), text);
        }
        assert_eq!(Name::of("maxItems"), Name::other());
        assert_eq!(Name::of_keyword("maxItems"), Name::ours("maxItems"));
        assert_eq!(Name::of_keyword("$ref"), Name::other());
        assert_eq!(Name::of("other"), Name::other());
    }

    #[test]
    fn a_name_is_the_same_from_either_side() {
        for text in ["truncated", "open_string", "some_veto", "number"] {
            assert_eq!(Name::ours(text), Name::of(text), "{text}");
        }
        assert_eq!(Name::ours("dependentRequired"), Name::of_keyword("dependentRequired"));
    }

    /// A mixing step that visits every place of `0..len` once, for a prime `len`.
    fn mixed(len: usize, step: usize) -> impl Iterator<Item = usize> {
        (0..len).map(move |at| at * step % len)
    }

    #[test]
    fn too_many_names_are_the_same_in_any_order_and_in_any_parts() {
        let names: Vec<_> = (0..1009).map(|number| Name::of(&format!("n{number}"))).chain([Name::ours("ok")]).collect();
        let mut found: Vec<Vec<(Name, u64)>> = Vec::new();
        for step in [1, 7, 500, 1008] {
            for parts in [1, 2, 5] {
                let mut kept: Vec<Named<Name, u64>> = (0..parts).map(|_| Named::default()).collect();
                for (turn, at) in mixed(1009, step).chain(mixed(1009, 3)).chain([1009]).enumerate() {
                    kept[turn % parts].add(names[at].clone(), 1);
                    assert!(kept[turn % parts].len() <= MOST + 1);
                }
                let mut all = Named::default();
                kept.into_iter().for_each(|part| all.merge(part));
                found.push(all.into_entries().collect());
            }
        }
        assert_eq!(found[0].len(), MOST + 1);
        assert_eq!(found[0].iter().map(|(_, count)| count).sum::<u64>(), 2 * 1009 + 1);
        assert!(found[0].iter().any(|(name, count)| name.as_str() == "ok" && *count == 1), "ours are kept");
        assert!(found.iter().all(|other| *other == found[0]));
    }

    #[test]
    fn the_pair_that_takes_what_is_given_up_stands_in_front() {
        let other = CodeName::new(Name::other(), Name::other());
        assert_eq!(other, CodeName::other());
        for pair in [
            CodeName::new(Name::ours("ok"), Name::other()),
            CodeName::new(Name::other(), Name::ours("ok")),
            CodeName::new(Name::of("foreign"), Name::ours("ok")),
        ] {
            assert!(pair > other, "{pair:?}");
        }
    }
}
