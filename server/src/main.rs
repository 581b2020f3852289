//! The `operator-lsp` binary.

use std::process::ExitCode;

/// Gives memory back to the system some seconds after a document is closed; the
/// system's own keeps the many small pieces that texts and trees are made of.
#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

fn main() -> ExitCode {
    operator_lsp::cli::main()
}
