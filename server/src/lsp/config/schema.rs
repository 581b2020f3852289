//! The settings as JSON schema, for the settings pages of editors.

use serde_json::{Map, Value, json};

use super::SETTINGS;
use super::settings::{self, Fallback, Kind, Setting};

/// Every setting by its whole name, as a JSON schema with help and default.
pub fn schema() -> Value {
    let entry = |setting: &Setting| {
        let default = match setting.default {
            Fallback::Value(value) => value(),
            // An editor cannot know the environment of the server.
            Fallback::Environment(_) => unset(setting.kind),
        };
        let mut schema = of_kind(setting.kind);
        schema.insert("description".to_owned(), setting.help.into());
        schema.insert("default".to_owned(), default);
        (format!("operator.{}", setting.key), Value::Object(schema))
    };
    Value::Object(SETTINGS.iter().map(entry).collect())
}

fn of_kind(kind: Kind) -> Map<String, Value> {
    let schema = match kind {
        Kind::Switch => json!({"type": "boolean"}),
        // Without being set they have no value, which an editor must be able to say.
        Kind::Count => json!({"type": ["integer", "null"], "minimum": 0}),
        Kind::Number => json!({"type": ["number", "null"]}),
        Kind::Text => json!({"type": "string"}),
        Kind::OneOf(known) => {
            let (known, meanings): (Vec<_>, Vec<_>) = known.iter().copied().unzip();
            json!({"type": "string", "enum": known, "enumDescriptions": meanings})
        }
        Kind::Texts => json!({"type": "array", "items": {"type": "string"}}),
        Kind::Dialects => {
            let known = settings::dialects();
            json!({"type": "array", "items": {"type": "string", "enum": known}, "uniqueItems": true})
        }
        Kind::TextByName => {
            json!({"type": "object", "additionalProperties": {"type": "string"}})
        }
    };
    match schema {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// What an editor shows of a setting that has no value.
fn unset(kind: Kind) -> Value {
    match kind {
        Kind::Switch => json!(false),
        Kind::Text => json!(""),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::config::{Config, Searched};

    /// What an editor sends that sends its defaults must mean the same as to send nothing.
    #[test]
    fn the_defaults_are_what_holds_without_them() {
        let given: Map<_, _> = schema()
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, schema)| (name["operator.".len()..].to_owned(), schema["default"].clone()))
            // A text that is not set is not an empty text; clients leave it out.
            .filter(|(_, default)| default != "")
            .collect();
        let (config, problems) = Config::new(&Value::Object(given));
        assert_eq!(problems, []);
        let plain = Config::default();
        assert_eq!(config.confirm, plain.confirm);
        assert_eq!(config.trace, plain.trace);
        assert_eq!(config.dialects, plain.dialects);
        assert_eq!(config.limits, plain.limits);
        assert_eq!(config.allowed_roots, plain.allowed_roots);
        assert_eq!(config.protected_paths, plain.protected_paths);
        assert_eq!(config.searched("markdown", "a.md"), Searched::AsAny);
    }
}
