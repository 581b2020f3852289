//! Why changes are not applied, kept or undone, as a person reads it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use operator_core::ledger::{Operation, OperationId, Transcript};
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;

use super::journal::{Step, Undone};
use crate::moment;

/// Why a change set was not applied. Nothing of it is left, but for `HalfDone`.
#[derive(Debug, thiserror::Error)]
pub enum ApplyError {
    /// The file is not the one that the change was made for.
    #[error("{0} has changed since the change was planned; read it again")]
    Changed(FilePath),
    /// Something is where a new file or directory was to be.
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
    /// It failed midway, and some of what was done before could not be undone.
    #[error("{failed}; some earlier changes could not be undone: {}", list(left))]
    HalfDone {
        /// Why it failed.
        failed: Box<ApplyError>,
        /// What is still changed.
        left: Vec<Left>,
    },
}

/// A change that is still there after an attempt to undo it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The file or directory, where the change has put it.
    pub path: FilePath,
    /// What the change did.
    pub change: LeftChange,
    /// Why it is still there.
    pub why: Reason,
}

/// What a change that could not be undone did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LeftChange {
    /// It made a file.
    Created,
    /// It made a directory.
    Directory,
    /// It wrote a file that was there.
    Edited,
    /// It deleted a file or a directory.
    Deleted,
    /// It moved a file or a directory that had this path.
    Moved(FilePath),
}

/// Why a change could not be undone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Somebody else has changed the place since.
    Changed,
    /// The journal lacks what was there before.
    Lost,
    /// The system or the workspace does not let it.
    Denied(Denied),
}

impl From<Denied> for Reason {
    fn from(why: Denied) -> Reason {
        Reason::Denied(why)
    }
}

impl Left {
    pub(super) fn of(step: &Step, why: Reason) -> Left {
        let (path, change) = match step {
            Step::Write { path, before: None, .. } => (path, LeftChange::Created),
            Step::Directory { path } => (path, LeftChange::Directory),
            Step::Write { path, .. } => (path, LeftChange::Edited),
            Step::Remove { path, .. } => (path, LeftChange::Deleted),
            Step::Rename { from, to, .. } => (to, LeftChange::Moved(from.clone())),
        };
        Left { path: path.clone(), change, why }
    }
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Reason::Changed => write!(f, "{} (it has changed since)", self.path),
            Reason::Lost => write!(f, "{} (the journal lacks what was there)", self.path),
            Reason::Denied(why) => write!(f, "{} ({})", self.path, reason(why)),
        }
    }
}

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The environment names no place for it.
    #[error("no folder for the undo journal; set XDG_STATE_HOME or HOME")]
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

/// Why changes are not undone.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    /// No changes are on record.
    #[error("nothing to undo")]
    Nothing,
    /// Files that are not as the changes left them; nothing was touched.
    #[error(
        "nothing was undone, because these have changed since: {}\n\
         to leave them as they are and undo everything else, use `undo --skip-changed`",
        list(.0)
    )]
    Changed(Vec<Since>),
    /// No operation has this number.
    #[error("no operation has the number {0}; `operator-lsp log` lists them")]
    Unknown(OperationId),
    /// Nothing of the operation is left.
    #[error("operation {0} is undone already")]
    AlreadyUndone(OperationId),
    /// Files that an editor has not saved since the operation; nothing was touched.
    #[error(
        "nothing was undone, because these are not saved since operation {0}: {files}\n\
         save them in the editor and try again, or undo the operation in the editor; to forget it \
         and leave them as they are, use `undo --skip-changed`",
        files = list(.1)
    )]
    NotSaved(OperationId, Vec<FilePath>),
    /// What was there before the operation was too old to be kept, or nobody has kept it.
    #[error(
        "operation {0} cannot be undone, because what was there before it is not kept; an editor's \
         settings `history.days`, `history.bytes` and `history.operations` say how much is; undo what \
         an editor has applied in the editor, or choose another operation of `operator-lsp log`"
    )]
    NotKept(OperationId),
    /// A kill has left it half done, or some of it is undone already.
    #[error(
        "operation {0} was interrupted, or is undone in part; `operator-lsp undo {0}` undoes what is \
         left of it"
    )]
    Interrupted(OperationId),
    /// No edit of an editor does it.
    #[error("operation {0} cannot be undone in the editor: {1}: {2}; `operator-lsp undo {0}` can")]
    NotByEdit(OperationId, FilePath, String),
    /// The journal lacks what was there before; nothing was touched.
    #[error(
        "nothing was undone, because the journal lacks what was at {}\n\
         to leave that as it is and undo everything else, use `undo --skip-changed`",
        list(.0)
    )]
    Lost(Vec<FilePath>),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// All is undone, but the system does not say that it is on the disk.
    #[error("everything is undone, but {path} may not be on the disk yet: {}", reason(why))]
    NotDurable {
        /// What was undone.
        undone: Vec<Undone>,
        /// What may be lost when the power fails.
        path: FilePath,
        /// What the system says.
        why: Denied,
    },
    /// Some changes could not be undone, all others were.
    #[error("could not be undone: {}{}", list(left), kept(kept_in.as_deref(), *again))]
    Partly {
        /// What was undone.
        undone: Vec<Undone>,
        /// What is still changed.
        left: Vec<Left>,
        /// Where what was there before is kept, once undo does not look for it any more.
        kept_in: Option<PathBuf>,
        /// The operation that they are of, where they were left because they have changed since.
        again: Option<OperationId>,
    },
}

/// A file that somebody has changed since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Since {
    /// The file.
    pub path: FilePath,
    /// Who has changed it, if that is known.
    pub by: Option<Changer>,
}

/// Who has changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Changer {
    /// Nobody that has applied a block.
    Hand,
    /// An operation.
    Operation {
        /// Its number.
        id: OperationId,
        /// The transcript of its blocks.
        transcript: Transcript,
        /// When, in milliseconds since 1970-01-01 UTC.
        time: u64,
    },
}

impl Since {
    /// A file that has changed, nobody knows by whom.
    pub(super) fn of(path: FilePath) -> Since {
        Since { path, by: None }
    }
}

impl Changer {
    /// The one who has made an operation, or a change that belongs to none.
    pub(super) fn of(operation: Option<&Operation>) -> Changer {
        let Some(operation) = operation else { return Changer::Hand };
        let (id, time) = (operation.id, operation.time);
        Changer::Operation { id, transcript: operation.transcript.clone(), time }
    }
}

impl fmt::Display for Since {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.by {
            None => write!(f, "{}", self.path),
            Some(Changer::Hand) => write!(f, "{} (by hand)", self.path),
            Some(Changer::Operation { id, transcript, time }) => {
                write!(f, "{} (by operation {id}: ", self.path)?;
                if !transcript.as_str().is_empty() {
                    write!(f, "{}, ", transcript.shown())?;
                }
                write!(f, "{})", moment::minute(*time))
            }
        }
    }
}

/// Why changes are not made again.
#[derive(Debug, thiserror::Error)]
pub enum RedoError {
    /// Nothing was undone, or its files were changed by other blocks since.
    #[error("nothing to redo")]
    Nothing,
    /// The journal lacks what the operation left.
    #[error("operation {0} cannot be redone, because what it wrote is not kept")]
    NotKept(OperationId),
    /// A file that is not as the undo left it; nothing was touched.
    #[error("nothing was redone, because {0} has changed since")]
    Changed(FilePath),
    /// A directory that cannot be read; nothing was touched.
    #[error("nothing was redone, because {path} cannot be read: {source}")]
    Unreadable {
        /// The directory.
        path: FilePath,
        /// Why not.
        source: std::io::Error,
    },
    /// A directory could not be read after the undo, so it is not known how the undo left it.
    #[error(
        "operation {0} cannot be redone: {1} could not be read after the undo, so what has changed \
         in it since is not known; apply the block again instead"
    )]
    NotRecorded(OperationId, FilePath),
    /// No edit of an editor does it.
    #[error("operation {0} cannot be redone in the editor: {1}: {2}; `operator-lsp redo` can")]
    NotByEdit(OperationId, FilePath, String),
    /// It was killed half way, and a file has changed since.
    #[error("an earlier redo was interrupted, and must be undone first: {0}")]
    Interrupted(Box<UndoError>),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The workspace does not let it; nothing of it is left.
    #[error("nothing was redone: {0}")]
    Apply(ApplyError),
    /// It failed midway, and some of what was done before could not be undone.
    #[error("the redo failed, and some of its changes could not be undone: {}", list(left))]
    Partly {
        /// What is still changed.
        left: Vec<Left>,
    },
    /// All is made again, but the journal does not say so.
    #[error("everything is redone, but the undo journal is not closed: {0}")]
    NotClosed(JournalError),
}

fn kept(folder: Option<&Path>, again: Option<OperationId>) -> String {
    if let Some(id) = again {
        return format!(
            "\nthe rest of operation {id} is still applied; `undo {id}` undoes it once these are as it \
             left them"
        );
    }
    let Some(folder) = folder else { return "; try `undo` again once the reason is gone".into() };
    format!("; what was there before is kept in {}", folder.display())
}

/// How many places a message names.
const NAMED: usize = 20;

fn list(places: &[impl fmt::Display]) -> String {
    let named: Vec<String> = places.iter().take(NAMED).map(ToString::to_string).collect();
    match places.len() - named.len() {
        0 => named.join(", "),
        rest => format!("{} and {rest} more", named.join(", ")),
    }
}

/// What a refusal means, without the path.
pub(super) fn reason(why: &Denied) -> String {
    match why {
        Denied::NotFound => "there is nothing".into(),
        Denied::NotAFile => "not a regular file".into(),
        Denied::NotADirectory => "not a directory".into(),
        Denied::Outside => "this is outside the workspace".into(),
        Denied::Protected(pattern) => format!("this is protected ({pattern})"),
        Denied::Permission => "the system does not permit it; check the permissions".into(),
        Denied::ReadOnly => "this is read-only".into(),
        Denied::NotUtf8(offset) => format!("this is not UTF-8 (byte {offset})"),
        Denied::TooLarge { size, limit } => format!("{size} bytes are more than {limit}"),
        Denied::TooMany { limit } => format!("these are more than {limit} files"),
        Denied::NoWorkspace => "there is no workspace".into(),
        Denied::Unsynced => "the editor's copy is out of step; open it again".into(),
        Denied::Unsaved => "an editor has not saved what was applied to it; save it there".into(),
        Denied::NotReloaded => "another program has changed it; reload it in the editor".into(),
        Denied::Io(message) => message.clone(),
    }
}
