//! What a person is told of a command and its edit, where the client says nothing by itself.

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{DocumentChangeOperation, DocumentChanges, Uri, WorkspaceEdit};

use super::event::Reply;
use super::main_loop::Meaning;
use super::outbox::Outbox;
use super::proto;

/// A reply whose error is shown as well.
pub fn overhear(reply: Reply<Option<Value>>, outbox: Outbox) -> Reply<Option<Value>> {
    let (own, answer) = oneshot::channel();
    tokio::spawn(show_error(answer, reply, outbox));
    own
}

async fn show_error(
    answer: oneshot::Receiver<tower_lsp::jsonrpc::Result<Option<Value>>>,
    mut reply: Reply<Option<Value>>,
    outbox: Outbox,
) {
    let answer = tokio::select! {
        answer = answer => answer,
        // Whoever works on it sees that nobody waits any more.
        () = reply.closed() => return,
    };
    let Ok(answer) = answer else { return };
    if let Err(error) = &answer {
        outbox.warn(error.message.to_string());
    }
    let _ = reply.send(answer);
}

/// What is said once an edit was made, where it is not to be seen in the transcript.
pub fn done(meaning: &Meaning, label: &str, edit: &WorkspaceEdit) -> Option<String> {
    let done = match meaning {
        Meaning::Applied(sent) if sent.blocks.iter().any(|block| block.told.is_ok()) => {
            format!("applied {label}")
        }
        Meaning::TakenBack => "took back the last apply".to_owned(),
        _ => return None,
    };
    let unsaved = if edited(edit).next().is_some() { ", not saved yet" } else { "" };
    Some(format!("{done}{unsaved}"))
}

/// The names of the files that an edit at a version changes although they are not open, so that
/// the client may have more in them than is known here.
pub fn unseen(edit: &WorkspaceEdit, is_open: impl Fn(&Uri) -> bool) -> Vec<String> {
    let at_version = edited(edit).filter(|(uri, version)| version.is_some() && !is_open(uri));
    at_version.map(|(uri, _)| proto::file_name(uri)).collect()
}

/// Why an edit was not made, and what can be done about it.
pub fn refused(why: &str, unseen: &[String]) -> String {
    if unseen.is_empty() {
        return why.to_owned();
    }
    let names = unseen.join(", ");
    format!("{why} (what is typed in {names} is not known here: save and close it, then try again)")
}

/// The documents whose text an edit changes, each with its version.
fn edited(edit: &WorkspaceEdit) -> impl Iterator<Item = (&Uri, Option<i32>)> {
    let operations = match &edit.document_changes {
        Some(DocumentChanges::Operations(operations)) => operations.as_slice(),
        _ => &[],
    };
    operations.iter().filter_map(|operation| match operation {
        DocumentChangeOperation::Edit(edit) => {
            Some((&edit.text_document.uri, edit.text_document.version))
        }
        DocumentChangeOperation::Op(_) => None,
    })
}
