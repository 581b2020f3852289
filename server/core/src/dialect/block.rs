//! Blocks as a scan finds them.

use std::sync::Arc;

use super::{ABOVE, BlockEnd, Dialect, Parsed, ReplyStyle};
use crate::fingerprint::Fingerprint;
use crate::text::Span;

/// One block, in terms of its own first byte, so that edits before it change nothing in it.
pub struct Block {
    /// The dialect.
    pub dialect: &'static dyn Dialect,
    /// The length in bytes: from the first marker's line to the last line that belongs to it,
    /// without that line's ending.
    pub len: usize,
    /// The length with the last line's ending, where it has one.
    pub whole: usize,
    /// How it came to its end.
    pub end: BlockEnd,
    /// What it says.
    pub parsed: Parsed,
    /// The digest of the dialect, the text, and the path, which a block before may have left to it. The
    /// endings of lines say nothing: a chat is the same once it was saved with others.
    pub digest: Fingerprint,
    /// A hash of the text with the endings of its lines; 0 where all of them are `\n`.
    pub endings: u64,
    /// Where the raw text that it left open ends, for a block whose raw content has no end.
    pub raw_until: Option<usize>,
}

/// A command block where it is.
#[derive(Clone)]
pub struct Placed {
    /// The block's 0-based index among the transcript's command blocks.
    pub index: usize,
    /// Where it is in the transcript.
    pub span: Span,
    /// The block.
    pub block: Arc<Block>,
    /// The block whose unended raw text this one is in, and so may be part of.
    pub inside: Option<usize>,
    /// Whether it is in a thought of which the transcript has only the end.
    pub is_draft: bool,
}

impl Placed {
    /// Where the lines above the block name its path in the transcript, if they do.
    pub fn path_above(&self) -> Option<Span> {
        let above = self.block.parsed.path_above?;
        let start = self.span.start.checked_sub(above.before)?;
        Some(start..start + above.len)
    }
}

impl Block {
    /// One line that says what it asks for: `fs.write src/main.rs`.
    pub fn title(&self) -> String {
        let action = self.parsed.action.as_deref().unwrap_or("(no action)");
        match &self.parsed.path {
            Some(path) => format!("{action} {path}"),
            None => action.to_owned(),
        }
    }

    /// What a reply to it names it by; `None` where none can.
    pub fn answered_as(&self) -> Option<&str> {
        match self.dialect.rules().reply {
            ReplyStyle::PerBlock => self.parsed.id.as_deref(),
            ReplyStyle::InPlace { .. } => Some(ABOVE),
            ReplyStyle::PerTranscript { .. } | ReplyStyle::PerAnswer => self.parsed.call.as_deref(),
        }
    }

    /// Whether the same text was read in the same way.
    pub fn is(&self, other: &Arc<Block>) -> bool {
        std::ptr::eq(self, Arc::as_ptr(other))
    }
}
