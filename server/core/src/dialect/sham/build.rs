//! From an action's name and its values to the operation that it asks for.

use serde_json::Value;

use super::values::Values;
use crate::command::{ContextChange, Numbered, Operation, Program, Wanted};
use crate::spec::{self, FieldType};
use crate::structure::{Arguments, Request, within};

/// The operation; `None` where a value that it needs is missing.
pub fn operation(action: &str, mut values: Values) -> Option<Operation> {
    let text = |values: &mut Values, name: &str| values.text(name);
    Some(match action {
        "file_write" => Operation::Write {
            path: text(&mut values, "path")?,
            content: text(&mut values, "content")?,
        },
        "file_append" => Operation::Append {
            path: text(&mut values, "path")?,
            content: text(&mut values, "content")?,
        },
        "file_replace_text" => return replace_text(values, Wanted::Once),
        "file_replace_all_text" => {
            let wanted = values.number("count").map_or(Wanted::Any, Wanted::Exactly);
            return replace_text(values, wanted);
        }
        "files_replace_all_text" => Operation::ReplaceTextInFiles {
            paths: values.paths()?,
            old: text(&mut values, "old_text")?,
            new: text(&mut values, "new_text")?,
        },
        "file_replace_text_range" => Operation::ReplaceTextRange {
            path: text(&mut values, "path")?,
            beginning: text(&mut values, "old_text_beginning")?,
            end: text(&mut values, "old_text_end")?,
            new: text(&mut values, "new_text")?,
        },
        "file_replace_lines" => Operation::ReplaceLines {
            path: text(&mut values, "path")?,
            lines: text(&mut values, "lines")?,
            content: text(&mut values, "new_content")?,
        },
        "file_comment_lines" | "file_uncomment_lines" => Operation::CommentLines {
            path: text(&mut values, "path")?,
            lines: text(&mut values, "lines")?,
            comment: action == "file_comment_lines",
        },
        "file_delete" => Operation::DeleteFile { path: text(&mut values, "path")? },
        "file_move" => Operation::MoveFile {
            path: text(&mut values, "old_path")?,
            path_to: text(&mut values, "new_path")?,
        },
        "file_read" => {
            let path = text(&mut values, "path")?;
            match within(&path) {
                (_, None) => Operation::Read { path },
                (path, Some(target)) => {
                    let path = path.to_owned();
                    let only_one = true;
                    let arguments = Arguments { path, target, only_one, ..Default::default() };
                    Operation::Structure(Request::new("read_structure", arguments)?)
                }
            }
        }
        "file_read_numbered" => Operation::ReadNumbered {
            path: text(&mut values, "path")?,
            numbered: numbered(&mut values),
        },
        "files_read" => Operation::ReadFiles { paths: values.paths()?, numbered: None },
        "files_read_numbered" => {
            let paths = values.paths()?;
            Operation::ReadFiles { paths, numbered: Some(numbered(&mut values)) }
        }
        "dir_create" => Operation::CreateDirectory { path: text(&mut values, "path")? },
        "dir_delete" => Operation::DeleteDirectory { path: text(&mut values, "path")? },
        "ls" => Operation::Entries { path: text(&mut values, "path")? },
        "grep" => Operation::Grep {
            pattern: text(&mut values, "pattern")?,
            path: text(&mut values, "path")?,
            include: values.glob("include"),
        },
        "glob" => Operation::Glob {
            pattern: values.glob("pattern")?,
            path: text(&mut values, "base_path")?,
        },
        "exec" => Operation::Exec(Program {
            code: text(&mut values, "code")?,
            language: text(&mut values, "lang")?,
            version: text(&mut values, "version").filter(|version| !version.is_empty()),
            directory: text(&mut values, "cwd"),
            returns_output: values.flag("return_output").unwrap_or(true),
        }),
        "context_add" => Operation::Context(ContextChange::Add(text(&mut values, "path")?)),
        "context_remove" => Operation::Context(ContextChange::Remove(text(&mut values, "path")?)),
        "context_list" => Operation::Context(ContextChange::List),
        "context_prune" => Operation::Context(ContextChange::Prune),
        "context_clear" => Operation::Context(ContextChange::Clear),
        _ => return structure(action, values).map(Operation::Structure),
    })
}

fn numbered(values: &mut Values) -> Numbered {
    Numbered {
        lines: values.text("lines").filter(|lines| !lines.is_empty()),
        delimiter: values.text("delimiter").unwrap_or_else(|| ": ".to_owned()),
    }
}

fn replace_text(mut values: Values, wanted: Wanted) -> Option<Operation> {
    let (path, old, new) =
        (values.text("path")?, values.text("old_text")?, values.text("new_text")?);
    let (path, target) = within(&path);
    let path = path.to_owned();
    let Some(target) = target else {
        return Some(Operation::ReplaceText { path, old, new, wanted });
    };
    let (name, expected_count) = match wanted {
        Wanted::Once => ("replace_text_in_structure", None),
        Wanted::Any => ("replace_all_text_in_structure", None),
        Wanted::Exactly(count) => ("replace_all_text_in_structure", Some(count)),
    };
    let (old_text, new_text) = (old, new);
    let arguments =
        Arguments { path, target, old_text, new_text, expected_count, ..Default::default() };
    Request::new(name, arguments).map(Operation::Structure)
}

fn structure(action: &str, mut values: Values) -> Option<Request> {
    Request::of_action(spec::action("sham", action)?, |field| match field.kind {
        FieldType::Integer => values.number(&field.name).map(Value::from),
        _ => values.text(&field.name).map(Value::from),
    })
}
