//! Makes the changes of an operation again that was undone.

use std::io;

use operator_core::edit::{Change, ChangeSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{Operation, OperationId, Transition};
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::{Denied, Snapshot};
use operator_core::text::Content;

use super::log::{Line, Log};
use super::record::Record;
use super::revert::Reverting;
use super::step::Step;
use super::{Transaction, open};
use crate::workspace::Workspace;
use crate::workspace::errors::{ApplyError, RedoError, UndoError};
use crate::workspace::tree::{self, back_name, copy_name};

/// This many files are written together.
const TOGETHER: usize = 64;

impl Workspace {
    /// Makes the changes of the operation again that was undone last. It has its number again, and
    /// can be undone again.
    ///
    /// # Errors
    /// [`RedoError::Changed`] where a file is not as the undo left it; nothing is touched then.
    pub fn redo(&self) -> Result<OperationId, RedoError> {
        let (store, mut book) = open(self)?;
        let id = book.last_undone().ok_or(RedoError::Nothing)?;
        if !store.has(id.0) {
            return Err(RedoError::NotKept(id));
        }
        let (mut log, mut record) = store.open(id.0)?;
        if record.is_again() {
            // It was killed half way.
            self.take_back_again(&mut log, &record)?;
            (log, record) = store.open(id.0)?;
        }
        let steps: Vec<(usize, Step)> = record.as_made(self)?;
        let has = |step: &Step| match step {
            Step::Write { after, .. } => log.content(*after).is_ok_and(|content| content.is_some()),
            _ => true,
        };
        let can_be = record.is_reverted() && record.is_committed();
        if !can_be || !steps.iter().all(|(_, step)| has(step)) {
            return Err(RedoError::NotKept(id));
        }
        let events = self.look_at(&mut book, id);
        let operation = book.ledger.operation(id).cloned();
        if let Some(operation) = &operation {
            self.check_first(operation)?;
            self.check_trees(operation, &record)?;
        }
        for (_, step) in &steps {
            forget_removed(&log, step).map_err(|source| log.failed(source))?;
        }
        let mut transaction = Transaction::with(self, store, book)?;
        (transaction.id, transaction.is_again, transaction.events) = (id, true, events);
        transaction.log = Some(log);
        for (number, step) in &steps {
            if let Step::Write { path, before: None, .. } = step
                && let Some(attributes) =
                    record.after(*number).and_then(|saved| saved.attributes.clone())
            {
                transaction.attributes.insert(path.clone(), attributes);
            }
        }
        let steps: Vec<Step> = steps.into_iter().map(|(_, step)| step).collect();
        match self.make_again(&steps, &mut transaction) {
            Ok(()) => transaction.commit().map_err(RedoError::NotClosed).map(|()| id),
            Err(error) => match transaction.rollback() {
                Err(UndoError::Partly { left, .. }) => Err(RedoError::Partly { left }),
                _ => Err(error),
            },
        }
    }

    /// Undoes what was made again before a kill.
    fn take_back_again(&self, log: &mut Log, record: &Record) -> Result<(), RedoError> {
        let steps = record.steps(self)?;
        let known = steps.len();
        let reverting = Reverting {
            workspace: self,
            steps: &steps,
            begun: known,
            known,
            keeps: false,
            skips: false,
        };
        if let Some(refusal) = reverting.check(log).refusal() {
            return Err(RedoError::Interrupted(Box::new(refusal)));
        }
        let reverted = reverting.run(log);
        match reverted.is_over() {
            true => Ok(log.append(&[Line::Reverted])?),
            false => Err(RedoError::Partly { left: reverted.left }),
        }
    }

    /// Whether every place is as it was before its first change.
    fn check_first(&self, operation: &Operation) -> Result<(), RedoError> {
        for Transition { path, before, after, .. } in first_changes(operation) {
            // Others may use a directory by now that was made for a file.
            let may_be_used = *after == State::Directory;
            match self.state(path) {
                Ok(state) if state == *before => {}
                Ok(State::Directory) if may_be_used => {}
                Err(Denied::NotFound | Denied::NotADirectory) if *before == State::Missing => {}
                _ => return Err(RedoError::Changed(path.clone())),
            }
        }
        Ok(())
    }

    /// Whether the directories that an operation changes first are as the undo left them.
    pub(super) fn check_trees(
        &self,
        operation: &Operation,
        record: &Record,
    ) -> Result<(), RedoError> {
        for (path, then) in directories(operation).zip(record.trees()) {
            let now = self
                .digest(path)
                .map_err(|source| RedoError::Unreadable { path: path.clone(), source })?;
            match then.as_str() {
                "" => return Err(RedoError::NotRecorded(operation.id, path.clone())),
                then if now == then => {}
                _ => return Err(RedoError::Changed(path.clone())),
            }
        }
        Ok(())
    }

    /// The digests of the directories that an operation changes first, as they are now; empty
    /// where a directory cannot be read.
    pub(super) fn digests(&self, operation: &Operation) -> Vec<String> {
        // One failure is not a reason never to redo the operation.
        let digest = |path| self.digest(path).or_else(|_| self.digest(path)).unwrap_or_default();
        directories(operation).map(digest).collect()
    }

    fn digest(&self, path: &FilePath) -> io::Result<String> {
        let place =
            self.place_to_read(path).map_err(|denied| io::Error::other(denied.to_string()))?;
        Ok(tree::digest(&place.dir, &place.name)?.to_string())
    }

    /// Makes the changes of steps again, in order.
    fn make_again(&self, steps: &[Step], transaction: &mut Transaction) -> Result<(), RedoError> {
        let mut files = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let change = match step {
                Step::Write { path, before, after, .. } => {
                    let before = before.as_ref().map(|saved| saved.fingerprint);
                    files.push(write(transaction, path, before, *after)?);
                    if files.len() >= TOGETHER {
                        self.make_together(&mut files, transaction)?;
                    }
                    continue;
                }
                Step::Directory { path } if comes_with(path, steps[number + 1..].iter()) => {
                    continue;
                }
                Step::Directory { path } => Change::CreateDirectory { path: path.clone() },
                Step::Remove { path, .. } => {
                    self.make_together(&mut files, transaction)?;
                    let kind = self.kind(path).ok().flatten();
                    let kind = kind.ok_or_else(|| RedoError::Changed(path.clone()))?;
                    Change::Delete { path: path.clone(), kind, files: 1 }
                }
                Step::Rename { from, to, file, size } => {
                    let is_file = file.is_some() || size.is_some();
                    let kind = if is_file { Kind::File } else { Kind::Directory };
                    Change::Rename { from: from.clone(), to: to.clone(), kind, files: 1 }
                }
            };
            self.make_together(&mut files, transaction)?;
            if let Change::CreateDirectory { path } = &change
                && self.kind(path) == Ok(Some(Kind::Directory))
            {
                continue;
            }
            self.make_together(&mut vec![change], transaction)?;
        }
        self.make_together(&mut files, transaction)
    }

    fn make_together(
        &self,
        changes: &mut Vec<Change>,
        transaction: &mut Transaction,
    ) -> Result<(), RedoError> {
        let changes: ChangeSet = changes.drain(..).collect();
        if changes.is_empty() {
            return Ok(());
        }
        self.apply(&changes, transaction).map_err(|error| match error {
            ApplyError::Changed(path) | ApplyError::Exists(path) => RedoError::Changed(path),
            error => RedoError::Apply(error),
        })
    }
}

/// The first change of each place. What is in a directory that comes first is looked at when it
/// is there.
pub(super) fn first_changes(operation: &Operation) -> impl Iterator<Item = &Transition> {
    let mut seen: Vec<&FilePath> = Vec::new();
    let all = operation.works.iter().flat_map(|work| &work.transitions);
    all.filter(move |it| {
        let is_first = !seen.iter().any(|known| it.path.is_within(known));
        if is_first {
            seen.push(&it.path);
        }
        is_first
    })
}

/// The directories that were there before an operation and that it deletes or moves.
pub(super) fn directories(operation: &Operation) -> impl Iterator<Item = &FilePath> {
    first_changes(operation).filter(|it| it.before == State::Directory).map(|it| &it.path)
}

/// A file that is written again, from what the journal keeps.
fn write(
    transaction: &Transaction,
    path: &FilePath,
    before: Option<Fingerprint>,
    after: Fingerprint,
) -> Result<Change, RedoError> {
    let lost = || RedoError::NotKept(transaction.id);
    let content = |fingerprint| -> Result<Content, RedoError> {
        let log = transaction.log.as_ref().ok_or_else(lost)?;
        let bytes = log.content(fingerprint).map_err(|source| log.failed(source))?;
        Content::of_any_bytes(bytes.ok_or_else(lost)?).map_err(|_| lost())
    };
    let (path, after) = (path.clone(), content(after)?);
    Ok(match before {
        None => Change::Create { path, content: after, like: None },
        Some(before) => Change::Edit { path, before: content(before)?, after },
    })
}

/// Whether a directory is made on the way to what the steps after it make.
pub(super) fn comes_with<'a>(
    directory: &FilePath,
    mut after: impl Iterator<Item = &'a Step>,
) -> bool {
    let next = after.find(|step| !matches!(step, Step::Directory { .. }));
    match next {
        Some(Step::Write { path, before: None, .. } | Step::Rename { to: path, .. }) => {
            path.is_within(directory) && path != directory
        }
        _ => false,
    }
}

/// Removes copies of what a step had deleted, which is back.
pub(super) fn forget_removed(log: &Log, step: &Step) -> io::Result<()> {
    let Step::Remove { saved, .. } = step else { return Ok(()) };
    let names = [saved.clone(), back_name(saved), copy_name(saved)];
    names.iter().try_for_each(|name| tree::remove(log.folder(), name))
}
