//! Room for what most replies never need, made when it is first written.

use alloc::boxed::Box;
use core::ops::{Deref, DerefMut};

/// What has a state in which nothing is known.
pub(crate) trait Blank: Sized + 'static {
    /// That state.
    const BLANK: Self;

    /// The same, to look at.
    fn blank() -> &'static Self;
}

/// A value that is blank until it is first written: a pointer, and one allocation in the life of whoever holds it.
#[derive(Clone, Debug)]
pub(crate) struct Later<T>(Option<Box<T>>);

impl<T> Default for Later<T> {
    fn default() -> Self {
        Self(None)
    }
}

impl<T> Later<T> {
    pub(crate) const BLANK: Self = Self(None);

    /// Bytes on the heap, without what the value holds there itself.
    pub(crate) fn heap_len(&self) -> usize {
        self.0.as_ref().map_or(0, |_| size_of::<T>())
    }
}

impl<T: Blank> Later<T> {
    /// Blank again; the room is kept.
    pub(crate) fn clear(&mut self) {
        if let Some(value) = &mut self.0 {
            **value = T::BLANK;
        }
    }
}

impl<T: Blank> Deref for Later<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_deref().unwrap_or_else(|| T::blank())
    }
}

impl<T: Blank> DerefMut for Later<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.get_or_insert_with(|| Box::new(T::BLANK))
    }
}
