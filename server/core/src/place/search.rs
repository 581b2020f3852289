//! All exact places of lines in a file, in time linear in the file and these lines.

use std::ops::Range;

use super::Lines;
use crate::text::work;

impl Lines<'_> {
    /// The lines at which `wanted` begins and is wholly inside `within`, ascending. Places may
    /// overlap. No lines are at no place.
    pub fn places(&self, wanted: &[&str], within: Range<usize>) -> Vec<usize> {
        let within = self.clamped(Some(within));
        let Some(wanted) = self.ids_of(wanted) else { return Vec::new() };
        let mut found = Vec::new();
        let borders = borders(&wanted);
        for stretch in self.stretches(&wanted, within) {
            self.find(&wanted, &borders, stretch, &mut found);
        }
        found
    }

    /// The stretches that a match must be inside of: those around the rarest line, joined where
    /// they touch, so no line is in two.
    fn stretches(&self, wanted: &[usize], within: Range<usize>) -> Vec<Range<usize>> {
        let rarest = wanted.iter().enumerate().min_by_key(|(_, id)| self.count(**id));
        let Some((offset, id)) = rarest else { return Vec::new() };
        let mut stretches: Vec<Range<usize>> = Vec::new();
        for line in self.occurrences(*id) {
            let Some(start) = line.checked_sub(offset) else { continue };
            let end = start + wanted.len();
            if start < within.start || end > within.end {
                continue;
            }
            match stretches.last_mut() {
                Some(last) if start <= last.end => last.end = end,
                _ => stretches.push(start..end),
            }
        }
        stretches
    }

    /// The search of Knuth, Morris and Pratt.
    fn find(
        &self,
        wanted: &[usize],
        borders: &[usize],
        stretch: Range<usize>,
        found: &mut Vec<usize>,
    ) {
        let mut matched = 0;
        for line in stretch {
            work::add(1);
            if matched == wanted.len() {
                matched = borders[matched - 1];
            }
            while matched > 0 && wanted[matched] != self.ids[line] {
                work::add(1);
                matched = borders[matched - 1];
            }
            matched += usize::from(wanted[matched] == self.ids[line]);
            if matched == wanted.len() {
                found.push(line + 1 - matched);
            }
        }
    }
}

/// For each line, with those before it, the length of the longest shorter prefix that it ends with.
fn borders(wanted: &[usize]) -> Vec<usize> {
    let mut borders = vec![0; wanted.len()];
    let mut matched = 0;
    for at in 1..wanted.len() {
        while matched > 0 && wanted[matched] != wanted[at] {
            matched = borders[matched - 1];
        }
        matched += usize::from(wanted[matched] == wanted[at]);
        borders[at] = matched;
    }
    borders
}

#[cfg(test)]
mod tests {
    use super::borders;

    #[test]
    fn a_border_is_the_longest_prefix_that_is_an_ending() {
        assert_eq!(borders(&[]), [0; 0]);
        assert_eq!(borders(&[0, 0, 1, 0, 0, 0, 1]), [0, 1, 0, 1, 2, 2, 3]);
        assert_eq!(borders(&[0, 1, 0, 1, 2]), [0, 0, 1, 2, 0]);
    }
}
