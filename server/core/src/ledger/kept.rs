//! What the model was told of a block, as it is kept: a text, so that a program which does not know
//! all of it still reads the rest of the ledger.

use serde::{Deserialize, Serialize};

use crate::dialect::{Failure, Told};

/// What the model was told of a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Kept(String);

/// What is longer in bytes is not kept.
const LONGEST: usize = 64 << 10;

impl Kept {
    /// Keeps it, unless it is too long.
    pub fn new(told: &Told) -> Option<Kept> {
        // Most of what is too long is not written down first.
        let is_long = told.as_ref().is_ok_and(|outcome| outcome.size() > LONGEST);
        let text = (!is_long).then(|| serde_json::to_string(told).ok()).flatten()?;
        (text.len() <= LONGEST).then_some(Kept(text))
    }

    /// What was told; `None` where this program does not know all of it.
    pub fn told(&self) -> Option<Told> {
        serde_json::from_str(&self.0).ok()
    }

    /// Whether it says that the user has refused the block.
    pub fn is_refusal(&self) -> bool {
        self.told() == Some(Err(Failure::Refused))
    }

    /// How many bytes it has.
    pub fn size(&self) -> usize {
        self.0.len()
    }
}
