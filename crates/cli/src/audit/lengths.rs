//! How long replies are: a histogram of a fixed size.
//!
//! Lengths below 2,048 are counted one by one, longer ones in steps of less than a thousandth of themselves. Two of them are added step by
//! step, so that the parts of a log may be counted in any order.

use super::summary::{Bucket, Lengths};

/// Bits of a length that are told apart: the first `EXACT` lengths, then half as many steps for each power of two.
const BITS: u32 = 11;
const EXACT: usize = 1 << BITS;
const STEPS: usize = EXACT / 2;
/// The longest length that is told apart has so many bits; a line is shorter.
const LONGEST_BITS: u32 = 32;
const SLOTS: usize = EXACT + (LONGEST_BITS - BITS) as usize * STEPS;
/// The buckets of a chart at most.
const BUCKETS: usize = 64;

/// The lengths that were counted.
#[derive(Debug)]
pub(super) struct Histogram {
    slots: Vec<u64>,
    replies: u64,
    bytes: u64,
    min: u64,
    max: u64,
    /// Coarser, for a chart.
    buckets: [u64; BUCKETS],
}

impl Default for Histogram {
    fn default() -> Self {
        Self { slots: vec![0; SLOTS], replies: 0, bytes: 0, min: u64::MAX, max: 0, buckets: [0; BUCKETS] }
    }
}

impl Histogram {
    pub(super) fn add(&mut self, len: u64) {
        self.slots[slot(len)] += 1;
        self.buckets[bucket(len)] += 1;
        self.replies += 1;
        self.bytes += len;
        self.min = self.min.min(len);
        self.max = self.max.max(len);
    }

    pub(super) fn merge(&mut self, more: &Self) {
        let pairs = self.slots.iter_mut().zip(&more.slots).chain(self.buckets.iter_mut().zip(&more.buckets));
        pairs.for_each(|(count, more)| *count += more);
        self.replies += more.replies;
        self.bytes += more.bytes;
        self.min = self.min.min(more.min);
        self.max = self.max.max(more.max);
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    pub(super) fn summary(&self) -> Lengths {
        Lengths {
            replies: self.replies,
            min: if self.replies == 0 { 0 } else { self.min },
            median: self.percentile(50),
            p90: self.percentile(90),
            p99: self.percentile(99),
            max: self.max,
            bytes: self.bytes,
            buckets: self.buckets(),
        }
    }

    /// The least length that so many of a hundred replies do not exceed.
    fn percentile(&self, percent: u64) -> u64 {
        let wanted = (u128::from(self.replies) * u128::from(percent)).div_ceil(100);
        let mut seen = 0;
        for (slot, &count) in self.slots.iter().enumerate() {
            seen += u128::from(count);
            if count > 0 && seen >= wanted {
                return last_of(slot).min(self.max);
            }
        }
        0
    }

    fn buckets(&self) -> Vec<Bucket> {
        let first = self.buckets.iter().position(|&count| count > 0).unwrap_or(0);
        let end = self.buckets.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        let chart = |at: usize| Bucket { from: start_of(at), to: start_of(at + 1), count: self.buckets[at] };
        (first..end).map(chart).collect()
    }
}

/// Where a length is counted.
fn slot(len: u64) -> usize {
    let len = len.min((1 << LONGEST_BITS) - 1);
    let shift = (u64::BITS - len.leading_zeros()).saturating_sub(BITS);
    // shift == 0: the length itself. Else STEPS <= len >> shift < EXACT.
    (len >> shift) as usize + shift as usize * STEPS
}

/// The longest length that is counted there.
fn last_of(slot: usize) -> u64 {
    if slot < EXACT {
        return slot as u64;
    }
    let shift = (slot - EXACT) / STEPS + 1;
    let step = (slot - shift * STEPS) as u64;
    ((step + 1) << shift) - 1
}

/// The bucket of a length: 0, 1, 2, 3, 4 to 5, 6 to 7, 8 to 11, 12 to 15, and so on.
fn bucket(len: u64) -> usize {
    match len.checked_ilog2() {
        None => 0,
        Some(0) => 1,
        Some(bits) => (2 * bits as usize + (len >> (bits - 1) & 1) as usize).min(BUCKETS - 1),
    }
}

/// The shortest length of a bucket.
fn start_of(bucket: usize) -> u64 {
    match bucket {
        0 | 1 => bucket as u64,
        _ => (2 + bucket as u64 % 2) << (bucket / 2 - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths of all sizes, close to where steps begin.
    fn lengths() -> impl Iterator<Item = u64> {
        let around = (0..32).flat_map(|bits| (0..3).map(move |near| ((1_u64 << bits) + near).saturating_sub(1)));
        (0..5000).chain(around)
    }

    #[test]
    fn a_slot_is_a_thousandth_wide_at_most() {
        for len in lengths() {
            let last = last_of(slot(len));
            assert!(len <= last && last - len <= len / 1000, "{len} is counted as {last}");
            assert_eq!(slot(last), slot(len), "{len}");
            assert_ne!(slot(last + 1), slot(len), "{len}");
        }
        assert_eq!(slot(u64::MAX), SLOTS - 1);
    }

    #[test]
    fn buckets_tile_the_lengths() {
        for len in lengths() {
            let at = bucket(len);
            assert!(start_of(at) <= len && len < start_of(at + 1), "{len} in {at}");
        }
        assert_eq!((0..10).map(start_of).collect::<Vec<_>>(), [0, 1, 2, 3, 4, 6, 8, 12, 16, 24]);
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn percentiles_are_those_of_a_sorted_list() {
        for count in [1_u64, 2, 3, 99, 100, 101, 1000] {
            let mut histogram = Histogram::default();
            let mut sorted: Vec<_> = (0..count).map(|at| at * 7919 % 2003).collect();
            sorted.iter().for_each(|&len| histogram.add(len));
            sorted.sort_unstable();
            let found = histogram.summary();
            let at = |percent: u64| sorted[(count * percent).div_ceil(100) as usize - 1];
            assert_eq!((found.median, found.p90, found.p99), (at(50), at(90), at(99)), "{count}");
            assert_eq!((found.min, found.max, found.bytes), (sorted[0], at(100), sorted.iter().sum()), "{count}");
            assert_eq!(found.buckets.iter().map(|bucket| bucket.count).sum::<u64>(), count);
        }
    }

    #[test]
    fn nothing_has_no_length() {
        let found = Histogram::default().summary();
        assert_eq!((found.replies, found.min, found.median, found.p99, found.max), (0, 0, 0, 0, 0));
        assert!(found.buckets.is_empty());
    }

    #[test]
    fn parts_are_put_together() {
        let (mut all, mut even, mut odd) = (Histogram::default(), Histogram::default(), Histogram::default());
        for len in lengths() {
            all.add(len);
            if len % 2 == 0 { even.add(len) } else { odd.add(len) }
        }
        odd.merge(&even);
        assert_eq!(format!("{:?}", odd.summary()), format!("{:?}", all.summary()));
    }
}
