//! Payloads: the values of a block's fields, decoded for people to read.

use std::borrow::Cow;

use operator_core::dialect::{Dialect, ParsedField, Role};
use operator_core::scan::{Block, Placed, Scan};
use operator_core::snapshot::{Snapshot, Through};
use operator_core::spec::{self, Action, FieldRole, FieldType};
use operator_core::structure;
use operator_core::text::{Span, Text};

/// What a field's value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// A word of the protocol: the version.
    Version,
    /// The id.
    Id,
    /// The action.
    Action,
    /// What the action's table says.
    Typed(FieldType),
    /// Nothing that the action knows.
    Unknown,
}

impl Value {
    /// Whether the value is base64 of something.
    pub fn is_encoded(self) -> bool {
        self.typed().is_some_and(FieldType::is_base64)
    }

    /// What the action's table says that it is.
    pub fn typed(self) -> Option<FieldType> {
        if let Value::Typed(kind) = self { Some(kind) } else { None }
    }
}

/// The action of a block, where it is known.
pub fn action(block: &Block) -> Option<&'static Action> {
    spec::action(block.dialect.name(), block.parsed.action.as_deref()?)
}

/// What a field of a block is.
pub fn kind(block: &Block, field: &ParsedField) -> Value {
    match field.role {
        Some(FieldRole::Id) => return Value::Id,
        Some(FieldRole::Details) => return Value::Typed(FieldType::Base64),
        _ if block.parsed.role == Role::Reply => return Value::Typed(FieldType::Text),
        Some(FieldRole::Version) => return Value::Version,
        Some(FieldRole::Action) => return Value::Action,
        _ => {}
    }
    match action(block).and_then(|action| action.field(&field.name)) {
        Some(known) => Value::Typed(known.kind),
        None => path_of_any(block, field),
    }
}

/// What a field is where the action is not known: a path where other actions have it for one.
fn path_of_any(block: &Block, field: &ParsedField) -> Value {
    if action(block).is_some() {
        return Value::Unknown;
    }
    let actions = spec::actions(block.dialect.name());
    let mut known = actions.filter_map(|action| action.field(&field.name));
    let path = known.find(|known| known.kind.is_path());
    path.map_or(Value::Unknown, |known| Value::Typed(known.kind))
}

/// A field's value as it is written in the transcript; `start` is where the block begins.
pub fn raw<'a>(text: &'a Text, start: usize, field: &ParsedField) -> Cow<'a, str> {
    text.slice(at(start, &field.value))
}

/// A field's value decoded; `None` where it does not decode to UTF-8.
pub fn decoded(text: &Text, start: usize, block: &Block, field: &ParsedField) -> Option<String> {
    block.dialect.decode(kind(block, field).typed(), field, &raw(text, start, field))
}

/// A path that a field names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedPath {
    /// Where it is in the transcript.
    pub span: Span,
    /// The file or directory.
    pub path: String,
    /// The target that it keeps to, and where that is.
    pub target: Option<(Span, String)>,
}

/// The paths that a field names; none for a field that is something else.
pub fn paths(text: &Text, start: usize, block: &Block, field: &ParsedField) -> Vec<NamedPath> {
    let Some(kind) = kind(block, field).typed().filter(|kind| kind.is_path()) else {
        return Vec::new();
    };
    let (raw, whole) = (raw(text, start, field), at(start, &field.value));
    let named = |span: Span, path: &str| NamedPath { span, path: path.to_owned(), target: None };
    if kind == FieldType::Paths && field.heredoc {
        let lines = raw.split_inclusive('\n').scan(whole.start, |at, line| {
            *at += line.len();
            Some((*at - line.len(), line))
        });
        let paths = lines.map(|(begins, line)| {
            let path = line.trim();
            let begins = begins + (line.len() - line.trim_start().len());
            named(begins..begins + path.len(), path)
        });
        return paths.filter(|named| !named.path.is_empty()).collect();
    }
    let Some(value) = block.dialect.decode(Some(kind), field, &raw) else { return Vec::new() };
    match kind {
        FieldType::Paths => value.lines().map(|path| named(whole.clone(), path.trim())).collect(),
        FieldType::StructurePath => {
            let (path, target) = structure::within(&value);
            let into = raw.find(structure::INTO).unwrap_or(raw.len());
            let target_start = (whole.start + into + structure::INTO.len()).min(whole.end);
            let mut named = named(whole.start..whole.start + into, path);
            named.target = target.map(|target| (target_start..whole.end, target));
            vec![named]
        }
        _ => vec![named(whole, &value)],
    }
}

/// The block whose path the line at an offset above it names, and where that is.
pub fn path_above(scan: &Scan, offset: usize) -> Option<(Placed, Span)> {
    let mut above = scan.blocks().filter_map(|placed| {
        let span = placed.path_above()?;
        Some((placed, span))
    });
    above.find(|(_, span)| span.start <= offset && offset <= span.end)
}

/// The file that a field with that role is about, of that op where one is given: the one that the
/// field beside it names.
pub fn path_beside(
    text: &Text,
    start: usize,
    block: &Block,
    (role, op): (Option<FieldRole>, Option<usize>),
) -> Option<String> {
    let beside = role.and_then(|role| block.parsed.with_role(role.path_beside(), op));
    match beside {
        Some(field) => decoded(text, start, block, field),
        None => block.parsed.path.clone(),
    }
}

/// A workspace as the paths of a dialect are looked up in it.
pub fn through<'a>(view: &'a dyn Snapshot, dialect: &dyn Dialect) -> Through<'a> {
    Through { inner: view, paths: dialect.rules().paths, working_set: None }
}

/// A span of a block as one of the transcript.
pub fn at(start: usize, span: &Span) -> Span {
    start + span.start..start + span.end
}

/// A size as people read it: `412 bytes`, `1.2 KiB`.
pub fn size(bytes: usize) -> String {
    const KIB: f64 = 1024.0;
    #[allow(clippy::cast_precision_loss, reason = "one digit after the point is shown")]
    let size = bytes as f64;
    match bytes {
        1 => "1 byte".to_owned(),
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", size / KIB),
        _ => format!("{:.1} MiB", size / KIB / KIB),
    }
}

/// A number of things as people read it: `1 line`, `3 lines`.
pub fn counted(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{number} {thing}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_read_well() {
        assert_eq!(size(1), "1 byte");
        assert_eq!(size(1023), "1023 bytes");
        assert_eq!(size(1234), "1.2 KiB");
        assert_eq!(size(3 << 20), "3.0 MiB");
        assert_eq!(counted(0, "line"), "0 lines");
    }
}
