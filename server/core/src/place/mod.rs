//! Placing a hunk: exactly one place in a file, none with what is nearest, or several.
//!
//! Whole lines are compared exactly, without their endings: neither case nor blanks nor look-alike
//! characters are folded. What a fold would find is a [`Candidate`] of a miss, never a place.

mod anchors;
mod difference;
pub(crate) mod like;
mod lines;
mod nearest;
mod search;
mod write;

pub use difference::{Difference, Indent, unnumbered};
pub use like::name_of;
pub use lines::Lines;
pub use nearest::Candidate;

use std::ops::Range;

/// Lines to find and the lines to write in their place, each without its ending.
#[derive(Debug, Clone, Default)]
pub struct Hunk<'h> {
    /// The lines to find: context and removed lines. Without any, only anchors, the end of the
    /// file or an empty file say where the new ones go.
    pub old: &'h [&'h str],
    /// The lines to write: context and added lines.
    pub new: &'h [&'h str],
    /// What else says where.
    pub hints: Hints<'h>,
}

/// What says which of several exact matches is meant.
#[derive(Debug, Clone, Default)]
pub struct Hints<'h> {
    /// The 1-based line at which the old lines begin. It chooses the match at exactly this line
    /// and nothing else: tools that take the nearest match instead do not agree on which that is.
    pub line: Option<usize>,
    /// The 1-based line that may be meant as well: where there is another match at this one, none is
    /// chosen.
    pub or_line: Option<usize>,
    /// The 1-based line at which the new lines begin where the change is made already.
    pub made_at: Option<usize>,
    /// Lines above the hunk, outermost first, compared without indentation. The outermost is
    /// searched for inside `within` first, then above it, and then all places below it count, those
    /// above `within` as well; each other one is the next below. Below
    /// one anchor the place must be unique; below several, the first match is the place, and every
    /// choice of the outermost must give the same one.
    pub anchors: &'h [&'h str],
    /// A match at the end of the file comes before all others.
    pub at_end: bool,
    /// Whether a match at the end of the file counts as much as one at the line number: of a diff
    /// that shows nothing after its change, git takes the end, and others the number.
    pub open_end: bool,
    /// The lines, counted from 0, that the place must be inside of.
    pub within: Option<Range<usize>>,
    /// The line, counted from 0, that the place must be at or below. A place above it is one of
    /// several all the same, and if it is the one that is meant, there is none.
    pub not_above: usize,
}

/// Where a hunk goes. Ranges are of lines counted from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Placement {
    /// The one place; empty if the hunk has no old lines.
    One(Range<usize>),
    /// The old lines are nowhere in the file, and the new ones are at exactly one place, which is
    /// where they would go: at the line that is stated, inside of what the anchor begins, and with a
    /// line of the old ones before or after what differs, which is there once. Kept lines are there before the change as
    /// well: where no line is added, only the stated line tells.
    Satisfied(Range<usize>),
    /// No place; at most three that are like it.
    None(Vec<Candidate>),
    /// The 1-based lines of the places.
    Several(Vec<usize>),
    /// No place, since the anchor with this index is not found.
    NoAnchor(usize),
}

impl Hunk<'_> {
    /// Where the hunk goes in a file.
    pub fn place(&self, lines: &Lines<'_>) -> Placement {
        let within = lines.clamped(self.hints.within.clone());
        let below = match lines.below(self.hints.anchors, &within) {
            Ok(below) => below,
            Err(index) => return Placement::NoAnchor(index),
        };
        let length = self.old.len();
        let found = match length {
            0 => self.spots(lines, &within, &below),
            _ => self.choices(lines, self.old, &within, &below),
        };
        let at = |line: usize| match line < self.hints.not_above {
            true => Placement::None(vec![nearest::excluded(line, self.old)]),
            false => Placement::One(line..line + length),
        };
        match found[..] {
            [only] => return at(only),
            [] => {}
            _ => {
                let ends = |line: &usize| line + length == lines.len();
                let last = found.last().copied().filter(|last| self.hints.open_end && ends(last));
                let line_before = |line: Option<usize>| line.and_then(|line| line.checked_sub(1));
                let is_found = |line: &usize| found.contains(line);
                let chosen = line_before(self.hints.line).filter(is_found);
                let other = line_before(self.hints.or_line).filter(is_found);
                let agrees =
                    |line: &usize, other: Option<usize>| other.is_none_or(|it| it == *line);
                return match chosen.filter(|line| agrees(line, last) && agrees(line, other)) {
                    Some(line) => at(line),
                    None => Placement::Several(found.iter().map(|line| line + 1).collect()),
                };
            }
        }
        if length > 0
            && let [only] = self.choices(lines, self.new, &within, &below)[..]
            && only >= self.hints.not_above
            && self.is_made(lines, only, &below)
            && lines.places(self.old, 0..lines.len()).is_empty()
        {
            return Placement::Satisfied(only..only + self.new.len());
        }
        let first = below.first().map_or(within.start, |first| *first);
        Placement::None(nearest::candidates(lines, self.old, first.min(within.end)..within.end))
    }

    /// Whether the new lines, which are at this line, are there since the change is made.
    fn is_made(&self, lines: &Lines<'_>, at: usize, below: &[usize]) -> bool {
        let same = |(old, new): &(&&str, &&str)| old == new;
        let above = self.old.iter().zip(self.new).take_while(same).count();
        let rest = self.old[above..].iter().rev().zip(self.new[above..].iter().rev());
        let kept_below = rest.take_while(same).count();
        let adds = above + kept_below < self.new.len();
        let line = self.hints.made_at.map(|line| line == at + 1);
        let shows_its_change = match adds {
            true => line != Some(false),
            false => line == Some(true) && above > 0 && kept_below > 0,
        };
        let is_anchored = !self.hints.anchors.is_empty();
        // Without lines that are kept, and are there once, they may be there for another reason.
        let tells = |kept: &[&str]| {
            let is_known = line == Some(true) || lines.places(kept, 0..lines.len()).len() == 1;
            kept.iter().any(|line| !line.trim().is_empty()) && is_known
        };
        let says_where = is_anchored && below.contains(&at)
            || tells(&self.new[..above])
            || tells(&self.new[self.new.len() - kept_below..]);
        shows_its_change && says_where && (!is_anchored || lines.is_inside(at, below))
    }

    /// The places of lines among which nothing but a line number chooses any more.
    fn choices(
        &self,
        lines: &Lines<'_>,
        wanted: &[&str],
        within: &Range<usize>,
        below: &[usize],
    ) -> Vec<usize> {
        let first = below.first().map_or(within.start, |first| *first);
        let mut places = lines.places(wanted, first..within.end);
        let at_end = places.last().filter(|place| **place + wanted.len() == lines.len());
        if let Some(last) = at_end.filter(|_| self.hints.at_end).copied() {
            places = vec![last];
        }
        if self.hints.anchors.len() > 1 {
            // The first place below each anchor: one before which an anchor is left.
            let mut below = below.iter().peekable();
            places.retain(|place| {
                let chosen = below.next_if(|line| *line <= place).is_some();
                while below.next_if(|line| *line <= place).is_some() {}
                chosen
            });
        }
        places
    }

    /// Where lines go that replace none.
    fn spots(&self, lines: &Lines<'_>, within: &Range<usize>, below: &[usize]) -> Vec<usize> {
        if !self.hints.anchors.is_empty() {
            let inside = |line: &usize| within.start <= *line && *line <= within.end;
            return below.iter().copied().filter(inside).collect();
        }
        let says_where = self.hints.at_end || lines.is_empty();
        if says_where { vec![lines.len()] } else { Vec::new() }
    }
}

#[cfg(test)]
mod tests;
