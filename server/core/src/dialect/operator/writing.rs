//! How people write blocks of this dialect.

use super::marker;
use crate::dialect::{CommonKey, Cursor, Writing, needed};
use crate::spec::{Action, FieldRole};

/// The keys of every command.
pub const COMMON_KEYS: &[CommonKey] = &[
    CommonKey { name: "version", is: FieldRole::Version, help: "The protocol's version, 1." },
    CommonKey { name: "id", is: FieldRole::Id, help: "Any text; the reply has the same." },
    CommonKey { name: "action", is: FieldRole::Action, help: "What is to be done." },
];

/// The writing of blocks.
pub struct Lines;

impl Writing for Lines {
    fn skeleton(&self, action: &Action, id: &str, hole: &mut dyn FnMut() -> String) -> String {
        let mut text =
            format!("{}\nversion: 1\nid: {id}\naction: {}\n", marker::START, action.name);
        for field in needed(action) {
            text.push_str(&format!("{}: {}\n", field.name, hole()));
        }
        text + marker::END
    }

    fn fresh_id(&self, taken: &dyn Fn(&str) -> bool) -> String {
        let mut ids = (1..).map(|number: usize| format!("cmd-{number}"));
        ids.find(|id| !taken(id)).unwrap_or_default()
    }

    fn assignment(&self, _: &str, field: &str, _: bool, hole: &str) -> String {
        format!("{field}: {hole}")
    }

    fn cursor<'a>(&self, _: &str, before: &'a str, _: &str) -> Cursor<'a> {
        match before.split_once(':') {
            None if before.trim() == before => Cursor::Key,
            None => Cursor::Elsewhere,
            Some((key, value)) => {
                let start = before.len() - value.trim_start().len();
                Cursor::Value { key: key.trim(), start, open: "", close: "" }
            }
        }
    }

    fn end_marker(&self, _: &str) -> Option<String> {
        Some(marker::END.to_owned())
    }
}
