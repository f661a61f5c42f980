//! The repetition guard: a text that repeats exactly and does not end.
//!
//! Judged at offsets that are multiples of [`GUARD_STRIDE`], on the raw text alone, so that chunking does not matter. A period is
//! looked for at every `search`-th byte only, where the last [`PROBE`] bytes stood before; from then on it is followed, one
//! comparison of new bytes with those a period earlier. A run that would trip is found in time: it is longer than `search` and
//! two periods together.

use crate::class::{BLOCK, block_at, same};
use crate::limits::{FEWEST_COPIES, GUARD_STRIDE, LONGEST_PERIOD, Limits};

/// Bytes that must stand again before a period is followed.
const PROBE: usize = 32;

/// How far back a run is followed while its start is compared with others': one that reaches further is too long by its copies.
pub(crate) const REACH: usize = FEWEST_COPIES * LONGEST_PERIOD + GUARD_STRIDE;

/// How many bytes are followed for all places of the probe together.
const EFFORT: usize = 32 << 10;

/// What is kept of a text: bytes, and the offset of the first. All of it, or the last ones; then a run begins no earlier, and one is
/// followed only while two of its copies are kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) start: usize,
}

impl<'a> Window<'a> {
    fn end(self) -> usize {
        self.start + self.bytes.len()
    }

    /// The same up to an offset.
    pub(crate) fn up_to(self, end: usize) -> Self {
        Self { bytes: &self.bytes[..end - self.start], start: self.start }
    }

    fn get(self, from: usize, to: usize) -> Option<&'a [u8]> {
        self.bytes.get(from.checked_sub(self.start)?..to.checked_sub(self.start)?)
    }
}

/// A run that repeats: `text[start..verified]` has period `period`.
#[derive(Clone, Copy, Debug)]
struct Run {
    period: usize,
    start: usize,
    verified: usize,
}

impl Run {
    /// The offset behind which it is too long under a limit.
    fn too_long_at(&self, limit: usize) -> usize {
        self.start.saturating_add(limit.max(FEWEST_COPIES * self.period))
    }
}

/// A run at a place where it is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Repeats {
    pub(crate) period: usize,
    pub(crate) start: usize,
    /// Where it is judged; the text before it repeats.
    pub(crate) at: usize,
}

impl Repeats {
    /// Whether the run is too long under a limit.
    pub(crate) fn exceeds(&self, limit: usize) -> bool {
        self.at - self.start >= limit.max(FEWEST_COPIES * self.period)
    }
}

/// Follows repetition in the text of one reply.
#[derive(Clone, Debug)]
pub(crate) struct Repetition {
    run: Option<Run>,
    /// The smaller of the two limits.
    least: usize,
    /// A power of two.
    search: usize,
}

impl Repetition {
    pub(crate) fn new(limits: &Limits) -> Self {
        let limit = |limit: Option<usize>| limit.unwrap_or(usize::MAX);
        let least = limit(limits.repetition).min(limit(limits.other_repetition));
        // A run of period p trips at max(least, 8 p); it is followed from at most 2 p + search bytes on.
        let room = (least / 4 * 3).clamp(GUARD_STRIDE, 2048);
        Self { run: None, least, search: 1 << room.ilog2() }
    }

    /// The next place in `text`, behind offset `from`, at which a run is long enough to be judged.
    #[inline]
    pub(crate) fn next(&mut self, text: Window<'_>, from: usize) -> Option<Repeats> {
        if from / GUARD_STRIDE == text.end() / GUARD_STRIDE || self.least == usize::MAX {
            return None;
        }
        self.look(text, from)
    }

    /// The next offset behind `len` at which there is something to do.
    pub(crate) fn due(&self, len: usize) -> usize {
        let stride = if self.run.is_some() { GUARD_STRIDE } else { self.search };
        if self.least == usize::MAX { usize::MAX } else { (len / stride + 1) * stride }
    }

    /// Whether there is something to do at a multiple of [`GUARD_STRIDE`].
    pub(crate) fn is_due(&self, at: usize) -> bool {
        self.least != usize::MAX && (self.run.is_some() || at.is_multiple_of(self.search))
    }

    fn look(&mut self, text: Window<'_>, from: usize) -> Option<Repeats> {
        let mut at = (from / GUARD_STRIDE + 1) * GUARD_STRIDE;
        while at <= text.end() {
            if let Some(run) = &mut self.run {
                let (new, old) = (text.get(run.verified, at), text.get(run.verified - run.period, at - run.period));
                if new == old && old.is_some() {
                    run.verified = at;
                } else {
                    self.run = find(text.up_to(at), self.least);
                }
            } else if at.is_multiple_of(self.search) {
                self.run = find(text.up_to(at), self.least);
            }
            let Some(run) = self.run else {
                // Without a run there is nothing to judge before the next search.
                at = (at / self.search + 1) * self.search;
                continue;
            };
            let repeats = Repeats { period: run.period, start: run.start, at };
            if repeats.exceeds(self.least) {
                return Some(repeats);
            }
            at += GUARD_STRIDE;
        }
        None
    }
}

/// The run that ends with `text` and would be too long first, of those that repeat within the longest period. It has at least two
/// copies; anything less is just text that stands twice.
///
/// The nearest place where the last bytes stand gives the shortest period. A run with a longer one, that began earlier, goes over the
/// place where that run begins: the bytes around it are looked for next, and so on.
fn find(window: Window<'_>, least: usize) -> Option<Run> {
    let text = window.bytes;
    let lowest = text.len().saturating_sub(REACH);
    let mut best: Option<Run> = None;
    let mut effort = EFFORT;
    let mut anchor = text.len();
    while let Some(run) = nearest(text, anchor, lowest, &mut effort) {
        if best.is_none_or(|best| run.too_long_at(least) < best.too_long_at(least)) {
            best = Some(run);
        }
        let around = run.start + PROBE / 2;
        if run.start == lowest || around >= anchor {
            break;
        }
        anchor = around;
    }
    let mut run = best?;
    if run.start == lowest {
        run.start = run_start(text, run.period, 0);
    }
    Some(Run { start: window.start + run.start, verified: window.end(), ..run })
}

/// The run with the shortest period, of those that end with `text` and repeat the bytes in front of `anchor`.
fn nearest(text: &[u8], anchor: usize, lowest: usize, effort: &mut usize) -> Option<Run> {
    let (front, probe) = text[..anchor].split_last_chunk::<PROBE>()?;
    let end = text.len();
    let mut place = front.len();
    let first = place.saturating_sub(LONGEST_PERIOD);
    while place > first && *effort > 0 {
        place = last_likely(text, first, place, probe)?;
        if text[place..place + PROBE] != *probe {
            continue;
        }
        let period = front.len() - place;
        let start = run_start(text, period, lowest);
        *effort = effort.saturating_sub(end - start);
        if end - start >= 2 * period {
            return Some(Run { period, start, verified: end });
        }
    }
    None
}

/// The last place in front of `place`, and not in front of `first`, where the probe may stand: three of its bytes do.
fn last_likely(text: &[u8], first: usize, place: usize, probe: &[u8; PROBE]) -> Option<usize> {
    const MIDDLE: usize = PROBE / 2 - 3;
    const LAST: usize = PROBE - 1;
    let bytes = [probe[0], probe[MIDDLE], probe[LAST]];
    let likely = |window: &[u8], at: usize| {
        let stands = |at: usize, byte: u8| block_at(window, at).map_or(0, |block| same(block, byte));
        stands(at, bytes[0]) & stands(at + MIDDLE, bytes[1]) & stands(at + LAST, bytes[2])
    };
    // Blocks of places, nearest first; most hold none: so they are asked of four at a time.
    let mut past = place;
    while past - first >= 4 * BLOCK {
        let blocks = past - 4 * BLOCK;
        let Some(window) = text[blocks..].first_chunk::<{ 4 * BLOCK + LAST }>() else { break };
        if likely(window, 0) | likely(window, BLOCK) | likely(window, 2 * BLOCK) | likely(window, 3 * BLOCK) != 0 {
            break;
        }
        past = blocks;
    }
    while past > first {
        let block = past.saturating_sub(BLOCK).max(first);
        let Some(window) = text[block..].first_chunk::<{ BLOCK + LAST }>() else { return Some(past - 1) };
        let mut likely = likely(window, 0);
        if past - block < BLOCK {
            likely &= (1 << (past - block)) - 1;
        }
        if likely != 0 {
            return Some(block + likely.ilog2() as usize);
        }
        past = block;
    }
    None
}

/// Where the run with this period that ends with `text` begins; `lowest` if it reaches that far.
fn run_start(text: &[u8], period: usize, lowest: usize) -> usize {
    let mut start = text.len() - period;
    while start > lowest && text[start - 1] == text[start - 1 + period] {
        start -= 1;
    }
    start
}

/// Whether the last `period` bytes hold letters inside a string, and are not one character over and over. `in_string`: at their
/// end.
pub(crate) fn letters_in_string(text: &[u8], period: usize, in_string: bool) -> bool {
    let copy = &text[text.len() - period..];
    if is_one_character(copy) {
        return false;
    }
    let mut escaped = text[..text.len() - period].iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1;
    let mut quotes = 0;
    let mut outside = false;
    let mut inside = false;
    for char in whole_chars(text, period).chars() {
        if char == '"' && !escaped {
            quotes += 1;
        } else if char.is_alphabetic() && (!escaped || char == 'u') {
            // The letter of an escape is none, unless the escape may stand for one.
            if quotes % 2 == 0 { outside = true } else { inside = true }
        }
        escaped = char == '\\' && !escaped;
    }
    // An odd number of quotes turns each copy into the other's inside.
    let begins_inside = in_string != (quotes % 2 == 1);
    match (quotes % 2, begins_inside) {
        (1, _) => inside || outside,
        (_, true) => outside,
        (_, false) => inside,
    }
}

/// The last `period` bytes of a text, from the beginning of the character there to the last one that is whole.
fn whole_chars(text: &[u8], period: usize) -> &str {
    let is_lead = |at: &usize| text[*at] & 0xC0 != 0x80;
    let start = (0..=text.len() - period).rev().take(4).find(is_lead).unwrap_or_default();
    let copy = &text[start..];
    match core::str::from_utf8(copy) {
        Ok(text) => text,
        Err(error) => core::str::from_utf8(&copy[..error.valid_up_to()]).unwrap_or_default(),
    }
}

/// Whether some text, which may begin inside a character, is one character over and over.
fn is_one_character(text: &[u8]) -> bool {
    let is_lead = |byte: &&u8| **byte & 0xC0 != 0x80;
    (1..=4.min(text.len())).any(|len| {
        let repeats = text[len..].iter().zip(text).all(|(later, earlier)| later == earlier);
        repeats && text[..len].iter().filter(is_lead).count() == 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;
    use alloc::vec::Vec;

    fn first(text: &str, limits: &Limits, step: usize) -> Option<Repeats> {
        let mut guard = Repetition::new(limits);
        let bytes = text.as_bytes();
        let ends = (step..bytes.len()).step_by(step).chain([bytes.len()]);
        let mut from = 0;
        for end in ends {
            if let Some(repeats) = guard.next(Window { bytes: &bytes[..end], start: 0 }, from) {
                return Some(repeats);
            }
            from = end;
        }
        None
    }

    #[test]
    fn a_run_trips_at_the_first_stride_whatever_the_chunks() {
        let limits = Limits { other_repetition: None, ..Limits::default() };
        for (front, period) in [(7, 6), (100, 1), (3000, 511), (5, 1000), (2047, 64)] {
            let unlike: String = (0..front).map(|at| char::from(b'a' + (at * at / 7 % 26) as u8)).collect();
            let copy: String = (0..period).map(|at| char::from(b'!' + (at * at / 3 % 60) as u8)).collect();
            let text = unlike + &copy.repeat(20_000 / period);
            let whole = first(&text, &limits, text.len()).unwrap_or_else(|| panic!("a run: {front} {period}"));
            let expected = (front + 4096.max(8 * period)).next_multiple_of(256);
            assert!(whole.at <= expected && whole.at + 256 > expected, "{front} {period} {whole:?}");
            let all: Vec<_> = [1, 3, 255, 256, 257, 5000].map(|step| first(&text, &limits, step)).into();
            assert!(all.iter().all(|one| *one == Some(whole)));
        }
    }

    #[test]
    fn text_that_only_looks_alike_does_not_trip() {
        let rows: String = (0..2000).map(|row| alloc::format!("{{\"id\": {row}, \"name\": \"row\"}},\n")).collect();
        assert_eq!(first(&rows, &Limits::default(), 64), None);
    }

    #[test]
    fn letters_are_looked_for_in_strings() {
        assert!(letters_in_string(b"{\"a\": \"so on so on ", 6, true));
        assert!(!letters_in_string(b"[null, null, ", 6, false));
        assert!(letters_in_string(b"[\"a\", \"a\", ", 5, false));
        assert!(!letters_in_string(b"{\"a\": \"------", 3, true));
        assert!(!letters_in_string(b"{\"a\": \"aaaaaaa", 3, true));
        assert!(!letters_in_string("{\"a\": \"éééé".as_bytes(), 2, true));
        assert!(letters_in_string("{\"a\": \"éèéè".as_bytes(), 4, true));
        assert!(letters_in_string(&"{\"a\": \"éèéè".as_bytes()[..13], 4, true));
        assert!(!letters_in_string("{\"a\": \"─ ─ ".as_bytes(), 4, true));
        assert!(!letters_in_string(b"{\"a\": \"0\\n0\\n", 3, true));
        assert!(!letters_in_string(b"{\"a\": \"0\\n0\\n0\\", 3, true));
        assert!(letters_in_string(b"{\"a\": \"0\\u00e90\\u00e9", 7, true));
    }
}
