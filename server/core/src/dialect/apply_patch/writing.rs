//! How people write patches.

use super::line::{self, Marker};
use crate::dialect::{Cursor, Writing};
use crate::spec::Action;

/// The writing of patches.
pub struct Patches;

impl Writing for Patches {
    fn skeleton(&self, _: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let (path, old, new) = (hole(), hole(), hole());
        format!("*** Begin Patch\n*** Update File: {path}\n@@\n-{old}\n+{new}\n*** End Patch")
    }

    /// After the colon of a file's marker is a path.
    fn cursor<'a>(&self, _: &str, before: &'a str, _: &str) -> Cursor<'a> {
        let colon = before.find(": ").map(|at| at + 2);
        match (line::marker(before), colon) {
            (Some(Marker::File(..) | Marker::MoveTo(_)), Some(start)) => {
                Cursor::Value { key: "path", start, open: "", close: "" }
            }
            _ => Cursor::Elsewhere,
        }
    }

    fn end_marker(&self, _: &str) -> Option<String> {
        Some("*** End Patch".to_owned())
    }
}
