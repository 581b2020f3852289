//! How much of a line is a marker, for every dialect whose markers are words on lines of their own.

use crate::text::Span;

/// How much of a line is the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// The line is the marker.
    Exact,
    /// Markup, punctuation, blanks and case apart the line is the marker.
    Near,
    /// The line begins with the exact marker and goes on in words.
    Prefix,
    /// The line holds the exact marker after other words.
    Within,
    /// The line holds the marker among words, in other case or with other signs.
    Loose,
}

impl Likeness {
    /// The likeness of a line to the marker at `marker` in it, which may be spelled exactly;
    /// `alone` says whether nothing but markup is around it, and is asked of other lines alone.
    pub fn of(line: &str, marker: &Span, exact: bool, alone: impl FnOnce() -> bool) -> Likeness {
        match exact {
            true if marker.len() == line.len() => Likeness::Exact,
            _ if alone() => Likeness::Near,
            true if marker.start == 0 => Likeness::Prefix,
            true => Likeness::Within,
            false => Likeness::Loose,
        }
    }
}

/// Whether what is before a marker is markup alone: bullets and numbers of a list, emphasis,
/// quotes, comments, blanks, a byte order mark.
pub fn is_markup_before(before: &str) -> bool {
    let plain = before.trim_start_matches(|c: char| !c.is_alphanumeric());
    let rest = plain.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.len() < plain.len() && rest.starts_with(['.', ')']) { rest } else { plain };
    is_markup_after(rest)
}

/// Whether what is after a marker is markup and punctuation alone.
pub fn is_markup_after(after: &str) -> bool {
    !after.contains(char::is_alphanumeric)
}

/// A line as it was meant, without what a page or a model adds to its signs: backslashes, escapes of
/// HTML, blanks that are none and characters without a width.
pub fn plain(line: &str) -> String {
    let line = line.replace("&lt;", "<").replace("&gt;", ">");
    let chars =
        line.chars().filter(|char| !"\\\u{200b}\u{200c}\u{200d}\u{2060}\u{feff}".contains(*char));
    chars.map(|char| if char.is_whitespace() { ' ' } else { char }).collect()
}
