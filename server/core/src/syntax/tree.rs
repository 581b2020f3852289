//! A text's syntax tree, made afresh or from the one before an edit.

use std::ops::ControlFlow;

use tree_sitter::{InputEdit, ParseOptions, Parser, Point};

use super::{Blocks, Grammar, bounds};
use crate::text::{Span, fits};

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
    /// It has more bytes than a tree can count.
    #[error("it has more than 4 GiB")]
    TooLong,
}

/// The bytes on the stack that a parser may need for each byte of a text: it calls itself once for
/// each level of what it began and lets go of, and a byte begins one level at most.
const ROOM_PER_BYTE: usize = 256;

/// More than it needs for what it begins while anybody is patient.
const MOST_ROOM: usize = 512 << 20;

/// To compare two trees takes time that grows with the square of a node's children, and nobody is
/// asked for patience: beyond so many, all of the text counts as changed.
const MOST_CHILDREN: u32 = 20_000;

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
    /// the place of `old`, a span of `before`; unchanged parts are taken over. It is the tree that
    /// [`Tree::parse`] gives of `after`. With it the window outside of which both trees are the
    /// same.
    ///
    /// # Errors
    /// As [`Tree::parse`].
    pub fn edited(
        &self,
        before: &str,
        old: Span,
        after: &str,
        patience: Patience<'_>,
    ) -> Result<(Tree, Window), Unparsed> {
        if !fits(after.len()) {
            return Err(Unparsed::TooLong);
        }
        let new_end = after.len() - (before.len() - old.end);
        if self.grammar.language.blocks == Blocks::CommonMark {
            // There is nothing in the tree: the window is the edit's own.
            let window = Window { after: old.start..new_end, before_end: old.end };
            return Ok((self.clone(), window));
        }
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
        let mut new = Tree::parse_with(self.grammar, after, Some(&tree), patience)?;
        // Of the ways to fix an error, which one is taken depends on what was taken over.
        if new.root().has_error() {
            new = Tree::parse(self.grammar, after, patience)?;
        }
        if new.root().child_count() > MOST_CHILDREN {
            let window = Window { after: 0..after.len(), before_end: before.len() };
            return Ok((new, window));
        }
        let changed = tree.changed_ranges(&new.tree).map(|range| range.start_byte..range.end_byte);
        let first = changed
            .fold(old.start..new_end, |all, one| all.start.min(one.start)..all.end.max(one.end));
        let window = Window::around(&new, first, (before.len(), after.len()));
        Ok((new, window))
    }

    fn parse_with(
        grammar: &'static Grammar,
        text: &str,
        before: Option<&tree_sitter::Tree>,
        patience: Patience<'_>,
    ) -> Result<Tree, Unparsed> {
        if !fits(text.len()) {
            return Err(Unparsed::TooLong);
        }
        let text = bounds::bearable(grammar.language.bounds, text).ok_or(Unparsed::TooDeep)?;
        let parse = || Tree::parse_bearable(grammar, &text, before, patience);
        let room = (text.len() * ROOM_PER_BYTE).min(MOST_ROOM);
        stacker::maybe_grow(room, room, parse)
    }

    fn parse_bearable(
        grammar: &'static Grammar,
        text: &str,
        before: Option<&tree_sitter::Tree>,
        patience: Patience<'_>,
    ) -> Result<Tree, Unparsed> {
        let mut parser = Parser::new();
        parser.set_language(&grammar.parser).expect("a test loads the grammar of every language");
        if grammar.language.blocks == Blocks::CommonMark {
            // The blocks come from elsewhere: a tree without anything is enough.
            let nothing = tree_sitter::Range {
                start_byte: 0,
                end_byte: 0,
                start_point: Point::new(0, 0),
                end_point: Point::new(0, 0),
            };
            parser.set_included_ranges(&[nothing]).expect("one range does not overlap");
        }
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

/// The part of a text that must be looked at anew after an edit: whole children of the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its bytes in the text after the edit.
    pub after: Span,
    /// Where it ended before the edit; it began where it begins.
    pub before_end: usize,
}

impl Window {
    /// The children of the root that touch what has changed, and the one on each side.
    fn around(tree: &Tree, changed: Span, (before, after): (usize, usize)) -> Window {
        let root = tree.root();
        let (mut start, mut end) = (0, after);
        let mut last = 0;
        for child in root.children(&mut root.walk()) {
            let span = child.byte_range();
            if span.end < changed.start {
                (start, last) = (last, span.start);
            } else if span.start > changed.end {
                end = span.end;
                break;
            }
        }
        Window { after: start..end, before_end: before - (after - end) }
    }

    /// What was found before the edit outside the window, with what was found in it afterwards.
    pub(super) fn joined<T: Clone>(
        &self,
        old: &[T],
        new: Vec<T>,
        span: impl Fn(&T) -> &Span,
        moved: impl Fn(&T, &dyn Fn(&Span) -> Span) -> T,
    ) -> Vec<T> {
        let above = old.partition_point(|it| span(it).start < self.after.start);
        let below = old.partition_point(|it| span(it).start < self.before_end);
        let to = |span: &Span| {
            let shift = |offset: usize| offset - self.before_end + self.after.end;
            shift(span.start)..shift(span.end)
        };
        let mut joined = Vec::with_capacity(above + new.len() + old.len() - below);
        joined.extend_from_slice(&old[..above]);
        joined.extend(new);
        joined.extend(old[below..].iter().map(|it| moved(it, &to)));
        joined
    }
}

/// The row and the column, in bytes, of an offset.
fn point(text: &str, offset: usize) -> Point {
    let above = &text.as_bytes()[..offset];
    let line_start = memchr::memrchr(b'\n', above).map_or(0, |newline| newline + 1);
    Point::new(memchr::memchr_iter(b'\n', above).count(), offset - line_start)
}
