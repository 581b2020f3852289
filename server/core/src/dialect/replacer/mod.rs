//! The dialect `replacer`: `<<<SEARCH>>>`, `<<<REPLACE>>>` and `<<<OVERWRITE>>>` sections for files.

mod draft;
mod marker;
mod parse;
mod reader;
mod reply;
mod walk;
mod writing;

use crate::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, Read, Reader, Recognise, Reply, ReplyStyle,
    Rules, Source, margin,
};
use crate::snapshot::PathStyle;
use marker::Word;

/// The dialect, see `spec/replacer.md`.
pub struct Replacer;

static RULES: Rules = Rules {
    name: "replacer",
    help: "search and replace sections, the shortest to write",
    family: "replacer",
    needles: &["<<", "\\<\\<", "&lt;&lt;&lt;"],
    needles_any_case: &[],
    looks_back: 0,
    in_chats_only: false,
    paths: PathStyle::Named,
    reply: ReplyStyle::PerBlock,
    ids_are_unique: false,
    reads_first: false,
    in_json: false,
    languages: &[],
    files: &[],
    common_keys: &[],
    writing: Some(&writing::Sections),
    specification: include_str!("../../../../../spec/replacer.md"),
};

impl Dialect for Replacer {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Replacer {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        margin::opens(candidate, starts, |it| reader::opens(it.line, it.next))
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        margin::reader(first, starts, |first| Box::new(reader::BlockReader::new(first.line)))
    }
}

impl Read for Replacer {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        margin::parse(source, starts, parse::parse)
    }
}

impl Reply for Replacer {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        to.answers.iter().map(|answer| reply::render(to.transcript, answer)).collect()
    }
}

/// Whether a line is the exact start of an edit, and the next one no marker.
fn starts(line: &str, next: &str) -> bool {
    let is_start = [Word::Explanation, Word::File].iter().any(|word| line == word.as_str());
    is_start && !marker::is_marker(next)
}
