//! The error strings of results, letter for letter as the protocol has them.

use serde_json::{Map, Value};

use crate::command::{Command, FileEdit, Only, ReadLines, Step};
use crate::structure::ErrorCode;

/// What a command's failure is called in its result.
///
/// What the protocol has no words for is said in the problem's own.
pub fn error(command: &Command, code: &str, message: &str, details: &Map<String, Value>) -> String {
    let (step, action) = (command.steps.first(), &command.name);
    let failed = details.get("results").and_then(Value::as_array).into_iter().flatten();
    let failed = failed.filter_map(|result| result["error"]["path"].as_str()).next();
    let path = failed.or(command.path()).unwrap_or_default();
    let searched = details.get("parameter").and_then(Value::as_str).unwrap_or("old_text");
    let number = |key: &str| details.get(key).and_then(Value::as_u64).unwrap_or(0);
    if let Some(text) = system(step, action, path, code) {
        return text;
    }
    if command.action.structure.is_some() {
        return format!("{}: {message}", structure_code(code));
    }
    match (code, step) {
        ("plan/text-empty", _) => {
            format!("{action}: {} cannot be empty", searched)
        }
        ("plan/text-not-found", _) => {
            format!("{action}: {} not found in file", searched)
        }
        ("plan/text-ambiguous", _) => format!(
            "{action}: {} appears {} times, must appear exactly once",
            searched,
            number("matches").max(number("occurrences"))
        ),
        (
            "plan/count-mismatch",
            Some(Step::Edit { edit: FileEdit::Replace { .. }, .. } | Step::Structure(_)),
        ) => {
            format!(
                "{action}: expected {} occurrences but found {}",
                number("expected"),
                number("matches").max(number("found"))
            )
        }
        ("plan/invalid-lines", _) => format!("{action}: {message}"),
        (
            "plan/range-out-of-bounds",
            Some(Step::Read { lines: ReadLines::Named { lines, .. }, .. }),
        ) => {
            format!("{action}: Requested lines {lines} but file only has {} lines", number("lines"))
        }
        (
            "plan/range-out-of-bounds",
            Some(Step::Edit {
                edit: FileEdit::ReplaceLines { lines, .. } | FileEdit::CommentLines { lines, .. },
                ..
            }),
        ) => format!(
            "{action}: Line range {lines} is out of bounds (file has {} lines)",
            number("lines")
        ),
        ("plan/no-paths", _) => format!("{action}: No paths provided"),
        ("plan/files-unreadable", _) => unreadable(action, details),
        (code, Some(Step::Structure(_))) => format!("{}: {message}", structure_code(code)),
        _ => message.to_owned(),
    }
}

/// The code as operations on structures have it; a problem that they do not have goes by its own
/// name.
fn structure_code(code: &str) -> String {
    let own = || code.rsplit('/').next().unwrap_or(code).to_uppercase().replace('-', "_");
    ErrorCode::of_problem(code).map_or_else(own, |code| code.as_str().to_owned())
}

/// The errors of the system, as the protocol's runtime words them.
fn system(step: Option<&Step>, action: &str, path: &str, code: &str) -> Option<String> {
    let (name, says) = errno(code)?;
    Some(match step {
        Some(Step::Structure(_)) => return None,
        Some(Step::Move { .. }) if name == "ENOENT" => {
            format!("{action}: Source file not found '{path}' (ENOENT)")
        }
        Some(Step::Move { path_to, .. }) => {
            format!("{name}: {says}, rename '{path}' -> '{path_to}'")
        }
        _ => format!("{name}: {says}, {} '{path}'", call(step)),
    })
}

/// The system's name for what keeps a file from being used, and its words.
fn errno(code: &str) -> Option<(&'static str, &'static str)> {
    Some(match code {
        "plan/file-not-found" => ("ENOENT", "no such file or directory"),
        "plan/file-exists" => ("EEXIST", "file already exists"),
        "plan/permission-denied" => ("EACCES", "permission denied"),
        "plan/not-a-file" => ("EISDIR", "illegal operation on a directory"),
        "plan/not-a-directory" => ("ENOTDIR", "not a directory"),
        "plan/directory-not-empty" => ("ENOTEMPTY", "directory not empty"),
        _ => return None,
    })
}

/// The system's call that a step begins with.
fn call(step: Option<&Step>) -> &'static str {
    match step {
        Some(Step::Delete { only: Only::EmptyDirectory, .. }) => "rmdir",
        Some(Step::Delete { .. }) => "unlink",
        Some(Step::MakeDirectory { .. }) => "mkdir",
        Some(Step::List { .. }) => "scandir",
        Some(Step::Search { .. } | Step::Context(_)) => "stat",
        Some(Step::Exec(_)) => "chdir",
        _ => "open",
    }
}

fn unreadable(action: &str, details: &Map<String, Value>) -> String {
    let failed = details.get("failed").and_then(Value::as_array);
    let failed = failed.map(Vec::as_slice).unwrap_or_default();
    let line = |one: &Value| {
        let text = |key: &str| one[key].as_str().unwrap_or_default();
        let path = text("path");
        format!("  {path}: {}", opened(path, text("code"), text("message")))
    };
    let lines: Vec<String> = failed.iter().map(line).collect();
    format!("{action}: Failed to read {} file(s):\n{}", failed.len(), lines.join("\n"))
}

/// Why a file cannot be opened.
pub fn opened(path: &str, code: &str, message: &str) -> String {
    match errno(code) {
        Some((name, says)) => format!("{name}: {says}, open '{path}'"),
        None => message.to_owned(),
    }
}
