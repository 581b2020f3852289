//! What was on disk of files as the editor showed it, and which files it is to reload.

use operator_core::ledger::Ledger;
use operator_core::path::{FilePath, State as FileState};
use operator_core::review::Book;
use operator_core::snapshot::Snapshot;

use super::opened::Opened;
use super::{Edition, Kept, Shelf};
use crate::lsp::sites::Site;
use crate::workspace::{LastLoaded, View};

/// How many texts in a row are known at most that the editor has saved.
const MOST_SAVED: usize = 8;

/// How many files are known at most that the editor has saved and closed.
const MOST_CLOSED: usize = 64;

/// What was on disk of a file as an editor showed it.
#[derive(Clone)]
pub(super) struct Loaded {
    state: FileState,
    /// What the ledger said is there.
    then: Option<FileState>,
    /// What the last change of a block had led to then.
    led_to: Option<FileState>,
    /// What it showed of the disk before that, the last one last. Where it has saved several times in a row,
    /// these are more than one.
    before: Vec<FileState>,
    /// Whether the editor has put it there.
    is_saved: bool,
    /// What the editor showed last that was not on disk then.
    typed: Option<FileState>,
}

impl Loaded {
    /// What is loaded while the ledger says this.
    pub(super) fn new(state: FileState, file: &FilePath, ledger: &Ledger) -> Loaded {
        let (then, led_to) = (ledger.head(file), ledger.led_to(file));
        Loaded { state, then, led_to, before: Vec::new(), is_saved: false, typed: None }
    }

    /// What the editor has put there in the place of what it had loaded.
    pub(super) fn over(self, before: FileState) -> Loaded {
        Loaded { before: vec![before], is_saved: true, ..self }
    }

    /// Takes over what the ledger says, where it was not read when this was loaded, or tells only now of the
    /// change that led to it.
    pub(super) fn learn(&mut self, new: &Loaded) {
        let is_head = self.state == new.state && new.then == Some(new.state);
        if self.led_to.is_none() || is_head {
            self.led_to = new.led_to;
            self.then = if self.state == new.state { new.then } else { self.then };
        }
    }

    pub(super) fn state(&self) -> FileState {
        self.state
    }

    /// What the next server is to know of it.
    pub(super) fn to_tell(&self) -> Option<LastLoaded> {
        match (self.state, self.led_to?) {
            (FileState::File(text), FileState::File(led_to)) => Some(LastLoaded { text, led_to }),
            _ => None,
        }
    }

    /// What the editor has loaded before it has shown a text, as far as is known.
    pub(super) fn below(&self, shown: FileState) -> Option<FileState> {
        if self.state == shown { self.before.last().copied() } else { Some(self.state) }
    }

    /// Of a file that another program has changed: takes in that the editor has saved this over it, if it
    /// has.
    pub(super) fn note_saved_over(&self, file: &FilePath, book: &mut Book) {
        let Some(shown) = book.shown_before(file).filter(|_| self.is_saved) else { return };
        let base = book.ledger.base_of(file, shown);
        // It may have saved more than once before it was known that another program has changed it.
        if self.before.iter().any(|before| *before == shown || Some(*before) == base) {
            book.note_typed(file, self.state);
        }
    }

    /// What it has shown of the disk up to this, where something else comes next.
    fn so_far(&self) -> Vec<FileState> {
        let before = if self.is_saved { &self.before[..] } else { &[] };
        let last = before.iter().rev().take(MOST_SAVED - 1).rev();
        last.copied().chain([self.state]).collect()
    }
}

/// What a review has found in the kept ledger.
pub struct Looked {
    /// The ledger, where it is another one than was known.
    pub kept: Option<Kept>,
    /// The files that other programs have changed without saving them, or have saved.
    pub changed: Vec<FilePath>,
    /// What it shows of files.
    pub compared: Compared,
}

/// What the editor shows of files, compared with what is on disk and in the ledger.
#[derive(Default)]
pub struct Compared {
    /// The files that the editor was to reload and shows as the ledger says.
    pub reloaded: Vec<FilePath>,
    /// The files that it has begun to show.
    pub opened: Vec<Opened>,
}

/// What the editor shows of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The file.
    pub file: FilePath,
    /// The text.
    pub text: FileState,
    /// What is on disk, where that is the text, line endings aside.
    pub on_disk: Option<FileState>,
    /// What the ledger said is there then.
    pub head: Option<FileState>,
    /// Which state the kept ledger had after the text was on disk.
    pub edition: Edition,
}

impl Shelf {
    /// The workspace as the editor shows it, without the files that it has not reloaded.
    pub fn view(&self, site: &Site) -> View {
        site.view().without(self.book.unread())
    }

    /// Looks at the kept ledger for a review of what the editor shows in `site`.
    pub fn look(&mut self, site: &Site) -> Looked {
        let (kept, mut changed) = (self.read(site), Vec::new());
        let left = kept.as_ref().map(|it| it.left.clone()).unwrap_or_default();
        if let Some(kept) = &kept {
            let open = site.open_files();
            changed = self.take_unsaved(&kept.unsaved, &open);
            self.take(kept, &open);
        }
        let opened = self.compare(site, &left);
        opened.iter().for_each(|it| _ = self.note_compared(it));
        let (view, book) = (site.view(), &self.book);
        let is_head = |file: &&FilePath| view.state(file).ok() == book.ledger.head(file);
        let reloaded: Vec<_> = book.unread().filter(is_head).cloned().collect();
        reloaded.iter().for_each(|file| self.mark_reloaded(file));
        Looked { kept, changed, compared: Compared { reloaded, opened } }
    }

    /// Takes in that the editor shows another text of a file that it is to reload, or has saved or
    /// closed it. `shown` returns its text, `None` where it is closed. Returns whether it needs no reload
    /// any more.
    pub fn reload(
        &mut self,
        file: &FilePath,
        is_saved: bool,
        shown: impl FnOnce() -> Option<FileState>,
    ) -> bool {
        if !self.book.is_unread(file) {
            return false;
        }
        let shown = shown();
        let is_over = is_saved || shown.is_none() || shown == self.book.ledger.head(file);
        if is_over {
            self.mark_reloaded(file);
        }
        is_over
    }

    /// Takes in that the editor shows a file as it is on disk: it has loaded that, or has saved what was
    /// typed.
    pub fn note_loaded(&mut self, file: &FilePath, state: FileState) {
        let loaded = self.loaded.get(file);
        if loaded.is_none_or(|loaded| loaded.state != state) {
            let is_saved = loaded.is_some_and(|loaded| loaded.typed == Some(state));
            let before = loaded.map(Loaded::so_far).unwrap_or_default();
            let loaded = Loaded::new(state, file, &self.book.ledger);
            self.loaded.insert(file.clone(), Loaded { before, is_saved, ..loaded });
        }
    }

    /// Takes in that the editor shows a file as it is not on disk.
    pub fn note_typed(&mut self, file: &FilePath, state: FileState) {
        self.loaded.get_mut(file).into_iter().for_each(|loaded| loaded.typed = Some(state));
    }

    /// Takes in that the editor has saved a file.
    pub fn note_saved(&mut self, file: &FilePath, state: FileState) {
        // Somebody may have seen it on disk before the editor says so.
        self.note_loaded(file, state);
        self.loaded.get_mut(file).into_iter().for_each(|loaded| loaded.is_saved = true);
    }

    /// Takes in that the editor shows a file no more.
    pub fn forget_loaded(&mut self, file: &FilePath) {
        self.opened.remove(file);
        if let Some(loaded) = self.loaded.remove(file).filter(|loaded| loaded.is_saved) {
            self.forget_closed(file);
            let too_many = (self.closed.len() + 1).saturating_sub(MOST_CLOSED);
            self.closed.drain(..too_many);
            self.closed.push((file.clone(), loaded));
        }
    }

    /// Takes in that the editor shows a file again that it has closed.
    pub(super) fn forget_closed(&mut self, file: &FilePath) {
        self.closed.retain(|(closed, _)| closed != file);
    }

    /// Whether what is there as far as the ledger knows is what the editor has loaded last, and nothing
    /// else was seen since, as `old` tells: what it shows was typed on that.
    pub(super) fn has_loaded(&self, file: &FilePath, old: &Ledger) -> bool {
        self.loaded.get(file).is_some_and(|loaded| {
            Some(loaded.state) == self.book.ledger.head(file) && loaded.then == old.head(file)
        })
    }

    /// Whether an editor had not saved a file when its server ended, and no other has shown another text
    /// of it since.
    pub fn is_left(&self, file: &FilePath) -> bool {
        self.book.is_left(file)
    }

    /// Whether another program has told that its editor has not saved a file.
    pub fn is_unsaved(&self, file: &FilePath) -> bool {
        self.unsaved.contains(file)
    }

    /// Whether the editor is to reload a file.
    pub fn is_to_reload(&self, file: &FilePath) -> bool {
        self.book.is_unread(file)
    }

    /// The files that the editor is to reload.
    pub fn to_reload(&self) -> impl Iterator<Item = &FilePath> {
        self.book.unread()
    }

    /// Whether it is certain what has happened where the editor shows a file as it is on disk that it
    /// is to reload: the ledger knows the text, or the editor has saved it. It has loaded any other, or
    /// has saved it over what another program has done and not said so yet.
    pub fn is_certain(&self, Shown { file, text, on_disk, .. }: &Shown) -> bool {
        let is_saved = |loaded: &Loaded| loaded.is_saved && loaded.state == *text;
        on_disk.is_some_and(|it| self.book.ledger.knows(file, it))
            || self.loaded.get(file).is_some_and(is_saved)
    }

    /// Whether the kept ledger is not read yet that may tell of what was on disk then.
    pub fn is_early(&self, shown: &Shown) -> bool {
        self.edition.is_some_and(|(_, time)| time < shown.edition.1)
    }

    /// Begins to wait whether the editor has saved such a text. Returns whether that was not waited for
    /// already.
    pub fn wait_for_save(&mut self, shown: &Shown) -> bool {
        self.in_doubt.insert(shown.file.clone(), shown.clone()).is_none()
    }

    /// The text that is waited for, unless it is `now`, which the editor shows on disk. It has loaded the
    /// earlier text: otherwise it would have said that it has saved it.
    pub fn loaded_before(&self, file: &FilePath, now: FileState) -> Option<Shown> {
        self.in_doubt.get(file).filter(|shown| shown.text != now).cloned()
    }

    /// Takes in that it was waited long enough whether the editor has saved such a text.
    pub fn end_wait(&mut self, file: &FilePath) {
        self.in_doubt.remove(file);
    }

    /// Takes in that the editor has reloaded a file, or saved it over what another program has done.
    pub fn mark_reloaded(&mut self, file: &FilePath) {
        self.book.edition += 1;
        if let Some(loaded) = self.loaded.get(file) {
            loaded.note_saved_over(file, &mut self.book);
        }
        self.book.mark_read(file);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use operator_core::fingerprint::Fingerprint;
    use operator_core::ledger::{Event, Observation};
    use operator_core::path::State;
    use operator_core::text::Text;

    use super::*;
    use crate::lsp::documents::DocumentSnapshot;
    use crate::lsp::proto;
    use crate::workspace::tests::store::{chat, write};
    use crate::workspace::tests::{Disk, path};

    fn to(text: &str) -> State {
        State::File(Fingerprint::of(text.as_bytes()))
    }

    /// What a review finds of the file where the editor shows this.
    fn shown_as(state: State) -> Observation {
        Observation { path: path("a"), state, closed: false }
    }

    /// Takes in the kept ledger as it is now, for an editor that shows the file.
    fn take(shelf: &mut Shelf, site: &Site) {
        let kept = shelf.read(site).unwrap();
        shelf.take(&kept, &[path("a")]);
    }

    /// A file that a block has changed from "0" to "1", and that the editor has loaded then.
    fn loaded() -> (Disk, Site, Shelf) {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        write(&disk.open(), "a", "0", "1");
        let site = Site::new(disk.open(), &[]);
        let mut shelf = Shelf::default();
        take(&mut shelf, &site);
        shelf.note_loaded(&path("a"), to("1"));
        (disk, site, shelf)
    }

    #[test]
    fn a_file_needs_not_be_reloaded_that_the_editor_has_loaded_before_the_ledger_tells_of_it() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        let site = Site::new(disk.open(), &[]);
        for loaded in ["0", "1"] {
            let mut shelf = Shelf::default();
            take(&mut shelf, &site);
            shelf.note_loaded(&path("a"), to(loaded));
            write(&disk.open(), "a", "0", "1");
            take(&mut shelf, &site);
            assert_eq!(shelf.is_to_reload(&path("a")), loaded == "0");
            disk.open().undo(None, false).unwrap();
            take(&mut shelf, &site);
            assert!(shelf.is_to_reload(&path("a")), "undone");
        }
    }

    #[test]
    fn what_was_undone_since_a_file_was_loaded_is_not_what_the_editor_shows() {
        let (disk, site, mut shelf) = loaded();
        // The editor has undone it, which another program learns, and makes it again.
        disk.open().undo(None, false).unwrap();
        let back = Event::Back { path: path("a"), to: to("0"), typed: None };
        shelf.book.ledger.apply(&back);
        take(&mut shelf, &site);
        assert!(!shelf.is_to_reload(&path("a")));
        disk.open().redo().unwrap();
        take(&mut shelf, &site);
        assert!(shelf.is_to_reload(&path("a")));
    }

    #[test]
    fn what_was_typed_before_it_is_on_disk_the_editor_has_saved_and_anything_else_it_may_have_loaded()
     {
        for is_seen in [false, true] {
            let (disk, site, mut shelf) = loaded();
            disk.open().undo(None, false).unwrap();
            take(&mut shelf, &site);
            if is_seen {
                shelf.note_typed(&path("a"), to("1 typed"));
            }
            shelf.note_loaded(&path("a"), to("1 typed"));
            let (file, text, head) = (path("a"), to("1 typed"), Some(to("0")));
            let edition = (0, 0);
            let shown = Shown { file, text, on_disk: Some(text), head, edition };
            assert_eq!(shelf.is_certain(&shown), is_seen);
            shelf.mark_reloaded(&path("a"));
            assert_eq!(shelf.book.ledger.is_redo(&shown_as(text)), is_seen);
        }
    }

    #[test]
    fn what_is_saved_twice_over_an_undo_before_the_ledger_is_read_makes_the_blocks_again() {
        let (disk, site, mut shelf) = loaded();
        disk.open().undo(None, false).unwrap();
        let saved = ["1 typed", "1 typed twice"];
        for text in saved {
            disk.put("ws/a", text);
            shelf.note_saved(&path("a"), to(text));
        }
        take(&mut shelf, &site);
        shelf.mark_reloaded(&path("a"));
        let shown = shown_as(to(saved[1]));
        let typed = Some(Fingerprint::of(saved[1].as_bytes()));
        let found = shelf.book(chat()).observe(&[shown], &|_| Vec::new());
        assert_eq!(found, [Event::Forth { path: path("a"), to: to("1"), typed }]);
    }

    #[test]
    fn what_is_saved_over_an_undo_and_closed_before_the_ledger_is_read_makes_the_blocks_again() {
        for is_opened_again in [false, true] {
            let (disk, site, mut shelf) = loaded();
            disk.open().undo(None, false).unwrap();
            disk.put("ws/a", "1 typed");
            shelf.note_saved(&path("a"), to("1 typed"));
            shelf.forget_loaded(&path("a"));
            if is_opened_again {
                // What it shows then it may have loaded from the disk.
                shelf.note_opened(&path("a"));
            }
            let kept = shelf.read(&site).unwrap();
            shelf.take(&kept, &[]);
            let shown = Observation { closed: true, ..shown_as(to("1 typed")) };
            let found = shelf.book(chat()).observe(&[shown], &|_| Vec::new());
            assert_eq!(matches!(found[..], [Event::Forth { .. }]), !is_opened_again);
        }
    }

    #[test]
    fn the_next_server_learns_what_was_loaded_before_the_ledger_was_read() {
        let disk = Disk::new();
        disk.put("ws/a", "0");
        let mut site = Site::new(disk.open(), &[]);
        let mut shelf = Shelf::default();
        take(&mut shelf, &site);
        // A review has seen the file before another program changes it, and the editor opens it then.
        shelf.book.ledger.apply(&Event::Seen { path: path("a"), to: to("0") });
        assert_eq!(shelf.book.ledger.head(&path("a")), Some(to("0")));
        write(&disk.open(), "a", "0", "1");
        let place = disk.at("ws/a");
        let (uri, text) = (proto::uri_of(&place).unwrap(), Text::new("1"));
        site.put(&DocumentSnapshot { uri, version: 1, text, unsynced: None }, &place);
        shelf.note_opened(&path("a"));
        shelf.note_loaded(&path("a"), to("1"));
        take(&mut shelf, &site);
        let opened = shelf.compare(&site, &BTreeSet::new());
        assert!(shelf.note_compared(&opened[0]));
        let one = Fingerprint::of(b"1");
        assert_eq!(shelf.last_loaded(&path("a")), Some(LastLoaded { text: one, led_to: one }));
    }

    #[test]
    fn what_is_typed_over_an_undo_and_saved_before_the_ledger_is_read_makes_the_blocks_again() {
        for is_typed_before in [false, true] {
            let (disk, site, mut shelf) = loaded();
            if is_typed_before {
                // A review has seen what somebody has typed.
                shelf.book.ledger.apply(&Event::Changed { path: path("a"), to: to("1 typing") });
            }
            disk.open().undo(None, false).unwrap();
            disk.put("ws/a", "1 typed");
            shelf.note_saved(&path("a"), to("1 typed"));
            take(&mut shelf, &site);
            assert!(shelf.is_to_reload(&path("a")));
            shelf.mark_reloaded(&path("a"));
            let shown = shown_as(to("1 typed"));
            let typed = Some(Fingerprint::of(b"1 typed"));
            assert_eq!(
                shelf.book(chat()).observe(&[shown], &|_| Vec::new()),
                [Event::Forth { path: path("a"), to: to("1"), typed }]
            );
        }
    }
}
