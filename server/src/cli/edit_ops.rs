//! `edit-ops`: one request on standard input, the response on standard output.

use std::io;
use std::path::Path;

use super::{Exit, complain, json, request};
use crate::edit_ops::{Profile, Service};

/// Answers the request, or says on standard error why it is none.
pub fn run() -> io::Result<Exit> {
    crate::lsp::start_log();
    let request = match request::read(Path::new("-")) {
        Ok(request) => request,
        Err(message) => {
            complain(&message);
            return Ok(Exit::Failed);
        }
    };
    let profile = Profile::from_environment();
    profile.problems.iter().for_each(|problem| complain(problem));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let response = runtime.block_on(Service::default().answer(&profile, &request));
    // The system may still be looking up a name; nobody waits for it.
    runtime.shutdown_background();
    json::print(&response)?;
    Ok(Exit::Fine)
}
