//! The edits that the client was asked for and has not answered: another one of the same files waits
//! for the answer.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Weak};

use operator_core::path::FilePath;
use tower_lsp::jsonrpc::Error;

use super::{Meaning, State};
use crate::lsp::context::{content_modified, request_failed};

/// The edits that are with the client.
#[derive(Default)]
pub struct Unanswered(Vec<Weak<Files>>);

/// An edit that is with the client, as long as somebody has this.
pub struct WithClient {
    _files: Arc<Files>,
}

/// The files that an edit changes, in the workspace with these folders.
struct Files {
    folders: Vec<PathBuf>,
    paths: BTreeSet<FilePath>,
}

impl Unanswered {
    /// A file of those that an edit is with the client for.
    fn find(&self, files: &Files) -> Option<FilePath> {
        let known = self.0.iter().filter_map(Weak::upgrade);
        let mut known = known.filter(|known| known.folders == files.folders);
        known.find_map(|known| known.paths.intersection(&files.paths).next().cloned())
    }

    fn add(&mut self, files: Files) -> WithClient {
        self.0.retain(|files| files.strong_count() > 0);
        let files = Arc::new(files);
        self.0.push(Arc::downgrade(&files));
        WithClient { _files: files }
    }
}

impl Files {
    fn of(meaning: &Meaning) -> Files {
        let (site, operations) = match meaning {
            Meaning::Nothing => return Files { folders: Vec::new(), paths: BTreeSet::new() },
            Meaning::Applied(sent) => (&sent.context.site, sent.works()),
            Meaning::Reversed(site, reversal) => (site, reversal.operation.works.clone()),
        };
        let transitions = operations.iter().flat_map(|work| &work.transitions);
        let paths = transitions.map(|it| it.path.clone()).collect();
        Files { folders: site.folders().to_vec(), paths }
    }
}

impl State {
    /// Notes that an edit is given to the client.
    ///
    /// # Errors
    /// The client has not answered to an edit of one of its files, which this one was made without;
    /// or what it is to do was done since it was made.
    pub(super) fn hold(&mut self, meaning: &Meaning) -> Result<WithClient, Error> {
        let files = Files::of(meaning);
        if let Some(path) = self.unanswered.find(&files) {
            let says = format!(
                "the editor has not answered to the last edit of {path} yet: finish it there, or cancel it"
            );
            return Err(request_failed(says));
        }
        if let Some(path) = self.shown_and_gone(meaning, &files) {
            let says =
                format!("the editor still shows {path}, which is gone: close it there first");
            return Err(request_failed(says));
        }
        if self.was_done(meaning) {
            return Err(content_modified("it was applied meanwhile"));
        }
        Ok(self.unanswered.add(files))
    }

    /// A document of the files of an edit that the client has not closed, though its file was deleted
    /// or moved: an edit that makes the file again would mix with what it shows.
    fn shown_and_gone(&self, meaning: &Meaning, files: &Files) -> Option<FilePath> {
        let site = match meaning {
            Meaning::Nothing => return None,
            Meaning::Applied(sent) => &sent.context.site,
            Meaning::Reversed(site, _) => site,
        };
        let shown = self.documents.keys().filter(|uri| site.file_of(uri).is_none());
        let mut shown = shown.filter_map(|uri| site.file(uri));
        shown.find(|file| {
            site.version(file).is_none() && files.paths.iter().any(|path| file.is_within(path))
        })
    }

    /// Whether a block of an edit was applied while the edit was made.
    fn was_done(&mut self, meaning: &Meaning) -> bool {
        let Meaning::Applied(sent) = meaning else { return false };
        let then = &sent.context.book().ledger;
        let transcript = sent.context.transcript();
        let now = self.shelf(&sent.context.site).ledger();
        sent.writes().any(|block| {
            let [then, now] =
                [then, now].map(|ledger| ledger.standing(&transcript, block.id, true).applied);
            now.is_some() && then.map(|by| by.operation) != now.map(|by| by.operation)
        })
    }
}
