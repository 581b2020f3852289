//! `exec`: a program text; the core only says whether and where it may run.

use super::context::Context;
use super::{Fact, Issue, Plan};
use crate::command::Program;
use crate::path::{FilePath, Kind};
use crate::problem::{PLAN_NOT_A_DIRECTORY, SHAM_EXEC_DISABLED};
use crate::spec::FieldRole;

/// What is to be run, and where.
pub(super) fn plan(context: &Context<'_>, program: &Program) -> Result<Plan, Box<Issue>> {
    if !context.limits.exec {
        let message = "programs are not run; the user must allow it with `exec.enable`, or with \
                       `--allow-exec` on the command line";
        return Err(Issue::new(SHAM_EXEC_DISABLED, FieldRole::Action, message));
    }
    let directory = match program.directory.as_deref().filter(|path| !path.is_empty()) {
        None => FilePath::new(0, ""),
        Some(path) => {
            let (directory, kind) = context.existing(path, FieldRole::Cwd)?;
            if kind != Kind::Directory {
                let message = format!("`{directory}` is a file, and a directory is needed");
                return Err(Issue::new(PLAN_NOT_A_DIRECTORY, FieldRole::Cwd, message));
            }
            directory
        }
    };
    let (language, lines) = (program.language.clone(), program.code.lines().count());
    let fact = Fact::ToRun { language, lines, directory: directory.clone() };
    Ok(Plan { program: Some((program.clone(), directory)), ..Plan::of(fact) })
}
