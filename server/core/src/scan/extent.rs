//! Where a block ends, and where the scan goes on after it.

use super::window::Line;
use crate::dialect::{BlockEnd, Reader};

/// Where a block ends and where the scan goes on, in terms of the window.
pub(super) struct Extent {
    /// How it ends.
    pub end: BlockEnd,
    /// Where the text of its last line ends.
    pub last: usize,
    /// Where the last line's ending ends.
    pub whole: usize,
    /// Where the scan goes on.
    pub resume: usize,
    /// Where all that was looked at for it ends.
    pub reach: usize,
    /// The line that ends it, which is in its open raw text.
    pub closes: Option<usize>,
    /// Where its open raw text ends.
    pub raw_until: Option<usize>,
}

impl Extent {
    /// A block that ends with this line.
    pub fn closed(last: Line) -> Extent {
        Extent {
            end: BlockEnd::Closed,
            last: last.end,
            whole: last.next,
            resume: last.next,
            reach: last.next,
            closes: None,
            raw_until: None,
        }
    }

    /// A block that its reader knows to have ended with its last fitting line: what was looked at
    /// to know that is looked at again.
    pub fn unless_ended(self, reader: &dyn Reader, fits: Line) -> Extent {
        match reader.ended() {
            Some(end) => Extent { end, reach: self.reach, ..Extent::closed(fits) },
            None => self,
        }
    }

    /// A block without an end: what follows its last fitting line is looked at again where that
    /// may hold blocks (raw content), else from where the block was given up.
    pub fn open(
        fits: Line,
        given_up: usize,
        reach: usize,
        raw: bool,
        closes: Option<usize>,
    ) -> Extent {
        Extent {
            end: BlockEnd::Unterminated,
            last: fits.end,
            whole: fits.next,
            resume: if raw { fits.next } else { given_up },
            reach,
            closes: closes.filter(|_| raw),
            raw_until: raw.then(|| closes.unwrap_or(given_up)),
        }
    }
}
