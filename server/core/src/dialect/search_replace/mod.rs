//! The dialect `search-replace`: `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`, below a path.

mod draft;
mod marker;
mod parse;
mod reader;
mod texts;
mod writing;

use crate::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, Read, Reader, Recognise, Reply, Rules, Source,
    around, chat,
};
use crate::problem::Replacement;

/// The dialect, see `spec/search-replace.md`.
pub struct SearchReplace;

static RULES: Rules = Rules {
    name: "search-replace",
    help: "blocks with the text to find and the text to write, which most models know",
    needles: &["<<<", "\\<\\<\\<", "&lt;&lt;&lt;", " REPLACE"],
    needles_any_case: &["--search", "-- search"],
    looks_back: around::LINES,
    writing: Some(&writing::Sections),
    specification: include_str!("../../../../../spec/search-replace.md"),
    ..chat::RULES
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

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(reader::BlockReader::new(first))
    }
}

impl Read for SearchReplace {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }

    /// The nearest line that is a path counts.
    fn name_file(&self, parsed: &Parsed, path: &str) -> Option<Replacement> {
        Some(Replacement::insert(0, format!("{path}{}", parsed.eol)))
    }
}

impl Reply for SearchReplace {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        chat::replies(to)
    }
}
