//! What is held on the heap, counted while it is asked for and at no other time: the peers of the other rows allocate a lot, and one
//! branch that never changes is all that they see of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering::Relaxed};

static COUNTS: AtomicBool = AtomicBool::new(false);
static HELD: AtomicIsize = AtomicIsize::new(0);

struct Counting;

fn hold(bytes: isize) {
    if COUNTS.load(Relaxed) {
        HELD.fetch_add(bytes, Relaxed);
    }
}

// SAFETY: every call is handed to the system's allocator as it came; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size() as isize);
        // SAFETY: the caller keeps what `alloc` asks of its layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-(layout.size() as isize));
        // SAFETY: the pointer came from the system's allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        hold(new_size as isize - layout.size() as isize);
        // SAFETY: the pointer came from the system's allocator, with this layout.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The bytes that some work leaves on the heap.
pub(crate) fn held<T>(work: impl FnOnce() -> T) -> usize {
    COUNTS.store(true, Relaxed);
    let before = HELD.load(Relaxed);
    let made = work();
    let held = HELD.load(Relaxed) - before;
    COUNTS.store(false, Relaxed);
    drop(made);
    held.try_into().expect("more was made than was dropped")
}
