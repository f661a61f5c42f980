//! What a stream came to.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::advice::Reason;
use crate::lane::{Lane, LaneKey, Lanes};
use crate::provider::Provider;
use crate::said::FinishClass;

use super::StreamWarning;

/// Why a choice ended, as the provider says. `Debug` does not show its word.
#[derive(Clone, PartialEq, Eq)]
pub struct Finish {
    /// The number of the choice.
    pub choice: u32,
    /// The provider's own word.
    pub raw: Box<str>,
    /// What it means.
    pub class: FinishClass,
}

impl fmt::Debug for Finish {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Finish")
            .field("choice", &self.choice)
            .field("raw_len", &self.raw.len())
            .field("class", &self.class)
            .finish()
    }
}

/// What a stream came to. Stable names: [`StreamOutcome::as_str`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StreamOutcome {
    /// Every choice said why it ended, and nothing is open.
    Complete,
    /// The budget of tokens, or the window, ran out for some choice.
    TruncatedLength,
    /// It ended without saying so: see [`Cut`].
    TruncatedCut,
    /// A filter stopped some choice, or the model refused.
    Filtered,
    /// The provider failed, or the body cannot be read.
    Error,
    /// It was cancelled.
    Cancelled,
}

impl StreamOutcome {
    /// All of them.
    pub const ALL: [StreamOutcome; 6] = [
        StreamOutcome::Complete,
        StreamOutcome::TruncatedLength,
        StreamOutcome::TruncatedCut,
        StreamOutcome::Filtered,
        StreamOutcome::Error,
        StreamOutcome::Cancelled,
    ];

    /// The stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            StreamOutcome::Complete => "complete",
            StreamOutcome::TruncatedLength => "truncated_length",
            StreamOutcome::TruncatedCut => "truncated_cut",
            StreamOutcome::Filtered => "filtered",
            StreamOutcome::Error => "error",
            StreamOutcome::Cancelled => "cancelled",
        }
    }
}

/// The evidence that a stream was cut.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cut {
    /// The body ended inside a line, an element or a frame.
    pub partial_line: bool,
    /// The body ended in front of what would have closed an event.
    pub pending_event: bool,
    /// The provider's last event did not come, though it always sends one.
    pub needs_terminal: bool,
    /// An event was damaged and is lost.
    pub lost_event: bool,
    /// Choices that did not say why they ended.
    pub choices_without_finish: Vec<u32>,
    /// Judged lanes whose document is still open, whatever was said.
    pub open_lanes: Vec<LaneKey>,
}

/// What a stream came to: its lanes with their outcomes, and how it ended.
pub struct Summary {
    pub(super) provider: Option<Provider>,
    pub(super) lanes: Lanes,
    pub(super) finishes: Vec<Finish>,
    pub(super) usage: Option<String>,
    pub(super) error: Option<String>,
    pub(super) terminal: Option<&'static str>,
    pub(super) advice: Option<(Reason, u64)>,
    pub(super) is_cancelled: bool,
    pub(super) is_over: bool,
    pub(super) cut: Cut,
    pub(super) warnings: Vec<(StreamWarning, u64)>,
}

impl Summary {
    /// What it came to: cancelled; an error, of the provider or of the wire; then the worst that a choice said; then whether
    /// something is missing.
    #[must_use]
    pub fn outcome(&self) -> StreamOutcome {
        let has = |class: FinishClass| self.finishes.iter().any(|finish| finish.class == class);
        if self.is_cancelled || has(FinishClass::Abort) {
            return StreamOutcome::Cancelled;
        }
        if self.error.is_some() || has(FinishClass::Error) || self.is_over {
            return StreamOutcome::Error;
        }
        if has(FinishClass::Filter) {
            return StreamOutcome::Filtered;
        }
        if has(FinishClass::Length) {
            return StreamOutcome::TruncatedLength;
        }
        let cut = &self.cut;
        // An empty word is none: so does Ollama end when its runner has gone away.
        let is_missing = self.finishes.is_empty()
            || self.finishes.iter().any(|finish| finish.raw.is_empty())
            || !cut.choices_without_finish.is_empty()
            || cut.needs_terminal;
        if is_missing || cut.lost_event || !cut.open_lanes.is_empty() {
            return StreamOutcome::TruncatedCut;
        }
        StreamOutcome::Complete
    }

    /// Whose events they were, if that came out.
    #[must_use]
    pub const fn provider(&self) -> Option<Provider> {
        self.provider
    }

    /// The lanes, in the order in which they opened.
    pub fn lanes(&self) -> impl ExactSizeIterator<Item = Lane<'_>> {
        self.lanes.iter()
    }

    /// Why each choice ended, by number.
    #[must_use]
    pub fn finishes(&self) -> &[Finish] {
        &self.finishes
    }

    /// The counts of tokens: a JSON object.
    #[must_use]
    pub fn usage(&self) -> Option<&str> {
        self.usage.as_deref()
    }

    /// The error of the provider, or of the wire: a JSON object.
    #[must_use]
    pub fn error(&self) -> Option<&str> {
        self.error.as_deref()
    }

    /// The provider's last event, if it came.
    #[must_use]
    pub const fn terminal(&self) -> Option<&'static str> {
        self.terminal
    }

    /// Why to hang up, and the byte of the body by which that was certain.
    #[must_use]
    pub const fn advice(&self) -> Option<(Reason, u64)> {
        self.advice
    }

    /// The evidence that it was cut.
    #[must_use]
    pub const fn cut(&self) -> &Cut {
        &self.cut
    }

    /// What was not as it should be, and where; the first hundred.
    #[must_use]
    pub fn warnings(&self) -> &[(StreamWarning, u64)] {
        &self.warnings
    }
}

/// Lengths and states only: never the text.
impl fmt::Debug for Summary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Summary")
            .field("provider", &self.provider)
            .field("outcome", &self.outcome())
            .field("lanes", &self.lanes)
            .field("usage_len", &self.usage.as_ref().map(String::len))
            .field("error_len", &self.error.as_ref().map(String::len))
            .field("terminal", &self.terminal)
            .field("advice", &self.advice)
            .field("cut", &self.cut)
            .finish_non_exhaustive()
    }
}
