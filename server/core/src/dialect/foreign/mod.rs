//! Edits in the forms of other tools: they are read and named, and not applied.

mod line;
mod spellings;

use crate::dialect::{
    Answers, BlockEnd, Candidate, Dialect, LineKind, Opening, Parsed, Read, Reader, Recognise,
    Reply, Role, Rules, Source, chat, margin,
};
use crate::problem::{self, Problem};
use crate::text::work;

/// Tool calls, elements and headings that ask for an edit. It has no blocks.
pub struct Foreign;

static RULES: Rules =
    Rules { name: "foreign", needles: spellings::NEEDLES, in_chats_only: true, ..chat::RULES };

impl Dialect for Foreign {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Foreign {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        let before = margin::of(candidate.line).len();
        let line = candidate.line[before..].trim_end();
        work::add(line.len());
        let next = &candidate.next[margin::of(candidate.next).len()..];
        let Some(named) = line::named(line, next, candidate.fence.is_some()) else {
            return Opening::Nothing;
        };
        let span = before + named.span.start..before + named.span.end;
        let problem = Problem::new(problem::CHAT_NOT_APPLIED, span, named.message);
        Opening::Stray(match named.holds_blocks {
            true => problem.detail(chat::HOLDS_BLOCKS, true),
            false => problem,
        })
    }

    fn reader(&self, _: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(NoBlock)
    }
}

/// The reader of a dialect without blocks.
struct NoBlock;

impl Reader for NoBlock {
    fn step(&mut self, _: &str, _: &str) -> LineKind {
        LineKind::Breaks(BlockEnd::Closed)
    }

    fn is_block(&self) -> bool {
        false
    }
}

impl Read for Foreign {
    fn parse(&self, _: &Source<'_>) -> Parsed {
        Parsed::new(Role::Command, "\n")
    }
}

impl Reply for Foreign {
    fn replies(&self, _: &Answers<'_>) -> Vec<String> {
        Vec::new()
    }
}
