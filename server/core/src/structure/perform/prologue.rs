//! The start of a file: what must stay before everything else.

use super::indent::next_line;
use super::markdown;
use super::place::last_child;
use crate::outline::Parsed;
use crate::outline::{line_start, names_encoding};
use crate::syntax::Node;

/// Where the line after the prologue begins; 0 where there is none.
pub(super) fn end(parsed: &Parsed) -> usize {
    if markdown::is(parsed.language()) {
        return markdown::prologue(parsed);
    }
    let text = parsed.text();
    let mut end = first_lines(parsed);
    let guard = guard(parsed);
    let around = guard.as_ref().map_or(parsed.tree.root(), |guard| guard.node);
    let own = guard.as_ref().map_or(0, |guard| guard.contents);
    if let Some(last) = own.checked_sub(1).and_then(|last| around.named_child(last as u32)) {
        end = end.max(line_behind(text, last));
    }
    for node in around.named_children(&mut around.walk()).skip(own) {
        let (language, own) = (parsed.language(), &text[node.byte_range()]);
        let is_comment = language.comments.contains(&node.kind());
        let documents = language.documents_around(own) || is_comment && language.is_of_file(own);
        if is_comment && !documents {
            continue;
        }
        if !documents && !stays_first(parsed, node) {
            break;
        }
        end = end.max(line_behind(text, node));
    }
    let opening = documents(parsed).first().and_then(|(opening, _)| *opening);
    opening.map_or(end, |opening| end.max(line_behind(text, opening)))
}

/// Where the file ends for what is put there: before the line that closes a guard or the last
/// document.
pub(super) fn close(parsed: &Parsed) -> usize {
    let text = parsed.text();
    let closing = guard(parsed).and_then(|guard| last_child(guard.node));
    let closing = closing.or_else(|| documents(parsed).last().and_then(|(_, closing)| *closing));
    closing.map_or(text.len(), |closing| line_start(text, closing.start_byte()))
}

/// What opens and what closes each document of a file that may hold several.
fn documents(parsed: &Parsed) -> Vec<(Option<Node<'_>>, Option<Node<'_>>)> {
    let Some(language) = parsed.language().documents else { return Vec::new() };
    let root = parsed.tree.root();
    let mut cursor = root.walk();
    let documents = root.named_children(&mut cursor).filter(|it| it.kind() == language.node);
    documents.map(|it| (mark(it, language.opens), mark(it, language.closes))).collect()
}

/// The child of a document that is a mark.
fn mark<'a>(document: Node<'a>, mark: &str) -> Option<Node<'a>> {
    let mut cursor = document.walk();
    document.children(&mut cursor).find(|child| child.kind() == mark)
}

/// What is around all of a file so that it is read only once.
struct Guard<'a> {
    node: Node<'a>,
    /// How many of its named children are its own: its name, and what defines that.
    contents: usize,
}

fn guard(parsed: &Parsed) -> Option<Guard<'_>> {
    let language = parsed.language();
    let root = parsed.tree.root();
    let mut cursor = root.walk();
    let is_comment = |node: &Node<'_>| language.comments.contains(&node.kind());
    let mut nodes = root.named_children(&mut cursor).filter(|node| !is_comment(node));
    let node = nodes.find(|node| !language.prologue.contains(&node.kind()))?;
    if nodes.next().is_some() || !language.guards.contains(&node.kind()) {
        return None;
    }
    let text = |node: Node<'_>| &parsed.text()[node.byte_range()];
    let mut cursor = node.walk();
    let mut inside = node.named_children(&mut cursor).enumerate().filter(|(_, it)| !is_comment(it));
    let (_, name) = inside.next()?;
    let (place, definition) = inside.next()?;
    // With a value it is a default, and with a branch there are two contents.
    let is_bare = definition.named_child_count() == 1;
    let defines = definition.named_child(0).is_some_and(|defined| text(defined) == text(name));
    let has_branch = inside.last().is_some_and(|(_, last)| text(last).starts_with("#el"));
    (is_bare && defines && !has_branch).then_some(Guard { node, contents: place + 1 })
}

fn line_behind(text: &str, node: Node<'_>) -> usize {
    match text[..node.end_byte()].ends_with('\n') {
        true => node.end_byte(),
        false => next_line(text, node.end_byte()),
    }
}

/// A line `#!`, one that names the encoding, and the comments directly under them that do not
/// belong to the first structure.
fn first_lines(parsed: &Parsed) -> usize {
    let text = parsed.text();
    let first = parsed.outline.structures.first().map_or(text.len(), |it| it.extent.start);
    let mut end = 0;
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let indent = line.len() - line.trim_start().len();
        let is_comment = indent < line.len() && is_comment_at(parsed, start + indent);
        let names_encoding = is_comment && names_encoding(line);
        let is_free = is_comment && start < first;
        let stays = match number {
            // What begins with `#![` is an attribute.
            0 => line.starts_with("#!") && !line.starts_with("#![") || names_encoding,
            1 => names_encoding || is_free && end > 0,
            _ => is_free && end == start,
        };
        start += line.len();
        if stays {
            end = start;
        } else if number > 0 {
            break;
        }
    }
    end
}

fn is_comment_at(parsed: &Parsed, offset: usize) -> bool {
    let comments = &parsed.outline.comments;
    comments.binary_search_by_key(&offset, |comment| comment.start).is_ok()
}

/// Whether a node is one that the language wants first: one of its list, or a string that is
/// by itself and so documents the file.
fn stays_first(parsed: &Parsed, node: Node<'_>) -> bool {
    let language = parsed.language();
    let documents = |node: Node<'_>| {
        let only = node.named_child(0).filter(|_| node.named_child_count() == 1);
        only.is_some_and(|only| language.verbatim.contains(&only.kind()))
    };
    language.prologue.contains(&node.kind())
        || language.moving.contains(&node.kind()) && documents(node)
}
