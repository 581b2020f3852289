//! Where a text is in another, by the rule that all dialects share.
//!
//! Exact and case sensitive, but `\r\n` equals `\n`; where the searched text itself holds a `\r`,
//! exact to the byte.

use std::borrow::Cow;

use memchr::memmem;

use crate::text::Span;

/// The bytes of the first `limit` matches of `needle`, in order, none overlapping another.
///
/// An empty `needle` is nowhere.
pub fn matches(text: &str, needle: &str, limit: usize) -> Vec<Span> {
    each(&Haystack::new(text, needle), needle).take(limit).collect()
}

/// A text prepared for searches of one needle.
pub(crate) struct Haystack<'a> {
    text: Cow<'a, str>,
    /// Where in `text` a `\r` was dropped before a `\n`, ascending.
    dropped: Vec<usize>,
}

impl<'a> Haystack<'a> {
    pub(crate) fn new(text: &'a str, needle: &str) -> Haystack<'a> {
        let plain = needle.contains('\r') || !needle.contains('\n');
        if plain || memmem::find(text.as_bytes(), b"\r\n").is_none() {
            return Haystack { text: text.into(), dropped: Vec::new() };
        }
        let mut unix = String::with_capacity(text.len());
        let mut dropped = Vec::new();
        let mut done = 0;
        for at in memmem::find_iter(text.as_bytes(), b"\r\n") {
            unix.push_str(&text[done..at]);
            dropped.push(unix.len());
            done = at + 1;
        }
        unix.push_str(&text[done..]);
        Haystack { text: unix.into(), dropped }
    }

    /// The offset in the text as it was; a dropped `\r` counts to the `\n` after it.
    fn original(&self, offset: usize) -> usize {
        offset + self.dropped.partition_point(|at| *at < offset)
    }
}

/// Every match, none overlapping another.
pub(crate) fn each<'h>(
    haystack: &'h Haystack<'_>,
    needle: &'h str,
) -> impl Iterator<Item = Span> + 'h {
    let text = if needle.is_empty() { "" } else { &haystack.text };
    let found = memmem::find_iter(text.as_bytes(), needle.as_bytes());
    found
        .filter(move |_| !needle.is_empty())
        .map(move |at| haystack.original(at)..haystack.original(at + needle.len()))
}

/// The first match that begins inside `first`, a match itself, and so overlaps it.
pub(crate) fn overlapping(text: &str, needle: &str, first: &Span) -> Option<Span> {
    let next = text[first.start..].chars().next()?.len_utf8();
    let next = if text[first.start..].starts_with("\r\n") { 2 } else { next };
    let from = first.start + next;
    // A match that begins inside `first` ends within its length after it, endings counted twice.
    let mut until = (first.end + 2 * needle.len()).min(text.len());
    while !text.is_char_boundary(until) {
        until += 1;
    }
    let found = matches(&text[from..until], needle, 1).pop()?;
    let found = found.start + from..found.end + from;
    (found.start < first.end).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, needle: &str, spans: &str) {
        let found = matches(text, needle, usize::MAX);
        let found: Vec<String> = found.iter().map(|span| format!("{span:?}")).collect();
        assert_eq!(found.join(" "), spans, "{needle:?} in {text:?}");
    }

    #[test]
    fn endings_are_equal_unless_the_needle_says_which() {
        check("a\r\nb\na\nb\n", "a\nb", "0..4 5..8");
        check("a\r\nb\na\nb\n", "a\r\nb", "0..4");
        check("a\r\nb\r\n", "\n", "1..3 4..6");
        check("a\r\nb", "a", "0..1");
        check("a\rb", "a\nb", "");
        check("a\r\r\nb", "\nb", "2..5");
        check("x\r\ny\r\n", "x\ny\n", "0..6");
    }

    #[test]
    fn nothing_else_is_folded() {
        check("Ab ab", "ab", "3..5");
        check("😀a😀", "😀", "0..4 5..9");
        check("aaaa", "aa", "0..2 2..4");
        check("abc", "", "");
        check("", "a", "");
    }

    #[test]
    fn a_match_inside_a_match_is_seen() {
        assert_eq!(overlapping("aaa", "aa", &(0..2)), Some(1..3));
        assert_eq!(overlapping("aab", "aa", &(0..2)), None);
        assert_eq!(overlapping("aaxaa", "aa", &(0..2)), None);
        assert_eq!(overlapping("}\r\n}\r\n}\r\n", "}\n}\n", &(0..6)), Some(3..9));
    }
}
