//! How people write blocks of this dialect.

use super::marker::{Signs, Word};
use crate::dialect::Writing;
use crate::spec::Action;

/// The writing of blocks.
pub struct Sections;

impl Writing for Sections {
    fn skeleton(&self, _: &Action, _: &str, hole: &mut dyn FnMut() -> String) -> String {
        let [start, divider, end] =
            [Word::Start, Word::Divider, Word::End].map(|word| word.text(Signs::Brackets));
        let (path, search, replace) = (hole(), hole(), hole());
        format!("{path}\n{start}\n{search}\n{divider}\n{replace}\n{end}")
    }

    fn end_marker(&self, _: &str) -> Option<String> {
        Some(Word::End.text(Signs::Brackets).to_owned())
    }
}
