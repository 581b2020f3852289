//! The dialect `sham`: `#!SHAM` blocks of `key = value` lines and heredocs.

mod build;
mod data;
mod draft;
mod earlier;
mod errors;
mod heredoc;
mod line;
mod marker;
mod parse;
mod reader;
mod reply;
mod strings;
mod values;
mod writing;

#[cfg(test)]
mod tests;

use serde_json::Value;

use crate::command::Command;
use crate::dialect::{
    Answer, CommonKey, Dialect, EarlierReply, Opening, Parsed, ParsedField, Reader, Source, Writing,
};
use crate::plan::Outcome;
use crate::problem::Replacement;
use crate::snapshot::PathStyle;
use crate::spec::FieldType;
use crate::text::{Span, Text};

/// The dialect, see `spec/sham.md`.
pub struct Sham;

impl Dialect for Sham {
    fn name(&self) -> &'static str {
        "sham"
    }

    fn needles(&self) -> &'static [&'static str] {
        &["#!sham", "#!nesl", "#!end_"]
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
        let keys: &[&str] = match field {
            "path" => &["path", "old_path", "source_path", "base_path", "paths"],
            "path_to" => &["new_path", "dest_path"],
            "dest_path" => &["dest_path"],
            "content" => &["content", "new_content", "new_text"],
            "target" => &["target", "source_target", "path"],
            "base" => &["base_fingerprint"],
            "expected_count" | "count" => &["count", "expected_count"],
            other => &[other],
        };
        let named = keys.iter().find_map(|key| parsed.field(key));
        let place = named.or_else(|| parsed.field("path")).or_else(|| parsed.field("action"));
        place.map_or(0..marker::Style::Sham.word().len(), |field| match field.heredoc {
            // A heredoc's text may be long: the line that opens it stands for it.
            true => field.key.clone(),
            false => field.value.clone(),
        })
    }

    fn encode(&self, _: &str, value: &str) -> String {
        let quoted = line::encode(value);
        quoted[1..quoted.len() - 1].to_owned()
    }

    fn state_base(&self, parsed: &Parsed, _: &str, fingerprint: &str) -> Option<Replacement> {
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

    fn replies(&self, transcript: &Text, answers: &[Answer]) -> Vec<String> {
        vec![reply::render(transcript, answers)]
    }

    fn earlier_reply(&self, text: &str) -> Option<Box<dyn EarlierReply>> {
        Some(Box::new(earlier::read(text)?))
    }

    fn reply_language(&self) -> Option<&'static str> {
        Some("json")
    }

    fn answers_together(&self) -> bool {
        true
    }

    fn summary(&self, command: Option<&Command>, outcome: &Outcome) -> String {
        command.map_or_else(String::new, |command| data::line(command, outcome))
    }

    fn data(&self, answer: &Answer) -> Option<Value> {
        let command = answer.placed.block.parsed.command.as_ref()?;
        let data = data::data(command, answer.result.as_ref().ok()?);
        Some(data).filter(|data| !data.is_null())
    }

    fn ids_are_unique(&self) -> bool {
        false
    }

    fn reads_first(&self) -> bool {
        false
    }

    fn decode(&self, _: Option<FieldType>, field: &ParsedField, raw: &str) -> Option<String> {
        if field.heredoc { Some(raw.replace("\r\n", "\n")) } else { line::decode(raw).ok() }
    }

    fn write(&self, _: FieldType, value: &str) -> String {
        self.encode("", value)
    }

    fn common_keys(&self) -> &'static [CommonKey] {
        writing::COMMON_KEYS
    }

    fn paths(&self) -> PathStyle {
        PathStyle::Absolute
    }

    fn delimiters(&self, block: &str, field: &ParsedField) -> Vec<Span> {
        writing::delimiters(block, field)
    }

    fn writing(&self) -> Option<&dyn Writing> {
        Some(&writing::Lines)
    }

    fn specification(&self) -> &'static str {
        crate::spec::SHAM
    }
}
