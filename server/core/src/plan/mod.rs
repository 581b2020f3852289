//! Plans: what a command comes to against one snapshot, worked out wholly in memory.

pub(crate) mod caution;
mod context;
mod delete;
mod denied;
mod edit;
mod edit_ops;
mod edits;
mod exec;
mod issue;
mod like;
mod list;
mod nearby;
mod numbered;
mod patch;
mod placeholder;
mod read;
mod replace_text;
mod repository;
mod search;
mod search_replace;
mod several;
mod spliced;
mod stat;
mod structure;
mod summary;
mod transfer;
mod tree;
mod whole_lines;
mod work;
mod working_set;
mod write;

pub use caution::{Caution, Reason};
pub(crate) use edit_ops::now;
pub use issue::{Issue, Repair};
pub(crate) use like::files as looked_at;
pub use working_set::follow;

use serde_json::Value;

use crate::command::{Command, Program, Step};
use crate::edit::{ChangeSet, Target};
use crate::limits::Limits;
use crate::snapshot::{FilePath, Snapshot, State, Through};
use context::Context;
use work::Work;

/// What a command comes to.
#[derive(Debug, Clone)]
pub struct Plan {
    /// What would change; empty for a command that only reads.
    pub changes: ChangeSet,
    /// What the model is told when it is done.
    pub outcome: Outcome,
    /// Remarks that keep nothing from being done.
    pub remarks: Vec<Issue>,
    /// The files and directories that it acts on, as they are and as they would be.
    pub targets: Vec<Target>,
    /// The program that is to be run, in this directory; what it comes to is not known before.
    pub program: Option<(Program, FilePath)>,
}

/// What the model is told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// One line of at most 200 characters.
    pub summary: String,
    /// The details of the reply, decoded.
    pub details: Option<String>,
    /// The same for a program; null where there is nothing to say.
    pub data: Value,
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
    let context = Context { snapshot: &snapshot, limits, work: &work, command };
    work.go_on("path").map_err(|issue| vec![*issue])?;
    let plan = match &command.steps[..] {
        steps if command.is_list => several::list(&context, steps).map_err(|issue| vec![*issue])?,
        [only] => step(&context, only)?,
        steps => several::in_order(&context, steps)?,
    };
    let plan = edit_ops::with_states(&context, plan);
    allowed(plan, &snapshot)
}

/// Plans one step on what the context's snapshot has.
fn step(context: &Context<'_>, step: &Step) -> Result<Plan, Vec<Issue>> {
    let planned = match step {
        Step::Nothing { reason } => Ok(nothing(reason)),
        Step::InterfaceSpec => Ok(interface_spec()),
        Step::Read { path, lines, delimiter } => {
            read::plan(context, path, lines, delimiter.as_deref())
        }
        Step::List { path, with_details: false } => list::plan(context, path),
        Step::List { path, with_details: true } => list::entries(context, path),
        Step::Stat { path } => stat::plan(context, path),
        Step::Search { path, what, in_tree } => search::plan(context, path, what, *in_tree),
        Step::Write { path, content, mode } => write::plan(context, path, content, *mode),
        Step::Edit { path, edit, missing } => return edit::plan(context, path, edit, *missing),
        Step::Patch { path, patch } => patch::plan(context, path, patch),
        Step::Delete { path, only } => delete::plan(context, path, *only),
        Step::Move { path, path_to, overwrite: false } => transfer::rename(context, path, path_to),
        Step::Move { path, path_to, overwrite: true } => {
            transfer::rename_file(context, path, path_to)
        }
        Step::Copy { path, path_to } => transfer::copy(context, path, path_to),
        Step::MakeDirectory { path } => write::directory(context, path),
        Step::Outline { path } => structure::outline(context, path),
        Step::Structure(request) => {
            structure::perform(context, request, structure::Told::of(context.command))
        }
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

fn nothing(reason: &str) -> Plan {
    Plan {
        changes: ChangeSet::default(),
        outcome: Outcome::new(format!("nothing is proposed: {reason}")),
        remarks: Vec::new(),
        targets: Vec::new(),
        program: None,
    }
}

fn interface_spec() -> Plan {
    Plan {
        changes: ChangeSet::default(),
        outcome: Outcome {
            details: Some(crate::spec::OPERATOR.to_owned()),
            ..Outcome::new("operator interface specification, version 3".to_owned())
        },
        remarks: Vec::new(),
        targets: Vec::new(),
        program: None,
    }
}

impl Outcome {
    /// An outcome with nothing more to say than its summary.
    pub fn new(summary: String) -> Outcome {
        Outcome { summary, details: None, data: Value::Null }
    }

    /// How many bytes of text it holds, at least.
    pub(crate) fn size(&self) -> usize {
        self.details.as_ref().map_or(0, String::len) + size(&self.data)
    }

    /// The outcome with data.
    #[must_use]
    pub(crate) fn with(self, data: Value) -> Outcome {
        Outcome { data, ..self }
    }
}

fn size(data: &Value) -> usize {
    match data {
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(fields) => fields.values().map(size).sum(),
        _ => 0,
    }
}

impl Plan {
    /// The plan of a command that only reads what stands at `path` as `state`.
    fn of_reading(path: FilePath, state: State, summary: String, details: String) -> Plan {
        Plan {
            changes: ChangeSet::default(),
            outcome: Outcome {
                details: Some(details).filter(|text| !text.is_empty()),
                ..Outcome::new(summary)
            },
            remarks: Vec::new(),
            targets: vec![Target { path, before: state, after: state }],
            program: None,
        }
    }

    /// The plan with data for programs.
    #[must_use]
    fn with(mut self, data: Value) -> Plan {
        self.outcome.data = data;
        self
    }
}

#[cfg(test)]
mod tests;
