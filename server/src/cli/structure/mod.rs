//! `structure`: reads and edits structures of files.

mod args;
mod asked;
mod outline;
mod show;
mod write;

pub use args::StructureArgs;

use std::io;

use operator_core::limits::Limits;
use operator_core::structure::{Done, Failure};

use crate::cli::args::Format;
use crate::cli::{Exit, complain, json, root};
use crate::structure::{Asked, answer};
use crate::workspace::{AnyPath, Workspace};
use args::Operation;
use asked::Refused;

/// Carries an operation out and prints what comes of it.
pub fn run(args: &StructureArgs) -> io::Result<Exit> {
    let limits = Limits::default();
    let Some(workspace) = root::open(&args.root, &limits) else { return Ok(Exit::Failed) };
    if let Operation::Outline { paths } = &args.operation {
        return outline::run(paths, args.format, &workspace, &limits);
    }
    let asked = match asked::of(&args.operation, &limits) {
        Ok(asked) => asked,
        Err(Refused::Failure(failure)) => return print(args.format, None, Err(failure)),
        Err(Refused::Unreadable(message)) => {
            complain(&message);
            return Ok(Exit::Failed);
        }
    };
    let view = AnyPath { snapshot: &workspace, workspace: &workspace, once: false };
    let done = asked.perform(&view, &limits);
    let done = match done {
        Ok(done) => match write::write(&workspace, done) {
            Ok(written) => written,
            Err(message) => {
                complain(&message);
                return Ok(Exit::Failed);
            }
        },
        Err(failure) => Err(failure),
    };
    print(args.format, Some((&asked, &workspace)), done)
}

fn print(
    format: Format,
    asked: Option<(&Asked, &Workspace)>,
    outcome: Result<Done, Failure>,
) -> io::Result<Exit> {
    match (format, &outcome) {
        (Format::Json, outcome) => json::print(&answer(outcome.as_ref()))?,
        (Format::Human, Err(failure)) => show::failure(failure)?,
        (Format::Human, Ok(done)) => {
            if let Some((asked, workspace)) = asked {
                show::done(&asked.request, done, workspace)?;
            }
        }
    }
    Ok(if outcome.is_ok() { Exit::Fine } else { Exit::Wrong })
}
