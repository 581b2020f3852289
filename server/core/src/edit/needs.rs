//! What carrying changes out takes beyond editing texts that are there: not everyone can do it all.

use std::collections::HashSet;

use super::{Change, ChangeSet};
use crate::path::FilePath;

/// What a change set does besides editing the texts of files that are there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Needs {
    /// A file comes into being.
    pub create: bool,
    /// A file or directory goes.
    pub delete: bool,
    /// A file or directory gets another path.
    pub rename: bool,
    /// A directory comes into being, and nothing in it.
    pub empty_directory: bool,
    /// A file that is there gets a byte order mark that it did not have.
    pub byte_order_mark: bool,
}

impl ChangeSet {
    /// What it takes to carry the changes out.
    pub fn needs(&self) -> Needs {
        let mut needs =
            Needs { empty_directory: self.empty_directory().is_some(), ..Needs::default() };
        for change in self.iter() {
            match change {
                Change::Create { .. } => needs.create = true,
                Change::Delete { .. } => needs.delete = true,
                Change::Rename { .. } => needs.rename = true,
                Change::Edit { before, after, .. } => {
                    needs.byte_order_mark |= after.bom && !before.bom;
                }
                Change::CreateDirectory { .. } => {}
            }
        }
        needs
    }

    /// The first directory that comes into being without a file that is created or moved into it.
    pub fn empty_directory(&self) -> Option<&FilePath> {
        let made = |change: &Change| matches!(change, Change::CreateDirectory { .. });
        if !self.iter().any(made) {
            return None;
        }
        let mut filled = HashSet::new();
        for change in self.iter() {
            let (Change::Create { path, .. } | Change::Rename { to: path, .. }) = change else {
                continue;
            };
            let mut above = path.parent();
            while let Some(directory) = above.filter(|directory| !filled.contains(directory)) {
                above = directory.parent();
                filled.insert(directory);
            }
        }
        let mut made = self.iter().filter(|change| made(change)).map(Change::path);
        made.find(|path| !filled.contains(*path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Content;

    fn made(path: &str) -> Change {
        Change::CreateDirectory { path: FilePath::new(0, path) }
    }

    fn file(path: &str) -> Change {
        Change::Create { path: FilePath::new(0, path), content: Content::plain("x"), like: None }
    }

    fn empty(changes: &[Change]) -> Option<String> {
        let changes: ChangeSet = changes.iter().cloned().collect();
        assert_eq!(changes.needs().empty_directory, changes.empty_directory().is_some());
        changes.empty_directory().map(ToString::to_string)
    }

    #[test]
    fn a_directory_is_empty_unless_a_file_comes_into_it() {
        assert_eq!(empty(&[file("a/b/c")]), None);
        assert_eq!(empty(&[made("a"), made("a/b"), file("a/b/c")]), None);
        assert_eq!(empty(&[made("a"), file("a/b"), made("a/c"), made("a/d")]).unwrap(), "a/c");
        assert_eq!(empty(&[made("a"), file("ab/c")]).unwrap(), "a");
    }

    #[test]
    fn a_mark_is_needed_where_it_was_not() {
        let path = FilePath::new(0, "a");
        let needs = |was, is| {
            let (before, after) = (Content::new(was, "x"), Content::new(is, "y"));
            let edit = Change::Edit { path: path.clone(), before, after };
            ChangeSet::one(edit).needs().byte_order_mark
        };
        assert!(needs(false, true));
        assert!(!needs(true, true) && !needs(true, false) && !needs(false, false));
    }
}
