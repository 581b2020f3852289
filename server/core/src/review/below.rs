//! Where the reply under a block stands, or goes.

use std::sync::Arc;

use foldhash::HashMap;

use super::Reviewer;
use crate::dialect::{Dialect, EarlierReply, ReplyStyle, Told};
use crate::ledger::BlockId;
use crate::scan::{Placed, Scan};
use crate::text::fence::Fence;
use crate::text::lines::Ending;
use crate::text::{Span, Text};

/// Where the reply under a block goes.
#[derive(Debug, Clone)]
pub struct ReplyPlace {
    /// The start of the line that it begins on, in bytes.
    pub at: usize,
    /// Whether the line before is the transcript's last and has no ending.
    pub ends_text: bool,
    /// How the lines around it end.
    pub ending: &'static str,
    /// The language of the fence that it stands in, where it has to have one.
    pub fence: Option<&'static str>,
}

impl ReplyPlace {
    /// The place under a block of a transcript.
    pub fn of(text: &Text, scan: &Scan, placed: &Placed) -> ReplyPlace {
        let mut line = text.line_of(placed.span.end);
        let dialect = placed.block.dialect;
        let fence = match dialect.rules().reply {
            ReplyStyle::PerBlock => None,
            // A block that holds its own fence is answered in one of its own, whatever is around.
            ReplyStyle::InPlace { language } => Some(language),
            ReplyStyle::PerTranscript { language } => {
                let is_fenced = is_fenced(text, scan, placed, &text.line(line + 1));
                line += usize::from(is_fenced);
                is_fenced.then_some(language)
            }
        };
        let (whole, at) = (text.line_start(line), text.line_start(line + 1));
        let last = text.slice(whole..at);
        let (ending, ends_text) = match Ending::of_line(&last) {
            Some(ending) => (ending.as_str(), false),
            None if last.ends_with('\r') => ("\r", false),
            None => (ending_before(text, line), true),
        };
        ReplyPlace { at, ends_text, ending, fence }
    }

    /// The earlier reply that stands there, in its fence where it has to have one, and where.
    pub fn earlier(&self, text: &Text, placed: &Placed) -> Option<(Span, Box<dyn EarlierReply>)> {
        let dialect = placed.block.dialect;
        if self.tail(text) == 0 {
            return None;
        }
        let line = text.line_of(self.at);
        let at = if self.fence.is_some() { text.line_start(line + 1) } else { self.at };
        let earlier = dialect.earlier_reply(&text.slice(at..text.len()))?;
        let span = at..at + earlier.length();
        let closing = text.line(text.line_of(span.end) + 1);
        (self.fence.is_none() || closing == "```").then_some((span, earlier))
    }

    /// How much text there is from an earlier reply on; 0 where none can be.
    fn tail(&self, text: &Text) -> usize {
        let first = text.line(text.line_of(self.at));
        let begins = match self.fence {
            Some(language) => first.strip_prefix("```") == Some(language),
            None => !first.trim().is_empty(),
        };
        if self.ends_text || !begins { 0 } else { text.len() - self.at }
    }
}

/// What replies say that answer several blocks of a dialect together. A clone is cheap.
#[derive(Clone, Default)]
pub struct Together {
    said: Arc<HashMap<BlockId, Spoken>>,
    /// How far from the transcript's end the reply to a dialect's blocks was that was read last.
    read: HashMap<&'static str, usize>,
}

/// What one of them says of a block.
#[derive(Clone, PartialEq)]
struct Spoken {
    told: Told,
    /// Whether other blocks follow the reply.
    is_followed: bool,
}

impl Together {
    /// What is said of a block.
    pub fn of(&self, block: BlockId) -> Option<&Told> {
        self.said.get(&block).map(|spoken| &spoken.told)
    }

    /// Takes note of what is said of a block, or that nothing is; gives whether that is news.
    fn set(&mut self, block: BlockId, spoken: Option<Spoken>) -> bool {
        if self.said.get(&block) == spoken.as_ref() {
            return false;
        }
        let said = Arc::make_mut(&mut self.said);
        match spoken {
            Some(spoken) => _ = said.insert(block, spoken),
            None => _ = said.remove(&block),
        }
        true
    }
}

impl Reviewer {
    /// Takes note of what the replies in a transcript say of all blocks of a dialect whose blocks
    /// are answered together; gives whether the next review has to know.
    ///
    /// Only blocks that a review has seen can be spoken of.
    pub fn read_replies(
        &mut self,
        scan: &Scan,
        text: &Text,
        dialects: impl Iterator<Item = &'static dyn Dialect>,
    ) -> bool {
        let mut news = false;
        for dialect in dialects.filter(|it| it.rules().reply.is_per_transcript()) {
            let name = dialect.name();
            let Some(last) = scan.last_of(name) else {
                // Whatever comes may be a chat that is pasted with all its replies.
                self.together.read.remove(name);
                continue;
            };
            if !self.together.read.contains_key(name) {
                news |= self.read_between(scan, text, dialect);
            }
            let place = ReplyPlace::of(text, scan, &last);
            let tail = place.tail(text);
            // It is another one, or stands elsewhere, than the one that was read last.
            if self.together.read.insert(name, tail).unwrap_or(0) != tail {
                let earlier = place.earlier(text, &last);
                let earlier = earlier.as_ref().map(|(_, earlier)| earlier.as_ref());
                news |= self.read_last(scan, text, name, earlier);
            }
        }
        news
    }

    /// Takes note of what the reply below the last block says, if there is one.
    fn read_last(
        &mut self,
        scan: &Scan,
        text: &Text,
        dialect: &str,
        reply: Option<&dyn EarlierReply>,
    ) -> bool {
        let mut news = false;
        for placed in scan.blocks().filter(|placed| placed.block.dialect.name() == dialect) {
            let told = reply.and_then(|reply| reply.said(text, &placed));
            let spoken = told.map(|told| Spoken { told, is_followed: false });
            news |= self.hear(&placed, spoken);
        }
        news
    }

    /// Takes note of the replies between blocks: the talk went on after them.
    fn read_between(&mut self, scan: &Scan, text: &Text, dialect: &dyn Dialect) -> bool {
        let own = scan.blocks().filter(|placed| placed.block.dialect.name() == dialect.name());
        let blocks: Vec<Placed> = own.collect();
        let (mut from, mut news) = (0, false);
        for (index, pair) in blocks.windows(2).enumerate() {
            let below = text.line_start(text.line_of(pair[0].span.end) + 1);
            let gap = text.slice(below..pair[1].span.start.max(below));
            if let Some(reply) = reply_in(&gap, dialect) {
                // What it does not speak of came after it, or is another block by now.
                for placed in &blocks[from..=index] {
                    let told = reply.said(text, placed);
                    let spoken = told.map(|told| Spoken { told, is_followed: true });
                    news |= spoken.is_some() && self.hear(placed, spoken);
                }
                from = index + 1;
            }
        }
        news
    }

    fn hear(&mut self, placed: &Placed, spoken: Option<Spoken>) -> bool {
        let Some((rank, entry)) = self.last.review.entry(placed.index) else { return false };
        let id = entry.id();
        let settled = self.together.said.get(&id).is_some_and(|known| known.is_followed);
        let news = !settled && self.together.set(id, spoken);
        if news {
            self.void.insert(rank);
        }
        news
    }
}

fn language(dialect: &dyn Dialect) -> Option<&'static str> {
    match dialect.rules().reply {
        ReplyStyle::PerBlock => None,
        ReplyStyle::InPlace { language } | ReplyStyle::PerTranscript { language } => Some(language),
    }
}

/// The reply that text below a block begins with, in its fence or without one.
fn reply_in(gap: &str, dialect: &dyn Dialect) -> Option<Box<dyn EarlierReply>> {
    let mut lines = gap.split_inclusive('\n');
    let (first, second) = (lines.next()?, lines.next().unwrap_or_default());
    let opens = |language| second.trim_end().strip_prefix("```") == Some(language);
    let fenced = Fence::of(first).is_some() && language(dialect).is_some_and(opens);
    let at = if fenced { first.len() + second.len() } else { 0 };
    dialect.earlier_reply(&gap[at..])
}

/// Whether a block stands in a fence that `below`, the line right below it, ends: above it and
/// above the blocks before it stands the line that opens one.
fn is_fenced(text: &Text, scan: &Scan, placed: &Placed, below: &str) -> bool {
    let Some(below) = Fence::of(below) else { return false };
    let blocks: Vec<Span> = scan.blocks().map(|it| it.span).collect();
    let mut line = text.line_of(placed.span.start);
    while let Some(above) = line.checked_sub(1) {
        line = above;
        let said = text.line(line);
        if said.trim().is_empty() {
            continue;
        }
        if let Some(above) = Fence::of(&said) {
            return below.closes(&above);
        }
        let at = text.line_start(line);
        let after = blocks.partition_point(|span| span.start <= at);
        match after.checked_sub(1).map(|before| &blocks[before]) {
            Some(block) if at <= block.end => line = text.line_of(block.start),
            _ => return false,
        }
    }
    false
}

fn ending_before(text: &Text, line: usize) -> &'static str {
    let before = line.checked_sub(1).map(|line| text.line_start(line)..text.line_start(line + 1));
    let ending = before.and_then(|span| Ending::of_line(&text.slice(span)));
    ending.unwrap_or(Ending::Lf).as_str()
}
