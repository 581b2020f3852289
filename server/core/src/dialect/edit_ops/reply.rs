//! Replies: one JSON object on one line.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::dialect::proposal;
use crate::command::edit_ops::Op;
use crate::dialect::reply::{in_part, message, nearest_text};
use crate::dialect::{Answer, Failure};
use crate::fingerprint::Fingerprint;
use crate::plan::{Fact, Outcome};
use crate::snapshot::FileId;
use crate::text::Text;

/// The outcome of a proposal, with a newline at the end.
pub fn render(transcript: &Text, answer: &Answer) -> String {
    let ops = ops(answer);
    let (applied, results) = match &answer.result {
        Ok(_) => (true, each(ops, |_| None)),
        Err(failure) => {
            let says = says(transcript, answer);
            let culprit = culprit(failure, ops);
            let error = |index: usize| match culprit {
                Some(culprit) if culprit != index => {
                    Some(format!("not applied, because `/ops/{culprit}` cannot be"))
                }
                _ => Some(says.clone()),
            };
            (false, each(ops, error))
        }
    };
    let mut reply = Map::new();
    reply.insert("applied".to_owned(), applied.into());
    // An op may have been made in part, and is not all right then.
    let part = answer.result.as_ref().ok().and_then(in_part);
    reply.extend(part.map(|part| ("in_part".to_owned(), part.into())));
    // Where no op can carry it, the error is beside them.
    if !applied && results.is_empty() {
        reply.insert("error".to_owned(), says(transcript, answer).into());
    }
    reply.insert("results".to_owned(), results.into());
    reply.insert("base_fingerprints".to_owned(), bases(answer));
    format!("{}\n", Value::Object(reply))
}

/// What a proposal that was made now comes to, for a program.
pub fn data(answer: &Answer) -> Option<Value> {
    let Ok(Outcome::Done(_)) = &answer.result else { return None };
    let results = each(ops(answer), |_| None);
    Some(json!({"results": results, "base_fingerprints": bases(answer)}))
}

/// The fingerprints of the files that are there afterwards.
fn bases(answer: &Answer) -> Value {
    let mut states: BTreeMap<FileId, Fingerprint> = BTreeMap::new();
    let known = answer.states.iter().filter_map(|(id, state)| Some((FileId::of(id)?, *state)));
    states.extend(known);
    let command = answer.placed.block.parsed.command.as_ref();
    if let (Ok(outcome), Some(command)) = (&answer.result, command) {
        let wrote = command.steps.iter().zip(outcome.facts()).filter_map(|(step, fact)| {
            let Fact::Wrote { fingerprint, .. } = fact else { return None };
            Some((FileId::of(step.path()?)?, *fingerprint))
        });
        states.extend(wrote);
        if in_part(outcome).is_some() {
            // What the user has made of it is to be read first.
            let changed = command.all_paths().filter_map(FileId::of);
            changed.for_each(|file| _ = states.remove(&file));
        }
    }
    let bases = states.into_iter().map(|(file, state)| (file.to_string(), json!(state)));
    Value::Object(bases.collect())
}

/// Why it was not done.
fn says(transcript: &Text, answer: &Answer) -> String {
    match &answer.result {
        Err(Failure::Problem { fault, others }) => {
            let all = [&**fault].into_iter().chain(others);
            // An op is named by its number, what is wrong with the JSON by its line.
            let all = all.map(|fault| match ops(answer) {
                [] => message(transcript, answer, fault),
                _ => fault.message.clone(),
            });
            all.collect::<Vec<_>>().join("; and ") + &nearest_text(&fault.details)
        }
        Err(Failure::Noted { message, .. }) => message.clone(),
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
    let Failure::Problem { fault, .. } = failure else { return None };
    let details = &fault.details;
    let of_file = |file: &Value| ops.iter().position(|op| *file == *op.file().as_str());
    let index = match details.get("op") {
        Some(index) => usize::try_from(index.as_u64()?).ok()?,
        None => of_file(details.get("file")?)?,
    };
    (ops.len() > 1).then_some(index)
}
