//! What a whole run changed, one entry per file.

use operator_core::edit::Change;
use operator_core::path::{FilePath, State};
use operator_core::plan::Plan;
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;
use serde::Serialize;

use crate::workspace::{Left, LeftChange};

/// What happened to a file or directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// It was not there before.
    Create,
    /// It holds something else now.
    Edit,
    /// It is gone.
    Delete,
    /// It has another path, and maybe another content.
    Rename,
    /// The directory was not there before.
    Mkdir,
}

/// One file or directory that is not what it was before the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Changed {
    /// Its path relative to the root, with `/`.
    pub path: String,
    /// For a rename, the path that it had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// What happened to it.
    pub kind: Kind,
    /// The fingerprint of what the file holds now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

struct Entry {
    path: FilePath,
    from: Option<FilePath>,
    kind: Kind,
    /// Whether another one was at its path before the run, in the place of which it came.
    over: bool,
    /// What it holds, where a change said so.
    content: Option<Content>,
    /// What is there, where only a target says so.
    state: Option<State>,
}

/// Follows what one plan after the other changes.
#[derive(Default)]
pub struct Changes {
    entries: Vec<Entry>,
}

impl Changes {
    /// Takes note of a plan that was applied.
    pub fn note(&mut self, plan: &Plan) {
        for change in plan.changes.iter() {
            match change {
                Change::Create { path, content, .. } => self.hold(path, Kind::Create, content),
                Change::Edit { path, after, .. } => self.hold(path, Kind::Edit, after),
                Change::CreateDirectory { path } => self.add(path, None, Kind::Mkdir),
                Change::Delete { path, .. } => self.delete(path),
                Change::Rename { from, to, .. } => self.rename(from, to),
            }
        }
        for entry in &mut self.entries {
            if let Some(target) = plan.targets.iter().find(|target| target.path == entry.path) {
                entry.state = Some(target.after);
            }
        }
    }

    /// Takes note of a change that could not be undone, as the disk shows it now.
    pub fn note_left(&mut self, left: &Left, now: &dyn Snapshot) {
        let path = &left.path;
        let state = now.state(path).ok();
        if let LeftChange::Moved(from) = &left.change {
            self.rename(from, path);
        }
        match &left.change {
            LeftChange::Created | LeftChange::Directory if state == Some(State::Missing) => {
                return self.entries.retain(|entry| entry.path != *path);
            }
            _ if state == Some(State::Missing) => return self.delete(path),
            LeftChange::Moved(_) => {}
            LeftChange::Created => self.find_or_add(path, Kind::Create),
            LeftChange::Directory => self.find_or_add(path, Kind::Mkdir),
            LeftChange::Edited | LeftChange::Deleted => self.find_or_add(path, Kind::Edit),
        }
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.path == *path) {
            (entry.content, entry.state) = (None, state);
        }
    }

    fn find_or_add(&mut self, path: &FilePath, kind: Kind) {
        if !self.entries.iter().any(|entry| entry.path == *path) {
            self.add(path, None, kind);
        }
    }

    /// Every file that is not what it was, in the order in which the run came to it.
    pub fn into_list(self) -> Vec<Changed> {
        self.entries.into_iter().map(Entry::into_changed).collect()
    }

    fn hold(&mut self, path: &FilePath, kind: Kind, content: &Content) {
        let known = self.entries.iter_mut().find(|entry| entry.path == *path);
        let Some(entry) = known else {
            self.add(path, None, kind);
            return self.hold(path, kind, content);
        };
        if entry.kind == Kind::Delete {
            entry.kind = Kind::Edit;
        }
        entry.content = Some(content.clone());
    }

    fn add(&mut self, path: &FilePath, from: Option<&FilePath>, kind: Kind) {
        self.entries.retain(|entry| entry.path != *path);
        let (path, from) = (path.clone(), from.cloned());
        self.entries.push(Entry { path, from, kind, over: false, content: None, state: None });
    }

    fn delete(&mut self, path: &FilePath) {
        let mut was_there = true;
        let mut origins = Vec::new();
        self.entries.retain_mut(|entry| {
            if !entry.path.is_within(path) {
                return true;
            }
            if entry.path == *path {
                was_there = entry.was_there();
            }
            origins.extend(entry.from.take());
            false
        });
        if was_there {
            self.add(path, None, Kind::Delete);
        }
        for origin in &origins {
            self.add(origin, None, Kind::Delete);
        }
    }

    fn rename(&mut self, from: &FilePath, to: &FilePath) {
        let mut known = false;
        let mut left = Vec::new();
        let over = self.entries.iter().any(|entry| entry.path == *to && entry.was_there());
        self.entries.retain(|entry| entry.path != *to);
        for entry in &mut self.entries {
            let Some(moved) = rebased(&entry.path, from, to).filter(|_| entry.kind != Kind::Delete)
            else {
                continue;
            };
            if entry.path == *from {
                known = true;
                if entry.kind == Kind::Edit {
                    entry.kind = Kind::Rename;
                    entry.from = Some(from.clone());
                }
            }
            if std::mem::take(&mut entry.over) {
                left.push(entry.path.clone());
            }
            entry.path = moved;
        }
        if !known {
            self.add(to, Some(from), Kind::Rename);
        }
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.path == *to) {
            entry.over = over;
        }
        self.entries.retain_mut(Entry::settle);
        for path in &left {
            self.add(path, None, Kind::Delete);
        }
    }
}

/// The path that something below `from` has once `from` is `to`.
fn rebased(path: &FilePath, from: &FilePath, to: &FilePath) -> Option<FilePath> {
    if !path.is_within(from) {
        return None;
    }
    let below = path.path[from.path.len()..].trim_start_matches('/');
    Some(if below.is_empty() { to.clone() } else { to.join(below) })
}

impl Entry {
    /// Whether something was at its path before the run.
    fn was_there(&self) -> bool {
        self.over || matches!(self.kind, Kind::Edit | Kind::Delete)
    }

    /// Whether there is still something to tell once a file has come back to its first path.
    fn settle(&mut self) -> bool {
        if self.from.as_ref() != Some(&self.path) {
            return true;
        }
        self.from = None;
        self.kind = Kind::Edit;
        self.content.is_some()
    }

    fn into_changed(self) -> Changed {
        let fingerprint = match (&self.content, self.state) {
            _ if self.kind == Kind::Delete => None,
            (Some(content), _) => Some(content.fingerprint()),
            (None, Some(State::File(fingerprint))) => Some(fingerprint),
            _ => None,
        };
        Changed {
            path: self.path.to_string(),
            from: self.from.map(|from| from.to_string()),
            kind: self.kind,
            fingerprint: fingerprint.map(|fingerprint| fingerprint.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use operator_core::edit::ChangeSet;
    use operator_core::path::Kind as FileKind;
    use operator_core::plan::Outcome;

    use super::*;

    /// Changes in words, one a line: `create a 1`, `edit a 2`, `delete a`, `rename a b`, `mkdir a`.
    fn check(steps: &str, expected: &str) {
        let mut changes = Changes::default();
        for step in steps.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let outcome = Outcome::default();
            let changed = ChangeSet::one(change(step));
            changes.note(&Plan {
                changes: changed,
                outcome,
                remarks: vec![],
                targets: vec![],
                program: None,
                part: None,
            });
        }
        let show = |changed: Changed| {
            let from = changed.from.map(|from| format!(" from {from}")).unwrap_or_default();
            let content = |text: &str| Content::plain(text).fingerprint().to_string();
            let holds = changed.fingerprint.map(|print| {
                let known = ["1", "2", "3"].into_iter().find(|text| content(text) == print);
                format!(" {}", known.unwrap())
            });
            format!("{:?} {}{from}{}", changed.kind, changed.path, holds.unwrap_or_default())
        };
        let list: Vec<_> = changes.into_list().into_iter().map(show).collect();
        assert_eq!(list.join(", ").to_lowercase(), expected);
    }

    fn change(step: &str) -> Change {
        let words: Vec<_> = step.split(' ').collect();
        let path = FilePath::new(0, words[1]);
        let content = || Content::plain(words[2]);
        match words[0] {
            "create" => Change::Create { path, content: content(), like: None },
            "edit" => Change::Edit { path, before: Content::plain("0"), after: content() },
            "delete" => Change::Delete { path, kind: FileKind::File, files: 1 },
            "mkdir" => Change::CreateDirectory { path },
            _ => Change::Rename {
                from: path,
                to: FilePath::new(0, words[2]),
                kind: FileKind::File,
                files: 1,
            },
        }
    }

    #[test]
    fn several_changes_of_a_file_are_one() {
        check("create a 1\nedit a 2", "create a 2");
        check("edit a 1\nedit b 1\nedit a 2", "edit a 2, edit b 1");
        check("edit a 1\ndelete a", "delete a");
        check("create a 1\ndelete a", "");
        check("delete a\ncreate a 1", "edit a 1");
    }

    #[test]
    fn a_file_is_followed_where_it_goes() {
        check("rename a b\nrename b c", "rename c from a");
        check("edit a 1\nrename a b\nedit b 2", "rename b from a 2");
        check("create a 1\nrename a b", "create b 1");
        check("rename a b\ndelete b", "delete a");
        check("delete b\nrename a b\ndelete b", "delete b, delete a");
        check("edit b 1\nrename a b\ndelete b", "delete b, delete a");
        check("delete b\nrename a b\nrename b c", "rename c from a, delete b");
        check("delete b\nrename a b\nrename b a", "delete b");
        check("rename a b\nrename b a", "");
        check("rename a b\nedit b 1\nrename b a", "edit a 1");
    }

    #[test]
    fn what_is_in_a_directory_goes_with_it() {
        check("create d/a 1\nrename d e", "create e/a 1, rename e from d");
        check("edit d/a 1\ndelete d", "delete d");
        check("rename a d/a\ndelete d", "delete d, delete a");
        check("mkdir d\ncreate d/a 1\ndelete d", "");
        check("create da 1\ndelete d", "create da 1, delete d");
    }
}
