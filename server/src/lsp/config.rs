//! The settings, section `operator`: any JSON gives a configuration and a list of what is wrong.

mod schema;
mod settings;
mod table;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use operator_core::limits::Limits;
use operator_core::problem::{Code, SETTINGS_INVALID_VALUE, SETTINGS_UNKNOWN_KEY};
use operator_core::snapshot::FileId;
use operator_core::text::glob::{Glob, Globs};
use operator_core::text::nearest::nearest;
use operator_core::trusted::TrustedFiles;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::workspace::History;
use crate::workspace::git::Hooks;
pub use schema::schema;
pub use settings::{Kind, Setting};
pub use table::SETTINGS;

/// When the client asks before an edit is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Confirm {
    /// For deletions and overwrites alone.
    #[default]
    Destructive,
    /// For every change.
    Always,
    /// For none.
    Never,
}

impl Confirm {
    const VALUES: &[(&str, &str)] = &[
        ("destructive", "Before a file is deleted, or overwritten as a whole."),
        ("always", "Before every change."),
        ("never", "Not at all, but for changes that need a look of their own."),
    ];
}

/// How much is written to the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trace {
    /// Only what fails.
    #[default]
    Off,
    /// What is asked and done.
    Messages,
    /// That, and how long it takes.
    Verbose,
}

impl Trace {
    const VALUES: &[(&str, &str)] = &[
        ("off", "Only what fails."),
        ("messages", "What is asked and done."),
        ("verbose", "What is asked and done, and how long it takes."),
    ];
}

/// The settings.
#[derive(Debug, Clone)]
pub struct Config {
    transcripts: Transcripts,
    /// The dialects to look for, by name.
    pub dialects: Vec<String>,
    /// When the client asks before an edit is made.
    pub confirm: Confirm,
    /// More folders that absolute paths may lead to.
    pub allowed_roots: Vec<String>,
    /// Patterns of paths that are neither read nor written.
    pub protected_paths: Vec<String>,
    /// How much is too much, and whether programs may be run.
    pub limits: Limits,
    /// Names of variables that programs get though they look like secrets.
    pub exec_environment: Vec<String>,
    /// Whether an apply is committed to git.
    pub git_commit: bool,
    /// Whether git's hooks, and filters that may run programs of the workspace, run then.
    pub git_hooks: Hooks,
    /// How much is kept so that it can be undone.
    pub history: History,
    /// Paths of the virtual files of edit-ops, by id.
    pub virtual_files: BTreeMap<String, String>,
    /// The profile of the language model, by setting.
    pub llm_chat_ops: Map<String, Value>,
    /// How much is written to the log.
    pub trace: Trace,
}

/// What is wrong with a setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    /// The kind of problem.
    pub code: Code,
    /// What is wrong and what to do; names the setting, never its value.
    pub message: String,
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.code, self.message)
    }
}

/// The language ids of documents that may be chats, and mostly are something else.
pub const USUAL: [&str; 5] = ["markdown", "plaintext", "text", "json", "jsonc"];

/// As what a document is searched for blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Searched {
    /// Not at all.
    Not,
    /// As one that may be a chat.
    AsAny,
    /// As a chat.
    AsChat,
}

/// Which documents are transcripts.
#[derive(Debug, Clone, Default)]
struct Transcripts {
    language_ids: Vec<String>,
    files: Arc<Globs>,
}

impl Default for Config {
    fn default() -> Config {
        let (config, _) = Config::new(&Value::Null);
        config
    }
}

impl Config {
    /// The configuration in `settings`, the content of the section, and what is wrong with it.
    pub fn new(settings: &Value) -> (Config, Vec<SettingProblem>) {
        Config::over(&Value::Null, settings)
    }

    /// The configuration in `settings` where they say something, else in `base`, and what is wrong
    /// with `settings`.
    pub fn over(base: &Value, settings: &Value) -> (Config, Vec<SettingProblem>) {
        let mut values = settings::defaults();
        take(base, &mut values);
        let mut problems = take(settings, &mut values);
        (Config::of_values(&values, &mut problems), problems)
    }

    fn of_values(
        values: &BTreeMap<&'static str, Value>,
        problems: &mut Vec<SettingProblem>,
    ) -> Config {
        let virtual_files: BTreeMap<String, String> = read(values, "virtualFiles");
        if virtual_files.keys().any(|id| FileId::of(id).is_none()) {
            let ids = FileId::ALL.map(FileId::as_str).join(", ");
            let expected = format!("an object of paths by {ids}");
            problems.push(invalid("virtualFiles", &expected));
        }
        let transcripts: Vec<String> = read(values, "transcripts");
        Config {
            transcripts: Transcripts::new(&transcripts, problems),
            dialects: read(values, "dialects"),
            confirm: read(values, "confirm"),
            allowed_roots: read(values, "allowedRoots"),
            protected_paths: read(values, "protectedPaths"),
            limits: Limits {
                exec: read(values, "exec.enable"),
                trusted_files: trusted_files(values, problems),
                ..limits(values)
            },
            exec_environment: read(values, "exec.environment"),
            git_commit: read(values, "git.commit"),
            git_hooks: if read(values, "git.hooks") { Hooks::Run } else { Hooks::Off },
            history: History {
                operations: read(values, "history.operations"),
                days: read(values, "history.days"),
                bytes: read(values, "history.bytes"),
            },
            virtual_files,
            llm_chat_ops: group(values, "llmChatOps."),
            trace: read(values, "trace"),
        }
    }

    /// As what a document is searched for blocks.
    pub fn searched(&self, language_id: &str, file_name: &str) -> Searched {
        let transcripts = &self.transcripts;
        if !transcripts.files.matches(file_name).is_empty() {
            return Searched::AsChat;
        }
        // An editor without a mode for a language calls its files plain text; they are targets.
        let plain = matches!(language_id, "plaintext" | "text");
        let language = operator_grammars::by_path(file_name).map(|language| language.name);
        let source = plain && language.is_some_and(|name| !transcripts.has_language(name));
        match transcripts.has_language(language_id) && !source {
            false => Searched::Not,
            true if USUAL.contains(&language_id) => Searched::AsAny,
            // An editor calls nothing else so.
            true => Searched::AsChat,
        }
    }
}

impl Transcripts {
    fn new(entries: &[String], problems: &mut Vec<SettingProblem>) -> Transcripts {
        let is_glob = |entry: &&String| entry.contains(['*', '?', '[', '.', '/']);
        let (files, language_ids): (Vec<&String>, Vec<&String>) = entries.iter().partition(is_glob);
        // Of the usual ones it is known.
        let fits =
            |entry: &&str| table::transcripts().contains(entry) || Glob::parse(entry).is_ok();
        let (good, bad): (Vec<&str>, Vec<&str>) =
            files.into_iter().map(String::as_str).partition(fits);
        problems
            .extend(bad.iter().map(|_| invalid("transcripts", "language ids and file patterns")));
        let language_ids = language_ids.into_iter().cloned().collect();
        Transcripts { language_ids, files: Arc::new(Globs::new(good)) }
    }

    fn has_language(&self, id: &str) -> bool {
        self.language_ids.iter().any(|known| known == id)
    }
}

/// Takes what is right in `settings` into `values`; gives what is wrong.
fn take(settings: &Value, values: &mut BTreeMap<&'static str, Value>) -> Vec<SettingProblem> {
    let mut problems = Vec::new();
    let mut given = BTreeMap::new();
    match settings {
        Value::Null => {}
        Value::Object(map) => settings::flatten("", map, &mut given),
        _ => problems.push(invalid("operator", "an object of settings")),
    }
    for (key, value) in given {
        match SETTINGS.iter().find(|setting| setting.key == key) {
            None => problems.push(unknown(&key)),
            Some(_) if value.is_null() => {}
            Some(setting) if setting.kind.admits(&value) => {
                values.insert(setting.key, value);
            }
            Some(setting) => problems.push(invalid(setting.key, &setting.kind.to_string())),
        }
    }
    problems
}

/// The trusted files; a pattern that is not a glob is left out.
fn trusted_files(
    values: &BTreeMap<&'static str, Value>,
    problems: &mut Vec<SettingProblem>,
) -> TrustedFiles {
    let mut added = read::<Vec<String>>(values, "trustedFiles");
    added.retain(|pattern| {
        let fits = TrustedFiles::with(std::slice::from_ref(pattern)).is_ok();
        if !fits {
            problems.push(invalid("trustedFiles", "a list of file patterns"));
        }
        fits
    });
    TrustedFiles::with(&added).unwrap_or_default()
}

fn unknown(key: &str) -> SettingProblem {
    let message = format!(
        "operator.{key} is not a setting of operator-lsp; remove it or correct its name{}",
        nearest(key, SETTINGS.iter().map(|setting| setting.key))
            .map_or(String::new(), |near| format!(" (operator.{near}?)"))
    );
    SettingProblem { code: SETTINGS_UNKNOWN_KEY, message }
}

fn invalid(key: &str, expected: &str) -> SettingProblem {
    let name = if key == "operator" { key.to_owned() } else { format!("operator.{key}") };
    let message = format!("{name} must be {expected}; the value is ignored");
    SettingProblem { code: SETTINGS_INVALID_VALUE, message }
}

/// The value of a setting, as the type that the server has for it.
fn read<T: DeserializeOwned + Default>(values: &BTreeMap<&'static str, Value>, key: &str) -> T {
    let value = values.get(key).map(T::deserialize);
    // Each setting has a default, and each value was checked to be of its kind.
    value.and_then(Result::ok).unwrap_or_default()
}

fn group(values: &BTreeMap<&'static str, Value>, prefix: &str) -> Map<String, Value> {
    let members = values.iter().filter_map(|(key, value)| Some((key.strip_prefix(prefix)?, value)));
    members.map(|(key, value)| (key.to_owned(), value.clone())).collect()
}

/// The limits; each value was checked to be a whole number, so they always fit the structure.
fn limits(values: &BTreeMap<&'static str, Value>) -> Limits {
    let given = Value::Object(group(values, "limits."));
    serde_json::from_value(given).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn problems(settings: Value) -> Vec<String> {
        let (_, problems) = Config::new(&settings);
        problems.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_is_wrong_is_said_and_the_rest_is_taken() {
        let given = json!({"confirm": "always", "limit": {"blocks": 3}, "git.commit": "yes",
                           "limits": {"blocks": 7, "fileBytes": -1, "block": 1}});
        let (config, _) = Config::new(&given);
        assert_eq!(config.confirm, Confirm::Always);
        assert_eq!(config.limits.blocks, 7);
        assert_eq!(config.limits.file_bytes, Limits::default().file_bytes);
        let said = problems(given);
        assert_eq!(said.len(), 4, "{said:#?}");
        assert!(
            said.iter().any(|line| line.starts_with("settings/unknown-key: operator.limit.blocks")
                && line.contains("operator.limits.blocks?"))
        );
        assert!(
            said.iter().any(|line| line.starts_with("settings/invalid-value: operator.git.commit"))
        );
    }

    #[test]
    fn settings_that_say_nothing_leave_what_was_given_before() {
        let base = json!({"confirm": "always", "limits": {"blocks": 7}, "gone": 1});
        for silent in [Value::Null, json!({}), json!({"confirm": null})] {
            let (config, problems) = Config::over(&base, &silent);
            assert_eq!((config.confirm, config.limits.blocks), (Confirm::Always, 7), "{silent}");
            assert!(problems.is_empty());
        }
        let (config, _) = Config::over(&base, &json!({"confirm": "never"}));
        assert_eq!((config.confirm, config.limits.blocks), (Confirm::Never, 7));
    }

    #[test]
    fn virtual_files_go_by_their_ids() {
        assert!(problems(json!({"virtualFiles": {"tool.py": "src/a.py"}})).is_empty());
        let said = problems(json!({"virtualFiles": {"tools.py": "src/a.py"}}));
        assert!(said[0].contains("operator.virtualFiles must be an object of paths by tool.py"));
    }

    #[test]
    fn any_json_gives_a_configuration() {
        for strange in [json!(3), json!([]), json!({"limits": 3}), json!({"": {"": null}})] {
            assert_eq!(problems(strange.clone()).len(), 1, "{strange}");
        }
        assert!(problems(Value::Null).is_empty());
        assert!(problems(json!({"confirm": null, "limits": {}})).is_empty());
    }

    #[test]
    fn chats_are_transcripts_and_sources_are_not() {
        let config = Config::default();
        for (language, name) in [
            ("markdown", "README.md"),
            ("plaintext", "chat"),
            ("text", "a.txt"),
            ("json", "a.json"),
        ] {
            assert_eq!(config.searched(language, name), Searched::AsAny, "{language} {name}");
        }
        for (language, name) in [
            ("markdown", "Chat 3.md"),
            ("markdown", "2026-transcript.md"),
            ("x", "a.chat"),
            ("x", "a.operator"),
            ("sham", "a"),
        ] {
            assert_eq!(config.searched(language, name), Searched::AsChat, "{language} {name}");
        }
        for (language, name) in
            [("python", "a.py"), ("plaintext", "a.py"), ("", "a"), ("rust", "a.rs")]
        {
            assert_eq!(config.searched(language, name), Searched::Not, "{language} {name}");
        }
    }
}
