//! What a run tells the ledger: the blocks that it applies, and the answers that it gives.

use operator_core::ledger::{Answer, By, Event, Transcript, Work};
use operator_core::spec::Effect;

use super::engine::Done;
use crate::cli::words;
use crate::moment;

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

/// The answers that were given to blocks that change no files, and to those that were refused. A
/// program that has run has done something, however it ended.
pub fn answers(transcript: &Transcript, all: &[Done]) -> Vec<Event> {
    let event = |done: &Done| {
        let reads = done.proposal.effect() != Some(Effect::Write);
        let answer = Answer::new(&done.answer.placed, &done.answer.result);
        let is_new = done.is_new && (answer.refused || answer.ran || reads && answer.ok);
        let block = done.proposal.id();
        is_new.then(|| Event::Answered { transcript: transcript.clone(), block, answer })
    };
    all.iter().filter_map(event).collect()
}

/// What is said of a block that was applied before.
pub fn applied_before(by: &By, transcript: &Transcript) -> String {
    if by.transcript == *transcript {
        return "already applied".to_owned();
    }
    let when = moment::minute(by.time);
    format!("already applied from {} on {when}", words::transcript(&by.transcript))
}
