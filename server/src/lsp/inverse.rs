//! What takes a change set back, and what has to stand as it was left for that.

use std::collections::BTreeSet;

use operator_core::edit::{Change, ChangeSet};
use operator_core::snapshot::{FilePath, Kind, Snapshot, Staged, State};

/// What takes a change set back.
#[derive(Clone)]
pub struct Inverse {
    /// The steps, in order.
    pub changes: ChangeSet,
    /// What the change set leaves at every path that it touches.
    left: Vec<(FilePath, State)>,
}

impl Inverse {
    /// What takes `changes` back, which are in terms of `view`; `None` where what they delete is no
    /// text.
    pub fn new(changes: &ChangeSet, view: &dyn Snapshot) -> Option<Inverse> {
        // Each step back is in terms of what stood there just before the step, not at the start.
        let mut staged = Staged::new(view);
        let mut touched = BTreeSet::new();
        let mut steps = Vec::new();
        for change in changes.iter() {
            steps.push(back(change, &staged)?);
            staged.stage(&ChangeSet::one(change.clone())).ok()?;
            touch(change, &mut touched);
        }
        let state = |path: FilePath| Some((path.clone(), staged.state(&path).ok()?));
        let left = touched.into_iter().map(state).collect::<Option<_>>()?;
        Some(Inverse { changes: steps.into_iter().rev().flatten().collect(), left })
    }

    /// Whether everything is as it was left, so that taking it back loses nothing.
    pub fn is_untouched(&self, view: &dyn Snapshot) -> bool {
        self.left.iter().all(|(path, state)| view.state(path) == Ok(*state))
    }
}

/// The steps that take one step back, where `before` is what it changes.
fn back(change: &Change, before: &dyn Snapshot) -> Option<Vec<Change>> {
    Some(match change.clone() {
        Change::Create { path, .. } => vec![Change::Delete { path, kind: Kind::File, files: 1 }],
        Change::Edit { path, before, after } => {
            vec![Change::Edit { path, before: after, after: before }]
        }
        Change::Rename { from, to, kind, files } => {
            vec![Change::Rename { from: to, to: from, kind, files }]
        }
        Change::CreateDirectory { .. } => Vec::new(),
        Change::Delete { path, kind: Kind::File, .. } => vec![created(&path, before)?],
        Change::Delete { path, kind: Kind::Directory, files } => {
            let inside = before.files(&path, true, files).ok()?;
            inside.iter().map(|path| created(path, before)).collect::<Option<_>>()?
        }
    })
}

fn created(path: &FilePath, before: &dyn Snapshot) -> Option<Change> {
    Some(Change::Create { path: path.clone(), content: before.read(path).ok()?, like: None })
}

/// Notes the paths of one step; what was touched in a directory that moves moves with it.
fn touch(change: &Change, touched: &mut BTreeSet<FilePath>) {
    if let Change::Rename { from, to, .. } = change {
        let along = touched.iter().filter_map(|path| {
            let rest = path.path.strip_prefix(&from.path)?.strip_prefix('/')?;
            path.is_within(from).then(|| to.join(rest))
        });
        let along: Vec<_> = along.collect();
        touched.extend(along);
        touched.insert(from.clone());
    }
    touched.insert(change.path().clone());
}

#[cfg(test)]
mod tests {
    use operator_core::fingerprint::Fingerprint;
    use operator_core::snapshot::MemorySnapshot;
    use operator_core::text::Content;

    use super::*;

    fn at(path: &str) -> FilePath {
        FilePath::new(0, path)
    }

    fn edit(path: &str, before: &str, after: &str) -> Change {
        let content = Content::of_file;
        Change::Edit { path: at(path), before: content(before), after: content(after) }
    }

    #[test]
    fn each_step_goes_back_to_what_stood_before_it() {
        let view = MemorySnapshot::of([("a", "one"), ("d/b", "b")]);
        let changes: ChangeSet = [
            edit("a", "one", "two"),
            Change::Delete { path: at("a"), kind: Kind::File, files: 1 },
            edit("d/b", "b", "B"),
            Change::Rename { from: at("d"), to: at("e"), kind: Kind::Directory, files: 1 },
        ]
        .into_iter()
        .collect();
        let inverse = Inverse::new(&changes, &view).unwrap();
        let mut staged = Staged::new(&view);
        staged.stage(&changes).unwrap();
        assert!(inverse.is_untouched(&staged));
        staged.stage(&inverse.changes).unwrap();
        let file = |text: &str| Ok(State::File(Fingerprint::of(text.as_bytes())));
        assert_eq!((staged.state(&at("a")), staged.state(&at("d/b"))), (file("one"), file("b")));
        assert_eq!(staged.state(&at("e")), Ok(State::Missing));
    }

    #[test]
    fn a_later_change_in_a_directory_that_moved_is_seen() {
        let view = MemorySnapshot::of([("d/b", "b"), ("d/c", "c")]);
        let changes: ChangeSet = [
            edit("d/b", "b", "B"),
            Change::Rename { from: at("d"), to: at("e"), kind: Kind::Directory, files: 2 },
        ]
        .into_iter()
        .collect();
        let inverse = Inverse::new(&changes, &view).unwrap();
        let mut staged = Staged::new(&view);
        staged.stage(&changes).unwrap();
        staged.stage(&ChangeSet::one(edit("e/c", "c", "C"))).unwrap();
        assert!(inverse.is_untouched(&staged), "it moves back as it is");
        staged.stage(&ChangeSet::one(edit("e/b", "B", "mine"))).unwrap();
        assert!(!inverse.is_untouched(&staged));
    }
}
