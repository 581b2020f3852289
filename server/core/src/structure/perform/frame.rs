//! Whether the syntax tree around an edit is as it was: each node that the edit is not about is in
//! the same kinds of nodes, beside the same ones.

use super::insertion::Side;
use super::kept::no_code;
use super::place::{outermost, with_ancestors};
use crate::outline::Parsed;
use crate::syntax::{Language, Node};
use crate::text::Span;

/// A tree before and after an edit.
pub(super) struct Frame<'a> {
    /// The text before, with what the edit is about there.
    pub before: (&'a Parsed, Span),
    /// The text after, with what it is about there.
    pub after: (&'a Parsed, Span),
    /// All that changes in the text before, and what it becomes.
    pub changed: (Span, Span),
    /// Where an offset is after the edit.
    pub moved: &'a dyn Fn(usize) -> usize,
}

impl Frame<'_> {
    /// Where a node is first another one than it was, one is missing, or one is there besides.
    pub(super) fn disturbed(&self) -> Option<usize> {
        let mut pairs = vec![(self.before.0.tree.root(), self.after.0.tree.root())];
        // The nodes around what the edit is about, all by their other ones after.
        let (mut before, mut after) = (Vec::new(), Vec::new());
        while let Some((was, is)) = pairs.pop() {
            // What is in an error is read anew with each change.
            if was.is_error() || is.is_error() {
                continue;
            }
            if lacks_part(self.before.0.language(), was, is) {
                return Some(is.start_byte());
            }
            let (old, new) = match self.pair(was, is, &mut pairs) {
                Ok(held) => held,
                Err(at) => return Some(at),
            };
            before.extend(old.then_some(is.id()));
            after.extend(new.then_some(is.id()));
        }
        let is_elsewhere = match before.as_slice() {
            [] => after.len() > 1,
            before => !after.iter().all(|it| before.contains(it)),
        };
        is_elsewhere.then_some(self.after.1.start)
    }

    /// Pairs the nodes in two nodes that are the same. Whether what the edit is about is among
    /// those before, and among those after.
    ///
    /// # Errors
    /// Where a node has no other.
    fn pair<'n>(
        &self,
        was: Node<'n>,
        is: Node<'n>,
        pairs: &mut Vec<(Node<'n>, Node<'n>)>,
    ) -> Result<(bool, bool), usize> {
        let (mut old, mut new) = (false, false);
        let mut after = self.parts(is, Side::After).into_iter().peekable();
        let mut last: Option<Node<'_>> = None;
        for was in self.parts(was, Side::Before) {
            let about = self.about(was, Side::Before);
            if about == About::All {
                old = true;
                continue;
            }
            let touches = touches(self.before.0, was, &self.changed.0);
            let start = (self.moved)(was.start_byte());
            let same = |is: &Node<'n>| {
                let is_near = || touches && self::touches(self.after.0, *is, &self.changed.1);
                let is_there = is.start_byte() == start || about == About::No && is_near();
                is_alike(self.before.0.language(), was, *is)
                    && is_there
                    && self.about(*is, Side::After) != About::All
            };
            let mut found = after.next_if(same);
            while found.is_none() && after.next_if(|is| self.is_about(*is)).is_some() {
                new = true;
                found = after.next_if(same);
            }
            let joins = last.filter(|last| found.is_none() && self.joins(was, *last)).is_some();
            last = found.or(last);
            match found {
                Some(is) if touches && is.kind_id() == was.kind_id() => pairs.push((was, is)),
                Some(_) => {}
                None if about == About::Inside => old = true,
                None if joins => {}
                None => return Err(after.peek().map_or(start, Node::start_byte)),
            }
        }
        for more in after {
            if !self.is_about(more) {
                return Err(more.start_byte());
            }
            new = true;
        }
        Ok((old, new))
    }

    /// Whether a node has become the end of one that was before what is taken out.
    fn joins(&self, was: Node<'_>, is: Node<'_>) -> bool {
        let joining = self.before.0.language().joining;
        let end = (self.moved)(was.end_byte());
        joining.contains(&was.kind()) && is.kind_id() == was.kind_id() && is.end_byte() == end
    }

    /// The parts of a node, with those of a branch that the edit is about in the place of the node
    /// that begins with it and goes on with further branches.
    fn parts<'n>(&self, node: Node<'n>, side: Side) -> Vec<Node<'n>> {
        let (parsed, about) = match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        };
        let mut all = Vec::new();
        let mut open = parts(parsed, node);
        open.reverse();
        while let Some(part) = open.pop() {
            let begins = about.contains(&part.start_byte()) && part.end_byte() > about.end;
            let has_keyword = || part.child(0).is_some_and(|first| !first.is_named());
            if begins && has_keyword() && self.about(part, side) == About::No {
                open.extend(parts(parsed, part).into_iter().rev());
            } else {
                all.push(part);
            }
        }
        all
    }

    fn is_about(&self, node: Node<'_>) -> bool {
        self.about(node, Side::After) != About::No
    }

    /// How far a node of one of the texts is what the edit is about.
    fn about(&self, node: Node<'_>, side: Side) -> About {
        let (parsed, about) = match side {
            Side::Before => &self.before,
            Side::After => &self.after,
        };
        let is_inside = |node: Node<'_>| {
            let span = node.byte_range();
            // A separator and comments after it may be a part of it.
            span.start >= about.start && no_code(parsed, &(about.end..span.end), &(0..0))
        };
        if about.is_empty() || !touches(parsed, node, about) {
            return About::No;
        }
        if is_inside(node) {
            return About::All;
        }
        let mut node = node;
        loop {
            match parts(parsed, node).as_slice() {
                [only] if !is_inside(*only) => node = *only,
                [] => return About::No,
                more if more.iter().all(|it| is_inside(*it)) => return About::Inside,
                _ => return About::No,
            }
        }
    }
}

/// How far a node is what an edit is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    /// There is something else in it.
    No,
    /// Everything that is in it is.
    Inside,
    /// It is.
    All,
}

/// Whether a node has lost the last of the parts of which it needs one.
fn lacks_part(language: &Language, was: Node<'_>, is: Node<'_>) -> bool {
    let has_one = |node: Node<'_>, kinds: &[&str]| {
        node.named_children(&mut node.walk()).any(|child| kinds.contains(&child.kind()))
    };
    let mut required = language.required.iter().filter(|(kind, _)| *kind == was.kind());
    required.any(|(_, parts)| has_one(was, parts) && !has_one(is, parts))
}

/// Whether two nodes are of the same kind, or of kinds that are taken for one another.
fn is_alike(language: &Language, was: Node<'_>, is: Node<'_>) -> bool {
    let [was, is] = [was.kind(), is.kind()];
    was == is || language.alike.iter().any(|kinds| kinds.contains(&was) && kinds.contains(&is))
}

/// The named nodes in a node that are more than comments and separators.
fn parts<'n>(parsed: &Parsed, node: Node<'n>) -> Vec<Node<'n>> {
    // Not all comments are in the outline.
    let comments = parsed.language().comments;
    let is_part = |child: &Node<'_>| {
        !comments.contains(&child.kind()) && !no_code(parsed, &child.byte_range(), &(0..0))
    };
    node.named_children(&mut node.walk()).filter(is_part).collect()
}

/// Whether no code is between a node and a span.
fn touches(parsed: &Parsed, node: Node<'_>, span: &Span) -> bool {
    let own = node.byte_range();
    let parted = |from: usize, to: usize| from < to && !no_code(parsed, &(from..to), &(0..0));
    !parted(span.end, own.start) && !parted(own.end, span.start)
}

/// The node of the structure at `index`.
pub(super) fn node(parsed: &Parsed, index: usize) -> Node<'_> {
    outermost(parsed, &parsed.outline.structures[index])
}

/// Whether the structure at `index` is in what cannot hold it, though no syntax is an error.
pub(super) fn is_excluded(parsed: &Parsed, index: usize) -> bool {
    let excluded = parsed.language().excluded;
    if excluded.is_empty() {
        return false;
    }
    let own = node(parsed, index);
    let own = [Some(own), own.named_child(0)].map(|it| it.map_or("", |it| it.kind()));
    let around = around(parsed, index);
    let around = [Some(around), around.parent()].map(|it| it.map_or("", |it| it.kind()));
    let is_one = |(kind, parts): &(&str, &[&str])| {
        around.contains(kind) && parts.iter().any(|part| own.contains(part))
    };
    excluded.iter().any(is_one)
}

/// The node that the structure at `index` is a child of, and beside whose other children it is:
/// the one around its statement.
pub(super) fn around(parsed: &Parsed, index: usize) -> Node<'_> {
    let extent = &parsed.outline.structures[index].extent;
    let ancestors = with_ancestors(parsed, node(parsed, index));
    let is_more = |node: &&Node<'_>| {
        let more = [node.start_byte()..extent.start, extent.end..node.end_byte()];
        more.iter().any(|more| !no_code(parsed, more, &(0..0)))
    };
    ancestors[1..].iter().find(is_more).copied().unwrap_or_else(|| parsed.tree.root())
}
