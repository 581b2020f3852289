//! The dialect as the scan, the plans and the editor ask for it.

use serde_json::Value;

use super::{parse, reader, reply, writing};
use crate::command::edit_ops::Proposal;
use crate::command::{Command, FileEdit, Step};
use crate::dialect::{
    Answer, Answers, Candidate, Dialect, Opening, Parsed, ParsedField, Read, Reader, Recognise,
    Reply, ReplyStyle, Rules, Source,
};
use crate::problem::Replacement;
use crate::snapshot::FileId;
use crate::snapshot::PathStyle;
use crate::spec::FieldType;

/// The dialect, see `spec/edit-ops.md`.
pub struct EditOps;

pub(super) static RULES: Rules = Rules {
    name: "edit-ops",
    help: "a JSON object for the five virtual files",
    family: "edit-ops",
    needles: &["```", "~~~"],
    needles_any_case: &[],
    looks_back: 0,
    in_chats_only: false,
    paths: PathStyle::Virtual,
    reply: ReplyStyle::InPlace { language: "json" },
    ids_are_unique: false,
    reads_first: false,
    in_json: true,
    languages: &[],
    files: &[],
    common_keys: &[],
    writing: Some(&writing::Json),
    specification: include_str!("../../../../../spec/edit-ops.md"),
};

impl Dialect for EditOps {
    fn rules(&self) -> &'static Rules {
        &RULES
    }
}

impl Recognise for EditOps {
    fn opens(&self, candidate: &Candidate<'_>) -> Opening {
        reader::opens(candidate.line, candidate.next)
    }

    fn heads(&self, line: &str) -> bool {
        reader::begins(line)
    }

    fn reader(&self, first: &Candidate<'_>) -> Box<dyn Reader> {
        Box::new(reader::BlockReader::new(first.line))
    }
}

impl Read for EditOps {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }

    fn state_base(&self, parsed: &Parsed, path: &str, fingerprint: &str) -> Option<Replacement> {
        if let Some(field) = parsed.field(path) {
            return Some(Replacement::new(field.value.clone(), fingerprint));
        }
        let one = format!("\"{path}\": \"{fingerprint}\"");
        Some(match parsed.field(parse::BASES) {
            Some(bases) => {
                let more = parsed.fields.iter().any(|field| FileId::of(&field.name).is_some());
                let comma = if more { ", " } else { "" };
                Replacement::insert(bases.value.start + 1, format!("{one}{comma}"))
            }
            None => {
                let first = parsed.fields.first()?.key.start;
                Replacement::insert(first, format!("\"{}\": {{{one}}}, ", parse::BASES))
            }
        })
    }

    fn decode(&self, _: Option<FieldType>, field: &ParsedField, raw: &str) -> Option<String> {
        match &*field.name {
            parse::BASES | "target" | "enabled" => Some(raw.to_owned()),
            _ => serde_json::from_str(&format!("\"{raw}\"")).ok(),
        }
    }

    fn write(&self, _: FieldType, value: &str) -> String {
        let quoted = Value::from(value).to_string();
        quoted[1..quoted.len() - 1].to_owned()
    }
}

impl Reply for EditOps {
    fn replies(&self, to: &Answers<'_>) -> Vec<String> {
        to.answers.iter().map(|answer| reply::render(to.transcript, answer)).collect()
    }

    fn data(&self, answer: &Answer) -> Option<Value> {
        reply::data(answer)
    }

    fn told_paths(&self) -> &'static [&'static str] {
        FileId::NAMES
    }
}

/// The proposal that a command's steps are about; `None` where they change nothing.
pub(super) fn proposal(command: &Command) -> Option<&Proposal> {
    command.steps.iter().find_map(|step| match step {
        Step::Edit { edit: FileEdit::AtOnce { proposal, .. }, .. } => Some(&**proposal),
        _ => None,
    })
}
