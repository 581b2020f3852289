//! The files that a block without a path may be about: those that its lines fit.

use memchr::memmem;

use super::plan;
use crate::command::{Command, FileEdit, Step};
use crate::limits::Limits;
use crate::path::FilePath;
use crate::snapshot::Snapshot;

/// So many files are given at most.
const MOST: usize = 5;
/// In more files than that, or in more bytes, nothing is searched for: somebody waits for it.
const MOST_FILES: usize = 5_000;
const MOST_BYTES: usize = 32 << 20;

/// The command with a path in the place of the one that it lacks.
fn naming(unnamed: &Command, file: &FilePath) -> Command {
    let mut named = unnamed.clone();
    if let [Step::Edit { path, .. }] = &mut named.steps[..] {
        *path = file.to_string();
    }
    named
}

/// The first files that a command would change whose one edit names no file. None where there are
/// too many files to look at each.
pub fn homes(unnamed: &Command, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<FilePath> {
    let [Step::Edit { edit: FileEdit::Hunks(hunks), .. }] = &unnamed.steps[..] else {
        return Vec::new();
    };
    // Of each reading the lines to find begin alike.
    let lines = hunks.iter().filter_map(|hunk| hunk.readings.first()).flat_map(|it| it.old.iter());
    let Some(line) = lines.max_by_key(|line| line.trim().len()) else { return Vec::new() };
    let limit = limits.files_per_command.min(MOST_FILES);
    let Ok(files) = snapshot.files(&FilePath::new(0, ""), false, limit) else { return Vec::new() };
    let line = memmem::Finder::new(line);
    let mut found = Vec::new();
    let mut left = MOST_BYTES;
    for file in files {
        let Ok(content) = snapshot.read(&file) else { continue };
        let Some(rest) = left.checked_sub(content.text.len()) else { return Vec::new() };
        left = rest;
        let may_fit = line.find(content.text.as_bytes()).is_some();
        let fits = || plan(&naming(unnamed, &file), snapshot, limits);
        if may_fit && fits().is_ok_and(|plan| !plan.changes.is_empty()) {
            found.push(file);
            if found.len() == MOST {
                break;
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Missing;
    use crate::command::hunks::{Hunk, Reading};
    use crate::problem::SEARCH_REPLACE_EMPTY_SEARCH;
    use crate::snapshot::{MemorySnapshot, PathStyle};
    use crate::spec;

    #[test]
    fn a_file_is_one_where_the_lines_fit_once() {
        let check = |old: &[&str], expected: &[&str]| {
            let old = old.iter().copied().collect();
            let reading = Reading { old, new: ["new"].into_iter().collect() };
            let hunk = Hunk::new(vec![reading], SEARCH_REPLACE_EMPTY_SEARCH);
            let edit = FileEdit::Hunks(vec![hunk]);
            let step = Step::Edit { path: String::new(), edit, missing: Missing::Refuse };
            let action = spec::action("search-replace", "search-replace.edit").unwrap();
            let unnamed = Command::one(action, step, None, PathStyle::Either);
            let files = [("a", "one\ntwo\n"), ("b/c", "one\nthree\n"), ("d", "two\ntwo\n")];
            let found = homes(&unnamed, &MemorySnapshot::of(files), &Limits::default());
            assert_eq!(found.iter().map(FilePath::to_string).collect::<Vec<_>>(), expected);
        };
        check(&["one"], &["a", "b/c"]);
        check(&["one", "three"], &["b/c"]);
        check(&["two"], &["a"]);
        check(&["four"], &[]);
        check(&[], &[]);
    }
}
