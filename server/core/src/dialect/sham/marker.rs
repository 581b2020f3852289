//! Header lines, end markers and terminators, exact and nearly so.

use crate::dialect::likeness::{is_markup_after, is_markup_before};
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
    /// It has other words or signs, or its own are escaped. Only the line after it tells it from
    /// prose.
    Loose,
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
    /// The bytes without what is around them.
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
    /// Whether only a `'` is after an exact marker.
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
    close_header(line).or_else(|| loose_header(line))
}

/// A header with its own signs, and nothing but markup around it.
fn close_header(line: &str) -> Option<Header> {
    let at = find(line, "#!sham").into_iter().chain(find(line, "#!nesl")).min()?;
    if !is_markup_before(&line[..at]) {
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
    if !bracket && !is_markup_after(trimmed) {
        return None;
    }
    let Some(close) = rest.find(']').map(|close| at + word.len() + close + 1) else {
        let core = at..line.trim_end().len();
        let id = last_word(line, &core);
        return Some(Header { style, flaw: Flaw::Malformed, core, id });
    };
    if !is_markup_after(&line[close..]) {
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

/// A header with words after it, with other signs around its first word, escaped, or an id alone.
fn loose_header(line: &str) -> Option<Header> {
    let words = [(Style::Sham, "sham"), (Style::Nesl, "nesl")];
    let found = words.into_iter().filter_map(|(style, word)| Some((find(line, word)?, style)));
    let (at, style) = found.min_by_key(|(at, _)| *at)?;
    if !is_markup_before(&line[..at]) {
        return None;
    }
    let start = line.len() - line.trim_start().len();
    let after = at + "sham".len();
    let rest = &line[after..];
    let loose = |end: usize| {
        let core = start..end;
        Some(Header { style, flaw: Flaw::Loose, id: last_word(line, &core), core })
    };
    let bracket = rest.find('[').filter(|open| is_markup_after(&rest[..*open]));
    let Some(open) = bracket.filter(|open| rest[open + 1..].starts_with('@')) else {
        let is_bare = line[..at].ends_with("#!") && rest.starts_with(' ') && is_id(rest.trim());
        return is_bare.then(|| loose(line.trim_end().len())).flatten();
    };
    loose(after + open + rest[open..].find(']')? + 1)
}

/// The first end marker in a line.
pub fn end(line: &str) -> Option<End> {
    let (style, at) = [Style::Sham, Style::Nesl]
        .into_iter()
        .filter_map(|style| Some((style, find(line, &style.end().to_ascii_lowercase())?)))
        .min_by_key(|(_, at)| *at)?;
    let id = at + style.end().len();
    let length = line[id..].bytes().take_while(u8::is_ascii_alphanumeric).count();
    let begins = is_markup_before(&line[..at]);
    let mut id = id..id + length;
    if begins && !is_markup_after(&line[id.end..]) {
        id = wrong_id(line, id);
    }
    if id.is_empty() {
        return None;
    }
    let core = at..id.end;
    let cased = line[at..].starts_with(style.end());
    let rest = &line[id.end..];
    Some(End {
        style,
        exact: cased && core == (0..line.len()),
        alone: begins && is_markup_after(rest),
        quoted: cased && at == 0 && rest == "'",
        core,
        id,
    })
}

/// The id of an end marker that begins its line where that has other characters than letters and
/// digits, such as `a-b`; the id itself where something else follows.
fn wrong_id(line: &str, id: Span) -> Span {
    let rest = &line[id.start..];
    let word = &rest[..rest.find(char::is_whitespace).unwrap_or(rest.len())];
    let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
    let end = id.start + word.len();
    if is_markup_after(&line[end..]) { id.start..end } else { id }
}

/// A line that is a terminator but for markup, blanks, quotes or a stray character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NearTerminator<'a> {
    /// Text before the delimiter that belongs to the content, such as a closing bracket.
    pub content: &'a str,
    /// Whether nothing is lost where the line becomes the content and the delimiter.
    pub is_sure: bool,
}

/// What a line that is nearly a terminator holds; `None` for the exact terminator and for all
/// other lines.
pub fn near_terminator<'a>(line: &'a str, delimiter: &str) -> Option<NearTerminator<'a>> {
    if line == delimiter || line.len() > delimiter.len() + LONGEST_SLIP || !line.contains('_') {
        return None;
    }
    let chars = line.char_indices().filter(|(_, char)| !char.is_whitespace());
    let (places, plain): (Vec<usize>, String) = chars.unzip();
    let at = find(&plain, &delimiter.to_ascii_lowercase())?;
    let (before, after) = (&plain[..at], &plain[at + delimiter.len()..]);
    let word = |char: char| char.is_alphanumeric() || char == '_';
    if before.contains(word)
        || after.contains(word)
        || plain.len() > delimiter.len() + STRAY_CHARACTERS
    {
        return None;
    }
    let content = match is_markup(before) {
        true => "",
        false => line[..places[before.chars().count()]].trim_end(),
    };
    Some(NearTerminator { content, is_sure: is_markup(after) })
}

/// How many bytes of signs may be around a delimiter that is nearly a terminator.
const STRAY_CHARACTERS: usize = 6;
/// How many bytes such a line may have besides the delimiter, blanks included.
const LONGEST_SLIP: usize = 256;

/// Whether signs around a delimiter are markup and not text: a bullet, emphasis, quotes or
/// punctuation, but not a bracket or the three quotes that end a string of many languages.
fn is_markup(signs: &str) -> bool {
    let fence = ["\"\"\"", "'''", "```"].iter().any(|quotes| signs.contains(quotes));
    !fence && signs.chars().all(|char| !matches!(char, '(' | ')' | '[' | ']' | '{' | '}' | ';'))
}

/// Where `word`, in small letters, is in a line in any case.
fn find(line: &str, word: &str) -> Option<usize> {
    let (line, word) = (line.as_bytes(), word.as_bytes());
    memchr::memchr2_iter(word[0], word[0].to_ascii_uppercase(), line)
        .find(|at| line[*at..].get(..word.len()).is_some_and(|it| it.eq_ignore_ascii_case(word)))
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
            ("#!SHAM [@three-char-SHA-256: k7m] begins a block", "Loose k7m"),
            ("# SHAM [@three-char-SHA-256: k7m]", "Loose k7m"),
            ("#! SHAM [@three-char-SHA-256: k7m]", "Loose k7m"),
            ("# !SHAM [@three-char-SHA-256: k7m]", "Loose k7m"),
            ("#!SHAM: [@three-char-SHA-256: k7m]", "Loose k7m"),
            ("SHAM [@three-char-SHA-256: k7m]", "Loose k7m"),
            ("nesl [@three-char-SHA-256: k7m]", "Loose k7m"),
            ("\\#!SHAM \\[@three-char-SHA-256: k7m\\]", "Loose k7m"),
            ("#!SHAM k7m", "Loose k7m"),
            ("SHAM k7m", "-"),
            ("SHAM [1]: k7m", "-"),
            ("a SHAM [@three-char-SHA-256: k7m]", "-"),
            ("SHAM block [@three-char-SHA-256: k7m]", "-"),
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
            ("#!END_SHAM_k-m", "exact alone k-m"),
            ("#!END_SHAM_-m", "exact alone -m"),
            ("**#!END_SHAM_k-é**", "alone k-é"),
            ("#!END_SHAM_k-m ends it", "k"),
            ("#!END_SHAM_k7m, then", "k7m"),
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
        let near = |line: &str| {
            let found = near_terminator(line, "EOT_SHAM_abc")?;
            Some(format!("{}{}", found.content, if found.is_sure { "" } else { " unsure" }))
        };
        for line in [
            " EOT_SHAM_abc",
            "EOT_SHAM_abc ",
            "EOT_SHAM_abc'",
            "EOT_ SHAM_abc",
            "- EOT_SHAM_abc.",
            "`EOT_SHAM_abc`",
            "eot_sham_abc",
        ] {
            assert_eq!(near(line).as_deref(), Some(""), "{line}");
        }
        for (line, content) in [
            ("}EOT_SHAM_abc", "}"),
            ("  });  EOT_ SHAM_abc'", "  });"),
            ("\"\"\"EOT_SHAM_abc", "\"\"\""),
            ("→} EOT_SHAM_abc", "→}"),
            ("EOT_SHAM_abc}", " unsure"),
        ] {
            assert_eq!(near(line).as_deref(), Some(content), "{line}");
        }
        for line in ["EOT_SHAM_abc", "EOT_SHAM_abcd", "print EOT_SHAM_abc", "MY_EOT_SHAM_abc", ""] {
            assert_eq!(near(line), None, "{line}");
        }
    }
}
