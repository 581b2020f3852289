//! From an action's name and its values to the step that it asks for.

use serde_json::Value;

use super::value::Values;
use crate::command::{FileEdit, Missing, Only, ReadLines, SearchFor, Step, WriteMode};
use crate::spec::Action;
use crate::structure::Request;

/// The step; `None` where a value that it needs is missing.
pub fn step(action: &Action, mut values: Values) -> Option<Step> {
    if action.name == "operator.getInterfaceSpec" {
        return Some(Step::InterfaceSpec);
    }
    if action.structure.is_some() {
        let request = Request::of_action(action, |field| values.text(&field.name).map(Value::from));
        return request.map(Step::from);
    }
    let path = values.text("path")?;
    Some(match &*action.name {
        "fs.list" => Step::List { path, with_details: false },
        "fs.read" => Step::Read { path, lines: ReadLines::All, delimiter: None },
        "fs.readSlice" => {
            let start = values.number("start").unwrap_or(1);
            let count = values.number("lines").unwrap_or(120);
            let delimiter = Some(": ".to_owned());
            Step::Read { path, lines: ReadLines::From { start, count }, delimiter }
        }
        "fs.search" | "fs.searchTree" => {
            let what = SearchFor::Text { query: values.text("query")?, include: None };
            Step::Search { path, what, in_tree: action.name == "fs.searchTree" }
        }
        "fs.stat" => Step::Stat { path },
        "fs.write" => Step::Write {
            path,
            content: values.text("content_b64").or_else(|| values.text("content"))?,
            mode: WriteMode::Replace,
        },
        "fs.patch" => Step::Patch { path, patch: values.patch()? },
        "fs.applyEdits" => {
            let edit = FileEdit::InOrder(values.edits()?);
            Step::Edit { path, edit, missing: Missing::Refuse }
        }
        "fs.delete" => Step::Delete { path, only: Only::Anything },
        "fs.copy" => Step::Copy { path, path_to: values.text("path_to")? },
        "fs.move" | "fs.rename" => {
            Step::Move { path, path_to: values.text("path_to")?, overwrite: false }
        }
        _ => return None,
    })
}
