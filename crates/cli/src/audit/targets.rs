//! What became of the targets of signals, by their names.

use super::names::{Name, Named, Sum};
use super::summary::TargetCount;

/// How often each outcome came up: ok, not found, ambiguous, invalid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outcomes([u64; 4]);

impl Outcomes {
    /// One target of one reply. What is no outcome of a target counts as none of them.
    pub(super) fn one(outcome: &str) -> Self {
        Self(["ok", "not_found", "ambiguous", "invalid"].map(|known| u64::from(known == outcome)))
    }

    fn all(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl Sum for Outcomes {
    fn add(&mut self, more: Self) {
        self.0.iter_mut().zip(more.0).for_each(|(count, more)| *count += more);
    }
}

/// Targets, a bounded number of them.
pub(super) type Targets = Named<Name, Outcomes>;

/// Most frequent first, equal ones by name.
pub(super) fn counts(targets: Targets) -> Vec<TargetCount> {
    let mut targets: Vec<_> = targets.into_entries().collect();
    targets.sort_by(|(one, counted), (other, more)| {
        more.all().cmp(&counted.all()).then_with(|| one.as_str().cmp(other.as_str()))
    });
    let count = |(name, Outcomes([ok, not_found, ambiguous, invalid])): (Name, Outcomes)| TargetCount {
        name: name.as_str().to_owned(),
        ok,
        not_found,
        ambiguous,
        invalid,
    };
    targets.into_iter().map(count).collect()
}
