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
            let mut below = self.anchored(anchor, first + 1..within.end).into_iter().peekable();
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
