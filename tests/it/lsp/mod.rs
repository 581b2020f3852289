//! The language server, seen from a client.

pub mod client;
mod reply;
mod workspace;

mod apply;
mod commands;
mod garbage;
mod git;
mod handshake;
mod ordering;
mod places;
mod positions;
mod same_tree;
mod sham;
mod shown;
mod stale;
mod stdlib;
mod structure;
mod ways;
