//! A structure goes, with the smaller of the gaps around it.

use std::ops::ControlFlow;

use super::containers::Containers;
use super::list::List;
use super::prefix::Prefix;
use super::{line_start, next_line};
use crate::edit::Edit;
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::structure::perform::indent::leading;
use crate::structure::perform::written::Edits;
use crate::text::lines::Ending;
use crate::text::{Content, Span};

/// The edits that take a structure out.
pub(super) fn removal(parsed: &Parsed, index: usize) -> Edits {
    let structure = &parsed.outline.structures[index];
    let prefix = Prefix::of(parsed, index);
    let lines = Around::of(parsed, &prefix, &structure.extent);
    let span = lines.removed(parsed);
    let mut renumbered = Vec::new();
    if structure.kind == Kind::Item {
        let list = List::of(parsed, index);
        renumbered = list.renumbered(parsed, list.place + 1, -1);
    }
    let edits = |text: String| {
        let removed = Edit { span: span.clone(), text };
        Edits::new([removed].into_iter().chain(renumbered.clone()).collect())
    };
    let plain = edits(String::new());
    if prefix.behind_marker
        || lines.next >= parsed.text().len()
        || keeps_next(parsed, &plain, lines.next)
    {
        return plain;
    }
    // What was on both sides would be one.
    let apart = format!("{}{}", prefix.blank(), Ending::dominant(parsed.text()).as_str());
    let apart = edits(apart);
    if keeps_next(parsed, &apart, lines.next) { apart } else { plain }
}

/// The lines around a structure.
struct Around {
    /// What is removed on its lines.
    own: Span,
    /// Where the blank lines above begin.
    above: usize,
    /// Where the blank lines below end.
    below: usize,
    /// Where the first line below begins that is not blank; the text's end where there is none.
    next: usize,
    opens: bool,
    closes: bool,
}

impl Around {
    fn of(parsed: &Parsed, prefix: &Prefix, extent: &Span) -> Around {
        let text = parsed.text();
        let containers = &prefix.containers;
        let first = line_start(text, extent.start);
        let after = next_line(text, extent.end);
        let below = blank_below(text, after, containers);
        let next_text = &text[below..];
        let line = &next_text[..next_line(next_text, 0)];
        let closes = line.is_empty() || {
            let (cursor, has) = containers.stripped(line);
            !has || cursor.is_blank()
        };
        let next = below + leading(line).len();
        if prefix.behind_marker {
            let (cursor, _) = containers.stripped(line);
            let joined = below + (line.len() - cursor.rest.len()) + leading(cursor.rest).len();
            let kept = text[..extent.start].trim_end_matches([' ', '\t']).len();
            let own = if closes { kept..extent.end } else { extent.start..joined };
            return Around { own, above: first, below, next, opens: true, closes };
        }
        let above = blank_above(text, first, containers);
        let opens = above == 0;
        Around { own: first..after, above, below, next, opens, closes }
    }

    fn removed(&self, parsed: &Parsed) -> Span {
        let text = parsed.text();
        let Span { start, end } = self.own;
        if self.above == start && self.opens && start != 0 || end < start {
            return self.own.clone();
        }
        if line_start(text, start) != start {
            return self.own.clone();
        }
        let count = |span: Span| super::count(&text[span]);
        let keeps_below = match (self.opens, self.closes) {
            (_, true) => true,
            (true, false) => false,
            (false, false) => count(end..self.below) >= count(self.above..start),
        };
        let mut span = if keeps_below { self.above..end } else { start..self.below };
        if span.end == text.len() && !text.ends_with(['\n', '\r']) {
            // The last line has no newline, and the one that becomes the last loses its own.
            span.start = text[..span.start].trim_end_matches(['\r', '\n']).len();
        }
        span
    }
}

/// Whether what begins at `next` still does once the edits are made.
fn keeps_next(parsed: &Parsed, edits: &Edits, next: usize) -> bool {
    let begins = |parsed: &Parsed, at: usize| {
        let line = line_start(parsed.text(), at);
        let items = &parsed.found.items;
        let first = items.partition_point(|item| item.span.start < line);
        items.get(first).filter(|item| item.span.start <= at).map(|item| item.kind)
    };
    let Some(kind) = begins(parsed, next) else { return true };
    let mut patience = || ControlFlow::Continue(());
    let text = edits.apply(parsed.text());
    let after = Parsed::new(parsed.language(), Content::plain(text), &mut patience);
    after.is_ok_and(|after| begins(&after, edits.moved(next)) == Some(kind))
}

/// Where the blank lines directly above a line begin.
pub(super) fn blank_above(text: &str, line: usize, containers: &Containers) -> usize {
    let mut first = line;
    while first > 0 {
        let above = line_start(text, first - 1);
        if !containers.is_blank(&text[above..first]) {
            break;
        }
        first = above;
    }
    first
}

/// Where the blank lines end that begin at the start of a line.
pub(super) fn blank_below(text: &str, line: usize, containers: &Containers) -> usize {
    let mut end = line;
    while end < text.len() && containers.is_blank(&text[end..next_line(text, end)]) {
        end = next_line(text, end);
    }
    end
}
