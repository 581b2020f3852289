//! `settings-schema`: the settings as JSON schema, for who builds an editor's extension.

use std::io::{self, Write};

use super::Exit;
use crate::lsp::config;

/// Prints the schema.
pub fn run() -> io::Result<Exit> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, &config::schema())?;
    out.write_all(b"\n")?;
    out.flush()?;
    Ok(Exit::Fine)
}
