//! How much work a plan may take, so that a short command cannot keep a core busy for an hour.

use std::cell::Cell;

use super::Issue;
use crate::limits::Limits;
use crate::problem::PLAN_TOO_MUCH_WORK;
use crate::spec::FieldRole;

/// What a match costs beside the bytes that are searched, in bytes.
const MATCH: usize = 32;
/// So many matches are counted together.
const STRETCH: usize = 4096;

/// What a plan has searched and copied so far, in bytes.
pub(super) struct Work<'a> {
    limits: &'a Limits,
    done: Cell<usize>,
}

impl<'a> Work<'a> {
    /// A plan that has done nothing yet.
    pub(super) fn new(limits: &'a Limits) -> Work<'a> {
        Work { limits, done: Cell::new(0) }
    }

    /// Notes that so many bytes are searched or copied for what is in `field`.
    pub(super) fn add(&self, bytes: usize, field: FieldRole) -> Result<(), Box<Issue>> {
        self.go_on(field)?;
        let limit = self.limits.work_bytes;
        self.done.set(self.done.get().saturating_add(bytes));
        if self.done.get() <= limit {
            return Ok(());
        }
        let message = format!(
            "this command would search and copy more than {limit} bytes; split it, or write the \
             file whole"
        );
        Err(Issue::new(PLAN_TOO_MUCH_WORK, field, message).detail("limit", limit))
    }

    /// Notes the `count`-th match of a text that was searched for.
    pub(super) fn add_match(&self, count: usize, field: FieldRole) -> Result<(), Box<Issue>> {
        match count % STRETCH {
            0 => self.add(STRETCH * MATCH, field),
            _ => Ok(()),
        }
    }

    /// Fails where nobody waits for the plan any more.
    pub(super) fn go_on(&self, field: FieldRole) -> Result<(), Box<Issue>> {
        if self.limits.cancel.is_cancelled() {
            return Err(Issue::new(PLAN_TOO_MUCH_WORK, field, "this was cancelled"));
        }
        Ok(())
    }
}
