//! What parsing the result shows that is worth knowing.

use serde_json::{Map, Value, json};

use super::find::listed;
use super::indent::{is_blank, is_first, line_end, next_line, of_line};
use super::markdown;
use super::verbatim;
use super::written::Written;
use crate::outline::line_start;
use crate::outline::{Parsed, Structure};
use crate::structure::output::{Warning, WarningKind};
use crate::structure::{Index, Kind};
use crate::text::{Packed, Span, lines};

/// A structure that may have lost its code.
pub(super) struct Suspect {
    /// Its place in the outline before.
    pub before: usize,
    /// Its own first byte afterwards.
    pub own_start: usize,
}

/// The warnings about a file: `new` is the structure that was written into it, `suspects` the
/// structures that something was taken out of, `misread` is where something else is read otherwise
/// than it was.
pub(super) fn of(
    written: &Written,
    new: Option<&Span>,
    suspects: &[Suspect],
    misread: Option<usize>,
) -> Vec<Warning> {
    let mut warnings = Vec::new();
    warnings.extend(broken(written, new));
    if warnings.is_empty() {
        warnings.extend(misread.map(|offset| differs(written, offset)));
    }
    if markdown::is(written.after.language()) {
        return warnings;
    }
    warnings.extend(suspects.iter().filter_map(|suspect| emptied(written, suspect)));
    warnings.extend(new.and_then(|new| inconsistent(written, new)));
    warnings
}

fn warning(kind: WarningKind, message: String, details: Value) -> Warning {
    let details = match details {
        Value::Object(details) => details,
        _ => Map::new(),
    };
    Warning { kind, message, details }
}

fn broken(written: &Written, new: Option<&Span>) -> Option<Warning> {
    let (before, after) = (&written.before, &written.after);
    let all = &after.outline.errors;
    if all.len() <= before.outline.errors.len() {
        return None;
    }
    let near =
        |error: &&Span| new.is_some_and(|new| error.start <= new.end && new.start <= error.end);
    let mut errors: Vec<&Span> = all.iter().filter(near).collect();
    if errors.is_empty() {
        errors = all.iter().collect();
    }
    let line = errors.first().map_or(1, |error| lines::number_at(after.text(), error.start));
    let path = &written.touched.path;
    let message = format!("`{path}` has more syntax errors than before, in line {line}");
    let errors = listed(after, errors.into_iter());
    Some(warning(WarningKind::SyntaxBroken, message, json!({ "errors": errors })))
}

fn emptied(written: &Written, suspect: &Suspect) -> Option<Warning> {
    let before = &written.before.outline.structures[suspect.before];
    // A key whose members only indentation shows has no value at all without them.
    let holds_code = match before.kind {
        Kind::Key => written.before.language().indented,
        kind => !matches!(kind, Kind::Variable | Kind::Constant | Kind::Field | Kind::Type),
    };
    let had_code = before.body.is_some() && !is_empty(&written.before, before);
    if !holds_code || before.kind.is_prose() || !had_code {
        return None;
    }
    let after = &written.after;
    let structures = &after.outline.structures;
    let place = structures.iter().position(|it| it.own_start == suspect.own_start)?;
    let structure = &structures[place];
    if !is_empty(after, structure) || before.kind == Kind::Key && structure.body.is_some() {
        return None;
    }
    let header = structure.header_text(after.text());
    let message = format!("`{header}` has no code left");
    let details = json!({
        "structure": Index::new(after).target(place),
        "lines": after.lines_of(&structure.extent),
    });
    Some(warning(WarningKind::StructureEmpty, message, details))
}

/// What is around a body where that is a node by itself.
const AROUND: [(&str, &str); 2] = [("{", "}"), ("do", "done")];

/// Whether nothing but comments and what encloses it is in a body.
fn is_empty(parsed: &Parsed, structure: &Structure) -> bool {
    let Some(body) = structure.body.map(Packed::span) else { return true };
    let comments = &parsed.outline.comments;
    let first = comments.partition_point(|comment| comment.start < body.start);
    let mut at = body.start;
    let mut code = String::new();
    for comment in comments[first..].iter().take_while(|comment| comment.start < body.end) {
        code.push_str(&parsed.text()[at.min(comment.start)..comment.start]);
        at = comment.end.min(body.end).max(at);
    }
    code.push_str(&parsed.text()[at..body.end]);
    let code = code.trim();
    let inside = |(open, close): &(&str, &str)| code.strip_prefix(open)?.strip_suffix(close);
    AROUND.iter().find_map(inside).unwrap_or(code).trim().is_empty()
}

/// Something that is read otherwise than it was, though no syntax is an error: a comment or a fence
/// that nothing closes takes in what follows.
fn differs(written: &Written, offset: usize) -> Warning {
    let after = &written.after;
    let line = lines::number_at(after.text(), offset);
    let path = &written.touched.path;
    let message = format!("line {line} of `{path}` is parsed differently now");
    let place = offset..line_end(after.text(), offset);
    let errors = listed(after, [&place].into_iter());
    warning(WarningKind::SyntaxBroken, message, json!({ "errors": errors }))
}

fn inconsistent(written: &Written, new: &Span) -> Option<Warning> {
    let after = &written.after;
    let (offset, expected) = astray(after, new).or_else(|| mixed(written, new))?;
    let text = after.text();
    let line = lines::number_at(text, offset);
    let actual = of_line(text, offset);
    let message = format!("the indentation of line {line} does not match what is around it");
    let details = json!({
        "expected_indent": expected,
        "actual_indent": actual,
        "line": line,
    });
    Some(warning(WarningKind::IndentationInconsistent, message, details))
}

/// A structure in what was written that is indented otherwise than the first beside it.
fn astray(after: &Parsed, new: &Span) -> Option<(usize, String)> {
    let text = after.text();
    let structures = &after.outline.structures;
    let from = structures.partition_point(|structure| structure.extent.start < new.start);
    let written = structures[from..].iter().take_while(|it| it.extent.start < new.end);
    // A function without a name is indented as its expression is.
    let is_indented = |it: &Structure| {
        is_first(text, it.own_start) && !it.kind.is_prose() && it.kind != Kind::Lambda
    };
    for structure in written.filter(|it| is_indented(it)) {
        let mut beside = after.outline.children(structure.parent).map(|index| &structures[index]);
        let is_branch = |it: &Structure| {
            let around = it.parent.and_then(|parent| structures[parent].body);
            around.is_some_and(|body| it.extent.start >= body.end())
        };
        let first = beside.find(|it| is_indented(it) && is_branch(it) == is_branch(structure));
        let expected = first.map(|first| of_line(text, first.own_start))?;
        if expected != of_line(text, structure.own_start) && after.language().indented {
            return Some((structure.own_start, expected.to_owned()));
        }
    }
    None
}

/// A line in what was written that is indented by tabs in a file of spaces, or the other way.
fn mixed(written: &Written, new: &Span) -> Option<(usize, String)> {
    let uses_tabs = tabs(&written.before)?;
    let after = &written.after;
    let text = after.text();
    let kept = verbatim::line_starts(after, new);
    let mut start = line_start(text, new.start);
    while start < new.end {
        let line = &text[start..line_end(text, start)];
        let own = of_line(text, start);
        let is_other = if uses_tabs { own.starts_with(' ') } else { own.contains('\t') };
        if is_other && !is_blank(line) && kept.binary_search(&start).is_err() {
            let unit = super::indent::most_common_unit(&written.before);
            let spaces = unit.map_or(4, |unit| unit.text().len()).max(1);
            let expected = match uses_tabs {
                true => "\t".repeat(own.len().div_ceil(4)),
                false => own.replace('\t', &" ".repeat(spaces)),
            };
            return Some((start, expected));
        }
        start = next_line(text, start).max(start + 1);
    }
    None
}

/// Whether all lines of a file that are indented begin with a tab; `None` where some do and some
/// do not, or none is indented.
fn tabs(parsed: &Parsed) -> Option<bool> {
    let kept = verbatim::line_starts(parsed, &(0..parsed.text().len()));
    let (mut tabs, mut spaces) = (false, false);
    let mut start = 0;
    for line in parsed.text().split_inclusive('\n') {
        if !is_blank(line) && kept.binary_search(&start).is_err() {
            tabs |= line.starts_with('\t');
            spaces |= line.starts_with(' ');
        }
        start += line.len();
    }
    (tabs != spaces).then_some(tabs)
}
