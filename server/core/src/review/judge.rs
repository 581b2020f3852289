//! One sound block against one snapshot.

use std::sync::Arc;

use crate::command::{Command, Operation};
use crate::edit::Needs;
use crate::limits::Limits;
use crate::plan::{self, Issue, Plan, Target};
use crate::problem::{self, Place, Problem, Replacement, Severity};
use crate::review::Status;
use crate::scan::Block;
use crate::snapshot::{FilePath, Snapshot, State, Through};
use crate::spec::Effect;

/// What judging a block came to, without the plan itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Ready, blocked, stale or applied, as far as the block and its targets say.
    pub status: Status,
    /// The plan's problems; spans count from the start of the block.
    pub problems: Vec<Problem>,
    /// The summary that its reply would have; empty where it cannot be planned.
    pub summary: String,
    /// What a write's reply would have for a program besides; null for what only reads.
    pub data: serde_json::Value,
    /// What it acts on; empty where it cannot be planned.
    pub targets: Vec<Target>,
    /// What carrying it out takes.
    pub needs: Needs,
    /// The files and directories whose change makes the judgement void.
    pub looked_at: Vec<FilePath>,
}

/// What a proposal was made for, as far as it was observed rather than stated by the block.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Base {
    /// What stood at each path when the block was first complete.
    pub states: Vec<(FilePath, State)>,
}

impl Judgement {
    /// The same with another status, and without the problems that it had.
    pub fn settled(&self, status: Status) -> Judgement {
        Judgement { status, problems: Vec::new(), ..self.clone() }
    }

    /// A judgement that says nothing about the workspace.
    pub fn empty(status: Status) -> Judgement {
        Judgement {
            status,
            problems: Vec::new(),
            summary: String::new(),
            data: serde_json::Value::Null,
            targets: Vec::new(),
            needs: Needs::default(),
            looked_at: Vec::new(),
        }
    }
}

/// How much of a plan is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Whether it can be carried out; what a search would find is not looked for.
    Outlook,
    /// All of it.
    Whole,
}

/// Judges a block's command.
///
/// `snapshot` is what it is planned against, `now` the workspace without any staged plan, which
/// the observed base is held against: what earlier blocks are about to do makes nothing stale.
pub fn judge(
    block: &Block,
    command: &Command,
    (snapshot, now): (&dyn Snapshot, &dyn Snapshot),
    base: Option<&Base>,
    limits: &Limits,
    depth: Depth,
) -> (Judgement, Option<Plan>) {
    let looked_at = paths(command, snapshot, limits);
    if depth == Depth::Outlook && is_search(command, &looked_at, snapshot) {
        return (Judgement { looked_at, ..Judgement::empty(Status::Ready) }, None);
    }
    let stated = stated_base(block, command, &looked_at, snapshot);
    match plan::plan(command, snapshot, limits) {
        Err(issues) => {
            let plan_problems = issues.iter().map(|issue| to_problem(block, issue));
            let problems = stated.into_iter().chain(plan_problems).collect();
            (Judgement { problems, looked_at, ..Judgement::empty(Status::Blocked) }, None)
        }
        Ok(plan) => {
            // What is already as the block wants it was applied, whatever it was made for.
            let done = command.operation.overwrites() && unchanged(&plan.targets);
            let mut problems = Vec::new();
            if !done {
                problems.extend(stated);
                problems.extend(observed_base(block, command, &plan, now, base));
            }
            let status = match (problems.iter().any(Problem::is_error), done) {
                (true, _) => Status::Stale,
                (false, true) => Status::Applied,
                (false, false) => Status::Ready,
            };
            problems.extend(plan.remarks.iter().map(|issue| to_problem(block, issue)));
            let summary = plan.outcome.summary.clone();
            // What is read may be large, and is not wanted before it is asked for.
            let data = match command.action.effect {
                Effect::Write => plan.outcome.data.clone(),
                _ => serde_json::Value::Null,
            };
            let (targets, needs) = (plan.targets.clone(), plan.changes.needs());
            (Judgement { status, problems, summary, data, targets, needs, looked_at }, Some(plan))
        }
    }
}

/// The files and directories that a command names, as far as they can be resolved.
fn paths(command: &Command, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<FilePath> {
    let snapshot = Through { inner: snapshot, paths: command.paths, working_set: None };
    if let Operation::SearchReplace { path, .. } = &command.operation {
        return plan::looked_at(&snapshot, path, limits);
    }
    let named = command.operation.path().into_iter().chain(command.operation.more_paths());
    named.filter_map(|path| snapshot.resolve(path).ok()).collect()
}

fn is_search(command: &Command, paths: &[FilePath], snapshot: &dyn Snapshot) -> bool {
    command.operation.searches()
        && paths.first().is_some_and(|path| matches!(snapshot.kind(path), Ok(Some(_))))
}

fn unchanged(targets: &[Target]) -> bool {
    targets.iter().all(|target| target.before == target.after)
}

/// The problem of a base that the block states and that does not hold.
fn stated_base(
    block: &Block,
    command: &Command,
    paths: &[FilePath],
    snapshot: &dyn Snapshot,
) -> Option<Problem> {
    let stated = command.base?;
    let place = block.dialect.locate(&block.parsed, "base");
    let stale =
        |says| Problem::new(problem::PLAN_STALE, place, says).detail("stated", stated.to_string());
    match snapshot.state(paths.first()?).ok()? {
        State::File(current) if current == stated => None,
        State::File(current) => {
            let says = format!(
                "this was made for {stated}, but the file is now {current}: read it again, or take \
                 the current content as the base"
            );
            let fix = block.dialect.state_base(&block.parsed, &current.to_string());
            let problem = stale(says).detail("current", current.to_string());
            Some(take_current(problem, fix))
        }
        State::Missing => Some(stale(format!("this was made for {stated}, but the file is gone"))),
        State::Directory => {
            Some(stale(format!("this was made for {stated}, but a directory is there")))
        }
    }
}

const TAKE_CURRENT: &str = "Take the current content as the base";

/// What is to be said where a target is no longer what it was when the block came in.
fn observed_base(
    block: &Block,
    command: &Command,
    plan: &Plan,
    now: &dyn Snapshot,
    base: Option<&Base>,
) -> Option<Problem> {
    if command.base.is_some() || command.action.effect != Effect::Write {
        return None;
    }
    let target = plan.targets.first()?;
    let (path, was) = base?.states.iter().find(|(path, _)| *path == target.path)?;
    let current = now.state(path).ok()?;
    if current == *was {
        return None;
    }
    let place = block.dialect.locate(&block.parsed, "path");
    let overwrites = command.operation.overwrites();
    let says = if overwrites {
        format!("{path} has changed since this block came in, and would be overwritten whole")
    } else {
        format!("{path} has changed since this block came in; planned anew, it still fits")
    };
    let mut problem = Problem::new(problem::PLAN_STALE, place, says);
    if !overwrites {
        problem.severity = Severity::Information;
    }
    let State::File(current) = current else { return Some(problem) };
    let fix = block.dialect.state_base(&block.parsed, &current.to_string());
    Some(take_current(problem.detail("current", current.to_string()), fix))
}

fn take_current(problem: Problem, fix: Option<Replacement>) -> Problem {
    match fix {
        Some(fix) => problem.choice(TAKE_CURRENT, vec![fix]),
        None => problem,
    }
}

/// A plan's issue where it stands in the block.
fn to_problem(block: &Block, issue: &Issue) -> Problem {
    let (dialect, parsed) = (block.dialect, &block.parsed);
    let place = dialect.locate(parsed, issue.field);
    let mut problem = Problem::new(issue.code, place, issue.message.clone());
    problem.severity = issue.severity;
    problem.details = issue.details.clone();
    for (says, path, line) in &issue.related {
        problem = problem.related(says.clone(), Place::Target(path.clone(), *line));
    }
    // A block may act on a file that another one names: there is nothing to mend in it then.
    let named = |field: &str| field != "path" || parsed.field("path").is_some();
    if let Some(repair) = issue.repair.as_ref().filter(|repair| named(repair.field)) {
        let place = dialect.locate(parsed, repair.field);
        let value = dialect.encode(repair.field, &repair.value);
        problem = problem.fix(repair.title.clone(), vec![Replacement::new(place, value)]);
    }
    problem
}

/// A plan that is shared.
pub fn shared(plan: Option<Plan>) -> Option<Arc<Plan>> {
    plan.map(Arc::new)
}
