//! Where things are: byte spans of the raw reply, and line and column when somebody asks.
//!
//! Offsets are bytes from the start of the raw reply. Lines and columns are worked out on request, in one pass over the
//! text in front; nothing on the hot path pays for them.

use core::fmt;
use core::ops::Range;

/// A half-open range of bytes of the raw reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte; never less than `start`.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, not including, `end`.
    #[must_use]
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Length in bytes.
    #[must_use]
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Whether the span holds no byte.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The same as a `Range`, for slicing.
    #[must_use]
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// An offset or none, in the room of an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MaybeOffset(usize);

impl MaybeOffset {
    /// No text is so long.
    pub(crate) const NONE: Self = Self(usize::MAX);

    #[inline(always)]
    pub(crate) fn get(self) -> Option<usize> {
        (self != Self::NONE).then_some(self.0)
    }

    #[inline(always)]
    pub(crate) fn is_some(self) -> bool {
        self != Self::NONE
    }

    #[inline(always)]
    pub(crate) fn take(&mut self) -> Option<usize> {
        core::mem::take(self).get()
    }
}

impl Default for MaybeOffset {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<usize> for MaybeOffset {
    #[inline(always)]
    fn from(offset: usize) -> Self {
        Self(offset)
    }
}

/// A span or none, in the room of a span.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct MaybeSpan(Span);

impl MaybeSpan {
    /// No text is so long.
    pub(crate) const NONE: Self = Self(Span::new(usize::MAX, usize::MAX));

    pub(crate) fn get(self) -> Option<Span> {
        (self != Self::NONE).then_some(self.0)
    }

    pub(crate) fn is_some(self) -> bool {
        self != Self::NONE
    }

    pub(crate) fn take(&mut self) -> Option<Span> {
        core::mem::take(self).get()
    }
}

impl Default for MaybeSpan {
    fn default() -> Self {
        Self::NONE
    }
}

impl From<Span> for MaybeSpan {
    fn from(span: Span) -> Self {
        Self(span)
    }
}

impl fmt::Debug for MaybeSpan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(formatter)
    }
}

/// A place in a text as an editor shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1. Lines end at a line feed.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
}

impl Position {
    /// Line and column of a byte offset in `text`. An offset past the end counts as the end, one inside a character as
    /// that character. Costs one pass over the text in front of the offset.
    ///
    /// ```
    /// use thusfar_core::Position;
    /// assert_eq!(Position::of("é\nab", 4), Position { line: 2, column: 2 });
    /// ```
    #[must_use]
    pub fn of(text: &str, offset: usize) -> Self {
        let front = &text.as_bytes()[..offset.min(text.len())];
        let line_start = front.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = 1 + front[..line_start].iter().filter(|&&byte| byte == b'\n').count();
        let is_lead = |byte: &&u8| **byte & 0xC0 != 0x80;
        let mut column = 1 + front[line_start..].iter().filter(is_lead).count();
        if offset < text.len() && !text.is_char_boundary(offset) {
            column -= 1;
        }
        Self { line, column }
    }
}
