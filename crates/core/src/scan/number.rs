//! Numbers (RFC 8259, section 6) and literals (section 3).

use crate::class::{continues_literal, continues_number, is_space};
use crate::failure::Code;
use crate::sink::{Event, Flow, Sink};
use crate::span::Span;

use super::{Cursor, Flags, Scanner, State};

/// A number of at most this many characters, without an exponent, is exact as `f64`.
pub(super) const SHORT: usize = 15;

/// One of at most this many, without an exponent, is finite.
const FINITE: usize = 300;

const LITERALS: [&[u8]; 3] = [b"true", b"false", b"null"];

/// Which literal begins with a letter.
#[inline]
pub(super) fn literal_of(first: u8) -> u8 {
    match first {
        b't' => 0,
        b'f' => 1,
        _ => 2,
    }
}

impl Scanner {
    #[inline]
    pub(super) fn open_number<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.keep_comma(cursor, sink);
        self.flags.set(Flags::NUMBER_FRESH, self.flags.has(Flags::FRESH) && !self.flags.has(Flags::COMMENT_SEEN));
        self.flags.set(Flags::FRESH.with(Flags::DECIDING), false);
        self.token = cursor.at();
        self.magnitude.begin();
        self.state = match cursor.bytes[cursor.i] {
            b'-' => State::Minus,
            b'0' => State::Zero,
            _ => State::Integer,
        };
        if !self.open_scalar(cursor, sink) {
            return;
        }
        let start = cursor.i;
        cursor.i += 1;
        self.digits(start, cursor, sink);
    }

    /// Tells of a number or literal; whether to go on.
    #[inline]
    fn open_scalar<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        let flow = sink.event(Event::ScalarOpen { at: self.token, first: cursor.bytes[cursor.i] });
        let goes_on = flow == Flow::Continue;
        if !goes_on {
            self.emit(flow, cursor, sink);
        }
        goes_on
    }

    #[inline(never)]
    pub(super) fn number<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.digits(cursor.i, cursor, sink);
    }

    /// Reads on in a number of which this chunk's part begins at index `start`.
    #[inline]
    pub(super) fn digits<S: Sink>(&mut self, start: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let bytes = cursor.bytes;
        let (mut state, mut i) = (self.state, cursor.i);
        loop {
            if matches!(state, State::Integer | State::Fraction | State::ExponentDigits) {
                while bytes.get(i).is_some_and(u8::is_ascii_digit) {
                    i += 1;
                }
            }
            let Some(&byte) = bytes.get(i) else { break };
            state = match (state, byte) {
                (State::Minus, b'0') => State::Zero,
                (State::Minus, b'1'..=b'9') => State::Integer,
                (State::Zero | State::Integer, b'.') => State::Point,
                (State::Point, b'0'..=b'9') => State::Fraction,
                (State::Zero | State::Integer | State::Fraction, b'e' | b'E') => State::Exponent,
                (State::Exponent, b'+' | b'-') => State::ExponentSign,
                (State::Exponent | State::ExponentSign, b'0'..=b'9') => State::ExponentDigits,
                _ => {
                    self.state = state;
                    cursor.i = i;
                    return self.end_number(start, cursor, sink);
                }
            };
            i += 1;
        }
        self.state = state;
        cursor.i = i;
        self.magnitude.feed(&bytes[start..i]);
        self.tell_digits(start, cursor, sink);
    }

    /// Tells of a part of a number that begins at index `start`; whether to go on.
    #[inline]
    pub(super) fn tell_digits<S: Sink>(&mut self, start: usize, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        if !S::CONTENT || start == cursor.i {
            return true;
        }
        let span = Span::new(cursor.base + start, cursor.at());
        let flow = sink.content(span, &cursor.text[start..cursor.i]);
        if flow != Flow::Continue {
            self.emit(flow, cursor, sink);
        }
        flow == Flow::Continue
    }

    /// The byte that is read next is not part of the number.
    fn end_number<S: Sink>(&mut self, start: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let whole = matches!(self.state, State::Zero | State::Integer | State::Fraction | State::ExponentDigits);
        if !whole || continues_number(cursor.bytes[cursor.i]) {
            return self.broken(Code::InvalidNumber, self.token, cursor, sink);
        }
        let exponent = self.state == State::ExponentDigits;
        if exponent || cursor.at() - self.token > FINITE {
            self.magnitude.feed(&cursor.bytes[start..cursor.i]);
            if self.magnitude.is_infinite() {
                return self.broken(Code::NumberOutOfRange, self.token, cursor, sink);
            }
        }
        if self.may_not_follow(cursor.bytes[cursor.i]) {
            self.state = State::Next;
            return self.broken(Code::ExpectedCommaOrCloser, cursor.at(), cursor, sink);
        }
        if self.tell_digits(start, cursor, sink) {
            self.close_number(cursor.at(), cursor, sink);
        }
    }

    /// The number ends at an offset.
    pub(super) fn close_number<S: Sink>(&mut self, end: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let span = Span::new(self.token, end);
        let exponent = self.state == State::ExponentDigits;
        if exponent || span.len() > SHORT {
            if (exponent || span.len() > FINITE) && self.magnitude.is_infinite() {
                return self.broken(Code::NumberOutOfRange, self.token, cursor, sink);
            }
            let flow = sink.event(Event::Suspect);
            if flow != Flow::Continue {
                return self.emit(flow, cursor, sink);
            }
        }
        self.state = State::Next;
        self.flags.set(Flags::LAST_STRING, false);
        let flow = sink.event(Event::Number { span });
        if flow != Flow::Continue {
            return self.emit(flow, cursor, sink);
        }
        if self.frames.depth() == 0 {
            self.close_root(end, cursor, sink);
        }
    }

    /// At one byte the grammar comes first: one that may not stand behind a value is a failure before that value is judged.
    fn may_not_follow(&self, byte: u8) -> bool {
        self.frames.depth() > 0 && !is_space(byte) && !matches!(byte, b',' | b'}' | b']' | b'/' | b'\\')
    }

    pub(super) fn open_literal<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.keep_comma(cursor, sink);
        self.flags.set(Flags::FRESH, false);
        self.token = cursor.at();
        self.taken = 1;
        self.literal = literal_of(cursor.bytes[cursor.i]);
        self.state = State::Literal;
        if !self.open_scalar(cursor, sink) {
            return;
        }
        cursor.i += 1;
        self.literal(cursor, sink);
    }

    #[inline(never)]
    pub(super) fn literal<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let word = LITERALS[self.literal as usize];
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            match word.get(self.taken as usize) {
                Some(&letter) if letter == byte => {
                    self.taken += 1;
                    cursor.i += 1;
                }
                None if continues_literal(byte) => return self.broken(Code::InvalidLiteral, self.token, cursor, sink),
                None if self.may_not_follow(byte) => {
                    self.state = State::Next;
                    return self.broken(Code::ExpectedCommaOrCloser, cursor.at(), cursor, sink);
                }
                None => return self.close_literal(cursor.at(), cursor, sink),
                _ => return self.broken(Code::InvalidLiteral, self.token, cursor, sink),
            }
        }
    }

    /// The literal ends at an offset.
    pub(super) fn close_literal<S: Sink>(&mut self, end: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.flags.set(Flags::DECIDING, false);
        self.state = State::Next;
        self.flags.set(Flags::LAST_STRING, false);
        let flow = sink.event(Event::Literal { span: Span::new(self.token, end) });
        if flow != Flow::Continue {
            return self.emit(flow, cursor, sink);
        }
        if self.frames.depth() == 0 {
            self.close_root(end, cursor, sink);
        }
    }

    /// Whether the literal is complete.
    pub(super) fn is_literal_whole(&self) -> bool {
        self.taken as usize == LITERALS[self.literal as usize].len()
    }
}
