//! The structures of a file, each in its place.

mod extent;
mod header;
mod parsed;

pub(crate) use extent::{line_start, names_encoding};
pub use parsed::Parsed;

use self::extent::Extents;
use crate::syntax::{Found, Kind, Language, Unparsed};
use crate::text::lines::Newlines;
use crate::text::{Packed, Span};

/// One structure of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    /// What it is.
    pub kind: Kind,
    /// All of it: from its first comment, decorator or attribute to the end of its body.
    pub extent: Span,
    /// Its own first byte, after comments and attributes that are before it.
    pub own_start: usize,
    /// The name, quotes left out.
    pub name: Option<Packed>,
    /// The pieces of text that the header consists of.
    pub header: Box<[Packed]>,
    /// The body or value.
    pub body: Option<Packed>,
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
    /// The structures that a query found in `text`, which has these newlines.
    ///
    /// # Errors
    /// [`Unparsed::TooDeep`] where too many of them are around one another.
    pub(crate) fn of(
        language: &Language,
        text: &str,
        newlines: &Newlines,
        found: &Found,
    ) -> Result<Outline, Unparsed> {
        let extents = Extents::new(language, text, newlines, found);
        let structures = found.items.iter().enumerate().map(|(place, item)| {
            let (extent, own_start) = extents.of(place);
            let name = item.name.map(|name| header::bare_name(language, text, name.span()));
            let pieces = header::pieces(language, text, found, item, own_start);
            Structure {
                kind: item.kind,
                extent,
                own_start,
                name: name.map(Packed::from),
                header: pieces.into_iter().map(Packed::from).collect(),
                body: item.body,
                parent: None,
                depth: 0,
            }
        });
        let structures = nested(structures.collect())?;
        Ok(Outline { structures, errors: found.errors.clone(), comments: found.comments.clone() })
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

    /// Whether the structure at `inner` is inside the one at `outer`, however deep.
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
    /// is not text.
    pub fn header_text(&self, text: &str) -> String {
        header::text(self.kind, text, &self.header)
    }
}

/// So many structures may be around one another. A target names every level, so that the targets
/// of a file grow with its depth; what people write is not a tenth as deep.
const DEEPEST: usize = 256;

/// Puts structures inside one another, and drops those that are the same as one around them.
fn nested(mut structures: Vec<Structure>) -> Result<Vec<Structure>, Unparsed> {
    structures.sort_by_key(|it| (it.extent.start, std::cmp::Reverse(it.extent.end), it.own_start));
    let mut nested: Vec<Structure> = Vec::with_capacity(structures.len());
    // The structures around, each with the kind that it gives to what is in it: its own, or for a
    // block what is around that.
    let mut around: Vec<(usize, Option<Kind>)> = Vec::new();
    for mut structure in structures {
        while around.last().is_some_and(|(last, _)| {
            nested[*last].extent.end < structure.extent.end
                || nested[*last].extent.end <= structure.extent.start
        }) {
            around.pop();
        }
        let (parent, owner) = around.last().copied().unzip();
        let owner = owner.flatten();
        if parent.is_some_and(|parent| is_same(&nested[parent], &structure)) {
            continue;
        }
        let local = owner.is_some_and(Kind::runs);
        if local && matches!(structure.kind, Kind::Variable | Kind::Constant) {
            continue;
        }
        if around.len() >= DEEPEST {
            return Err(Unparsed::TooDeep);
        }
        structure.kind = member(structure.kind, owner);
        structure.parent = parent;
        structure.depth = around.len();
        let gives = if structure.kind == Kind::Block { owner } else { Some(structure.kind) };
        around.push((nested.len(), gives));
        nested.push(structure);
    }
    Ok(nested)
}

/// Whether both are one: they begin at the same header, so that one only wraps the other, or the
/// inner is a function without a name that is all of the outer's value.
fn is_same(outer: &Structure, inner: &Structure) -> bool {
    let is_value = !outer.kind.runs() && outer.body.is_some_and(|body| body.span() == inner.extent);
    if inner.kind == Kind::Lambda && is_value {
        return true;
    }
    let start = |structure: &Structure| structure.header.first().map(|piece| piece.start());
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
