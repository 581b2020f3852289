//! Definition: from a path to its file, from a payload to the places in the file that it means.

use operator_core::command::Operation;
use operator_core::command::edits::TextEdit;
use operator_core::dialect::ParsedField;
use operator_core::scan::Placed;
use operator_core::spec::FieldType;
use operator_core::text::{Span, Text, lines};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, Range,
};

use super::links::existing;
use super::targets;
use crate::lsp::context::Context;
use crate::lsp::payload::{self, Value};
use crate::lsp::proto;
use operator_core::snapshot::Snapshot;

/// How many places are given at most.
const MOST: usize = 100;

/// `textDocument/definition`
///
/// # Errors
/// None.
pub fn definition(
    context: &Context,
    params: &GotoDefinitionParams,
) -> Result<Option<GotoDefinitionResponse>> {
    let offset = context.offset(params.text_document_position_params.position);
    Ok(find(context, offset))
}

fn find(context: &Context, offset: usize) -> Option<GotoDefinitionResponse> {
    let placed = context.scan()?.blocks().find(|placed| placed.span.contains(&offset))?;
    let field = placed.block.parsed.fields.iter().find(|field| {
        let value = payload::at(placed.span.start, &field.value);
        value.start <= offset && offset <= value.end
    })?;
    let origin = payload::at(placed.span.start, &field.value);
    let view = context.site.view();
    let kind = payload::kind(&placed.block, field);
    let is_path = kind == Value::Typed(FieldType::Path);
    let path = match (is_path, &placed.block.parsed.path) {
        (true, _) => payload::raw(context.text(), placed.span.start, field).into_owned(),
        (false, Some(path)) => path.clone(),
        (false, None) => return None,
    };
    let file = existing(&view, &path)?;
    let uri = context.site.uri(&file)?;
    let ranges = if is_path {
        vec![Range::default()]
    } else {
        let content = view.read(&file).ok()?;
        let text = Text::new(&content.text);
        let spans = match kind {
            Value::Typed(FieldType::Base64Target) => target(context, &placed, field, &path)?,
            _ => places(&placed, &field.name, &content.text),
        };
        spans.iter().take(MOST).map(|span| proto::range(&text, span, context.encoding())).collect()
    };
    if ranges.is_empty() {
        return None;
    }
    Some(if context.session.client.definition_links {
        let origin = context.range(&origin);
        let link = |range: Range| LocationLink {
            origin_selection_range: Some(origin),
            target_uri: uri.clone(),
            target_range: range,
            target_selection_range: range,
        };
        GotoDefinitionResponse::Link(ranges.into_iter().map(link).collect())
    } else {
        let location = |range| Location::new(uri.clone(), range);
        GotoDefinitionResponse::Array(ranges.into_iter().map(location).collect())
    })
}

/// The structures that a target fits.
fn target(
    context: &Context,
    placed: &Placed,
    field: &ParsedField,
    path: &str,
) -> Option<Vec<Span>> {
    let target = payload::decoded(context.text(), placed.span.start, &placed.block, field)?;
    Some(targets::extents(&*targets::parsed(context, path)?, &target))
}

/// The places in `text` that a field of a command means, as it stands before anything is done.
fn places(placed: &Placed, field: &str, text: &str) -> Vec<Span> {
    let Some(command) = &placed.block.parsed.command else { return Vec::new() };
    let lines = |first: usize, count: usize| {
        let last = first.saturating_add(count.max(1) - 1).min(lines::count(text));
        lines::span_of(text, first, last).into_iter()
    };
    match (&command.operation, field) {
        (Operation::ApplyEdits { edits, .. }, "edits_b64") => {
            edits.iter().flat_map(|edit| of_edit(edit, text)).collect()
        }
        (Operation::Patch { patch, .. }, "patch_b64") => {
            patch.hunks.iter().flat_map(|hunk| lines(hunk.old_start, hunk.old_lines)).collect()
        }
        (Operation::Search { query, .. }, "query") => matches(text, query).take(MOST).collect(),
        (Operation::ReadSlice { start, lines: count, .. }, "start" | "lines") => {
            lines(*start, *count).collect()
        }
        _ => Vec::new(),
    }
}

fn of_edit(edit: &TextEdit, text: &str) -> Vec<Span> {
    let nth = |wanted: &str, occurrence: Option<std::num::NonZeroUsize>| match occurrence {
        Some(number) => matches(text, wanted).skip(number.get() - 1).take(1).collect(),
        None => matches(text, wanted).take(MOST).collect::<Vec<_>>(),
    };
    match edit {
        TextEdit::InsertAfter { anchor, occurrence, .. }
        | TextEdit::InsertBefore { anchor, occurrence, .. } => nth(anchor, *occurrence),
        TextEdit::ReplaceFirst { find, occurrence, .. } => nth(find, *occurrence),
        TextEdit::ReplaceAll { find, .. } => nth(find, None),
        TextEdit::ReplaceRange { start_line, end_line, .. } => {
            lines::span_of(text, *start_line, *end_line).into_iter().collect()
        }
    }
}

/// Where `wanted` stands in `text`, line endings counted as equal, as plans match.
fn matches<'a>(text: &'a str, wanted: &str) -> Box<dyn Iterator<Item = Span> + 'a> {
    if wanted.is_empty() {
        return Box::new(std::iter::empty());
    }
    if wanted.contains('\r') || !text.contains('\r') {
        let length = wanted.len();
        let found: Vec<_> =
            text.match_indices(wanted).map(|(at, _)| at..at + length).take(MOST).collect();
        return Box::new(found.into_iter());
    }
    let wanted: Vec<String> = wanted.split('\n').map(str::to_owned).collect();
    let mut from = 0;
    Box::new(std::iter::from_fn(move || {
        while let Some(found) = text.get(from..)?.find(&wanted[0]).map(|at| from + at) {
            let end = follow(text, found, &wanted);
            let step = text[found..].chars().next().map_or(1, char::len_utf8);
            from = end.filter(|end| *end > found).unwrap_or(found + step);
            if let Some(end) = end {
                return Some(found..end);
            }
        }
        None
    }))
}

fn follow(text: &str, start: usize, wanted: &[String]) -> Option<usize> {
    let mut rest = text.get(start..)?;
    for (index, line) in wanted.iter().enumerate() {
        if index > 0 {
            rest = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'))?;
        }
        rest = rest.strip_prefix(line.as_str())?;
    }
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_endings_count_as_equal() {
        let found = |text: &str, wanted: &str| matches(text, wanted).collect::<Vec<_>>();
        assert_eq!(found("a\r\nb a\nb", "a\nb"), [0..4, 5..8]);
        assert_eq!(found("aaaa\r", "aa"), [0..2, 2..4]);
        assert_eq!(found("éa\r\na\n", "a\n"), [2..5, 5..7]);
        assert!(found("a\nb", "a\r\nb").is_empty());
        assert!(found("a", "").is_empty());
    }
}
