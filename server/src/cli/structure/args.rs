//! What `structure` takes.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use operator_core::fingerprint::Fingerprint;

use crate::cli::args::Format;

/// Arguments of `structure`.
#[derive(Debug, Args)]
pub struct StructureArgs {
    /// What to do
    #[command(subcommand)]
    pub operation: Operation,
    /// The workspace that paths are relative to, and that no path leads out of
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub root: PathBuf,
    /// How to print the result
    #[arg(long, value_enum, default_value_t, global = true)]
    pub format: Format,
}

/// What to do with structures.
#[derive(Debug, Subcommand)]
pub enum Operation {
    /// List the structures of files, each with a target that fits it alone
    Outline {
        /// Files and directories; of a directory every file in a known language is listed that
        /// `.gitignore` does not exclude
        #[arg(value_name = "PATH", required = true)]
        paths: Vec<String>,
    },
    /// Print every structure that the target fits
    Read(At),
    /// Put a text in the place of a structure
    Replace {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        content: Content,
        #[command(flatten)]
        base: Base,
    },
    /// Delete a structure
    Delete {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        base: Base,
    },
    /// Replace a text that is in the structure exactly once
    ReplaceText {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        text: Texts,
        #[command(flatten)]
        base: Base,
    },
    /// Replace a text wherever it is in the structure
    ReplaceAllText {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        text: Texts,
        /// How many times it must be there
        #[arg(long, value_name = "N")]
        expected_count: Option<usize>,
        #[command(flatten)]
        base: Base,
    },
    /// Insert a text before a structure
    InsertBefore {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        content: Content,
        #[command(flatten)]
        base: Base,
    },
    /// Insert a text after a structure
    InsertAfter {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        content: Content,
        #[command(flatten)]
        base: Base,
    },
    /// Move a structure to before another one
    MoveBefore {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        to: Destination,
        #[command(flatten)]
        base: Base,
    },
    /// Move a structure to after another one
    MoveAfter {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        to: Destination,
        #[command(flatten)]
        base: Base,
    },
    /// Move a structure to the start of a file, after what must stay first
    MoveToStart {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        to: File,
        #[command(flatten)]
        base: Base,
    },
    /// Move a structure to the end of a file
    MoveToEnd {
        #[command(flatten)]
        at: At,
        #[command(flatten)]
        to: File,
        #[command(flatten)]
        base: Base,
    },
}

/// Which structure.
#[derive(Debug, Args)]
pub struct At {
    /// The file
    pub path: String,
    /// The structure: its header or name, one line for each level, outermost first
    #[arg(long, value_name = "TARGET", allow_hyphen_values = true)]
    pub target: String,
}

/// A text at zero indent.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct Content {
    /// The text, at zero indent
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub content: Option<String>,
    /// A file that holds the text; `-` is standard input
    #[arg(long, value_name = "FILE")]
    pub content_file: Option<PathBuf>,
}

/// A text and the one for its place.
#[derive(Debug, Args)]
pub struct Texts {
    /// The text that is there
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub old: String,
    /// The text that is to be there
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub new: String,
}

/// A structure that another one goes to.
#[derive(Debug, Args)]
pub struct Destination {
    #[command(flatten)]
    pub file: File,
    /// The structure that it goes to
    #[arg(long, value_name = "TARGET", allow_hyphen_values = true)]
    pub dest_target: String,
}

/// A file that a structure goes to.
#[derive(Debug, Args)]
pub struct File {
    /// The file that it goes to
    #[arg(long, value_name = "PATH")]
    pub dest_path: String,
}

/// What the file must be like.
#[derive(Debug, Args)]
pub struct Base {
    /// Do nothing unless the file has this fingerprint
    #[arg(long, value_name = "SHA256")]
    pub base_fingerprint: Option<Fingerprint>,
}
