//! The operations on Markdown, where what stands before a line is the syntax: the markers of the
//! quotes around it, and the indentation of the list items.
//!
//! The same steps as for code, on lines without what the containers around them put before them.

mod containers;
mod insertion;
mod list;
mod prefix;
mod removal;
mod replace;

use super::find::Goal;
use super::insertion::{Insertion, Putting};
use super::written::Edits;
use crate::structure::request::Side;
use crate::structure::{Kind, Parsed};
use crate::syntax::{Blocks, Language};
use crate::text::Span;
use crate::text::lines;

use self::prefix::Prefix;

/// Whether a language's texts are Markdown.
pub(super) fn is(language: &Language) -> bool {
    language.blocks == Blocks::CommonMark
}

/// The lines of a structure at zero indent, without what the containers around it put before them.
pub(super) fn zero_lines(parsed: &Parsed, index: usize) -> Vec<String> {
    Prefix::of(parsed, index).zero_lines(parsed, &parsed.outline.structures[index].extent)
}

/// The lines of a content at zero indent, without blank lines around.
pub(super) fn content_lines(content: &str) -> Vec<String> {
    let lines: Vec<&str> = content.lines().collect();
    let is_blank = |line: &&str| line.trim().is_empty();
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

/// Another text in the place of a structure, and where it stands afterwards.
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

/// Where the front matter ends; 0 where there is none.
pub(super) fn prologue(parsed: &Parsed) -> usize {
    let first = parsed.outline.structures.first();
    let matter = first.filter(|first| first.kind == Kind::FrontMatter);
    matter.map_or(0, |matter| super::indent::next_line(parsed.text(), matter.extent.end))
}

/// The lines of a text from an offset on, each with its ending and with where it begins.
fn lines_from(text: &str, start: usize) -> impl Iterator<Item = (usize, &str)> {
    let mut at = start;
    lines::with_endings(&text[start..]).map(move |line| {
        let start = at;
        at += line.len();
        (start, line)
    })
}
