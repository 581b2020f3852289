//! `operator/structure`: an operation on structures, as the edit that it comes to.

use std::collections::HashSet;

use operator_core::edit::ChangeSet;
use operator_core::structure;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{WorkspaceEdit, request};

use crate::lsp::context::request_failed;
use crate::lsp::event::{Event, Reply};
use crate::lsp::proto::EditBuilder;
use crate::lsp::requests::Request;
use crate::lsp::session::Session;
use crate::lsp::sites::Site;
use crate::workspace::{AnyPath, View};

/// `operator/structure`
pub struct Handler;

impl request::Request for Handler {
    type Params = structure::Request;
    type Result = Value;
    const METHOD: &'static str = "operator/structure";
}

impl Request for Handler {
    type Protocol = Handler;

    fn event(params: structure::Request, reply: Reply<Value>) -> Event {
        Event::Structure(Box::new(params), reply)
    }
}

/// What an operation comes to on the files as the editor has them, which `view` shows. Nothing is
/// written.
///
/// # Errors
/// Where the editor could not make the edit.
pub fn structure(
    site: &Site,
    view: &View,
    session: &Session,
    request: &structure::Request,
) -> Result<Value> {
    let view = AnyPath { snapshot: view, workspace: view.workspace(), once: false };
    let outcome = structure::perform(request, &view, session.limits());
    let mut answer = structure::answer(outcome.as_ref());
    let edit = match &outcome {
        Ok(done) => edit(site, session, request, &done.changes)?,
        Err(_) => None,
    };
    answer["edit"] = json!(edit);
    Ok(answer)
}

fn edit(
    site: &Site,
    session: &Session,
    request: &structure::Request,
    changes: &ChangeSet,
) -> Result<Option<WorkspaceEdit>> {
    if changes.is_empty() {
        return Ok(None);
    }
    let mut builder = EditBuilder::new(&session.client, session.config.confirm, site);
    builder.changes(changes, &HashSet::new()).map_err(request_failed)?;
    builder.finish(request.path()).map(Some).map_err(request_failed)
}
