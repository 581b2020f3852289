//! The dialect as the scan, the plans and the editor ask for it.

use serde_json::Value;

use super::{parse, reader, reply, writing};
use crate::command::edit_ops::Proposal;
use crate::command::{Command, FileEdit, Step};
use crate::dialect::{
    Answer, Candidate, Dialect, Opening, Parsed, ParsedField, Read, Reader, Recognise, Reply,
    ReplyStyle, Rules, Source,
};
use crate::problem::Replacement;
use crate::snapshot::FileId;
use crate::snapshot::PathStyle;
use crate::spec::FieldType;
use crate::text::{Span, Text};

/// The dialect, see `spec/edit-ops.md`.
pub struct EditOps;

static RULES: Rules = Rules {
    name: "edit-ops",
    help: "a JSON object for the five virtual files",
    needles: &["```", "~~~"],
    looks_back: 0,
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

    fn reader(&self, first: &str) -> Box<dyn Reader> {
        Box::new(reader::BlockReader::new(first))
    }
}

impl Read for EditOps {
    fn parse(&self, source: &Source<'_>) -> Parsed {
        parse::parse(source)
    }

    fn locate(&self, parsed: &Parsed, field: &str) -> Span {
        let file = || parsed.field(parse::FILE);
        let place = match field.split_once('/') {
            Some(("ops", rest)) => of_op(parsed, rest).or_else(file),
            Some((_, id)) => parsed.field(id).or_else(|| first_of(parsed, id)),
            None => parsed.field(field).or_else(file),
        };
        place.or(parsed.fields.first()).map_or(0..0, |field| match field.value.is_empty() {
            true => field.key.clone(),
            false => field.value.clone(),
        })
    }

    fn encode(&self, _: &str, value: &str) -> String {
        let quoted = Value::from(value).to_string();
        quoted[1..quoted.len() - 1].to_owned()
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
        match field.name.as_str() {
            parse::BASES | "target" | "enabled" => Some(raw.to_owned()),
            _ => serde_json::from_str(&format!("\"{raw}\"")).ok(),
        }
    }

    fn write(&self, _: FieldType, value: &str) -> String {
        self.encode("", value)
    }

    fn path_beside(&self, parsed: &Parsed, field: &ParsedField) -> Option<Span> {
        let count = parsed.fields.iter().filter(|field| field.name == parse::FILE).count();
        let named =
            |index: &usize| of_op(parsed, &format!("{index}/{}", field.name)) == Some(field);
        let index = (0..count).find(named)?;
        of_op(parsed, &format!("{index}/{}", parse::FILE)).map(|field| field.value.clone())
    }
}

impl Reply for EditOps {
    fn replies(&self, _: &Text, answers: &[Answer]) -> Vec<String> {
        answers.iter().map(reply::render).collect()
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

/// The field of an op that is named `index/name`.
fn of_op<'a>(parsed: &'a Parsed, named: &str) -> Option<&'a ParsedField> {
    let (index, name) = named.split_once('/')?;
    let index = index.parse::<usize>().ok()?;
    let nth =
        |name: &str, nth: usize| parsed.fields.iter().filter(|field| field.name == name).nth(nth);
    match parsed.command.as_ref().and_then(proposal) {
        // Ops that delete have no text.
        Some(proposal) if name == "content" => {
            let with_text = |count: usize| {
                proposal.ops[..count].iter().filter(|op| !op.content().is_empty()).count()
            };
            let has = proposal.ops.get(index).is_some_and(|op| !op.content().is_empty());
            nth(name, with_text(index)).filter(|_| has).or_else(|| nth(parse::FILE, index))
        }
        _ => nth(name, index),
    }
}

/// The `target_file` of the first op on a file.
fn first_of<'a>(parsed: &'a Parsed, id: &str) -> Option<&'a ParsedField> {
    let proposal = parsed.command.as_ref().and_then(proposal)?;
    let index = proposal.ops.iter().position(|op| op.file().as_str() == id)?;
    parsed.fields.iter().filter(|field| field.name == parse::FILE).nth(index)
}
