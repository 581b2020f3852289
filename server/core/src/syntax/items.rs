//! What a language's query finds in a tree, as plain spans.

use tree_sitter::{Node, QueryCursor, StreamingIterator};

use super::tree::Window;
use super::{Blocks, Grammar, Patience, Role, Tree, Unparsed, commonmark};
use crate::syntax::Kind;
use crate::text::{Packed, Span};

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
    pub name: Option<Packed>,
    /// The bytes of the header, where the query says which.
    pub header: Option<Packed>,
    /// The bytes of the body or value.
    pub body: Option<Packed>,
    /// What the header ends before, where that is not the body.
    pub until: Option<Packed>,
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
    /// The names of here documents, `<<END`.
    pub heredocs: Vec<Span>,
    /// Their texts, that are after the line.
    pub heredoc_texts: Vec<Span>,
    /// Syntax errors, and places where the parser missed something.
    pub errors: Vec<Span>,
}

/// Walks over a tree of `text` and asks the query about every node that one of its patterns
/// begins with.
///
/// The library could run the query over the whole tree; that looks at every node of every
/// expression, and takes as long again as the parse. Markdown's blocks are found without a tree.
///
/// # Errors
/// [`Unparsed::TooSlow`] where `patience` ends, and [`Unparsed::TooDeep`] where more matches are
/// unfinished at once than the limit allows.
pub fn items(tree: &Tree, text: &str, patience: Patience<'_>) -> Result<Found, Unparsed> {
    if tree.grammar().language.blocks == Blocks::CommonMark {
        return commonmark::find(text, patience);
    }
    let mut walk = Walk::new(tree.grammar(), text);
    walk.below(tree.root(), patience)?;
    walk.finish(tree, patience)
}

/// As [`items`], of a tree that an edit made of another: only what is in the edit's window is
/// looked at anew, the rest is taken over from what the other had.
///
/// # Errors
/// As [`items`].
pub fn items_after(
    tree: &Tree,
    text: &str,
    before: &Found,
    window: &Window,
    patience: Patience<'_>,
) -> Result<Found, Unparsed> {
    if tree.grammar().language.blocks == Blocks::CommonMark {
        return commonmark::find_after(before, text, window, patience);
    }
    let root = tree.root();
    let across = |span: &Span| span.start < window.after.start && span.end > window.after.start;
    if tree.grammar().traits_of(root.kind_id()).begins_pattern
        || before.items.iter().any(|item| across(&item.span))
    {
        return items(tree, text, patience);
    }
    let mut walk = Walk::new(tree.grammar(), text);
    for child in root.children(&mut root.walk()) {
        let span = child.byte_range();
        if span.start >= window.after.start && span.end <= window.after.end {
            walk.below(child, patience)?;
        }
    }
    let mut found = walk.finish(tree, patience)?;
    found.items = window.joined(&before.items, found.items, |item| &item.span, Item::moved);
    let spans = |old: &[Span], new: &mut Vec<Span>| {
        *new = window.joined(old, std::mem::take(new), |span| span, |span, to| to(span));
    };
    spans(&before.wrappers, &mut found.wrappers);
    spans(&before.comments, &mut found.comments);
    spans(&before.attributes, &mut found.attributes);
    spans(&before.decorations, &mut found.decorations);
    spans(&before.heredocs, &mut found.heredocs);
    spans(&before.heredoc_texts, &mut found.heredoc_texts);
    Ok(found)
}

impl Item {
    pub(super) fn moved(&self, to: &dyn Fn(&Span) -> Span) -> Item {
        let moved = |part: Option<Packed>| part.map(|part| Packed::from(to(&part.span())));
        Item {
            kind: self.kind,
            span: to(&self.span),
            name: moved(self.name),
            header: moved(self.header),
            body: moved(self.body),
            until: moved(self.until),
        }
    }
}

/// So many nodes are visited between two questions whether to go on.
const STEPS: usize = 4096;

/// What the nodes visited so far have come to.
struct Walk<'a> {
    grammar: &'static Grammar,
    text: &'a str,
    query: QueryCursor,
    found: Found,
    matched: Vec<Matched>,
    /// What gives a kind to what is in it, around the node or before it; whether that is a function.
    owners: Vec<(Span, bool)>,
}

impl<'a> Walk<'a> {
    fn new(grammar: &'static Grammar, text: &'a str) -> Walk<'a> {
        let mut query = QueryCursor::new();
        query.set_match_limit(MATCH_LIMIT);
        query.set_max_start_depth(Some(0));
        let found = Found::default();
        Walk { grammar, text, query, found, matched: Vec::new(), owners: Vec::new() }
    }

    /// Visits a node and everything in it.
    fn below(&mut self, root: Node<'_>, patience: Patience<'_>) -> Result<(), Unparsed> {
        let mut cursor = root.walk();
        let mut visited: usize = 0;
        loop {
            visited += 1;
            if visited.is_multiple_of(STEPS) && patience().is_break() {
                return Err(Unparsed::TooSlow);
            }
            let deeper = self.visit(cursor.node())?;
            if deeper && cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return Ok(());
                }
            }
        }
    }

    fn finish(self, tree: &Tree, patience: Patience<'_>) -> Result<Found, Unparsed> {
        let errors = errors(tree, patience)?;
        Ok(Found { items: settled(self.matched), errors, ..self.found })
    }

    /// Notes what a node is; whether structures may be inside it.
    fn visit(&mut self, node: Node<'_>) -> Result<bool, Unparsed> {
        let traits = self.grammar.traits_of(node.kind_id());
        let marks = [
            (traits.wrapper, &mut self.found.wrappers),
            (traits.comment, &mut self.found.comments),
            (traits.attribute, &mut self.found.attributes),
            (traits.decoration, &mut self.found.decorations),
            (traits.heredoc, &mut self.found.heredocs),
            (traits.heredoc_text, &mut self.found.heredoc_texts),
        ];
        for (is_one, list) in marks {
            if is_one {
                list.push(node.byte_range());
            }
        }
        if traits.begins_pattern && !(traits.declares && self.is_local(&node.byte_range())) {
            self.ask(node)?;
        }
        Ok(!traits.opaque || self.grammar.opens(&self.text[node.byte_range()]))
    }

    /// Whether a node is in a function, so that no outline has it where it is a variable.
    fn is_local(&mut self, node: &Span) -> bool {
        while self.owners.last().is_some_and(|(owner, _)| owner.end <= node.start) {
            self.owners.pop();
        }
        let around =
            |(owner, _): &&(Span, bool)| owner.start <= node.start && node.end <= owner.end;
        self.owners.iter().rev().find(around).is_some_and(|(_, is_function)| *is_function)
    }

    /// Where the `;` ends that is the next token after a node.
    fn semicolon_behind(&self, node: &Span) -> Option<usize> {
        let rest = &self.text[node.end..];
        let after = rest.trim_start();
        after.starts_with(';').then(|| node.end + (rest.len() - after.len()) + 1)
    }

    /// Runs the patterns that begin at a node.
    fn ask(&mut self, node: Node<'_>) -> Result<(), Unparsed> {
        let grammar = self.grammar;
        let asked = node.byte_range();
        let is_terminated = grammar.traits_of(node.kind_id()).terminated;
        let first = self.matched.len();
        let semicolon = is_terminated.then(|| self.semicolon_behind(&asked)).flatten();
        let mut matches = self.query.matches(&grammar.query, node, self.text.as_bytes());
        while let Some(found) = matches.next() {
            let mut whole = None;
            let (mut name, mut header, mut body, mut end) = (None, None, None, None);
            let (mut contents, mut close, mut until) = (None, None, None);
            for capture in found.captures() {
                let span = capture.node.byte_range();
                match grammar.roles[capture.index as usize] {
                    Role::Item(kind) => whole = Some((Some(kind), span)),
                    Role::Skip => whole = Some((None, span)),
                    Role::Name => widen(&mut name, span),
                    Role::Header => widen(&mut header, span),
                    Role::Body => body = body.or(Some(span)),
                    Role::Contents => contents = contents.or(Some(span.start)),
                    Role::Close => close = close.or(Some(span.start)),
                    Role::Until => until = until.or(Some(span)),
                    Role::End => end = Some(span.end),
                    Role::Unused => {}
                }
            }
            if let Some((kind, node)) = whole {
                let end = end.or(semicolon.filter(|_| node == asked));
                let span = node.start..end.unwrap_or(node.end);
                let close = close.unwrap_or(span.end);
                let body = body.or(contents.map(|start| start..close.max(start)));
                let item = kind.map(|kind| Item {
                    kind,
                    span,
                    name: name.map(Packed::from),
                    header: header.map(Packed::from),
                    body: body.map(Packed::from),
                    until: until.map(Packed::from),
                });
                self.matched.push(Matched { node, pattern: found.pattern_index, item });
            }
        }
        drop(matches);
        for matched in &self.matched[first..] {
            let kind = matched.item.as_ref().map(|item| item.kind);
            let is_function = kind.is_some_and(|kind| kind.runs() && kind != Kind::Lambda);
            match self.owners.last_mut() {
                _ if kind == Some(Kind::Block) => {}
                // Which of its patterns counts is not known yet.
                Some((owner, other)) if *owner == matched.node => *other &= is_function,
                _ => self.owners.push((matched.node.clone(), is_function)),
            }
        }
        if self.query.did_exceed_match_limit() { Err(Unparsed::TooDeep) } else { Ok(()) }
    }
}

/// The syntax errors of a tree, and the places where the parser missed something.
///
/// # Errors
/// [`Unparsed::TooSlow`] where `patience` ends.
fn errors(tree: &Tree, patience: Patience<'_>) -> Result<Vec<Span>, Unparsed> {
    let mut errors = Vec::new();
    let mut cursor = tree.root().walk();
    let mut visited: usize = 0;
    loop {
        visited += 1;
        if visited.is_multiple_of(STEPS) && patience().is_break() {
            return Err(Unparsed::TooSlow);
        }
        let node = cursor.node();
        if node.is_error() || node.is_missing() {
            errors.push(node.byte_range());
        }
        if node.has_error() && cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Ok(errors);
            }
        }
    }
}

/// Takes one more span into what a capture names: all from the first to the last.
fn widen(whole: &mut Option<Span>, span: Span) {
    *whole = Some(match whole.take() {
        Some(before) => before.start.min(span.start)..before.end.max(span.end),
        None => span,
    });
}

/// A match of a pattern that says something about a node.
struct Matched {
    node: Span,
    /// The pattern's place in the query.
    pattern: usize,
    /// `None` where the pattern says that the node is not a structure.
    item: Option<Item>,
}

/// One item for each node: none where a pattern skips it, else the one of the first pattern, and
/// of several matches of that the one whose body begins first.
fn settled(mut matched: Vec<Matched>) -> Vec<Item> {
    matched.sort_by_key(|it| {
        let body = it.item.as_ref().and_then(|item| item.body);
        let body = body.map_or((usize::MAX, 0), |body| (body.start(), body.end()));
        (it.node.start, std::cmp::Reverse(it.node.end), it.item.is_some(), it.pattern, body)
    });
    matched.dedup_by(|later, first| later.node == first.node);
    let mut items: Vec<Item> = matched.into_iter().filter_map(|it| it.item).collect();
    // They are made in the memory of the matches, which had room for more.
    items.shrink_to_fit();
    items
}
