//! Plans: what a command comes to against one snapshot, worked out wholly in memory.

pub(crate) mod caution;
mod context;
mod delete;
mod denied;
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
pub(crate) use edit_ops::{looked_at as virtual_files, now};
pub use issue::{Issue, Repair};
pub(crate) use like::looked_at;
pub use working_set::follow;

use serde_json::Value;

use crate::command::{Command, Operation, Program};
use crate::edit::{ChangeSet, Target};
use crate::limits::Limits;
use crate::path::{FilePath, State};
use crate::snapshot::{Snapshot, Through};
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
    let context = Context { snapshot: &snapshot, limits, work: Work::new(limits) };
    context.work.go_on("path").map_err(|issue| vec![*issue])?;
    let planned = match &command.operation {
        Operation::InterfaceSpec => Ok(interface_spec()),
        Operation::List { path } => list::plan(&context, path),
        Operation::Read { path } => read::whole(&context, path),
        Operation::ReadSlice { path, start, lines } => read::slice(&context, path, *start, *lines),
        Operation::ReadNumbered { path, numbered } => numbered::one(&context, path, numbered),
        Operation::ReadFiles { paths, numbered } => {
            numbered::several(&context, paths, numbered.as_ref())
        }
        Operation::Search { path, query } => search::file(&context, path, query),
        Operation::SearchTree { path, query } => search::tree(&context, path, query),
        Operation::Grep { pattern, path, include } => {
            tree::grep(&context, pattern, path, include.as_ref())
        }
        Operation::Glob { pattern, path } => tree::glob(&context, pattern, path),
        Operation::Entries { path } => list::entries(&context, path),
        Operation::Stat { path } => stat::plan(&context, path),
        Operation::Write { path, content } => write::plan(&context, path, content),
        Operation::Append { path, content } => write::append(&context, path, content),
        Operation::Patch { path, patch } => patch::plan(&context, path, patch),
        Operation::ApplyEdits { path, edits } => edits::plan(&context, path, edits),
        Operation::ReplaceText { path, old, new, wanted } => {
            replace_text::one(&context, path, (old, new), *wanted)
        }
        Operation::SearchReplace { path, search, replace } => {
            search_replace::plan(&context, path, search, replace)
        }
        Operation::ReplaceTextInFiles { paths, old, new } => {
            replace_text::several(&context, paths, (old, new))
        }
        Operation::ReplaceTextRange { path, beginning, end, new } => {
            replace_text::range(&context, path, (beginning, end), new)
        }
        Operation::ReplaceLines { path, lines, content } => {
            whole_lines::replace(&context, path, lines, content)
        }
        Operation::CommentLines { path, lines, comment } => {
            whole_lines::comment(&context, path, lines, *comment)
        }
        Operation::Outline { path } => structure::outline(&context, path),
        Operation::Structure(request) => {
            structure::perform(&context, request, structure::Told::of(command))
        }
        Operation::Delete { path } => delete::plan(&context, path),
        Operation::DeleteFile { path } => delete::file(&context, path),
        Operation::DeleteDirectory { path } => delete::empty_directory(&context, path),
        Operation::CreateDirectory { path } => write::directory(&context, path),
        Operation::Copy { path, path_to } => transfer::copy(&context, path, path_to),
        Operation::Move { path, path_to } => transfer::rename(&context, path, path_to),
        Operation::MoveFile { path, path_to } => transfer::rename_file(&context, path, path_to),
        Operation::Exec(program) => exec::plan(&context, program),
        Operation::Context(change) => working_set::plan(&context, change),
        Operation::EditOps(proposal) => {
            let plan = edit_ops::plan(&context, proposal)?;
            return allowed(plan, &snapshot);
        }
    };
    allowed(planned.map_err(|issue| vec![*issue])?, &snapshot)
}

/// The plan, unless what it leaves is nothing that a plan may leave.
fn allowed(plan: Plan, snapshot: &dyn Snapshot) -> Result<Plan, Vec<Issue>> {
    match repository::issue(&plan.changes, snapshot) {
        Some(issue) => Err(vec![*issue]),
        None => Ok(plan),
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
