//! An edit-ops request: any JSON gives one, or where it is none and what is expected there.

use std::collections::BTreeMap;
use std::fmt;

use operator_core::json::Unique;
use operator_core::snapshot::FileId;
use operator_core::text::Encoding;
use operator_core::text::nearest::nearest;
use serde::Serialize;
use serde_json::{Map, Value};
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
            place: Place::Line(error.line(), error.column()),
            message: not_json(&error),
        })?;
        Request::from_value(&value)
    }

    /// The request in this value.
    ///
    /// # Errors
    /// Where and why it is none.
    pub fn from_value(value: &Value) -> Result<Request> {
        let root = At { value, pointer: String::new() };
        let members = root.object(KEYS)?;
        let instruction = match (members.get("instruction"), members.get("message")) {
            (Some(_), Some(more)) => {
                return more.wrong("give `instruction` or `message`, not both");
            }
            (None, Some(one)) => one,
            (one, None) => one.ok_or_else(|| root.missing("instruction", "a text"))?,
        };
        let required = |name, expected| {
            let found = members.get(name);
            found.ok_or_else(|| root.missing(name, expected))
        };
        let given = |name| members.get(name).filter(|at: &&At| !at.value.is_null());
        let selection = |at: &At| {
            let range = at.object(&["from", "to"])?;
            Ok((at.offset(&range, "from")?, at.offset(&range, "to")?))
        };
        let cursor = |at: &At| at.offset(&at.object(&["pos"])?, "pos");
        Ok(Request {
            tool_id: required("tool_id", UUID)?.uuid()?,
            instruction: instruction.text()?.to_owned(),
            conversation: required("conversation", TURNS)?.turns()?,
            active_file: required("active_file", &one_of_files())?.file()?,
            selection: given("selection").map(selection).transpose()?,
            cursor: given("cursor").map(cursor).transpose()?,
            encoding: given("offset_encoding").map(At::encoding).transpose()?.unwrap_or_default(),
            files: required("virtual_files", "an object of the five files")?.files()?,
        })
    }
}

const UUID: &str = "a UUID";
const TURNS: &str = "a list of turns, `[]` where there are none";

/// A value and where it is.
struct At<'a> {
    value: &'a Value,
    pointer: String,
}

type Members<'a> = BTreeMap<&'a str, At<'a>>;

impl<'a> At<'a> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T> {
        let place = Place::Pointer(self.pointer.clone());
        Err(NotARequest { place, message: message.into() })
    }

    fn member(&self, name: &str) -> String {
        format!("{}/{}", self.pointer, name.replace('~', "~0").replace('/', "~1"))
    }

    fn missing(&self, name: &str, expected: &str) -> NotARequest {
        let message = format!("it is missing; {expected} is expected");
        NotARequest { place: Place::Pointer(self.member(name)), message }
    }

    fn map(&self) -> Result<&'a Map<String, Value>> {
        match self.value {
            Value::Object(map) => Ok(map),
            _ => self.wrong("an object is expected"),
        }
    }

    /// The members of an object that has no others than these.
    fn object(&self, known: &[&str]) -> Result<Members<'a>> {
        let mut members = Members::new();
        for (name, value) in self.map()? {
            let at = At { value, pointer: self.member(name) };
            if !known.contains(&name.as_str()) {
                let near = nearest(name, known.iter().copied());
                let near = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                return at.wrong(format!("it is not known here{near}"));
            }
            members.insert(name, at);
        }
        Ok(members)
    }

    fn text(&self) -> Result<&'a str> {
        self.value.as_str().map_or_else(|| self.wrong("a text is expected"), Ok)
    }

    fn uuid(&self) -> Result<Uuid> {
        let parsed = self.value.as_str().and_then(|text| Uuid::try_parse(text).ok());
        parsed.map_or_else(|| self.wrong(format!("{UUID} is expected")), Ok)
    }

    fn file(&self) -> Result<FileId> {
        let file = self.value.as_str().and_then(FileId::of);
        file.map_or_else(|| self.wrong(format!("{} is expected", one_of_files())), Ok)
    }

    fn encoding(&self) -> Result<Encoding> {
        match self.value.as_str() {
            Some("utf-16") => Ok(Encoding::Utf16),
            Some("utf-8") => Ok(Encoding::Utf8),
            Some("utf-32") => Ok(Encoding::Utf32),
            _ => self.wrong("one of utf-16, utf-8, utf-32 is expected"),
        }
    }

    /// A whole number; whether it lies in the text is another question.
    fn offset(&self, members: &Members, name: &str) -> Result<i64> {
        let Some(at) = members.get(name) else {
            return Err(self.missing(name, "a whole number"));
        };
        let huge = at.value.as_u64().map(|_| i64::MAX);
        let number = at.value.as_i64().or(huge);
        number.map_or_else(|| at.wrong("a whole number is expected"), Ok)
    }

    fn turns(&self) -> Result<Vec<Turn>> {
        let Value::Array(items) = self.value else {
            return self.wrong(format!("{TURNS} is expected"));
        };
        let turn = |(index, value)| {
            let at = At { value, pointer: format!("{}/{index}", self.pointer) };
            let members = at.object(&["role", "content"])?;
            let member =
                |name, expected| members.get(name).ok_or_else(|| at.missing(name, expected));
            let role = member("role", ROLE)?;
            let role = match role.value.as_str() {
                Some("user") => Role::User,
                Some("assistant") => Role::Assistant,
                _ => return role.wrong(format!("{ROLE} is expected")),
            };
            Ok(Turn { role, content: member("content", "a text")?.text()?.to_owned() })
        };
        items.iter().enumerate().map(turn).collect()
    }

    fn files(&self) -> Result<BTreeMap<FileId, String>> {
        let members = self.object(&FileId::ALL.map(FileId::as_str))?;
        let file = |file: FileId| {
            let name = file.as_str();
            let at = members.get(name).ok_or_else(|| self.missing(name, "the file's text"))?;
            Ok((file, at.text()?.to_owned()))
        };
        FileId::ALL.into_iter().map(file).collect()
    }
}

const ROLE: &str = "`user` or `assistant`";

fn one_of_files() -> String {
    format!("one of {}", FileId::ALL.map(FileId::as_str).join(", "))
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
