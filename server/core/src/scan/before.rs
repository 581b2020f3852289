//! What a pass knows of the block before the place where it is.

use super::{Below, Found, Item};

/// The block before a place.
#[derive(Clone, Copy, Default)]
pub(super) struct Before {
    /// Where its last line ends, in bytes; 0 without a block.
    pub end: usize,
    /// Its dialect, where a reply to it may begin right at the place.
    pub below: Option<Below>,
}

impl Before {
    /// Goes past an item that was found.
    pub fn pass(&mut self, item: &Item) {
        self.below = None;
        if let Found::Block(block) = &item.found {
            self.end = item.start + block.whole;
            self.below = item.is_command().then_some(block.dialect);
        }
    }

    /// Whether a scan finds the same after a place as with another block before it, if lines that
    /// begin before `floor` do not count.
    pub fn is_as(&self, other: &Before, floor: usize) -> bool {
        let below = |it: &Before| it.below.map(|dialect| dialect.name());
        below(self) == below(other) && self.end.max(floor) == other.end.max(floor)
    }
}
