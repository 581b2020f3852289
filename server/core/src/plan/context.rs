//! What every plan needs: the workspace, the limits, and the usual first steps.

use super::denied::issue;
use super::work::Work;
use super::{Fact, Issue, Plan, Remedy, Wrote, placeholder, rendered, unlikely};
use crate::edit::Target;
use crate::edit::{Change, ChangeSet};
use crate::fingerprint::Fingerprint;
use crate::limits::Limits;
use crate::path::{FilePath, Kind, State};
use crate::problem::{
    PLAN_CONTENT_TOO_LARGE, PLAN_FILE_EXISTS, PLAN_FILE_TOO_LARGE, PLAN_NO_CHANGE, PLAN_NOT_A_FILE,
};
use crate::snapshot::{Denied, Snapshot, Through};
use crate::spec::FieldRole;
use crate::text::{Content, lines, one_line};

/// Contents of so many bytes are worth a thread.
const LARGE: usize = 512 << 10;

/// The workspace and the limits that one plan is made for.
pub(super) struct Context<'a> {
    pub snapshot: &'a dyn Snapshot,
    /// The workspace before the command, seen as its paths are written.
    pub through: &'a Through<'a>,
    pub limits: &'a Limits,
    pub work: &'a Work<'a>,
}

impl Context<'_> {
    /// The transcript that the command is in, where it is a file of the workspace.
    pub(super) fn transcript(&self) -> Option<FilePath> {
        let around = self.snapshot.surroundings();
        self.snapshot.resolve_absolute(around.transcript.as_ref()?).ok()
    }

    /// Where a path leads that is in `field` as `path`.
    pub(super) fn resolve(&self, path: &str, field: FieldRole) -> Result<FilePath, Box<Issue>> {
        self.snapshot.resolve(path).map_err(|denied| issue(self, denied, path, field))
    }

    /// What is there; nothing there is an issue.
    pub(super) fn existing(
        &self,
        path: &str,
        field: FieldRole,
    ) -> Result<(FilePath, Kind), Box<Issue>> {
        let resolved = self.resolve(path, field)?;
        match self.ask(&resolved, field, |snapshot| snapshot.kind(&resolved))? {
            Some(kind) => Ok((resolved, kind)),
            None => Err(issue(self, Denied::NotFound, &resolved.to_string(), field)),
        }
    }

    /// The text file that must be there.
    pub(super) fn file(&self, path: &str) -> Result<(FilePath, Content), Box<Issue>> {
        let resolved = self.resolve(path, FieldRole::Path)?;
        let content = self.read(&resolved)?;
        Ok((resolved, content))
    }

    /// The text of a file, within the limit.
    pub(super) fn read(&self, path: &FilePath) -> Result<Content, Box<Issue>> {
        self.read_by(path, |snapshot| snapshot.read(path))
    }

    /// The content of a file for an edit that is ASCII, which needs no UTF-8 around it.
    pub(super) fn read_any(&self, path: &FilePath) -> Result<Content, Box<Issue>> {
        self.read_by(path, |snapshot| snapshot.read_any(path))
    }

    fn read_by(
        &self,
        path: &FilePath,
        read: impl FnOnce(&dyn Snapshot) -> Result<Content, Denied>,
    ) -> Result<Content, Box<Issue>> {
        let limit = self.limits.file_bytes;
        self.ask(path, FieldRole::Path, |snapshot| match read(snapshot)? {
            content if content.len() > limit => {
                Err(Denied::TooLarge { size: content.len() as u64, limit })
            }
            content => Ok(content),
        })
    }

    /// The path of something that is not there yet, and whose parents are or can be made.
    pub(super) fn free(&self, path: &str, field: FieldRole) -> Result<FilePath, Box<Issue>> {
        let resolved = self.resolve(path, field)?;
        let there = self.ask(&resolved, field, |snapshot| snapshot.kind(&resolved))?;
        if let Some(kind) = there {
            let name = shown(&resolved);
            let message =
                format!("`{name}` is there already; take another path, or delete it first");
            let issue = Issue::new(PLAN_FILE_EXISTS, field, message);
            return Err(match kind {
                Kind::Directory => issue,
                Kind::File => {
                    let title = format!("Overwrite `{}`", one_line::excerpt(&name, 120));
                    issue.choice(title, Remedy::DeleteFirst(path.to_owned()))
                }
            });
        }
        if let Some(unlikely) = unlikely::issue(self, &resolved, field) {
            return Err(unlikely);
        }
        self.parents_can_be_made(&resolved, field)?;
        Ok(resolved)
    }

    /// Refuses the path of a file that is written like the path of a directory.
    pub(super) fn names_a_file(&self, written: &str, field: FieldRole) -> Result<(), Box<Issue>> {
        if !written.ends_with(['/', '\\']) {
            return Ok(());
        }
        let written = one_line::excerpt(written, 120);
        let message = format!(
            "`{written}` ends with a slash, as a directory does; write the path of the file"
        );
        Err(Issue::new(PLAN_NOT_A_FILE, field, message))
    }

    fn parents_can_be_made(&self, path: &FilePath, field: FieldRole) -> Result<(), Box<Issue>> {
        let mut above = path.parent();
        while let Some(directory) = above {
            match self.ask(&directory, field, |snapshot| snapshot.kind(&directory))? {
                Some(Kind::Directory) => return Ok(()),
                Some(Kind::File) => {
                    let denied = Denied::NotADirectory;
                    return Err(issue(self, denied, &directory.to_string(), field));
                }
                None => above = directory.parent(),
            }
        }
        Ok(())
    }

    /// What the snapshot says about `path`, or the issue that keeps it from saying anything.
    pub(super) fn ask<T>(
        &self,
        path: &FilePath,
        field: FieldRole,
        question: impl FnOnce(&dyn Snapshot) -> Result<T, Denied>,
    ) -> Result<T, Box<Issue>> {
        question(self.snapshot).map_err(|denied| issue(self, denied, &path.to_string(), field))
    }

    /// How many files a command about a directory touches.
    pub(super) fn count_files(&self, directory: &FilePath) -> Result<usize, Box<Issue>> {
        let limit = self.limits.files_per_command;
        let found = self.snapshot.files(directory, true, limit).map_err(|denied| {
            // Of what is below it, it is said which cannot be read.
            let unread = self.snapshot.unread(directory, true);
            let below = unread.into_iter().find(|(_, why)| *why == denied).map(|(path, _)| path);
            let path = below.unwrap_or_else(|| directory.clone());
            issue(self, denied, &path.to_string(), FieldRole::Path)
        });
        Ok(found?.len())
    }

    /// Refuses a payload beyond the limit; `length` in bytes.
    pub(super) fn check_payload(&self, length: usize, field: FieldRole) -> Result<(), Box<Issue>> {
        let limit = self.limits.content_bytes;
        if length <= limit {
            return Ok(());
        }
        let message = format!(
            "the payload has {length} bytes, and the limit is {limit}; split it into several commands"
        );
        let issue = Issue::new(PLAN_CONTENT_TOO_LARGE, field, message);
        Err(issue.detail("bytes", length).detail("limit", limit))
    }

    /// Refuses a file that would grow beyond the limit.
    pub(super) fn check_size(&self, length: usize, field: FieldRole) -> Result<(), Box<Issue>> {
        let limit = self.limits.file_bytes;
        if length <= limit {
            return Ok(());
        }
        let message = format!("the file would have more than {limit} bytes, the limit for files");
        Err(Issue::new(PLAN_FILE_TOO_LARGE, field, message).detail("limit", limit))
    }

    /// The plan that makes `after` of a file that is there.
    pub(super) fn edited(
        &self,
        written: Written,
        before: Content,
        after: Content,
    ) -> Result<Plan, Box<Issue>> {
        let Written { how, path, field, texts, replacements } = written;
        self.check_size(after.len(), field)?;
        let (old, new) = fingerprints(&before, &after);
        let name = shown(&path);
        let is_whole = how == Wrote::Replaced;
        let mut remarks =
            placeholder::remarks(&texts, &before.text, Some((&after.text, is_whole)), field);
        remarks.extend(rendered::remark_on_python(&path, &texts, field));
        let mut changes = ChangeSet::default();
        let lines = lines::count(&after.text);
        let how = if before == after {
            let message = format!("no change: `{name}` has this content already");
            remarks.push(*Issue::warning(PLAN_NO_CHANGE, field, message));
            Wrote::Unchanged
        } else {
            self.ask(&path, FieldRole::Path, |snapshot| snapshot.writable(&path))?;
            changes.push(Change::Edit { path: path.clone(), before, after });
            how
        };
        let fact = Fact::Wrote { how, path: path.clone(), lines, fingerprint: new, replacements };
        let targets = vec![Target { path, before: State::File(old), after: State::File(new) }];
        Ok(Plan { changes, remarks, targets, ..Plan::of(fact) })
    }

    /// The plan that makes a file.
    pub(super) fn created(&self, written: Written, content: Content) -> Result<Plan, Box<Issue>> {
        let Written { path, field, texts, .. } = written;
        self.check_size(content.len(), field)?;
        let fingerprint = content.fingerprint();
        let (how, lines) = (Wrote::Created, lines::count(&content.text));
        let replacements = None;
        let mut remarks = placeholder::remarks(&texts, "", None, field);
        remarks.extend(rendered::remark_on_python(&path, &texts, field));
        remarks.extend(rendered::remark_on_path(self.snapshot, &path));
        let fact = Fact::Wrote { how, path: path.clone(), lines, fingerprint, replacements };
        let after = State::File(fingerprint);
        Ok(Plan {
            changes: ChangeSet::one(Change::Create { path: path.clone(), content, like: None }),
            remarks,
            targets: vec![Target { path, before: State::Missing, after }],
            ..Plan::of(fact)
        })
    }
}

/// The fingerprints of both; large ones at the same time.
fn fingerprints(before: &Content, after: &Content) -> (Fingerprint, Fingerprint) {
    if before.len().min(after.len()) >= LARGE {
        // Each keeps its own once it is worked out.
        std::thread::scope(|scope| {
            // Where no thread can be started, it is worked out below.
            let _ = std::thread::Builder::new().spawn_scoped(scope, || before.fingerprint());
            after.fingerprint();
        });
    }
    (before.fingerprint(), after.fingerprint())
}

/// What is written where, for the fact and the remarks.
pub(super) struct Written<'a> {
    /// How the file comes to its content.
    pub how: Wrote,
    /// The file.
    pub path: FilePath,
    /// The field that holds the text.
    pub field: FieldRole,
    /// The text that the command brings.
    pub texts: Vec<&'a str>,
    /// In how many places a text is replaced, where they are counted.
    pub replacements: Option<usize>,
}

/// The path as messages show it.
pub(super) fn shown(path: &FilePath) -> String {
    one_line::excerpt(&path.to_string(), 120)
}
