//! Inlay hints: decoded sizes, lines touched and status, where they belong.

use operator_core::edit::{Change, ChangeSet};
use operator_core::review::{Proposal, Status};
use operator_core::snapshot::Snapshot;
use operator_core::spec::{Effect, FieldType};
use operator_core::text::lines;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{InlayHint, InlayHintLabel, InlayHintParams};

use super::preview::changed_files;
use super::targets;
use crate::lsp::context::Context;
use crate::lsp::payload::{self, Value};

/// How many blocks get hints that need a plan.
const MOST: usize = 100;

/// `textDocument/inlayHint`
///
/// # Errors
/// Invalid parameters where the range ends before it starts.
pub fn hints(context: &Context, params: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
    let wanted = context.span(params.range)?;
    let proposals = context.review().near(&wanted).take(MOST);
    let mut hints: Vec<_> = proposals.flat_map(|proposal| of_block(context, &proposal)).collect();
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
        let says = match payload::kind(&placed.block, field) {
            Value::Typed(FieldType::Base64Target) => targets::on_one_line(&decoded),
            _ => {
                let count = payload::counted(lines::count(&decoded), "line");
                format!("{}, {count}", payload::size(decoded.len()))
            }
        };
        hints.push((start + field.value.end, says));
    }
    if proposal.status == Status::Ready && proposal.effect() == Some(Effect::Write) {
        let view = context.site.view();
        let judged = context.reviewer().judge(placed, &view, context.session.limits());
        let field = placed.block.parsed.field("path");
        if let (Some(plan), Some(field)) = (&judged.plan, field) {
            hints.push((start + field.value.end, touched(&plan.changes, &view)));
        }
    }
    hints
}

/// How many lines come and go: `+3 −1`; for what is deleted or moved, how many files.
fn touched(changes: &ChangeSet, view: &dyn Snapshot) -> String {
    let whole = changes.iter().find_map(|change| match change {
        Change::Delete { files, .. } => Some(("deletes", *files)),
        Change::Rename { files, .. } => Some(("moves", *files)),
        _ => None,
    });
    if let Some((what, files)) = whole {
        return format!("{what} {}", payload::counted(files, "file"));
    }
    let (mut added, mut removed) = (0, 0);
    for file in changed_files(changes, view) {
        // The first two lines name the files.
        for line in file.diff().lines().skip(2) {
            added += usize::from(line.starts_with('+'));
            removed += usize::from(line.starts_with('-'));
        }
    }
    format!("+{added} −{removed}")
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
