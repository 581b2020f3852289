//! From an action's name and its values to the operation that it asks for.

use serde_json::Value;

use super::value::Values;
use crate::command::Operation;
use crate::spec;
use crate::structure::Request;

/// The operation; `None` where a value that it needs is missing.
pub fn operation(action: &str, mut values: Values) -> Option<Operation> {
    if action == "operator.getInterfaceSpec" {
        return Some(Operation::InterfaceSpec);
    }
    let known = spec::action("operator", action)?;
    if known.structure.is_some() {
        let request = Request::of_action(known, |field| values.text(&field.name).map(Value::from));
        return request.map(Operation::Structure);
    }
    let path = values.text("path")?;
    Some(match action {
        "fs.list" => Operation::List { path },
        "fs.read" => Operation::Read { path },
        "fs.readSlice" => Operation::ReadSlice {
            path,
            start: values.number("start").unwrap_or(1),
            lines: values.number("lines").unwrap_or(120),
        },
        "fs.search" => Operation::Search { path, query: values.text("query")? },
        "fs.stat" => Operation::Stat { path },
        "fs.searchTree" => Operation::SearchTree { path, query: values.text("query")? },
        "fs.write" => Operation::Write {
            path,
            content: values.text("content_b64").or_else(|| values.text("content"))?,
        },
        "fs.patch" => Operation::Patch { path, patch: values.patch()? },
        "fs.applyEdits" => Operation::ApplyEdits { path, edits: values.edits()? },
        "fs.delete" => Operation::Delete { path },
        "fs.outline" => Operation::Outline { path },
        "fs.copy" => Operation::Copy { path, path_to: values.text("path_to")? },
        "fs.move" | "fs.rename" => Operation::Move { path, path_to: values.text("path_to")? },
        _ => return None,
    })
}
