//! A block's text taken apart: its fields where they are, and what is wrong with their writing.

use foldhash::{HashMap, HashMapExt};

use super::line::{self, Assignment, Value};
use super::marker::{self, Flaw, Style};
use super::reader::header_problem;
use super::strings;
use crate::dialect::{BlockEnd, Source};
use crate::limits::PROBLEMS;
use crate::problem::{self, Problem, Replacement};
use crate::text::{Span, lines};

/// A block's text taken apart, before anything is said about its values.
pub struct Draft<'a> {
    pub source: &'a Source<'a>,
    /// The ending of its first line, for what fixes insert.
    pub eol: &'static str,
    pub style: Style,
    pub id: Option<&'a str>,
    /// The header's characters.
    pub header: Span,
    /// The fields in the order of the text.
    pub fields: Vec<Field<'a>>,
    /// The last field of each name, by its index.
    last_of: HashMap<&'a str, usize>,
    pub problems: Vec<Problem>,
    /// Whether nothing ends the last heredoc, which is reported where the slip is.
    pub leaves_heredoc_open: bool,
    /// Where the last heredoc ends. What is before is raw text, whatever it looks like.
    raw_until: usize,
}

/// A field where it is.
pub struct Field<'a> {
    pub name: &'a str,
    pub key: Span,
    /// The characters between the quotes, or a heredoc's text without its last line break.
    pub value: Span,
    /// All lines that it takes, without the last one's ending.
    pub whole: Span,
    pub heredoc: bool,
    /// What it says; `None` where it cannot be read.
    pub text: Option<String>,
}

impl<'a> Draft<'a> {
    /// Takes a block apart.
    pub fn new(source: &'a Source<'a>) -> Draft<'a> {
        let text = source.looked_at();
        let all = lines::spans(text);
        let first = all.first().cloned().unwrap_or(0..0);
        let head = &text[first.clone()];
        let header = marker::header(head);
        let id = header.as_ref().and_then(|header| header.id.clone()).map(|id| &head[id]);
        let mut draft = Draft {
            source,
            eol: lines::eol_after(source.text, first.end),
            style: header.as_ref().map_or(Style::Sham, |header| header.style),
            id: id.filter(|id| marker::is_id(id)),
            header: header.as_ref().map_or(first.clone(), |header| header.core.clone()),
            fields: Vec::with_capacity(all.len().min(8)),
            last_of: HashMap::new(),
            problems: Vec::new(),
            leaves_heredoc_open: false,
            raw_until: 0,
        };
        if let Some(header) = &header
            && header.flaw != Flaw::None
        {
            draft.problems.push(header_problem(head, header, draft.eol));
        } else if let Some(id) = draft.id.filter(|id| id.len() != 3) {
            let at = header.and_then(|header| header.id).unwrap_or(first);
            let says = format!("an id has three characters, and `{id}` has {}", id.len());
            draft.problems.push(Problem::new(problem::SHAM_ID_LENGTH, at, says));
        }
        let closed = source.end == BlockEnd::Closed && all.len() > 1;
        let (body, last) = match all.get(1..).unwrap_or_default() {
            [body @ .., last] if closed => (body, Some(last)),
            body => (body, None),
        };
        draft.body(body, last);
        match last {
            Some(last) => draft.end_line(last.clone()),
            None => draft.no_end(),
        }
        draft
    }

    /// The field of that name that counts: the last.
    pub fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.last_of.get(name).map(|index| &self.fields[*index])
    }

    /// The delimiter of its heredocs.
    pub fn delimiter(&self) -> Option<String> {
        self.id.map(|id| self.style.delimiter(id))
    }

    /// The exact end marker.
    pub fn end_marker(&self) -> Option<String> {
        self.id.map(|id| self.style.end_marker(id))
    }

    /// The removal of a field with the line ending before it, which every line but the first has.
    pub fn remove(&self, whole: &Span) -> Replacement {
        let before = &self.source.text[..whole.start];
        Replacement::remove(lines::trim_ending(before).len()..whole.end)
    }

    fn body(&mut self, body: &[Span], last: Option<&Span>) {
        let mut at = 0;
        while let Some(span) = body.get(at) {
            if self.problems.len() + self.fields.len() >= PROBLEMS {
                self.problems.push(problem::too_many(span.clone()));
                return;
            }
            at += 1;
            let text = &self.source.text[span.clone()];
            if text.trim().is_empty() {
                continue;
            }
            if let Some(header) = marker::header(text).filter(|it| it.flaw != Flaw::Loose) {
                let problem = header_problem(text, &header, self.eol).shifted(span.start);
                self.problems.push(problem);
                continue;
            }
            let Some(assignment) = line::read(text) else {
                self.no_assignment(span);
                continue;
            };
            at += self.assignment(span, &assignment, &body[at..], last);
        }
    }

    fn no_assignment(&mut self, span: &Span) {
        let text = &self.source.text[span.clone()];
        let start = span.start + (text.len() - text.trim_start().len());
        let says = "expected `key = value`; text of several lines belongs in a heredoc";
        let problem = Problem::new(
            problem::SHAM_MALFORMED_ASSIGNMENT,
            start..start + text.trim().len(),
            says,
        );
        let remove = self.remove(span);
        self.problems.push(problem.choice("Remove the line", vec![remove]));
    }

    /// Reads one assignment, and gives how many more lines it takes.
    fn assignment(
        &mut self,
        span: &Span,
        assignment: &Assignment,
        rest: &[Span],
        last: Option<&Span>,
    ) -> usize {
        let text = &self.source.text[span.clone()];
        let at = |inner: &Span| span.start + inner.start..span.start + inner.end;
        let key = at(&assignment.key);
        let name = &self.source.text[key.clone()];
        if let Some(operator) = &assignment.operator {
            let says = format!("a value is given with `=`, not with `{}`", &text[operator.clone()]);
            let operator = at(operator);
            let problem = Problem::new(problem::SHAM_INVALID_ASSIGNMENT_OPERATOR, operator, says);
            let edit = Replacement::new(problem.span.clone(), "=");
            self.problems.push(problem.fix("Make it `=`", vec![edit]));
        }
        let odd = assignment.odd_blanks.iter().map(|blanks| odd_blank(text, blanks, span.start));
        self.problems.extend(odd);
        if name.is_empty() {
            let says = "the key before `=` is missing";
            let equals = key.start..key.start + 1;
            self.problems.push(Problem::new(problem::SHAM_EMPTY_KEY, equals, says));
        } else if !assignment.key_is_sound {
            self.problems.push(invalid_key(span, name, key.clone()));
        }
        let mut field =
            Field { name, key, value: 0..0, whole: span.clone(), heredoc: false, text: None };
        let mut value = &assignment.value;
        if let Value::Trailing { value: inner, rest: trailing } = value {
            self.problems.push(strings::trailing_content(text, inner, trailing, span.start));
            value = inner;
        }
        let mut taken = 0;
        match value {
            Value::Quoted(inner) => {
                field.value = at(inner);
                match line::decode(&text[inner.clone()]) {
                    Ok(decoded) => field.text = Some(decoded),
                    Err(fault) => {
                        self.problems.push(strings::bad_string(text, inner, fault, span.start));
                    }
                }
            }
            Value::Unclosed(inner) => {
                field.value = at(inner);
                taken = self.unclosed_quote(&mut field, rest);
            }
            Value::Heredoc(delimiter) => {
                let opening = at(delimiter);
                let quoted = opening.start - 3..opening.end + 1;
                taken = self.heredoc(&mut field, quoted, opening, rest, last);
            }
            Value::Bare(opening, delimiter) => {
                taken = self.heredoc(&mut field, at(opening), at(delimiter), rest, last);
            }
            Value::Other(inner) => {
                field.value = at(inner);
                self.problems.push(strings::no_string(text, inner, span.start));
            }
            Value::Trailing { .. } => {}
        }
        if field.heredoc {
            self.raw_until = field.whole.end;
        }
        // What is meant by a key that is none is not said to be missing or unknown as well.
        let plain = plain_key(field.name);
        if line::is_key(plain) {
            field.name = plain;
            self.again(&field);
            self.last_of.insert(plain, self.fields.len());
            self.fields.push(field);
        }
        taken
    }

    fn again(&mut self, field: &Field<'_>) {
        let Some(first) = self.field(field.name) else { return };
        let says = format!("`{}` is in this block twice; the last one counts", field.name);
        let problem = Problem::new(problem::SHAM_DUPLICATE_KEY, field.key.clone(), says)
            .related("the first one", problem::Place::Transcript(first.key.clone()));
        // Without the line that opens it the text of an open heredoc would be read as fields.
        let problem = match self.leaves_heredoc_open {
            true => problem,
            false => problem.choice("Remove this one", vec![self.remove(&field.whole)]),
        };
        let problem = problem.choice("Remove the earlier one", vec![self.remove(&first.whole)]);
        self.problems.push(problem);
    }

    fn end_line(&mut self, span: Span) {
        let line = &self.source.text[span.clone()];
        let Some(end) = marker::end(line) else { return };
        let id = &line[end.id.clone()];
        let at = |inner: &Span| span.start + inner.start..span.start + inner.end;
        let exact = self.end_marker();
        if let (Some(own), Some(exact)) = (self.id, &exact)
            && (own != id || end.style != self.style)
        {
            let says = format!("the end marker must be `{exact}`");
            let problem = Problem::new(problem::SHAM_MISMATCHED_END, at(&end.core), says);
            let edit = Replacement::new(span.clone(), exact.clone());
            self.problems.push(problem.fix(format!("Make it `{exact}`"), vec![edit]));
            return;
        }
        if end.exact {
            return;
        }
        let exact = exact.unwrap_or_else(|| end.style.end_marker(id));
        let says = format!("the end marker must be exactly `{exact}`, alone on its line");
        let mut problem = Problem::new(problem::SHAM_MARKER_NOT_EXACT, at(&end.core), says);
        if end.quoted && self.style == Style::Nesl {
            problem.severity = problem::Severity::Warning;
        }
        // What is around it in words goes to lines of its own.
        let around = |text: &str| text.contains(char::is_alphanumeric).then(|| text.to_owned());
        let before = around(line[..end.core.start].trim_end()).filter(|_| !end.alone);
        let after = around(line[end.core.end..].trim_start()).filter(|_| !end.alone);
        let parts: Vec<String> = before.into_iter().chain([exact.clone()]).chain(after).collect();
        let edit = Replacement::new(span, parts.join(self.eol));
        self.problems.push(problem.fix(format!("Make the line exactly {exact}"), vec![edit]));
    }

    fn no_end(&mut self) {
        // One slip is one problem.
        if self.source.end == BlockEnd::TooLarge || self.leaves_heredoc_open {
            return;
        }
        let says = match self.source.end {
            BlockEnd::Nested => "another block begins before this one's end marker",
            _ => "this block has no end marker",
        };
        let problem = Problem::new(problem::SHAM_UNCLOSED_BLOCK, self.header.clone(), says);
        let end = self.end_without_headers();
        let insert =
            |marker: String| vec![Replacement::insert(end, format!("{}{marker}", self.eol))];
        self.problems.push(match self.end_marker() {
            Some(marker) => problem.fix(format!("Insert {marker}"), insert(marker)),
            None => problem,
        });
    }

    /// The end of the block's text without the nearly headers that are its last lines: an end
    /// marker directly below such a line would make it the header of a block.
    fn end_without_headers(&self) -> usize {
        let text = self.source.text;
        let mut end = text.len();
        while let Some(before) = text[..end].rfind(['\n', '\r'])
            && before >= self.raw_until
            && marker::header(&text[before + 1..end]).is_some()
        {
            end = text[..before + 1].trim_end_matches(['\n', '\r']).len();
        }
        end
    }
}

/// Reports blanks around the operator that look like a space and are not.
fn odd_blank(text: &str, blanks: &Span, origin: usize) -> Problem {
    let odd = text[blanks.clone()].chars().find(|char| !matches!(char, ' ' | '\t'));
    let says = format!("this blank is U+{:04X}; write a space", odd.map_or(0, u32::from));
    let span = origin + blanks.start..origin + blanks.end;
    let edit = Replacement::new(span.clone(), " ");
    Problem::new(problem::SHAM_MALFORMED_ASSIGNMENT, span, says).fix("Make it a space", vec![edit])
}

/// A key without the markup around it.
fn plain_key(name: &str) -> &str {
    name.trim_matches(|c: char| !c.is_alphanumeric() && c != '_')
}

fn invalid_key(line: &Span, name: &str, key: Span) -> Problem {
    let code = problem::SHAM_INVALID_KEY;
    if line::is_key(name) {
        let indent = Replacement::remove(line.start..key.start);
        let says = "an indented line: a key begins in the first column";
        return Problem::new(code, key, says).fix("Remove the indent", vec![indent]);
    }
    let plain = plain_key(name);
    let says = "a key is a letter or `_`, then letters, digits and `_`, 256 at most";
    let problem = Problem::new(code, key.clone(), says);
    match line::is_key(plain) {
        true => {
            let edit = Replacement::new(line.start..key.end, plain);
            problem.choice(format!("Make it `{plain}`"), vec![edit])
        }
        false => problem,
    }
}
