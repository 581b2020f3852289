//! What can happen: everything that the main loop takes, in one closed enum.

use std::path::PathBuf;
use std::sync::Arc;

use operator_core::ledger::BlockId;
use operator_core::path::FilePath;
use operator_core::review::Telling;
use operator_core::snapshot::CursorContext;
use operator_core::structure;
use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::jsonrpc;
use tower_lsp::ls_types::{
    CodeAction, DidChangeTextDocumentParams, ExecuteCommandParams, FileEvent, InitializeParams,
    InitializeResult, TextDocumentItem, Uri, WorkspaceFoldersChangeEvent, WorkspaceSymbolParams,
    WorkspaceSymbolResponse,
};

use super::apply::PendingApply;
use super::commits::{Progress, ToCommit};
use super::main_loop::{Asked, Meaning, Turn, WithClient};
use super::programs::{Ran, Running, ToRun};
use super::protocol::FingerprintParams;
use super::recorder::Fact;
use super::requests::Read;
use super::reviews::{Done, Scanned};
use super::shelf::{Kept, Shown};

/// Where the answer to a request goes; closed when the client has cancelled it.
pub type Reply<T> = oneshot::Sender<jsonrpc::Result<T>>;

/// An edit that the client has not made.
pub struct Refused {
    /// Why not, for a person.
    pub why: String,
    /// The files that only steps before the one where it stopped change.
    pub first: Vec<Uri>,
}

/// What can happen.
pub enum Event {
    /// `initialize`, and whether the client asks for the text of documents.
    Initialize(Box<InitializeParams>, bool, Reply<InitializeResult>),
    /// `initialized`
    Initialized,
    /// `textDocument/didOpen`
    Opened(TextDocumentItem),
    /// `textDocument/didChange`
    Changed(DidChangeTextDocumentParams),
    /// A `textDocument/didChange` whose parameters have the wrong form.
    Unreadable(Uri),
    /// `textDocument/didSave`
    Saved(Uri),
    /// `textDocument/didClose`
    Closed(Uri),
    /// `workspace/didChangeConfiguration`
    SettingsPushed(Value),
    /// The client's answer to `workspace/configuration`.
    Settings {
        /// The number of the question, which counts from 1.
        number: u64,
        /// The section.
        settings: Value,
    },
    /// `workspace/didChangeWorkspaceFolders`
    Folders(WorkspaceFoldersChangeEvent),
    /// `workspace/didChangeWatchedFiles`
    Files(Vec<FileEvent>),
    /// Everything before it is taken in: lets the transport read on.
    Reached(oneshot::Sender<()>),
    /// The server is to end: tells once the ledger has all that came before.
    Ending(oneshot::Sender<()>),
    /// The same, once what the editor has shown and saved before is looked at.
    Looked(oneshot::Sender<()>),
    /// A request that only reads one document.
    Read(Read),
    /// `codeAction/resolve`
    ResolveCodeAction(Box<CodeAction>, Reply<CodeAction>),
    /// `workspace/symbol`
    WorkspaceSymbol(WorkspaceSymbolParams, Reply<Option<WorkspaceSymbolResponse>>),
    /// `workspace/executeCommand`
    ExecuteCommand(ExecuteCommandParams, Reply<Option<Value>>),
    /// `operator/fingerprint`
    Fingerprint(FingerprintParams, Reply<Value>),
    /// `operator/structure`
    Structure(Box<structure::Request>, Reply<Value>),
    /// `operator/editOps`
    EditOps(Value, Reply<Value>),
    /// A scan is done, or has failed where there is none.
    Scanned {
        /// The document.
        uri: Uri,
        /// The number of the scan.
        serial: u64,
        /// The scan.
        scanned: Option<Arc<Scanned>>,
    },
    /// A review is done.
    Reviewed(Box<Done>),
    /// The kept ledger was read.
    Kept(Box<Kept>),
    /// The editor shows another text of a file in the workspace of these folders.
    Shown(Vec<PathBuf>, Shown),
    /// It was waited whether the editor has saved a text that it has shown on disk.
    NotSaved(Vec<PathBuf>, Shown),
    /// Something cannot be put on record; what the user is told of that.
    NotKept(String),
    /// A transcript was reviewed a while ago.
    Rested {
        /// The transcript.
        uri: Uri,
        /// The number of the review.
        serial: u64,
    },
    /// Files, or the kept ledger, have changed on disk, as a request has seen.
    ChangedOnDisk(Vec<FilePath>),
    /// A command is run again: something had changed on disk since the review.
    CommandAgain(ExecuteCommandParams, Reply<Option<Value>>),
    /// The turn of a command has come, or it has waited for it long enough.
    InTurn(ExecuteCommandParams, Reply<Option<Value>>, Turn),
    /// A request has waited long enough for a review.
    Overdue {
        /// The document; `None` for all.
        uri: Option<Uri>,
        /// The number of the request.
        number: u64,
    },
    /// Edits were given to the client that it may make by itself.
    Offered(Vec<PendingApply>),
    /// The edit of an action was asked for, most likely to be made now: the client gets the action
    /// once that is on record.
    Resolved(Box<PendingApply>, Box<CodeAction>, Reply<CodeAction>),
    /// The client is to be asked for an edit.
    Asked(Box<Asked>),
    /// An edit that the client is to be asked for is on record.
    OnRecord(Box<Asked>, WithClient),
    /// The client was given the text of a preview.
    Previewed {
        /// The transcript.
        chat: Uri,
        /// The document that shows it.
        preview: Uri,
        /// The block's index.
        block: usize,
        /// Is another one when the preview is.
        mark: String,
    },
    /// The ledger must know something.
    Told(Box<Fact>),
    /// The client was given replies of a transcript, for the model.
    Copied(Uri, Vec<(BlockId, Telling)>),
    /// The ledger must know the bases of blocks; the server does not end before.
    Bases(Box<Fact>, Running),
    /// It was looked which applies can be committed.
    Committed(Vec<(Arc<ToCommit>, Progress)>),
    /// A request for a proposal was answered: the proposal's digest, and what was asked.
    EditOpsAnswered(String, CursorContext),
    /// Files may not be what they were.
    FilesMoved,
    /// The user is to be asked whether a program may be run.
    ToRun(Box<ToRun>, Reply<Option<Value>>),
    /// The user has said whether it may be.
    RunAnswered {
        /// The program.
        to_run: Box<ToRun>,
        /// Whether it may, or why that is not known.
        consent: Result<bool, String>,
        /// Who waits for it.
        reply: Reply<Option<Value>>,
    },
    /// A program has run.
    Ran(Box<Ran>, Reply<Option<Value>>),
    /// The result of a program is to be inserted in the transcript as it is by now.
    InsertRan(Box<Ran>, Reply<Option<Value>>),
    /// The client has said whether it made an edit.
    EditAnswered {
        /// Whether it was made, and why not.
        result: Result<(), Refused>,
        /// What it means.
        meaning: Meaning,
        /// What a person is told once it was made; nothing where the client does that.
        done: Option<String>,
        /// Who waits for it.
        reply: Reply<Option<Value>>,
        /// Until this is taken in, no other edit of its files is asked for.
        held: WithClient,
    },
}
