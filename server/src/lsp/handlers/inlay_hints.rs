//! Inlay hints: decoded sizes and lines touched, where they belong; the status where no lens says it.

use operator_core::edit::{Change, ChangeSet};
use operator_core::review::{Proposal, Status};
use operator_core::snapshot::Snapshot;
use operator_core::spec::{Effect, FieldRole, FieldType};
use operator_core::text::lines;
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    InlayHint, InlayHintLabel, InlayHintParams, OneOf, ServerCapabilities, Uri, request,
};

use super::preview::changed_files;
use super::targets;
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::payload::{self, Value};
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// How many blocks get hints that need a plan.
const MAX_BLOCKS: usize = 100;

/// `textDocument/inlayHint`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::InlayHintRequest;
    const NEEDS: Needs = Needs::Review;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.inlay_hint_provider = Some(OneOf::Left(true));
    }

    fn document(params: &InlayHintParams) -> &Uri {
        &params.text_document.uri
    }

    fn handle(context: &Context, params: &InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        let wanted = context.span(params.range)?;
        let proposals = context.review().near(&wanted).take(MAX_BLOCKS);
        let mut hints: Vec<_> =
            proposals.flat_map(|proposal| of_block(context, &proposal)).collect();
        hints.retain(|(offset, _)| wanted.start <= *offset && *offset <= wanted.end);
        Ok(Some(hints.into_iter().map(|(offset, label)| hint(context, offset, label)).collect()))
    }

    fn not_open() -> Result<Option<Vec<InlayHint>>> {
        Ok(None)
    }
}

fn of_block(context: &Context, proposal: &Proposal) -> Vec<(usize, String)> {
    let (placed, text) = (&proposal.placed, context.text());
    let start = placed.span.start;
    let mut hints = Vec::new();
    if !context.session.client.code_lenses {
        hints.push((line_end(context, start), proposal.status.as_str().to_owned()));
    }
    for field in &placed.block.parsed.fields {
        let kind = payload::kind(&placed.block, field);
        // What is written as it is needs no hint.
        if !kind.is_encoded() {
            continue;
        }
        let Some(decoded) = payload::decoded(text, start, &placed.block, field) else { continue };
        let says = match kind {
            Value::Typed(FieldType::Base64Target) => targets::on_one_line(&decoded),
            _ => {
                let count = payload::counted(lines::count(&decoded), "line");
                format!("{}, {count}", payload::size(decoded.len()))
            }
        };
        hints.push((line_end(context, start + field.value.end), says));
    }
    if proposal.status == Status::Ready && proposal.effect() == Some(Effect::Write) {
        let view = context.view();
        let checked = context.book().check(proposal, &view, context.limits());
        if let Some(plan) = &checked.plan {
            let beside = placed.block.parsed.locate(FieldRole::Path, None);
            let beside = line_end(context, start + beside.end);
            hints.push((beside, touched(&plan.changes, &view)));
        }
    }
    hints
}

/// The end of the line that an offset is in.
fn line_end(context: &Context, offset: usize) -> usize {
    let line = context.text().line_of(offset);
    context.text().line_start(line) + context.text().line(line).len()
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
