//! The schemas that lanes are held against while they come, and what they say in the end.

use thusfar_contract::{Check, Contract, Monitor, Tools};
use thusfar_core::{Expect, FailureKind, Listener, Progress, Reply};
use thusfar_stream::{Lane, LaneKind, Listeners, Outcome, Summary};

use super::offered;
use crate::found::{Finding, Found, Refusal};

/// What lanes are held against.
#[derive(Clone)]
pub(super) struct Held {
    /// The schema of the text.
    pub(super) text: Option<Contract>,
    /// Whether the text may be calls, which need be no document: then nothing is refused before its end.
    pub(super) may_call: bool,
    /// The tools, with the schemas of their arguments.
    pub(super) tools: Option<Tools>,
    /// What is expected of text.
    pub(super) expect: Expect,
}

/// What a schema says of a lane.
pub(super) enum Judged {
    /// Of the document or the failure that the lane came to.
    Lane(Check),
    /// The lane was read again: the schema had refused it, or had not been asked before its end.
    Again(Box<Found>),
}

impl Judged {
    /// What it says of what the lane came to.
    pub(super) fn check(&self) -> Option<&Check> {
        match self {
            Judged::Lane(check) => Some(check),
            Judged::Again(found) => found.check.as_ref(),
        }
    }

    pub(super) fn is_valid(&self) -> bool {
        match self {
            Judged::Lane(check) => check.is_valid(),
            Judged::Again(found) => found.is_ok(),
        }
    }
}

impl Held {
    /// Who listens to which lane.
    pub(super) fn listeners(&self) -> Listeners {
        let held = self.clone();
        Listeners::new(move |lane, expect| {
            let is_heard = lane.key().kind == LaneKind::ToolArgs || !held.may_call;
            let contract = held.contract(lane).filter(|_| is_heard)?;
            Some(Box::new(contract.monitor(expect)) as Box<dyn Listener>)
        })
    }

    /// The schema of a lane. Calls of tools that the provider runs itself are left alone.
    fn contract(&self, lane: &Lane<'_>) -> Option<&Contract> {
        match lane.key().kind {
            LaneKind::Text => self.text.as_ref(),
            LaneKind::ToolArgs if !lane.is_hosted() => self.tools.as_ref()?.get(lane.name()?)?.contract(),
            _ => None,
        }
    }

    /// What its schema says of a lane; nothing of one that has none. Of arguments that were not refused the calls say it.
    pub(super) fn judged(&self, summary: &Summary, lane: Lane<'_>) -> Option<Judged> {
        let contract = self.contract(&lane)?;
        let monitor = lane.listener::<Monitor>();
        let is_text = lane.key().kind == LaneKind::Text;
        let (text, ending) = (lane.text().unwrap_or_default(), offered::ending(summary, lane.key().choice));
        match (lane.outcome()?, monitor) {
            (Outcome::Document(document), Some(monitor)) if is_text => {
                Some(Judged::Lane(contract.check_monitored(document, monitor)))
            }
            (Outcome::Document(_), None) if is_text => {
                let mut finding = Finding::new(self.expect, Some(contract));
                let _ = finding.take(text.as_bytes());
                Some(Judged::Again(Box::new(finding.finish(text.as_bytes(), ending))))
            }
            (Outcome::Failure(failure), Some(monitor)) if failure.kind() == FailureKind::Vetoed => {
                let expect = if is_text { self.expect } else { Expect::object() };
                let mut again = Reply::new(expect);
                let _ = again.push(text);
                let verdict = again.finish(ending);
                let refusal = Refusal { failure: failure.reply()?.clone(), violation: monitor.violation().cloned() };
                Some(Judged::Again(Box::new(Found::refused(refusal, verdict, contract, Progress::Doomed))))
            }
            _ => is_text.then(|| Judged::Lane(Check::default())),
        }
    }
}
