//! Lists: their markers and numbers, and how a text becomes items of one.

use std::ops::ControlFlow;

use super::containers::{Containers, Cursor, marker_length};
use super::{line_start, lines_from};
use crate::edit::Edit;
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::syntax::Item;
use crate::text::{Content, Span};

/// The list that an item is in.
pub(super) struct List {
    /// Its items, in order.
    pub items: Vec<Span>,
    /// The place of the item among them.
    pub place: usize,
    /// How it is numbered.
    numbering: Numbering,
    /// What closes a number, or the bullet.
    delimiter: char,
    /// The blanks after the marker.
    blanks: usize,
}

/// How a list is numbered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Numbering {
    /// Not at all.
    Bullets,
    /// All items have this number.
    Same(usize),
    /// Each has one more than the one before; the first has this.
    Counting(usize),
    /// As somebody wished.
    Free,
}

impl List {
    /// The list of the item at `index`.
    pub(super) fn of(parsed: &Parsed, index: usize) -> List {
        let text = parsed.text();
        let own = parsed.outline.structures[index].extent.clone();
        let containers = Containers::around(parsed, &own);
        let siblings = siblings(&parsed.found.items, own.start);
        let own_place = siblings.iter().position(|it| it.start == own.start).unwrap_or_default();
        let delimiter = delimiter(text, own.start);
        let belongs = |one: &Span, other: &Span| {
            let mut between = lines_from(&text[..line_start(text, other.start)], one.end).skip(1);
            delimiter == self::delimiter(text, other.start)
                && delimiter == self::delimiter(text, one.start)
                && number(text, one.start).is_some() == number(text, other.start).is_some()
                && between.all(|(_, line)| containers.is_blank(line))
        };
        let (mut first, mut last) = (own_place, own_place);
        while first > 0 && belongs(&siblings[first - 1], &siblings[first]) {
            first -= 1;
        }
        while last + 1 < siblings.len() && belongs(&siblings[last], &siblings[last + 1]) {
            last += 1;
        }
        let items = siblings.get(first..=last).unwrap_or_default().to_vec();
        let numbering = numbering(text, &items);
        let after = &text[own.start + marker_length(&text[own.start..])..own.end];
        let blanks = Cursor::new(after).blanks(5);
        let blanks = if (1..5).contains(&blanks) { blanks } else { 1 };
        List { place: own_place - first, items, numbering, delimiter, blanks }
    }

    /// The number that an item at `place` must have.
    fn number_at(&self, text: &str, place: usize) -> Option<usize> {
        match self.numbering {
            Numbering::Bullets => None,
            Numbering::Same(number) => Some(number),
            Numbering::Counting(first) => Some(first + place),
            Numbering::Free => {
                let near = self.items.get(place).or(self.items.last())?;
                let number = number(text, near.start)?;
                Some(number + usize::from(place >= self.items.len()))
            }
        }
    }

    fn marker(&self, text: &str, place: usize) -> String {
        let number = self.number_at(text, place).map(|it| it.to_string()).unwrap_or_default();
        format!("{number}{}{}", self.delimiter, " ".repeat(self.blanks))
    }

    /// Whether a line begins with the marker of an item at `place`.
    pub(super) fn has_marker(&self, text: &str, line: &str, place: usize) -> bool {
        let marker = self.marker(text, place);
        let rest = line.strip_prefix(marker.trim_end());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '\t']))
    }

    /// Lines as items of this list, the first at `place`, and how many items they are. A text
    /// becomes one item; what is something else stays that.
    pub(super) fn itemized(
        &self,
        parsed: &Parsed,
        lines: &[String],
        place: usize,
    ) -> (Vec<String>, usize) {
        let text = lines.join("\n");
        let mut patience = || ControlFlow::Continue(());
        let content = Parsed::new(parsed.language(), Content::plain(text.as_str()), &mut patience);
        let Ok(content) = content else { return (lines.to_vec(), 0) };
        let kind = content.outline.structures.first().map(|first| first.kind);
        if kind == Some(Kind::Paragraph) {
            let marker = self.marker(parsed.text(), place);
            return (after(&marker, lines), 1);
        }
        let outer = siblings(&content.found.items, usize::MAX);
        // A lone carriage return ends a line of Markdown, but not a line of a file.
        let begins_line = |item: &Span| {
            let [first, _] = content.lines_of(item);
            let begins =
                |line: &String| content.text()[item.start..].starts_with(line.trim_start());
            lines.get(first - 1).is_some_and(begins)
        };
        if kind != Some(Kind::Item) || outer.is_empty() || !outer.iter().all(begins_line) {
            return (lines.to_vec(), 0);
        }
        let mut itemized = lines.to_vec();
        for (count, item) in outer.iter().enumerate() {
            let [first, last] = content.lines_of(item);
            let inner = Containers::around(&content, &(item.start + 1..item.end));
            let marker = self.marker(parsed.text(), place + count);
            let bare = lines[first - 1..last].iter().enumerate().map(|(place, line)| {
                let mut cursor = Cursor::new(line);
                if place == 0 {
                    let start = line.len() - line.trim_start().len();
                    cursor.skip(start + marker_length(&line[start..]));
                    cursor.blanks(
                        inner.0.first().map_or(1, |own| own.column.saturating_sub(cursor.column)),
                    );
                } else if !inner.strip(&mut cursor) {
                    return Err(line.clone());
                }
                Ok(cursor.text())
            });
            let bare: Vec<Result<String, String>> = bare.collect();
            let width = " ".repeat(marker.len());
            for (place, line) in bare.into_iter().enumerate() {
                itemized[first - 1 + place] = match line {
                    Ok(line) if line.trim_matches(super::BLANKS).is_empty() => match place {
                        0 => marker.trim_end().to_owned(),
                        _ => String::new(),
                    },
                    Ok(line) if place == 0 => format!("{marker}{line}"),
                    Ok(line) => format!("{width}{line}"),
                    Err(lazy) => lazy,
                };
            }
        }
        (itemized, outer.len())
    }

    /// The edits that move the numbers of the items from `place` on by `by`.
    pub(super) fn renumbered(&self, parsed: &Parsed, place: usize, by: isize) -> Vec<Edit> {
        let Numbering::Counting(_) = self.numbering else { return Vec::new() };
        let text = parsed.text();
        let mut edits = Vec::new();
        for item in self.items.iter().skip(place).filter(|_| by != 0) {
            let Some(old) = number(text, item.start) else { continue };
            let new = old.saturating_add_signed(by).to_string();
            let digits = marker_length(&text[item.start..]) - 1;
            let wider = new.len() as isize - digits as isize;
            edits.push(Edit { span: item.start..item.start + digits, text: new });
            edits.extend(indented(parsed, item, wider));
        }
        edits
    }
}

/// The edits that indent the lines of an item after its first by `by` columns more.
fn indented(parsed: &Parsed, item: &Span, by: isize) -> Vec<Edit> {
    if by == 0 {
        return Vec::new();
    }
    let containers = Containers::around(parsed, &(item.start + 1..item.end));
    let text = parsed.text();
    let lines = lines_from(&text[..item.end], item.start).skip(1);
    let edits = lines.filter_map(|(start, line)| {
        let (cursor, has) = containers.stripped(line);
        if !has || cursor.is_blank() {
            return None;
        }
        let at = start + line.len() - cursor.rest.len();
        let narrower = at.saturating_sub(by.unsigned_abs());
        let removable = line.is_char_boundary(narrower.saturating_sub(start))
            && text[narrower.max(start)..at].bytes().all(|byte| byte == b' ');
        match by {
            1.. => Some(Edit { span: at..at, text: " ".repeat(by.unsigned_abs()) }),
            _ if removable => Some(Edit { span: narrower.max(start)..at, text: String::new() }),
            _ => None,
        }
    });
    edits.collect()
}

/// A text after a marker.
fn after(marker: &str, lines: &[String]) -> Vec<String> {
    let width = " ".repeat(marker.len());
    let line = |(place, line): (usize, &String)| match place {
        0 => format!("{marker}{line}"),
        _ if line.trim_matches(super::BLANKS).is_empty() => String::new(),
        _ => format!("{width}{line}"),
    };
    lines.iter().enumerate().map(line).collect()
}

fn numbering(text: &str, items: &[Span]) -> Numbering {
    let numbers: Vec<usize> = items.iter().filter_map(|it| number(text, it.start)).collect();
    let Some(first) = numbers.first().copied() else { return Numbering::Bullets };
    if numbers.len() > 1 && numbers.iter().all(|number| *number == first) {
        return Numbering::Same(first);
    }
    let counts = numbers.iter().enumerate().all(|(place, number)| *number == first + place);
    if counts { Numbering::Counting(first) } else { Numbering::Free }
}

fn number(text: &str, start: usize) -> Option<usize> {
    text[start..start + marker_length(&text[start..]) - 1].parse().ok()
}

fn delimiter(text: &str, start: usize) -> char {
    text[start + marker_length(&text[start..]) - 1..].chars().next().unwrap_or('-')
}

/// The items in the same container as the one that begins at `start`, in order; those in no
/// container where none begins there.
fn siblings(items: &[Item], start: usize) -> Vec<Span> {
    let mut open: Vec<&Item> = Vec::new();
    let mut parents: Vec<(Option<usize>, &Item)> = Vec::new();
    for item in items {
        open.retain(|around| around.span.end >= item.span.end && around.span.end > item.span.start);
        if item.kind == Kind::Item {
            parents.push((open.last().map(|around| around.span.start), item));
        }
        if matches!(item.kind, Kind::Item | Kind::Quote) {
            open.push(item);
        }
    }
    let own = parents.iter().find(|(_, item)| item.span.start == start);
    let own = own.and_then(|(parent, _)| *parent);
    let beside = parents.iter().filter(|(parent, _)| *parent == own);
    beside.map(|(_, item)| item.span.clone()).collect()
}
