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

    /// Whether it changes what is at a path.
    pub fn touches(&self, file: &FilePath) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn path(text: &str) -> FilePath {
        FilePath::new(0, text)
    }

    /// Steps such as `create a 1`, `edit a 1 2`, `rename a b`, `delete a`, `mkdir a`.
    fn set(steps: &str) -> ChangeSet {
        let step = |step: &str| {
            let words: Vec<&str> = step.split(' ').collect();
            match words[..] {
                ["create", file, text] => {
                    Change::Create { path: path(file), content: Content::plain(text), like: None }
                }
                ["edit", file, before, after] => Change::Edit {
                    path: path(file),
                    before: Content::plain(before),
                    after: Content::plain(after),
                },
                ["rename", from, to] => {
                    let (from, to) = (path(from), path(to));
                    Change::Rename { from, to, kind: Kind::File, files: 1 }
                }
                ["delete", file] => Change::Delete { path: path(file), kind: Kind::File, files: 1 },
                ["mkdir", directory] => Change::CreateDirectory { path: path(directory) },
                _ => panic!("{step}"),
            }
        };
        steps.split(", ").map(step).collect()
    }

    #[test]
    fn an_edit_joins_the_last_step_of_its_file_where_that_wrote_it() {
        for (steps, expected) in [
            ("edit a 1 2, edit a 2 3", "edit a 1 3"),
            ("edit a 1 2, edit b 1 2, edit a 2 3", "edit a 1 3, edit b 1 2"),
            ("create a 1, edit a 1 2", "create a 2"),
            ("create a 1, mkdir b, edit a 1 2", "create a 2, mkdir b"),
        ] {
            assert_eq!(set(steps), set(expected), "{steps}");
            assert_eq!(set(steps).len(), expected.split(", ").count(), "{steps}");
        }
        for apart in [
            "edit a 1 2, edit b 2 3",
            "create a 1, edit b 1 2",
            "edit a 1 2, rename a b, edit b 2 3",
            "edit a 1 2, rename b a, edit a 2 3",
            "edit d/a 1 2, rename d e, edit e/a 2 3",
            "edit a 1 2, delete a, edit a 1 2",
        ] {
            assert_eq!(set(apart).len(), apart.split(", ").count(), "{apart}");
        }
    }
}
