//! One sound block against one snapshot.

use std::collections::HashSet;
use std::sync::{Arc, LazyLock};

use super::book::Base;
use super::since::{On, Since};
use crate::command::{Command, StatedBase, Step};
use crate::edit::Needs;
use crate::edit::Target;
use crate::fingerprint::Fingerprint;
use crate::ledger::Transition;
use crate::limits::Limits;
use crate::path::{FilePath, State};
use crate::plan::{self, Caution, Extent, Issue, Outcome, Plan, Reason, Remedy, caution};
use crate::problem::{self, Code, Place, Problem, Replacement, Severity};
use crate::review::Status;
use crate::scan::Block;
use crate::snapshot::{PathStyle, Snapshot, Through};
use crate::spec::{Effect, FieldRole};
use crate::text::Span;

/// What checking a block came to, without the plan itself.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckResult {
    /// Ready, blocked, stale or satisfied, as far as the block and its targets say.
    pub status: Status,
    /// The plan's problems; spans count from the start of the block.
    pub problems: Vec<Problem>,
    /// What it would come to; a line of it for what only reads, which may be large.
    pub outcome: Outcome,
    /// The files of which its reply tells the state, see [`crate::dialect::Reply::told_paths`].
    pub states: Vec<(&'static str, Fingerprint)>,
    /// What it acts on; empty where it cannot be planned.
    pub targets: Vec<Transition>,
    /// What carrying it out takes.
    pub needs: Needs,
    /// How much a plan changes; `None` where there is no plan, or it changes nothing.
    pub extent: Option<Extent>,
    /// Why it needs a look of its own where it is ready, the weightiest reason first.
    pub cautions: Vec<Caution>,
    /// The files and directories whose change makes the check result void.
    pub looked_at: Vec<FilePath>,
    /// The directories of which a problem names an entry; a change in one makes it void, too.
    pub listed: Vec<FilePath>,
}

/// What is known of a block that is not planned; its status is the proposal's.
pub static NOTHING: LazyLock<Arc<CheckResult>> =
    LazyLock::new(|| Arc::new(CheckResult::empty(Status::Blocked)));

/// What is said of a block that has several places.
const AMBIGUOUS: [Code; 3] = [
    problem::PLAN_TEXT_AMBIGUOUS,
    problem::STRUCTURE_TARGET_AMBIGUOUS,
    problem::APPLY_PATCH_ANCHOR_AMBIGUOUS,
];

/// What is said of a block whose text is not in its file.
const NOT_THERE: [Code; 4] = [
    problem::PLAN_TEXT_NOT_FOUND,
    problem::PLAN_PATCH_MISMATCH,
    problem::APPLY_PATCH_NO_PLACE,
    problem::DIFF_NO_PLACE,
];

impl CheckResult {
    /// The summary that the reply to the block would have; empty where it cannot be planned.
    pub fn summary(&self, block: &Block) -> String {
        match &self.outcome {
            Outcome::Done(facts) if facts.is_empty() => String::new(),
            outcome => block.dialect.summary(block.parsed.command.as_ref(), outcome),
        }
    }

    /// Whether the block has several places.
    pub fn is_ambiguous(&self) -> bool {
        self.problems.iter().any(|problem| AMBIGUOUS.contains(&problem.code))
    }

    /// The same with another status, and without the problems that it had.
    pub fn settled(&self, status: Status) -> CheckResult {
        CheckResult { status, problems: Vec::new(), cautions: Vec::new(), ..self.clone() }
    }

    /// Has a block that was edited after it was applied be looked at before it is applied again.
    pub fn after_an_edit(&mut self, block: &Block) {
        self.look_at(block, Caution::edited());
    }

    /// Has a block be looked at whose line numbers may count on a block above that is not applied.
    pub fn below_unmade(&mut self, block: &Block) {
        self.look_at(block, Caution::counts_lines());
    }

    /// Has a block be looked at that is in a message of the person who asks, or was printed by a program.
    pub fn is_shown(&mut self, block: &Block) {
        self.look_at(block, Caution::shown(block.parsed.is_printed));
    }

    /// Has a block be looked at, where it is ready.
    pub(super) fn look_at(&mut self, block: &Block, caution: Caution) {
        if self.status == Status::Ready && self.extent.is_some() {
            let issue = caution.issue();
            self.problems.extend(issue.map(|issue| to_problem(block, &issue)));
            let at = self.cautions.partition_point(|it| it.reason <= caution.reason);
            self.cautions.insert(at, caution);
        }
    }

    /// Has a block whose text is not in its file say why.
    pub(super) fn is_replaced(&mut self, why: &str) {
        for problem in self.problems.iter_mut().filter(|it| NOT_THERE.contains(&it.code)) {
            let place = problem.span.clone();
            *problem = Problem::new(problem::PLAN_TEXT_REPLACED, place, why);
        }
    }

    /// Has a block not be looked at any more for a reason that [`CheckResult::look_at`] was given.
    pub(super) fn need_no_look(&mut self, reason: Reason) {
        self.cautions.retain(|it| it.reason != reason);
        let is_of = |it: &Problem| {
            let is_said = it.details.get("caution").is_some_and(|said| said == reason.as_str());
            it.code == problem::PLAN_NEEDS_A_LOOK && is_said
        };
        self.problems.retain(|it| !is_of(it));
    }

    /// Has a block be looked at where an equal block above is applied.
    pub fn made_above(&mut self, block: &Block) {
        let place = block.parsed.locate(FieldRole::Action, None);
        let caution = Caution::made_above();
        let mut problem = Problem::new(problem::PLAN_MADE_ABOVE, place, caution.message.clone());
        problem.severity = Severity::Warning;
        self.problems.push(problem);
        self.cautions.push(caution);
    }

    /// A check result that says nothing about the workspace.
    pub fn empty(status: Status) -> CheckResult {
        CheckResult {
            status,
            problems: Vec::new(),
            outcome: Outcome::default(),
            states: Vec::new(),
            targets: Vec::new(),
            needs: Needs::default(),
            extent: None,
            cautions: Vec::new(),
            looked_at: Vec::new(),
            listed: Vec::new(),
        }
    }
}

/// How much of a plan is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Whether it can be applied; what a search would find is not searched for.
    Outlook,
    /// All of it.
    Whole,
}

/// Checks a block's command.
pub fn check(
    block: &Block,
    command: &Command,
    on: On<'_>,
    base: Option<Base<'_>>,
    limits: &Limits,
    depth: Depth,
) -> (CheckResult, Option<Plan>) {
    let On { snapshot, now, .. } = on;
    let looked_at = paths(command, snapshot, limits);
    if depth == Depth::Outlook && is_search(command, &looked_at, snapshot) {
        return (CheckResult { looked_at, ..CheckResult::empty(Status::Ready) }, None);
    }
    let stated = stated_bases(block, command, snapshot);
    let states = states(block, command, snapshot);
    let planned = plan::plan(command, &Since { on, base }, limits);
    let planned = planned.and_then(|plan| match base.and_then(|it| left_over(it, &plan, now)) {
        Some(issue) => Err(vec![*issue]),
        None => Ok(plan),
    });
    match planned {
        Err(issues) => {
            let plan_problems = issues.iter().map(|issue| to_problem(block, issue));
            let problems = stated.into_iter().chain(plan_problems).collect();
            let blocked = CheckResult::empty(Status::Blocked);
            let through = Through { inner: snapshot, paths: command.paths, working_set: None };
            let listed = plan::listed(command, &through);
            (CheckResult { problems, states, looked_at, listed, ..blocked }, None)
        }
        Ok(plan) => {
            // Nothing is overwritten where all is as the block wants it, whatever it was based on.
            let changes = plan.targets.iter().any(Target::changes);
            let is_made = command.steps.iter().all(Step::is_made_if_unchanged);
            let done = is_made && !changes;
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
            let mut cautions = Vec::new();
            if status == Status::Ready {
                cautions = caution::of(command, &plan, snapshot, limits);
                let was_undone = base.is_some_and(|it| it.was_undone());
                cautions.extend(was_undone.then(|| Caution::adds_again(&plan)).flatten());
            }
            let looks = cautions.iter().filter_map(Caution::issue);
            problems.extend(looks.map(|issue| to_problem(block, &issue)));
            // What is read may be large, and is not wanted before it is asked for.
            let outcome = match command.action.effect {
                Effect::Write => plan.outcome.clone(),
                _ => Outcome::noted(block.dialect.summary(Some(command), &plan.outcome)),
            };
            let (targets, needs) = (Transition::of_plan(&plan), plan.changes.needs());
            let check_result = CheckResult {
                status,
                problems,
                outcome,
                states,
                targets,
                needs,
                extent: Extent::of(&plan, snapshot),
                cautions,
                looked_at,
                listed: Vec::new(),
            };
            (check_result, Some(plan))
        }
    }
}

/// The issue of a block that had several places when it came in, of which other blocks have left one.
fn left_over(base: Base<'_>, plan: &Plan, now: &dyn Snapshot) -> Option<Box<Issue>> {
    let is_left = |target: &&Target| {
        let was_ambiguous = |state| base.was_ambiguous(&target.path, state);
        target.changes() && now.state(&target.path).is_ok_and(was_ambiguous)
    };
    let target = plan.targets.iter().find(is_left)?;
    let message = format!(
        "this had several places in `{}` when it came in, and another block has changed the file \
         since; say more exactly which one is meant",
        target.path
    );
    Some(Issue::new(problem::PLAN_TEXT_AMBIGUOUS, FieldRole::Search, message))
}

/// The state of each file of which replies to the block tell it, where the file is there.
fn states(
    block: &Block,
    command: &Command,
    snapshot: &dyn Snapshot,
) -> Vec<(&'static str, Fingerprint)> {
    let through = Through { inner: snapshot, paths: command.paths, working_set: None };
    let state = |path: &&'static str| {
        let file = Snapshot::resolve(&through, path).ok()?;
        match snapshot.state(&file).ok()? {
            State::File(fingerprint) => Some((*path, fingerprint)),
            _ => None,
        }
    };
    block.dialect.told_paths().iter().filter_map(state).collect()
}

/// The files and directories that a command names, as far as they can be resolved.
pub fn paths(command: &Command, snapshot: &dyn Snapshot, limits: &Limits) -> Vec<FilePath> {
    let snapshot = Through { inner: snapshot, paths: command.paths, working_set: None };
    plan::looked_at(command, &snapshot, limits)
}

fn is_search(command: &Command, paths: &[FilePath], snapshot: &dyn Snapshot) -> bool {
    command.searches()
        && paths.first().is_some_and(|path| matches!(snapshot.kind(path), Ok(Some(_))))
}

/// The problems of the bases that the block states and that do not hold.
fn stated_bases(block: &Block, command: &Command, snapshot: &dyn Snapshot) -> Vec<Problem> {
    let snapshot = Through { inner: snapshot, paths: command.paths, working_set: None };
    let problem = |base: &StatedBase| stated_base(block, command, base, &snapshot);
    command.bases.iter().filter_map(problem).collect()
}

fn stated_base(
    block: &Block,
    command: &Command,
    base: &StatedBase,
    snapshot: &dyn Snapshot,
) -> Option<Problem> {
    let (stated, path) = (base.fingerprint, base.path.as_str());
    let place = block.parsed.locate(FieldRole::BaseFingerprint, command.op_on(path));
    let stale = |says| {
        let problem = Problem::new(problem::PLAN_STALE, place, says);
        let problem = problem.detail("stated", stated.to_string());
        if command.is_virtual() { problem.detail("file", path) } else { problem }
    };
    match snapshot.state(&snapshot.resolve(path).ok()?).ok()? {
        State::File(current) if current == stated => None,
        State::File(current) => {
            let says = format!(
                "this is based on {stated}, but the file is now {current}; read it \
                 again, or use the current content as the base"
            );
            let current = current.to_string();
            let fix = block.dialect.state_base(&block.parsed, path, &current);
            Some(take_current(stale(says).detail("current", current), fix))
        }
        // A virtual file is always there for those who propose something; empty, it may be missing.
        State::Missing if command.is_virtual() && stated == Fingerprint::of(b"") => None,
        State::Missing => Some(stale(format!("this is based on {stated}, but the file is gone"))),
        State::Directory => {
            Some(stale(format!("this is based on {stated}, but a directory is there")))
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
    let through = Through { inner: snapshot, paths: command.paths, working_set: None };
    let first = plan.targets.first().map(|target| target.path.clone());
    let mut seen = HashSet::new();
    let problem = |step: &Step| {
        let written = step.path().filter(|path| command.base(path).is_none())?;
        let path = match &command.steps[..] {
            // The file may not be at the path that is written.
            [_] => first.clone()?,
            _ => Snapshot::resolve(&through, written).ok()?,
        };
        if !seen.insert(path.clone()) {
            return None;
        }
        let place = block.parsed.locate(FieldRole::Path, command.op_on(written));
        observed_base(block, step.overwrites(), (written, place), &path, now, base)
    };
    command.steps.iter().filter_map(problem).collect()
}

fn observed_base(
    block: &Block,
    overwrites: bool,
    (written, place): (&str, Span),
    path: &FilePath,
    now: &dyn Snapshot,
    base: Base<'_>,
) -> Option<Problem> {
    let current = now.state(path).ok()?;
    if !base.is_outdated(path, current) {
        return None;
    }
    let says = if overwrites {
        format!(
            "{path} has changed since this block came in; applying it would overwrite those changes"
        )
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

/// A plan's issue where it is in the block.
fn to_problem(block: &Block, issue: &Issue) -> Problem {
    let place = block.parsed.locate(issue.field, issue.op);
    let mut problem = Problem::new(issue.code, place, issue.message.clone());
    problem.severity = issue.severity;
    problem.details = (&issue.details).into();
    for (says, path, line) in &issue.related {
        problem = problem.related(says.clone(), Place::Target(path.clone(), *line));
    }
    for repair in &issue.repairs {
        let Some(edits) = repaired(block, &repair.remedy, issue.op) else { continue };
        problem = match repair.is_choice {
            true => problem.choice(repair.title.clone(), edits),
            false => problem.fix(repair.title.clone(), edits),
        };
    }
    problem
}

/// A repair as edits of the block; `None` where the block lacks such a field, as one that acts on
/// a file that another block names.
fn repaired(block: &Block, remedy: &Remedy, op: Option<usize>) -> Option<Vec<Replacement>> {
    let (dialect, parsed) = (block.dialect, &block.parsed);
    match remedy {
        Remedy::Values(values) => with_values(block, values, op),
        Remedy::DeleteFirst(path) => Some(vec![dialect.delete_first(parsed, op, path)?]),
        Remedy::Context(lines) => Some(vec![dialect.add_context(parsed, lines)?]),
    }
}

fn with_values(
    block: &Block,
    values: &[(FieldRole, String)],
    op: Option<usize>,
) -> Option<Vec<Replacement>> {
    let edit = |(role, value): &(FieldRole, String)| {
        let field = block.parsed.with_role(*role, op);
        if field.is_none() && *role == FieldRole::Path && block.parsed.path_above.is_some() {
            return block.dialect.name_file(&block.parsed, value);
        }
        let field = field?;
        let command = block.parsed.command.as_ref()?;
        // Of a file only the path in the workspace is known.
        let is_path = matches!(role, FieldRole::Path | FieldRole::SourcePath | FieldRole::DestPath);
        if is_path && matches!(command.paths, PathStyle::Absolute | PathStyle::Virtual) {
            return None;
        }
        let kind = command.action.field(&field.name)?.kind;
        let value = block.dialect.write(kind, value);
        let value = if field.heredoc { value.replace('\n', block.parsed.eol) } else { value };
        Some(Replacement::new(field.value.clone(), value))
    };
    values.iter().map(edit).collect()
}

/// A plan that is shared.
pub fn shared(plan: Option<Plan>) -> Option<Arc<Plan>> {
    plan.map(Arc::new)
}
