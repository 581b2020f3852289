//! What the editor shows of files as it goes on: unsaved changes that other programs are told of, and
//! files that it is to reload since another program has changed them.

use std::path::PathBuf;

use operator_core::path::{FilePath, State as FileState};
use operator_core::snapshot::Snapshot;
use tower_lsp::ls_types::Uri;

use super::State;

/// What has happened to a file that may not be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// Its text has changed, in the editor or on disk.
    Changed,
    Saved,
    Closed,
}

impl State {
    /// The editor shows another text of a document, or has saved or closed it. Gives whether that was
    /// waited for, as another program had changed the file.
    pub(super) fn mark_shown(&mut self, uri: &Uri, since: Since) -> bool {
        let mut is_reloaded = false;
        for (site, file) in self.sites.with_file(uri) {
            let shown = || (since != Since::Closed).then(|| site.view().state(file).ok())?;
            let Some(shelf) = self.shelves.get_mut(site.folders()) else { continue };
            if shelf.mark_shown(file) {
                let (workspace, file) = (site.workspace().clone(), file.clone());
                self.recorder.then(move || workspace.forget_left(&file));
            }
            is_reloaded |= shelf.reload(file, since == Since::Saved, shown);
            if shelf.is_to_reload(file) {
                // Somebody may type in it before a review looks; what comes first is told first.
                let (site, file, events) = (site.clone(), file.clone(), self.events.clone());
                let (folders, head) = (site.folders().to_vec(), shelf.ledger().head(&file));
                self.recorder.then(move || {
                    let view = site.view();
                    let typed = match (view.is_reloaded(&file), view.state(&file)) {
                        (true, _) => None,
                        (false, Ok(typed)) => Some(typed),
                        (false, Err(_)) => return,
                    };
                    if let Some(events) = events.upgrade() {
                        let _ = events.send(super::Event::Shown { folders, file, typed, head });
                    }
                });
            }
        }
        is_reloaded
    }

    /// The editor has shown a file as somebody has typed in it, which it is to reload, where the ledger
    /// said that `head` is there.
    pub(super) fn typed_over(
        &mut self,
        folders: &[PathBuf],
        file: &FilePath,
        typed: FileState,
        head: Option<FileState>,
    ) {
        let shelf = self.shelves.get_mut(folders);
        if let Some(shelf) = shelf.filter(|shelf| shelf.ledger().head(file) == head) {
            shelf.note_typed(file, typed);
        }
    }

    /// The editor has shown a file as it was on disk then, where the ledger said that `head` is there.
    pub(super) fn reloaded(
        &mut self,
        folders: &[PathBuf],
        file: &FilePath,
        head: Option<FileState>,
    ) {
        let Some(shelf) = self.shelves.get_mut(folders) else { return };
        // Another program may have changed it once more.
        if !shelf.is_to_reload(file) || shelf.ledger().head(file) != head {
            return;
        }
        shelf.mark_reloaded(file);
        for transcript in self.transcripts() {
            if self.sites.folders_of(&transcript) == Some(folders)
                && let Some(slot) = self.slot(&transcript)
            {
                slot.forget(file);
                slot.dirty = true;
            }
        }
    }

    /// Of a file with changes of blocks that were not saved: tells other programs whether they are
    /// saved, closed, or undone by now, and may look at it, or whether the editor shows them again.
    pub(super) fn tell_unsaved(&self, uri: &Uri, since: Since) {
        // Before anything was written, nothing was told either.
        if !self.recorder.has_begun() {
            return;
        }
        for (site, file) in self.sites.with_file(uri) {
            let (site, file) = (site.clone(), file.clone());
            self.recorder.then(move || {
                let is_unsaved = || since != Since::Closed && site.view().is_unsaved(&file);
                site.workspace().tell_again(&file, since != Since::Changed, is_unsaved);
            });
        }
    }
}
