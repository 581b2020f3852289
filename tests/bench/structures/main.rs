//! Structures of real code against CPython's own parser, and operations that must leave every
//! byte as it was; and files that are sent with marks for what stays.
//!
//! `cargo test --release -p operator-core --test structures -- --nocapture` prints the figures. A few files of each size
//! stand for the library, unless `STRUCTURES=all` is in the environment.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "it looks at the files of the machine and prints figures"
)]

mod changes;
mod elements;
mod elision;
mod keystrokes;
mod library;
mod operations;
mod outlines;
