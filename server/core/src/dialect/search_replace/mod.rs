//! The dialect `search-replace`: `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, below a path.

mod draft;
mod marker;
mod parse;
mod reader;
mod writing;

use crate::dialect::{
    Answer, Candidate, Dialect, Opening, Parsed, Read, Reader, Recognise, Reply, ReplyStyle, Rules,
    Source, around, chat,
};
use crate::snapshot::PathStyle;
use crate::text::Text;

/// The dialect, see `spec/search-replace.md`.
pub struct SearchReplace;

static RULES: Rules = Rules {
    name: "search-replace",
    help: "blocks with the text to find and the text to write, which most models know",
    family: chat::NAME,
    needles: &["<<<", "--- SEARCH"],
    looks_back: around::LINES,
    paths: PathStyle::Either,
    reply: ReplyStyle::PerAnswer,
    ids_are_unique: false,
    reads_first: false,
    in_json: false,
    languages: &[],
    files: &[],
    common_keys: &[],
    writing: Some(&writing::Sections),
    specification: include_str!("../../../../../spec/search-replace.md"),
};

impl Dialect for SearchReplace {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for SearchReplace {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        reader::opens(candidate)
    }

    fn reader(&self, _: &str) -> Box<dyn Reader> {
        Box::new(reader::BlockReader)
    }
}

impl Read for SearchReplace {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }
}

impl Reply for SearchReplace {
    fn replies(&self, transcript: &Text, answers: &[Answer]) -> Vec<String> {
        chat::replies(transcript, answers)
    }
}
