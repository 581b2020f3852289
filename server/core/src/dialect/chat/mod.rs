//! What the dialects of chats have in common: one reply in Markdown for all blocks of an answer.

mod reply;
mod said;

pub use reply::replies;

use crate::dialect::{
    Answers, BlockEnd, Candidate, Dialect, LineKind, Opening, Parsed, Read, Reader, Recognise,
    Reply, ReplyStyle, Rules, Source, off,
};
use crate::snapshot::PathStyle;

/// The detail of an element of another tool whose edit is a block inside of it. The block is read,
/// so the reply does not ask for it.
pub const HOLDS_BLOCKS: &str = "holds_blocks";

/// The replies to blocks of chats; it has no commands of its own.
pub struct Chat;

/// The name, which the replies have in JSON.
pub const NAME: &str = "chat";

/// What holds for every dialect of the family that does not say otherwise.
pub const RULES: Rules = Rules {
    name: NAME,
    help: "",
    family: NAME,
    needles: &[],
    needles_any_case: &[],
    looks_back: 0,
    in_chats_only: false,
    paths: PathStyle::Either,
    reply: ReplyStyle::PerAnswer,
    ids_are_unique: false,
    reads_first: false,
    in_json: false,
    languages: &[],
    files: &[],
    common_keys: &[],
    writing: None,
    specification: "",
};

static OWN: Rules = Rules { needles: &[off::NEEDLE], ..RULES };

impl Dialect for Chat {
    fn rules(&self) -> &'static Rules {
        &OWN
    }
}

impl Recognise for Chat {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        if said::is_first(candidate.line) { Opening::Starts } else { Opening::Nothing }
    }

    fn reader(&self, _: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(Lines)
    }
}

/// Follows a reply: numbered items, what is indented below them, and blank lines between.
struct Lines;

impl Reader for Lines {
    fn step(&mut self, line: &str, next: &str) -> LineKind {
        match line.trim().is_empty() {
            false if said::belongs(line) => LineKind::Fits,
            true if said::belongs(next) => LineKind::Fits,
            _ => LineKind::Breaks(BlockEnd::Closed),
        }
    }

    /// What is quoted of a file may look like a block.
    fn raw(&self) -> bool {
        true
    }
}

impl Read for Chat {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        said::parse(source)
    }
}

impl Reply for Chat {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        replies(to)
    }
}
