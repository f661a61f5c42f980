//! What one reply counts as, whether it was judged here or somebody else reports it.

use thusfar_contract::{Case, Check, Diagnosis, RefusedCall, Violation};
use thusfar_core::{Ending, Repair, Warning};

use super::names::{CodeName, Key as _, Name, Named, Sum};
use crate::calls::{Calls, Failing};
use crate::judged::Judged;
use crate::report::{self, SCHEMA_MISMATCH, Verdict};

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
            Judged::Document(verdict, check, _) => Self::document(verdict, check.as_ref(), text, ending),
            Judged::Calls(calls) => Self::calls(calls, text, ending),
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
                counted.take_code(outcome, failure.code().as_str(), text, failure.offset());
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
        violations.iter().for_each(|it| self.take_code(SCHEMA_MISMATCH, it.keyword(), text, it.offset()));
    }

    fn take_code(&mut self, outcome: &'static str, code: &'static str, text: &str, offset: usize) {
        let name = CodeName::new(Name::ours(outcome), Name::ours(code));
        if self.codes.get(&name).is_none() {
            self.codes.add(name, Excerpt(report::excerpt_of(text.as_bytes(), offset, EXCERPT)));
        }
    }
}

/// How often something came up, and in how many replies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    pub(super) count: u64,
    pub(super) replies: u64,
}

impl Sum for Seen {
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
    pub(super) repairs: Named<Name, Seen>,
    pub(super) warnings: Named<Name, Seen>,
    pub(super) codes: Named<CodeName, Coded>,
    pub(super) diagnoses: Diagnoses,
}

impl Counted {
    pub(super) fn add(&mut self, one: One) {
        let seen = |count| Seen { count, replies: 1 };
        self.replies += 1;
        self.outcomes.add(one.outcome.unwrap_or_else(Name::other), 1);
        one.repairs.into_entries().for_each(|(kind, count)| self.repairs.add(kind, seen(count)));
        one.warnings.into_entries().for_each(|(kind, count)| self.warnings.add(kind, seen(count)));
        for (code, Excerpt(excerpt)) in one.codes.into_entries() {
            self.codes.add(code, Coded { replies: 1, excerpt });
        }
        one.diagnosis.into_iter().for_each(|diagnosis| self.diagnoses.add(diagnosis));
    }
}
