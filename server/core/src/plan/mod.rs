//! Plans: what a command comes to against one snapshot, worked out wholly in memory.

mod context;
mod delete;
mod denied;
mod edits;
pub mod find;
mod issue;
mod list;
mod nearby;
mod patch;
mod placeholder;
mod read;
mod replacement;
mod search;
mod spliced;
mod stat;
mod structure;
mod summary;
mod transfer;
mod write;

pub use issue::{Issue, Repair};
pub(crate) use replacement::with_endings_of;

use crate::command::{Command, Operation};
use crate::edit::ChangeSet;
use crate::limits::Limits;
use crate::snapshot::{FilePath, Snapshot, State};
use context::Context;

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
}

/// What the model is told.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Outcome {
    /// One line of at most 200 characters.
    pub summary: String,
    /// The details of the reply, decoded.
    pub details: Option<String>,
}

/// A file or directory that a command acts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Where it is.
    pub path: FilePath,
    /// What stands there in the snapshot.
    pub before: State,
    /// What stands there when the plan is done.
    pub after: State,
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
    let context = Context { snapshot, limits };
    let planned = match &command.operation {
        Operation::InterfaceSpec => Ok(interface_spec()),
        Operation::List { path } => list::plan(&context, path),
        Operation::Read { path } => read::whole(&context, path),
        Operation::ReadSlice { path, start, lines } => read::slice(&context, path, *start, *lines),
        Operation::Search { path, query } => search::file(&context, path, query),
        Operation::SearchTree { path, query } => search::tree(&context, path, query),
        Operation::Stat { path } => stat::plan(&context, path),
        Operation::Write { path, content } => write::plan(&context, path, content),
        Operation::Patch { path, patch } => patch::plan(&context, path, patch),
        Operation::ApplyEdits { path, edits } => edits::plan(&context, path, edits),
        Operation::Outline { path } => structure::outline(&context, path),
        Operation::Structure(request) => structure::perform(&context, request),
        Operation::Delete { path } => delete::plan(&context, path),
        Operation::Copy { path, path_to } => transfer::copy(&context, path, path_to),
        Operation::Move { path, path_to } => transfer::rename(&context, path, path_to),
    };
    planned.map_err(|issue| vec![*issue])
}

fn interface_spec() -> Plan {
    Plan {
        changes: ChangeSet::default(),
        outcome: Outcome {
            summary: "operator interface specification, version 3".to_owned(),
            details: Some(crate::spec::OPERATOR.to_owned()),
        },
        remarks: Vec::new(),
        targets: Vec::new(),
    }
}

impl Target {
    /// The target of the way back.
    pub fn reversed(&self) -> Target {
        Target { path: self.path.clone(), before: self.after, after: self.before }
    }
}

impl Plan {
    /// The plan of a command that only reads what stands at `path` as `state`.
    fn of_reading(path: FilePath, state: State, summary: String, details: String) -> Plan {
        Plan {
            changes: ChangeSet::default(),
            outcome: Outcome { summary, details: Some(details).filter(|text| !text.is_empty()) },
            remarks: Vec::new(),
            targets: vec![Target { path, before: state, after: state }],
        }
    }
}

#[cfg(test)]
mod tests;
