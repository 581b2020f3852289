//! How people write blocks of a dialect: what an editor completes.

use crate::spec::{Action, Field};

/// What a dialect knows about the writing of its blocks.
///
/// A *hole* is what is where a person is to fill something in.
pub trait Writing: Sync {
    /// A whole command with every field that its action cannot do without, its lines ended by `\n`,
    /// the last one not.
    fn skeleton(&self, action: &Action, id: &str, hole: &mut dyn FnMut() -> String) -> String;

    /// An id that is not taken; empty where blocks have no ids.
    fn fresh_id(&self, taken: &dyn Fn(&str) -> bool) -> String {
        let _ = taken;
        String::new()
    }

    /// A field of the block that begins with the line `header`, with `hole` for its value; `long`
    /// is a value that usually takes several lines. The hole alone where blocks have no keys.
    fn assignment(&self, header: &str, field: &str, long: bool, hole: &str) -> String {
        let _ = (header, field, long);
        hole.to_owned()
    }

    /// Where in a line of a block the cursor is, by the next line above that is not blank, and by
    /// what is before it and after it. Elsewhere where blocks have no keys.
    fn cursor<'a>(&self, above: &str, before: &'a str, after: &str) -> Cursor<'a> {
        let _ = (above, before, after);
        Cursor::Elsewhere
    }

    /// The line that ends the block that begins with the line `header`.
    fn end_marker(&self, header: &str) -> Option<String>;
}

/// Where in a line of a block the cursor is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cursor<'a> {
    /// Where a key or the end marker is, from the line's start on.
    Key,
    /// Where the value of a key is.
    Value {
        /// The key.
        key: &'a str,
        /// Where in the line the value begins, in bytes.
        start: usize,
        /// What must come before the value and is not there yet.
        open: &'static str,
        /// What must come after the whole value and is not there yet.
        close: &'static str,
    },
    /// Where nothing can be said.
    Elsewhere,
}

/// The fields that an action cannot do without: those required, and the first of alternatives.
pub fn needed(action: &Action) -> impl Iterator<Item = &Field> {
    let mut groups = Vec::new();
    action.fields.iter().filter(move |field| {
        let first = field.one_of.is_some_and(|group| {
            let first = !groups.contains(&group);
            groups.push(group);
            first
        });
        field.required || first
    })
}
