//! Commands: the typed vocabulary that all dialects come to.

pub mod edit_ops;
pub mod edits;
pub mod patch;

use std::borrow::Cow;

use crate::fingerprint::Fingerprint;
use crate::snapshot::PathStyle;
use crate::spec::Action;
use crate::structure::Request;
use crate::text::glob::Glob;
use edit_ops::{FileId, Proposal};
use edits::TextEdit;
use patch::Patch;

/// What a sound block asks for.
#[derive(Debug, Clone)]
pub struct Command {
    /// The action as the dialect's table has it.
    pub action: &'static Action,
    /// The action's name as the block has it.
    pub name: String,
    /// What is to be done.
    pub operation: Operation,
    /// The fingerprint of its first path that the block itself states, if it does.
    pub base: Option<Fingerprint>,
    /// How its paths are written.
    pub paths: PathStyle,
}

/// What a block says that a file was when it was written.
pub struct Stated<'a> {
    /// The file, as the block writes it.
    pub path: &'a str,
    /// What it says.
    pub fingerprint: Fingerprint,
    /// The field that says so, named as in [`crate::plan::Issue::field`].
    pub field: Cow<'static, str>,
    /// Whether it is a virtual file.
    pub is_virtual: bool,
}

impl Command {
    /// What the block itself says that files were.
    pub fn stated(&self) -> Vec<Stated<'_>> {
        if let Operation::EditOps(proposal) = &self.operation {
            let stated = |file: FileId| {
                let fingerprint = *proposal.base_fingerprints.get(&file)?;
                let field = format!("base/{file}").into();
                Some(Stated { path: file.as_str(), fingerprint, field, is_virtual: true })
            };
            return proposal.files().into_iter().filter_map(stated).collect();
        }
        let stated = self.operation.path().zip(self.base);
        let stated = stated.map(|(path, fingerprint)| Stated {
            path,
            fingerprint,
            field: "base".into(),
            is_virtual: false,
        });
        stated.into_iter().collect()
    }
}

/// How many times a text has to be in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Exactly once.
    Once,
    /// Exactly so many times.
    Exactly(usize),
    /// Any number of times, none too.
    Any,
}

/// How lines are read with their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// Which lines, as the block has it; `None` for all.
    pub lines: Option<String>,
    /// What stands between a number and its line.
    pub delimiter: String,
}

/// A program text that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The text.
    pub code: String,
    /// `python`, `javascript` or `bash`.
    pub language: String,
    /// The version of the language that it has to be.
    pub version: Option<String>,
    /// The directory to run it in; `None` for the workspace.
    pub directory: Option<String>,
    /// Whether what it prints is wanted.
    pub returns_output: bool,
}

/// Something with the working set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextChange {
    /// A file goes in.
    Add(String),
    /// A file goes out.
    Remove(String),
    /// What is in it.
    List,
    /// What is not there any more goes out.
    Prune,
    /// Everything goes out.
    Clear,
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
    /// A text at the end of a file, which is made where it is missing.
    Append {
        /// The file.
        path: String,
        /// The text.
        content: String,
    },
    /// Another text in the place of one, as often as it is in a file.
    ReplaceText {
        /// The file.
        path: String,
        /// The text that is there.
        old: String,
        /// The text that takes its place.
        new: String,
        /// How many times it has to be there.
        wanted: Wanted,
    },
    /// Another text in the place of one that is in a file once; an empty one takes the lines away
    /// that the old one is.
    SearchReplace {
        /// The file, or how its path ends.
        path: String,
        /// The text that is there.
        search: String,
        /// The text that takes its place.
        replace: String,
    },
    /// The same in several files, in all or in none.
    ReplaceTextInFiles {
        /// The files.
        paths: Vec<String>,
        /// The text that is there.
        old: String,
        /// The text that takes its place.
        new: String,
    },
    /// Another text in the place of a stretch of a file.
    ReplaceTextRange {
        /// The file.
        path: String,
        /// How the stretch begins; it is in the file once.
        beginning: String,
        /// How it ends; it comes after that once.
        end: String,
        /// The text that takes its place.
        new: String,
    },
    /// Another text in the place of whole lines.
    ReplaceLines {
        /// The file.
        path: String,
        /// Which lines, as the block has it.
        lines: String,
        /// The text that takes their place.
        content: String,
    },
    /// Line comments put on or taken off.
    CommentLines {
        /// The file.
        path: String,
        /// Which lines, as the block has it.
        lines: String,
        /// On, not off.
        comment: bool,
    },
    /// Lines of a file with their numbers.
    ReadNumbered {
        /// The file.
        path: String,
        /// Which lines, and how.
        numbered: Numbered,
    },
    /// Several files, one after the other.
    ReadFiles {
        /// The files.
        paths: Vec<String>,
        /// With line numbers, where that is given.
        numbered: Option<Numbered>,
    },
    /// The end of a file, and of nothing else.
    DeleteFile {
        /// The file.
        path: String,
    },
    /// Another name or place for a file; what is there is overwritten.
    MoveFile {
        /// The file.
        path: String,
        /// Where to.
        path_to: String,
    },
    /// A directory with its missing parents.
    CreateDirectory {
        /// The directory.
        path: String,
    },
    /// The end of an empty directory.
    DeleteDirectory {
        /// The directory.
        path: String,
    },
    /// The entries of a directory with what is known of them.
    Entries {
        /// The directory.
        path: String,
    },
    /// The lines that hold a substring.
    Grep {
        /// The substring.
        pattern: String,
        /// The directory, or one file.
        path: String,
        /// The glob that files have to fit.
        include: Option<Glob>,
    },
    /// The files that fit a glob.
    Glob {
        /// The glob, over paths from the directory on.
        pattern: Glob,
        /// The directory.
        path: String,
    },
    /// A program text that is to be run.
    Exec(Program),
    /// Something with the working set.
    Context(ContextChange),
    /// Changes of virtual files, all of them or none.
    EditOps(Proposal),
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
            | Operation::Append { path, .. }
            | Operation::ReplaceText { path, .. }
            | Operation::ReplaceTextRange { path, .. }
            | Operation::SearchReplace { path, .. }
            | Operation::ReplaceLines { path, .. }
            | Operation::CommentLines { path, .. }
            | Operation::ReadNumbered { path, .. }
            | Operation::DeleteFile { path }
            | Operation::MoveFile { path, .. }
            | Operation::CreateDirectory { path }
            | Operation::DeleteDirectory { path }
            | Operation::Entries { path }
            | Operation::Grep { path, .. }
            | Operation::Glob { path, .. }
            | Operation::Context(ContextChange::Add(path) | ContextChange::Remove(path))
            | Operation::Move { path, .. } => Some(path),
            Operation::Structure(request) => Some(request.path()),
            Operation::ReplaceTextInFiles { paths, .. } | Operation::ReadFiles { paths, .. } => {
                paths.first().map(String::as_str)
            }
            Operation::Exec(program) => program.directory.as_deref(),
            Operation::Context(_) => None,
            Operation::EditOps(proposal) => proposal.files().first().map(|file| file.as_str()),
        }
    }

    /// The other paths that it is about, as the block writes them.
    pub fn more_paths(&self) -> Vec<&str> {
        match self {
            Operation::Copy { path_to, .. }
            | Operation::Move { path_to, .. }
            | Operation::MoveFile { path_to, .. } => vec![path_to],
            Operation::ReplaceTextInFiles { paths, .. } | Operation::ReadFiles { paths, .. } => {
                paths.iter().skip(1).map(String::as_str).collect()
            }
            Operation::Structure(request) => request.dest_path().into_iter().collect(),
            Operation::EditOps(proposal) => {
                proposal.files().into_iter().skip(1).map(FileId::as_str).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Whether it looks through a whole tree, which takes its time.
    pub fn searches(&self) -> bool {
        matches!(
            self,
            Operation::SearchTree { .. } | Operation::Grep { .. } | Operation::Glob { .. }
        )
    }

    /// Whether it replaces a whole file whatever stands there, so that any change since makes it
    /// stale.
    pub fn overwrites(&self) -> bool {
        match self {
            Operation::Write { .. } => true,
            Operation::EditOps(proposal) => {
                proposal.files().into_iter().all(|file| proposal.overwrites(file))
            }
            _ => false,
        }
    }

    /// The same of one of its files, by the path as the block writes it.
    pub fn overwrites_file(&self, path: &str) -> bool {
        match self {
            Operation::EditOps(proposal) => {
                FileId::of(path).is_some_and(|file| proposal.overwrites(file))
            }
            other => other.overwrites(),
        }
    }
}
