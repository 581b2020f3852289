//! Undo and redo as changes that an editor makes, in terms of what it shows.

use std::ffi::OsStr;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use cap_std::fs::Dir;
use operator_core::edit::{Change, ChangeSet};
use operator_core::ledger::{Event, InBetween, Observation, Operation, OperationId};
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::{Denied, Snapshot, Staged};
use operator_core::text::Content;

use super::again::{comes_with, first_changes, forget_removed};
use super::book::Book;
use super::log::{End, Line, Log};
use super::made::{MOST_BYTES, MOST_ENTRIES};
use super::step::{Saved, Step};
use super::store::Store;
use super::taken::{Taken, Taking};
use super::undo::follow_endings;
use super::{JournalError, Transaction};
use crate::workspace::Workspace;
use crate::workspace::errors::{Changer, RedoError, Since, UndoError, reason};
use crate::workspace::place::open_file;
use crate::workspace::tree::{back_name, copy_name};

/// An operation that an editor can undo or redo, and how.
#[derive(Debug, Clone)]
pub struct Reversal {
    /// The operation.
    pub operation: Arc<Operation>,
    /// What it does, for people: `fs.write a.txt, and 2 more`.
    pub title: String,
    /// The changes, in terms of what the editor shows; empty where the operation changed nothing.
    pub changes: ChangeSet,
    /// Whether it makes the operation's changes again.
    pub is_redo: bool,
    /// What the steps of these numbers have left, so that they can be made again.
    left: Vec<(usize, Content)>,
    /// What is deleted again, by its name in the journal.
    taken: Vec<(String, Taken)>,
}

/// Why a step cannot be undone or made again.
enum Fault {
    Changed(FilePath),
    Lost(FilePath),
    /// The editor cannot do it.
    Beyond(FilePath, String),
}

impl Workspace {
    /// How an editor that shows `view` undoes an operation: the one with this number, or the newest
    /// whose files are as it left them. Nothing is written, and nothing is undone yet; once the
    /// editor has made the changes, [`Transaction::add_reversal`] is to be told.
    ///
    /// # Errors
    /// As those of [`Workspace::undo`], and [`UndoError::NotByEdit`].
    pub fn reversal(
        &self,
        id: Option<OperationId>,
        view: &dyn Snapshot,
    ) -> Result<Reversal, UndoError> {
        let unknown = || id.map_or(UndoError::Nothing, UndoError::Unknown);
        let Some((store, mut book)) = Store::look(self).zip(self.book()?) else {
            return Err(unknown());
        };
        if let Some(id) = id {
            if book.ledger.operation(id).is_none() && !store.has(id.0) {
                return Err(UndoError::Unknown(id));
            }
            let found = self.reversal_of(&store, &mut book, id, view)?;
            return found.ok_or(UndoError::AlreadyUndone(id));
        }
        let all: Vec<OperationId> = book.applied().map(|operation| operation.id).collect();
        let mut refusal = None;
        for id in all {
            if !store.has(id.0) && (!book.ledger.stands(id) || book.is_undone(id)) {
                continue;
            }
            match self.reversal_of(&store, &mut book, id, view) {
                Ok(None) => {}
                Ok(Some(reversal)) => return Ok(reversal),
                // An older one may be as it was left.
                Err(error @ UndoError::Changed(_)) => _ = refusal.get_or_insert(error),
                Err(error @ UndoError::Interrupted(_)) if self.is_skipped(&store, &book, id) => {
                    refusal.get_or_insert(error);
                }
                Err(error) => return Err(error),
            }
        }
        Err(refusal.unwrap_or(UndoError::Nothing))
    }

    /// How an editor that shows `view` makes the operation again that was undone last; as
    /// [`Workspace::reversal`].
    ///
    /// # Errors
    /// As those of [`Workspace::redo`], and [`RedoError::NotByEdit`].
    pub fn repetition(&self, view: &dyn Snapshot) -> Result<Reversal, RedoError> {
        let Some((store, mut book)) = Store::look(self).zip(self.book()?) else {
            return Err(RedoError::Nothing);
        };
        let id = book.last_undone().ok_or(RedoError::Nothing)?;
        let operation = book.ledger.operation(id).cloned().ok_or(RedoError::NotKept(id))?;
        if !changes(&operation) {
            return Ok(Reversal::nothing(operation, true));
        }
        if store.end(id.0) != Some(End::Reverted) {
            return Err(RedoError::NotKept(id));
        }
        let (log, record) = store.open(id.0)?;
        let steps = record.as_made(self)?;
        if !record.is_committed() {
            return Err(RedoError::NotKept(id));
        }
        look_in(view, &mut book, &operation);
        self.check_trees(&operation, &record)?;
        for it in first_changes(&operation) {
            if it.after != State::Directory && view.state(&it.path).ok() != Some(it.before) {
                return Err(RedoError::Changed(it.path.clone()));
            }
        }
        let mut way = Way::new(self, &log, view);
        for (at, (number, step)) in steps.iter().enumerate() {
            let after = || record.after(*number);
            way.forth(step, after(), &steps[at + 1..]).map_err(|fault| match fault {
                Fault::Changed(path) => RedoError::Changed(path),
                Fault::Lost(_) => RedoError::NotKept(id),
                Fault::Beyond(path, why) => RedoError::NotByEdit(id, path, why),
            })?;
        }
        Ok(way.reversal(operation, true))
    }

    /// How an operation is undone; `None` where nothing of it is left to be undone.
    fn reversal_of(
        &self,
        store: &Store,
        book: &mut Book,
        id: OperationId,
        view: &dyn Snapshot,
    ) -> Result<Option<Reversal>, UndoError> {
        let end = store.end(id.0);
        if store.has(id.0) && !matches!(end, Some(End::Commit | End::Reverted | End::Handed)) {
            return Err(UndoError::Interrupted(id));
        }
        let Some(operation) = book.ledger.operation(id).cloned() else {
            return Err(UndoError::NotKept(id));
        };
        look_in(view, book, &operation);
        if !book.ledger.stands(id) {
            return Ok(None);
        }
        if end == Some(End::Handed) && !book.ledger.is_made(id) {
            return Err(UndoError::Interrupted(id));
        }
        if !changes(&operation) {
            return Ok(Some(Reversal::nothing(operation, false)));
        }
        if end.is_none() {
            return Err(UndoError::NotKept(id));
        }
        let between = book.ledger.can_undo(id).err();
        let by = |between: &InBetween| {
            let later = between.operation.and_then(|later| book.ledger.operation(later));
            Some(Changer::of(later.map(|operation| &**operation)))
        };
        let changed = |path: FilePath| {
            let between = between.as_ref().filter(|between| between.path == path);
            UndoError::Changed(vec![Since { by: between.and_then(by), path }])
        };
        let (log, record) = store.open(id.0)?;
        let mut steps = record.as_made(self)?;
        follow_endings(view, &operation, &mut steps);
        let mut way = Way::new(self, &log, view);
        for (number, step) in steps.iter().rev() {
            way.back(*number, step).map_err(|fault| match fault {
                Fault::Changed(path) => changed(path),
                Fault::Lost(path) => UndoError::Lost(vec![path]),
                Fault::Beyond(path, why) => UndoError::NotByEdit(id, path, why),
            })?;
        }
        match between.as_ref().filter(|between| between.operation.is_some()) {
            // The content is the same again, and somebody else's all the same.
            Some(between) => Err(changed(between.path.clone())),
            None => Ok(Some(way.reversal(operation, false))),
        }
    }
}

/// Whether an operation changes anything.
fn changes(operation: &Operation) -> bool {
    operation.works.iter().flat_map(|work| &work.transitions).any(|it| it.changes())
}

/// Tells the ledger what an editor shows of an operation's files.
fn look_in(view: &dyn Snapshot, book: &mut Book, operation: &Operation) {
    let paths = operation.paths().into_iter();
    let found: Vec<Observation> = paths.filter_map(|path| Observation::of(path, view)).collect();
    book.ledger.observe(&found, 0, &|_| Vec::new());
}

/// The way back or forth, one step after the other.
struct Way<'a> {
    workspace: &'a Workspace,
    log: &'a Log,
    staged: Staged<'a>,
    renames: Vec<(FilePath, FilePath)>,
    left: Vec<(usize, Content)>,
    taken: Vec<(String, Taken)>,
    bytes: u64,
    entries: usize,
}

impl<'a> Way<'a> {
    fn new(workspace: &'a Workspace, log: &'a Log, view: &'a dyn Snapshot) -> Way<'a> {
        let (renames, left, taken) = Default::default();
        let (bytes, entries) = (MOST_BYTES, MOST_ENTRIES);
        let staged = Staged::new(view);
        Way { workspace, log, staged, renames, left, taken, bytes, entries }
    }

    fn reversal(self, operation: Arc<Operation>, is_redo: bool) -> Reversal {
        let Way { staged, left, taken, .. } = self;
        let title = title(&operation);
        Reversal { operation, title, changes: staged.into_changes(), is_redo, left, taken }
    }

    /// Undoes a step, unless somebody has put back by hand what it wrote.
    fn back(&mut self, number: usize, step: &Step) -> Result<(), Fault> {
        match step {
            Step::Write { path, before, after, .. } => {
                let was = before.as_ref().map(|saved| State::File(saved.fingerprint));
                if self.expect(path, was.unwrap_or(State::Missing)).is_ok() {
                    return Ok(());
                }
                self.expect(path, State::File(*after))?;
                let now = self.read(path)?;
                self.left.push((number, now.clone()));
                let path = path.clone();
                let Some(saved) = before else {
                    return self.stage(Change::Delete { path, kind: Kind::File, files: 1 });
                };
                let before = self.content(&path, saved)?;
                self.stage(Change::Edit { path, before: now, after: before })
            }
            Step::Directory { path } => {
                let is_directory = self.kind(path)? == Some(Kind::Directory);
                // One that somebody else uses stays without a word.
                if !is_directory || !self.is_empty(path)? {
                    return Ok(());
                }
                self.stage(Change::Delete { path: path.clone(), kind: Kind::Directory, files: 0 })
            }
            Step::Remove { path, saved, .. } => {
                self.expect(path, State::Missing)?;
                let names = [saved.clone(), back_name(saved), copy_name(saved)];
                let kept = names
                    .iter()
                    .find(|name| self.log.folder().symlink_metadata(name.as_str()).is_ok());
                let kept = kept.ok_or_else(|| Fault::Lost(path.clone()))?;
                let changes = created(path, self.log.folder(), kept.as_ref())?;
                changes.into_iter().try_for_each(|change| self.stage(change))
            }
            Step::Rename { from, to, .. } => {
                self.expect_renamed(step, to)?;
                self.expect(from, State::Missing)?;
                self.rename(to, from)
            }
        }
    }

    /// Makes a step again. `after` is what it left, and `rest` are the steps after it.
    fn forth(
        &mut self,
        step: &Step,
        after: Option<&Saved>,
        rest: &[(usize, Step)],
    ) -> Result<(), Fault> {
        match step {
            Step::Write { path, before, after: print, .. } => {
                let before = before.as_ref().map(|saved| State::File(saved.fingerprint));
                self.expect(path, before.unwrap_or(State::Missing))?;
                let known = match after {
                    Some(saved) => self.content(path, saved)?,
                    None => {
                        let bytes = self.log.content(*print).ok().flatten();
                        let bytes = bytes.ok_or_else(|| Fault::Lost(path.clone()))?;
                        text(path, bytes)?
                    }
                };
                let path = path.clone();
                if before.is_none() {
                    return self.stage(Change::Create { path, content: known, like: None });
                }
                let before = self.read(&path)?;
                self.stage(Change::Edit { path, before, after: known })
            }
            Step::Directory { path } => {
                let is_there = self.kind(path)? == Some(Kind::Directory);
                if is_there || comes_with(path, rest.iter().map(|(_, step)| step)) {
                    return Ok(());
                }
                self.expect(path, State::Missing)?;
                self.stage(Change::CreateDirectory { path: path.clone() })
            }
            Step::Remove { path, saved, .. } => {
                let kind = self.kind(path)?.ok_or_else(|| Fault::Changed(path.clone()))?;
                let (workspace, now, renames) = (self.workspace, &self.staged, &self.renames);
                let (bytes, entries) = (self.bytes, self.entries);
                let mut taking = Taking { workspace, now, renames, bytes, entries };
                let taken = taking.take(path).ok_or_else(|| {
                    Fault::Beyond(path.clone(), "it cannot be kept whole for undo".to_owned())
                })?;
                (self.bytes, self.entries) = (taking.bytes, taking.entries);
                self.taken.push((saved.clone(), taken));
                let files = self.count(path);
                self.stage(Change::Delete { path: path.clone(), kind, files })
            }
            Step::Rename { from, to, .. } => {
                self.expect_renamed(step, from)?;
                self.expect(to, State::Missing)?;
                self.rename(from, to)
            }
        }
    }

    fn rename(&mut self, from: &FilePath, to: &FilePath) -> Result<(), Fault> {
        let kind = self.kind(from)?.ok_or_else(|| Fault::Changed(from.clone()))?;
        let files = self.count(from);
        self.renames.push((from.clone(), to.clone()));
        self.stage(Change::Rename { from: from.clone(), to: to.clone(), kind, files })
    }

    fn count(&self, path: &FilePath) -> usize {
        self.staged.files(path, true, MOST_ENTRIES).map_or(MOST_ENTRIES, |files| files.len())
    }

    fn expect(&self, path: &FilePath, state: State) -> Result<(), Fault> {
        match self.staged.state(path) {
            Err(Denied::NotFound | Denied::NotADirectory) if state == State::Missing => Ok(()),
            Ok(found) if found == state => Ok(()),
            Ok(_) => Err(Fault::Changed(path.clone())),
            Err(why) => Err(beyond(path, &why)),
        }
    }

    /// Whether what a rename moves is at a path.
    fn expect_renamed(&self, step: &Step, path: &FilePath) -> Result<(), Fault> {
        match (step, self.staged.state(path)) {
            (Step::Rename { file: Some(file), .. }, Ok(State::File(found))) if *file == found => {}
            (Step::Rename { size: Some(size), .. }, Ok(State::Large { size: found, .. }))
                if *size == found => {}
            (Step::Rename { file: None, size: None, .. }, Ok(State::Directory)) => {}
            (_, Err(why)) => return Err(beyond(path, &why)),
            _ => return Err(Fault::Changed(path.clone())),
        }
        Ok(())
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Fault> {
        match self.staged.kind(path) {
            Err(Denied::NotFound | Denied::NotADirectory) => Ok(None),
            kind => kind.map_err(|why| beyond(path, &why)),
        }
    }

    fn read(&self, path: &FilePath) -> Result<Content, Fault> {
        self.staged.read(path).map_err(|why| beyond(path, &why))
    }

    /// What the journal keeps of a file.
    fn content(&self, path: &FilePath, saved: &Saved) -> Result<Content, Fault> {
        let bytes = self.log.bytes(saved).ok().flatten();
        text(path, bytes.ok_or_else(|| Fault::Lost(path.clone()))?)
    }

    /// Whether nothing is in a directory, nor what the workspace does not show.
    fn is_empty(&self, path: &FilePath) -> Result<bool, Fault> {
        if !self.staged.list(path).map_err(|why| beyond(path, &why))?.is_empty() {
            return Ok(false);
        }
        if self.workspace.directory(path).is_err() {
            return Ok(true);
        }
        let Ok(entries) = self.workspace.entries(path) else { return Ok(false) };
        let is_gone = |name: &OsStr| {
            let name = name.to_str().map(|name| path.join(name));
            name.is_some_and(|path| self.staged.kind(&path) == Ok(None))
        };
        Ok(entries.iter().all(|entry| is_gone(&entry.file_name())))
    }

    fn stage(&mut self, change: Change) -> Result<(), Fault> {
        let path = change.path().clone();
        self.staged.stage(&ChangeSet::one(change)).map_err(|why| beyond(&path, &why))
    }
}

fn beyond(path: &FilePath, why: &Denied) -> Fault {
    Fault::Beyond(path.clone(), reason(why))
}

fn text(path: &FilePath, bytes: Vec<u8>) -> Result<Content, Fault> {
    Content::of_bytes(bytes).map_err(|offset| beyond(path, &Denied::NotUtf8(offset)))
}

/// What makes a file or directory again that the journal keeps.
fn created(path: &FilePath, folder: &Dir, name: &OsStr) -> Result<Vec<Change>, Fault> {
    let failed = |_| Fault::Lost(path.clone());
    let data = folder.symlink_metadata(name).map_err(failed)?;
    if !data.is_dir() {
        let (mut file, _) = open_file(folder, name).map_err(|why| beyond(path, &why))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed)?;
        let content = text(path, bytes)?;
        return Ok(vec![Change::Create { path: path.clone(), content, like: None }]);
    }
    let inside = cap_fs_ext::DirExt::open_dir_nofollow(folder, Path::new(name)).map_err(failed)?;
    let entries = inside.entries().map_err(failed)?.map(|entry| Ok(entry?.file_name()));
    let mut names: Vec<_> = entries.collect::<std::io::Result<_>>().map_err(failed)?;
    names.sort();
    if names.is_empty() {
        return Ok(vec![Change::CreateDirectory { path: path.clone() }]);
    }
    let mut changes = Vec::new();
    for name in names {
        let child = name.to_str().map(|name| path.join(name));
        let child = child.ok_or_else(|| beyond(path, &Denied::NotUtf8(0)))?;
        changes.extend(created(&child, &inside, &name)?);
    }
    Ok(changes)
}

/// What an operation does, for people.
fn title(operation: &Operation) -> String {
    let named = |work: &operator_core::ledger::Work| match work.title.is_empty() {
        true => work.name.clone(),
        false => work.title.clone(),
    };
    let mut titles = operation.works.iter().map(named).filter(|title| !title.is_empty());
    let first = titles.next().unwrap_or_else(|| format!("operation {}", operation.id));
    match titles.count() {
        0 => first,
        more => format!("{first}, and {more} more"),
    }
}

impl Reversal {
    fn nothing(operation: Arc<Operation>, is_redo: bool) -> Reversal {
        let (title, changes) = (title(&operation), ChangeSet::default());
        let (left, taken) = Default::default();
        Reversal { operation, title, changes, is_redo, left, taken }
    }
}

impl Transaction {
    /// Tells that an editor has undone or redone an operation, so that it counts as that, and can
    /// be redone or undone by whichever program. It is kept once the transaction is committed.
    ///
    /// # Errors
    /// Whatever keeps the journal from being written.
    pub fn add_reversal(&mut self, reversal: &Reversal) -> Result<(), JournalError> {
        let id = reversal.operation.id;
        let end = self.store.end(id.0);
        match (reversal.is_redo, end) {
            (false, Some(End::Commit)) => {
                let (mut log, record) = self.store.open(id.0)?;
                let left = reversal.left.iter();
                let new = left.filter(|(number, _)| record.after(*number).is_none());
                log.keep_left(new)?;
                log.append(&[Line::Reverted])?;
            }
            (true, Some(End::Reverted)) => {
                let (mut log, record) = self.store.open(id.0)?;
                for (_, step) in record.as_made(&self.workspace)? {
                    forget_removed(&log, &step).map_err(|source| log.failed(source))?;
                }
                for (name, taken) in &reversal.taken {
                    taken.write(log.folder(), name).map_err(|source| log.failed(source))?;
                }
                log.sync_names().map_err(|source| log.failed(source))?;
                log.append(&record.again())?;
            }
            _ => {}
        }
        let operation = id;
        self.note(vec![match reversal.is_redo {
            true => Event::Redone { operation },
            false => Event::Undone { operation },
        }]);
        Ok(())
    }
}
