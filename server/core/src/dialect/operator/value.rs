//! Values: what each field's text decodes to, and what is wrong with it.

use super::base64::{self, Base64Error};
use super::check::{empty, shown};
use super::parse::{Draft, Field};
use crate::command::edits::{self, EditsError, TextEdit};
use crate::command::patch::{self, Patch, PatchError, PatchFile};
use crate::fingerprint::Fingerprint;
use crate::problem::{self, Problem, Replacement};
use crate::spec::{self, FieldType};

/// The decoded values of a command, by the name of their field.
#[derive(Debug, Default)]
pub struct Values(Vec<(&'static str, Value)>);

#[derive(Debug)]
enum Value {
    Text(String),
    Number(usize),
    Edits(Vec<TextEdit>),
    Patch(Patch),
    Fingerprint(Fingerprint),
}

/// A value, or what is wrong with it.
type Read<T> = Result<T, Box<Problem>>;

impl Values {
    fn get(&self, name: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    fn take(&mut self, name: &str) -> Option<Value> {
        let at = self.0.iter().position(|(known, _)| *known == name)?;
        Some(self.0.swap_remove(at).1)
    }

    pub fn text(&mut self, name: &str) -> Option<String> {
        match self.take(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn number(&self, name: &str) -> Option<usize> {
        match self.get(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn edits(&mut self) -> Option<Vec<TextEdit>> {
        match self.take("edits_b64")? {
            Value::Edits(edits) => Some(edits),
            _ => None,
        }
    }

    pub fn patch(&mut self) -> Option<Patch> {
        match self.take("patch_b64")? {
            Value::Patch(patch) => Some(patch),
            _ => None,
        }
    }

    pub fn fingerprint(&self) -> Option<Fingerprint> {
        match self.get("base_fingerprint")? {
            Value::Fingerprint(fingerprint) => Some(*fingerprint),
            _ => None,
        }
    }
}

/// Reads one field by the type that the action's table gives it.
pub fn read(
    known: &'static spec::Field,
    field: &Field<'_>,
    values: &mut Values,
    problems: &mut Vec<Problem>,
) {
    let read = match known.kind {
        FieldType::Path => path(known, field),
        FieldType::Text => text(known, field, problems),
        FieldType::AbsolutePath
        | FieldType::StructurePath
        | FieldType::Paths
        | FieldType::Target
        | FieldType::Boolean
        | FieldType::Glob
        | FieldType::Enum => Ok(Value::Text(field.value.to_owned())),
        FieldType::Integer => integer(known, field),
        FieldType::Fingerprint => fingerprint(field),
        FieldType::Base64
        | FieldType::Base64Edits
        | FieldType::Base64Patch
        | FieldType::Base64Target => {
            if field.broken {
                return;
            }
            payload(field).and_then(|decoded| match known.kind {
                FieldType::Base64Edits => edits::parse(&decoded)
                    .map(Value::Edits)
                    .map_err(|error| Box::new(no_edits(field, error))),
                FieldType::Base64Patch => patch::parse(&decoded)
                    .map(Value::Patch)
                    .map_err(|error| Box::new(no_patch(field, &decoded, error))),
                _ => Ok(Value::Text(decoded)),
            })
        }
    };
    match read {
        Ok(value) => values.0.push((&known.name, value)),
        Err(problem) => problems.push(*problem),
    }
}

fn path(known: &spec::Field, field: &Field<'_>) -> Read<Value> {
    match field.bare() {
        // The rule about paths speaks of an empty `path`.
        "" if known.name == "path" => Ok(Value::Text(String::new())),
        "" => Err(Box::new(empty(field, &known.help))),
        value => Ok(Value::Text(value.to_owned())),
    }
}

fn text(known: &spec::Field, field: &Field<'_>, problems: &mut Vec<Problem>) -> Read<Value> {
    if field.value.is_empty() && known.required {
        return Err(Box::new(empty(field, &known.help)));
    }
    if field.name == "content" {
        problems.extend(inline_content(field));
    }
    Ok(Value::Text(field.value.to_owned()))
}

/// A plain content that should be a payload: too long to read, or with line breaks spelled out.
fn inline_content(field: &Field<'_>) -> Option<Problem> {
    const LONG: usize = 200;
    let spelled = field.value.contains("\\n");
    let long = field.value.chars().count() > LONG;
    let says = match (spelled, long) {
        (true, _) => "`\\n` in `content` stays two characters: line breaks need `content_b64`",
        (_, true) => "`content` is for a few words; use `content_b64` for longer text",
        _ => return None,
    };
    let line = |text: &str| {
        let value = format!("content_b64: {}", base64::encode(text));
        vec![Replacement::new(field.line.clone(), value)]
    };
    let problem = Problem::new(problem::OPERATOR_INLINE_CONTENT, shown(field), says);
    if spelled {
        let broken = field.value.replace("\\r\\n", "\r\n").replace("\\n", "\n");
        let problem =
            problem.choice("Turn into `content_b64` with `\\n` as line breaks", line(&broken));
        return Some(problem.choice("Turn into `content_b64` as it is", line(field.value)));
    }
    Some(problem.fix("Turn into `content_b64`", line(field.value)))
}

fn integer(known: &spec::Field, field: &Field<'_>) -> Read<Value> {
    let value = field.bare();
    let (min, max) = (known.min.unwrap_or(0), known.max.unwrap_or(u64::from(u32::MAX)));
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    let number = digits.then(|| value.parse::<u64>().ok()).flatten();
    match number.filter(|number| (min..=max).contains(number)) {
        Some(number) => Ok(Value::Number(usize::try_from(number).unwrap_or(usize::MAX))),
        None => Err(Box::new(no_number(known, field, min))),
    }
}

fn no_number(known: &spec::Field, field: &Field<'_>, min: u64) -> Problem {
    let range = match known.max {
        Some(max) => format!("from {min} to {max}"),
        None => format!("from {min} on"),
    };
    let says = format!("`{}` is a whole number {range}, not `{}`", known.name, field.bare());
    let problem =
        Problem::new(problem::OPERATOR_INVALID_NUMBER, shown(field), says).detail("min", min);
    known.max.into_iter().fold(problem, |problem, max| problem.detail("max", max))
}

fn fingerprint(field: &Field<'_>) -> Read<Value> {
    field.bare().parse().map(Value::Fingerprint).map_err(|says: String| {
        Box::new(Problem::new(problem::OPERATOR_INVALID_FINGERPRINT, shown(field), says))
    })
}

/// The text of a payload.
fn payload(field: &Field<'_>) -> Read<String> {
    let bytes = base64::decode(field.value).map_err(|error| Box::new(not_base64(field, error)))?;
    String::from_utf8(bytes)
        .map_err(|error| Box::new(not_utf8(field, error.utf8_error().valid_up_to())))
}

fn not_base64(field: &Field<'_>, error: Base64Error) -> Problem {
    let value = &field.value_span;
    let at = value.start + error.at;
    let character = field.value.get(error.at..).and_then(|rest| rest.chars().next());
    let span = match character {
        Some(character) => at..at + character.len_utf8(),
        None => field.key_span.clone(),
    };
    let column = field.value.get(..error.at).map_or(0, |before| before.chars().count()) + 1;
    let problem = Problem::new(problem::OPERATOR_INVALID_BASE64, span, error.message)
        .detail("field", field.name)
        .detail("character", column);
    let Some(repair) = error.repair else { return problem };
    let edit = vec![Replacement::new(value.clone(), repair.value)];
    // Padding may be wrong because the value was cut: that is for a person to check.
    if repair.only_blanks {
        problem.fix(repair.title, edit)
    } else {
        problem.choice(repair.title, edit)
    }
}

fn not_utf8(field: &Field<'_>, at: usize) -> Problem {
    let says =
        format!("`{}` is not UTF-8 text: its byte {} does not belong there", field.name, at + 1);
    // Three bytes are four characters.
    let group = field.value_span.start + at / 3 * 4;
    let span = group..(group + 4).min(field.value_span.end);
    Problem::new(problem::OPERATOR_INVALID_UTF8, span, says)
        .detail("field", field.name)
        .detail("byte", at + 1)
}

/// How many characters of a decoded line are shown.
const SHOWN: usize = 40;

fn no_edits(field: &Field<'_>, error: EditsError) -> Problem {
    let code = match error.occurrence {
        true => problem::OPERATOR_INVALID_NUMBER,
        false => problem::OPERATOR_INVALID_EDITS,
    };
    let problem = Problem::new(code, shown(field), error.message);
    let details = [("edit", error.edit), ("line", error.line), ("column", error.column)];
    details.into_iter().fold(problem, |problem, (key, value)| match value {
        Some(value) => problem.detail(key, value),
        None => problem,
    })
}

fn no_patch(field: &Field<'_>, decoded: &str, error: PatchError) -> Problem {
    let line = decoded.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
    let line: String = line.chars().take(SHOWN).collect();
    let shown_line = if line.is_empty() { String::new() } else { format!(": `{line}`") };
    let says = format!("{} (decoded line {}{shown_line})", error.message, error.line);
    let problem = Problem::new(problem::OPERATOR_INVALID_PATCH, shown(field), says)
        .detail("line", error.line);
    error.recounted.into_iter().fold(problem, |problem, recounted| {
        let edit = Replacement::new(field.value_span.clone(), base64::encode(recounted.as_str()));
        problem.fix("Recount the hunks", vec![edit])
    })
}

/// The problem of a patch whose headers name another file than the command.
pub fn other_file(draft: &Draft<'_>, values: &Values) -> Option<Problem> {
    let (path, field) = (draft.field("path")?, draft.field("patch_b64")?);
    let Some(Value::Patch(patch)) = values.get("patch_b64") else { return None };
    let headers = [&patch.old, &patch.new].into_iter().flatten();
    let is_path = |name: &str| plain(name) == plain(path.value.trim());
    let other = headers.filter_map(|file| match file {
        PatchFile::Path(whole) if is_path(whole) || file.stripped().is_some_and(is_path) => None,
        PatchFile::Path(whole) => Some(file.stripped().unwrap_or(whole)),
        PatchFile::Null => None,
    });
    let named = other.into_iter().next()?;
    let says =
        format!("the patch's header names `{named}`, and the path is `{}`", path.value.trim());
    Some(Problem::new(problem::OPERATOR_INVALID_PATCH, shown(field), says))
}

/// A path without what makes no difference: separators of the other kind, a leading `/`, `./`.
fn plain(path: &str) -> String {
    let names = path.split(['/', '\\']).filter(|name| !name.is_empty() && *name != ".");
    names.collect::<Vec<_>>().join("/")
}

/// The path that a patch's headers name.
pub fn path_in_patch(value: &str) -> Option<String> {
    let decoded = String::from_utf8(base64::decode(value).ok()?).ok()?;
    let patch = patch::parse(&decoded).ok()?;
    let named = |file: Option<PatchFile>, prefix: &str| match file? {
        PatchFile::Null => None,
        PatchFile::Path(path) => Some(path.strip_prefix(prefix).unwrap_or(&path).to_owned()),
    };
    named(patch.new, "b/").or(named(patch.old, "a/"))
}
