//! From an action's name and its values to the operation that it asks for.

use super::value::Values;
use crate::command::Operation;
use crate::structure::{Request, Side};

/// The operation; `None` where a value that it needs is missing.
pub fn operation(action: &str, mut values: Values) -> Option<Operation> {
    if action == "operator.getInterfaceSpec" {
        return Some(Operation::InterfaceSpec);
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
        "fs.readStructure" => {
            let target = values.text("target_b64")?;
            Operation::Structure(Request::Read { path, target, all: true })
        }
        "fs.deleteStructure" => {
            Operation::Structure(Request::Delete { path, target: values.text("target_b64")? })
        }
        "fs.replaceStructure" => {
            let (target, content) = (values.text("target_b64")?, values.text("content_b64")?);
            Operation::Structure(Request::Replace { path, target, content })
        }
        "fs.insertBeforeStructure" | "fs.insertAfterStructure" => {
            let (target, content) = (values.text("target_b64")?, values.text("content_b64")?);
            let before = action == "fs.insertBeforeStructure";
            let side = if before { Side::Before } else { Side::After };
            Operation::Structure(Request::Insert { path, target, content, side })
        }
        "fs.copy" => Operation::Copy { path, path_to: values.text("path_to")? },
        "fs.move" | "fs.rename" => Operation::Move { path, path_to: values.text("path_to")? },
        _ => return None,
    })
}
