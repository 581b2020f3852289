//! One sound block against one snapshot.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use super::book::Base;
use crate::command::{Command, Operation, Stated};
use crate::edit::Needs;
use crate::edit::Target;
use crate::fingerprint::Fingerprint;
use crate::ledger::Transition;
use crate::limits::Limits;
use crate::path::{FilePath, State};
use crate::plan::{self, Caution, Issue, Plan, caution};
use crate::problem::{self, Place, Problem, Replacement, Severity};
use crate::review::Status;
use crate::scan::Block;
use crate::snapshot::{Snapshot, Through};
use crate::spec::Effect;

/// What judging a block came to, without the plan itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// Ready, blocked, stale or satisfied, as far as the block and its targets say.
    pub status: Status,
    /// The plan's problems; spans count from the start of the block.
    pub problems: Vec<Problem>,
    /// The summary that its reply would have; empty where it cannot be planned.
    pub summary: String,
    /// What a write's reply would have for a program besides; null for what only reads.
    pub data: serde_json::Value,
    /// What its reply tells of the workspace as it is, whatever comes of it; null for nothing.
    pub now: serde_json::Value,
    /// What it acts on; empty where it cannot be planned.
    pub targets: Vec<Transition>,
    /// What carrying it out takes.
    pub needs: Needs,
    /// Why it needs a look of its own where it is ready, the weightiest reason first.
    pub cautions: Vec<Caution>,
    /// The files and directories whose change makes the judgement void.
    pub looked_at: Vec<FilePath>,
}

/// What is known of a block that is not planned; its status is the proposal's.
pub static NOTHING: LazyLock<Arc<Judgement>> =
    LazyLock::new(|| Arc::new(Judgement::empty(Status::Blocked)));

impl Judgement {
    /// The same with another status, and without the problems that it had.
    pub fn settled(&self, status: Status) -> Judgement {
        Judgement { status, problems: Vec::new(), cautions: Vec::new(), ..self.clone() }
    }

    /// Has a block that was edited after it was applied be looked at before it is applied again.
    pub fn after_an_edit(&mut self, block: &Block) {
        if self.status == Status::Ready && !self.targets.is_empty() {
            let caution = Caution::edited();
            let issue = caution.issue();
            self.problems.extend(issue.map(|issue| to_problem(block, &issue)));
            self.cautions.push(caution);
        }
    }

    /// A judgement that says nothing about the workspace.
    pub fn empty(status: Status) -> Judgement {
        Judgement {
            status,
            problems: Vec::new(),
            summary: String::new(),
            data: serde_json::Value::Null,
            now: serde_json::Value::Null,
            targets: Vec::new(),
            needs: Needs::default(),
            cautions: Vec::new(),
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
    base: Option<Base<'_>>,
    limits: &Limits,
    depth: Depth,
) -> (Judgement, Option<Plan>) {
    let looked_at = paths(command, snapshot, limits);
    if depth == Depth::Outlook && is_search(command, &looked_at, snapshot) {
        return (Judgement { looked_at, ..Judgement::empty(Status::Ready) }, None);
    }
    let stated = stated_bases(block, command, snapshot);
    let now_there = plan::now(command, snapshot);
    match plan::plan(command, snapshot, limits) {
        Err(issues) => {
            let plan_problems = issues.iter().map(|issue| to_problem(block, issue));
            let problems = stated.into_iter().chain(plan_problems).collect();
            let blocked = Judgement::empty(Status::Blocked);
            (Judgement { problems, now: now_there, looked_at, ..blocked }, None)
        }
        Ok(plan) => {
            // Nothing is overwritten where all is as the block wants it, whatever it was based on.
            let changes = plan.targets.iter().any(Target::changes);
            let done = command.operation.overwrites() && !changes;
            let mut problems = Vec::new();
            if !done {
                problems.extend(stated);
                problems.extend(observed_bases(block, command, &plan, (snapshot, now), base));
            }
            let status = match (problems.iter().any(Problem::is_error), done) {
                (true, _) => Status::Stale,
                (false, true) => Status::Satisfied,
                (false, false) => Status::Ready,
            };
            problems.extend(plan.remarks.iter().map(|issue| to_problem(block, issue)));
            let cautions = match status {
                Status::Ready => caution::of(command, &plan, snapshot, limits),
                _ => Vec::new(),
            };
            let looks = cautions.iter().filter_map(Caution::issue);
            problems.extend(looks.map(|issue| to_problem(block, &issue)));
            let summary = plan.outcome.summary.clone();
            // What is read may be large, and is not wanted before it is asked for.
            let data = match command.action.effect {
                Effect::Write => plan.outcome.data.clone(),
                _ => serde_json::Value::Null,
            };
            let (targets, needs) = (Transition::of_plan(&plan), plan.changes.needs());
            let judgement = Judgement {
                status,
                problems,
                summary,
                data,
                now: now_there,
                targets,
                needs,
                cautions,
                looked_at,
            };
            (judgement, Some(plan))
        }
    }
}

/// The files and directories that a command names, as far as they can be resolved.
pub fn paths(command: &Command, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<FilePath> {
    let snapshot = Through { inner: snapshot, paths: command.paths, working_set: None };
    if let Operation::SearchReplace { path, .. } = &command.operation {
        return plan::looked_at(&snapshot, path, limits);
    }
    if let Operation::EditOps(proposal) = &command.operation {
        return plan::virtual_files(proposal, &snapshot);
    }
    let named = command.operation.path().into_iter().chain(command.operation.more_paths());
    named.filter_map(|path| snapshot.resolve(path).ok()).collect()
}

fn is_search(command: &Command, paths: &[FilePath], snapshot: &dyn Snapshot) -> bool {
    command.operation.searches()
        && paths.first().is_some_and(|path| matches!(snapshot.kind(path), Ok(Some(_))))
}

/// The problems of the bases that the block states and that do not hold.
fn stated_bases(block: &Block, command: &Command, snapshot: &dyn Snapshot) -> Vec<Problem> {
    let snapshot = Through { inner: snapshot, paths: command.paths, working_set: None };
    let problem = |stated: Stated<'_>| stated_base(block, &stated, &snapshot);
    command.stated().into_iter().filter_map(problem).collect()
}

fn stated_base(block: &Block, base: &Stated<'_>, snapshot: &dyn Snapshot) -> Option<Problem> {
    let stated = base.fingerprint;
    let place = block.dialect.locate(&block.parsed, &base.field);
    let stale = |says| {
        let problem = Problem::new(problem::PLAN_STALE, place, says);
        let problem = problem.detail("stated", stated.to_string());
        if base.is_virtual { problem.detail("file", base.path) } else { problem }
    };
    match snapshot.state(&snapshot.resolve(base.path).ok()?).ok()? {
        State::File(current) if current == stated => None,
        State::File(current) => {
            let says = format!(
                "this was made for {stated}, but the file is now {current}: read it again, or take \
                 the current content as the base"
            );
            let current = current.to_string();
            let fix = block.dialect.state_base(&block.parsed, base.path, &current);
            Some(take_current(stale(says).detail("current", current), fix))
        }
        // A virtual file is always there for those who propose something; empty, it may be missing.
        State::Missing if base.is_virtual && stated == Fingerprint::of(b"") => None,
        State::Missing => Some(stale(format!("this was made for {stated}, but the file is gone"))),
        State::Directory => {
            Some(stale(format!("this was made for {stated}, but a directory is there")))
        }
        State::Large { size, .. } => Some(stale(format!(
            "this is based on {stated}, but the file now has {size} bytes and is too large to be \
             compared"
        ))),
    }
}

const TAKE_CURRENT: &str = "Take the current content as the base";

/// What is to be said where targets are no longer what they were when the block came in.
fn observed_bases(
    block: &Block,
    command: &Command,
    plan: &Plan,
    (snapshot, now): (&dyn Snapshot, &dyn Snapshot),
    base: Option<Base<'_>>,
) -> Vec<Problem> {
    let Some(base) = base.filter(|_| command.action.effect == Effect::Write) else {
        return Vec::new();
    };
    let problem = |written: &str, file: &FilePath, field| {
        observed_base(block, command, (written, field), file, now, base)
    };
    let Operation::EditOps(proposal) = &command.operation else {
        let target = plan.targets.first().filter(|_| command.base.is_none());
        let written = command.operation.path().unwrap_or_default();
        let found = target.and_then(|target| problem(written, &target.path, Cow::from("path")));
        return found.into_iter().collect();
    };
    let through = Through { inner: snapshot, paths: command.paths, working_set: None };
    let observed = proposal.files().into_iter().filter_map(|file| {
        let path = Snapshot::resolve(&through, file.as_str()).ok()?;
        let stated = proposal.base_fingerprints.contains_key(&file);
        let field = Cow::from(format!("base/{file}"));
        problem(file.as_str(), &path, field).filter(|_| !stated)
    });
    observed.collect()
}

fn observed_base(
    block: &Block,
    command: &Command,
    (written, field): (&str, Cow<'static, str>),
    path: &FilePath,
    now: &dyn Snapshot,
    base: Base<'_>,
) -> Option<Problem> {
    let current = now.state(path).ok()?;
    if !base.is_outdated(path, current) {
        return None;
    }
    let place = block.dialect.locate(&block.parsed, &field);
    let overwrites = command.operation.overwrites_file(written);
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
    let current = current.to_string();
    let fix = block.dialect.state_base(&block.parsed, written, &current);
    Some(take_current(problem.detail("current", current), fix))
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
    let place = dialect.locate(parsed, &issue.field);
    let mut problem = Problem::new(issue.code, place, issue.message.clone());
    problem.severity = issue.severity;
    problem.details = (&issue.details).into();
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
