//! A text's syntax tree, made afresh or from the one before an edit.

use std::ops::ControlFlow;

use tree_sitter::{InputEdit, ParseOptions, Parser, Point};

use super::{Grammar, bounds};
use crate::text::Span;

/// Asked now and then during a parse: whether to go on. The core has no clock; who calls it has.
pub type Patience<'a> = &'a mut dyn FnMut() -> ControlFlow<()>;

/// A text's syntax tree. A clone is cheap.
#[derive(Clone)]
pub struct Tree {
    grammar: &'static Grammar,
    tree: tree_sitter::Tree,
}

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unparsed {
    /// It took longer than its time.
    #[error("it takes too long to parse")]
    TooSlow,
    /// It is nested deeper than the grammar can bear.
    #[error("it is nested too deeply to parse")]
    TooDeep,
}

impl Tree {
    /// The tree of a text.
    ///
    /// # Errors
    /// [`Unparsed`] where the text is too much for the grammar or for `patience`.
    pub fn parse(
        grammar: &'static Grammar,
        text: &str,
        patience: Patience<'_>,
    ) -> Result<Tree, Unparsed> {
        Tree::parse_with(grammar, text, None, patience)
    }

    /// The tree of `after`, which became of this tree's text `before` by putting something else in
    /// the place of `old`, a span of `before`; unchanged parts are taken over.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn edited(
        &self,
        before: &str,
        old: Span,
        after: &str,
        patience: Patience<'_>,
    ) -> Result<Tree, Unparsed> {
        let new_end = after.len() - (before.len() - old.end);
        let mut tree = self.tree.clone();
        tree.edit(&InputEdit {
            start_byte: old.start,
            old_end_byte: old.end,
            new_end_byte: new_end,
            // Scanners that count columns need true ones.
            start_position: point(before, old.start),
            old_end_position: point(before, old.end),
            new_end_position: point(after, new_end),
        });
        Tree::parse_with(self.grammar, after, Some(&tree), patience)
    }

    fn parse_with(
        grammar: &'static Grammar,
        text: &str,
        before: Option<&tree_sitter::Tree>,
        patience: Patience<'_>,
    ) -> Result<Tree, Unparsed> {
        if !bounds::keeps_to(grammar.language.bounds, text) {
            return Err(Unparsed::TooDeep);
        }
        let mut parser = Parser::new();
        parser.set_language(&grammar.parser).expect("a test loads the grammar of every language");
        let mut progress = |_: &tree_sitter::ParseState| patience();
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |at: usize, _: Point| text.as_bytes().get(at..).unwrap_or_default();
        let tree = parser.parse_with_options(&mut read, before, Some(options));
        tree.map(|tree| Tree { grammar, tree }).ok_or(Unparsed::TooSlow)
    }

    /// The grammar that it was made with.
    pub fn grammar(&self) -> &'static Grammar {
        self.grammar
    }

    /// The node of the whole text.
    pub fn root(&self) -> tree_sitter::Node<'_> {
        self.tree.root_node()
    }
}

/// The row and the column, in bytes, of an offset.
fn point(text: &str, offset: usize) -> Point {
    let above = &text.as_bytes()[..offset];
    let line_start = memchr::memrchr(b'\n', above).map_or(0, |newline| newline + 1);
    Point::new(memchr::memchr_iter(b'\n', above).count(), offset - line_start)
}
