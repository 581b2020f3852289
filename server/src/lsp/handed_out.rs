//! Edits that were given to the client: those that it may make, and those that it has made.

use std::collections::VecDeque;

use operator_core::ledger::{Operation, Work};

use super::apply::PendingApply;

/// How many edits are remembered that the client has not made.
const MAX_OPEN: usize = 256;
/// How many edits are remembered that the client has made.
const MAX_MADE: usize = 32;

/// What was given to the client and what it has made, the newest last.
#[derive(Default)]
pub struct HandedOut {
    open: VecDeque<PendingApply>,
    made: VecDeque<PendingApply>,
}

impl HandedOut {
    /// Notes an edit that the client may make; one for the same action takes its place.
    pub fn push(&mut self, sent: PendingApply) {
        self.open.retain(|known| known.digest.is_none() || known.digest != sent.digest);
        self.open.push_back(sent);
        if self.open.len() > MAX_OPEN {
            self.open.pop_front();
        }
    }

    /// Takes out the edit of the action with that digest.
    pub fn take_action(&mut self, digest: &str) -> Option<PendingApply> {
        let at = self.open.iter().position(|sent| sent.digest.as_deref() == Some(digest))?;
        self.open.remove(at)
    }

    /// Takes out the edit with that number.
    pub fn take(&mut self, number: u64) -> Option<PendingApply> {
        let at = self.open.iter().position(|sent| sent.number == Some(number))?;
        self.open.remove(at)
    }

    /// Notes an edit that the client has made.
    pub fn made(&mut self, sent: PendingApply) {
        self.made.push_back(sent);
        if self.made.len() > MAX_MADE {
            self.made.pop_front();
        }
    }

    /// Takes out the edit that has applied these blocks of a transcript, the newest first.
    pub fn take_made(&mut self, operation: &Operation) -> Option<PendingApply> {
        let blocks = |works: &[Work]| works.iter().map(|work| work.block).collect::<Vec<_>>();
        let wanted = blocks(&operation.works);
        let is_it = |sent: &PendingApply| {
            sent.context.transcript() == operation.transcript && blocks(&sent.works()) == wanted
        };
        let at = self.made.iter().rposition(is_it)?;
        self.made.remove(at)
    }

    /// The edit that was made last.
    pub fn last(&self) -> Option<&PendingApply> {
        self.made.back()
    }
}
