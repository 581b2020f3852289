//! The start of a file: what has to stay before everything else.

use super::indent::next_line;
use super::markdown;
use crate::structure::Parsed;
use crate::syntax::Node;

/// Where the line after the prologue begins; 0 where there is none.
pub(super) fn end(parsed: &Parsed) -> usize {
    if markdown::is(parsed.language()) {
        return markdown::prologue(parsed);
    }
    let text = parsed.text();
    let mut end = first_lines(parsed);
    let mut cursor = parsed.tree.root().walk();
    for node in parsed.tree.root().named_children(&mut cursor) {
        let documents = parsed.language().documents_around(&text[node.byte_range()]);
        if parsed.language().comments.contains(&node.kind()) && !documents {
            continue;
        }
        if !documents && !stays_first(parsed, node) {
            break;
        }
        end = end.max(match text[..node.end_byte()].ends_with('\n') {
            true => node.end_byte(),
            false => next_line(text, node.end_byte()),
        });
    }
    end
}

/// A line `#!`, one that names the encoding, and the comments directly under them.
fn first_lines(parsed: &Parsed) -> usize {
    let text = parsed.text();
    let mut end = 0;
    let mut start = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let is_comment = is_comment_at(parsed, start + (line.len() - line.trim_start().len()));
        let names_encoding = line.contains("coding:") || line.contains("coding=");
        let stays = match number {
            0 => line.starts_with("#!") || is_comment && names_encoding,
            1 => is_comment && (end > 0 || names_encoding),
            _ => is_comment && end == start,
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

/// Whether a node is one that the language wants first: one of its list, or a string that stands
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
