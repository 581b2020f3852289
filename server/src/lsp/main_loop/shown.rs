//! What the editor shows of files as it goes on: unsaved changes that other programs are told of, and
//! files that it is to reload since another program has changed them.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use operator_core::path::{FilePath, State as FileState};
use operator_core::snapshot::Snapshot;
use operator_core::text::Text;
use tokio::sync::mpsc::WeakUnboundedSender;
use tower_lsp::ls_types::Uri;

use super::State;
use crate::lsp::context::Published;
use crate::lsp::event::Event;
use crate::lsp::recorder::Recorder;
use crate::lsp::shelf::{Shelf, Shown};
use crate::lsp::sites::Site;
use crate::workspace::{LastLoaded, OpenDocument};

/// How long an editor takes at most between its write of a file and the notification that it is saved,
/// where somebody has typed just before the write. A person does not save so soon what was reloaded.
const SAVE_DELAY: Duration = Duration::from_millis(100);

/// What has happened to a file that may not be saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Since {
    /// The editor has begun to show it.
    Opened,
    /// Its text has changed, in the editor or on disk.
    Changed,
    Saved,
    Closed,
}

impl State {
    /// The editor shows another text of a document, or has saved or closed it. Gives whether that was
    /// waited for, as another program had changed the file.
    pub(super) fn mark_shown(&mut self, uri: &Uri, since: Since) -> bool {
        if since == Since::Saved {
            self.end_doubts(uri);
        }
        let mut is_reloaded = false;
        for (site, file) in self.sites.with_file(uri) {
            let shown = || (since != Since::Closed).then(|| site.view().state(file).ok())?;
            let Some(shelf) = self.shelves.get_mut(site.folders()) else {
                look_at(site, file, None, &self.recorder, &self.published, &self.events);
                continue;
            };
            let was_left = shelf.mark_shown(file);
            match since {
                Since::Opened if !was_left => shelf.note_opened(file),
                _ => shelf.note_changed(file),
            }
            if was_left {
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
                Since::Closed => {
                    shelf.forget_loaded(file);
                    let (workspace, file) = (site.workspace().clone(), file.clone());
                    self.recorder.then(move || workspace.tell_loaded(&file, None));
                }
                _ => {
                    look_at(site, file, Some(shelf), &self.recorder, &self.published, &self.events)
                }
            }
        }
        is_reloaded
    }

    /// The editor has saved a document. What it had shown on disk before, it had loaded.
    fn end_doubts(&mut self, uri: &Uri) {
        let in_doubt = self.sites.with_file(uri).filter_map(|(site, file)| {
            let shelf = self.shelves.get(site.folders())?;
            let shown = shelf.loaded_before(file, site.view().state(file).ok()?)?;
            Some((site.folders().to_vec(), shown))
        });
        for (folders, shown) in in_doubt.collect::<Vec<_>>() {
            self.end_doubt(&folders, &shown);
        }
    }

    /// Looks at what the editor shows of the files that it is to reload: that may be on disk by now.
    pub(super) fn look_at_unread(&mut self, folders: &[PathBuf]) {
        let Some(transcript) = self.transcript_in(folders) else { return };
        let site = self.sites.of(&transcript);
        let Some(shelf) = self.shelves.get(folders) else { return };
        for file in shelf.to_reload() {
            look_at(&site, file, Some(shelf), &self.recorder, &self.published, &self.events);
        }
    }

    /// A review has found that the editor shows a file as the ledger says, where that was `head`.
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

    /// The editor has shown another text of a file.
    pub(super) fn shown(&mut self, folders: &[PathBuf], shown: &Shown) {
        let Shown { file, text, on_disk, head, .. } = shown;
        // Who does not tell of saves may have put there anything that it has shown.
        if let Some(on_disk) = on_disk.filter(|_| !self.session.client.silent_saves) {
            self.sites.note_loaded(folders, file, on_disk);
        }
        let is_open = self.sites.open_files(folders).contains(file);
        let Some(shelf) = self.shelves.get_mut(folders).filter(|_| is_open) else { return };
        if on_disk.is_none() {
            return shelf.note_typed(file, *text);
        }
        if let Some(before) = shelf.loaded_before(file, *text) {
            self.end_doubt(folders, &before);
        }
        let Some(shelf) = self.shelves.get_mut(folders) else { return };
        shelf.note_loaded(file, *text);
        self.tell_loaded(folders, file);
        let Some(shelf) = self.shelves.get_mut(folders) else { return };
        let now = shelf.ledger().head(file);
        // Another program may have changed it once more.
        if !shelf.is_to_reload(file) || now != *head && now != Some(*text) {
            return;
        }
        // Another editor may show what it has not saved, one whose server has ended, too.
        if (shelf.is_left(file) || shelf.is_unsaved(file)) && now != Some(*text) {
            return;
        }
        if shelf.is_certain(shown) {
            self.take_loaded(folders, shown);
        } else if shelf.wait_for_save(shown) {
            // What the editor has loaded is not known if this server ends before.
            self.tell_next(folders, file, None);
            let (folders, shown, events) = (folders.to_vec(), shown.clone(), self.events.clone());
            tokio::spawn(async move {
                tokio::time::sleep(SAVE_DELAY).await;
                if let Some(events) = events.upgrade() {
                    let _ = events.send(Event::NotSaved(folders, shown));
                }
            });
        }
    }

    /// Has the next server know what the editor has loaded of a file, or has saved.
    pub(super) fn tell_loaded(&mut self, folders: &[PathBuf], file: &FilePath) {
        let loaded = self.shelves.get(folders).and_then(|shelf| shelf.last_loaded(file));
        if loaded.is_some() {
            self.tell_next(folders, file, loaded);
        }
    }

    fn tell_next(&mut self, folders: &[PathBuf], file: &FilePath, loaded: Option<LastLoaded>) {
        if let Some(transcript) = self.transcript_in(folders) {
            let workspace = self.sites.of(&transcript).workspace().clone();
            let file = file.clone();
            self.recorder.then(move || workspace.tell_loaded(&file, loaded));
        }
    }

    /// The editor has not said for a while that it has saved a text that it has shown on disk: it has
    /// loaded it.
    pub(super) fn not_saved(&mut self, folders: &[PathBuf], shown: &Shown) {
        // Another program may have changed it before, of which the ledger tells by now.
        let is_early = self.shelves.get(folders).is_some_and(|shelf| shelf.is_early(shown));
        match is_early {
            true => {
                let shelf = self.shelves.get_mut(folders);
                shelf.into_iter().for_each(|shelf| shelf.end_wait(&shown.file));
                self.look_again_in(folders, &[]);
            }
            false => self.end_doubt(folders, shown),
        }
    }

    /// The editor has loaded a text that it has shown on disk.
    fn end_doubt(&mut self, folders: &[PathBuf], shown: &Shown) {
        let Some(shelf) = self.shelves.get_mut(folders) else { return };
        let Shown { file, head, .. } = shown;
        shelf.end_wait(file);
        if !shelf.is_to_reload(file) {
            return;
        }
        match shelf.ledger().head(file) == *head {
            true => self.take_loaded(folders, shown),
            // Another program has changed it once more.
            false => self.look_at_unread(folders),
        }
    }

    /// The editor has reloaded a file, or saved it over what another program has done. It may show
    /// another text by now, and no review would see this one.
    fn take_loaded(&mut self, folders: &[PathBuf], Shown { file, text, .. }: &Shown) {
        self.mark_reloaded(folders, file);
        let Some(transcript) = self.transcript_in(folders) else { return };
        let site = self.sites.of(&transcript);
        let shelf = self.shelf(&site);
        // Half of an edit may look like a redo.
        if shelf.expects_change(file) {
            return;
        }
        let then = shelf.ledger().clone();
        let events = match site.view().state(file) == Ok(*text) {
            true => shelf.see_redo(file, Some(*text)),
            false => shelf.see_loaded(file, *text),
        };
        self.happened(&site, &transcript, &events, &then);
    }

    /// The editor has shown a text since a review began that tells now that changes of the file were undone:
    /// nobody knew before that they can be redone.
    pub(super) fn see_shown(&mut self, uri: &Uri, site: &Site, file: &FilePath, text: Text) {
        let shelf = self.shelf(site);
        // Half of an edit may look like a redo.
        if shelf.expects_change(file) || shelf.is_new(file) || !site.view().is_open(file) {
            return;
        }
        let then = shelf.ledger().clone();
        let shown = [(file.clone(), OpenDocument::Text(text))].into_iter().collect();
        let state = site.workspace().view(Arc::new(shown)).state(file).ok();
        let events = shelf.see_reversed(file, state);
        self.happened(site, uri, &events, &then);
    }

    fn mark_reloaded(&mut self, folders: &[PathBuf], file: &FilePath) {
        if let Some(shelf) = self.shelves.get_mut(folders) {
            shelf.mark_reloaded(file);
        }
        self.look_again_in(folders, std::slice::from_ref(file));
        self.tell_loaded(folders, file);
    }

    /// Has the transcripts of a workspace reviewed again, and some files looked at again.
    pub(super) fn look_again_in(&mut self, folders: &[PathBuf], files: &[FilePath]) {
        for transcript in self.transcripts_in(folders) {
            if let Some(slot) = self.slot(&transcript) {
                files.iter().for_each(|file| slot.forget(file));
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

/// Has the loop told what the editor shows now of a file that the ledger knows, and whether that is on
/// disk. Somebody may type in it, or save it, before a review looks; what comes first is told first.
pub(super) fn look_at(
    site: &Site,
    file: &FilePath,
    shelf: Option<&Shelf>,
    recorder: &Recorder,
    published: &Arc<Published>,
    events: &WeakUnboundedSender<Event>,
) {
    let is_to_reload = shelf.is_some_and(|it| it.is_to_reload(file));
    let head = shelf.and_then(|it| it.ledger().head(file));
    let (site, file) = (site.clone(), file.clone());
    let (published, events) = (published.clone(), events.clone());
    recorder.then(move || {
        let view = site.view();
        let on_disk = match is_to_reload {
            true => view.loaded(&file),
            false if view.is_open(&file) && !view.is_unsaved(&file) => view.state(&file).ok(),
            false => None,
        };
        // Of many texts that are typed the last one counts.
        let may_be_saved = || head.is_some() && site.is_latest(&file, &published);
        if (on_disk.is_some() || may_be_saved())
            && let Ok(text) = view.state(&file)
            && let Some(events) = events.upgrade()
        {
            let edition = site.workspace().ledger_edition();
            let shown = Shown { file, text, on_disk, head, edition };
            let _ = events.send(Event::Shown(site.folders().to_vec(), shown));
        }
    });
}
