//! The structures of a file, each in its place.

use super::Kind;
use super::extent::Extents;
use super::header;
use crate::syntax::{Found, Language};
use crate::text::Span;

/// One structure of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// What it is.
    pub kind: Kind,
    /// All of it: from its first comment, decorator or attribute to the end of its body.
    pub extent: Span,
    /// Its own first byte, after comments and attributes that stand before it.
    pub own_start: usize,
    /// The name, quotes left out.
    pub name: Option<Span>,
    /// The pieces of text that the header consists of.
    pub header: Vec<Span>,
    /// The body or value.
    pub body: Option<Span>,
    /// The structure around it, by its place in the outline.
    pub parent: Option<usize>,
    /// How many structures are around it.
    pub depth: usize,
}

/// The structures of a file in the order of the text, outer ones before inner ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The structures.
    pub structures: Vec<Structure>,
    /// Syntax errors, and places where the parser missed something.
    pub errors: Vec<Span>,
    /// Comments.
    pub comments: Vec<Span>,
}

impl Outline {
    /// The structures that a query found in `text`.
    pub fn of(language: &Language, text: &str, found: &Found) -> Outline {
        let extents = Extents::new(language, text, found);
        let structures = found.items.iter().enumerate().map(|(place, item)| {
            let (extent, own_start) = extents.of(place);
            let name = item.name.clone().map(|name| header::bare_name(language, text, name));
            let pieces = header::pieces(language, text, found, item, own_start);
            Structure {
                kind: item.kind,
                extent,
                own_start,
                name,
                header: pieces,
                body: item.body.clone(),
                parent: None,
                depth: 0,
            }
        });
        let structures = nested(structures.collect());
        let Found { errors, comments, .. } = found.clone();
        Outline { structures, errors, comments }
    }

    /// The places of the structures directly inside one, or directly in the file.
    pub fn children(&self, parent: Option<usize>) -> impl Iterator<Item = usize> + '_ {
        let first = parent.map_or(0, |parent| parent + 1);
        let inside = move |index: &usize| match parent {
            Some(parent) => {
                self.structures[*index].extent.start < self.structures[parent].extent.end
            }
            None => true,
        };
        (first..self.structures.len())
            .take_while(inside)
            .filter(move |index| self.structures[*index].parent == parent)
    }

    /// Whether the structure at `inner` stands inside the one at `outer`, however deep.
    pub fn is_inside(&self, inner: usize, outer: usize) -> bool {
        let mut parent = self.structures[inner].parent;
        while let Some(around) = parent {
            if around == outer {
                return true;
            }
            parent = self.structures[around].parent;
        }
        false
    }
}

impl Structure {
    /// The header with white space collapsed, on one line; the kind in angle brackets where there
    /// is no text.
    pub fn header_text(&self, text: &str) -> String {
        header::text(self.kind, text, &self.header)
    }
}

/// Puts structures inside one another, and drops those that are the same as one around them.
fn nested(mut structures: Vec<Structure>) -> Vec<Structure> {
    structures.sort_by_key(|it| (it.extent.start, std::cmp::Reverse(it.extent.end), it.own_start));
    let mut nested: Vec<Structure> = Vec::with_capacity(structures.len());
    let mut around: Vec<usize> = Vec::new();
    for mut structure in structures {
        while around.last().is_some_and(|last| {
            nested[*last].extent.end < structure.extent.end
                || nested[*last].extent.end <= structure.extent.start
        }) {
            around.pop();
        }
        let parent = around.last().map(|parent| &nested[*parent]);
        if parent.is_some_and(|parent| is_same(parent, &structure)) {
            continue;
        }
        let owner = around.iter().rev().map(|index| nested[*index].kind);
        let owner = owner.into_iter().find(|kind| *kind != Kind::Block);
        let local = owner.is_some_and(Kind::runs);
        if local && matches!(structure.kind, Kind::Variable | Kind::Constant) {
            continue;
        }
        structure.kind = member(structure.kind, owner);
        structure.parent = around.last().copied();
        structure.depth = around.len();
        around.push(nested.len());
        nested.push(structure);
    }
    nested
}

/// Whether both are one: they begin at the same header, so that one only wraps the other, or the
/// inner is a function without a name that is all of the outer's value.
fn is_same(outer: &Structure, inner: &Structure) -> bool {
    if inner.kind == Kind::Lambda && outer.body.as_ref() == Some(&inner.extent) {
        return true;
    }
    let start = |structure: &Structure| structure.header.first().map(|piece| piece.start);
    start(outer).is_some() && start(outer) == start(inner)
}

/// What a structure is inside another.
fn member(kind: Kind, owner: Option<Kind>) -> Kind {
    match kind {
        Kind::Function if owner.is_some_and(Kind::has_members) => Kind::Method,
        Kind::Variable if owner.is_some_and(Kind::has_members) => Kind::Field,
        kind => kind,
    }
}
