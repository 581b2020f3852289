//! `delete_structure`: a structure goes, with its separator and with the smaller of the gaps
//! around it.

use super::find::{self, Goal};
use super::indent::{is_blank, line_end, next_line};
use super::place::{Place, with_ancestors};
use super::warnings::{self, Suspect};
use super::written::{Edits, Written};
use super::{Context, frame, kept, markdown};
use crate::edit::Edit;
use crate::outline::Parsed;
use crate::outline::line_start;
use crate::structure::Arguments;
use crate::structure::Failure;
use crate::structure::file::File;
use crate::structure::output::{Done, Output};
use crate::syntax::Node;
use crate::text::Span;

/// Deletes the structure.
pub(super) fn delete(context: &Context<'_>, arguments: &Arguments) -> Result<Done, Failure> {
    let file = context.source(&arguments.path)?;
    let parsed = &file.parsed;
    let all = 0..parsed.text().len();
    let (extent, written, warnings) = match find::one(&file, &arguments.target)? {
        Goal::File => (all, Written::new(context, &file, String::new())?, Vec::new()),
        Goal::Structure(index) => {
            let Taken { written, edits, misread } = take_out(context, &file, parsed, index)?;
            let suspects = suspects(parsed, index, &edits);
            let warnings = warnings::of(&written, None, &suspects, misread);
            (parsed.outline.structures[index].extent.clone(), written, warnings)
        }
    };
    let lines = parsed.lines_of(&extent);
    Ok(Done {
        output: Output::Deleted { lines },
        warnings,
        changes: written.change.into_iter().collect(),
        targets: vec![written.touched],
    })
}

/// A body without code.
const EMPTY: &str = "{}";

/// A file that a structure was taken out of.
pub(super) struct Taken {
    /// The file.
    pub written: Written,
    /// What was done.
    pub edits: Edits,
    /// Where something is read otherwise than it was.
    pub misread: Option<usize>,
}

/// Takes the structure at `index` out of a text that `file` is to become. Where that would make
/// a body of what follows, the language's empty one stays.
pub(super) fn take_out(
    context: &Context<'_>,
    file: &File,
    parsed: &Parsed,
    index: usize,
) -> Result<Taken, Failure> {
    let place = Place::of(parsed, index);
    let own_start = parsed.outline.structures[index].own_start;
    let is_value = parsed.language().values.contains(&frame::around(parsed, index).kind());
    let is_needed = is_value || is_inherited(parsed, index);
    let taken = |edits: Edits| -> Result<Taken, Failure> {
        let written = Written::new(context, file, edits.apply(parsed.text()))?;
        let misread = kept::disturbed((parsed, &written.after), &edits, own_start);
        let misread = misread.or_else(|| is_needed.then(|| edits.moved(own_start)));
        Ok(Taken { written, edits, misread })
    };
    let body = |text: &str| taken(Edits::one(place.region.clone(), text));
    let is_body = |taken: &Taken, kind: &str| {
        body_at(taken, place.region.start).is_some_and(|node| node.kind() == kind)
    };
    // Where there can be a second one beside it, nothing lacks a body.
    let is_of_list = |two: &Taken| {
        let node = body_at(two, place.region.start);
        let own = |node: &Node<'_>| node.byte_range().len() == EMPTY.len();
        let around = node.map_or_else(Vec::new, |it| with_ancestors(&two.written.after, it));
        let outermost = around.into_iter().take_while(own).last();
        let next = outermost.and_then(|it| it.next_named_sibling());
        next.is_some_and(|next| next.start_byte() == place.region.start + EMPTY.len())
    };
    let fits = |taken: &Taken| {
        let errors = taken.written.after.outline.errors.len();
        taken.misread.is_none() && errors <= parsed.outline.errors.len()
    };
    let bare = taken(removal(parsed, &place))?;
    if let Some(kind) = parsed.language().empty_body.filter(|_| !fits(&bare)) {
        let emptied = body(EMPTY)?;
        if fits(&emptied) && is_body(&emptied, kind) && !is_of_list(&body(&EMPTY.repeat(2))?) {
            return Ok(emptied);
        }
    }
    Ok(bare)
}

/// The node of the empty body that begins at an offset.
fn body_at(taken: &Taken, start: usize) -> Option<Node<'_>> {
    let root = taken.written.after.tree.root();
    let node = root.named_descendant_for_byte_range(start, start + EMPTY.len());
    node.filter(|node| node.start_byte() == start)
}

/// Whether the node after a structure has a part of it, because it has none of its own.
fn is_inherited(parsed: &Parsed, index: usize) -> bool {
    let language = parsed.language();
    let node = frame::node(parsed, index);
    let has = |node: Node<'_>, (kind, field): &(&str, &str)| {
        node.kind() == *kind && node.child_by_field_name(field).is_some()
    };
    let Some(part) = language.inherits.iter().find(|part| has(node, part)) else { return false };
    let after = std::iter::successors(node.next_named_sibling(), Node::next_named_sibling);
    let mut code = after.filter(|it| !language.comments.contains(&it.kind()));
    code.next().is_some_and(|next| next.kind() == node.kind() && !has(next, part))
}

/// The structure that one is taken out of.
pub(super) fn suspects(parsed: &Parsed, index: usize, edits: &Edits) -> Vec<Suspect> {
    let structures = &parsed.outline.structures;
    let parent = structures[index].parent.iter();
    let suspect = |parent: &usize| Suspect {
        before: *parent,
        own_start: edits.moved(structures[*parent].own_start),
    };
    parent.map(suspect).collect()
}

/// The edits that take a structure out.
fn removal(parsed: &Parsed, place: &Place<'_>) -> Edits {
    if markdown::is(parsed.language()) {
        return markdown::removal(parsed, place.index);
    }
    let text = parsed.text();
    let mut edits = Vec::new();
    let delete = |span: Span| Edit { span, text: String::new() };
    let mut span = match place.own_lines {
        true => whole_lines(text, place),
        // What comes next takes its place after the marker.
        false if place.is_marked && !place.closes => {
            let rest = &text[place.region.end..];
            place.region.start..text.len() - rest.trim_start().len()
        }
        false => part_of_line(text, place),
    };
    let parts_statements = place.before.as_ref().is_some_and(|span| &text[span.clone()] == ";");
    let is_last = place.ends_list || parts_statements && place.separator.is_none();
    if let Some(before) = place.before.as_ref().filter(|_| is_last) {
        if !place.own_lines && is_blank(&text[before.end..span.start]) {
            span.start = before.start;
        } else if before.end <= span.start {
            edits.push(delete(before.clone()));
        }
    }
    edits.push(delete(span));
    Edits::new(edits)
}

/// The lines of a structure, and of the blank lines around it those that are no longer a gap.
fn whole_lines(text: &str, place: &Place<'_>) -> Span {
    let first = line_start(text, place.region.start);
    let next = next_line(text, place.region.end);
    let above = blank_above(text, first);
    let below = blank_below(text, next);
    let count = |span: Span| text[span].matches('\n').count();
    let (gap_above, gap_below) = (count(above..first), count(next..below));
    // At the edge of a block stays what is there: a gap between neighbours is none to the edge.
    let keeps_below = match (place.opens, place.closes) {
        (_, true) => true,
        (true, false) => false,
        (false, false) => gap_below >= gap_above,
    };
    let mut span = if keeps_below { above..next } else { first..below };
    if span.end == text.len() && !text.ends_with('\n') {
        // The last line has no newline, and the one that becomes the last loses its own.
        span.start = text[..span.start].trim_end_matches(['\r', '\n']).len();
    }
    span
}

/// A structure and the blanks on one side.
fn part_of_line(text: &str, place: &Place<'_>) -> Span {
    let blanks = [' ', '\t'];
    let mut span = place.region.clone();
    let line = line_start(text, span.start);
    let end = line_end(text, span.end);
    let before = line + text[line..span.start].trim_end_matches(blanks).len();
    let after = end - text[span.end..end].trim_start_matches(blanks).len();
    match (before == line, after == end) {
        (true, true) => line..next_line(text, end),
        (false, true) => before..after,
        _ if place.closes && !place.opens => before..span.end,
        _ => {
            span.end = after;
            span
        }
    }
}

/// Where the blank lines directly above a line begin.
pub(super) fn blank_above(text: &str, line: usize) -> usize {
    let mut first = line;
    while first > 0 {
        let above = line_start(text, first - 1);
        if !is_blank(&text[above..first]) {
            break;
        }
        first = above;
    }
    first
}

/// Where the blank lines end that begin at the start of a line.
pub(super) fn blank_below(text: &str, line: usize) -> usize {
    let mut end = line;
    while end < text.len() && is_blank(&text[end..next_line(text, end)]) {
        end = next_line(text, end);
    }
    end
}
