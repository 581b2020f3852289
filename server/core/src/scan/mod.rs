//! The one pass that finds blocks, and finds them again after an edit.

mod pass;
mod window;

use std::sync::Arc;

use crate::dialect::{BlockEnd, Dialect, Dialects, Parsed, Role};
use crate::limits::Limits;
use crate::problem::{self, Problem};
use crate::text::{Span, Text};
use pass::Pass;

/// Everything found in a transcript, in document order.
///
/// The same text gives the same result, whether it was scanned at once or edited into being.
#[derive(Clone, Default)]
pub struct Scan {
    items: Vec<Item>,
    problem: Option<Problem>,
    blocks: usize,
}

/// A block, a reply, or a stray marker, and the text that it was found by.
#[derive(Clone)]
struct Item {
    start: usize,
    /// Where the scan went on after it.
    resume: usize,
    /// The end of all text that had a say in it; at least `resume`.
    reach: usize,
    found: Found,
}

#[derive(Clone)]
enum Found {
    Block(Arc<Block>),
    Stray(Arc<Problem>),
}

/// One block, in terms of its own first byte, so that edits before it change nothing in it.
pub struct Block {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// The length in bytes: from the first marker's line to the last line that belongs to it,
    /// without that line's ending.
    pub len: usize,
    /// The length with the last line's ending, where it has one.
    pub whole: usize,
    /// How it came to its end.
    pub end: BlockEnd,
    /// What it says.
    pub parsed: Parsed,
    /// Where the raw text that it left open ends, for a block whose raw content has no end.
    pub raw_until: Option<usize>,
}

/// A command block where it stands.
#[derive(Clone)]
pub struct Placed {
    /// The block's 0-based index among the transcript's command blocks.
    pub index: usize,
    /// Where it is in the transcript.
    pub span: Span,
    /// The block.
    pub block: Arc<Block>,
    /// The block whose unended raw text this one stands in, and so may be part of.
    pub inside: Option<usize>,
}

/// A reply that stands in the transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedReply {
    /// Where it is.
    pub span: Span,
    /// How many command blocks stand before it.
    pub after: usize,
    /// The id of the command that it answers.
    pub id: Option<String>,
    /// Whether the command was done.
    pub ok: bool,
    /// Whether the user refused it.
    pub refused: bool,
}

impl PlacedReply {
    /// Whether it says the same of the same command, wherever it stands.
    pub fn says_as(&self, other: &PlacedReply) -> bool {
        (self.after, &self.id, self.ok, self.refused)
            == (other.after, &other.id, other.ok, other.refused)
    }
}

impl Scan {
    /// Finds everything in `text`.
    pub fn new(text: &Text, dialects: &Dialects, limits: &Limits) -> Scan {
        let mut scan = Scan { items: Vec::new(), problem: None, blocks: limits.blocks };
        if text.len() > limits.transcript_bytes {
            scan.problem = Some(too_large(text, limits));
            return scan;
        }
        let mut pass = Pass::new(text, dialects, limits, 0);
        while let Some(item) = pass.next_before(text.len()) {
            scan.items.push(item);
        }
        scan
    }

    /// Finds again what an edit may have changed, and nothing more.
    ///
    /// `text` is the text after the edit, `old` the bytes that it replaced, `new_len` the length
    /// of what stands there now.
    pub fn edit(
        &mut self,
        text: &Text,
        old: Span,
        new_len: usize,
        dialects: &Dialects,
        limits: &Limits,
    ) {
        if self.problem.is_some() || text.len() > limits.transcript_bytes {
            *self = Scan::new(text, dialects, limits);
            return;
        }
        let new_end = old.start + new_len;
        let shift = |offset: usize| offset - old.end + new_end;

        // A line's meaning hangs on itself and the next one: two lines before the edit are safe.
        let line = text.line_of(old.start);
        let mut start = text.line_start(line.saturating_sub(2)).min(old.start);
        let mut kept = self.items.partition_point(|item| item.start < start);
        while let Some(first) = self.items[..kept].iter().position(|item| item.reach > start) {
            kept = first;
            start = self.items[first].start;
        }

        let mut until = text.line_start(text.line_of(new_end) + 2);
        let mut pass = Pass::new(text, dialects, limits, start);
        let mut found = Vec::new();
        let mut next = kept;
        loop {
            while let Some(item) = pass.next_before(until) {
                found.push(item);
            }
            // What the old scan found before this point is gone. Where something, old or new, has
            // a say in the text after it, the old scan's view of that text does not hold.
            let at = pass.at();
            let mut reach = found.iter().map(|item| item.reach).fold(at, usize::max);
            while let Some(item) = self.items.get(next)
                && (item.start < old.end || shift(item.start) < at)
            {
                if item.reach >= old.end {
                    reach = reach.max(shift(item.reach));
                }
                next += 1;
            }
            if reach <= at || at >= text.len() {
                break;
            }
            until = text.line_start(text.line_of(reach) + 2);
        }
        self.splice(kept..next, found, &old, new_end);
    }

    /// Takes over the blocks of another scan of the same text where both found the same, so that
    /// they keep their identity.
    pub fn keep_known(&mut self, known: &Scan) {
        let nowhere = usize::MAX..usize::MAX;
        for item in &mut self.items {
            let at = known.items.binary_search_by_key(&item.start, |known| known.start);
            if let Ok(at) = at
                && known.items[at].is_same(item, &nowhere, 0)
            {
                item.found = known.items[at].found.clone();
            }
        }
    }

    /// Puts `found` in the place of some items and moves the ones after them.
    fn splice(
        &mut self,
        gone: std::ops::Range<usize>,
        mut found: Vec<Item>,
        old: &Span,
        new: usize,
    ) {
        for item in &mut found {
            let same = self.items[gone.clone()].iter().find(|other| other.is_same(item, old, new));
            if let Some(other) = same {
                item.found = other.found.clone();
            }
        }
        for item in &mut self.items[gone.end..] {
            item.start = item.start - old.end + new;
            item.resume = item.resume - old.end + new;
            item.reach = item.reach - old.end + new;
        }
        self.items.splice(gone, found);
    }

    /// The command blocks, in order; at most as many as the limit says.
    pub fn blocks(&self) -> impl Iterator<Item = Placed> + '_ {
        let mut raw: Option<(usize, usize)> = None;
        self.commands().take(self.blocks).enumerate().map(move |(index, (start, block))| {
            let inside = raw.filter(|(_, until)| start < *until).map(|(index, _)| index);
            if inside.is_none()
                && let Some(until) = block.raw_until
            {
                raw = Some((index, start + until));
            }
            let span = start..start + block.len;
            Placed { index, span, block: block.clone(), inside }
        })
    }

    /// The replies that stand in the transcript, in order.
    pub fn replies(&self) -> impl Iterator<Item = PlacedReply> + '_ {
        let mut commands = 0;
        self.items.iter().filter_map(move |item| {
            let Found::Block(block) = &item.found else { return None };
            let Role::Reply { ok, refused } = block.parsed.role else {
                commands += 1;
                return None;
            };
            let span = item.start..item.start + block.len;
            Some(PlacedReply { span, after: commands, id: block.parsed.id.clone(), ok, refused })
        })
    }

    /// The reply blocks whole, in order, for those who show their fields.
    pub fn reply_blocks(&self) -> impl Iterator<Item = (Span, &Arc<Block>)> {
        self.items.iter().filter_map(|item| match &item.found {
            Found::Block(block) if block.parsed.role != Role::Command => {
                Some((item.start..item.start + block.len, block))
            }
            _ => None,
        })
    }

    /// The problems that belong to no block: stray markers, limits.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        let stray = self.items.iter().filter_map(|item| match &item.found {
            Found::Stray(problem) => Some(problem.as_ref().clone().shifted(item.start)),
            Found::Block(_) => None,
        });
        let too_many = self.commands().nth(self.blocks).map(|(start, block)| {
            Problem::new(
                problem::SCAN_TOO_MANY_BLOCKS,
                start..start + block.len,
                format!(
                    "this transcript has more than {} blocks: this one and those after it are not \
                     looked at; split the transcript",
                    self.blocks
                ),
            )
        });
        self.problem.clone().into_iter().chain(stray).chain(too_many)
    }

    fn commands(&self) -> impl Iterator<Item = (usize, &Arc<Block>)> {
        self.items.iter().filter_map(|item| match &item.found {
            Found::Block(block) if block.parsed.role == Role::Command => Some((item.start, block)),
            _ => None,
        })
    }
}

impl Item {
    /// Whether it is `new` as it was before the edit: the same bytes, found the same way.
    fn is_same(&self, new: &Item, old: &Span, new_end: usize) -> bool {
        let (Found::Block(was), Found::Block(is)) = (&self.found, &new.found) else { return false };
        let end = self.start + was.len;
        let start = if end <= old.start {
            self.start
        } else if self.start >= old.end {
            self.start - old.end + new_end
        } else {
            return false;
        };
        start == new.start
            && (was.len, was.whole, was.end) == (is.len, is.whole, is.end)
            && was.raw_until == is.raw_until
            && was.dialect.name() == is.dialect.name()
    }
}

impl Block {
    /// Whether the same text was read in the same way.
    pub fn is(&self, other: &Arc<Block>) -> bool {
        std::ptr::eq(self, Arc::as_ptr(other))
    }
}

fn too_large(text: &Text, limits: &Limits) -> Problem {
    Problem::new(
        problem::SCAN_TRANSCRIPT_TOO_LARGE,
        0..text.line(0).len(),
        // Its size is not said: who reads a file stops beyond the limit.
        format!(
            "this transcript has more than {} bytes, the limit: it is not looked at; split it",
            limits.transcript_bytes
        ),
    )
}

#[cfg(test)]
mod tests;
