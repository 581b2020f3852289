//! What is before the lines of a block that is in a list or in a quotation.

use super::{BlockEnd, Candidate, LineKind, Opening, Parsed, Reader, Role, Source};
use crate::problem::{Problem, Replacement, SCAN_INDENTED};
use crate::text::{Span, lines};

/// The blanks and the signs of a quotation that a line begins with.
pub fn of(line: &str) -> &str {
    let text = line.trim_start_matches('\u{feff}').trim_start_matches([' ', '\t']);
    // A `>` before a blank is a quotation; several of them may be a marker.
    let quoted = text.strip_prefix("> ").map_or(text, |text| text.trim_start_matches(' '));
    &line[..line.len() - quoted.len()]
}

/// Whether a line is the exact start marker of a command, and the line after it one of its block.
type Starts = fn(&str, &str) -> bool;

/// The margin of a block: what its first line begins with, and what its other lines begin with. In
/// an item of a list these are `- ` and two blanks.
struct Margin<'a> {
    first: &'a str,
    others: String,
}

impl<'a> Margin<'a> {
    /// The margin before a start marker, where the line after it has it too.
    fn before(line: &'a str, next: &str, starts: Starts) -> Option<Margin<'a>> {
        // Most markers are at the start of their lines.
        if !line.starts_with([' ', '\t', '>', '-', '*', '+']) && !begins_with_digit(line) {
            return None;
        }
        let (first, item) = (of(line), item(&line[of(line).len()..]));
        let margin = Margin {
            first: &line[..first.len() + item],
            others: first.to_owned() + &" ".repeat(item),
        };
        let next = without(next, &margin.others).or(next.trim().is_empty().then_some(""))?;
        let is_start = starts(line[margin.first.len()..].trim_end(), next);
        (is_start && !margin.first.is_empty()).then_some(margin)
    }

    fn strip<'t>(&self, line: &'t str) -> &'t str {
        without(line, &self.others).unwrap_or(line)
    }
}

fn begins_with_digit(line: &str) -> bool {
    line.starts_with(|char: char| char.is_ascii_digit())
}

/// The length of what begins an item of a list, `- ` or `1. `; 0 for any other text.
fn item(text: &str) -> usize {
    let digits = text.len() - text.trim_start_matches(|char: char| char.is_ascii_digit()).len();
    let signs: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
    let rest = text[digits..].strip_prefix(signs).and_then(|rest| rest.strip_prefix(' '));
    rest.map_or(0, |rest| text.len() - rest.trim_start_matches(' ').len())
}

/// A line without its margin; an empty line of a quotation may lack the margin's last blank.
fn without<'t>(line: &'t str, margin: &str) -> Option<&'t str> {
    let is_empty = !margin.trim().is_empty() && line == margin.trim_end();
    if is_empty { Some("") } else { line.strip_prefix(margin) }
}

/// What a line is: an indented block begins with the exact start marker after a margin.
pub fn opens(
    candidate: &Candidate<'_>,
    starts: Starts,
    inner: impl Fn(&Candidate<'_>) -> Opening,
) -> Opening {
    match Margin::before(candidate.line, candidate.next, starts) {
        Some(_) => Opening::Starts,
        None => inner(candidate),
    }
}

/// The reader of a block, which sees the lines of an indented one without their margin.
pub fn reader(
    first: &Candidate<'_>,
    starts: Starts,
    inner: impl Fn(&Candidate<'_>) -> Box<dyn Reader>,
) -> Box<dyn Reader> {
    let Some(margin) = Margin::before(first.line, first.next, starts) else { return inner(first) };
    let (line, next) = (&first.line[margin.first.len()..], margin.strip(first.next));
    let reader = inner(&Candidate { line, next, ..*first });
    Box::new(Indented { margin: Margin { first: "", ..margin }, starts, reader })
}

struct Indented {
    margin: Margin<'static>,
    starts: Starts,
    reader: Box<dyn Reader>,
}

impl Reader for Indented {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        // The block is not applied as it is, so the next one need not wait for its end: otherwise
        // each of many unended ones would be followed to the end of the transcript.
        let is_start = (self.starts)(line, next);
        if is_start || Margin::before(line, next, self.starts).is_some() {
            return LineKind::Breaks(BlockEnd::Unterminated);
        }
        self.reader.step(self.margin.strip(line), self.margin.strip(next))
    }

    fn raw(&self) -> bool {
        self.reader.raw()
    }

    fn may_hold_next(&self) -> bool {
        self.reader.may_hold_next()
    }

    fn closes(&self, line: &str) -> bool {
        self.reader.closes(self.margin.strip(line))
    }

    fn minds_needles_only(&self) -> bool {
        self.reader.minds_needles_only()
    }

    fn ended(&self) -> Option<BlockEnd> {
        self.reader.ended()
    }

    fn is_block(&self) -> bool {
        self.reader.is_block()
    }
}

/// What a block says. An indented one says which command it is, and has one problem: whatever else
/// is wrong with it can be said once its lines are at their places.
pub fn parse(source: &Source<'_>, starts: Starts, inner: impl Fn(&Source<'_>) -> Parsed) -> Parsed {
    let text = source.looked_at();
    let mut first_two = lines::each(text).map(|line| &text[line]);
    let (line, next) = (first_two.next().unwrap_or_default(), first_two.next().unwrap_or_default());
    let Some(margin) = Margin::before(line, next, starts) else { return inner(source) };
    let spans = lines::spans(text);
    let mut unindented = text[margin.first.len()..spans[0].end].to_owned();
    for pair in spans.windows(2) {
        unindented.push_str(&text[pair[0].end..pair[1].start]);
        unindented.push_str(margin.strip(&text[pair[1].clone()]));
    }
    let parsed = inner(&Source { text: &unindented, beyond: "", own_end: false, ..*source });
    Parsed {
        id: parsed.id,
        action: parsed.action,
        path: parsed.path,
        effect: parsed.effect,
        problems: vec![unindent(&margin, text, &spans)],
        ..Parsed::new(Role::Command, parsed.eol)
    }
}

/// The problem of a block whose first line has something before it; `None` where that is nothing,
/// or a byte order mark.
pub fn problem(text: &str, lines: &[Span]) -> Option<Problem> {
    let first = of(&text[lines.first()?.clone()]);
    let others = first.trim_start_matches('\u{feff}').to_owned();
    (!others.is_empty()).then(|| unindent(&Margin { first, others }, text, lines))
}

/// The problem of a block with a margin; the fix removes the margin and nothing else.
fn unindent(margin: &Margin<'_>, text: &str, lines: &[Span]) -> Problem {
    let first = lines.first().cloned().unwrap_or_default();
    let remove = |span: &Span| {
        let line = &text[span.clone()];
        let rest = if *span == first { &line[margin.first.len()..] } else { margin.strip(line) };
        let width = line.len() - rest.len();
        (width > 0).then(|| Replacement::remove(span.start..span.start + width))
    };
    let edits = lines.iter().filter_map(remove).collect();
    let says = "the block is indented or quoted: its markers begin at the start of their lines";
    Problem::new(SCAN_INDENTED, first.clone(), says).fix("Unindent the block", edits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, next: &str, expected: Option<(&str, &str)>) {
        let starts = |line: &str, next: &str| line == "START" && !next.is_empty();
        let margin = Margin::before(line, next, starts);
        let found = margin.as_ref().map(|margin| (margin.first, &*margin.others));
        assert_eq!(found, expected, "{line:?} {next:?}");
    }

    #[test]
    fn a_margin_is_before_a_start_marker_and_the_line_after_it() {
        check("START", "x", None);
        check("  START", "  x", Some(("  ", "  ")));
        check("  START", " x", None);
        check("> START ", "> x", Some(("> ", "> ")));
        check("- START", "  x", Some(("- ", "  ")));
        check("  10. START", "      x", Some(("  10. ", "      ")));
        check("- START", "", None);
        check("-START", " x", None);
        check("\u{feff}- START", "  x", None);
    }

    #[test]
    fn the_fix_removes_the_margin_alone() {
        let text = "- a\n  b\n\tc\n d\n>> e\n\n   f";
        let lines = lines::spans(text);
        let unindented = unindent(&Margin { first: "- ", others: "  ".to_owned() }, text, &lines);
        let removed: Vec<Span> =
            unindented.fixes[0].edits.iter().map(|edit| edit.span.clone()).collect();
        assert_eq!(removed, [0..2, 4..6, 20..22]);
        let text = "> a\n>\n> b";
        let quoted = problem(text, &lines::spans(text)).expect("a margin");
        assert_eq!(quoted.fixes[0].edits.len(), 3);
    }
}
