//! From a target to the one structure that it means, or to what is wrong with it.

use serde_json::{Value, json};

use super::{suggest, unsure};
use crate::outline::{Parsed, line_start};
use crate::structure::file::File;
use crate::structure::{ErrorCode, Failure};
use crate::structure::{Index, Match, Target};
use crate::text::{Span, lines};

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
    check_hidden(&index, file, target)?;
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

/// Whether syntax errors leave it sure where a structure begins and ends.
///
/// # Errors
/// [`ErrorCode::ParserFailed`] where they do not.
fn check_syntax(file: &File, place: usize) -> Result<(), Failure> {
    let errors = unsure::bounds(&file.parsed, place);
    let Some(first) = errors.first() else { return Ok(()) };
    let line = lines::number_at(file.parsed.text(), first.start);
    let message = format!(
        "a syntax error in line {line} of `{}` makes it unsure where the structure begins and ends",
        file.path
    );
    let failure = Failure::new(ErrorCode::ParserFailed, message);
    Err(failure.detail("parse_errors", listed(&file.parsed, errors.into_iter())))
}

/// Whether syntax errors leave it sure that a target fits nothing else.
///
/// # Errors
/// [`ErrorCode::ParserFailed`] where they do not.
fn check_hidden(index: &Index<'_>, file: &File, target: &str) -> Result<(), Failure> {
    let errors = unsure::hidden(index, &file.parsed, &Target::parse(target));
    let Some(first) = errors.first() else { return Ok(()) };
    let line = lines::number_at(file.parsed.text(), first.start);
    let message = format!(
        "a syntax error in line {line} of `{}` may hide another structure that the target fits",
        file.path
    );
    let failure = Failure::new(ErrorCode::ParserFailed, message);
    Err(failure.detail("parse_errors", listed(&file.parsed, errors.into_iter())))
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
