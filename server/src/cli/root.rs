//! The workspace that a command works on.

use std::path::Path;
use std::sync::Arc;

use operator_core::limits::Limits;
use operator_core::snapshot::{Given, Surroundings};

use super::args::{TranscriptArgs, VirtualFileArgs};
use super::input::{self, Transcript};
use super::{complain, request};
use crate::workspace::{Workspace, WorkspaceOptions, real_path};

/// Opens the folder; says on standard error why it cannot.
pub fn open(root: &Path, limits: &Limits) -> Option<Workspace> {
    let options = WorkspaceOptions { limits: limits.clone(), ..WorkspaceOptions::default() };
    Workspace::open(&[root.to_owned()], options)
        // The process ends with it: nothing needs to take a large ledger apart.
        .inspect(|workspace| std::mem::forget(workspace.clone()))
        .inspect_err(|error| complain(&error.to_string()))
        .ok()
}

/// Reads a transcript and opens its workspace; says on standard error why it cannot.
pub fn with_transcript(args: &TranscriptArgs, limits: &Limits) -> Option<(Workspace, Transcript)> {
    let workspace = open(&args.root, limits)?;
    let request = request::given(&args.virtual_files).inspect_err(|it| complain(it)).ok()?;
    let workspace = around(&workspace, &args.file, &args.virtual_files, request.as_ref());
    let transcript = input::read(&args.file, limits.transcript_bytes);
    Some((workspace, transcript.inspect_err(|it| complain(it)).ok()?))
}

/// The workspace as a transcript sees it, which is a file or comes from standard input.
pub fn around(
    workspace: &Workspace,
    transcript: &Path,
    args: &VirtualFileArgs,
    request: Option<&Given>,
) -> Workspace {
    let file = real_path(transcript).ok().filter(|_| !input::is_stdin(transcript));
    let transcript = file.as_ref().and_then(|file| Some(file.to_str()?.to_owned()));
    let directory = file.and_then(|file| Some(file.parent()?.to_str()?.to_owned()));
    let files = args.given.iter().cloned().collect();
    let request = request.cloned();
    let surroundings =
        Surroundings { transcript, directory, files, request, ..Surroundings::default() };
    workspace.with_surroundings(Arc::new(surroundings))
}
