//! Counts the bytes that a thread asks the allocator for.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static BYTES: Cell<usize> = const { Cell::new(0) };
}

/// The system's allocator, with a count.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn add(bytes: usize) {
    // A thread that ends may allocate after its count is gone.
    let _ = BYTES.try_with(|count| count.set(count.get() + bytes));
}

// SAFETY: everything is the system's allocator's; the count is a number.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size.saturating_sub(layout.size()));
        unsafe { System.realloc(at, layout, size) }
    }
}

/// What this thread has asked for since the last call of [`take`].
pub fn sum() -> usize {
    BYTES.get()
}

/// What this thread has asked for since the last call.
pub fn take() -> usize {
    BYTES.take()
}
