//! Links: from the paths of a block to the files, where they are there.

use operator_core::dialect::Dialect;
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::Snapshot;
use operator_core::text::Span;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    DocumentLink, DocumentLinkOptions, DocumentLinkParams, ServerCapabilities, Uri,
    WorkDoneProgressOptions, request,
};

use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::payload;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// `textDocument/documentLink`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::DocumentLinkRequest;
    const NEEDS: Needs = Needs::Scan;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.document_link_provider = Some(DocumentLinkOptions {
            resolve_provider: None,
            work_done_progress_options: WorkDoneProgressOptions::default(),
        });
    }

    fn document(params: &DocumentLinkParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, _: &DocumentLinkParams) -> Result<Option<Vec<DocumentLink>>> {
        let Some(scan) = context.scan() else { return Ok(None) };
        let view = context.view();
        let mut links = Vec::new();
        let mut link = |span: &Span, path: &str, dialect| {
            if let Some(file) = existing(&view, path, dialect) {
                links.push(DocumentLink {
                    range: context.range(span),
                    target: context.site.uri(&file),
                    tooltip: None,
                    data: None,
                });
            }
        };
        for placed in scan.blocks() {
            let dialect = placed.block.dialect;
            if let (Some(span), Some(path)) = (placed.path_above(), &placed.block.parsed.path) {
                link(&span, path, dialect);
            }
            for field in &placed.block.parsed.fields {
                let named = payload::paths(context.text(), placed.span.start, &placed.block, field);
                named.iter().for_each(|named| link(&named.span, &named.path, dialect));
            }
        }
        Ok(Some(links))
    }

    fn not_open() -> Result<Option<Vec<DocumentLink>>> {
        Ok(None)
    }
}

/// The file that a path leads to, where there is one.
pub fn existing(view: &dyn Snapshot, path: &str, dialect: &dyn Dialect) -> Option<FilePath> {
    let file = payload::through(view, dialect).resolve(path).ok()?;
    (view.kind(&file).ok()? == Some(Kind::File)).then_some(file)
}
