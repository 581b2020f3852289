//! Choices that an input makes, so that each of its bytes means something.

/// The bytes of an input that no choice has used yet; zeros once they are at their end.
pub struct Choices<'a> {
    rest: &'a [u8],
}

impl<'a> Choices<'a> {
    /// The choices of an input.
    pub fn new(input: &'a [u8]) -> Choices<'a> {
        Choices { rest: input }
    }

    /// Whether all bytes are used.
    pub fn is_over(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next byte.
    pub fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.rest.split_first() else { return 0 };
        self.rest = rest;
        *first
    }

    /// A number below a limit, which is below 256.
    pub fn below(&mut self, limit: usize) -> usize {
        usize::from(self.byte()) % limit
    }

    /// A number below 65,536.
    pub fn large(&mut self) -> usize {
        usize::from(u16::from_be_bytes([self.byte(), self.byte()]))
    }

    /// One of several.
    pub fn pick<'b, T>(&mut self, of: &'b [T]) -> &'b T {
        &of[self.below(of.len())]
    }

    /// Yes once in so many bytes; no at the end.
    pub fn rarely(&mut self, once_in: usize) -> bool {
        self.below(once_in) == once_in - 1
    }

    /// Some of the input as it is, at most so many bytes.
    pub fn raw(&mut self, most: usize) -> String {
        let length = self.below(most).min(self.rest.len());
        let (own, rest) = self.rest.split_at(length);
        self.rest = rest;
        String::from_utf8_lossy(own).into_owned()
    }

    /// All that is left, as it is.
    pub fn remainder(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }
}
