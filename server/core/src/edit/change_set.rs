//! What a plan changes, file by file, in the order in which it must happen.

use crate::path::{FilePath, Kind};
use crate::text::Content;

/// One step of a change set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A file that was not there; missing parents come with it.
    Create {
        /// The file.
        path: FilePath,
        /// What it holds.
        content: Content,
        /// The file that it is a copy of, whose permissions it gets.
        like: Option<FilePath>,
    },
    /// A file's content becomes another.
    Edit {
        /// The file.
        path: FilePath,
        /// What it held.
        before: Content,
        /// What it holds afterwards.
        after: Content,
    },
    /// A file or a whole directory goes.
    Delete {
        /// The file or directory.
        path: FilePath,
        /// Which of the two.
        kind: Kind,
        /// How many files go.
        files: usize,
    },
    /// A file or a whole directory gets another path; missing parents come with it.
    Rename {
        /// The path that it had.
        from: FilePath,
        /// The path that it has.
        to: FilePath,
        /// Which of the two.
        kind: Kind,
        /// How many files move.
        files: usize,
    },
    /// A directory that was not there, with missing parents.
    CreateDirectory {
        /// The directory.
        path: FilePath,
    },
}

/// Steps, in order; each is in terms of what the ones before leave.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ChangeSet {
    changes: Vec<Change>,
}

impl Change {
    /// The path that the change is about: for a rename the one that it has afterwards.
    pub fn path(&self) -> &FilePath {
        match self {
            Change::Create { path, .. }
            | Change::Edit { path, .. }
            | Change::Delete { path, .. }
            | Change::CreateDirectory { path }
            | Change::Rename { to: path, .. } => path,
        }
    }

    fn touches(&self, file: &FilePath) -> bool {
        match self {
            Change::Rename { from, to, .. } => file.is_within(from) || file.is_within(to),
            other => file.is_within(other.path()),
        }
    }
}

impl ChangeSet {
    /// A change set of one step.
    pub fn one(change: Change) -> ChangeSet {
        ChangeSet { changes: vec![change] }
    }

    /// The steps, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Change> {
        self.changes.iter()
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.changes.len()
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Adds a step that comes after the others.
    ///
    /// An edit of a file whose last step created or edited it joins that step, so that a client
    /// gets one list of edits for a file wherever the order allows it.
    pub fn push(&mut self, change: Change) {
        if let Change::Edit { path, after, .. } = &change
            && let Some(last) = self.changes.iter_mut().rev().find(|step| step.touches(path))
        {
            match last {
                Change::Edit { path: edited, after: old, .. } if edited == path => {
                    *old = after.clone();
                    return;
                }
                Change::Create { path: created, content, .. } if created == path => {
                    *content = after.clone();
                    return;
                }
                _ => {}
            }
        }
        self.changes.push(change);
    }

    /// Adds the steps of another set, in order.
    pub fn append(&mut self, other: ChangeSet) {
        other.changes.into_iter().for_each(|change| self.push(change));
    }
}

impl FromIterator<Change> for ChangeSet {
    fn from_iter<I: IntoIterator<Item = Change>>(changes: I) -> ChangeSet {
        let mut set = ChangeSet::default();
        changes.into_iter().for_each(|change| set.push(change));
        set
    }
}
