//! From an opener in text to its root's closer: a candidate becomes a promise, closes, or breaks.

use alloc::boxed::Box;

use crate::expect::Root;
use crate::failure::{Code, FailureKind};
use crate::locate::{behind::Behind, debris::Debris, fence::Label, line::Marks};
use crate::repair::RepairKind;
use crate::sink::{Edit, Event, Flow, Kind, Part, Piece, Place, Sink};
use crate::span::Span;

use super::state::{Back, Candidate, Front};
use super::{Cursor, Doom, Openers, Scanner, State};

impl Scanner {
    /// An opener in text: begins a candidate with it.
    pub(super) fn begin<S: Sink>(&mut self, kind: Kind, cursor: &mut Cursor<'_>, sink: &mut S) {
        let lead = self.home == State::Lead;
        let forced = self.rules.is_strict() || (lead && self.fence.label == Label::Json);
        if lead {
            self.home = match self.fence.label {
                Label::Plain => State::Opaque,
                Label::Other => State::Code,
                Label::None | Label::Json => State::Text,
            };
        }
        self.start_candidate(kind, lead, forced, cursor);
        let flow = sink.event(Event::Begin { kind, at: cursor.at() });
        if flow != Flow::Continue {
            self.frames.push(kind);
            return self.refuse_opener(flow, cursor, sink);
        }
        if !self.candidate.counts {
            let _ = sink.event(Event::Discount);
        }
        if self.candidate.promise || self.candidate.first {
            self.preview(sink);
        }
        self.promise(cursor.at(), sink);
        self.open_frame(kind, cursor, sink);
    }

    /// A value that is no container, where one may be the whole reply.
    pub(super) fn begin_scalar<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.start_candidate(Kind::Object, true, true, cursor);
        self.candidate.is_scalar = true;
        self.state = State::Value;
        self.emit(sink.event(Event::Begin { kind: Kind::Object, at: cursor.at() }), cursor, sink);
        if self.in_candidate() {
            self.preview(sink);
            self.promise(cursor.at(), sink);
        }
    }

    /// Tells that a refusal would end the reply, if it would; certain at offset `at`.
    fn promise<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if self.is_bound() {
            if let Flow::Break(code, offset) | Flow::Doom(code, offset) = sink.event(Event::Promise) {
                self.doom(code, offset, at);
            }
        }
    }

    /// The candidate is the document if it goes on as it began, unless it is a part of something.
    fn preview<S: Sink>(&mut self, sink: &mut S) {
        let Candidate { counts, kind, member, promise, is_scalar, .. } = self.candidate;
        let inside = member || self.braces > 0 || self.hidden > 0;
        if counts && !inside && (is_scalar || self.rules.expects(kind)) {
            let place = if self.fence.label == Label::None { Place::Bare } else { Place::Fenced };
            // In another fence it may be code after all.
            let certain = promise && matches!(self.fence.label, Label::None | Label::Json);
            let _ = sink.event(Event::Preview { place, certain });
        }
    }

    /// What the opener at an offset stands behind.
    fn front(&mut self, at: usize) -> Front {
        if core::mem::take(&mut self.found.beside) {
            return Front::Beside;
        }
        match self.found.nested {
            Some((nested, lost)) if nested == at => Front::Nested(lost),
            _ => Front::Other,
        }
    }

    fn start_candidate(&mut self, kind: Kind, lead: bool, forced: bool, cursor: &mut Cursor<'_>) {
        cursor.from = cursor.i;
        let opaque = self.home == State::Opaque && !lead;
        let passed = self.line.behind_call() && !self.rules.is_strict() && !opaque;
        self.candidate = Candidate {
            start: cursor.at(),
            brace: cursor.at(),
            bracket: cursor.at(),
            kind,
            promise: forced,
            deciding: !forced,
            counts: (self.rules.expects(kind) || self.rules.is_strict()) && !passed && !opaque,
            passed,
            first: lead || !self.found.began,
            key_lines: forced || !self.found.began,
            member: self.line.behind_member(),
            in_debris: self.is_debris_counted() && self.debris.is_in_string(),
            announced: self.line.behind_colon,
            odd: self.line.odd,
            blank: self.line.blank,
            tick: self.line.last() == b'`',
            front: self.front(cursor.at()),
            back: Back::Value,
            string_seen: false,
            is_scalar: false,
        };
        if !self.candidate.in_debris {
            self.debris = Debris::default();
        }
        self.found.began = true;
        self.found.alone = false;
        self.fresh = false;
        self.comment_seen = false;
        self.line_seen = false;
        self.odd = self.line.odd;
        self.comma = None;
    }

    /// Opens a frame at the byte that is read next, an opener.
    #[inline]
    pub(super) fn open_frame<S: Sink>(&mut self, kind: Kind, cursor: &mut Cursor<'_>, sink: &mut S) {
        let at = cursor.at();
        if self.frames.depth() >= self.rules.nesting {
            self.doom(Code::TooDeep, at, at);
            return;
        }
        self.note_outermost(kind, at);
        self.frames.push(kind);
        self.fresh = false;
        self.state = match kind {
            Kind::Object => State::FirstKey,
            Kind::Array => State::FirstElement,
        };
        let flow = sink.event(Event::Open { kind, at });
        if flow == Flow::Continue {
            cursor.i += 1;
        } else if at == self.candidate.start {
            self.refuse_opener(flow, cursor, sink);
        } else {
            self.emit(flow, cursor, sink);
        }
    }

    /// The sink refuses the opener of a root, the byte that is read next. Where that does not end the reply, the opener was text, and
    /// what goes on is behind it: in front of it, it would begin a candidate again.
    #[cold]
    fn refuse_opener<S: Sink>(&mut self, flow: Flow, cursor: &mut Cursor<'_>, sink: &mut S) {
        match flow {
            Flow::Break(code, offset) if !self.ends_reply(code) => {
                let at = cursor.at();
                cursor.i += 1;
                self.abandon(code, offset, at, cursor, sink);
            }
            _ => self.emit(flow, cursor, sink),
        }
    }

    /// Keeps the places of the outermost open frames of each kind: marks, should the candidate break.
    #[inline]
    fn note_outermost(&mut self, kind: Kind, at: usize) {
        let (objects, arrays) = self.frames.counts();
        match kind {
            Kind::Object if objects == 0 => self.candidate.brace = at,
            Kind::Array if arrays == 0 => self.candidate.bracket = at,
            _ => {}
        }
    }

    /// Where the outermost mark stands that hides what is inside it.
    pub(super) fn outermost(&self) -> usize {
        match (self.braces, self.hidden) {
            (0, _) => self.outermost_hidden,
            (_, 0) => self.outermost_brace,
            _ => self.outermost_brace.min(self.outermost_hidden),
        }
    }

    /// Closes the innermost frame at the byte that is read next, a closer of any kind.
    pub(super) fn close_frame<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let at = cursor.at();
        let Some(kind) = self.frames.top() else { return self.broken(Code::ExpectedValue, at, cursor, sink) };
        let right = kind.closer();
        let wrong = cursor.bytes[cursor.i] != right.as_bytes()[0];
        let debris = self.is_debris_counted() && self.home == State::Text;
        if wrong && !self.candidate.promise && !self.candidate.first && debris {
            // Behind a document, what never was a promise is not repaired: its closer may be the document's.
            return self.broken(self.expected(), at, cursor, sink);
        }
        self.candidate.back = match (self.comma, self.state) {
            (Some(_), _) => Back::Comma,
            (None, State::Next) => Back::Value,
            (None, _) => Back::Opener,
        };
        if let Some(comma) = self.comma {
            if !self.rules.allows(RepairKind::TrailingComma) {
                return self.broken(self.expected(), at, cursor, sink);
            }
            self.comma = None;
            if S::BYTES {
                sink.bytes(Piece::Dropped, Span::new(comma, comma + 1), "");
            }
            self.edit(RepairKind::TrailingComma, Span::new(comma, comma + 1), Part::First, cursor, sink);
        }
        if wrong && self.in_candidate() && !self.rules.allows(RepairKind::BracketKind) {
            return self.broken(self.expected(), at, cursor, sink);
        }
        if wrong && self.in_candidate() {
            self.tell(cursor, at, Piece::Kept, sink);
            self.tell_as(at + 1, Piece::Replaced, right, sink);
            self.edit(RepairKind::BracketKind, Span::new(at, at + 1), Part::First, cursor, sink);
        }
        if !self.in_candidate() {
            return;
        }
        self.fresh = false;
        self.last_string = false;
        self.candidate.deciding = false;
        self.frames.pop();
        self.state = State::Next;
        let flow = sink.event(Event::Close { kind, at });
        if flow != Flow::Continue {
            // The frame is closed, but a refusal is told at its closer.
            return self.emit(flow, cursor, sink);
        }
        cursor.i += 1;
        if self.frames.depth() == 0 {
            self.close_root(at + 1, cursor, sink);
        }
    }

    /// Whether the candidate still stands: a sink's answer may have ended it.
    pub(super) fn in_candidate(&self) -> bool {
        self.state != State::Decided && (self.frames.depth() > 0 || self.candidate.is_scalar)
    }

    /// Acts on a sink's answer.
    #[inline]
    pub(super) fn emit<S: Sink>(&mut self, flow: Flow, cursor: &mut Cursor<'_>, sink: &mut S) {
        match flow {
            Flow::Continue => {}
            Flow::Break(code, offset) => self.broken(code, offset, cursor, sink),
            Flow::Doom(code, offset) => {
                let decided_at = cursor.at().min(cursor.base + cursor.bytes.len().saturating_sub(1));
                self.doom(code, offset, decided_at);
            }
        }
    }

    /// Records an edit.
    pub(super) fn edit<S: Sink>(
        &mut self,
        kind: RepairKind,
        span: Span,
        part: Part,
        cursor: &mut Cursor<'_>,
        sink: &mut S,
    ) {
        if part == Part::First {
            if self.repairs >= self.rules.repair_count {
                self.doom(Code::TooManyRepairs, span.start, cursor.at());
                return;
            }
            self.repairs += 1;
        }
        let flow = sink.event(Event::Edit(Edit { span, kind, part }));
        self.emit(flow, cursor, sink);
    }

    /// The candidate is a promise from here on.
    ///
    /// A promise that broke the candidate before it, at its first character or where a comma is missing, makes that one a broken
    /// promise: `{{"a": 1}}`, `[1 {"a": 1}]`.
    pub(super) fn become_promise<S: Sink>(&mut self, at: usize, sink: &mut S) {
        self.candidate.promise = true;
        self.candidate.deciding = false;
        if let (Front::Nested(lost), true) = (self.candidate.front, self.candidate.counts) {
            let code = if lost { Code::ExpectedCommaOrCloser } else { Code::ExpectedKey };
            return self.doom(code, self.candidate.start, at);
        }
        let opaque = self.home == State::Opaque && !self.candidate.first;
        if opaque && !self.candidate.passed && self.rules.expects(self.candidate.kind) {
            self.found.opaque = true;
        }
        if !self.candidate.first {
            self.preview(sink);
        }
        self.promise(at, sink);
    }

    /// Something that is no comma and no closer follows the first key: only a member can have been meant.
    pub(super) fn decide_key<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if self.candidate.deciding && self.state == State::Colon {
            self.become_promise(at, sink);
        }
    }

    /// The first string opened with `\"`: behind an odd number of quotes it is text in quotes.
    pub(super) fn first_string<S: Sink>(&mut self, escaped: bool, sink: &mut S) {
        self.candidate.string_seen = true;
        let opaque = self.home == State::Opaque && !self.candidate.first;
        if escaped && self.candidate.odd && !self.rules.is_strict() && !opaque {
            self.candidate.passed = true;
            self.candidate.counts = false;
            let _ = sink.event(Event::Discount);
        }
    }

    /// The grammar, or a sink, refuses the candidate at the byte that is read next.
    #[cold]
    #[inline(never)]
    pub(super) fn broken<S: Sink>(&mut self, code: Code, offset: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let decided_at = cursor.at().min(cursor.base + cursor.bytes.len().saturating_sub(1));
        let at_opener = self.frames.depth() == 1 && matches!(self.state, State::FirstKey | State::FirstElement);
        if at_opener && cursor.bytes.get(cursor.i) == Some(&b',') {
            self.candidate.back = Back::Comma;
            // Nothing but JSON begins like this.
            self.candidate.promise |= self.candidate.first;
        } else {
            self.candidate.back = Back::Value;
        }
        if self.ends_reply(code) {
            return self.doom(code, offset, decided_at);
        }
        self.abandon(code, offset, decided_at, cursor, sink);
    }

    /// Whether a candidate that breaks with `code` is the end of the reply, and not text.
    fn ends_reply(&self, code: Code) -> bool {
        self.is_bound() || code.kind() == FailureKind::Limit
    }

    /// Whether nothing but the document can have been meant.
    fn is_bound(&self) -> bool {
        let code_fence = self.home == State::Code;
        let promised = self.candidate.promise && self.candidate.counts && !code_fence;
        promised || self.rules.is_strict()
    }

    /// The candidate was text. Goes on with the byte that is read next.
    #[cold]
    #[inline(never)]
    fn abandon<S: Sink>(
        &mut self,
        code: Code,
        offset: usize,
        decided_at: usize,
        cursor: &mut Cursor<'_>,
        sink: &mut S,
    ) {
        let candidate = self.candidate;
        let one_mark = self.frames.depth() == 1 && cursor.at() == candidate.start + 1;
        let quoted = candidate.tick && one_mark && cursor.bytes.get(cursor.i) == Some(&b'`');
        let (objects, arrays) = self.frames.counts();
        let alone = self.state == State::FirstKey && self.frames.depth() == 1 && candidate.counts;
        // Or where a comma is missing in what may be a list; behind an escaped quote it may be missing too.
        let quote = code == Code::EscapedQuoteTwoReadings;
        let lost = (self.state == State::Next || quote) && !candidate.promise && !candidate.passed;
        let directly = (offset == cursor.at() || quote) && self.home == State::Text;
        self.found.nested = (directly && (alone || lost)).then_some((cursor.at(), lost));
        let behind_string = self.state == State::Colon || (self.state == State::Next && self.last_string);
        let behind_noise = self.noise == self.token;
        let fresh = self.fresh && !self.comment_seen;
        // A number at the beginning of a line may be a list mark.
        let marks = match self.state {
            _ if fresh => Marks::Yes,
            State::Minus | State::Point if self.number_fresh => Marks::Yes,
            State::Zero | State::Integer | State::Fraction if self.number_fresh => Marks::Digits,
            _ => Marks::No,
        };
        if let (true, Some(comma)) = (S::BYTES, self.comma) {
            // A comma that was held is text like the rest.
            sink.bytes(Piece::Prose, Span::new(comma, comma + 1), "");
        }
        let _ = sink.event(Event::Abandon);
        self.debris_absorbs(&cursor.bytes[cursor.from..cursor.i]);
        // Of opaque text only the lines count.
        let odd = if self.home == State::Text { self.odd } else { candidate.odd && !self.line_seen };
        self.leave(cursor, marks, odd, behind_string && !behind_noise);
        self.line.blank = fresh;
        let begins_plain = self.home == State::Opaque && candidate.first && candidate.promise;
        if (self.home == State::Text && !quoted) || begins_plain {
            let torn = candidate.promise && self.is_debris_counted() || candidate.is_torn();
            if torn && !candidate.passed && !begins_plain {
                return self.doom(Code::ClosedTooEarly, candidate.start, decided_at);
            }
            if self.braces == 0 {
                self.outermost_brace = candidate.brace;
            }
            if candidate.promise || self.hidden > 0 {
                if self.hidden == 0 {
                    self.outermost_hidden = candidate.bracket;
                }
                self.hidden = self.hidden.saturating_add(arrays);
            }
            self.braces = self.braces.saturating_add(objects);
            self.brackets = self.brackets.saturating_add(arrays);
            self.behind_bare.add(objects, arrays);
            self.behind_fenced.add(objects, arrays);
        }
        if self.home == State::Opaque && candidate.first && candidate.counts && !quoted {
            // It looked like a document.
            self.found.opaque = true;
        }
        if candidate.first && !candidate.passed && self.found.first_break.is_none() && self.home == State::Text {
            self.found.first_break = Some(Box::new(Doom { code, offset, decided_at }));
        }
        if let (true, Some(comma)) = (candidate.in_debris, self.debris.absorbed()) {
            return self.doom(Code::ClosedTooEarly, comma, decided_at);
        }
        self.state = self.home;
    }

    /// More of a candidate, which may stand in the key of debris.
    #[inline]
    pub(super) fn debris_absorbs(&mut self, bytes: &[u8]) {
        if self.candidate.in_debris {
            self.debris.absorb(bytes);
        }
    }

    /// Takes the context back from the candidate.
    fn leave(&mut self, cursor: &mut Cursor<'_>, marks: Marks, odd: bool, behind_string: bool) {
        self.line.absorb(&cursor.bytes[cursor.from..cursor.i]);
        let behind_string = behind_string && !matches!(self.line.last(), b'/' | b'\\');
        self.line.resume(marks, odd, behind_string);
        self.frames.clear();
        self.candidate.is_scalar = false;
        self.comma = None;
    }

    /// The root has closed before offset `end`; the byte that is read next is behind it.
    pub(super) fn close_root<S: Sink>(&mut self, end: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let candidate = self.candidate;
        let span = Span::new(candidate.start, end);
        let odd = candidate.odd && !self.line_seen;
        self.debris = Debris::default();
        self.tell(cursor, span.end, Piece::Kept, sink);
        self.leave(cursor, Marks::No, odd, false);
        self.state = self.home;
        if self.rules.is_strict() {
            return self.close_strict(span, cursor, sink);
        }
        if candidate.passed {
            let _ = sink.event(Event::PassOver);
            return;
        }
        let other = !self.rules.expects(candidate.kind);
        if candidate.is_torn() && self.home == State::Text && (other || !candidate.promise) {
            return self.doom(Code::ClosedTooEarly, span.start, cursor.at() - 1);
        }
        if candidate.front == Front::Beside && self.home == State::Text {
            // It may be more of what the root was torn from; whether it counts changes that.
            self.behind = Behind::beside();
            self.state = State::Behind;
        }
        if self.home != State::Text && candidate.first {
            self.found.whole = Some(span);
            self.found.whole_other = other;
            self.state = State::Whole;
            return;
        }
        if !candidate.promise && !candidate.first {
            if candidate.blank && self.braces == 0 && self.brackets == 0 {
                self.found.weak = Some(span);
                self.found.weak_other = other;
                self.found.weak_member = candidate.member;
                self.found.weak_opaque = self.home == State::Opaque;
            } else {
                // `Result: {}` may be the answer, though a sentence goes on behind it.
                let kind = candidate.kind == Kind::Object || self.rules.root == Root::Array;
                self.found.opaque |= self.home == State::Text && candidate.announced && kind && !other;
                let _ = sink.event(Event::PassOver);
            }
            return;
        }
        if self.home == State::Opaque {
            let _ = sink.event(Event::PassOver);
            return;
        }
        if other {
            return self.pass_other(span, sink);
        }
        if candidate.member {
            return self.doom(Code::InsideBroken, span.start, cursor.at() - 1);
        }
        self.found.alone = candidate.blank;
        self.count(span, cursor.at().saturating_sub(1), sink);
    }

    /// A whole document of the other kind: it is the failure if nothing else is found.
    pub(super) fn pass_other<S: Sink>(&mut self, span: Span, sink: &mut S) {
        self.found.fence_text = false;
        let first = self.found.other_kind.is_none();
        self.found.other_kind.get_or_insert(span.start);
        let _ = sink.event(if first { Event::OtherKind { span } } else { Event::PassOver });
    }

    /// A document counts; certain at offset `at`.
    pub(super) fn count<S: Sink>(&mut self, span: Span, at: usize, sink: &mut S) {
        let fenced = self.fence.label != Label::None;
        self.found.closed = true;
        self.found.closed_end = span.end;
        if fenced {
            self.found.in_fence = true;
            self.found.alone = false;
            self.behind_fenced = Openers::default();
        } else {
            self.found.bare = true;
            self.behind_bare = Openers::default();
        }
        // One that counts later stands alone on its line.
        self.behind = Behind::root(self.candidate.back != Back::Value && span.end == at + 1);
        self.home = State::Text;
        self.state = State::Behind;
        let place = if fenced { Place::Fenced } else { Place::Bare };
        if let Flow::Break(code, offset) | Flow::Doom(code, offset) = sink.event(Event::Document { span, place }) {
            self.doom(code, offset, at);
        }
    }

    /// The kind of the root that is open, or was last.
    pub(super) fn candidate_kind(&self) -> Kind {
        self.candidate.kind
    }

    /// Whether debris counts where the machine is.
    pub(super) fn is_debris_counted(&self) -> bool {
        self.found.bare || self.found.in_fence
    }

    /// What would have been right here.
    pub(super) fn expected(&self) -> Code {
        match self.state {
            State::FirstKey | State::NextKey => Code::ExpectedKey,
            State::Colon => Code::ExpectedColon,
            State::Next => Code::ExpectedCommaOrCloser,
            _ => Code::ExpectedValue,
        }
    }
}
