//! Whole lines without their endings, in one piece of memory.

use std::fmt;
use std::ops::Range;

/// Whole lines without their endings. Each may hold any text but `\n`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct LineList {
    /// The lines, each with `\n` after it.
    text: String,
    /// Where each of them ends in it, before the `\n`.
    ends: Vec<usize>,
}

impl LineList {
    /// How many lines there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no line.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lines in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        (0..self.len()).map(|index| &self.text[self.span(index)])
    }

    /// The line of an index.
    pub fn get(&self, index: usize) -> Option<&str> {
        (index < self.len()).then(|| &self.text[self.span(index)])
    }

    /// All of them, each with `\n` after it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All of them with `\n` between them.
    pub fn joined(&self) -> &str {
        self.text.strip_suffix('\n').unwrap_or(&self.text)
    }

    fn span(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        start..self.ends[index]
    }
}

impl<'a> FromIterator<&'a str> for LineList {
    fn from_iter<T: IntoIterator<Item = &'a str>>(lines: T) -> LineList {
        let lines: Vec<&str> = lines.into_iter().collect();
        let mut list = LineList {
            text: String::with_capacity(lines.iter().map(|line| line.len() + 1).sum()),
            ends: Vec::with_capacity(lines.len()),
        };
        for line in lines {
            list.text.push_str(line);
            list.ends.push(list.text.len());
            list.text.push('\n');
        }
        list
    }
}

impl fmt::Debug for LineList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_come_back_as_they_went_in() {
        for lines in [&[][..], &[""], &["", ""], &["a"], &["a", "", "b c"]] {
            let list: LineList = lines.iter().copied().collect();
            assert_eq!(list.iter().collect::<Vec<_>>(), lines);
            assert_eq!(list.joined(), lines.join("\n"));
            assert_eq!((list.len(), list.is_empty()), (lines.len(), lines.is_empty()));
            assert_eq!((list.get(0), list.get(lines.len())), (lines.first().copied(), None));
        }
    }
}
