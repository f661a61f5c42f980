//! The choices of a stream that say nothing of what was asked for.

use thusfar_core::FailureKind;
use thusfar_stream::{Lane, LaneKind, StreamOutcome, Summary};

use crate::terminal::Palette;

/// What a choice may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Silence {
    /// Anything that could be judged: text, or a call in its place.
    NoAnswer,
    /// Text, whatever it calls.
    NoText,
}

impl Silence {
    /// The choices that lack it. Of a stream without any choice, the first. One that is not complete says by that why.
    pub(crate) fn choices(self, summary: &Summary) -> Vec<u32> {
        if summary.outcome() != StreamOutcome::Complete {
            return Vec::new();
        }
        let lanes = summary.lanes().map(|lane| lane.key().choice);
        let mut choices: Vec<_> = summary.finishes().iter().map(|finish| finish.choice).chain(lanes).collect();
        choices.sort_unstable();
        choices.dedup();
        if choices.is_empty() {
            choices.push(0);
        }
        choices.retain(|choice| !summary.lanes().any(|lane| lane.key().choice == *choice && self.is_broken_by(lane)));
        choices
    }

    fn is_broken_by(self, lane: Lane<'_>) -> bool {
        match lane.key().kind {
            LaneKind::Text => true,
            LaneKind::ToolArgs => self == Silence::NoAnswer,
            _ => false,
        }
    }

    /// What a person is told of them.
    pub(crate) fn notes(self, summary: &Summary, name: &str) -> String {
        let palette = Palette::stderr();
        let (kind, style) = (FailureKind::NotFound.as_str().replace('_', " "), palette.failure);
        let what = match self {
            Silence::NoAnswer => "neither text nor a call",
            Silence::NoText => "no text",
        };
        let note = |choice: &u32| format!("{style}{kind}{style:#}: {name}, choice {choice}: {what}\n");
        self.choices(summary).iter().map(note).collect()
    }
}
