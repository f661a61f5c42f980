//! What is held on the heap, and how often the heap is asked, counted while a bench asks and at no other time: the peers of the other rows
//! allocate a lot, and one branch that never changes is all that they see of it.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicIsize, AtomicUsize, Ordering::Relaxed};

static COUNTS: AtomicBool = AtomicBool::new(false);
static HELD: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);
static CALLS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

/// `calls`: it is an allocation.
fn hold(bytes: isize, calls: bool) {
    if COUNTS.load(Relaxed) {
        let held = HELD.fetch_add(bytes, Relaxed) + bytes;
        MOST.fetch_max(held, Relaxed);
        CALLS.fetch_add(usize::from(calls), Relaxed);
    }
}

// SAFETY: every call is handed to the system's allocator as it came; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        hold(layout.size() as isize, true);
        // SAFETY: the caller keeps what `alloc` asks of its layout.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        hold(-(layout.size() as isize), false);
        // SAFETY: the pointer came from the system's allocator, with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        hold(new_size as isize - layout.size() as isize, true);
        // SAFETY: the pointer came from the system's allocator, with this layout.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What some work does to the heap.
#[allow(dead_code, reason = "not every bench asks for all of it")]
pub(crate) struct Counted {
    /// The bytes that its result holds.
    pub(crate) held: usize,
    /// The most that was held at once. A buffer that grows counts with its new size: the old one has moved, or grown in place.
    pub(crate) most: usize,
    pub(crate) allocations: usize,
}

pub(crate) fn count<T>(work: impl FnOnce() -> T) -> Counted {
    let before = HELD.load(Relaxed);
    MOST.store(before, Relaxed);
    CALLS.store(0, Relaxed);
    COUNTS.store(true, Relaxed);
    let made = work();
    COUNTS.store(false, Relaxed);
    let over = |bytes: isize| usize::try_from(bytes - before).unwrap_or(0);
    let counted =
        Counted { held: over(HELD.load(Relaxed)), most: over(MOST.load(Relaxed)), allocations: CALLS.load(Relaxed) };
    drop(made);
    counted
}
