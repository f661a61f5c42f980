//! Many digests, searched: sorted runs of doubling lengths, a run for each set bit of the count.
//!
//! n digests cost O(n log² n) comparisons of 16 bytes, whatever they are: nothing that an input can flood.

use alloc::vec::Vec;

use crate::digest::Digest;

/// The digests of all open objects, innermost last; each with the index of what it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    list: Vec<(Digest, u32)>,
}

impl Index {
    pub(crate) fn len(&self) -> usize {
        self.list.len()
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.list.truncate(len);
    }

    /// What a digest of the object whose digests begin at `start` belongs to.
    pub(crate) fn search(&self, start: usize, digest: Digest) -> Option<usize> {
        let mut rest = &self.list[start..];
        while !rest.is_empty() {
            // The first run is the longest: the highest set bit of the count.
            let (run, behind) = rest.split_at(1 << rest.len().ilog2());
            if let Ok(place) = run.binary_search_by(|(other, _)| other.cmp(&digest)) {
                return Some(run[place].1 as usize);
            }
            rest = behind;
        }
        None
    }

    /// Takes one more of the innermost object, whose digests begin at `start`.
    pub(crate) fn insert(&mut self, start: usize, digest: Digest, index: usize) {
        let count = self.list.len() - start;
        self.list.push((digest, index as u32));
        let merged = 1 << count.trailing_ones();
        let tail = self.list.len() - merged;
        // Runs that are sorted already: a stable sort merges them.
        self.list[tail..].sort_by_key(|(digest, _)| *digest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn all_are_found_and_nothing_else() {
        let digest = |number: usize| Digest::of_text(format!("{number}").as_bytes());
        let mut index = Index::default();
        index.insert(0, digest(7), 0);
        for number in 0..1000 {
            assert_eq!(index.search(1, digest(number)), None);
            index.insert(1, digest(number), number);
            assert_eq!(index.search(1, digest(number / 2)), Some(number / 2));
        }
        assert_eq!(index.len(), 1001);
        index.truncate(1);
        assert_eq!(index.search(0, digest(7)), Some(0));
    }
}
