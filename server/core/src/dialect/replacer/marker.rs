//! Marker lines, exact and nearly so.

pub use crate::dialect::likeness::Likeness;
use crate::dialect::likeness::{is_markup_after, is_markup_before, plain};
use crate::text::Span;

/// Which marker a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    Explanation,
    File,
    Search,
    Replace,
    Overwrite,
    End,
}

/// A marker in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    pub word: Word,
    pub likeness: Likeness,
    /// The bytes of the line that are the marker, brackets included.
    pub span: Span,
}

const WORDS: [(Word, &str); 6] = [
    (Word::Explanation, "<<<EXPLANATION>>>"),
    (Word::File, "<<<FILE>>>"),
    (Word::Search, "<<<SEARCH>>>"),
    (Word::Replace, "<<<REPLACE>>>"),
    (Word::Overwrite, "<<<OVERWRITE>>>"),
    (Word::End, "<<<END>>>"),
];
/// How many brackets are before and after the word of an exact marker.
const BRACKETS: usize = 3;
/// However damaged, a marker has one of them.
pub const MARKS: [&str; 3] = [">>", "\\>", "&gt;"];
/// No line that is longer is an escaped marker, in bytes.
const LONGEST: usize = 200;

impl Word {
    /// The exact line.
    pub fn as_str(self) -> &'static str {
        WORDS.iter().find(|(word, _)| *word == self).map_or("", |(_, text)| text)
    }

    /// Whether lines of content come after it.
    pub fn opens_section(self) -> bool {
        matches!(self, Word::Search | Word::Replace | Word::Overwrite)
    }
}

/// The marker that a line is, nearly is or begins with.
pub fn find(line: &str) -> Option<Marked> {
    let marked = first(line)?;
    (marked.likeness != Likeness::Within).then_some(marked)
}

/// The end marker that a line is, nearly is or holds.
pub fn end(line: &str) -> Option<Marked> {
    let first = first(line)?;
    if first.word == Word::End {
        return Some(first);
    }
    let exact = Word::End.as_str();
    let start = line.find(exact)?;
    let span = start..start + exact.len();
    Some(Marked { word: Word::End, likeness: Likeness::Within, span })
}

/// Whether a line is a marker, exact or nearly so.
pub fn is_marker(line: &str) -> bool {
    find(line).is_some_and(|marked| marked.likeness != Likeness::Prefix)
}

/// Characters that models put around a marker and that mean nothing there.
pub fn is_markup(char: char) -> bool {
    char.is_whitespace() || "*_`'\"-+•>#|.):\u{feff}“”‘’".contains(char)
}

/// The first marker in a line, whatever is around it.
fn first(line: &str) -> Option<Marked> {
    // Most lines have none of the signs that one begins with.
    memchr::memchr3(b'<', b'\\', b'&', line.as_bytes())?;
    unescaped(line).or_else(|| escaped(line))
}

/// The marker that a line is but for the escapes that a page or a model adds to its signs.
fn escaped(line: &str) -> Option<Marked> {
    let may_be = line.len() <= LONGEST
        && line.contains(['\\', '&'])
        && MARKS.iter().any(|mark| line.contains(mark));
    let text = may_be.then(|| plain(line))?;
    let Marked { word, span, .. } = unescaped(&text)?;
    // The whole line is taken for the marker, so nothing else may be in it.
    let mut around = text[..span.start].chars().chain(text[span.end..].chars());
    let start = line.len() - line.trim_start().len();
    let span = start..line.trim_end().len();
    around.all(is_markup).then_some(Marked { word, likeness: Likeness::Near, span })
}

fn unescaped(line: &str) -> Option<Marked> {
    let bytes = line.as_bytes();
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&bytes[from..], b"<<").map(|at| from + at) {
        let open = at..at + run(bytes, at, b'<');
        from = open.end;
        let Some((word, span)) = bracketed(line, open) else { continue };
        let exact = line[span.clone()] == *word.as_str();
        let alone = || is_markup_before(&line[..span.start]) && is_markup_after(&line[span.end..]);
        let likeness = Likeness::of(line, &span, exact, alone);
        // Prose that does not even have the marker.
        if likeness == Likeness::Loose {
            continue;
        }
        return Some(Marked { word, likeness, span });
    }
    None
}

/// The word between these opening brackets and closing ones, and the bytes of all.
fn bracketed(line: &str, open: Span) -> Option<(Word, Span)> {
    let bytes = line.as_bytes();
    let inside = line[open.end..].trim_start_matches([' ', '\t']);
    let start = line.len() - inside.len();
    let length = inside.bytes().take_while(u8::is_ascii_alphabetic).count();
    let name = &inside[..length];
    let plain = |text: &'static str| &text[BRACKETS..text.len() - BRACKETS];
    let same = |text: &'static str| name.eq_ignore_ascii_case(plain(text));
    let (word, text) = *WORDS.iter().find(|(_, text)| same(text))?;
    let after = line[start + length..].trim_start_matches([' ', '\t']);
    let close = line.len() - after.len();
    let closing = run(bytes, close, b'>');
    // Two at both sides are a marker where the word is written like one.
    let is_like_one =
        open.len() >= BRACKETS || closing >= BRACKETS || line[open.end..close] == *plain(text);
    let is_marker = closing >= 2 && is_like_one;
    is_marker.then(|| (word, open.start..close + closing))
}

fn run(bytes: &[u8], at: usize, byte: u8) -> usize {
    bytes[at..].iter().take_while(|it| **it == byte).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_marker_nearly_one_or_prose() {
        let cases = [
            ("<<<SEARCH>>>", "Search Exact"),
            ("  <<<SEARCH>>>", "Search Near"),
            ("<<<SEARCH>>> ", "Search Near"),
            ("<<<SEARCH>>>:", "Search Near"),
            ("\u{feff}<<<FILE>>>", "File Near"),
            ("- <<<FILE>>>", "File Near"),
            ("2. **`<<<OVERWRITE>>>`**", "Overwrite Near"),
            ("<<< SEARCH >>>", "Search Near"),
            ("<<<<SEARCH>>>>", "Search Near"),
            ("<<<SEARCH>>", "Search Near"),
            ("<<Search>>>", "Search Near"),
            ("}<<<END>>>", "End Near"),
            ("<<<FILE>>> src/a.rs", "File Prefix"),
            ("see <<<FILE>>>", "-"),
            ("<<FILE>>", "File Near"),
            ("`<<OVERWRITE>>`", "Overwrite Near"),
            ("\\<\\<\\<FILE>>>", "File Near"),
            ("\\<\\<\\<FILE\\>\\>\\>", "File Near"),
            ("- \\<\\<\\<SEARCH\\>\\>\\>", "Search Near"),
            ("&lt;&lt;&lt;FILE&gt;&gt;&gt;", "File Near"),
            ("}&lt;&lt;&lt;END&gt;&gt;&gt;", "-"),
            ("see \\<\\<\\<FILE\\>\\>\\>", "-"),
            ("see <<FILE>>", "-"),
            ("<< FILE >>", "-"),
            ("<<file>>", "-"),
            ("cat <<END >>a", "-"),
            ("<<<FILES>>>", "-"),
            ("<<<<<<< SEARCH", "-"),
            (">>>>>>> REPLACE", "-"),
            ("x <<< search >>> y", "-"),
            ("cout << x << y;", "-"),
        ];
        for (line, expected) in cases {
            let found = find(line).map(|it| format!("{:?} {:?}", it.word, it.likeness));
            assert_eq!(found.as_deref().unwrap_or("-"), expected, "{line}");
        }
    }

    #[test]
    fn an_end_marker_is_seen_behind_words() {
        let cases = [
            ("<<<END>>>", "Exact"),
            ("<<<end>>>", "Near"),
            ("<<<END>>> done", "Prefix"),
            ("return 1 <<<END>>>", "Within"),
            ("<<<FILE>>> and <<<END>>>", "Within"),
            ("<<END>>", "Near"),
            ("\\<\\<\\<END\\>\\>\\>", "Near"),
            ("end <<end>> it", "-"),
            ("end <<END>> it", "-"),
            ("<<<FILE>>>", "-"),
        ];
        for (line, expected) in cases {
            let found = end(line).map(|it| format!("{:?}", it.likeness));
            assert_eq!(found.as_deref().unwrap_or("-"), expected, "{line}");
        }
    }
}
