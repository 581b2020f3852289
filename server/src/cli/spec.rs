//! `spec`: the interface specification of a dialect.

use std::io::{self, Write};

use operator_core::dialect;

use super::Exit;
use super::args::SpecArgs;

/// Prints the specification.
pub fn run(args: &SpecArgs) -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    for dialect in dialect::ALL.iter().filter(|dialect| dialect.name() == args.name) {
        out.write_all(dialect.specification().as_bytes())?;
    }
    out.flush()?;
    Ok(Exit::Fine)
}
