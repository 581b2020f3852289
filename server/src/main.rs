//! The `operator-lsp` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    operator_lsp::cli::main()
}
