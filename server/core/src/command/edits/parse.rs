//! From the JSON of `fs.applyEdits` to edits, each mistake named.

use std::num::NonZeroUsize;

use serde_json::{Map, Value};

use super::{EditsError, TextEdit};
use crate::json::{Unique, describe};
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
    let mut root = Fields::new(root, "the payload").map_err(EditsError::of_payload)?;
    let edits = envelope(&mut root).map_err(EditsError::of_payload)?;
    edits
        .into_iter()
        .enumerate()
        .map(|(index, edit)| one(edit).map_err(|wrong| EditsError::of_edit(index, &wrong)))
        .collect()
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

impl EditsError {
    fn of_payload(message: String) -> EditsError {
        EditsError { message, line: None, column: None, edit: None, occurrence: false }
    }

    fn of_edit(index: usize, wrong: &Wrong) -> EditsError {
        EditsError {
            edit: Some(index),
            occurrence: wrong.occurrence,
            ..EditsError::of_payload(format!("edit {index}: {}", wrong.message))
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
        message: format!("not valid JSON at line {line}, column {column}: {what}"),
        line: Some(line),
        column: Some(column),
        edit: None,
        occurrence: false,
    }
}

fn envelope(root: &mut Fields) -> Result<Vec<Value>, String> {
    root.only(&["version", "edits"])?;
    match root.take("version") {
        Some(Value::Number(number)) if number.as_u64() == Some(1) => {}
        Some(Value::Number(_)) => return Err("`version` must be 1".into()),
        Some(other) => return Err(format!("`version` must be 1, and is {}", describe(&other))),
        None => return Err("`version` is missing; add `\"version\":1`".into()),
    }
    match root.take("edits") {
        Some(Value::Array(edits)) if edits.is_empty() => {
            Err("`edits` is empty and asks for nothing; give at least one edit".into())
        }
        Some(Value::Array(edits)) => Ok(edits),
        Some(other) => Err(format!("`edits` must be an array, and is {}", describe(&other))),
        None => Err("`edits` is missing; it is the array of the edits".into()),
    }
}

fn one(edit: Value) -> Result<TextEdit, Wrong> {
    let mut fields = Fields::new(edit, "an edit")?;
    let op = fields.string("op")?;
    match op.as_str() {
        "insertAfter" | "insertBefore" => {
            fields.only(&["op", "anchor", "text", "occurrence"])?;
            let (anchor, text) = (fields.searched("anchor")?, fields.string("text")?);
            let occurrence = fields.occurrence()?;
            Ok(if op == "insertAfter" {
                TextEdit::InsertAfter { anchor, text, occurrence }
            } else {
                TextEdit::InsertBefore { anchor, text, occurrence }
            })
        }
        "replaceFirst" => {
            fields.only(&["op", "find", "text", "occurrence"])?;
            let (find, text) = (fields.searched("find")?, fields.string("text")?);
            Ok(TextEdit::ReplaceFirst { find, text, occurrence: fields.occurrence()? })
        }
        "replaceAll" => {
            if fields.take("occurrence").is_some() {
                return Err("`occurrence` cannot go with replaceAll, which replaces every match; \
                            use replaceFirst for one of them"
                    .to_owned()
                    .into());
            }
            fields.only(&["op", "find", "text"])?;
            Ok(TextEdit::ReplaceAll {
                find: fields.searched("find")?,
                text: fields.string("text")?,
            })
        }
        "replaceRange" => Ok(range(fields)?),
        _ => Err(unknown_op(&op).into()),
    }
}

fn range(mut fields: Fields) -> Result<TextEdit, String> {
    fields.only(&["op", "startLine", "endLine", "text"])?;
    let (start_line, end_line) = (fields.line("startLine")?, fields.line("endLine")?);
    if start_line > end_line {
        return Err(format!("`startLine` {start_line} is beyond `endLine` {end_line}"));
    }
    Ok(TextEdit::ReplaceRange { start_line, end_line, text: fields.string("text")? })
}

fn unknown_op(op: &str) -> String {
    match nearest(op, OPS) {
        Some(near) => format!("unknown op `{op}`; the nearest is `{near}`"),
        None => format!("unknown op `{op}`; the ops are {}", OPS.join(", ")),
    }
}

/// The fields of one object, taken out one by one.
struct Fields(Map<String, Value>);

impl Fields {
    fn new(json: Value, what: &str) -> Result<Fields, String> {
        match json {
            Value::Object(fields) => Ok(Fields(fields)),
            other => Err(format!("{what} must be an object, and is {}", describe(&other))),
        }
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        self.0.shift_remove(name)
    }

    /// Refuses the first key that is not one of `known`.
    fn only(&self, known: &[&str]) -> Result<(), String> {
        let Some(key) = self.0.keys().find(|key| !known.contains(&key.as_str())) else {
            return Ok(());
        };
        Err(match nearest(key, known.iter().copied()) {
            Some(near) => format!("unknown key `{key}`; the nearest is `{near}`"),
            None => format!("unknown key `{key}`; the keys are {}", known.join(", ")),
        })
    }

    fn string(&mut self, name: &str) -> Result<String, String> {
        match self.take(name) {
            Some(Value::String(text)) => Ok(text),
            Some(other) => Err(format!("`{name}` must be a string, and is {}", describe(&other))),
            None => Err(self.missing(name)),
        }
    }

    fn missing(&self, name: &str) -> String {
        match nearest(name, self.0.keys().map(String::as_str)) {
            Some(near) => format!("`{name}` is missing; did you mean `{near}`?"),
            None => format!("`{name}` is missing"),
        }
    }

    fn searched(&mut self, name: &str) -> Result<String, String> {
        let text = self.string(name)?;
        if text.is_empty() {
            return Err(format!("`{name}` is empty; it must be text of the file"));
        }
        Ok(text)
    }

    fn line(&mut self, name: &str) -> Result<usize, String> {
        let value = self.take(name).ok_or_else(|| self.missing(name))?;
        Ok(at_least_one(name, &value)?.get())
    }

    fn occurrence(&mut self) -> Result<Option<NonZeroUsize>, Wrong> {
        let number = self.take("occurrence").map(|value| at_least_one("occurrence", &value));
        number.transpose().map_err(|message| Wrong { message, occurrence: true })
    }
}

fn at_least_one(name: &str, value: &Value) -> Result<NonZeroUsize, String> {
    let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
    number.and_then(NonZeroUsize::new).ok_or_else(|| match value.as_u64() {
        Some(0) => format!("`{name}` counts from 1, and is 0"),
        _ => format!("`{name}` must be a whole number from 1, and is {}", describe(value)),
    })
}
