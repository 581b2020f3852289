//! Operations as the command line and the language server list them.

use std::collections::BTreeSet;

use operator_core::ledger::{Door, Operation, Work};
use operator_core::path::{FilePath, State};
use serde::Serialize;

use crate::moment;
use crate::workspace::{Logged, Workspace};

/// The operations, as the documentation has them.
#[derive(Serialize)]
pub struct Listed {
    operations: Vec<Entry>,
}

impl Listed {
    /// The operations of a workspace, the newest first.
    pub fn of(operations: &[Logged], workspace: &Workspace) -> Listed {
        Listed { operations: operations.iter().map(|it| Entry::of(it, workspace)).collect() }
    }
}

#[derive(Serialize)]
struct Entry {
    id: u64,
    time: String,
    door: Door,
    transcript: String,
    blocks: Vec<Block>,
    files: Vec<String>,
    undone: bool,
}

#[derive(Serialize)]
struct Block {
    name: String,
    title: String,
}

impl Entry {
    fn of(logged: &Logged, workspace: &Workspace) -> Entry {
        let operation = &logged.operation;
        let block = |work: &Work| Block { name: work.name.clone(), title: work.title.clone() };
        Entry {
            id: operation.id.0,
            time: moment::rfc3339(operation.time),
            door: operation.door,
            transcript: operation.transcript.as_str().to_owned(),
            blocks: named(operation).map(block).collect(),
            files: files(operation, workspace),
            undone: logged.undone,
        }
    }
}

/// The blocks of an operation; what was changed without one is left out.
pub fn named(operation: &Operation) -> impl Iterator<Item = &Work> {
    operation.works.iter().filter(|work| !work.name.is_empty() || !work.title.is_empty())
}

/// The files and directories that an operation changes. A directory on the way to a new file goes
/// without saying.
pub fn files(operation: &Operation, workspace: &Workspace) -> Vec<String> {
    let transitions = || operation.works.iter().flat_map(|work| &work.transitions);
    let made = transitions().filter(|it| it.after == State::Directory).map(|it| &it.path);
    let made: BTreeSet<&FilePath> = made.collect();
    let paths = operation.paths();
    let is_way = |path: &FilePath| {
        made.contains(path) && paths.iter().any(|it| it.is_within(path) && *it != path)
    };
    let shown = paths.iter().filter(|path| !is_way(path));
    shown.map(|path| name(path, workspace)).collect()
}

/// A path in the first folder as it is there, any other as the system has it.
fn name(path: &FilePath, workspace: &Workspace) -> String {
    match path.root {
        0 => path.path.to_string(),
        _ => workspace.absolute(path).to_string_lossy().into_owned(),
    }
}
