//! What must hold of any input, for the targets and the test of the corpus to call.

mod allocated;
mod blocks;
mod choices;
mod client;
pub mod conversation;
pub mod cost;
pub mod dialects;
pub mod disk;
mod faults;
pub mod ledger;
pub mod messages;
pub mod payloads;
pub mod requests;
mod runtime;
pub mod structures;
pub mod texts;
pub mod transcript;
mod world;

/// Panics where something does not hold.
pub type Check = fn(&[u8]);

/// The targets by their names.
pub const TARGETS: [(&str, Check); 11] = [
    ("conversation", conversation::run),
    ("cost", cost::run),
    ("dialects", dialects::run),
    ("disk", disk::run),
    ("ledger", ledger::run),
    ("messages", messages::run),
    ("payloads", payloads::run),
    ("requests", requests::run),
    ("structures", structures::run),
    ("texts", texts::run),
    ("transcript", transcript::run),
];
