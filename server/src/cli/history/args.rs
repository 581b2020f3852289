//! What `history` takes.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, Subcommand};

use crate::cli::args::Format;
use crate::history::Wanted;
use crate::workspace::git::Selection;

/// Arguments of `history`.
#[derive(Debug, Args)]
pub struct HistoryArgs {
    #[command(subcommand)]
    step: Step,
    /// The workspace
    #[arg(long, value_name = "DIR", default_value = ".", global = true)]
    pub root: PathBuf,
    /// How to print what was done
    #[arg(long, value_enum, default_value_t, global = true)]
    pub format: Format,
}

#[derive(Debug, Subcommand)]
enum Step {
    /// Undo the last AI commit, if nothing has changed since
    ///
    /// The branch moves to the commit before; `history forward` brings the AI commit back.
    ///
    /// Exits with 0, with 1 when it is refused or a stash does not fit any more, and with 2 when it
    /// could not run.
    Undo,
    /// Move the branch to the commit before
    ///
    /// Work that is not committed is put into a stash that belongs to the commit, and is brought
    /// back when a step leads there again. Refused where more than 10,000 untracked files, or 64
    /// MiB of them, would go into the stash.
    ///
    /// Exits with 0, with 1 when it is refused or a stash does not fit any more, and with 2 when it
    /// could not run.
    Back,
    /// Move the branch to the commit that `back` or `undo` came from
    ///
    /// Work that was put into a stash there is brought back. Refused where other commits were
    /// made meanwhile.
    ///
    /// Exits with 0, with 1 when it is refused or a stash does not fit any more, and with 2 when it
    /// could not run.
    Forward,
    /// Make one commit of several AI commits, which must be the last ones of the branch
    ///
    /// Without a selection, all AI commits since the last commit of a person. Files are not
    /// touched, and what is not committed stays so. Refused where other commits are in between,
    /// for merges and for commits that are on a remote branch already.
    ///
    /// Exits with 0, with 1 when it is refused, and with 2 when it could not run.
    Squash(Squash),
}

#[derive(Debug, Args)]
struct Squash {
    #[command(flatten)]
    which: Which,
    /// The message of the new commit, which begins with `AI: ` in any case
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    message: Option<String>,
}

#[derive(Debug, Args)]
#[group(required = false, multiple = false)]
struct Which {
    /// The last N AI commits
    #[arg(long, value_name = "N")]
    last: Option<usize>,
    /// The AI commits of the last N hours
    #[arg(long, value_name = "N")]
    hours: Option<u64>,
    /// The AI commits of the last N days
    #[arg(long, value_name = "N")]
    days: Option<u64>,
    /// The AI commits with this text in their message
    #[arg(long, value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    contains: Option<String>,
}

impl HistoryArgs {
    /// What is to be done.
    pub fn wanted(&self) -> Wanted {
        match &self.step {
            Step::Undo => Wanted::Undo,
            Step::Back => Wanted::Back,
            Step::Forward => Wanted::Forward,
            Step::Squash(squash) => {
                Wanted::Squash(squash.which.selection(), squash.message.clone())
            }
        }
    }
}

impl Which {
    fn selection(&self) -> Selection {
        let last = self.last.map(Selection::Last);
        last.or(self.hours.map(Selection::Hours))
            .or(self.days.map(Selection::Days))
            .or_else(|| self.contains.clone().map(Selection::Contains))
            .unwrap_or(Selection::SinceOwn)
    }
}
