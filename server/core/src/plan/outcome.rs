//! Outcomes: what was done, as facts; each dialect's reply makes words and JSON of them.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::edit::Hunk;
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, State};
use crate::snapshot::Details;
use crate::structure::Output;

/// The outcome of a command.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Outcome {
    /// It was done: one fact for each step.
    Done(Vec<Fact>),
    /// It was done before; this is all that is known of it.
    Noted {
        /// What was done, in one line.
        summary: String,
        /// What an earlier reply says of it; null where none does.
        data: Value,
    },
}

/// The outcome of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fact {
    /// Nothing was done, for this reason.
    Nothing {
        /// Why.
        reason: Cow<'static, str>,
    },
    /// The file was left as it is: it was named before, or is the transcript itself.
    LeftOut,
    /// The specification was asked for.
    Specification,
    /// A file was read.
    Read {
        /// The file.
        path: FilePath,
        /// The lines, as they were asked for.
        text: String,
        /// The first and the last of them, where a part of the file was asked for.
        lines: Option<(usize, usize)>,
        /// How many lines the file has.
        total: usize,
        /// The file's fingerprint.
        fingerprint: Fingerprint,
    },
    /// A directory was listed.
    Listed {
        /// The directory.
        path: FilePath,
        /// Its entries, sorted by name.
        entries: Vec<ListedEntry>,
    },
    /// A directory was looked at.
    StatDirectory {
        /// The directory.
        path: FilePath,
        /// How many entries it has.
        entries: usize,
    },
    /// A file was looked at; size and lines are not known of what is not text.
    StatFile {
        /// The file.
        path: FilePath,
        /// Its size in bytes.
        size: Option<usize>,
        /// How many lines it has.
        lines: Option<usize>,
        /// Its fingerprint.
        fingerprint: Option<Fingerprint>,
    },
    /// A file was searched.
    FoundInFile {
        /// The file.
        path: FilePath,
        /// The first matching lines.
        found: Matches,
        /// How many of them are given at most.
        limit: usize,
    },
    /// The files of a tree were searched.
    FoundInTree(FoundInTree),
    /// The files of a tree were matched with a glob.
    FoundFiles {
        /// The directory, or one file.
        path: FilePath,
        /// The files that fit.
        files: Vec<FilePath>,
    },
    /// A file has a content.
    Wrote {
        /// How it came to it.
        how: Wrote,
        /// The file.
        path: FilePath,
        /// How many lines it has.
        lines: usize,
        /// Its fingerprint.
        fingerprint: Fingerprint,
        /// In how many places a text was replaced, where they were counted.
        replacements: Option<usize>,
    },
    /// The changes of some hunks were in a file already.
    ThereAlready {
        /// The file.
        path: FilePath,
        /// The numbers of the hunks, from 1.
        hunks: Vec<usize>,
    },
    /// A file was edited in part.
    WroteInPart(PartOfFile),
    /// Some of so many hunks were made; which lines those were is not known any more.
    MadeInPart {
        /// How many hunks were made.
        made: usize,
        /// How many there were.
        of: usize,
    },
    /// An editor has changed some of so many files, and gave up before the others.
    MadeInSomeFiles {
        /// How many files were changed.
        made: usize,
        /// How many there were.
        of: usize,
    },
    /// The user edited the block before it was applied.
    MadeAsEdited,
    /// A file or directory was deleted.
    Deleted {
        /// The file or directory.
        path: FilePath,
        /// How many files were in the directory; `None` for a file.
        files: Option<usize>,
    },
    /// A file or directory has another path.
    Moved {
        /// From where to where.
        ends: Ends,
        /// Whether a file was overwritten.
        overwrote: bool,
    },
    /// A file or directory was copied.
    Copied(Ends),
    /// A directory is there.
    MadeDirectory {
        /// The directory.
        path: FilePath,
    },
    /// Something was done with structures.
    Structure(StructureFact),
    /// A program is to be run.
    ToRun {
        /// Its language.
        language: String,
        /// How many lines it has.
        lines: usize,
        /// In which directory.
        directory: FilePath,
    },
    /// A program was run.
    Ran {
        /// Its language.
        language: String,
        /// How it ended.
        result: ProgramResult,
    },
    /// Something was done with the working set.
    Context(ContextFact),
}

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a directory.
    pub is_directory: bool,
    /// Size and time, where they were asked for and are known.
    pub details: Option<Details>,
}

/// Lines that match.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Matches {
    /// The first of them, with their 1-based numbers.
    pub lines: Vec<(usize, String)>,
    /// How many there are.
    pub total: usize,
    /// Whether a line was cut.
    pub is_cut: bool,
}

/// What was found in the files of a tree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FoundInTree {
    /// The directory, or one file.
    pub path: FilePath,
    /// The files with matches of which lines are given.
    pub files: Vec<(FilePath, Vec<(usize, String)>)>,
    /// How many lines match.
    pub total: usize,
    /// How many files have them.
    pub matching: usize,
    /// Of how many.
    pub searched: usize,
    /// How many of these could not be read.
    pub skipped: usize,
    /// Whether a line was cut.
    pub is_cut: bool,
    /// How many lines are given at most, of a file and in all.
    pub limits: (usize, usize),
    /// Whether the transcript is one of the files, and was left out.
    pub leaves_transcript: bool,
}

/// What was done with structures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StructureFact {
    /// The file that they are in; of a move the one that the structure comes from.
    pub path: FilePath,
    /// The operation's result.
    pub output: Output,
    /// How many lines the file has afterwards.
    pub lines: usize,
    /// Its fingerprint afterwards.
    pub fingerprint: Fingerprint,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramResult {
    /// What it printed, where that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stdout: Option<String>,
    /// What it printed to its error output, where that is wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stderr: Option<String>,
    /// Its exit code; `None` where it was ended.
    pub exit_code: Option<i32>,
}

/// What of an edit of a file was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartOfFile {
    /// The file.
    pub path: FilePath,
    /// How many lines it has.
    pub lines: usize,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// The hunks that were made; lines count in the file before.
    pub applied: Vec<Hunk>,
    /// The hunks that the user left out.
    pub rejected: Vec<Hunk>,
}

/// How a file came to its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wrote {
    /// It was not there.
    Created,
    /// It got another content.
    Replaced,
    /// It got more of it.
    Appended,
    /// It was edited.
    Edited,
    /// All of it was deleted.
    Emptied,
    /// It was patched.
    Patched,
    /// It had it already.
    Unchanged,
}

/// From where to where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// The old path.
    pub from: FilePath,
    /// The new path.
    pub to: FilePath,
    /// What was at the old path.
    pub state: State,
    /// How many files that is.
    pub files: usize,
}

/// What was done with the working set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ContextFact {
    /// A file is in it.
    Added {
        /// The file, as the block writes it.
        path: String,
        /// Its size in bytes.
        size: u64,
    },
    /// A file is out of it.
    Removed {
        /// The file, as the block writes it.
        path: String,
    },
    /// These files are in it, with their sizes in bytes where they are still there.
    Listed(Vec<(String, Option<u64>)>),
    /// These files are gone and out of it.
    Pruned(Vec<String>),
    /// It is empty.
    Cleared,
}

impl Default for Outcome {
    fn default() -> Outcome {
        Outcome::Done(Vec::new())
    }
}

impl Outcome {
    /// An outcome of which a line is known and nothing else.
    pub fn noted(summary: impl Into<String>) -> Outcome {
        Outcome::Noted { summary: summary.into(), data: Value::Null }
    }

    /// The facts; none where they are not known.
    pub fn facts(&self) -> &[Fact] {
        match self {
            Outcome::Done(facts) => facts,
            Outcome::Noted { .. } => &[],
        }
    }

    /// How many bytes of text it holds, at least.
    pub(crate) fn size(&self) -> usize {
        self.facts().iter().map(Fact::size).sum()
    }
}

impl Fact {
    /// Whether it says that a block was not made as it is.
    pub fn is_in_part(&self) -> bool {
        matches!(
            self,
            Fact::WroteInPart(_)
                | Fact::MadeInPart { .. }
                | Fact::MadeInSomeFiles { .. }
                | Fact::MadeAsEdited
        )
    }

    /// The file or directory that it is about first, where it is about one.
    pub fn path(&self) -> Option<&FilePath> {
        match self {
            Fact::Read { path, .. }
            | Fact::Listed { path, .. }
            | Fact::StatDirectory { path, .. }
            | Fact::StatFile { path, .. }
            | Fact::FoundInFile { path, .. }
            | Fact::FoundInTree(FoundInTree { path, .. })
            | Fact::FoundFiles { path, .. }
            | Fact::Wrote { path, .. }
            | Fact::ThereAlready { path, .. }
            | Fact::WroteInPart(PartOfFile { path, .. })
            | Fact::Deleted { path, .. }
            | Fact::MadeDirectory { path }
            | Fact::Structure(StructureFact { path, .. }) => Some(path),
            Fact::Moved { ends, .. } | Fact::Copied(ends) => Some(&ends.from),
            _ => None,
        }
    }

    fn size(&self) -> usize {
        let lines = |lines: &[(usize, String)]| lines.iter().map(|(_, line)| line.len()).sum();
        match self {
            Fact::Read { text, .. } => text.len(),
            Fact::Listed { entries, .. } => entries.iter().map(|entry| entry.name.len()).sum(),
            Fact::FoundInFile { found, .. } => lines(&found.lines),
            Fact::FoundInTree(found) => found.files.iter().map(|(_, found)| lines(found)).sum(),
            Fact::FoundFiles { files, .. } => files.iter().map(|file| file.path.len()).sum(),
            Fact::Structure(StructureFact { output: Output::Read { matches }, .. }) => {
                matches.iter().map(|one| one.text.len()).sum()
            }
            Fact::Structure(StructureFact {
                output: Output::Outlined { files: [file] }, ..
            }) => file.structures.iter().map(|one| one.target.len() + one.header.len()).sum(),
            _ => 0,
        }
    }
}
