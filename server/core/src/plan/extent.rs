//! How much a plan changes: the files, and the lines that come and go.

use super::Plan;
use super::caution::COUNTED;
use crate::edit::{Change, LineCounts};
use crate::path::Kind;
use crate::snapshot::Snapshot;

/// What the changes of a plan come to together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The change, where all of them are of one kind.
    pub kind: Option<ChangeKind>,
    /// How many files are changed; of a directory all that are in it.
    pub files: usize,
    /// The lines that come and go; `None` where that is not known, or takes long to find out.
    pub lines: Option<LineCounts>,
}

/// A kind of change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// Its text becomes another.
    Edit,
    /// It was not there.
    Create,
    /// It goes.
    Delete,
    /// It gets another path, or a file like it is made there.
    Transfer,
    /// A directory that was not there.
    Directory,
}

impl Extent {
    /// The extent of a plan; `None` for one that changes nothing.
    pub fn of(plan: &Plan, snapshot: &dyn Snapshot) -> Option<Extent> {
        let mut extents = plan.changes.iter().map(|change| of_change(change, snapshot));
        let first = extents.next()?;
        Some(extents.fold(first, |all, one| Extent {
            kind: all.kind.filter(|kind| one.kind == Some(*kind)),
            files: all.files + one.files,
            lines: all.lines.zip(one.lines).map(|(all, one)| all + one),
        }))
    }
}

fn of_change(change: &Change, snapshot: &dyn Snapshot) -> Extent {
    let (kind, files, lines) = match change {
        Change::Create { like: Some(_), .. } => {
            (ChangeKind::Transfer, 1, Some(LineCounts::default()))
        }
        Change::Create { content, .. } => (ChangeKind::Create, 1, counted("", &content.text)),
        Change::Edit { before, after, .. } => {
            (ChangeKind::Edit, 1, counted(&before.text, &after.text))
        }
        Change::Delete { path, kind: Kind::File, .. } => {
            let content = snapshot.read(path).ok();
            (ChangeKind::Delete, 1, content.and_then(|content| counted(&content.text, "")))
        }
        Change::Delete { files, .. } => (ChangeKind::Delete, *files, None),
        Change::Rename { files, .. } => (ChangeKind::Transfer, *files, Some(LineCounts::default())),
        Change::CreateDirectory { .. } => (ChangeKind::Directory, 0, Some(LineCounts::default())),
    };
    Extent { kind: Some(kind), files, lines }
}

/// The lines that come and go, unless the texts are large: many blocks may be about one file.
fn counted(before: &str, after: &str) -> Option<LineCounts> {
    (before.len() + after.len() <= COUNTED).then(|| LineCounts::between(before, after))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::FilePath;
    use crate::plan::Fact;
    use crate::snapshot::MemorySnapshot;
    use crate::text::Content;

    #[test]
    fn changes_of_one_kind_come_to_that_kind() {
        let edit = |path: &str| Change::Edit {
            path: FilePath::new(0, path),
            before: Content::plain("a\n"),
            after: Content::plain("b\nc\n"),
        };
        let content = Content::plain("a\n");
        let create = Change::Create { path: FilePath::new(0, "c"), content, like: None };
        let extent = |changes: Vec<Change>| {
            let plan = Plan { changes: changes.into_iter().collect(), ..Plan::of(Fact::LeftOut) };
            Extent::of(&plan, &MemorySnapshot::default())
        };
        let both = |kind, files, added, removed| {
            Some(Extent { kind, files, lines: Some(LineCounts { added, removed }) })
        };
        assert_eq!(extent(vec![]), None);
        assert_eq!(extent(vec![edit("a"), edit("b")]), both(Some(ChangeKind::Edit), 2, 4, 2));
        assert_eq!(extent(vec![edit("a"), create]), both(None, 2, 3, 1));
    }

    #[test]
    fn the_lines_of_large_texts_are_not_counted() {
        let large = "x\n".repeat(COUNTED / 2);
        let counts = |before: &str, after: &str| {
            counted(before, after).map(|counts| (counts.added, counts.removed))
        };
        assert_eq!(counts("a\n", "b\nc\n"), Some((2, 1)));
        assert_eq!(counts("", &large), Some((COUNTED / 2, 0)));
        assert_eq!([counts("a", &large), counts(&large, "a")], [None, None]);
    }
}
