//! Plans: what a command comes to against one snapshot, worked out wholly in memory.

use serde_json::{Map, Value};

use crate::command::{Command, Operation};
use crate::edit::ChangeSet;
use crate::limits::Limits;
use crate::problem::{Code, Severity};
use crate::snapshot::{FilePath, Snapshot, State};

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

/// What is wrong with a plan, in terms of the command: a field rather than a range.
#[derive(Debug, Clone, PartialEq)]
pub struct Issue {
    /// The kind of problem.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong and what to do.
    pub message: String,
    /// The field whose value is at fault: `path`, `path_to`, `edits`, `patch`, `content`, `query`,
    /// `start`, `base`.
    pub field: &'static str,
    /// What a program needs to react.
    pub details: Map<String, Value>,
    /// Places in targets that have to do with it: what is there, the file, its 1-based line.
    pub related: Vec<(String, FilePath, usize)>,
    /// Another value for a field that would mend it: what it does, the field, the decoded value.
    pub repair: Option<Repair>,
}

/// Another value for a field that would mend an issue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Repair {
    /// What it does, as a menu shows it.
    pub title: String,
    /// The field, named as in [`Issue::field`].
    pub field: &'static str,
    /// The value before the dialect encodes it.
    pub value: String,
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
    let _ = (snapshot, limits);
    match &command.operation {
        Operation::InterfaceSpec => Ok(Plan {
            changes: ChangeSet::default(),
            outcome: Outcome::default(),
            remarks: Vec::new(),
            targets: Vec::new(),
        }),
        _ => Err(Vec::new()),
    }
}
