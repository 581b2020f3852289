//! What the editor shows of files as it goes on: unsaved changes that other programs are told of, and
//! files that it is to reload since another program has changed them.

use std::path::PathBuf;

use operator_core::path::{FilePath, State as FileState};
use operator_core::snapshot::Snapshot;
use tokio::sync::mpsc::WeakUnboundedSender;
use tower_lsp::ls_types::Uri;

use super::State;
use crate::lsp::event::{Event, Shown};
use crate::lsp::recorder::Recorder;
use crate::lsp::shelf::Shelf;
use crate::lsp::sites::Site;

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
            if since == Since::Saved
                && let Some(saved) = shown()
            {
                shelf.note_saved(file, saved);
            }
            is_reloaded |= shelf.reload(file, since == Since::Saved, shown);
            match since {
                Since::Closed => shelf.forget_loaded(file),
                _ => look_at(site, file, shelf, &self.recorder, &self.events),
            }
        }
        is_reloaded
    }

    /// Looks at what the editor shows of the files that it is to reload: somebody may have typed in
    /// them before that was known.
    pub(super) fn look_at_unread(&self, site: &Site) {
        let Some(shelf) = self.shelves.get(site.folders()) else { return };
        for file in shelf.to_reload() {
            look_at(site, file, shelf, &self.recorder, &self.events);
        }
    }

    /// The editor has shown another text of a file.
    pub(super) fn shown(&mut self, shown: &Shown) {
        let Shown { folders, file, text, is_on_disk, head } = shown;
        let is_open = self.sites.open_files(folders).contains(file);
        let Some(shelf) = self.shelves.get_mut(folders).filter(|_| is_open) else { return };
        if *is_on_disk {
            shelf.note_loaded(file, *text);
        }
        if !shelf.is_to_reload(file) {
            return;
        }
        let now = shelf.ledger().head(file);
        match *is_on_disk {
            _ if now == Some(*text) => self.mark_reloaded(folders, file),
            // Another program may have changed it once more.
            _ if now != *head => {}
            true => self.mark_reloaded(folders, file),
            false => shelf.note_typed(file, *text),
        }
    }

    /// A review has found that the editor shows a file as it is on disk, where the ledger said that
    /// `head` is there.
    pub(super) fn reloaded(
        &mut self,
        folders: &[PathBuf],
        file: &FilePath,
        head: Option<FileState>,
    ) {
        let shelf = self.shelves.get(folders);
        // Another program may have changed it once more.
        if shelf.is_some_and(|it| it.is_to_reload(file) && it.ledger().head(file) == head) {
            self.mark_reloaded(folders, file);
        }
    }

    fn mark_reloaded(&mut self, folders: &[PathBuf], file: &FilePath) {
        if let Some(shelf) = self.shelves.get_mut(folders) {
            shelf.mark_reloaded(file);
        }
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

/// Has the loop told what the editor shows of a file now, where that is on disk or the editor is to
/// reload the file. Somebody may type in it before a review looks; what comes first is told first.
fn look_at(
    site: &Site,
    file: &FilePath,
    shelf: &Shelf,
    recorder: &Recorder,
    events: &WeakUnboundedSender<Event>,
) {
    let (is_to_reload, head) = (shelf.is_to_reload(file), shelf.ledger().head(file));
    let (site, file, events) = (site.clone(), file.clone(), events.clone());
    recorder.then(move || {
        let (view, folders) = (site.view(), site.folders().to_vec());
        let is_on_disk = match is_to_reload {
            true => view.is_reloaded(&file),
            false => view.is_open(&file) && !view.is_unsaved(&file),
        };
        if (is_to_reload || is_on_disk)
            && let Ok(text) = view.state(&file)
            && let Some(events) = events.upgrade()
        {
            let _ = events.send(Event::Shown(Shown { folders, file, text, is_on_disk, head }));
        }
    });
}
