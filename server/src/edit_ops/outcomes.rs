//! How many requests had which outcome, and a line in the log for each.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use operator_core::command::edit_ops::Outcome;
use serde_json::{Map, Value};
use uuid::Uuid;

use super::request::Request;

const ALL: [Outcome; 8] = [
    Outcome::Ok,
    Outcome::Disabled,
    Outcome::OverBudget,
    Outcome::Truncated,
    Outcome::InvalidResponse,
    Outcome::ProviderError,
    Outcome::Timeout,
    Outcome::Cancelled,
];

/// How many requests had which outcome since the process began.
#[derive(Debug, Default)]
pub struct Outcomes([AtomicU64; ALL.len()]);

impl Outcomes {
    fn count(&self, outcome: Outcome) {
        if let Some(index) = ALL.iter().position(|known| *known == outcome) {
            self.0[index].fetch_add(1, Ordering::Relaxed);
        }
    }

    /// The numbers by the name of the outcome.
    pub fn to_json(&self) -> Value {
        let numbers = ALL.iter().zip(&self.0);
        let named = numbers.filter_map(|(outcome, number)| {
            let name = serde_json::to_value(outcome).ok()?;
            Some((name.as_str()?.to_owned(), number.load(Ordering::Relaxed).into()))
        });
        Value::Object(named.collect::<Map<_, _>>())
    }
}

/// A request that is being answered. One that is dropped without an outcome was cancelled.
pub struct Watched<'a> {
    outcomes: &'a Outcomes,
    outcome: Outcome,
    started: Instant,
    tool_id: Uuid,
    instruction_bytes: usize,
    turns: usize,
    file_bytes: usize,
    /// How many tokens the prompt takes.
    pub prompt_tokens: u64,
    /// How many ops are proposed.
    pub ops: usize,
}

impl<'a> Watched<'a> {
    /// Begins to watch a request.
    pub fn new(outcomes: &'a Outcomes, request: &Request) -> Watched<'a> {
        Watched {
            outcomes,
            outcome: Outcome::Cancelled,
            started: Instant::now(),
            tool_id: request.tool_id,
            instruction_bytes: request.instruction.len(),
            turns: request.conversation.len(),
            file_bytes: request.files.values().map(String::len).sum(),
            prompt_tokens: 0,
            ops: 0,
        }
    }

    /// The request has come to this.
    pub fn end(mut self, outcome: Outcome) {
        self.outcome = outcome;
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.outcomes.count(self.outcome);
        tracing::info!(
            tool_id = %self.tool_id,
            outcome = ?self.outcome,
            milliseconds = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            instruction_bytes = self.instruction_bytes,
            turns = self.turns,
            file_bytes = self.file_bytes,
            prompt_tokens = self.prompt_tokens,
            ops = self.ops,
            "an edit-ops request"
        );
    }
}
