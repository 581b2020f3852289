//! Commands: the typed vocabulary that all dialects come to.

pub mod edit_ops;
pub mod edits;
pub mod hunks;
pub mod patch;
mod step;
mod whole_file;

use crate::fingerprint::Fingerprint;
use crate::snapshot::PathStyle;
use crate::spec::Action;
pub use step::{
    ContextChange, FileEdit, Missing, Only, Program, ReadLines, SearchFor, Step, Wanted, WriteMode,
};
pub use whole_file::{There, WholeFile};

/// What a sound block asks for: steps, all of which are done or none.
#[derive(Debug, Clone, PartialEq)]
pub struct Command {
    /// The action as the dialect's table has it.
    pub action: &'static Action,
    /// The action's name as the block has it.
    pub name: String,
    /// What is to be done, in this order, each step on what the ones before leave.
    pub steps: Vec<Step>,
    /// Whether the block gives a list of files for one and the same step: a file that is named
    /// twice is changed once, and a failure tells what would come of each.
    pub is_list: bool,
    /// What the block says that files were when it was written.
    pub bases: Vec<StatedBase>,
    /// How its paths are written.
    pub paths: PathStyle,
}

/// What a block says that a file was when it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedBase {
    /// The file, as the block writes it.
    pub path: String,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
}

impl Command {
    /// The command that has one step; `base` is what its first path is said to have been.
    pub fn one(
        action: &'static Action,
        step: Step,
        base: Option<Fingerprint>,
        paths: PathStyle,
    ) -> Command {
        let base = step.path().zip(base);
        let base =
            base.map(|(path, fingerprint)| StatedBase { path: path.to_owned(), fingerprint });
        let (name, bases) = (action.name.clone(), base.into_iter().collect());
        Command { action, name, steps: vec![step], is_list: false, bases, paths }
    }

    /// The path that it is about first, as the block writes it.
    pub fn path(&self) -> Option<&str> {
        self.steps.first()?.path()
    }

    /// All paths that it is about, as the block writes them, in the order of its steps.
    pub fn all_paths(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().flat_map(Step::paths)
    }

    /// The fingerprint that the block states for a file, by the path as the block writes it.
    pub fn base(&self, path: &str) -> Option<Fingerprint> {
        self.bases.iter().find(|base| base.path == path).map(|base| base.fingerprint)
    }

    /// Whether its paths are ids of virtual files.
    pub fn is_virtual(&self) -> bool {
        self.paths == PathStyle::Virtual
    }

    /// The index of the first op on a file, by the path as the block writes it; `None` where the
    /// command has no ops.
    pub fn op_on(&self, path: &str) -> Option<usize> {
        self.steps.iter().find_map(|step| match step {
            Step::Edit { path: own, edit: FileEdit::AtOnce { proposal, file }, .. }
                if own == path =>
            {
                proposal.first_op(*file)
            }
            _ => None,
        })
    }

    /// Whether it finds its place by line numbers alone, and does not say in which state of the file.
    pub fn counts_lines(&self) -> bool {
        self.bases.is_empty() && self.steps.iter().any(Step::counts_lines)
    }

    /// Whether it looks through a whole tree, which takes its time.
    pub fn searches(&self) -> bool {
        self.steps.iter().any(|step| matches!(step, Step::Search { in_tree: true, .. }))
    }

    /// Whether each step replaces a whole file whatever is there, so that any change since makes
    /// it stale.
    pub fn overwrites(&self) -> bool {
        self.steps.iter().all(Step::overwrites)
    }
}
