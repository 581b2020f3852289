//! From a target to the one structure that it means, or to what is wrong with it.

use serde_json::{Value, json};

use super::indent::is_blank;
use super::suggest;
use crate::outline::{Parsed, line_start};
use crate::structure::file::File;
use crate::structure::{ErrorCode, Failure};
use crate::structure::{Index, Match, Target};
use crate::text::{Packed, Span, lines};

/// Ambiguous matches and syntax errors are listed up to this many.
const LISTED: usize = 100;
/// A syntax error is shown up to this many characters.
const SHOWN: usize = 80;

/// What a target means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// The whole file.
    File,
    /// The structure at this place in the outline.
    Structure(usize),
}

/// The one structure that a target means.
pub(super) fn one(file: &File, target: &str) -> Result<Goal, Failure> {
    let index = Index::new(&file.parsed);
    let found = match find(&index, file, target)? {
        None => return Ok(Goal::File),
        Some(found) => found,
    };
    let [only] = found.as_slice() else {
        let message = format!(
            "the target fits {} structures of `{}`; take one of the targets in `matches`",
            found.len(),
            file.path
        );
        let matches: Vec<Value> =
            found.iter().take(LISTED).map(|it| shown(&index, &file.parsed, *it)).collect();
        let failure = Failure::new(ErrorCode::TargetAmbiguous, message);
        return Err(failure.detail("matches", matches));
    };
    check_syntax(file, *only)?;
    Ok(Goal::Structure(*only))
}

/// Every structure that a target fits, in the order of the file; `None` for the whole file.
pub(super) fn all(file: &File, target: &str) -> Result<Option<Vec<usize>>, Failure> {
    let found = find(&Index::new(&file.parsed), file, target)?;
    for index in found.iter().flatten() {
        check_syntax(file, *index)?;
    }
    Ok(found)
}

fn find(index: &Index<'_>, file: &File, target: &str) -> Result<Option<Vec<usize>>, Failure> {
    let target = Target::parse(target);
    match index.find(&target) {
        Match::File => Ok(None),
        Match::Structures(found) => Ok(Some(found)),
        Match::Nothing { fitted, parents } => {
            Err(not_found(index, file, &target, fitted, &parents))
        }
    }
}

fn not_found(
    index: &Index<'_>,
    file: &File,
    target: &Target,
    fitted: usize,
    parents: &[usize],
) -> Failure {
    let line = target.lines.get(fitted).map(String::as_str).unwrap_or_default();
    let suggestions = suggest::nearest(index, &file.parsed, line, parents);
    let parent = parents.first().map(|parent| index.target(*parent));
    let mut message = match &parent {
        Some(parent) => {
            let parent = parent.replace('\n', " > ");
            format!("nothing in `{parent}` of `{}` fits `{line}`", file.path)
        }
        None => format!("nothing in `{}` fits `{line}`", file.path),
    };
    if let Some(error) = file.parsed.outline.errors.first() {
        let line = lines::number_at(file.parsed.text(), error.start);
        message.push_str(&format!("; a syntax error in line {line} may hide it"));
    } else if !suggestions.is_empty() {
        message.push_str("; the nearest are in `suggestions`");
    }
    Failure::new(ErrorCode::TargetNotFound, message)
        .detail("searched_path", target.lines.clone())
        .detail("parent_found", parent)
        .detail("suggestions", suggestions)
}

fn shown(index: &Index<'_>, parsed: &Parsed, place: usize) -> Value {
    let structure = &parsed.outline.structures[place];
    json!({
        "target": index.target(place),
        "kind": structure.kind.as_str(),
        "header": structure.header_text(parsed.text()),
        "line_range_inclusive": parsed.lines_of(&structure.extent),
    })
}

/// Where a syntax error is in a structure or in a header around it, its extent is not to be
/// relied on. Nor is it where an error parts it from such a header, or from what is directly
/// above it.
fn check_syntax(file: &File, place: usize) -> Result<(), Failure> {
    let parsed = &file.parsed;
    let structures = &parsed.outline.structures;
    if parsed.outline.errors.is_empty() {
        return Ok(());
    }
    let above = line_above(parsed, place);
    let mut spans = vec![structures[place].extent.clone()];
    let mut around = structures[place].parent;
    while let Some(parent) = around {
        let structure = &structures[parent];
        let end = structure.body.map_or(structure.own_start, Packed::start);
        spans.push(structure.extent.start..end.max(structure.own_start));
        around = structure.parent;
    }
    let errors = parsed.outline.errors.iter();
    let errors: Vec<&Span> = errors
        .filter(|error| {
            spans.iter().any(|span| meet(error, span)) || is_between(parsed, error, (place, above))
        })
        .collect();
    let Some(first) = errors.first() else { return Ok(()) };
    let line = lines::number_at(parsed.text(), first.start);
    let message = format!(
        "a syntax error in line {line} of `{}` makes it unsure where the structure begins and ends",
        file.path
    );
    let failure = Failure::new(ErrorCode::ParserFailed, message);
    Err(failure.detail("parse_errors", listed(parsed, errors.into_iter())))
}

/// Whether an error is above a structure, in nothing that ends before it, and either inside what is
/// around the structure or on the lines directly above, which begin at `above`.
fn is_between(parsed: &Parsed, error: &Span, (place, above): (usize, usize)) -> bool {
    let structures = &parsed.outline.structures;
    let extent = &structures[place].extent;
    if error.start >= extent.start {
        return false;
    }
    let before = structures.partition_point(|it| it.extent.start <= error.start);
    let mut inside = before.checked_sub(1);
    while let Some(around) = inside.filter(|it| structures[*it].extent.end < error.end) {
        inside = structures[around].parent;
    }
    match inside {
        Some(around) => parsed.outline.is_inside(place, around),
        None => error.end > above,
    }
}

/// Where the lines directly above a structure begin that are in no other one.
fn line_above(parsed: &Parsed, place: usize) -> usize {
    let text = parsed.text();
    let structure = &parsed.outline.structures[place];
    let siblings = parsed.outline.children(structure.parent).take_while(|index| *index < place);
    let last = siblings.last().map_or(0, |last| parsed.outline.structures[last].extent.end);
    let mut first = line_start(text, structure.extent.start);
    while first > last {
        let above = line_start(text, first - 1);
        if is_blank(&text[above..first]) {
            break;
        }
        first = above;
    }
    first.max(last)
}

/// Whether an error touches a span; one without length does at the span's ends, too.
fn meet(error: &Span, span: &Span) -> bool {
    match error.is_empty() {
        true => span.start <= error.start && error.start <= span.end,
        false => error.start < span.end && span.start < error.end,
    }
}

/// Syntax errors as results list them: line and column from 1, and the text that is wrong.
pub(super) fn listed<'a>(parsed: &Parsed, errors: impl Iterator<Item = &'a Span>) -> Vec<Value> {
    let text = parsed.text();
    let shown = errors.take(LISTED).map(|error| {
        let line_start = line_start(text, error.start);
        let wrong: String = text[error.clone()].chars().take(SHOWN).collect();
        json!({
            "line": lines::number_at(text, error.start),
            "column": text[line_start..error.start].chars().count() + 1,
            "text": wrong,
        })
    });
    shown.collect()
}
