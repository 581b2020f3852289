//! How much the replies of a run may hold together.

use operator_core::dialect::{Answer, Failure};
use operator_core::limits::Limits;
use operator_core::problem::PLAN_REPLY_TOO_LARGE;
use serde_json::{Map, Value};

use super::engine::Done;

/// What is left for the replies that are still to come.
pub struct Room {
    limit: usize,
    left: usize,
}

impl Room {
    /// Room for all replies of a run.
    pub fn new(limits: &Limits) -> Room {
        Room { limit: limits.reply_bytes, left: limits.reply_bytes }
    }

    /// Counts what a block is answered. One that has only read and is answered more than what is
    /// left has failed; what a block has changed stays so, and is said.
    pub fn take(&mut self, done: &mut Done) {
        if done.answer.result.is_err() {
            return;
        }
        let size = size(&done.answer);
        if size <= self.left || done.changes().is_some() || done.runs() {
            self.left = self.left.saturating_sub(size);
        } else {
            done.answer.result = Err(self.failure(size));
        }
        done.forget_outcome();
    }

    fn failure(&self, size: usize) -> Failure {
        let Room { limit, left } = *self;
        let message = format!(
            "the reply has {size} bytes, and of the {limit} bytes that the replies of one run \
             hold together {left} are left; ask for less, or ask in another run"
        );
        let details = [("bytes", size), ("limit", limit)];
        let details = details.map(|(name, value)| (name.to_owned(), value.into()));
        Failure::new(PLAN_REPLY_TOO_LARGE, message, Map::from_iter(details))
    }
}

/// How much memory an answer takes, about.
fn size(answer: &Answer) -> usize {
    weight(&answer.placed.block.dialect.data(answer).unwrap_or_default())
}

fn weight(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(weight).sum(),
        Value::Object(fields) => fields.iter().map(|(name, it)| name.len() + weight(it)).sum(),
        _ => 8,
    }
}
