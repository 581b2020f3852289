//! How much is kept of what was done in a workspace.

use std::time::Duration;

/// How much is kept. What is over it goes, the oldest first, but not what was there before the
/// last change of some file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    /// How many operations can be undone or redone.
    pub(super) operations: usize,
    /// How many bytes their old contents have together.
    pub(super) bytes: u64,
    /// How many bytes those have together that otherwise would never go.
    pub(super) most_bytes: u64,
    /// How old they are.
    pub(super) age: Duration,
    /// How many operations the ledger tells of. Twice as many are the most before those that are
    /// too old go.
    pub(super) told: usize,
    /// How many folders are kept that `undo --skip-changed` has put aside.
    pub(super) aside: usize,
}

impl Bounds {
    /// What holds for every workspace.
    pub(super) const USUAL: Bounds = Bounds {
        operations: 200,
        bytes: 256 << 20,
        most_bytes: 1 << 30,
        age: Duration::from_secs(90 * 24 * 60 * 60),
        told: 10_000,
        aside: 20,
    };
}
