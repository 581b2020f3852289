//! The workspace that a command works on.

use std::path::Path;
use std::sync::Arc;

use operator_core::limits::Limits;
use operator_core::snapshot::{Given, Surroundings};

use super::args::VirtualFileArgs;
use super::{complain, input};
use crate::workspace::{Workspace, WorkspaceOptions};

/// Opens the folder; says on standard error why it cannot.
pub fn open(root: &Path, limits: &Limits) -> Option<Workspace> {
    let options = WorkspaceOptions { limits: limits.clone(), ..WorkspaceOptions::default() };
    Workspace::open(&[root.to_owned()], options)
        .inspect_err(|error| complain(&error.to_string()))
        .ok()
}

/// The workspace as a transcript sees it, which is a file or comes from standard input.
pub fn around(
    workspace: &Workspace,
    transcript: &Path,
    args: &VirtualFileArgs,
    request: Option<&Given>,
) -> Workspace {
    let file = transcript.canonicalize().ok().filter(|_| !input::is_stdin(transcript));
    let transcript = file.as_ref().and_then(|file| Some(file.to_str()?.to_owned()));
    let directory = file.and_then(|file| Some(file.parent()?.to_str()?.to_owned()));
    let files = args.given.iter().cloned().collect();
    let request = request.cloned();
    let surroundings =
        Surroundings { transcript, directory, files, request, ..Surroundings::default() };
    workspace.with_surroundings(Arc::new(surroundings))
}
