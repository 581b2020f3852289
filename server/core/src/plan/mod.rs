//! Plans: what a command comes to against one snapshot, worked out wholly in memory.

pub(crate) mod caution;
mod context;
mod delete;
mod denied;
mod edit;
mod edit_ops;
mod edits;
mod exec;
mod extent;
mod homes;
mod hunks;
mod issue;
mod like;
mod list;
mod nearby;
mod not_a_file;
mod numbered;
mod odd_lines;
mod outcome;
mod overwritten;
mod own_name;
mod part;
mod patch;
mod placeholder;
mod read;
mod rendered;
mod replace_text;
mod repository;
mod search;
mod search_replace;
mod several;
mod spliced;
mod stat;
mod structure;
mod transfer;
mod unlikely;
mod whole_file;
mod whole_lines;
mod work;
mod working_set;
mod write;

pub use caution::{Caution, Reason};
pub use denied::not_reloaded;
pub use extent::{ChangeKind, Extent};
pub use homes::homes;
pub use issue::{Issue, Remedy, Repair};
pub(crate) use like::{files as looked_at, listed};
pub use outcome::{
    ContextFact, Ends, Fact, FoundInTree, ListedEntry, Matches, Outcome, PartOfFile, ProgramResult,
    StructureFact, Wrote,
};
pub use part::Part;
pub(crate) use working_set::follow;

use crate::command::{Command, Program, Step};
use crate::edit::{ChangeSet, Target};
use crate::limits::Limits;
use crate::path::{FilePath, State};
use crate::snapshot::{Snapshot, Through};
use crate::spec::FieldRole;
use context::Context;
use work::Work;

/// What a command comes to.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What would change; empty for a command that only reads.
    pub changes: ChangeSet,
    /// What is done then.
    pub outcome: Outcome,
    /// Remarks that keep nothing from being done.
    pub remarks: Vec<Issue>,
    /// The files and directories that it acts on, as they are and as they would be.
    pub targets: Vec<Target>,
    /// The program that is to be run, in this directory; what it comes to is not known before.
    pub program: Option<(Program, FilePath)>,
    /// Which of its hunks are made, where the user left some out.
    pub part: Option<Part>,
}

/// Works out what a command comes to.
///
/// # Errors
/// The issues that keep it from being done; at least one of them is an error.
pub fn plan(
    command: &Command,
    snapshot: &dyn Snapshot,
    limits: &Limits,
) -> Result<Plan, Vec<Issue>> {
    let snapshot = Through { inner: snapshot, paths: command.paths, working_set: None };
    let work = Work::new(limits);
    let context = Context { snapshot: &snapshot, through: &snapshot, limits, work: &work };
    work.go_on(FieldRole::Path).map_err(|issue| vec![*issue])?;
    let mut plan = match &command.steps[..] {
        steps if command.is_list => several::list(&context, steps).map_err(|issue| vec![*issue])?,
        [only] => step(&context, only)?,
        steps => several::in_order(&context, steps)?,
    };
    plan.remarks.extend(own_name::remarks(command, &snapshot));
    allowed(plan, &snapshot)
}

/// Plans one step on what the context's snapshot has.
fn step(context: &Context<'_>, step: &Step) -> Result<Plan, Vec<Issue>> {
    let planned = match step {
        Step::Nothing { reason } => Ok(Plan::of(Fact::Nothing { reason: (*reason).into() })),
        Step::InterfaceSpec => Ok(Plan::of(Fact::Specification)),
        Step::Read { path, lines, delimiter } => {
            read::plan(context, path, lines, delimiter.as_deref())
        }
        Step::List { path, with_details } => list::plan(context, path, *with_details),
        Step::Stat { path } => stat::plan(context, path),
        Step::Search { path, what, in_tree } => search::plan(context, path, what, *in_tree),
        Step::Write { path, content, mode } => write::plan(context, path, content, *mode),
        Step::WholeFile { path, file } => whole_file::plan(context, path, file),
        Step::Edit { path, edit, missing } => return edit::plan(context, path, edit, *missing),
        Step::Patch { path, patch } => patch::plan(context, path, patch),
        Step::Delete { path, only } => delete::plan(context, path, only),
        Step::Move { path, path_to, overwrite: false } => transfer::rename(context, path, path_to),
        Step::Move { path, path_to, overwrite: true } => {
            transfer::rename_file(context, path, path_to)
        }
        Step::Copy { path, path_to } => transfer::copy(context, path, path_to),
        Step::MakeDirectory { path } => write::directory(context, path),
        Step::Structure(request) => structure::perform(context, request),
        Step::Exec(program) => exec::plan(context, program),
        Step::Context(change) => working_set::plan(context, change),
    };
    planned.map_err(|issue| vec![*issue])
}

/// The plan, unless what it leaves is nothing that a plan may leave.
fn allowed(plan: Plan, snapshot: &dyn Snapshot) -> Result<Plan, Vec<Issue>> {
    match repository::issue(&plan.changes, snapshot) {
        Some(issue) => Err(vec![*issue]),
        None => Ok(plan),
    }
}

impl Plan {
    /// The plan that changes nothing and acts on nothing.
    fn of(fact: Fact) -> Plan {
        Plan {
            changes: ChangeSet::default(),
            outcome: Outcome::Done(vec![fact]),
            remarks: Vec::new(),
            targets: Vec::new(),
            program: None,
            part: None,
        }
    }

    /// The plan of a step that only reads what is at `path` as `state`.
    fn of_reading(path: FilePath, state: State, fact: Fact) -> Plan {
        Plan { targets: vec![Target { path, before: state, after: state }], ..Plan::of(fact) }
    }
}

#[cfg(test)]
mod tests;
