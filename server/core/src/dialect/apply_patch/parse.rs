//! From a patch to its problems and its command: the steps for each file.

use super::draft::{Chunk, Draft, File};
use super::line::Action;
use crate::command::hunks::Hunk;
use crate::command::{Command, FileEdit, Missing, Only, Step, WriteMode};
use crate::dialect::{BlockEnd, Parsed, ParsedField, Role, Source, margin, unended};
use crate::problem::{self, Problem};
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect, FieldRole};
use crate::text::lines;

const ACTION: &str = "apply-patch.patch";

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let mut draft = Draft::new(source);
    let mut problems = std::mem::take(&mut draft.problems);
    if let Some(problem) = margin::problem(draft.text, &draft.lines) {
        problems = vec![problem];
    } else {
        if !draft.has_end && source.end != BlockEnd::TooLarge {
            problems.push(missing_end(source, &draft));
        }
        let chunks = draft.files.iter().flat_map(|file| &file.chunks);
        problems.extend(
            chunks.filter(|chunk| !chunk.lines.is_changed).map(|chunk| unchanged(&draft, chunk)),
        );
    }
    problems.sort_by_key(|problem| (problem.span.start, problem.severity));
    let sound = !problems.iter().any(Problem::is_error);
    let first = draft.files.first().map(|file| draft.text[file.path.clone()].to_owned());
    Parsed {
        action: Some(ACTION.to_owned()),
        path: first,
        effect: Some(Effect::Write),
        fields: fields(&draft),
        problems,
        command: if sound { command(&draft) } else { None },
        ..Parsed::new(Role::Command, draft.eol)
    }
}

fn missing_end(source: &Source<'_>, draft: &Draft<'_>) -> Problem {
    const END: &str = "*** End Patch";
    let says = format!("nothing ends this patch: `{END}` is missing");
    let edit = unended::insert(source, END, draft.eol);
    let place = draft.lines.first().cloned().unwrap_or(0..0);
    Problem::new(problem::APPLY_PATCH_MISSING_END, place, says)
        .choice(format!("Insert `{END}` below"), vec![edit])
}

fn unchanged(draft: &Draft<'_>, chunk: &Chunk<'_>) -> Problem {
    let place = draft.lines[chunk.first].clone();
    let says = "no line of this chunk begins with `-` or `+`, so it changes nothing";
    Problem::new(problem::APPLY_PATCH_EMPTY_CHUNK, place, says)
}

fn fields(draft: &Draft<'_>) -> Vec<ParsedField> {
    let field = |name: &'static str, role, op, key: &_, value: &_, heredoc| ParsedField {
        name: name.into(),
        role: Some(role),
        op: Some(op),
        key: std::ops::Range::clone(key),
        value: std::ops::Range::clone(value),
        heredoc,
    };
    let mut fields = Vec::new();
    for (op, file) in ops(draft) {
        fields.push(field("path", FieldRole::Path, op, &file.key, &file.path, false));
        if let Some((key, value)) = &file.move_to {
            let op = op + steps_of(file) - 1;
            fields.push(field("move_to", FieldRole::DestPath, op, key, value, false));
        }
        let line = |index: usize| draft.lines[index].clone();
        for chunk in file.chunks.iter().take(1) {
            let key = line(chunk.first);
            fields.push(field("chunk", FieldRole::Search, op, &key, &key, true));
        }
    }
    fields
}

/// The files, each with the index of its first step.
fn ops<'d, 'a>(draft: &'d Draft<'a>) -> impl Iterator<Item = (usize, &'d File<'a>)> {
    draft.files.iter().scan(0, |next, file| {
        let op = *next;
        *next += steps_of(file);
        Some((op, file))
    })
}

fn steps_of(file: &File<'_>) -> usize {
    let edits = file.chunks.iter().any(|chunk| chunk.lines.is_changed);
    match file.action {
        Action::Update => usize::from(edits) + usize::from(file.move_to.is_some()),
        Action::Add | Action::Delete => 1,
    }
}

fn command(draft: &Draft<'_>) -> Option<Command> {
    let steps: Vec<Step> = draft.files.iter().flat_map(|file| steps(draft, file)).collect();
    let steps = if steps.is_empty() {
        vec![Step::Nothing { reason: "the patch changes nothing" }]
    } else {
        steps
    };
    Some(Command {
        action: spec::action("apply-patch", ACTION)?,
        name: ACTION.to_owned(),
        steps,
        is_list: false,
        bases: Vec::new(),
        paths: PathStyle::Either,
    })
}

/// What is done with one file, in order.
fn steps(draft: &Draft<'_>, file: &File<'_>) -> Vec<Step> {
    let path = draft.text[file.path.clone()].to_owned();
    match file.action {
        Action::Add => {
            let content = lines::terminated(file.added.iter().copied());
            vec![Step::Write { path, content, mode: WriteMode::Create }]
        }
        Action::Delete => vec![Step::Delete { path, only: Only::File }],
        Action::Update => {
            let hunks: Vec<Hunk> =
                file.chunks.iter().filter(|chunk| chunk.lines.is_changed).map(hunk).collect();
            let edit = (!hunks.is_empty()).then(|| Step::Edit {
                path: path.clone(),
                edit: FileEdit::Hunks(hunks),
                missing: Missing::Refuse,
            });
            let moved = file.move_to.as_ref().map(|(_, to)| Step::Move {
                path,
                path_to: draft.text[to.clone()].to_owned(),
                overwrite: false,
            });
            edit.into_iter().chain(moved).collect()
        }
    }
}

fn hunk(chunk: &Chunk<'_>) -> Hunk {
    Hunk {
        line: chunk.line,
        stated: chunk.line,
        anchors: chunk.anchors.iter().map(|anchor| (*anchor).to_owned()).collect(),
        at_end: chunk.at_end,
        no_anchor: problem::APPLY_PATCH_ANCHOR_NOT_FOUND,
        no_choice: problem::APPLY_PATCH_ANCHOR_AMBIGUOUS,
        ..Hunk::new(chunk.lines.readings(), problem::APPLY_PATCH_NO_PLACE)
    }
}
