//! `replace_text_in_structure` and `replace_all_text_in_structure`.

use serde_json::Value;

use super::Context;
use super::find::{self, Goal};
use super::kept::Comparison;
use super::warnings::{self, Suspect};
use super::written::{Edits, Written};
use crate::edit::Edit;
use crate::outline::Parsed;
use crate::spec::FieldRole;
use crate::structure::Arguments;
use crate::structure::file::File;
use crate::structure::output::{Done, Output};
use crate::structure::{ErrorCode, Failure, Index};
use crate::text::find::{matches, overlapping};
use crate::text::lines::{self, Ending};
use crate::text::replacement::with_endings_of;
use crate::text::{Packed, Span};

/// Lines of ambiguous text are listed up to this many.
const LISTED: usize = 100;

/// How many of the places are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Count {
    /// The one that there must be.
    Once,
    /// All of them, as many as are expected.
    All,
}

/// Replaces the old text by the new one.
pub(super) fn replace(
    context: &Context<'_>,
    arguments: &Arguments,
    count: Count,
) -> Result<Done, Failure> {
    let (old, new) = (&arguments.old_text, &arguments.new_text);
    context.check_content(FieldRole::OldText, old)?;
    context.check_content(FieldRole::NewText, new)?;
    if old.is_empty() {
        return Err(Failure::new(ErrorCode::TextEmpty, "`old_text` is empty"));
    }
    let file = context.source(&arguments.path)?;
    let goal = find::one(&file, &arguments.target)?;
    let parsed = &file.parsed;
    let extent = match goal {
        Goal::File => 0..parsed.text().len(),
        Goal::Structure(index) => parsed.outline.structures[index].extent.clone(),
    };
    let inside = &parsed.text()[extent.clone()];
    let found = matches(inside, old, usize::MAX);
    check(&file, goal, &extent, (arguments, count), &found)?;
    let other = Some(Ending::dominant(parsed.text()));
    // A text that states the endings of its lines is replaced as it is given.
    let exact = old.contains('\r');
    let written = |span: &Span| match exact {
        true => new.clone(),
        false => with_endings_of(&inside[span.clone()], new, other),
    };
    let edit = |span: &Span| Edit {
        span: extent.start + span.start..extent.start + span.end,
        text: written(span),
    };
    let all: Vec<Edit> = found.iter().map(edit).collect();
    let edits = Edits::new(all);
    let written = Written::new(context, &file, edits.apply(parsed.text()))?;
    let span = edits.span();
    let affected = edits.moved_start(span.start)..edits.moved(span.end);
    let lines = written.after.lines_of(&affected);
    let total = (count == Count::All).then_some(found.len());
    let suspects = suspects(parsed, &edits, &span);
    let (before, after) = (&written.before, &written.after);
    let new = affected.clone();
    let compared = Comparison { before, after, edits: &edits, old: span, new };
    let misread = compared.disturbed();
    Ok(Done {
        output: Output::TextReplaced { total, lines },
        warnings: warnings::of(&written, Some(&affected), &suspects, misread),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

fn check(
    file: &File,
    goal: Goal,
    extent: &Span,
    (arguments, count): (&Arguments, Count),
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
    if count == Count::All {
        let expected = arguments.expected_count.filter(|expected| *expected != found.len());
        let Some(expected) = expected else { return Ok(()) };
        let message = format!("`old_text` is there {} times, not {expected}", found.len());
        return Err(Failure::new(ErrorCode::CountMismatch, message)
            .detail("expected", expected)
            .detail("found", found.len()));
    }
    let mut found = found.to_vec();
    if let ([_], Some(second)) = (found.as_slice(), overlapping(inside, &arguments.old_text, first))
    {
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
        let touches = |body: Packed| body.start() <= changed.end && changed.start <= body.end();
        structure.body.is_some_and(touches)
    });
    let suspect = |(before, structure): (usize, &crate::outline::Structure)| Suspect {
        before,
        own_start: edits.moved_start(structure.own_start),
    };
    holds.map(suspect).collect()
}
