//! From the JSON of `fs.applyEdits` to edits, each mistake named.

use std::num::NonZeroUsize;

use serde_json::Value;

use super::{EditsError, TextEdit};
use crate::json::{At, Mismatch, MismatchKind, Unique, describe};
use crate::text::nearest::nearest;

const OPS: [&str; 5] =
    ["insertAfter", "insertBefore", "replaceFirst", "replaceAll", "replaceRange"];

/// The edits that a text asks for.
///
/// # Errors
/// The first thing that is not as the protocol has it. A list without edits is a mistake, too: it
/// asks for nothing.
pub fn parse(json: &str) -> Result<Vec<TextEdit>, EditsError> {
    let Unique(root) = serde_json::from_str(json).map_err(|error| syntax(json, &error))?;
    let edits = envelope(&At::root(&root)).map_err(EditsError::of_payload)?;
    let edit = |(index, edit)| one(&edit).map_err(|wrong| EditsError::of_edit(index, &wrong));
    edits.into_iter().enumerate().map(edit).collect()
}

/// What is wrong with one edit.
struct Wrong {
    message: String,
    occurrence: bool,
}

impl From<String> for Wrong {
    fn from(message: String) -> Wrong {
        Wrong { message, occurrence: false }
    }
}

impl From<Mismatch<'_>> for Wrong {
    fn from(mismatch: Mismatch<'_>) -> Wrong {
        Wrong::from(says(&mismatch))
    }
}

impl EditsError {
    fn of_payload(message: String) -> EditsError {
        EditsError { message, line: None, column: None, edit: None, occurrence: false }
    }

    fn of_edit(index: usize, wrong: &Wrong) -> EditsError {
        EditsError {
            edit: Some(index),
            occurrence: wrong.occurrence,
            ..EditsError::of_payload(format!("edits[{index}]: {}", wrong.message))
        }
    }
}

fn syntax(json: &str, error: &serde_json::Error) -> EditsError {
    let (line, bytes) = (error.line(), error.column());
    let text = error.to_string();
    let what = text.strip_suffix(&format!(" at line {line} column {bytes}")).unwrap_or(&text);
    let line_text = json.split('\n').nth(line.saturating_sub(1)).unwrap_or_default();
    let before = line_text.char_indices().take_while(|(at, _)| *at < bytes);
    let column = before.count().max(1);
    EditsError {
        message: format!(
            "not valid JSON at decoded line {line}, column {column}: {what}; around it: `{}`",
            around(line_text, column)
        ),
        line: Some(line),
        column: Some(column),
        edit: None,
        occurrence: false,
    }
}

/// The characters around a 1-based column of a line.
fn around(line: &str, column: usize) -> String {
    const EACH_SIDE: usize = 20;
    let first = column.saturating_sub(EACH_SIDE + 1);
    let count = line.chars().count();
    let shown: String = line.chars().skip(first).take(2 * EACH_SIDE).collect();
    let before = if first > 0 { "…" } else { "" };
    let after = if first + 2 * EACH_SIDE < count { "…" } else { "" };
    format!("{before}{shown}{after}")
}

fn envelope<'a>(root: &At<'a>) -> Result<Vec<At<'a>>, String> {
    root.only(&["version", "edits"]).map_err(|mismatch| says(&mismatch))?;
    match root.given("version").map(|version| version.value) {
        Some(Value::Number(number)) if number.as_u64() == Some(1) => {}
        Some(Value::Number(_)) => return Err("`version` must be 1".into()),
        Some(other) => return Err(format!("`version` must be 1, and is {}", describe(other))),
        None => return Err("`version` is missing; add `\"version\":1`".into()),
    }
    let Some(edits) = root.given("edits") else {
        return Err("`edits` is missing; it is the array of the edits".into());
    };
    let edits = edits.items("an array").map_err(|mismatch| says(&mismatch))?;
    if edits.is_empty() {
        return Err("`edits` is empty and asks for nothing; give at least one edit".into());
    }
    Ok(edits)
}

fn one(edit: &At<'_>) -> Result<TextEdit, Wrong> {
    let op = string(edit, "op")?;
    match op.as_str() {
        "insertAfter" | "insertBefore" => {
            edit.only(&["op", "anchor", "text", "occurrence"])?;
            let (anchor, text) = (searched(edit, "anchor")?, string(edit, "text")?);
            let occurrence = occurrence(edit)?;
            Ok(if op == "insertAfter" {
                TextEdit::InsertAfter { anchor, text, occurrence }
            } else {
                TextEdit::InsertBefore { anchor, text, occurrence }
            })
        }
        "replaceFirst" => {
            edit.only(&["op", "find", "text", "occurrence"])?;
            let (find, text) = (searched(edit, "find")?, string(edit, "text")?);
            Ok(TextEdit::ReplaceFirst { find, text, occurrence: occurrence(edit)? })
        }
        "replaceAll" => {
            if edit.given("occurrence").is_some() {
                return Err("`occurrence` cannot go with replaceAll, which replaces every match; \
                            use replaceFirst for one of them"
                    .to_owned()
                    .into());
            }
            edit.only(&["op", "find", "text"])?;
            Ok(TextEdit::ReplaceAll { find: searched(edit, "find")?, text: string(edit, "text")? })
        }
        "replaceRange" => range(edit),
        _ => Err(unknown_op(&op).into()),
    }
}

fn range(edit: &At<'_>) -> Result<TextEdit, Wrong> {
    edit.only(&["op", "startLine", "endLine", "text"])?;
    let line = |name| number(&edit.member(name, FROM_1)?).map(NonZeroUsize::get);
    let (start_line, end_line) = (line("startLine")?, line("endLine")?);
    if start_line > end_line {
        return Err(format!("`startLine` {start_line} is beyond `endLine` {end_line}").into());
    }
    Ok(TextEdit::ReplaceRange { start_line, end_line, text: string(edit, "text")? })
}

fn unknown_op(op: &str) -> String {
    match nearest(op, OPS) {
        Some(near) => format!("unknown op `{op}`; the nearest is `{near}`"),
        None => format!("unknown op `{op}`; the ops are {}", OPS.join(", ")),
    }
}

fn string<'a>(edit: &At<'a>, name: &'a str) -> Result<String, Mismatch<'a>> {
    Ok(edit.member(name, STRING)?.read(STRING, Value::as_str)?.to_owned())
}

fn searched(edit: &At<'_>, name: &str) -> Result<String, Wrong> {
    let text = string(edit, name)?;
    if text.is_empty() {
        return Err(format!("`{name}` is empty; it must be text of the file").into());
    }
    Ok(text)
}

fn occurrence(edit: &At<'_>) -> Result<Option<NonZeroUsize>, Wrong> {
    let number = edit.given("occurrence").map(|it| number(&it)).transpose();
    number.map_err(|mismatch| Wrong { message: says(&mismatch), occurrence: true })
}

fn number<'a>(at: &At<'a>) -> Result<NonZeroUsize, Mismatch<'a>> {
    at.read(FROM_1, |value| NonZeroUsize::new(usize::try_from(value.as_u64()?).ok()?))
}

const STRING: &str = "a string";
const FROM_1: &str = "a whole number from 1";

fn says(mismatch: &Mismatch<'_>) -> String {
    let name = match mismatch.pointer.rsplit_once('/') {
        None => "the payload".to_owned(),
        Some(("/edits", _)) => "an edit".to_owned(),
        Some((_, name)) => format!("`{name}`"),
    };
    match mismatch.kind {
        MismatchKind::Unknown { name, near: Some(near), .. } => {
            format!("unknown key `{name}`; the nearest is `{near}`")
        }
        MismatchKind::Unknown { name, known, near: None } => {
            format!("unknown key `{name}`; the keys are {}", known.join(", "))
        }
        MismatchKind::Missing { near: Some(near), .. } => {
            format!("{name} is missing; did you mean `{near}`?")
        }
        MismatchKind::Missing { near: None, .. } => format!("{name} is missing"),
        MismatchKind::Other { expected: FROM_1, found } if found.as_u64() == Some(0) => {
            format!("{name} counts from 1, and is 0")
        }
        MismatchKind::Other { expected, found } => {
            format!("{name} must be {expected}, and is {}", describe(found))
        }
    }
}
