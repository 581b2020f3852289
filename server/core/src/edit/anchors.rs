//! Lines that are once in each of two texts and so tell which parts belong together.

use imara_diff::{Hunk, Token};

/// The stretches between anchors that may differ, in order; the longest ascending run of lines
/// that are once in each text are the anchors.
pub(super) fn gaps(before: &[Token], after: &[Token]) -> Vec<Hunk> {
    let mut gaps = Vec::new();
    let (mut old, mut new) = (0, 0);
    let end = (to_u32(before.len()), to_u32(after.len()));
    for (old_anchor, new_anchor) in anchors(before, after).into_iter().chain([end]) {
        if old < old_anchor || new < new_anchor {
            gaps.push(Hunk { before: old..old_anchor, after: new..new_anchor });
        }
        (old, new) = (old_anchor + 1, new_anchor + 1);
    }
    gaps
}

/// The anchors as line numbers in both texts, ascending in both.
fn anchors(before: &[Token], after: &[Token]) -> Vec<(u32, u32)> {
    let tokens = before.iter().chain(after).map(|token| token.0).max().map_or(0, |max| max + 1);
    let (old, new) = (places(before, tokens), places(after, tokens));
    let mut pairs: Vec<(u32, u32)> =
        old.into_iter().zip(new).filter_map(|(old, new)| old.line().zip(new.line())).collect();
    pairs.sort_unstable();
    longest_ascending(&pairs)
}

/// Where a token is.
#[derive(Clone, Copy)]
enum Place {
    Nowhere,
    Once(u32),
    Often,
}

impl Place {
    fn line(self) -> Option<u32> {
        if let Place::Once(line) = self { Some(line) } else { None }
    }
}

fn places(lines: &[Token], tokens: u32) -> Vec<Place> {
    let mut places = vec![Place::Nowhere; tokens as usize];
    for (line, token) in lines.iter().enumerate() {
        let place = &mut places[token.0 as usize];
        *place = match place {
            Place::Nowhere => Place::Once(to_u32(line)),
            _ => Place::Often,
        };
    }
    places
}

/// The longest run of pairs, sorted by their first number, whose second number ascends, too.
fn longest_ascending(pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
    // `ends[n]` is the pair with the least second number that ends a run of `n + 1`.
    let mut ends: Vec<usize> = Vec::new();
    let mut previous: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < pair.1);
        previous.push(length.checked_sub(1).map(|shorter| ends[shorter]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
    }
    let mut run = Vec::with_capacity(ends.len());
    let mut at = ends.last().copied();
    while let Some(index) = at {
        run.push(pairs[index]);
        at = previous[index];
    }
    run.reverse();
    run
}

/// The diff crate counts lines so, and refuses more.
fn to_u32(line: usize) -> u32 {
    u32::try_from(line).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(before: &[u32], after: &[u32], expected: &[(u32, u32)]) {
        let tokens = |numbers: &[u32]| numbers.iter().map(|n| Token(*n)).collect::<Vec<_>>();
        assert_eq!(anchors(&tokens(before), &tokens(after)), expected);
    }

    #[test]
    fn anchors_stand_once_and_in_order() {
        check(&[1, 2, 3], &[1, 2, 3], &[(0, 0), (1, 1), (2, 2)]);
        check(&[1, 2, 2, 3], &[1, 2, 3], &[(0, 0), (3, 2)]);
        check(&[1, 2, 3, 4], &[4, 1, 2, 3], &[(0, 1), (1, 2), (2, 3)]);
        check(&[1, 2], &[3, 4], &[]);
        check(&[], &[1], &[]);
        check(&[1, 2, 3], &[3, 2, 1], &[(2, 0)]);
    }

    #[test]
    fn gaps_are_what_is_between_anchors_and_differs() {
        let check = |before: &[u32], after: &[u32], expected: &str| {
            let tokens = |numbers: &[u32]| numbers.iter().map(|n| Token(*n)).collect::<Vec<_>>();
            let found = gaps(&tokens(before), &tokens(after));
            let shown = found.iter().map(|gap| format!("{:?}→{:?}", gap.before, gap.after));
            assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{before:?} {after:?}");
        };
        check(&[1, 2, 3], &[1, 2, 3], "");
        check(&[1, 2, 3], &[1, 3], "1..2→1..1");
        check(&[1, 3], &[1, 2, 3], "1..1→1..2");
        check(&[0, 1, 2], &[9, 1, 8, 7], "0..1→0..1 2..3→2..4");
        check(&[], &[1, 1], "0..0→0..2");
        check(&[], &[], "");
    }
}
