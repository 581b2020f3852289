//! What `apply` and `undo` do to the workspace, and what they answer.

use std::path::Path;
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::Value;

use crate::check::list;
use crate::editor::Reply;
use crate::tree::{Node, Tree};
use crate::world::World;

/// The outcome of `apply --yes` and the `undo` after it.
pub struct Applied {
    pub replies: Vec<Reply>,
    pub before: Tree,
    pub after: Tree,
    pub complaints: Vec<String>,
    /// The codes of the problems that blocks were not applied for.
    pub codes: Vec<String>,
}

/// Applies a transcript, takes it back, and looks at the workspace each time.
pub fn apply(world: &World, transcript: &Path) -> Result<Applied, String> {
    let before = world.tree();
    run(world, transcript, &["--dry-run"])?;
    let dry = world.tree();
    let (json, exit) = run(world, transcript, &["--yes"])?;
    let after = world.tree();
    let complaints = Vec::new();
    let mut applied =
        Applied { replies: replies(&json), before, after, complaints, codes: codes(&json) };
    applied.unchanged("apply --dry-run", &dry);
    applied.exit_code(&json, exit);
    applied.changes(&json);
    applied.replies(&json);
    if applied.before != applied.after {
        let output = world.run(&["undo"], None);
        if !output.status.success() {
            let errors = String::from_utf8_lossy(&output.stderr);
            applied.complaints.push(format!("undo: {}: {errors}", output.status));
        }
        applied.unchanged("undo", &world.tree());
    }
    Ok(applied)
}

/// What `apply --atomic` answers, and the codes of the problems in it; it is undone afterwards.
pub fn apply_atomic(world: &World, transcript: &Path) -> Result<(String, Vec<String>), String> {
    let (json, _) = run_and_undo(world, transcript, &["--yes", "--atomic"])?;
    let text = replies(&json).into_iter().map(|(_, text)| text).collect();
    Ok((text, codes(&json)))
}

/// Applies a transcript of which each block must succeed, and undoes it; says what does not.
pub fn apply_whole(world: &World, transcript: &Path) -> Result<Option<String>, String> {
    let (json, exit) = run_and_undo(world, transcript, &["--yes"])?;
    let failed = list(&json["results"]).iter().filter(|result| result["ok"] != true);
    let failed: Vec<String> = failed.map(|result| result["error"].to_string()).collect();
    Ok((exit != Some(0)).then(|| format!("exit code {exit:?} {}", failed.join(", "))))
}

/// Runs `apply`, and undoes what it did.
fn run_and_undo(
    world: &World,
    transcript: &Path,
    how: &[&str],
) -> Result<(Value, Option<i32>), String> {
    let before = world.tree();
    let ran = run(world, transcript, how)?;
    if before != world.tree() {
        world.run(&["undo"], None);
        let left = before.differences(&world.tree());
        assert!(left.is_empty(), "not undone: {left:?}");
    }
    Ok(ran)
}

fn codes(json: &Value) -> Vec<String> {
    let codes = list(&json["results"]).iter().filter_map(|it| it["error"]["code"].as_str());
    codes.map(str::to_owned).collect()
}

fn replies(json: &Value) -> Vec<Reply> {
    let text = |value: &Value| value.as_str().unwrap_or("?").to_owned();
    list(&json["replies"]).iter().map(|it| (text(&it["dialect"]), text(&it["text"]))).collect()
}

fn run(world: &World, transcript: &Path, how: &[&str]) -> Result<(Value, Option<i32>), String> {
    let output = world.run(&[&["apply", "--format", "json"], how].concat(), Some(transcript));
    let said = String::from_utf8_lossy(&output.stdout);
    let json = serde_json::from_str(&said).map_err(|error| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("apply {how:?}: {}, no JSON ({error}): {said}{errors}", output.status)
    })?;
    Ok((json, output.status.code()))
}

impl Applied {
    fn unchanged(&mut self, what: &str, tree: &Tree) {
        let paths = self.before.differences(tree);
        if !paths.is_empty() {
            let paths = paths.join(", ");
            self.complaints.push(format!("after {what} these are not as they were: {paths}"));
        }
    }

    fn exit_code(&mut self, json: &Value, exit: Option<i32>) {
        let results = list(&json["results"]);
        // Without a block nothing of what the model wrote is done.
        let failed = results.is_empty() || results.iter().any(|result| result["ok"] != true);
        // What was not looked at may have failed as well.
        let passed_over = list(&json["problems"]).iter().any(|problem| {
            ["scan/too-many-blocks", "scan/transcript-too-large"]
                .iter()
                .any(|it| problem["code"] == *it)
        });
        let code = i32::from(failed || passed_over);
        if exit != Some(code) {
            self.complaints.push(format!("apply: the exit code is {exit:?}, not {code}"));
        }
    }

    /// The lines of a reply are in their order, and its summary is short.
    fn replies(&mut self, json: &Value) {
        const KEYS: [&str; 4] = ["id: ", "ok: ", "summary: ", "details_b64: "];
        let operator = |reply: &&Value| reply["dialect"] == "operator";
        let replies = list(&json["replies"]).iter().filter(operator);
        for text in replies.filter_map(|reply| reply["text"].as_str()) {
            let lines: Vec<&str> = text.lines().collect();
            let fields = lines.strip_prefix(&["OPERATOR_RESULT"]);
            let fields = fields.and_then(|lines| lines.strip_suffix(&["END_OPERATOR_RESULT"]));
            let fields = fields.unwrap_or_default();
            let in_order = fields.iter().zip(KEYS).all(|(line, key)| line.starts_with(key));
            let short =
                fields.get(2).is_some_and(|line| line.chars().count() <= 200 + KEYS[2].len());
            if !in_order || !short || !matches!(fields.len(), 3 | 4) {
                self.complaints.push(format!("apply: this is no reply:\n{text}"));
            }
        }
        for reply in list(&json["replies"]).iter().filter(|reply| reply["dialect"] == "sham") {
            let text = reply["text"].as_str().unwrap_or_default();
            self.complaints.extend(execution_result(text).err());
        }
    }

    /// Every difference of the trees must be said in `changed`.
    fn changes(&mut self, json: &Value) {
        let said: Vec<&str> = list(&json["changed"])
            .iter()
            .flat_map(|change| [change["path"].as_str(), change["from"].as_str()])
            .flatten()
            .collect();
        let is_said = |path: &str| {
            said.iter().any(|said| path == *said || path.starts_with(&format!("{said}/")))
        };
        for path in self.before.differences(&self.after) {
            let directory = matches!(
                self.before.0.get(&path).or(self.after.0.get(&path)),
                Some(Node::Directory)
            );
            if !directory && !is_said(&path) {
                self.complaints.push(format!("apply: `changed` does not name {path}: {said:?}"));
            }
        }
    }
}

/// Whether a text is a result as `spec/sham-result.schema.json` has it.
fn execution_result(text: &str) -> Result<(), String> {
    static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
        let schema = include_str!("../../spec/sham-result.schema.json");
        jsonschema::validator_for(&serde_json::from_str(schema).unwrap()).unwrap()
    });
    let json: Value = serde_json::from_str(text).map_err(|error| format!("{error}: {text}"))?;
    let wrong: Vec<String> =
        SCHEMA.iter_errors(&json).map(|it| format!("{}: {it}", it.instance_path)).collect();
    if wrong.is_empty() { Ok(()) } else { Err(format!("{}: {text}", wrong.join("; "))) }
}

#[test]
fn a_result_that_is_none_is_seen() {
    assert!(execution_result("{}").is_err());
    let bare =
        r#"{"success":true,"totalBlocks":0,"executedActions":0,"results":[],"parseErrors":[]}"#;
    assert_eq!(execution_result(bare), Ok(()));
    assert!(execution_result(&bare.replace("[]", "[{}]")).is_err());
}
