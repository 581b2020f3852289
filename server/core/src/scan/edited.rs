//! Finds again what an edit may have changed, and nothing more.

use std::ops::Range;

use super::before::Before;
use super::pass::Pass;
use super::{Item, Scan, is_too_large};
use crate::dialect::Dialects;
use crate::limits::Limits;
use crate::text::work;
use crate::text::{Span, Text};

/// An edit of the transcript: the bytes that are gone, and where what came in their place ends.
struct Edit {
    old: Span,
    new_end: usize,
}

impl Edit {
    /// Where a place after the edit is now.
    fn shift(&self, offset: usize) -> usize {
        offset - self.old.end + self.new_end
    }
}

/// What a pass has found so far.
#[derive(Default)]
pub(super) struct FoundSoFar {
    items: Vec<Item>,
    commands: usize,
    /// The end of the text in which something was found because of them.
    reach: usize,
}

impl FoundSoFar {
    /// Adds the items that begin before `until`; whether that are more command blocks than `most`.
    pub fn add(&mut self, pass: &mut Pass<'_>, until: usize, most: usize) -> bool {
        while let Some(item) = pass.next_before(until) {
            self.reach = item.holds().max(self.reach);
            self.commands += usize::from(item.is_command());
            self.items.push(item);
            if self.commands > most {
                return true;
            }
        }
        false
    }
}

/// What a pass over the edited text has found, and the old items that it is in the place of.
struct Again {
    gone: Range<usize>,
    found: Vec<Item>,
    /// Whether it has ended with the first block beyond the limit.
    cut: bool,
}

impl Scan {
    /// Finds again what an edit may have changed, and nothing more.
    ///
    /// `text` is the text after the edit, `old` the bytes that it replaced, `new_len` the length
    /// of what is there now.
    pub fn edit(
        &mut self,
        text: &Text,
        old: Span,
        new_len: usize,
        dialects: &Dialects,
        limits: &Limits,
    ) {
        let strong = dialects.strong();
        let sought = strong.filter(|_| !self.is_chat).unwrap_or(dialects);
        self.edit_with(text, old, new_len, sought, limits);
        if strong.is_some() && self.is_chat != self.shows_a_chat() {
            let known = std::mem::replace(self, Scan::new(text, dialects, limits));
            self.keep_known(&known);
        }
    }

    fn edit_with(
        &mut self,
        text: &Text,
        old: Span,
        new_len: usize,
        dialects: &Dialects,
        limits: &Limits,
    ) {
        if self.problem.is_some() || is_too_large(text, limits) || self.blocks != limits.blocks {
            let is_chat = self.is_chat;
            *self = Scan { is_chat, ..Scan::of(text, dialects, limits) };
            return;
        }
        let edit = Edit { new_end: old.start + new_len, old };
        let (kept, start) = self.first_in_doubt(text, edit.old.start);
        if self.cut && kept == self.items.len() {
            // It is in what is not looked at.
            return;
        }
        let looks_back = dialects.looks_back();
        let floor = lines_above(text, start, looks_back);
        let before = self.items.block_before(kept, start, floor);
        let left = (self.items.carry_before(kept), before);
        let pass = Pass::new(text, dialects, limits, start, left);
        let found =
            FoundSoFar { commands: self.items.commands_before(kept), ..FoundSoFar::default() };
        self.edit_from(kept, pass, found, text, &edit, looks_back);
    }

    /// Puts what a pass has found in the first `at` bytes of a text before this scan, which is of the
    /// rest of it alone. The pass goes on until the rest is as this scan has found it.
    pub(super) fn put_first(
        &mut self,
        pass: Pass<'_>,
        found: FoundSoFar,
        text: &Text,
        at: usize,
        looks_back: usize,
    ) {
        let edit = Edit { old: 0..0, new_end: at };
        self.edit_from(0, pass, found, text, &edit, looks_back);
        // As many more blocks have room between any two of these as in any other scan.
        self.items = self.items.iter().collect();
    }

    /// Takes in what a pass finds from the item `kept` on, and what it has found there already.
    fn edit_from(
        &mut self,
        kept: usize,
        pass: Pass<'_>,
        found: FoundSoFar,
        text: &Text,
        edit: &Edit,
        looks_back: usize,
    ) {
        let again = self.pass_over(pass, found, text, edit, kept, looks_back);
        self.splice(again, edit);
        self.cut_off();
        self.open = self.open_blocks();
        self.drafts = self.drafts_in(text);
        self.model_heads = self.model_heads_in(text);
    }

    /// The first item that an edit at a place may have changed, and where a scan may begin that
    /// finds it again.
    fn first_in_doubt(&self, text: &Text, edited: usize) -> (usize, usize) {
        // A line's meaning hangs on itself and the next one: two lines before the edit are safe.
        let line = text.line_of(edited);
        let start = text.line_start(line.saturating_sub(2)).min(edited);
        let kept = self.items.before(start);
        let (kept, start) = match self.items.first_reaching(start, kept) {
            Some(first) => (first, self.items.get(first).map_or(start, |item| item.start)),
            None => (kept, start),
        };
        // What is in the raw text of a block that stays as it is was found because of that block.
        self.items.first_holding(start, kept)
    }

    /// Scans from the item `kept` on until what comes after is as the last scan found it.
    fn pass_over(
        &self,
        mut pass: Pass<'_>,
        mut found: FoundSoFar,
        text: &Text,
        edit: &Edit,
        kept: usize,
        looks_back: usize,
    ) -> Again {
        let all = self.items.len();
        let mut next = kept;
        let mut until = text.line_start(text.line_of(edit.new_end) + 2 + looks_back);
        loop {
            work::add(1);
            if found.add(&mut pass, until, self.blocks) {
                return Again { gone: kept..all, found: found.items, cut: true };
            }
            let reach = &mut found.reach;
            // What the old scan found before this point is gone. Where something, old or new, has
            // a say in what is found after it, the old scan's view of that text does not hold.
            let at = pass.at();
            *reach = (*reach).max(at);
            while let Some(item) = self.items.get(next)
                && (item.start < edit.old.end || edit.shift(item.start) < at)
            {
                work::add(1);
                if item.holds() >= edit.old.end {
                    *reach = (*reach).max(edit.shift(item.holds()));
                }
                next += 1;
            }
            if at >= text.len() {
                return Again { gone: kept..all, found: found.items, cut: false };
            }
            // So has the block before this point, as far as it matters to what comes after.
            let floor = lines_above(text, at, looks_back);
            if *reach <= at && !pass.before().is_as(&self.before(next, at, floor, edit), floor) {
                *reach = at + 1;
            }
            // What is left to the blocks after this point must be what it was, too.
            let following = self
                .items
                .get(next)
                .filter(|_| *reach <= at && *pass.carry() != self.items.carry_before(next));
            match following {
                Some(item) => *reach = (*reach).max(edit.shift(item.resume)),
                // The last scan did not look at what comes after so many blocks.
                None if *reach <= at
                    && self.cut
                    && found.commands + self.commands_from(next) <= self.blocks =>
                {
                    *reach = text.len();
                }
                // In another fence there may be something where nothing was.
                None if *reach <= at
                    && pass.carry().fence != self.items.carry_before(next).fence =>
                {
                    *reach = text.len();
                }
                None if *reach <= at => {
                    return Again { gone: kept..next, found: found.items, cut: self.cut };
                }
                None => {}
            }
            until = text.line_start(text.line_of(*reach) + 2);
        }
    }

    /// The last block before `at` that the old scan found, which is before the item `next`, in
    /// terms of the edited text; `floor` and `at` are below the edit.
    fn before(&self, next: usize, at: usize, floor: usize, edit: &Edit) -> Before {
        let old = |place: usize| place - edit.new_end + edit.old.end;
        let before = self.items.block_before(next, old(at), old(floor));
        // What ends further up ends above `floor`, wherever that is.
        let moved = before.end >= edit.old.end;
        Before { end: if moved { edit.shift(before.end) } else { before.end }, ..before }
    }

    fn commands_from(&self, item: usize) -> usize {
        self.items.commands_before(self.items.len()) - self.items.commands_before(item)
    }

    /// Puts what was found in the place of what is gone, and moves what comes after it.
    fn splice(&mut self, again: Again, edit: &Edit) {
        let Again { gone, mut found, cut } = again;
        // Both are in the order of the text.
        let mut new = found.iter_mut().peekable();
        for known in gone.clone().filter_map(|index| self.items.get(index)) {
            work::add(1);
            let Some(start) = known.after(&edit.old, edit.new_end) else { continue };
            while new.next_if(|item| item.start < start).is_some() {}
            let same = new.next_if(|item| item.start == start && known.says_the_same(item));
            if let Some(item) = same {
                item.found = known.found;
            }
        }
        self.items.splice(gone, found, edit.old.end, edit.new_end);
        self.cut = cut;
    }

    /// Lets the scan end with the first block beyond the limit.
    fn cut_off(&mut self) {
        let Some(last) = self.items.index_of_command(self.blocks) else { return };
        self.cut = true;
        self.items.truncate(last + 1);
    }
}

/// The start of the line that is so many lines above the one that `at` is in.
fn lines_above(text: &Text, at: usize, count: usize) -> usize {
    text.line_start(text.line_of(at).saturating_sub(count))
}
