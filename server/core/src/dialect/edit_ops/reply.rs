//! Replies: one JSON object on one line.

use serde_json::{Map, Value, json};

use super::dialect::proposal;
use crate::command::edit_ops::Op;
use crate::dialect::{Answer, Failure};

/// What became of a proposal, with a newline at the end.
pub fn render(answer: &Answer) -> String {
    let ops = ops(answer);
    let (applied, mut results, bases) = match &answer.result {
        Ok(outcome) => {
            let told = |name: &str| Some(outcome.data[name].clone()).filter(|it| !it.is_null());
            let results = told("results").and_then(|it| it.as_array().cloned());
            let results = results.unwrap_or_else(|| each(ops, |_| None));
            (true, results, told("base_fingerprints"))
        }
        Err(failure) => {
            let says = says(answer);
            let culprit = culprit(failure, ops);
            let error = |index: usize| match culprit {
                Some(culprit) if culprit != index => {
                    Some(format!("not applied, because op {culprit} cannot be"))
                }
                _ => Some(says.clone()),
            };
            (false, each(ops, error), None)
        }
    };
    let bases = bases.unwrap_or_else(|| answer.now.clone());
    let bases = if bases.is_null() { json!({}) } else { bases };
    let mut reply = Map::new();
    reply.insert("applied".to_owned(), applied.into());
    // Where no op can carry it, the error stands beside them.
    if !applied && results.is_empty() {
        reply.insert("error".to_owned(), says(answer).into());
    }
    reply.insert("results".to_owned(), std::mem::take(&mut results).into());
    reply.insert("base_fingerprints".to_owned(), bases);
    format!("{}\n", Value::Object(reply))
}

/// Why it was not done.
fn says(answer: &Answer) -> String {
    match &answer.result {
        Err(Failure::Problem { message, .. }) => message.clone(),
        _ => answer.summary(),
    }
}

fn ops(answer: &Answer) -> &[Op] {
    let command = answer.placed.block.parsed.command.as_ref();
    command.and_then(proposal).map_or(&[], |proposal| &proposal.ops)
}

fn each(ops: &[Op], error: impl Fn(usize) -> Option<String>) -> Vec<Value> {
    let result = |(index, op): (usize, &Op)| {
        let mut result = json!({"op": index, "target_file": op.file(), "ok": true});
        if let Some(error) = error(index) {
            result["ok"] = false.into();
            result["error"] = error.into();
        }
        result
    };
    ops.iter().enumerate().map(result).collect()
}

/// The op that a failure is about, where it is about one among several.
fn culprit(failure: &Failure, ops: &[Op]) -> Option<usize> {
    let Failure::Problem { details, .. } = failure else { return None };
    let of_file = |file: &Value| ops.iter().position(|op| *file == *op.file().as_str());
    let index = match details.get("op") {
        Some(index) => usize::try_from(index.as_u64()?).ok()?,
        None => of_file(details.get("file")?)?,
    };
    (ops.len() > 1).then_some(index)
}
