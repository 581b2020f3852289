//! The command line: what each command takes, does, prints and exits with.

mod apply;
mod args;
mod book;
mod check;
mod edit_ops;
mod failure;
mod fingerprint;
mod history;
mod input;
mod json;
mod log;
mod prompt;
mod redo;
mod render;
mod reply;
mod request;
mod root;
mod serve;
mod serve_http;
mod settings;
mod spec;
mod structure;
mod undo;
mod words;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command, Format};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Exit {
    /// All is well.
    Fine = 0,
    /// It ran, and something is wrong with what it was given.
    Wrong = 1,
    /// It could not run: usage, or a file that cannot be read.
    Failed = 2,
}

/// Runs the command that the process was started with.
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let args = match Args::try_parse_from(arguments) {
        Ok(args) => args,
        Err(error) => {
            // Nothing is left to be done where even the message cannot be shown.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let command = args.command.unwrap_or(Command::Serve);
    failure::report_panics();
    let ended = failure::run(advice(&command), || execute(&command));
    let ended = ended.and_then(|exit| {
        if exit == Exit::Failed && format(&command) == Format::Json {
            json::print_failure(failure::said())?;
        }
        Ok(exit)
    });
    match ended {
        Ok(exit) => ExitCode::from(exit as u8),
        // A reader that has seen enough (`| head`) is not a failure worth a word.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
            ExitCode::from(Exit::Failed as u8)
        }
        Err(error) => {
            complain(&format!("cannot write the output: {error}"));
            ExitCode::from(Exit::Failed as u8)
        }
    }
}

fn execute(command: &Command) -> io::Result<Exit> {
    match command {
        Command::Serve => serve::run(),
        Command::Check(args) => check::run(args),
        Command::Prompt(args) => prompt::run(args),
        Command::Apply(args) => apply::run(args),
        Command::Reply(args) => reply::run(args),
        Command::Log(args) => log::run(args),
        Command::Undo(args) => undo::run(args),
        Command::Redo(args) => redo::run(args),
        Command::History(args) => history::run(args),
        Command::Structure(args) => structure::run(args),
        Command::Spec(args) => spec::run(args),
        Command::Fingerprint(args) => fingerprint::run(args),
        Command::EditOps => edit_ops::run(),
        Command::ServeHttp(args) => serve_http::run(args),
        Command::SettingsSchema => settings::run(),
    }
}

/// The format that a command prints its result in.
fn format(command: &Command) -> Format {
    match command {
        Command::Check(args) => args.format,
        Command::Prompt(args) => args.format,
        Command::Apply(args) => args.format,
        Command::Reply(args) => args.format,
        Command::Log(args) => args.format,
        Command::History(args) => args.format,
        Command::Structure(args) => args.format,
        _ => Format::Human,
    }
}

/// What to do where a command fails by a mistake of ours.
fn advice(command: &Command) -> &'static str {
    match command {
        Command::Apply(_) => {
            "see with `operator-lsp undo --help` how to undo the files that it has changed"
        }
        Command::Undo(_) => "run it again to undo the rest",
        Command::Redo(_) => "see with `operator-lsp undo --help` how to undo what it has redone",
        Command::History(_) | Command::Structure(_) => "look at the files before you run it again",
        _ => "please report the line above",
    }
}

/// Says on standard error what could not be done.
fn complain(message: &str) {
    use annotate_snippets::{Group, Level, Renderer};
    use std::io::Write;

    failure::note(message);
    let report = [Group::with_title(Level::ERROR.primary_title(message))];
    // Where standard error itself is gone there is nobody to tell.
    let report = crate::visible::rendered(Renderer::styled().render(&report));
    let _ = writeln!(anstream::stderr(), "{report}");
}
