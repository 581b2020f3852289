//! How many lines a change of a text adds and takes away.

use std::fmt;

use super::line_diff;
use crate::text::lines;

/// The lines that the smallest diff between two texts adds and takes away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LineCounts {
    /// Lines that are only in the new text.
    pub added: usize,
    /// Lines that are only in the old text.
    pub removed: usize,
}

impl LineCounts {
    /// Compares two texts.
    pub fn between(before: &str, after: &str) -> LineCounts {
        let mut counts = LineCounts::default();
        for hunk in line_diff::hunks(before, after) {
            counts.added += lines::count(&after[hunk.after]);
            counts.removed += lines::count(&before[hunk.before]);
        }
        counts
    }
}

impl std::ops::Add for LineCounts {
    type Output = LineCounts;

    fn add(self, other: LineCounts) -> LineCounts {
        LineCounts { added: self.added + other.added, removed: self.removed + other.removed }
    }
}

impl fmt::Display for LineCounts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "+{} −{}", self.added, self.removed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_stay_count_for_neither() {
        let check = |before: &str, after: &str, expected: &str| {
            assert_eq!(LineCounts::between(before, after).to_string(), expected, "{before:?}");
        };
        check("a\nb\nc\n", "a\nx\nc\n", "+1 −1");
        check("a\nb\nc\n", "", "+0 −3");
        check("", "a\nb", "+2 −0");
        check("a\n", "a\n", "+0 −0");
    }

    #[test]
    fn counts_of_several_files_are_added() {
        let [one, other] =
            [LineCounts { added: 3, removed: 1 }, LineCounts { added: 2, removed: 5 }];
        assert_eq!((one + other).to_string(), "+5 −6");
    }
}
