//! Strings: content, escapes, surrogates (RFC 8259, section 7).

use crate::class::string_stop;
use crate::failure::Code;
use crate::repair::RepairKind;
use crate::sink::{Event, Flow, Part, Piece, Sink};
use crate::span::Span;

use super::{Cursor, Flags, Scanner, State};

impl Scanner {
    /// A plain quote where a key or value must start.
    #[inline]
    pub(super) fn open_string<S: Sink>(&mut self, key: bool, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.start_string(key, false, cursor.at(), cursor, sink);
        if S::CONTENT && self.state == State::String {
            cursor.i += 1;
            return self.string(cursor, sink);
        }
        if self.state == State::String {
            // Most strings end in the same chunk and hold nothing to undo.
            cursor.i = string_stop(cursor.bytes, cursor.i + 1);
            if cursor.bytes.get(cursor.i) == Some(&b'"') {
                self.close_string(cursor.at(), cursor.at() + 1, cursor, sink);
            } else {
                self.string(cursor, sink);
            }
        }
    }

    /// `\"` where a key or value must start: the byte that is read next is its quote.
    pub(super) fn open_escaped<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let start = self.token;
        let key = matches!(self.state, State::FirstKey | State::NextKey);
        self.cold.escaped.begin();
        // A string whose delimiter is refused has not begun.
        self.edit(RepairKind::EscapedDelimiter, Span::new(start, start + 2), Part::First, cursor, sink);
        if self.in_candidate() {
            self.start_string(key, true, start, cursor, sink);
        }
        if self.in_candidate() {
            cursor.i += 1;
            self.tell_as(start + 2, Piece::Replaced, "\"", sink);
        }
    }

    #[inline]
    fn start_string<S: Sink>(&mut self, key: bool, escaped: bool, start: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        // A comma that was held is told before the delimiter, which may itself be held.
        if let Some(comma) = self.comma.take() {
            if S::BYTES {
                if !escaped {
                    self.tell(cursor, start, Piece::Kept, sink);
                }
                sink.bytes(Piece::Kept, Span::new(comma, comma + 1), ",");
            }
        }
        self.token = start;
        self.flags.set(Flags::KEY, key);
        self.flags.set(Flags::ESCAPED, escaped);
        self.flags.set(
            Flags::EDITED.with(Flags::BACKSLASHES).with(Flags::SUSPECT).with(Flags::CONTROL_RUN).with(Flags::FRESH),
            false,
        );
        if !self.flags.has(Flags::STRING_SEEN) {
            self.first_string(escaped, sink);
        }
        self.state = State::String;
        let flow = sink.event(Event::StringOpen { at: start, key });
        if flow == Flow::Continue {
            self.flags.flip(Flags::ODD);
        } else {
            self.emit(flow, cursor, sink);
        }
    }

    /// String content.
    pub(super) fn string<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        loop {
            let stop = string_stop(cursor.bytes, cursor.i);
            if stop > cursor.i {
                self.flags.set(Flags::CONTROL_RUN, false);
                if self.flags.has(Flags::ESCAPED) {
                    self.cold.escaped.content(&cursor.bytes[cursor.i..stop]);
                }
                if S::CONTENT && !self.take_content(stop, cursor, sink) {
                    return;
                }
                cursor.i = stop;
            }
            match cursor.bytes.get(stop) {
                None => return,
                Some(b'"') => {
                    if self.flags.has(Flags::ESCAPED) && self.cold.escaped.is_odd() {
                        return self.broken(Code::EscapedQuoteTwoReadings, self.token, cursor, sink);
                    }
                    return self.close_string(cursor.at(), cursor.at() + 1, cursor, sink);
                }
                Some(b'\\') => {
                    self.flags.set(Flags::CONTROL_RUN, false);
                    self.cold.escape = cursor.at();
                    if self.flags.has(Flags::ESCAPED) {
                        self.tell(cursor, cursor.at(), Piece::Kept, sink);
                    }
                    self.suspect_path(cursor);
                    self.state = State::Escape;
                    cursor.i += 1;
                    return;
                }
                Some(&control) => {
                    if !self.take_control(control, cursor, sink) {
                        return;
                    }
                }
            }
        }
    }

    /// Tells of content up to index `stop`. Whether to go on.
    #[inline]
    pub(super) fn take_content<S: Sink>(&mut self, stop: usize, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        let span = Span::new(cursor.at(), cursor.base + stop);
        match sink.content(span, &cursor.text[cursor.i..stop]) {
            Flow::Continue => true,
            refused => {
                self.refuse_content(refused, stop, cursor, sink);
                false
            }
        }
    }

    /// Content is refused at one of its bytes: that is where reading ends.
    #[cold]
    fn refuse_content<S: Sink>(&mut self, flow: Flow, stop: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        if let Flow::Break(_, offset) | Flow::Doom(_, offset) = flow {
            let offset = sink.refused_with().unwrap_or(offset);
            let at = offset.saturating_sub(cursor.base).clamp(cursor.i, stop - 1);
            cursor.i = (cursor.i..=at).rev().find(|&at| cursor.text.is_char_boundary(at)).unwrap_or(cursor.i);
        }
        self.emit(flow, cursor, sink);
    }

    /// Tells of the one character that stands from an offset on up to `end`. Whether to go on.
    pub(super) fn take_char<S: Sink>(&mut self, char: char, span: Span, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        if !S::CONTENT {
            return true;
        }
        let flow = sink.content(span, char.encode_utf8(&mut [0; 4]));
        if flow != Flow::Continue {
            self.emit(flow, cursor, sink);
        }
        flow == Flow::Continue
    }

    /// A raw control character in a string. Whether to go on.
    fn take_control<S: Sink>(&mut self, byte: u8, cursor: &mut Cursor<'_>, sink: &mut S) -> bool {
        let at = cursor.at();
        if matches!(byte, b'\n' | b'\r') {
            let first_key =
                self.flags.has(Flags::DECIDING) && self.flags.has(Flags::KEY) && !self.cold.candidate.key_lines;
            if first_key {
                self.broken(Code::ControlCharacter, at, cursor, sink);
                return false;
            }
        }
        if !self.replace_control(byte, at, cursor, sink) {
            return false;
        }
        if self.flags.has(Flags::ESCAPED) {
            self.cold.escaped.content(&[byte]);
        }
        if !self.take_char(char::from(byte), Span::new(at, at + 1), cursor, sink) {
            return false;
        }
        cursor.i += 1;
        true
    }

    /// Puts the escape of a raw control character, at an offset, in its place. Whether to go on.
    pub(super) fn replace_control<S: Sink>(
        &mut self,
        byte: u8,
        at: usize,
        cursor: &mut Cursor<'_>,
        sink: &mut S,
    ) -> bool {
        if matches!(byte, b'\n' | b'\r') {
            self.flags.set(Flags::LINE_SEEN, true);
            self.flags.set(Flags::ODD, false);
        }
        if !self.rules.allows(RepairKind::RawControl) {
            self.broken(Code::ControlCharacter, at, cursor, sink);
            return false;
        }
        let part = if self.flags.has(Flags::CONTROL_RUN) { Part::More } else { Part::First };
        self.flags.set(Flags::CONTROL_RUN.with(Flags::EDITED), true);
        self.edit(RepairKind::RawControl, Span::new(at, at + 1), part, cursor, sink);
        if !self.in_candidate() {
            return false;
        }
        self.tell(cursor, at, Piece::Kept, sink);
        if S::BYTES {
            let mut buffer = [0; 6];
            self.tell_as(at + 1, Piece::Replaced, control_escape(byte, &mut buffer), sink);
        }
        true
    }

    /// The string closes; the byte that is read next is its (or its escape's) quote. `end`: of its content; `past`: one past the
    /// delimiter.
    #[inline]
    pub(super) fn close_string<S: Sink>(&mut self, end: usize, past: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let start = self.token;
        let content = Span::new(start + 1 + usize::from(self.flags.has(Flags::ESCAPED)), end);
        let flow = if self.flags.has(Flags::KEY) {
            self.state = State::Colon;
            let escaped = self.flags.has(Flags::EDITED) || self.flags.has(Flags::ESCAPED);
            sink.event(Event::Key { content, at: start, end: past, escaped, second: false })
        } else {
            self.state = State::Next;
            if self.flags.has(Flags::DECIDING) {
                self.become_promise(cursor.at(), sink);
            }
            let flow = sink.event(Event::String { content, end: past, escaped: self.flags.has(Flags::EDITED) });
            let colon = past != end + 1 && cursor.bytes.get(cursor.i) == Some(&b':');
            // At one byte the grammar comes first: what closed the string may not stand behind a value.
            if colon && flow != Flow::Continue { Flow::Break(Code::ExpectedCommaOrCloser, cursor.at()) } else { flow }
        };
        if flow != Flow::Continue {
            return self.emit(flow, cursor, sink);
        }
        if self.flags.has(Flags::SUSPECT) {
            self.flags.set(Flags::SUSPECT, false);
            let flow = sink.event(Event::Suspect);
            if flow != Flow::Continue {
                return self.emit(flow, cursor, sink);
            }
        }
        self.flags.set(Flags::LAST_STRING, true);
        // An escaped delimiter was taken before.
        self.flags.set(Flags::CLOSED_ESCAPED, past != end + 1);
        if !self.flags.has(Flags::CLOSED_ESCAPED) {
            self.flags.flip(Flags::ODD);
            cursor.i += 1;
        }
        if self.frames.depth() == 0 {
            self.close_root(past, cursor, sink);
        }
    }

    /// Notes what a suspicious escape may look like: the scanner has no text to look back at.
    fn suspect_path(&mut self, cursor: &Cursor<'_>) {
        let before = match cursor.i.checked_sub(1) {
            Some(index) => cursor.bytes[index],
            None => self.recent as u8,
        };
        self.flags.set(Flags::BACKSLASHES, self.flags.has(Flags::BACKSLASHES) || (before == b':'));
    }

    /// Behind a backslash in a string.
    #[inline(never)]
    pub(super) fn escape<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        match byte {
            b'"' if self.flags.has(Flags::ESCAPED) => {
                let at = self.cold.escape;
                self.cold.escaped.hold_quote(at);
                self.flags.flip(Flags::ODD);
                self.state = State::Quote;
                cursor.i += 1;
                return;
            }
            b'\\' if self.flags.has(Flags::ESCAPED) => {
                return self.broken(Code::EscapedBackslashTwoReadings, self.cold.escape, cursor, sink);
            }
            b'"' => self.flags.flip(Flags::ODD),
            b'\\' => self.flags.set(Flags::BACKSLASHES, true),
            b'/' => {}
            b'b' | b'f' => self.flags.set(Flags::SUSPECT, true),
            b'n' | b'r' | b't' if !self.flags.has(Flags::BACKSLASHES) => {}
            b'n' | b'r' | b't' => self.flags.set(Flags::SUSPECT, true),
            b'u' => {
                self.taken = 0;
                self.cold.unit = 0;
                self.cold.high = 0;
                self.state = State::Hex;
                cursor.i += 1;
                self.keep_escape(b'u', sink);
                return;
            }
            _ => return self.broken(Code::InvalidEscape, self.cold.escape, cursor, sink),
        }
        self.flags.set(Flags::EDITED, true);
        self.state = State::String;
        if !self.take_char(escaped_char(byte), Span::new(self.cold.escape, cursor.at() + 1), cursor, sink) {
            return;
        }
        cursor.i += 1;
        self.keep_escape(byte, sink);
    }

    /// In an escaped string the backslash was held.
    fn keep_escape<S: Sink>(&mut self, letter: u8, sink: &mut S) {
        self.flags.set(Flags::EDITED, true);
        if self.flags.has(Flags::ESCAPED) {
            self.cold.escaped.content(if matches!(letter, b'n' | b'r' | b't') { b" " } else { b"x" });
            let text = match letter {
                b'n' => "\\n",
                b'r' => "\\r",
                b't' => "\\t",
                b'b' => "\\b",
                b'f' => "\\f",
                b'/' => "\\/",
                _ => "\\u",
            };
            self.tell_as(self.cold.escape + 2, Piece::Kept, text, sink);
        }
    }

    /// The digits of `\u`.
    #[inline(never)]
    pub(super) fn hex<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            let Some(digit) = (byte as char).to_digit(16) else {
                return self.broken(Code::InvalidUnicodeEscape, self.cold.escape, cursor, sink);
            };
            self.cold.unit = self.cold.unit << 4 | digit as u16;
            self.taken += 1;
            if self.taken == 4 {
                return self.unit_done(cursor, sink);
            }
            cursor.i += 1;
        }
    }

    /// The fourth digit is the byte that is read next.
    fn unit_done<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let low = matches!(self.cold.unit, 0xDC00..=0xDFFF);
        self.state = match (self.cold.high, self.cold.unit) {
            (0, 0xD800..=0xDBFF) => {
                self.cold.high = self.cold.unit;
                self.cold.high_at = self.cold.escape;
                State::LowBackslash
            }
            (0, _) if low => return self.broken(Code::LoneSurrogate, self.cold.escape, cursor, sink),
            (0, _) => State::String,
            (_, _) if low => State::String,
            _ => return self.broken(Code::LoneSurrogate, self.cold.high_at, cursor, sink),
        };
        if S::CONTENT && self.state == State::String {
            let start = if self.cold.high > 0 { self.cold.high_at } else { self.cold.escape };
            if !self.take_char(self.unit_char(), Span::new(start, cursor.at() + 1), cursor, sink) {
                return;
            }
        }
        cursor.i += 1;
    }

    /// The character that the code unit is, with the high surrogate before it.
    fn unit_char(&self) -> char {
        let code = match self.cold.high {
            0 => u32::from(self.cold.unit),
            high => 0x1_0000 + ((u32::from(high) & 0x3FF) << 10 | u32::from(self.cold.unit) & 0x3FF),
        };
        char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
    }

    /// Behind a high surrogate: `\u` must follow.
    #[inline(never)]
    pub(super) fn low_half<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        match (self.state, byte) {
            (State::LowBackslash, b'\\') => {
                self.cold.escape = cursor.at();
                self.state = State::LowU;
            }
            (State::LowU, b'u') => {
                self.taken = 0;
                self.cold.unit = 0;
                self.state = State::Hex;
            }
            _ => return self.broken(Code::LoneSurrogate, self.cold.high_at, cursor, sink),
        }
        cursor.i += 1;
    }

    /// Where the escape begins, or the escaped quote, whose meaning is open inside a string.
    #[inline]
    pub(super) fn waiting(&self) -> Option<usize> {
        match self.state {
            State::Escape => Some(self.cold.escape),
            State::Hex if self.cold.high == 0 => Some(self.cold.escape),
            State::Hex | State::LowBackslash | State::LowU => Some(self.cold.high_at),
            State::Quote | State::QuoteBackslash | State::QuoteSlash => Some(self.cold.escaped.quote_at()),
            State::Decided => Some(self.cold.escape),
            _ => None,
        }
    }

    /// How far the content of the string that is open is certain: without half an escape, half a pair, and an escaped quote that may
    /// close it.
    #[inline]
    pub(crate) fn content_end(&self) -> usize {
        // What was refused inside it was no content.
        let refused = self.doom.as_deref().map(|doom| doom.offset).filter(|&offset| offset > self.token);
        let end = self.waiting().map_or(self.at, |waiting| waiting.min(self.at));
        refused.map_or(end, |refused| refused.min(end))
    }

    /// Whether the string that is open holds escapes or raw control characters.
    #[inline]
    pub(crate) fn is_string_escaped(&self) -> bool {
        self.flags.has(Flags::EDITED)
    }
}

/// The character that a letter behind a backslash stands for.
pub(super) fn escaped_char(letter: u8) -> char {
    match letter {
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        other => char::from(other),
    }
}

/// The escape of a control character: the short form where RFC 8259 has one.
pub(crate) fn control_escape(byte: u8, buffer: &mut [u8; 6]) -> &str {
    match byte {
        0x08 => "\\b",
        b'\t' => "\\t",
        b'\n' => "\\n",
        0x0C => "\\f",
        b'\r' => "\\r",
        _ => {
            const HEX: &[u8; 16] = b"0123456789abcdef";
            *buffer = [b'\\', b'u', b'0', b'0', HEX[byte as usize >> 4], HEX[byte as usize & 15]];
            core::str::from_utf8(buffer).unwrap_or_default()
        }
    }
}
