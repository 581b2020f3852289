//! One `key: value` line, exact and nearly so.

use std::sync::LazyLock;

use foldhash::HashSet;

use crate::spec;
use crate::text::Span;

/// The keys that every command has.
pub const COMMON: [&str; 3] = ["version", "id", "action"];

/// A `key: value` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The key's bytes.
    pub key: Span,
    /// The value's bytes: everything after the colon and one blank.
    pub value: Span,
    /// Whether it is exactly `key: value` or `key:`, with the key in the first column.
    pub exact: bool,
}

impl Line {
    /// The key in the line that it was read from.
    pub fn key<'a>(&self, line: &'a str) -> &'a str {
        &line[self.key.clone()]
    }
}

/// Reads a line that is `key: value`, or would be were it not indented or its blank missing.
pub fn read(line: &str) -> Option<Line> {
    let indent = line.len() - line.trim_start_matches([' ', '\t']).len();
    let colon = indent + line.bytes().skip(indent).position(|byte| !is_key_byte(byte))?;
    let key = indent..colon;
    let begins = line[key.clone()].starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if !begins || !line[colon..].starts_with(':') {
        return None;
    }
    let rest = &line[colon + 1..];
    let blank = rest.starts_with(' ');
    // `https://…` is an address and `a::b` a name; neither lacks a blank.
    if !blank && (rest.starts_with("//") || rest.starts_with(':')) {
        return None;
    }
    let value = colon + 1 + usize::from(blank)..line.len();
    Some(Line { key, value, exact: indent == 0 && (blank || rest.is_empty()) })
}

fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// Whether some action has a field of that name.
pub fn is_known_key(key: &str) -> bool {
    static KEYS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let fields = spec::actions("operator").flat_map(|action| &action.fields);
        fields.map(|field| field.name.as_str()).chain(COMMON).collect()
    });
    KEYS.contains(key)
}

/// Whether a line looks like one of a block: its key is one that the dialect knows.
pub fn looks_like_field(line: &str) -> bool {
    read(line).is_some_and(|field| is_known_key(field.key(line)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_or_nearly_a_field_or_none() {
        let cases = [
            ("id: a", Some(("a", true))),
            ("id: a ", Some(("a ", true))),
            ("content:", Some(("", true))),
            ("content:  two", Some((" two", true))),
            ("id:a", Some(("a", false))),
            ("  id: a", Some(("a", false))),
            ("https://example.org", None),
            ("a::b", None),
            ("no colon", None),
            ("two words: a", None),
            (": a", None),
            ("", None),
            ("é: a", None),
        ];
        for (line, expected) in cases {
            let read = read(line);
            let read = read.as_ref().map(|field| (&line[field.value.clone()], field.exact));
            assert_eq!(read, expected, "{line}");
        }
    }
}
