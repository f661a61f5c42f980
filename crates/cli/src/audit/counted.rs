//! What one reply counts as, whether it was judged here or somebody else reports it.

use thusfar_contract::{Case, Check, Diagnosis, RefusedCall, Violation};
use thusfar_core::{Ending, Repair, Warning};

use super::names::{CodeName, Key as _, Name, Named, Sum};
use super::targets::{Outcomes, Targets};
use crate::calls::{Calls, Failing};
use crate::judged::Judged;
use crate::report::{self, SCHEMA_MISMATCH, Verdict};
use crate::signalled::{self, Signalled};

/// Characters of an excerpt, of an id, of the name of a model.
pub(super) const EXCERPT: usize = 120;

/// One reply.
#[derive(Default)]
pub(super) struct One {
    pub(super) outcome: Option<Name>,
    /// How many of each kind.
    pub(super) repairs: Named<Name, u64>,
    pub(super) warnings: Named<Name, u64>,
    /// What stands at the first place of each.
    pub(super) codes: Named<CodeName, Excerpt>,
    /// What became of each target, where signals were asked for.
    pub(super) targets: Targets,
    pub(super) diagnosis: Option<Diagnosis>,
}

/// Some text around a place. Of several the first counts.
pub(super) struct Excerpt(pub(super) String);

impl Sum for Excerpt {
    fn add(&mut self, _: Self) {}
}

impl One {
    /// Of a reply that was judged, and of what ended it.
    pub(super) fn judged(judged: &Judged, text: &str, ending: Ending) -> Self {
        match judged {
            Judged::Document(found) => Self::document(&found.verdict, found.check.as_ref(), text, ending),
            Judged::Calls(calls) => Self::calls(calls, text, ending),
            Judged::Signals(signalled) => Self::signals(signalled, text, ending),
        }
    }

    fn document(verdict: &Verdict, check: Option<&Check>, text: &str, ending: Ending) -> Self {
        let outcome = report::outcome(verdict.as_ref(), check);
        let mut counted = Self { outcome: Some(Name::ours(outcome)), ..Self::default() };
        counted.diagnosis = Case::read(verdict, check).ended(ending).diagnosis();
        match verdict {
            Ok(document) => {
                counted.take_repairs(document.repairs());
                counted.take_warnings(document.warnings());
                if let Some(limit) = check.and_then(report::open_question) {
                    counted.take_code(outcome, limit.as_str(), text, document.span().start);
                }
            }
            Err(failure) => {
                counted.take_repairs(failure.repairs());
                // What the schema refused counts under its keyword.
                if report::refusal(failure, check).is_none() {
                    counted.take_code(outcome, failure.code().as_str(), text, failure.offset());
                }
            }
        }
        counted.take_violations(check.map_or(&[], Check::violations), text);
        counted
    }

    fn calls(calls: &Calls, text: &str, ending: Ending) -> Self {
        let outcome = calls.outcome().as_str();
        let mut counted = Self { outcome: Some(Name::ours(outcome)), ..Self::default() };
        counted.take_repairs(calls.repairs());
        for call in calls.calls() {
            counted.take_repairs(call.arguments().repairs());
            counted.take_warnings(call.arguments().warnings());
        }
        calls.refused().iter().for_each(|refused| counted.take_refused(refused, text));
        let cause = match calls.failing() {
            Some(Failing::Call(refused)) => {
                counted.take_refused(refused, text);
                refused.cause()
            }
            Some(Failing::Damage(damage)) => {
                counted.take_code(outcome, damage.code, text, damage.offset);
                None
            }
            None => None,
        };
        counted.diagnosis = match Diagnosis::of_outcome(outcome, cause.map(|cause| cause.as_str())) {
            // As a case says it of a document.
            Some(Diagnosis::NothingFound) if ending == Ending::Filtered => Some(Diagnosis::Refusal),
            diagnosis => diagnosis,
        };
        counted
    }

    fn signals(signalled: &Signalled, text: &str, ending: Ending) -> Self {
        let outcome = signalled.outcome();
        let mut counted = Self { outcome: Some(Name::ours(outcome)), ..Self::default() };
        let mut code = None;
        for (name, signal) in signalled.extracted().iter() {
            let of_target = signal.outcome().as_str();
            counted.targets.add(Name::of_target(name), Outcomes::one(of_target));
            let Some(found) = signal.code() else { continue };
            counted.take_code(of_target, found.as_str(), text, signalled::offset(signal));
            code = code.or(Some(found.as_str()).filter(|_| of_target == outcome));
        }
        if let Some(damage) = signalled.damage() {
            counted.take_code(outcome, damage.code, text, damage.offset);
        }
        counted.diagnosis = match (diagnosis_of_signals(outcome, code), ending) {
            // As a case says it of a document.
            (Some(Diagnosis::NothingFound | Diagnosis::Truncation), Ending::Filtered) => Some(Diagnosis::Refusal),
            (Some(Diagnosis::Truncation), Ending::TimedOut) => Some(Diagnosis::TimedOut),
            (Some(Diagnosis::Truncation), Ending::Failed | Ending::Disconnected) => Some(Diagnosis::ProviderError),
            (diagnosis, _) => diagnosis,
        };
        counted
    }

    fn take_repairs(&mut self, repairs: &[Repair]) {
        repairs.iter().for_each(|repair| self.repairs.add(Name::ours(repair.kind.as_str()), 1));
    }

    fn take_warnings(&mut self, warnings: &[Warning]) {
        warnings.iter().for_each(|warning| self.warnings.add(Name::ours(warning.kind.as_str()), 1));
    }

    fn take_refused(&mut self, refused: &RefusedCall, text: &str) {
        self.take_code(refused.outcome().as_str(), refused.code().as_str(), text, refused.offset());
        self.take_violations(refused.check().violations(), text);
    }

    fn take_violations(&mut self, violations: &[Violation], text: &str) {
        violations.iter().for_each(|it| self.take_code(SCHEMA_MISMATCH, it.keyword(), text, it.start()));
    }

    fn take_code(&mut self, outcome: &'static str, code: &'static str, text: &str, offset: usize) {
        let name = CodeName::new(Name::ours(outcome), Name::ours(code));
        if self.codes.get(&name).is_none() {
            self.codes.add(name, Excerpt(report::excerpt_of(text.as_bytes(), offset, EXCERPT)));
        }
    }
}

/// What was wrong with a reply that was read for signals: its outcome, and the code of the first target that has that outcome.
pub(super) fn diagnosis_of_signals(outcome: &str, code: Option<&str>) -> Option<Diagnosis> {
    match code {
        Some("cut_before" | "cut_behind" | "cut_value") => Some(Diagnosis::Truncation),
        Some("reply_too_long") => Some(Diagnosis::Limit),
        _ => Diagnosis::of_outcome(outcome, None),
    }
}

/// How often something came up, and in how many replies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Frequency {
    pub(super) count: u64,
    pub(super) replies: u64,
}

impl Sum for Frequency {
    fn add(&mut self, more: Self) {
        self.count += more.count;
        self.replies += more.replies;
    }
}

/// In how many replies a code came up, with the first excerpt.
pub(super) struct Coded {
    pub(super) replies: u64,
    pub(super) excerpt: String,
}

impl Sum for Coded {
    fn add(&mut self, more: Self) {
        self.replies += more.replies;
    }
}

/// How often each diagnosis was made, in the order of `Diagnosis::ALL`.
#[derive(Debug, Default)]
pub(super) struct Diagnoses([u64; Diagnosis::ALL.len()]);

impl Diagnoses {
    pub(super) fn add(&mut self, diagnosis: Diagnosis) {
        let place = Diagnosis::ALL.iter().position(|known| *known == diagnosis);
        place.into_iter().for_each(|place| self.0[place] += 1);
    }

    pub(super) fn merge(&mut self, more: &Self) {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count += more);
    }

    /// Those that were made.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Diagnosis, u64)> {
        Diagnosis::ALL.into_iter().zip(self.0).filter(|&(_, count)| count > 0)
    }
}

/// The replies of one line.
#[derive(Default)]
pub(super) struct Counted {
    pub(super) replies: u64,
    pub(super) outcomes: Named<Name, u64>,
    pub(super) repairs: Named<Name, Frequency>,
    pub(super) warnings: Named<Name, Frequency>,
    pub(super) codes: Named<CodeName, Coded>,
    pub(super) targets: Targets,
    pub(super) diagnoses: Diagnoses,
}

impl Counted {
    pub(super) fn add(&mut self, one: One) {
        let once = |count| Frequency { count, replies: 1 };
        self.replies += 1;
        self.outcomes.add(one.outcome.unwrap_or_else(Name::other), 1);
        one.repairs.into_entries().for_each(|(kind, count)| self.repairs.add(kind, once(count)));
        one.warnings.into_entries().for_each(|(kind, count)| self.warnings.add(kind, once(count)));
        for (code, Excerpt(excerpt)) in one.codes.into_entries() {
            self.codes.add(code, Coded { replies: 1, excerpt });
        }
        self.targets.merge(one.targets);
        one.diagnosis.into_iter().for_each(|diagnosis| self.diagnoses.add(diagnosis));
    }
}
