//! A set of text edits that is disjoint and sorted by construction.

use crate::text::Span;

/// The bytes of `span` become `text`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What is replaced; empty for an insertion.
    pub span: Span,
    /// What is there afterwards.
    pub text: String,
}

/// Edits of one text, disjoint, in ascending order, all in terms of the text before.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EditSet {
    edits: Vec<Edit>,
}

/// Two edits want the same bytes, or to insert at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("two edits overlap at byte {0}")]
pub struct Overlap(pub usize);

impl EditSet {
    /// The set of these edits, in any order.
    ///
    /// # Errors
    /// [`Overlap`] where two edits touch the same bytes or insert at the same place.
    pub fn new(mut edits: Vec<Edit>) -> Result<EditSet, Overlap> {
        edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
        for pair in edits.windows(2) {
            let insertions = pair[0].span.start == pair[1].span.start;
            if pair[0].span.end > pair[1].span.start || insertions {
                return Err(Overlap(pair[1].span.start));
            }
        }
        Ok(EditSet { edits })
    }

    /// The set of one edit.
    pub fn one(edit: Edit) -> EditSet {
        EditSet { edits: vec![edit] }
    }

    /// The edits in ascending order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Edit> {
        self.edits.iter()
    }

    /// The edits in ascending order, to look one up.
    pub fn as_slice(&self) -> &[Edit] {
        &self.edits
    }

    /// How many edits there are.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// The text after the edits. `text` must be the text that their spans count in.
    pub fn apply(&self, text: &str) -> String {
        let mut result = String::with_capacity(text.len());
        let mut done = 0;
        for edit in &self.edits {
            result.push_str(&text[done..edit.span.start]);
            result.push_str(&edit.text);
            done = edit.span.end;
        }
        result.push_str(&text[done..]);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text `0123456789` after edits, or where two of them overlap.
    fn edited(edits: &[(Span, &str)]) -> String {
        let edit = |(span, text): &(Span, &str)| Edit { span: span.clone(), text: (*text).into() };
        match EditSet::new(edits.iter().map(edit).collect()) {
            Ok(set) => set.apply("0123456789"),
            Err(overlap) => overlap.to_string(),
        }
    }

    #[test]
    fn edits_in_any_order_are_made_at_once() {
        assert_eq!(edited(&[]), "0123456789");
        assert_eq!(edited(&[(8..9, "x"), (0..2, ""), (5..5, "yy")]), "234yy567x9");
        assert_eq!(edited(&[(2..4, "x"), (4..5, "y")]), "01xy56789", "they touch");
        assert_eq!(edited(&[(2..4, "x"), (4..4, "y")]), "01xy456789", "inserted after another");
    }

    #[test]
    fn what_two_edits_want_is_refused() {
        assert_eq!(edited(&[(2..4, "x"), (3..5, "y")]), "two edits overlap at byte 3");
        assert_eq!(edited(&[(2..2, "x"), (2..2, "y")]), "two edits overlap at byte 2");
        assert_eq!(edited(&[(2..4, "x"), (2..2, "y")]), "two edits overlap at byte 2");
        assert_eq!(edited(&[(0..9, "x"), (4..4, "y")]), "two edits overlap at byte 4");
    }
}
