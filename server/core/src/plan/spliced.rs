//! A text under many edits that knows the ending of most of its lines without counting them again.

use crate::text::Span;
use crate::text::lines::{Ending, Endings};

/// A text that is changed in place, so that each of many edits of a large file costs little.
pub(super) struct Spliced {
    text: String,
    endings: Endings,
}

impl Spliced {
    pub(super) fn new(text: String) -> Spliced {
        Spliced { endings: Endings::count(&text, 0..text.len()), text }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) fn into_string(self) -> String {
        self.text
    }

    /// The ending that most lines have, as [`Ending::dominant_in`] has it.
    pub(super) fn dominant(&self) -> Option<Ending> {
        self.endings.dominant()
    }

    /// Puts `new` in the place of `span`, whose ends are character boundaries.
    pub(super) fn splice(&mut self, span: Span, new: &str) {
        // The byte after the span counts, too: it may be the second of an ending.
        self.endings -= Endings::count(&self.text, span.start..span.end + 1);
        let end = span.start + new.len();
        self.text.replace_range(span.clone(), new);
        self.endings += Endings::count(&self.text, span.start..end + 1);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn endings_are_known_as_if_counted_afresh(
            text in "[ab\r\n]{0,12}",
            edits in prop::collection::vec((0usize..12, 0usize..6, "[a\r\n]{0,4}"), 0..6),
        ) {
            let mut spliced = Spliced::new(text.clone());
            let mut plain = text;
            for (start, length, new) in edits {
                let start = start.min(plain.len());
                let span = start..(start + length).min(plain.len());
                spliced.splice(span.clone(), &new);
                plain.replace_range(span, &new);
                prop_assert_eq!(spliced.as_str(), &plain);
                prop_assert_eq!(spliced.dominant(), Ending::dominant_in(&plain));
            }
        }
    }
}
