//! Steps: the small vocabulary of what a command does, with explicit policies.

use std::sync::Arc;

use super::edit_ops::Proposal;
use super::edits::TextEdit;
use super::hunks::Hunk;
use super::patch::Patch;
use super::whole_file::WholeFile;
use crate::snapshot::FileId;
use crate::structure::Request;
use crate::text::glob::Glob;

/// One thing that a command does, with paths as the block writes them.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Nothing, for this reason.
    Nothing {
        /// Why, `there are no ops`.
        reason: &'static str,
    },
    /// The dialect's specification is asked for.
    InterfaceSpec,
    /// Reads a file.
    Read {
        /// The file.
        path: String,
        /// Which of its lines.
        lines: ReadLines,
        /// What is between a line's number and the line; `None` for lines without numbers.
        delimiter: Option<String>,
    },
    /// Lists the entries of a directory.
    List {
        /// The directory.
        path: String,
        /// Whether size and time of each entry are wanted.
        with_details: bool,
    },
    /// Tells size, lines, fingerprint and kind.
    Stat {
        /// The file or directory.
        path: String,
    },
    /// Searches a file or a tree.
    Search {
        /// The file or directory.
        path: String,
        /// What is searched for.
        what: SearchFor,
        /// Whether a directory is searched with all below it; otherwise the path is a file's.
        in_tree: bool,
    },
    /// Gives a file its whole content or more of it; a missing file is created.
    Write {
        /// The file.
        path: String,
        /// The text.
        content: String,
        /// Whether it replaces the content that is there.
        mode: WriteMode,
    },
    /// Gives a file all of its text, but for what marks are in the place of.
    WholeFile {
        /// The file.
        path: String,
        /// The text.
        file: WholeFile,
    },
    /// Edits the text of a file.
    Edit {
        /// The file.
        path: String,
        /// What is edited.
        edit: FileEdit,
        /// What is done where no file is at the path.
        missing: Missing,
    },
    /// Applies a strict unified diff.
    Patch {
        /// The file.
        path: String,
        /// The diff.
        patch: Patch,
    },
    /// Deletes a file or directory.
    Delete {
        /// The file or directory.
        path: String,
        /// What it may be.
        only: Only,
    },
    /// Gives a file or directory another path.
    Move {
        /// What is moved.
        path: String,
        /// Where to.
        path_to: String,
        /// Whether only a file may be moved, which then overwrites a file that is there.
        overwrite: bool,
    },
    /// Copies a file or directory to a free path.
    Copy {
        /// What is copied.
        path: String,
        /// Where to.
        path_to: String,
    },
    /// Makes a directory with its missing parents.
    MakeDirectory {
        /// The directory.
        path: String,
    },
    /// Does something with the structures of a file. A request is larger than any other step.
    Structure(Box<Request>),
    /// Runs a program.
    Exec(Program),
    /// Does something with the working set.
    Context(ContextChange),
}

/// Which lines of a file are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadLines {
    /// All of them.
    All,
    /// So many at most, from one on.
    From {
        /// The first line, from 1.
        start: usize,
        /// How many lines at most.
        count: usize,
    },
    /// Those that the block names, `4` or `23-43`.
    Named {
        /// The lines as the block has them.
        lines: String,
        /// Whether those beyond the end of the file may be missing.
        clip: bool,
    },
}

/// What a search looks for.
#[derive(Debug, Clone, PartialEq)]
pub enum SearchFor {
    /// Lines with a substring.
    Text {
        /// The substring.
        query: String,
        /// The glob that files must fit.
        include: Option<Glob>,
    },
    /// Files whose path from the directory on fits a glob.
    Files(Glob),
}

/// What becomes of the content that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteMode {
    /// The new content replaces it.
    Replace,
    /// The new text comes after it.
    Append,
    /// No file may be there.
    Create,
}

/// What is done where no file is at the path of an edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Missing {
    /// The edit is refused.
    Refuse,
    /// The one file is taken whose path ends most like it.
    FindByEnd,
    /// It counts as empty and is created.
    Create,
}

/// What a deletion is limited to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Only {
    /// Nothing: files, and directories with all that is in them.
    Anything,
    /// Files.
    File,
    /// Files that have these lines and no others.
    FileOf(Vec<String>),
    /// Empty directories.
    EmptyDirectory,
}

/// How the text of a file is edited.
#[derive(Debug, Clone, PartialEq)]
pub enum FileEdit {
    /// By edits in order, each on what the one before left.
    InOrder(Vec<TextEdit>),
    /// By another text in place of one, as often as that is in the file.
    Replace {
        /// The text that is there.
        old: String,
        /// The text that takes its place.
        new: String,
        /// How many times it must be there.
        wanted: Wanted,
    },
    /// By another text in place of one that is there once; an empty one takes away the lines that
    /// the old one is.
    SearchReplace {
        /// The text that is there.
        search: String,
        /// The text that takes its place.
        replace: String,
    },
    /// By hunks of whole lines, each below the one before.
    Hunks(Vec<Hunk>),
    /// By another text in place of a stretch.
    ReplaceRange {
        /// How the stretch begins; it is in the file once.
        beginning: String,
        /// How it ends; it comes after that once.
        end: String,
        /// The text that takes its place.
        new: String,
    },
    /// By another text in place of whole lines.
    ReplaceLines {
        /// Which lines, as the block has it.
        lines: String,
        /// The text that takes their place.
        content: String,
    },
    /// By line comments put on or taken off.
    CommentLines {
        /// Which lines, as the block has it.
        lines: String,
        /// On, not off.
        comment: bool,
    },
    /// By the ops of a proposal on this file, all of them about the text as it is before.
    AtOnce {
        /// The proposal.
        proposal: Arc<Proposal>,
        /// Which of its files.
        file: FileId,
    },
}

/// How many times a text must be in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// Exactly once.
    Once,
    /// Exactly so many times.
    Exactly(usize),
    /// Any number of times, none too.
    Any,
}

/// A program text that is to be run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// The text.
    pub code: String,
    /// `python`, `javascript` or `bash`.
    pub language: String,
    /// The version of the language that it must be.
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

impl From<Request> for Step {
    fn from(request: Request) -> Step {
        Step::Structure(Box::new(request))
    }
}

impl Step {
    /// The path that it is about first.
    pub fn path(&self) -> Option<&str> {
        match self {
            Step::Nothing { .. } | Step::InterfaceSpec => None,
            Step::Read { path, .. }
            | Step::List { path, .. }
            | Step::Stat { path }
            | Step::Search { path, .. }
            | Step::Write { path, .. }
            | Step::WholeFile { path, .. }
            | Step::Edit { path, .. }
            | Step::Patch { path, .. }
            | Step::Delete { path, .. }
            | Step::Move { path, .. }
            | Step::Copy { path, .. }
            | Step::MakeDirectory { path }
            | Step::Context(ContextChange::Add(path) | ContextChange::Remove(path)) => Some(path),
            Step::Structure(request) => Some(request.path()),
            Step::Exec(program) => program.directory.as_deref(),
            Step::Context(_) => None,
        }
    }

    /// All paths that it is about: the first, and where it leads to.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        let other = match self {
            Step::Copy { path_to, .. } | Step::Move { path_to, .. } => Some(path_to.as_str()),
            Step::Structure(request) => request.dest_path(),
            _ => None,
        };
        self.path().into_iter().chain(other)
    }

    /// Whether its change is there where it changes nothing.
    pub fn is_made_if_unchanged(&self) -> bool {
        self.writes_whole() || matches!(self, Step::Edit { edit: FileEdit::Hunks(_), .. })
    }

    /// Whether it finds its place by line numbers alone.
    pub fn counts_lines(&self) -> bool {
        let Step::Edit { edit, .. } = self else { return false };
        match edit {
            FileEdit::ReplaceLines { .. } | FileEdit::CommentLines { .. } => true,
            FileEdit::InOrder(edits) => {
                edits.iter().any(|edit| matches!(edit, TextEdit::ReplaceRange { .. }))
            }
            _ => false,
        }
    }

    /// Whether it is about all of its file, so what it leaves out may be lost.
    pub fn writes_whole(&self) -> bool {
        match self {
            Step::WholeFile { .. } => true,
            Step::Structure(request) => request.overwrites(),
            _ => self.overwrites(),
        }
    }

    /// Whether its file holds the same afterwards, whatever is there.
    pub fn overwrites(&self) -> bool {
        match self {
            Step::Nothing { .. } | Step::Write { mode: WriteMode::Replace, .. } => true,
            Step::WholeFile { file, .. } => !file.elides,
            Step::Edit { edit: FileEdit::AtOnce { proposal, file }, .. } => {
                proposal.overwrites(*file)
            }
            _ => false,
        }
    }
}
