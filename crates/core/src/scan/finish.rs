//! The end of the reply: what each state means when nothing more comes.

use crate::ending::Ending;
use crate::failure::Code;
use crate::locate::fence::Label;
use crate::sink::Sink;

use super::{Cursor, Flags, Scanner, State};

/// What the end found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// The reply failed; the doom says why.
    Doomed,
    /// Something is open.
    Open(Code),
    /// Nothing is open that matters. What "nothing found" is called if the reply was cut.
    Rest(Code),
}

impl Scanner {
    /// Ends the reply. `partial`: it ends inside a character.
    pub(crate) fn finish<S: Sink>(&mut self, ending: Ending, partial: bool, sink: &mut S) -> End {
        if self.state == State::Decided {
            return self.end();
        }
        let stopped = matches!(ending, Ending::Stop | Ending::ToolUse);
        if partial && stopped && !self.is_in_candidate() {
            self.doom(Code::InvalidUtf8, self.at, self.at);
            return End::Doomed;
        }
        let mut cursor = Cursor { text: "", bytes: &[], i: 0, base: self.at, from: 0 };
        if self.is_in_candidate() {
            if let Some(code) = self.finish_candidate(ending, partial, &mut cursor, sink) {
                return End::Open(code);
            }
            self.judge_fence_text();
            return self.end();
        }
        let labelled = self.state == State::Run && self.cold.run.has_label();
        match self.state {
            State::Reasoning => return End::Open(Code::OpenReasoning),
            State::Tag if self.reasoning > 0 => return End::Open(Code::OpenReasoning),
            State::Tag if self.home == State::Whole => self.spoil_whole(sink),
            State::Tag => self.finish_tag(sink),
            State::Tick => self.tick_at_end(),
            State::Run => self.finish_run(sink),
            State::OutsideSlash => self.slash_is_text(sink),
            _ => {}
        }
        self.come_to_rest(self.at, sink);
        match self.end() {
            End::Rest(_) if labelled => End::Rest(Code::OpenFence),
            end => end,
        }
    }

    /// Nothing more is read: what waits is judged; certain at offset `at`.
    pub(super) fn come_to_rest<S: Sink>(&mut self, at: usize, sink: &mut S) {
        if let Some(span) = self.cold.found.weak.take() {
            self.count_weak(span, at, sink);
        }
        if self.state == State::Behind {
            match self.cold.behind.end() {
                Some(offset) => self.doom(Code::ClosedTooEarly, offset, at),
                None => self.settle(at, sink),
            }
        }
        if self.state != State::Decided {
            self.count_whole(at, sink);
            self.judge_fence_text();
        }
        if self.doom.is_none() {
            self.line_ends(at, sink);
        }
    }

    fn end(&self) -> End {
        let cut = if self.cold.fence.label == Label::None { Code::NothingYet } else { Code::OpenFence };
        if self.doom.is_some() { End::Doomed } else { End::Rest(cut) }
    }

    fn finish_tag<S: Sink>(&mut self, sink: &mut S) {
        if self.home == State::Before {
            self.doom(Code::TextAround, self.cold.tag.start(), self.at);
        } else {
            self.note_significant(sink);
        }
    }

    fn finish_run<S: Sink>(&mut self, sink: &mut S) {
        if self.cold.run.closes_at_end(&self.cold.fence) {
            self.close_fence(self.at, sink);
        } else if self.home == State::Whole && !self.cold.run.ends_at_end(&self.cold.fence) {
            self.spoil_whole(sink);
        } else if self.home == State::Lead && !self.cold.run.ends_at_end(&self.cold.fence) {
            self.cold.found.fence_text = true;
        } else if self.home == State::After || self.is_text_before() {
            self.doom(Code::TextAround, self.cold.run.start(), self.at);
        }
    }

    /// A run in front of a document that must stand alone, which opens no fence and closes none.
    fn is_text_before(&self) -> bool {
        self.home == State::Before && (self.cold.run.is_short() || self.cold.fence.label != Label::None)
    }

    /// The reply ends inside a candidate: what is open, if it matters.
    fn finish_candidate<S: Sink>(
        &mut self,
        ending: Ending,
        partial: bool,
        cursor: &mut Cursor<'_>,
        sink: &mut S,
    ) -> Option<Code> {
        if self.cold.candidate.is_scalar && !partial {
            match self.state {
                State::Zero | State::Integer | State::Fraction | State::ExponentDigits if ending == Ending::Stop => {
                    self.close_number(self.at, cursor, sink);
                    return None;
                }
                State::Literal if self.is_literal_whole() => {
                    self.close_literal(self.at, cursor, sink);
                    return None;
                }
                _ => {}
            }
        }
        let opaque = self.home == State::Opaque && !self.cold.candidate.first;
        let outranked = self.cold.found.closed && !self.rules.expects(self.candidate_kind());
        (!self.cold.candidate.passed && !opaque && !outranked).then(|| self.open_code())
    }

    fn open_code(&self) -> Code {
        match self.state {
            State::String | State::LowBackslash | State::QuoteSlash if self.flags.has(Flags::KEY) => Code::OpenKey,
            State::String | State::LowBackslash | State::QuoteSlash => Code::OpenString,
            State::Escape | State::Hex | State::LowU | State::Backslash | State::QuoteBackslash => Code::OpenEscape,
            State::Minus | State::Zero | State::Integer | State::Point => Code::OpenNumber,
            State::Fraction | State::Exponent | State::ExponentSign | State::ExponentDigits => Code::OpenNumber,
            State::Literal if !self.is_literal_whole() => Code::OpenLiteral,
            State::Slash | State::LineComment | State::BlockComment | State::BlockStar => Code::OpenComment,
            _ => Code::OpenFrame,
        }
    }
}
