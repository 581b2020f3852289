//! `insert_before_structure` and `insert_after_structure`.

use serde_json::{Map, Value};

use super::block::Block;
use super::find::{self, Goal};
use super::insertion::{Insertion, Putting};
use super::place::Place;
use super::written::Written;
use super::{Context, markdown, prologue, warnings};
use crate::structure::file::File;
use crate::structure::request::{Done, Failure, Side};
use crate::text::lines;

/// Carries it out.
pub(super) fn insert(
    context: &Context<'_>,
    path: &str,
    target: &str,
    content: &str,
    side: Side,
) -> Result<Done, Failure> {
    context.check_content("content", content)?;
    let file = context.open(path)?;
    let goal = find::one(&file, target)?;
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
    let line = lines::number_at(after, insertion.written.start);
    let mut result = Map::new();
    result.insert("inserted_at_line".to_owned(), line.into());
    if side == Side::Before {
        let start = match goal {
            Goal::File => insertion.edits.moved(0),
            Goal::Structure(index) => insertion.target.unwrap_or_else(|| {
                insertion.edits.moved(parsed.outline.structures[index].extent.start)
            }),
        };
        let line = lines::number_at(after, start);
        result.insert("target_now_at_line".to_owned(), line.into());
    }
    Ok(Done {
        result: Value::Object(result),
        warnings: warnings::of(&written, Some(&insertion.written), &[]),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

/// Puts a block beside what a target means. Where a statement can only stand on the same line by
/// breaking the syntax, it gets lines of its own.
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
    let (written, insertion) = write(putting.beside(index, side, true))?;
    if written.after.outline.errors.len() <= parsed.outline.errors.len() {
        return Ok((written, insertion));
    }
    let apart = write(putting.beside(index, side, false))?;
    let is_better = apart.0.after.outline.errors.len() < written.after.outline.errors.len();
    Ok(if is_better { apart } else { (written, insertion) })
}
