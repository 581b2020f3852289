//! The profile `LLM_CHAT_OPS_*`: which model answers edit-ops requests, and how; nothing else is
//! read, and no value is ever shown.

use std::ffi::OsString;
use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::HeaderValue;
use serde_json::{Map, Value};

const PREFIX: &str = "LLM_CHAT_OPS_";

/// How much a prompt may hold, in tokens, where nothing is said.
pub const BUDGET: u64 = 32_000;
/// How many tokens the model may answer with, where nothing is said.
pub const MAX_TOKENS: u64 = 4_096;
/// How long the model may take, where nothing is said.
pub const TIMEOUT_SECONDS: f64 = 60.0;
/// How much the model's answers vary, where nothing is said.
pub const TEMPERATURE: f64 = 0.0;

/// The settings and the variables, in this order everywhere.
const NAMES: &[(&str, &str)] = &[
    ("enabled", "ENABLED"),
    ("baseUrl", "BASE_URL"),
    ("apiKey", "API_KEY"),
    ("model", "MODEL"),
    ("maxTokens", "MAX_TOKENS"),
    ("temperature", "TEMPERATURE"),
    ("timeoutSeconds", "TIMEOUT_SECONDS"),
    ("contextBudgetTokens", "CONTEXT_BUDGET_TOKENS"),
    ("evalMode", "EVAL_MODE"),
];

/// Whether and by which model requests are answered.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Whether it is switched on.
    pub enabled: bool,
    /// The model; none where the profile has problems or does not say where it is.
    pub endpoint: Option<Endpoint>,
    /// How many tokens a prompt may hold.
    pub budget: u64,
    /// Whether answers say how they came about.
    pub eval_mode: bool,
    /// What is wrong, and what is expected; none of the values.
    pub problems: Vec<String>,
}

/// A model of an OpenAI-compatible server.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// Where completions are asked for.
    pub url: Url,
    /// The value of `Authorization`, which shows itself to nobody.
    pub authorization: Option<HeaderValue>,
    /// The model's name; without one the server chooses.
    pub model: Option<String>,
    /// How many tokens it may answer with.
    pub max_tokens: u64,
    /// How much its answers vary.
    pub temperature: f64,
    /// How long everything may take.
    pub timeout: Duration,
}

impl Profile {
    /// The profile in the environment.
    pub fn from_environment() -> Profile {
        Profile::new(&Map::new(), |name| std::env::var_os(name))
    }

    /// The profile in the settings `llmChatOps`, and in the environment where they say nothing.
    pub fn new(
        settings: &Map<String, Value>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Profile {
        let mut sources = Sources { settings, variable: &variable, problems: Vec::new() };
        let enabled = sources.switch("enabled");
        let eval_mode = sources.switch("evalMode");
        let budget = sources.count("contextBudgetTokens").unwrap_or(BUDGET);
        let endpoint = sources.endpoint(enabled);
        let problems = sources.problems;
        let endpoint = endpoint.filter(|_| enabled && problems.is_empty());
        Profile { enabled, endpoint, budget, eval_mode, problems }
    }
}

/// Where values come from.
struct Sources<'a> {
    settings: &'a Map<String, Value>,
    variable: &'a dyn Fn(&str) -> Option<OsString>,
    problems: Vec<String>,
}

/// A value, and what it is called where it comes from.
struct Given {
    name: String,
    value: Value,
    /// Whether it comes from the environment, where everything is text.
    text: bool,
}

impl Sources<'_> {
    fn given(&mut self, setting: &str) -> Option<Given> {
        if let Some(value) = self.settings.get(setting) {
            let name = format!("operator.llmChatOps.{setting}");
            return Some(Given { name, value: value.clone(), text: false });
        }
        let (_, variable) = NAMES.iter().find(|(name, _)| *name == setting)?;
        let name = format!("{PREFIX}{variable}");
        match (self.variable)(&name)?.into_string() {
            // A variable that is set to nothing says nothing.
            Ok(text) if text.is_empty() => None,
            Ok(text) => Some(Given { name, value: Value::String(text), text: true }),
            Err(_) => {
                self.problems.push(format!("{name} must be UTF-8"));
                None
            }
        }
    }

    /// The value, or a problem that says what it must be.
    fn value<T>(
        &mut self,
        setting: &str,
        expected: impl fmt::Display,
        read: impl Fn(&Given) -> Option<T>,
    ) -> Option<T> {
        let given = self.given(setting)?;
        let value = read(&given);
        if value.is_none() {
            self.problems.push(format!("{} must be {expected}", given.name));
        }
        value
    }

    fn switch(&mut self, setting: &str) -> bool {
        let read = |given: &Given| match (&given.value, given.text) {
            (Value::Bool(value), _) => Some(*value),
            (Value::String(text), true) => match text.to_ascii_lowercase().as_str() {
                "true" | "1" => Some(true),
                "false" | "0" => Some(false),
                _ => None,
            },
            _ => None,
        };
        self.value(setting, "true or false", read).unwrap_or(false)
    }

    fn count(&mut self, setting: &str) -> Option<u64> {
        let read = |given: &Given| {
            let count = match given.value.as_str() {
                Some(text) => text.parse().ok(),
                None => given.value.as_u64(),
            };
            count.filter(|count| *count > 0)
        };
        self.value(setting, "a whole number from 1", read)
    }

    fn number(&mut self, setting: &str, range: RangeInclusive<f64>) -> Option<f64> {
        let expected = format!("a number from {} to {}", range.start(), range.end());
        self.value(setting, expected, |given| {
            let number = match given.value.as_str() {
                Some(text) => text.parse().ok(),
                None => given.value.as_f64(),
            };
            number.filter(|number| range.contains(number))
        })
    }

    fn text(&mut self, setting: &str) -> Option<String> {
        let read = |given: &Given| given.value.as_str().map(str::to_owned);
        self.value(setting, "a text", read).filter(|text| !text.is_empty())
    }

    fn endpoint(&mut self, enabled: bool) -> Option<Endpoint> {
        let url = self.value("baseUrl", BASE_URL, |given| completions(given.value.as_str()?));
        let expected = "text that a header can hold: visible ASCII characters";
        let authorization = self.value("apiKey", expected, authorization).flatten();
        let model = self.text("model");
        let max_tokens = self.count("maxTokens").unwrap_or(MAX_TOKENS);
        let temperature = self.number("temperature", 0.0..=2.0).unwrap_or(TEMPERATURE);
        let seconds = self.number("timeoutSeconds", 0.001..=3600.0).unwrap_or(TIMEOUT_SECONDS);
        if enabled && url.is_none() && self.problems.is_empty() {
            self.problems.push(format!("{PREFIX}BASE_URL is missing; it must be {BASE_URL}"));
        }
        let timeout = Duration::from_secs_f64(seconds);
        Some(Endpoint { url: url?, authorization, model, max_tokens, temperature, timeout })
    }
}

const BASE_URL: &str = "an http or https address without a user, a query or a fragment";

/// Where completions are asked for below a base address.
fn completions(base: &str) -> Option<Url> {
    let base = Url::parse(base).ok()?;
    let plain = base.username().is_empty()
        && base.password().is_none()
        && base.query().is_none()
        && base.fragment().is_none();
    if !plain || !matches!(base.scheme(), "http" | "https") || !base.has_host() {
        return None;
    }
    Url::parse(&format!("{}/chat/completions", base.as_str().trim_end_matches('/'))).ok()
}

/// The header for a key; `Some(None)` for an empty one.
fn authorization(given: &Given) -> Option<Option<HeaderValue>> {
    let key = given.value.as_str()?;
    if key.is_empty() {
        return Some(None);
    }
    if !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return None;
    }
    let mut value = HeaderValue::from_str(&format!("Bearer {key}")).ok()?;
    value.set_sensitive(true);
    Some(Some(value))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde_json::json;

    use super::*;

    /// The profile of settings and of variables, whose names are given without the prefix.
    fn profile(settings: Value, variables: &[(&str, &str)]) -> Profile {
        let variables: BTreeMap<String, &str> =
            variables.iter().map(|(name, value)| (format!("{PREFIX}{name}"), *value)).collect();
        let settings = settings.as_object().unwrap();
        Profile::new(settings, |name| variables.get(name).map(OsString::from))
    }

    const ON: &[(&str, &str)] = &[("ENABLED", "true"), ("BASE_URL", "http://localhost:1/v1")];

    fn on_with(name: &str, value: &str) -> Profile {
        profile(json!({}), &[ON, &[(name, value)]].concat())
    }

    #[test]
    fn nothing_said_is_off() {
        let profile = profile(json!({}), &[]);
        assert!(!profile.enabled && profile.endpoint.is_none() && !profile.eval_mode);
        assert_eq!((profile.budget, profile.problems), (BUDGET, Vec::<String>::new()));
    }

    #[test]
    fn settings_win_over_the_environment() {
        let settings = json!({"enabled": true, "model": "set", "timeoutSeconds": 1.5});
        let both = profile(settings, &[("ENABLED", "maybe"), ("MODEL", "env"), ON[1]]);
        let endpoint = both.endpoint.unwrap();
        assert_eq!(endpoint.model.as_deref(), Some("set"));
        assert_eq!(endpoint.timeout, Duration::from_millis(1500));
        assert_eq!(endpoint.url.as_str(), "http://localhost:1/v1/chat/completions");
    }

    #[test]
    fn booleans_are_words_or_digits() {
        for (text, enabled) in
            [("true", true), ("1", true), ("false", false), ("0", false), ("", false)]
        {
            let profile = profile(json!({}), &[("ENABLED", text), ON[1]]);
            assert_eq!((profile.enabled, profile.problems.len()), (enabled, 0), "{text:?}");
        }
    }

    #[test]
    fn a_bad_value_is_named_and_not_shown() {
        for (name, value) in [
            ("ENABLED", "yeBAD"),
            ("EVAL_MODE", "BAD"),
            ("BASE_URL", "BAD"),
            ("BASE_URL", "ftp://BAD"),
            ("BASE_URL", "http://user:BAD@localhost"),
            ("BASE_URL", "http://localhost?BAD"),
            ("API_KEY", "BAD\n"),
            ("API_KEY", "BAD key"),
            ("MAX_TOKENS", "-1BAD"),
            ("MAX_TOKENS", "0"),
            ("TEMPERATURE", "BAD"),
            ("TEMPERATURE", "3"),
            ("TIMEOUT_SECONDS", "0"),
            ("TIMEOUT_SECONDS", "NaN"),
            ("CONTEXT_BUDGET_TOKENS", "1.5BAD"),
        ] {
            let profile = on_with(name, value);
            assert!(profile.endpoint.is_none(), "{name}={value}");
            let [problem] = profile.problems.as_slice() else { panic!("{:?}", profile.problems) };
            assert!(problem.starts_with(&format!("{PREFIX}{name} must be ")), "{problem}");
            assert!(!problem.contains("BAD"), "{problem}");
        }
    }

    #[test]
    fn an_address_is_needed_and_ends_as_it_may() {
        let profile = profile(json!({"enabled": true}), &[]);
        assert!(profile.problems[0].starts_with("LLM_CHAT_OPS_BASE_URL is missing"));
        for base in ["http://[::1]:8/v1", "http://[::1]:8/v1/"] {
            let url = on_with("BASE_URL", base).endpoint.unwrap().url;
            assert_eq!(url.as_str(), "http://[::1]:8/v1/chat/completions");
        }
    }

    #[test]
    fn the_key_shows_itself_to_nobody() {
        let profile = on_with("API_KEY", "BAD-key");
        assert_eq!(
            profile.endpoint.as_ref().unwrap().authorization.as_ref().unwrap(),
            "Bearer BAD-key"
        );
        assert!(!format!("{profile:?}").contains("BAD"), "{profile:?}");
        assert!(on_with("API_KEY", "").endpoint.unwrap().authorization.is_none());
    }
}
