//! Plans as tables: a workspace, a command, and the outcome of it.

mod caution;
mod denied;
mod edit_ops;
mod edits;
mod files;
mod hunks;
mod like;
mod lists;
mod not_a_file;
mod overwritten;
mod part;
mod patch;
mod reads;
mod steps;
mod structure;
mod transfer;
mod whole_file;
mod working_set;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use super::*;
use crate::command::{FileEdit, Missing, Only, ReadLines, SearchFor, There, WholeFile, WriteMode};
use crate::dialect::reply::{details, line};
use crate::path::Kind;
use crate::problem::Code;
use crate::snapshot::{Denied, Details, Layer, MemorySnapshot, PathStyle, Surroundings};
use crate::spec::{Action, Effect};
use crate::text::Content;

/// The command of a step; plans do not look at the action.
fn command(step: Step) -> Command {
    let action = Action {
        name: "test".into(),
        dialect: "test".into(),
        effect: Effect::Write,
        extension: false,
        aliases: Vec::new(),
        structure: None,
        user_only: false,
        help: String::new(),
        result: String::new(),
        fields: Vec::new(),
    };
    Command::one(Box::leak(Box::new(action)), step, None, PathStyle::Relative)
}

fn read(path: String) -> Step {
    Step::Read { path, lines: ReadLines::All, delimiter: None }
}

/// The step that writes a whole file from a fence.
fn whole_file(path: &str, text: &str) -> Step {
    let file = WholeFile {
        text: text.into(),
        path_line: None,
        names_other: None,
        may_name_other: Vec::new(),
        may_be_part: false,
        marked: None,
        there: There::Yes,
        elides: false,
    };
    Step::WholeFile { path: path.into(), file }
}

/// The step that edits the text of a file that is there.
fn edit(path: &str, edit: FileEdit) -> Step {
    Step::Edit { path: path.into(), edit, missing: Missing::Refuse }
}

/// A workspace in memory that says more of some paths than their texts.
#[derive(Default)]
struct Known {
    memory: MemorySnapshot,
    /// What cannot be looked at, and why.
    denied: BTreeMap<&'static str, Denied>,
    /// Why its files cannot be counted.
    uncounted: Option<Denied>,
    /// What is passed over in a search for files.
    unread: Vec<(FilePath, Denied)>,
    /// The hard links that a change of a file would part.
    links: u64,
    /// The working set of the transcript, where that is known.
    working_set: Option<BTreeSet<String>>,
    /// For texts of how many bytes patience was asked for.
    patience: Mutex<Vec<usize>>,
}

impl Known {
    fn allows(&self, path: &FilePath) -> Result<(), Denied> {
        self.denied.get(&*path.path).map_or(Ok(()), |denied| Err(denied.clone()))
    }
}

impl Layer for Known {
    fn inner(&self) -> &dyn Snapshot {
        &self.memory
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        self.allows(path)?;
        Snapshot::kind(&self.memory, path)
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.allows(path)?;
        Snapshot::read(&self.memory, path)
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        match &self.uncounted {
            Some(denied) => Err(denied.clone()),
            None => Snapshot::files(&self.memory, path, ignored, limit),
        }
    }

    fn unread(&self, _: &FilePath, _: bool) -> Vec<(FilePath, Denied)> {
        self.unread.clone()
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        let details = Snapshot::details(&self.memory, path)?;
        Ok(Details { links: self.links, ..details })
    }

    fn working_set(&self) -> Option<BTreeSet<String>> {
        self.working_set.clone()
    }

    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        self.patience.lock().unwrap().push(bytes);
        Snapshot::patience(&self.memory, bytes)
    }
}

/// A workspace at `/home/shop` in which the transcript is at a path.
fn with_transcript(memory: MemorySnapshot, path: &str) -> MemorySnapshot {
    let transcript = Some(format!("/home/shop/{path}"));
    let surroundings = Surroundings { transcript, ..Surroundings::default() };
    let surroundings = Arc::new(surroundings);
    MemorySnapshot { home: "/home/shop".to_owned(), surroundings, ..memory }
}

fn plan_in(snapshot: &dyn Snapshot, step: Step) -> Result<Plan, Vec<Issue>> {
    plan(&command(step), snapshot, &Limits::default())
}

/// The plan, and the workspace when it is done; the targets must be as the plan says.
fn done(snapshot: &MemorySnapshot, step: Step) -> (Plan, MemorySnapshot) {
    let plan = plan_in(snapshot, step).unwrap();
    let mut after = snapshot.clone();
    after.apply(&plan.changes);
    for target in &plan.targets {
        assert_eq!(snapshot.state(&target.path), Ok(target.before), "{} before", target.path);
        assert_eq!(after.state(&target.path), Ok(target.after), "{} after", target.path);
    }
    let line = line(&plan.outcome);
    assert!(line.chars().count() <= 200 && !line.contains('\n'));
    (plan, after)
}

/// The one issue that keeps a step from being done.
fn refused(snapshot: &dyn Snapshot, step: Step) -> Issue {
    refused_within(&Limits::default(), snapshot, step)
}

/// The same within other limits.
fn refused_within(limits: &Limits, snapshot: &dyn Snapshot, step: Step) -> Issue {
    let mut issues = plan(&command(step), snapshot, limits).unwrap_err();
    assert_eq!(issues.len(), 1, "{issues:?}");
    issues.remove(0)
}

fn codes(remarks: &[Issue]) -> Vec<Code> {
    remarks.iter().map(|remark| remark.code).collect()
}

fn text_of(snapshot: &MemorySnapshot, path: &str) -> String {
    String::from_utf8(snapshot.files[path].clone()).unwrap()
}

#[test]
fn the_specification_is_served() {
    let (plan, _) = done(&MemorySnapshot::default(), Step::InterfaceSpec);
    assert_eq!(line(&plan.outcome), "operator interface specification, version 3");
    assert_eq!(details(&plan.outcome).as_deref(), Some(crate::spec::OPERATOR));
}
