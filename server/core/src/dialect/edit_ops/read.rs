//! From JSON to a proposal: every departure from the schema, at its place.

use std::collections::HashSet;

use jsonc_parser::ast::{Array, Object, ObjectProp, StringLit, Value};
use jsonc_parser::common::Ranged;

use super::json::{self, span};
use crate::command::edit_ops::{Outcome, Proposal};
use crate::fingerprint::Fingerprint;
use crate::json::member_pointer;
use crate::limits::PROBLEMS;
use crate::problem::{
    Code, EDIT_OPS_SCHEMA, EDIT_OPS_UNKNOWN_FILE, Problem, Replacement, too_many,
};
use crate::snapshot::FileId;
use crate::text::Span;
use crate::text::nearest::nearest;

/// What a text says, as far as it is a proposal. Spans count from the text's start.
#[derive(Debug, Clone, Default)]
pub struct Read {
    /// The proposal; `None` where there is a problem.
    pub proposal: Option<Proposal>,
    /// What is wrong, in the order of the text.
    pub problems: Vec<Problem>,
    /// The names of the object's members, in order, and their places, quotes included.
    pub keys: Vec<(String, Span)>,
    /// The places of each op.
    pub ops: Vec<OpSpans>,
    /// The place of the value of `base_fingerprints`.
    pub fingerprints: Option<Span>,
    /// The places of the values in it.
    pub bases: Vec<(FileId, Span)>,
}

/// Where the parts of an op are; quotes count to a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpSpans {
    /// All of it.
    pub whole: Span,
    /// The value of `op`.
    pub op: Option<Span>,
    /// The value of `target_file`.
    pub file: Option<Span>,
    /// The value of `target`.
    pub target: Option<Span>,
    /// The value of `content`.
    pub content: Option<Span>,
}

/// Reads the proposal that `text` is; blanks around the object do not count.
pub fn read(text: &str) -> Read {
    let value = match json::parse(text) {
        Ok(value) => value,
        Err(problem) => return Read { problems: vec![*problem], ..Read::default() },
    };
    let mut walk = Walk::default();
    match &value {
        Value::Object(object) => walk.proposal(object),
        other => walk.wrong("", span(other), "a proposal is an object"),
    }
    let mut read = walk.read;
    if read.problems.is_empty() {
        match serde_json::from_str(text) {
            Ok(proposal) => read.proposal = Some(proposal),
            // The walk says all that the types ask for (a property holds them together), so that
            // this is what a text gets that neither of them foresaw.
            Err(error) => read.problems.push(wrong("", 0..text.len(), &error.to_string())),
        }
    }
    read.problems.sort_by_key(|problem| problem.span.start);
    read
}

/// A problem with the value at a JSON pointer (RFC 6901).
fn wrong(pointer: &str, place: Span, says: &str) -> Problem {
    problem(EDIT_OPS_SCHEMA, pointer, place, says)
}

fn problem(code: Code, pointer: &str, place: Span, says: &str) -> Problem {
    let at = if pointer.is_empty() { String::new() } else { format!("{pointer}: ") };
    Problem::new(code, place, format!("{at}{says}")).detail("pointer", pointer)
}

#[derive(Default)]
struct Walk {
    read: Read,
}

const OPS: [&str; 3] = ["insert", "replace", "delete"];
const KINDS: [&str; 3] = ["document", "selection", "cursor"];

impl Walk {
    /// Whether there are so many problems that what begins at `place` is not looked at.
    fn is_full(&mut self, place: Span) -> bool {
        let count = self.read.problems.len();
        if count == PROBLEMS {
            self.read.problems.push(too_many(place));
        }
        count >= PROBLEMS
    }

    fn wrong(&mut self, pointer: &str, place: Span, says: &str) {
        self.read.problems.push(wrong(pointer, place, says));
    }

    fn proposal(&mut self, object: &Object<'_>) {
        let known = ["enabled", "assistant_message", "ops", "base_fingerprints", "eval"];
        self.members("", object, &known);
        let keys = object.properties.iter().take(PROBLEMS);
        self.read.keys = keys.map(|it| (it.name.as_str().to_owned(), span(&it.name))).collect();
        self.expect("", object, "enabled", "true or false", |it| it.as_boolean_lit().is_some());
        self.expect("", object, "assistant_message", "a text", is_text);
        match value(object, "ops") {
            Some(Value::Array(ops)) => self.ops(ops),
            Some(other) => self.wrong("/ops", span(other), "this must be a list of ops"),
            None => self.wrong("", span(object), "a proposal has `ops`, a list; it may be empty"),
        }
        match value(object, "base_fingerprints") {
            Some(Value::Object(files)) => self.bases(files),
            Some(other) => {
                let says = "this must be an object of fingerprints by file";
                self.wrong("/base_fingerprints", span(other), says);
            }
            None => {}
        }
        match value(object, "eval") {
            Some(Value::Object(eval)) => self.eval(eval),
            Some(other) => self.wrong("/eval", span(other), "this must be an object"),
            None => {}
        }
    }

    fn bases(&mut self, files: &Object<'_>) {
        self.read.fingerprints = Some(span(files));
        self.duplicates("/base_fingerprints", files);
        for member in &files.properties {
            if self.is_full(span(&member.name)) {
                return;
            }
            let pointer = member_pointer("/base_fingerprints", member.name.as_str());
            match FileId::of(member.name.as_str()) {
                Some(file) => self.read.bases.push((file, span(&member.value))),
                None => self.unknown_file(&pointer, member.name.as_str(), span(&member.name)),
            }
            let text = member.value.as_string_lit();
            if text.is_none_or(|text| text.value.parse::<Fingerprint>().is_err()) {
                let says = "a fingerprint is sha256: and 64 lower-case hexadecimal digits";
                self.wrong(&pointer, span(&member.value), says);
            }
        }
    }

    fn eval(&mut self, eval: &Object<'_>) {
        self.members("/eval", eval, &["template_id", "outcome"]);
        self.required("/eval", eval, "template_id");
        self.required("/eval", eval, "outcome");
        self.expect("/eval", eval, "template_id", "a text", is_text);
        let says = "one of the outcomes that the specification lists";
        self.expect("/eval", eval, "outcome", says, |it| {
            let text = it.as_string_lit().map(|text| serde_json::Value::from(&*text.value));
            text.is_some_and(|text| serde_json::from_value::<Outcome>(text).is_ok())
        });
    }

    fn ops(&mut self, ops: &Array<'_>) {
        for (index, op) in ops.elements.iter().enumerate() {
            if self.is_full(span(op)) {
                return;
            }
            let pointer = format!("/ops/{index}");
            match op {
                Value::Object(object) => self.op(&pointer, object),
                other => {
                    self.wrong(&pointer, span(other), "an op is an object");
                    self.read.ops.push(OpSpans { whole: span(other), ..OpSpans::default() });
                }
            }
        }
    }

    fn op(&mut self, at: &str, op: &Object<'_>) {
        self.members(at, op, &["op", "target_file", "target", "content"]);
        let place = |name: &str| value(op, name).map(span);
        self.read.ops.push(OpSpans {
            whole: span(op),
            op: place("op"),
            file: place("target_file"),
            target: place("target"),
            content: place("content"),
        });
        for name in ["op", "target_file", "target"] {
            self.required(at, op, name);
        }
        let name = self.one_of(&format!("{at}/op"), value(op, "op"), &OPS);
        self.file(&format!("{at}/target_file"), value(op, "target_file"));
        let kind = self.target(&format!("{at}/target"), value(op, "target"));
        if let (Some(name), Some((kind, place))) = (name, kind) {
            self.fits(at, name, kind, place);
        }
        match (name, member(op, "content")) {
            (Some("delete"), Some(content)) => self.no_content(at, op, content),
            (Some(name @ ("insert" | "replace")), None) => {
                let says = format!("`{name}` needs `content`, the text that it puts there");
                self.wrong(at, span(op), &says);
            }
            (_, Some(content)) => self.content(at, name, &content.value),
            (_, None) => {}
        }
    }

    /// The text of an op; empty, it would delete, and only `delete` says so.
    fn content(&mut self, at: &str, name: Option<&str>, content: &Value<'_>) {
        let pointer = format!("{at}/content");
        match content {
            Value::StringLit(text) if text.value.is_empty() => {
                let says = match name {
                    Some("replace") => "`replace` needs a text; `delete` is what takes text away",
                    _ => "this text is empty; give the text to insert",
                };
                self.wrong(&pointer, span(text), says);
            }
            Value::StringLit(_) => {}
            other => self.wrong(&pointer, span(other), "this must be a text"),
        }
    }

    fn no_content(&mut self, at: &str, op: &Object<'_>, content: &ObjectProp<'_>) {
        let says = "`delete` has no `content`: it takes text away and puts nothing there";
        let found = wrong(&format!("{at}/content"), span(&content.value), says);
        let empty = match &content.value {
            Value::NullKeyword(_) => true,
            Value::StringLit(text) => text.value.is_empty(),
            _ => false,
        };
        let edits = vec![Replacement::remove(with_comma(op, content))];
        let title = "Remove `content`";
        // With a text in it, `replace` may have been meant.
        self.read.problems.push(match empty {
            true => found.fix(title, edits),
            false => found.choice(title, edits),
        });
    }

    fn file(&mut self, pointer: &str, file: Option<&Value<'_>>) {
        match file {
            Some(Value::StringLit(id)) if FileId::of(&id.value).is_none() => {
                self.unknown_file(pointer, &id.value, span(id));
            }
            Some(Value::StringLit(_)) | None => {}
            Some(other) => self.wrong(pointer, span(other), "this must be the id of a file"),
        }
    }

    fn unknown_file(&mut self, pointer: &str, id: &str, place: Span) {
        let known = FileId::ALL.map(FileId::as_str);
        let says = format!("`{id}` is not a virtual file; the files are {}", known.join(", "));
        let found = problem(EDIT_OPS_UNKNOWN_FILE, pointer, place.clone(), &says);
        let found = found.detail("known", known.as_slice());
        self.read.problems.push(match nearest(id, known) {
            Some(near) => found.choice(format!("Write {near}"), quoted(place, near)),
            None => found,
        });
    }

    /// The kind of a target, and where it is.
    fn target(
        &mut self,
        pointer: &str,
        target: Option<&Value<'_>>,
    ) -> Option<(&'static str, Span)> {
        match target? {
            Value::Object(object) => {
                self.members(pointer, object, &["kind"]);
                self.required(pointer, object, "kind");
                let kind = value(object, "kind");
                let name = self.one_of(&format!("{pointer}/kind"), kind, &KINDS)?;
                kind.map(|kind| (name, span(kind)))
            }
            Value::StringLit(text) if KINDS.contains(&&*text.value) => {
                let says = "a target is an object with a `kind`";
                let whole = format!("{{\"kind\": \"{}\"}}", text.value);
                let edits = vec![Replacement::new(span(text), whole)];
                let found = wrong(pointer, span(text), says);
                self.read.problems.push(found.fix("Write it as an object", edits));
                None
            }
            other => {
                self.wrong(pointer, span(other), "a target is an object with a `kind`");
                None
            }
        }
    }

    fn fits(&mut self, at: &str, op: &str, kind: &str, place: Span) {
        let fits = (op == "insert") == (kind == "cursor");
        if !fits {
            let says = match op {
                "insert" => "`insert` puts text at the `cursor`".to_owned(),
                _ => format!("`{op}` is about a `selection` or the `document`"),
            };
            self.wrong(&format!("{at}/target/kind"), place, &says);
        }
    }

    /// The one of `known` that a value is.
    fn one_of(
        &mut self,
        pointer: &str,
        value: Option<&Value<'_>>,
        known: &[&'static str],
    ) -> Option<&'static str> {
        let value = value?;
        let text: Option<&StringLit<'_>> = value.as_string_lit();
        let same = |name: &&&str| text.is_some_and(|text| text.value == ***name);
        if let Some(name) = known.iter().find(same) {
            return Some(name);
        }
        let found = wrong(pointer, span(value), &format!("this is one of {}", known.join(", ")));
        let near = text.and_then(|text| nearest(&text.value, known.iter().copied()));
        let spelt =
            text.zip(near).is_some_and(|(text, near)| text.value.eq_ignore_ascii_case(near));
        self.read.problems.push(match near {
            Some(near) if spelt => found.fix(format!("Write {near}"), quoted(span(value), near)),
            Some(near) => found.choice(format!("Write {near}"), quoted(span(value), near)),
            None => found,
        });
        None
    }

    fn required(&mut self, at: &str, object: &Object<'_>, name: &str) {
        if value(object, name).is_none() {
            self.wrong(at, span(object), &format!("`{name}` is missing"));
        }
    }

    fn expect(
        &mut self,
        at: &str,
        object: &Object<'_>,
        name: &str,
        what: &str,
        fits: impl Fn(&Value<'_>) -> bool,
    ) {
        if let Some(value) = value(object, name).filter(|value| !fits(value)) {
            self.wrong(&format!("{at}/{name}"), span(value), &format!("this must be {what}"));
        }
    }

    /// Says which members an object should not have.
    fn members(&mut self, at: &str, object: &Object<'_>, known: &[&str]) {
        self.duplicates(at, object);
        let free: Vec<&str> =
            known.iter().copied().filter(|name| value(object, name).is_none()).collect();
        for member in &object.properties {
            let name = member.name.as_str();
            if known.contains(&name) {
                continue;
            }
            if self.is_full(span(&member.name)) {
                return;
            }
            let says = format!("`{name}` is not known here; there are {}", known.join(", "));
            let pointer = member_pointer(at, name);
            let remove = vec![Replacement::remove(with_comma(object, member))];
            let found = wrong(&pointer, span(&member.name), &says);
            let near = nearest(name, known.iter().copied()).filter(|near| free.contains(near));
            let found = match near {
                Some(near) => {
                    found.choice(format!("Write {near}"), quoted(span(&member.name), near))
                }
                None => found,
            };
            self.read.problems.push(found.choice(format!("Remove `{name}`"), remove));
        }
    }

    fn duplicates(&mut self, at: &str, object: &Object<'_>) {
        let mut seen = HashSet::new();
        for member in &object.properties {
            let name = member.name.as_str();
            if !seen.insert(name.to_owned()) {
                if self.is_full(span(&member.name)) {
                    return;
                }
                let says =
                    format!("`{name}` is in this object twice; nothing says which one counts");
                self.wrong(&member_pointer(at, name), span(&member.name), &says);
            }
        }
    }
}

fn is_text(value: &Value<'_>) -> bool {
    value.as_string_lit().is_some()
}

fn member<'o, 'a>(object: &'o Object<'a>, name: &str) -> Option<&'o ObjectProp<'a>> {
    object.properties.iter().find(|member| member.name.as_str() == name)
}

fn value<'o, 'a>(object: &'o Object<'a>, name: &str) -> Option<&'o Value<'a>> {
    member(object, name).map(|member| &member.value)
}

fn quoted(place: Span, text: &str) -> Vec<Replacement> {
    vec![Replacement::new(place, format!("\"{text}\""))]
}

/// A member with the comma that parts it from its neighbour.
fn with_comma(object: &Object<'_>, member: &ObjectProp<'_>) -> Span {
    let members = &object.properties;
    let index = members.iter().position(|it| it.range == member.range).unwrap_or_default();
    match (index.checked_sub(1).and_then(|it| members.get(it)), members.get(index + 1)) {
        (Some(before), _) => before.end()..member.end(),
        (None, Some(after)) => member.start()..after.start(),
        (None, None) => span(member),
    }
}

#[cfg(test)]
mod tests;
