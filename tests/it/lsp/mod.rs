//! The language server, seen from a client.

pub mod client;
mod reply;
pub mod workspace;

mod applied;
mod apply;
mod clients;
mod commands;
mod edit_ops;
mod garbage;
mod git;
mod handshake;
mod ordering;
mod places;
mod positions;
mod replacer;
mod same_tree;
mod sham;
mod shown;
mod sources;
mod stale;
mod stdlib;
mod structure;
mod ways;
