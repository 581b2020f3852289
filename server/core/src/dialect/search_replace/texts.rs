//! What the text to find and the text to write must not have: what listings, diffs and fences put there.

use std::collections::BTreeSet;
use std::ops::Range;

use super::draft::Draft;
use super::marker::Word;
use crate::command::patch::header;
use crate::place::unnumbered;
use crate::problem::{self, Problem, Replacement};
use crate::text::fence::{Fence, OpenFence};

/// The two texts of a block, as it is parted by its first divider.
pub struct Texts<'d> {
    pub draft: &'d Draft<'d>,
    /// The lines of the text to find.
    pub find: Range<usize>,
    /// The lines of the text to write.
    pub write: Range<usize>,
    /// The file's path, where it is known.
    pub path: Option<&'d str>,
}

impl<'d> Texts<'d> {
    fn lines(&self, range: &Range<usize>) -> Vec<&'d str> {
        range.clone().map(|index| self.draft.line(index)).collect()
    }

    fn fence(&self, index: usize) -> Option<Fence<'d>> {
        Fence::of(self.draft.line(index))
    }

    /// The fence that is open after some lines.
    fn open_after(&self, range: &Range<usize>) -> Option<OpenFence> {
        let after = |open, index| OpenFence::after(open, self.draft.line(index));
        range.clone().fold(None, after)
    }

    /// Whether the file may have fences of its own.
    fn is_markdown(&self) -> bool {
        self.path.is_some_and(|path| {
            [".md", ".mdx", ".markdown", ".rst", ".txt"].iter().any(|end| path.ends_with(end))
        })
    }

    /// The problem of a text with the numbers of its lines. What is written may be a table with
    /// numbers: it is a listing where it has a line of the text to find, or goes on with bars.
    pub fn numbers(&self) -> Option<Problem> {
        let (find, write) = (self.lines(&self.find), self.lines(&self.write));
        let problem = |range: &Range<usize>, says, plain: Vec<&str>| {
            let place = self.draft.span(range.start, range.end);
            let edit = Replacement::new(place.clone(), plain.join(self.draft.eol));
            Problem::new(problem::SEARCH_REPLACE_LINE_NUMBERS_INSIDE, place, says)
                .fix("Remove the numbers", vec![edit])
        };
        if let Some(plain) = unnumbered(&find) {
            return Some(problem(
                &self.find,
                "the text to find has the numbers of its lines",
                plain,
            ));
        }
        let plain = unnumbered(&write)?;
        let find: BTreeSet<&str> = find.into_iter().collect();
        let is_kept = |line: &&str| !line.trim().is_empty() && find.contains(line);
        let has_bars = || {
            let bare = |line: &&str| {
                let is_number = |char: char| char.is_ascii_digit() || matches!(char, ' ' | '\t');
                line.trim_start_matches(is_number).starts_with(['|', '│', '→'])
            };
            write.len() > 1 && !self.is_markdown() && write.iter().all(bare)
        };
        (plain.iter().any(is_kept) || has_bars())
            .then(|| problem(&self.write, "the text to write has the numbers of its lines", plain))
    }

    /// The problem of texts whose first and last lines are a fence around them, or one of which is a
    /// fence by itself.
    pub fn fences(&self) -> Option<Problem> {
        if self.is_markdown() {
            return None;
        }
        let around = |range: &Range<usize>| {
            let last = range.end.checked_sub(1).filter(|last| *last > range.start)?;
            let (opening, closing) = (self.fence(range.start)?, self.fence(last)?);
            closing.closes(&opening).then_some([range.start, last])
        };
        let mut lines: Vec<usize> =
            [&self.find, &self.write].into_iter().filter_map(around).flatten().collect();
        if lines.is_empty() {
            lines.extend(self.lone_fence());
        }
        let place = self.draft.lines[*lines.first()?].clone();
        let remove = |index: &usize| {
            let next = self.draft.lines.get(index + 1);
            let end = next.map_or(self.draft.text.len(), |next| next.start);
            Replacement::remove(self.draft.lines[*index].start..end)
        };
        let says = match lines.len() {
            1 => "this line is a fence; only the file's own lines come between the markers",
            _ => "a fence is around the text; only the file's own lines come between the markers",
        };
        let problem = Problem::new(problem::SEARCH_REPLACE_FENCE_INSIDE, place, says);
        Some(problem.fix("Remove the fence", lines.iter().map(remove).collect()))
    }

    /// The first line of the text to write that opens a fence which nothing closes, or the last one
    /// that closes none. A text to find with a fence shows that the file has some.
    fn lone_fence(&self) -> Option<usize> {
        let last = self.write.end.checked_sub(1).filter(|last| self.write.contains(last))?;
        if self.find.clone().any(|index| self.fence(index).is_some()) {
            return None;
        }
        let first = self.write.start;
        let mut open = None;
        // A line of `~` may underline a heading.
        let ticks = |index: usize| self.fence(index).filter(|fence| fence.sign == '`');
        let opens = ticks(first).is_some()
            && self.write.clone().all(|index| {
                open = OpenFence::after(open, self.draft.line(index));
                open.is_some()
            });
        let closes = || {
            let is_bare = ticks(last).is_some_and(|fence| fence.info.is_empty());
            is_bare && self.open_after(&(first..last)).is_none()
        };
        if opens { Some(first) } else { closes().then_some(last) }
    }

    /// The problem of a text to write that is a diff of the text to find.
    pub fn signs(&self) -> Option<Problem> {
        if self.path.is_some_and(header::is_in) {
            return None;
        }
        let mut find = self.find.clone().map(|index| self.draft.line(index)).peekable();
        let (mut removes, mut adds, mut keeps, mut is_signed) = (false, false, false, true);
        let mut new = Vec::new();
        for line in self.lines(&self.write) {
            let next = find.peek().copied();
            if line.strip_prefix('-').is_some_and(|rest| Some(rest) == next) {
                removes = true;
                find.next();
            } else if let Some(added) = line.strip_prefix('+').filter(|_| Some(line) != next) {
                adds = true;
                new.push(added);
            } else {
                let bare = line.strip_prefix(' ').filter(|bare| Some(*bare) == next);
                find.next().filter(|old| Some(*old) == bare || *old == line)?;
                is_signed &= bare.is_some() || line.is_empty();
                keeps |= bare.is_some();
                new.push(bare.unwrap_or(line));
            }
        }
        let is_diff = removes && adds || keeps && is_signed && (removes || adds);
        if find.next().is_some() || !is_diff {
            return None;
        }
        let says = "the text to write has signs before its lines, as a diff has; only the new lines \
                    come here, as they are in the file";
        let place = self.draft.span(self.write.start, self.write.end);
        let edit = Replacement::new(place.clone(), new.join(self.draft.eol));
        let problem = Problem::new(problem::SEARCH_REPLACE_SIGNS_INSIDE, place, says);
        Some(problem.choice("Leave the new lines alone", vec![edit]))
    }

    /// The problem of a block whose fence a line of the text to write closes, with text below: the end
    /// marker is then that of another block. A fence of the file itself is opened before it is closed.
    pub fn closed_early(&self, fence: OpenFence) -> Option<Problem> {
        let is_fence = |index: &usize| self.fence(*index).is_some();
        let closes =
            |index: &usize| self.fence(*index).is_some_and(|line| fence.is_closed_by(&line));
        let closing = self.write.clone().find(closes)?;
        let has_fences = self.find.clone().any(|index| is_fence(&index));
        let is_balanced =
            self.open_after(&self.find).is_some() == self.open_after(&self.write).is_some();
        let is_first = self.write.clone().find(is_fence) == Some(closing);
        let may_be_text = has_fences || self.is_markdown() && self.draft.dividers.len() == 1;
        if closing + 1 == self.write.end || is_balanced && (!is_first || may_be_text) {
            return None;
        }
        let end = Word::End.text(self.draft.signs);
        let says = format!(
            "this line closes the fence around the block, and `{end}` is missing above it; if it is \
             text, put the block into a longer fence"
        );
        let line = self.draft.lines[closing].clone();
        let insert = Replacement::insert(line.start, format!("{end}{}", self.draft.eol));
        let problem = Problem::new(problem::SEARCH_REPLACE_MISSING_END, line, says);
        Some(problem.choice(format!("Insert `{end}` above"), vec![insert]))
    }
}
