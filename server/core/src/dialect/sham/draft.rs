//! A block's text taken apart: its fields where they stand, and what is wrong with their writing.

use super::line::{self, Assignment, Value};
use super::marker::{self, Flaw, Style};
use super::reader::{header_problem, successor_ends};
use crate::dialect::{BlockEnd, Source};
use crate::problem::{self, Code, Problem, Replacement};
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
    pub problems: Vec<Problem>,
}

/// A field where it stands.
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
        let all = lines::spans(source.text);
        let first = all.first().cloned().unwrap_or(0..0);
        let head = &source.text[first.clone()];
        let header = marker::header(head);
        let id = header.as_ref().and_then(|header| header.id.clone()).map(|id| &head[id]);
        let mut draft = Draft {
            source,
            eol: lines::eol_after(source.text, first.end),
            style: header.as_ref().map_or(Style::Sham, |header| header.style),
            id: id.filter(|id| marker::is_id(id)),
            header: header.as_ref().map_or(first.clone(), |header| header.core.clone()),
            fields: Vec::with_capacity(all.len()),
            problems: Vec::new(),
        };
        if let Some(header) = &header
            && header.flaw != Flaw::None
        {
            draft.problems.push(header_problem(head, header));
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
        self.fields.iter().rev().find(|field| field.name == name)
    }

    /// The delimiter of its heredocs.
    pub fn delimiter(&self) -> Option<String> {
        self.id.map(|id| self.style.delimiter(id))
    }

    /// The exact end marker.
    fn end_marker(&self) -> Option<String> {
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
            at += 1;
            let text = &self.source.text[span.clone()];
            if text.trim().is_empty() {
                continue;
            }
            if let Some(header) = marker::header(text) {
                let problem = header_problem(text, &header).shifted(span.start);
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
        let says = "this is no `key = value`: text of several lines belongs into a heredoc";
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
            let says = "a value is given with `=`, not with `:=`";
            let operator = at(operator);
            let problem = Problem::new(problem::SHAM_INVALID_ASSIGNMENT_OPERATOR, operator, says);
            let edit = Replacement::new(problem.span.clone(), "=");
            self.problems.push(problem.fix("Make it `=`", vec![edit]));
        }
        if name.is_empty() {
            let says = "there is no key before the `=`";
            let equals = key.start..key.start + 1;
            self.problems.push(Problem::new(problem::SHAM_EMPTY_KEY, equals, says));
        } else if !assignment.key_is_sound {
            self.problems.push(invalid_key(span, name, key.clone()));
        }
        let mut field =
            Field { name, key, value: 0..0, whole: span.clone(), heredoc: false, text: None };
        let mut value = &assignment.value;
        if let Value::Trailing { value: inner, rest: trailing } = value {
            self.problems.push(trailing_content(text, inner, trailing, span.start));
            value = inner;
        }
        let mut taken = 0;
        match value {
            Value::Quoted(inner) => {
                field.value = at(inner);
                match line::decode(&text[inner.clone()]) {
                    Ok(decoded) => field.text = Some(decoded),
                    Err(fault) => self.problems.push(bad_string(text, inner, fault, span.start)),
                }
            }
            Value::Unclosed(inner) => {
                field.value = at(inner);
                let says = "the closing quote is missing; a value is one line";
                let opening = field.value.start - 1..field.value.end;
                let insert = Replacement::insert(field.value.end, "\"");
                let problem = Problem::new(problem::SHAM_UNCLOSED_QUOTE, opening, says);
                self.problems.push(problem.fix("Add the closing quote", vec![insert]));
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
                self.problems.push(no_string(text, inner, span.start));
            }
            Value::Trailing { .. } => {}
        }
        // What is meant by a key that is none is not said to be missing or unknown as well.
        let plain = plain_key(field.name);
        if line::is_key(plain) {
            field.name = plain;
            self.again(&field);
            self.fields.push(field);
        }
        taken
    }

    fn again(&mut self, field: &Field<'_>) {
        let Some(first) = self.field(field.name) else { return };
        let says = format!("`{}` stands twice in this block; the last one counts", field.name);
        let problem = Problem::new(problem::SHAM_DUPLICATE_KEY, field.key.clone(), says)
            .choice("Remove this one", vec![self.remove(&field.whole)])
            .choice("Remove the earlier one", vec![self.remove(&first.whole)])
            .related("the first one", problem::Place::Transcript(first.key.clone()));
        self.problems.push(problem);
    }

    /// Reads a heredoc's lines, and gives how many they are with the one that ends it.
    fn heredoc(
        &mut self,
        field: &mut Field<'a>,
        opening: Span,
        delimiter: Span,
        rest: &[Span],
        last: Option<&Span>,
    ) -> usize {
        let text = self.source.text;
        let written = &text[delimiter.clone()];
        let wanted = self.delimiter();
        let is_right = wanted.as_deref() == Some(written);
        field.heredoc = true;
        let line = |span: &Span| &text[span.clone()];
        let ends = |span: &Span| match self.style {
            _ if line(span) == written => true,
            _ if !is_right => Some(line(span)) == wanted.as_deref(),
            Style::Nesl => successor_ends(line(span), written),
            Style::Sham => false,
        };
        let found = rest.iter().position(ends).filter(|_| !written.is_empty());
        let start = lines::after_ending(text, field.whole.end);
        let end = found.map(|at| &rest[at]);
        if opening.start + 3 != delimiter.start || opening.end != delimiter.end + 1 || !is_right {
            let problem = self.wrong_delimiter(&opening, written, end, last);
            self.problems.extend(problem);
        }
        let Some(end) = end else {
            let until = rest.last().map_or(field.whole.end, |span| span.end);
            if is_right {
                self.unclosed_heredoc(&field.whole, opening, written);
                return rest.len();
            }
            // The block's own end marker ends it.
            if written.is_empty() {
                return 0;
            }
            field.value = start.min(until)..until;
            field.whole.end = until;
            return rest.len();
        };
        // The successor's delimiter may stand behind the last line's text.
        let inline = line(end).trim_end_matches('\'').len() - written.len().min(line(end).len());
        let mut content = match is_right && self.style == Style::Nesl && line(end) != written {
            true => {
                let says = "the delimiter stands alone on its line, without a quote behind it";
                let mut problem =
                    Problem::new(problem::SHAM_MARKER_NOT_EXACT, end.start + inline..end.end, says);
                problem.severity = problem::Severity::Warning;
                let break_before = if inline > 0 { self.eol } else { "" };
                let exact = format!("{break_before}{written}");
                let edit = Replacement::new(problem.span.clone(), exact);
                self.problems.push(problem.fix("Put it on a line of its own", vec![edit]));
                if inline > 0 { start..end.start + inline } else { start..end.start }
            }
            false => start..end.start,
        };
        if content.end == end.start && content.end > content.start {
            content.end = lines::trim_ending(&text[..content.end]).len().max(content.start);
        }
        field.text = Some(text[content.clone()].replace("\r\n", "\n"));
        field.value = content;
        field.whole.end = end.end;
        found.map_or(0, |at| at + 1)
    }

    fn wrong_delimiter(
        &self,
        opening: &Span,
        written: &str,
        end: Option<&Span>,
        last: Option<&Span>,
    ) -> Option<Problem> {
        let wanted = self.delimiter()?;
        let says = format!("a heredoc of this block is opened with `<<'{wanted}'`");
        let mut edits = vec![Replacement::new(opening.clone(), format!("<<'{wanted}'"))];
        match (end, last) {
            (Some(end), _) if self.source.text[end.clone()] == *wanted => {}
            (Some(end), _) => edits.push(Replacement::new(end.clone(), wanted.clone())),
            (None, Some(last)) => {
                edits.push(Replacement::insert(last.start, format!("{wanted}{}", self.eol)));
            }
            (None, None) => {}
        }
        let code = problem::SHAM_INVALID_HEREDOC_DELIMITER;
        let problem = Problem::new(code, opening.clone(), says).detail("delimiter", written);
        Some(problem.fix(format!("Make it `<<'{wanted}'`"), edits))
    }

    /// Says of a heredoc that nothing ends it, and of what was meant to end it.
    fn unclosed_heredoc(&mut self, line: &Span, opening: Span, delimiter: &str) {
        let (text, beyond) = (self.source.text, self.source.beyond);
        let says = format!("nothing ends this heredoc: the line `{delimiter}` is missing");
        let mut problem = Problem::new(problem::SHAM_UNCLOSED_HEREDOC, opening, says);
        let origin = text.len();
        let near = self
            .until_next_block()
            .filter(|span| marker::is_near_terminator(&beyond[span.clone()], delimiter));
        let near: Vec<Span> = near.map(|span| origin + span.start..origin + span.end).collect();
        let (at, own) = self.end_of_raw(line.end);
        let marker = if own { None } else { self.end_marker() };
        let lines: Vec<&str> = [delimiter].into_iter().chain(marker.as_deref()).collect();
        let lines = lines.join(self.eol);
        // Before a line, or at the very end behind one.
        let begins = at > origin && beyond[..at - origin].ends_with(['\n', '\r']);
        let edit = match begins {
            true => Replacement::insert(at, format!("{lines}{}", self.eol)),
            false => Replacement::insert(at, format!("{}{lines}", self.eol)),
        };
        let title = match own {
            true => format!("Insert {delimiter} before the end marker"),
            false => format!("Insert {delimiter} and the end marker"),
        };
        problem = match near.is_empty() {
            true => problem.fix(title, vec![edit]),
            false => problem.choice(title, vec![edit]),
        };
        self.problems.push(problem);
        let count = near.len();
        for (number, span) in near.into_iter().enumerate() {
            let says = format!("`{delimiter}` stands exactly so, alone on its line");
            let problem = Problem::new(problem::SHAM_MARKER_NOT_EXACT, span.clone(), says);
            let title = format!("Make the line exactly {delimiter}");
            let written = &beyond[span.start - origin..span.end - origin];
            let mut exact = delimiter.to_owned();
            // A closing bracket that lost its line break stays.
            if let Some(before) = written.strip_suffix(delimiter)
                && !before.trim().is_empty()
                && !before.trim().chars().all(|c| matches!(c, '\'' | '"' | '`' | '*'))
            {
                exact = format!("{before}{}{delimiter}", self.eol);
            }
            let edit = vec![Replacement::new(span, exact)];
            // The last one is meant for the end; where there are more, a person has to see.
            self.problems.push(match number + 1 == count {
                true => problem.fix(title, edit),
                false => problem.choice(title, edit),
            });
        }
    }

    /// The lines of what may be raw text: all of them where the block's own end marker follows, else
    /// those before the next header, whose block has an end of its own.
    fn until_next_block(&self) -> impl Iterator<Item = Span> + '_ {
        let (beyond, own_end) = (self.source.beyond, self.source.own_end);
        let mut start = 0;
        let lines = std::iter::from_fn(move || {
            let rest = beyond.get(start..).filter(|rest| !rest.is_empty())?;
            let end = memchr::memchr2(b'\n', b'\r', rest.as_bytes()).unwrap_or(rest.len());
            let span = start..start + end;
            start = lines::after_ending(beyond, span.end).max(span.end + 1);
            Some(span)
        });
        lines.take_while(move |span| own_end || marker::header(&beyond[span.clone()]).is_none())
    }

    /// Where a missing terminator belongs: before the block's own end marker, and then true; else
    /// before the next header or closing fence, else at the end.
    fn end_of_raw(&self, after: usize) -> (usize, bool) {
        let beyond = self.source.beyond;
        let origin = self.source.text.len();
        if self.source.own_end {
            return (origin + beyond.len(), true);
        }
        let fence = |span: &Span| {
            let line = &beyond[span.clone()];
            line.len() >= 3 && line.bytes().all(|byte| byte == b'`')
        };
        let mut end = 0;
        for span in self.until_next_block() {
            if fence(&span) && origin + span.start > after {
                return (origin + span.start, false);
            }
            end = lines::after_ending(beyond, span.end);
        }
        let at_end = end >= beyond.len();
        (origin + if at_end { lines::trim_ending(beyond).len() } else { end }, false)
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
            let says = format!("this block is ended by `{exact}`");
            let problem = Problem::new(problem::SHAM_MISMATCHED_END, at(&end.core), says);
            let edit = Replacement::new(span.clone(), exact.clone());
            self.problems.push(problem.fix(format!("Make it `{exact}`"), vec![edit]));
            return;
        }
        if end.exact {
            return;
        }
        let exact = exact.unwrap_or_else(|| end.style.end_marker(id));
        let says = "an end marker stands exactly so, alone on its line";
        let mut problem = Problem::new(problem::SHAM_MARKER_NOT_EXACT, at(&end.core), says);
        if end.quoted && self.style == Style::Nesl {
            problem.severity = problem::Severity::Warning;
        }
        // What stands around it in words goes to lines of its own.
        let around = |text: &str| text.contains(char::is_alphanumeric).then(|| text.to_owned());
        let before = around(line[..end.core.start].trim_end()).filter(|_| !end.alone);
        let after = around(line[end.core.end..].trim_start()).filter(|_| !end.alone);
        let parts: Vec<String> = before.into_iter().chain([exact.clone()]).chain(after).collect();
        let edit = Replacement::new(span, parts.join(self.eol));
        self.problems.push(problem.fix(format!("Make the line exactly {exact}"), vec![edit]));
    }

    fn no_end(&mut self) {
        let heredoc = |problem: &Problem| problem.code == problem::SHAM_UNCLOSED_HEREDOC;
        // One slip is one problem.
        if self.source.end == BlockEnd::TooLarge || self.problems.iter().any(heredoc) {
            return;
        }
        let says = match self.source.end {
            BlockEnd::Nested => "another block begins before this one's end marker",
            _ => "this block has no end marker",
        };
        let problem = Problem::new(problem::SHAM_UNCLOSED_BLOCK, self.header.clone(), says);
        let end = self.source.text.len();
        let insert =
            |marker: String| vec![Replacement::insert(end, format!("{}{marker}", self.eol))];
        self.problems.push(match self.end_marker() {
            Some(marker) => problem.fix(format!("Insert {marker}"), insert(marker)),
            None => problem,
        });
    }
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

fn trailing_content(text: &str, value: &Value, rest: &Span, origin: usize) -> Problem {
    let code: Code = problem::SHAM_TRAILING_CONTENT;
    let after = &text[rest.clone()];
    let skipped = after.len() - after.trim_start().len();
    let span = origin + rest.start + skipped..origin + rest.end;
    let remove = Replacement::remove(origin + rest.start..origin + rest.end);
    let Value::Quoted(inner) = value else {
        let problem = Problem::new(code, span, "nothing may stand behind the opening of a heredoc");
        return problem.choice("Remove it", vec![remove]);
    };
    let says = "nothing may stand behind a value; a quote inside it is written `\\\"`";
    let problem = Problem::new(code, span, says);
    let problem = match after.trim_end().ends_with('"') {
        true => {
            let whole = inner.start..rest.end - 1;
            let quote = |text: &str| escape_quotes(text);
            let edit = Replacement::new(
                origin + whole.start..origin + whole.end,
                quote(&text[whole.clone()]),
            );
            problem.fix("Escape the quotes inside", vec![edit])
        }
        false => problem,
    };
    problem.choice("Remove what stands behind the value", vec![remove])
}

/// A string's inside with every quote that is not escaped made so.
fn escape_quotes(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut escaped = false;
    for char in text.chars() {
        if char == '"' && !escaped {
            out.push('\\');
        }
        escaped = char == '\\' && !escaped;
        out.push(char);
    }
    out
}

fn bad_string(text: &str, inner: &Span, fault: (Span, &str), origin: usize) -> Problem {
    let (place, says) = fault;
    let span = origin + inner.start + place.start..origin + inner.start + place.end;
    let whole = origin + inner.start - 1..origin + inner.end + 1;
    let literal = line::encode(&text[inner.clone()]);
    Problem::new(problem::SHAM_INVALID_VALUE, span, format!("{says} in a JSON string")).choice(
        format!("Take every character as it is: {literal}"),
        vec![Replacement::new(whole, literal)],
    )
}

fn no_string(text: &str, inner: &Span, origin: usize) -> Problem {
    let value = &text[inner.clone()];
    let span = origin + inner.start..origin + inner.end;
    if value.is_empty() {
        let at = origin + text.trim_end().len();
        let says = "the value is missing: a string in quotes, or a heredoc";
        let insert = Replacement::insert(origin + text.len(), " \"\"");
        return Problem::new(problem::SHAM_INVALID_VALUE, at.saturating_sub(1)..at, says)
            .choice("Make it the empty string", vec![insert]);
    }
    let says = "a value is a JSON string in double quotes, or a heredoc";
    let bare = value.strip_prefix('\'').and_then(|it| it.strip_suffix('\'')).unwrap_or(value);
    let quoted = line::encode(bare);
    Problem::new(problem::SHAM_INVALID_VALUE, span.clone(), says)
        .fix(format!("Make it {quoted}"), vec![Replacement::new(span, quoted)])
}
