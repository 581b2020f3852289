//! The language server, seen from a client.

mod client;
mod workspace;

mod handshake;
