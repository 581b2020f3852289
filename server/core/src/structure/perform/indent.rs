//! Indentation: what is before the text of a line, and how deep one level of a text goes.

use foldhash::{HashMap, HashMapExt};

use super::verbatim;
use crate::outline::line_start;
use crate::outline::{Parsed, Structure};
use crate::structure::Kind;
use crate::text::Span;

/// What one level is indented by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Unit {
    /// One tab.
    Tab,
    /// So many spaces, at least one.
    Spaces(usize),
}

impl Unit {
    /// The unit that a text of tabs alone or of spaces alone is.
    pub(super) fn of(text: &str) -> Option<Unit> {
        match text {
            "\t" => Some(Unit::Tab),
            "" => None,
            spaces if spaces.bytes().all(|byte| byte == b' ') => Some(Unit::Spaces(spaces.len())),
            _ => None,
        }
    }

    /// One level, written.
    pub(super) fn text(self) -> String {
        match self {
            Unit::Tab => "\t".to_owned(),
            Unit::Spaces(count) => " ".repeat(count),
        }
    }

    /// How many levels an indentation has, and what is left of it.
    fn levels(self, indentation: &str) -> Option<(usize, &str)> {
        match self {
            Unit::Tab => {
                let rest = indentation.trim_start_matches('\t');
                Some((indentation.len() - rest.len(), rest))
            }
            Unit::Spaces(count) => {
                let only_spaces = !indentation.contains('\t');
                let levels = indentation.len() / count;
                only_spaces.then(|| (levels, &indentation[levels * count..]))
            }
        }
    }

    /// An indentation in levels of `self`, written in levels of `other`; what is not a whole level
    /// stays as spaces.
    pub(super) fn reexpressed(self, other: Unit, indentation: &str) -> String {
        match self.levels(indentation) {
            Some((levels, rest)) if self != other => other.text().repeat(levels) + rest,
            _ => indentation.to_owned(),
        }
    }
}

/// The spaces and tabs that a line begins with.
pub(super) fn leading(line: &str) -> &str {
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Whether nothing but spaces, tabs and its ending is in a line. A form feed is something.
pub(super) fn is_blank(line: &str) -> bool {
    line.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'))
}

/// The indentation of the line that `offset` is in.
pub(super) fn of_line(text: &str, offset: usize) -> &str {
    leading(&text[line_start(text, offset)..])
}

/// The indentation of what begins at `offset`: that of its line, or its column where only markers
/// are before it.
pub(super) fn of_structure(parsed: &Parsed, offset: usize) -> String {
    let text = parsed.text();
    match is_marked(parsed, offset) {
        true => {
            let before = &text[line_start(text, offset)..offset];
            before.chars().map(|char| if char == '\t' { '\t' } else { ' ' }).collect()
        }
        false => of_line(text, offset).to_owned(),
    }
}

/// Whether markers, and nothing else, are before `offset` on its line: YAML's `-`.
pub(super) fn is_marked(parsed: &Parsed, offset: usize) -> bool {
    let text = parsed.text();
    let mut words = text[line_start(text, offset)..offset].split_whitespace().peekable();
    words.peek().is_some() && words.all(|word| parsed.language().markers.contains(&word))
}

/// Whether only spaces and tabs are before `offset` on its line.
pub(super) fn is_first(text: &str, offset: usize) -> bool {
    is_blank(&text[line_start(text, offset)..offset])
}

/// Whether only spaces and tabs are between `offset` and the end of its line.
pub(super) fn is_last(text: &str, offset: usize) -> bool {
    is_blank(&text[offset..line_end(text, offset)])
}

/// Where the line of an offset ends, its ending left out: at the `\n` or the `\r\n`.
pub(super) fn line_end(text: &str, offset: usize) -> usize {
    let rest = &text.as_bytes()[offset..];
    let end = memchr::memchr(b'\n', rest).map_or(text.len(), |at| offset + at);
    if end > offset && end < text.len() && text.as_bytes()[end - 1] == b'\r' {
        end - 1
    } else {
        end
    }
}

/// Where the line after that of an offset begins; the text's end where there is none.
pub(super) fn next_line(text: &str, offset: usize) -> usize {
    let rest = &text.as_bytes()[offset..];
    memchr::memchr(b'\n', rest).map_or(text.len(), |at| offset + at + 1)
}

/// The unit of the structures that begin in `span`, where all say the same.
pub(super) fn only_unit(parsed: &Parsed, span: &Span) -> Option<Unit> {
    let mut steps = steps(parsed, span);
    let first = steps.next()?;
    steps.all(|step| step == first).then_some(first)
}

/// The unit of lines, where all that follow a line that opens something say the same.
pub(super) fn unit_of_lines<'a>(lines: impl Iterator<Item = &'a str>) -> Option<Unit> {
    let mut found = None;
    let mut opener: Option<&str> = None;
    for line in lines.filter(|line| !is_blank(line)) {
        let step = opener.and_then(|opener| leading(line).strip_prefix(leading(opener)));
        match (step.and_then(Unit::of), found) {
            (Some(unit), Some(other)) if unit != other => return None,
            (Some(unit), _) => found = Some(unit),
            (None, _) => {}
        }
        opener = Some(line).filter(|line| line.trim_end().ends_with(['{', '[', '(', ':', '>']));
    }
    found
}

/// The unit that most structures of a file have.
pub(super) fn most_common_unit(parsed: &Parsed) -> Option<Unit> {
    let mut counts: HashMap<Unit, usize> = HashMap::new();
    for unit in steps(parsed, &(0..parsed.text().len())) {
        *counts.entry(unit).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(unit, count)| (*count, *unit)).map(|(unit, _)| unit)
}

/// The unit of a file of which no structure says one: that of the lines in brackets, or a tab where
/// every line that is indented begins with one.
fn unit_in_brackets(parsed: &Parsed) -> Option<Unit> {
    let kept = verbatim::line_starts(parsed, &(0..parsed.text().len()));
    let mut start = 0;
    let plain = parsed.text().split_inclusive('\n').filter(|line| {
        let is_kept = kept.binary_search(&start).is_ok();
        start += line.len();
        !is_kept
    });
    let plain: Vec<&str> = plain.collect();
    let indented = || plain.iter().filter(|line| !is_blank(line) && !leading(line).is_empty());
    let is_tabbed = indented().next().is_some() && indented().all(|line| line.starts_with('\t'));
    unit_of_lines(plain.iter().copied()).or(is_tabbed.then_some(Unit::Tab))
}

/// The unit in which to write below an indentation `base` in a file: the one of `near`, a span
/// of the file, where that says anything, else the file's, be it only in brackets, else the language's; `None` where that
/// says more than one thing or does not fit `base`.
pub(super) fn unit_below(parsed: &Parsed, base: &str, near: Option<&Span>) -> Option<Unit> {
    if base.contains('\t') {
        return Some(Unit::Tab);
    }
    let unit = match near {
        Some(near) if steps(parsed, near).next().is_some() => only_unit(parsed, near),
        _ => most_common_unit(parsed)
            .or_else(|| unit_in_brackets(parsed))
            .or_else(|| Unit::of(parsed.language().indent_unit)),
    };
    unit.filter(|unit| base.is_empty() || *unit != Unit::Tab)
}

/// By how much the bodies of the structures that begin in `span` are indented.
fn steps<'a>(parsed: &'a Parsed, span: &Span) -> impl Iterator<Item = Unit> + 'a {
    let structures = &parsed.outline.structures;
    let first = structures.partition_point(|structure| structure.extent.start < span.start);
    let last = structures.partition_point(|structure| structure.extent.start < span.end);
    structures[first..last.max(first)].iter().filter_map(|structure| step(parsed.text(), structure))
}

fn step(text: &str, structure: &Structure) -> Option<Unit> {
    // What spans lines in a value is as often aligned as indented.
    let values = [Kind::Lambda, Kind::Variable, Kind::Constant, Kind::Field, Kind::Type];
    let body = structure.body.filter(|_| !values.contains(&structure.kind))?.span();
    if structure.kind.is_prose() || !is_first(text, structure.own_start) {
        return None;
    }
    let base = of_line(text, structure.own_start);
    let mut start = line_start(text, body.start);
    // A brace on a line of its own is no deeper than the header: what it opens is.
    let is_brace = text[body.clone()].starts_with('{') && of_line(text, body.start) == base;
    if is_brace || !is_first(text, body.start) {
        start = next_line(text, body.start);
    }
    while start < body.end && is_blank(&text[start..line_end(text, start)]) {
        start = next_line(text, start);
    }
    let inner = (start < body.end).then(|| of_line(text, start))?;
    Unit::of(inner.strip_prefix(base)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_written_anew_and_what_is_left_stays() {
        let (two, four) = (Unit::Spaces(2), Unit::Spaces(4));
        assert_eq!(two.reexpressed(Unit::Tab, "     "), "\t\t ");
        assert_eq!(Unit::Tab.reexpressed(four, "\t\t  "), "          ");
        assert_eq!(four.reexpressed(two, "\t  "), "\t  ");
        assert_eq!(four.reexpressed(four, "   "), "   ");
        assert_eq!(Unit::of(" \t"), None);
        let of_lines = |text: &str| unit_of_lines(text.lines());
        assert_eq!(of_lines("a: {\n  b(c,\n       d),\n  e: [\n    1\n"), Some(two));
        assert_eq!(of_lines("a: {\n  b: {\n      c"), None);
        assert_eq!(of_lines("a(b,\n  c)"), None);
    }

    #[test]
    fn lines_end_before_their_ending() {
        assert_eq!(line_end("ab\r\nc", 1), 2);
        assert_eq!(line_end("ab\r\nc", 2), 2);
        assert_eq!(line_end("ab", 0), 2);
        assert_eq!(next_line("ab\r\nc", 0), 4);
        assert!(is_last("a \t\r\n", 1) && !is_last("a\u{c}\n", 1));
    }
}
