//! Values: what each field's text means to its action, and what is wrong with it.

use serde_json::Value;

use super::draft::{Draft, Field};
use super::line;
use crate::fingerprint::Fingerprint;
use crate::problem::{self, Problem, Replacement};
use crate::spec::{self, FieldType};
use crate::text::glob::Glob;
use crate::text::nearest::nearest;

/// The typed values of a command, by the name of their field.
#[derive(Debug, Default)]
pub struct Values(Vec<(&'static str, Typed)>);

/// A typed value.
#[derive(Debug, Clone, PartialEq)]
pub enum Typed {
    /// Any text, paths too.
    Text(String),
    /// A whole number.
    Number(usize),
    /// `true` or `false`.
    Flag(bool),
    /// Paths, one a line.
    Paths(Vec<String>),
    /// A fingerprint.
    Fingerprint(Fingerprint),
    /// A glob.
    Glob(Glob),
}

/// A parameter as a result has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Param<'a> {
    Text(&'a str),
    Number(u64),
    Flag(bool),
}

impl Param<'_> {
    /// The parameter that a value of JSON is.
    pub fn of(value: &Value) -> Option<Param<'_>> {
        match value {
            Value::String(text) => Some(Param::Text(text)),
            Value::Bool(flag) => Some(Param::Flag(*flag)),
            other => other.as_u64().map(Param::Number),
        }
    }

    /// The value of JSON.
    pub fn to_json(self) -> Value {
        match self {
            Param::Text(text) => text.into(),
            Param::Number(number) => number.into(),
            Param::Flag(flag) => flag.into(),
        }
    }
}

/// The parameters of a block in its order, typed by its action's table; of those with the same
/// name the last one counts. A key that the action does not know has
/// no effect, so it is not among them.
pub fn params<'a>(draft: &'a Draft<'_>) -> Vec<(&'a str, Param<'a>)> {
    let action = draft.field("action").and_then(|field| field.text.as_deref());
    let Some(action) = action.and_then(|name| spec::action("sham", name)) else {
        return Vec::new();
    };
    let param = |field: &'a Field<'_>| {
        let (text, known) = (field.text.as_deref()?, action.field(field.name)?);
        let typed = match known.kind {
            FieldType::Integer | FieldType::Boolean => read(draft, known, field).ok(),
            _ => None,
        };
        let param = match typed {
            Some(Typed::Number(number)) => Param::Number(number as u64),
            Some(Typed::Flag(flag)) => Param::Flag(flag),
            _ => Param::Text(text),
        };
        Some((field.name, param))
    };
    draft.fields.iter().filter_map(param).collect()
}

impl Values {
    fn take(&mut self, name: &str) -> Option<Typed> {
        let at = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.swap_remove(at).1)
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Typed::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn number(&mut self, name: &str) -> Option<usize> {
        match self.take(name)? {
            Typed::Number(number) => Some(number),
            _ => None,
        }
    }

    pub fn flag(&mut self, name: &str) -> Option<bool> {
        match self.take(name)? {
            Typed::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub fn paths(&mut self) -> Option<Vec<String>> {
        match self.take("paths")? {
            Typed::Paths(paths) => Some(paths),
            _ => None,
        }
    }

    pub fn fingerprint(&mut self) -> Option<Fingerprint> {
        match self.take("base_fingerprint")? {
            Typed::Fingerprint(fingerprint) => Some(fingerprint),
            _ => None,
        }
    }

    pub fn glob(&mut self, name: &str) -> Option<Glob> {
        match self.take(name)? {
            Typed::Glob(glob) => Some(glob),
            _ => None,
        }
    }

    pub fn put(&mut self, name: &'static str, value: Typed) {
        self.0.push((name, value));
    }
}

/// Reads a field by the type that the action's table gives it.
pub fn read(
    draft: &Draft<'_>,
    known: &spec::Field,
    field: &Field<'_>,
) -> Result<Typed, Vec<Problem>> {
    let Some(text) = field.text.as_deref() else { return Err(Vec::new()) };
    match known.kind {
        FieldType::AbsolutePath | FieldType::StructurePath => {
            path(draft, field, text).map(|()| Typed::Text(text.to_owned()))
        }
        FieldType::Paths => paths(draft, field, text),
        FieldType::Integer => integer(known, field, text).map(Typed::Number),
        FieldType::Boolean => flag(field, text).map(Typed::Flag),
        FieldType::Enum => choice(known, field, text).map(|()| Typed::Text(text.to_owned())),
        FieldType::Glob => Glob::parse(text).map(Typed::Glob).map_err(|error| {
            let says = format!("this is not a glob: {error}");
            vec![Problem::new(problem::SHAM_INVALID_VALUE, shown(field), says)]
        }),
        FieldType::Fingerprint => match text.parse() {
            Ok(fingerprint) => Ok(Typed::Fingerprint(fingerprint)),
            Err(_) => {
                let says = "a fingerprint is `sha256:` and 64 hexadecimal digits in small letters";
                Err(vec![Problem::new(problem::SHAM_INVALID_VALUE, shown(field), says)])
            }
        },
        _ => Ok(Typed::Text(text.to_owned())),
    }
}

/// The value's characters, or the whole field where it has none.
fn shown(field: &Field<'_>) -> crate::text::Span {
    if field.value.is_empty() { field.key.start..field.value.end } else { field.value.clone() }
}

/// The replacement of a field's value.
fn instead(field: &Field<'_>, value: &str) -> Replacement {
    if field.heredoc {
        return Replacement::new(field.value.clone(), value);
    }
    Replacement::new(field.value.start - 1..field.value.end + 1, line::encode(value))
}

fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    let drive = matches!(bytes, [letter, b':', b'/' | b'\\', ..] if letter.is_ascii_alphabetic());
    path.starts_with('/') || drive
}

/// The absolute path that a relative one is in the workspace.
fn made_absolute(draft: &Draft<'_>, path: &str) -> Option<String> {
    let home = draft.source.home?.trim_end_matches('/');
    let path = path.trim().trim_start_matches("./");
    (!path.is_empty()).then(|| format!("{home}/{path}"))
}

fn path(draft: &Draft<'_>, field: &Field<'_>, text: &str) -> Result<(), Vec<Problem>> {
    if is_absolute(text) && !text.contains(['\n', '\0']) {
        return Ok(());
    }
    let says = match text {
        "" => "the path is empty: it is absolute, and inside the workspace".to_owned(),
        _ if is_absolute(text) => "a path is one line without NUL characters".to_owned(),
        _ => format!("`{text}` is relative: a path is absolute, and inside the workspace"),
    };
    let problem = Problem::new(problem::SHAM_INVALID_PATH, shown(field), says);
    Err(vec![match made_absolute(draft, text).filter(|_| !is_absolute(text)) {
        Some(path) => problem.fix(format!("Make it {path}"), vec![instead(field, &path)]),
        None => problem,
    }])
}

fn paths(draft: &Draft<'_>, field: &Field<'_>, text: &str) -> Result<Typed, Vec<Problem>> {
    let all = || text.split('\n').map(str::trim).filter(|line| !line.is_empty());
    let wrong: Vec<&str> = all().filter(|path| !is_absolute(path)).collect();
    if wrong.is_empty() {
        return Ok(Typed::Paths(all().map(str::to_owned).collect()));
    }
    let says = format!("`{}` is relative: each path is absolute, one a line", wrong.join("`, `"));
    let problem = Problem::new(problem::SHAM_INVALID_PATH, shown(field), says);
    let fixed = all().map(|path| match is_absolute(path) {
        true => Some(path.to_owned()),
        false => made_absolute(draft, path),
    });
    let fixed: Option<Vec<String>> = fixed.collect();
    Err(vec![match fixed {
        Some(paths) => {
            let separator = if field.heredoc { draft.eol } else { "\n" };
            problem.fix("Make the paths absolute", vec![instead(field, &paths.join(separator))])
        }
        None => problem,
    }])
}

fn integer(known: &spec::Field, field: &Field<'_>, text: &str) -> Result<usize, Vec<Problem>> {
    let least = usize::try_from(known.min.unwrap_or(0)).unwrap_or(0);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let digits = is_digits(text) && (text == "0" || !text.starts_with('0'));
    let number = digits.then(|| text.parse().ok()).flatten().filter(|number| *number >= least);
    number.ok_or_else(|| {
        let says = format!(
            "`{}` is a whole number from {least} on, in digits without zeros before them",
            field.name
        );
        let problem = Problem::new(problem::SHAM_INVALID_INTEGER, shown(field), says);
        let bare = text.trim();
        let plain = is_digits(bare);
        let bare = match bare.trim_start_matches('0') {
            "" => "0",
            number => number,
        };
        let fits = bare.parse::<usize>().is_ok_and(|number| number >= least);
        vec![match plain && fits && bare != text {
            true => problem.fix(format!("Make it {bare}"), vec![instead(field, bare)]),
            false => problem,
        }]
    })
}

fn flag(field: &Field<'_>, text: &str) -> Result<bool, Vec<Problem>> {
    match text {
        "true" => Ok(true),
        "false" => Ok(false),
        other => {
            let says = format!("`{}` is `true` or `false`", field.name);
            let problem = Problem::new(problem::SHAM_INVALID_BOOLEAN, shown(field), says);
            let lower = other.trim().to_ascii_lowercase();
            Err(vec![match lower.as_str() {
                "true" | "false" => {
                    problem.fix(format!("Make it {lower}"), vec![instead(field, &lower)])
                }
                _ => problem,
            }])
        }
    }
}

fn choice(known: &spec::Field, field: &Field<'_>, text: &str) -> Result<(), Vec<Problem>> {
    if known.values.iter().any(|value| value == text) {
        return Ok(());
    }
    let says = format!("`{}` is one of {}", field.name, known.values.join(", "));
    let problem = Problem::new(problem::SHAM_INVALID_ENUM, shown(field), says);
    let near = nearest(text, known.values.iter().map(String::as_str));
    Err(vec![match near {
        Some(near) => problem.choice(format!("Make it {near}"), vec![instead(field, near)]),
        None => problem,
    }])
}
