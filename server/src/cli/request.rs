//! Edit-ops requests as they come in: from standard input, or from a file beside a response.

use std::path::Path;

use operator_core::snapshot::Given;

use super::args::VirtualFileArgs;
use super::input;
use crate::edit_ops::{self, REQUEST_BYTES, Request};

/// Reads a request; `-` is standard input.
///
/// # Errors
/// A message for people: it cannot be read, or where and why it is none.
pub fn read(path: &Path) -> Result<Request, String> {
    let bytes =
        input::read_bytes(path, REQUEST_BYTES).map_err(|error| input::unreadable(path, &error))?;
    let name = input::name(path);
    if bytes.len() > REQUEST_BYTES {
        return Err(format!(
            "{name} is not an edit-ops request: it has more than {REQUEST_BYTES} bytes"
        ));
    }
    Request::from_slice(&bytes)
        .map_err(|wrong| format!("{name} is not an edit-ops request: {wrong}"))
}

/// The request that is given together with a response.
///
/// # Errors
/// As those of [`read`], and where its places are not in its texts.
pub fn given(args: &VirtualFileArgs) -> Result<Option<Given>, String> {
    let Some(path) = &args.request else { return Ok(None) };
    if input::is_stdin(path) {
        return Err("give --request a file: standard input is for the transcript".to_owned());
    }
    let request = read(path)?;
    let asked = edit_ops::asked(&request)
        .map_err(|wrong| format!("{} cannot be used: {wrong}", input::name(path)))?;
    Ok(Some(Given { files: edit_ops::fingerprints(&request.files), asked }))
}
