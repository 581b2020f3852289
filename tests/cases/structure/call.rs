//! A `call` block: an operation with its fields, as a command line.

use operator_core::spec::{Effect, FieldRole};
use operator_core::structure::{OPERATIONS, Operation};
use serde_json::{Value, json};

use super::Given;
use crate::macros::{self, Files};
use crate::parse::Section;
use crate::world::World;

/// What a command line takes as one argument, with room to spare.
const LONGEST: usize = 100_000;

/// An operation with its fields.
pub struct Call {
    pub operation: String,
    paths: Vec<String>,
    fields: Vec<(String, String)>,
}

impl Call {
    /// Reads a block: `field: value`, or `field:` and lines that are indented by two blanks.
    pub fn of(section: &Section, files: &Files) -> Result<Call, String> {
        let (operation, paths) = section.args.split_first().ok_or("a call names its operation")?;
        let body = macros::expand(&section.bytes(), files);
        let body = String::from_utf8(body).map_err(|_| "a call is text")?;
        let mut fields: Vec<(String, Vec<&str>)> = Vec::new();
        for line in body.split_terminator('\n') {
            match (line.strip_prefix("  "), fields.last_mut()) {
                (Some(value), Some((_, lines))) => lines.push(value),
                (None, Some((_, lines))) if line.is_empty() => lines.push(""),
                _ => {
                    let field = line.split_once(':').ok_or(format!("`{line}` is no field"))?;
                    let value = field.1.strip_prefix(' ').unwrap_or(field.1);
                    let lines = if value.is_empty() { Vec::new() } else { vec![value] };
                    fields.push((field.0.to_owned(), lines));
                }
            }
        }
        let fields = fields.into_iter().map(|(name, lines)| (name, lines.join("\n")));
        let (operation, paths) = (operation.clone(), paths.to_vec());
        Ok(Call { operation, paths, fields: fields.collect() })
    }

    /// Its row; `outline` is the one that has no command there.
    fn row(&self) -> Option<&'static Operation> {
        let is_it = |row: &&Operation| row.command.unwrap_or("outline") == self.operation;
        OPERATIONS.iter().find(is_it)
    }

    /// Whether it cannot change anything.
    pub fn reads(&self) -> bool {
        self.row().is_some_and(|row| row.effect == Effect::Read)
    }

    /// The same for `operator/structure`.
    pub fn params(&self) -> Value {
        let row = self.row();
        let mut params = json!({"op": row.map_or(&*self.operation, |row| row.name)});
        let moves = row.is_some_and(|row| row.parameters.contains(&FieldRole::SourcePath));
        let path = if moves { "source_path" } else { "path" };
        params[path] = self.paths.first().map(String::as_str).into();
        for (name, value) in &self.fields {
            let number = value.parse::<u64>().ok();
            match (&**name, number) {
                ("expected-count", Some(number)) => params["expected_count"] = number.into(),
                ("target", _) if moves => params["source_target"] = value.as_str().into(),
                ("old" | "new", _) => params[format!("{name}_text")] = value.as_str().into(),
                (name, _) => params[name.replace('-', "_")] = value.as_str().into(),
            }
        }
        params
    }

    /// Runs the operation.
    pub fn run(&self, world: &World) -> Result<Given, String> {
        let json = self.output(world, &["--format", "json"])?;
        let shown = match &*self.operation {
            "outline" => self.output(world, &[])?.0,
            _ => String::new(),
        };
        let (said, code) = json;
        let json: Value = serde_json::from_str(&said).map_err(|e| format!("{e}: {said}"))?;
        let failed = json["ok"] == false
            || json["files"]
                .as_array()
                .is_some_and(|it| it.iter().any(|it| !it["error"].is_null()));
        if code != Some(i32::from(failed)) {
            return Err(format!("{}: the exit code is {code:?}: {said}", self.operation));
        }
        if failed && json["ok"] == false && json["error"]["details"]["state"] != "FILE_UNCHANGED" {
            return Err(format!("{}: the state is missing: {said}", self.operation));
        }
        Ok(Given { json, shown })
    }

    /// Standard output and the exit code; one beyond 1 is a complaint.
    fn output(&self, world: &World, more: &[&str]) -> Result<(String, Option<i32>), String> {
        let mut arguments = vec!["structure".to_owned(), self.operation.clone()];
        arguments.extend(self.paths.iter().cloned());
        for (name, value) in &self.fields {
            arguments.push(match name == "content" && value.len() > LONGEST {
                true => {
                    let file = world.transcript(value.as_bytes());
                    format!("--content-file={}", file.display())
                }
                false => format!("--{name}={value}"),
            });
        }
        arguments.extend(more.iter().map(|&it| it.to_owned()));
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let output = world.run(&arguments, None);
        let code = output.status.code();
        if code.is_none_or(|code| code > 1) {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{arguments:?}: {}: {said}", output.status));
        }
        Ok((String::from_utf8_lossy(&output.stdout).into_owned(), code))
    }
}
