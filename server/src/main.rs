//! The `operator-lsp` binary.

fn main() {}
