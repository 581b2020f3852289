//! Makes files and directories durable together: a sync mostly waits, and what is synced at the same
//! time waits once.

use std::fs;
use std::io;
use std::thread::Builder;

use cap_std::fs::{Dir, File};

use super::replace::sync_directory;

/// How many syncs wait at the same time.
const THREADS: usize = 4;

/// What was written and is not durable yet.
pub(super) enum Written<'a> {
    /// A new file, with its name in no directory that counts yet.
    New(&'a File),
    /// The content of a file that was there.
    Data(&'a fs::File),
    /// The names in a directory.
    Names(&'a Dir),
}

impl Written<'_> {
    fn sync(&self) -> io::Result<()> {
        match self {
            Written::New(file) => file.sync_all(),
            Written::Data(file) => file.sync_data(),
            Written::Names(dir) => sync_directory(dir),
        }
    }
}

/// Makes all of them durable.
///
/// # Errors
/// The first of them that could not be made so; the others are durable, or failed too.
pub(super) fn sync(all: &[Written<'_>]) -> io::Result<()> {
    each(all).into_iter().collect()
}

/// Makes all of them durable while something else is done, which mostly waits, too.
pub(super) fn sync_beside<T>(all: &[Written<'_>], act: impl FnOnce() -> T) -> (io::Result<()>, T) {
    let each = || sync(all);
    std::thread::scope(|scope| {
        let thread = Builder::new().spawn_scoped(scope, each);
        let done = act();
        let synced = match thread {
            Ok(thread) => thread.join().expect("syncing a file does not panic"),
            Err(_) => each(),
        };
        (synced, done)
    })
}

/// Makes each of them durable, as far as it can be.
pub(super) fn each(all: &[Written<'_>]) -> Vec<io::Result<()>> {
    let part = all.len().div_ceil(THREADS).max(1);
    let (first, rest) = all.split_at(part.min(all.len()));
    let each = |part: &[Written<'_>]| part.iter().map(Written::sync).collect::<Vec<_>>();
    std::thread::scope(|scope| {
        let start = |part| (part, Builder::new().spawn_scoped(scope, move || each(part)));
        let threads: Vec<_> = rest.chunks(part).map(start).collect();
        let mut done = each(first);
        for (part, thread) in threads {
            done.extend(match thread {
                Ok(thread) => thread.join().expect("syncing a file does not panic"),
                // The system has no thread to give.
                Err(_) => each(part),
            });
        }
        done
    })
}
