//! What a language's query finds in a tree, as plain spans.

use std::ops::ControlFlow;

use tree_sitter::{QueryCursor, QueryCursorOptions, StreamingIterator};

use super::{Patience, Role, Tree, Unparsed};
use crate::structure::Kind;
use crate::text::Span;

/// More unfinished matches at once than any text needs.
const MATCH_LIMIT: u32 = 1 << 16;

/// A node that the query calls a structure.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is.
    pub kind: Kind,
    /// The node's bytes, or up to the end that the query gives.
    pub span: Span,
    /// The name's bytes.
    pub name: Option<Span>,
    /// The bytes of the header, where the query says which.
    pub header: Option<Span>,
    /// The bytes of the body or value.
    pub body: Option<Span>,
}

/// What the query finds, each list in the order of the text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The structures, outer ones first.
    pub items: Vec<Item>,
    /// Nodes that only wrap a structure.
    pub wrappers: Vec<Span>,
    /// Comments.
    pub comments: Vec<Span>,
    /// Siblings before a structure that belong to it.
    pub attributes: Vec<Span>,
    /// Parts of structures that are no part of a header.
    pub decorations: Vec<Span>,
    /// Syntax errors, and places where the parser missed something.
    pub errors: Vec<Span>,
}

/// Runs the query over a tree of `text`.
///
/// # Errors
/// [`Unparsed::TooSlow`] where `patience` ends, and [`Unparsed::TooDeep`] where more matches are
/// unfinished at once than the limit allows.
pub fn items(tree: &Tree, text: &str, patience: Patience<'_>) -> Result<Found, Unparsed> {
    let grammar = tree.grammar();
    let mut out_of_time = false;
    let mut progress = |_: &tree_sitter::QueryCursorState| {
        out_of_time = patience().is_break();
        if out_of_time { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let mut cursor = QueryCursor::new();
    cursor.set_match_limit(MATCH_LIMIT);
    let options = QueryCursorOptions::new().progress_callback(&mut progress);
    let mut found = Found::default();
    let mut items: Vec<Matched> = Vec::new();
    let mut matches =
        cursor.matches_with_options(&grammar.query, tree.root(), text.as_bytes(), options);
    while let Some(found_here) = matches.next() {
        let mut node = None;
        let (mut name, mut header, mut body, mut end) = (None, None, None, None);
        for capture in found_here.captures() {
            let span = capture.node.byte_range();
            match grammar.roles[capture.index as usize] {
                Role::Item(kind) => node = Some((Some(kind), span)),
                Role::Skip => node = Some((None, span)),
                Role::Name => name = name.or(Some(span)),
                Role::Header => header = header.or(Some(span)),
                Role::Body => body = body.or(Some(span)),
                Role::End => end = Some(span.end),
                Role::Wrapper => found.wrappers.push(span),
                Role::Comment => found.comments.push(span),
                Role::Attribute => found.attributes.push(span),
                Role::Decoration => found.decorations.push(span),
                Role::Error => found.errors.push(span),
            }
        }
        if let Some((kind, node)) = node {
            let span = node.start..end.unwrap_or(node.end);
            let item = kind.map(|kind| Item { kind, span, name, header, body });
            items.push(Matched { node, pattern: found_here.pattern_index, item });
        }
    }
    drop(matches);
    if out_of_time {
        return Err(Unparsed::TooSlow);
    }
    if cursor.did_exceed_match_limit() {
        return Err(Unparsed::TooDeep);
    }
    found.items = settled(items);
    for list in [
        &mut found.wrappers,
        &mut found.comments,
        &mut found.attributes,
        &mut found.decorations,
        &mut found.errors,
    ] {
        list.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end)));
        list.dedup();
    }
    Ok(found)
}

/// A match of a pattern that says something about a node.
struct Matched {
    node: Span,
    /// The pattern's place in the query.
    pattern: usize,
    /// `None` where the pattern says that the node is no structure.
    item: Option<Item>,
}

/// One item for each node: none where a pattern skips it, else the one of the first pattern.
fn settled(mut matched: Vec<Matched>) -> Vec<Item> {
    matched.sort_by_key(|it| {
        (it.node.start, std::cmp::Reverse(it.node.end), it.item.is_some(), it.pattern)
    });
    matched.dedup_by(|later, first| later.node == first.node);
    matched.into_iter().filter_map(|it| it.item).collect()
}
