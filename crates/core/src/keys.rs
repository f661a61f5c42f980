//! Two equal keys in one object: found as the second one closes, judged as its value closes.
//!
//! Keys are compared after unescaping. A small object is searched in a row, by the first bytes of each key and then byte for byte; a
//! large one has an [`Index`] of digests, so that n keys cost O(n log n) comparisons of 16 bytes whatever they are.

use alloc::string::String;
use alloc::vec::Vec;

use crate::digest::Digest;
use crate::edits::Edits;
use crate::index::Index;
use crate::sink::Kind;
use crate::span::Span;
use crate::value::{equal, unescape};

/// Up to this many keys an object is searched in a row.
pub(crate) const ROW: usize = 32;

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
    /// The first eight bytes.
    print: u64,
    /// Where its opening delimiter stands.
    at: usize,
    /// Behind the key: its colon and its value; and an offset that is not in front of the value's end, once one is known.
    from: usize,
    end: Option<usize>,
}

/// An open frame: where its keys begin.
#[derive(Clone, Copy, Debug)]
struct Frame {
    object: bool,
    keys: u32,
    indexed: u32,
    unescaped: u32,
}

/// A second key, while its value is open.
#[derive(Clone, Copy, Debug)]
struct Second {
    depth: usize,
    first: usize,
    at: usize,
    from: usize,
}

/// The keys of all open objects, innermost last.
#[derive(Clone, Debug, Default)]
pub(crate) struct Keys {
    list: Vec<Key>,
    index: Index,
    unescaped: String,
    frames: Vec<Frame>,
    /// The candidate cannot be the document: nothing is judged.
    idle: bool,
    /// Second keys whose values are open, innermost last.
    seconds: Vec<Second>,
}

impl Keys {
    pub(crate) fn clear(&mut self) {
        self.list.clear();
        self.index.truncate(0);
        self.unescaped.clear();
        self.frames.clear();
        self.seconds.clear();
        self.idle = false;
    }

    /// The candidate cannot be the document.
    pub(crate) fn rest(&mut self) {
        self.clear();
        self.idle = true;
    }

    #[inline]
    pub(crate) fn open(&mut self, kind: Kind) {
        if self.idle {
            return;
        }
        self.frames.push(Frame {
            object: kind == Kind::Object,
            keys: self.list.len() as u32,
            indexed: self.index.len() as u32,
            unescaped: self.unescaped.len() as u32,
        });
    }

    /// A frame closed.
    #[inline]
    pub(crate) fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            if frame.object {
                self.list.truncate(frame.keys as usize);
                self.index.truncate(frame.indexed as usize);
                if self.unescaped.len() > frame.unescaped as usize {
                    self.unescaped.truncate(frame.unescaped as usize);
                }
            }
        }
    }

    /// A key closed: its content, and where its opening delimiter stands.
    pub(crate) fn key(&mut self, content: Span, at: usize, escaped: bool, limit: usize, raw: &str) -> Nth {
        let Some(&frame) = self.frames.last() else { return Nth::First };
        let delimiter = if raw.as_bytes().get(content.end) == Some(&b'\\') { 2 } else { 1 };
        let from = content.end + delimiter;
        let mut text = content;
        let mut owned = false;
        if escaped {
            let start = self.unescaped.len();
            self.unescaped.push_str(&unescape(&raw[content.range()]));
            text = Span::new(start, self.unescaped.len());
            owned = true;
        }
        let bytes = if owned { &self.unescaped.as_bytes()[text.range()] } else { &raw.as_bytes()[text.range()] };
        let key = Key { text, owned, print: print(bytes), at, from, end: None };
        let first = frame.keys as usize;
        let indexed = frame.indexed as usize;
        let mut digest = Digest::default();
        let found = if self.list.len() - first <= ROW {
            let same = |other: &Key| other.print == key.print && self.bytes(other, raw) == bytes;
            self.list[first..].iter().position(same).map(|index| first + index)
        } else {
            digest = Digest::of_text(bytes);
            self.index.search(indexed, digest)
        };
        if let Some(found) = found {
            self.seconds.push(Second { depth: self.frames.len(), first: found, at, from });
            return Nth::Second;
        }
        if self.list.len() - first >= limit {
            return Nth::OverLimit;
        }
        self.list.push(key);
        match self.list.len() - first {
            ..=ROW => {}
            count if count == ROW + 1 => {
                for index in first..self.list.len() {
                    let digest = Digest::of_text(self.bytes(&self.list[index], raw));
                    self.index.insert(indexed, digest, index);
                }
            }
            _ => self.index.insert(indexed, digest, self.list.len() - 1),
        }
        Nth::First
    }

    /// A value ended: if it is that of a second key, it must equal the first's. Where the second key stands, if it does not.
    #[inline]
    pub(crate) fn value(&mut self, end: usize, raw: &str, edits: &Edits) -> Option<usize> {
        if self.seconds.is_empty() { None } else { self.judge(end, raw, edits) }
    }

    #[cold]
    #[inline(never)]
    fn judge(&mut self, end: usize, raw: &str, edits: &Edits) -> Option<usize> {
        let second = self.seconds.pop_if(|second| second.depth == self.frames.len())?;
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

    fn bytes<'a>(&'a self, key: &Key, raw: &'a str) -> &'a [u8] {
        if key.owned { &self.unescaped.as_bytes()[key.text.range()] } else { &raw.as_bytes()[key.text.range()] }
    }
}

/// The first eight bytes of a key, and its length where there are fewer.
fn print(bytes: &[u8]) -> u64 {
    match bytes.first_chunk::<8>() {
        Some(first) => u64::from_le_bytes(*first),
        None => bytes.iter().fold(bytes.len() as u64, |print, &byte| print << 8 | u64::from(byte)),
    }
}
