//! Follows an object line by line, in its fence or from the transcript's beginning on.

use super::outline::Outline;
use crate::dialect::{BlockEnd, LineKind, Opening, Reader};
use crate::text::fence::Fence;

/// The languages of a fence that may hold a proposal; without one it must begin right below.
const LANGUAGES: [&str; 3] = ["json", "jsonc", "edit-ops"];

/// What a line outside any block is.
pub fn opens(line: &str, next: &str) -> Opening {
    let Some(fence) = Fence::of(line) else { return Opening::Nothing };
    let named = LANGUAGES.iter().any(|language| fence.info.eq_ignore_ascii_case(language));
    let may = begins(next) && fence.info.is_empty() || named && (begins(next) || is_blank(next));
    if may { Opening::Maybe } else { Opening::Nothing }
}

/// Whether an object begins with a line.
pub fn begins(line: &str) -> bool {
    line.trim_start_matches('\u{feff}').trim_start().starts_with('{')
}

fn is_blank(line: &str) -> bool {
    line.trim().is_empty()
}

/// Follows a block.
#[derive(Default)]
pub struct BlockReader {
    /// The sign and the length of the fence that it is in.
    fence: Option<(char, usize)>,
    begun: bool,
    object: Outline,
}

impl BlockReader {
    /// A reader that has seen the block's first line.
    pub fn new(first: &str) -> BlockReader {
        let mut reader = BlockReader::default();
        match Fence::of(first) {
            Some(fence) => reader.fence = Some((fence.sign, fence.length)),
            None => drop(reader.take(first)),
        }
        reader
    }

    fn take(&mut self, line: &str) -> bool {
        self.begun |= begins(line);
        self.begun && self.object.take(line.trim_start_matches('\u{feff}'))
    }

    fn closes(&self, line: &Fence<'_>) -> bool {
        let opening = self.fence.map(|(sign, length)| Fence { sign, length, info: "" });
        opening.is_some_and(|opening| line.closes(&opening))
    }

    /// After the object: blank lines, and in a fence what looks like more of it.
    fn after(&mut self, line: &str) -> LineKind {
        match (self.fence, is_blank(line)) {
            (Some(_), true) => LineKind::Other,
            (Some(_), false) if Outline::default().take(line) => LineKind::Fits,
            _ => LineKind::Breaks(BlockEnd::Closed),
        }
    }
}

impl Reader for BlockReader {
    fn step(&mut self, line: &str, _: &str) -> LineKind {
        // No line of JSON is a fence.
        if let Some(fence) = Fence::of(line) {
            return match self.closes(&fence) {
                true => LineKind::Ends,
                false => LineKind::Breaks(BlockEnd::Unterminated),
            };
        }
        if self.object.is_complete() {
            return self.after(line);
        }
        if !self.begun && !is_blank(line) && !begins(line) {
            return LineKind::Breaks(BlockEnd::Unterminated);
        }
        let fits = self.take(line);
        match self.object.is_complete() {
            true if !self.is_block() => LineKind::Breaks(BlockEnd::Closed),
            true if self.fence.is_none() => LineKind::Ends,
            _ if fits => LineKind::Fits,
            _ => LineKind::Other,
        }
    }

    fn raw(&self) -> bool {
        !self.object.is_complete()
    }

    fn minds_needles_only(&self) -> bool {
        true
    }

    fn is_block(&self) -> bool {
        self.object.is_proposal() || self.object.is_reply()
    }
}
