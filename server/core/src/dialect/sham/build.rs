//! From an action's name and its values to the steps that it asks for.

use serde_json::Value;

use super::values::Values;
use crate::command::{
    ContextChange, FileEdit, Missing, Only, Program, ReadLines, SearchFor, Step, Wanted, WriteMode,
};
use crate::spec::{self, FieldType};
use crate::structure::{Arguments, Request, within};

/// The steps, and whether they are one for each file of a list; `None` where a value that they
/// need is missing.
pub fn steps(action: &str, mut values: Values) -> Option<(Vec<Step>, bool)> {
    if action.starts_with("files_") {
        let paths = values.paths()?;
        let step = step_on_each(action, values)?;
        return Some((paths.into_iter().map(step).collect(), true));
    }
    Some((vec![step(action, values)?], false))
}

/// The step of an action on a list of files, for each of the files.
fn step_on_each(action: &str, mut values: Values) -> Option<Box<dyn FnMut(String) -> Step>> {
    Some(match action {
        "files_replace_all_text" => {
            let (old, new) = (values.text("old_text")?, values.text("new_text")?);
            let edit = FileEdit::Replace { old, new, wanted: Wanted::Any };
            Box::new(move |path| edited(path, edit.clone()))
        }
        "files_read" => {
            Box::new(|path| Step::Read { path, lines: ReadLines::All, delimiter: None })
        }
        "files_read_numbered" => {
            let (lines, delimiter) = numbered(&mut values, true);
            Box::new(move |path| {
                let (lines, delimiter) = (lines.clone(), Some(delimiter.clone()));
                Step::Read { path, lines, delimiter }
            })
        }
        _ => return None,
    })
}

fn step(action: &str, mut values: Values) -> Option<Step> {
    let text = |values: &mut Values, name: &str| values.text(name);
    Some(match action {
        "file_write" | "file_append" => Step::Write {
            path: text(&mut values, "path")?,
            content: text(&mut values, "content")?,
            mode: if action == "file_write" { WriteMode::Replace } else { WriteMode::Append },
        },
        "file_replace_text" => return replace_text(values, Wanted::Once),
        "file_replace_all_text" => {
            let wanted = values.number("count").map_or(Wanted::Any, Wanted::Exactly);
            return replace_text(values, wanted);
        }
        "file_replace_text_range" => {
            let beginning = text(&mut values, "old_text_beginning")?;
            let (end, new) = (text(&mut values, "old_text_end")?, text(&mut values, "new_text")?);
            edited(text(&mut values, "path")?, FileEdit::ReplaceRange { beginning, end, new })
        }
        "file_replace_lines" => {
            let lines = text(&mut values, "lines")?;
            let content = text(&mut values, "new_content")?;
            edited(text(&mut values, "path")?, FileEdit::ReplaceLines { lines, content })
        }
        "file_comment_lines" | "file_uncomment_lines" => {
            let (lines, comment) = (text(&mut values, "lines")?, action == "file_comment_lines");
            edited(text(&mut values, "path")?, FileEdit::CommentLines { lines, comment })
        }
        "file_delete" => Step::Delete { path: text(&mut values, "path")?, only: Only::File },
        "file_move" => Step::Move {
            path: text(&mut values, "old_path")?,
            path_to: text(&mut values, "new_path")?,
            overwrite: true,
        },
        "file_read" => {
            let path = text(&mut values, "path")?;
            match within(&path) {
                (_, None) => Step::Read { path, lines: ReadLines::All, delimiter: None },
                (path, Some(target)) => {
                    let path = path.to_owned();
                    let only_one = true;
                    let arguments = Arguments { path, target, only_one, ..Default::default() };
                    Request::new("read_structure", arguments)?.into()
                }
            }
        }
        "file_read_numbered" => {
            let (lines, delimiter) = numbered(&mut values, false);
            Step::Read { path: text(&mut values, "path")?, lines, delimiter: Some(delimiter) }
        }
        "dir_create" => Step::MakeDirectory { path: text(&mut values, "path")? },
        "dir_delete" => {
            Step::Delete { path: text(&mut values, "path")?, only: Only::EmptyDirectory }
        }
        "ls" => Step::List { path: text(&mut values, "path")?, with_details: true },
        "grep" => {
            let query = text(&mut values, "pattern")?;
            let what = SearchFor::Text { query, include: values.glob("include") };
            Step::Search { path: text(&mut values, "path")?, what, in_tree: true }
        }
        "glob" => {
            let what = SearchFor::Files(values.glob("pattern")?);
            Step::Search { path: text(&mut values, "base_path")?, what, in_tree: true }
        }
        "exec" => Step::Exec(Program {
            code: text(&mut values, "code")?,
            language: text(&mut values, "lang")?,
            version: text(&mut values, "version").filter(|version| !version.is_empty()),
            directory: text(&mut values, "cwd"),
            returns_output: values.flag("return_output").unwrap_or(true),
        }),
        "context_add" => Step::Context(ContextChange::Add(text(&mut values, "path")?)),
        "context_remove" => Step::Context(ContextChange::Remove(text(&mut values, "path")?)),
        "context_list" => Step::Context(ContextChange::List),
        "context_prune" => Step::Context(ContextChange::Prune),
        "context_clear" => Step::Context(ContextChange::Clear),
        _ => return structure(action, values).map(Step::from),
    })
}

fn edited(path: String, edit: FileEdit) -> Step {
    Step::Edit { path, edit, missing: Missing::Refuse }
}

/// Which lines are read, and what is between a number and its line.
fn numbered(values: &mut Values, clip: bool) -> (ReadLines, String) {
    let lines = values.text("lines").filter(|lines| !lines.is_empty());
    let lines = lines.map_or(ReadLines::All, |lines| ReadLines::Named { lines, clip });
    (lines, values.text("delimiter").unwrap_or_else(|| ": ".to_owned()))
}

fn replace_text(mut values: Values, wanted: Wanted) -> Option<Step> {
    let (path, old, new) =
        (values.text("path")?, values.text("old_text")?, values.text("new_text")?);
    let (path, target) = within(&path);
    let path = path.to_owned();
    let Some(target) = target else {
        return Some(edited(path, FileEdit::Replace { old, new, wanted }));
    };
    let (name, expected_count) = match wanted {
        Wanted::Once => ("replace_text_in_structure", None),
        Wanted::Any => ("replace_all_text_in_structure", None),
        Wanted::Exactly(count) => ("replace_all_text_in_structure", Some(count)),
    };
    let arguments = Arguments {
        path,
        target,
        old_text: old,
        new_text: new,
        expected_count,
        may_be_absent: wanted != Wanted::Once,
        ..Default::default()
    };
    Request::new(name, arguments).map(Step::from)
}

fn structure(action: &str, mut values: Values) -> Option<Request> {
    Request::of_action(spec::action("sham", action)?, |field| match field.kind {
        FieldType::Integer => values.number(&field.name).map(Value::from),
        _ => values.text(&field.name).map(Value::from),
    })
}
