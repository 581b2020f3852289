//! `insert_before_structure` and `insert_after_structure`.

use super::block::Block;
use super::find::{self, Goal};
use super::insertion::{Insertion, Join, Putting, Side, is_joint};
use super::kept::Comparison;
use super::origin::Origin;
use super::place::Place;
use super::written::Written;
use super::{Context, frame, markdown, prologue, warnings};
use crate::spec::FieldRole;
use crate::structure::Arguments;
use crate::structure::file::File;
use crate::structure::output::{Done, Output};
use crate::structure::{ErrorCode, Failure, Kind};
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
    let put = put(context, &file, &putting, goal, side, None)?;
    // What content does to the syntax is told; what the place does to content is refused.
    let is_told = put.breaks() || markdown::is(parsed.language()) && !put.takes_in;
    if put.loses || !is_told && put.misread.is_some() {
        return Err(put.refusal());
    }
    let Put { written, insertion, misread, .. } = put;
    let after = written.after.text();
    let at = lines::number_at(after, insertion.written.start);
    let target_at = (side == Side::Before).then(|| {
        let start = match goal {
            Goal::File => insertion.edits.moved(0),
            Goal::Structure(index) => {
                insertion.edits.moved(parsed.outline.structures[index].extent.start)
            }
        };
        lines::number_at(after, start)
    });
    Ok(Done {
        output: Output::Inserted { at, target_at },
        warnings: warnings::of(&written, Some(&insertion.written), &[], misread),
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

/// A file that a block was put into.
pub(super) struct Put {
    /// The file.
    pub written: Written,
    /// Where the block is.
    pub insertion: Insertion,
    /// Where something is read otherwise than it is meant: what was there, or the block.
    pub misread: Option<usize>,
    /// Whether a heading takes in what follows.
    takes_in: bool,
    /// Whether something of what was there would be gone.
    loses: bool,
}

impl Put {
    /// Whether the file has more syntax errors than before.
    pub(super) fn breaks(&self) -> bool {
        self.errors() > self.written.before.outline.errors.len()
    }

    fn errors(&self) -> usize {
        self.written.after.outline.errors.len()
    }

    /// Whether the block is where it is meant to be, and all else as it was.
    pub(super) fn fits(&self) -> bool {
        !self.breaks() && self.misread.is_none() && !self.loses
    }

    /// The failure where it does not fit.
    pub(super) fn refusal(&self) -> Failure {
        let after = &self.written.after;
        let line = match self.misread {
            Some(offset) => lines::number_at(after.text(), offset),
            None => lines::number_at(after.text(), self.insertion.written.start),
        };
        let message = format!(
            "the destination cannot hold it: line {line} of `{}` would be read as something else",
            self.written.touched.path
        );
        Failure::new(ErrorCode::InvalidDestination, message)
    }
}

/// Puts a block beside what a target means. Where it can only be on the same line by breaking
/// the syntax, it is joined by a `;`, or a statement gets lines of its own. What has an origin is
/// afterwards what it was there.
pub(super) fn put(
    context: &Context<'_>,
    file: &File,
    putting: &Putting<'_>,
    goal: Goal,
    side: Side,
    origin: Option<Origin<'_>>,
) -> Result<Put, Failure> {
    let parsed = &file.parsed;
    let dest = match goal {
        Goal::File => None,
        Goal::Structure(index) => Some(index),
    };
    let write = |insertion: Insertion| -> Result<Put, Failure> {
        let written = Written::new(context, file, insertion.edits.apply(parsed.text()))?;
        let compared = Comparison {
            before: &written.before,
            after: &written.after,
            edits: &insertion.edits,
            old: 0..0,
            new: insertion.written.clone(),
        };
        let shows = origin.is_some_and(|origin| origin.shows);
        let is_beside = match markdown::is(parsed.language()) {
            true => !shows || compared.keeps_kind(putting.block.kinds[0]),
            false => compared.is_beside(dest, side, shows),
        };
        let (after, new) = (&written.after, &insertion.written);
        let is_kept = match origin {
            Some(_) if markdown::is(parsed.language()) => true,
            Some(origin) => origin.is_kept(after, new) && compared.keeps_owner(&origin),
            None => compared.keeps_block(putting.block),
        };
        let was_excluded = origin
            .is_some_and(|origin| frame::is_excluded(origin.parsed, origin.index))
            || dest.is_some_and(|dest| frame::is_excluded(parsed, dest));
        let is_held = was_excluded || !compared.is_excluded();
        let misread = compared.misread();
        let misread = misread.or((!is_beside || !is_kept || !is_held).then_some(new.start));
        let takes_in = compared.takes_in();
        let has_joints = !markdown::is(parsed.language());
        let loses = has_joints
            && !insertion.edits.removed(parsed.text()).flat_map(str::chars).all(is_joint);
        Ok(Put { written, insertion, misread, takes_in, loses })
    };
    if markdown::is(parsed.language()) {
        return write(markdown::put(putting, goal, side));
    }
    let index = match (goal, side) {
        (Goal::File, Side::Before) => return write(putting.at_start(prologue::end(parsed))),
        (Goal::File, Side::After) => return write(putting.at_end()),
        (Goal::Structure(index), _) => index,
    };
    let mut best = write(putting.beside(index, side, Join::AsThere))?;
    // A member may want a `;` where the only one on a line has none; an expression never does.
    let is_member = !matches!(parsed.outline.structures[index].kind, Kind::Lambda | Kind::Block);
    let joins = [Some(Join::Semicolon).filter(|_| is_member), Some(Join::Lines)];
    for join in joins.into_iter().flatten() {
        if best.fits() {
            break;
        }
        let other = write(putting.beside(index, side, join))?;
        if other.fits() || other.errors() < best.errors() {
            best = other;
        }
    }
    Ok(best)
}
