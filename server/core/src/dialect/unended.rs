//! Where the end marker goes that a block of raw text lacks.

use super::Source;
use crate::problem::Replacement;
use crate::text::fence::Fences;
use crate::text::{Span, lines};

/// The line that ends the fence around a block, in the text beyond it.
pub fn fence_end(source: &Source<'_>) -> Option<Span> {
    let (beyond, mut fences) = (source.beyond, Fences::default());
    lines::each(beyond).skip(1).find(|span| fences.is_outer_end(&beyond[span.clone()]))
}

/// The edit that inserts an end marker: before the end of the fence around the block, else after
/// all that may belong to it.
pub fn insert(source: &Source<'_>, marker: &str, eol: &str) -> Replacement {
    let end = source.text.len();
    match fence_end(source) {
        Some(span) => Replacement::insert(end + span.start, format!("{marker}{eol}")),
        None => {
            let until = end + lines::trim_ending(source.beyond).len();
            Replacement::insert(until, format!("{eol}{marker}"))
        }
    }
}
