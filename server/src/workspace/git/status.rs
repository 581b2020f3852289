//! What is not committed.

use std::collections::HashSet;
use std::path::PathBuf;

use super::repository::path_of;
use super::{GitError, Repository};

/// One path that is not as the last commit has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    /// The path below the top, as git has it; it need not be UTF-8.
    pub(super) path: Vec<u8>,
    /// Whether it has a conflict.
    pub(super) unmerged: bool,
    /// Whether it is staged in another state than it is in on disk.
    pub(super) staged_apart: bool,
    /// Whether git does not know it.
    pub(super) untracked: bool,
    /// Whether it is gone from the index or from the disk.
    pub(super) gone: bool,
}

impl Entry {
    /// The path for people.
    pub(super) fn name(&self) -> String {
        String::from_utf8_lossy(&self.path).into_owned()
    }

    /// The path below the top.
    pub(super) fn os_path(&self) -> PathBuf {
        path_of(self.path.clone())
    }
}

impl Repository {
    /// Everything that is not committed and not ignored, file by file. Repositories inside this
    /// one are left out, and so is what is not committed in a submodule.
    pub(super) fn status(&self) -> Result<Vec<Entry>, GitError> {
        let arguments = [
            "--no-optional-locks",
            "status",
            "--porcelain=v2",
            "-z",
            "--untracked-files=all",
            "--ignore-submodules=dirty",
            "--no-renames",
        ];
        Ok(parse(&self.git.run(&arguments)?))
    }
}

/// The entries of `git status --porcelain=v2 -z`.
fn parse(printed: &[u8]) -> Vec<Entry> {
    let mut records = printed.split(|byte| *byte == 0);
    let mut entries = Vec::new();
    while let Some(record) = records.next() {
        let before_path = match record.first() {
            Some(b'1') => 8,
            Some(b'2') => 9,
            Some(b'u') => 10,
            Some(b'?') => 1,
            _ => continue,
        };
        let Some(path) = record.splitn(before_path + 1, |byte| *byte == b' ').nth(before_path)
        else {
            continue;
        };
        if record[0] == b'2' {
            // The path that it had comes as a record of its own.
            records.next();
        }
        // A folder is named only where it is a repository.
        if record[0] == b'?' && path.ends_with(b"/") {
            continue;
        }
        let changed = |at: usize| record.get(at).is_some_and(|state| *state != b'.');
        let staged_apart = matches!(record[0], b'1' | b'2') && changed(2) && changed(3);
        let (unmerged, untracked) = (record[0] == b'u', record[0] == b'?');
        let gone = matches!(record[0], b'1' | b'2') && record[2..4].contains(&b'D');
        entries.push(Entry { path: path.to_owned(), unmerged, staged_apart, untracked, gone });
    }
    // One that is gone from the index and still there is named twice.
    let untracked: HashSet<Vec<u8>> =
        entries.iter().filter(|it| it.untracked).map(|it| it.path.clone()).collect();
    for entry in entries.iter_mut().filter(|it| it.gone && untracked.contains(&it.path)) {
        entry.staged_apart = true;
    }
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(printed: &str, expected: &str) {
        let show = |entry: &Entry| {
            let unmerged = if entry.unmerged { " unmerged" } else { "" };
            let apart = if entry.staged_apart { " apart" } else { "" };
            format!("{:?}{unmerged}{apart}", entry.name())
        };
        let entries = parse(printed.replace('|', "\0").as_bytes());
        assert_eq!(entries.iter().map(show).collect::<Vec<_>>().join(", "), expected);
    }

    #[test]
    fn names_may_hold_blanks_and_line_ends() {
        check("1 .M N... 100644 100644 100644 aa bb a b\nc|? new file|", r#""a b\nc", "new file""#);
    }

    #[test]
    fn what_is_staged_in_another_state_is_told_apart() {
        check("1 MM N... 1 1 1 a b x|1 M. N... 1 1 1 a b y|", r#""x" apart, "y""#);
        check("u UU N... 1 1 1 1 a b c z|", r#""z" unmerged"#);
    }

    #[test]
    fn what_is_gone_from_the_index_alone_is_staged_in_another_state() {
        check("1 D. N... 1 1 0 a b x|1 D. N... 1 1 0 a b y|? x|", r#""x" apart, "y", "x""#);
    }

    #[test]
    fn a_repository_inside_is_left_out() {
        check("? nested/|? d/x|", r#""d/x""#);
    }

    #[test]
    fn the_old_path_of_a_rename_is_no_entry() {
        check("2 R. N... 1 1 1 a b R100 new|? old|? x|", r#""new", "x""#);
    }
}
