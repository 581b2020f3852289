//! Header lines, end markers and terminators, exact and nearly so.

use crate::text::Span;

/// How a block names its markers: the protocol's own way, or that of its successor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `#!SHAM [@three-char-SHA-256: abc]`, `EOT_SHAM_abc`, `#!END_SHAM_abc`.
    Sham,
    /// `#!nesl [@three-char-SHA-256: abc]`, `EOT_abc`, `#!end_abc`.
    Nesl,
}

/// The label before the id, as the specification has it.
pub const LABEL: &str = "three-char-SHA-256";

impl Style {
    /// What a header begins with.
    pub fn word(self) -> &'static str {
        match self {
            Style::Sham => "#!SHAM",
            Style::Nesl => "#!nesl",
        }
    }

    /// What an end marker is before the id.
    pub fn end(self) -> &'static str {
        match self {
            Style::Sham => "#!END_SHAM_",
            Style::Nesl => "#!end_",
        }
    }

    /// The exact header.
    pub fn header(self, id: &str) -> String {
        format!("{} [@{LABEL}: {id}]", self.word())
    }

    /// The exact end marker.
    pub fn end_marker(self, id: &str) -> String {
        format!("{}{id}", self.end())
    }

    /// The delimiter of a heredoc, and the line that ends it.
    pub fn delimiter(self, id: &str) -> String {
        match self {
            Style::Sham => format!("EOT_SHAM_{id}"),
            Style::Nesl => format!("EOT_{id}"),
        }
    }
}

/// What is wrong with a line that is meant for a header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// Nothing.
    None,
    /// Markup, blanks or another case around an exact header.
    Inexact,
    /// It is not of the header's form.
    Malformed,
    /// Its id is none.
    Id,
}

/// A line that is a header or meant for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    pub style: Style,
    pub flaw: Flaw,
    /// The bytes without what stands around them.
    pub core: Span,
    /// The id's bytes, whether or not it is a sound one; `None` where none can be told.
    pub id: Option<Span>,
}

/// An end marker, exact or nearly so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct End {
    pub style: Style,
    /// Whether the line is the marker and nothing else.
    pub exact: bool,
    /// Whether the line is the marker but for markup, blanks, punctuation and case.
    pub alone: bool,
    /// Whether only a `'` stands behind an exact marker.
    pub quoted: bool,
    /// The bytes of the marker.
    pub core: Span,
    /// The id's bytes.
    pub id: Span,
}

/// Whether a text is an id.
pub fn is_id(text: &str) -> bool {
    (2..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// The header that a line is or is meant for.
///
/// A line that goes on in other words after the header's first word is prose.
pub fn header(line: &str) -> Option<Header> {
    let at = find(line, "#!sham").into_iter().chain(find(line, "#!nesl")).min()?;
    if !is_decoration(&line[..at]) {
        return None;
    }
    let style = if line[at..].to_ascii_lowercase().starts_with("#!sham") {
        Style::Sham
    } else {
        Style::Nesl
    };
    let word = style.word();
    let rest = &line[at + word.len()..];
    let trimmed = rest.trim_start();
    let bracket = trimmed.starts_with(['[', '@', '(']);
    if !bracket && !is_tail(trimmed) {
        return None;
    }
    let Some(close) = rest.find(']').map(|close| at + word.len() + close + 1) else {
        let core = at..line.trim_end().len();
        let id = last_word(line, &core);
        return Some(Header { style, flaw: Flaw::Malformed, core, id });
    };
    if !is_tail(&line[close..]) {
        return None;
    }
    let core = at..close;
    let exact_word = line[core.clone()].starts_with(word);
    let body = line[at + word.len()..close].strip_prefix(" [@").and_then(|it| it.strip_suffix(']'));
    let Some((label, id)) = body.and_then(|body| body.split_once(": ")) else {
        let id = last_word(line, &core);
        return Some(Header { style, flaw: Flaw::Malformed, core, id });
    };
    let id_span = close - 1 - id.len()..close - 1;
    let is_label = match style {
        Style::Sham => label == LABEL,
        Style::Nesl => {
            !label.is_empty() && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
        }
    };
    let flaw = if !is_label {
        Flaw::Malformed
    } else if !is_id(id) {
        Flaw::Id
    } else if !exact_word || core != (0..line.len()) {
        Flaw::Inexact
    } else {
        Flaw::None
    };
    let id = if flaw == Flaw::Malformed { last_word(line, &core) } else { Some(id_span) };
    Some(Header { style, flaw, core, id })
}

/// The first end marker in a line.
pub fn end(line: &str) -> Option<End> {
    let (style, at) = [Style::Sham, Style::Nesl]
        .into_iter()
        .filter_map(|style| Some((style, find(line, &style.end().to_ascii_lowercase())?)))
        .min_by_key(|(_, at)| *at)?;
    let id = at + style.end().len();
    let length = line[id..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    if length == 0 {
        return None;
    }
    let id = id..id + length;
    let core = at..id.end;
    let cased = line[at..].starts_with(style.end());
    let rest = &line[id.end..];
    Some(End {
        style,
        exact: cased && core == (0..line.len()),
        alone: is_decoration(&line[..at]) && is_tail(rest),
        quoted: cased && at == 0 && rest == "'",
        core,
        id,
    })
}

/// Whether a line is a terminator but for markup, blanks, quotes or a stray character.
pub fn is_near_terminator(line: &str, delimiter: &str) -> bool {
    let plain: String = line.chars().filter(|char| !char.is_whitespace()).collect();
    let Some(at) = find(&plain, &delimiter.to_ascii_lowercase()) else { return false };
    let after = &plain[at + delimiter.len()..];
    let word = |char: char| char.is_alphanumeric() || char == '_';
    line != delimiter
        && !plain[..at].contains(word)
        && !after.contains(word)
        && plain.len() <= delimiter.len() + 6
}

/// Where `word`, in small letters, stands in a line in any case.
fn find(line: &str, word: &str) -> Option<usize> {
    let (line, word) = (line.as_bytes(), word.as_bytes());
    memchr::memchr2_iter(word[0], word[0].to_ascii_uppercase(), line)
        .find(|at| line[*at..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word)))
}

/// Whether what stands before a marker is markup alone: bullets and numbers of a list, emphasis,
/// quotes, comments, blanks, a byte order mark.
fn is_decoration(before: &str) -> bool {
    let plain = before.trim_start_matches(|c: char| !c.is_alphanumeric());
    let rest = plain.trim_start_matches(|c: char| c.is_ascii_digit());
    let rest = if rest.len() < plain.len() && rest.starts_with(['.', ')']) { rest } else { plain };
    !rest.contains(char::is_alphanumeric)
}

fn is_tail(after: &str) -> bool {
    !after.contains(char::is_alphanumeric)
}

/// The last word of a header that may be its id.
fn last_word(line: &str, core: &Span) -> Option<Span> {
    let text = &line[core.clone()];
    let trimmed = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let length = trimmed.bytes().rev().take_while(u8::is_ascii_alphanumeric).count();
    let start = trimmed.len() - length;
    // The header's own word is none.
    let own = start <= "#!".len() || !is_id(&trimmed[start..]);
    (!own).then(|| core.start + start..core.start + trimmed.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_header_nearly_one_or_prose() {
        let cases = [
            ("#!SHAM [@three-char-SHA-256: k7m]", "None k7m"),
            ("#!SHAM [@three-char-SHA-256: k7mabc12]", "None k7mabc12"),
            ("#!nesl [@three-char-SHA-256: k7m]", "None k7m"),
            ("#!nesl [@sha-3: k7m]", "None k7m"),
            ("  #!SHAM [@three-char-SHA-256: k7m]", "Inexact k7m"),
            ("#!SHAM [@three-char-SHA-256: k7m] ", "Inexact k7m"),
            ("**#!SHAM [@three-char-SHA-256: k7m]**", "Inexact k7m"),
            ("1. `#!SHAM [@three-char-SHA-256: k7m]`", "Inexact k7m"),
            ("#!sham [@three-char-SHA-256: k7m]", "Inexact k7m"),
            ("#!SHAM [@sham-id: 567]", "Malformed 567"),
            ("#!SHAM [@three-char-SHA-256:k7m]", "Malformed k7m"),
            ("#!SHAM[@three-char-SHA-256: k7m]", "Malformed k7m"),
            ("#!SHAM [@three-char-SHA-256: k7m", "Malformed k7m"),
            ("#!SHAM", "Malformed -"),
            ("#!SHAM [@three-char-SHA-256: k]", "Id k"),
            ("#!SHAM [@three-char-SHA-256: k-m]", "Id k-m"),
            ("#!SHAM [@three-char-SHA-256: abcdefghi]", "Id abcdefghi"),
            ("#!SHAM is a format", "-"),
            ("see #!SHAM [@three-char-SHA-256: k7m]", "-"),
            ("#!SHAM [@three-char-SHA-256: k7m] begins a block", "-"),
            ("#!/bin/sh", "-"),
        ];
        for (line, expected) in cases {
            let found = header(line).map_or("-".to_owned(), |it| {
                format!("{:?} {}", it.flaw, it.id.map_or("-", |id| &line[id]))
            });
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn a_line_is_an_end_marker_nearly_one_or_holds_one() {
        let cases = [
            ("#!END_SHAM_k7m", "exact alone k7m"),
            ("#!end_k7m", "exact alone k7m"),
            (" #!END_SHAM_k7m", "alone k7m"),
            ("#!END_SHAM_k7m'", "alone quoted k7m"),
            ("**#!END_SHAM_k7m**", "alone k7m"),
            ("#!end_sham_k7m", "alone k7m"),
            ("x = 1 #!END_SHAM_k7m", "k7m"),
            ("#!END_SHAM_", "-"),
            ("END_SHAM_k7m", "-"),
        ];
        for (line, expected) in cases {
            let found = end(line).map_or("-".to_owned(), |it| {
                let exact = if it.exact { "exact " } else { "" };
                let alone = if it.alone { "alone " } else { "" };
                let quoted = if it.quoted { "quoted " } else { "" };
                format!("{exact}{alone}{quoted}{}", &line[it.id])
            });
            assert_eq!(found, expected, "{line}");
        }
    }

    #[test]
    fn what_is_nearly_a_terminator() {
        for line in
            [" EOT_SHAM_abc", "EOT_SHAM_abc ", "EOT_SHAM_abc'", "}EOT_SHAM_abc", "EOT_ SHAM_abc"]
        {
            assert!(is_near_terminator(line, "EOT_SHAM_abc"), "{line}");
        }
        for line in ["EOT_SHAM_abc", "EOT_SHAM_abcd", "print EOT_SHAM_abc", "MY_EOT_SHAM_abc", ""] {
            assert!(!is_near_terminator(line, "EOT_SHAM_abc"), "{line}");
        }
    }
}
