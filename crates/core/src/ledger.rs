//! Equal keys and equal documents where no text is kept: judged by the digests of their values.
//!
//! The content of a token goes into its digest as it comes; a closed value is its digest, and an open object the digests of its
//! members. So a reply costs what is open in it, whatever its length.

use alloc::vec::Vec;

use smallvec::SmallVec;

use crate::digest::{Digest, Number, Text};
use crate::index::Index;
use crate::keys::{Nth, ROW};
use crate::sink::{Edit, Kind, Part, Piece};
use crate::span::Span;

/// The token that is open.
#[derive(Clone)]
enum Token {
    None,
    Text(Text),
    /// A number or literal, and its first character.
    Scalar(Number, u8),
}

/// One member of an open object.
#[derive(Clone, Copy, Default)]
struct Member {
    key: Digest,
    value: Digest,
}

/// An open frame: where its members begin; of an array, the digest of its elements.
#[derive(Clone, Copy)]
struct Level {
    kind: Kind,
    members: u32,
    indexed: u32,
    elements: Digest,
}

/// A second key, while its value is open.
#[derive(Clone, Copy)]
struct Second {
    depth: usize,
    first: usize,
    at: usize,
}

/// A document that counted.
#[derive(Clone, Copy)]
struct Seen {
    start: usize,
    value: Digest,
    repairs: usize,
}

/// Documents remembered before those that no longer matter are forgotten.
const SEEN: usize = 16;

/// What is judged by digest.
#[derive(Clone)]
pub(crate) struct Ledger {
    token: Token,
    /// The token's content is taken up to this offset.
    taken: usize,
    levels: SmallVec<[Level; 4]>,
    members: SmallVec<[Member; 4]>,
    index: Index,
    /// Second keys whose values are open, innermost last.
    seconds: Vec<Second>,
    /// The candidate cannot be the document: nothing is judged.
    idle: bool,
    /// The root that closed last, and its repairs so far.
    root: Digest,
    repairs: usize,
    documents: Vec<Seen>,
}

impl Ledger {
    pub(crate) fn new() -> Self {
        Self {
            token: Token::None,
            taken: 0,
            levels: SmallVec::new(),
            members: SmallVec::new(),
            index: Index::default(),
            seconds: Vec::new(),
            idle: false,
            root: Digest::default(),
            repairs: 0,
            documents: Vec::new(),
        }
    }

    /// A candidate begins.
    pub(crate) fn begin(&mut self) {
        self.token = Token::None;
        self.levels.clear();
        self.members.clear();
        self.index.truncate(0);
        self.seconds.clear();
        self.idle = false;
        self.repairs = 0;
    }

    /// The candidate cannot be the document.
    pub(crate) fn rest(&mut self) {
        self.begin();
        self.idle = true;
    }

    pub(crate) fn edit(&mut self, edit: Edit) {
        self.repairs += usize::from(edit.part == Part::First);
    }

    /// A string opened; its content begins behind `at`, or behind the piece that replaces its delimiter.
    pub(crate) fn open_text(&mut self, at: usize) {
        if !self.idle {
            self.token = Token::Text(Text::new());
            self.taken = at + 1;
        }
    }

    /// A number or literal began.
    pub(crate) fn open_scalar(&mut self, at: usize) {
        if !self.idle {
            self.token = Token::Scalar(Number::new(), 0);
            self.taken = at;
        }
    }

    /// Some bytes have been told, with their text in the cleaned stream.
    pub(crate) fn bytes(&mut self, piece: Piece, span: Span, text: &str) {
        let known = self.taken.saturating_sub(span.start);
        match piece {
            Piece::Kept => self.feed(text.get(known..).unwrap_or_default()),
            // A delimiter, not content.
            Piece::Replaced if text == "\"" => {}
            Piece::Replaced if known == 0 => self.feed(text),
            _ => {}
        }
        self.taken = self.taken.max(span.end);
    }

    fn feed(&mut self, content: &str) {
        match &mut self.token {
            Token::None => {}
            Token::Text(token) => token.feed(content),
            Token::Scalar(number, first) => {
                if *first == 0 {
                    *first = content.as_bytes().first().copied().unwrap_or_default();
                }
                number.feed(content);
            }
        }
    }

    /// The token's content ends at an offset: its rest lies in the chunk, which begins at `base`.
    fn end(&mut self, end: usize, chunk: &str, base: usize) -> Token {
        if end > self.taken {
            let from = self.taken.saturating_sub(base);
            self.feed(chunk.get(from..end - base).unwrap_or_default());
            self.taken = end;
        }
        core::mem::replace(&mut self.token, Token::None)
    }

    /// A key closed: where its content ends, and where its opening delimiter stands. Whether the object may have so many.
    pub(crate) fn key(&mut self, end: usize, at: usize, limit: usize, chunk: &str, base: usize) -> Nth {
        let Token::Text(token) = self.end(end, chunk, base) else { return Nth::First };
        let Some(&level) = self.levels.last() else { return Nth::First };
        let key = token.digest();
        let (first, indexed) = (level.members as usize, level.indexed as usize);
        let count = self.members.len() - first;
        let found = match count <= ROW {
            true => self.members[first..].iter().position(|member| member.key == key).map(|place| first + place),
            false => self.index.search(indexed, key),
        };
        if let Some(first) = found {
            self.seconds.push(Second { depth: self.levels.len(), first, at });
            return Nth::Second;
        }
        if count >= limit {
            return Nth::OverLimit;
        }
        self.members.push(Member { key, value: Digest::default() });
        let from = match count {
            ..ROW => self.members.len(),
            ROW => first,
            _ => first + count,
        };
        for place in from..self.members.len() {
            self.index.insert(indexed, self.members[place].key, place);
        }
        Nth::First
    }

    /// A string value closed; its content ends at `end`. Where a second key stands, if this is its value and differs.
    pub(crate) fn text(&mut self, end: usize, chunk: &str, base: usize) -> Option<usize> {
        match self.end(end, chunk, base) {
            Token::Text(token) => self.value(token.digest()),
            _ => None,
        }
    }

    /// A number or literal ended.
    pub(crate) fn scalar(&mut self, end: usize, chunk: &str, base: usize) -> Option<usize> {
        match self.end(end, chunk, base) {
            Token::Scalar(_, b't') => self.value(Digest::of_literal("true")),
            Token::Scalar(_, b'f') => self.value(Digest::of_literal("false")),
            Token::Scalar(_, b'n') => self.value(Digest::of_literal("null")),
            Token::Scalar(number, _) => self.value(number.digest()),
            _ => None,
        }
    }

    pub(crate) fn open(&mut self, kind: Kind) {
        if !self.idle {
            let (members, indexed) = (self.members.len() as u32, self.index.len() as u32);
            self.levels.push(Level { kind, members, indexed, elements: Digest::default() });
        }
    }

    /// A frame closed.
    pub(crate) fn close(&mut self) -> Option<usize> {
        let level = self.levels.pop()?;
        let value = match level.kind {
            Kind::Array => level.elements.array(),
            Kind::Object => {
                let members = &mut self.members[level.members as usize..];
                members.sort_unstable_by_key(|member| member.key);
                let value = Digest::object(members.iter().map(|member| (member.key, member.value)));
                self.members.truncate(level.members as usize);
                self.index.truncate(level.indexed as usize);
                value
            }
        };
        self.value(value)
    }

    /// A value ended: if it is that of a second key, it must equal the first's.
    fn value(&mut self, value: Digest) -> Option<usize> {
        let depth = self.levels.len();
        let Some(level) = self.levels.last_mut() else {
            self.root = value;
            return None;
        };
        if level.kind == Kind::Array {
            level.elements = level.elements.then(value);
            return None;
        }
        if let Some(second) = self.seconds.pop_if(|second| second.depth == depth) {
            return (self.members[second.first].value != value).then_some(second.at);
        }
        if let Some(member) = self.members.last_mut() {
            member.value = value;
        }
        None
    }

    /// The root that closed last counts as a document; `holds` says which earlier ones still matter, by their offsets.
    pub(crate) fn document(&mut self, span: Span, holds: impl Fn(usize) -> bool) {
        if self.documents.len() >= SEEN {
            self.documents.retain(|seen| holds(seen.start));
        }
        self.documents.push(Seen { start: span.start, value: self.root, repairs: self.repairs });
    }

    fn seen(&self, span: Span) -> Option<&Seen> {
        self.documents.iter().rev().find(|seen| seen.start == span.start)
    }

    /// Whether two documents are equal by value.
    pub(crate) fn same(&self, left: Span, right: Span) -> bool {
        let value = |span| self.seen(span).map(|seen| seen.value);
        value(left).zip(value(right)).is_some_and(|(left, right)| left == right)
    }

    /// How many repairs a document needed.
    pub(crate) fn repair_count(&self, span: Span) -> usize {
        self.seen(span).map_or(0, |seen| seen.repairs)
    }
}
