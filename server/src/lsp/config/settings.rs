//! What a setting is, and what its value may be.

use std::collections::BTreeMap;
use std::fmt;

use operator_core::dialect;
use serde_json::{Map, Value};

use super::SETTINGS;

/// One setting of the section `operator`.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The key below `operator.`, with dots.
    pub key: &'static str,
    /// What the value may be.
    pub kind: Kind,
    /// What holds without a value.
    pub default: Fallback,
    /// One line of help.
    pub help: &'static str,
}

/// What a setting's value may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `true` or `false`.
    Switch,
    /// A whole number from 0.
    Count,
    /// A number.
    Number,
    /// Any text.
    Text,
    /// One of these texts, each with what it means.
    OneOf(&'static [(&'static str, &'static str)]),
    /// A list of texts.
    Texts,
    /// A list of names of dialects.
    Dialects,
    /// An object whose values are texts.
    TextByName,
}

/// What holds without a value.
#[derive(Debug, Clone, Copy)]
pub enum Fallback {
    /// This value.
    Value(fn() -> Value),
    /// What a variable of the environment says, else this value.
    Environment(fn() -> Value),
}

/// A row of the table.
pub const fn setting(
    key: &'static str,
    kind: Kind,
    default: Fallback,
    help: &'static str,
) -> Setting {
    Setting { key, kind, default, help }
}

/// The names of the dialects.
pub fn dialects() -> Vec<&'static str> {
    dialect::written().map(|rules| rules.name).collect()
}

impl Setting {
    /// The value that the server works with if nothing else says one.
    #[cfg(test)]
    pub fn last_resort(&self) -> Value {
        match self.default {
            Fallback::Value(value) | Fallback::Environment(value) => value(),
        }
    }
}

impl Kind {
    /// Whether a value is of this kind.
    pub fn admits(self, value: &Value) -> bool {
        let texts = |known: Option<&[&str]>| {
            let fits = |item: &Value| {
                item.as_str().is_some_and(|text| known.is_none_or(|known| known.contains(&text)))
            };
            value.as_array().is_some_and(|items| items.iter().all(fits))
        };
        match self {
            Kind::Switch => value.is_boolean(),
            Kind::Count => value.as_u64().is_some_and(|count| usize::try_from(count).is_ok()),
            Kind::Number => value.is_number(),
            Kind::Text => value.is_string(),
            Kind::OneOf(known) => known.iter().any(|(text, _)| value == text),
            Kind::Texts => texts(None),
            Kind::Dialects => texts(Some(&dialects())),
            Kind::TextByName => {
                value.as_object().is_some_and(|map| map.values().all(Value::is_string))
            }
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Switch => f.write_str("true or false"),
            Kind::Count => f.write_str("a whole number from 0"),
            Kind::Number => f.write_str("a number"),
            Kind::Text => f.write_str("a text"),
            Kind::OneOf(known) => {
                let known: Vec<_> = known.iter().map(|(text, _)| *text).collect();
                write!(f, "one of {}", known.join(", "))
            }
            Kind::Texts => f.write_str("a list of texts"),
            Kind::Dialects => write!(f, "a list of some of {}", dialects().join(", ")),
            Kind::TextByName => f.write_str("an object whose values are texts"),
        }
    }
}

/// The values of the settings without the client's and the environment's.
pub fn defaults() -> BTreeMap<&'static str, Value> {
    let value = |setting: &Setting| match setting.default {
        Fallback::Value(value) => Some((setting.key, value())),
        Fallback::Environment(_) => None,
    };
    SETTINGS.iter().filter_map(value).collect()
}

/// Every value of `map` by its key with dots, as deep as the settings go.
pub fn flatten(prefix: &str, map: &Map<String, Value>, into: &mut BTreeMap<String, Value>) {
    for (key, value) in map {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            // An object under a setting's own name is its value; the depth is bounded so
            // no JSON is too deep for the stack.
            Value::Object(inner)
                if !SETTINGS.iter().any(|setting| setting.key == key)
                    && key.matches('.').count() < 4 =>
            {
                flatten(&key, inner, into);
            }
            _ => {
                into.insert(key, value.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use operator_core::limits::Limits;
    use serde_json::json;

    use super::*;

    const PAGE: &str = include_str!("../../../../spec/lsp-extensions.md");

    #[test]
    fn every_limit_is_a_setting() {
        let limits = serde_json::to_value(Limits::default()).unwrap();
        let settings: Vec<_> =
            SETTINGS.iter().filter_map(|setting| setting.key.strip_prefix("limits.")).collect();
        assert_eq!(limits.as_object().unwrap().keys().collect::<Vec<_>>(), settings);
    }

    #[test]
    fn every_default_is_of_its_kind() {
        for setting in SETTINGS {
            assert!(setting.kind.admits(&setting.last_resort()), "{}", setting.key);
        }
    }

    #[test]
    fn the_page_has_the_defaults() {
        for setting in SETTINGS {
            let row = format!("| `{}` | ", setting.key);
            let row = PAGE.lines().find_map(|line| line.strip_prefix(&row)).unwrap();
            let cell = row.split(" | ").nth(1).unwrap();
            // A long list may be cut there.
            let cell = cell.strip_suffix(" and others").unwrap_or(cell);
            let cell: Vec<_> = cell.split(", ").map(|it| it.trim_matches('`')).collect();
            let default = match setting.last_resort() {
                value if value == json!(dialects()) => json!(["all"]),
                Value::Array(items) if !items.is_empty() => items.into(),
                Value::Number(number) => {
                    json!([number.as_f64().unwrap().to_string()])
                }
                Value::Bool(value) => json!([value.to_string()]),
                Value::String(text) if !text.is_empty() => json!([text]),
                _ => json!(["none"]),
            };
            let default = default.as_array().unwrap();
            assert!(
                cell.iter().all(|it| default.iter().any(|default| default == it)),
                "{}: {cell:?}, {default:?}",
                setting.key
            );
        }
    }
}
