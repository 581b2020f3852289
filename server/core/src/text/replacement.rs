//! The line endings that a new text takes from the lines that it replaces.

use crate::text::lines::{self, Ending};

/// `new` as it is written in the place of `old`: line by line with the endings of the lines that
/// were there, with their common ending beyond them, and with `other` where they differ or were
/// none. Where that is `None`, too, nothing says how lines end and `new` stays as it is.
pub(crate) fn with_endings_of(old: &str, new: &str, other: Option<Ending>) -> String {
    if !new.contains('\n') {
        return new.to_owned();
    }
    let endings: Vec<Ending> = lines::with_endings(old).filter_map(Ending::of_line).collect();
    let beyond = match endings.split_first() {
        Some((first, rest)) if rest.iter().all(|ending| ending == first) => Some(*first),
        _ => other,
    };
    let Some(beyond) = beyond else { return new.to_owned() };
    let mut endings = endings.into_iter();
    let mut written = String::with_capacity(new.len());
    for line in lines::with_endings(new) {
        let text = lines::without_ending(line);
        written.push_str(text);
        if text.len() < line.len() {
            written.push_str(endings.next().unwrap_or(beyond).as_str());
        }
    }
    written
}

/// The endings of the lines of a text, asked for at ascending offsets.
pub(crate) struct LineEndings<'a> {
    text: &'a [u8],
    /// Where the line asked for last ends, and its ending.
    last: Option<(usize, Option<Ending>)>,
}

impl<'a> LineEndings<'a> {
    pub(crate) fn new(text: &'a str) -> LineEndings<'a> {
        LineEndings { text: text.as_bytes(), last: None }
    }

    /// The ending of the line that `offset` is in, where it has one.
    pub(crate) fn at(&mut self, offset: usize) -> Option<Ending> {
        // Kept, so that many questions about one long line do not each go through it.
        if let Some((end, ending)) = self.last
            && offset <= end
        {
            return ending;
        }
        let found = memchr::memchr(b'\n', &self.text[offset..]).map(|at| offset + at);
        let ending = found.map(|end| {
            let cr = end > 0 && self.text[end - 1] == b'\r';
            if cr { Ending::CrLf } else { Ending::Lf }
        });
        self.last = Some((found.unwrap_or(self.text.len()), ending));
        ending
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_come_from_what_was_there() {
        let check = |old, new, other, expected| {
            assert_eq!(with_endings_of(old, new, other), expected, "{new:?} for {old:?}");
        };
        check("a\r\nb\r\n", "x\ny\nz\n", Some(Ending::Lf), "x\r\ny\r\nz\r\n");
        check("a\r\nb\n", "x\ny\nz\n", Some(Ending::CrLf), "x\r\ny\nz\r\n");
        check("a", "x\ny", Some(Ending::CrLf), "x\r\ny");
        check("a\n", "x\r\ny\r\n", None, "x\ny\n");
        check("a", "x\r\ny\n", None, "x\r\ny\n");
        check("a\r\n", "x\ry", None, "x\ry");
        let mut endings = LineEndings::new("a\r\nb\nc");
        assert_eq!(endings.at(0), Some(Ending::CrLf));
        assert_eq!(endings.at(2), Some(Ending::CrLf));
        assert_eq!(endings.at(3), Some(Ending::Lf));
        assert_eq!(endings.at(5), None);
    }
}
