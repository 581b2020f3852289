//! `redo`: makes again what `undo` undid last.

use std::io::{self, Write};

use operator_core::limits::Limits;

use super::args::RedoArgs;
use super::{Exit, complain, root};
use crate::visible;
use crate::workspace::RedoError;

/// Makes the changes of the operation again that was undone last, and prints them, or says why it
/// cannot.
pub fn run(args: &RedoArgs) -> io::Result<Exit> {
    let Some(workspace) = root::open(&args.root, &Limits::default()) else {
        return Ok(Exit::Failed);
    };
    match workspace.redo() {
        Ok(id) => {
            let ledger = workspace.ledger().unwrap_or_default();
            let operation = ledger.operation(id);
            let paths = operation.map(|operation| operation.paths()).unwrap_or_default();
            let mut out = io::stdout().lock();
            for path in paths {
                let path = visible::one_line(&path.to_string());
                writeln!(out, "  {:<12} {path}", "made again")?;
            }
            writeln!(out, "operation {id} redone")?;
            out.flush()?;
            Ok(Exit::Fine)
        }
        Err(error) => {
            complain(&error.to_string());
            Ok(match error {
                RedoError::Journal(_) => Exit::Failed,
                _ => Exit::Wrong,
            })
        }
    }
}
