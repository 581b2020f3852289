//! What must hold of any text, for the targets to call.

pub mod structures;
pub mod transcript;
pub mod world;
