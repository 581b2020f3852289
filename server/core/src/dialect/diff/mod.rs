//! The dialect `diff`: unified diffs, as `diff -u` and git write them; one block for each file.

mod draft;
mod line;
mod names;
mod parse;
mod reader;
mod walk;
mod writing;

use crate::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, Read, Reader, Recognise, Reply, Rules, Source,
    around, chat,
};
use crate::problem::Replacement;
use crate::text::fence::Fence;

/// The dialect, see `spec/diff.md`.
pub struct Diff;

static RULES: Rules = Rules {
    name: "diff",
    help: "unified diffs, as git writes them",
    needles: &["```", "~~~", "--- ", "diff --git ", "@@ -"],
    looks_back: around::LINES,
    in_chats_only: true,
    writing: Some(&writing::Diffs),
    specification: include_str!("../../../../../spec/diff.md"),
    ..chat::RULES
};

impl Dialect for Diff {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Diff {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        reader::opens(candidate)
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(reader::DiffReader::new(first))
    }
}

impl Read for Diff {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }

    fn ends_with_content(&self, last: &str) -> bool {
        Fence::of(last).is_none()
    }

    fn name_file(&self, parsed: &Parsed, path: &str) -> Option<Replacement> {
        let hunk = parsed.field(parse::HUNK)?.key.start;
        let eol = parsed.eol;
        Some(Replacement::insert(hunk, format!("--- a/{path}{eol}+++ b/{path}{eol}")))
    }

    fn add_context(&self, parsed: &Parsed, lines: &[String]) -> Option<Replacement> {
        let header = parsed.field(parse::HUNK)?.key.end;
        let context = lines.iter().map(|line| format!("{} {line}", parsed.eol)).collect::<String>();
        Some(Replacement::insert(header, context))
    }
}

impl Reply for Diff {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        chat::replies(to)
    }
}
