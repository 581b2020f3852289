//! The blocks after an edit: those between two headings are found anew, the others taken over.
//!
//! A heading with `#` that is in no container ends whatever was open, and begins where nothing
//! is: what is before it says nothing about what comes after it.

use super::ends::Ends;
use super::{Found, Item, Patience, Unparsed, blocks, find, header, metadata};
use crate::syntax::Kind;
use crate::syntax::Window;
use crate::text::Span;

/// The blocks of a text that an edit in `window` made of the one that `before` was found in.
///
/// # Errors
/// As [`find`].
pub(in crate::syntax) fn find_after(
    before: &Found,
    text: &str,
    window: &Window,
    patience: Patience<'_>,
) -> Result<Found, Unparsed> {
    let matter = metadata::end(text);
    let had = before.items.first().filter(|item| item.kind == Kind::FrontMatter);
    if had.cloned() != metadata::item(text, matter) || matter > 0 && window.after.start <= matter {
        return find(text, patience);
    }
    let shift = |offset: usize| offset - window.before_end + window.after.end;
    let marked = outer_sections(&before.items).map(|place| &before.items[place]);
    let marked = marked.filter(|section| header::is_marked(section));
    let headings: Vec<usize> = marked.map(|section| section.span.start).collect();
    let above = headings.iter().copied().take_while(|start| *start < window.after.start);
    let above = above.filter(|start| header::after_line(text, *start) <= window.after.start);
    let start = above.last().unwrap_or(matter);
    let below = headings.partition_point(|start| *start < window.before_end);
    let below = &headings[below..];
    let mut next = 0;
    while let Some(old) = below.get(next).copied() {
        let new = shift(old);
        let mut items = blocks(text, start..header::after_line(text, new), patience)?;
        let last = outer_sections(&items).last();
        if let Some(last) = last.filter(|last| items[*last].span.start == new) {
            items.truncate(last);
            return Ok(joined(before, items, text, start, (old, new)));
        }
        // What the edit opened goes on after that heading.
        next = next * 2 + 1;
    }
    let items = blocks(text, start..text.len(), patience)?;
    Ok(joined(before, items, text, start, (usize::MAX, text.len())))
}

/// What was found before `start`, what was found since, and what was found from `old` on, which
/// is at `new` now.
fn joined(
    before: &Found,
    items: Vec<Item>,
    text: &str,
    start: usize,
    (old, new): (usize, usize),
) -> Found {
    let place = |offset: usize| before.items.partition_point(|item| item.span.start < offset);
    let to = |span: &Span| span.start - old + new..span.end - old + new;
    let mut joined = before.items[..place(start)].to_vec();
    joined.extend(items);
    joined.extend(before.items[place(old)..].iter().map(|item| item.moved(&to)));
    end_sections(&mut joined, text);
    Found { items: joined, ..Found::default() }
}

/// Ends the sections that are in no container where the next of their level or above begins.
fn end_sections(items: &mut [Item], text: &str) {
    let mut ends = Ends::new(text);
    let mut open: Vec<(usize, usize)> = Vec::new();
    let sections: Vec<usize> = outer_sections(items).collect();
    for place in sections {
        let start = items[place].span.start;
        let level = header::level(text, &items[place]);
        while let Some((_, ended)) = open.pop_if(|section| section.0 >= level) {
            items[ended].span.end = ends.of(items[ended].span.start..start, 0);
        }
        open.push((level, place));
    }
    while let Some((_, ended)) = open.pop() {
        items[ended].span.end = ends.of(items[ended].span.start..text.len(), 0);
    }
}

/// The places of the sections that are in no container.
fn outer_sections(items: &[Item]) -> impl Iterator<Item = usize> + '_ {
    let mut contained = 0;
    items.iter().enumerate().filter_map(move |(place, item)| {
        if item.kind == Kind::Section {
            return (item.span.start >= contained).then_some(place);
        }
        // Code and tables hold no sections; that they end does not matter.
        contained = contained.max(item.span.end);
        None
    })
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use proptest::prelude::*;

    use super::*;

    fn text() -> impl Strategy<Value = String> {
        let pieces = vec![
            "# a\n",
            "## b\n",
            "#\n",
            "\n# c #\n",
            "\n\n",
            "\n",
            "- ",
            "> ",
            "1. ",
            "    ",
            "\t",
            "text",
            "text\n",
            "===\n",
            "---\n",
            "```\n",
            "~~~",
            "<div>\n",
            "<!--\n",
            "-->",
            "|a|\n|-|\n",
            "[x]: y\n",
            "[^1]: z\n",
            "\r\n",
            "\r",
            "é",
            "# ",
            "...\n",
            "`",
            "\\",
        ];
        prop::collection::vec(prop::sample::select(pieces), 0..40)
            .prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn after_edits_all_is_as_found_afresh(
            first in text(),
            edits in prop::collection::vec((any::<prop::sample::Index>(), 0..9usize, text()), 1..6),
        ) {
            let mut patience = || ControlFlow::Continue(());
            let mut now = first;
            let mut found = find(&now, &mut patience).unwrap();
            for (place, length, new) in edits {
                let boundary = |at: usize| (at..=now.len()).find(|at| now.is_char_boundary(*at));
                let start = boundary(place.index(now.len() + 1)).unwrap();
                let end = boundary((start + length).min(now.len())).unwrap();
                let mut after = now.clone();
                after.replace_range(start..end, &new);
                let window = Window { after: start..start + new.len(), before_end: end };
                found = find_after(&found, &after, &window, &mut patience).unwrap();
                prop_assert_eq!(&found, &find(&after, &mut patience).unwrap(), "{:?}\n{:?}", now, after);
                now = after;
            }
        }
    }
}
