//! Lines that must keep their bytes: those that begin inside a multi-line string or the like.

use super::indent::is_first;
use crate::outline::{Parsed, line_start};
use crate::syntax::Node;
use crate::text::Span;

/// Where the lines of `span` begin that must keep their bytes, ascending.
pub(super) fn line_starts(parsed: &Parsed, span: &Span) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut cursor = parsed.tree.root().walk();
    let mut around = Vec::new();
    loop {
        let node = cursor.node();
        let is_behind = node.start_byte() >= span.end;
        if !is_behind && parsed.language().verbatim_lines.contains(&node.kind()) {
            starts.extend(first_line(parsed.text(), node.start_byte()));
        }
        // What is on one line holds no start of a line.
        let is_inline = node.start_position().row == node.end_position().row;
        let keeps = !is_behind && !is_inline && keeps_bytes(parsed, node, around.last());
        if keeps {
            starts.extend(starts_inside(parsed.text(), node.byte_range()));
        }
        let is_open = !(is_behind || is_inline || keeps);
        if is_open && cursor.goto_first_child_for_byte(span.start).is_some() {
            around.push(node);
            continue;
        }
        let mut is_done = is_behind;
        while is_done || !cursor.goto_next_sibling() {
            is_done = false;
            if !cursor.goto_parent() {
                starts.dedup();
                return starts;
            }
            around.pop();
        }
    }
}

fn keeps_bytes(parsed: &Parsed, node: Node<'_>, parent: Option<&Node<'_>>) -> bool {
    let language = parsed.language();
    let text = &parsed.text().as_bytes()[node.byte_range()];
    let begins = |start: &str| {
        text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start.as_bytes()))
    };
    let mut starts = language.verbatim_starts.iter();
    if !language.verbatim.contains(&node.kind())
        && !starts.any(|(kind, start)| *kind == node.kind() && begins(start))
    {
        return false;
    }
    !parent.is_some_and(|parent| language.moving.contains(&parent.kind()))
}

/// Where the line begins that a node at `start` is the first on.
fn first_line(text: &str, start: usize) -> Option<usize> {
    is_first(text, start).then(|| line_start(text, start))
}

fn starts_inside(text: &str, span: Span) -> impl Iterator<Item = usize> {
    let inside = text.as_bytes()[span.clone()].iter().enumerate();
    let starts = inside.filter(|(_, byte)| **byte == b'\n').map(move |(at, _)| span.start + at + 1);
    let end = span.end;
    starts.filter(move |start| *start < end)
}
