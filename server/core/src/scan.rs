//! The one pass that finds blocks, and finds them again after an edit.

use std::sync::Arc;

use crate::dialect::{BlockEnd, Dialect, Parsed};
use crate::limits::Limits;
use crate::problem::Problem;
use crate::text::{Span, Text};

/// Everything found in a transcript, in document order.
#[derive(Clone, Default)]
pub struct Scan {
    items: Vec<Item>,
}

/// A block, a reply, or a stray marker.
#[derive(Clone)]
struct Item {
    start: usize,
    found: Found,
}

#[derive(Clone)]
enum Found {
    Block(Arc<Block>),
    Stray(Arc<Problem>),
}

/// One block, in terms of its own first byte, so that edits before it change nothing in it.
pub struct Block {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// The length in bytes, from the first marker line to the end of the last one's text (without
    /// the last line's ending).
    pub len: usize,
    /// How it came to its end.
    pub end: BlockEnd,
    /// What it says.
    pub parsed: Parsed,
}

/// A command block where it stands.
#[derive(Clone)]
pub struct Placed {
    /// The block's 0-based index among the transcript's command blocks.
    pub index: usize,
    /// Where it is in the transcript.
    pub span: Span,
    /// The block.
    pub block: Arc<Block>,
}

impl Scan {
    /// Finds everything in `text`.
    pub fn new(text: &Text, dialects: &[&'static dyn Dialect], limits: &Limits) -> Scan {
        let _ = (text, dialects, limits);
        Scan { items: Vec::new() }
    }

    /// Finds again what an edit may have changed. `text` is the text after it, `old` the bytes
    /// replaced, `new_len` the length of what stands there now.
    pub fn edit(
        &mut self,
        text: &Text,
        old: Span,
        new_len: usize,
        dialects: &[&'static dyn Dialect],
        limits: &Limits,
    ) {
        let _ = (old, new_len);
        *self = Scan::new(text, dialects, limits);
    }

    /// The command blocks, in order.
    pub fn blocks(&self) -> impl Iterator<Item = Placed> + '_ {
        let blocks = self.items.iter().filter_map(|item| match &item.found {
            Found::Block(block) => Some((item.start, block)),
            Found::Stray(_) => None,
        });
        blocks.enumerate().map(|(index, (start, block))| Placed {
            index,
            span: start..start + block.len,
            block: block.clone(),
        })
    }

    /// The problems of the transcript that belong to no block: stray markers, limits.
    pub fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        self.items.iter().filter_map(|item| match &item.found {
            Found::Stray(problem) => Some(problem.as_ref().clone().shifted(item.start)),
            Found::Block(_) => None,
        })
    }
}
