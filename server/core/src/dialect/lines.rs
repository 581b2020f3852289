//! An index of the lines of a text: where a line is next that is known by its text or its ending.

use std::hash::BuildHasher;

use foldhash::fast::RandomState;

/// The longest word at the end of a line that is indexed, in bytes.
const LONGEST: usize = 8;

/// The starts of lines by their text and by how they end: with `_` and a word of up to eight
/// letters and digits, and perhaps a `'` after it.
///
/// Each is one number, the hash in its upper half and the offset in the lower one, so that an index
/// takes eight bytes a line, sixteen where the line has such an ending.
pub(super) struct Lines {
    state: RandomState,
    sorted: Vec<u64>,
}

/// What a line is known by.
#[derive(Clone, Copy, Hash)]
enum Known<'a> {
    Exact(&'a str),
    Ending(&'a str),
}

impl Lines {
    /// Looks through all lines; the text has fewer than 4 GiB.
    pub fn new(text: &str) -> Lines {
        let mut lines = Lines { state: RandomState::default(), sorted: Vec::new() };
        let bytes = text.as_bytes();
        let mut start = 0;
        for end in memchr::memchr2_iter(b'\n', b'\r', bytes).chain([bytes.len()]) {
            let line = &text[start..end];
            if !line.is_empty() {
                lines.add(Known::Exact(line), start);
            }
            if let Some(ending) = ending(line) {
                lines.add(Known::Ending(ending), start);
            }
            start = end + 1;
        }
        lines.sorted.sort_unstable();
        lines
    }

    /// The start of the first line from `from` on that is this one.
    pub fn exact(&self, text: &str, from: usize, line: &str) -> Option<usize> {
        self.next(from, Known::Exact(line), |at| line_at(text, at) == line)
    }

    /// The start of the first line from `from` on that ends so.
    pub fn ending(&self, text: &str, from: usize, wanted: &str) -> Option<usize> {
        self.next(from, Known::Ending(wanted), |at| ending(line_at(text, at)) == Some(wanted))
    }

    fn next(&self, from: usize, known: Known<'_>, is: impl Fn(usize) -> bool) -> Option<usize> {
        let hash = self.hash(known);
        let first = self.sorted.partition_point(|entry| *entry < hash | from as u64);
        let same = self.sorted[first..].iter().take_while(|entry| **entry & HASH == hash);
        same.map(|entry| (*entry & !HASH) as usize).find(|at| is(*at))
    }

    fn add(&mut self, known: Known<'_>, start: usize) {
        self.sorted.push(self.hash(known) | start as u64);
    }

    fn hash(&self, known: Known<'_>) -> u64 {
        self.state.hash_one(known) & HASH
    }
}

/// The bits of an entry that are its hash.
const HASH: u64 = !0 << 32;

fn line_at(text: &str, start: usize) -> &str {
    let rest = &text[start..];
    &rest[..memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len())]
}

fn ending(line: &str) -> Option<&str> {
    let line = line.strip_suffix('\'').unwrap_or(line);
    let word = line.bytes().rev().take(LONGEST + 1).take_while(u8::is_ascii_alphanumeric).count();
    let start = line.len() - word;
    ((1..=LONGEST).contains(&word) && line[..start].ends_with('_')).then(|| &line[start - 1..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_by_their_endings() {
        let text = "a EOT_abc\nEOT_abc'\r\nabc\n_abcdefghi\né_abc";
        let lines = Lines::new(text);
        assert_eq!(lines.ending(text, 0, "_abc"), Some(0));
        assert_eq!(lines.ending(text, 1, "_abc"), Some(10));
        assert_eq!(lines.ending(text, 11, "_abc"), Some(35));
        assert_eq!(lines.ending(text, 36, "_abc"), None);
        assert_eq!(lines.ending(text, 0, "_abcdefghi"), None);
    }

    #[test]
    fn lines_are_found_by_their_text() {
        let text = "a\nab\r\na\rb\n\na";
        let lines = Lines::new(text);
        assert_eq!(lines.exact(text, 0, "a"), Some(0));
        assert_eq!(lines.exact(text, 1, "a"), Some(6));
        assert_eq!(lines.exact(text, 7, "a"), Some(11));
        assert_eq!(lines.exact(text, 12, "a"), None);
        assert_eq!(lines.exact(text, 0, "ab"), Some(2));
        assert_eq!(lines.exact(text, 0, "_"), None);
    }
}
