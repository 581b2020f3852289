//! From a block's text to its path, its problems and its command.

use std::sync::Arc;

use super::draft::Draft;
use super::marker::{self, Marker, Near, Word};
use super::texts::Texts;
use crate::command::hunks::{Hunk, Reading};
use crate::command::{Command, FileEdit, Missing, Step};
use crate::dialect::around::{self, Doubt, Named};
use crate::dialect::path_line;
use crate::dialect::{BlockEnd, Parsed, ParsedField, PathAbove, Role, Source, margin, unended};
use crate::problem::{self, Problem, Replacement};
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect, FieldRole};
use crate::text::one_line::excerpt;
use crate::text::{Span, lines};

const ACTION: &str = "search-replace.edit";
/// So many ways to split a block are tried; who has more dividers must escape them.
const SPLITS: usize = 16;
/// So many characters of a line above a block are quoted.
const QUOTED: usize = 60;

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let eol = lines::eol_after(source.text, source.text.find(['\n', '\r']).unwrap_or(0));
    let Some(draft) = Draft::new(source) else { return Parsed::new(Role::Command, eol) };
    let mut problems = Vec::new();
    let (path, path_above) = path(source, &draft, &mut problems).unzip();
    let path_above = path_above.flatten();
    markers(source, &draft, &mut problems);
    contents(source, &draft, path.as_deref(), &mut problems);
    problems.sort_by_key(|problem| (problem.span.start, problem.severity));
    let errors = problems.iter().filter(|problem| problem.is_error()).count();
    let sound = errors == 0;
    let is_unnamed = errors == 1 && path.is_none() && !draft.start.has_text;
    Parsed {
        action: Some(ACTION.to_owned()),
        effect: Some(Effect::Write),
        fields: fields(&draft),
        problems,
        command: path.as_deref().filter(|_| sound).and_then(|path| command(&draft, path)),
        unnamed: is_unnamed.then(|| command(&draft, "").map(Box::new)).flatten(),
        leaves: path.clone(),
        path: path.as_deref().map(str::to_owned),
        path_above,
        ..Parsed::new(Role::Command, draft.eol)
    }
}

/// The path that the lines above name, with its place, else the one of the block before.
fn path(
    source: &Source<'_>,
    draft: &Draft<'_>,
    problems: &mut Vec<Problem>,
) -> Option<(Arc<str>, Option<PathAbove>)> {
    let after = draft.start.span.end..draft.lines[0].end;
    if draft.start.has_text && path_line::path_of_line(&draft.text[after]).is_some() {
        // On a line of its own it names the file.
        return None;
    }
    let (doubt, mentioned) = match around::named(source) {
        Named::Path(path, place) => return Some((path.into(), Some(place))),
        Named::Unsure(doubt, paths) => (Some(doubt), paths),
        Named::Nothing => match source.carried {
            Some(carried) => return Some((carried.clone(), None)),
            None => (None, Vec::new()),
        },
    };
    let blank = doubt.as_ref().and_then(with_blank);
    let says = format!(
        "{}; write its path alone on the line above this marker{}",
        unnamed(doubt.as_ref(), source.carried.is_some()),
        if blank.is_some() { ", between backticks if it has a blank" } else { "" }
    );
    let problem =
        Problem::new(problem::SEARCH_REPLACE_MISSING_PATH, draft.start.span.clone(), says);
    let carried = source.carried.map(|path| path.to_string());
    let mut paths: Vec<String> = mentioned.into_iter().take(3).collect();
    paths.extend(carried.filter(|path| !paths.contains(path)));
    let written = |path: &str| match path.contains(' ') {
        true => format!("`{path}`"),
        false => path.to_owned(),
    };
    paths.extend(blank);
    let choices = paths.into_iter().fold(problem, |problem, path| {
        let insert = Replacement::insert(0, format!("{}{}", written(&path), draft.eol));
        problem.choice(format!("Insert the path `{path}`"), vec![insert])
    });
    problems.push(choices);
    None
}

/// The path with a blank that a line may be as a whole.
fn with_blank(doubt: &Doubt) -> Option<String> {
    let Doubt::Line(line) = doubt else { return None };
    let path = path_line::path_of_line(&format!("`{line}`"))?;
    (path.contains(' ') && !line.contains('`')).then_some(path)
}

/// Why a block has no path, where one comes before it or none.
fn unnamed(doubt: Option<&Doubt>, comes_after: bool) -> String {
    match doubt {
        Some(Doubt::Line(line)) => {
            let line = excerpt(line, QUOTED);
            format!(
                "no line above is the path of this block for certain, and \"{line}\" may name it"
            )
        }
        Some(Doubt::Message(line)) if comes_after => {
            let line = excerpt(line, QUOTED);
            format!("no line names the file since another message begins with \"{line}\"")
        }
        Some(Doubt::Heading(line)) if comes_after => {
            let line = excerpt(line, QUOTED);
            format!("no line names the file since another part begins with \"{line}\"")
        }
        Some(Doubt::Far) if comes_after => {
            "no line above names the file, and the block before is too far away".to_owned()
        }
        _ => "no line above names the file".to_owned(),
    }
}

/// Says what is wrong with the markers.
fn markers(source: &Source<'_>, draft: &Draft<'_>, problems: &mut Vec<Problem>) {
    if let Some(problem) = margin::problem(draft.text, &draft.lines) {
        problems.push(problem);
    } else {
        let end = draft.end.as_ref().map(|(index, _)| *index);
        let inner = draft.dividers.iter().copied().chain(end);
        problems.extend(inner.filter_map(|index| indented(draft, index)));
    }
    if draft.start.has_text {
        problems.push(text_after(draft, 0, &draft.start));
    }
    if let Some((index, end)) = &draft.end {
        if end.signs != Some(draft.signs) {
            problems.push(mixed(draft, *index, end));
        }
        if end.has_text {
            problems.push(text_after(draft, *index, end));
        }
    } else if source.end != BlockEnd::TooLarge {
        problems.push(missing_end(source, draft));
    }
    if draft.dividers.is_empty() && (draft.end.is_some() || !draft.short_dividers.is_empty()) {
        problems.push(missing_divider(draft));
    }
    if draft.dividers.len() > SPLITS {
        let place = draft.lines[draft.dividers[1]].clone();
        let says = format!(
            "{} lines here may be the divider, and at most {SPLITS} are tried; \
             send smaller blocks",
            draft.dividers.len()
        );
        problems.push(Problem::new(problem::SEARCH_REPLACE_SEVERAL_SPLITS, place, says));
    }
}

/// The problem of a marker that is indented in a block that is not.
fn indented(draft: &Draft<'_>, index: usize) -> Option<Problem> {
    let length = margin::of(draft.line(index)).len();
    if length == 0 {
        return None;
    }
    let start = draft.lines[index].start;
    let says = "a marker begins at the start of its line";
    let remove = Replacement::remove(start..start + length);
    let place = draft.lines[index].clone();
    let problem = Problem::new(problem::SCAN_INDENTED, place, says);
    Some(problem.fix("Unindent the marker", vec![remove]))
}

fn text_after(draft: &Draft<'_>, index: usize, marker: &Marker) -> Problem {
    let line = &draft.lines[index];
    let start = line.start + marker.span.end;
    let after = &draft.text[start..line.end];
    let place = start + (after.len() - after.trim_start().len())..line.end;
    let word = marker.word.text(draft.signs);
    let says = format!("`{word}` must be alone on its line");
    let problem = Problem::new(problem::SEARCH_REPLACE_TEXT_ON_MARKER, place, says);
    let after = after.trim();
    let own = line.start + marker.span.start..line.start + marker.span.end;
    let marker_text = &draft.text[own];
    let text = match marker.word {
        Word::Start => format!("{after}{}{marker_text}", draft.eol),
        _ => format!("{marker_text}{}{after}", draft.eol),
    };
    let edit = Replacement::new(line.start + marker.span.start..line.end, text);
    problem.fix("Put the text on a line of its own", vec![edit])
}

fn mixed(draft: &Draft<'_>, index: usize, end: &Marker) -> Problem {
    let line = draft.lines[index].start;
    let place = line + end.span.start..line + end.span.end;
    let (first, last) = (draft.signs, Word::End.text(draft.signs));
    let says = format!("a block that begins with `{}` ends with `{last}`", Word::Start.text(first));
    Problem::new(problem::SEARCH_REPLACE_MIXED_MARKERS, place.clone(), says)
        .fix(format!("Make it `{last}`"), vec![Replacement::new(place, last)])
}

fn missing_divider(draft: &Draft<'_>) -> Problem {
    let texts = draft.span(draft.first(), draft.until());
    if let Some(near) = nearly(draft, &draft.text[texts.clone()], texts.start, Word::Divider) {
        return near;
    }
    let divider = Word::Divider.text(draft.signs);
    let says = format!("`{divider}` is missing between the text to find and the text to write");
    let problem = |place| Problem::new(problem::SEARCH_REPLACE_MISSING_DIVIDER, place, says);
    match draft.short_dividers[..] {
        [only] => {
            let line = draft.lines[only].clone();
            let edit = Replacement::new(line.clone(), divider);
            problem(line).fix(format!("Make line {} `{divider}`", only + 1), vec![edit])
        }
        _ => problem(draft.start.span.clone()),
    }
}

/// The problem of a block that nothing ends, with what may end it.
fn missing_end(source: &Source<'_>, draft: &Draft<'_>) -> Problem {
    let rest = unended::fence_end(source).map_or(source.beyond.len(), |span| span.start);
    if let Some(near) = nearly(draft, &source.beyond[..rest], source.text.len(), Word::End) {
        return near;
    }
    let end = Word::End.text(draft.signs);
    let says = format!("nothing ends this block: `{end}` is missing");
    let place = draft.start.span.clone();
    let problem = Problem::new(problem::SEARCH_REPLACE_MISSING_END, place, says);
    let [.., last] = draft.dividers[..] else { return problem };
    if draft.dividers.len() > 1 && source.beyond[..rest].trim().is_empty() {
        let says = format!("this divider is in the place of `{end}`");
        let line = draft.lines[last].clone();
        return Problem::new(problem::SEARCH_REPLACE_MISSING_END, line.clone(), says)
            .fix(format!("Make it `{end}`"), vec![Replacement::new(line, end)]);
    }
    let edit = unended::insert(source, end, draft.eol);
    problem.choice(format!("Insert `{end}` below"), vec![edit])
}

/// The problem of a line that is nearly a marker; spans count from the start of the line.
pub fn near(near: &Near, line: &str, eol: &str) -> Problem {
    let start = line.len() - line.trim_start().len();
    let place = start..line.trim_end().len().max(start);
    let marker = near.word.text(near.signs);
    let is_escaped = line.contains("&lt;") || line.contains("&gt;");
    let says = match is_escaped {
        true => format!(
            "this is `{marker}` as the source of a page has it; copy the answer with the chat's copy \
             button"
        ),
        false => format!("the marker must be exactly `{marker}`, alone on its line"),
    };
    let problem = Problem::new(problem::SEARCH_REPLACE_NEAR_MARKER, place, says);
    let text = match &*near.after {
        "" => marker.to_owned(),
        path => match path_line::path_of_line(path) {
            Some(path) => format!("{path}{eol}{marker}"),
            None => return problem,
        },
    };
    match is_escaped {
        true => problem,
        false => {
            let title = format!("Make the line exactly `{marker}`");
            problem.fix(title, vec![Replacement::new(0..line.len(), text)])
        }
    }
}

/// The problem of a start marker with a path before it on its line; spans count from the start of
/// the line.
pub fn path_before(line: &str) -> Option<Problem> {
    let at = line.find("<<<<<").filter(|at| *at > 0)?;
    let marker = marker::find(&line[at..]).filter(|it| it.word == Word::Start && !it.has_text)?;
    let path = path_line::path_of_line(&line[..at])?;
    let marker = &line[at..][marker.span];
    let says = format!("the marker must be exactly `{marker}`, alone on its line");
    let edit = Replacement::new(0..line.len(), format!("{path}\n{marker}"));
    let place = 0..line.trim_end().len();
    let problem = Problem::new(problem::SEARCH_REPLACE_NEAR_MARKER, place, says);
    Some(problem.fix(format!("Put `{path}` on a line of its own"), vec![edit]))
}

/// The problem of the first line of a text that is nearly this marker, the text beginning at `offset` of
/// the block.
fn nearly(draft: &Draft<'_>, text: &str, offset: usize, word: Word) -> Option<Problem> {
    let found = lines::each(text).find_map(|span| {
        let near = marker::near(&text[span.clone()]).filter(|near| near.word == word)?;
        Some((Near { signs: draft.signs, ..near }, span))
    });
    let (found, span) = found?;
    Some(near(&found, &text[span.clone()], draft.eol).shifted(offset + span.start))
}

/// The problem of a line that ends no block; the span is that of its marker.
pub fn unexpected_end(marker: Span) -> Problem {
    let says = "this line ends a block, and none is open: the line that begins it is missing";
    Problem::new(problem::SEARCH_REPLACE_UNEXPECTED_END, marker, says)
}

/// Says what is wrong with the text between the markers.
fn contents(
    source: &Source<'_>,
    draft: &Draft<'_>,
    path: Option<&str>,
    problems: &mut Vec<Problem>,
) {
    let Some(first) = draft.dividers.first().copied() else { return };
    if let Some(index) = draft.inner_end {
        let says = "the block may end with this line or with one below, so where the text to write ends \
                    is not certain; write each block with all its markers";
        let place = draft.lines[index].clone();
        problems.push(Problem::new(problem::SEARCH_REPLACE_UNEXPECTED_END, place, says));
        return;
    }
    let texts = Texts { draft, find: draft.first()..first, write: first + 1..draft.until(), path };
    let before = problems.len();
    problems.extend(texts.numbers());
    if draft.dividers.len() == 1 {
        problems.extend(texts.fences().or_else(|| texts.signs()));
    }
    if let Some(fence) = source.fence.filter(|_| problems.len() == before && draft.end.is_some()) {
        problems.extend(texts.closed_early(fence));
    }
    if draft.hints.count == 0 && draft.end.is_some() {
        let last = draft.dividers[draft.dividers.len() - 1];
        let alike = (last + 1..draft.until()).filter(|at| marker::is_alike(draft.line(*at)));
        problems.extend(alike.take(1).map(|index| {
            let place = draft.lines[index].clone();
            let says = "this line looks like a marker, so where the text to write ends is not \
                        certain; write the file as a whole, or without this line";
            Problem::new(problem::SEARCH_REPLACE_TEXT_ON_MARKER, place, says)
        }));
    }
}

fn fields(draft: &Draft<'_>) -> Vec<ParsedField> {
    let Some(divider) = draft.dividers.first().copied() else { return Vec::new() };
    let line = |index: usize| draft.lines[index].clone();
    let field = |name: &'static str, key, from, until| ParsedField {
        name: name.into(),
        role: FieldRole::of_name(name),
        op: None,
        key,
        value: draft.span(from, until),
        heredoc: true,
    };
    let key = 0..draft.start.span.end;
    let mut fields = vec![
        field("search", key, draft.first(), divider),
        field("replace", line(divider), divider + 1, draft.until()),
    ];
    fields.extend(draft.doubled().map(|index| ParsedField {
        role: Some(FieldRole::NewText),
        ..field("replace", line(index), index + 1, draft.until())
    }));
    fields
}

fn command(draft: &Draft<'_>, path: &str) -> Option<Command> {
    let reading = |divider: &usize| Reading {
        old: draft.content(draft.first(), *divider),
        new: draft.content(divider + 1, draft.until()),
    };
    let readings = draft.dividers.iter().map(reading).collect();
    let dividers = draft.dividers.iter().filter(|_| draft.dividers.len() > 1);
    let hunk = Hunk {
        line: draft.hints.line,
        dividers: dividers.map(|index| draft.line(*index).to_owned()).collect(),
        doubled: draft.doubled().map(|index| draft.line(index).to_owned()),
        elides: true,
        ..Hunk::new(readings, problem::SEARCH_REPLACE_EMPTY_SEARCH)
    };
    let missing = if hunk.finds_lines() { Missing::Refuse } else { Missing::Create };
    let edit = FileEdit::Hunks(vec![hunk]);
    let step = Step::Edit { path: path.to_owned(), edit, missing };
    Some(Command::one(spec::action("search-replace", ACTION)?, step, None, PathStyle::Either))
}

#[cfg(test)]
mod tests {
    use super::super::marker::Signs;
    use super::*;

    #[test]
    fn both_kinds_of_signs_have_all_markers() {
        for signs in [Signs::Brackets, Signs::Dashes] {
            for word in [Word::Start, Word::Divider, Word::End] {
                let found = marker::find(word.text(signs)).expect("a marker");
                assert_eq!(found.word, word);
                assert!(found.signs.is_none_or(|own| own == signs));
            }
        }
    }
}
