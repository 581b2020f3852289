//! Paths of which only the end is known: the one file whose path ends most like them.

use super::context::{Context, shown};
use super::denied::issue;
use super::{Issue, Remedy, Repair};
use crate::command::{Command, Missing, Step};
use crate::limits::Limits;
use crate::path::FilePath;
use crate::problem::{REPLACER_PATH_AMBIGUOUS, REPLACER_PATH_GUESSED};
use crate::snapshot::{Denied, Snapshot};
use crate::spec::FieldRole;
use crate::text::one_line;

/// So many files are named where several fit.
const NAMED: usize = 20;

/// What a path comes to.
enum Found {
    /// Something is there.
    There,
    /// Nothing does; these files end most like it, none where no name is the same.
    Like(Vec<FilePath>),
    /// Nothing does, and there are too many files to look for one like it.
    TooMany,
}

/// The file that a path means, and a remark where it is not the one at that path.
pub(super) fn file(
    context: &Context<'_>,
    written: &str,
) -> Result<(FilePath, Option<Box<Issue>>), Box<Issue>> {
    let path = context.resolve(written, FieldRole::Path)?;
    let limit = context.limits.files_per_command;
    let found = context.ask(&path, FieldRole::Path, |snapshot| find(snapshot, &path, limit))?;
    let name = shown(&path);
    match found {
        Found::There => Ok((path, None)),
        Found::Like(files) => match &files[..] {
            [] => Err(issue(context, Denied::NotFound, &path.to_string(), FieldRole::Path)),
            [only] => {
                let message = format!(
                    "`{name}` does not exist; `{}` is the one file whose path ends most like it, \
                     and is taken for it",
                    shown(only)
                );
                let mut remark = Issue::warning(REPLACER_PATH_GUESSED, FieldRole::Path, message)
                    .detail("taken", only.to_string());
                remark.repairs.push(Repair {
                    title: format!("Make it {}", shown(only)),
                    remedy: Remedy::Values(vec![(FieldRole::Path, only.to_string())]),
                    is_choice: false,
                });
                Ok((only.clone(), Some(remark)))
            }
            several => {
                let named: Vec<String> =
                    several.iter().take(NAMED).map(|it| format!("`{}`", shown(it))).collect();
                let more = if several.len() > NAMED { ", …" } else { "" };
                let message = format!(
                    "`{name}` does not exist, and {} end alike: {}{more}; give more of the path",
                    one_line::count(several.len(), "file"),
                    named.join(", ")
                );
                let paths: Vec<String> = several.iter().map(FilePath::to_string).collect();
                Err(Issue::new(REPLACER_PATH_AMBIGUOUS, FieldRole::Path, message)
                    .detail("paths", paths))
            }
        },
        Found::TooMany => {
            let mut issue = issue(context, Denied::NotFound, &path.to_string(), FieldRole::Path);
            issue.message.push_str(&format!(
                "; with more than {limit} files, paths that end like it are not searched for"
            ));
            Err(issue)
        }
    }
}

/// The files and directories that a command names, as far as they can be resolved, then those whose
/// change may make its paths or its texts mean other files.
pub(crate) fn files(command: &Command, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<FilePath> {
    let (mut named, mut others) = (Vec::new(), Vec::new());
    for step in &command.steps {
        if let Step::WholeFile { file, .. } = step {
            let names = file.may_name_other.iter();
            others.extend(names.filter_map(|(_, name)| snapshot.resolve(name).ok()));
        }
        for path in step.paths() {
            let mut files = match step {
                Step::Edit { missing: Missing::FindByEnd, .. } => by_end(snapshot, path, limits),
                _ if command.is_virtual() => snapshot.surroundings().looked_at(path, snapshot),
                _ => snapshot.resolve(path).into_iter().collect(),
            };
            others.extend(files.split_off(files.len().min(1)));
            named.extend(files);
        }
    }
    named.extend(others);
    // It is kept for each block.
    named.shrink_to_fit();
    named
}

/// The directories whose names are searched for one like a name that a command writes and that is
/// not there.
pub(crate) fn listed(command: &Command, snapshot: &dyn Snapshot) -> Vec<FilePath> {
    let is_missing = |path: &FilePath| matches!(snapshot.kind(path), Ok(None));
    let nearest = |written: &str| {
        let path = snapshot.resolve(written).ok().filter(is_missing)?;
        let mut above = path.parent();
        while let Some(directory) = above.take_if(|it| is_missing(it)) {
            above = directory.parent();
        }
        above
    };
    command.all_paths().filter_map(nearest).collect()
}

fn by_end(snapshot: &dyn Snapshot, written: &str, limits: &Limits) -> Vec<FilePath> {
    let Ok(path) = snapshot.resolve(written) else { return Vec::new() };
    match find(snapshot, &path, limits.files_per_command) {
        Ok(Found::There) | Err(_) => vec![path],
        found => {
            let taken = match found {
                Ok(Found::Like(files)) if files.len() == 1 => files,
                _ => Vec::new(),
            };
            let everything = FilePath::new(path.root, "");
            taken.into_iter().chain([path, everything]).collect()
        }
    }
}

fn find(snapshot: &dyn Snapshot, path: &FilePath, limit: usize) -> Result<Found, Denied> {
    if snapshot.kind(path)?.is_some() {
        return Ok(Found::There);
    }
    let files = match snapshot.named(path.root, path.name(), limit) {
        Err(Denied::TooMany { .. }) => return Ok(Found::TooMany),
        files => files?,
    };
    Ok(Found::Like(most_like(path, files)))
}

/// The files that have the most names at the end of their path in common with `path`, at least one.
fn most_like(path: &FilePath, files: Vec<FilePath>) -> Vec<FilePath> {
    let common = |file: &FilePath| {
        let names = path.path.rsplit('/').zip(file.path.rsplit('/'));
        names.take_while(|(wanted, name)| wanted == name).count()
    };
    let mut best = 1;
    let mut found = Vec::new();
    for file in files {
        let count = common(&file);
        if count > best {
            best = count;
            found.clear();
        }
        if count == best {
            found.push(file);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_end_counts() {
        let check = |path: &str, expected: &[&str]| {
            let files = ["a/main.rs", "b/src/main.rs", "c/src/main.rs", "b/src/lib.rs"];
            let files = files.iter().map(|file| FilePath::new(0, *file)).collect();
            let found = most_like(&FilePath::new(0, path), files);
            let found: Vec<&str> = found.iter().map(|file| &*file.path).collect();
            assert_eq!(found, expected, "{path}");
        };
        check("x/a/main.rs", &["a/main.rs"]);
        check("x/src/main.rs", &["b/src/main.rs", "c/src/main.rs"]);
        check("x/b/src/main.rs", &["b/src/main.rs"]);
        check("lib.rs", &["b/src/lib.rs"]);
        check("main.rs", &["a/main.rs", "b/src/main.rs", "c/src/main.rs"]);
        check("src/in.rs", &[]);
    }
}
