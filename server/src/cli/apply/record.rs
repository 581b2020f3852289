//! What a run tells the ledger: the blocks that it applies, and the answers that it gives.

use operator_core::ledger::{Answer, BlockId, By, Event, Kept, Transcript, Work};
use operator_core::spec::Effect;

use super::engine::Done;
use crate::cli::words;

/// The blocks of a run that were applied in it, in order: those that changed something, and those
/// whose files had the content already.
pub fn works(all: &[Done]) -> Vec<Work> {
    let applied = all.iter().filter(|done| done.wrote() || done.is_satisfied());
    applied.filter_map(|done| done.proposal.work()).collect()
}

/// The blocks of a run that had nothing to change.
pub fn satisfied(all: &[Done]) -> Vec<Work> {
    let satisfied = all.iter().filter(|done| done.is_satisfied());
    satisfied.filter_map(|done| done.proposal.work()).collect()
}

/// The bases of blocks among what was found.
pub fn bases(found: Vec<Event>) -> impl Iterator<Item = Event> {
    found.into_iter().filter(|event| matches!(event, Event::Proposed { .. }))
}

/// What the ledger is told of a run besides what it has changed: the answers to blocks that change no
/// files and to those that were refused, and what the model is told of each block that was decided.
pub fn events(transcript: &Transcript, all: &[Done]) -> Vec<Event> {
    let told: Vec<(BlockId, Kept)> = all.iter().filter_map(told).collect();
    let told =
        (!told.is_empty()).then(|| Event::Told { transcript: transcript.clone(), blocks: told });
    let answered = all.iter().filter_map(|done| {
        let (block, answer) = (done.proposal.id(), answer(done)?);
        Some(Event::Answered { transcript: transcript.clone(), block, answer })
    });
    answered.chain(told).collect()
}

/// The answer to a block that is not a change of files. A program that has run has done something,
/// however it ended.
fn answer(done: &Done) -> Option<Answer> {
    let reads = done.proposal.effect() != Some(Effect::Write);
    let answer = Answer::new(&done.answer.placed, &done.answer.result);
    let is_answer = answer.refused || answer.ran || reads && answer.ok;
    (done.is_new && is_answer).then_some(answer)
}

fn told(done: &Done) -> Option<(BlockId, Kept)> {
    let is_decided = done.wrote() || done.is_satisfied() || answer(done).is_some();
    let kept = is_decided.then(|| Kept::new(&done.answer.result)).flatten()?;
    Some((done.proposal.id(), kept))
}

/// What is said of a block that was applied before in this transcript.
pub const BEFORE: &str = "already applied";

/// What is said of a block that was applied before.
pub fn applied_before(by: &By, transcript: &Transcript) -> String {
    match words::from(by, transcript) {
        None => BEFORE.to_owned(),
        Some(from) => format!("{BEFORE} {from}"),
    }
}
