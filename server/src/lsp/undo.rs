//! Taking back: what the server last had the client change, and whether nothing stands on it.

use std::collections::{HashSet, VecDeque};

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::WorkspaceEdit;

use super::carry_out::Sent;
use super::context::{Context, request_failed};
use super::proto::EditBuilder;

/// How many offers are remembered that the client has not carried out.
const MOST_OFFERS: usize = 256;
/// How much is remembered that the client says is done and does not show.
const MOST_SAID: usize = 16;
/// How many changes of its targets may go by before that is forgotten.
const MOST_LOOKS: usize = 64;
/// How many applies can be taken back, one after the other.
const MOST_DONE: usize = 32;

/// What was offered and what was done, newest last.
#[derive(Default)]
pub struct History {
    offered: VecDeque<Sent>,
    /// What the client says that it has done, and its open documents do not show yet, with how
    /// often that was looked at.
    said: VecDeque<(Sent, usize)>,
    done: VecDeque<Sent>,
}

impl History {
    /// Notes an edit that the client may carry out by itself.
    pub fn offer(&mut self, sent: Sent) {
        self.offered.retain(|known| known.digest != sent.digest);
        self.offered.push_back(sent);
        if self.offered.len() > MOST_OFFERS {
            self.offered.pop_front();
        }
    }

    /// Takes out the offer of that digest.
    pub fn accept(&mut self, digest: &str) -> Option<Sent> {
        let at = self.offered.iter().position(|sent| sent.digest.as_deref() == Some(digest))?;
        self.offered.remove(at)
    }

    /// Notes what the client says that it has carried out, until its open documents show it;
    /// `looks` is how often they did not.
    pub fn wait_for(&mut self, sent: Sent, looks: usize) {
        if looks > MOST_LOOKS {
            return;
        }
        self.said.retain(|(known, _)| !known.meets(&sent));
        self.said.push_back((sent, looks));
        if self.said.len() > MOST_SAID {
            self.said.pop_front();
        }
    }

    /// Takes out everything that the client says that it has carried out.
    pub fn take_said(&mut self) -> VecDeque<(Sent, usize)> {
        std::mem::take(&mut self.said)
    }

    /// Notes what the client has carried out.
    pub fn push(&mut self, sent: Sent) {
        self.said.retain(|(known, _)| !known.meets(&sent));
        self.done.push_back(sent);
        if self.done.len() > MOST_DONE {
            self.done.pop_front();
        }
    }

    /// What was carried out last.
    pub fn last(&self) -> Option<&Sent> {
        self.done.back()
    }

    /// Forgets what was carried out last, since it is taken back.
    pub fn pop(&mut self) -> Option<Sent> {
        self.done.pop_back()
    }
}

/// The edit that takes back what was sent; `now` is the workspace as it is by now.
///
/// # Errors
/// Where something has changed since, or what was deleted was no text.
pub fn take_back(sent: &Sent, now: &Context) -> Result<WorkspaceEdit> {
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
