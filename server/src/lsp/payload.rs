//! Payloads: the values of a block's fields, decoded for people to read.

use std::borrow::Cow;

use operator_core::dialect::operator::decode;
use operator_core::dialect::{ParsedField, Role};
use operator_core::scan::Block;
use operator_core::spec::{self, FieldType};
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
        let encoded = [
            FieldType::Base64,
            FieldType::Base64Patch,
            FieldType::Base64Edits,
            FieldType::Base64Target,
        ];
        matches!(self, Value::Typed(kind) if encoded.contains(&kind))
    }
}

/// What a field of a block is.
pub fn kind(block: &Block, field: &ParsedField) -> Value {
    let parsed = &block.parsed;
    match (parsed.role, field.name.as_str()) {
        (Role::Command, "version") => return Value::Version,
        (_, "id") => return Value::Id,
        (Role::Command, "action") => return Value::Action,
        (Role::Reply { .. }, "details_b64") => return Value::Typed(FieldType::Base64),
        (Role::Reply { .. }, _) => return Value::Typed(FieldType::Text),
        _ => {}
    }
    let action = parsed.action.as_deref().and_then(|name| spec::action(block.dialect.name(), name));
    let known = action.and_then(|action| action.field(&field.name));
    known.map_or(Value::Unknown, |known| Value::Typed(known.kind))
}

/// A field's value as it stands in the transcript; `start` is where the block begins.
pub fn raw<'a>(text: &'a Text, start: usize, field: &ParsedField) -> Cow<'a, str> {
    text.slice(at(start, &field.value))
}

/// A field's value decoded; `None` where it does not decode to UTF-8.
pub fn decoded(text: &Text, start: usize, block: &Block, field: &ParsedField) -> Option<String> {
    let value = raw(text, start, field);
    if kind(block, field).is_encoded() {
        String::from_utf8(decode(&value).ok()?).ok()
    } else {
        Some(value.into_owned())
    }
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
