//! Several steps: one after the other, or the same one for each file of a list.

use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::json;

use super::context::Context;
use super::{Fact, Issue, Outcome, Plan, denied};
use crate::command::Step;
use crate::edit::{ChangeSet, Target};
use crate::problem::{
    PLAN_FILES_UNREADABLE, PLAN_INVALID_LINES, PLAN_IO, PLAN_NO_CHANGE, PLAN_NO_PATHS,
    PLAN_TEXT_EMPTY, PLAN_TOO_MANY_FILES,
};
use crate::snapshot::Staged;
use crate::spec::FieldRole;
use crate::text::one_line;

/// The outcome of one file of a list, in the details of an issue.
#[derive(Serialize)]
struct FileResult<'a> {
    path: &'a str,
    replacements_made: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Failed<'a>>,
}

/// Why one file of a list keeps all from being done, in the details of an issue.
#[derive(Serialize)]
struct Failed<'a> {
    path: &'a str,
    code: &'static str,
    message: String,
}

impl<'a> FileResult<'a> {
    /// Where one file keeps all from being done, nothing is changed in any of them.
    fn of(path: &'a str, error: Option<Failed<'a>>) -> FileResult<'a> {
        FileResult { path, replacements_made: 0, error }
    }
}

impl<'a> Failed<'a> {
    fn of(path: &'a str, issue: &Issue) -> Failed<'a> {
        Failed { path, code: issue.code.as_str(), message: issue.message.clone() }
    }
}

/// Plans steps in order, each on what the ones before leave. All issues of all steps are told.
pub(super) fn in_order(context: &Context<'_>, steps: &[Step]) -> Result<Plan, Vec<Issue>> {
    let mut staged = Staged::new(context.snapshot);
    let (mut plans, mut issues) = (Vec::new(), Vec::new());
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    for (index, step) in steps.iter().enumerate() {
        // What is wrong with it may come from the step that failed.
        if step.paths().any(|path| failed.contains(path)) {
            continue;
        }
        match super::step(&Context { snapshot: &staged, ..*context }, step) {
            Ok(mut plan) => {
                plan.remarks.iter_mut().for_each(|it| it.op = it.op.or(Some(index)));
                let path = step.path().unwrap_or_default();
                let stage = staged.stage(&plan.changes);
                let stage =
                    stage.map_err(|error| denied::issue(context, error, path, FieldRole::Path));
                issues.extend(stage.err().map(|issue| *issue));
                plans.push(plan);
            }
            Err(more) => {
                failed.extend(step.paths());
                // The ops of a proposal are numbered by themselves.
                let own = |issue: Issue| Issue { op: issue.op.or(Some(index)), ..issue };
                issues.extend(more.into_iter().map(own));
            }
        }
    }
    if !issues.is_empty() {
        return Err(issues);
    }
    Ok(together(plans))
}

/// Plans one step for each file of a list; what keeps one from being done keeps all.
pub(super) fn list(context: &Context<'_>, steps: &[Step]) -> Result<Plan, Box<Issue>> {
    match steps.first() {
        None => {
            let message = "no file is named: `paths` has one on each line";
            Err(Issue::new(PLAN_NO_PATHS, FieldRole::Path, message))
        }
        Some(Step::Read { .. }) => read(context, steps),
        Some(_) => edited(context, steps),
    }
}

fn one(context: &Context<'_>, step: &Step) -> Result<Plan, Box<Issue>> {
    super::step(context, step).map_err(|issues| {
        let first = issues.into_iter().next().map(Box::new);
        first.unwrap_or_else(|| Issue::new(PLAN_IO, FieldRole::Path, "the step cannot be planned"))
    })
}

fn read(context: &Context<'_>, steps: &[Step]) -> Result<Plan, Box<Issue>> {
    let mut plans = Vec::new();
    let mut failed = Vec::new();
    let mut bytes = 0;
    for step in steps {
        let path = step.path().unwrap_or_default();
        match one(context, step) {
            Ok(plan) => {
                bytes += plan.outcome.size();
                // All of them together may be as much as one file.
                context.check_size(bytes, FieldRole::Path)?;
                plans.push(plan);
            }
            // What names no lines is not one file's fault.
            Err(issue) if issue.code == PLAN_INVALID_LINES => return Err(issue),
            Err(issue) => failed.push(Failed::of(path, &issue)),
        }
    }
    if !failed.is_empty() {
        let names: Vec<&str> = failed.iter().map(|it| it.message.as_str()).collect();
        let message = format!(
            "{} of {} cannot be read: {}",
            failed.len(),
            one_line::count(steps.len(), "file"),
            names.join("; ")
        );
        return Err(Issue::new(PLAN_FILES_UNREADABLE, FieldRole::Path, message)
            .detail("failed", json!(failed)));
    }
    Ok(together(plans))
}

fn edited(context: &Context<'_>, steps: &[Step]) -> Result<Plan, Box<Issue>> {
    let limit = context.limits.files_per_command;
    if steps.len() > limit {
        let message = format!("{} files, and the limit for one command is {limit}", steps.len());
        return Err(
            Issue::new(PLAN_TOO_MANY_FILES, FieldRole::Path, message).detail("limit", limit)
        );
    }
    let (mut plans, mut results) = (Vec::new(), Vec::new());
    let mut first: Option<Box<Issue>> = None;
    let mut seen = BTreeSet::new();
    // A transcript holds the text of each of its own blocks.
    let transcript = context.transcript();
    let mut left_out = false;
    for step in steps {
        let path = step.path().unwrap_or_default();
        // A file that is named twice is changed once.
        let resolved = context.resolve(path, FieldRole::Path).ok();
        let is_transcript = resolved.is_some() && resolved == transcript;
        left_out |= is_transcript;
        if is_transcript || resolved.as_ref().is_some_and(|path| seen.contains(path)) {
            results.push(FileResult::of(path, None));
            plans.push(Plan::of(Fact::LeftOut));
            continue;
        }
        match one(context, step) {
            Ok(plan) => {
                results.push(FileResult::of(path, None));
                seen.extend(resolved);
                plans.push(plan);
            }
            // What is empty is not one file's fault.
            Err(issue) if issue.code == PLAN_TEXT_EMPTY => return Err(issue),
            Err(issue) => {
                results.push(FileResult::of(path, Some(Failed::of(path, &issue))));
                first.get_or_insert(issue);
            }
        }
    }
    if let Some(issue) = first {
        return Err(issue.detail("results", json!(results)));
    }
    let mut plan = together(plans);
    // One file without the text is nothing to speak of while another has it.
    plan.remarks.retain(|remark| remark.code != PLAN_NO_CHANGE);
    if left_out {
        let message = "this transcript is one of the files and is left as it is";
        plan.remarks.push(*Issue::warning(PLAN_NO_CHANGE, FieldRole::Path, message));
    }
    if plan.changes.is_empty() {
        let message = "the text is in none of these files";
        plan.remarks.push(*Issue::warning(PLAN_NO_CHANGE, FieldRole::OldText, message));
    }
    Ok(plan)
}

/// The plans of several steps as one.
fn together(plans: Vec<Plan>) -> Plan {
    let (mut changes, mut remarks, mut facts) = (ChangeSet::default(), Vec::new(), Vec::new());
    let mut targets: Vec<Target> = Vec::new();
    let mut program = None;
    for plan in plans {
        if let Outcome::Done(done) = plan.outcome {
            facts.extend(done);
        }
        changes.append(plan.changes);
        remarks.extend(plan.remarks);
        program = program.or(plan.program);
        for target in plan.targets {
            // A later step goes on with what an earlier one leaves.
            match targets.iter_mut().find(|earlier| earlier.path == target.path) {
                Some(earlier) => earlier.after = target.after,
                None => targets.push(target),
            }
        }
    }
    Plan { changes, outcome: Outcome::Done(facts), remarks, targets, program, part: None }
}
