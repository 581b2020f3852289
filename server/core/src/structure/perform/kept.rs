//! Whether everything that an edit is not about is read as it was: each structure under the same
//! parent, as far as it went, and no comment longer.

use super::aliases;
use super::block::Block;
use super::frame::{self, Frame};
use super::insertion::Side;
use super::markdown;
use super::origin::Origin;
use super::owners::owners;
use super::written::Edits;
use crate::outline::{Parsed, Structure};
use crate::structure::Kind;
use crate::syntax::Item;
use crate::text::{Packed, Span};

/// A text before and after an edit.
pub(super) struct Comparison<'a> {
    /// The text before.
    pub before: &'a Parsed,
    /// The text after.
    pub after: &'a Parsed,
    /// What makes the one of the other.
    pub edits: &'a Edits,
    /// What the edit is about, before.
    pub old: Span,
    /// What it is about, after.
    pub new: Span,
}

/// Where something is read otherwise once the structure that began at `own_start` is taken out.
pub(super) fn disturbed(
    (before, after): (&Parsed, &Parsed),
    edits: &Edits,
    own_start: usize,
) -> Option<usize> {
    let old = edits.around(own_start);
    let new = edits.moved_start(old.start)..edits.moved(old.end);
    let compared = Comparison { before, after, edits, old, new };
    compared.disturbed().or_else(|| compared.disturbed_frame())
}

/// A structure as it is compared, in terms of the text after.
struct Seen {
    /// Its name, or its first byte.
    at: usize,
    kind: Kind,
    parent: Option<usize>,
    /// Where it ends, unless that is within what the edit replaces.
    end: Option<usize>,
    /// How many blank lines after it are a part of its value.
    blank: usize,
}

impl Comparison<'_> {
    /// Where something that the edit is not about is first read otherwise than it was. What shows
    /// as a structure only now, in code, was there as well.
    pub(super) fn disturbed(&self) -> Option<usize> {
        let is_prose = markdown::is(self.after.language());
        let [was, is] = [self.structures_before(), self.structures_after()];
        let mut after = is.iter();
        for was in &was {
            let found = after.find(|is| is_prose || is.at >= was.at);
            if !found.is_some_and(|is| self.is_same(was, is)) {
                return Some(found.map_or(was.at, |is| is.at.min(was.at)));
            }
        }
        let more = after.next().filter(|_| is_prose).map(|more| more.at);
        more.or_else(|| self.disturbed_comment())
    }

    /// Where the tree around the edit is another one than it was; of a text that has no tree, or
    /// more errors than it had, nothing is known.
    fn disturbed_frame(&self) -> Option<usize> {
        let errors = |parsed: &Parsed| parsed.outline.errors.len();
        let is_known =
            !markdown::is(self.after.language()) && !self.before.text().trim().is_empty();
        if !is_known || errors(self.after) > errors(self.before) {
            return None;
        }
        let changed = self.edits.span();
        let moved = self.edits.moved_start(changed.start)..self.edits.moved(changed.end);
        let frame = Frame {
            before: (self.before, self.old.clone()),
            after: (self.after, self.new.clone()),
            changed: (changed, moved),
            moved: &|offset| self.edits.moved(offset),
        };
        frame.disturbed().or_else(|| aliases::lost(self.before, self.after, &self.old))
    }

    fn structures_before(&self) -> Vec<Seen> {
        if markdown::is(self.before.language()) {
            return blocks(self.before, &self.old, |start| self.edits.moved(start));
        }
        let structures = &self.before.outline.structures;
        let moved = |structure: &Structure| self.edits.moved(anchor(structure));
        let owned = structures.iter().zip(owners(self.before));
        let kept = owned.filter(|(it, _)| !self.old.contains(&anchor(it)));
        sorted(kept.map(|(structure, owner)| {
            let end = structure.extent.end;
            let owner = || owner.map(|owner| self.owner(&structures[owner], &self.old, moved));
            let is_known = self.new.is_empty() || end <= self.old.start || end >= self.old.end;
            Seen {
                at: moved(structure),
                kind: structure.kind,
                parent: structure.parent.map(|parent| moved(&structures[parent])).or_else(owner),
                end: is_known.then(|| self.edits.moved(end)),
                blank: blank_lines(self.before, structure),
            }
        }))
    }

    fn structures_after(&self) -> Vec<Seen> {
        if markdown::is(self.after.language()) {
            return blocks(self.after, &self.new, |start| start);
        }
        let structures = &self.after.outline.structures;
        let owned = structures.iter().zip(owners(self.after));
        let kept = owned.filter(|(it, _)| !self.new.contains(&anchor(it)));
        sorted(kept.map(|(structure, owner)| Seen {
            at: anchor(structure),
            kind: structure.kind,
            parent:
                structure.parent.map(|parent| anchor(&structures[parent])).or_else(|| {
                    owner.map(|owner| self.owner(&structures[owner], &self.new, anchor))
                }),
            end: Some(structure.extent.end),
            blank: blank_lines(self.after, structure),
        }))
    }

    /// What stands for an owner: all that is in the place of one that is replaced is the same.
    fn owner(&self, it: &Structure, about: &Span, place: impl Fn(&Structure) -> usize) -> usize {
        let is_replaced = about.contains(&anchor(it)) && !self.old.is_empty();
        if is_replaced && !self.new.is_empty() { self.new.start } else { place(it) }
    }

    fn is_same(&self, was: &Seen, is: &Seen) -> bool {
        was.at == is.at
            && was.kind == is.kind
            && was.parent == is.parent
            && was.blank == is.blank
            && was
                .end
                .zip(is.end)
                .is_none_or(|(was, is)| no_code(self.after, &(was.min(is)..was.max(is)), &self.new))
    }

    /// A comment that takes in more or less than it did, or that is new and goes on after what was
    /// written. Not all comments are known in both texts: those in a statement are where it holds
    /// a structure.
    fn disturbed_comment(&self) -> Option<usize> {
        let end =
            |parsed: &Parsed, it: &Span| it.start + parsed.text()[it.clone()].trim_end().len();
        let all = &self.after.outline.comments;
        let is_long =
            |it: &&Span| self.new.contains(&it.start) && end(self.after, it) > self.new.end;
        let differs = |was: &Span| {
            let start = self.edits.moved(was.start);
            let is = &all[all.binary_search_by_key(&start, |it| it.start).ok()?];
            let (was, is) = (end(self.before, was), end(self.after, is));
            let ends = [self.edits.moved(was), self.edits.moved_start(was)];
            (!ends.contains(&is)).then_some(start)
        };
        let mut kept =
            self.before.outline.comments.iter().filter(|it| !self.old.contains(&it.start));
        all.iter().find(is_long).map(|it| it.start).or_else(|| kept.find_map(differs))
    }

    /// Whether what was put on a side of a structure, or at the edge of the file, is where that is:
    /// in the same thing, and in nothing that was there before besides. What `shows` is a structure
    /// there.
    pub(super) fn is_beside(&self, dest: Option<usize>, side: Side, shows: bool) -> bool {
        let after = &self.after.outline.structures;
        if no_code(self.after, &self.new, &(0..0)) {
            return true;
        }
        let before = |index: usize| &self.before.outline.structures[index];
        let at = |index: Option<usize>| index.map(|index| self.edits.moved(anchor(before(index))));
        let around = self.around().map(|index| &after[index]);
        let found = around.map(anchor);
        let first = || after.iter().find(|it| self.new.contains(&anchor(it)));
        // What is before a structure may be its attribute, and what is after it a branch.
        let extends = dest.is_some()
            && found == at(dest)
            && around.is_some_and(|around| match side {
                Side::Before => self.new.end <= anchor(around),
                Side::After => around.body.is_some_and(|body| body.end() <= self.new.start),
            });
        let is_inside = found == at(dest.and_then(|dest| before(dest).parent));
        let is_near = extends || dest.is_none_or(|dest| self.shares_node(dest));
        (is_inside || extends) && is_near && (!shows || first().is_some())
    }

    /// Whether what was written is in the node that is around a structure: a value is alone where
    /// it is. A branch is in what it is a branch of.
    fn shares_node(&self, dest: usize) -> bool {
        let [before, structures] = [self.before, self.after].map(|it| &it.outline.structures);
        let around = before[dest].parent.and_then(|parent| before[parent].body);
        if around.is_some_and(|body| before[dest].extent.start >= body.end()) {
            return true;
        }
        let at = self.edits.moved(anchor(&before[dest]));
        let is_dest = |it: &Structure| anchor(it) == at && !self.new.contains(&at);
        let Some(index) = structures.iter().position(is_dest) else { return true };
        let around = frame::around(self.after, index).byte_range();
        let outside = [self.new.start..around.start, around.end..self.new.end];
        outside.iter().all(|outside| no_code(self.after, outside, &(0..0)))
    }

    /// Whether a block of Markdown that was put somewhere is what it was, or has become an item.
    pub(super) fn keeps_kind(&self, kind: Option<Kind>) -> bool {
        let mut items = self.after.found.items.iter();
        let first = items.find(|it| self.new.contains(&it.span.start)).map(|it| it.kind);
        first == kind || first == Some(Kind::Item)
    }

    /// Whether content that is a statement by itself is one where it was put, and no method that
    /// is called `if`.
    pub(super) fn keeps_block(&self, block: &Block) -> bool {
        let mut inside = self.after.outline.structures.iter();
        let first = inside.find(|it| self.new.contains(&it.own_start));
        !block.is_statement() || first.is_none_or(|first| first.kind == Kind::Block)
    }

    /// Whether something that was written is in what cannot hold it.
    pub(super) fn is_excluded(&self) -> bool {
        let structures = &self.after.outline.structures;
        let is_new = |index: usize| self.new.contains(&anchor(&structures[index]));
        let mut written = (0..structures.len()).filter(|index| {
            is_new(*index) && structures[*index].parent.is_none_or(|parent| !is_new(parent))
        });
        written.any(|index| frame::is_excluded(self.after, index))
    }

    /// Whether a structure that was put elsewhere belongs to the one that it did.
    pub(super) fn keeps_owner(&self, origin: &Origin<'_>) -> bool {
        let after = &self.after.outline.structures;
        let mut inside =
            (0..after.len()).filter(|index| self.new.contains(&anchor(&after[*index])));
        let Some(first) = inside.next() else { return true };
        let is = owners(self.after)[first].map(|owner| anchor(&after[owner]));
        let was = owners(origin.parsed)[origin.index];
        let was = was.map(|owner| anchor(&origin.parsed.outline.structures[owner]));
        let is_here = std::ptr::eq(origin.parsed, self.before);
        if is_here {
            was.map(|was| self.edits.moved(was)) == is
        } else {
            was.is_none() && is.is_none()
        }
    }

    /// The innermost structure around what was written that is not a part of that.
    fn around(&self) -> Option<usize> {
        let structures = &self.after.outline.structures;
        let before = structures.partition_point(|it| it.extent.start <= self.new.start);
        let mut around = before.checked_sub(1);
        while let Some(index) = around {
            let structure = &structures[index];
            let holds = structure.extent.end >= self.new.end;
            if holds && !self.new.contains(&anchor(structure)) {
                break;
            }
            around = structure.parent;
        }
        around
    }

    /// Whether nothing has changed but the sections that blocks of Markdown are in: a heading that
    /// was written takes them in.
    pub(super) fn takes_in(&self) -> bool {
        if !markdown::is(self.after.language()) {
            return false;
        }
        let [was, is] = [self.structures_before(), self.structures_after()];
        let mut pairs = was.iter().zip(&is);
        let is_there = |(was, is): (&Seen, &Seen)| was.at == is.at && was.kind == is.kind;
        was.len() == is.len()
            && pairs.clone().all(is_there)
            && pairs.any(|(was, is)| was.parent != is.parent)
    }

    /// As [`Comparison::disturbed`], of a structure that was written: it may also be read as a part
    /// of something else, where no syntax is an error.
    pub(super) fn misread(&self) -> Option<usize> {
        let is_prose = markdown::is(self.after.language());
        let swallowed = is_prose && markdown::is_swallowed(self.after, &self.new);
        if swallowed {
            return Some(self.new.start);
        }
        self.disturbed().or_else(|| self.disturbed_frame())
    }
}

/// What tells a structure from others: where its name begins, which stays when what is around it
/// changes. An item has the name of what is in it.
pub(super) fn anchor(structure: &Structure) -> usize {
    let name = structure.name.filter(|_| structure.kind != Kind::Item);
    name.map_or(structure.own_start, Packed::start)
}

/// The blocks of Markdown outside of a span, each in its section. What else is around them may
/// change: the first block of an item is the item where it is alone.
fn blocks(parsed: &Parsed, about: &Span, moved: impl Fn(usize) -> usize) -> Vec<Seen> {
    let mut sections: Vec<&Item> = Vec::new();
    let mut seen = Vec::new();
    for item in &parsed.found.items {
        let start = item.span.start;
        sections.retain(|section| section.span.end > start);
        let parent = sections.last().map(|section| moved(section.span.start));
        if !about.contains(&start) {
            seen.push(Seen { at: moved(start), kind: item.kind, parent, end: None, blank: 0 });
        }
        if item.kind == Kind::Section {
            sections.push(item);
        }
    }
    sorted(seen.into_iter())
}

/// How many blank lines after a structure are a part of its value.
pub(super) fn blank_lines(parsed: &Parsed, structure: &Structure) -> usize {
    let (text, keeping) = (parsed.text(), parsed.language().keeping);
    let Some(body) = structure.body.filter(|_| !keeping.is_empty()) else { return 0 };
    if !keeping.iter().any(|start| body.of(text).starts_with(start)) {
        return 0;
    }
    let after = &text[structure.extent.end..];
    let blank = &after[..after.len() - after.trim_start().len()];
    blank.bytes().filter(|byte| *byte == b'\n').count()
}

fn sorted(seen: impl Iterator<Item = Seen>) -> Vec<Seen> {
    let mut seen: Vec<Seen> = seen.collect();
    seen.sort_by_key(|it| it.at);
    seen
}

/// Whether nothing but blanks, comments, separators and what was written is in a span.
pub(super) fn no_code(parsed: &Parsed, span: &Span, written: &Span) -> bool {
    let text = parsed.text();
    let mut at = span.start;
    while at < span.end {
        let rest = text[at..].trim_start_matches([' ', '\t', '\r', '\n', ',', ';']);
        let next = text.len() - rest.len();
        let comment = comment_at(parsed, next).map(|comment| comment.end);
        let written = Some(written.end).filter(|_| written.contains(&next));
        match comment.or(written) {
            _ if next >= span.end => return true,
            Some(end) => at = end,
            None => return false,
        }
    }
    true
}

/// The comment that an offset is in.
fn comment_at(parsed: &Parsed, offset: usize) -> Option<&Span> {
    let comments = &parsed.outline.comments;
    let before = comments.partition_point(|comment| comment.start <= offset);
    comments[..before].last().filter(|comment| comment.end > offset)
}
