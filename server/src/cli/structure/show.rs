//! What an operation comes to, as people read it in a terminal.

use std::fmt::{Display, Write as _};
use std::io::{self, Write as _};

use annotate_snippets::{Group, Level, Renderer};
use anstyle::{AnsiColor, Style};
use operator_core::snapshot::Snapshot;
use operator_core::structure::{Done, Excerpt, Failure, Listed, Output, Request, Warning};
use serde_json::Value;

use crate::cli::apply::diff;
use crate::cli::{render, words};
use crate::visible;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const KIND: Style = AnsiColor::Cyan.on_default();

/// Prints the result on standard output; what else is worth seeing goes to standard error.
pub fn done(request: &Request, done: &Done, before: &dyn Snapshot) -> io::Result<()> {
    let diff = diff::render(&done.changes, before);
    let warnings: String = done.warnings.iter().map(warning).collect();
    let err = render::for_stream(diff + &warnings, &io::stderr());
    io::stderr().write_all(err.as_bytes())?;
    let mut out = io::stdout().lock();
    out.write_all(result(request, &done.output).as_bytes())?;
    out.flush()
}

/// Prints on standard error why an operation was not done.
pub fn failure(failure: &Failure) -> io::Result<()> {
    anstream::stderr().write_all(error(failure).as_bytes())
}

/// Why an operation was not done, with everything that helps to put it right.
pub fn error(failure: &Failure) -> String {
    let title = Level::ERROR.primary_title(&failure.message).id(failure.code.as_str());
    let mut shown =
        visible::rendered(Renderer::styled().render(&[Group::with_title(title)])) + "\n";
    let detail = |name: &str| failure.details.get(name).map(list).unwrap_or_default();
    for one in detail("matches") {
        let kind = one["kind"].as_str().unwrap_or_default();
        let range = [0, 1].map(|end| one["line_range_inclusive"][end].as_u64().unwrap_or(1));
        let _ = writeln!(shown, "  {}, {KIND}{kind}{KIND:#}:", lines(range));
        shown.push_str(&target(one["target"].as_str().unwrap_or_default()));
    }
    let suggestions = detail("suggestions");
    if !suggestions.is_empty() {
        let _ = writeln!(shown, "  {BOLD}there is:{BOLD:#}");
    }
    for one in suggestions {
        shown.push_str(&target(one.as_str().or(one["target"].as_str()).unwrap_or_default()));
    }
    for one in detail("parse_errors") {
        let text = visible::one_line(one["text"].as_str().unwrap_or_default());
        let _ = writeln!(shown, "  line {}, column {}: {text}", one["line"], one["column"]);
    }
    shown
}

/// How many syntax errors a file has, where it has any.
pub fn parse_errors(path: &str, number: usize) -> String {
    if number == 0 {
        return String::new();
    }
    let message = format!("`{path}` has {}", words::count(number, "syntax error"));
    let group = Group::with_title(Level::WARNING.primary_title(message));
    visible::rendered(Renderer::styled().render(&[group])) + "\n"
}

/// The structures of a file, each with its lines, its kind and its header; ` [n]` is after a
/// header that needs it to be a target.
pub fn outline(heading: Option<&str>, structures: &[Listed]) -> String {
    let mut shown = String::with_capacity(structures.len() * 64);
    if let Some(heading) = heading {
        let _ = writeln!(shown, "{BOLD}{}{BOLD:#}", visible::one_line(heading));
    }
    let kinds = structures.iter().map(|one| one.kind.as_str().len()).max().unwrap_or_default();
    let last = structures.iter().map(|one| one.line_range_inclusive[1]).max().unwrap_or_default();
    let width = last.to_string().len();
    for one in structures {
        let [first, last] = one.line_range_inclusive;
        let (kind, indent) = (one.kind.as_str(), 2 * one.depth);
        let header = visible::one_line(one.line());
        let _ = writeln!(
            shown,
            "{DIM}{first:>width$}-{last:<width$}{DIM:#}  {KIND}{kind:kinds$}{KIND:#}  {:indent$}{header}",
            ""
        );
    }
    render::for_stream(shown, &io::stdout())
}

fn warning(warning: &Warning) -> String {
    let title = Level::WARNING.primary_title(&warning.message).id(warning.kind.as_str());
    visible::rendered(Renderer::styled().render(&[Group::with_title(title)])) + "\n"
}

/// One line that says what was done; for `read` the texts themselves.
fn result(request: &Request, output: &Output) -> String {
    let path = visible::one_line(request.path());
    match output {
        Output::Outlined { files: [file] } => outline(None, &file.structures),
        Output::Read { matches } => texts(&path, matches),
        Output::Replaced { lines: at } => format!("replaced: {path}, {}\n", lines(*at)),
        Output::Deleted { lines: at } => {
            format!("deleted: {path}, {} as they were\n", lines(*at))
        }
        Output::TextReplaced { total, lines: at } => {
            let times = total.map(|total| format!(" {}", words::count(total, "time")));
            format!("replaced{}: {path}, {}\n", times.unwrap_or_default(), lines(*at))
        }
        Output::Inserted { at, .. } => format!("inserted: {path}, from line {at} on\n"),
        Output::Moved { from, to } => {
            let dest_path = visible::one_line(request.dest_path().unwrap_or_default());
            let (from, to) = (lines(*from), lines(*to));
            format!("moved: {path}, {from} as they were, to {dest_path}, {to}\n")
        }
    }
}

/// The text of each match; where there are several, with its lines above it.
fn texts(path: &str, matches: &[Excerpt]) -> String {
    let mut shown = String::new();
    for one in matches {
        if matches.len() > 1 {
            let between = if shown.is_empty() { "" } else { "\n" };
            let headline = format!("{between}{BOLD}{path}, {}{BOLD:#}\n", lines(one.lines));
            shown.push_str(&render::for_stream(headline, &io::stdout()));
        }
        shown.push_str(&visible::for_stream(&one.text, &io::stdout()));
        if !one.text.ends_with('\n') {
            shown.push('\n');
        }
    }
    shown
}

/// A target as it is to be given, one line for each level.
fn target(target: &str) -> String {
    target.lines().map(|line| format!("    {}\n", visible::one_line(line))).collect()
}

/// `line 3`, `lines 3-9`.
fn lines<N: PartialEq + Display>([first, last]: [N; 2]) -> String {
    match first == last {
        true => format!("line {first}"),
        false => format!("lines {first}-{last}"),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
