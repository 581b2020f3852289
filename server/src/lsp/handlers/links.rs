//! Links: from the path of a block to the file, where it is there.

use operator_core::snapshot::{FilePath, Kind, Snapshot};
use operator_core::spec::FieldType;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::DocumentLink;

use crate::lsp::context::Context;
use crate::lsp::payload::{self, Value};

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
            if payload::kind(&placed.block, field) != Value::Typed(FieldType::Path) {
                continue;
            }
            let path = payload::raw(context.text(), placed.span.start, field);
            let Some(file) = existing(&view, &path) else { continue };
            links.push(DocumentLink {
                range: context.range(&payload::at(placed.span.start, &field.value)),
                target: context.site.uri(&file),
                tooltip: None,
                data: None,
            });
        }
    }
    Ok(Some(links))
}

/// The file that a path leads to, where there is one.
pub fn existing(view: &dyn Snapshot, path: &str) -> Option<FilePath> {
    let file = view.resolve(path).ok()?;
    (view.kind(&file).ok()? == Some(Kind::File)).then_some(file)
}
