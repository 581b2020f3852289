//! `operator/fingerprint`: of the open buffer, else of the file.

use operator_core::fingerprint::Fingerprint;
use operator_core::path::State;
use operator_core::snapshot::Snapshot;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{Uri, request};

use crate::lsp::context::request_failed;
use crate::lsp::documents::DocumentSnapshot;
use crate::lsp::event::{Event, Reply};
use crate::lsp::protocol::FingerprintParams;
use crate::lsp::requests::Request;
use crate::lsp::sites::Site;

/// `operator/fingerprint`
pub struct Handler;

impl request::Request for Handler {
    type Params = FingerprintParams;
    type Result = Value;
    const METHOD: &'static str = "operator/fingerprint";
}

impl Request for Handler {
    type Protocol = Handler;

    fn event(params: FingerprintParams, reply: Reply<Value>) -> Event {
        Event::Fingerprint(params, reply)
    }
}

/// The fingerprint of a document: as a file of the workspace where it is one, so a byte order
/// mark on disk counts; of its text where it is open and no such file.
///
/// # Errors
/// Where there is neither, or the client's copy is out of step.
pub fn fingerprint(site: &Site, uri: &Uri, open: Option<&DocumentSnapshot>) -> Result<Value> {
    if let Some(unsynced) = open.and_then(|document| document.unsynced) {
        return Err(request_failed(format!("the document is out of step: {unsynced}")));
    }
    let state = site.file(uri).map(|file| site.view().state(&file));
    let found = match (state, open) {
        (Some(Ok(State::File(fingerprint))), _) => fingerprint,
        (_, Some(document)) => Fingerprint::of(document.text.to_string().as_bytes()),
        (Some(Ok(_)), None) => return Err(Error::invalid_params("no file is there")),
        (Some(Err(denied)), None) => {
            return Err(request_failed(format!("the file cannot be read: {denied:?}")));
        }
        (None, None) => {
            return Err(Error::invalid_params("the file is outside the workspace and not open"));
        }
    };
    Ok(json!({ "fingerprint": found }))
}
