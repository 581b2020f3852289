//! One file per feature: a function from a snapshot and parameters to a result.

pub mod diagnostics;
