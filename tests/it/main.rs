//! End to end: the real binary, as a person, a script or an editor starts it.
#![allow(clippy::unwrap_used, reason = "a test")]

mod cli;
