//! Another text in the place of a structure, exactly inverse to what `read` gives.

use super::list;
use super::prefix::Prefix;
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::structure::perform::written::Edits;
use crate::text::Span;
use crate::text::lines::Ending;

/// The edits, and where the new text is afterwards. Lines that are as `read` gives them, from
/// the first on and from the last back, keep their bytes.
pub(super) fn replace(parsed: &Parsed, index: usize, content: &str) -> (Edits, Span) {
    let text = parsed.text();
    let structure = &parsed.outline.structures[index];
    let span = structure.extent.clone();
    let prefix = Prefix::of(parsed, index);
    let old = prefix.zero_lines(parsed, &span);
    let mut new = super::content_lines(content);
    if old.first().is_some_and(|line| line.starts_with([' ', '\t'])) {
        // What it begins with is indented itself, as code may be.
        new =
            content.trim_end_matches([' ', '\t', '\r', '\n']).lines().map(str::to_owned).collect();
    }
    if new == old {
        return (Edits::one(span.clone(), &text[span.clone()]), span);
    }
    let mut edits = Vec::new();
    if structure.kind == Kind::Item {
        let list = list::List::of(parsed, index);
        let (lines, count) = list.itemized(parsed, &new, list.place);
        // An item that has the marker already is as it is to be.
        let has_marker = |line: &String| list.has_marker(parsed.text(), line, list.place);
        if count != 1 || !new.first().is_some_and(has_marker) {
            new = lines;
        }
        edits = list.renumbered(parsed, list.place + 1, count as isize - 1);
    }
    let raw: Vec<&str> = super::lines_from(&text[span.clone()], 0).map(|(_, line)| line).collect();
    let same = |(one, other): &(&String, &String)| one == other;
    let first = new.iter().zip(&old).take_while(same).count();
    let shorter = new.len().min(old.len()) - first;
    let last = new.iter().rev().zip(old.iter().rev()).take(shorter).take_while(same).count();
    let ending = Ending::dominant(text).as_str();
    let mut written = String::new();
    for (place, line) in new.iter().enumerate() {
        let kept = match place {
            place if place < first => raw.get(place),
            place if place + last >= new.len() => raw.get(raw.len() + place - new.len()),
            _ => None,
        };
        match kept {
            Some(raw) => written.push_str(super::without_ending(raw)),
            None if place == 0 => written.push_str(line),
            None => written.push_str(&prefix.line(line, false)),
        }
        if place + 1 < new.len() {
            let own = raw.get(place).map_or("", |raw| &raw[super::without_ending(raw).len()..]);
            written.push_str(if own.is_empty() { ending } else { own });
        }
    }
    let new = span.start..span.start + written.len();
    edits.push(crate::edit::Edit { span, text: written });
    (Edits::new(edits), new)
}
