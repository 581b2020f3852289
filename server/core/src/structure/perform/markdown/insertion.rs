//! A block put beside a structure or at the edge of a file.

use super::list::List;
use super::prefix::Prefix;
use super::removal::{blank_above, blank_below};
use super::{count, line_start, next_line, prologue};
use crate::edit::Edit;
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::structure::perform::block::Block;
use crate::structure::perform::find::Goal;
use crate::structure::perform::gap::Among;
use crate::structure::perform::insertion::Insertion;
use crate::structure::perform::insertion::Side;
use crate::structure::perform::written::Edits;
use crate::text::Span;
use crate::text::lines::Ending;

/// Puts a block beside what a target means.
pub(super) fn put(parsed: &Parsed, block: &Block, goal: Goal, side: Side) -> Insertion {
    match goal {
        Goal::Structure(index) => beside(parsed, block, index, side),
        Goal::File => at_edge(parsed, block, side),
    }
}

/// At the start of a file, after its front matter, or at its end. An item goes into the list
/// that is there.
fn at_edge(parsed: &Parsed, block: &Block, side: Side) -> Insertion {
    let structures = &parsed.outline.structures;
    let is_matter = |index: &usize| structures[*index].kind == Kind::FrontMatter;
    let first = (0..structures.len()).find(|index| !is_matter(index));
    let start = prologue(parsed);
    let text = parsed.text();
    let beside_item = |index: usize| match block.kinds[0] {
        Some(Kind::Item) if structures[index].kind == Kind::Item => {
            Some(beside(parsed, block, index, side))
        }
        _ => None,
    };
    let newline = Ending::dominant(text).as_str();
    let lines = block.own_lines();
    let block_text = lines.join(newline);
    match side {
        Side::Before => {
            let at =
                start + text[start..].len() - text[start..].trim_start_matches(['\r', '\n']).len();
            // Front matter without a line ending is all of its last line.
            let at = line_start(text, at).max(start);
            if at >= text.len() {
                return at_edge(parsed, block, Side::After);
            }
            let joined =
                first.filter(|first| line_start(text, structures[*first].extent.start) == at);
            if let Some(insertion) = joined.and_then(beside_item) {
                return insertion;
            }
            let gap = gap(parsed, None, at, block.kinds[1]);
            let above = count(&text[start..at]);
            let before = newline.repeat(if start == 0 { 0 } else { gap.saturating_sub(above) });
            insertion(at..at, &before, &block_text, &newline.repeat(1 + gap), Vec::new())
        }
        Side::After => {
            let end = text.trim_end_matches([' ', '\t', '\r', '\n']).len();
            let last = (0..structures.len()).rev().find(|index| {
                let outer = structures[*index].parent.map(|parent| structures[parent].kind);
                structures[*index].extent.end == end && outer.is_none_or(|it| it == Kind::Section)
            });
            if let Some(insertion) = last.and_then(beside_item) {
                return insertion;
            }
            if end == 0 {
                return insertion(0..text.len(), "", &block_text, newline, Vec::new());
            }
            let at = next_line(text, end);
            let ends = text[..at].ends_with(['\n', '\r']);
            let gap = gap(parsed, None, end, block.kinds[0]);
            let before = newline.repeat(gap + usize::from(!ends));
            insertion(at..at, &before, &block_text, if ends { newline } else { "" }, Vec::new())
        }
    }
}

/// Beside a structure.
fn beside(parsed: &Parsed, block: &Block, index: usize, side: Side) -> Insertion {
    let structure = &parsed.outline.structures[index];
    let (text, extent) = (parsed.text(), &structure.extent);
    let newline = Ending::dominant(text).as_str();
    let mut prefix = Prefix::of(parsed, index);
    let mut lines = block.own_lines();
    let mut renumbered = Vec::new();
    let mut near = None;
    if structure.kind == Kind::Item {
        let list = List::of(parsed, index);
        let place = list.place + usize::from(side == Side::After);
        let (itemized, count) = list.itemized(parsed, &lines, place);
        if count > 0 {
            lines = itemized;
            renumbered = list.renumbered(parsed, place, count as isize);
            near = Some(item_gap(parsed, &prefix, &list, index));
        }
    }
    let joins_list = near.is_some();
    if !joins_list {
        prefix.own.clear();
    }
    let kind = if side == Side::Before { block.kinds[1] } else { block.kinds[0] };
    let near = near.unwrap_or_else(|| {
        let own = gap(parsed, structure.parent, extent.start, Some(structure.kind));
        own.max(gap(parsed, structure.parent, extent.start, kind))
    });
    let blank = format!("{}{newline}", prefix.blank());
    let written: Vec<String> = lines.iter().map(|line| prefix.line(line, true)).collect();
    let first = line_start(text, extent.start);
    match side {
        Side::Before if prefix.behind_marker => {
            let mut written = written.join(newline);
            written.drain(..prefix.outer.len().min(written.len()));
            let after = format!("{newline}{}{}", blank.repeat(near), prefix.outer);
            insertion(extent.start..extent.start, "", &written, &after, renumbered)
        }
        Side::Before => {
            let above = blank_above(text, first, &prefix.containers);
            let lacks =
                above == first && above > 0 && !joins_list && structure.kind != Kind::Section;
            let before = blank.repeat(usize::from(lacks));
            let after = format!("{newline}{}", blank.repeat(near));
            insertion(first..first, &before, &written.join(newline), &after, renumbered)
        }
        Side::After => {
            let at = next_line(text, extent.end);
            let ends = text[..at].ends_with(['\n', '\r']);
            let below = blank_below(text, at, &prefix.containers);
            let lacks = below == at && at < text.len() && !joins_list;
            let far = match prefix.containers.stripped(&text[at..]) {
                _ if !lacks || is_blank_around(&text[at..next_line(text, at)]) => String::new(),
                (_, true) => blank.clone(),
                (_, false) => newline.to_owned(),
            };
            let before = format!("{}{}", if ends { "" } else { newline }, blank.repeat(near));
            let after = if ends { format!("{newline}{far}") } else { String::new() };
            insertion(at..at, &before, &written.join(newline), &after, renumbered)
        }
    }
}

/// Whether a line is blank, if not here then in a quote further out.
fn is_blank_around(line: &str) -> bool {
    line.trim_matches(['>', ' ', '\t', '\r', '\n']).is_empty()
}

/// How many blank lines are between two structures of a kind: as many as between its like, and
/// at least one around everything but sections and items.
fn gap(parsed: &Parsed, parent: Option<usize>, near: usize, kind: Option<Kind>) -> usize {
    let kind = kind.unwrap_or(Kind::Paragraph);
    if kind != Kind::Section {
        return 1;
    }
    Among { parent, near, is_tight: false }.blank_lines(parsed, kind)
}

/// How many blank lines are between the items of a list: as many as at the nearest.
fn item_gap(parsed: &Parsed, prefix: &Prefix, list: &List, index: usize) -> usize {
    let text = parsed.text();
    let between = |one: &Span, other: &Span| {
        let first = line_start(text, other.start);
        let above = blank_above(text, first, &prefix.containers);
        count(&text[above.max(one.end)..first.max(one.end)])
    };
    let pairs: Vec<usize> = list.items.windows(2).map(|it| between(&it[0], &it[1])).collect();
    let near = pairs.get(list.place).or_else(|| pairs.get(list.place.checked_sub(1)?));
    near.copied().unwrap_or_else(|| {
        let structure = &parsed.outline.structures[index];
        let among =
            Among { parent: structure.parent, near: structure.extent.start, is_tight: true };
        among.blank_lines(parsed, Kind::Item)
    })
}

/// The block with what is before and after it, and the numbers that change.
fn insertion(
    mut span: Span,
    before: &str,
    block: &str,
    after: &str,
    mut others: Vec<Edit>,
) -> Insertion {
    let inside = before.len()..before.len() + block.len();
    let mut text = format!("{before}{block}{after}");
    let mut target = None;
    let start = span.start;
    // A number that changes right after the block is one edit with it.
    if let Some(same) = others.iter().position(|edit| edit.span.start == start) {
        let number = others.remove(same);
        target = Some(text.len());
        text.push_str(&number.text);
        span.end = number.span.end;
    }
    others.push(Edit { span, text });
    let mut edits = Edits::new(others);
    let at = edits.moved_start(start);
    if let Some(length) = target {
        edits = edits.pushing(start, at + length);
    }
    Insertion { edits, written: at + inside.start..at + inside.end }
}
