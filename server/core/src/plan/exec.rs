//! `exec`: a program text; the core only says whether and where it may run.

use serde_json::json;

use super::context::Context;
use super::{Issue, Outcome, Plan, summary};
use crate::command::Program;
use crate::edit::ChangeSet;
use crate::path::{FilePath, Kind};
use crate::problem::{PLAN_NOT_A_DIRECTORY, SHAM_EXEC_DISABLED};

/// What is to be run, and where.
pub(super) fn plan(context: &Context<'_>, program: &Program) -> Result<Plan, Box<Issue>> {
    if !context.limits.exec {
        let message = "programs are not run: the user has to allow it with `exec.enable`, or with \
                       `--allow-exec` on the command line";
        return Err(Issue::new(SHAM_EXEC_DISABLED, "action", message));
    }
    let directory = match program.directory.as_deref().filter(|path| !path.is_empty()) {
        None => FilePath::new(0, ""),
        Some(path) => {
            let (directory, kind) = context.existing(path, "cwd")?;
            if kind != Kind::Directory {
                let message = format!("`{directory}` is a file, and a directory is needed");
                return Err(Issue::new(PLAN_NOT_A_DIRECTORY, "cwd", message));
            }
            directory
        }
    };
    let lines = summary::count(program.code.lines().count(), "line");
    let summary = format!("run {lines} of {} in {directory}", program.language);
    Ok(Plan {
        changes: ChangeSet::default(),
        outcome: Outcome::new(summary).with(json!({})),
        remarks: Vec::new(),
        targets: Vec::new(),
        program: Some((program.clone(), directory)),
    })
}
