//! What a structure was where it comes from, and whether it still is that where it goes.

use super::frame;
use super::kept::{anchor, blank_lines};
use super::place::{Place, with_ancestors};
use crate::outline::{Parsed, Structure};
use crate::structure::Kind;
use crate::syntax::Node;
use crate::text::Span;

/// A structure that is put elsewhere.
#[derive(Clone, Copy)]
pub(super) struct Origin<'a> {
    /// Where it is from.
    pub parsed: &'a Parsed,
    /// Its place in the outline.
    pub index: usize,
    /// Whether it is a structure where it goes: a variable is none in a function.
    pub shows: bool,
}

impl Origin<'_> {
    /// Whether what is in `new` of a text is what it was: it and what is in it are of the same
    /// kinds, and are called the same.
    pub(super) fn is_kept(&self, after: &Parsed, new: &Span) -> bool {
        let all = &self.parsed.outline.structures;
        let was = (self.index..all.len()).take_while(|index| {
            *index == self.index || self.parsed.outline.is_inside(*index, self.index)
        });
        let is = (0..after.outline.structures.len())
            .filter(|index| new.contains(&anchor(&after.outline.structures[*index])));
        let mut was =
            was.filter(|index| self.shows && *index == self.index || is_firm(&all[*index]));
        let mut is = is.enumerate().filter(|(place, index)| {
            self.shows && *place == 0 || is_firm(&after.outline.structures[*index])
        });
        loop {
            match (was.next(), is.next()) {
                (Some(was), Some((_, is)))
                    if is_alike((self.parsed, was), (after, is))
                        && (was != self.index || self.is_member_still(after, is)) => {}
                (None, None) => return true,
                _ => return false,
            }
        }
    }

    /// Whether a member of a list is a node of the same kind as before, in a list that says the same
    /// of its members; true for other structures.
    fn is_member_still(&self, after: &Parsed, is: usize) -> bool {
        if Place::of(self.parsed, self.index).list.is_none() {
            return true;
        }
        let node = |parsed, index| frame::node(parsed, index).kind_id();
        node(self.parsed, self.index) == node(after, is)
            && shared(self.parsed, self.index) == shared(after, is)
    }
}

/// What the list of a member has before its first member that holds for each of them, as the
/// modifiers and the type of a declaration do; nothing of a list in brackets.
fn shared(parsed: &Parsed, index: usize) -> Vec<&str> {
    let member = frame::node(parsed, index);
    let Some(list) = member.parent() else { return Vec::new() };
    let mut cursor = list.walk();
    let children = list.children(&mut cursor);
    let before: Vec<Node<'_>> =
        children.take_while(|child| child.kind_id() != member.kind_id()).collect();
    if before.iter().any(|child| ["(", "[", "{"].contains(&child.kind())) {
        return Vec::new();
    }
    let wrappers = parsed.language().wrappers;
    let ancestors = with_ancestors(parsed, list);
    let wraps = |node: &&Node<'_>| wrappers.contains(&node.kind());
    let outermost = ancestors[1..].iter().take_while(wraps).last().unwrap_or(&list);
    let end = before.last().map_or(list.start_byte(), Node::end_byte);
    parsed.text()[outermost.start_byte()..end].split_whitespace().collect()
}

/// Whether a structure is one wherever it is.
fn is_firm(structure: &Structure) -> bool {
    !matches!(structure.kind, Kind::Variable | Kind::Constant | Kind::Field | Kind::Lambda)
}

/// Whether two structures are of the same kind, as functions and methods are, and called the same.
fn is_alike((parsed, was): (&Parsed, usize), (after, is): (&Parsed, usize)) -> bool {
    let [one, other] =
        [(parsed, was), (after, is)].map(|(parsed, index)| &parsed.outline.structures[index]);
    let kinds = [
        [Kind::Function, Kind::Method].as_slice(),
        [Kind::Variable, Kind::Constant, Kind::Field].as_slice(),
    ];
    let are = |kinds: &&[Kind]| kinds.contains(&one.kind) && kinds.contains(&other.kind);
    let called = |parsed: &Parsed, it: &Structure| match it.name {
        // A selector may have several lines.
        Some(name) => name.of(parsed.text()).split_whitespace().collect::<Vec<_>>().join(" "),
        None => it.header_text(parsed.text()),
    };
    (one.kind == other.kind || kinds.iter().any(are))
        && called(parsed, one) == called(after, other)
        && blank_lines(parsed, one) == blank_lines(after, other)
}
