//! Definition: from a path to its file, from a payload to the places in the file that it means.

use operator_core::command::edits::TextEdit;
use operator_core::command::hunks::Hunk;
use operator_core::command::{FileEdit, ReadLines, SearchFor, Step};
use operator_core::dialect::{Dialect, ParsedField};
use operator_core::path::FilePath;
use operator_core::place::Lines;
use operator_core::scan::Placed;
use operator_core::snapshot::Snapshot;
use operator_core::spec::{FieldRole, FieldType};
use operator_core::structure::Arguments;
use operator_core::text::{Span, Text, lines};
use tower_lsp::jsonrpc::Result;
use tower_lsp::ls_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, LocationLink, OneOf, Range,
    ServerCapabilities, Uri, request,
};

use super::links::existing;
use super::targets;
use crate::lsp::capabilities::ResolvedClientCapabilities;
use crate::lsp::context::Context;
use crate::lsp::payload::{self, NamedPath};
use crate::lsp::proto;
use crate::lsp::requests::DocumentRequest;
use crate::lsp::reviews::Needs;

/// How many places are given at most.
const MOST: usize = 100;

/// `textDocument/definition`
pub struct Handler;

impl DocumentRequest for Handler {
    type Protocol = request::GotoDefinition;
    const NEEDS: Needs = Needs::Scan;

    fn advertise(_: &ResolvedClientCapabilities, server: &mut ServerCapabilities) {
        server.definition_provider = Some(OneOf::Left(true));
    }

    fn document(params: &GotoDefinitionParams) -> &Uri {
        &params.text_document_position_params.text_document.uri
    }

    fn handle(
        context: &Context,
        params: &GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let offset = context.offset(params.text_document_position_params.position);
        Ok(find(context, offset))
    }

    fn not_open() -> Result<Option<GotoDefinitionResponse>> {
        Ok(None)
    }
}

/// Some places in one file.
struct Found {
    path: String,
    place: Place,
}

/// Which places of a file are meant.
enum Place {
    /// The file.
    File,
    /// The structures that a target fits.
    Target(String),
    /// What a field of the command means.
    Text(Meant),
}

/// Finds what a command means in a file's text.
type Meant = Box<dyn Fn(&Context, &str) -> Vec<Span>>;

fn find(context: &Context, offset: usize) -> Option<GotoDefinitionResponse> {
    let (placed, origin, found) = found(context, offset)?;
    let view = context.view();
    let mut places = Vec::new();
    for found in found {
        let Some(file) = existing(&view, &found.path, placed.block.dialect) else { continue };
        let Some(uri) = context.site.uri(&file) else { continue };
        let ranges =
            ranges(context, &view, &file, &found, placed.block.dialect).unwrap_or_default();
        places.extend(ranges.into_iter().map(|range| (uri.clone(), range)));
        if places.len() >= MOST {
            break;
        }
    }
    places.truncate(MOST);
    if places.is_empty() {
        return None;
    }
    Some(if context.session.client.definition_links {
        let origin = context.range(&origin);
        let link = |(target_uri, range)| LocationLink {
            origin_selection_range: Some(origin),
            target_uri,
            target_range: range,
            target_selection_range: range,
        };
        GotoDefinitionResponse::Link(places.into_iter().map(link).collect())
    } else {
        let location = |(uri, range)| Location::new(uri, range);
        GotoDefinitionResponse::Array(places.into_iter().map(location).collect())
    })
}

/// What is meant at an offset, by which block and which characters.
fn found(context: &Context, offset: usize) -> Option<(Placed, Span, Vec<Found>)> {
    let scan = context.scan()?;
    if let Some((placed, span)) = payload::path_above(scan, offset) {
        let path = placed.block.parsed.path.clone()?;
        return Some((placed, span, vec![Found { path, place: Place::File }]));
    }
    let placed = scan.blocks().find(|placed| placed.span.contains(&offset))?;
    let field = placed.block.parsed.fields.iter().find(|field| {
        let value = payload::at(placed.span.start, &field.value);
        value.start <= offset && offset <= value.end
    })?;
    let (origin, found) = of_field(context, &placed, field, offset)?;
    Some((placed, origin, found))
}

fn ranges(
    context: &Context,
    view: &dyn Snapshot,
    file: &FilePath,
    found: &Found,
    dialect: &dyn Dialect,
) -> Option<Vec<Range>> {
    let spans = match &found.place {
        Place::File => return Some(vec![Range::default()]),
        Place::Target(target) => {
            targets::extents(&*targets::parsed(context, &found.path, dialect)?, target)
        }
        Place::Text(meant) => meant(context, &view.read(file).ok()?.text),
    };
    let text = Text::new(&view.read(file).ok()?.text);
    let range = |span: &Span| proto::range(&text, span, context.encoding());
    Some(spans.iter().take(MOST).map(range).collect())
}

/// What is meant at an offset in a field, and by which characters.
fn of_field(
    context: &Context,
    placed: &Placed,
    field: &ParsedField,
    offset: usize,
) -> Option<(Span, Vec<Found>)> {
    let (text, start, block) = (context.text(), placed.span.start, &*placed.block);
    let origin = payload::at(start, &field.value);
    let kind = payload::kind(block, field).typed();
    if kind.is_some_and(FieldType::is_path) {
        let named = payload::paths(text, start, block, field);
        let touches = |span: &Span| span.start <= offset && offset <= span.end;
        for NamedPath { span, path, target } in named {
            if let Some((span, target)) = target.filter(|(span, _)| touches(span)) {
                return Some((span, vec![Found { path, place: Place::Target(target) }]));
            }
            if touches(&span) {
                return Some((span, vec![Found { path, place: Place::File }]));
            }
        }
        return None;
    }
    if kind.is_some_and(FieldType::is_target) {
        let path = payload::path_beside(text, start, block, (field.role, field.op))?;
        let target = payload::decoded(text, start, block, field)?;
        return Some((origin, vec![Found { path, place: Place::Target(target) }]));
    }
    let command = block.parsed.command.as_ref()?;
    let steps = command.steps.iter().enumerate();
    // A chunk of a patch is about its own file.
    let steps = steps.filter(|(index, step)| {
        let is_hunks = matches!(step, Step::Edit { edit: FileEdit::Hunks(_), .. });
        !is_hunks || field.op.is_none_or(|op| op == *index)
    });
    let paths = steps.flat_map(|(_, step)| step.paths().map(move |path| (step, path)));
    let found = paths.filter_map(|(step, path)| {
        let path = path.to_owned();
        let place = Place::Text(meant(placed, field, step, path.clone())?);
        Some(Found { path, place })
    });
    Some((origin, found.collect()))
}

/// What a field of a command means in the text of its file, as it is before anything is done.
fn meant(placed: &Placed, field: &ParsedField, step: &Step, path: String) -> Option<Meant> {
    let dialect = placed.block.dialect;
    let is = |role: FieldRole| field.role == Some(role);
    let all = |wanted: String| -> Meant {
        Box::new(move |_, text| matches(text, &wanted).take(MOST).collect())
    };
    Some(match step.clone() {
        Step::Edit { edit, .. } => return edited(edit, is),
        Step::Patch { patch, .. } if is(FieldRole::Patch) => Box::new(move |_, text| {
            let hunks = patch.hunks.iter();
            hunks.flat_map(|hunk| counted(text, hunk.old_start, hunk.old_lines)).collect()
        }),
        Step::Search { what: SearchFor::Text { query, .. }, in_tree: false, .. }
            if is(FieldRole::Query) =>
        {
            all(query)
        }
        Step::Read { lines: ReadLines::From { start, count }, .. }
            if is(FieldRole::Start) || is(FieldRole::Lines) =>
        {
            Box::new(move |_, text| counted(text, start, count).into_iter().collect())
        }
        Step::Read { lines: ReadLines::Named { lines, .. }, .. } if is(FieldRole::Lines) => {
            Box::new(move |_, text| numbered(text, &lines).into_iter().collect())
        }
        Step::Structure(request) if is(FieldRole::OldText) => Box::new(move |context, text| {
            let Arguments { target, old_text, .. } = &request.arguments;
            let Some(parsed) = targets::parsed(context, &path, dialect) else {
                return Vec::new();
            };
            let extents = targets::extents(&parsed, target);
            let inside =
                |span: &Span| extents.iter().any(|it| it.start <= span.start && span.end <= it.end);
            matches(text, old_text).filter(inside).take(MOST).collect()
        }),
        _ => return None,
    })
}

/// What a field of an edit means; `is` tells whether it has that role.
fn edited(edit: FileEdit, is: impl Fn(FieldRole) -> bool) -> Option<Meant> {
    let all = |wanted: String| -> Meant {
        Box::new(move |_, text| matches(text, &wanted).take(MOST).collect())
    };
    Some(match edit {
        FileEdit::InOrder(edits) if is(FieldRole::Edits) => {
            Box::new(move |_, text| edits.iter().flat_map(|edit| of_edit(edit, text)).collect())
        }
        FileEdit::Replace { old, .. } if is(FieldRole::OldText) => all(old),
        FileEdit::SearchReplace { search, .. } if is(FieldRole::Search) => all(search),
        FileEdit::Hunks(hunks) if is(FieldRole::Search) => Box::new(move |_, text| {
            let lines = Lines::new(text);
            hunks.iter().flat_map(|hunk| of_hunk(hunk, &lines)).take(MOST).collect()
        }),
        FileEdit::ReplaceRange { beginning, .. } if is(FieldRole::OldTextBeginning) => {
            all(beginning)
        }
        FileEdit::ReplaceRange { beginning, end, .. } if is(FieldRole::OldTextEnd) => {
            Box::new(move |_, text| {
                let after = matches(text, &beginning).next().map_or(0, |span| span.end);
                matches(text, &end).filter(|span| span.start >= after).take(MOST).collect()
            })
        }
        FileEdit::ReplaceLines { lines, .. } | FileEdit::CommentLines { lines, .. }
            if is(FieldRole::Lines) =>
        {
            Box::new(move |_, text| numbered(text, &lines).into_iter().collect())
        }
        _ => return None,
    })
}

/// Where the lines of a hunk are, in the first way to read it that is in the file.
fn of_hunk(hunk: &Hunk, lines: &Lines<'_>) -> Vec<Span> {
    let places = hunk.readings.iter().map(|reading| {
        let old: Vec<&str> = reading.old.iter().collect();
        let places = if old.is_empty() { Vec::new() } else { lines.places(&old, 0..lines.len()) };
        places.into_iter().map(|at| lines.span(at..at + old.len())).collect::<Vec<_>>()
    });
    places.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

/// So many lines from the first on, as far as they are there.
fn counted(text: &str, first: usize, count: usize) -> Option<Span> {
    let last = first.saturating_add(count.max(1) - 1).min(lines::count(text));
    lines::span_of(text, first, last)
}

/// The lines that `4` or `23-43` means, as far as they are there.
fn numbered(text: &str, written: &str) -> Option<Span> {
    let (first, last) = written.split_once('-').unwrap_or((written, written));
    let (first, last) = (first.trim().parse().ok()?, last.trim().parse::<usize>().ok()?);
    counted(text, first, last.checked_sub(first)?.saturating_add(1))
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

/// Where `wanted` is in `text`, line endings counted as equal, as plans match.
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
