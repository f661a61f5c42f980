//! The stack of open frames: one bit each, the innermost in the lowest bit of one word.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::sink::Kind;

/// Frames in one word.
const WORD: u32 = u64::BITS;

/// Open frames. A set bit is an object.
///
/// Invariant: `outer` holds `(depth - 1) / 64` full words (none while nothing is open), `inner` the rest.
#[derive(Clone, Debug, Default)]
#[repr(C)]
pub(crate) struct Frames {
    inner: u64,
    depth: u32,
    /// How many of them are objects.
    objects: u32,
    /// Boxed: most are no deeper than a word has bits.
    #[allow(clippy::box_collection)] // A pointer in the room of three words.
    outer: Option<Box<Vec<u64>>>,
}

impl Frames {
    #[inline]
    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    #[inline]
    pub(crate) fn push(&mut self, kind: Kind) {
        if self.depth.is_multiple_of(WORD) && self.depth > 0 {
            self.outer.get_or_insert_default().push(self.inner);
        }
        let object = kind == Kind::Object;
        self.inner = self.inner << 1 | u64::from(object);
        self.objects += u32::from(object);
        self.depth += 1;
    }

    /// Closes the innermost frame. There is one.
    #[inline]
    pub(crate) fn pop(&mut self) {
        self.depth -= 1;
        self.objects -= u32::from(self.inner & 1 == 1);
        self.inner >>= 1;
        if self.depth.is_multiple_of(WORD) {
            self.inner = self.outer.as_mut().and_then(|outer| outer.pop()).unwrap_or_default();
        }
    }

    /// The kind of the innermost frame, if there is one.
    #[inline]
    pub(crate) fn top(&self) -> Option<Kind> {
        (self.depth > 0).then_some(if self.inner & 1 == 1 { Kind::Object } else { Kind::Array })
    }

    /// Whether the innermost frame, of which there is one, is an object.
    #[inline]
    pub(crate) fn is_object(&self) -> bool {
        self.inner & 1 == 1
    }

    /// How many objects and how many arrays are open.
    #[inline(always)]
    pub(crate) fn counts(&self) -> (u32, u32) {
        (self.objects, self.depth - self.objects)
    }

    /// Bytes on the heap.
    pub(crate) fn heap_len(&self) -> usize {
        self.outer.as_ref().map_or(0, |outer| size_of::<Vec<u64>>() + outer.capacity() * size_of::<u64>())
    }

    pub(crate) fn clear(&mut self) {
        self.depth = 0;
        self.objects = 0;
        if let Some(outer) = &mut self.outer {
            outer.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_stack() {
        let (mut frames, mut plain) = (Frames::default(), Vec::new());
        for step in 0..2000_u32 {
            if step.wrapping_mul(2_654_435_761) >> 30 == 0 && !plain.is_empty() {
                frames.pop();
                plain.pop();
            } else {
                let kind = if step % 3 == 0 { Kind::Object } else { Kind::Array };
                frames.push(kind);
                plain.push(kind);
            }
            assert_eq!(frames.top(), plain.last().copied());
            let objects = plain.iter().filter(|kind| **kind == Kind::Object).count() as u32;
            assert_eq!(frames.counts(), (objects, plain.len() as u32 - objects), "{step}");
        }
        while plain.pop().is_some() {
            frames.pop();
            assert_eq!(frames.top(), plain.last().copied());
        }
    }
}
