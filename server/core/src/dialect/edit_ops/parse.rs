//! From a block's text to its fields, its problems and its command.

use std::sync::Arc;

use serde_json::Value;

use super::dialect::RULES;
use super::outline::{Outline, end_of_text};
use super::{OpSpans, Read, read};
use crate::command::edit_ops::Proposal;
use crate::command::{Command, FileEdit, Missing, StatedBase, Step};
use crate::dialect::{ABOVE, BlockEnd, Claim, Parsed, ParsedField, REFUSED, Role, Said, Source};
use crate::fingerprint::Fingerprint;
use crate::problem::{EDIT_OPS_MISSING_BASE, Problem};
use crate::snapshot::FileId;
use crate::snapshot::PathStyle;
use crate::spec::{self, Effect};
use crate::text::fence::Fence;
use crate::text::{Span, lines};

/// The field that names an op's file.
pub const FILE: &str = "target_file";
/// The field with the fingerprints that a proposal was made for.
pub const BASES: &str = "base_fingerprints";

const ACTION: &str = "edit-ops.proposal";

/// What a block's text says.
pub fn parse(source: &Source<'_>) -> Parsed {
    let text = source.text;
    let first = lines::each(text).next().unwrap_or(0..0);
    let eol = lines::eol_after(text, first.end);
    let object = object(text, &first);
    let parsed = Parsed::new(Role::Command, eol);
    match reply(&text[object.clone()]) {
        Some(claim) => {
            let said = Said { of: ABOVE.to_owned(), claim, told: None };
            Parsed { role: Role::Reply, says: vec![said], ..parsed }
        }
        None if source.end == BlockEnd::TooLarge => {
            Parsed { action: Some(ACTION.to_owned()), effect: Some(Effect::Write), ..parsed }
        }
        None => proposal(parsed, text, object),
    }
}

/// Where the object is: between the lines of its fence, where it has one.
fn object(text: &str, first: &Span) -> Span {
    let Some(fence) = Fence::of(&text[first.clone()]) else {
        let start = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        return start..text.len();
    };
    let start = lines::after_ending(text, first.end);
    let last = lines::around(text, text.len());
    let closing = Fence::of(&text[last.clone()]).filter(|closing| closing.closes(&fence));
    start
        ..closing
            .filter(|_| last.start >= start && first.end < text.len())
            .map_or(text.len(), |_| last.start)
}

/// What an object says that answers a proposal.
fn reply(text: &str) -> Option<Claim> {
    let mut outline = Outline::default();
    for line in lines::each(text) {
        outline.take(&text[line]);
    }
    if !outline.is_reply() {
        return None;
    }
    let reply: Value = serde_json::from_str(text).unwrap_or_default();
    let refuses = |value: &Value| value["error"] == REFUSED;
    let refused = refuses(&reply) || reply["results"].as_array()?.iter().any(refuses);
    let stated = Fingerprint::all_in(text);
    Some(Claim { ok: reply["applied"] == true, refused, again: false, stated })
}

fn proposal(parsed: Parsed, text: &str, object: Span) -> Parsed {
    let start = object.start;
    let read = read(&text[object.clone()]);
    let mut fields = fields(&text[object], &read);
    for field in &mut fields {
        field.key = start + field.key.start..start + field.key.end;
        field.value = start + field.value.start..start + field.value.end;
    }
    let path = fields.iter().find(|field| field.name == FILE);
    let path = path.map(|field| text[field.value.clone()].to_owned());
    let mut problems: Vec<Problem> =
        read.problems.into_iter().map(|problem| problem.shifted(start)).collect();
    if let Some(proposal) = &read.proposal {
        problems.extend(missing_bases(proposal, &fields));
        problems.sort_by_key(|problem| problem.span.start);
    }
    let action = spec::action("edit-ops", ACTION);
    let command = read.proposal.zip(action).map(|(proposal, action)| Command {
        action,
        name: ACTION.to_owned(),
        bases: bases(&proposal),
        steps: steps(proposal),
        is_list: false,
        paths: PathStyle::Virtual,
    });
    Parsed {
        action: Some(ACTION.to_owned()),
        effect: Some(Effect::Write),
        path,
        fields,
        problems,
        command,
        ..parsed
    }
}

/// One step for each file that ops are about.
fn steps(proposal: Proposal) -> Vec<Step> {
    let files = proposal.files();
    if files.is_empty() {
        let reason = if proposal.enabled { "there are no ops" } else { "edit-ops was disabled" };
        return vec![Step::Nothing { reason }];
    }
    let proposal = Arc::new(proposal);
    let step = |file: FileId| {
        let edit = FileEdit::AtOnce { proposal: proposal.clone(), file };
        Step::Edit { path: file.to_string(), edit, missing: Missing::Create }
    };
    files.into_iter().map(step).collect()
}

/// What the proposal says that the files were which it changes.
fn bases(proposal: &Proposal) -> Vec<StatedBase> {
    let base = |file: FileId| {
        let fingerprint = *proposal.base_fingerprints.get(&file)?;
        Some(StatedBase { path: file.to_string(), fingerprint })
    };
    proposal.files().into_iter().filter_map(base).collect()
}

/// Says of each file for which the proposal does not state what it was.
fn missing_bases(proposal: &Proposal, fields: &[ParsedField]) -> Vec<Problem> {
    let stated = |file: &FileId| proposal.base_fingerprints.contains_key(file);
    let problem = |file: FileId| {
        let op = proposal.first_op(file);
        let field = fields.iter().find(|field| field.name == FILE && field.op == op)?;
        let says = format!(
            "`base_fingerprints` does not say what {file} was when this was proposed; what it is \
             when the proposal comes in is taken for that"
        );
        Some(Problem::new(EDIT_OPS_MISSING_BASE, field.value.clone(), says))
    };
    proposal.files().into_iter().filter(|file| !stated(file)).filter_map(problem).collect()
}

/// The members of the object, of its ops and of its fingerprints, in the order of the text.
fn fields(text: &str, read: &Read) -> Vec<ParsedField> {
    let action = spec::action("edit-ops", ACTION);
    let field = |name: &str, op: Option<usize>, key: Span, value: Span| {
        let (name, role) = RULES.field(action, name);
        ParsedField { name, role, op, key, value, heredoc: false }
    };
    let mut fields = Vec::new();
    for (name, key) in &read.keys {
        let value = match name.as_str() {
            BASES => read.fingerprints.clone().unwrap_or(key.end..key.end),
            _ => scalar_behind(text, key.end),
        };
        fields.push(field(name, None, key.clone(), value));
    }
    for (index, op) in read.ops.iter().enumerate() {
        for (name, value) in members(op) {
            let key = key_before(text, name, op.whole.start..value.start);
            fields.push(field(name, Some(index), key, inside(text, value)));
        }
    }
    for (file, value) in &read.bases {
        let from = read.fingerprints.as_ref().map_or(0, |whole| whole.start);
        let key = key_before(text, file.as_str(), from..value.start);
        let op = read.proposal.as_ref().and_then(|proposal| proposal.first_op(*file));
        fields.push(field(file.as_str(), op, key, inside(text, value)));
    }
    fields.sort_by_key(|field| field.key.start);
    fields
}

fn members(op: &OpSpans) -> impl Iterator<Item = (&'static str, &Span)> {
    let members =
        [("op", &op.op), (FILE, &op.file), ("target", &op.target), ("content", &op.content)];
    members.into_iter().filter_map(|(name, span)| Some((name, span.as_ref()?)))
}

/// A value's characters, without the quotes of a text.
fn inside(text: &str, value: &Span) -> Span {
    match text.as_bytes().get(value.start) {
        Some(b'"') => value.start + 1..value.end - 1,
        _ => value.clone(),
    }
}

/// Where the key of a value is, which is the last of that name before the value.
fn key_before(text: &str, name: &str, around: Span) -> Span {
    let found = text[around.clone()].rfind(&format!("\"{name}\""));
    // A key that is written with escapes has no place to show.
    found.map_or(around.end..around.end, |at| {
        let start = around.start + at;
        start..start + name.len() + 2
    })
}

/// The text, number or word after a key; nothing where a list or an object is there.
fn scalar_behind(text: &str, key: usize) -> Span {
    let rest = &text[key..];
    let value = rest.trim_start().trim_start_matches(':').trim_start();
    let start = text.len() - value.len();
    match value.as_bytes().first() {
        Some(b'"') => {
            let end = end_of_text(text.as_bytes(), start + 1);
            start + 1..end.unwrap_or(start + 1)
        }
        Some(b'{' | b'[') => start..start,
        _ => {
            let ends = |c: char| c == ',' || c == '}' || c.is_whitespace();
            start..start + value.find(ends).unwrap_or(value.len())
        }
    }
}
