//! Plans as tables: a workspace, a command, and the outcome of it.

mod caution;
mod edit_ops;
mod edits;
mod files;
mod hunks;
mod not_a_file;
mod overwritten;
mod patch;
mod reads;
mod steps;
mod structure;

use super::*;
use crate::command::{Missing, Only, ReadLines, SearchFor, There, WholeFile, WriteMode};
use crate::dialect::reply::{details, line};
use crate::problem::Code;
use crate::snapshot::{MemorySnapshot, PathStyle};
use crate::spec::{Action, Effect};

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

fn plan_in(snapshot: &MemorySnapshot, step: Step) -> Result<Plan, Vec<Issue>> {
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

/// The one issue that keeps an step from being done.
fn refused(snapshot: &MemorySnapshot, step: Step) -> Issue {
    let mut issues = plan_in(snapshot, step).unwrap_err();
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
