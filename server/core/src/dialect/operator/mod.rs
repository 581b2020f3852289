//! The dialect `operator`: `OPERATOR_CMD` blocks of `key: value` lines.

mod base64;
mod build;
mod check;
mod line;
mod marker;
mod parse;
mod reader;
mod render;
mod reply;
mod value;
mod writing;

#[cfg(test)]
mod tests;

pub use base64::{Base64Error, Repair, decode, encode};
pub use render::render;

use crate::dialect::{
    Answers, Candidate, Dialect, Opening, Parsed, ParsedField, Read, Reader, Recognise, Reply,
    ReplyStyle, Rules, Source, margin,
};
use crate::problem::Replacement;
use crate::snapshot::PathStyle;
use crate::spec::{self, FieldType};
use marker::{Likeness, Marker};

/// The dialect, see `spec/operator.md`.
pub struct Operator;

static RULES: Rules = Rules {
    name: "operator",
    help: "blocks of keys and values, payloads in base64, a result for each block",
    family: "operator",
    needles: &[],
    needles_any_case: &["operator_cmd", "operator\\_cmd", "operator_result"],
    looks_back: 0,
    in_chats_only: false,
    paths: PathStyle::Relative,
    reply: ReplyStyle::PerBlock,
    ids_are_unique: true,
    reads_first: true,
    in_json: false,
    languages: &["operator"],
    files: &["*.operator"],
    common_keys: writing::COMMON_KEYS,
    writing: Some(&writing::Lines),
    specification: spec::OPERATOR,
};

impl Dialect for Operator {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for Operator {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        margin::opens(candidate, starts, |it| reader::opens(it.line, it.next))
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        margin::reader(first, starts, |first| match is_reply(first.line) {
            true => Box::new(reader::ReplyReader),
            false => Box::new(reader::CommandReader::new()),
        })
    }
}

impl Read for Operator {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        let first = source.text.split(['\n', '\r']).next().unwrap_or_default();
        match is_reply(first) {
            true => parse::reply(source.looked_at()),
            false => margin::parse(source, starts, |source| {
                parse::command(source.looked_at(), source.end)
            }),
        }
    }

    fn state_base(&self, parsed: &Parsed, _: &str, fingerprint: &str) -> Option<Replacement> {
        if let Some(field) = parsed.field("base_fingerprint") {
            return Some(Replacement::new(field.value.clone(), fingerprint));
        }
        let before = parsed.field("path").map_or(marker::START.len(), |field| field.key.start);
        Some(Replacement::insert(before, format!("base_fingerprint: {fingerprint}{}", parsed.eol)))
    }

    fn decode(&self, kind: Option<FieldType>, _: &ParsedField, raw: &str) -> Option<String> {
        match kind.is_some_and(FieldType::is_base64) {
            true => String::from_utf8(decode(raw).ok()?).ok(),
            false => Some(raw.to_owned()),
        }
    }

    fn write(&self, kind: FieldType, value: &str) -> String {
        if kind.is_base64() { encode(value) } else { value.to_owned() }
    }
}

impl Reply for Operator {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        // A reply repeats the command's id; without one there is nobody to tell.
        to.answers.iter().filter_map(|answer| reply::render(to.transcript, answer)).collect()
    }
}

fn is_reply(first: &str) -> bool {
    marker::find(first).is_some_and(|marked| {
        marked.marker == Marker::ReplyStart && marked.likeness == Likeness::Exact
    })
}

/// Whether a line is the exact start of a command, and the next one a field.
fn starts(line: &str, next: &str) -> bool {
    line == marker::START && line::looks_like_field(next)
}
