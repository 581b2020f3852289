//! `undo`: undoes the last operation, or the one with a number.

use std::io::{self, Write};

use operator_core::ledger::OperationId;
use operator_core::limits::Limits;

use super::args::UndoArgs;
use super::{Exit, complain, root, words};
use crate::visible;
use crate::workspace::{UndoError, Undone};

/// Undoes an operation and prints what it did, or says why it cannot.
pub fn run(args: &UndoArgs) -> io::Result<Exit> {
    let Some(workspace) = root::open(&args.root, &Limits::default()) else {
        return Ok(Exit::Failed);
    };
    match workspace.undo(args.id.map(OperationId), args.skip_changed) {
        Ok(undone) => {
            print(&undone)?;
            Ok(Exit::Fine)
        }
        Err(error) => {
            if let UndoError::Partly { undone, .. } | UndoError::NotDurable { undone, .. } = &error
            {
                print(undone)?;
            }
            complain(&error.to_string());
            Ok(match error {
                UndoError::Journal(_) | UndoError::Unknown(_) => Exit::Failed,
                _ => Exit::Wrong,
            })
        }
    }
}

fn print(undone: &[Undone]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for one in undone {
        let path = visible::one_line(&one.path.to_string());
        writeln!(out, "  {:<12} {path}", one.action.to_string())?;
    }
    writeln!(out, "{} undone", words::count(undone.len(), "change"))?;
    out.flush()
}
