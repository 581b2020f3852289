//! The edits that the client has made, for what is undone of them.

use std::collections::VecDeque;
use std::sync::Arc;

use operator_core::ledger::{Operation, Work};

use super::apply::PendingApply;

/// How many edits are remembered.
const MAX_MADE: usize = 32;

/// The edits that the client has made, the newest last.
#[derive(Default)]
pub struct MadeEdits(VecDeque<Arc<PendingApply>>);

impl MadeEdits {
    /// Notes an edit that the client has made.
    pub fn push(&mut self, sent: Arc<PendingApply>) {
        self.0.push_back(sent);
        if self.0.len() > MAX_MADE {
            self.0.pop_front();
        }
    }

    /// Whether an edit was made.
    pub fn has(&self, sent: &PendingApply) -> bool {
        sent.number.is_some() && self.0.iter().any(|made| made.number == sent.number)
    }

    /// Takes out the edit that has applied these blocks of a transcript, the newest first.
    pub fn take(&mut self, operation: &Operation) -> Option<Arc<PendingApply>> {
        let blocks = |works: &[Work]| works.iter().map(|work| work.block).collect::<Vec<_>>();
        let wanted = blocks(&operation.works);
        let is_it = |sent: &Arc<PendingApply>| {
            sent.context.transcript() == operation.transcript && blocks(&sent.works()) == wanted
        };
        let at = self.0.iter().rposition(is_it)?;
        self.0.remove(at)
    }

    /// The edit that was made last.
    pub fn last(&self) -> Option<&PendingApply> {
        self.0.back().map(|sent| &**sent)
    }
}
