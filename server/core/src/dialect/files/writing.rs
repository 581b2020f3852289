//! How people write whole files.

use crate::dialect::{Cursor, Writing};
use crate::spec::Action;

/// The writing of fences with a file in them.
pub struct Fences;

impl Writing for Fences {
    fn skeleton(&self, _: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let (path, text) = (hole(), hole());
        format!("{path}\n````\n{text}\n````")
    }

    /// Files have no ids.
    fn fresh_id(&self, _: &dyn Fn(&str) -> bool) -> String {
        String::new()
    }

    /// Files have lines, and no keys.
    fn assignment(&self, _: &str, _: &str, _: bool, hole: &str) -> String {
        hole.to_owned()
    }

    fn cursor<'a>(&self, _: &str, _: &'a str, _: &str) -> Cursor<'a> {
        Cursor::Elsewhere
    }

    fn end_marker(&self, header: &str) -> Option<String> {
        let fence = crate::text::fence::Fence::of(header)?;
        Some(fence.sign.to_string().repeat(fence.length))
    }
}
