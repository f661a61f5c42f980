//! One reply read for its document, and held against a schema while it comes.
//!
//! What a schema refuses is refused at the earliest byte. For whoever looks at it everything that is wrong is worth more: the reply is read
//! once more without the schema, and where that comes to the document that was refused, all that this breaks is told, what was told first in
//! front.

use thusfar_contract::{Check, Contract, Feedback, Monitor, Violation};
use thusfar_core::{Document, Ending, Expect, Failure, FailureKind, Progress, Reply};

use crate::report::{self, Verdict};

/// What became of a reply.
pub(crate) struct Found {
    /// The document, also one that the schema refused; or why there is none, which may be that.
    pub(crate) verdict: Verdict,
    /// What the schema says, where there is one.
    pub(crate) check: Option<Check>,
    /// What was known before the end.
    pub(crate) progress: Progress,
    /// The byte with whose arrival it was lost, if it was before the end.
    pub(crate) doomed_at: Option<usize>,
}

impl Found {
    /// Whether it is the document that was asked for.
    pub(crate) fn is_ok(&self) -> bool {
        self.verdict.is_ok() && self.check.as_ref().is_none_or(Check::is_valid)
    }

    /// Adds the report, with its line feed. `seen` is the reply.
    pub(crate) fn push_report(&self, line: &mut String, id: Option<&str>, seen: &[u8]) {
        report::push_report(line, id, seen, self.verdict.as_ref(), self.check.as_ref());
    }

    /// What can be sent back to the model, where something is wrong.
    pub(crate) fn feedback(&self) -> Option<Feedback> {
        let check = self.check.as_ref();
        match &self.verdict {
            Ok(document) => check.and_then(|check| Feedback::of_check(check, document)),
            Err(failure) => Some(match report::refusal(failure, check) {
                Some(violation) => Feedback::of_violation(violation, failure),
                None => Feedback::of_failure(failure),
            }),
        }
    }

    /// Of a reply that the schema did not refuse.
    fn read(verdict: Verdict, check: Option<Check>, progress: Progress) -> Self {
        let doomed_at = verdict.as_ref().err().and_then(|failure| doomed_at(progress, failure));
        Self { verdict, check, progress, doomed_at }
    }

    /// Of a reply that the schema refused, and what it comes to without: `verdict`.
    pub(crate) fn refused(refusal: Refusal, verdict: Verdict, contract: &Contract, progress: Progress) -> Self {
        let Refusal { failure, violation } = refusal;
        let doomed_at = doomed_at(progress, &failure);
        let (verdict, check) = match (verdict, violation) {
            (Ok(document), Some(violation)) if holds(&document, &violation) => {
                let check = contract.check_refused(&document, &violation);
                (Ok(document), check)
            }
            (_, violation) => (Err(failure), violation.as_ref().map(Check::of_violation).unwrap_or_default()),
        };
        Self { verdict, check: Some(check), progress, doomed_at }
    }
}

fn doomed_at(progress: Progress, failure: &Failure) -> Option<usize> {
    (progress == Progress::Doomed).then(|| failure.decided_at())
}

/// Whether a violation was told of this document. One of a number that is the root ends behind it.
fn holds(document: &Document, violation: &Violation) -> bool {
    let span = document.span();
    span.start <= violation.start() && violation.start() < span.end && violation.offset() <= span.end
}

/// Why a schema refused a reply while it came.
pub(crate) struct Refusal {
    pub(crate) failure: Failure,
    pub(crate) violation: Option<Violation>,
}

/// Reads a reply.
pub(crate) struct Finding<'c> {
    expect: Expect,
    reading: Reading<'c>,
    /// Bytes that were taken.
    taken: usize,
}

enum Reading<'c> {
    /// For its document alone.
    Alone(Reply),
    /// Held against a schema; and, once that has refused it, read again without.
    Held(&'c Contract, Box<Reply<Monitor>>, Option<Reply>),
}

impl<'c> Finding<'c> {
    pub(crate) fn new(expect: Expect, contract: Option<&'c Contract>) -> Self {
        let held = |contract: &'c Contract| {
            let reply = Reply::with_sink(expect, contract.monitor(&expect));
            Reading::Held(contract, Box::new(reply), None)
        };
        let reading = contract.map_or_else(|| Reading::Alone(Reply::new(expect)), held);
        Self { expect, reading, taken: 0 }
    }

    /// Takes what is new in `seen`, which is all of the reply so far; whether nothing that follows matters.
    pub(crate) fn take(&mut self, seen: &[u8]) -> bool {
        let chunk = seen.get(self.taken..).unwrap_or_default();
        self.taken = seen.len();
        match &mut self.reading {
            Reading::Alone(reply) | Reading::Held(_, _, Some(reply)) => reply.push_bytes(chunk).is_decided(),
            Reading::Held(_, reply, again) => {
                let is_decided = reply.push_bytes(chunk).is_decided();
                if !reply.doomed().is_some_and(|code| code.kind() == FailureKind::Vetoed) {
                    return is_decided;
                }
                again.insert(Reply::new(self.expect)).push_bytes(seen).is_decided()
            }
        }
    }

    /// What became of it. `seen` is all of the reply that was taken.
    pub(crate) fn finish(self, seen: &[u8], ending: Ending) -> Found {
        let (contract, reply, again) = match self.reading {
            Reading::Alone(reply) => {
                let progress = reply.progress();
                return Found::read(reply.finish(ending), None, progress);
            }
            Reading::Held(contract, reply, again) => (contract, reply, again),
        };
        let progress = reply.progress();
        let (verdict, monitor) = reply.finish_into(ending);
        let check = match &verdict {
            Ok(document) => contract.check_monitored(document, &monitor),
            Err(failure) if failure.kind() == FailureKind::Vetoed => {
                // A number that is the root ends with the reply.
                let again = again.unwrap_or_else(|| read_again(self.expect, seen));
                let refusal = Refusal { failure: failure.clone(), violation: monitor.violation().cloned() };
                return Found::refused(refusal, again.finish(ending), contract, progress);
            }
            Err(_) => Check::default(),
        };
        Found::read(verdict, Some(check), progress)
    }
}

fn read_again(expect: Expect, seen: &[u8]) -> Reply {
    let mut reply = Reply::new(expect);
    let _ = reply.push_bytes(seen);
    reply
}
