//! `fs.copy`, `fs.move` and their like: a file or a directory at another path.

use super::context::{Context, shown};
use super::delete::{not_a_link, not_the_root};
use super::{Fact, Issue, Outcome, Plan};
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::path::{FilePath, Kind, State};
use crate::problem::{PLAN_FILE_EXISTS, PLAN_FILE_TOO_LARGE, PLAN_NOT_A_FILE, PLAN_TOO_MANY_FILES};
use crate::spec::FieldRole;

/// A copy holds the texts that it makes; all of them together may be this many files of the
/// largest size.
const FULL_FILES: usize = 16;

/// Moves what is at `path` to `path_to`.
pub(super) fn rename(context: &Context<'_>, path: &str, path_to: &str) -> Result<Plan, Box<Issue>> {
    let ends = match Ends::in_another_case(context, path, path_to)? {
        Some(ends) => ends,
        None => Ends::new(context, path, path_to, "moved")?,
    };
    not_a_link(context, path, &ends.from, "moved")?;
    let files = match ends.kind {
        Kind::File => 1,
        Kind::Directory => context.count_files(&ends.from)?,
    };
    let Ends { from, to, kind, .. } = ends.clone();
    let changes = ChangeSet::one(Change::Rename { from, to, kind, files });
    Ok(ends.moved(changes, files))
}

/// Gives a file another path, whatever file is there.
pub(super) fn rename_file(
    context: &Context<'_>,
    path: &str,
    path_to: &str,
) -> Result<Plan, Box<Issue>> {
    let (from, kind) = context.existing(path, FieldRole::Path)?;
    if kind == Kind::Directory {
        let message = format!("`{}` is a directory, and only a file is moved so", shown(&from));
        return Err(Issue::new(PLAN_NOT_A_FILE, FieldRole::Path, message));
    }
    let to = context.resolve(path_to, FieldRole::DestPath)?;
    if context.ask(&to, FieldRole::DestPath, |snapshot| snapshot.kind(&to))?.is_none() || to == from
    {
        return rename(context, path, path_to);
    }
    not_a_link(context, path, &from, "moved")?;
    not_a_link(context, path_to, &to, "overwritten")?;
    let there = context.ask(&to, FieldRole::DestPath, |snapshot| snapshot.kind(&to))?;
    if there == Some(Kind::Directory) {
        let message = format!("`{}` is a directory, and no file takes its place", shown(&to));
        return Err(Issue::new(PLAN_FILE_EXISTS, FieldRole::DestPath, message));
    }
    context.names_a_file(path_to, FieldRole::DestPath)?;
    let state = |path: &FilePath, field| context.ask(path, field, |it| it.state(path));
    let (before, overwritten) = (state(&from, FieldRole::Path)?, state(&to, FieldRole::DestPath)?);
    let kind = Kind::File;
    let mut changes = ChangeSet::one(Change::Delete { path: to.clone(), kind, files: 1 });
    changes.push(Change::Rename { from: from.clone(), to: to.clone(), kind, files: 1 });
    let mut plan = Ends { from, to, kind, before }.moved(changes, 1);
    plan.targets[1].before = overwritten;
    if let Outcome::Done(facts) = &mut plan.outcome
        && let Some(Fact::Moved { overwrote, .. }) = facts.first_mut()
    {
        *overwrote = true;
    }
    Ok(plan)
}

/// Makes a second file or directory like the one at `path`.
pub(super) fn copy(context: &Context<'_>, path: &str, path_to: &str) -> Result<Plan, Box<Issue>> {
    let ends = Ends::new(context, path, path_to, "copied")?;
    let mut copied = Copied { context, changes: ChangeSet::default(), files: 0, bytes: 0 };
    copied.add(&ends.from, &ends.to, ends.kind)?;
    let (before, told) = (ends.before, ends.told(copied.files));
    Ok(ends.plan(copied.changes, before, Fact::Copied(told)))
}

/// From where to where.
#[derive(Clone)]
struct Ends {
    from: FilePath,
    to: FilePath,
    kind: Kind,
    before: State,
}

impl Ends {
    fn new(
        context: &Context<'_>,
        path: &str,
        path_to: &str,
        what: &str,
    ) -> Result<Ends, Box<Issue>> {
        let (from, kind) = context.existing(path, FieldRole::Path)?;
        not_the_root(&from, what)?;
        let to = context.resolve(path_to, FieldRole::DestPath)?;
        if to.is_within(&from) {
            let onto = if to == from { "onto" } else { "into" };
            let message = format!("`{}` cannot be {what} {onto} itself", shown(&from));
            return Err(Issue::new(PLAN_FILE_EXISTS, FieldRole::DestPath, message));
        }
        let to = context.free(path_to, FieldRole::DestPath)?;
        if kind == Kind::File {
            context.names_a_file(path_to, FieldRole::DestPath)?;
        }
        let before = context.ask(&from, FieldRole::Path, |snapshot| snapshot.state(&from))?;
        Ok(Ends { from, to, kind, before })
    }

    /// A move to the same name in another case, where the file system takes both for one.
    fn in_another_case(
        context: &Context<'_>,
        path: &str,
        path_to: &str,
    ) -> Result<Option<Ends>, Box<Issue>> {
        let (from, kind) = context.existing(path, FieldRole::Path)?;
        let written = path_to.rsplit(['/', '\\']).find(|name| !name.is_empty());
        let Some((parent, name)) = from.parent().zip(written) else { return Ok(None) };
        let to = parent.join(name);
        let takes_both_for_one = || {
            context.resolve(path_to, FieldRole::DestPath).is_ok_and(|it| it == from)
                && matches!(context.ask(&to, FieldRole::DestPath, |it| it.kind(&to)), Ok(None))
        };
        if !from.is_in_another_case(&to) || !takes_both_for_one() {
            return Ok(None);
        }
        let before = context.ask(&from, FieldRole::Path, |snapshot| snapshot.state(&from))?;
        Ok(Some(Ends { from, to, kind, before }))
    }

    fn told(&self, files: usize) -> super::Ends {
        super::Ends { from: self.from.clone(), to: self.to.clone(), state: self.before, files }
    }

    fn moved(self, changes: ChangeSet, files: usize) -> Plan {
        let ends = self.told(files);
        self.plan(changes, State::Missing, Fact::Moved { ends, overwrote: false })
    }

    /// The plan, where `after` is what is at the old path then.
    fn plan(self, changes: ChangeSet, after: State, fact: Fact) -> Plan {
        let Ends { from, to, before, .. } = self;
        let targets = vec![
            Target { path: from, before, after },
            Target { path: to, before: State::Missing, after: before },
        ];
        Plan { changes, targets, ..Plan::of(fact) }
    }
}

struct Copied<'a> {
    context: &'a Context<'a>,
    changes: ChangeSet,
    files: usize,
    bytes: usize,
}

impl Copied<'_> {
    fn add(&mut self, from: &FilePath, to: &FilePath, kind: Kind) -> Result<(), Box<Issue>> {
        if kind == Kind::File {
            return self.add_file(from, to);
        }
        self.changes.push(Change::CreateDirectory { path: to.clone() });
        for entry in self.context.ask(from, FieldRole::Path, |snapshot| snapshot.list(from))? {
            let kind = if entry.directory { Kind::Directory } else { Kind::File };
            self.add(&from.join(&entry.name), &to.join(&entry.name), kind)?;
        }
        Ok(())
    }

    fn add_file(&mut self, from: &FilePath, to: &FilePath) -> Result<(), Box<Issue>> {
        let limits = self.context.limits;
        let content = self.context.read(from)?;
        self.files += 1;
        self.bytes += content.len();
        if self.files > limits.files_per_command {
            let limit = limits.files_per_command;
            let message = format!(
                "there are more than {limit} files, the limit for one command; copy each directory by itself"
            );
            return Err(
                Issue::new(PLAN_TOO_MANY_FILES, FieldRole::Path, message).detail("limit", limit)
            );
        }
        let limit = limits.file_bytes.saturating_mul(FULL_FILES);
        if self.bytes > limit {
            let message =
                format!("the files have more than {limit} bytes together, the limit for one copy");
            return Err(
                Issue::new(PLAN_FILE_TOO_LARGE, FieldRole::Path, message).detail("limit", limit)
            );
        }
        self.changes.push(Change::Create { path: to.clone(), content, like: Some(from.clone()) });
        Ok(())
    }
}
