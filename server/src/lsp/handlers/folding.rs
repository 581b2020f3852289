//! Folding: every block, every reply, and every text of several lines in a block.

use operator_core::scan::Scan;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    FoldingRange, FoldingRangeKind, FoldingRangeParams, ServerCapabilities, Uri, request,
};

use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// `textDocument/foldingRange`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::FoldingRangeRequest;
    const NEEDS: Needs = Needs::Scan;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.folding_range_provider = Some(true.into());
    }

    fn document(params: &FoldingRangeParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, _: &FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        let Some(scan) = context.scan() else { return Ok(None) };
        let mut spans: Vec<_> = spans(scan).collect();
        spans.sort_by_key(|span| span.start);
        let whole_lines = context.session.client.line_folding_only;
        let mut folds: Vec<_> = spans
            .iter()
            .filter_map(|span| {
                let range = context.range(span);
                let characters =
                    (!whole_lines).then_some((range.start.character, range.end.character));
                (range.start.line < range.end.line).then(|| FoldingRange {
                    start_line: range.start.line,
                    start_character: characters.map(|(start, _)| start),
                    end_line: range.end.line,
                    end_character: characters.map(|(_, end)| end),
                    kind: Some(FoldingRangeKind::Region),
                    collapsed_text: None,
                })
            })
            .collect();
        // The text of a block may be all lines of it.
        folds.dedup_by_key(|fold| (fold.start_line, fold.end_line));
        Ok(Some(folds))
    }

    fn not_open() -> Result<Option<Vec<FoldingRange>>> {
        Ok(None)
    }
}

fn spans(scan: &Scan) -> impl Iterator<Item = operator_core::text::Span> + '_ {
    let commands = scan.blocks().flat_map(|placed| {
        let start = placed.span.start;
        let texts = placed.block.parsed.fields.iter().filter(|it| it.heredoc);
        let texts = texts.filter(|it| it.value.start > it.key.end && !it.value.is_empty());
        let texts: Vec<_> = texts.map(|it| start + it.key.start..start + it.value.end).collect();
        std::iter::once(placed.span.clone()).chain(texts)
    });
    commands.chain(scan.reply_blocks().map(|(span, _)| span))
}
