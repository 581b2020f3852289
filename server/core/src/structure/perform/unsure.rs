//! Syntax errors that make it unsure which structure is meant, or where it begins and ends.

use super::indent::{is_blank, line_end, next_line};
use super::kept::no_code;
use crate::outline::{Parsed, Structure, line_start};
use crate::structure::{Index, Kind, Match, Target};
use crate::text::{Packed, Span};

/// The errors that make it unsure where the structure at `place` begins and ends: those in it or in
/// a header around it, those that part it from such a header or from what is directly above it, and
/// those after which it may go on.
pub(super) fn bounds(parsed: &Parsed, place: usize) -> Vec<&Span> {
    let structures = &parsed.outline.structures;
    if parsed.outline.errors.is_empty() {
        return Vec::new();
    }
    let above = line_above(parsed, place);
    let below = end_below(parsed, place);
    let extent = &structures[place].extent;
    let mut spans = vec![extent.clone()];
    let mut around = structures[place].parent;
    while let Some(parent) = around {
        let structure = &structures[parent];
        let end = structure.body.map_or(structure.own_start, Packed::start);
        spans.push(structure.extent.start..end.max(structure.own_start));
        around = structure.parent;
    }
    let is_unsure = |error: &&Span| {
        spans.iter().any(|span| meet(error, span))
            || is_between(parsed, error, (place, above))
            || ends_before(parsed, error, extent)
            || extent.end <= error.start && error.start < below
            || ends_around(parsed, error, place)
            || closes_early(parsed, error, place)
    };
    parsed.outline.errors.iter().filter(is_unsure).collect()
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

/// Whether an error is directly before a structure: the structure may begin there.
fn ends_before(parsed: &Parsed, error: &Span, extent: &Span) -> bool {
    let between = parsed.text().get(error.end..extent.start);
    between.is_some_and(|it| it.trim().is_empty() && it.matches('\n').count() < 2)
}

/// Where the text directly below a structure ends that is in no other one. A statement may go on
/// after blank lines in what is around it.
fn end_below(parsed: &Parsed, place: usize) -> usize {
    let (text, structures) = (parsed.text(), &parsed.outline.structures);
    let structure = &structures[place];
    let mut after = structures[place + 1..].iter();
    let next = after.find(|it| it.extent.start >= structure.extent.end);
    let parent = structure.parent.map(|parent| structures[parent].extent.end);
    let limit = next.map_or(text.len(), |it| it.extent.start).min(parent.unwrap_or(text.len()));
    if structure.kind == Kind::Block && parent.is_some() {
        return limit;
    }
    let mut end = next_line(text, structure.extent.end);
    while end < limit && !is_blank(&text[end..next_line(text, end)]) {
        end = next_line(text, end);
    }
    end.min(limit)
}

/// Whether a closer that the parser has missed is at the end of a structure or of what it is in:
/// which of the structures there lacks it is unsure.
fn ends_around(parsed: &Parsed, error: &Span, place: usize) -> bool {
    let structures = &parsed.outline.structures;
    let is_first = error.start < structures[place].extent.end;
    let closes = |char: char| char.is_whitespace() || "})];".contains(char);
    let ends = |around: usize| {
        let end = structures[around].extent.end;
        let between = error.start.min(end)..error.start.max(end);
        parsed.text()[between.clone()].chars().all(closes) || no_code(parsed, &between, &(0..0))
    };
    error.is_empty()
        && !is_first
        && with_around(parsed, place).any(ends)
        && is_missing_closer(parsed, error)
}

/// Whether an error is what closes something and is not there.
fn is_missing_closer(parsed: &Parsed, error: &Span) -> bool {
    let mut open = vec![parsed.tree.root()];
    while let Some(node) = open.pop() {
        let closes = || parsed.language().closers.contains(&node.kind());
        if node.is_missing() && node.byte_range() == *error && closes() {
            return true;
        }
        if node.has_error() && meet(error, &node.byte_range()) {
            open.extend(node.children(&mut node.walk()));
        }
    }
    false
}

/// Whether an error is what closes something and a structure before it, or what that is in, may be
/// what it closes: only statements and variables are between.
fn closes_early(parsed: &Parsed, error: &Span, place: usize) -> bool {
    let structures = &parsed.outline.structures;
    let wrong = &parsed.text()[error.clone()];
    if !parsed.language().closers.iter().any(|it| wrong.starts_with(it)) {
        return false;
    }
    let is_statement = |it: &Structure| {
        matches!(it.kind, Kind::Block | Kind::Lambda | Kind::Variable | Kind::Constant)
    };
    let is_closed = |place: usize| {
        let structure = &structures[place];
        let holds = |parent: usize| structures[parent].extent.end >= error.end;
        let after = structures[place + 1..].iter();
        let mut between = after
            .skip_while(|it| it.extent.start < structure.extent.end)
            .take_while(|it| it.extent.start < error.start);
        error.start >= structure.extent.end
            && structure.parent.is_none_or(holds)
            && between.all(is_statement)
    };
    with_around(parsed, place).any(is_closed)
}

/// A structure and those that it is in.
fn with_around(parsed: &Parsed, place: usize) -> impl Iterator<Item = usize> {
    let structures = &parsed.outline.structures;
    std::iter::successors(Some(place), |place| structures[*place].parent)
}

/// The errors that may hide a structure that a line of the target fits, and that would then be meant
/// as well or instead: what the line says is in an error's lines and in no header, or a line counts
/// structures and an error is before the one that it comes to.
pub(super) fn hidden<'a>(index: &Index<'_>, parsed: &'a Parsed, target: &Target) -> Vec<&'a Span> {
    let (text, structures) = (parsed.text(), &parsed.outline.structures);
    if parsed.outline.errors.is_empty() {
        return Vec::new();
    }
    let pieces = structures.iter().flat_map(|it| it.header.iter().map(|piece| piece.span()));
    let mut pieces: Vec<Span> = pieces.collect();
    pieces.sort_unstable_by_key(|piece| piece.start);
    let mut scopes: Vec<Span> = std::iter::once(0..text.len()).collect();
    let mut hiding = Vec::new();
    for last in 1..=target.lines.len() {
        let above = Target { lines: target.lines[..last].to_vec() };
        let Match::Structures(found) = index.find(&above) else { break };
        let line = &target.lines[last - 1];
        let plain = index.without_number(line);
        let says: Vec<&str> = found.iter().map(|it| said(parsed, *it, plain)).collect();
        let first = found.first().map_or(0, |it| structures[*it].extent.start);
        let may_hide = |error: &&Span| {
            scopes.iter().any(|scope| meet(error, scope))
                && (plain.len() < line.len() && error.start < first
                    || says.iter().any(|says| is_said(parsed, &pieces, error, says)))
        };
        hiding.extend(parsed.outline.errors.iter().filter(may_hide));
        let scope = |place: &usize| structures[*place].extent.start..end_below(parsed, *place);
        scopes = found.iter().map(scope).collect();
    }
    hiding
}

/// What another structure must say to be what a line fits: the name, or the line where there is none.
fn said<'a>(parsed: &'a Parsed, place: usize, line: &'a str) -> &'a str {
    let name = parsed.outline.structures[place].name.map(|name| name.of(parsed.text()));
    name.filter(|name| line.contains(name)).unwrap_or(line)
}

/// More bytes of a line before and after an error are not looked at.
const LINE: usize = 1000;

/// The pieces of headers around one another, at most.
const NESTED: usize = 4;

/// Whether the lines of an error, and the header that it is in, say something outside of all sound
/// headers, of which these are the pieces, sorted.
fn is_said(parsed: &Parsed, pieces: &[Span], error: &Span, says: &str) -> bool {
    let text = parsed.text();
    let around = |at: usize| {
        let before = pieces.partition_point(|piece| piece.start <= at);
        pieces[..before].iter().rev().take(NESTED)
    };
    let first = around(error.end).find(|piece| meet(error, piece)).map(|piece| piece.start);
    let first = first.unwrap_or(error.start).min(error.start);
    let start = line_start(text, first).max(floor(text, first.saturating_sub(LINE)));
    let end = line_end(text, error.end).min(floor(text, error.end + LINE));
    let is_sound = |at: usize| around(at).any(|it| it.contains(&at) && !meet(error, it));
    let starts = text[start..end].char_indices().map(|(at, _)| start + at);
    let mut found = starts.filter(|at| begins(text, *at, says));
    found.any(|at| !is_sound(at))
}

/// The start of the character that an offset is in.
fn floor(text: &str, offset: usize) -> usize {
    let offset = offset.min(text.len());
    (0..=offset).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Whether a text has the words of another one at an offset, whatever white space is between.
fn begins(text: &str, at: usize, says: &str) -> bool {
    let part = |char: char| char.is_alphanumeric() || char == '_';
    let mut rest = &text[at..];
    for char in says.chars().filter(|char| !char.is_whitespace()) {
        match rest.strip_prefix(char) {
            Some(after) => rest = after.trim_start(),
            None => return false,
        }
    }
    let goes_on = text[..at].ends_with(part) && says.starts_with(part);
    let end = text.len() - rest.len();
    let last = text[..end].trim_end();
    let ends_inside = last.len() == end && last.ends_with(part) && rest.starts_with(part);
    !(goes_on || ends_inside)
}
