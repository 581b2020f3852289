//! The language server, seen from a client.

mod chats;
pub mod client;
mod reply;
pub mod workspace;

mod applied;
mod apply;
mod apply_all;
mod came_in;
mod caution;
mod clients;
mod commands;
mod content;
mod conversation;
mod edit_ops;
mod floods;
mod garbage;
mod gave_up;
mod git;
mod handshake;
mod ledger;
mod offers;
mod ordering;
mod places;
mod positions;
mod prompt;
mod replacer;
mod same_tree;
mod sham;
mod shown;
mod sources;
mod stale;
mod stdlib;
mod structure;
mod twice;
mod unsaved;
mod ways;
