//! Regions: what is between two elements that both texts have, and what it comes to.

use std::ops::Range;

use super::Unresolved;
use super::level::{Element, Name, Side, What};
use super::matching::Pair;
use crate::syntax::Kind;
use crate::text::one_line::excerpt;

/// The elements of both texts between two that match, by their places in the levels.
#[derive(Debug, Clone)]
pub(super) struct Region {
    pub old: Range<usize>,
    pub new: Range<usize>,
}

/// The lines to write in the place of lines of the file; an empty line is one that the file has
/// between its structures.
pub(super) type Piece<'a> = (Range<usize>, Vec<&'a str>);

impl<'a> Pair<'_, 'a> {
    /// The pieces of a region.
    pub(super) fn pieces(&self, region: &Region) -> Result<Vec<Piece<'a>>, Unresolved> {
        let new = &self.after.elements[region.new.clone()];
        let is_mark = |element: &Element| element.what == What::Mark;
        let (first, last) = (new.iter().position(is_mark), new.iter().rposition(is_mark));
        let Some((first, last)) = first.zip(last) else { return self.whole(region) };
        if let Some(piece) = new[first..last].iter().find(|element| !is_mark(element)) {
            return Err(self.nowhere(piece));
        }
        let (above, below) = (&new[..first], &new[last + 1..]);
        // Beside a mark it may be new, or a structure of the file with another name.
        if let Some(unit) = above.iter().chain(below).find(|element| element.unit().is_some()) {
            return Err(self.nowhere(unit));
        }
        self.check_lines(region, above, below)?;
        Ok(self.around_mark(region, above, below))
    }

    /// The piece of a region without a mark: all of it is as the content has it.
    fn whole(&self, region: &Region) -> Result<Vec<Piece<'a>>, Unresolved> {
        let (old, new) =
            (&self.before.elements[region.old.clone()], &self.after.elements[region.new.clone()]);
        let (from, to) = (self.old_lines(region), self.new_lines(region));
        let below = to.end.min(self.content.lines.len().saturating_sub(1));
        if let Some(mark) = self.content.marks.range(to.clone()).next() {
            let says = "what this mark is in is not in the file exactly once, so what is in the \
                        place of the mark is not certain; send all of it";
            return Err(Unresolved::new(*mark, says));
        }
        let kept = self.content.names(new);
        if self.file.names(old) != kept {
            let units = old.iter().filter_map(Element::unit);
            if let Some(gone) = units.into_iter().find(|it| !kept.contains(&self.file.named(*it))) {
                return Err(Unresolved::left_out(below, &self.file.header(gone)));
            }
            for element in new {
                self.check_new(element)?;
            }
        }
        let lines = |elements: &[Element]| elements.iter().filter(|it| it.unit().is_none()).count();
        if lines(new) < lines(old) {
            let gone = old.iter().find(|it| it.unit().is_none());
            let gone = gone.and_then(|it| self.file.lines.get(it.lines.start)).unwrap_or_default();
            return Err(Unresolved::left_out(below, gone.trim()));
        }
        let (mut from, mut to) = (from, to);
        if to.start.checked_sub(1).is_some_and(|above| self.content.marks.contains(&above)) {
            // The structure above ends with a mark, and blank lines beside a mark are the file's.
            let filled = |side: &Side<'_>, lines: &Range<usize>| {
                lines.clone().find(|line| !side.is_blank(*line)).unwrap_or(lines.end)
            };
            let (old, new) = (filled(self.file, &from), filled(self.content, &to));
            if old > from.start {
                (from.start, to.start) = (old, new);
            }
        }
        Ok(vec![(from, self.content.texts(to))])
    }

    /// The pieces above and below the marks of a region; between them the file stays as it is.
    fn around_mark(&self, region: &Region, above: &[Element], below: &[Element]) -> Vec<Piece<'a>> {
        let (from, to) = (self.old_lines(region), self.new_lines(region));
        let old = &self.before.elements[region.old.clone()];
        let upper = above.last().map(|last| self.content.texts(to.start..last.lines.end));
        let lower = below.first().map(|first| self.content.texts(first.lines.start..to.end));
        let (Some(first), Some(last)) = (old.first(), old.last()) else {
            // The marks are nothing of the file: the blank lines there are between the pieces.
            let gap = self.file.texts(from.clone());
            let lines: Vec<&str> = match (upper, lower) {
                (None, None) => return Vec::new(),
                (upper, lower) => {
                    let upper = upper.unwrap_or_default().into_iter();
                    upper.chain(gap).chain(lower.unwrap_or_default()).collect()
                }
            };
            return vec![(from, lines)];
        };
        let mut pieces = Vec::new();
        if let Some(mut upper) = upper {
            let place = from.start..first.lines.start;
            upper.extend(match region.new.start {
                0 => self.gap(region.old.start, region.old.start + 1),
                _ => self.file.texts(place.clone()),
            });
            pieces.push((place, upper));
        }
        if let Some(lower) = lower {
            let place = last.lines.end..from.end;
            let mut lines = match region.new.end == self.after.elements.len() {
                true => self.gap(region.old.end.wrapping_sub(2), region.old.end - 1),
                false => self.file.texts(place.clone()),
            };
            lines.extend(lower);
            pieces.push((place, lines));
        }
        pieces
    }

    /// The blank lines of the file between two elements; one where it does not say.
    fn gap(&self, first: usize, second: usize) -> Vec<&'a str> {
        let elements = &self.before.elements;
        match (elements.get(first), elements.get(second)) {
            (Some(first), Some(second)) => self.file.texts(first.lines.end..second.lines.start),
            _ => vec![""],
        }
    }

    /// Refuses lines beside a mark that may be in the place of lines of the file, or new; but for
    /// imports added to those at the top.
    fn check_lines(
        &self,
        region: &Region,
        above: &[Element],
        below: &[Element],
    ) -> Result<(), Unresolved> {
        let is_import = |line: &&Element| self.is_import(region, line);
        let Some(line) = below.first().or_else(|| above.iter().find(|line| !is_import(line)))
        else {
            return Ok(());
        };
        if region.old.is_empty() {
            return Ok(());
        }
        Err(Unresolved::new(
            line.own,
            "this line is not in the file, and a mark is beside it: whether it is new or in the \
             place of another line is not certain; send the lines around it, too",
        ))
    }

    /// Whether a line is one more of a kind that the file has above its first structure alone.
    fn is_import(&self, region: &Region, line: &Element) -> bool {
        let word = |side: &Side<'a>, line: usize| -> Option<&'a str> {
            let text = side.lines.get(line)?;
            let end = text.find(|it: char| !it.is_alphanumeric() && it != '#')?;
            (end > 0).then_some(&text[..end])
        };
        let Some(own) = word(self.content, line.own) else { return false };
        let elements = &self.before.elements;
        let is_same = |it: &Element| it.unit().is_none() && word(self.file, it.own) == Some(own);
        let (top, rest) = elements.split_at(region.old.start);
        let begins = |it: &Element| it.unit().is_some() && it.own == it.lines.start;
        top.iter().all(|it| it.unit().is_none())
            && top.iter().any(is_same)
            && rest.first().is_some_and(begins)
            && !rest.iter().any(is_same)
    }

    /// Refuses a function of the content that has in it what a mark is in the place of: then a
    /// bracket is missing in it, or a level of indentation.
    pub(super) fn check_inside(&self, new: usize, elided: &[usize]) -> Result<(), Unresolved> {
        let outline = &self.content.parsed.outline;
        if !outline.structures[new].kind.runs() {
            return Ok(());
        }
        for inner in outline.children(Some(new)).filter(|at| outline.structures[*at].kind.runs()) {
            let name = self.content.named(inner).name;
            if elided.iter().any(|at| self.file.named(*at).name == name) {
                let line = self.content.lines.line_of(outline.structures[inner].extent.start);
                let says = format!(
                    "`{name}` is inside of another function here, and beside it in the file"
                );
                return Err(Unresolved::new(line, says));
            }
        }
        Ok(())
    }

    /// Refuses a structure that may be one of the file.
    fn check_new(&self, element: &Element) -> Result<(), Unresolved> {
        let Some(index) = element.unit() else { return Ok(()) };
        let Name { kind, name, .. } = self.content.named(index);
        let structures = &self.file.parsed.outline.structures;
        let inside = |at: &usize| {
            let extent = &structures[*at].extent;
            let line = self.file.lines.line_of(extent.start);
            self.before.lines.contains(&line)
        };
        let mut same = (0..structures.len()).filter(inside).filter(|at| {
            let Name { kind: other, name: known, .. } = self.file.named(*at);
            let is_impl = (kind == Kind::Impl) != (other == Kind::Impl);
            known == name && !is_impl && (kind.runs() || structures[*at].parent == self.parent)
        });
        match same.next() {
            Some(_) => Err(Unresolved::new(
                element.own,
                format!(
                    "`{}` may be another structure of that name in the file; send it between its \
                     neighbours, in its class or module",
                    self.content.header(index)
                ),
            )),
            None => Ok(()),
        }
    }

    /// The refusal of a piece between two marks that is nothing of the file.
    fn nowhere(&self, piece: &Element) -> Unresolved {
        let what = match piece.what {
            What::Unit(index) => self.content.header(index),
            _ => self.content.lines.get(piece.own).unwrap_or_default().trim().to_owned(),
        };
        let what = excerpt(&what, 80);
        let says = format!(
            "`{what}` is beside a mark, and is not in the file exactly once; send the structures \
             above and below it, too, without a mark between"
        );
        Unresolved::new(piece.own, says)
    }

    /// The lines of the file between the elements around a region.
    fn old_lines(&self, region: &Region) -> Range<usize> {
        between(&self.before.elements, &self.before.lines, &region.old)
    }

    /// The lines of the content there.
    fn new_lines(&self, region: &Region) -> Range<usize> {
        between(&self.after.elements, &self.after.lines, &region.new)
    }
}

fn between(elements: &[Element], level: &Range<usize>, region: &Range<usize>) -> Range<usize> {
    let before = region.start.checked_sub(1).and_then(|before| elements.get(before));
    let start = before.map_or(level.start, |element| element.lines.end);
    let end = elements.get(region.end).map_or(level.end, |element| element.lines.start);
    start..end.max(start)
}
