//! The states of the machine, what it knows of a candidate, what it has found, and the rules it was given.

use alloc::boxed::Box;

use crate::expect::{Expect, Root, Take};
use crate::later::{Blank, Later};
use crate::limits::{LEAST_WHITE_SPACE, Limits};
use crate::repair::RepairKind;
use crate::sink::Kind;
use crate::span::{MaybeOffset, MaybeSpan};

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
    // Tokens of which more may be read plainly.
    String,
    Minus,
    Zero,
    Integer,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    ExponentDigits,
    // Other tokens.
    Literal,
    Escape,
    Hex,
    LowBackslash,
    LowU,
    Quote,
    QuoteBackslash,
    QuoteSlash,
    // Between tokens, where something is decided.
    /// Behind an escaped closing delimiter with more white space than can be held: only a comma, a closer, a colon or a
    /// comment may follow.
    Doubt,
    Backslash,
    Slash,
    LineComment,
    BlockComment,
    BlockStar,
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

    /// Inside a number.
    pub(super) fn is_number(self) -> bool {
        matches!(
            self,
            State::Minus
                | State::Zero
                | State::Integer
                | State::Point
                | State::Fraction
                | State::Exponent
                | State::ExponentSign
                | State::ExponentDigits
        )
    }

    /// Where numbers are read that may be elements, or behind the comma in front of one.
    #[inline(always)]
    pub(super) fn is_in_row(self) -> bool {
        matches!(
            self,
            State::NextElement | State::Minus | State::Zero | State::Integer | State::Point | State::Fraction
        )
    }

    /// What [`plain`](super::plain) may read on from.
    #[inline]
    pub(super) fn is_plain(self) -> bool {
        self.is_between() && self != State::Doubt || self.is_number() || self == State::String
    }
}

/// What is known of the candidate that is open, and of its last tokens: one bit each, so that all of it is read and written at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Flags(u16);

impl Flags {
    /// Only white space and comments since the last raw line end.
    pub(super) const FRESH: Self = Self(1);
    /// A comment has ended on this line.
    pub(super) const COMMENT_SEEN: Self = Self(1 << 1);
    /// The number is the first thing on its line.
    pub(super) const NUMBER_FRESH: Self = Self(1 << 2);
    /// A raw line end stood inside the candidate.
    pub(super) const LINE_SEEN: Self = Self(1 << 3);
    /// The number of `"` on this line is odd, those in the candidate included.
    pub(super) const ODD: Self = Self(1 << 4);
    /// The string that is open, or was last, is a key.
    pub(super) const KEY: Self = Self(1 << 5);
    /// The last token was a string value.
    pub(super) const LAST_STRING: Self = Self(1 << 6);
    /// The last string closed with `\"`.
    pub(super) const CLOSED_ESCAPED: Self = Self(1 << 7);
    /// The string opened with `\"`.
    pub(super) const ESCAPED: Self = Self(1 << 8);
    /// The string holds escapes or raw controls.
    pub(super) const EDITED: Self = Self(1 << 9);
    /// The string holds `\\`.
    pub(super) const BACKSLASHES: Self = Self(1 << 10);
    /// It holds an escape that may have been meant as a backslash.
    pub(super) const SUSPECT: Self = Self(1 << 11);
    /// The last byte taken was a raw control that is part of a run.
    pub(super) const CONTROL_RUN: Self = Self(1 << 12);
    /// A string has opened in the candidate.
    pub(super) const STRING_SEEN: Self = Self(1 << 13);
    /// The candidate may still become a promise.
    pub(super) const DECIDING: Self = Self(1 << 14);

    /// The candidate stands inside what may be the key of debris.
    pub(super) const IN_DEBRIS: Self = Self(1 << 15);

    /// What is known of the string that is open, whether it is a key aside.
    pub(super) const OF_STRING: Self =
        Self::ESCAPED.with(Self::EDITED).with(Self::BACKSLASHES).with(Self::SUSPECT).with(Self::CONTROL_RUN);

    /// As a number.
    pub(super) const fn bits(self) -> u16 {
        self.0
    }

    /// Whether one of these is set.
    #[inline(always)]
    pub(super) const fn has(self, flags: Self) -> bool {
        self.0 & flags.0 != 0
    }

    /// Sets these, or clears them.
    #[inline(always)]
    pub(super) fn set(&mut self, flags: Self, on: bool) {
        *self = if on { self.with(flags) } else { self.without(flags) };
    }

    /// Sets those of these that are not set, and clears the others.
    #[inline(always)]
    pub(super) fn flip(&mut self, flags: Self) {
        self.0 ^= flags.0;
    }

    /// With these set.
    #[inline(always)]
    pub(super) const fn with(self, flags: Self) -> Self {
        Self(self.0 | flags.0)
    }

    /// With these clear.
    #[inline(always)]
    pub(super) const fn without(self, flags: Self) -> Self {
        Self(self.0 & !flags.0)
    }
}

/// What has been found so far.
#[derive(Clone, Debug)]
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
    pub(super) weak: MaybeSpan,
    /// Whether that one stands in opaque text, and whether it is of the other kind.
    pub(super) weak_opaque: bool,
    pub(super) weak_other: bool,
    /// Whether it stands behind a quote and a colon.
    pub(super) weak_member: bool,
    /// The document at the beginning of the fence.
    pub(super) whole: MaybeSpan,
    pub(super) whole_other: bool,
    /// Where the first whole document of the other kind stands.
    pub(super) other_kind: MaybeOffset,
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

impl Found {
    /// Nothing.
    pub(super) const NONE: Self = Self {
        began: false,
        closed: false,
        closed_end: 0,
        bare: false,
        in_fence: false,
        opaque: false,
        alone: false,
        weak: MaybeSpan::NONE,
        weak_opaque: false,
        weak_other: false,
        weak_member: false,
        whole: MaybeSpan::NONE,
        whole_other: false,
        other_kind: MaybeOffset::NONE,
        nested: None,
        beside: false,
        fence_text: false,
        first_break: None,
    };
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

impl Candidate {
    /// None yet.
    pub(super) const NONE: Self = Self {
        start: 0,
        brace: 0,
        bracket: 0,
        kind: Kind::Object,
        promise: false,
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
        is_scalar: false,
    };

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
    pub(super) const NONE: Self = Self { braces: 0, brackets: 0 };

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

/// Guards on what stands around documents; the highest number is none. Few callers want them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around {
    pub(super) white_space_behind: usize,
    pub(super) text_behind: usize,
    pub(super) text_before: usize,
}

impl Blank for Around {
    const BLANK: Self = Self { white_space_behind: usize::MAX, text_behind: usize::MAX, text_before: usize::MAX };

    fn blank() -> &'static Self {
        static BLANK: Around = Around::BLANK;
        &BLANK
    }
}

/// What the caller expects, as the machine needs it.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) root: Root,
    pub(super) take: Take,
    pub(super) repairs: u8,
    pub(super) nesting: u32,
    pub(super) repair_count: u32,
    pub(super) white_space: usize,
    pub(super) around: Later<Around>,
    /// One of the last two is on.
    pub(super) judges_text: bool,
}

impl Rules {
    pub(super) fn new(expect: &Expect) -> Self {
        let narrow = |limit: Option<usize>| limit.map_or(u32::MAX, |limit| u32::try_from(limit).unwrap_or(u32::MAX));
        let limits = expect.limits_in_force();
        let guards = [limits.white_space_behind, limits.text_behind, limits.text_before];
        let mut around = Later::default();
        if guards.iter().any(Option::is_some) {
            let [white_space_behind, text_behind, text_before] = guards.map(|limit| limit.unwrap_or(usize::MAX));
            *around = Around { white_space_behind, text_behind, text_before };
        }
        Self {
            root: expect.root,
            take: expect.take,
            repairs: expect.repairs,
            nesting: narrow(limits.nesting),
            repair_count: narrow(limits.repairs),
            white_space: limits.white_space.map_or(usize::MAX, |limit| limit.max(LEAST_WHITE_SPACE)),
            around,
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
            white_space_behind: bytes(self.around.white_space_behind),
            text_behind: bytes(self.around.text_behind),
            text_before: bytes(self.around.text_before),
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
