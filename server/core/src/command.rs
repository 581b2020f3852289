//! Commands: the typed vocabulary that all dialects come to.

pub mod edits;
pub mod patch;

use crate::fingerprint::Fingerprint;
use crate::spec::Action;
use crate::structure::Request;
use edits::TextEdit;
use patch::Patch;

/// What a sound block asks for.
#[derive(Debug, Clone)]
pub struct Command {
    /// The action as the dialect's table has it.
    pub action: &'static Action,
    /// What is to be done.
    pub operation: Operation,
    /// The fingerprint of the target that the block itself states, if it does.
    pub base: Option<Fingerprint>,
}

/// What is to be done, with paths as the block writes them.
#[derive(Debug, Clone, PartialEq)]
pub enum Operation {
    /// The dialect's specification is asked for.
    InterfaceSpec,
    /// The entries of a directory, one a line.
    List {
        /// The directory.
        path: String,
    },
    /// A whole file.
    Read {
        /// The file.
        path: String,
    },
    /// Numbered lines of a file.
    ReadSlice {
        /// The file.
        path: String,
        /// The first line, from 1.
        start: usize,
        /// How many lines at most.
        lines: usize,
    },
    /// The lines of a file that hold a substring.
    Search {
        /// The file.
        path: String,
        /// The substring.
        query: String,
    },
    /// Size, lines, fingerprint and kind.
    Stat {
        /// The file or directory.
        path: String,
    },
    /// The lines of all files below a directory that hold a substring.
    SearchTree {
        /// The directory, or one file.
        path: String,
        /// The substring.
        query: String,
    },
    /// A file's whole content, created or replaced.
    Write {
        /// The file.
        path: String,
        /// The content.
        content: String,
    },
    /// A strict unified diff.
    Patch {
        /// The file.
        path: String,
        /// The diff.
        patch: Patch,
    },
    /// Edits of a file, in order, each on what the one before left.
    ApplyEdits {
        /// The file.
        path: String,
        /// The edits.
        edits: Vec<TextEdit>,
    },
    /// The end of a file or directory.
    Delete {
        /// The file or directory.
        path: String,
    },
    /// A second file or directory like the first.
    Copy {
        /// What is copied.
        path: String,
        /// Where to.
        path_to: String,
    },
    /// The structures of a file, one a line.
    Outline {
        /// The file.
        path: String,
    },
    /// Something with the structures of a file.
    Structure(Request),
    /// Another name or place.
    Move {
        /// What is moved.
        path: String,
        /// Where to.
        path_to: String,
    },
}

impl Operation {
    /// The path that it is about first, as the block writes it.
    pub fn path(&self) -> Option<&str> {
        match self {
            Operation::InterfaceSpec => None,
            Operation::List { path }
            | Operation::Read { path }
            | Operation::ReadSlice { path, .. }
            | Operation::Search { path, .. }
            | Operation::Stat { path }
            | Operation::SearchTree { path, .. }
            | Operation::Write { path, .. }
            | Operation::Patch { path, .. }
            | Operation::ApplyEdits { path, .. }
            | Operation::Delete { path }
            | Operation::Copy { path, .. }
            | Operation::Outline { path }
            | Operation::Move { path, .. } => Some(path),
            Operation::Structure(request) => Some(request.path()),
        }
    }

    /// Whether it replaces a whole file whatever stands there, so that any change since makes it
    /// stale.
    pub fn overwrites(&self) -> bool {
        matches!(self, Operation::Write { .. })
    }
}
