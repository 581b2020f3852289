//! The dialect `sham`: `#!SHAM` blocks of `key = value` lines and heredocs.

mod build;
mod data;
mod draft;
mod errors;
mod heredoc;
mod line;
mod marker;
mod parse;
mod reader;
mod reply;
mod result;
mod strings;
mod values;
mod writing;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::command::Command;
use crate::dialect::{
    Answer, Answers, Candidate, Dialect, Opening, Parsed, ParsedField, Read, Reader, Recognise,
    Reply, ReplyStyle, Rules, Source, margin,
};
use crate::plan::Outcome;
use crate::problem::Replacement;
use crate::snapshot::PathStyle;
use crate::spec::{self, FieldType};
use crate::text::Span;
use crate::text::fence::Fence;

/// The dialect, see `spec/sham.md`.
pub struct Sham;

static RULES: Rules = Rules {
    name: "sham",
    help: "blocks with heredocs and absolute paths, one result for all",
    family: "sham",
    needles: &["#!", "[@", "```", "~~~"],
    needles_any_case: &[],
    looks_back: 0,
    in_chats_only: false,
    paths: PathStyle::Absolute,
    reply: ReplyStyle::PerTranscript { language: "json" },
    ids_are_unique: false,
    reads_first: false,
    in_json: false,
    languages: &["sham"],
    files: &["*.sham", "*.nesl"],
    common_keys: writing::COMMON_KEYS,
    writing: Some(&writing::Lines),
    specification: include_str!("../../../../../spec/sham.md"),
};

impl Dialect for Sham {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Sham {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        match result::is_fence(candidate.line, candidate.next) {
            true => Opening::Maybe,
            false => margin::opens(candidate, starts, |it| reader::opens(it.line, it.next)),
        }
    }

    fn follows(&self, candidate: &Candidate<'_>) -> bool {
        result::begins(candidate.line, candidate.next)
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        match is_result(first.line) {
            true => Box::new(result::ResultReader::new(first.line)),
            false => margin::reader(first, starts, |first| {
                Box::new(reader::BlockReader::new(first.line))
            }),
        }
    }
}

impl Read for Sham {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        match is_result(source.text) {
            true => result::parse(source),
            false => margin::parse(source, starts, parse::parse),
        }
    }

    fn state_base(&self, parsed: &Parsed, _: &str, fingerprint: &str) -> Option<Replacement> {
        let action = spec::action(RULES.name, parsed.action.as_deref()?)?;
        let is_of_several = parsed.command.as_ref().is_some_and(|it| it.steps.len() > 1);
        action.field("base_fingerprint").filter(|_| !is_of_several)?;
        if let Some(field) = parsed.field("base_fingerprint") {
            return Some(Replacement::new(field.value.clone(), fingerprint));
        }
        let action = parsed.field("action");
        let before = action.map_or(0, |field| field.key.start);
        Some(Replacement::insert(
            before,
            format!("base_fingerprint = \"{fingerprint}\"{}", parsed.eol),
        ))
    }

    fn decode(&self, _: Option<FieldType>, field: &ParsedField, raw: &str) -> Option<String> {
        if field.heredoc { Some(raw.replace("\r\n", "\n")) } else { line::decode(raw).ok() }
    }

    fn write(&self, _: FieldType, value: &str) -> String {
        let quoted = line::encode(value);
        quoted[1..quoted.len() - 1].to_owned()
    }

    fn delimiters(&self, block: &str, field: &ParsedField) -> Vec<Span> {
        writing::delimiters(block, field)
    }
}

impl Reply for Sham {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        vec![reply::render(to.transcript, to.answers)]
    }

    fn summary(&self, command: Option<&Command>, outcome: &Outcome) -> String {
        command.map_or_else(String::new, |command| data::line(command, outcome))
    }

    fn data(&self, answer: &Answer) -> Option<Value> {
        let command = answer.placed.block.parsed.command.as_ref()?;
        let data = data::data(command, answer.result.as_ref().ok()?);
        Some(data).filter(|data| !data.is_null())
    }
}

/// Whether a block that begins so is a result: no header begins with a bracket or is a fence.
fn is_result(text: &str) -> bool {
    let first = text.split(['\n', '\r']).next().unwrap_or_default();
    first.starts_with('{') || Fence::of(first).is_some()
}

/// Whether a line is an exact header, and the next one a line of its block.
fn starts(line: &str, next: &str) -> bool {
    let header = || marker::header(line).is_some_and(|header| header.flaw == marker::Flaw::None);
    reader::is_of_a_block(next) && header()
}
