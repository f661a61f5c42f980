//! From an opener in text to its root's closer: a candidate becomes a promise, closes, or breaks.

use alloc::boxed::Box;

use crate::expect::Root;
use crate::failure::{Code, FailureKind};
use crate::locate::{behind::Behind, fence::Label, line::Marks, line::absorb};
use crate::repair::RepairKind;
use crate::sink::{Edit, Event, Flow, Kind, Part, Piece, Place, Sink};
use crate::span::{MaybeOffset, Span};

use super::state::{Back, Candidate, Front};
use super::{Cursor, Doom, Flags, Openers, Scanner, State};

impl Scanner {
    /// An opener in text: begins a candidate with it.
    pub(super) fn begin<S: Sink>(&mut self, kind: Kind, cursor: &mut Cursor<'_>, sink: &mut S) {
        let lead = self.home == State::Lead;
        let forced = self.rules.is_strict() || (lead && self.cold.fence.label == Label::Json);
        if lead {
            self.home = match self.cold.fence.label {
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
        if !self.cold.candidate.counts {
            let _ = sink.event(Event::Discount);
        }
        if self.cold.candidate.promise || self.cold.candidate.first {
            self.preview(sink);
        }
        self.promise(cursor.at(), sink);
        if self.state == State::Decided {
            return;
        }
        self.open_frame(kind, cursor, sink);
    }

    /// A value that is no container, where one may be the whole reply.
    pub(super) fn begin_scalar<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        self.start_candidate(Kind::Object, true, true, cursor);
        self.cold.candidate.is_scalar = true;
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
        let Candidate { counts, kind, member, promise, is_scalar, .. } = self.cold.candidate;
        let inside = member || self.cold.braces > 0 || self.cold.hidden > 0;
        if counts && !inside && (is_scalar || self.rules.expects(kind)) {
            let place = if self.cold.fence.label == Label::None { Place::Bare } else { Place::Fenced };
            // In another fence it may be code after all.
            let certain = promise && matches!(self.cold.fence.label, Label::None | Label::Json);
            let _ = sink.event(Event::Preview { place, certain });
        }
    }

    /// What the opener at an offset stands behind.
    fn front(&mut self, at: usize) -> Front {
        if core::mem::take(&mut self.cold.found.beside) {
            return Front::Beside;
        }
        match self.cold.found.nested {
            Some((nested, lost)) if nested == at => Front::Nested(lost),
            _ => Front::Other,
        }
    }

    fn start_candidate(&mut self, kind: Kind, lead: bool, forced: bool, cursor: &mut Cursor<'_>) {
        cursor.from = cursor.i;
        self.recent = self.cold.line.recent;
        let opaque = self.home == State::Opaque && !lead;
        let passed = self.cold.line.behind_call() && !self.rules.is_strict() && !opaque;
        self.cold.candidate = Candidate {
            start: cursor.at(),
            brace: cursor.at(),
            bracket: cursor.at(),
            kind,
            promise: forced,
            counts: (self.rules.expects(kind) || self.rules.is_strict()) && !passed && !opaque,
            passed,
            first: lead || !self.cold.found.began,
            key_lines: forced || !self.cold.found.began,
            member: self.cold.line.behind_member(),
            in_debris: self.is_debris_counted() && self.cold.debris.is_in_string(),
            announced: self.cold.line.behind_colon,
            odd: self.cold.line.odd,
            blank: self.cold.line.blank,
            tick: self.cold.line.last() == b'`',
            front: self.front(cursor.at()),
            back: Back::Value,
            is_scalar: false,
        };
        if !self.cold.candidate.in_debris {
            self.cold.debris.clear();
        }
        self.cold.found.began = true;
        self.cold.found.alone = false;
        self.flags.set(Flags::IN_DEBRIS, self.cold.candidate.in_debris);
        self.flags.set(Flags::DECIDING, !forced);
        self.flags.set(Flags::STRING_SEEN.with(Flags::FRESH).with(Flags::COMMENT_SEEN).with(Flags::LINE_SEEN), false);
        self.flags.set(Flags::ODD, self.cold.line.odd);
        self.comma = MaybeOffset::NONE;
    }

    /// Opens a frame at the byte that is read next, an opener.
    #[inline]
    pub(super) fn open_frame<S: Sink>(&mut self, kind: Kind, cursor: &mut Cursor<'_>, sink: &mut S) {
        let at = cursor.at();
        if self.frames.depth() >= self.nesting {
            self.doom(Code::TooDeep, at, at);
            return;
        }
        self.note_outermost(kind, at);
        self.frames.push(kind);
        self.flags.set(Flags::FRESH, false);
        self.state = match kind {
            Kind::Object => State::FirstKey,
            Kind::Array => State::FirstElement,
        };
        let flow = sink.event(Event::Open { kind, at });
        if flow == Flow::Continue {
            cursor.i += 1;
        } else if at == self.cold.candidate.start {
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
    #[inline(always)]
    pub(super) fn note_outermost(&mut self, kind: Kind, at: usize) {
        let (objects, arrays) = self.frames.counts();
        if (if kind == Kind::Object { objects } else { arrays }) == 0 {
            self.keep_outermost(kind, at);
        }
    }

    #[cold]
    #[inline(never)]
    fn keep_outermost(&mut self, kind: Kind, at: usize) {
        match kind {
            Kind::Object => self.cold.candidate.brace = at,
            Kind::Array => self.cold.candidate.bracket = at,
        }
    }

    /// Where the outermost mark stands that hides what is inside it.
    pub(super) fn outermost(&self) -> usize {
        match (self.cold.braces, self.cold.hidden) {
            (0, _) => self.cold.outermost_hidden,
            (_, 0) => self.cold.outermost_brace,
            _ => self.cold.outermost_brace.min(self.cold.outermost_hidden),
        }
    }

    /// Closes the innermost frame at the byte that is read next, a closer of any kind.
    pub(super) fn close_frame<S: Sink>(&mut self, cursor: &mut Cursor<'_>, sink: &mut S) {
        let at = cursor.at();
        let Some(kind) = self.frames.top() else { return self.broken(Code::ExpectedValue, at, cursor, sink) };
        let right = kind.closer();
        let wrong = cursor.bytes[cursor.i] != right.as_bytes()[0];
        let debris = self.is_debris_counted() && self.home == State::Text;
        if wrong && !self.cold.candidate.promise && !self.cold.candidate.first && debris {
            // Behind a document, what never was a promise is not repaired: its closer may be the document's.
            return self.broken(self.expected(), at, cursor, sink);
        }
        self.cold.candidate.back = match (self.comma.get(), self.state) {
            (Some(_), _) => Back::Comma,
            (None, State::Next) => Back::Value,
            (None, _) => Back::Opener,
        };
        if let Some(comma) = self.comma.get() {
            if !self.rules.allows(RepairKind::TrailingComma) {
                return self.broken(self.expected(), at, cursor, sink);
            }
            self.comma = MaybeOffset::NONE;
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
        self.flags.set(Flags::FRESH.with(Flags::LAST_STRING).with(Flags::DECIDING), false);
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
        self.state != State::Decided && (self.frames.depth() > 0 || self.cold.candidate.is_scalar)
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
            if self.cold.repairs >= self.rules.repair_count {
                self.doom(Code::TooManyRepairs, span.start, cursor.at());
                return;
            }
            self.cold.repairs += 1;
        }
        let flow = sink.event(Event::Edit(Edit { span, kind, part }));
        self.emit(flow, cursor, sink);
    }

    /// The candidate is a promise from here on.
    ///
    /// A promise that broke the candidate before it, at its first character or where a comma is missing, makes that one a broken
    /// promise: `{{"a": 1}}`, `[1 {"a": 1}]`.
    pub(super) fn become_promise<S: Sink>(&mut self, at: usize, sink: &mut S) {
        self.cold.candidate.promise = true;
        self.flags.set(Flags::DECIDING, false);
        if let (Front::Nested(lost), true) = (self.cold.candidate.front, self.cold.candidate.counts) {
            let code = if lost { Code::ExpectedCommaOrCloser } else { Code::ExpectedKey };
            return self.doom(code, self.cold.candidate.start, at);
        }
        let opaque = self.home == State::Opaque && !self.cold.candidate.first;
        if opaque && !self.cold.candidate.passed && self.rules.expects(self.cold.candidate.kind) {
            self.cold.found.opaque = true;
        }
        if !self.cold.candidate.first {
            self.preview(sink);
        }
        self.promise(at, sink);
    }

    /// Something that is no comma and no closer follows the first key: only a member can have been meant.
    pub(super) fn decide_key<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if self.flags.has(Flags::DECIDING) && self.state == State::Colon {
            self.become_promise(at, sink);
        }
    }

    /// The first string opened with `\"`: behind an odd number of quotes it is text in quotes.
    pub(super) fn first_string<S: Sink>(&mut self, escaped: bool, sink: &mut S) {
        self.flags.set(Flags::STRING_SEEN, true);
        let opaque = self.home == State::Opaque && !self.cold.candidate.first;
        if escaped && self.cold.candidate.odd && !self.rules.is_strict() && !opaque {
            self.cold.candidate.passed = true;
            self.cold.candidate.counts = false;
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
            self.cold.candidate.back = Back::Comma;
            // Nothing but JSON begins like this.
            self.cold.candidate.promise |= self.cold.candidate.first;
        } else {
            self.cold.candidate.back = Back::Value;
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
        let promised = self.cold.candidate.promise && self.cold.candidate.counts && !code_fence;
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
        let candidate = self.cold.candidate;
        let one_mark = self.frames.depth() == 1 && cursor.at() == candidate.start + 1;
        let quoted = candidate.tick && one_mark && cursor.bytes.get(cursor.i) == Some(&b'`');
        let (objects, arrays) = self.frames.counts();
        let alone = self.state == State::FirstKey && self.frames.depth() == 1 && candidate.counts;
        // Or where a comma is missing in what may be a list; behind an escaped quote it may be missing too.
        let quote = code == Code::EscapedQuoteTwoReadings;
        let lost = (self.state == State::Next || quote) && !candidate.promise && !candidate.passed;
        let directly = (offset == cursor.at() || quote) && self.home == State::Text;
        self.cold.found.nested = (directly && (alone || lost)).then_some((cursor.at(), lost));
        let behind_string =
            self.state == State::Colon || (self.state == State::Next && self.flags.has(Flags::LAST_STRING));
        let behind_noise = self.cold.noise == self.token;
        let fresh = self.flags.has(Flags::FRESH) && !self.flags.has(Flags::COMMENT_SEEN);
        // A number at the beginning of a line may be a list mark.
        let marks = match self.state {
            _ if fresh => Marks::Yes,
            State::Minus | State::Point if self.flags.has(Flags::NUMBER_FRESH) => Marks::Yes,
            State::Zero | State::Integer | State::Fraction if self.flags.has(Flags::NUMBER_FRESH) => Marks::Digits,
            _ => Marks::No,
        };
        if let (true, Some(comma)) = (S::BYTES, self.comma.get()) {
            // A comma that was held is text like the rest.
            sink.bytes(Piece::Prose, Span::new(comma, comma + 1), "");
        }
        let _ = sink.event(Event::Abandon);
        self.debris_absorbs(&cursor.bytes[cursor.from..cursor.i]);
        // Of opaque text only the lines count.
        let odd = if self.home == State::Text {
            self.flags.has(Flags::ODD)
        } else {
            candidate.odd && !self.flags.has(Flags::LINE_SEEN)
        };
        self.leave(cursor, marks, odd, behind_string && !behind_noise);
        self.cold.line.blank = fresh;
        let begins_plain = self.home == State::Opaque && candidate.first && candidate.promise;
        if (self.home == State::Text && !quoted) || begins_plain {
            let torn = candidate.promise && self.is_debris_counted() || candidate.is_torn();
            if torn && !candidate.passed && !begins_plain {
                return self.doom(Code::ClosedTooEarly, candidate.start, decided_at);
            }
            if self.cold.braces == 0 {
                self.cold.outermost_brace = candidate.brace;
            }
            if candidate.promise || self.cold.hidden > 0 {
                if self.cold.hidden == 0 {
                    self.cold.outermost_hidden = candidate.bracket;
                }
                self.cold.hidden = self.cold.hidden.saturating_add(arrays);
            }
            self.cold.braces = self.cold.braces.saturating_add(objects);
            self.cold.brackets = self.cold.brackets.saturating_add(arrays);
            self.cold.behind_bare.add(objects, arrays);
            self.cold.behind_fenced.add(objects, arrays);
        }
        if self.home == State::Opaque && candidate.first && candidate.counts && !quoted {
            // It looked like a document.
            self.cold.found.opaque = true;
        }
        if candidate.first && !candidate.passed && self.cold.found.first_break.is_none() && self.home == State::Text {
            self.cold.found.first_break = Some(Box::new(Doom { code, offset, decided_at }));
        }
        if let (true, Some(comma)) = (candidate.in_debris, self.cold.debris.absorbed()) {
            return self.doom(Code::ClosedTooEarly, comma, decided_at);
        }
        self.state = self.home;
    }

    /// More of a candidate, which may stand in the key of debris.
    #[inline]
    pub(super) fn debris_absorbs(&mut self, bytes: &[u8]) {
        if self.flags.has(Flags::IN_DEBRIS) {
            self.cold.debris.absorb(bytes);
        }
    }

    /// Takes the context back from the candidate.
    fn leave(&mut self, cursor: &mut Cursor<'_>, marks: Marks, odd: bool, behind_string: bool) {
        self.cold.line.recent = absorb(self.recent, &cursor.bytes[cursor.from..cursor.i]);
        let behind_string = behind_string && !matches!(self.cold.line.last(), b'/' | b'\\');
        self.cold.line.resume(marks, odd, behind_string);
        self.frames.clear();
        self.cold.candidate.is_scalar = false;
        self.comma = MaybeOffset::NONE;
    }

    /// The root has closed before offset `end`; the byte that is read next is behind it.
    pub(super) fn close_root<S: Sink>(&mut self, end: usize, cursor: &mut Cursor<'_>, sink: &mut S) {
        let candidate = self.cold.candidate;
        let span = Span::new(candidate.start, end);
        let odd = candidate.odd && !self.flags.has(Flags::LINE_SEEN);
        self.cold.debris.clear();
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
            self.cold.behind = Behind::beside();
            self.state = State::Behind;
        }
        if self.home != State::Text && candidate.first {
            self.cold.found.whole = span.into();
            self.cold.found.whole_other = other;
            self.state = State::Whole;
            return;
        }
        if !candidate.promise && !candidate.first {
            if candidate.blank && self.cold.braces == 0 && self.cold.brackets == 0 {
                self.cold.found.weak = span.into();
                self.cold.found.weak_other = other;
                self.cold.found.weak_member = candidate.member;
                self.cold.found.weak_opaque = self.home == State::Opaque;
            } else {
                // `Result: {}` may be the answer, though a sentence goes on behind it.
                let kind = candidate.kind == Kind::Object || self.rules.root == Root::Array;
                self.cold.found.opaque |= self.home == State::Text && candidate.announced && kind && !other;
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
        self.cold.found.alone = candidate.blank;
        self.count(span, cursor.at().saturating_sub(1), sink);
    }

    /// A whole document of the other kind: it is the failure if nothing else is found.
    pub(super) fn pass_other<S: Sink>(&mut self, span: Span, sink: &mut S) {
        self.cold.found.fence_text = false;
        let first = !self.cold.found.other_kind.is_some();
        if first {
            self.cold.found.other_kind = span.start.into();
        }
        let _ = sink.event(if first { Event::OtherKind { span } } else { Event::PassOver });
    }

    /// A document counts; certain at offset `at`.
    pub(super) fn count<S: Sink>(&mut self, span: Span, at: usize, sink: &mut S) {
        let fenced = self.cold.fence.label != Label::None;
        self.cold.found.closed = true;
        self.cold.found.closed_end = span.end;
        if fenced {
            self.cold.found.in_fence = true;
            self.cold.found.alone = false;
            self.cold.behind_fenced = Openers::default();
        } else {
            self.cold.found.bare = true;
            self.cold.behind_bare = Openers::default();
        }
        // One that counts later stands alone on its line.
        self.cold.behind = Behind::root(self.cold.candidate.back != Back::Value && span.end == at + 1);
        self.home = State::Text;
        self.state = State::Behind;
        let place = if fenced { Place::Fenced } else { Place::Bare };
        if let Flow::Break(code, offset) | Flow::Doom(code, offset) = sink.event(Event::Document { span, place }) {
            self.doom(code, offset, at);
        }
    }

    /// The kind of the root that is open, or was last.
    pub(super) fn candidate_kind(&self) -> Kind {
        self.cold.candidate.kind
    }

    /// Whether debris counts where the machine is.
    pub(super) fn is_debris_counted(&self) -> bool {
        self.cold.found.bare || self.cold.found.in_fence
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
