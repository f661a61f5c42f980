//! Many digests, searched: a search tree for each open object that has many keys.
//!
//! n digests cost O(n log n) comparisons of 16 bytes, whatever they are: nothing that an input can flood.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use crate::digest::Digest;

/// The trees of open objects, innermost last: from a digest to the index of what it belongs to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    trees: Vec<BTreeMap<Digest, u32>>,
}

impl Index {
    /// How many trees there are. The tree of an object is the one of that number when it opened, if it gets one.
    pub(crate) fn len(&self) -> usize {
        self.trees.len()
    }

    /// Forgets the trees of what has closed.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.trees.truncate(len);
    }

    /// What a digest in a tree belongs to.
    pub(crate) fn search(&self, tree: usize, digest: Digest) -> Option<usize> {
        self.trees.get(tree)?.get(&digest).map(|&index| index as usize)
    }

    /// Takes one more into the innermost tree.
    pub(crate) fn insert(&mut self, tree: usize, digest: Digest, index: usize) {
        if self.trees.len() <= tree {
            self.trees.push(BTreeMap::new());
        }
        self.trees[tree].insert(digest, index as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;

    #[test]
    fn each_object_has_its_own() {
        let digest = |number: usize| Digest::of_text(format!("{number}").as_bytes());
        let mut index = Index::default();
        index.insert(0, digest(7), 3);
        let inner = index.len();
        for number in 0..1000 {
            assert_eq!(index.search(inner, digest(number)), None);
            index.insert(inner, digest(number), number);
            assert_eq!(index.search(inner, digest(number / 2)), Some(number / 2));
        }
        index.truncate(inner);
        assert_eq!((index.search(inner, digest(7)), index.search(0, digest(7))), (None, Some(3)));
    }
}
