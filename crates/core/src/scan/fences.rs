//! Code fences: what a run of marks does, and what stands at the beginning and the end of a fence's content.

use crate::class::{is_line_end, is_space};
use crate::expect::{Root, Take};
use crate::failure::Code;
use crate::locate::{fence, fence::Fence, fence::Label};
use crate::sink::{Event, Flow, Kind, Piece, Place, Sink};

use super::{Cold, Cursor, Scanner, State};

impl Scanner {
    /// In a run of fence marks, or behind it.
    #[inline(never)]
    pub(super) fn run<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            let Cold { run, fence, .. } = &mut *self.cold;
            match run.step(byte, fence) {
                fence::Step::More => {
                    self.cold.debris.hold(byte, cursor.at());
                    if self.rules.is_strict() && self.cold.run.has_label() {
                        // Only a JSON fence, or one without a label, may stand around.
                        return self.doom(Code::TextAround, self.cold.run.start(), cursor.at());
                    }
                    if self.rules.is_strict() && self.cold.run.is_over(byte) && self.cold.fence.label != Label::None {
                        return self.doom(Code::TextAround, cursor.at(), cursor.at());
                    }
                    // A quote in opaque text leaves nothing behind.
                    let opaque = matches!(self.cold.fence.label, Label::Plain | Label::Other);
                    self.cold.line.note(if opaque && byte == b'"' { 1 } else { byte });
                    cursor.i += 1;
                    if is_space(byte) {
                        self.took_white(cursor.i - 1, cursor, sink);
                        if self.state != State::Run {
                            return;
                        }
                    }
                }
                fence::Step::Text => return self.run_is_text(cursor, sink),
                fence::Step::Close => {
                    self.tell_as(self.cold.run.end(), Piece::Fence, "", sink);
                    return self.close_fence(cursor.at(), sink);
                }
                fence::Step::Open(label) => {
                    self.tell_as(cursor.at(), Piece::Fence, "", sink);
                    return self.open_fence(label, cursor, sink);
                }
            }
        }
    }

    fn run_is_text<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.state = self.home;
        match self.home {
            State::Lead => {
                self.cold.found.fence_text = true;
                self.lead_is_text();
            }
            State::Whole => self.spoil_whole(sink),
            State::Before | State::After => self.doom(Code::TextAround, self.cold.run.start(), cursor.at()),
            _ => {}
        }
    }

    fn open_fence<S: Sink>(&mut self, label: Label, cursor: &Cursor<'_>, sink: &mut S) {
        if self.cold.fence.label != Label::None {
            self.close_fence(cursor.at(), sink);
            if self.state == State::Decided {
                return;
            }
        }
        self.cold.debris.clear();
        self.cold.found.fence_text = false;
        self.cold.fence = self.cold.run.fence(label);
        self.state = State::Lead;
        if self.rules.is_strict() {
            let allowed = label == Label::Json || (label == Label::Plain && self.rules.root == Root::Value);
            if self.home != State::Before || !allowed {
                return self.doom(Code::TextAround, self.cold.run.start(), cursor.at());
            }
            self.cold.found.began = true;
            self.state = State::Before;
        }
    }

    /// The fence ends; certain at offset `at`.
    pub(super) fn close_fence<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if self.rules.is_strict() {
            self.cold.fence = Fence::NONE;
            self.state = State::After;
            return;
        }
        self.count_whole(at, sink);
        self.judge_fence_text();
        self.cold.fence = Fence::NONE;
        self.cold.found.in_fence = false;
        if self.state != State::Decided {
            self.state = State::Text;
        }
    }

    /// A JSON fence with something in it and no document may hold the answer, broken.
    pub(super) fn judge_fence_text(&mut self) {
        self.cold.found.opaque |=
            self.cold.found.fence_text && self.cold.fence.label == Label::Json && !self.cold.found.in_fence;
    }

    /// The document at the beginning of the fence stayed alone in it, if there is one.
    pub(super) fn count_whole<S: Sink>(&mut self, at: usize, sink: &mut S) {
        let Some(span) = self.cold.found.whole.take() else { return };
        if self.cold.found.whole_other {
            return self.pass_other(span, sink);
        }
        if self.cold.braces > 0 || self.cold.hidden > 0 {
            return self.doom(Code::InsideBroken, self.outermost(), at);
        }
        self.cold.found.closed = true;
        self.cold.found.closed_end = span.end;
        let flow = sink.event(Event::Document { span, place: Place::Fenced });
        if let Flow::Break(code, offset) | Flow::Doom(code, offset) = flow {
            self.doom(code, offset, at);
        } else if self.rules.take == Take::First {
            self.decide_final(at, sink);
        }
    }

    /// Something else follows the document at the beginning of the fence.
    pub(super) fn spoil_whole<S: Sink>(&mut self, sink: &mut S) {
        self.state = State::Code;
        if self.cold.fence.label == Label::Plain {
            self.cold.found.opaque |= !self.cold.found.whole_other;
            self.state = State::Opaque;
        }
        self.cold.found.whole.take();
        let _ = sink.event(Event::PassOver);
    }

    fn lead_is_text(&mut self) {
        self.state = match self.cold.fence.label {
            Label::Plain => State::Opaque,
            Label::Other => State::Code,
            Label::None | Label::Json => State::Text,
        };
    }

    /// At the beginning of a fence's content: white space and comments, then what decides.
    #[inline(never)]
    pub(super) fn lead<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let next = self.skip_outside(cursor, sink);
        self.cold.found.fence_text |= next.is_some();
        match next {
            None => {}
            Some(b'{' | b'[') => {
                self.home = State::Lead;
                self.tell(cursor, cursor.at(), Piece::Prose, sink);
                let kind = if cursor.bytes[cursor.i] == b'{' { Kind::Object } else { Kind::Array };
                self.begin(kind, cursor, sink);
            }
            Some(byte) => {
                if self.cold.fence.label == Label::Json {
                    self.begins_torn(byte, cursor.at());
                }
                self.lead_is_text();
            }
        }
    }

    /// Behind a document at the beginning of a fence.
    #[inline(never)]
    pub(super) fn whole<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        match self.skip_outside(cursor, sink) {
            None => {}
            Some(b'<') if !self.cold.found.whole_other => self.begin_tag(cursor, sink),
            Some(_) => self.spoil_whole(sink),
        }
    }

    /// Takes white space; begins comments and runs of marks. The byte that is neither, if one is read next.
    fn skip_outside<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) -> Option<u8> {
        let state = self.state;
        let start = cursor.i;
        while let Some(&byte) = cursor.bytes.get(cursor.i).filter(|&&byte| is_space(byte)) {
            self.cold.line.note(byte);
            cursor.i += 1;
        }
        if cursor.i > start {
            self.took_white(start, cursor, sink);
            if self.state != state {
                return None;
            }
        }
        match *cursor.bytes.get(cursor.i)? {
            b'/' => {
                self.cold.line.note(b'/');
                self.home = state;
                self.state = State::OutsideSlash;
                cursor.i += 1;
                None
            }
            mark @ (b'`' | b'~') => {
                self.begin_run(mark, cursor, sink);
                None
            }
            byte => Some(byte),
        }
    }

    /// Comments at the beginning and the end of a fence's content.
    #[inline(never)]
    pub(super) fn outside_comment<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let byte = cursor.bytes[cursor.i];
        let next = match (self.state, byte) {
            (State::OutsideSlash, b'/') => State::OutsideLine,
            (State::OutsideSlash, b'*') => State::OutsideBlock,
            (State::OutsideSlash, _) => return self.slash_is_text(sink),
            (State::OutsideLine, b'\n' | b'\r') => {
                self.state = self.home;
                return;
            }
            (State::OutsideBlock | State::OutsideStar, b'*') => State::OutsideStar,
            (State::OutsideStar, b'/') => self.home,
            (State::OutsideStar, _) => State::OutsideBlock,
            (state, _) => state,
        };
        self.state = next;
        // A comment counts as slashes: it is not looked into.
        self.cold.line.note(if is_line_end(byte) { byte } else { b'/' });
        cursor.i += 1;
    }

    /// A slash outside a document that begins no comment.
    pub(super) fn slash_is_text<S: Sink>(&mut self, sink: &mut S) {
        if self.home == State::Whole {
            self.spoil_whole(sink);
        } else {
            self.cold.found.fence_text = true;
            self.lead_is_text();
        }
    }
}
