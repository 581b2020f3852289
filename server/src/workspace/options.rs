//! What a workspace is opened with, and why it may not open.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use operator_core::limits::Limits;

use super::journal::{History, Unsaved};

/// The globs that are protected when the settings name none. A pattern that ends in `/**` means
/// the directory itself, too.
pub const DEFAULT_PROTECTED: [&str; 11] = [
    ".git/**",
    "**/.git/**",
    "**/*.git/config",
    "**/.ssh/**",
    "**/*.ssh*/**",
    "/etc/**",
    "/sys/**",
    "/proc/**",
    "?:/Windows/**",
    "?:/Program Files*/**",
    "?:/ProgramData/**",
];

/// What a workspace is opened with.
#[derive(Debug, Clone)]
pub struct WorkspaceOptions {
    /// Globs of what is neither read nor written, matched in any case against the path in the
    /// root and against the absolute path.
    pub protected: Vec<String>,
    /// The other folders that an editor shows; absolute paths and symlinks may lead to them.
    pub beside: Vec<PathBuf>,
    /// Folders besides these that absolute paths and symlinks may lead to.
    pub allowed_roots: Vec<PathBuf>,
    /// How much is too much.
    pub limits: Limits,
    /// How much is kept so that it can be undone, for every program from then on; `None` for as much as
    /// an editor has said last.
    pub history: Option<History>,
    /// What the program tells others that its editor has not saved.
    pub unsaved: Arc<Unsaved>,
}

impl Default for WorkspaceOptions {
    fn default() -> WorkspaceOptions {
        WorkspaceOptions {
            protected: DEFAULT_PROTECTED.map(str::to_owned).to_vec(),
            beside: Vec::new(),
            allowed_roots: Vec::new(),
            limits: Limits::default(),
            history: None,
            unsaved: Arc::default(),
        }
    }
}

/// Why a workspace does not open.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A folder that is not there, is none, or may not be opened.
    #[error("cannot open the folder {}: {}", path.display(), why(source))]
    Root {
        /// The folder as it was named.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A protected path that is not a glob.
    #[error("{pattern:?} in the protected paths is not a glob: {reason}")]
    Pattern {
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// What the system says of a folder, without its number for that.
fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "no such folder".to_owned(),
        io::ErrorKind::NotADirectory => "it is not a folder".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}
