//! From a block's text to its fields, its problems and its command.

use std::borrow::Cow;

use super::line::{self, Line};
use super::marker::{self, Likeness, Marker};
use super::reader::not_alone;
use super::{RULES, base64, check};
use crate::dialect::{BlockEnd, Claim, Parsed, ParsedField, Role, Said};
use crate::fingerprint::Fingerprint;
use crate::limits::PROBLEMS;
use crate::problem::{self, Problem, Replacement};
use crate::spec::FieldRole;
use crate::text::{Span, lines};

/// A block's text taken apart, before anything is said about its values.
pub struct Draft<'a> {
    /// The block's text.
    pub text: &'a str,
    /// How it came to its end.
    pub end: BlockEnd,
    /// The ending of its first line, for what fixes insert.
    pub eol: &'static str,
    /// The text of the start marker's line.
    pub first: Span,
    /// The fields in the order of the text.
    pub fields: Vec<Field<'a>>,
    /// What is wrong so far.
    pub problems: Vec<Problem>,
}

/// A field where it is.
#[derive(Debug, Clone)]
pub struct Field<'a> {
    pub name: &'a str,
    /// The value as written, everything after the colon and one blank.
    pub value: &'a str,
    /// The line's text.
    pub line: Span,
    pub key_span: Span,
    pub value_span: Span,
    /// Whether the value goes on in lines that are no fields, so that it cannot be checked.
    pub broken: bool,
}

/// What may be around a value without being part of it. Other blanks, such as the non-breaking
/// one, may be meant.
pub const BLANKS: [char; 2] = [' ', '\t'];

impl<'a> Field<'a> {
    /// The value without the blanks around it.
    pub fn bare(&self) -> &'a str {
        self.value.trim_matches(BLANKS)
    }
}

impl<'a> Draft<'a> {
    /// Takes a block apart line by line.
    pub fn new(text: &'a str, end: BlockEnd) -> Draft<'a> {
        let all = lines::spans(text);
        let first = all.first().cloned().unwrap_or(0..0);
        let eol = lines::eol_after(text, first.end);
        let mut draft = Draft {
            text,
            end,
            eol,
            first: first.clone(),
            fields: Vec::with_capacity(all.len().min(8)),
            problems: Vec::new(),
        };
        let closed = matches!(end, BlockEnd::Closed | BlockEnd::TooLarge) && all.len() > 1;
        let (body, last) = match all.get(1..).unwrap_or_default() {
            [body @ .., last] if closed => (body, Some(last)),
            body => (body, None),
        };
        draft.marker_line(first, Marker::Start);
        for span in body {
            if draft.problems.len() + draft.fields.len() >= PROBLEMS {
                draft.problems.push(problem::too_many(span.clone()));
                break;
            }
            draft.body_line(span.clone());
        }
        if let Some(last) = last {
            draft.marker_line(last.clone(), Marker::End);
        }
        draft
    }

    /// The field of that name that counts: the first.
    pub fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The start marker's characters.
    pub fn start(&self) -> Span {
        let line = &self.text[self.first.clone()];
        marker::find(line).map_or(self.first.clone(), |marked| marked.word)
    }

    /// An insertion of a whole line after another one.
    pub fn insert_after(&self, line: &Span, text: &str) -> Replacement {
        Replacement::insert(line.end, format!("{}{text}", self.eol))
    }

    /// The removal of a whole line with the ending before it, which every line but the first has.
    pub fn remove_line(&self, line: &Span) -> Replacement {
        let before = &self.text[..line.start];
        Replacement::remove(lines::trim_ending(before).len()..line.end)
    }

    fn marker_line(&mut self, span: Span, expected: Marker) {
        let line = &self.text[span.clone()];
        let Some(marked) = marker::find(line).filter(|marked| marked.marker == expected) else {
            // A block beyond the limit may end with any line.
            return;
        };
        if marked.likeness == Likeness::Exact {
            return;
        }
        self.problems
            .push(not_alone(expected, line, marked.word.clone(), self.eol).shifted(span.start));
        // What a lost line break joined to the marker is read all the same.
        let joined = match expected {
            Marker::Start => marked.word.end..line.len(),
            _ => 0..marked.word.start,
        };
        let skipped = line[joined.clone()].len() - line[joined.clone()].trim_start().len();
        let text = line[joined.clone()].trim();
        if let Some(field) = line::read(text) {
            self.push_field(field, span.start + joined.start + skipped, text.len());
        }
    }

    fn body_line(&mut self, span: Span) {
        let line = &self.text[span.clone()];
        if line.trim().is_empty() {
            let problem = Problem::new(
                problem::OPERATOR_BLANK_LINE,
                span.clone(),
                "the line is empty; every line of a block is `key: value`",
            );
            self.problems.push(problem.fix("Remove the line", vec![self.remove_line(&span)]));
            return;
        }
        if let Some(marked) = marker::find(line)
            && (marked.marker, marked.likeness) == (Marker::Start, Likeness::Near)
        {
            let problem = not_alone(Marker::Start, line, marked.word, self.eol);
            self.problems.push(problem.shifted(span.start));
            return;
        }
        match line::read(line) {
            Some(field) => {
                if !field.exact {
                    self.problems.push(self.inexact(&span, &field));
                }
                self.push_field(field, span.start, line.len());
            }
            None => self.other_line(span),
        }
    }

    fn push_field(&mut self, field: Line, start: usize, len: usize) {
        let key_span = start + field.key.start..start + field.key.end;
        let value_span = start + field.value.start..start + field.value.end;
        self.fields.push(Field {
            name: &self.text[key_span.clone()],
            value: &self.text[value_span.clone()],
            line: start..start + len,
            key_span,
            value_span,
            broken: false,
        });
    }

    fn inexact(&self, span: &Span, field: &Line) -> Problem {
        let line = &self.text[span.clone()];
        let exact = format!("{}: {}", field.key(line), &line[field.value.clone()]);
        let message = if field.key.start > 0 {
            "an indented line: `key: value` begins in the first column"
        } else {
            "no blank after the colon: every line is `key: value`"
        };
        let at = field.key.start..line.trim_end().len();
        Problem::new(problem::OPERATOR_NOT_KEY_VALUE, at, message)
            .shifted(span.start)
            .fix("Make it `key: value`", vec![Replacement::new(span.clone(), exact.trim_end())])
    }

    fn other_line(&mut self, span: Span) {
        let line = &self.text[span.clone()];
        let is_tail = line
            .trim()
            .trim_end_matches('=')
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/');
        let above = self.fields.last_mut().filter(|field| {
            let ends = lines::trim_ending(&self.text[..span.start]).len();
            is_tail && field.name.ends_with("_b64") && (field.broken || field.line.end == ends)
        });
        let indent = line.len() - line.trim_start().len();
        let at = span.start + indent..span.start + line.trim_end().len();
        let mut problem =
            Problem::new(problem::OPERATOR_NOT_KEY_VALUE, at.clone(), "expected `key: value`");
        if let Some(above) = above {
            above.broken = true;
            let name = above.name;
            problem.message =
                format!("this looks like the rest of `{name}`: a value is one line, however long");
            let ends = lines::trim_ending(&self.text[..span.start]).len();
            let blanks = Replacement::remove(at.end..span.end);
            let join = [Replacement::remove(ends..at.start)].into_iter();
            let join = join.chain(Some(blanks).filter(|blanks| !blanks.span.is_empty()));
            problem = problem.fix(format!("Join to `{name}`"), join.collect());
        }
        let remove = self.remove_line(&span);
        self.problems.push(problem.choice("Remove the line", vec![remove]));
    }
}

/// What a command block's text says.
pub fn command(text: &str, end: BlockEnd) -> Parsed {
    let mut draft = Draft::new(text, end);
    let text_of = |name| draft.field(name).map(|field| field.bare().to_owned());
    let filled = |name| text_of(name).filter(|value| !value.is_empty());
    let (id, action, path) = (filled("id"), filled("action"), filled("path"));
    let checked = check::check(&mut draft);
    let mut problems = std::mem::take(&mut draft.problems);
    problems.sort_by_key(|problem| (problem.span.start, problem.severity));
    let sound = !problems.iter().any(Problem::is_error);
    Parsed {
        id,
        action,
        path,
        effect: checked.action.map(|action| action.effect),
        fields: parsed_fields(&draft, |name| RULES.field(checked.action, name)),
        problems,
        command: checked.command.filter(|_| sound),
        ..Parsed::new(Role::Command, draft.eol)
    }
}

/// What a reply block's text says; nothing in it is a problem.
pub fn reply(text: &str) -> Parsed {
    let draft = Draft::new(text, BlockEnd::Unterminated);
    let text_of = |name| draft.field(name).map(|field| field.bare().to_owned());
    let refused = text_of("summary").is_some_and(|summary| summary == crate::dialect::REFUSED);
    let ok = text_of("ok").is_some_and(|ok| ok == "true");
    let details = text_of("details_b64").and_then(|it| base64::decode(&it).ok());
    let details = details.and_then(|it| String::from_utf8(it).ok());
    let said = [text_of("summary"), details];
    let stated = said.iter().flatten().flat_map(|it| Fingerprint::all_in(it)).collect();
    let id = text_of("id");
    let claim = Claim { ok, refused: refused && !ok, again: false, stated };
    let says = id.clone().map(|of| Said { of, claim, told: None }).into_iter().collect();
    let fields = parsed_fields(&draft, |it| (it.to_owned().into(), FieldRole::of_name(it)));
    Parsed { id, fields, says, ..Parsed::new(Role::Reply, draft.eol) }
}

fn parsed_fields(
    draft: &Draft<'_>,
    known: impl Fn(&str) -> (Cow<'static, str>, Option<FieldRole>),
) -> Vec<ParsedField> {
    let field = |field: &Field<'_>| {
        let (name, role) = known(field.name);
        let (key, value) = (field.key_span.clone(), field.value_span.clone());
        ParsedField { name, role, op: None, key, value, heredoc: false }
    };
    draft.fields.iter().map(field).collect()
}
