//! Inlay hints: decoded sizes, lines touched and status, where they belong.

use operator_core::edit::{Change, ChangeSet, smallest};
use operator_core::review::{Proposal, Status};
use operator_core::spec::Effect;
use operator_core::text::lines;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams};

use crate::lsp::context::Context;
use crate::lsp::payload;

/// How many blocks get hints that need a plan.
const MOST: usize = 100;

/// `textDocument/inlayHint`
///
/// # Errors
/// Invalid parameters where the range ends before it starts.
pub fn hints(context: &Context, params: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let wanted = context.span(params.range)?;
    let inside = |proposal: &&Proposal| {
        let span = &proposal.placed.span;
        span.start <= wanted.end && wanted.start <= span.end
    };
    let proposals = context.review().proposals.iter().filter(inside).take(MOST);
    let mut hints: Vec<_> = proposals.flat_map(|proposal| of_block(context, proposal)).collect();
    hints.retain(|(offset, _)| wanted.start <= *offset && *offset <= wanted.end);
    Ok(Some(hints.into_iter().map(|(offset, label)| hint(context, offset, label)).collect()))
}

fn of_block(context: &Context, proposal: &Proposal) -> Vec<(usize, String)> {
    let (placed, text) = (&proposal.placed, context.text());
    let start = placed.span.start;
    let line = text.line_of(start);
    let marker_end = text.line_start(line) + text.line(line).len();
    let mut hints = vec![(marker_end, proposal.status.as_str().to_owned())];
    for field in &placed.block.parsed.fields {
        if !payload::kind(&placed.block, field).is_encoded() {
            continue;
        }
        let Some(decoded) = payload::decoded(text, start, &placed.block, field) else { continue };
        let count = payload::counted(lines::count(&decoded), "line");
        let says = format!("{}, {count}", payload::size(decoded.len()));
        hints.push((start + field.value.end, says));
    }
    if proposal.status == Status::Ready && proposal.effect() == Some(Effect::Write) {
        let view = context.site.view();
        let judged = context.reviewer().judge(placed, &view, context.session.limits());
        let field = placed.block.parsed.field("path");
        if let (Some(plan), Some(field)) = (&judged.plan, field) {
            hints.push((start + field.value.end, touched(&plan.changes)));
        }
    }
    hints
}

/// How many lines come and go: `+3 −1`.
fn touched(changes: &ChangeSet) -> String {
    let (mut added, mut removed) = (0, 0);
    for change in changes.iter() {
        match change {
            Change::Create { content, .. } => added += lines::count(&content.text),
            Change::Edit { before, after, .. } => {
                for edit in smallest(&before.text, &after.text).iter() {
                    let gone = before.text.get(edit.span.clone()).unwrap_or_default();
                    added += lines::count(&edit.text);
                    removed += lines::count(gone);
                }
            }
            Change::Delete { files, .. } => return deleted("deletes", *files),
            Change::Rename { files, .. } => return deleted("moves", *files),
            Change::CreateDirectory { .. } => {}
        }
    }
    format!("+{added} −{removed}")
}

fn deleted(what: &str, files: usize) -> String {
    format!("{what} {}", payload::counted(files, "file"))
}

fn hint(context: &Context, offset: usize, label: String) -> InlayHint {
    InlayHint {
        position: context.range(&(offset..offset)).start,
        label: InlayHintLabel::String(label),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}
