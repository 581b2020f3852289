//! How much is too much; each number is a setting.

use serde::{Deserialize, Serialize};

/// The limits, in bytes where nothing else is said. Each breach is a problem, never a silent cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Limits {
    /// A file that is read or written.
    pub file_bytes: usize,
    /// A payload after decoding.
    pub content_bytes: usize,
    /// The text of one block.
    pub block_bytes: usize,
    /// How many blocks of a transcript are looked at.
    pub blocks: usize,
    /// A transcript.
    pub transcript_bytes: usize,
    /// Lines that `fs.readSlice` gives at most.
    pub slice_lines: usize,
    /// Matches that a search gives for one file.
    pub matches_per_file: usize,
    /// Matches that a search gives for a whole tree.
    pub matches_per_tree: usize,
    /// Files that one command may copy, move, delete or search.
    pub files_per_command: usize,
    /// Whether programs may be run; not a limit of the settings' section of that name, and set by
    /// `exec.enable` or `--allow-exec`.
    #[serde(skip)]
    pub exec: bool,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 10 << 20,
            content_bytes: 1 << 20,
            block_bytes: 2 << 20,
            blocks: 10_000,
            transcript_bytes: 64 << 20,
            slice_lines: 400,
            matches_per_file: 50,
            matches_per_tree: 500,
            files_per_command: 10_000,
            exec: false,
        }
    }
}
