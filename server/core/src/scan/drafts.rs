//! Thoughts of which a transcript has only the end, as where the prompt has begun them: all of the
//! message above that is a draft.

use super::{Found, Scan};
use crate::dialect::Role;
use crate::dialect::turns::is_role;
use crate::text::{Span, Text, work};

impl Scan {
    /// Whether there are drafts.
    pub(crate) fn has_drafts(&self) -> bool {
        !self.drafts.is_empty()
    }

    /// Whether what begins at a place is in a draft.
    pub(crate) fn is_draft(&self, start: usize) -> bool {
        let next = self.drafts.partition_point(|draft| draft.end <= start);
        self.drafts.get(next).is_some_and(|draft| draft.start <= start)
    }

    /// All drafts in a text, in order.
    pub(super) fn drafts_in(&self, text: &Text) -> Vec<Span> {
        let mut drafts = Vec::new();
        if !self.pieces().iter().any(|piece| piece.chunk.ends_thought) {
            return drafts;
        }
        // An answer is below the reply to the one before.
        let mut floor = 0;
        for item in self.items.iter() {
            work::add(1);
            match &item.found {
                Found::Block(block) if block.parsed.role != Role::Command => floor = item.resume,
                Found::ThoughtEnd(tag) => {
                    let start = self.draft_start(text, floor..item.start, tag);
                    drafts.extend(start.map(|start| start..item.start));
                    floor = item.resume;
                }
                Found::Block(_) | Found::Stray(_) | Found::Nothing => {}
            }
        }
        drafts
    }

    /// Where the message begins that a range of a text ends in; `None` where it has the tag with which a
    /// thought begins, be it in a sentence.
    fn draft_start(&self, text: &Text, within: Span, tag: &str) -> Option<usize> {
        let lines = text.line_of(within.start)..text.line_of(within.end);
        for line in lines.rev() {
            let content = text.line(line);
            work::add(content.len() + 1);
            if content.contains(tag) {
                return None;
            }
            let at = text.line_start(line);
            if is_role(&content) && !self.is_text(at) {
                return Some(at);
            }
        }
        Some(within.start)
    }

    /// Whether a line is in a block or a fence.
    pub(super) fn is_text(&self, at: usize) -> bool {
        let next = self.items.before(at + 1);
        let last = next.checked_sub(1).and_then(|last| self.items.get(last));
        let is_in_it = last.is_some_and(|item| {
            let len = match &item.found {
                Found::Block(block) => block.whole,
                Found::Stray(_) | Found::ThoughtEnd(_) | Found::Nothing => 0,
            };
            item.start < at && at < item.resume.max(item.start + len)
        });
        is_in_it || self.items.carry_before(next).fence.is_some()
    }
}
