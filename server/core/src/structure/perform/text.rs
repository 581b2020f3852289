//! `replace_text_in_structure` and `replace_all_text_in_structure`.

use serde_json::{Value, json};

use super::Context;
use super::find::{self, Goal};
use super::warnings::{self, Suspect};
use super::written::{Edits, Written};
use crate::edit::Edit;
use crate::structure::file::File;
use crate::structure::request::{Done, ErrorCode, Failure};
use crate::structure::{Index, Parsed};
use crate::text::Span;
use crate::text::find::{matches, overlapping};
use crate::text::lines::{self, Ending};
use crate::text::replacement::with_endings_of;

/// Lines of ambiguous text are listed up to this many.
const LISTED: usize = 100;

/// What is replaced, and how often.
pub(super) struct Wanted<'a> {
    /// The text that is there.
    pub old: &'a str,
    /// The text that is to be there.
    pub new: &'a str,
    /// How often it has to be there; `None` for any number of times.
    pub expected: Option<usize>,
    /// Whether all of them are meant, or the one that there has to be.
    pub all: bool,
}

/// Carries it out.
pub(super) fn replace(
    context: &Context<'_>,
    path: &str,
    target: &str,
    wanted: &Wanted<'_>,
) -> Result<Done, Failure> {
    context.check_content("old_text", wanted.old)?;
    context.check_content("new_text", wanted.new)?;
    if wanted.old.is_empty() {
        return Err(Failure::new(ErrorCode::TextEmpty, "`old_text` is empty"));
    }
    let file = context.open(path)?;
    let goal = find::one(&file, target)?;
    let parsed = &file.parsed;
    let extent = match goal {
        Goal::File => 0..parsed.text().len(),
        Goal::Structure(index) => parsed.outline.structures[index].extent.clone(),
    };
    let inside = &parsed.text()[extent.clone()];
    let found = matches(inside, wanted.old, usize::MAX);
    check(&file, goal, &extent, wanted, &found)?;
    let other = Some(Ending::dominant(parsed.text()));
    // A text that states the endings of its lines is replaced as it is given.
    let exact = wanted.old.contains('\r');
    let new = |span: &Span| match exact {
        true => wanted.new.to_owned(),
        false => with_endings_of(&inside[span.clone()], wanted.new, other),
    };
    let edit = |span: &Span| Edit {
        span: extent.start + span.start..extent.start + span.end,
        text: new(span),
    };
    let all: Vec<Edit> = found.iter().map(edit).collect();
    let edits = Edits::new(all);
    let written = Written::new(context, &file, edits.apply(parsed.text()))?;
    let span = edits.span();
    let affected = edits.moved_start(span.start)..edits.moved(span.end);
    let lines = written.after.lines_of(&affected);
    let result = match wanted.all {
        true => json!({ "total_replacements": found.len(), "affected_lines": lines }),
        false => json!({ "affected_lines": lines }),
    };
    let suspects = suspects(parsed, &edits, &span);
    Ok(Done {
        result,
        warnings: warnings::of_part(&written, &affected, &suspects),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

fn check(
    file: &File,
    goal: Goal,
    extent: &Span,
    wanted: &Wanted<'_>,
    found: &[Span],
) -> Result<(), Failure> {
    let parsed = &file.parsed;
    let inside = &parsed.text()[extent.clone()];
    let Some(first) = found.first() else {
        let message = format!("`old_text` is not in the structure, in `{}`", file.path);
        let matched = match goal {
            Goal::File => Value::from(""),
            Goal::Structure(index) => Index::new(parsed).target(index).into(),
        };
        return Err(Failure::new(ErrorCode::TextNotFound, message)
            .detail("structure_lines", parsed.lines_of(extent).to_vec())
            .detail("structure_matched", matched));
    };
    if wanted.all {
        let expected = wanted.expected.filter(|expected| *expected != found.len());
        let Some(expected) = expected else { return Ok(()) };
        let message = format!("`old_text` is there {} times, not {expected}", found.len());
        return Err(Failure::new(ErrorCode::CountMismatch, message)
            .detail("expected", expected)
            .detail("found", found.len()));
    }
    let mut found = found.to_vec();
    if let ([_], Some(second)) = (found.as_slice(), overlapping(inside, wanted.old, first)) {
        found.push(second);
    }
    if found.len() == 1 {
        return Ok(());
    }
    let line = |span: &Span| lines::number_at(parsed.text(), extent.start + span.start);
    let listed: Vec<usize> = found.iter().take(LISTED).map(line).collect();
    let message = format!(
        "`old_text` is {} times in the structure; take more of the text around the one",
        found.len()
    );
    Err(Failure::new(ErrorCode::TextAmbiguous, message)
        .detail("occurrences", found.len())
        .detail("lines", listed))
}

/// The structures that something changed in.
fn suspects(parsed: &Parsed, edits: &Edits, changed: &Span) -> Vec<Suspect> {
    let structures = parsed.outline.structures.iter().enumerate();
    let holds = structures.filter(|(_, structure)| {
        structure
            .body
            .as_ref()
            .is_some_and(|body| body.start <= changed.end && changed.start <= body.end)
    });
    let suspect = |(before, structure): (usize, &crate::structure::Structure)| Suspect {
        before,
        own_start: edits.moved_start(structure.own_start),
    };
    holds.map(suspect).collect()
}
