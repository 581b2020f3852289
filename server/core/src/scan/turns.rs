//! Which blocks are in messages of the person who asks: those below the head of one, in a chat whose
//! other messages have heads that are written like it.

use super::{Block, Scan};
use crate::dialect::turns::{self, Speaker, Styles};
use crate::text::{Text, work};

impl Scan {
    /// How the heads of the model's messages are written; none where no block is below the head of a
    /// person's.
    pub(crate) fn model_heads(&self) -> Styles {
        self.model_heads
    }

    /// Whether a block is in a message of the person who asks, or was printed by a program.
    pub(crate) fn is_shown(&self, block: &Block) -> bool {
        block.parsed.is_printed || block.parsed.asked.is_of_turn(self.model_heads)
    }

    /// How the heads of the model's messages in a text are written.
    pub(super) fn model_heads_in(&self, text: &Text) -> Styles {
        let asked = self.pieces().iter().map(|piece| piece.chunk.asked);
        let asked = asked.fold(Styles::default(), Styles::with);
        let mut found = Styles::default();
        if asked.is_empty() {
            return found;
        }
        for line in 0..text.line_count() {
            let content = text.line(line);
            work::add(content.len() + 1);
            let head = turns::head(&content).filter(|head| head.speaker == Speaker::Model);
            if let Some(head) = head.filter(|_| !self.is_text(text.line_start(line))) {
                found = found.with(head.style);
                if found.has_all(asked) {
                    break;
                }
            }
        }
        found
    }
}
