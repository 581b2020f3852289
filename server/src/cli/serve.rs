//! `serve`: the language server, and a word to a person who started it by hand.

use std::io::{self, IsTerminal, Write};

use super::Exit;

/// Serves until the editor says `exit` or goes away.
pub fn run() -> io::Result<Exit> {
    if io::stdin().is_terminal() {
        let hint = "This is a language server: it waits for an editor on standard input. \
                    `operator-lsp --help` lists what else it does; Ctrl-C ends it.";
        writeln!(anstream::stderr(), "{hint}")?;
    }
    match crate::lsp::serve_stdio()? {
        0 => Ok(Exit::Fine),
        _ => Ok(Exit::Wrong),
    }
}
