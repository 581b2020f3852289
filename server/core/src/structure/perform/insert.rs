//! `insert_before_structure` and `insert_after_structure`.

use super::block::Block;
use super::find::{self, Goal};
use super::insertion::{Insertion, Join, Putting, Side};
use super::place::Place;
use super::written::Written;
use super::{Context, markdown, prologue, warnings};
use crate::spec::FieldRole;
use crate::structure::Arguments;
use crate::structure::file::File;
use crate::structure::output::{Done, Output};
use crate::structure::{Failure, Kind};
use crate::text::lines;

/// Inserts the content on a side of the structure.
pub(super) fn insert(
    context: &Context<'_>,
    arguments: &Arguments,
    side: Side,
) -> Result<Done, Failure> {
    let content = &arguments.content;
    context.check_content(FieldRole::Content, content)?;
    let file = context.source(&arguments.path)?;
    let goal = find::one(&file, &arguments.target)?;
    let parsed = &file.parsed;
    let separators: Vec<&str> = match goal {
        Goal::File => Vec::new(),
        Goal::Structure(index) => {
            let place = Place::of(parsed, index);
            place.separators()
        }
    };
    let block = Block::of_content(context, parsed.language(), content, &separators)?;
    let putting = Putting { parsed, block: &block, is_native: false };
    let (written, insertion) = put(context, &file, &putting, goal, side)?;
    let after = written.after.text();
    let at = lines::number_at(after, insertion.written.start);
    let target_at = (side == Side::Before).then(|| {
        let start = match goal {
            Goal::File => insertion.edits.moved(0),
            Goal::Structure(index) => insertion.target.unwrap_or_else(|| {
                insertion.edits.moved(parsed.outline.structures[index].extent.start)
            }),
        };
        lines::number_at(after, start)
    });
    Ok(Done {
        output: Output::Inserted { at, target_at },
        warnings: warnings::of(&written, Some(&insertion.written), &[]),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

/// Puts a block beside what a target means. Where it can only are on the same line by breaking
/// the syntax, it is joined by a `;`, or a statement gets lines of its own.
pub(super) fn put(
    context: &Context<'_>,
    file: &File,
    putting: &Putting<'_>,
    goal: Goal,
    side: Side,
) -> Result<(Written, Insertion), Failure> {
    let parsed = &file.parsed;
    let write = |insertion: Insertion| -> Result<_, Failure> {
        let written = Written::new(context, file, insertion.edits.apply(parsed.text()))?;
        Ok((written, insertion))
    };
    if markdown::is(parsed.language()) {
        return write(markdown::put(putting, goal, side));
    }
    let index = match (goal, side) {
        (Goal::File, Side::Before) => return write(putting.at_start(prologue::end(parsed))),
        (Goal::File, Side::After) => return write(putting.at_end()),
        (Goal::Structure(index), _) => index,
    };
    let errors = |put: &(Written, Insertion)| put.0.after.outline.errors.len();
    let mut best = write(putting.beside(index, side, Join::AsThere))?;
    // A member may want a `;` where the only one on a line has none; an expression never does.
    let is_member = !matches!(parsed.outline.structures[index].kind, Kind::Lambda | Kind::Block);
    let joins = [Some(Join::Semicolon).filter(|_| is_member), Some(Join::Lines)];
    for join in joins.into_iter().flatten() {
        if errors(&best) <= parsed.outline.errors.len() {
            break;
        }
        let other = write(putting.beside(index, side, join))?;
        if errors(&other) < errors(&best) {
            best = other;
        }
    }
    Ok(best)
}
