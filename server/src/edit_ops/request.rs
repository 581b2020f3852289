//! An edit-ops request: any JSON gives one, or where it is none and what is expected there.

use std::collections::BTreeMap;
use std::fmt;

use operator_core::json::{At, Mismatch, MismatchKind, Unique};
use operator_core::snapshot::FileId;
use operator_core::text::Encoding;
use serde::Serialize;
use serde_json::Value;
use uuid::Uuid;

/// What a person asks of a model.
#[derive(Debug, Clone)]
pub struct Request {
    /// The tool that is edited; nothing but the log knows it.
    pub tool_id: Uuid,
    /// What is to be done.
    pub instruction: String,
    /// What was said before, the oldest first.
    pub conversation: Vec<Turn>,
    /// The file that the person looks at.
    pub active_file: FileId,
    /// From where to where the active file is selected, as counted by `encoding`.
    pub selection: Option<(i64, i64)>,
    /// Where the cursor is in the active file, as counted by `encoding`.
    pub cursor: Option<i64>,
    /// What an offset counts.
    pub encoding: Encoding,
    /// The text of every file.
    pub files: BTreeMap<FileId, String>,
}

/// One turn of a conversation.
#[derive(Debug, Clone, Serialize)]
pub struct Turn {
    /// Who spoke.
    pub role: Role,
    /// What was said.
    pub content: String,
}

/// Who speaks in a conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
}

/// Why something is not a request. It names places and what is expected there, and no values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotARequest {
    /// Where.
    pub place: Place,
    /// What is wrong, and what is expected.
    pub message: String,
}

/// A place in a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A JSON pointer (RFC 6901).
    Pointer(String),
    /// A line and a column from 1, where it is not even JSON.
    Line(usize, usize),
}

type Result<T> = std::result::Result<T, NotARequest>;

const KEYS: &[&str] = &[
    "tool_id",
    "instruction",
    "message",
    "conversation",
    "active_file",
    "selection",
    "cursor",
    "offset_encoding",
    "virtual_files",
];

impl fmt::Display for NotARequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.place {
            Place::Pointer(pointer) if pointer.is_empty() => write!(f, "{}", self.message),
            Place::Pointer(pointer) => write!(f, "{pointer}: {}", self.message),
            Place::Line(line, column) => {
                write!(f, "line {line}, column {column}: {}", self.message)
            }
        }
    }
}

impl Request {
    /// The request in these bytes.
    ///
    /// # Errors
    /// Where and why they hold none.
    pub fn from_slice(bytes: &[u8]) -> Result<Request> {
        let Unique(value) = serde_json::from_slice(bytes).map_err(|error| NotARequest {
            // At the end of a line there is no character.
            place: Place::Line(error.line().max(1), error.column().max(1)),
            message: not_json(&error),
        })?;
        Request::from_value(&value)
    }

    /// The request in this value.
    ///
    /// # Errors
    /// Where and why it is none.
    pub fn from_value(value: &Value) -> Result<Request> {
        let files = one_of_files();
        let root = At::root(value);
        root.only(KEYS)?;
        let given = |name| root.given(name).filter(|at| !at.value.is_null());
        let file = |value: &Value| value.as_str().and_then(FileId::of);
        Ok(Request {
            instruction: instruction(&root)?.to_owned(),
            tool_id: root.member("tool_id", UUID)?.read(UUID, uuid)?,
            conversation: turns(&root.member("conversation", TURNS)?)?,
            active_file: root.member("active_file", &files)?.read(&files, file)?,
            selection: given("selection").map(|at| selection(&at)).transpose()?,
            cursor: given("cursor").map(|at| cursor(&at)).transpose()?,
            encoding: match given("offset_encoding") {
                Some(at) => at.read("one of utf-16, utf-8, utf-32", encoding)?,
                None => Encoding::default(),
            },
            files: texts(&root.member("virtual_files", "an object of the five files")?)?,
        })
    }
}

const TEXT: &str = "a text";
const UUID: &str = "a UUID";
const TURNS: &str = "a list of turns, `[]` where there are none";
const ROLE: &str = "`user` or `assistant`";
const OFFSET: &str = "a whole number";

fn one_of_files() -> String {
    format!("one of {}", FileId::ALL.map(FileId::as_str).join(", "))
}

impl From<Mismatch<'_>> for NotARequest {
    fn from(mismatch: Mismatch<'_>) -> NotARequest {
        let message = match mismatch.kind {
            MismatchKind::Unknown { near: Some(near), .. } => {
                format!("it is not known here; did you mean `{near}`?")
            }
            MismatchKind::Unknown { near: None, .. } => "it is not known here".to_owned(),
            MismatchKind::Missing { expected, .. } => {
                format!("it is missing; {expected} is expected")
            }
            MismatchKind::Other { expected, .. } => format!("{expected} is expected"),
        };
        NotARequest { place: Place::Pointer(mismatch.pointer), message }
    }
}

fn instruction<'a>(root: &At<'a>) -> Result<&'a str> {
    let text = match (root.given("instruction"), root.given("message")) {
        (Some(_), Some(more)) => {
            let message = "give `instruction` or `message`, not both".to_owned();
            return Err(NotARequest { place: Place::Pointer(more.pointer), message });
        }
        (None, Some(one)) => one,
        (_, None) => root.member("instruction", TEXT)?,
    };
    Ok(text.read(TEXT, Value::as_str)?)
}

fn uuid(value: &Value) -> Option<Uuid> {
    Uuid::try_parse(value.as_str()?).ok()
}

fn encoding(value: &Value) -> Option<Encoding> {
    match value.as_str()? {
        "utf-16" => Some(Encoding::Utf16),
        "utf-8" => Some(Encoding::Utf8),
        "utf-32" => Some(Encoding::Utf32),
        _ => None,
    }
}

fn role(value: &Value) -> Option<Role> {
    match value.as_str()? {
        "user" => Some(Role::User),
        "assistant" => Some(Role::Assistant),
        _ => None,
    }
}

fn selection(range: &At<'_>) -> Result<(i64, i64)> {
    range.only(&["from", "to"])?;
    Ok((offset(range, "from")?, offset(range, "to")?))
}

fn cursor(at: &At<'_>) -> Result<i64> {
    at.only(&["pos"])?;
    offset(at, "pos")
}

/// A whole number; whether it lies in the text is another question.
fn offset(object: &At<'_>, name: &str) -> Result<i64> {
    let whole = |value: &Value| value.as_i64().or(value.as_u64().map(|_| i64::MAX));
    Ok(object.member(name, OFFSET)?.read(OFFSET, whole)?)
}

fn turns(list: &At<'_>) -> Result<Vec<Turn>> {
    let turn = |at: At<'_>| {
        at.only(&["role", "content"])?;
        Ok(Turn {
            role: at.member("role", ROLE)?.read(ROLE, role)?,
            content: at.member("content", TEXT)?.read(TEXT, Value::as_str)?.to_owned(),
        })
    };
    list.items(TURNS)?.into_iter().map(turn).collect()
}

fn texts(files: &At<'_>) -> Result<BTreeMap<FileId, String>> {
    files.only(&FileId::ALL.map(FileId::as_str))?;
    let text = |file: FileId| {
        let at = files.member(file.as_str(), "the file's text")?;
        Ok((file, at.read(TEXT, Value::as_str)?.to_owned()))
    };
    FileId::ALL.into_iter().map(text).collect()
}

/// What is wrong with text that is not JSON. The parser's own words hold nothing of the text but
/// for a few kinds of error, which are put in words of our own.
fn not_json(error: &serde_json::Error) -> String {
    use serde_json::error::Category;
    match error.classify() {
        Category::Eof => "the JSON ends too early".to_owned(),
        Category::Data => "a name is in one object twice".to_owned(),
        Category::Syntax | Category::Io => "this is not JSON; an edit-ops request is one JSON \
                                            object in UTF-8"
            .to_owned(),
    }
}

#[cfg(test)]
mod tests;
