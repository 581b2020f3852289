//! Where the reply to a block is, or goes.

use crate::dialect::ReplyStyle;
use crate::scan::{Block, Placed, Scan};
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
    /// The language of the fence that it needs.
    pub fence: Option<&'static str>,
    /// The earlier reply that is there, fence included, in bytes.
    pub earlier: Option<Span>,
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
            ReplyStyle::PerAnswer => {
                line += usize::from(is_fenced(text, scan, placed, &text.line(line + 1)));
                None
            }
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
        let mut place = ReplyPlace { at, ends_text, ending, fence, earlier: None };
        let rules = dialect.rules();
        let answers = |reply: &Block| {
            let says = || reply.parsed.says.iter().map(|said| said.of.as_str());
            let name = placed.block.answered_as();
            rules.reply.answers_several() || says().any(|of| Some(of) == name)
        };
        let known = scan.reply_at(at).filter(|it| it.dialect.rules().family == rules.family);
        if let Some(reply) = known.filter(|reply| answers(reply)) {
            if let ReplyStyle::PerTranscript { language } = rules.reply {
                let is_fenced = Fence::of(&text.line(text.line_of(at))).is_some();
                place.fence = is_fenced.then_some(language);
            }
            place.earlier = Some(at..at + reply.len);
        }
        place
    }
}

/// Whether a block is in a fence that `below`, the line right below it, ends: above it, above the
/// blocks before it and above their paths is the line that opens one.
fn is_fenced(text: &Text, scan: &Scan, placed: &Placed, below: &str) -> bool {
    let Some(below) = Fence::of(below) else { return false };
    let blocks: Vec<Placed> = scan.blocks().collect();
    let path_line = |block: &Placed| block.path_above().map(|path| text.line_of(path.start));
    let (mut line, mut path) = (text.line_of(placed.span.start), path_line(placed));
    while let Some(above) = line.checked_sub(1) {
        line = above;
        let said = text.line(line);
        if said.trim().is_empty() || path == Some(line) {
            continue;
        }
        if let Some(above) = Fence::of(&said) {
            return below.closes(&above);
        }
        let at = text.line_start(line);
        let after = blocks.partition_point(|block| block.span.start <= at);
        match after.checked_sub(1).map(|before| &blocks[before]) {
            Some(block) if at <= block.span.end => {
                (line, path) = (text.line_of(block.span.start), path_line(block));
            }
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
