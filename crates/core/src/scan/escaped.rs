//! Strings in escaped delimiters: `\"text\"` where a string must stand.
//!
//! Inside, `\"` may close the string or be an inner quote; what stands behind it (white space and escaped white space aside)
//! decides. Until then the text behind it is held: at most [`HELD`] bytes. What is longer can only be white space between tokens.

use crate::class::{is_line_end, is_space, is_word};
use crate::failure::Code;
use crate::later::Blank;
use crate::repair::RepairKind;
use crate::sink::{Part, Piece, Sink};
use crate::span::Span;

use super::string::escaped_char;
use super::{Cursor, Flags, Scanner, State};

/// Bytes held behind `\"`.
const HELD: usize = 64;

/// The state of an escaped string.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Escaped {
    /// An odd number of inner quotes so far.
    odd: bool,
    /// The last byte of content, and the last significant one; zero at the beginning. An escape counts as what it stands for.
    last: u8,
    significant: u8,
    /// Where the `\"` stands whose meaning is open.
    quote: usize,
    held: [u8; HELD],
    held_len: u8,
}

impl Blank for Escaped {
    const BLANK: Self = Self { odd: false, last: 0, significant: 0, quote: 0, held: [0; HELD], held_len: 0 };

    fn blank() -> &'static Self {
        static BLANK: Escaped = Escaped::BLANK;
        &BLANK
    }
}

impl Escaped {
    pub(super) fn begin(&mut self) {
        self.odd = false;
        self.last = 0;
        self.significant = 0;
    }

    pub(super) fn is_odd(&self) -> bool {
        self.odd
    }

    /// Takes content.
    pub(super) fn content(&mut self, bytes: &[u8]) {
        if let Some(&last) = bytes.last() {
            self.last = last;
        }
        if let Some(&significant) = bytes.iter().rev().find(|&&byte| !is_space(byte)) {
            self.significant = significant;
        }
    }

    pub(super) fn hold_quote(&mut self, at: usize) {
        self.quote = at;
        self.held_len = 0;
    }

    pub(super) fn quote_at(&self) -> usize {
        self.quote
    }

    /// Holds a byte, if there is room.
    fn hold(&mut self, byte: u8) -> bool {
        let room = self.held.get_mut(self.held_len as usize);
        let fits = room.is_some();
        if let Some(place) = room {
            *place = byte;
            self.held_len += 1;
        }
        fits
    }

    fn held(&self) -> &[u8] {
        &self.held[..self.held_len as usize]
    }

    /// An inner quote: does a rule refuse it? `text`: something that is no white space stands directly behind; `word`: a letter or
    /// digit does.
    fn refuses(&self, key: bool, quote_next: bool, text: bool, word: bool) -> bool {
        let opens = !self.odd;
        let clear_before = is_space(self.last) || matches!(self.last, b'(' | b'=');
        key || quote_next
            || matches!(self.significant, b',' | b':' | b'{' | b'[')
            || (opens && !(clear_before && text))
            || (!opens && (is_space(self.last) || word))
    }
}

impl Scanner {
    /// Behind `\"` in an escaped string, and white space.
    #[inline(never)]
    pub(super) fn quote<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            match byte {
                _ if is_space(byte) => {
                    if !self.cold.escaped.hold(byte) {
                        return self.overflow(cursor, sink);
                    }
                    cursor.i += 1;
                }
                b',' | b'}' | b']' | b':' => return self.close_escaped(cursor, sink),
                b'\\' | b'/' => {
                    self.state = if byte == b'/' { State::QuoteSlash } else { State::QuoteBackslash };
                    cursor.i += 1;
                    return;
                }
                _ => {
                    let text = self.cold.escaped.held_len == 0 && byte != b'"';
                    self.inner_quote(false, text, cursor, sink);
                    return;
                }
            }
        }
    }

    /// Behind `\"`, white space, and a backslash.
    #[inline(never)]
    pub(super) fn quote_backslash<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        match byte {
            b'n' | b'r' | b't' => {
                self.state = State::Quote;
                if usize::from(self.cold.escaped.held_len) + 2 > HELD {
                    self.token_behind_overflow(cursor, sink);
                    return;
                }
                self.cold.escaped.hold(b'\\');
                self.cold.escaped.hold(byte);
                cursor.i += 1;
            }
            _ => {
                let text = self.cold.escaped.held_len == 0 && byte != b'"';
                if self.inner_quote(byte == b'"', text, cursor, sink) {
                    // The backslash begins an escape of the content.
                    self.flags.set(Flags::CONTROL_RUN, false);
                    self.cold.escape = cursor.at() - 1;
                    self.state = State::Escape;
                }
            }
        }
    }

    /// Behind `\"`, white space, and a slash.
    #[inline(never)]
    pub(super) fn quote_slash<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        if !matches!(byte, b'/' | b'*') {
            let text = self.cold.escaped.held_len == 0;
            if self.inner_quote(false, text, cursor, sink) {
                self.flags.set(Flags::CONTROL_RUN, false);
                self.cold.escaped.content(b"/");
                self.tell_as(cursor.at(), Piece::Kept, "/", sink);
                self.take_char('/', Span::new(cursor.at() - 1, cursor.at()), cursor, sink);
            }
            return;
        }
        let slash = cursor.at() - 1;
        self.close_escaped_before(slash, cursor, sink);
        if self.in_candidate() {
            self.back = self.state;
            if !self.rules.allows(RepairKind::Comment) {
                self.decide_key(cursor.at(), sink);
                return self.broken(self.expected(), slash, cursor, sink);
            }
            self.begin_comment(slash, byte, slash == self.cold.escaped.quote_at() + 2);
            cursor.i += 1;
        }
    }

    /// The `\"` is an inner quote. Whether the string goes on; the byte that is read next is content then.
    fn inner_quote<S: Sink>(&mut self, quote_next: bool, text: bool, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        let quote = self.cold.escaped.quote;
        let (escape, slash) = (self.state == State::QuoteBackslash, self.state == State::QuoteSlash);
        self.state = State::String;
        let word =
            text && !slash && (escape || cursor.bytes.get(cursor.i).is_some_and(|&byte| is_word(byte) && byte != b'-'));
        if self.cold.escaped.refuses(self.flags.has(Flags::KEY), quote_next, text, word) {
            self.pass_held_lines(cursor);
            self.broken(Code::EscapedQuoteTwoReadings, quote, cursor, sink);
            return false;
        }
        self.flags.set(Flags::EDITED, true);
        self.cold.escaped.odd = !self.cold.escaped.odd;
        self.tell_as(quote + 2, Piece::Kept, "\\\"", sink);
        self.cold.escaped.content(b"\"");
        if !self.take_char('"', Span::new(quote, quote + 2), cursor, sink) {
            return false;
        }
        let held = *self.cold.escaped;
        if !self.rules.allows(RepairKind::RawControl) && held.held().iter().any(u8::is_ascii_control) {
            self.pass_held_lines(cursor);
        }
        let mut bytes = held.held().iter().copied().enumerate();
        while let Some((index, byte)) = bytes.next() {
            let at = quote + 2 + index;
            if byte == b'\\' {
                let letter = bytes.next().map_or(b'n', |(_, letter)| letter);
                self.tell_as(at + 2, Piece::Kept, named(letter), sink);
                self.flags.set(Flags::CONTROL_RUN, false);
                if !self.take_char(escaped_char(letter), Span::new(at, at + 2), cursor, sink) {
                    return false;
                }
                continue;
            }
            if byte == b' ' {
                self.tell_as(at + 1, Piece::Kept, " ", sink);
                self.flags.set(Flags::CONTROL_RUN, false);
            } else if !self.replace_control(byte, at, cursor, sink) {
                return false;
            }
            if !self.take_char(char::from(byte), Span::new(at, at + 1), cursor, sink) {
                return false;
            }
        }
        if held.held_len > 0 {
            self.cold.escaped.last = b' ';
        }
        true
    }

    /// The candidate breaks behind the white space that was held: its lines are lines of the text.
    fn pass_held_lines(&mut self, cursor: &Cursor<'_>) {
        let held = self.cold.escaped.held();
        if let Some(line_end) = held.iter().rposition(|&byte| is_line_end(byte)) {
            // Escaped white space, a slash or a backslash behind it stands on the line.
            let all = cursor.at() == self.cold.escaped.quote + 2 + held.len();
            self.flags.set(Flags::FRESH, all && !held[line_end..].contains(&b'\\'));
            self.flags.set(Flags::LINE_SEEN, true);
            self.flags.set(Flags::ODD, false);
        }
    }

    /// The `\"` closes the string; the byte that is read next stands behind it.
    fn close_escaped<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.close_escaped_before(cursor.at(), cursor, sink);
    }

    /// The same; the held white space ends before offset `end`.
    fn close_escaped_before<S: Sink>(&mut self, end: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let quote = self.cold.escaped.quote;
        if self.cold.escaped.odd {
            return self.broken(Code::EscapedQuoteTwoReadings, self.token, cursor, sink);
        }
        self.edit(RepairKind::EscapedDelimiter, Span::new(quote, quote + 2), Part::Closing, cursor, sink);
        if !self.in_candidate() {
            return;
        }
        self.tell_as(quote + 2, Piece::Replaced, "\"", sink);
        self.close_string(quote, quote + 2, cursor, sink);
        if !self.in_candidate() {
            return;
        }
        let escaped = *self.cold.escaped;
        let mut bytes = escaped.held().iter().copied().enumerate();
        while let Some((index, byte)) = bytes.next() {
            let at = quote + 2 + index;
            if byte != b'\\' {
                if matches!(byte, b'\n' | b'\r') {
                    self.flags.set(Flags::FRESH.with(Flags::LINE_SEEN), true);
                    self.flags.set(Flags::ODD, false);
                }
                self.tell_as(at + 1, Piece::Kept, space(byte), sink);
                continue;
            }
            if !self.rules.allows(RepairKind::EscapedWhitespace) {
                self.pass_held_lines(cursor);
                self.decide_key(cursor.at(), sink);
                return self.broken(self.expected(), at, cursor, sink);
            }
            let letter = bytes.next().map_or(b'n', |(_, letter)| letter);
            self.edit(RepairKind::EscapedWhitespace, Span::new(at, at + 2), Part::First, cursor, sink);
            if !self.in_candidate() {
                return;
            }
            self.tell_as(at + 2, Piece::Replaced, space(named(letter).as_bytes()[1]), sink);
        }
        debug_assert!(!S::BYTES || self.cold.told == end);
        self.cold.escaped.held_len = 0;
    }

    /// More white space than can be held: it can only stand between tokens.
    fn overflow<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.close_escaped(cursor, sink);
        if self.in_candidate() {
            self.white = Span::new(self.cold.escaped.quote + 2, cursor.at());
            self.state = State::Doubt;
        }
    }

    /// The same at an escaped white space whose backslash was taken.
    fn token_behind_overflow<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let backslash = cursor.at() - 1;
        self.close_escaped_before(backslash, cursor, sink);
        if self.in_candidate() {
            self.back = State::Doubt;
            self.token = backslash;
            self.state = State::Backslash;
        }
    }
}

fn named(letter: u8) -> &'static str {
    match letter {
        b'n' => "\\n",
        b'r' => "\\r",
        _ => "\\t",
    }
}

/// The white space that a byte is, or that an escape's letter names.
fn space(byte: u8) -> &'static str {
    match byte {
        b'\n' | b'n' => "\n",
        b'\r' | b'r' => "\r",
        b'\t' | b't' => "\t",
        _ => " ",
    }
}
