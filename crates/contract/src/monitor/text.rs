//! Strings, as their characters come: lists of words by bisection, lengths by counting, patterns by their automata.

use super::kleene::Status;
use super::stack::{Cause, Instance};
use crate::schema::pattern::{Automaton, Stepped};
use crate::schema::program::TextPlan;

/// The string, or key, that is open.
#[derive(Clone, Debug, Default)]
pub(super) struct Text {
    /// Its beginning; all of it where it is asked for as a whole, and as far as there is room.
    pub(super) text: String,
    /// Bytes and characters so far.
    pub(super) len: usize,
    pub(super) chars: u64,
    /// All of the text is kept.
    pub(super) is_kept: bool,
    /// There was no room.
    pub(super) is_over: bool,
    pub(super) is_open: bool,
}

/// Bytes of a text that are kept in any case: what a sentence quotes.
const QUOTED: usize = 256;

impl Text {
    pub(super) fn begin(&mut self) {
        self.text.clear();
        self.len = 0;
        self.chars = 0;
        self.is_kept = false;
        self.is_over = false;
        self.is_open = true;
    }

    /// Takes more of it, of which no more than `most` bytes are kept.
    pub(super) fn take(&mut self, text: &str, most: usize) {
        self.len += text.len();
        self.chars += text.chars().count() as u64;
        let room = (if self.is_kept { most.max(QUOTED) } else { QUOTED }).saturating_sub(self.text.len());
        if text.len() <= room && !self.is_over {
            self.text.push_str(text);
            return;
        }
        if !self.is_over {
            let end = (0..=room).rev().find(|&end| text.is_char_boundary(end)).unwrap_or_default();
            self.text.push_str(&text[..end]);
            self.is_over = true;
        }
    }

    /// All of it, if it is there.
    pub(super) fn whole(&self) -> Option<&str> {
        (!self.is_over).then_some(self.text.as_str())
    }
}

/// What more of a string comes to for an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    Nothing,
    /// Valid from the byte with this index on.
    Valid(usize),
    Dead(usize, Cause),
}

/// Holds more text against what a plan asks of strings; `before` is what had come.
pub(super) fn hear(plan: &TextPlan, instance: &mut Instance, before: &Text, text: &str) -> Heard {
    let mut dead: Option<(usize, Cause)> = None;
    let mut dies = |at: usize, cause: Cause| {
        if dead.is_none_or(|(first, _)| at < first) {
            dead = Some((at, cause));
        }
    };
    if let Some(words) = &plan.words {
        if let Some(at) = narrow(words, &mut instance.low, &mut instance.high, before.len, text.as_bytes()) {
            dies(at, Cause::Listed);
        }
    }
    if plan.most < u64::MAX {
        let room = plan.most.saturating_sub(before.chars);
        // As many bytes hold no more characters.
        if text.len() as u64 > room {
            if let Some((at, _)) = text.char_indices().nth(usize::try_from(room).unwrap_or(usize::MAX)) {
                dies(at, Cause::MaxLength);
            }
        }
    }
    // From which byte on the pattern is matched.
    let mut matched = Some(0);
    if let (Some(automaton), Some(state)) = (&plan.automaton, instance.state) {
        if Automaton::known(state).is_none() {
            matched = None;
            match automaton.step(state, text.as_bytes()) {
                Stepped::Alive(state) => instance.state = Some(state),
                Stepped::Dead(at) => dies(at, Cause::Pattern),
                Stepped::Matched(at) => {
                    instance.state = Some(Automaton::matched());
                    matched = Some(at);
                }
            }
        }
    }
    if let Some((at, cause)) = dead {
        return Heard::Dead(at, cause);
    }
    // Nothing more is asked once it is long enough, and the pattern is matched.
    let is_free = plan.words.is_none() && plan.most == u64::MAX && !plan.asks_whole && !instance.is_tainted;
    if let (true, Some(matched)) = (is_free, matched) {
        if before.chars + text.len() as u64 >= plan.least {
            let needed = plan.least.saturating_sub(before.chars + 1);
            if let Some((at, char)) = text.char_indices().nth(usize::try_from(needed).unwrap_or(usize::MAX)) {
                return Heard::Valid((at + char.len_utf8() - 1).max(matched));
            }
        }
    }
    Heard::Nothing
}

/// Narrows the words `low..high`, which all begin with the `len` bytes that had come, by more text. The index of the byte that leaves none.
pub(super) fn narrow<W: AsRef<[u8]>>(
    words: &[W],
    low: &mut u32,
    high: &mut u32,
    len: usize,
    bytes: &[u8],
) -> Option<usize> {
    let mut at = 0;
    while at < bytes.len() {
        let range = &words[*low as usize..*high as usize];
        match range {
            [] => return Some(at),
            [one] => {
                let rest = one.as_ref().get(len + at..).unwrap_or_default();
                let same = rest.iter().zip(&bytes[at..]).take_while(|(one, other)| one == other).count();
                if same < bytes.len() - at {
                    *high = *low;
                    return Some(at + same);
                }
                return None;
            }
            _ => {}
        }
        let key = |word: &W| word.as_ref().get(len + at).copied();
        let byte = Some(bytes[at]);
        let from = range.partition_point(|word| key(word) < byte);
        let count = range[from..].partition_point(|word| key(word) == byte);
        *low += from as u32;
        *high = *low + count as u32;
        if count == 0 {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// What a string that has closed comes to, as far as the plan tells; `None` where the whole of it is to be looked at.
pub(super) fn close(plan: &TextPlan, instance: &Instance, text: &Text) -> (Option<Status>, Cause) {
    if let Some(words) = &plan.words {
        let first = words[instance.low as usize..instance.high as usize].first();
        if first.is_none_or(|first| first.len() != text.len) {
            return (Some(Status::Dead), Cause::Listed);
        }
    }
    if text.chars < plan.least {
        return (Some(Status::Dead), Cause::MinLength);
    }
    if plan.automaton.as_ref().zip(instance.state).is_some_and(|(automaton, state)| !automaton.end(state)) {
        return (Some(Status::Dead), Cause::Pattern);
    }
    match plan.asks_whole {
        true => (None, Cause::Whole),
        false => (Some(Status::Valid), Cause::None),
    }
}

#[cfg(test)]
mod tests {
    use super::narrow;

    #[test]
    fn words_are_narrowed_byte_by_byte_as_at_once() {
        let words = ["", "a", "ab", "abc", "abd", "b", "ba", "über", "ü"];
        let mut sorted = words;
        sorted.sort_unstable();
        for text in ["", "a", "abx", "abc", "abcd", "bb", "ü", "übel", "x"] {
            let first_dead = (1..=text.len())
                .find(|&end| !words.iter().any(|word| word.as_bytes().starts_with(&text.as_bytes()[..end])));
            let (mut low, mut high) = (0, sorted.len() as u32);
            assert_eq!(
                narrow(&sorted, &mut low, &mut high, 0, text.as_bytes()),
                first_dead.map(|end| end - 1),
                "{text}"
            );
            let (mut low, mut high, mut dead) = (0, sorted.len() as u32, None);
            for (at, char) in text.char_indices() {
                let piece = &text[at..at + char.len_utf8()];
                if dead.is_none() {
                    dead = narrow(&sorted, &mut low, &mut high, at, piece.as_bytes()).map(|byte| at + byte);
                }
            }
            assert_eq!(dead, first_dead.map(|end| end - 1), "{text}");
        }
    }
}
