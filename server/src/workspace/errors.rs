//! Why changes are not carried out, kept or taken back, as a person reads it.

use std::io;
use std::path::PathBuf;

use operator_core::snapshot::{Denied, FilePath};

/// Why a change set was not carried out. Nothing of it is left, but for `HalfDone`.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The file is not the one that the change was made for.
    #[error("{0} has changed since the change was planned; read it again")]
    Changed(FilePath),
    /// Something stands where a new file or directory was to be.
    #[error("{0} exists by now; read it again")]
    Exists(FilePath),
    /// The workspace does not let it.
    #[error("{path}: {}", reason(why))]
    Denied {
        /// The file or directory.
        path: FilePath,
        /// Why not.
        why: Denied,
    },
    /// What was there before cannot be kept, so nothing was touched.
    #[error("nothing was changed, because what is there cannot be kept for undo: {0}")]
    Journal(#[from] JournalError),
    /// It failed midway, and what was done could not be taken back either.
    #[error(
        "{failed}; what was done before that is still there, because it cannot be taken back: {undo}"
    )]
    HalfDone {
        /// Why it failed.
        failed: Box<ApplyError>,
        /// Why the rest stays.
        undo: Box<UndoError>,
    },
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The environment names no place for it.
    #[error("there is no folder for the undo journal; set XDG_STATE_HOME or HOME")]
    NoPlace,
    /// Another run has it.
    #[error("another run is changing this workspace; try again when it is done")]
    Locked,
    /// A journal that cannot be understood.
    #[error("the undo journal {} is damaged or from another version; remove it to go on", .0.display())]
    Damaged(PathBuf),
    /// The workspace no longer has the folder that a journal is about.
    #[error("the journal is about {0}, which is not part of this workspace any more")]
    OtherRoot(String),
    /// The system refuses.
    #[error("cannot use {}: {source}", path.display())]
    Io {
        /// The file or folder of the journal.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

/// Why changes are not taken back. Nothing was touched, but for `Denied`.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// No changes are on record.
    #[error("there is nothing to take back")]
    Nothing,
    /// Files that are not as the changes left them.
    #[error("nothing was taken back, because these have changed since: {}", list(.0))]
    Changed(Vec<FilePath>),
    /// The journal lacks what was there before.
    #[error("nothing was taken back, because the journal lacks what stood at {0}")]
    Lost(FilePath),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The workspace does not let it; what came after this file is taken back, and `undo` goes
    /// on from here once the reason is gone.
    #[error("{path} cannot be taken back: {}", reason(why))]
    Denied {
        /// The file or directory.
        path: FilePath,
        /// Why not.
        why: Denied,
    },
}

fn list(paths: &[FilePath]) -> String {
    paths.iter().map(FilePath::to_string).collect::<Vec<_>>().join(", ")
}

/// What a refusal means, without the path.
pub(super) fn reason(why: &Denied) -> String {
    match why {
        Denied::NotFound => "there is nothing".into(),
        Denied::NotAFile => "this is no regular file".into(),
        Denied::NotADirectory => "this is no directory".into(),
        Denied::Outside => "this is outside the workspace".into(),
        Denied::Protected(pattern) => format!("this is protected ({pattern})"),
        Denied::Permission => "the system does not permit it; check the permissions".into(),
        Denied::ReadOnly => "this is read-only".into(),
        Denied::NotUtf8(offset) => format!("this is not UTF-8 (byte {offset})"),
        Denied::TooLarge { size, limit } => format!("{size} bytes are more than {limit}"),
        Denied::TooMany { limit } => format!("these are more than {limit} files"),
        Denied::NoWorkspace => "there is no workspace".into(),
        Denied::Unsynced => "the editor's copy is out of step; open it again".into(),
        Denied::Io(message) => message.clone(),
    }
}
