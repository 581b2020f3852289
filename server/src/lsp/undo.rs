//! Taking back: what the server last had the client change, and whether nothing stands on it.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use operator_core::snapshot::FilePath;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Uri, WorkspaceEdit};

use super::carry_out::Sent;
use super::context::{Context, request_failed};
use super::proto::EditBuilder;
use super::sites::Site;

/// How many offers are remembered that the client has not carried out.
const MOST_OFFERS: usize = 256;
/// How much is remembered that the client says is done and does not show.
const MOST_SAID: usize = 16;
/// How many changes of its targets may go by before that is forgotten.
const MOST_CHANGES: usize = 64;
/// How many applies can be taken back, one after the other.
const MOST_DONE: usize = 32;

/// What was offered and what was done, newest last.
#[derive(Default)]
pub struct History {
    offered: VecDeque<Sent>,
    /// What the client says that it has done, and its open documents do not show yet.
    said: VecDeque<Said>,
    done: VecDeque<Sent>,
}

/// What the client says that it has done.
struct Said {
    number: u64,
    sent: Arc<Sent>,
    /// How often its targets have changed since.
    changes: usize,
    /// The workspace as it was each time, where nobody has looked yet.
    sites: Vec<Site>,
    /// Whether somebody looks.
    looking: bool,
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

    /// Notes what the client says that it has carried out, until its open documents show it.
    pub fn wait_for(&mut self, number: u64, sent: Sent, site: Site) {
        self.said.retain(|known| !known.sent.meets(&sent));
        let (sent, sites) = (Arc::new(sent), vec![site]);
        self.said.push_back(Said { number, sent, changes: 0, sites, looking: false });
        if self.said.len() > MOST_SAID {
            self.said.pop_front();
        }
    }

    /// Everything that the client says that it has carried out, with its transcript.
    pub fn said(&self) -> Vec<(u64, Uri)> {
        let said = self.said.iter();
        said.map(|it| (it.number, it.sent.context.document.uri.clone())).collect()
    }

    /// Whether that changes a file.
    pub fn touches(&self, number: u64, file: &FilePath) -> bool {
        self.said.iter().any(|said| said.number == number && said.sent.touches(file))
    }

    /// Has the workspace looked at as it is now; after many changes it is given up.
    pub fn look_at(&mut self, number: u64, site: Site) {
        if let Some(said) = self.said.iter_mut().find(|said| said.number == number) {
            said.changes += 1;
            said.sites.push(site);
        }
        self.said.retain(|said| said.changes <= MOST_CHANGES);
    }

    /// What is to be looked for and where, unless somebody looks already.
    pub fn start_looking(&mut self, number: u64) -> Option<(Arc<Sent>, Vec<Site>)> {
        let said = self.said.iter_mut().find(|said| said.number == number)?;
        if said.looking || said.sites.is_empty() {
            return None;
        }
        said.looking = true;
        Some((said.sent.clone(), std::mem::take(&mut said.sites)))
    }

    /// Notes that nobody looks any more; gives the transcript.
    pub fn stop_looking(&mut self, number: u64) -> Option<Uri> {
        let said = self.said.iter_mut().find(|said| said.number == number)?;
        said.looking = false;
        Some(said.sent.context.document.uri.clone())
    }

    /// Takes out what the client says that it has carried out.
    pub fn take_said(&mut self, number: u64) -> Option<Sent> {
        let at = self.said.iter().position(|said| said.number == number)?;
        self.said.remove(at).map(|said| Sent::clone(&said.sent))
    }

    /// Whether it is being looked for something.
    pub fn is_looking(&self) -> bool {
        self.said.iter().any(|said| said.looking)
    }

    /// Whether it is being looked for something of a transcript.
    pub fn is_looking_for(&self, transcript: &Uri) -> bool {
        self.said.iter().any(|it| it.looking && it.sent.context.document.uri == *transcript)
    }

    /// Notes what the client has carried out.
    pub fn push(&mut self, sent: Sent) {
        self.said.retain(|known| !known.sent.meets(&sent));
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
