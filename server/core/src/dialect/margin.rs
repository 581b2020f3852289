//! What is before the lines of a block that is in a list or in a quotation.

use super::{Candidate, LineKind, Opening, Parsed, Reader, Role, Source};
use crate::problem::{Problem, Replacement, SCAN_INDENTED};
use crate::text::{Span, lines};

/// The blanks and the signs of a quotation that a line begins with.
pub fn of(line: &str) -> &str {
    let text = line.trim_start_matches('\u{feff}').trim_start_matches([' ', '\t']);
    // A `>` before a blank is a quotation; several of them may be a marker.
    let quoted = text.strip_prefix("> ").map_or(text, |text| text.trim_start_matches(' '));
    &line[..line.len() - quoted.len()]
}

/// What is before the lines of a block whose text is nobody's but its own: in a list, `- ` and
/// then two blanks.
struct Margin<'a> {
    first: &'a str,
    others: String,
}

impl<'a> Margin<'a> {
    /// The margin before a start marker, where the line after it has it too.
    fn before(line: &'a str, next: &str, starts: impl Fn(&str) -> bool) -> Option<Margin<'a>> {
        let margin = Margin::of(line)?;
        let has_it = next.trim().is_empty() || stripped(next, &margin.others).is_some();
        (has_it && starts(line[margin.first.len()..].trim_end())).then_some(margin)
    }

    fn of(line: &'a str) -> Option<Margin<'a>> {
        let margin = of(line);
        let rest = &line[margin.len()..];
        let digits = rest.len() - rest.trim_start_matches(|char: char| char.is_ascii_digit()).len();
        let signs: &[char] = if digits == 0 { &['-', '*', '+'] } else { &['.', ')'] };
        let item = rest[digits..].strip_prefix(signs).and_then(|text| {
            let text = text.strip_prefix(' ')?.trim_start_matches(' ');
            Some(rest.len() - text.len())
        });
        let item = item.unwrap_or(0);
        let first = &line[..margin.len() + item];
        let is_there = !first.trim_start_matches('\u{feff}').is_empty();
        is_there.then(|| Margin { first, others: margin.to_owned() + &" ".repeat(item) })
    }

    fn strip<'t>(&self, line: &'t str) -> &'t str {
        stripped(line, &self.others).unwrap_or(line)
    }
}

/// A line without its margin; a blank one may lack the margin's last blanks.
fn stripped<'t>(line: &'t str, margin: &str) -> Option<&'t str> {
    let is_blank = !margin.trim().is_empty() && line == margin.trim_end();
    if is_blank { Some("") } else { line.strip_prefix(margin) }
}

/// What a line is, for a dialect of which `starts` knows the exact start marker: an indented block
/// begins with it, too.
pub fn opens(
    candidate: &Candidate<'_>,
    starts: impl Fn(&str) -> bool,
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
    starts: impl Fn(&str) -> bool,
    inner: impl Fn(&Candidate<'_>) -> Box<dyn Reader>,
) -> Box<dyn Reader> {
    let Some(margin) = Margin::before(first.line, first.next, starts) else { return inner(first) };
    let (line, next) = (&first.line[margin.first.len()..], margin.strip(first.next));
    let reader = inner(&Candidate { line, next, ..*first });
    Box::new(Indented { others: margin.others, reader })
}

struct Indented {
    others: String,
    reader: Box<dyn Reader>,
}

impl Reader for Indented {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        let strip = |line| stripped(line, &self.others).unwrap_or(line);
        self.reader.step(strip(line), strip(next))
    }

    fn raw(&self) -> bool {
        self.reader.raw()
    }

    fn may_hold_next(&self) -> bool {
        self.reader.may_hold_next()
    }

    fn closes(&self, line: &str) -> bool {
        self.reader.closes(stripped(line, &self.others).unwrap_or(line))
    }

    fn minds_needles_only(&self) -> bool {
        self.reader.minds_needles_only()
    }

    fn is_block(&self) -> bool {
        self.reader.is_block()
    }
}

/// What a block says. Of an indented one that is what it is about, and one problem: whatever else
/// is wrong with it can be said once its lines are where they belong.
pub fn parse(
    source: &Source<'_>,
    starts: impl Fn(&str) -> bool,
    inner: impl Fn(&Source<'_>) -> Parsed,
) -> Parsed {
    let text = source.looked_at();
    let mut first_two = text.lines();
    let (line, next) = (first_two.next().unwrap_or_default(), first_two.next().unwrap_or_default());
    let Some(margin) = Margin::before(line, next, starts) else { return inner(source) };
    let spans = lines::spans(text);
    let mut unindented = text[margin.first.len()..spans[0].end].to_owned();
    for pair in spans.windows(2) {
        unindented.push_str(&text[pair[0].end..pair[1].start]);
        unindented.push_str(margin.strip(&text[pair[1].clone()]));
    }
    let parsed = inner(&Source { text: &unindented, beyond: "", own_end: false, ..*source });
    let problems = problem_with(margin.first, text, &spans).into_iter().collect();
    Parsed {
        id: parsed.id,
        action: parsed.action,
        path: parsed.path,
        effect: parsed.effect,
        problems,
        ..Parsed::new(Role::Command, parsed.eol)
    }
}

/// The problem of a block all of whose lines have what its first one has before it; `None` where
/// that is nothing, or a byte order mark.
pub fn problem(text: &str, lines: &[Span]) -> Option<Problem> {
    problem_with(of(&text[lines.first()?.clone()]), text, lines)
}

fn problem_with(margin: &str, text: &str, lines: &[Span]) -> Option<Problem> {
    let first = lines.first()?;
    if margin.trim_start_matches('\u{feff}').is_empty() {
        return None;
    }
    let width = margin.len();
    let remove = |span: &Span| {
        let line = &text[span.clone()];
        let blank = |char: &char| matches!(char, ' ' | '\t' | '>');
        let common = match line.starts_with(margin) {
            true => width,
            false => line.chars().take(width).take_while(blank).count(),
        };
        (common > 0).then(|| Replacement::remove(span.start..span.start + common))
    };
    let says = "the block is indented or quoted: its markers begin at the start of their lines";
    let edits = lines.iter().filter_map(remove).collect();
    Some(Problem::new(SCAN_INDENTED, first.clone(), says).fix("Unindent the block", edits))
}
