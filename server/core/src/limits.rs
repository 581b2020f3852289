//! How much is too much; each number is a setting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};

use crate::trusted::TrustedFiles;

/// How many fields and problems of one block are looked at; not a setting. What has more was not
/// meant for a block, and each takes a hundred times the memory of its line.
pub(crate) const PROBLEMS: usize = 1_000;

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
    /// What the edits of one command may search and copy in all.
    pub work_bytes: usize,
    /// What the replies of one run hold together. Not a setting: an editor asks for replies one by
    /// one.
    #[serde(skip)]
    pub reply_bytes: usize,
    /// Whether programs may be run; not a limit of the settings' section of that name, and set by
    /// `exec.enable` or `--allow-exec`.
    #[serde(skip)]
    pub exec: bool,
    /// Whether the work is still wanted. Not a setting: whoever starts long work puts a
    /// [`Cancel::new`] here and keeps a clone of it.
    #[serde(skip)]
    pub cancel: Cancel,
    /// The files whose change needs a look; not a limit either, `trustedFiles` adds to it.
    #[serde(skip)]
    pub trusted_files: TrustedFiles,
}

/// A way to tell work under way that nobody waits for its result any more.
///
/// All clones of one are cancelled together; the default one cannot be cancelled. Work that was
/// cancelled ends soon with a result that is of no use.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Option<Arc<AtomicBool>>);

impl Cancel {
    /// One that can be cancelled.
    pub fn new() -> Cancel {
        Cancel(Some(Arc::default()))
    }

    /// Cancels the work that asks this or a clone of it.
    pub fn cancel(&self) {
        if let Some(cancelled) = &self.0 {
            cancelled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.as_ref().is_some_and(|cancelled| cancelled.load(Ordering::Relaxed))
    }
}

/// Limits are compared by their numbers; what may cancel the work is not one of them.
impl PartialEq for Cancel {
    fn eq(&self, _: &Cancel) -> bool {
        true
    }
}

impl Eq for Cancel {}

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
            work_bytes: 2 << 30,
            reply_bytes: 32 << 20,
            exec: false,
            cancel: Cancel::default(),
            trusted_files: TrustedFiles::default(),
        }
    }
}
