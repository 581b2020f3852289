//! From a block's text to its path, its problems and its command.

use std::sync::Arc;

use super::draft::{self, Draft, Part};
use super::marker::{self, Word};
use crate::command::{Command, FileEdit, Missing, Step, WriteMode};
use crate::dialect::{BlockEnd, Parsed, ParsedField, Role, Source, begins_block};
use crate::problem::{self, Problem, Replacement};
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect, FieldRole};
use crate::text::fence::Fences;
use crate::text::work;
use crate::text::{Span, lines};

const REPLACE: &str = "replacer.replace";
const OVERWRITE: &str = "replacer.overwrite";
/// The longest path, in bytes: as many blocks may have it as follow one another.
const LONGEST_PATH: usize = 4096;

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let mut draft = Draft::new(source);
    let path = path(&mut draft);
    sections(&mut draft);
    let mut problems = std::mem::take(&mut draft.problems);
    problems.sort_by_key(|problem| (problem.span.start, problem.severity));
    let sound = !problems.iter().any(Problem::is_error);
    let action = draft.sections.first().map(|(word, _)| match word {
        Word::Overwrite => OVERWRITE,
        _ => REPLACE,
    });
    let begins = draft.file.is_some() || draft.explanation.is_some();
    Parsed {
        action: action.map(str::to_owned),
        effect: action.map(|_| Effect::Write),
        fields: fields(&draft),
        problems,
        command: path.as_deref().filter(|_| sound).and_then(|path| command(&draft, path)),
        leaves: if begins { path.clone() } else { source.carried.cloned() },
        path: path.as_deref().map(str::to_owned),
        ..Parsed::new(Role::Command, draft.eol)
    }
}

/// The path of the block's own FILE, or the one that the block before leaves to a SEARCH.
fn path(draft: &mut Draft<'_>) -> Option<Arc<str>> {
    let first = draft.sections.first().map(|(word, _)| *word);
    let alone = draft.file.is_none() && draft.explanation.is_none();
    if alone && first != Some(Word::Overwrite) && draft.source.carried.is_some() {
        return draft.source.carried.cloned();
    }
    let Some(file) = &draft.file else {
        // A REPLACE that comes first has a problem of its own.
        if !(alone && first == Some(Word::Replace)) {
            let says = match first {
                Some(Word::Search) => {
                    "<<<FILE>>> and the path are missing; only a pair right \
                     after another of the same file needs none"
                }
                _ => "<<<FILE>>> and the path are missing",
            };
            let place = draft.first.clone();
            draft.problems.push(Problem::new(problem::REPLACER_MISSING_FILE, place, says));
        }
        return None;
    };
    let written = &draft.source.text[file.value.clone()];
    if written.is_empty() {
        let says = "the path is missing; write it alone on the line below";
        let problem = Problem::new(problem::REPLACER_MISSING_FILE, file.marker.clone(), says);
        draft.problems.push(problem);
        return None;
    }
    if written.len() > LONGEST_PATH {
        let says = format!(
            "this path has {} bytes, and no path has more than {LONGEST_PATH}",
            written.len()
        );
        let place = file.marker.clone();
        draft.problems.push(Problem::new(problem::REPLACER_MISSING_FILE, place, says));
        return None;
    }
    let plain = plain_path(written);
    if plain != written {
        let says = format!("write the path without markup or quotes: `{plain}`");
        let place = file.value.clone();
        let edit = Replacement::new(place.clone(), plain);
        let problem = Problem::new(problem::REPLACER_PATH_NOT_PLAIN, place, says);
        draft.problems.push(problem.fix(format!("Make it {plain}"), vec![edit]));
    }
    Some(plain.into())
}

/// A path without what models put around names.
fn plain_path(written: &str) -> &str {
    const AROUND: [(&str, &str); 6] =
        [("**", "**"), ("`", "`"), ("\"", "\""), ("'", "'"), ("“", "”"), ("<", ">")];
    let mut path = written.strip_prefix("- ").unwrap_or(written).trim();
    path = path.strip_suffix(':').filter(|path| !path.is_empty()).unwrap_or(path);
    while let Some(inner) = AROUND
        .iter()
        .find_map(|(open, close)| path.strip_prefix(open)?.strip_suffix(close))
        .filter(|inner| !inner.trim().is_empty())
    {
        path = inner.trim();
    }
    path
}

/// Says what is wrong with the sections.
fn sections(draft: &mut Draft<'_>) {
    let open = draft.end.is_none() && draft.source.end != BlockEnd::TooLarge;
    let Some((first, part)) = draft.sections.first().cloned() else {
        // What was meant for the text between the path and a section is prose then.
        draft.problems.retain(|it| it.code != problem::REPLACER_UNEXPECTED_TEXT);
        if draft.file.as_ref().is_some_and(|file| !file.value.is_empty()) {
            let says = "neither <<<SEARCH>>> nor <<<OVERWRITE>>> says what is to be done with the \
                        file";
            let place = draft.first.clone();
            draft.problems.push(Problem::new(problem::REPLACER_MISSING_SECTION, place, says));
        }
        return;
    };
    let (last, last_part) = draft.sections.last().cloned().unwrap_or((first, part.clone()));
    match (first, draft.section(Word::Replace)) {
        (Word::Replace, _) => {
            let says = "unexpected <<<REPLACE>>>: no SEARCH \
                        is open here";
            let problem =
                Problem::new(problem::REPLACER_UNEXPECTED_MARKER, part.marker.clone(), says);
            draft.problems.push(problem);
        }
        (Word::Search, Some(replace)) => search(draft, &part, &replace.clone()),
        (Word::Search, None) if !open => {
            let says = "<<<REPLACE>>> and the new text are missing after this SEARCH";
            let place = part.marker.clone();
            draft.problems.push(Problem::new(problem::REPLACER_MISSING_SECTION, place, says));
        }
        _ => {}
    }
    match draft.source.end {
        BlockEnd::Nested => runs_on(draft, last, &last_part),
        _ if open => unended(draft, last, &last_part),
        _ => {}
    }
}

fn search(draft: &mut Draft<'_>, search: &Part, replace: &Part) {
    let content = &draft.source.text[search.value.clone()];
    if content.is_empty() {
        let says = "SEARCH is empty";
        let place = search.marker.clone();
        let edit = Replacement::new(search.key.start..replace.marker.end, Word::Overwrite.as_str());
        let problem = Problem::new(problem::REPLACER_EMPTY_SEARCH, place, says);
        draft.problems.push(problem.choice("Make the new text the whole file", vec![edit]));
    }
}

/// Says of a section that it runs on into the next block.
fn runs_on(draft: &mut Draft<'_>, word: Word, part: &Part) {
    let place = part.marker.clone();
    if word == Word::Search {
        let says = "this SEARCH runs into the next block: <<<REPLACE>>>, the new text and \
                    <<<END>>> are missing";
        draft.problems.push(Problem::new(problem::REPLACER_MISSING_SECTION, place, says));
        return;
    }
    let says = format!("{} runs into the next block: its <<<END>>> is missing", word.as_str());
    let problem = Problem::new(problem::REPLACER_MISSING_END, place, says);
    let found = match draft.source.inside {
        true => draft::next_marker(draft.source.beyond),
        false => draft::another_block(draft.source.beyond),
    };
    draft.problems.push(match found.map(|at| draft.source.text.len() + at) {
        Some(at) => {
            let insert = Replacement::insert(at, format!("{}{}", Word::End.as_str(), draft.eol));
            problem.fix("Insert <<<END>>> before the next block", vec![insert])
        }
        None => problem,
    });
}

/// Says of a section that nothing ends it.
fn unended(draft: &mut Draft<'_>, word: Word, part: &Part) {
    let says = format!("nothing ends this {}: the line <<<END>>> is missing", word.as_str());
    let problem = Problem::new(problem::REPLACER_MISSING_END, part.marker.clone(), says);
    if word == Word::Search {
        let says = "nothing ends this <<<SEARCH>>>: <<<REPLACE>>>, the new text and <<<END>>> are \
                    missing";
        draft.problems.push(Problem { message: says.to_owned(), ..problem });
        return;
    }
    let (at, is_at_end) = end_of_raw(draft.source);
    let (end, eol) = (Word::End.as_str(), draft.eol);
    let edit = match is_at_end {
        true => Replacement::insert(at, format!("{eol}{end}")),
        false => Replacement::insert(at, format!("{end}{eol}")),
    };
    let title = match is_at_end {
        true => "Insert <<<END>>> at the end",
        false => "Insert <<<END>>> here below",
    };
    draft.problems.push(problem.choice(title, vec![edit]));
}

/// Where a missing end marker belongs: before the next block or closing fence; else at the end,
/// and then true.
fn end_of_raw(source: &Source<'_>) -> (usize, bool) {
    let (beyond, origin) = (source.beyond, source.text.len());
    let mut fences = Fences::default();
    let mut begins = |span: &Span, after: Option<&Span>| {
        let line = &beyond[span.clone()];
        let after = after.map_or("", |after| &beyond[after.clone()]);
        let next = marker::find(line).is_some_and(|marked| {
            marked.likeness == marker::Likeness::Exact
                && matches!(marked.word, Word::Explanation | Word::File)
        });
        let fence = fences.is_outer_end(line);
        // A marker of this dialect may belong to the section.
        let own = marker::find(line).is_some();
        next || fence || source.inside && own || !own && begins_block(line, after)
    };
    let mut lines = lines::each(beyond).inspect(|span| work::add(span.len() + 1)).peekable();
    lines.next();
    let mut found = None;
    while let Some(span) = lines.next() {
        if begins(&span, lines.peek()) {
            found = Some(span);
            break;
        }
    }
    match found {
        Some(span) => (origin + span.start, false),
        None => (origin + lines::trim_ending(beyond).len(), true),
    }
}

fn fields(draft: &Draft<'_>) -> Vec<ParsedField> {
    let field = |name: &'static str, part: &Part, heredoc| ParsedField {
        name: name.into(),
        role: FieldRole::of_name(name),
        op: None,
        key: part.key.clone(),
        value: part.value.clone(),
        heredoc,
    };
    let mut fields = Vec::with_capacity(4);
    fields.extend(draft.explanation.iter().map(|part| field("explanation", part, true)));
    // A FILE without a path stands for it.
    fields.extend(draft.file.iter().map(|part| field("path", part, part.value.is_empty())));
    fields.extend(draft.sections.iter().map(|(word, part)| {
        let name = match word {
            Word::Search => "search",
            Word::Replace => "replace",
            _ => "content",
        };
        field(name, part, true)
    }));
    fields
}

fn command(draft: &Draft<'_>, path: &str) -> Option<Command> {
    let text = |word, end| draft.section(word).map(|part| draft.says(part, end));
    let path = path.to_owned();
    let (name, step) = match text(Word::Overwrite, "\n") {
        Some(content) => (OVERWRITE, Step::Write { path, content, mode: WriteMode::Replace }),
        None => {
            let (search, replace) = (text(Word::Search, "")?, text(Word::Replace, "")?);
            let edit = FileEdit::SearchReplace { search, replace };
            (REPLACE, Step::Edit { path, edit, missing: Missing::FindByEnd })
        }
    };
    let action = spec::action("replacer", name)?;
    Some(Command::one(action, step, None, PathStyle::Named))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_what_stands_around_it() {
        for written in ["`a b`", "**`a b`**:", "- a b", "\"a b\"", "“a b”", "<a b>", "a b"] {
            assert_eq!(plain_path(written), "a b", "{written}");
        }
        for written in ["``", ":", "-", "a`b", "'"] {
            assert_eq!(plain_path(written), written);
        }
    }
}
