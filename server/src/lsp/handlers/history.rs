//! `operator.history.*`: moves between git commits, for the user alone.

use serde::Deserialize;
use serde_json::Value;
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::Uri;

use crate::history::Wanted;
use crate::lsp::context::request_failed;
use crate::lsp::names::CommandName;
use crate::lsp::sites::Site;
use crate::workspace::git::Selection;

/// The argument of the commands, which may be left out.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Argument {
    uri: Option<Uri>,
    last: Option<usize>,
    hours: Option<u64>,
    days: Option<u64>,
    contains: Option<String>,
    message: Option<String>,
}

/// What a command asks for, and a document or folder in the repository.
///
/// # Errors
/// Invalid parameters that say what the argument must be.
pub fn wanted(name: CommandName, arguments: &[Value]) -> Result<(Option<Uri>, Wanted)> {
    let form = match name {
        CommandName::HistorySquash => {
            "the one argument may be left out or be an object that has at most one of last, hours, \
             days, contains, and may have message and uri"
        }
        _ => "the one argument may be left out or be {uri}",
    };
    let wrong = || Error::invalid_params(form);
    let argument = match arguments.first() {
        None | Some(Value::Null) => Argument::default(),
        Some(given) => serde_json::from_value(given.clone()).map_err(|_| wrong())?,
    };
    let Argument { uri, last, hours, days, contains, message } = argument;
    if contains.as_deref() == Some("") {
        return Err(wrong());
    }
    let selections = [
        last.map(Selection::Last),
        hours.map(Selection::Hours),
        days.map(Selection::Days),
        contains.map(Selection::Contains),
    ];
    let mut selections = selections.into_iter().flatten();
    let wanted = match (name, selections.next(), selections.next()) {
        (CommandName::HistorySquash, selection, None) => {
            let selection = selection.unwrap_or(Selection::SinceOwn);
            Wanted::Squash(selection, message.filter(|text| !text.trim().is_empty()))
        }
        (CommandName::HistoryUndo, None, None) => Wanted::Undo,
        (CommandName::HistoryBack, None, None) => Wanted::Back,
        (CommandName::HistoryForward, None, None) => Wanted::Forward,
        _ => return Err(wrong()),
    };
    Ok((uri, wanted))
}

/// Refuses a move that changes files while the editor has some that are not saved.
///
/// # Errors
/// Which files.
pub fn refuse_unsaved(site: &Site, wanted: &Wanted) -> Result<()> {
    let unsaved = match wanted {
        Wanted::Squash(..) => Vec::new(),
        _ => site.unsaved(),
    };
    match unsaved.is_empty() {
        true => Ok(()),
        false => {
            let files = unsaved.join(", ");
            Err(request_failed(format!("save {files} first: git moves what is on disk")))
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(name: CommandName, argument: Value, expected: Option<Wanted>) {
        let wanted = wanted(name, &[argument]).map(|(_, wanted)| wanted);
        assert_eq!(wanted.ok(), expected);
    }

    #[test]
    fn squash_wants_at_most_one_selection() {
        let squash = |selection| Some(Wanted::Squash(selection, None));
        let name = CommandName::HistorySquash;
        check(name, json!({"last": 2}), squash(Selection::Last(2)));
        check(
            name,
            json!({"contains": "x", "message": " "}),
            squash(Selection::Contains("x".into())),
        );
        check(name, json!({"last": 2, "days": 1}), None);
        check(name, json!({"contains": ""}), None);
        check(name, json!({"last": -1}), None);
        check(name, Value::Null, squash(Selection::SinceOwn));
        check(name, json!({}), squash(Selection::SinceOwn));
    }

    #[test]
    fn the_others_want_none() {
        check(CommandName::HistoryBack, Value::Null, Some(Wanted::Back));
        check(CommandName::HistoryUndo, json!({"uri": "file:///w"}), Some(Wanted::Undo));
        check(CommandName::HistoryUndo, json!({"last": 1}), None);
        check(CommandName::HistoryForward, json!("x"), None);
    }
}
