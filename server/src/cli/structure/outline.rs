//! `structure outline`: the structures of files, found on all processors.

use std::collections::BTreeMap;
use std::io::{self, BufWriter, Write};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;

use operator_core::limits::Limits;
use operator_core::path::FilePath;
use operator_core::snapshot::{Denied, Snapshot};
use operator_core::structure::{self, ErrorCode, Failure, FileOutline};

use serde::Serialize;
use serde_json::Value;

use super::show;
use crate::cli::Exit;
use crate::cli::args::Format;
use crate::visible;
use crate::workspace::{AnyPath, Workspace};

/// Room for the parse of nearly every file; larger ones get more, each time anew.
const STACK: usize = 32 << 20;

/// What is printed of a file: on standard output, and on standard error.
#[derive(Default)]
struct Printed {
    out: Vec<u8>,
    err: String,
    failed: bool,
}

/// A file that has no outline.
#[derive(Serialize)]
struct Unread<'a> {
    path: &'a str,
    error: Value,
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
        // Of a directory only what is in a known language is looked at.
        let is_unknown =
            |failure: &Failure| file.found && failure.code == ErrorCode::LanguageUnsupported;
        if found.as_ref().is_err_and(is_unknown) {
            return Some(Printed::default());
        }
        let found = found.map(|parsed| FileOutline::of(&file.path, &parsed));
        Some(match format {
            Format::Json => Printed::json(&file.path, found),
            Format::Human => Printed::human(found, alone),
        })
    };
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout());
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
            match view.kind(&directory)? == Some(operator_core::path::Kind::Directory) {
                true => Ok(Some((view.files(&directory, false, usize::MAX)?, directory))),
                false => Ok(None),
            }
        });
        match inside {
            Ok(None) => all.push(ToRead { path: path.clone(), found: false, failure: None }),
            Ok(Some((files, directory))) => {
                let unread = view.unread(&directory, false).into_iter();
                let may_be =
                    |(path, why): &(_, _)| *why == Denied::Permission || may_be_known(path);
                for (path, why) in unread.filter(may_be) {
                    let failure = Some(Failure::denied(&path.path, &why, "read"));
                    all.push(ToRead { path: path.path.to_string(), found: false, failure });
                }
                let files = files.into_iter().filter(may_be_known);
                let files = files.map(|file| file.path.to_string());
                all.extend(files.map(|path| ToRead { path, found: true, failure: None }));
            }
            Err(why) => {
                let failure = Failure::denied(path, &why, "read");
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

/// Does the work for each index below `count` on all processors, and takes the outcome of it in
/// order.
fn in_order(
    count: usize,
    work: &(dyn Fn(usize) -> Option<Printed> + Sync),
    take: impl FnMut(Printed) -> io::Result<()> + Send,
) -> io::Result<()> {
    let next = AtomicUsize::new(0);
    let line = Mutex::new(Line { take, wanted: 0, waiting: BTreeMap::new() });
    let each = || -> io::Result<()> {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(printed) = work(index) else { return Ok(()) };
            let taken = line.lock().unwrap_or_else(PoisonError::into_inner).came(index, printed);
            if taken.is_err() {
                // Nobody listens any more: the output is closed.
                next.store(count, Ordering::Relaxed);
                return taken;
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(count);
    std::thread::scope(|scope| {
        let start = |_| Builder::new().stack_size(STACK).spawn_scoped(scope, each).ok();
        let started: Vec<_> = (0..threads).map_while(start).collect();
        // The system may have no thread to give.
        let own = if started.is_empty() { each() } else { Ok(()) };
        let joined = started
            .into_iter()
            .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
        joined.fold(own, Result::and)
    })
}

/// Outcomes that are taken in order, by whoever has the next one.
struct Line<Take> {
    take: Take,
    wanted: usize,
    waiting: BTreeMap<usize, Printed>,
}

impl<Take: FnMut(Printed) -> io::Result<()>> Line<Take> {
    fn came(&mut self, index: usize, printed: Printed) -> io::Result<()> {
        self.waiting.insert(index, printed);
        while let Some(printed) = self.waiting.remove(&self.wanted) {
            (self.take)(printed)?;
            self.wanted += 1;
        }
        Ok(())
    }
}

impl Printed {
    fn json(path: &str, found: Result<FileOutline, Failure>) -> Printed {
        let failed = found.is_err();
        let text = match found {
            // Numbers and strings alone: nothing that cannot be written.
            Ok(outline) => serde_json::to_string(&outline).unwrap_or_default(),
            Err(failure) => {
                let unread = Unread { path, error: failure.to_json() };
                serde_json::to_string(&unread).unwrap_or_default()
            }
        };
        let out = visible::json_for_stream(&text, &io::stdout()).into_owned().into_bytes();
        Printed { out, err: String::new(), failed }
    }

    fn human(found: Result<FileOutline, Failure>, alone: bool) -> Printed {
        match found {
            Err(failure) => {
                Printed { err: show::error(&failure), failed: true, ..Printed::default() }
            }
            Ok(FileOutline { path, structures, parse_errors, .. }) => {
                let heading = (!alone).then_some(path.as_str());
                let out = show::outline(heading, &structures).into_bytes();
                Printed { out, err: show::parse_errors(&path, parse_errors), failed: false }
            }
        }
    }
}
