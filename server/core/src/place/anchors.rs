//! Anchors: lines above a hunk that say where it is searched for.

use std::ops::Range;

use super::Lines;
use crate::text::work;

/// So many anchors in a row are followed; more than files nest, and few enough to bound the cost.
const NESTED: usize = 16;

impl Lines<'_> {
    /// The lines right below the innermost anchor, ascending, one for each choice of the outermost
    /// that leads to another one; or the index of the anchor that is not found.
    pub(super) fn below(
        &self,
        anchors: &[&str],
        within: &Range<usize>,
    ) -> Result<Vec<usize>, usize> {
        let Some((outermost, inner)) = anchors.split_first() else {
            return Ok(vec![within.start]);
        };
        let mut innermost = self.anchored(outermost, within.clone());
        if innermost.is_empty() {
            innermost = self.anchored(outermost, 0..within.start);
        }
        for (index, anchor) in (1..).zip(inner) {
            let first = *innermost.first().ok_or(index - 1)?;
            if index == NESTED {
                return Err(index);
            }
            let mut below = self.anchored(anchor, first..within.end).into_iter().peekable();
            innermost.retain_mut(|line| {
                while below.next_if(|next| next <= line).is_some() {}
                below.peek().is_some_and(|next| {
                    *line = *next;
                    true
                })
            });
            innermost.dedup();
        }
        if innermost.is_empty() {
            return Err(anchors.len() - 1);
        }
        Ok(innermost.into_iter().map(|line| line + 1).collect())
    }

    /// Whether a line is inside of what the nearest anchor above it begins: right below the anchor, or
    /// below lines that are indented by more than the anchor is, as it is itself.
    pub(super) fn is_inside(&self, line: usize, below: &[usize]) -> bool {
        let Some(first) = below.iter().rev().find(|first| **first <= line) else { return false };
        let anchor = first.checked_sub(1).and_then(|anchor| self.get(anchor)).unwrap_or_default();
        let outer = &anchor[..anchor.len() - unindented(anchor).len()];
        let is_deeper = |line: usize| {
            let text = self.get(line).unwrap_or_default();
            let inner = text.strip_prefix(outer).is_some_and(|rest| rest.starts_with([' ', '\t']));
            work::add(1);
            inner || text.trim().is_empty()
        };
        *first == line || (*first..=line).all(is_deeper)
    }

    /// The lines that are an anchor, indentation aside.
    fn anchored(&self, anchor: &str, within: Range<usize>) -> Vec<usize> {
        let bare = unindented(anchor);
        let is_anchor = |line: &usize| {
            work::add(1);
            self.get(*line).is_some_and(|text| unindented(text) == bare)
        };
        within.filter(is_anchor).collect()
    }
}

fn unindented(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}
