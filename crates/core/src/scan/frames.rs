//! The stack of open frames: one bit each.

use smallvec::SmallVec;

use crate::sink::Kind;

/// Open frames, outermost first. A set bit is an object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Frames {
    /// 128 frames in place; more than the default nesting allows.
    words: SmallVec<[u64; 2]>,
    depth: u32,
    top: bool,
}

impl Frames {
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    pub(crate) fn push(&mut self, kind: Kind) {
        let (word, bit) = (self.depth as usize / 64, self.depth % 64);
        if word == self.words.len() {
            self.words.push(0);
        }
        let object = kind == Kind::Object;
        self.words[word] = self.words[word] & !(1 << bit) | u64::from(object) << bit;
        self.depth += 1;
        self.top = object;
    }

    /// Closes the innermost frame. There is one.
    pub(crate) fn pop(&mut self) {
        self.depth -= 1;
        if let Some(below) = self.depth.checked_sub(1) {
            self.top = self.words[below as usize / 64] >> (below % 64) & 1 == 1;
        }
    }

    /// The kind of the innermost frame, if there is one.
    pub(crate) fn top(&self) -> Option<Kind> {
        (self.depth > 0).then_some(if self.top { Kind::Object } else { Kind::Array })
    }

    /// How many objects and how many arrays are open.
    pub(crate) fn counts(&self) -> (u32, u32) {
        let mut objects = 0;
        for (index, word) in self.words.iter().enumerate() {
            let live = (self.depth as usize).saturating_sub(index * 64).min(64);
            let mask = if live == 64 { u64::MAX } else { (1 << live) - 1 };
            objects += (word & mask).count_ones();
        }
        (objects, self.depth - objects)
    }

    pub(crate) fn clear(&mut self) {
        self.depth = 0;
    }
}
