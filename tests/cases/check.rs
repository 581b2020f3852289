//! What `check --format json` says about a transcript, as the sections show it.

use std::path::Path;

use operator_core::text::{Encoding, Position, Text};
use serde_json::Value;

use crate::escape;
use crate::problems::Found;
use crate::world::World;

/// What was found, and what the command did wrong in saying so.
pub struct Checked {
    pub problems: Vec<Found>,
    /// One line per block, as in a `blocks` section.
    pub blocks: String,
    /// Every action that a block names.
    pub actions: Vec<String>,
    pub complaints: Vec<String>,
}

/// Runs `check` on a transcript, whose exact text is `text`.
pub fn check(world: &World, transcript: &Path, text: &str) -> Result<Checked, String> {
    let output = world.run(&["check", "--format", "json"], Some(transcript));
    let said = String::from_utf8_lossy(&output.stdout);
    let json: Value = serde_json::from_str(&said).map_err(|error| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("check: {}, standard output is no JSON ({error}): {said}{errors}", output.status)
    })?;
    let found = &json["transcripts"][0];
    let blocks = list(&found["blocks"]);
    let problems = problems(list(&found["problems"]), text, blocks.len(), world);
    let mut checked = Checked {
        blocks: world.hide(&blocks.iter().map(block).collect::<String>()),
        actions: blocks.iter().filter_map(|it| it["action"].as_str().map(str::to_owned)).collect(),
        complaints: Vec::new(),
        problems,
    };
    checked.complain(&json["summary"], blocks.len(), output.status.code());
    Ok(checked)
}

impl Checked {
    fn complain(&mut self, summary: &Value, blocks: usize, exit: Option<i32>) {
        let count = |severity| self.problems.iter().filter(|it| it.severity == severity).count();
        let (errors, warnings) = (count("error"), count("warning"));
        let expected =
            serde_json::json!({"blocks": blocks, "errors": errors, "warnings": warnings});
        if *summary != expected {
            self.complaints.push(format!("check: the summary is {summary}, not {expected}"));
        }
        let code = i32::from(errors > 0);
        if exit != Some(code) {
            self.complaints.push(format!("check: the exit code is {exit:?}, not {code}"));
        }
    }
}

/// Problems as JSON has them, in the order of the transcript, whose blocks are so many.
pub fn problems(found: &[Value], text: &str, blocks: usize, world: &World) -> Vec<Found> {
    let text = Text::new(text);
    let found = found.iter().map(|it| problem(it, &text, blocks, world));
    let mut problems: Vec<Found> = found.collect();
    problems.sort_by_key(|problem| problem.order);
    problems
}

pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn word(value: &Value) -> &str {
    value.as_str().unwrap_or("-")
}

/// A block as a line of a `blocks` section.
pub fn block(block: &Value) -> String {
    let line = |end: &str| block["range"][end]["line"].as_u64().unwrap_or(u64::MAX - 1) + 1;
    let said = ["status", "id", "action", "path"].map(|key| escape::visible(word(&block[key])));
    let [status, id, action, path] = said;
    let caution = block["caution"].as_str().map(|reason| format!(" caution {reason}"));
    let caution = caution.unwrap_or_default();
    format!("{}-{} {status} {id} {action} {path}{caution}\n", line("start"), line("end"))
}

fn problem(problem: &Value, text: &Text, blocks: usize, world: &World) -> Found {
    let position = |end: &str| -> Position {
        let number = |part: &str| problem["range"][end][part].as_u64().unwrap_or(u64::MAX) as u32;
        Position { line: number("line"), character: number("character") }
    };
    let (start, end) = (position("start"), position("end"));
    let show = |at: Position| {
        let line = text.line_start(at.line as usize);
        let before = text.slice(line..text.offset(at, Encoding::Utf16));
        // Columns count as if the workspace's path were `{{root}}`.
        let longer = before.encode_utf16().count() - world.hide(&before).encode_utf16().count();
        format!("{}:{}", u64::from(at.line) + 1, u64::from(at.character) + 1 - longer as u64)
    };
    let span = text.offset(start, Encoding::Utf16)..text.offset(end, Encoding::Utf16);
    let block = match problem["block"].as_u64() {
        Some(_) if blocks == 1 => String::new(),
        Some(index) => format!(" block {}", index + 1),
        None => " no block".to_owned(),
    };
    Found {
        order: (start, end),
        at: format!("{}-{}", show(start), show(end)),
        severity: word(&problem["severity"]).to_owned(),
        code: word(&problem["code"]).to_owned(),
        block,
        text: excerpt(&world.hide(&text.slice(span))),
        message: world.hide(word(&problem["message"])),
    }
}

/// The text that a problem is at, cut to what fits on a line.
fn excerpt(text: &str) -> String {
    const LONGEST: usize = 48;
    let cut: String = text.chars().take(LONGEST).collect();
    let more = if cut.len() < text.len() { "…" } else { "" };
    format!("‹{}{more}›", escape::visible(&cut))
}
