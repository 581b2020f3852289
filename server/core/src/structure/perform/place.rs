//! Where a structure is among its neighbours: its node, its separator, its lines.

use super::indent::{self, is_blank, is_first, is_last, line_end};
use super::kept::no_code;
use crate::outline::line_start;
use crate::outline::{Parsed, Structure};
use crate::syntax::Node;
use crate::text::{Packed, Span};

/// Where a structure is among its neighbours.
pub(super) struct Place<'a> {
    parsed: &'a Parsed,
    /// The structure's place in the outline.
    pub index: usize,
    /// The node around the structure and its neighbours.
    pub parent: Option<Node<'a>>,
    /// The structure, a separator at its end left out.
    pub extent: Span,
    /// Where its code ends: before a comment on its last line.
    pub code_end: usize,
    /// What sets it apart from other members, where it is a member of a list.
    pub list: Option<&'static str>,
    /// All that may set members apart there.
    lists: Vec<&'static str>,
    /// The marks of which its node ends with one, unless it is the last.
    pub ends: &'static [&'static str],
    /// The separator before it.
    pub before: Option<Span>,
    /// The separator after it.
    pub separator: Option<Span>,
    /// The structure with its separator and the comment after that.
    pub region: Span,
    /// Whether nothing is before it in its block.
    pub opens: bool,
    /// Whether nothing is after it in its block.
    pub closes: bool,
    /// Whether it is the last of its neighbours, without a separator after it.
    pub ends_list: bool,
    /// Whether it is after a marker, with nothing after it on its last line.
    pub is_marked: bool,
    /// Whether nothing else is on its lines.
    pub own_lines: bool,
}

impl<'a> Place<'a> {
    /// The place of the structure at `index`.
    pub(super) fn of(parsed: &'a Parsed, index: usize) -> Place<'a> {
        let structure = &parsed.outline.structures[index];
        let text = parsed.text();
        let node = outermost(parsed, structure);
        let parent = node.parent();
        let lists = parent.map_or_else(Vec::new, |parent| separators_in(parsed, parent));
        let mut extent = structure.extent.clone();
        // A `;` that the structure has for itself is its code's end.
        let terminator = node.next_sibling().filter(|next| {
            next.kind() == ";" && structure.extent.end >= next.end_byte() && lists.is_empty()
        });
        let node_end = terminator.map_or(trimmed_end(text, &node.byte_range()), |it| it.end_byte());
        let code = extent.start..node_end.clamp(extent.start, extent.end);
        let mut code_end = before_comment(parsed, &code);
        // Statements are set apart by `;`, and the last member of a list is followed by one.
        let is_separator = |kind: &str| lists.contains(&kind) || lists.is_empty() && kind == ";";
        let own = last_child(node).filter(|last| lists.contains(&last.kind()));
        let mut separator = None;
        if let Some(own) = own.filter(|own| own.end_byte() == code_end) {
            separator = Some(own.byte_range());
            code_end = trimmed_end(text, &(extent.start..own.start_byte()));
            extent.end = code_end;
        } else if let Some(next) = sibling(parsed, parent, node, true) {
            let on_line = !lists.is_empty() || next.start_byte() <= line_end(text, code_end);
            // One that the structure has for itself goes where it goes.
            let is_apart = next.start_byte() >= structure.extent.end;
            let parts = is_separator(next.kind()) && on_line && is_apart;
            separator = Some(next.byte_range()).filter(|_| parts);
        }
        let is_ended = lists.is_empty() && text[extent.start..code_end].ends_with(';');
        let before = sibling(parsed, parent, node, false).filter(|it| {
            let on_line = !lists.is_empty() || it.start_byte() >= line_start(text, extent.start);
            let ends_other = is_terminator(parsed, *it) || is_in_sibling(parsed, index, *it);
            is_separator(it.kind()) && on_line && !is_ended && !ends_other
        });
        let region = region(parsed, &extent, structure.extent.end, separator.as_ref());
        let next = sibling(parsed, parent, node, true);
        let ends_list = separator.is_none() && next.is_none_or(closes_list);
        let is_marked = is_last(text, region.end) && indent::is_marked(parsed, region.start);
        let own_lines = is_first(text, region.start) && is_last(text, region.end);
        let before = before.map(|it| it.byte_range());
        let beside = [&separator, &before].into_iter().flatten().map(|it| &text[it.clone()]);
        let list = beside
            .chain(lists.first().copied())
            .find_map(|it| lists.iter().copied().find(|one| *one == it));
        let mut place = Place {
            parsed,
            index,
            parent,
            extent,
            code_end,
            list,
            lists,
            ends: ends_of(parsed, node),
            before,
            separator,
            region,
            opens: false,
            closes: false,
            ends_list,
            is_marked,
            own_lines,
        };
        place.opens = !place.follows_something();
        place.closes = !place.precedes_something();
        place
    }

    /// What may be after it to set it apart, which content need not bring.
    pub(super) fn separators(&self) -> Vec<&'a str> {
        let spans = [&self.before, &self.separator].into_iter().flatten();
        let beside = spans.map(|span| &self.parsed.text()[span.clone()]);
        self.lists.iter().copied().chain(beside).collect()
    }

    /// The mark that it lacks where another node follows it; empty where it lacks none.
    pub(super) fn missing_end(&self) -> String {
        missing_end(self.ends, &self.parsed.text()[self.extent.start..self.code_end])
    }

    /// Whether it shares its line with statements of which each is set apart by `;`.
    pub(super) fn is_statement(&self) -> bool {
        let semicolon = |span: &Option<Span>| {
            span.as_ref().is_some_and(|span| &self.parsed.text()[span.clone()] == ";")
        };
        self.parsed.language().indented || semicolon(&self.before) || semicolon(&self.separator)
    }

    fn follows_something(&self) -> bool {
        let text = self.parsed.text();
        let mut end = text[..self.extent.start].trim_end().len();
        while end > 0 {
            let Some(comment) = self.comment_at(end - 1) else {
                return self.is_content(self.leaf(end - 1));
            };
            if is_first(text, comment.start) {
                return true;
            }
            end = text[..comment.start].trim_end().len();
        }
        false
    }

    fn precedes_something(&self) -> bool {
        let text = self.parsed.text();
        let mut start = self.region.end;
        let column = |at: usize| at - line_start(text, at);
        loop {
            start += text[start..].len() - text[start..].trim_start().len();
            if start >= text.len() {
                return false;
            }
            let Some(comment) = self.comment_at(start) else {
                return self.is_content(self.leaf(start));
            };
            if !self.parsed.language().indented || column(start) >= column(self.extent.start) {
                return true;
            }
            start = comment.end;
        }
    }

    /// The smallest node at an offset.
    fn leaf(&self, at: usize) -> Node<'a> {
        let root = self.parsed.tree.root();
        root.descendant_for_byte_range(at, at + 1).unwrap_or(root)
    }

    /// The comment that an offset is in.
    fn comment_at(&self, at: usize) -> Option<&Span> {
        let comments = &self.parsed.outline.comments;
        let before = comments.partition_point(|comment| comment.start <= at);
        comments[..before].last().filter(|comment| comment.end > at)
    }

    /// Whether a node is a neighbour or a part of one, and not what opens or closes the block.
    fn is_content(&self, leaf: Node<'_>) -> bool {
        let Some(parent) = self.parent else { return false };
        let around = with_ancestors(self.parsed, leaf);
        let inside = around.windows(2).find(|pair| pair[1].id() == parent.id());
        let Some([node, _]) = inside else { return false };
        let encloses = self.parsed.language().enclosing.contains(&node.kind());
        node.is_named() && !encloses
            || [",", ";"].contains(&node.kind())
            || self.lists.contains(&node.kind())
    }
}

/// The node of a structure, or the outermost of those that only wrap it.
pub(super) fn outermost<'a>(parsed: &'a Parsed, structure: &Structure) -> Node<'a> {
    let text = parsed.text();
    let root = parsed.tree.root();
    let extent = &structure.extent;
    let end = (structure.own_start + 1).min(extent.end).max(structure.own_start);
    let first = root.descendant_for_byte_range(structure.own_start, end).unwrap_or(root);
    let around = structure.parent.map(|parent| &parsed.outline.structures[parent]);
    let body = around.and_then(|around| around.body).map(Packed::span);
    let ancestors = with_ancestors(parsed, first);
    // A node may go on after all that shows: a comment in the place of a body.
    let bodies = structure.body.iter().chain(structure.header.last());
    let own_end = bodies.map(|part| part.end()).max().unwrap_or_default().min(extent.end);
    let mut outermost = first;
    for node in &ancestors[1..] {
        let span = node.byte_range();
        let is_whole = outermost.end_byte() >= own_end;
        let has_more = is_whole && trimmed_end(text, &span) > extent.end;
        let is_inside =
            span.start >= extent.start && (!has_more || parts_next(parsed, extent, &span));
        if node.id() == root.id() || !is_inside {
            break;
        }
        outermost = *node;
        // What is all of a body is the first node with the body's bytes; the next one is the body.
        if Some(span) == body {
            break;
        }
    }
    outermost
}

/// Whether all that a node has after a structure is a `;` that belongs to what is after that.
fn parts_next(parsed: &Parsed, extent: &Span, node: &Span) -> bool {
    let more = parsed.text().get(extent.end..node.end);
    parsed.language().leading_semicolons
        && more.is_some_and(|more| more.ends_with(';'))
        && no_code(parsed, &(extent.end..node.end), &(0..0))
}

/// A node and all that it is in, innermost first.
///
/// Asking each for its parent would look for it from the root each time.
pub(super) fn with_ancestors<'a>(parsed: &'a Parsed, node: Node<'a>) -> Vec<Node<'a>> {
    let mut path = vec![parsed.tree.root()];
    while let Some(last) = path.last().filter(|last| last.id() != node.id()) {
        let Some(child) = last.child_with_descendant(node) else { break };
        path.push(child);
    }
    path.reverse();
    path
}

/// Whether what follows a member is not another member: a bracket, or what begins with the `;`
/// that ends the constants of an enumeration.
fn closes_list(node: Node<'_>) -> bool {
    !node.is_named() || node.child(0).is_some_and(|first| first.kind() == ";")
}

/// Whether a `;` belongs to what is before it, rather than set that apart from what follows.
fn is_terminator(parsed: &Parsed, node: Node<'_>) -> bool {
    let terminated = |before: Node<'_>| parsed.language().terminated.contains(&before.kind());
    node.kind() == ";" && node.prev_sibling().is_some_and(terminated)
}

/// Whether a node before a structure is a part of the one before that: a `;` that it has for itself.
fn is_in_sibling(parsed: &Parsed, index: usize, node: Node<'_>) -> bool {
    let structures = &parsed.outline.structures;
    let mut before = index.checked_sub(1);
    while let Some(other) = before.filter(|other| structures[index].parent != Some(*other)) {
        if structures[other].extent.contains(&node.start_byte()) {
            return true;
        }
        before = structures[other].parent;
    }
    false
}

/// Where code ends before a comment on its last line, which a grammar may have in it.
fn before_comment(parsed: &Parsed, code: &Span) -> usize {
    let text = parsed.text();
    let comments = &parsed.outline.comments;
    let before = comments.partition_point(|comment| comment.start < code.end);
    let last = comments[..before].last().filter(|comment| {
        comment.start > code.start
            && trimmed_end(text, comment) == code.end
            && !is_first(text, comment.start)
    });
    last.map_or(code.end, |comment| trimmed_end(text, &(code.start..comment.start)))
}

/// The marks of which a node ends with one, unless it is the last.
fn ends_of(parsed: &Parsed, node: Node<'_>) -> &'static [&'static str] {
    let mut ended = parsed.language().ended.iter();
    ended.find(|(kind, _)| *kind == node.kind()).map_or(&[], |(_, ends)| ends)
}

/// The mark that code lacks at its end, of those that it may end with.
pub(super) fn missing_end(ends: &[&str], code: &str) -> String {
    let has_one = ends.iter().any(|end| code.ends_with(end));
    ends.first().filter(|_| !has_one).map_or_else(String::new, |first| format!(" {first}"))
}

/// What may set the children of a node apart.
fn separators_in(parsed: &Parsed, parent: Node<'_>) -> Vec<&'static str> {
    let lists = parsed.language().separated.iter();
    let lists = lists.filter(|(kind, _)| *kind == parent.kind());
    lists.map(|(_, separator)| *separator).collect()
}

/// The last child of a node, named or not.
pub(super) fn last_child(node: Node<'_>) -> Option<Node<'_>> {
    node.child(node.child_count().checked_sub(1)?)
}

/// The next or previous sibling that is not a comment.
///
/// Asking each sibling for the next would look for it from the root each time.
fn sibling<'a>(
    parsed: &Parsed,
    parent: Option<Node<'a>>,
    node: Node<'a>,
    next: bool,
) -> Option<Node<'a>> {
    let is_comment = |node: Node<'_>| parsed.language().comments.contains(&node.kind());
    let mut cursor = parent?.walk();
    let (mut before, mut is_behind) = (None, false);
    let mut is_one = cursor.goto_first_child();
    while is_one {
        let child = cursor.node();
        if child.id() == node.id() {
            if !next {
                return before;
            }
            is_behind = true;
        } else if !is_comment(child) {
            if is_behind {
                return Some(child);
            }
            before = Some(child);
        }
        is_one = cursor.goto_next_sibling();
    }
    None
}

/// The structure with its separator, and the comment after that where nothing follows.
fn region(parsed: &Parsed, extent: &Span, whole_end: usize, separator: Option<&Span>) -> Span {
    let text = parsed.text();
    let Some(separator) = separator else { return extent.start..whole_end };
    let end = separator.end.max(whole_end);
    let line = &text[end..line_end(text, end)];
    let start = end + (line.len() - line.trim_start().len());
    let comments = &parsed.outline.comments;
    let place = comments.partition_point(|comment| comment.start < start);
    let comment = comments.get(place).filter(|comment| comment.start == start);
    let comment_end = comment.map(|comment| trimmed_end(text, comment));
    let is_tail = |end: &usize| is_blank(&text[*end..line_end(text, *end)]);
    extent.start..comment_end.filter(is_tail).unwrap_or(end)
}

fn trimmed_end(text: &str, span: &Span) -> usize {
    span.start + text[span.clone()].trim_end().len()
}
