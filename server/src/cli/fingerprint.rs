//! `fingerprint`: the fingerprints of files of any size, one a line.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use operator_core::fingerprint::Fingerprint;

use super::args::FingerprintArgs;
use super::{Exit, complain, input};
use crate::visible;

/// Prints a line for each file; says on standard error which cannot be read.
pub fn run(args: &FingerprintArgs) -> io::Result<Exit> {
    let mut exit = Exit::Fine;
    let mut out = io::stdout().lock();
    for path in &args.files {
        match fingerprint(path) {
            Ok(fingerprint) => {
                let path = path.display().to_string();
                writeln!(out, "{fingerprint}  {}", visible::name_for_stream(&path, &io::stdout()))?;
            }
            Err(error) => {
                out.flush()?;
                complain(&input::unreadable(path, &error));
                exit = Exit::Failed;
            }
        }
    }
    out.flush()?;
    Ok(exit)
}

fn fingerprint(path: &Path) -> io::Result<Fingerprint> {
    if input::is_stdin(path) {
        Fingerprint::of_reader(&mut io::stdin().lock())
    } else {
        Fingerprint::of_reader(&mut File::open(path)?)
    }
}
