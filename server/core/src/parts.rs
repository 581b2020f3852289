//! How work on much text is shared among threads.

use std::sync::LazyLock;
use std::thread;

/// How work on much text is shared among threads.
#[derive(Debug, Clone, Copy)]
pub struct Parts {
    /// How many parts it has at most.
    pub most: usize,
    /// How many bytes each has at least.
    pub least: usize,
}

/// A part for each core that there is, of at least a megabyte: less is done before a thread has begun.
impl Default for Parts {
    fn default() -> Parts {
        static CORES: LazyLock<usize> =
            LazyLock::new(|| thread::available_parallelism().map_or(1, usize::from));
        Parts { most: (*CORES).min(4), least: 1 << 20 }
    }
}

impl Parts {
    /// How many parts so many bytes are to have; fewer than two where they are not to be shared.
    pub fn count(self, bytes: usize) -> usize {
        (bytes / self.least.max(1)).min(self.most)
    }
}
