//! The ExecutionResult: the outcome of all blocks of a transcript.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::data::data;
use super::draft::Draft;
use super::errors;
use super::values;
use crate::dialect::reply::{self, nearest_text};
use crate::dialect::{Above, Answer, Failure, Fault, REFUSED, Source};
use crate::limits::Limits;
use crate::problem::SCAN_INSIDE_UNTERMINATED;
use crate::text::Text;

/// The outcome of all blocks, `spec/sham-result.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ExecutionResult {
    success: bool,
    total_blocks: usize,
    executed_actions: usize,
    results: Vec<ActionResult>,
    parse_errors: Vec<ParseError>,
}

/// The outcome of one action.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ActionResult {
    seq: usize,
    block_id: String,
    action: String,
    params: Map<String, Value>,
    success: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

/// One thing that keeps a block from being run.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ParseError {
    #[serde(skip_serializing_if = "Option::is_none")]
    block_id: Option<String>,
    code: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<String>,
    error_type: &'static str,
    message: String,
    block_start_line: usize,
    sham_content: String,
}

/// How many errors of one block are told.
const MOST_ERRORS: usize = 20;

/// The JSON of the result, and a newline.
pub fn render(transcript: &Text, answers: &[Answer]) -> String {
    let (mut results, mut parse_errors) = (Vec::new(), Vec::new());
    let mut pending = false;
    for answer in answers {
        pending |= matches!(answer.result, Err(Failure::Pending));
        match result(results.len() + 1, transcript, answer) {
            Ok(result) => results.extend(result),
            Err(errors) => parse_errors.extend(errors),
        }
    }
    let result = ExecutionResult {
        success: !pending && parse_errors.is_empty() && results.iter().all(|result| result.success),
        total_blocks: answers.len(),
        executed_actions: results.len(),
        results,
        parse_errors,
    };
    let json = serde_json::to_string_pretty(&result);
    json.expect("a result is strings, numbers and maps with string keys") + "\n"
}

/// The outcome of a block's action, `None` where it is not done yet; or what kept the block from
/// being run.
fn result(
    seq: usize,
    transcript: &Text,
    answer: &Answer,
) -> Result<Option<ActionResult>, Vec<ParseError>> {
    let block = &answer.placed.block;
    let Some(command) = &block.parsed.command else { return Err(errors(transcript, answer)) };
    if let Err(Failure::Problem { fault, .. }) = &answer.result
        && fault.code == SCAN_INSIDE_UNTERMINATED.as_str()
    {
        return Err(vec![parse_error(transcript, answer, fault)]);
    }
    let text = transcript.slice(answer.placed.span.clone());
    let (success, error, data) = match &answer.result {
        Ok(outcome) => (true, None, Some(data(command, outcome))),
        Err(Failure::Pending) => return Ok(None),
        Err(Failure::Refused) => (false, Some(REFUSED.to_owned()), None),
        Err(Failure::Noted { message, data }) => (false, Some(message.clone()), Some(data.clone())),
        Err(Failure::Problem { fault, .. }) => {
            let Fault { code, message, details, .. } = &**fault;
            let error = errors::error(command, code, message, details) + &nearest_text(details);
            (false, Some(error), failed_data(code, details))
        }
    };
    Ok(Some(ActionResult {
        seq,
        block_id: block.parsed.id.clone().unwrap_or_default(),
        action: command.name.clone(),
        params: params(&text),
        success,
        error,
        data: data.filter(|data| !data.is_null()),
    }))
}

/// What a failure must say besides its message.
fn failed_data(code: &str, details: &Map<String, Value>) -> Option<Value> {
    if let Some(data) = details.get("data") {
        return Some(data.clone());
    }
    if let Some(results) = details.get("results") {
        let one = |result: &Value| {
            let mut result = result.clone();
            if let Some(error) = result.get_mut("error") {
                let text = |key: &str| error[key].as_str().unwrap_or_default().to_owned();
                let path = text("path");
                *error = errors::opened(&path, &text("code"), &text("message")).into();
            }
            result
        };
        let results: Vec<Value> = results.as_array().into_iter().flatten().map(one).collect();
        return Some(json!({"results": results}));
    }
    let structure = code.starts_with("structure/") || details.contains_key("state");
    (structure && !details.is_empty()).then(|| json!({"details": details}))
}

/// The parameters of a block, typed by its action's table.
fn params(text: &str) -> Map<String, Value> {
    let limits = Limits::default();
    let source = Source {
        text,
        beyond: "",
        own_end: false,
        is_line_ended: true,
        inside: false,
        end: crate::dialect::BlockEnd::Closed,
        limits: &limits,
        home: None,
        carried: None,
        above: Above::default(),
        asked: None,
        fence: None,
        follows_fences: false,
    };
    let draft = Draft::new(&source);
    let params = values::params(&draft).into_iter();
    params.map(|(name, param)| (name.to_owned(), param.to_json())).collect()
}

/// The first errors of a block that is not run. Each repeats the text of the block.
fn errors(transcript: &Text, answer: &Answer) -> Vec<ParseError> {
    let problems = answer.placed.block.parsed.problems.iter().filter(|problem| problem.is_error());
    problems.take(MOST_ERRORS).map(|it| parse_error(transcript, answer, &Fault::of(it))).collect()
}

fn parse_error(transcript: &Text, answer: &Answer, fault: &Fault) -> ParseError {
    let (placed, parsed) = (&answer.placed, &answer.placed.block.parsed);
    ParseError {
        block_id: parsed.id.clone(),
        code: name(&fault.code),
        action: parsed.action.clone(),
        error_type: kind(&fault.code),
        message: reply::message(transcript, answer, fault),
        block_start_line: transcript.line_of(placed.span.start) + 1,
        sham_content: transcript.slice(placed.span.clone()).into_owned(),
    }
}

/// The code as results have it: `sham/duplicate-key` is `DUPLICATE_KEY`.
fn name(code: &str) -> String {
    code.rsplit('/').next().unwrap_or(code).to_uppercase().replace('-', "_")
}

/// Whether a code is about the writing, about what is asked for, or about a value's type.
fn kind(code: &str) -> &'static str {
    match code.strip_prefix("sham/").unwrap_or(code) {
        "missing-action" | "unknown-action" | "missing-parameter" | "user-only"
        | "exec-disabled" => "validation",
        "invalid-integer" | "invalid-boolean" | "invalid-enum" | "invalid-path" => "type",
        _ => "syntax",
    }
}
