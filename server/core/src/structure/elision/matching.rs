//! Which elements of a content are which of the file.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::Unresolved;
use super::level::{Element, Level, Name, Side, What};
use super::region::Region;

/// What an element is known by.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key<'a> {
    Name(Name<'a>),
    Header(String),
    Line(&'a str),
}

/// The two texts at one level.
pub(super) struct Pair<'s, 'a> {
    pub file: &'s Side<'a>,
    pub content: &'s Side<'a>,
    pub before: &'s Level,
    pub after: &'s Level,
    /// The structure of the file that the level is in.
    pub parent: Option<usize>,
}

/// For each element of the content which one of the file it is.
pub(super) type Matching = Vec<Option<usize>>;

impl Pair<'_, '_> {
    /// Matches what is in both texts exactly once, what is the same next to that, and structures
    /// with the same names between what matches.
    ///
    /// # Errors
    /// [`Unresolved`] where structures are in another order than in the file.
    pub(super) fn matching(&self) -> Result<Matching, Unresolved> {
        let (old, new) = (keys(self.file, self.before), keys(self.content, self.after));
        let mut matching: Matching = (0..self.after.elements.len())
            .map(|at| {
                let own = own_keys(self.content, &self.after.elements[at]);
                own.into_iter().find_map(|key| {
                    let (found, count) = *old.get(&key)?;
                    (count == 1 && new[&key].1 == 1).then_some(found)
                })
            })
            .collect();
        self.put_in_order(&mut matching)?;
        self.extend(&mut matching);
        self.pair_up(&mut matching);
        Ok(matching)
    }

    /// The regions between what matches; each ends at the element that matches next.
    pub(super) fn regions(&self, matching: &Matching) -> Vec<Region> {
        let mut regions = Vec::new();
        let (mut old, mut new) = (0, 0);
        let end = Some(self.before.elements.len());
        for (at, found) in matching.iter().copied().chain([end]).enumerate() {
            if let Some(found) = found {
                regions.push(Region { old: old..found, new: new..at });
                (old, new) = (found + 1, at + 1);
            }
        }
        regions
    }

    /// Matches the structures of regions that have the same names in both texts, and no mark.
    fn pair_up(&self, matching: &mut Matching) {
        for Region { old, new } in self.regions(matching) {
            let (old_units, new_units) =
                (&self.before.elements[old.clone()], &self.after.elements[new.clone()]);
            let has_mark = new_units.iter().any(|element| element.what == What::Mark);
            if has_mark || self.file.names(old_units) != self.content.names(new_units) {
                continue;
            }
            let units = |elements: &[Element], range: Range<usize>| -> Vec<usize> {
                range.filter(|at| elements[*at].unit().is_some()).collect()
            };
            let pairs = units(&self.before.elements, old).into_iter();
            for (found, at) in pairs.zip(units(&self.after.elements, new)) {
                matching[at] = Some(found);
            }
        }
    }

    /// Forgets lines that are in another order than in the file.
    fn put_in_order(&self, matching: &mut Matching) -> Result<(), Unresolved> {
        let mut highest = 0;
        let mut crossing: Vec<usize> = Vec::new();
        for (at, found) in matching.iter().enumerate() {
            if let Some(found) = found {
                if *found < highest {
                    crossing.push(at);
                }
                highest = highest.max(*found + 1);
            }
        }
        let mut lowest = usize::MAX;
        for (at, found) in matching.iter().enumerate().rev() {
            if let Some(found) = found {
                if *found > lowest {
                    crossing.push(at);
                }
                lowest = lowest.min(*found);
            }
        }
        for at in crossing {
            let element = &self.after.elements[at];
            if let What::Unit(index) = element.what {
                let says = format!(
                    "`{}` is in another place than in the file; send the file whole to move it",
                    self.content.header(index)
                );
                return Err(Unresolved::new(element.own, says));
            }
            matching[at] = None;
        }
        Ok(())
    }

    /// Matches the elements with the same text right after and right before those that match.
    fn extend(&self, matching: &mut Matching) {
        let mut is_free = vec![true; self.before.elements.len()];
        for found in matching.iter().flatten() {
            is_free[*found] = false;
        }
        let mut next = Some(0);
        for at in 0..matching.len() {
            self.extend_to(matching, &mut is_free, at, next);
            next = matching[at].map(|found| found + 1);
        }
        let mut next = self.before.elements.len().checked_sub(1);
        for at in (0..matching.len()).rev() {
            self.extend_to(matching, &mut is_free, at, next);
            next = matching[at].and_then(|found| found.checked_sub(1));
        }
    }

    fn extend_to(
        &self,
        matching: &mut Matching,
        is_free: &mut [bool],
        at: usize,
        next: Option<usize>,
    ) {
        let Some(next) = next.filter(|next| is_free.get(*next) == Some(&true)) else { return };
        if matching[at].is_none() && self.is_same(&self.after.elements[at], next) {
            matching[at] = Some(next);
            is_free[next] = false;
        }
    }

    /// Whether both are the same kind of element with the same lines.
    pub(super) fn is_same(&self, new: &Element, old: usize) -> bool {
        let old = &self.before.elements[old];
        let is_unit = |element: &Element| matches!(element.what, What::Unit(_));
        new.what != What::Mark
            && is_unit(new) == is_unit(old)
            && self.content.texts(new.lines.clone()) == self.file.texts(old.lines.clone())
    }
}

/// Where each key is first, and how often it is there.
fn keys<'a>(side: &Side<'a>, level: &Level) -> HashMap<Key<'a>, (usize, usize)> {
    let mut keys = HashMap::new();
    for (at, element) in level.elements.iter().enumerate() {
        for key in own_keys(side, element) {
            keys.entry(key).or_insert((at, 0)).1 += 1;
        }
    }
    keys
}

/// What one element is known by, the surest first.
fn own_keys<'a>(side: &Side<'a>, element: &Element) -> Vec<Key<'a>> {
    match element.what {
        What::Unit(index) => {
            vec![Key::Name(side.named(index)), Key::Header(side.header(index))]
        }
        What::Line => {
            // A bracket says nothing of where it is.
            let line = side.lines.get(element.lines.start).unwrap_or_default();
            let is_telling = line.contains(char::is_alphanumeric);
            is_telling.then_some(Key::Line(line)).into_iter().collect()
        }
        What::Mark => Vec::new(),
    }
}
