//! Scans a large text in parts, each in a thread of its own.

use std::sync::LazyLock;
use std::thread;

use super::edited::FoundSoFar;
use super::pass::Pass;
use super::{Scan, is_too_large};
use crate::dialect::Dialects;
use crate::limits::Limits;
use crate::text::Text;

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
    /// How many parts so many bytes are to have.
    pub fn count(self, bytes: usize) -> usize {
        (bytes / self.least.max(1)).min(self.most)
    }
}

impl Scan {
    /// Finds everything in `text`. All but its first part is scanned at the same time as if it were a
    /// text of its own. What the first part has is then put before that as an edit would be, so that the
    /// result is that of one scan.
    pub(super) fn in_parts(
        text: &Text,
        dialects: &Dialects,
        limits: &Limits,
        parts: Parts,
    ) -> Scan {
        let whole = || Scan::until(text, dialects, limits, |_| false);
        let count = parts.count(text.len());
        if count < 2 || is_too_large(text, limits) {
            return whole();
        }
        let at = text.line_start_of(text.len() / count);
        let rest = || {
            let parts = Parts { most: count - 1, ..parts };
            Scan::in_parts(&text.rest(at), dialects, limits, parts)
        };
        thread::scope(|scope| {
            // Where no thread can be started, one goes through all of it.
            let Ok(rest) = thread::Builder::new().spawn_scoped(scope, rest) else { return whole() };
            let mut pass = Pass::new(text, dialects, limits, 0, Default::default());
            let mut found = FoundSoFar::default();
            found.add(&mut pass, at, limits.blocks);
            match rest.join() {
                Ok(mut scan) => {
                    scan.put_first(pass, found, text, at, dialects.looks_back());
                    scan
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        })
    }
}
