//! What an audit says: counts, examples and lengths, and nothing that grows with the log.

use serde::Serialize;
use thusfar_contract::Diagnosis;
use thusfar_core::FailureKind;

/// All that an audit says. Shares are between 0 and 1; lengths are bytes of UTF-8.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Summary {
    /// Lines that are not blank.
    pub(crate) lines: u64,
    /// Requests: they were judged here.
    pub(crate) judged: u64,
    /// Reports: of replies that were judged elsewhere. A line of `stream` may hold several.
    pub(crate) reported: u64,
    /// Lines that are neither.
    pub(crate) unreadable: u64,
    /// The first of them. Their excerpt is why.
    pub(crate) unreadable_examples: Vec<Example>,
    /// Every outcome that came up, `ok` among them. Shares are of all replies.
    pub(crate) outcomes: Vec<Count>,
    /// Repairs by kind. Shares are of all replies: those with at least one.
    pub(crate) repairs: Vec<Count>,
    /// Warnings by kind, in the same way.
    pub(crate) warnings: Vec<Count>,
    /// The most frequent codes of failures, of refused calls, and keywords of violations.
    pub(crate) codes: Vec<CodeCount>,
    /// How many more there are.
    pub(crate) more_codes: u64,
    /// Signals, by the name of their target.
    pub(crate) targets: Vec<TargetCount>,
    /// What was wrong, in the words of the contract.
    pub(crate) diagnoses: Vec<DiagnosisCount>,
    /// What to change about the commonest of them.
    pub(crate) cure: Option<Cure>,
    /// How long the replies are that were judged here.
    pub(crate) lengths: Lengths,
    /// What was written after the answer was certain, of the same replies.
    pub(crate) wasted: Wasted,
}

impl Summary {
    /// Whether a reply was cut: then the lengths are those of what came. One that was read for signals says it in its diagnosis.
    pub(crate) fn has_cuts(&self) -> bool {
        let outcomes = self.outcomes.iter().map(|outcome| outcome.name.as_str());
        let mut names = outcomes.chain(self.diagnoses.iter().map(|diagnosis| diagnosis.name.as_str()));
        names.any(|name| [FailureKind::Truncated.as_str(), Diagnosis::Truncation.as_str()].contains(&name))
    }
}

impl Lengths {
    /// Whether the 99th percentile is more than another name of the longest.
    pub(crate) fn has_percentile(&self) -> bool {
        self.replies >= 100
    }
}

/// How often a name came up.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Count {
    pub(crate) name: String,
    /// How often in all.
    pub(crate) count: u64,
    /// In how many replies.
    pub(crate) replies: u64,
    /// Those replies as a share of all.
    pub(crate) share: f64,
}

/// In how many replies a code came up, however often in each.
#[derive(Debug, Default, Serialize)]
pub(crate) struct CodeCount {
    pub(crate) outcome: String,
    pub(crate) code: String,
    pub(crate) count: u64,
    /// Those replies as a share of all.
    pub(crate) share: f64,
    /// The first of them.
    pub(crate) example: Example,
}

/// A line, and what it is about. All of it is foreign text, but the number.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Example {
    pub(crate) file: String,
    pub(crate) line: u64,
    pub(crate) id: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) excerpt: String,
}

/// What became of a target of signals.
#[derive(Debug, Default, Serialize)]
pub(crate) struct TargetCount {
    pub(crate) name: String,
    pub(crate) ok: u64,
    pub(crate) not_found: u64,
    pub(crate) ambiguous: u64,
    pub(crate) invalid: u64,
}

/// How often a diagnosis was made, and its cure.
#[derive(Debug, Default, Serialize)]
pub(crate) struct DiagnosisCount {
    pub(crate) name: String,
    pub(crate) count: u64,
    pub(crate) cure: String,
}

/// What to change at the source.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Cure {
    pub(crate) diagnosis: String,
    pub(crate) text: String,
}

/// How long replies are. Percentiles are exact below 2,048 bytes, else at most 0.1 % too high and never too low.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Lengths {
    /// Of so many replies the length is known.
    pub(crate) replies: u64,
    pub(crate) min: u64,
    pub(crate) median: u64,
    pub(crate) p90: u64,
    pub(crate) p99: u64,
    pub(crate) max: u64,
    /// All of them together.
    pub(crate) bytes: u64,
    /// From the shortest reply to the longest without a gap, each about half as long again as the one before.
    pub(crate) buckets: Vec<Bucket>,
}

/// Replies of at least `from` and less than `to` bytes.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Bucket {
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) count: u64,
}

/// What was written after the answer was certain.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Wasted {
    /// Replies with at least one such byte.
    pub(crate) replies: u64,
    pub(crate) bytes: u64,
    /// Of all bytes whose reply was judged here.
    pub(crate) share: f64,
}
