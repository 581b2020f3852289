//! What is at a place before and after a change.

use crate::path::{FilePath, State};

/// A file or directory that a command acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where it is.
    pub path: FilePath,
    /// What is there in the snapshot.
    pub before: State,
    /// What is there when the plan is done.
    pub after: State,
}

impl Target {
    /// Whether the plan leaves something else there.
    pub fn changes(&self) -> bool {
        self.before != self.after
    }
}
