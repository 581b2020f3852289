//! `operator/structure`: an operation on structures, as the edit that it comes to.

use std::collections::HashSet;

use operator_core::structure::{self, Failure};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{WorkspaceEdit, request};

use crate::lsp::context::request_failed;
use crate::lsp::event::{Event, Reply};
use crate::lsp::proto::EditBuilder;
use crate::lsp::requests::Request;
use crate::lsp::session::Session;
use crate::lsp::sites::Site;
use crate::structure::{Asked, File, Params, Wanted, answer};
use crate::workspace::AnyPath;

/// `operator/structure`
pub struct Handler;

impl request::Request for Handler {
    type Params = Params;
    type Result = Value;
    const METHOD: &'static str = "operator/structure";
}

impl Request for Handler {
    type Protocol = Handler;

    fn event(params: Params, reply: Reply<Value>) -> Event {
        Event::Structure(Box::new(params), reply)
    }
}

/// What an operation comes to on the files as the editor has them. Nothing is written.
///
/// # Errors
/// Where the editor could not make the edit.
pub fn structure(site: &Site, session: &Session, wanted: &Wanted) -> Result<Value> {
    let view = site.view();
    let view = AnyPath { snapshot: &view, workspace: view.workspace(), once: false };
    let limits = session.limits();
    let (mut answer, edit) = match wanted {
        Wanted::Outline(path) => match structure::open(path, &view, limits) {
            Ok(parsed) => {
                let result = json!({"files": [File::of(path, &parsed)]});
                (json!({"ok": true, "result": result, "warnings": []}), None)
            }
            Err(failure) => (failed(&failure), None),
        },
        Wanted::Operation(asked) => match asked.perform(&view, limits) {
            Ok(done) => (answer(Ok(&done)), edit(site, session, asked, &done.changes)?),
            Err(failure) => (failed(&failure), None),
        },
    };
    answer["edit"] = json!(edit);
    Ok(answer)
}

fn failed(failure: &Failure) -> Value {
    answer(Err(failure))
}

fn edit(
    site: &Site,
    session: &Session,
    asked: &Asked,
    changes: &operator_core::edit::ChangeSet,
) -> Result<Option<WorkspaceEdit>> {
    if changes.is_empty() {
        return Ok(None);
    }
    let mut builder = EditBuilder::new(&session.client, session.config.confirm, site);
    builder.changes(changes, &HashSet::new()).map_err(request_failed)?;
    builder.finish(asked.request.path()).map(Some).map_err(request_failed)
}
