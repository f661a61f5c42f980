//! What stands to the left of the reading position in prose, as far as a rule asks for it.

use crate::class::{is_line_end, is_space, is_word};

/// The left context. Documents are left out of it, marks are not.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The last four bytes, the last one lowest.
    pub recent: u32,
    /// Nothing but white space stands before on this line.
    pub blank: bool,
    marks: Marks,
    /// The number of `"` on this line is odd.
    pub odd: bool,
    colon: Colon,
    /// The last significant character is a colon.
    pub behind_colon: bool,
}

/// Whether nothing but indentation, list and quote marks stands before on this line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    Yes,
    /// Yes, if the digits so far turn out to be a list number.
    Digits,
    No,
}

/// The end of the significant text to the left, white space aside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colon {
    Other,
    Quote,
    Member,
}

/// The last four bytes, the last one lowest, behind some more.
#[inline(always)]
pub fn absorb(recent: u32, bytes: &[u8]) -> u32 {
    match bytes.last_chunk() {
        Some(last) => u32::from_be_bytes(*last),
        None => bytes.iter().fold(recent, |recent, &byte| recent << 8 | u32::from(byte)),
    }
}

impl Default for Line {
    fn default() -> Self {
        Self::START
    }
}

impl Line {
    /// The beginning of a reply.
    pub const START: Self = Self {
        recent: b'\n' as u32,
        blank: true,
        marks: Marks::Yes,
        odd: false,
        colon: Colon::Other,
        behind_colon: false,
    };

    /// Takes one byte of prose.
    pub fn note(&mut self, byte: u8) {
        self.recent = self.recent << 8 | u32::from(byte);
        if is_line_end(byte) {
            self.blank = true;
            self.marks = Marks::Yes;
            self.odd = false;
            return;
        }
        if is_space(byte) {
            if self.marks == Marks::Digits {
                self.marks = Marks::No;
            }
            return;
        }
        self.blank = false;
        self.marks = match (self.marks, byte) {
            (Marks::Yes, b'>' | b'-' | b'*' | b'+') | (Marks::Digits, b'.' | b')') => Marks::Yes,
            (Marks::Yes | Marks::Digits, b'0'..=b'9') => Marks::Digits,
            _ => Marks::No,
        };
        self.odd ^= byte == b'"';
        self.behind_colon = byte == b':';
        self.colon = match byte {
            b'"' | b'\'' => Colon::Quote,
            // The last bytes of U+2019 and U+201D.
            0x99 | 0x9D if self.recent & 0xFF_FF00 == 0xE2_8000 => Colon::Quote,
            b':' if self.colon == Colon::Quote => Colon::Member,
            _ => Colon::Other,
        };
    }

    /// Takes a run of lower-case letters of prose, which is not empty: the same as each of them noted.
    pub fn letters(&mut self, run: &[u8]) {
        self.absorb(run);
        self.blank = false;
        self.marks = Marks::No;
        self.behind_colon = false;
        self.colon = Colon::Other;
    }

    /// Takes the bytes of a mark, for the direct neighbours only.
    pub fn absorb(&mut self, bytes: &[u8]) {
        self.recent = absorb(self.recent, bytes);
    }

    /// A candidate ended here, and what it leaves on its line.
    pub fn resume(&mut self, marks: Marks, odd: bool, behind_string: bool) {
        self.blank = false;
        self.behind_colon = self.recent.to_be_bytes().iter().rfind(|&&byte| !is_space(byte)) == Some(&b':');
        self.marks = marks;
        self.odd = odd;
        self.colon = self.colon_of_recent().unwrap_or(if behind_string { Colon::Quote } else { Colon::Other });
    }

    /// What the last bytes say of quote and colon, if they hold something significant.
    fn colon_of_recent(&self) -> Option<Colon> {
        let bytes = self.recent.to_be_bytes();
        let significant = |end: usize| bytes[..end].iter().rposition(|&byte| !is_space(byte));
        let is_quote = |at: usize| {
            let curly = matches!(bytes[at], 0x99 | 0x9D) && at >= 2 && bytes[at - 2..at] == [0xE2, 0x80];
            curly || matches!(bytes[at], b'"' | b'\'')
        };
        let last = significant(bytes.len())?;
        Some(match bytes[last] {
            b':' if significant(last).is_some_and(is_quote) => Colon::Member,
            _ if is_quote(last) => Colon::Quote,
            _ => Colon::Other,
        })
    }

    /// Whether a fence may open here with any label.
    pub fn marks(&self) -> bool {
        self.marks == Marks::Yes
    }

    /// The byte directly before.
    pub fn last(&self) -> u8 {
        self.recent as u8
    }

    /// Directly behind `(` directly behind a word.
    pub fn behind_call(&self) -> bool {
        self.last() == b'(' && is_word((self.recent >> 8) as u8)
    }

    /// Behind a quote and a colon.
    pub fn behind_member(&self) -> bool {
        self.colon == Colon::Member
    }
}

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn a_run_of_letters_is_each_of_them() {
        for before in ["", "a", "\n", "- ", "12. ", "12", "\"k\":", "’", "x (", "\"odd "] {
            for run in ["a", "ab", "abcd", "abcdefgh"] {
                let mut line = Line::default();
                before.bytes().for_each(|byte| line.note(byte));
                let mut each = line;
                line.letters(run.as_bytes());
                run.bytes().for_each(|byte| each.note(byte));
                assert_eq!(format!("{line:?}"), format!("{each:?}"), "{run} behind {before:?}");
            }
        }
    }
}
