//! What is counted, line by line: of a part of the log. Two parts are put together in any order with the same result.

use super::counted::{Counted, Diagnoses, Frequency};
use super::lengths::Histogram;
use super::names::{CodeName, Name, Named};
use super::sample::{Owner, Place, Sample, Shown};
use super::summary::{CodeCount, Count, Cure, DiagnosisCount, Summary, Wasted};
use super::targets::{self, Targets};

/// Codes that are told.
const CODES: usize = 20;
/// Lines that are no requests and no reports that are shown.
const UNREADABLE: usize = 3;

/// What was counted. Its size does not depend on how much.
#[derive(Debug, Default)]
pub(super) struct Tally {
    lines: u64,
    judged: u64,
    reported: u64,
    unreadable: u64,
    unreadable_samples: Vec<Sample>,
    outcomes: Named<Name, u64>,
    repairs: Named<Name, Frequency>,
    warnings: Named<Name, Frequency>,
    codes: Named<CodeName, Shown>,
    targets: Targets,
    diagnoses: Diagnoses,
    lengths: Histogram,
    wasted_replies: u64,
    wasted_bytes: u64,
}

impl Tally {
    /// A request that was judged here: how long the reply is, and how much of it was there when the answer was certain.
    pub(super) fn add_judged(&mut self, place: Place, line: &[u8], counted: Counted, len: usize, certain_len: usize) {
        self.judged += 1;
        self.lengths.add(len as u64);
        let wasted = len.saturating_sub(certain_len) as u64;
        self.wasted_replies += u64::from(wasted > 0);
        self.wasted_bytes += wasted;
        self.add(place, line, counted);
    }

    /// A report.
    pub(super) fn add_reported(&mut self, place: Place, line: &[u8], counted: Counted) {
        self.reported += counted.replies;
        self.add(place, line, counted);
    }

    /// A line that is neither, and why.
    pub(super) fn add_unreadable(&mut self, place: Place, line: &[u8], why: &str) {
        self.lines += 1;
        self.unreadable += 1;
        // Within a part the places rise.
        if self.unreadable_samples.len() < UNREADABLE {
            self.unreadable_samples.push(Sample::new(place, Owner::of(line), why));
        }
    }

    fn add(&mut self, place: Place, line: &[u8], counted: Counted) {
        self.lines += 1;
        self.outcomes.merge(counted.outcomes);
        self.repairs.merge(counted.repairs);
        self.warnings.merge(counted.warnings);
        self.targets.merge(counted.targets);
        self.diagnoses.merge(&counted.diagnoses);
        let mut owner = None;
        for (code, coded) in counted.codes.into_entries() {
            match self.codes.get_mut(&code) {
                Some(known) if known.first.place <= place => known.replies += coded.replies,
                _ => {
                    let owner = owner.get_or_insert_with(|| Owner::of(line)).clone();
                    let first = Sample::new(place, owner, &coded.excerpt);
                    self.codes.add(code, Shown { replies: coded.replies, first });
                }
            }
        }
    }

    /// Puts another part to this one.
    pub(super) fn merge(&mut self, more: Self) {
        self.lines += more.lines;
        self.judged += more.judged;
        self.reported += more.reported;
        self.unreadable += more.unreadable;
        self.unreadable_samples.extend(more.unreadable_samples);
        self.unreadable_samples.sort_by_key(|sample| sample.place);
        self.unreadable_samples.truncate(UNREADABLE);
        self.outcomes.merge(more.outcomes);
        self.repairs.merge(more.repairs);
        self.warnings.merge(more.warnings);
        self.codes.merge(more.codes);
        self.targets.merge(more.targets);
        self.diagnoses.merge(&more.diagnoses);
        self.lengths.merge(&more.lengths);
        self.wasted_replies += more.wasted_replies;
        self.wasted_bytes += more.wasted_bytes;
    }

    /// What is to be told. `files` are the names of the files, in order.
    pub(super) fn summary(self, files: &[String]) -> Summary {
        let replies = self.judged + self.reported;
        let outcomes = self.outcomes.into_entries().map(|(name, count)| (name, Frequency { count, replies: count }));
        let (codes, more_codes) = codes(self.codes, replies, files);
        let (diagnoses, cure) = diagnoses(&self.diagnoses);
        Summary {
            lines: self.lines,
            judged: self.judged,
            reported: self.reported,
            unreadable: self.unreadable,
            unreadable_examples: self.unreadable_samples.into_iter().map(|sample| sample.example(files)).collect(),
            outcomes: counts(outcomes, replies),
            repairs: counts(self.repairs.into_entries(), replies),
            warnings: counts(self.warnings.into_entries(), replies),
            codes,
            more_codes,
            targets: targets::counts(self.targets),
            diagnoses,
            cure,
            wasted: Wasted {
                replies: self.wasted_replies,
                bytes: self.wasted_bytes,
                share: share(self.wasted_bytes, self.lengths.bytes()),
            },
            lengths: self.lengths.summary(),
        }
    }
}

/// A part of all as a number between 0 and 1.
fn share(part: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { (part as f64 / all as f64).min(1.0) }
}

/// Most frequent first, equal ones by name.
fn counts(names: impl Iterator<Item = (Name, Frequency)>, all: u64) -> Vec<Count> {
    let count = |(name, Frequency { count, replies }): (Name, Frequency)| Count {
        name: name.as_str().to_owned(),
        count,
        replies,
        share: share(replies, all),
    };
    let mut counts: Vec<_> = names.map(count).collect();
    counts.sort_by(|one, other| other.count.cmp(&one.count).then_with(|| one.name.cmp(&other.name)));
    counts
}

/// The most frequent ones, and how many there are besides.
fn codes(codes: Named<CodeName, Shown>, all: u64, files: &[String]) -> (Vec<CodeCount>, u64) {
    let mut counts: Vec<_> = codes.into_entries().collect();
    counts.sort_by(|(one, counted), (other, more)| {
        let names = |code: &CodeName| (code.outcome().to_owned(), code.code().to_owned());
        more.replies.cmp(&counted.replies).then_with(|| names(one).cmp(&names(other)))
    });
    let more = counts.len().saturating_sub(CODES) as u64;
    let count = |(code, shown): (CodeName, Shown)| CodeCount {
        outcome: code.outcome().to_owned(),
        code: code.code().to_owned(),
        count: shown.replies,
        share: share(shown.replies, all),
        example: shown.first.example(files),
    };
    (counts.into_iter().take(CODES).map(count).collect(), more)
}

/// Most frequent first, equal ones in the order of the contract, and the cure of the first.
fn diagnoses(diagnoses: &Diagnoses) -> (Vec<DiagnosisCount>, Option<Cure>) {
    let mut counts: Vec<_> = diagnoses.iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let cure = counts
        .first()
        .map(|(diagnosis, _)| Cure { diagnosis: diagnosis.as_str().to_owned(), text: diagnosis.cure().to_owned() });
    let count = |(diagnosis, count): (thusfar_contract::Diagnosis, u64)| DiagnosisCount {
        name: diagnosis.as_str().to_owned(),
        count,
        cure: diagnosis.cure().to_owned(),
    };
    (counts.into_iter().map(count).collect(), cure)
}
