//! An operation with its arguments; its wire form is that of `operator/structure`.

use serde::de::Error as _;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::OPERATIONS;
use super::operation::{Operation, alias, operation};
use super::target::path_within;
use crate::fingerprint::Fingerprint;
use crate::spec::{Action, Effect, Field, FieldRole};

/// The key of the operation's name.
const OPERATION: &str = "op";
/// The key of the fingerprint that a file must have.
const BASE: &str = "base_fingerprint";

/// An operation with its arguments. Paths are as the caller writes them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The operation.
    pub operation: &'static Operation,
    /// Its arguments.
    pub arguments: Arguments,
    /// The fingerprint that the file must have; `None` for any.
    pub base: Option<Fingerprint>,
}

/// The arguments of an operation; those that it does not take are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments {
    /// The file; of a move the one that the structure comes from.
    pub path: String,
    /// The target, one line for each level; of a move what moves.
    pub target: String,
    /// The file that a structure moves to.
    pub dest_path: String,
    /// The target that it moves to.
    pub dest_target: String,
    /// The text for a structure, at zero indent.
    pub content: String,
    /// The text that is there.
    pub old_text: String,
    /// The text that takes its place.
    pub new_text: String,
    /// How many times the old text must be there; `None` for any number.
    pub expected_count: Option<usize>,
    /// Whether the target of a read must fit one structure alone. It has no wire form.
    pub only_one: bool,
    /// Whether the old text may be nowhere, where any number of times will do. It has no wire form.
    pub may_be_absent: bool,
}

impl Arguments {
    fn get(&self, parameter: FieldRole) -> Value {
        let text = match parameter {
            FieldRole::Path | FieldRole::SourcePath => &self.path,
            FieldRole::Target | FieldRole::SourceTarget => &self.target,
            FieldRole::DestPath => &self.dest_path,
            FieldRole::DestTarget => &self.dest_target,
            FieldRole::Content => &self.content,
            FieldRole::OldText => &self.old_text,
            FieldRole::NewText => &self.new_text,
            FieldRole::ExpectedCount => return self.expected_count.into(),
            _ => return Value::Null,
        };
        Value::from(text.as_str())
    }

    fn set(&mut self, parameter: FieldRole, value: Value) -> serde_json::Result<()> {
        let place = match parameter {
            FieldRole::Path | FieldRole::SourcePath => &mut self.path,
            FieldRole::Target | FieldRole::SourceTarget => &mut self.target,
            FieldRole::DestPath => &mut self.dest_path,
            FieldRole::DestTarget => &mut self.dest_target,
            FieldRole::Content => &mut self.content,
            FieldRole::OldText => &mut self.old_text,
            FieldRole::NewText => &mut self.new_text,
            FieldRole::ExpectedCount => {
                self.expected_count = serde_json::from_value(value)?;
                return Ok(());
            }
            _ => return Err(serde_json::Error::custom("no operation takes it")),
        };
        *place = serde_json::from_value(value)?;
        Ok(())
    }
}

impl Request {
    /// The operation of that name with arguments; `None` where none has it.
    pub fn new(name: &str, arguments: Arguments) -> Option<Request> {
        Some(Request { operation: operation(name)?, arguments, base: None })
    }

    /// The operation that a dialect's action calls, with the values of the action's fields.
    /// `None` where it calls none, or a required value is missing.
    pub fn of_action(
        action: &Action,
        mut value: impl FnMut(&Field) -> Option<Value>,
    ) -> Option<Request> {
        let operation = operation(action.structure.as_deref()?)?;
        let named = |parameter: &FieldRole| {
            let field = action.fields.iter().find(|field| field.role == Some(*parameter))?;
            Some((parameter.name(), field))
        };
        let fields = operation.parameters.iter().filter_map(named);
        let values = fields.filter_map(|(name, field)| Some((name.to_owned(), value(field)?)));
        operation.request(values.collect()).ok()
    }

    /// The file that the structure is in, as the caller writes it.
    pub fn path(&self) -> &str {
        &self.arguments.path
    }

    /// The path with the target after it, for what acts inside one structure of a file.
    pub fn path_with_target(&self) -> String {
        path_within(&self.arguments.path, &self.arguments.target)
    }

    /// Whether it takes the place of all that is in its file, or takes it away: its target is the file.
    pub fn overwrites(&self) -> bool {
        let takes_all = ["replace_structure", "delete_structure"].contains(&self.operation.name);
        takes_all && self.arguments.target.trim().is_empty()
    }

    /// The other file that it is about, where it has one.
    pub fn dest_path(&self) -> Option<&str> {
        let takes = self.operation.parameters.contains(&FieldRole::DestPath);
        takes.then_some(self.arguments.dest_path.as_str())
    }
}

impl Operation {
    /// The operation with the fields of its wire form.
    ///
    /// # Errors
    /// A message that names a field that is missing, unknown, given twice, or of another type.
    pub fn request(&'static self, fields: Map<String, Value>) -> Result<Request, String> {
        let mut request = Request { operation: self, arguments: Arguments::default(), base: None };
        let mut missing = self.parameters.to_vec();
        for (name, value) in fields {
            if name == BASE && self.effect == Effect::Write {
                request.base = serde_json::from_value(value).map_err(|error| error.to_string())?;
                continue;
            }
            let is_named = |it: &FieldRole| it.name() == name || alias(*it) == Some(&name);
            let Some(place) = missing.iter().position(is_named) else {
                return Err(match self.parameters.iter().copied().find(is_named) {
                    Some(parameter) => format!("duplicate field `{}`", parameter.name()),
                    None => format!("unknown field `{name}`, expected {}", self.fields()),
                });
            };
            let set = request.arguments.set(missing.remove(place), value);
            set.map_err(|error| error.to_string())?;
        }
        match missing.iter().find(|parameter| **parameter != FieldRole::ExpectedCount) {
            Some(parameter) => Err(format!("missing field `{}`", parameter.name())),
            None => Ok(request),
        }
    }

    /// The names of its fields, as messages list them.
    fn fields(&self) -> String {
        let base = (self.effect == Effect::Write).then_some(BASE);
        one_of(self.parameters.iter().map(|parameter| parameter.name()).chain(base))
    }
}

/// `one of` with each name in backticks.
fn one_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    format!("one of {}", names.join(", "))
}

impl Serialize for Request {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_map(None)?;
        fields.serialize_entry(OPERATION, self.operation.name)?;
        for parameter in self.operation.parameters {
            fields.serialize_entry(parameter.name(), &self.arguments.get(*parameter))?;
        }
        if let Some(base) = &self.base {
            fields.serialize_entry(BASE, base)?;
        }
        fields.end()
    }
}

impl<'de> Deserialize<'de> for Request {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Request, D::Error> {
        let mut fields = Map::deserialize(deserializer)?;
        let name = fields.remove(OPERATION).ok_or_else(|| D::Error::missing_field(OPERATION))?;
        let name = String::deserialize(name).map_err(D::Error::custom)?;
        let Some(operation) = operation(&name) else {
            let known = one_of(OPERATIONS.iter().map(|operation| operation.name));
            return Err(D::Error::custom(format!("unknown variant `{name}`, expected {known}")));
        };
        operation.request(fields).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests;
