//! How people write blocks of this dialect.

use super::marker::{self, Word};
use crate::dialect::{Cursor, Writing};
use crate::spec::Action;

/// The writing of blocks.
pub struct Sections;

impl Writing for Sections {
    fn skeleton(&self, action: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let path = hole();
        let sections = match action.name.as_str() {
            "replacer.overwrite" => format!("<<<OVERWRITE>>>\n{}", hole()),
            _ => format!("<<<SEARCH>>>\n{}\n<<<REPLACE>>>\n{}", hole(), hole()),
        };
        format!("<<<FILE>>>\n{path}\n{sections}\n<<<END>>>")
    }

    /// Blocks have no ids.
    fn fresh_id(&self, _: &dyn Fn(&str) -> bool) -> String {
        String::new()
    }

    /// Blocks have sections, and no keys.
    fn assignment(&self, _: &str, _: &str, _: bool, hole: &str) -> String {
        hole.to_owned()
    }

    /// The line below FILE is the path, whole: what is around it would be a part of it.
    fn cursor<'a>(&self, above: &str, _: &'a str, _: &str) -> Cursor<'a> {
        let file = marker::find(above).is_some_and(|it| it.word == Word::File);
        match file {
            true => Cursor::Value { key: "path", start: 0, open: "", close: "" },
            false => Cursor::Elsewhere,
        }
    }

    fn end_marker(&self, _: &str) -> Option<String> {
        Some("<<<END>>>".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::Dialects;
    use crate::limits::Limits;
    use crate::scan::Scan;
    use crate::spec;
    use crate::text::Text;

    #[test]
    fn a_skeleton_that_is_filled_in_is_a_sound_block() {
        for action in spec::actions("replacer") {
            let text = Sections.skeleton(action, "", &mut || "x".to_owned());
            let scan = Scan::new(&Text::new(&text), Dialects::all(), &Limits::default());
            let block = scan.blocks().next().expect("a block").block;
            assert!(block.parsed.problems.is_empty(), "{text}: {:?}", block.parsed.problems);
            assert_eq!(block.parsed.action.as_deref(), Some(action.name.as_str()));
        }
    }
}
