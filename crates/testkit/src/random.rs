//! Where the generators' choices come from: a seed, or a tape of choices that was made elsewhere.
//!
//! A tape is for what shrinks and fuzzes. Each choice takes the next number of the tape, and 0 when it is used up; a smaller
//! number never gives a larger result of [`Random::below`], and 0 gives no to [`Random::chance`]. So a generator that puts
//! the simpler thing first, and asks for the rare thing with `chance`, makes a simpler case of a shorter tape and of smaller
//! numbers. `proptest` shrinks the tape, and knows nothing of what is made of it.

/// A source of choices. Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(Source);

#[derive(Clone, Debug)]
enum Source {
    /// The state of splitmix64.
    Seed(u64),
    /// The choices not taken yet, the next one last.
    Tape(Vec<u16>),
}

impl Random {
    /// Starts from a seed; equal seeds give equal numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(Source::Seed(seed))
    }

    /// Takes each choice from a tape; 0 when it is used up.
    #[must_use]
    pub fn tape(mut choices: Vec<u16>) -> Self {
        choices.reverse();
        Self(Source::Tape(choices))
    }

    /// The next number: any 64 bits of a seed, of a tape the high 16.
    pub fn next_number(&mut self) -> u64 {
        match &mut self.0 {
            Source::Seed(state) => {
                *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mut mixed = *state;
                mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                mixed ^ (mixed >> 31)
            }
            Source::Tape(choices) => u64::from(choices.pop().unwrap_or(0)) << 48,
        }
    }

    /// A number below `bound`; 0 when `bound` is 0. Of a tape, not every number below a bound above 65,536.
    pub fn below(&mut self, bound: usize) -> usize {
        // The product of a 64-bit fraction and the bound: the high half is below the bound.
        ((u128::from(self.next_number()) * bound as u128) >> 64) as usize
    }

    /// Whether a thing happens that has `percent` chances in a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        let below = self.below(100);
        match self.0 {
            Source::Seed(_) => below < percent,
            // What is not asked for does not happen.
            Source::Tape(_) => below >= 100_usize.saturating_sub(percent),
        }
    }

    /// One of the items. Panics when there is none.
    pub fn pick<'a, T: ?Sized>(&mut self, items: &[&'a T]) -> &'a T {
        items[self.below(items.len())]
    }

    /// Puts the items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tape_gives_its_choices_and_then_nothing() {
        let mut random = Random::tape(vec![0, 0x8000, 0xffff, 0xffff]);
        assert_eq!([random.below(10), random.below(10), random.below(10)], [0, 5, 9]);
        assert!(random.chance(1));
        assert_eq!([random.below(10), random.below(0)], [0, 0]);
        assert!(!random.chance(99) && random.chance(100));
    }

    #[test]
    fn a_smaller_choice_gives_no_larger_number() {
        for bound in [1, 2, 3, 7, 100, 65_536, 1_000_000] {
            let numbers = (0..=u16::MAX).step_by(251).map(|choice| Random::tape(vec![choice]).below(bound));
            assert!(numbers.is_sorted(), "{bound}");
        }
    }
}
