//! `structure`: reads and edits structures of files.

mod args;
mod asked;
mod outline;
mod show;
mod write;

pub use args::StructureArgs;

use std::io;

use operator_core::limits::Limits;
use operator_core::structure::{Done, Failure, Request, answer, perform};

use crate::cli::args::Format;
use crate::cli::{Exit, complain, json, root};
use crate::workspace::{AnyPath, Workspace};
use args::{Operation, Outline};
use asked::Refused;

/// Performs an operation and prints its result.
pub fn run(args: &StructureArgs) -> io::Result<Exit> {
    let limits = Limits::default();
    let Some(workspace) = root::open(&args.root, &limits) else { return Ok(Exit::Failed) };
    let asked = match &args.operation {
        Operation::Outline(Outline { paths }) => {
            return outline::run(paths, args.format, &workspace, &limits);
        }
        Operation::Other(asked) => asked,
    };
    let request = match asked.request(&limits) {
        Ok(request) => request,
        Err(Refused::Failure(failure)) => return print(args.format, None, Err(failure)),
        Err(Refused::Unreadable(message)) => {
            complain(&message);
            return Ok(Exit::Failed);
        }
    };
    let view = AnyPath { snapshot: &workspace, workspace: &workspace, once: false };
    let done = perform(&request, &view, &limits);
    let done = match done {
        Ok(done) => match write::write(&workspace, &request, done) {
            Ok(written) => written,
            Err(message) => {
                complain(&message);
                return Ok(Exit::Failed);
            }
        },
        Err(failure) => Err(failure),
    };
    print(args.format, Some((&request, &workspace)), done)
}

fn print(
    format: Format,
    asked: Option<(&Request, &Workspace)>,
    outcome: Result<Done, Failure>,
) -> io::Result<Exit> {
    match (format, &outcome) {
        (Format::Json, outcome) => json::print(&answer(outcome.as_ref()))?,
        (Format::Human, Err(failure)) => show::failure(failure)?,
        (Format::Human, Ok(done)) => {
            if let Some((request, workspace)) = asked {
                show::done(request, done, workspace)?;
            }
        }
    }
    Ok(if outcome.is_ok() { Exit::Fine } else { Exit::Wrong })
}
