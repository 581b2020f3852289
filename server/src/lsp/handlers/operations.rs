//! `operator.log`, `operator.undo`, `operator.redo`: what was done in the workspace, and back.

use std::collections::HashSet;

use operator_core::ledger::OperationId;
use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{Uri, WorkspaceEdit};

use crate::lsp::context::request_failed;
use crate::lsp::proto::EditBuilder;
use crate::lsp::session::Session;
use crate::lsp::sites::Site;
use crate::operations::Listed;
use crate::workspace::{Reversal, View};

/// The argument of the commands, which may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Argument {
    /// A document of the workspace.
    pub uri: Option<Uri>,
    /// The number of an operation.
    pub id: Option<u64>,
}

/// The one argument of a command.
///
/// # Errors
/// Invalid parameters where it is neither left out nor `{uri, id}`.
pub fn argument(arguments: &[Value]) -> Result<Argument> {
    match arguments.first() {
        None | Some(Value::Null) => Ok(Argument::default()),
        Some(given) => serde_json::from_value(given.clone()).map_err(|_| {
            let form = "the one argument may be left out or be {uri, id}, each of which may be \
                        left out: a URI, and the number of an operation";
            Error::invalid_params(form)
        }),
    }
}

/// The operations of a workspace, as `operator-lsp log --format json` prints them.
///
/// # Errors
/// They cannot be read.
pub fn log(site: &Site) -> Result<Value> {
    let operations = site.workspace().operations();
    let operations = operations.map_err(|error| request_failed(error.to_string()))?;
    let listed = Listed::of(&operations, site.workspace());
    serde_json::to_value(listed).map_err(|error| request_failed(error.to_string()))
}

/// How an operation is undone, or the one that was undone last is redone, in an editor that shows
/// `view`: the edit for the client, and what it is called.
///
/// # Errors
/// Why it cannot be.
pub fn reversal(
    site: &Site,
    view: &View,
    session: &Session,
    id: Option<OperationId>,
    is_redo: bool,
) -> Result<(Reversal, WorkspaceEdit, String)> {
    let workspace = site.workspace();
    let reversal = match is_redo {
        true => workspace.repetition(view).map_err(|error| refused(&error)),
        false => workspace.reversal(id, view).map_err(|error| refused(&error)),
    }?;
    let mut builder = EditBuilder::new(&session.client, session.config.confirm, site);
    builder.changes(&reversal.changes, &HashSet::new()).map_err(request_failed)?;
    let label = format!("{} {}", if is_redo { "Redo" } else { "Undo" }, reversal.title);
    let edit = builder.finish(&label).map_err(request_failed)?;
    Ok((reversal, edit, label))
}

/// Why an operation is not undone or redone, without what only the command line can do about it.
fn refused(error: &dyn std::error::Error) -> Error {
    let message = error.to_string();
    request_failed(message.lines().next().unwrap_or_default().to_owned())
}
