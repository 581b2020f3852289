//! Previews as documents, for a client that asks the server for the text of a document.

use operator_core::review::Proposal;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::{Uri, request};

use super::preview::{self, FileChange};
use crate::lsp::apply;
use crate::lsp::context::{Context, request_failed};
use crate::lsp::event::Event;
use crate::lsp::newer::{self, ContentParams, ContentResult};
use crate::lsp::proto;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// What a document of the scheme [`newer::SCHEME`] shows; the query of its URI, as JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// The transcript.
    chat: Uri,
    /// The block's 0-based index when it was shown.
    block: usize,
    /// The fingerprint of the block's text, by which it is found at another place.
    text: String,
    /// The 0-based index of the file in the preview; none for the diff of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<usize>,
    /// What is shown.
    side: Side,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
enum Side {
    Before,
    After,
    Diff,
}

impl Shown {
    /// What the document of that URI shows.
    fn of(uri: &Uri) -> Option<Shown> {
        let query = uri.query().filter(|_| newer::is_preview(uri))?;
        serde_json::from_str(&query.decode().to_string().ok()?).ok()
    }

    /// The block.
    fn block(&self, context: &Context) -> Result<Proposal> {
        let is_it = |it: &Proposal| it.placed.block.digest.to_string() == self.text;
        let there = context.review().proposal(self.block).filter(is_it);
        let found = there.or_else(|| context.review().proposals().find(is_it));
        found.ok_or_else(|| request_failed("the block is not in the chat any more"))
    }

    /// The URI of the document; a client finds its language by the name.
    fn uri(&self, name: &str) -> String {
        let query = json!(self).to_string();
        format!("{}:/{}?{}", newer::SCHEME, proto::percent(name), proto::percent(&query))
    }
}

/// The parameters, with the transcript that they are about.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "ContentParams", into = "ContentParams")]
pub struct Params {
    uri: Uri,
    shown: Shown,
}

impl TryFrom<ContentParams> for Params {
    type Error = String;

    fn try_from(params: ContentParams) -> std::result::Result<Params, String> {
        let shown = Shown::of(&params.uri);
        let shown = shown.ok_or_else(|| format!("{} is not a preview", params.uri.as_str()))?;
        Ok(Params { uri: params.uri, shown })
    }
}

impl From<Params> for ContentParams {
    fn from(params: Params) -> ContentParams {
        ContentParams { uri: params.uri }
    }
}

/// `workspace/textDocumentContent`
pub struct Handler;

impl request::Request for Handler {
    type Params = Params;
    type Result = ContentResult;
    const METHOD: &'static str = "workspace/textDocumentContent";
}

impl DocumentRequest for Handler {
    type Protocol = Handler;
    const NEEDS: Needs = Needs::Review;

    fn document(params: &Params) -> &Uri {
        &params.shown.chat
    }

    fn handle(context: &Context, params: &Params) -> Result<ContentResult> {
        let proposal = params.shown.block(context);
        let text = text(context, &params.shown, &proposal)?;
        let Ok(proposal) = proposal else { return Ok(ContentResult { text }) };
        // Whoever has the text is to be told when it is another one.
        context.tell(Event::Previewed {
            chat: params.shown.chat.clone(),
            preview: params.uri.clone(),
            block: proposal.placed.index,
            mark: mark(context, &proposal),
        });
        Ok(ContentResult { text })
    }
}

fn text(context: &Context, shown: &Shown, proposal: &Result<Proposal>) -> Result<String> {
    let files = |it: Proposal| preview::files(context, it.placed.index, None);
    let files = proposal.clone().and_then(files).map(|(_, files)| files);
    let Some(at) = shown.file else {
        // A diff that is open when the block is applied says so.
        let diffs = files.map(|files| files.iter().map(FileChange::diff).collect());
        return Ok(diffs.unwrap_or_else(|error| format!("No preview: {}\n", error.message)));
    };
    let file = files?.into_iter().nth(at);
    let file = file.ok_or_else(|| Error::invalid_params("the preview has fewer files"))?;
    Ok(match shown.side {
        Side::Before => file.before.unwrap_or_default(),
        Side::After => file.after.unwrap_or_default(),
        Side::Diff => file.diff(),
    })
}

/// Is another one when the preview of the block is.
pub fn mark(context: &Context, proposal: &Proposal) -> String {
    let digest = apply::digest(context, std::iter::once(proposal.clone()));
    format!("{} {digest}", proposal.status.as_str())
}

/// The documents that show one block.
pub struct Documents {
    chat: Uri,
    block: usize,
    text: String,
    name: String,
}

impl Documents {
    /// Those of a block; none where the client does not ask for the text of documents.
    pub fn new(context: &Context, block: usize) -> Option<Documents> {
        let proposal = context.proposal(block).ok()?;
        let path = proposal.placed.block.parsed.path.as_deref().unwrap_or_default();
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let (chat, text) = (context.document.uri.clone(), proposal.placed.block.digest.to_string());
        context.session.client.document_content.then_some(Documents { chat, block, text, name })
    }

    /// The URI of the diff of all files.
    pub fn diff(&self) -> String {
        let name = if self.name.is_empty() { "preview" } else { &self.name };
        self.shown(None, Side::Diff).uri(&format!("{name}.diff"))
    }

    /// The URIs of both sides of a file; `null` where it is not there.
    pub fn of_file(&self, at: usize, change: &FileChange) -> Value {
        let name = change.path.path.rsplit('/').next().unwrap_or_default();
        let uri = |there: bool, side| there.then(|| self.shown(Some(at), side).uri(name));
        json!({
            "before": uri(change.before.is_some(), Side::Before),
            "after": uri(change.after.is_some(), Side::After),
        })
    }

    fn shown(&self, file: Option<usize>, side: Side) -> Shown {
        Shown { chat: self.chat.clone(), block: self.block, text: self.text.clone(), file, side }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(uri: &str) -> Option<Shown> {
        Shown::of(&uri.parse().unwrap())
    }

    #[test]
    fn a_uri_says_what_it_shows_however_it_is_encoded() {
        let chat: Uri = "file:///w/a%20b&c.md".parse().unwrap();
        let text = "sha256:0".to_owned();
        let shown = Shown { chat, block: 3, text, file: Some(0), side: Side::After };
        let uri = shown.uri("ä b.json");
        assert_eq!(parsed(&uri), Some(shown.clone()), "{uri}");
        // Some editors leave more characters as they are.
        let other = uri.replace("%3A", ":").replace("%2C", ",").replace("%2F", "/");
        assert_eq!(parsed(&other), Some(shown), "{other}");
    }

    #[test]
    fn what_is_not_a_preview_shows_nothing() {
        for uri in ["file:///a?%7B%7D", "operator-preview:/a", "operator-preview:/a?%7B%7D"] {
            assert_eq!(parsed(uri), None, "{uri}");
        }
    }
}
