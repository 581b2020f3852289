//! Links: from the paths of a block to the files, where they are there.

use operator_core::dialect::Dialect;
use operator_core::path::{FilePath, Kind};
use operator_core::snapshot::Snapshot;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::DocumentLink;

use crate::lsp::context::Context;
use crate::lsp::payload;

/// `textDocument/documentLink`
///
/// # Errors
/// None.
pub fn links(context: &Context) -> Result<Option<Vec<DocumentLink>>> {
    let Some(scan) = context.scan() else { return Ok(None) };
    let view = context.site.view();
    let mut links = Vec::new();
    for placed in scan.blocks() {
        for field in &placed.block.parsed.fields {
            let named = payload::paths(context.text(), placed.span.start, &placed.block, field);
            for named in named {
                let Some(file) = existing(&view, &named.path, placed.block.dialect) else {
                    continue;
                };
                links.push(DocumentLink {
                    range: context.range(&named.span),
                    target: context.site.uri(&file),
                    tooltip: None,
                    data: None,
                });
            }
        }
    }
    Ok(Some(links))
}

/// The file that a path leads to, where there is one.
pub fn existing(view: &dyn Snapshot, path: &str, dialect: &dyn Dialect) -> Option<FilePath> {
    let file = payload::through(view, dialect).resolve(path).ok()?;
    (view.kind(&file).ok()? == Some(Kind::File)).then_some(file)
}
