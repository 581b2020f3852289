//! Counts, in tests alone, what a scan looks at: how its cost grows is held by counting, which no
//! slow machine disturbs.

#[cfg(test)]
thread_local! {
    static DONE: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Notes that so many bytes, items or entries were looked at.
#[inline]
pub(crate) fn add(amount: usize) {
    #[cfg(test)]
    DONE.set(DONE.get() + amount);
    #[cfg(not(test))]
    let _ = amount;
}

/// What was looked at since the last call.
#[cfg(test)]
pub(crate) fn take() -> usize {
    DONE.take()
}
