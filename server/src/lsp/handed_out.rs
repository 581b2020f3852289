//! Edits that were given to the client: those that it may make, and those that it has made.

use std::collections::{HashSet, VecDeque};

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::WorkspaceEdit;

use super::carry_out::Sent;
use super::context::{Context, request_failed};
use super::proto::EditBuilder;

/// How many edits are remembered that the client has not made.
const MOST_OPEN: usize = 256;
/// How many edits can be undone, one after the other.
const MOST_MADE: usize = 32;

/// What was given to the client and what it has made, the newest last.
#[derive(Default)]
pub struct HandedOut {
    open: VecDeque<Sent>,
    made: VecDeque<Sent>,
}

impl HandedOut {
    /// Notes an edit that the client may make; one for the same action takes its place.
    pub fn push(&mut self, sent: Sent) {
        self.open.retain(|known| known.digest.is_none() || known.digest != sent.digest);
        self.open.push_back(sent);
        if self.open.len() > MOST_OPEN {
            self.open.pop_front();
        }
    }

    /// Takes out the edit of the action with that digest.
    pub fn take_action(&mut self, digest: &str) -> Option<Sent> {
        let at = self.open.iter().position(|sent| sent.digest.as_deref() == Some(digest))?;
        self.open.remove(at)
    }

    /// Takes out the edit with that number.
    pub fn take(&mut self, number: u64) -> Option<Sent> {
        let at = self.open.iter().position(|sent| sent.number == Some(number))?;
        self.open.remove(at)
    }

    /// Notes an edit that the client has made.
    pub fn made(&mut self, sent: Sent) {
        self.made.push_back(sent);
        if self.made.len() > MOST_MADE {
            self.made.pop_front();
        }
    }

    /// The edit that was made last.
    pub fn last(&self) -> Option<&Sent> {
        self.made.back()
    }

    /// Forgets the edit that was made last, since it was undone.
    pub fn pop(&mut self) -> Option<Sent> {
        self.made.pop_back()
    }
}

/// The edit that undoes another; `now` is the workspace as it is by now.
///
/// # Errors
/// Where something has changed since, or what was deleted was no text.
pub fn reverse(sent: &Sent, now: &Context) -> Result<WorkspaceEdit> {
    let Some(inverse) = &sent.inverse else {
        return Err(request_failed("what was deleted was no text: it cannot be taken back here"));
    };
    if !inverse.is_untouched(&now.site.view()) {
        return Err(request_failed(
            "a file has changed since the last apply (or is not saved where the server can see \
             it): nothing is taken back",
        ));
    }
    let session = &now.session;
    let mut builder = EditBuilder::new(&session.client, session.config.confirm, &now.site);
    builder.changes(&inverse.changes, &HashSet::new()).map_err(request_failed)?;
    builder.finish("Undo the last apply").map_err(request_failed)
}
