//! What is wrong with values that should be strings in quotes, and how it can be fixed.

use super::draft::{Draft, Field};
use super::line::{self, Value};
use crate::problem::{self, Code, Problem, Replacement};
use crate::text::Span;

/// Quotation marks that people and word processors put in place of `"`.
const OTHER_QUOTES: &[char] = &['\'', '`', '“', '”', '„', '‟', '‘', '’', '«', '»', '＂', '″'];

impl<'a> Draft<'a> {
    /// Reports a string without its closing quote, and gives how many of the following lines are
    /// part of it.
    pub(super) fn unclosed_quote(&mut self, field: &mut Field<'a>, rest: &[Span]) -> usize {
        let text = self.source.text;
        let value = field.value.clone();
        let says = "the closing quote is missing; a value in quotes is one line";
        let opening = value.start - 1..value.end;
        let problem = Problem::new(problem::SHAM_UNCLOSED_QUOTE, opening, says);
        if let Some(lines) = self.lines_to_the_quote(rest) {
            let last = &rest[lines - 1];
            let end = last.start + text[last.clone()].trim_end().len();
            field.whole.end = last.end;
            field.value.end = end - 1;
            let heredoc = self.as_heredoc(&(value.start..end - 1));
            // A backslash may be an escape, or meant as it is like the line breaks.
            let is_sure = !text[value.start..end].contains('\\');
            let edit = heredoc.map(|it| vec![Replacement::new(value.start - 1..last.end, it)]);
            let title = "Make it a heredoc";
            self.problems.push(match edit {
                Some(edit) if is_sure => problem.fix(title, edit),
                Some(edit) => problem.choice(title, edit),
                None => problem,
            });
            return lines;
        }
        let last = text[value.clone()].chars().next_back().filter(|char| is_other_quote(*char));
        let edit = match last {
            Some(quote) => Replacement::new(value.end - quote.len_utf8()..value.end, "\""),
            None => Replacement::insert(value.end, "\""),
        };
        // Text of the value may be in the next line, so that a quote here would cut it off.
        let is_whole = match rest.first() {
            Some(next) => {
                let next = &text[next.clone()];
                next.trim().is_empty() || line::looks_like_one(next)
            }
            None => self.source.end == crate::dialect::BlockEnd::Closed,
        };
        self.problems.push(match is_whole {
            true => problem.fix("Add the closing quote", vec![edit]),
            false => problem.choice("Add the closing quote at the end of this line", vec![edit]),
        });
        0
    }

    /// How many lines after an open string there are up to the last one that ends with a quote,
    /// before the next assignment.
    fn lines_to_the_quote(&self, rest: &[Span]) -> Option<usize> {
        let line = |span: &Span| &self.source.text[span.clone()];
        let own = rest.iter().take_while(|span| !line::looks_like_one(line(span))).count();
        let closes = |span: &Span| line(span).trim_end().ends_with('"');
        rest[..own].iter().rposition(closes).map(|at| at + 1)
    }

    /// The heredoc that a string with real line breaks in it was meant for.
    fn as_heredoc(&self, value: &Span) -> Option<String> {
        let delimiter = self.delimiter()?;
        let raw = &self.source.text[value.clone()];
        let escaped = raw.replace("\r\n", "\\n").replace(['\n', '\r'], "\\n");
        let escaped = escape_quotes(&escaped.replace('\t', "\\t"));
        let text = line::decode(&escaped).ok()?;
        let ends =
            |line: &str| line.ends_with(&delimiter) || line.ends_with(&format!("{delimiter}'"));
        if text.contains('\r') || text.split('\n').any(ends) {
            return None;
        }
        let eol = self.eol;
        let text = text.replace('\n', eol);
        Some(format!("<<'{delimiter}'{eol}{text}{eol}{delimiter}"))
    }
}

fn is_other_quote(char: char) -> bool {
    OTHER_QUOTES.contains(&char)
}

/// Reports what follows a value on its line.
pub fn trailing_content(text: &str, value: &Value, rest: &Span, origin: usize) -> Problem {
    let code: Code = problem::SHAM_TRAILING_CONTENT;
    let after = &text[rest.clone()];
    let skipped = after.len() - after.trim_start().len();
    let span = origin + rest.start + skipped..origin + rest.end;
    let remove = Replacement::remove(origin + rest.start..origin + rest.end);
    let Value::Quoted(inner) = value else {
        let problem = Problem::new(code, span, "unexpected text after the opening of a heredoc");
        return problem.choice("Remove it", vec![remove]);
    };
    let says = "unexpected text after the value; write a quote inside it as `\\\"`";
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
    problem.choice("Remove the text after the value", vec![remove])
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

/// Reports a string in quotes that is not a JSON string.
pub fn bad_string(text: &str, inner: &Span, fault: (Span, &str), origin: usize) -> Problem {
    let (place, says) = fault;
    let span = origin + inner.start + place.start..origin + inner.start + place.end;
    let whole = origin + inner.start - 1..origin + inner.end + 1;
    let literal = line::encode(&text[inner.clone()]);
    Problem::new(problem::SHAM_INVALID_VALUE, span, format!("{says} in a JSON string")).choice(
        format!("Take every character as it is: {literal}"),
        vec![Replacement::new(whole, literal)],
    )
}

/// Reports a value that is neither a string in quotes nor a heredoc.
pub fn no_string(text: &str, inner: &Span, origin: usize) -> Problem {
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
    let quoted = line::encode(without_quotes(value));
    Problem::new(problem::SHAM_INVALID_VALUE, span.clone(), says)
        .fix(format!("Make it {quoted}"), vec![Replacement::new(span, quoted)])
}

/// The text between two quotation marks of other kinds; all of it where it does not have both.
fn without_quotes(value: &str) -> &str {
    let inside = value
        .strip_prefix(is_other_quote)
        .and_then(|it| it.strip_suffix(|char: char| char == '"' || is_other_quote(char)));
    inside.unwrap_or(value)
}
