//! Spans in eight bytes, for what is kept by the hundred thousand.

use std::fmt;
use std::num::NonZeroU32;

use super::Span;

/// A range of bytes in a text of less than 4 GiB, in half the memory of a [`Span`]; an `Option` of one
/// takes no more, where that of a span takes half as much again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Packed {
    start: u32,
    /// The end and one more.
    past_end: NonZeroU32,
}

/// Whether the spans of a text of so many bytes can be packed. Syntax trees count in as many bits.
pub(crate) fn fits(length: usize) -> bool {
    u32::try_from(length).is_ok_and(|length| length < u32::MAX)
}

impl Packed {
    /// Where it begins.
    pub fn start(self) -> usize {
        self.start as usize
    }

    /// Where it ends.
    pub fn end(self) -> usize {
        self.past_end.get() as usize - 1
    }

    /// What a text has there.
    pub fn of(self, text: &str) -> &str {
        &text[self.span()]
    }

    /// The span itself.
    pub fn span(self) -> Span {
        self.start()..self.end()
    }
}

impl From<Span> for Packed {
    /// # Panics
    /// Where the span is of a text that does not fit.
    fn from(span: Span) -> Packed {
        let packed = |offset: usize| u32::try_from(offset).ok();
        let past_end = packed(span.end + 1).and_then(NonZeroU32::new);
        let both = packed(span.start).zip(past_end);
        let (start, past_end) = both.expect("no longer text is parsed");
        Packed { start, past_end }
    }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.span().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_span_of_a_text_that_fits_comes_back() {
        let longest = u32::MAX as usize - 1;
        for span in [0..0, 0..1, 7..9, 0..longest, longest..longest] {
            assert_eq!(Packed::from(span.clone()).span(), span);
        }
        assert!(fits(longest) && !fits(longest + 1) && !fits(usize::MAX));
    }

    #[test]
    fn one_that_may_be_missing_takes_no_more() {
        assert_eq!(size_of::<Option<Packed>>(), 8);
    }
}
