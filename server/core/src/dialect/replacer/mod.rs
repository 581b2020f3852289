//! The dialect `replacer`: `<<<SEARCH>>>`, `<<<REPLACE>>>` and `<<<OVERWRITE>>>` sections for files.

mod draft;
mod marker;
mod parse;
mod reader;
mod reply;
mod walk;
mod writing;

use crate::dialect::{Answer, Dialect, Opening, Parsed, Reader, Source, Writing};
use crate::snapshot::PathStyle;
use crate::text::{Span, Text};

/// The dialect, see `spec/replacer.md`.
pub struct Replacer;

impl Dialect for Replacer {
    fn name(&self) -> &'static str {
        "replacer"
    }

    fn needles(&self) -> &'static [&'static str] {
        &["<<<", ">>>"]
    }

    fn opens(&self, line: &str, next: &str) -> Opening {
        reader::opens(line, next)
    }

    fn reader(&self, first: &str) -> Box<dyn Reader> {
        Box::new(reader::BlockReader::new(first))
    }

    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }

    fn locate(&self, parsed: &Parsed, field: &str) -> Span {
        let named = parsed.field(field).or_else(|| parsed.field("path"));
        let place = named.or_else(|| parsed.fields.first());
        place.map_or(0..0, |field| match field.heredoc {
            // A section may be long: the marker that opens it stands for it.
            true => field.key.clone(),
            false => field.value.clone(),
        })
    }

    fn encode(&self, _: &str, value: &str) -> String {
        value.to_owned()
    }

    fn replies(&self, _: &Text, answers: &[Answer]) -> Vec<String> {
        answers.iter().map(reply::render).collect()
    }

    fn paths(&self) -> PathStyle {
        PathStyle::Either
    }

    fn writing(&self) -> Option<&dyn Writing> {
        Some(&writing::Sections)
    }

    fn ids_are_unique(&self) -> bool {
        false
    }

    fn reads_first(&self) -> bool {
        false
    }

    fn specification(&self) -> &'static str {
        crate::spec::REPLACER
    }
}
