//! `undo`: takes back the last apply.

use std::io::{self, Write};

use operator_core::limits::Limits;

use super::args::UndoArgs;
use super::{Exit, complain, root, words};
use crate::workspace::UndoError;

/// Takes back what the last apply did and prints it, or says why it cannot.
pub fn run(args: &UndoArgs) -> io::Result<Exit> {
    let Some(workspace) = root::open(&args.root, &Limits::default()) else {
        return Ok(Exit::Failed);
    };
    match workspace.undo() {
        Ok(undone) => {
            let mut out = io::stdout().lock();
            for one in &undone {
                let path = annotate_snippets::normalize_untrusted_str(&one.path.to_string());
                writeln!(out, "  {:<12} {path}", one.action.to_string())?;
            }
            writeln!(out, "{} taken back", words::count(undone.len(), "change"))?;
            out.flush()?;
            Ok(Exit::Fine)
        }
        Err(error) => {
            complain(&error.to_string());
            Ok(match error {
                UndoError::Journal(_) => Exit::Failed,
                _ => Exit::Wrong,
            })
        }
    }
}
