//! How people write diffs.

use super::line;
use crate::dialect::{Cursor, Writing};
use crate::spec::Action;

/// The writing of diffs.
pub struct Diffs;

impl Writing for Diffs {
    fn skeleton(&self, _: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let (path, old, new) = (hole(), hole(), hole());
        format!("```diff\n--- a/{path}\n+++ b/{path}\n@@\n-{old}\n+{new}\n```")
    }

    /// After the signs and the prefix of a file's line is a path.
    fn cursor<'a>(&self, _: &str, before: &'a str, _: &str) -> Cursor<'a> {
        let is_name =
            line::names_files(&format!("{before}x"), "+++ x") || before.starts_with("+++ ");
        let prefix =
            ["a/", "b/"].iter().any(|it| before.get(4..).is_some_and(|at| at.starts_with(it)));
        let start = if prefix { 6 } else { 4 };
        match is_name {
            true => Cursor::Value { key: "path", start, open: "", close: "" },
            false => Cursor::Elsewhere,
        }
    }

    fn end_marker(&self, _: &str) -> Option<String> {
        None
    }
}
