//! The dialect `apply-patch`: `*** Begin Patch`, files with chunks of lines, `*** End Patch`.

mod draft;
mod line;
mod parse;
mod reader;
mod writing;

use crate::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, ParsedField, Read, Reader, Recognise, Reply,
    Rules, Source, chat,
};
use crate::problem::Replacement;
use crate::spec::FieldRole;

/// The dialect, see `spec/apply-patch.md`.
pub struct ApplyPatch;

static RULES: Rules = Rules {
    name: "apply-patch",
    help: "patches of several files, all or nothing, which models of OpenAI know",
    needles: &["***", "\\*\\*\\*"],
    writing: Some(&writing::Patches),
    specification: include_str!("../../../../../spec/apply-patch.md"),
    ..chat::RULES
};

impl Dialect for ApplyPatch {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for ApplyPatch {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        reader::opens(candidate)
    }

    fn reader(&self, _: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(reader::PatchReader)
    }
}

impl Read for ApplyPatch {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }

    fn delete_first(&self, parsed: &Parsed, op: Option<usize>, path: &str) -> Option<Replacement> {
        let is_path = |field: &&ParsedField| field.role == Some(FieldRole::Path);
        let paths = parsed.fields.iter().filter(is_path);
        let header = paths.take_while(|field| op.is_none() || field.op <= op).last()?.key.start;
        Some(Replacement::insert(header, format!("*** Delete File: {path}{}", parsed.eol)))
    }
}

impl Reply for ApplyPatch {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        chat::replies(to)
    }
}
