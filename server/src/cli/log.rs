//! `log`: what was done in the workspace, the newest first.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use operator_core::ledger::{Door, Work};
use operator_core::limits::Limits;
use operator_core::path::FilePath;

use super::args::{Format, LogArgs};
use super::{Exit, complain, json, root, words};
use crate::operations::{Listed, files, named};
use crate::workspace::{Logged, Workspace};
use crate::{moment, visible};

/// How many blocks and files of an operation are named.
const NAMED: usize = 3;

const NUMBER: Style = AnsiColor::Yellow.on_default();
const QUIET: Style = Style::new().dimmed();

/// Lists the operations, or says why they cannot be read.
pub fn run(args: &LogArgs) -> io::Result<Exit> {
    let Some(workspace) = root::open(&args.root, &Limits::default()) else {
        return Ok(Exit::Failed);
    };
    let operations = match workspace.operations() {
        Ok(operations) => operations,
        Err(error) => {
            complain(&error.to_string());
            return Ok(Exit::Failed);
        }
    };
    match args.format {
        Format::Json => json::print(&Listed::of(&operations, &workspace))?,
        Format::Human if operations.is_empty() => {
            let root = workspace.absolute(&FilePath::new(0, ""));
            let root = visible::one_line(&root.to_string_lossy());
            anstream::stderr().write_all(format!("no operations in {root}\n").as_bytes())?;
        }
        Format::Human => show(&operations, &workspace)?,
    }
    Ok(Exit::Fine)
}

fn show(operations: &[Logged], workspace: &Workspace) -> io::Result<()> {
    let now = moment::now();
    let lines: Vec<Line> = operations.iter().map(|it| Line::of(it, now, workspace)).collect();
    let width = |column: fn(&Line) -> usize| lines.iter().map(column).max().unwrap_or(0);
    let (id, when) = (width(|line| line.id.len()), width(|line| line.when.len()));
    let mut text = String::new();
    for line in &lines {
        let (quiet, end) = if line.undone { (QUIET, " (undone)") } else { (Style::new(), "") };
        let (reset, number) = (anstyle::Reset, if line.undone { QUIET } else { NUMBER });
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{number}{:>id$}{reset}  {QUIET}{:<when$}{reset}  {quiet}{}{end}{reset}",
            line.id, line.when, line.what,
        );
        if !line.files.is_empty() {
            let _ = writeln!(text, "{:id$}  {QUIET}{}{reset}", "", line.files);
        }
    }
    let mut out = anstream::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// An operation for people.
struct Line {
    id: String,
    when: String,
    what: String,
    files: String,
    undone: bool,
}

impl Line {
    fn of(logged: &Logged, now: u64, workspace: &Workspace) -> Line {
        let operation = &logged.operation;
        let titles: Vec<String> = named(operation).map(title).collect();
        let files = files(operation, workspace);
        let transcript = words::transcript(&operation.transcript);
        let from = match operation.door {
            _ if transcript.is_empty() => transcript,
            Door::Lsp => format!("{transcript} (editor)"),
            _ => transcript,
        };
        let says_all = titles.len() <= NAMED
            && files.iter().all(|file| titles.iter().any(|title| says(title, file)));
        let (what, below) = match (titles.is_empty(), says_all) {
            (true, _) => (list(&files), from),
            (false, true) => (list(&titles), from),
            (false, false) => {
                let files = list(&files);
                let both = [from, files].into_iter().filter(|part| !part.is_empty());
                (list(&titles), both.collect::<Vec<_>>().join(": "))
            }
        };
        Line {
            id: operation.id.to_string(),
            when: moment::ago(operation.time, now),
            what,
            files: below,
            undone: logged.undone,
        }
    }
}

fn title(work: &Work) -> String {
    if work.title.is_empty() { work.name.clone() } else { work.title.clone() }
}

/// Whether a title names a file.
fn says(title: &str, file: &str) -> bool {
    title.split_whitespace().any(|word| word.trim_matches(|it| ",;:()`\"'".contains(it)) == file)
}

/// The first of them, and how many more there are.
fn list(all: &[String]) -> String {
    let named: Vec<String> = all.iter().take(NAMED).map(|it| visible::one_line(it)).collect();
    match all.len() - named.len() {
        0 => named.join(", "),
        rest => format!("{}, and {rest} more", named.join(", ")),
    }
}
