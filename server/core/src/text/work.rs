//! Counts, in tests and for the fuzzer alone, what a scan looks at: how its cost grows is held by
//! counting, which no slow machine disturbs.

#[cfg(any(test, feature = "counted"))]
thread_local! {
    static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Notes that so many bytes, items or entries were looked at.
#[inline]
pub(crate) fn add(amount: usize) {
    #[cfg(any(test, feature = "counted"))]
    DONE.set(DONE.get() + amount);
    #[cfg(not(any(test, feature = "counted")))]
    let _ = amount;
}

/// What was looked at since the last call.
#[cfg(any(test, feature = "counted"))]
pub fn take() -> usize {
    DONE.take()
}
