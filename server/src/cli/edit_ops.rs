//! `edit-ops`: one request on standard input, the response on standard output.

use std::io::{self, Read};

use super::{Exit, complain, json};
use crate::edit_ops::{Profile, REQUEST_BYTES, Request, Service};

/// Answers the request, or says on standard error why it is none.
pub fn run() -> io::Result<Exit> {
    crate::lsp::start_log();
    let mut bytes = Vec::new();
    let limit = REQUEST_BYTES as u64 + 1;
    if let Err(error) = io::stdin().lock().take(limit).read_to_end(&mut bytes) {
        complain(&format!("cannot read <stdin>: {error}"));
        return Ok(Exit::Failed);
    }
    if bytes.len() > REQUEST_BYTES {
        complain(&format!(
            "<stdin> is no edit-ops request: it has more than {REQUEST_BYTES} bytes"
        ));
        return Ok(Exit::Failed);
    }
    let request = match Request::from_slice(&bytes) {
        Ok(request) => request,
        Err(wrong) => {
            complain(&format!("<stdin> is no edit-ops request: {wrong}"));
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
