//! Comments between tokens: dropped, unless they may have swallowed something.

use crate::class::{is_line_end, is_space};
use crate::failure::Code;
use crate::later::Blank;
use crate::repair::RepairKind;
use crate::sink::{Event, Flow, Part, Piece, Sink};
use crate::span::Span;

use super::{Cursor, Flags, Scanner, State};

/// What has been seen of the comment that is open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    start: usize,
    /// It begins behind a token on its line.
    behind_token: bool,
    /// Directly behind one of `" , : { [`: it may have been a string.
    pub(super) for_string: bool,
    /// It holds a quote, a colon, a quote followed by a colon.
    quote: bool,
    colon: bool,
    member: bool,
    /// The number of its quotes is odd.
    odd: bool,
    /// Another comment begins in a block comment, or ends in a line comment.
    crossed: bool,
    /// It ends so far, white space aside, in `"` or `",`.
    ends_string: bool,
    /// Dots in a row, and bytes of U+2026.
    dots: u8,
    ellipsis: u8,
    last: u8,
    /// The escaped closing delimiter that it follows, and whether it holds another.
    closer: Option<usize>,
    escaped_quote: bool,
}

impl Blank for Comment {
    const BLANK: Self = Self {
        start: 0,
        behind_token: false,
        for_string: false,
        quote: false,
        colon: false,
        member: false,
        odd: false,
        crossed: false,
        ends_string: false,
        dots: 0,
        ellipsis: 0,
        last: 0,
        closer: None,
        escaped_quote: false,
    };

    fn blank() -> &'static Self {
        static BLANK: Comment = Comment::BLANK;
        &BLANK
    }
}

impl Comment {
    /// Takes one byte; whether it completes an ellipsis.
    fn step(&mut self, byte: u8, line: bool) -> bool {
        self.crossed |= if line { (self.last, byte) == (b'*', b'/') } else { (self.last, byte) == (b'/', b'*') };
        match byte {
            b'"' => {
                self.quote = true;
                self.odd = !self.odd;
                self.escaped_quote |= self.last == b'\\';
                self.ends_string = true;
            }
            b',' => self.ends_string = self.last == b'"',
            b':' => {
                self.colon = true;
                self.member |= self.quote;
                self.ends_string = false;
            }
            _ if is_space(byte) => {}
            _ => self.ends_string = false,
        }
        self.dots = if byte == b'.' { self.dots + 1 } else { 0 };
        self.ellipsis = match (self.ellipsis, byte) {
            (_, 0xE2) => 1,
            (1, 0x80) => 2,
            (2, 0xA6) => 3,
            _ => 0,
        };
        self.last = byte;
        self.dots == 3 || self.ellipsis == 3
    }
}

impl Scanner {
    /// Behind a slash between tokens.
    #[inline(never)]
    pub(super) fn slash<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        if !matches!(byte, b'/' | b'*') {
            self.state = self.back;
            return self.refuse_token(cursor, sink);
        }
        self.begin_comment(self.token, byte, self.cold.comment.for_string);
        cursor.i += 1;
    }

    /// Whether the byte in front of the one that is read next may stand in front of a string.
    pub(super) fn is_touching(&self, cursor: &Cursor<'_>) -> bool {
        let before = cursor.i.checked_sub(1).map_or(self.recent as u8, |before| cursor.bytes[before]);
        matches!(before, b'"' | b',' | b':' | b'{' | b'[')
    }

    /// A comment begins at an offset with `/` and `second`; `for_string`: where a string may begin.
    pub(super) fn begin_comment(&mut self, start: usize, second: u8, for_string: bool) {
        let behind_string = matches!(self.back, State::Colon | State::Doubt)
            || (self.back == State::Next && self.flags.has(Flags::LAST_STRING));
        let closer = (behind_string && self.flags.has(Flags::CLOSED_ESCAPED)).then(|| self.cold.escaped.quote_at());
        if self.back == State::Doubt {
            self.back = self.behind_string();
        }
        *self.cold.comment =
            Comment { start, behind_token: !self.flags.has(Flags::FRESH), for_string, closer, ..Comment::BLANK };
        self.token = start;
        self.cold.noise = start;
        self.state = if second == b'/' { State::LineComment } else { State::BlockComment };
    }

    #[inline(never)]
    pub(super) fn line_comment<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            if is_line_end(byte) {
                return self.end_comment(true, cursor, sink);
            }
            let escaped_line_end = self.cold.comment.last == b'\\' && matches!(byte, b'n' | b'r');
            if self.cold.comment.step(byte, true) {
                return self.broken(Code::CommentEllipsis, self.cold.comment.start, cursor, sink);
            }
            if escaped_line_end {
                return self.broken(Code::CommentLineEnd, cursor.at() - 1, cursor, sink);
            }
            self.flags.set(Flags::ODD, self.flags.has(Flags::ODD) ^ (byte == b'"'));
            cursor.i += 1;
        }
    }

    #[inline(never)]
    pub(super) fn block_comment<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            if self.state == State::BlockStar && byte == b'/' {
                return self.end_comment(false, cursor, sink);
            }
            self.state = if byte == b'*' { State::BlockStar } else { State::BlockComment };
            if self.cold.comment.step(byte, false) {
                return self.broken(Code::CommentEllipsis, self.cold.comment.start, cursor, sink);
            }
            if is_line_end(byte) {
                self.flags.set(Flags::FRESH.with(Flags::LINE_SEEN), true);
                self.flags.set(Flags::ODD, false);
            }
            self.flags.set(Flags::ODD, self.flags.has(Flags::ODD) ^ (byte == b'"'));
            cursor.i += 1;
        }
    }

    /// The comment ends at the byte that is read next: with the slash of `*/`, before a line end.
    fn end_comment<S: Sink>(&mut self, line: bool, cursor: &mut Cursor<'_>, sink: &mut S) {
        let comment = *self.cold.comment;
        let swallowed = comment.crossed || (comment.behind_token && comment.quote && comment.colon);
        if swallowed || (line && comment.odd && (comment.ends_string || comment.for_string)) {
            return self.broken(Code::CommentSwallowed, comment.start, cursor, sink);
        }
        if let (Some(closer), true) = (comment.closer, comment.escaped_quote) {
            return self.broken(Code::EscapedQuoteTwoReadings, closer, cursor, sink);
        }
        if comment.member {
            let flow = sink.event(Event::Suspect);
            if flow != Flow::Continue {
                return self.emit(flow, cursor, sink);
            }
        }
        let end = cursor.at() + usize::from(!line);
        self.edit(RepairKind::Comment, Span::new(comment.start, end), Part::First, cursor, sink);
        if !self.in_candidate() {
            return;
        }
        self.tell_as(end, Piece::Dropped, "", sink);
        self.flags.set(Flags::COMMENT_SEEN, true);
        self.state = self.back;
        cursor.i += usize::from(!line);
    }
}
