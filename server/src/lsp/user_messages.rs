//! What a person is told of a command and its edit, where the client says nothing by itself.

use serde_json::Value;
use tokio::sync::oneshot;
use tower_lsp::ls_types::{DocumentChangeOperation, DocumentChanges, Uri, WorkspaceEdit};

use super::event::Reply;
use super::main_loop::Meaning;
use super::outbox::{NotMade, Outbox};
use super::proto;

/// A reply whose error is shown as well.
pub fn show_errors(reply: Reply<Option<Value>>, outbox: Outbox) -> Reply<Option<Value>> {
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
        Meaning::Reversed(_, it) if it.is_redo => format!("redid {}", it.title),
        Meaning::Reversed(_, it) => format!("undid {}", it.title),
        _ => return None,
    };
    let unsaved = if edited(edit).next().is_some() { ", not saved yet" } else { "" };
    Some(format!("{done}{unsaved}"))
}

/// The steps of an edit that change a file at a version although it is not open, so the
/// client may have more in it than is known here; each with the file's name.
pub fn unseen(edit: &WorkspaceEdit, is_open: impl Fn(&Uri) -> bool) -> Vec<(usize, String)> {
    let steps = edited(edit).filter(|step| step.version.is_some() && !is_open(step.uri));
    steps.map(|step| (step.index, proto::file_name(step.uri))).collect()
}

/// The same edit with the documents first that the client may refuse: one that it makes in turn
/// has changed nothing then. What creates, moves or deletes files stays in its order.
pub fn unseen_first(mut edit: WorkspaceEdit, is_open: impl Fn(&Uri) -> bool) -> WorkspaceEdit {
    let Some(DocumentChanges::Operations(operations)) = &mut edit.document_changes else {
        return edit;
    };
    let seen = |operation: &DocumentChangeOperation| match operation {
        DocumentChangeOperation::Edit(edit) => Some(is_open(&edit.text_document.uri)),
        DocumentChangeOperation::Op(_) => None,
    };
    if operations.iter().all(|operation| seen(operation).is_some()) {
        operations.sort_by_key(|operation| seen(operation));
    }
    edit
}

/// Why an edit was not made, and what can be done about it.
pub fn refused(not_made: NotMade, unseen: &[(usize, String)]) -> String {
    let failed = |index: usize| not_made.step.is_none_or(|step| step == index);
    let names = unseen.iter().filter(|(index, _)| failed(*index));
    let names: Vec<&str> = names.map(|(_, name)| name.as_str()).collect();
    if names.is_empty() {
        return not_made.why;
    }
    let advice = "are not seen by the server: save and close it, then try again";
    format!("{} (edits in {} {advice})", not_made.why, names.join(", "))
}

/// A step of an edit that changes the text of a document.
struct Step<'a> {
    index: usize,
    uri: &'a Uri,
    version: Option<i32>,
}

/// The steps of an edit that change a text.
fn edited(edit: &WorkspaceEdit) -> impl Iterator<Item = Step<'_>> {
    let operations = match &edit.document_changes {
        Some(DocumentChanges::Operations(operations)) => operations.as_slice(),
        _ => &[],
    };
    operations.iter().enumerate().filter_map(|(index, operation)| match operation {
        DocumentChangeOperation::Edit(edit) => {
            let document = &edit.text_document;
            Some(Step { index, uri: &document.uri, version: document.version })
        }
        DocumentChangeOperation::Op(_) => None,
    })
}
