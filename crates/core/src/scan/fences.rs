//! Code fences: what a run of marks does, and what stands at the beginning and the end of a fence's content.

use crate::class::{is_line_end, is_space};
use crate::expect::{Root, Take};
use crate::failure::Code;
use crate::locate::{debris::Debris, fence, fence::Fence, fence::Label};
use crate::sink::{Event, Flow, Kind, Piece, Place, Sink};

use super::{Cursor, Scanner, State};

impl Scanner {
    /// In a run of fence marks, or behind it.
    #[inline(never)]
    pub(super) fn run<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        while let Some(&byte) = cursor.bytes.get(cursor.i) {
            match self.run.step(byte, &self.fence) {
                fence::Step::More => {
                    self.debris.hold(byte, cursor.at());
                    if self.rules.is_strict() && self.run.has_label() {
                        // Only a JSON fence, or one without a label, may stand around.
                        return self.doom(Code::TextAround, self.run.start(), cursor.at());
                    }
                    if self.rules.is_strict() && self.run.is_over(byte) && self.fence.label != Label::None {
                        return self.doom(Code::TextAround, cursor.at(), cursor.at());
                    }
                    // A quote in opaque text leaves nothing behind.
                    let opaque = matches!(self.fence.label, Label::Plain | Label::Other);
                    self.line.note(if opaque && byte == b'"' { 1 } else { byte });
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
                    self.tell_as(self.run.end(), Piece::Fence, "", sink);
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
                self.found.fence_text = true;
                self.lead_is_text();
            }
            State::Whole => self.spoil_whole(sink),
            State::Before | State::After => self.doom(Code::TextAround, self.run.start(), cursor.at()),
            _ => {}
        }
    }

    fn open_fence<S: Sink>(&mut self, label: Label, cursor: &Cursor<'_>, sink: &mut S) {
        if self.fence.label != Label::None {
            self.close_fence(cursor.at(), sink);
            if self.state == State::Decided {
                return;
            }
        }
        self.debris = Debris::default();
        self.found.fence_text = false;
        self.fence = self.run.fence(label);
        self.state = State::Lead;
        if self.rules.is_strict() {
            let allowed = label == Label::Json || (label == Label::Plain && self.rules.root == Root::Value);
            if self.home != State::Before || !allowed {
                return self.doom(Code::TextAround, self.run.start(), cursor.at());
            }
            self.found.began = true;
            self.state = State::Before;
        }
    }

    /// The fence ends; certain at offset `at`.
    pub(super) fn close_fence<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if self.rules.is_strict() {
            self.fence = Fence::default();
            self.state = State::After;
            return;
        }
        self.count_whole(at, sink);
        self.judge_fence_text();
        self.fence = Fence::default();
        self.found.in_fence = false;
        if self.state != State::Decided {
            self.state = State::Text;
        }
    }

    /// A JSON fence with something in it and no document may hold the answer, broken.
    pub(super) fn judge_fence_text(&mut self) {
        self.found.opaque |= self.found.fence_text && self.fence.label == Label::Json && !self.found.in_fence;
    }

    /// The document at the beginning of the fence stayed alone in it, if there is one.
    pub(super) fn count_whole<S: Sink>(&mut self, at: usize, sink: &mut S) {
        let Some(span) = self.found.whole.take() else { return };
        if self.found.whole_other {
            return self.pass_other(span, sink);
        }
        if self.braces > 0 || self.hidden > 0 {
            return self.doom(Code::InsideBroken, self.outermost(), at);
        }
        self.found.closed = true;
        self.found.closed_end = span.end;
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
        if self.fence.label == Label::Plain {
            self.found.opaque |= !self.found.whole_other;
            self.state = State::Opaque;
        }
        self.found.whole = None;
        let _ = sink.event(Event::PassOver);
    }

    fn lead_is_text(&mut self) {
        self.state = match self.fence.label {
            Label::Plain => State::Opaque,
            Label::Other => State::Code,
            Label::None | Label::Json => State::Text,
        };
    }

    /// At the beginning of a fence's content: white space and comments, then what decides.
    #[inline(never)]
    pub(super) fn lead<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let next = self.skip_outside(cursor, sink);
        self.found.fence_text |= next.is_some();
        match next {
            None => {}
            Some(b'{' | b'[') => {
                self.home = State::Lead;
                self.tell(cursor, cursor.at(), Piece::Prose, sink);
                let kind = if cursor.bytes[cursor.i] == b'{' { Kind::Object } else { Kind::Array };
                self.begin(kind, cursor, sink);
            }
            Some(byte) => {
                if self.fence.label == Label::Json {
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
            Some(b'<') if !self.found.whole_other => self.begin_tag(cursor, sink),
            Some(_) => self.spoil_whole(sink),
        }
    }

    /// Takes white space; begins comments and runs of marks. The byte that is neither, if one is read next.
    fn skip_outside<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) -> Option<u8> {
        let state = self.state;
        let start = cursor.i;
        while let Some(&byte) = cursor.bytes.get(cursor.i).filter(|&&byte| is_space(byte)) {
            self.line.note(byte);
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
                self.line.note(b'/');
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
        self.line.note(if is_line_end(byte) { byte } else { b'/' });
        cursor.i += 1;
    }

    /// A slash outside a document that begins no comment.
    pub(super) fn slash_is_text<S: Sink>(&mut self, sink: &mut S) {
        if self.home == State::Whole {
            self.spoil_whole(sink);
        } else {
            self.found.fence_text = true;
            self.lead_is_text();
        }
    }
}
