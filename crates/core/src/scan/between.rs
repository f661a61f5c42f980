//! Between the tokens of a candidate: white space, structure, and the beginning of each token.

use crate::class::{is_line_end, is_space};
use crate::failure::Code;
use crate::locate::line::absorb;
use crate::repair::RepairKind;
use crate::sink::{Event, Flow, Kind, Part, Piece, Sink};
use crate::span::Span;

use super::{Cursor, Flags, Scanner, State};

impl Scanner {
    /// Reads tokens until one is left open or the candidate is over.
    pub(super) fn between<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            match byte {
                b' ' | b'\n' | b'\r' | b'\t' => {
                    self.white_space(cursor, sink);
                    if self.state == State::Decided {
                        return;
                    }
                    continue;
                }
                b'/' if self.rules.allows(RepairKind::Comment) => {
                    self.tell(cursor, cursor.at(), Piece::Kept, sink);
                    self.back = self.state;
                    self.token = cursor.at();
                    self.cold.comment.for_string = self.is_touching(cursor);
                    self.state = State::Slash;
                    cursor.i += 1;
                    return;
                }
                b'\\' if self.rules.allows(RepairKind::EscapedWhitespace) || self.may_open_string() => {
                    self.tell(cursor, cursor.at(), Piece::Kept, sink);
                    self.back = self.state;
                    self.token = cursor.at();
                    self.state = State::Backslash;
                    cursor.i += 1;
                    return;
                }
                _ => {}
            }
            match self.state {
                State::Next => match byte {
                    b',' => {
                        let at = cursor.at();
                        if S::BYTES {
                            self.tell(cursor, at, Piece::Kept, sink);
                            self.cold.told = at + 1;
                        }
                        self.comma = at.into();
                        self.flags.set(Flags::FRESH, false);
                        self.state = match self.frames.top() {
                            Some(Kind::Object) => State::NextKey,
                            _ => State::NextElement,
                        };
                        let flow = sink.event(Event::Comma { at });
                        if flow != Flow::Continue {
                            return self.emit(flow, cursor, sink);
                        }
                        cursor.i += 1;
                        continue;
                    }
                    b'}' | b']' => {
                        if self.close_inner(byte, cursor, sink) {
                            continue;
                        }
                    }
                    _ => self.broken(Code::ExpectedCommaOrCloser, cursor.at(), cursor, sink),
                },
                State::Colon => {
                    if self.flags.has(Flags::DECIDING) {
                        if matches!(byte, b',' | b'}') {
                            return self.broken(Code::ExpectedColon, cursor.at(), cursor, sink);
                        }
                        self.become_promise(cursor.at(), sink);
                        if self.state == State::Decided {
                            return;
                        }
                    }
                    if byte != b':' {
                        return self.broken(Code::ExpectedColon, cursor.at(), cursor, sink);
                    }
                    self.flags.set(Flags::FRESH, false);
                    self.state = State::Value;
                    cursor.i += 1;
                    continue;
                }
                State::FirstKey | State::NextKey => match byte {
                    b'"' => self.open_string(true, cursor, sink),
                    b'}' | b']' => self.close_frame(cursor, sink),
                    _ => self.broken(Code::ExpectedKey, cursor.at(), cursor, sink),
                },
                State::Value | State::FirstElement | State::NextElement => match byte {
                    b'"' => self.open_string(false, cursor, sink),
                    b'{' => self.open_inner(Kind::Object, cursor, sink),
                    b'[' => self.open_inner(Kind::Array, cursor, sink),
                    b'}' | b']' if self.state != State::Value => self.close_frame(cursor, sink),
                    b'0'..=b'9' | b'-' => self.open_number(cursor, sink),
                    b't' | b'f' | b'n' => self.open_literal(cursor, sink),
                    _ => self.broken(self.not_a_value(byte), cursor.at(), cursor, sink),
                },
                State::Doubt => match byte {
                    b',' | b'}' | b']' | b':' => {
                        self.state = self.behind_string();
                        continue;
                    }
                    _ => self.broken(Code::EscapedQuoteTwoReadings, self.cold.escaped.quote_at(), cursor, sink),
                },
                _ => {}
            }
            if !self.state.is_between() || (!S::BYTES && self.is_plain()) {
                return;
            }
        }
    }

    /// Closes a frame behind a value; whether it was the plain case: the right closer, of a frame inside another.
    #[inline]
    fn close_inner<S: Sink>(&mut self, byte: u8, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        let Some(kind) = self.frames.top() else { return false };
        if kind.closer().as_bytes()[0] != byte || self.frames.depth() < 2 {
            self.close_frame(cursor, sink);
            return false;
        }
        self.flags.set(Flags::FRESH.with(Flags::LAST_STRING).with(Flags::DECIDING), false);
        self.frames.pop();
        let flow = sink.event(Event::Close { kind, at: cursor.at() });
        if flow != Flow::Continue {
            self.emit(flow, cursor, sink);
            return false;
        }
        cursor.i += 1;
        true
    }

    fn not_a_value(&self, byte: u8) -> Code {
        match byte {
            b'+' | b'.' => Code::InvalidNumber,
            _ if byte.is_ascii_alphabetic() => Code::InvalidLiteral,
            _ => Code::ExpectedValue,
        }
    }

    pub(super) fn open_inner<S: Sink>(&mut self, kind: Kind, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.keep_comma(cursor, sink);
        self.open_frame(kind, cursor, sink);
    }

    /// The next token shows that the comma stays.
    #[inline]
    pub(super) fn keep_comma<S: Sink>(&mut self, cursor: &Cursor<'_>, sink: &mut S) {
        if let Some(comma) = self.comma.take() {
            if S::BYTES {
                self.tell(cursor, cursor.at(), Piece::Kept, sink);
                sink.bytes(Piece::Kept, Span::new(comma, comma + 1), ",");
            }
        }
    }

    /// Takes a run of white space.
    #[inline]
    fn white_space<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let (bytes, start) = (cursor.bytes, cursor.i);
        let mut i = start;
        let mut line_ends = false;
        while let Some(&byte) = bytes.get(i).filter(|&&byte| is_space(byte)) {
            line_ends |= is_line_end(byte);
            i += 1;
        }
        if line_ends {
            self.flags.set(Flags::COMMENT_SEEN, false);
            self.flags.set(Flags::FRESH.with(Flags::LINE_SEEN), true);
            self.flags.set(Flags::ODD, false);
        }
        cursor.i = i;
        self.took_white(start, cursor, sink);
    }

    /// White space from index `start` on was taken, up to the byte that is read next.
    #[inline]
    pub(super) fn took_white<S: Sink>(&mut self, start: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        // A run goes on where the last one ended, in whatever state and chunk.
        if self.white.end != cursor.base + start {
            self.white.start = cursor.base + start;
        }
        self.white.end = cursor.at();
        let len = self.white.len();
        if len >= self.rules.white_space || len >= self.rules.around.white_space_behind {
            self.guard_white(cursor, sink);
        }
    }

    /// Behind a backslash between tokens.
    #[inline(never)]
    pub(super) fn backslash<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        self.state = self.back;
        let named = match byte {
            b'n' => "\n",
            b'r' => "\r",
            b't' => "\t",
            b'"' if self.may_open_string() => {
                return self.open_escaped(cursor, sink);
            }
            _ => return self.refuse_token(cursor, sink),
        };
        if !self.rules.allows(RepairKind::EscapedWhitespace) {
            return self.refuse_token(cursor, sink);
        }
        self.edit(RepairKind::EscapedWhitespace, Span::new(self.token, self.token + 2), Part::First, cursor, sink);
        self.flags.set(Flags::FRESH, false);
        self.cold.noise = self.token;
        if self.in_candidate() {
            cursor.i += 1;
            self.tell_as(self.token + 2, Piece::Replaced, named, sink);
        }
    }

    /// What began at `token` may not stand here; the byte that is read next tells.
    pub(super) fn refuse_token<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        if self.state == State::Doubt {
            return self.broken(Code::EscapedQuoteTwoReadings, self.cold.escaped.quote_at(), cursor, sink);
        }
        self.flags.set(Flags::FRESH, false);
        self.decide_key(cursor.at(), sink);
        self.broken(self.expected(), self.token, cursor, sink);
    }

    /// Where a string that closed leaves the grammar.
    pub(super) fn behind_string(&self) -> State {
        if self.flags.has(Flags::KEY) { State::Colon } else { State::Next }
    }

    fn may_open_string(&self) -> bool {
        let key = matches!(self.state, State::FirstKey | State::NextKey);
        let value = matches!(self.state, State::Value | State::FirstElement | State::NextElement);
        (key || value) && self.rules.allows(RepairKind::EscapedDelimiter)
    }

    /// The chunk ends: assigns the bytes whose meaning is certain.
    pub(super) fn suspend<S: Sink>(&mut self, cursor: &Cursor<'_>, sink: &mut S) {
        self.line_absorbs(cursor);
        if !S::BYTES {
            return;
        }
        let end = cursor.at();
        match self.state {
            State::Backslash | State::Slash | State::LineComment | State::BlockComment | State::BlockStar => {}
            State::Quote | State::QuoteBackslash | State::QuoteSlash => {}
            State::Escape if self.flags.has(Flags::ESCAPED) => {}
            State::Tag | State::Run | State::Tick => {}
            State::Reasoning => self.tell(cursor, end, Piece::Reasoning, sink),
            _ if self.is_in_candidate() => self.tell(cursor, end, Piece::Kept, sink),
            _ => self.tell(cursor, end, Piece::Prose, sink),
        }
    }

    fn line_absorbs(&mut self, cursor: &Cursor<'_>) {
        if self.is_in_candidate() {
            let bytes = &cursor.bytes[cursor.from..cursor.i];
            self.recent = absorb(self.recent, bytes);
            self.debris_absorbs(bytes);
        }
    }
}
