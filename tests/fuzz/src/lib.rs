//! What must hold of any input, for the targets and the test of the corpus to call.

mod allocated;
mod blocks;
mod choices;
mod client;
mod conversation;
mod cost;
mod dialects;
mod disk;
mod faults;
mod ledger;
mod messages;
mod payloads;
mod requests;
mod runtime;
mod structures;
mod transcript;
mod world;

/// Panics where something does not hold.
pub type Check = fn(&[u8]);

/// The targets by their names.
pub const TARGETS: [(&str, Check); 10] = [
    ("conversation", conversation::run),
    ("cost", cost::run),
    ("dialects", dialects::run),
    ("disk", disk::run),
    ("ledger", ledger::run),
    ("messages", messages::run),
    ("payloads", payloads::run),
    ("requests", requests::run),
    ("structures", structures::run),
    ("transcript", transcript::run),
];

/// Checks one input of a target.
pub fn check(target: &str, input: &[u8]) {
    let known = TARGETS.iter().find(|(name, _)| *name == target);
    known.expect("a target of this name").1(input);
}
