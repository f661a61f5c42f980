//! Two equal keys in one object: found as the second one closes, judged as its value closes.
//!
//! Keys are compared after unescaping. A small object is searched in a row, by the first bytes of each key and then byte for byte; a
//! large one has an [`Index`] of digests, so that n keys cost O(n log n) comparisons of 16 bytes whatever they are.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use crate::class::word;
use crate::digest::Digest;
use crate::edits::Edits;
use crate::index::Index;
use crate::sink::Kind;
use crate::span::Span;
use crate::value::{equal, unescape};

/// Up to this many keys an object is searched in a row.
pub(crate) const ROW: usize = 32;

/// Spreads the prints of keys over the bits of [`Keys::seen`]: 2^64 over the golden ratio.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

/// What a key is to its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nth {
    First,
    /// It stood there before.
    Second,
    /// The object may not have so many.
    OverLimit,
}

/// One key of an open object.
#[derive(Clone, Copy, Debug)]
struct Key {
    /// Its text: in the raw reply, or unescaped in `unescaped`.
    text: Span,
    owned: bool,
    /// The first eight bytes, zeros behind a shorter one.
    print: u64,
    /// Where its opening delimiter stands.
    at: usize,
    /// Behind the key: its colon and its value; and an offset that is not in front of the value's end, once one is known.
    from: usize,
    end: Option<usize>,
}

/// A key that closed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    /// Its content.
    pub(crate) content: Span,
    /// Where its opening delimiter stands, and one past the closing one.
    pub(crate) at: usize,
    pub(crate) end: usize,
    /// The content holds escapes or raw control characters.
    pub(crate) escaped: bool,
}

/// The bit of [`Keys::seen`] that stands for a print.
#[inline(always)]
fn bit_of(print: u64) -> u64 {
    1 << (print.wrapping_mul(SPREAD) >> (u64::BITS - 6))
}

/// An open object around the innermost one. Its fields are copied one by one, as they are written: what was just written in parts is slow to read as
/// a whole.
#[derive(Clone, Copy, Debug)]
struct Frame {
    first: u32,
    seen: u64,
}

/// A second key, while its value is open.
#[derive(Clone, Copy, Debug)]
struct Second {
    depth: u32,
    first: usize,
    at: usize,
    from: usize,
}

/// The keys of all open objects, innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    /// Where the keys of the innermost open object begin.
    first: u32,
    outer: Vec<Frame>,
    list: Vec<Key>,
    /// One bit for each key of the innermost open object, by its print: where it is clear, the key did not stand here before.
    seen: u64,
    /// Open objects.
    objects: u32,
    /// Open objects and arrays.
    depth: u32,
    /// The candidate cannot be the document: nothing is judged.
    idle: bool,
    /// Keys in one object that are allowed.
    limit: usize,
    /// Made for the first key that is none of the usual.
    rare: Option<Box<Rare>>,
}

/// What few documents need.
#[derive(Clone, Debug, Default)]
struct Rare {
    index: Index,
    unescaped: String,
    /// Of the open objects, those that opened when there was something rare.
    frames: Vec<RareFrame>,
    /// Second keys whose values are open, innermost last.
    seconds: Vec<Second>,
}

/// How much is rare in front of an object.
#[derive(Clone, Copy, Debug, Default)]
struct RareFrame {
    /// How many objects are open around it.
    around: u32,
    indexed: usize,
    unescaped: usize,
}

impl Keys {
    /// For objects of so many keys at most.
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.outer.clear();
        self.objects = 0;
        self.depth = 0;
        self.idle = false;
        if let Some(rare) = &mut self.rare {
            rare.index.truncate(0);
            rare.unescaped.clear();
            rare.frames.clear();
            rare.seconds.clear();
        }
    }

    /// The candidate cannot be the document.
    pub(crate) fn rest(&mut self) {
        self.clear();
        self.idle = true;
    }

    #[inline(always)]
    pub(crate) fn open(&mut self, kind: Kind) {
        if self.idle {
            return;
        }
        self.depth += 1;
        if kind == Kind::Object {
            if let Some(rare) = &mut self.rare {
                rare.open(self.objects);
            }
            if self.objects > 0 {
                self.outer.push(Frame { first: self.first, seen: self.seen });
            }
            self.objects += 1;
            (self.first, self.seen) = (self.list.len() as u32, 0);
        }
    }

    /// A frame closed.
    #[inline(always)]
    pub(crate) fn close(&mut self, kind: Kind) {
        if self.idle {
            return;
        }
        self.depth -= 1;
        if kind == Kind::Array {
            return;
        }
        self.list.truncate(self.first as usize);
        self.objects -= 1;
        if let Some(rare) = &mut self.rare {
            rare.close(self.objects);
        }
        (self.first, self.seen) = self.outer.pop().map_or((0, 0), |outer| (outer.first, outer.seen));
    }

    /// Takes a key that closed, without escapes, if it is the usual one: it differs from those before it at a glance.
    #[inline(always)]
    pub(crate) fn is_new(&mut self, content: Span, at: usize, end: usize, raw: &str) -> bool {
        // No candidate that counts is open.
        if self.objects == 0 {
            return true;
        }
        let first = self.first as usize;
        let print = word(&raw.as_bytes()[..content.end], content.start);
        let bit = bit_of(print);
        let count = self.list.len() - first;
        if count >= ROW.min(self.limit)
            || self.seen & bit != 0 && self.list[first..].iter().any(|other| other.print == print)
        {
            return false;
        }
        self.seen |= bit;
        self.list.push(Key { text: content, owned: false, print, at, from: end, end: None });
        true
    }

    /// A key closed.
    pub(crate) fn search(&mut self, closed: Closed, raw: &str) -> Nth {
        let Self { list, first, seen, objects, depth, limit, rare, .. } = self;
        if *objects == 0 {
            return Nth::First;
        }
        let rare = rare.get_or_insert_with(Box::default);
        let Closed { content, at, end, escaped } = closed;
        let text = if escaped { rare.own(&raw[content.range()]) } else { content };
        let source = if escaped { rare.unescaped.as_bytes() } else { raw.as_bytes() };
        let bytes = &source[text.range()];
        let key = Key { text, owned: escaped, print: word(&source[..text.end], text.start), at, from: end, end: None };
        let first = *first as usize;
        let indexed = rare.frame(*objects - 1).indexed;
        let mut digest = Digest::default();
        let found = if list.len() - first <= ROW {
            let same = |other: &Key| other.print == key.print && rare.bytes(other, raw) == bytes;
            list[first..].iter().position(same).map(|index| first + index)
        } else {
            digest = Digest::of_text(bytes);
            rare.index.search(indexed, digest)
        };
        if let Some(found) = found {
            rare.seconds.push(Second { depth: *depth, first: found, at, from: end });
            return Nth::Second;
        }
        if list.len() - first >= *limit {
            return Nth::OverLimit;
        }
        list.push(key);
        *seen |= bit_of(key.print);
        match list.len() - first {
            ..=ROW => {}
            count if count == ROW + 1 => {
                for (index, key) in list.iter().enumerate().skip(first) {
                    let digest = Digest::of_text(rare.bytes(key, raw));
                    rare.index.insert(indexed, digest, index);
                }
            }
            _ => rare.index.insert(indexed, digest, list.len() - 1),
        }
        Nth::First
    }

    /// Whether the value of a second key is open.
    #[inline(always)]
    pub(crate) fn has_second(&self) -> bool {
        self.rare.as_ref().is_some_and(|rare| !rare.seconds.is_empty())
    }

    /// A value ended: if it is that of a second key, it must equal the first's. Where the second key stands, if it does not.
    #[inline]
    pub(crate) fn value(&mut self, end: usize, raw: &str, edits: &Edits) -> Option<usize> {
        if self.rare.is_none() { None } else { self.judge(end, raw, edits) }
    }

    #[cold]
    #[inline(never)]
    fn judge(&mut self, end: usize, raw: &str, edits: &Edits) -> Option<usize> {
        let second = self.rare.as_mut()?.seconds.pop_if(|second| second.depth == self.depth)?;
        let first = self.list[second.first];
        // The value ends in front of the next key: the next different one, or this one.
        let next = self.list.get(second.first + 1).map_or(second.at, |next| next.at);
        let earlier = Span::new(first.from, first.end.unwrap_or(next));
        if !equal(&edits.apply(raw, earlier), &edits.apply(raw, Span::new(second.from, end))) {
            return Some(second.at);
        }
        // The next one is compared with the latest: each value is read at most twice.
        self.list[second.first].from = second.from;
        self.list[second.first].end = Some(end);
        None
    }
}

impl Rare {
    /// An object opens in so many others.
    #[cold]
    #[inline(never)]
    fn open(&mut self, around: u32) {
        self.frames.push(RareFrame { around, indexed: self.index.len(), unescaped: self.unescaped.len() });
    }

    /// An object in so many others closed.
    #[cold]
    #[inline(never)]
    fn close(&mut self, around: u32) {
        let RareFrame { indexed, unescaped, .. } = self.frame(around);
        self.index.truncate(indexed);
        self.unescaped.truncate(unescaped);
        let _ = self.frames.pop_if(|frame| frame.around == around);
    }

    /// What was rare in front of the innermost object, in so many others: nothing if it opened before anything was.
    fn frame(&self, around: u32) -> RareFrame {
        self.frames.last().copied().filter(|frame| frame.around == around).unwrap_or_default()
    }

    /// Keeps the text of a key with its escapes undone.
    fn own(&mut self, content: &str) -> Span {
        let start = self.unescaped.len();
        self.unescaped.push_str(&unescape(content));
        Span::new(start, self.unescaped.len())
    }

    fn bytes<'a>(&'a self, key: &Key, raw: &'a str) -> &'a [u8] {
        if key.owned { &self.unescaped.as_bytes()[key.text.range()] } else { &raw.as_bytes()[key.text.range()] }
    }
}
