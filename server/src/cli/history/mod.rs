//! `history`: undo of the last AI commit, steps back and forward, squash.

mod args;

pub use args::HistoryArgs;

use std::io::{self, Write};

use operator_core::limits::Limits;
use operator_core::path::FilePath;

use super::args::Format;
use super::{Exit, complain, json, root, words};
use crate::history::{self, Done, Wanted};
use crate::visible;
use crate::workspace::git::{Commit, GitError, Moved, Pruned, Squashed};
use crate::workspace::{JournalError, Transaction};

/// Does what is asked and prints the outcome of it, or says why not.
pub fn run(args: &HistoryArgs) -> io::Result<Exit> {
    let Some(workspace) = root::open(&args.root, &Limits::default()) else {
        return Ok(Exit::Failed);
    };
    // A run that is changing files is not to have them moved under its hands.
    let running = Transaction::begin(&workspace);
    if let Err(error @ JournalError::Locked) = &running {
        complain(&error.to_string());
        return Ok(Exit::Failed);
    }
    let folder = workspace.absolute(&FilePath::new(0, ""));
    let wanted = args.wanted();
    let done = history::run(&folder, &wanted);
    match args.format {
        Format::Json => json::print(&history::answer(&wanted, done.as_ref()))?,
        Format::Human => show(&wanted, done.as_ref())?,
    }
    Ok(match done {
        Ok(done) if done.has_conflicts() => Exit::Wrong,
        Ok(_) => Exit::Fine,
        Err(error) if error.code.is_failure() => Exit::Failed,
        Err(_) => Exit::Wrong,
    })
}

fn show(wanted: &Wanted, done: Result<&Done, &GitError>) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match done {
        Ok(Done::Moved(moved)) => show_moved(wanted, moved, &mut out)?,
        Ok(Done::Squashed(squashed)) => show_squashed(squashed, &mut out)?,
        Err(error) => complain(&error.to_string()),
    }
    out.flush()
}

fn show_moved(wanted: &Wanted, moved: &Moved, out: &mut dyn Write) -> io::Result<()> {
    if moved.from != moved.to {
        let what = if *wanted == Wanted::Undo { "undid " } else { "from " };
        writeln!(out, "{what}{}", title(&moved.from))?;
        writeln!(out, "{} is at {}", clean(&moved.branch), title(&moved.to))?;
    }
    files("put into a stash", &moved.stashed_files, out)?;
    files("brought back", &moved.restored_files, out)?;
    show_pruned(&moved.pruned, out)?;
    if let Some(stash) = &moved.stash {
        out.flush()?;
        complain(&format!(
            "the work that was put aside here is still in {stash}, since these files are in its \
             way: {}; move them away, then `git stash pop --index {stash}`",
            clean(&moved.conflicts.join(", "))
        ));
    }
    Ok(())
}

fn show_squashed(squashed: &Squashed, out: &mut dyn Write) -> io::Result<()> {
    for commit in &squashed.replaced {
        writeln!(out, "  squashed     {}", title(commit))?;
    }
    let number = words::count(squashed.replaced.len(), "commit");
    writeln!(out, "{number} squashed into {}", title(&squashed.commit))?;
    writeln!(out, "the old ones are kept as {}", squashed.kept)?;
    show_pruned(&squashed.pruned, out)
}

fn show_pruned(pruned: &[Pruned], out: &mut dyn Write) -> io::Result<()> {
    let text = |pruned: &Pruned| match pruned {
        Pruned::Kept { name, .. } => name.clone(),
        Pruned::Stash { commit, branch } => format!("stash {commit} (work on {branch})"),
    };
    files("no longer kept", &pruned.iter().map(text).collect::<Vec<_>>(), out)
}

fn files(what: &str, files: &[String], out: &mut dyn Write) -> io::Result<()> {
    files.iter().try_for_each(|file| writeln!(out, "  {what:<16} {}", clean(file)))
}

fn title(commit: &Commit) -> String {
    clean(&commit.title())
}

/// Text of others, safe for a terminal.
fn clean(text: &str) -> String {
    visible::one_line(text)
}
