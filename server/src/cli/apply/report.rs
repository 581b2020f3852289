//! What `apply` says at the end: the replies, the results, what was changed.

use operator_core::dialect::{Failure, Fault};
use operator_core::problem::{Problem, Severity};
use operator_core::review::{Reply, compose};
use operator_core::scan::Scan;
use operator_core::text::Text;
use serde::Serialize;
use serde_json::{Map, Value};

use super::changed::Changed;
use super::commit::GitReport;
use super::engine::Done;
use crate::cli::json;

/// The whole of `apply --format json`.
#[derive(Serialize)]
pub struct Report<'a> {
    /// Whether nothing was done; the results then say what would be.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// One entry per block, in order.
    pub results: Vec<BlockResult>,
    /// What goes back to the model; empty where nothing was done.
    pub replies: Vec<Reply>,
    /// What is not as it was.
    pub changed: Vec<Changed>,
    /// What is wrong with the transcript.
    pub problems: json::Problems<'a>,
    /// What was committed; only with `--commit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub git: Option<GitReport>,
}

/// The outcome of one block.
#[derive(Serialize)]
pub struct BlockResult {
    seq: usize,
    dialect: &'static str,
    id: Option<String>,
    action: Option<String>,
    ok: bool,
    summary: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<BlockError>,
    warnings: Vec<Warning>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

#[derive(Serialize)]
struct BlockError {
    code: String,
    message: String,
    details: Map<String, Value>,
}

#[derive(Serialize)]
struct Warning {
    r#type: &'static str,
    message: String,
    #[serde(skip_serializing_if = "Map::is_empty")]
    details: Map<String, Value>,
}

/// The results, numbered from 1.
pub fn results(all: &[Done]) -> Vec<BlockResult> {
    all.iter().enumerate().map(|(index, done)| BlockResult::of(index + 1, done)).collect()
}

/// The replies; what is in the transcript already is not said again.
pub fn replies(transcript: &Text, scan: &Scan, all: &[Done]) -> Vec<Reply> {
    let own = all.iter().filter(|done| !done.proposal.answered);
    let answers: Vec<_> = own.map(|done| done.answer.clone()).collect();
    compose(transcript, scan, &answers)
}

impl BlockResult {
    fn of(seq: usize, done: &Done) -> BlockResult {
        let parsed = &done.proposal.placed.block.parsed;
        let (error, data) = match &done.answer.result {
            Ok(_) => (None, done.answer.placed.block.dialect.data(&done.answer)),
            Err(Failure::Refused | Failure::Pending | Failure::Noted { .. }) => (None, None),
            Err(Failure::Problem { fault, .. }) => {
                let Fault { code, message, details, .. } = *fault.clone();
                (Some(BlockError { code, message, details }), None)
            }
        };
        let warnings = done.proposal.problems().filter(|it| it.severity == Severity::Warning);
        BlockResult {
            seq,
            dialect: done.proposal.placed.block.dialect.name(),
            id: parsed.id.clone(),
            action: parsed.action.clone(),
            ok: done.is_ok(),
            summary: done.answer.summary(),
            error,
            warnings: warnings.map(Warning::of).collect(),
            data,
        }
    }
}

impl Warning {
    fn of(problem: Problem) -> Warning {
        let Problem { code, message, details, .. } = problem;
        Warning { r#type: code.as_str(), message, details: details.to_map() }
    }
}
