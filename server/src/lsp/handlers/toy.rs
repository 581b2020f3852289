//! A toy request, which shows what one takes: this file, and a line in the list of requests.

use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{Uri, request};

use crate::lsp::context::Context;
use crate::lsp::protocol::DocumentParams;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// `operator/toy`: the number of blocks in a document.
pub struct Handler;

impl request::Request for Handler {
    type Params = DocumentParams;
    type Result = usize;
    const METHOD: &'static str = "operator/toy";
}

impl DocumentRequest for Handler {
    type Protocol = Handler;
    const NEEDS: Needs = Needs::Scan;

    fn document(params: &DocumentParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, _: &DocumentParams) -> Result<usize> {
        Ok(context.scan().map_or(0, |scan| scan.blocks().count()))
    }
}
