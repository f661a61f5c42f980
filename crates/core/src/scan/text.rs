//! Text around documents: prose, reasoning tags, what stands behind a root, and a document that must stand alone.

use crate::class::{is_line_end, is_space};
use crate::failure::Code;
use crate::locate::{behind, fence::Fence, fence::Label, fence::Run, line::Line, tag, tag::Tag};
use crate::sink::{Event, Flow, Kind, Piece, Sink};
use crate::span::Span;

use super::{Cursor, Scanner, State};

impl Scanner {
    /// Prose, in or outside a JSON fence, and opaque text.
    #[inline(never)]
    pub(super) fn text<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let state = self.state;
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            if is_space(byte) {
                self.note(byte, cursor.at(), sink);
                if state == State::Text {
                    self.look_for_debris(byte, cursor.at());
                }
                cursor.i += 1;
                if self.state == State::Text {
                    self.took_white(cursor.i - 1, cursor, sink);
                }
                if self.state == state && is_line_end(byte) {
                    self.weak_line_ends(cursor.at() - 1, sink);
                }
                if self.state != state {
                    break;
                }
                continue;
            }
            match byte {
                b'`' | b'~' => return self.begin_run(byte, cursor, sink),
                b'<' if state == State::Text => return self.begin_tag(cursor, sink),
                b'{' | b'[' if state != State::Code => {
                    self.weak_goes_on();
                    self.drop_waiting(sink);
                    self.home = state;
                    self.tell(cursor, cursor.at(), Piece::Prose, sink);
                    return self.begin(opener(byte), cursor, sink);
                }
                b'}' | b']' if state == State::Text => {
                    if self.cold.line.last() == b'`' {
                        self.note(byte, cursor.at(), sink);
                        self.look_for_debris(byte, cursor.at());
                        self.state = State::Tick;
                        self.literal = byte;
                        cursor.i += 1;
                        return;
                    }
                    let emoticon = matches!(self.cold.line.last(), b':' | b';' | b'=' | b'-' | b'^');
                    self.closer(byte, cursor.at(), cursor.at(), emoticon);
                }
                b',' => self.weak_goes_on(),
                _ => {}
            }
            if self.state != state {
                return;
            }
            if state == State::Text && !self.cold.found.began {
                self.begins_torn(byte, cursor.at());
            }
            // Opaque text leaves nothing behind but lines and their marks.
            let opaque = state != State::Text && !byte.is_ascii_digit() && !b">-*+.)".contains(&byte);
            self.note(if opaque { 1 } else { byte }, cursor.at(), sink);
            if state == State::Text {
                self.look_for_debris(byte, cursor.at());
            }
            if self.state != state {
                return;
            }
            cursor.i += 1;
        }
    }

    pub(super) fn look_for_debris(&mut self, byte: u8, at: usize) {
        if self.is_debris_counted() {
            if let Some(comma) = self.cold.debris.step(byte, at) {
                self.doom(Code::ClosedTooEarly, comma, at);
            }
        }
    }

    /// A closer in prose at offset `at`, certain at `decided_at`.
    fn closer(&mut self, byte: u8, at: usize, decided_at: usize, emoticon: bool) {
        match byte {
            b'}' => self.cold.braces = self.cold.braces.saturating_sub(1),
            _ => {
                self.cold.hidden = self.cold.hidden.saturating_sub(1);
                self.cold.brackets = self.cold.brackets.saturating_sub(1);
            }
        }
        let (bare, fenced) = (self.cold.behind_bare.close(byte), self.cold.behind_fenced.close(byte));
        let opened = if self.cold.found.in_fence { fenced } else { bare };
        if !opened && !emoticon && self.is_debris_counted() {
            self.doom(Code::ClosedTooEarly, at, decided_at);
        }
    }

    /// Behind a closer behind a backtick: another backtick makes it text.
    #[inline(never)]
    pub(super) fn tick<S: Sink>(&mut self, cursor: &mut Cursor<'_>, _sink: &mut S) {
        self.state = State::Text;
        if cursor.bytes[cursor.i] != b'`' {
            self.closer(self.literal, cursor.at() - 1, cursor.at(), false);
        }
    }

    /// The same at the end of the reply.
    pub(super) fn tick_at_end(&mut self) {
        self.closer(self.literal, self.at - 1, self.at, false);
    }

    /// Takes one byte of text into the context, and what waits for the end of the line with it.
    pub(super) fn note<S: Sink>(&mut self, byte: u8, at: usize, sink: &mut S) {
        self.cold.line.note(byte);
        if is_line_end(byte) {
            self.line_ends(at, sink);
        } else if !is_space(byte) {
            self.note_significant(sink);
        }
    }

    /// Something significant stands on this line.
    pub(super) fn note_significant<S: Sink>(&mut self, sink: &mut S) {
        self.cold.found.began = true;
        self.drop_waiting(sink);
    }

    /// What waited for nothing else on its line does not have it.
    fn drop_waiting<S: Sink>(&mut self, sink: &mut S) {
        self.cold.found.alone = false;
        if self.cold.found.weak.take().is_some() {
            let _ = sink.event(Event::PassOver);
        }
    }

    /// What waited for nothing else on its line has it.
    pub(super) fn line_ends<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if self.cold.found.alone {
            self.cold.found.alone = false;
            if let Flow::Break(code, offset) | Flow::Doom(code, offset) = sink.event(Event::Alone) {
                self.doom(code, offset, at);
            }
        }
    }

    pub(super) fn begin_tag<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let piece = if self.state == State::Reasoning { Piece::Reasoning } else { Piece::Prose };
        self.tell(cursor, cursor.at(), piece, sink);
        self.home = self.state;
        *self.cold.tag = Tag::begin(self.cold.line.blank, cursor.at());
        self.cold.line.note(b'<');
        self.look_for_debris(b'<', cursor.at());
        self.state = State::Tag;
        cursor.i += 1;
    }

    #[inline(never)]
    pub(super) fn tag<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            let mut step = self.cold.tag.step(byte);
            if self.home == State::Before && byte == b'/' {
                // Nothing can close there.
                step = tag::Step::Text;
            }
            let opens = self.cold.tag.blank() && self.home != State::Whole;
            if step == tag::Step::Text || (step == tag::Step::Open && !opens) {
                self.state = self.home;
                match self.home {
                    State::Whole => self.spoil_whole(sink),
                    State::Before => self.doom(Code::TextAround, self.cold.tag.start(), cursor.at()),
                    State::Text => self.note_significant(sink),
                    _ => {}
                }
                return;
            }
            self.cold.line.note(byte);
            self.look_for_debris(byte, cursor.at());
            cursor.i += 1;
            match step {
                tag::Step::Open => return self.open_reasoning(cursor, sink),
                tag::Step::Close => return self.close_reasoning(cursor, sink),
                _ => {}
            }
        }
    }

    fn open_reasoning<S: Sink>(&mut self, cursor: &Cursor<'_>, sink: &mut S) {
        self.cold.debris.clear();
        self.reasoning = self.reasoning.saturating_add(1);
        self.state = State::Reasoning;
        self.tell_as(cursor.at(), Piece::Reasoning, "", sink);
    }

    fn close_reasoning<S: Sink>(&mut self, cursor: &Cursor<'_>, sink: &mut S) {
        let start = self.cold.tag.start();
        self.tell_as(cursor.at(), Piece::Reasoning, "", sink);
        if self.reasoning > 0 {
            self.reasoning -= 1;
            self.state = State::Reasoning;
            if self.reasoning == 0 {
                self.leave_reasoning();
            }
            return;
        }
        let whole = self.cold.found.whole.is_some() && !self.cold.found.whole_other;
        let weak = self.cold.found.weak.is_some() && !self.cold.found.weak_other && !self.cold.found.weak_opaque;
        if self.cold.found.closed || whole || weak {
            return self.doom(Code::CloseTagBehind, start, cursor.at() - 1);
        }
        if self.cold.found.weak.take().is_some() {
            let _ = sink.event(Event::PassOver);
        }
        // All that stood before was reasoning.
        self.cold.found = super::Found::NONE;
        self.cold.braces = 0;
        self.cold.hidden = 0;
        self.cold.brackets = 0;
        self.cold.fence = Fence::NONE;
        self.leave_reasoning();
    }

    /// Reasoning counts as nothing: a line may begin behind it.
    fn leave_reasoning(&mut self) {
        self.cold.line = Line::default();
        self.cold.line.absorb(b">");
        self.state = if self.rules.is_strict() { State::Before } else { State::Text };
    }

    #[inline(never)]
    pub(super) fn reasoning<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            if byte == b'<' {
                return self.begin_tag(cursor, sink);
            }
            self.cold.line.note(byte);
            cursor.i += 1;
        }
    }

    /// Directly behind a closed root.
    #[inline(never)]
    pub(super) fn behind<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            match self.cold.behind.step(byte, cursor.at()) {
                behind::Step::Broken(offset) => return self.doom(Code::ClosedTooEarly, offset, cursor.at()),
                behind::Step::Settled => {
                    self.cold.found.beside = self.cold.behind.is_direct() && matches!(byte, b'{' | b'[');
                    return self.settle(cursor.at(), sink);
                }
                behind::Step::More => {
                    // A comment counts as a slash: it is not looked into.
                    let in_comment = self.cold.behind.in_comment() && !is_line_end(byte);
                    let seen = if in_comment { b'/' } else { byte };
                    if seen == b',' {
                        self.weak_goes_on();
                    }
                    self.note(seen, cursor.at(), sink);
                    self.look_for_debris(seen, cursor.at());
                    cursor.i += 1;
                    if is_space(byte) && seen == byte {
                        self.took_white(cursor.i - 1, cursor, sink);
                    }
                    if is_line_end(byte) && self.state == State::Behind {
                        self.weak_line_ends(cursor.at() - 1, sink);
                    }
                    if self.state != State::Behind {
                        return;
                    }
                }
            }
        }
    }

    /// What stands behind the root is no part of it.
    pub(super) fn settle<S: Sink>(&mut self, at: usize, sink: &mut S) {
        self.state = State::Text;
        if self.cold.braces > 0 || self.cold.hidden > 0 {
            self.doom(Code::InsideBroken, self.outermost(), at);
        } else if self.rules.take == crate::expect::Take::First {
            self.decide_final(at, sink);
        }
    }

    /// The first significant byte of the reply or of a JSON fence. Nothing begins with a comma but the rest of something.
    pub(super) fn begins_torn(&mut self, byte: u8, at: usize) {
        if byte == b',' {
            if self.cold.braces == 0 {
                self.cold.outermost_brace = at;
            }
            self.cold.braces = self.cold.braces.saturating_add(1);
        }
    }

    /// A comma or an opener stands behind a weak candidate on its line: both may be of a list that lost its brackets.
    fn weak_goes_on(&mut self) {
        self.cold.found.opaque |=
            self.cold.found.weak.is_some() && !self.cold.found.weak_other && !self.cold.found.weak_opaque;
    }

    /// The line of a weak candidate that waits for that ends at offset `at`.
    fn weak_line_ends<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if let Some(span) = self.cold.found.weak.take() {
            self.count_weak(span, at, sink);
        }
    }

    /// A weak candidate that stands alone on its lines counts; certain at offset `at`.
    pub(super) fn count_weak<S: Sink>(&mut self, span: Span, at: usize, sink: &mut S) {
        if self.cold.found.weak_opaque || self.cold.found.weak_other {
            if !self.cold.found.weak_opaque {
                return self.pass_other(span, sink);
            }
            self.cold.found.opaque |= !self.cold.found.weak_other;
            let _ = sink.event(Event::PassOver);
            return;
        }
        if self.cold.found.weak_member {
            return self.doom(Code::InsideBroken, span.start, at);
        }
        self.count(span, at, sink);
        self.cold.found.alone = self.cold.fence.label == Label::None;
        if self.state != State::Decided {
            self.line_ends(at, sink);
        }
    }

    // A document that must stand alone.

    /// White space in front of it; for a value also reasoning.
    #[inline(never)]
    pub(super) fn before<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            let value = self.rules.root == crate::expect::Root::Value;
            match byte {
                _ if is_space(byte) => {
                    let start = cursor.i;
                    while cursor.bytes.get(cursor.i).is_some_and(|&byte| is_space(byte)) {
                        self.cold.line.note(cursor.bytes[cursor.i]);
                        cursor.i += 1;
                    }
                    self.took_white(start, cursor, sink);
                    if self.state != State::Before {
                        return;
                    }
                    continue;
                }
                b'{' | b'[' => {
                    self.home = State::Before;
                    self.tell(cursor, cursor.at(), Piece::Prose, sink);
                    self.begin(opener(byte), cursor, sink);
                }
                b'`' | b'~'
                    if (self.cold.fence.label == Label::None && !self.cold.found.began)
                        || self.cold.fence.is_mark(byte) =>
                {
                    self.begin_run(byte, cursor, sink);
                }
                b'<' if value && self.cold.fence.label == Label::None => self.begin_tag(cursor, sink),
                b'"' | b'+' | b'-' | b'.' if value => {
                    self.begin_value(cursor, sink);
                }
                _ if value && byte.is_ascii_alphanumeric() => self.begin_value(cursor, sink),
                _ => self.doom(Code::TextAround, cursor.at(), cursor.at()),
            }
            return;
        }
    }

    fn begin_value<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.home = State::Before;
        self.tell(cursor, cursor.at(), Piece::Prose, sink);
        self.begin_scalar(cursor, sink);
    }

    /// The root of such a document closed.
    pub(super) fn close_strict<S: Sink>(&mut self, span: Span, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.state = State::After;
        if !self.rules.expects(self.candidate_kind()) {
            return self.doom(Code::WrongRoot, span.start, cursor.at().saturating_sub(1));
        }
        self.cold.found.closed = true;
        self.cold.found.closed_end = span.end;
        let place =
            if self.cold.fence.label == Label::None { crate::sink::Place::Bare } else { crate::sink::Place::Fenced };
        if let Flow::Break(code, offset) | Flow::Doom(code, offset) = sink.event(Event::Document { span, place }) {
            self.doom(code, offset, cursor.at().saturating_sub(1));
        }
    }

    /// Behind it: white space, and the end of its fence.
    #[inline(never)]
    pub(super) fn after<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            if is_space(byte) {
                let start = cursor.i;
                while cursor.bytes.get(cursor.i).is_some_and(|&byte| is_space(byte)) {
                    self.cold.line.note(cursor.bytes[cursor.i]);
                    cursor.i += 1;
                }
                self.took_white(start, cursor, sink);
                if self.state != State::After {
                    return;
                }
                continue;
            }
            if self.cold.fence.is_mark(byte) {
                return self.begin_run(byte, cursor, sink);
            }
            return self.doom(Code::TextAround, cursor.at(), cursor.at());
        }
    }

    pub(super) fn begin_run<S: Sink>(&mut self, mark: u8, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.tell(cursor, cursor.at(), Piece::Prose, sink);
        self.home = self.state;
        let glued = self.home == State::Text && matches!(self.cold.line.last(), b'"' | b'}' | b']');
        *self.cold.run = Run::begin(mark, self.cold.line.marks(), glued, cursor.at());
        self.state = State::Run;
        if matches!(self.home, State::Before | State::After) {
            self.cold.line.note(mark);
        } else {
            self.note(mark, cursor.at(), sink);
            self.look_for_debris(mark, cursor.at());
        }
        cursor.i += 1;
    }
}

fn opener(byte: u8) -> Kind {
    if byte == b'{' { Kind::Object } else { Kind::Array }
}
