//! The states of the machine, what it knows of a candidate, what it has found, and the rules it was given.

use alloc::boxed::Box;

use crate::expect::{Expect, Root, Take};
use crate::limits::{LEAST_WHITE_SPACE, Limits};
use crate::repair::RepairKind;
use crate::sink::Kind;
use crate::span::Span;

use super::Doom;

/// Where the machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    // Text.
    /// Prose, outside fences or in a JSON fence.
    Text,
    /// In a fence without a label whose content is not one document.
    Opaque,
    /// In a fence with another label whose content is not one document.
    Code,
    /// At the beginning of a fence's content.
    Lead,
    /// Behind a document at the beginning of a fence that is not a JSON fence.
    Whole,
    /// `/` in [`State::Lead`] or [`State::Whole`], and the comments there.
    OutsideSlash,
    OutsideLine,
    OutsideBlock,
    OutsideStar,
    /// `<` and more of a tag.
    Tag,
    /// A run of fence marks and what follows.
    Run,
    /// A closer behind a backtick.
    Tick,
    /// Inside reasoning.
    Reasoning,
    /// Directly behind a closed root.
    Behind,
    /// In front of a document that must stand alone.
    Before,
    /// Behind it.
    After,
    // Between tokens.
    FirstKey,
    NextKey,
    Colon,
    Value,
    FirstElement,
    NextElement,
    Next,
    /// Behind an escaped closing delimiter with more white space than can be held: only a comma, a closer, a colon or a
    /// comment may follow.
    Doubt,
    Backslash,
    Slash,
    LineComment,
    BlockComment,
    BlockStar,
    // Tokens.
    String,
    Escape,
    Hex,
    LowBackslash,
    LowU,
    Quote,
    QuoteBackslash,
    QuoteSlash,
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    Literal,
    // The end.
    Decided,
}

impl State {
    /// Between tokens, white space allowed.
    pub(super) fn is_between(self) -> bool {
        matches!(
            self,
            State::FirstKey
                | State::NextKey
                | State::Colon
                | State::Value
                | State::FirstElement
                | State::NextElement
                | State::Next
                | State::Doubt
        )
    }
}

/// What has been found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Found {
    /// Something significant has stood before.
    pub(super) began: bool,
    /// A document has closed and counts.
    pub(super) closed: bool,
    /// One past the last of them.
    pub(super) closed_end: usize,
    /// A bare document has; debris counts everywhere.
    pub(super) bare: bool,
    /// One in the fence that is open has; debris counts in it.
    pub(super) in_fence: bool,
    /// Something like a document stands in an opaque fence.
    pub(super) opaque: bool,
    /// The bare document that closed last may stand alone on its lines.
    pub(super) alone: bool,
    /// A weak candidate that counts if nothing else stands on its line.
    pub(super) weak: Option<Span>,
    /// Whether that one stands in opaque text, and whether it is of the other kind.
    pub(super) weak_opaque: bool,
    pub(super) weak_other: bool,
    /// Whether it stands behind a quote and a colon.
    pub(super) weak_member: bool,
    /// The document at the beginning of the fence.
    pub(super) whole: Option<Span>,
    pub(super) whole_other: bool,
    /// Where the first whole document of the other kind stands.
    pub(super) other_kind: Option<usize>,
    /// Where the byte stands that broke a candidate where only JSON can have been meant, if it begins a promise; whether a comma is missing
    /// there.
    pub(super) nested: Option<(usize, bool)>,
    /// The byte that is read next is an opener directly behind a root, or behind a value beside one.
    pub(super) beside: bool,
    /// Something stands in the JSON fence that is open, and no document yet.
    pub(super) fence_text: bool,
    /// The first thing of the reply came to nothing here.
    pub(super) first_break: Option<Box<Doom>>,
}

/// The candidate that is open, or was last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) start: usize,
    /// The outermost open object, and the outermost open array.
    pub(super) brace: usize,
    pub(super) bracket: usize,
    pub(super) kind: Kind,
    /// Nothing but JSON can have been meant.
    pub(super) promise: bool,
    /// It may still become one.
    pub(super) deciding: bool,
    /// It can be the document: of the expected kind, not passed over, not in opaque text.
    pub(super) counts: bool,
    /// An argument in code, or text in quotes.
    pub(super) passed: bool,
    /// The first significant thing of the reply or of the fence's content.
    pub(super) first: bool,
    /// A raw line end may stand in the first key.
    pub(super) key_lines: bool,
    /// Behind a quote and a colon.
    pub(super) member: bool,
    /// Inside what may be the key of debris.
    pub(super) in_debris: bool,
    /// Behind a colon.
    pub(super) announced: bool,
    /// At a place with an odd number of `"` to the left.
    pub(super) odd: bool,
    pub(super) blank: bool,
    /// Directly behind a backtick.
    pub(super) tick: bool,
    /// What its opener stands behind.
    pub(super) front: Front,
    /// What its last closer stands behind.
    pub(super) back: Back,
    /// A string has opened in it.
    pub(super) string_seen: bool,
    /// A value without frames.
    pub(super) is_scalar: bool,
}

/// What the opener of a candidate stands behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Front {
    /// Nothing that a rule asks for.
    Other,
    /// A root, or a value beside one, directly.
    Beside,
    /// A candidate that it broke where only JSON can have been meant if it is a promise itself; whether a comma is missing between.
    Nested(bool),
}

/// What a closer stands behind, white space and comments aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Back {
    Value,
    Opener,
    Comma,
}

impl Default for Candidate {
    fn default() -> Self {
        Self {
            start: 0,
            brace: 0,
            bracket: 0,
            kind: Kind::Object,
            promise: false,
            deciding: false,
            counts: false,
            passed: false,
            first: false,
            key_lines: false,
            member: false,
            in_debris: false,
            announced: false,
            odd: false,
            blank: false,
            tick: false,
            front: Front::Other,
            back: Back::Value,
            string_seen: false,
            is_scalar: false,
        }
    }
}

impl Candidate {
    /// Whether it is more of what the root in front of it was torn from, unless it is a document.
    pub(super) fn is_torn(&self) -> bool {
        self.front == Front::Beside && self.back == Back::Comma
    }
}

/// Openers in prose that are not closed yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Openers {
    braces: u32,
    brackets: u32,
}

impl Openers {
    pub(super) fn add(&mut self, objects: u32, arrays: u32) {
        self.braces = self.braces.saturating_add(objects);
        self.brackets = self.brackets.saturating_add(arrays);
    }

    /// Takes a closer; whether it closes one of them.
    pub(super) fn close(&mut self, closer: u8) -> bool {
        let open = if closer == b'}' { &mut self.braces } else { &mut self.brackets };
        let closes = *open > 0;
        *open = open.saturating_sub(1);
        closes
    }
}

/// What the caller expects, as the machine needs it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    pub(super) root: Root,
    pub(super) take: Take,
    pub(super) repairs: u8,
    pub(super) nesting: u32,
    pub(super) repair_count: u32,
    pub(super) white_space: usize,
    pub(super) white_space_behind: usize,
    pub(super) text_behind: usize,
    pub(super) text_before: usize,
    /// One of the last two is on.
    pub(super) judges_text: bool,
}

impl Rules {
    pub(super) fn new(expect: &Expect) -> Self {
        let narrow = |limit: Option<usize>| limit.map_or(u32::MAX, |limit| u32::try_from(limit).unwrap_or(u32::MAX));
        let limits = expect.limits_in_force();
        Self {
            root: expect.root,
            take: expect.take,
            repairs: expect.repairs,
            nesting: narrow(limits.nesting),
            repair_count: narrow(limits.repairs),
            white_space: limits.white_space.map_or(usize::MAX, |limit| limit.max(LEAST_WHITE_SPACE)),
            white_space_behind: limits.white_space_behind.unwrap_or(usize::MAX),
            text_behind: limits.text_behind.unwrap_or(usize::MAX),
            text_before: limits.text_before.unwrap_or(usize::MAX),
            judges_text: limits.text_before.is_some() || limits.text_behind.is_some(),
        }
    }

    /// What they were made of; the limits that are not the machine's are off.
    pub(super) fn expect(&self) -> Expect {
        let count = |limit: u32| (limit < u32::MAX).then_some(limit as usize);
        let bytes = |limit: usize| (limit < usize::MAX).then_some(limit);
        let limits = Limits {
            nesting: count(self.nesting),
            repairs: count(self.repair_count),
            white_space: bytes(self.white_space),
            white_space_behind: bytes(self.white_space_behind),
            text_behind: bytes(self.text_behind),
            text_before: bytes(self.text_before),
            ..Limits::NONE
        };
        Expect { repairs: self.repairs, ..Expect::root(self.root).take(self.take).limits(limits) }
    }

    pub(super) fn allows(&self, kind: RepairKind) -> bool {
        self.repairs & (1 << kind as u8) != 0
    }

    /// Whether a root of this kind is expected.
    pub(super) fn expects(&self, kind: Kind) -> bool {
        match self.root {
            Root::Object => kind == Kind::Object,
            Root::Array => kind == Kind::Array,
            Root::Any | Root::Value => true,
        }
    }

    /// Whether nothing but white space may stand around the document.
    pub(super) fn is_strict(&self) -> bool {
        self.root == Root::Value || self.take == Take::Alone
    }
}
