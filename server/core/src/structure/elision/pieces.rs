//! The pieces of all levels, and the structures that each level has afterwards.

use foldhash::{HashMap, HashSet};

use super::Unresolved;
use super::level::{Element, Level, Name, Side, What};
use super::matching::{Matching, Pair};
use super::region::{Piece, Region};
use crate::text::one_line::excerpt;

/// The pieces of the levels that were gone through so far.
pub(super) struct Pieces<'s, 'a> {
    file: &'s Side<'a>,
    content: &'s Side<'a>,
    pub pieces: Vec<Piece<'a>>,
    pub levels: Vec<Expected<'a>>,
    path: Path<'a>,
}

/// The names of the structures around, and how many of that name are before each.
type Path<'a> = Vec<(Name<'a>, usize)>;

/// The structures that a level must have afterwards.
pub(super) struct Expected<'a> {
    path: Path<'a>,
    names: Vec<Name<'a>>,
}

impl<'s, 'a> Pieces<'s, 'a> {
    pub(super) fn new(file: &'s Side<'a>, content: &'s Side<'a>) -> Pieces<'s, 'a> {
        Pieces { file, content, pieces: Vec::new(), levels: Vec::new(), path: Vec::new() }
    }

    /// Adds the pieces of a structure that is in both texts, or of the whole files.
    pub(super) fn level(
        &mut self,
        old: Option<&Element>,
        new: Option<&Element>,
    ) -> Result<(), Unresolved> {
        let lines = |side: &Side<'_>, element: Option<&Element>| {
            element.map_or(0..side.lines.len(), |element| element.lines.clone())
        };
        let parent = old.and_then(Element::unit);
        let before = self.file.level(parent, lines(self.file, old))?;
        let after = self.content.level(new.and_then(Element::unit), lines(self.content, new))?;
        let (file, content) = (self.file, self.content);
        let pair = Pair { file, content, before: &before, after: &after, parent };
        check_marks(content, &after)?;
        let matching = pair.matching()?;
        let kept = kept(&before, &matching);
        let mut names = Vec::new();
        for region in pair.regions(&matching) {
            self.pieces.extend(pair.pieces(&region)?);
            names.extend(pair.names(&region));
            let at = region.new.end;
            if at < matching.len() {
                if let Some(index) = after.elements[at].unit() {
                    pair.check_inside(index, &kept)?;
                }
                self.matched(&pair, &matching, at, &names)?;
                names.extend(after.elements[at].unit().map(|index| content.named(index)));
            }
        }
        self.levels.push(Expected { path: self.path.clone(), names });
        Ok(())
    }

    /// Adds the pieces of an element that is in both texts; `names` are those of the structures
    /// before it.
    fn matched(
        &mut self,
        pair: &Pair<'_, 'a>,
        matching: &Matching,
        at: usize,
        names: &[Name<'a>],
    ) -> Result<(), Unresolved> {
        let Some(found) = matching[at] else { return Ok(()) };
        let (old, new) = (&pair.before.elements[found], &pair.after.elements[at]);
        let Some(index) = new.unit() else { return Ok(()) };
        if at.checked_sub(1).is_some_and(|above| pair.after.elements[above].what == What::Mark) {
            pair.check_above(found, new)?;
        }
        if self.content.marks.range(new.lines.clone()).next().is_none() {
            if let Some(old) = old.unit() {
                pair.check_members(old, index)?;
            }
            self.pieces.push((old.lines.clone(), self.content.texts(new.lines.clone())));
            return Ok(());
        }
        let name = self.content.named(index);
        let count = names.iter().filter(|it| **it == name).count();
        self.path.push((name, count));
        self.level(Some(old), Some(new))?;
        self.path.pop();
        Ok(())
    }
}

/// The structures of the file that are not sent.
fn kept(before: &Level, matching: &Matching) -> Vec<usize> {
    let sent: HashSet<usize> = matching.iter().flatten().copied().collect();
    let others = before.elements.iter().enumerate().filter(|(at, _)| !sent.contains(at));
    others.filter_map(|(_, element)| element.unit()).collect()
}

/// Refuses marks that are indented otherwise than what is around them, where that says what they
/// are in.
fn check_marks(content: &Side<'_>, level: &Level) -> Result<(), Unresolved> {
    if !content.parsed.language().indented {
        return Ok(());
    }
    let Some(unit) = level.elements.iter().find(|it| it.unit().is_some()) else { return Ok(()) };
    let expected = content.indent(unit.own);
    let mut marks = level.elements.iter().filter(|it| it.what == What::Mark);
    match marks.find(|mark| content.indent(mark.own) != expected) {
        Some(mark) => Err(Unresolved::new(
            mark.own,
            "this mark is indented otherwise than the structures around it, so what it is in is \
             not certain; indent it as they are",
        )),
        None => Ok(()),
    }
}

impl<'a> Pair<'_, 'a> {
    /// Refuses a structure below a mark that lacks what is above it in the file: comments,
    /// decorators or attributes may be what the mark is in the place of.
    fn check_above(&self, found: usize, new: &Element) -> Result<(), Unresolved> {
        let old = &self.before.elements[found];
        let there = self.file.texts(old.lines.start..old.own);
        let sent = self.content.texts(new.lines.start..new.own);
        let above = found.checked_sub(1).map(|above| &self.before.elements[above]);
        let is_below_line = above.is_some_and(|above| above.unit().is_none());
        let begins_so = match there.first() {
            Some(first) => sent.first() == Some(first),
            None => {
                sent.iter().all(|line| self.file.lines.places(&[line], 0..usize::MAX).is_empty())
            }
        };
        if there == sent || begins_so && !is_below_line {
            return Ok(());
        }
        let what = there.first().or(sent.first()).copied().unwrap_or_default().trim();
        let says = format!(
            "a mark is above this structure, so whether `{}` is to stay is not certain; send the \
             structure from its first comment, decorator or attribute on",
            excerpt(what, 80)
        );
        Err(Unresolved::new(new.lines.start, says))
    }

    /// Refuses a structure without marks that lacks what the file has in it, unless that is code.
    fn check_members(&self, old: usize, new: usize) -> Result<(), Unresolved> {
        let structures = &self.content.parsed.outline.structures;
        if structures[new].kind.runs() {
            return Ok(());
        }
        let members = |side: &Side<'a>, parent: usize| -> HashMap<Name<'a>, usize> {
            let units = side.parsed.outline.children(Some(parent));
            units.filter(|at| side.is_known(*at)).map(|at| (side.named(at), at)).collect()
        };
        let sent = members(self.content, new);
        for inner in self.file.parsed.outline.children(Some(old)) {
            if !self.file.is_known(inner) {
                continue;
            }
            match sent.get(&self.file.named(inner)) {
                Some(same) => self.check_members(inner, *same)?,
                None => {
                    let line = self.content.lines.line_of(structures[new].extent.end.max(1) - 1);
                    return Err(Unresolved::left_out(line, &self.file.header(inner)));
                }
            }
        }
        Ok(())
    }

    /// The structures that a region has afterwards.
    fn names(&self, region: &Region) -> Vec<Name<'a>> {
        let new = &self.after.elements[region.new.clone()];
        let mut names = Vec::new();
        let mut is_marked = false;
        for element in new {
            match element.what {
                What::Unit(index) => names.push(self.content.named(index)),
                What::Mark if !is_marked => {
                    is_marked = true;
                    names.extend(self.file.names(&self.before.elements[region.old.clone()]));
                }
                What::Mark | What::Line => {}
            }
        }
        names
    }
}

impl Expected<'_> {
    /// Whether a text has these structures at this level, in this order.
    pub(super) fn holds(&self, side: &Side<'_>) -> bool {
        let mut parent: Option<Element> = None;
        for (name, count) in &self.path {
            let Some(level) = level_of(side, parent.as_ref()) else { return false };
            let is_it = |it: &Element| it.unit().is_some_and(|at| side.named(at) == *name);
            parent = level.elements.into_iter().filter(is_it).nth(*count);
            if parent.is_none() {
                return false;
            }
        }
        let Some(level) = level_of(side, parent.as_ref()) else { return false };
        side.names(&level.elements) == self.names
    }
}

fn level_of(side: &Side<'_>, parent: Option<&Element>) -> Option<Level> {
    let lines = parent.map_or(0..side.lines.len(), |parent| parent.lines.clone());
    side.level(parent.and_then(Element::unit), lines).ok()
}
