//! The six repairs: recorded edits that cannot change the meaning.
//!
//! The machine in [`scan`](crate::scan) decides; this file says what a repair is and how its edit reads.

use alloc::string::String;
use core::fmt;

use crate::span::Span;

/// The kinds of repair. Stable names: [`RepairKind::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[non_exhaustive]
pub enum RepairKind {
    /// `\"` where a key or value must start opens a string: recorded once a string, at its opening delimiter.
    EscapedDelimiter,
    /// `\n` `\r` `\t` between tokens is the white space it names.
    EscapedWhitespace,
    /// A comment between tokens is dropped.
    Comment,
    /// A comma between a value and a closer is dropped.
    TrailingComma,
    /// A closer of the wrong kind becomes the kind its opener needs.
    BracketKind,
    /// A run of raw control characters in a string becomes their escapes.
    RawControl,
}

impl RepairKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [RepairKind; 6] = [
        RepairKind::EscapedDelimiter,
        RepairKind::EscapedWhitespace,
        RepairKind::Comment,
        RepairKind::TrailingComma,
        RepairKind::BracketKind,
        RepairKind::RawControl,
    ];

    /// The stable name.
    ///
    /// ```
    /// use thusfar_core::RepairKind;
    /// assert_eq!(RepairKind::TrailingComma.as_str(), "trailing_comma");
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            RepairKind::EscapedDelimiter => "escaped_delimiter",
            RepairKind::EscapedWhitespace => "escaped_whitespace",
            RepairKind::Comment => "comment",
            RepairKind::TrailingComma => "trailing_comma",
            RepairKind::BracketKind => "bracket_kind",
            RepairKind::RawControl => "raw_control",
        }
    }
}

/// One recorded repair. Applying `after` in place of `span`, for every repair, and `"` in place of each escaped closing
/// delimiter, gives the document's text.
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Repair {
    /// What was done.
    pub kind: RepairKind,
    /// The bytes of the raw reply it replaced. Of an escaped delimiter: the opening one.
    pub span: Span,
    /// The text before.
    pub before: String,
    /// The text after; empty when something was dropped.
    pub after: String,
}

/// Kind, place and lengths only: never the text.
impl fmt::Debug for Repair {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, span, after, .. } = self;
        write!(formatter, "Repair({kind:?}, {}..{}, after_len: {})", span.start, span.end, after.len())
    }
}
