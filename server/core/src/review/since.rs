//! The workspace as a block sees it that was written for files as they were when it came in.

use super::book::Base;
use crate::edit::whole_hunk;
use crate::path::FilePath;
use crate::snapshot::{Layer, Snapshot};

/// A snapshot that knows where lines are now whose numbers a block states.
pub struct Since<'a> {
    /// What the block is planned on.
    pub inner: &'a dyn Snapshot,
    /// The workspace without what earlier blocks are about to do.
    pub now: &'a dyn Snapshot,
    /// The base of the block, where it is known.
    pub base: Option<Base<'a>>,
}

impl Layer for Since<'_> {
    fn inner(&self) -> &dyn Snapshot {
        self.inner
    }

    fn line_now(&self, path: &FilePath, line: usize) -> Option<usize> {
        let state = |snapshot: &dyn Snapshot| snapshot.state(path).ok();
        let (planned, now) = (state(self.inner)?, state(self.now)?);
        let mut changes = match self.base {
            Some(base) => base.lines_since(path, now)?,
            None => Vec::new(),
        };
        if planned != now {
            let (before, after) = (self.now.read(path).ok()?, self.inner.read(path).ok()?);
            changes.extend(whole_hunk(&before.text, &after.text));
        }
        changes.iter().try_fold(line, |line, change| change.line_after(line))
    }
}
