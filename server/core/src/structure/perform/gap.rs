//! Blank lines between structures: how many a file has.

use super::indent::is_blank;
use super::place::{Place, with_ancestors};
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::syntax::Node;
use crate::text::Span;

/// Where something is to be: among the structures in `parent`, near an offset.
pub(super) struct Among {
    /// The structure around it; `None` for the file.
    pub parent: Option<usize>,
    /// Where in the file.
    pub near: usize,
    /// Whether what is there is a branch of its parent, or another thing that goes without.
    pub is_tight: bool,
}

impl Among {
    /// The neighbours of the structure at `index`.
    pub(super) fn of(parsed: &Parsed, index: usize) -> Among {
        let structure = &parsed.outline.structures[index];
        let around = structure.parent.map(|parent| &parsed.outline.structures[parent]);
        let body = around.and_then(|around| around.body);
        let is_branch = body.is_some_and(|body| structure.extent.start >= body.end());
        let tight = parsed.language().tight;
        let is_tight = |node: Node<'_>| tight.contains(&node.kind());
        let root = parsed.tree.root();
        let start = structure.own_start;
        let first = root.descendant_for_byte_range(start, start + 1);
        let around = first.map(|first| with_ancestors(parsed, first)).unwrap_or_default();
        let own = around.iter().take_while(|it| it.start_byte() >= structure.extent.start);
        let listed = own.copied().any(is_tight);
        let is_member = Place::of(parsed, index).list.is_some();
        let is_tight = is_branch || listed || is_member;
        Among { parent: structure.parent, near: start, is_tight }
    }

    /// The number of blank lines between structures of a kind: the most common among neighbours,
    /// else among structures as deep anywhere in the file, else what is usual.
    pub(super) fn blank_lines(&self, parsed: &Parsed, kind: Kind) -> usize {
        let structures = &parsed.outline.structures;
        let neighbours: Vec<usize> = parsed.outline.children(self.parent).collect();
        let here = self.most_common(parsed, pairs(&neighbours, parsed, kind));
        let depth = self.parent.map_or(0, |parent| structures[parent].depth + 1);
        let elsewhere = || {
            let all: Vec<usize> =
                (0..structures.len()).filter(|index| structures[*index].depth == depth).collect();
            self.most_common(parsed, pairs(&all, parsed, kind))
        };
        let is_dense = || {
            self.goes_without(parsed, kind) || kind == Kind::Type && is_dense(parsed, &neighbours)
        };
        here.or_else(elsewhere).unwrap_or_else(|| usize::from(!is_dense()))
    }

    fn most_common(
        &self,
        parsed: &Parsed,
        pairs: impl Iterator<Item = (usize, usize)>,
    ) -> Option<usize> {
        // How often each number of blank lines occurs, and how near.
        let mut seen: Vec<(usize, usize, usize)> = Vec::new();
        let structures = &parsed.outline.structures;
        for (one, other) in pairs {
            let (end, start) = (structures[one].extent.end, structures[other].extent.start);
            let between = parsed.text().get(end..start).and_then(blank_lines_in);
            let Some(count) = between else { continue };
            let distance = self.near.abs_diff(end).min(self.near.abs_diff(start));
            match seen.iter_mut().find(|(known, ..)| *known == count) {
                Some((_, times, nearest)) => {
                    *times += 1;
                    *nearest = distance.min(*nearest);
                }
                None => seen.push((count, 1, distance)),
            }
        }
        let best = seen.iter().max_by_key(|(_, times, near)| (*times, std::cmp::Reverse(*near)));
        best.map(|(count, ..)| *count)
    }

    fn goes_without(&self, parsed: &Parsed, kind: Kind) -> bool {
        let inside_rule =
            self.parent.is_some_and(|parent| parsed.outline.structures[parent].kind == Kind::Rule);
        match kind {
            Kind::Key | Kind::Field | Kind::Variant | Kind::Item => true,
            Kind::Variable | Kind::Constant => true,
            Kind::Rule => inside_rule,
            _ => self.is_tight,
        }
    }
}

/// Whether several neighbours have one line each, without a blank line between any of them.
fn is_dense(parsed: &Parsed, neighbours: &[usize]) -> bool {
    let extents = || neighbours.iter().map(|index| &parsed.outline.structures[*index].extent);
    let on_lines = |one: &Span, next: &Span| {
        parsed.text().get(one.end..next.start).and_then(blank_lines_in) == Some(0)
    };
    neighbours.len() > 1
        && extents().all(|extent| !parsed.text()[extent.clone()].contains('\n'))
        && extents().zip(extents().skip(1)).all(|(one, next)| on_lines(one, next))
}

/// Neighbours in a list of structures that both are of a kind and have the same parent.
fn pairs<'a>(
    list: &'a [usize],
    parsed: &'a Parsed,
    kind: Kind,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let structures = &parsed.outline.structures;
    let fits = move |pair: &(usize, usize)| {
        let (one, other) = (&structures[pair.0], &structures[pair.1]);
        one.kind == kind && other.kind == kind && one.parent == other.parent
    };
    list.windows(2).map(|pair| (pair[0], pair[1])).filter(fits)
}

/// The number of blank lines in what is between two structures; `None` where that is more than
/// a separator and a comment on the line of the first, or where they share a line.
fn blank_lines_in(between: &str) -> Option<usize> {
    let (_, rest) = between.split_once('\n')?;
    is_blank(rest).then(|| rest.bytes().filter(|byte| *byte == b'\n').count())
}
