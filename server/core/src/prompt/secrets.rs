//! Files that may not be sent to a model: those whose name or text looks like a secret.

use super::Reason;

/// Directories that hold what others wrote, or what was made of it.
const DEPENDENCIES: [&str; 8] = [
    "node_modules",
    "bower_components",
    "site-packages",
    "__pycache__",
    ".venv",
    "venv",
    ".tox",
    ".gradle",
];

/// What tokens of services begin with, how many characters follow at least, and what they are.
const TOKENS: [(&str, usize, &str); 24] = [
    ("ghp_", 30, "a GitHub token"),
    ("gho_", 30, "a GitHub token"),
    ("ghu_", 30, "a GitHub token"),
    ("ghs_", 30, "a GitHub token"),
    ("ghr_", 30, "a GitHub token"),
    ("github_pat_", 30, "a GitHub token"),
    ("glpat-", 20, "a GitLab token"),
    ("sk-ant-", 20, "an API key"),
    ("sk-proj-", 20, "an API key"),
    ("sk-or-v1-", 20, "an API key"),
    ("sk_live_", 16, "an API key"),
    ("rk_live_", 16, "an API key"),
    ("gsk_", 30, "an API key"),
    ("AIza", 35, "an API key"),
    ("AKIA", 16, "an AWS key"),
    ("ASIA", 16, "an AWS key"),
    ("xoxb-", 16, "a Slack token"),
    ("xoxp-", 16, "a Slack token"),
    ("xapp-", 16, "a Slack token"),
    ("npm_", 30, "an npm token"),
    ("pypi-", 40, "a PyPI token"),
    ("hf_", 30, "a Hugging Face token"),
    ("dop_v1_", 40, "a DigitalOcean token"),
    ("SG.", 40, "a SendGrid key"),
];

/// What the name of a variable with a secret ends in, without `_` and `-`.
const NAMES: [&str; 10] = [
    "password",
    "passwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "credential",
];

/// How long the value of a variable must be to look like a secret.
const LONG_VALUE: usize = 16;

/// The directory of dependencies that a path is in, `web/node_modules`.
pub fn dependency(path: &str) -> Option<&str> {
    let directories = path.match_indices('/').map(|(end, _)| &path[..end]);
    let name = |directory: &&str| {
        let name = directory.rsplit('/').next().unwrap_or_default();
        DEPENDENCIES.contains(&name)
    };
    directories.into_iter().find(name)
}

/// Why a file may not be sent, by its path in the workspace and its text.
pub fn secret(path: &str, text: &str) -> Option<Reason> {
    of_path(path).or_else(|| {
        let lines = text.lines().enumerate();
        lines.filter_map(|(at, line)| Some(Reason::Secret(at + 1, of_line(line)?))).next()
    })
}

fn of_path(path: &str) -> Option<Reason> {
    let file = path.rsplit('/').next().unwrap_or_default();
    let is_env =
        file.strip_prefix(".env").is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
    is_env.then_some(Reason::SecretName)
}

fn of_line(line: &str) -> Option<&'static str> {
    let begins = line.find("-----BEGIN ").map(|at| &line[at..]);
    if begins.is_some_and(|rest| rest.contains("PRIVATE KEY") && rest.contains("-----")) {
        return Some("a private key");
    }
    token(line).or_else(|| is_assignment(line).then_some("a password or a key"))
}

/// The token of a service that a line holds.
fn token(line: &str) -> Option<&'static str> {
    let is_word = |sign: char| sign.is_ascii_alphanumeric() || sign == '_' || sign == '-';
    let found = TOKENS.iter().find(|(prefix, length, _)| {
        line.match_indices(prefix).any(|(at, _)| {
            let before = line[..at].chars().next_back();
            let rest = &line[at + prefix.len()..];
            let end = rest.find(|sign| !is_word(sign) && sign != '.').unwrap_or(rest.len());
            !before.is_some_and(is_word) && end >= *length && is_mixed(&rest[..end])
        })
    });
    found.map(|(_, _, what)| *what)
}

/// Whether a line gives a variable with the name of a secret a long value that is not code.
fn is_assignment(line: &str) -> bool {
    let Some(at) = line.find(['=', ':']) else { return false };
    let (before, after) = (&line[..at], line[at + 1..].trim_start_matches(['=', '>', ' ', '\t']));
    let name: String = before.chars().filter(char::is_ascii_alphanumeric).collect();
    let name = name.to_ascii_lowercase();
    if !NAMES.iter().any(|end| name.ends_with(end)) {
        return false;
    }
    let value = match after.chars().next() {
        Some(quote @ ('"' | '\'' | '`')) => after[1..].split(quote).next().unwrap_or_default(),
        _ => after.trim_end().trim_end_matches([',', ';']),
    };
    let is_value = |sign: char| sign.is_ascii_alphanumeric() || "+/=_-!@#%^&*~".contains(sign);
    value.len() >= LONG_VALUE && value.chars().all(is_value) && is_mixed(value)
}

/// Whether a text has letters and digits mixed, as words and names seldom have.
fn is_mixed(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let letters = text.bytes().filter(u8::is_ascii_alphabetic).count();
    digits >= 3 && letters >= 3
}
