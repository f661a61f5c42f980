//! The tools that are offered to a stream: arguments held against them, and text read for calls that were printed.

use thusfar_contract::{RescueOptions, Tools, When};
use thusfar_core::Ending;
use thusfar_stream::{FaultCode, FinishClass, Lane, LaneKind, Outcome, StreamOutcome, Summary};

use super::held::Judged;
use crate::args::Rescuing;
use crate::calls::Calls;
use crate::seen::Damage;

/// What is offered, and when calls are looked for in text.
pub(super) struct Offered {
    pub(super) tools: Tools,
    pub(super) when: Rescuing,
}

impl Offered {
    /// What became of the calls of a lane, made or printed; none where there is nothing to say of that. `schema`: what their schema says.
    pub(super) fn calls(&self, summary: &Summary, lane: Lane<'_>, schema: Option<&Judged>) -> Option<Calls> {
        match lane.key().kind {
            LaneKind::ToolArgs if !lane.is_hosted() => self.native(summary, lane, schema),
            LaneKind::Text => self.when(summary, lane).map(|ending| self.printed(lane, ending)),
            LaneKind::Reasoning => {
                let ending = self.when(summary, lane)?;
                let calls = Calls::drafts(&self.tools, self.rescued(lane.text()?, true, ending));
                let has_any = calls.in_reasoning().next().is_some();
                has_any.then_some(calls)
            }
            _ => None,
        }
    }

    /// How the choice of a lane ended, if calls are to be looked for in it. Under the provider's own word for a whole reply a stream may
    /// still be cut: then it is not complete.
    fn when(&self, summary: &Summary, lane: Lane<'_>) -> Option<Ending> {
        let choice = lane.key().choice;
        let is_call = |lane: &Lane<'_>| lane.key().kind == LaneKind::ToolArgs && lane.key().choice == choice;
        let ending = ending(summary, choice);
        let when = self.when.0?;
        let is_whole = when == When::Always || summary.outcome() == StreamOutcome::Complete;
        (is_whole && when.applies(summary.lanes().filter(is_call).count(), ending)).then_some(ending)
    }

    /// The arguments of a call. Where the lane has failed already there is nothing to add, but that the tool is none.
    fn native(&self, summary: &Summary, lane: Lane<'_>, schema: Option<&Judged>) -> Option<Calls> {
        let name = lane.name().unwrap_or_default();
        let text = lane.text().unwrap_or_default();
        let document = match (lane.outcome(), schema) {
            (Some(Outcome::Document(document)), _) => Some(document),
            // What was refused while it came, and is whole.
            (_, Some(Judged::Again(found))) => found.verdict.as_ref().ok(),
            _ => None,
        };
        let judged = match (document, lane.outcome()) {
            (Some(document), _) => self.tools.accept(name, document.clone()),
            _ if self.tools.get(name).is_none() => self.tools.arguments(name, text, Ending::Unknown),
            (_, Some(Outcome::NoArguments)) => self.tools.arguments(name, text, ending(summary, lane.key().choice)),
            _ => return None,
        };
        Some(Calls::native(judged))
    }

    /// The calls in text. One that ends behind damage may say what the model did not write.
    fn printed(&self, lane: Lane<'_>, ending: Ending) -> Calls {
        let text = lane.text().unwrap_or_default();
        let rescued = self.rescued(text, false, ending);
        let Some(damage) = lane.damage() else { return Calls::printed(rescued, None) };
        let offset = usize::try_from(damage.offset()).unwrap_or(usize::MAX).min(text.len());
        let spans = rescued.calls().iter().map(|call| call.span()).chain(rescued.refused().iter().map(|it| it.span()));
        if spans.max_by_key(|span| span.end).is_none_or(|last| last.end <= offset) {
            return Calls::printed(rescued, None);
        }
        let front = text.get(..offset).unwrap_or_default();
        let damage = damage_of(FaultCode::Damaged(damage.kind()), offset);
        Calls::printed(self.rescued(front, false, Ending::Failed), Some(damage))
    }

    fn rescued(&self, text: &str, starts_in_reasoning: bool, ending: Ending) -> thusfar_contract::Rescued {
        let mut options = RescueOptions::default();
        options.starts_in_reasoning = starts_in_reasoning;
        let mut rescue = self.tools.rescue_with(options);
        let _ = rescue.push(text);
        rescue.finish(ending)
    }
}

/// Damage to the text of a lane, from an offset of it on.
pub(super) fn damage_of(code: FaultCode, offset: usize) -> Damage {
    Damage { code: code.as_str(), message: code.message(), offset }
}

/// What ended a choice: its own word, or what the stream came to.
pub(super) fn ending(summary: &Summary, choice: u32) -> Ending {
    let last = summary.finishes().iter().rev().find(|finish| finish.choice == choice);
    match (last.map(|finish| finish.class), summary.outcome()) {
        (_, StreamOutcome::Cancelled) => Ending::Cancelled,
        (Some(FinishClass::Stop), _) => Ending::Stop,
        (Some(FinishClass::Tool), _) => Ending::ToolUse,
        (Some(FinishClass::Length), _) => Ending::Length,
        (Some(FinishClass::Filter), _) => Ending::Filtered,
        (Some(FinishClass::Error | FinishClass::Abort), _) | (None, StreamOutcome::Error) => Ending::Failed,
        _ => Ending::Unknown,
    }
}
