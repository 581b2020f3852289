//! `structure outline`: the structures of files, found on all processors.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::Builder;

use operator_core::limits::Limits;
use operator_core::snapshot::{FilePath, Snapshot};
use operator_core::structure::{self, ErrorCode, Failure};

use super::show;
use crate::cli::Exit;
use crate::cli::args::Format;
use crate::structure::File;
use crate::visible;
use crate::workspace::{AnyPath, Workspace};

/// What is printed of a file: on standard output, and on standard error.
#[derive(Default)]
struct Printed {
    out: Vec<u8>,
    err: String,
    failed: bool,
}

/// Prints the structures of every file.
pub fn run(
    paths: &[String],
    format: Format,
    workspace: &Workspace,
    limits: &Limits,
) -> io::Result<Exit> {
    let view = AnyPath { snapshot: workspace, workspace, once: true };
    let files = files(paths, &view);
    let alone = matches!((paths, &files[..]), ([path], [file]) if *path == file.path);
    let show = |index: usize| -> Option<Printed> {
        let file = files.get(index)?;
        let found = match &file.failure {
            Some(failure) => Err(failure.clone()),
            None => structure::open(&file.path, &view, limits),
        };
        let found = match &found {
            Ok(parsed) => File::of(&file.path, parsed),
            // Of a directory only what is in a known language is looked at.
            Err(failure) if file.found && failure.code == ErrorCode::LanguageUnsupported => {
                return Some(Printed::default());
            }
            Err(failure) => File::Unread { path: &file.path, error: failure.to_json() },
        };
        Some(match format {
            Format::Json => Printed::json(&found),
            Format::Human => Printed::human(&found, alone),
        })
    };
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    if format == Format::Json {
        out.write_all(b"{\"files\":[")?;
    }
    let (mut any, mut failed) = (false, false);
    in_order(files.len(), &show, |printed| {
        failed |= printed.failed;
        if !printed.out.is_empty() {
            let between: &[u8] = if format == Format::Json { b"," } else { b"\n" };
            if std::mem::replace(&mut any, true) {
                out.write_all(between)?;
            }
            out.write_all(&printed.out)?;
        }
        if !printed.err.is_empty() {
            out.flush()?;
            anstream::stderr().write_all(printed.err.as_bytes())?;
        }
        Ok(())
    })?;
    if format == Format::Json {
        out.write_all(b"]}\n")?;
    }
    out.flush()?;
    Ok(if failed { Exit::Wrong } else { Exit::Fine })
}

/// A file to be looked at.
struct ToRead {
    path: String,
    /// Whether it was found in a directory, and not asked for by its own name.
    found: bool,
    /// Why it is known beforehand that it cannot be read.
    failure: Option<Failure>,
}

/// The files that the paths stand for, in their order, each once.
fn files(paths: &[String], view: &AnyPath<'_, Workspace>) -> Vec<ToRead> {
    let mut all = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for path in paths {
        let resolved = view.resolve(path);
        let inside = resolved.and_then(|directory| {
            match view.kind(&directory)? == Some(operator_core::snapshot::Kind::Directory) {
                true => view.files(&directory, false, usize::MAX).map(Some),
                false => Ok(None),
            }
        });
        match inside {
            Ok(None) => all.push(ToRead { path: path.clone(), found: false, failure: None }),
            Ok(Some(files)) => {
                let files = files.into_iter().filter(may_be_known);
                let files = files.map(|file| file.path);
                all.extend(files.map(|path| ToRead { path, found: true, failure: None }));
            }
            Err(why) => {
                let failure = structure::denied(path, &why, "read");
                all.push(ToRead { path: path.clone(), found: false, failure: Some(failure) });
            }
        }
    }
    all.retain(|file| seen.insert(file.path.clone()));
    all
}

/// Whether the file's name is one of a known language, or has no extension to tell.
fn may_be_known(file: &FilePath) -> bool {
    let name = file.path.rsplit('/').next().unwrap_or_default();
    !name.contains('.') || operator_grammars::of_file(&file.path, "").is_some()
}

/// Does the work for each index below `count` on all processors, and takes what comes of it in
/// order.
fn in_order(
    count: usize,
    work: &(dyn Fn(usize) -> Option<Printed> + Sync),
    mut take: impl FnMut(Printed) -> io::Result<()>,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    std::thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        let mut started = 0;
        for _ in 0..threads {
            let (send, next) = (send.clone(), &next);
            let each = move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(printed) = work(index) else { return };
                    // Nobody listens any more once the output is closed.
                    if send.send((index, printed)).is_err() {
                        return;
                    }
                }
            };
            started += usize::from(Builder::new().spawn_scoped(scope, each).is_ok());
        }
        drop(send);
        if started == 0 {
            // The system has no thread to give.
            return (0..).map_while(work).try_for_each(take);
        }
        let mut waiting = BTreeMap::new();
        let mut wanted = 0;
        for (index, printed) in receive {
            waiting.insert(index, printed);
            while let Some(printed) = waiting.remove(&wanted) {
                take(printed)?;
                wanted += 1;
            }
        }
        Ok(())
    })
}

impl Printed {
    fn json(file: &File) -> Printed {
        // Numbers and strings alone: nothing that cannot be written.
        let text = serde_json::to_string(file).unwrap_or_default();
        let out = visible::json_for_stream(&text, &io::stdout()).into_owned().into_bytes();
        Printed { out, err: String::new(), failed: matches!(file, File::Unread { .. }) }
    }

    fn human(file: &File, alone: bool) -> Printed {
        match file {
            File::Unread { error, .. } => {
                Printed { err: show::error(error), failed: true, ..Printed::default() }
            }
            File::Read { path, structures, parse_errors, .. } => {
                let heading = (!alone).then_some(*path);
                let out = show::outline(heading, structures).into_bytes();
                Printed { out, err: show::parse_errors(path, *parse_errors), failed: false }
            }
        }
    }
}
