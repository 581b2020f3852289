//! Lines of a target: `\n` and `\r\n` end a line, a lone `\r` does not.

use std::ops::{AddAssign, SubAssign};

use crate::text::Span;

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
}

impl Ending {
    /// The characters.
    pub fn as_str(self) -> &'static str {
        match self {
            Ending::Lf => "\n",
            Ending::CrLf => "\r\n",
        }
    }

    /// The ending of one line's text, where it has one.
    pub fn of_line(line: &str) -> Option<Ending> {
        match line.strip_suffix('\n') {
            Some(rest) if rest.ends_with('\r') => Some(Ending::CrLf),
            Some(_) => Some(Ending::Lf),
            None => None,
        }
    }

    /// The ending that most lines of `text` have; `\n` where it has none or as many of each.
    pub fn dominant(text: &str) -> Ending {
        Ending::dominant_in(text).unwrap_or(Ending::Lf)
    }

    /// The ending that most lines of `text` have, `\n` where it has as many of each; `None` where
    /// no line ends.
    pub fn dominant_in(text: &str) -> Option<Ending> {
        Endings::count(text, 0..text.len()).dominant()
    }
}

/// How many lines end, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Endings {
    all: usize,
    with_cr: usize,
}

impl Endings {
    /// The endings whose `\n` is in `span`, in bytes; what of it is beyond the text has none.
    pub fn count(text: &str, span: Span) -> Endings {
        let bytes = text.as_bytes();
        let inside = &bytes[span.start..span.end.min(bytes.len())];
        let mut endings = Endings::default();
        for at in memchr::memchr_iter(b'\n', inside) {
            let at = span.start + at;
            endings.all += 1;
            endings.with_cr += usize::from(at > 0 && bytes[at - 1] == b'\r');
        }
        endings
    }

    /// The ending that most lines have, `\n` where as many have each; `None` where no line ends.
    pub fn dominant(self) -> Option<Ending> {
        match self.all {
            0 => None,
            all if self.with_cr * 2 > all => Some(Ending::CrLf),
            _ => Some(Ending::Lf),
        }
    }
}

impl AddAssign for Endings {
    fn add_assign(&mut self, more: Endings) {
        self.all += more.all;
        self.with_cr += more.with_cr;
    }
}

impl SubAssign for Endings {
    fn sub_assign(&mut self, less: Endings) {
        self.all -= less.all;
        self.with_cr -= less.with_cr;
    }
}

/// Where each `\n` of a text is that [`fits`](super::fits), so that lines are looked up and not
/// counted.
#[derive(Debug, Clone)]
pub(crate) struct Newlines(Box<[u32]>);

impl Newlines {
    /// Those of a text. Offsets beyond 32 bits are left out.
    pub fn of(text: &str) -> Newlines {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        Newlines(newlines.map_while(|at| u32::try_from(at).ok()).collect())
    }

    /// How many are before an offset.
    pub fn before(&self, offset: usize) -> usize {
        self.0.partition_point(|newline| (*newline as usize) < offset)
    }

    /// Where the line of an offset begins.
    pub fn line_start(&self, offset: usize) -> usize {
        self.before(offset).checked_sub(1).map_or(0, |last| self.0[last] as usize + 1)
    }
}

/// The line without the ending that LSP gives it (`\n`, `\r\n` or `\r`).
pub fn trim_ending(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// Lines with `\n` after each, in as much memory as they take: the text of a new file is kept for
/// as long as its block is known.
pub(crate) fn terminated<'a>(lines: impl Iterator<Item = &'a str> + Clone) -> String {
    let mut text = String::with_capacity(lines.clone().map(|line| line.len() + 1).sum());
    for line in lines {
        text.push_str(line);
        text.push('\n');
    }
    text
}

/// Whether the first non-blank character of a line is an ASCII letter or digit. Most lines of code begin
/// so, and no comment does.
pub(crate) fn begins_with_word(line: &str) -> bool {
    line.trim_ascii_start().as_bytes().first().is_some_and(u8::is_ascii_alphanumeric)
}

/// Lines of a text that follow one another, with `\n` after each.
pub(crate) fn with_newlines(text: &str, lines: &[Span]) -> String {
    let Some((first, last)) = lines.first().zip(lines.last()) else { return String::new() };
    let whole = &text[first.start..last.end];
    match memchr::memchr(b'\r', whole.as_bytes()) {
        None => terminated(std::iter::once(whole)),
        Some(_) => terminated(lines.iter().map(|line| &text[line.clone()])),
    }
}

/// The lines' text without their endings, told apart as LSP does: by `\n`, `\r\n` and `\r`. After
/// a final ending comes an empty line.
pub(crate) fn spans(text: &str) -> Vec<Span> {
    // As many as most blocks have.
    let mut spans = Vec::with_capacity(8);
    spans.extend(each(text));
    spans
}

/// The same, one after the other.
pub(crate) fn each(text: &str) -> impl Iterator<Item = Span> + '_ {
    let bytes = text.as_bytes();
    let mut ends = memchr::memchr2_iter(b'\n', b'\r', bytes);
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let Some(end) = ends.next() else {
            next = None;
            return Some(start..text.len());
        };
        let pair = bytes[end..].starts_with(b"\r\n") && ends.next().is_some();
        next = Some(end + 1 + usize::from(pair));
        Some(start..end)
    })
}

/// The line that `offset` is in, without its ending, told apart as LSP does.
pub(crate) fn around(text: &str, offset: usize) -> Span {
    let bytes = text.as_bytes();
    let start = memchr::memrchr2(b'\n', b'\r', &bytes[..offset]).map_or(0, |at| at + 1);
    let end = memchr::memchr2(b'\n', b'\r', &bytes[offset..]).map_or(text.len(), |at| offset + at);
    start..end
}

/// The ending that is at `end`, where a line's text ends; `\n` at the end of the text.
pub(crate) fn eol_after(text: &str, end: usize) -> &'static str {
    match text.as_bytes().get(end..) {
        Some([b'\r', b'\n', ..]) => "\r\n",
        Some([b'\r', ..]) => "\r",
        _ => "\n",
    }
}

/// Where the line after the one whose text ends at `end` begins.
pub(crate) fn after_ending(text: &str, end: usize) -> usize {
    match text.as_bytes().get(end..) {
        Some([b'\r', b'\n', ..]) => end + 2,
        Some([b'\r' | b'\n', ..]) => end + 1,
        _ => end,
    }
}

/// Whether a text may be parted before a byte: neither inside of a character nor between the `\r`
/// and the `\n` of a line ending.
pub fn may_be_parted(text: &str, at: usize) -> bool {
    let bytes = text.as_bytes();
    let is_inside = at > 0 && bytes.get(at - 1..=at).is_some_and(|it| it == b"\r\n");
    text.is_char_boundary(at) && !is_inside
}

/// The line of a target without its ending; a lone `\r` is text and stays.
pub fn without_ending(line: &str) -> &str {
    line.strip_suffix("\r\n").or_else(|| line.strip_suffix('\n')).unwrap_or(line)
}

/// The lines of `text` with their endings, in order; nothing after the final newline is not a line.
pub fn with_endings(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n')
}

/// How many lines `text` has; nothing after the final newline is not a line.
pub fn count(text: &str) -> usize {
    let ends = memchr::memchr_iter(b'\n', text.as_bytes()).count();
    ends + usize::from(!text.is_empty() && !text.ends_with('\n'))
}

/// How many lines `text` has where `\r` alone ends one, too, as in `spans`.
pub fn count_with_cr(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_end = |at: &usize| bytes[*at] == b'\n' || bytes.get(at + 1) != Some(&b'\n');
    let ends = memchr::memchr2_iter(b'\n', b'\r', bytes).filter(is_end).count();
    ends + usize::from(!text.is_empty() && !text.ends_with(['\n', '\r']))
}

/// The 1-based line that a byte offset is in.
pub fn number_at(text: &str, offset: usize) -> usize {
    let before = &text.as_bytes()[..offset.min(text.len())];
    memchr::memchr_iter(b'\n', before).count() + 1
}

/// The bytes of whole lines `first..=last`, 1-based, endings included; `None` where one is beyond
/// the text or `first > last`.
pub fn span_of(text: &str, first: usize, last: usize) -> Option<Span> {
    if first == 0 || last < first {
        return None;
    }
    let start = start_of(text, first)?;
    if start >= text.len() {
        return None;
    }
    let mut ends = memchr::memchr_iter(b'\n', &text.as_bytes()[start..]);
    let mut end = start;
    for line in first..=last {
        if end >= text.len() {
            return None;
        }
        end = match ends.next() {
            Some(at) => start + at + 1,
            None if line == last => text.len(),
            None => return None,
        };
    }
    Some(start..end)
}

/// Where the line begins that has the 1-based number `line`; `None` where too few lines end.
fn start_of(text: &str, line: usize) -> Option<usize> {
    // Whole stretches are counted much faster than line by line.
    const STRETCH: usize = 4096;
    let mut ends = line.checked_sub(1)?;
    if ends == 0 {
        return Some(0);
    }
    for (index, stretch) in text.as_bytes().chunks(STRETCH).enumerate() {
        let here = memchr::memchr_iter(b'\n', stretch).count();
        if ends <= here {
            let at = memchr::memchr_iter(b'\n', stretch).nth(ends - 1)?;
            return Some(index * STRETCH + at + 1);
        }
        ends -= here;
    }
    None
}

/// `text` with every `\r\n` and `\n` written as `ending`; a lone `\r` stays.
pub fn with_ending(text: &str, ending: Ending) -> String {
    let unix = text.replace("\r\n", "\n");
    match ending {
        Ending::Lf => unix,
        Ending::CrLf => unix.replace('\n', "\r\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_after_the_final_newline_is_no_line() {
        assert_eq!(count(""), 0);
        assert_eq!(count("a\nb\n"), 2);
        assert_eq!(count("a\nb"), 2);
        assert_eq!(count("a\rb\n"), 1);
        assert_eq!(span_of("a\nb\n", 2, 2), Some(2..4));
        assert_eq!(span_of("a\nb", 1, 2), Some(0..3));
        assert_eq!(span_of("a\nb\n", 3, 3), None);
        assert_eq!(span_of("a\nb", 2, 3), None);
        assert_eq!(span_of("", 1, 1), None);
        let long = "ab\n".repeat(10_000);
        for line in [1, 1365, 1366, 1367, 2731, 10_000] {
            assert_eq!(span_of(&long, line, line), Some(3 * line - 3..3 * line));
        }
        assert_eq!(span_of(&long, 10_001, 10_001), None);
    }

    #[test]
    fn most_lines_decide() {
        assert_eq!(Ending::dominant("a\r\nb\r\nc\n"), Ending::CrLf);
        assert_eq!(Ending::dominant("a\r\nb\n"), Ending::Lf);
        assert_eq!(Ending::dominant(""), Ending::Lf);
        assert_eq!(with_ending("a\r\nb\nc\rd", Ending::CrLf), "a\r\nb\r\nc\rd");
    }
}
