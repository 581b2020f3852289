//! Cautions: why a sound plan needs a look of its own before it is applied.

use std::collections::HashSet;

use super::context::shown;
use super::overwritten::{self, Says};
use super::{Issue, Plan, odd_lines, own_name};
use crate::command::{Command, Only, Step};
use crate::edit::{Change, LineCounts, line_of_added};
use crate::limits::Limits;
use crate::path::{FilePath, Kind};
use crate::problem::{PLAN_NEEDS_A_LOOK, PLAN_PLACEHOLDER, REPLACER_PATH_GUESSED};
use crate::snapshot::{Snapshot, Through};
use crate::spec::FieldRole;
use crate::text::{Content, lines, one_line};

/// Smaller files are read at a glance, so that what an overwrite takes away is seen.
const FEW_LINES: usize = 10;

/// The lines of larger texts, in bytes of both, are not compared: many blocks may be about one file.
pub(super) const COUNTED: usize = 1 << 20;

/// Why a proposal is not applied together with others, although it is ready: it may destroy what
/// was not meant, or make the machine run code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caution {
    /// The kind of reason.
    pub reason: Reason,
    /// What is to be looked at, in one sentence without its period.
    pub message: String,
    /// The field of the command that it is about.
    field: FieldRole,
}

/// A kind of reason for a look. The order is that of their weight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// It changes a file that makes the machine run code.
    TrustedFile,
    /// It deletes a directory.
    DeletesDirectory,
    /// It overwrites a file and takes away a third of it or more, or all but a part.
    ShrinksFile,
    /// It overwrites a file or takes lines from it, and the new text says that something was left out.
    Placeholder,
    /// It overwrites a file, and a comment or dots are new where code is gone.
    LeavesOut,
    /// It overwrites a file with a text that has syntax errors which the file does not have, or has some
    /// with lines that are those of a listing or a page.
    SyntaxErrors,
    /// The block is in a message of the person who asks, or a program has printed it.
    Shown,
    /// The file is not at the path that the block states: it was found by the end of the path.
    PathFound,
    /// It makes a directory with the workspace's own name in it.
    OwnName,
    /// The file has other names on the disk, which keep the old content.
    PartsLinks,
    /// Its block was edited after it was applied.
    EditedAfter,
    /// It states line numbers, and a block above that was to change the file is not applied.
    CountsLines,
    /// Another block replaces the same text with another one, or has changed the file since the model was told
    /// that this one was not applied.
    Conflicts,
    /// It was undone, or repeats what a block above has done, and the lines that it adds are in the file.
    AddsAgain,
}

impl Reason {
    /// All of them.
    pub const ALL: [Reason; 14] = [
        Reason::TrustedFile,
        Reason::DeletesDirectory,
        Reason::ShrinksFile,
        Reason::Placeholder,
        Reason::LeavesOut,
        Reason::SyntaxErrors,
        Reason::Shown,
        Reason::PathFound,
        Reason::OwnName,
        Reason::PartsLinks,
        Reason::EditedAfter,
        Reason::CountsLines,
        Reason::Conflicts,
        Reason::AddsAgain,
    ];

    /// The reason's code, `shrinks-file`.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::TrustedFile => "trusted-file",
            Reason::DeletesDirectory => "deletes-directory",
            Reason::ShrinksFile => "shrinks-file",
            Reason::Placeholder => "placeholder",
            Reason::LeavesOut => "leaves-out",
            Reason::SyntaxErrors => "syntax-errors",
            Reason::Shown => "shown",
            Reason::PathFound => "path-found",
            Reason::OwnName => "own-name",
            Reason::PartsLinks => "parts-links",
            Reason::EditedAfter => "edited-after",
            Reason::CountsLines => "counts-lines",
            Reason::Conflicts => "conflicts",
            Reason::AddsAgain => "adds-again",
        }
    }
}

impl Caution {
    /// That a block was edited after it was applied.
    pub(crate) fn edited() -> Caution {
        let message = "this block was edited after it was applied".to_owned();
        Caution { reason: Reason::EditedAfter, message, field: FieldRole::Action }
    }

    /// That a block is in a message of the person who asks, or that a program has printed it.
    pub(crate) fn shown(is_printed: bool) -> Caution {
        let message = match is_printed {
            true => "it is below a prompt in its fence, so a program has printed it",
            false => {
                "it is in a message of the person who asks, so it may show the file as it was, or an \
                 edit that nobody asks for"
            }
        };
        Caution::of_content(Reason::Shown, message.to_owned())
    }

    /// That a block above is not applied, which the line numbers of this one may count on.
    pub(crate) fn counts_lines() -> Caution {
        let message =
            "a block above that was to change this file is not applied, so the line numbers \
                       may be of other lines"
                .to_owned();
        Caution { reason: Reason::CountsLines, message, field: FieldRole::Path }
    }

    /// That another block replaces the same text, or has overtaken this one.
    pub(crate) fn conflicts(message: &str) -> Caution {
        Caution { reason: Reason::Conflicts, message: message.to_owned(), field: FieldRole::Path }
    }

    /// That the lines which a plan adds are in a file already, where they may come from the block that
    /// it is of; `None` where they are not.
    pub(crate) fn adds_again(plan: &Plan) -> Option<Caution> {
        Caution::added_before(plan, "this block was undone, but", |_, _| true)
    }

    /// That the lines which a plan adds are in a file already, where a block above has added them:
    /// `has_added` says which those are; `None` where they are not.
    pub(crate) fn repeats(
        plan: &Plan,
        has_added: impl Fn(&FilePath, &str) -> bool,
    ) -> Option<Caution> {
        Caution::added_before(plan, "a block above makes the same change:", has_added)
    }

    fn added_before(
        plan: &Plan,
        why: &str,
        counts: impl Fn(&FilePath, &str) -> bool,
    ) -> Option<Caution> {
        let (path, line) = plan.changes.iter().find_map(|change| {
            let (path, before, after) = edited(change)?;
            Some((path, line_of_added(before, after, |line| counts(path, line))?))
        })?;
        let message =
            format!("{why} the lines that it adds are in `{}`, at line {line}", shown(path));
        Some(Caution { reason: Reason::AddsAgain, message, field: FieldRole::Path })
    }

    /// That an equal block above is applied.
    pub(crate) fn made_above() -> Caution {
        let message =
            "an equal block above is applied; this one makes the same change once more".to_owned();
        Caution { reason: Reason::AddsAgain, message, field: FieldRole::Action }
    }

    /// One about the text that a command brings.
    pub(super) fn of_content(reason: Reason, message: String) -> Caution {
        Caution { reason, message, field: FieldRole::Content }
    }

    /// The warning that says so at its place; `None` where a remark of the plan says it already.
    pub(crate) fn issue(&self) -> Option<Box<Issue>> {
        if matches!(self.reason, Reason::Placeholder | Reason::PathFound) {
            return None;
        }
        let message = format!("needs a look: {}", self.message);
        let issue = Issue::warning(PLAN_NEEDS_A_LOOK, self.field, message);
        Some(issue.detail("caution", self.reason.as_str()))
    }
}

/// Why a plan needs a look of its own, the weightiest reason first; empty where it does not.
///
/// `snapshot` is the one that the plan was made against.
pub(crate) fn of(
    command: &Command,
    plan: &Plan,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Vec<Caution> {
    if plan.changes.is_empty() {
        return Vec::new();
    }
    let look = Look { command, plan, snapshot, limits };
    let mut cautions = Vec::new();
    cautions.extend(look.trusted_file());
    cautions.extend(look.deleted_directory());
    cautions.extend(look.overwritten().or_else(|| look.odd_lines()));
    cautions.extend(look.found_path());
    cautions.extend(look.own_name());
    cautions.extend(look.parted_links());
    cautions
}

/// The file that a change edits with its texts, where they are not too long to be compared.
pub(crate) fn edited(change: &Change) -> Option<(&FilePath, &str, &str)> {
    match change {
        Change::Edit { path, before, after } if before.len() + after.len() <= COUNTED => {
            Some((path, &before.text, &after.text))
        }
        _ => None,
    }
}

struct Look<'a> {
    command: &'a Command,
    plan: &'a Plan,
    snapshot: &'a dyn Snapshot,
    limits: &'a Limits,
}

impl Look<'_> {
    /// The first file that makes the machine run code, of those that change.
    fn trusted_file(&self) -> Option<Caution> {
        let text = |path: &FilePath| self.snapshot.read(path).ok();
        self.plan.changes.iter().find_map(|change| match change {
            Change::Create { path, content, like } => {
                let field = if like.is_some() { FieldRole::DestPath } else { FieldRole::Path };
                self.trusted(path, field, || (None, Some(content.clone())))
            }
            Change::Edit { path, before, after } => {
                self.trusted(path, FieldRole::Path, || (Some(before.clone()), Some(after.clone())))
            }
            Change::Delete { path, kind: Kind::File, .. } => {
                self.trusted(path, FieldRole::Path, || (text(path), None))
            }
            Change::Rename { from, to, kind: Kind::File, .. } => self
                .trusted(to, FieldRole::DestPath, || (None, text(from)))
                .or_else(|| self.trusted(from, FieldRole::Path, || (text(from), None))),
            Change::Rename { from, to, kind: Kind::Directory, .. } => self.trusted_below(from, to),
            Change::Delete { kind: Kind::Directory, .. } | Change::CreateDirectory { .. } => None,
        })
    }

    /// The first file of a directory that is trusted where it comes to be.
    fn trusted_below(&self, from: &FilePath, to: &FilePath) -> Option<Caution> {
        let files = self.snapshot.files(from, true, self.limits.files_per_command);
        files.unwrap_or_default().iter().find_map(|file| {
            let below = file.path.get(from.path.len()..)?.trim_start_matches('/');
            self.trusted(&to.join(below), FieldRole::DestPath, || (None, None))
        })
    }

    /// The caution for one file, if it is trusted; `texts` are what it holds before and after,
    /// which are only asked for where they matter.
    fn trusted(
        &self,
        path: &FilePath,
        field: FieldRole,
        texts: impl FnOnce() -> (Option<Content>, Option<Content>),
    ) -> Option<Caution> {
        let trust = self.limits.trusted_files.trust(path)?;
        let (old, new) = texts();
        let before = old.as_ref().map(|content| content.text.as_str());
        let after = new.as_ref().map(|content| content.text.as_str());
        // Of a file with no text before and after nothing is known but its name.
        let unknown = before.is_none() && after.is_none();
        if !unknown && !trust.concerns(path, before, after) {
            return None;
        }
        let counts = match (before, after) {
            (Some(before), Some(after)) => counts(before, after),
            _ => String::new(),
        };
        let message = format!("`{}` is a file that {}{counts}", shown(path), trust.because);
        Some(Caution { reason: Reason::TrustedFile, message, field })
    }

    fn deleted_directory(&self) -> Option<Caution> {
        let takes_all = |step: &Step| matches!(step, Step::Delete { only: Only::Anything, .. });
        if !self.command.steps.iter().any(takes_all) {
            // Any other is refused unless nothing is in the directory.
            return None;
        }
        self.plan.changes.iter().find_map(|change| match change {
            Change::Delete { path, kind: Kind::Directory, files } => Some(Caution {
                reason: Reason::DeletesDirectory,
                message: format!(
                    "it deletes the directory `{}` with {}",
                    shown(path),
                    one_line::count(*files, "file")
                ),
                field: FieldRole::Path,
            }),
            _ => None,
        })
    }

    /// What an overwrite takes away, or says that it leaves out.
    fn overwritten(&self) -> Option<Caution> {
        let whole = self.files_of(Step::writes_whole);
        let edits = || {
            self.plan.changes.iter().filter_map(|change| match change {
                Change::Edit { path, before, after } if whole.contains(path) => {
                    Some((path, before.text.as_str(), after.text.as_str()))
                }
                _ => None,
            })
        };
        let mut shrunk = edits();
        let shrunk = shrunk.find_map(|(path, before, after)| shrinks(path, before, after));
        let left_out = || {
            let remark = self.plan.remarks.iter().find(|it| it.code == PLAN_PLACEHOLDER)?;
            let (verb, (path, before, after)) = match edits().next() {
                Some(edit) => ("overwrites", edit),
                None => ("takes lines from", self.shorter()?),
            };
            let (counts, says) = (counts(before, after), &remark.message);
            let message = format!("it {verb} `{}`{counts}, and {says}", shown(path));
            Some(Caution::of_content(Reason::Placeholder, message))
        };
        let shrunk = shrunk.or_else(|| self.moved_over()).or_else(left_out);
        shrunk.or_else(|| self.not_whole())
    }

    /// The first file that loses lines.
    fn shorter(&self) -> Option<(&FilePath, &str, &str)> {
        self.plan.changes.iter().find_map(|change| match change {
            Change::Edit { path, before, after } => {
                let (before, after) = (before.text.as_str(), after.text.as_str());
                let loses = match before.len() + after.len() <= COUNTED {
                    true => LineCounts::between(before, after).removed > 0,
                    false => lines::count(after) < lines::count(before),
                };
                loses.then_some((path, before, after))
            }
            _ => None,
        })
    }

    /// The workspace, seen as the command's paths are written.
    fn through(&self) -> Through<'_> {
        Through { inner: self.snapshot, paths: self.command.paths, working_set: None }
    }

    /// What the text of a whole file says of itself.
    fn not_whole(&self) -> Option<Caution> {
        let is_fence = |step: &Step| matches!(step, Step::WholeFile { .. });
        let is_said =
            |step: &Step| matches!(step, Step::WholeFile { file, .. } if file.may_be_part);
        let (whole, fences, parts) =
            (self.files_of(Step::overwrites), self.files_of(is_fence), self.files_of(is_said));
        self.plan.changes.iter().find_map(|change| match change {
            Change::Edit { path, before, after } if whole.contains(path) => {
                let says = match (fences.contains(path), parts.contains(path)) {
                    (false, _) => Says::Whole,
                    (true, false) => Says::Nothing,
                    (true, true) => Says::MayBePart,
                };
                overwritten::caution(path, (before, after), says, self.snapshot)
            }
            _ => None,
        })
    }

    /// The files of some steps.
    fn files_of(&self, which: impl Fn(&Step) -> bool) -> HashSet<FilePath> {
        let through = self.through();
        let whole = self.command.steps.iter().filter(|step| which(step));
        let path = |step: &Step| Snapshot::resolve(&through, step.path()?).ok();
        whole.filter_map(path).collect()
    }

    /// What is lost where a file is moved over another one.
    fn moved_over(&self) -> Option<Caution> {
        let over = |change: &Change| match change {
            Change::Rename { from, to, .. } => Some((from.clone(), to.clone())),
            _ => None,
        };
        let (from, to) = self.plan.changes.iter().find_map(over)?;
        let (before, after) = (self.snapshot.read(&to).ok()?, self.snapshot.read(&from).ok()?);
        shrinks(&to, &before.text, &after.text)
            .map(|caution| Caution { field: FieldRole::DestPath, ..caution })
    }

    /// The first edit with lines that are not of a file's text, where the file does not parse with them.
    fn odd_lines(&self) -> Option<Caution> {
        self.plan.changes.iter().find_map(|change| match change {
            Change::Edit { path, before, after } => {
                odd_lines::caution(path, (before, after), self.snapshot)
            }
            _ => None,
        })
    }

    fn found_path(&self) -> Option<Caution> {
        let remark = self.plan.remarks.iter().find(|it| it.code == REPLACER_PATH_GUESSED)?;
        let (message, field) = (remark.message.clone(), FieldRole::Path);
        Some(Caution { reason: Reason::PathFound, message, field })
    }

    /// The first path that begins with the workspace's own name, and where nothing is with or
    /// without it.
    fn own_name(&self) -> Option<Caution> {
        let through = self.through();
        let made = |change| own_name::made_inside(self.command, &through, change);
        let (path, rest, field) = self.plan.changes.iter().find_map(made)?;
        let message = format!(
            "it makes `{}`, in a new directory with the name of the workspace; if `{}` is meant, \
             write that path",
            one_line::excerpt(path, 120),
            one_line::excerpt(&rest, 120)
        );
        Some(Caution { reason: Reason::OwnName, message, field })
    }

    /// The first file whose other hard links would keep the old content: a new file takes its name.
    fn parted_links(&self) -> Option<Caution> {
        self.plan.changes.iter().find_map(|change| {
            let Change::Edit { path, .. } = change else { return None };
            let others = self.snapshot.details(path).ok()?.links.checked_sub(2)? + 1;
            let others =
                one_line::count(usize::try_from(others).unwrap_or(usize::MAX), "other hard link");
            let message =
                format!("`{}` has {others}, which would keep the old content", shown(path));
            Some(Caution { reason: Reason::PartsLinks, message, field: FieldRole::Path })
        })
    }
}

/// ` (+1 −21)`; nothing for texts of which to compare the lines may take long.
pub(super) fn counts(before: &str, after: &str) -> String {
    match before.len() + after.len() <= COUNTED {
        true => format!(" ({})", LineCounts::between(before, after)),
        false => String::new(),
    }
}

/// Whether an overwrite takes away a third or more of a file that is more than a few lines.
fn shrinks(path: &FilePath, before: &str, after: &str) -> Option<Caution> {
    let (old, new) = (lines::count(before), lines::count(after));
    // Removed minus added lines is the same in every diff.
    let gone = old.saturating_sub(new);
    if old < FEW_LINES || gone * 3 < old {
        return None;
    }
    let counts = counts(before, after);
    let message =
        format!("it overwrites `{}` and takes away {gone} of its {old} lines{counts}", shown(path));
    Some(Caution { reason: Reason::ShrinksFile, message, field: FieldRole::Content })
}
