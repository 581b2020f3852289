//! The dialect `files`: whole files in fences, each with its path, and perhaps with marks in the
//! place of what stays as it is; or in heredocs that a shell would write to them.

mod fence;
mod heredoc;
mod language;
mod parse;
mod reader;
mod shell;
mod writing;

use crate::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, Read, Reader, Recognise, Reply, Rules, Source,
    around, chat,
};
use crate::problem::Replacement;

/// The dialect, see `spec/files.md`.
pub struct Files;

static RULES: Rules = Rules {
    name: "files",
    help: "whole files in fences, with marks for what stays as it is",
    needles: &["```", "~~~", "<<"],
    looks_back: around::LINES,
    in_chats_only: true,
    writing: Some(&writing::Fences),
    specification: include_str!("../../../../../spec/files.md"),
    ..chat::RULES
};

impl Dialect for Files {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Files {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        match reader::opens(candidate) {
            Opening::Nothing => heredoc::opens(candidate),
            opening => opening,
        }
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        match shell::of_line(first.line) {
            Some(heredoc) => Box::new(heredoc::HeredocReader::new(heredoc, first.fence)),
            None => Box::new(reader::FenceReader::new(first)),
        }
    }
}

impl Read for Files {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        match shell::of_line(source.first_line()) {
            Some(heredoc) => heredoc::parse(source, &heredoc),
            None => parse::parse(source),
        }
    }

    /// The line above the fence counts.
    fn name_file(&self, parsed: &Parsed, path: &str) -> Option<Replacement> {
        Some(Replacement::insert(0, format!("{path}{}", parsed.eol)))
    }
}

impl Reply for Files {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        chat::replies(to)
    }
}
