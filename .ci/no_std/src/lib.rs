//! A final artifact with a panic handler of its own: it only builds while nothing below it links the standard library,
//! which would bring a second one (`found duplicate lang item`).
#![no_std]

use core::alloc::{GlobalAlloc, Layout};

use thusfar_core as _;
use thusfar_stream as _;

struct NoMemory;

// SAFETY: it never hands out memory, and so is never asked to take any back.
unsafe impl GlobalAlloc for NoMemory {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        core::ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static ALLOCATOR: NoMemory = NoMemory;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}
