//! A file with its tree and its structures.

use super::Outline;
use crate::syntax::{Found, Grammar, Language, Patience, Tree, Unparsed, items, items_after};
use crate::text::lines::Newlines;
use crate::text::{Content, Span};

/// A file with its tree and its structures; made once for each state of the file.
#[derive(Clone)]
pub struct Parsed {
    /// What the file holds.
    pub content: Content,
    /// Its tree.
    pub tree: Tree,
    /// Its structures.
    pub outline: Outline,
    /// What the structures were made of, for the next edit.
    pub(crate) found: Found,
    /// Where its lines end, so that a structure's lines are looked up and not counted.
    newlines: Newlines,
}

impl Parsed {
    /// Parses a content.
    ///
    /// # Errors
    /// [`Unparsed`] where it is too much for the grammar or for `patience`.
    pub fn new(
        language: &Language,
        content: Content,
        patience: Patience<'_>,
    ) -> Result<Parsed, Unparsed> {
        let tree = Tree::parse(Grammar::of(language), &content.text, patience)?;
        let found = items(&tree, &content.text, patience)?;
        Parsed::of(content, tree, found)
    }

    /// Parses what the content became by an edit of the bytes `old`, taking over what did not
    /// change.
    ///
    /// # Errors
    /// As [`Parsed::new`].
    pub fn edited(
        &self,
        old: Span,
        content: Content,
        patience: Patience<'_>,
    ) -> Result<Parsed, Unparsed> {
        let (tree, window) = self.tree.edited(self.text(), old, &content.text, patience)?;
        let found = items_after(&tree, &content.text, &self.found, &window, patience)?;
        Parsed::of(content, tree, found)
    }

    fn of(content: Content, tree: Tree, found: Found) -> Result<Parsed, Unparsed> {
        let newlines = Newlines::of(&content.text);
        let outline = Outline::of(tree.grammar().language, &content.text, &newlines, &found)?;
        Ok(Parsed { content, tree, outline, found, newlines })
    }

    /// The language.
    pub fn language(&self) -> &'static Language {
        self.tree.grammar().language
    }

    /// The lines that a span covers, 1-based and inclusive.
    pub fn lines_of(&self, span: &Span) -> [usize; 2] {
        let last = span.end.max(span.start + 1).min(self.text().len()).saturating_sub(1);
        let line = |offset: usize| 1 + self.newlines.before(offset);
        [line(span.start), line(last.max(span.start))]
    }

    /// The text without a byte order mark, as all offsets count.
    pub fn text(&self) -> &str {
        &self.content.text
    }
}
