//! What the editor shows of files that it has just begun to show: it may have read them, and somebody may
//! have typed in them, before this server began.

use std::collections::BTreeSet;

use operator_core::ledger::{Ledger, Observation};
use operator_core::path::{FilePath, State as FileState};
use operator_core::snapshot::Snapshot;

use super::Shelf;
use super::loaded::{Compared, Loaded};
use crate::lsp::sites::Site;
use crate::workspace::{LastLoaded, View};

/// What was found of a file that the editor has begun to show.
#[derive(Debug, Clone)]
pub struct Opened {
    file: FilePath,
    /// How often it had changed or was saved by then.
    changes: u64,
    /// What the editor showed.
    shown: Option<FileState>,
    basis: Basis,
}

/// On what the text of such a file is.
#[derive(Debug, Clone, Copy)]
enum Basis {
    /// What is on disk, or what was typed on that. With what the editor had loaded, where somebody has
    /// typed and that is known.
    Current(Option<FileState>),
    /// What was there before another program has changed the file, or what was typed on that: the editor
    /// is to reload it. With what the editor had loaded, where that is known.
    Old(Option<FileState>),
    /// What was typed on that, and the editor has saved over what the other program has done. With what the
    /// editor had loaded.
    SavedOver(FileState),
}

impl Shelf {
    /// A workspace of which nothing is known yet. `open` are the files that the editor shows.
    pub fn new(open: Vec<FilePath>) -> Shelf {
        let opened = open.into_iter().map(|file| (file, 0)).collect();
        Shelf { opened, ..Shelf::default() }
    }

    /// Takes in that the editor has begun to show a file.
    pub fn note_opened(&mut self, file: &FilePath) {
        self.opened.insert(file.clone(), 0);
        self.forget_closed(file);
    }

    /// Takes in that the editor shows another text of a file, or has saved it.
    pub fn note_changed(&mut self, file: &FilePath) {
        self.opened.get_mut(file).into_iter().for_each(|changes| *changes += 1);
    }

    /// Whether the editor has begun to show a file, and nobody has compared it with the disk.
    pub fn is_new(&self, file: &FilePath) -> bool {
        self.opened.contains_key(file)
    }

    /// Compares what the editor shows of such files with what is on disk and in the ledger. `left` are the
    /// files that were not saved when a server ended.
    pub(super) fn compare(&self, site: &Site, left: &BTreeSet<FilePath>) -> Vec<Opened> {
        let compare = |(file, changes): (&FilePath, &u64)| {
            let (before, is_saved) = site.views_before(file);
            let shown = site.view().state(file).ok();
            let basis = match shown.filter(|_| !left.contains(file)) {
                None => Basis::Current(None),
                Some(shown) => self.basis(file, shown, site, &before, is_saved),
            };
            Opened { file: file.clone(), changes: *changes, shown, basis }
        };
        self.opened.iter().map(compare).collect()
    }

    /// On what the text of an open file is, as far as a server can tell that has just begun. Of what somebody
    /// had undone in the editor and not saved, the server before would have told.
    fn basis(
        &self,
        file: &FilePath,
        shown: FileState,
        site: &Site,
        before: &[View],
        is_saved: bool,
    ) -> Basis {
        let (ledger, head) = (&self.book.ledger, self.book.ledger.head(file));
        let is_reversal =
            |state| ledger.is_reversal(&Observation { path: file.clone(), state, closed: false });
        if !ledger.has_changed(file) {
            return Basis::Current(None);
        }
        let is_on_disk = !site.view().is_unsaved(file);
        let is_known = ledger.knows(file, shown);
        if is_known && !is_on_disk && is_reversal(shown) {
            return Basis::Old(Some(shown));
        }
        // Of what is known and not on disk, another program may be about to change it.
        if is_known || is_on_disk && !is_saved {
            return Basis::Current(Some(shown));
        }
        // What was saved and is not on disk any more, another program has changed since.
        let old =
            |loaded| if is_on_disk { Basis::SavedOver(loaded) } else { Basis::Old(Some(loaded)) };
        // Somebody has typed: on what this server has seen, or on what the one before had.
        let own = self.loaded.get(file).and_then(|it| it.below(shown));
        let mut seen = before.iter().rev().filter_map(|it| it.state(file).ok());
        if let Some(loaded) = seen.find(|it| ledger.knows(file, *it)).or(own) {
            let is_old = head != Some(loaded) && is_reversal(loaded);
            return if is_old { old(loaded) } else { Basis::Current(Some(loaded)) };
        }
        // It was on disk when the editor has begun to show it.
        if let Some(first) = before.first().filter(|it| !it.is_unsaved(file))
            && let Ok(first) = first.state(file)
            && first != shown
        {
            return Basis::Current(Some(first));
        }
        let left = site.workspace().left_loaded(file);
        let is_last = |it: &LastLoaded| {
            [ledger.led_to(file), head].contains(&Some(FileState::File(it.led_to)))
                || head == Some(FileState::File(it.text))
        };
        let text = |it: &LastLoaded| FileState::File(it.text);
        match (left.iter().find(|it| !is_last(it)), left.first()) {
            (Some(other), _) => old(text(other)),
            (None, Some(last)) => Basis::Current(Some(text(last))),
            (None, None) if is_on_disk => Basis::Current(Some(shown)),
            (None, None) => Basis::Old(None),
        }
    }

    /// Takes in what was found of a file, where nothing has happened to it since; returns whether that is
    /// so.
    pub fn note_compared(&mut self, opened: &Opened) -> bool {
        let Opened { file, changes, shown, basis } = opened;
        if self.opened.get(file) != Some(changes) {
            return false;
        }
        self.opened.remove(file);
        let new = |state| Loaded::new(state, file, &self.book.ledger);
        match *basis {
            Basis::Current(None) => {}
            Basis::Current(Some(state)) => {
                let new = new(state);
                self.loaded.entry(file.clone()).or_insert_with(|| new.clone()).learn(&new);
            }
            Basis::Old(before) => {
                let new = before.map(new);
                self.book.mark_unread(file.clone(), before);
                before.into_iter().for_each(|it| self.book.note_shown_before(file, it));
                new.into_iter().for_each(|it| _ = self.loaded.insert(file.clone(), it));
            }
            Basis::SavedOver(before) => {
                let new = shown.map(|it| new(it).over(before));
                self.book.mark_unread(file.clone(), Some(before));
                self.book.note_shown_before(file, before);
                new.into_iter().for_each(|it| _ = self.loaded.insert(file.clone(), it));
                self.mark_reloaded(file);
            }
        }
        true
    }

    /// What the next server is to know of a file that the editor has loaded, or has saved; `None` where the
    /// ledger does not know the file, or another program has changed it since.
    pub fn last_loaded(&self, file: &FilePath) -> Option<LastLoaded> {
        self.loaded.get(file).filter(|_| !self.book.is_unread(file))?.to_tell()
    }
}

impl Compared {
    /// What the editor has shown of files before, in order, of which the ledger expects a change: it may
    /// have been made before this server began, and somebody may have typed since.
    pub fn expected(&self, site: &Site, ledger: &Ledger) -> Vec<Observation> {
        let files = self.opened.iter().map(Opened::file).filter(|file| ledger.expects(file));
        let shown = |file: &FilePath| -> Vec<_> {
            site.views_before(file).0.iter().filter_map(|it| Observation::of(file, it)).collect()
        };
        files.flat_map(shown).collect()
    }
}

impl Opened {
    /// The file.
    pub fn file(&self) -> &FilePath {
        &self.file
    }
}
