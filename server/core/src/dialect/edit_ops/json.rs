//! JSON with the places of its values: strict as RFC 8259, and fixed where the meaning is plain.

use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::tokens::{Token, TokenAndRange};
use jsonc_parser::{
    CollectOptions, CommentCollectionStrategy, ParseOptions, ParseResult, parse_to_ast,
};

use crate::problem::{EDIT_OPS_INVALID_JSON, Problem, Replacement};
use crate::text::Span;

/// The value that `text` is.
///
/// # Errors
/// What keeps it from being JSON.
pub fn parse(text: &str) -> Result<Value<'_>, Box<Problem>> {
    // The one check of what is JSON; the parser that knows places is milder than the standard.
    let strict = serde_json::from_str::<serde_json::Value>(text);
    match (strict, placed(text, true)) {
        (Ok(_), Ok(ParseResult { value: Some(value), .. })) => Ok(value),
        (Ok(_), Ok(_)) => Err(problem(0..text.len(), "a value is missing").into()),
        (Ok(_), Err(error)) => {
            let range = error.range();
            Err(problem(range.start..range.end, &error.kind().to_string()).into())
        }
        (Err(error), _) => Err(syntax(text, &error).into()),
    }
}

/// The span of a value.
pub fn span(value: &impl Ranged) -> Span {
    let range = value.range();
    range.start..range.end
}

fn placed(text: &str, strict: bool) -> Result<ParseResult<'_>, jsonc_parser::errors::ParseError> {
    let comments = match strict {
        true => CommentCollectionStrategy::Off,
        false => CommentCollectionStrategy::AsTokens,
    };
    let options = ParseOptions {
        allow_comments: !strict,
        allow_trailing_commas: !strict,
        allow_loose_object_property_names: false,
        allow_missing_commas: false,
        allow_single_quoted_strings: false,
        allow_hexadecimal_numbers: false,
        allow_unary_plus_numbers: false,
        allow_bare_decimal_point_numbers: false,
        allow_non_finite_numbers: false,
        allow_extended_string_escapes: false,
    };
    parse_to_ast(text, &CollectOptions { comments, tokens: !strict }, &options)
}

fn problem(span: Span, what: &str) -> Problem {
    Problem::new(EDIT_OPS_INVALID_JSON, span, format!("this is not JSON: {what}"))
}

fn syntax(text: &str, error: &serde_json::Error) -> Problem {
    let said = error.to_string();
    let (line, column) = (error.line(), error.column());
    let what = said.strip_suffix(&format!(" at line {line} column {column}")).unwrap_or(&said);
    let at = offset(text, line, column);
    if error.is_eof() {
        let end = text.trim_end().len();
        let start = text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
        return problem(start..end, "it ends in the middle; send the whole proposal again");
    }
    // Of a control character the parser tells the place after it, which may be the next line.
    let controls = what.starts_with("control character");
    let before = &text.as_bytes()[..(at + 1).min(text.len())];
    let control = before.iter().rposition(|byte| *byte < b' ').filter(|_| controls);
    let at = control.unwrap_or(at);
    let end = text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let found = match controls {
        true => problem(at..end, &unescaped(text[at..].chars().next().unwrap_or_default())),
        false => problem(at..end, what),
    };
    match fixed(text) {
        Some((title, edits)) => found.fix(title, edits),
        None => found,
    }
}

/// What is wrong with a control character in a text, and what to write in its place.
fn unescaped(char: char) -> String {
    let escape = match char {
        '\n' => r"\n".to_owned(),
        '\r' => r"\r".to_owned(),
        '\t' => r"\t".to_owned(),
        other => format!("\\u{:04x}", u32::from(other)),
    };
    format!("a text has a control character in it; write `{escape}` in its place")
}

/// The offset of a 1-based line and a 1-based column in bytes.
fn offset(text: &str, line: usize, column: usize) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let mut at = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What makes a text JSON where its meaning is plain: commas before a closing bracket, comments,
/// and line breaks and other control characters inside of strings.
fn fixed(text: &str) -> Option<(&'static str, Vec<Replacement>)> {
    let tokens = placed(text, false).ok()?.tokens?;
    let mut title = None;
    let mut edits = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let (one, edit) = match &token.token {
            Token::Comma if closes(&tokens[index + 1..]) => {
                ("Remove the trailing comma", vec![Replacement::remove(span(token))])
            }
            Token::CommentLine(_) | Token::CommentBlock(_) => {
                ("Remove the comments", vec![Replacement::remove(span(token))])
            }
            Token::String(_) => ("Escape the line breaks in texts", escaped(text, span(token))),
            _ => continue,
        };
        if !edit.is_empty() {
            title =
                Some(title.map_or(one, |known| if known == one { one } else { "Fix the JSON" }));
            edits.extend(edit);
        }
    }
    let title = title?;
    serde_json::from_str::<serde_json::Value>(&changed(text, &edits)).ok()?;
    Some((title, edits))
}

fn closes(rest: &[TokenAndRange<'_>]) -> bool {
    let comment = |it: &&TokenAndRange<'_>| {
        matches!(it.token, Token::CommentLine(_) | Token::CommentBlock(_))
    };
    let next = rest.iter().find(|token| !comment(token));
    next.is_some_and(|it| matches!(it.token, Token::CloseBrace | Token::CloseBracket))
}

/// The control characters of a string, each with its escape.
fn escaped(text: &str, string: Span) -> Vec<Replacement> {
    let controls = text[string.clone()].char_indices().filter(|(_, c)| *c < ' ');
    let escape = |(at, c): (usize, char)| {
        let start = string.start + at;
        let written = match c {
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            '\t' => "\\t".to_owned(),
            _ => format!("\\u{:04x}", c as u32),
        };
        Replacement::new(start..start + 1, written)
    };
    controls.map(escape).collect()
}

fn changed(text: &str, edits: &[Replacement]) -> String {
    let mut changed = String::with_capacity(text.len() + edits.len());
    let mut from = 0;
    for edit in edits {
        changed.push_str(&text[from..edit.span.start]);
        changed.push_str(&edit.text);
        from = edit.span.end;
    }
    changed + &text[from..]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is said of `text`, where, and what the fix makes of it.
    fn said(text: &str) -> String {
        let Err(problem) = parse(text) else { return "JSON".to_owned() };
        let place = &text[problem.span.clone()];
        let fixed = problem.fixes.first().map(|fix| {
            format!(" | {} | {}", fix.title, changed(text, &fix.edits).replace('\n', "⏎"))
        });
        format!("{} | {place:?}{}", problem.message, fixed.unwrap_or_default())
    }

    #[test]
    fn what_is_not_json_is_said_at_its_place() {
        let not = "this is not JSON: ";
        let control = r"a text has a control character in it; write `\n` in its place";
        let middle = "it ends in the middle; send the whole proposal again";
        let cases = [
            (r#"{"a":[1,2.5e3,true,null,"é😀\u00e9"]}"#, "JSON".to_owned()),
            (r#"{"a":"#, format!(r#"{not}{middle} | ":""#)),
            ("{\"é\": \"😀\n", format!(r#"{not}{control} | "\n""#)),
            ("{\"a\": \"x", format!(r#"{not}{middle} | "x""#)),
            ("{'a': 1}", format!(r#"{not}key must be a string | "'""#)),
            ("{\"a\": 1 \"b\": 2}", format!(r#"{not}expected `,` or `}}` | "\"""#)),
            ("{\"a\": 1} x", format!(r#"{not}trailing characters | "x""#)),
            (r#"{"a": "\ud800"}"#, format!(r#"{not}unexpected end of hex escape | "\"""#)),
            (
                "{\"a\": [1, 2,],}",
                format!(
                    r#"{not}trailing comma | "]" | Remove the trailing comma | {{"a": [1, 2]}}"#
                ),
            ),
            (
                "{\"a\": \"x\ny\tz\"}",
                format!(
                    r#"{not}{control} | "\n" | Escape the line breaks in texts | {{"a": "x\ny\tz"}}"#
                ),
            ),
            (
                "{ // why\n\"a\": \"x\n\"}",
                format!(r#"{not}key must be a string | "/" | Fix the JSON | {{ ⏎"a": "x\n"}}"#),
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(said(text), expected, "{text}");
        }
    }

    #[test]
    fn depth_is_no_danger() {
        for text in ["[".repeat(200_000), format!("{}{}", "[".repeat(100_000), "]".repeat(100_000))]
        {
            assert!(parse(&text).is_err());
        }
    }
}
