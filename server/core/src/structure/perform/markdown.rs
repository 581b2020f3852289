//! The operations on Markdown, where what is before a line is the syntax: the markers of the
//! quotes around it, and the indentation of the list items.
//!
//! The same steps as for code, on lines without what the containers around them put before them.

mod containers;
mod insertion;
mod list;
mod prefix;
mod removal;
mod replace;

use std::ops::ControlFlow;

use super::find::Goal;
use super::insertion::Side;
use super::insertion::{Insertion, Putting};
use super::written::Edits;
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::syntax::{Blocks, Language};
use crate::text::{Content, Span};

use self::prefix::Prefix;

/// What CommonMark takes for blank.
const BLANKS: [char; 3] = [' ', '\t', '\r'];

/// Whether a language's texts are Markdown.
pub(super) fn is(language: &Language) -> bool {
    language.blocks == Blocks::CommonMark
}

/// The lines of a structure at zero indent, without what the containers around it put before them.
pub(super) fn zero_lines(parsed: &Parsed, index: usize) -> Vec<String> {
    Prefix::of(parsed, index).zero_lines(parsed, &parsed.outline.structures[index].extent)
}

/// The lines of a structure that goes elsewhere: as read, but what makes them code stays.
pub(super) fn moving_lines(parsed: &Parsed, index: usize) -> Vec<String> {
    let lines = zero_lines(parsed, index);
    let structure = &parsed.outline.structures[index];
    let is_indented = structure.kind == Kind::Code
        && !parsed.text()[structure.own_start..].starts_with(['`', '~']);
    let indented = |line: String| if line.is_empty() { line } else { format!("    {line}") };
    if is_indented { lines.into_iter().map(indented).collect() } else { lines }
}

/// The lines of a content at zero indent, without blank lines around.
pub(super) fn content_lines(content: &str) -> Vec<String> {
    let lines: Vec<&str> = content.lines().collect();
    let is_blank = |line: &&str| line.trim_matches(BLANKS).is_empty();
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !is_blank(line)).map_or(first, |last| last + 1);
    let lines = &lines[first..last];
    let indentation = |line: &&&str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let common =
        lines.iter().filter(|line| !is_blank(line)).map(|line| &line[..indentation(&line)]);
    let common = common.reduce(|one, other| {
        let same = one.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
        &one[..same]
    });
    let common = common.unwrap_or_default();
    lines.iter().map(|line| line.strip_prefix(common).unwrap_or_default().to_owned()).collect()
}

/// Another text in the place of a structure, and where it is afterwards.
pub(super) fn replace(parsed: &Parsed, index: usize, content: &str) -> (Edits, Span) {
    replace::replace(parsed, index, content)
}

/// A block put beside what a target means.
pub(super) fn put(putting: &Putting<'_>, goal: Goal, side: Side) -> Insertion {
    insertion::put(putting.parsed, putting.block, goal, side)
}

/// The edits that take a structure out.
pub(super) fn removal(parsed: &Parsed, index: usize) -> Edits {
    removal::removal(parsed, index)
}

/// Whether a structure that was written into `new` is read as a part of something else there.
pub(super) fn is_swallowed(after: &Parsed, new: &Span) -> bool {
    let written = Content::plain(&after.text()[new.clone()]);
    let mut patience = || ControlFlow::Continue(());
    let Ok(alone) = Parsed::new(after.language(), written, &mut patience) else { return false };
    let begins = after.found.items.iter().any(|it| new.contains(&it.span.start));
    !begins && !alone.found.items.is_empty()
}

/// Where the front matter ends; 0 where there is none.
pub(super) fn prologue(parsed: &Parsed) -> usize {
    let first = parsed.outline.structures.first();
    let matter = first.filter(|first| first.kind == Kind::FrontMatter);
    matter.map_or(0, |matter| next_line(parsed.text(), matter.extent.end))
}

/// The lines of a text from an offset on, each with its ending and with where it begins. To
/// CommonMark a `\r` alone ends a line, too.
fn lines_from(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    std::iter::from_fn(move || {
        let line = at;
        at = next_line(text, at);
        (line < at).then(|| (line, &text[line..at]))
    })
}

/// Where the line of an offset begins.
fn line_start(text: &str, offset: usize) -> usize {
    let above = &text.as_bytes()[..offset];
    let ends = |at: &usize| {
        above[*at] == b'\n' || above[*at] == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n')
    };
    (0..offset).rev().find(ends).map_or(0, |end| end + 1)
}

/// Where the line after that of an offset begins; the text's end where there is none.
fn next_line(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    let Some(end) = memchr::memchr2(b'\n', b'\r', rest) else { return text.len() };
    let is_pair = rest[end] == b'\r' && rest.get(end + 1) == Some(&b'\n');
    offset + end + 1 + usize::from(is_pair)
}

/// How many lines a text has.
fn count(text: &str) -> usize {
    lines_from(text, 0).count()
}

/// A line without its ending.
fn without_ending(line: &str) -> &str {
    line.trim_end_matches(['\r', '\n'])
}
