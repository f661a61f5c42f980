//! An allocator that counts, for the tests of costs: the calls of each thread, the bytes asked for, the bytes held.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting the calls of each thread and the bytes that it holds.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static TAKEN: Cell<usize> = const { Cell::new(0) };
    static HELD: Cell<isize> = const { Cell::new(0) };
    static MOST: Cell<isize> = const { Cell::new(0) };
}

/// One more call, for so many bytes. While a thread ends there is nothing left to count with.
fn count(bytes: usize) {
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
    let _ = TAKEN.try_with(|taken| taken.set(taken.get() + bytes));
}

/// So many bytes more, or less. What one thread frees of another's is not told apart.
fn hold(bytes: isize) {
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: every call is handed to the system's allocator as it came; counting does not allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
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
        count(new_size);
        hold(new_size as isize - layout.size() as isize);
        // SAFETY: the pointer came from the system's allocator, with this layout.
        unsafe { System.realloc(pointer, layout, new_size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// How many allocations some work makes on this thread, and how many bytes they ask for: a buffer that grows asks for all
/// of its new size.
pub(crate) fn taken(work: impl FnOnce()) -> (usize, usize) {
    let before = (COUNT.with(Cell::get), TAKEN.with(Cell::get));
    work();
    (COUNT.with(Cell::get) - before.0, TAKEN.with(Cell::get) - before.1)
}

/// What some work leaves on this thread's heap, in bytes, and its result.
pub(crate) fn held<T>(work: impl FnOnce() -> T) -> (isize, T) {
    let before = HELD.with(Cell::get);
    let made = work();
    (HELD.with(Cell::get) - before, made)
}

/// The most that some work holds on this thread's heap at once, in bytes, and its result. A buffer that grows counts as its new size
/// alone: the old one may lie beside it while it is copied, where the allocator cannot make it longer or move its pages.
pub(crate) fn peak<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = HELD.with(Cell::get);
    MOST.with(|most| most.set(before));
    let made = work();
    (MOST.with(Cell::get).abs_diff(before), made)
}

#[test]
fn a_counted_allocation() {
    let grow = || {
        let mut bytes = Vec::<u8>::with_capacity(9);
        bytes.reserve_exact(20);
    };
    assert_eq!(taken(grow), (2, 29), "the counter counts");
    let (bytes, _kept) = held(|| Vec::<u8>::with_capacity(9));
    assert_eq!((bytes, held(|| drop(vec![1_u8])).0), (9, 0));
    assert_eq!(peak(|| drop((grow(), vec![1_u8; 30]))).0, 30, "the first is gone when the second comes");
}
