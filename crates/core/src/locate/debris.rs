//! Signs further behind a document that it was a piece of something larger: a member without its object.
//!
//! Closers that nothing opened are the other sign; the scanner counts those itself.

use crate::class::{is_line_end, is_space};
use crate::later::Blank;
use crate::span::MaybeOffset;

/// Looks for `,` white space, a string, white space, `:`. A quote that ends one string may begin the next reading's:
/// at most one reading is behind a comma, one inside a string, one behind a string. Each holds its comma's offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Debris {
    comma: MaybeOffset,
    string: MaybeOffset,
    closed: MaybeOffset,
    escape: bool,
    /// The reading behind a string has met its colon, inside a candidate.
    whole: bool,
}

impl Blank for Debris {
    const BLANK: Self = Debris::NONE;

    fn blank() -> &'static Self {
        static BLANK: Debris = Debris::NONE;
        &BLANK
    }
}

impl Debris {
    /// Nothing of it.
    pub(crate) const NONE: Self = Self {
        comma: MaybeOffset::NONE,
        string: MaybeOffset::NONE,
        closed: MaybeOffset::NONE,
        escape: false,
        whole: false,
    };

    /// Takes one byte of what may yet be a fence: no pattern begins in it or ends in it.
    pub(crate) fn hold(&mut self, byte: u8, at: usize) {
        let _ = self.step(byte, at);
        if byte == b',' {
            self.comma = MaybeOffset::NONE;
        }
    }

    /// Takes one byte of prose at offset `at`; the comma's offset when the pattern is complete.
    pub(crate) fn step(&mut self, byte: u8, at: usize) -> Option<usize> {
        if byte == b':' && self.closed.is_some() {
            return self.closed.get();
        }
        let comma = match byte {
            b',' => at.into(),
            _ if is_space(byte) => self.comma,
            _ => MaybeOffset::NONE,
        };
        let closed = match byte {
            b'"' if !self.escape => self.string,
            _ if is_space(byte) => self.closed,
            _ => MaybeOffset::NONE,
        };
        let (string, escape) = match byte {
            b'"' if !self.escape => (self.comma, false),
            _ if is_line_end(byte) => (MaybeOffset::NONE, false),
            b'\\' => (self.string, self.string.is_some() && !self.escape),
            _ => (self.string, false),
        };
        *self = Self { comma, string, escape, closed, whole: false };
        None
    }

    /// Whether a string behind a comma is open.
    pub(crate) fn is_in_string(&self) -> bool {
        self.string.is_some()
    }

    /// Takes more of a candidate that may yet be text: the string goes on in it, but its own commas begin nothing.
    #[cold]
    pub(crate) fn absorb(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            if self.whole {
                return;
            }
            self.whole = self.step(byte, 0).is_some();
            self.comma = MaybeOffset::NONE;
        }
    }

    /// The comma of a pattern that was complete in a candidate.
    pub(crate) fn absorbed(&self) -> Option<usize> {
        self.closed.get().filter(|_| self.whole)
    }
}
