//! What an operation comes to, as people read it in a terminal.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use annotate_snippets::{Group, Level, Renderer};
use anstyle::{AnsiColor, Style};
use operator_core::snapshot::Snapshot;
use operator_core::structure::{Done, Failure, Listed, Request, Warning};
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
    out.write_all(result(request, &done.result).as_bytes())?;
    out.flush()
}

/// Prints on standard error why an operation was not done.
pub fn failure(failure: &Failure) -> io::Result<()> {
    anstream::stderr().write_all(error(&failure.to_json()).as_bytes())
}

/// Why an operation was not done, with everything that helps to put it right.
pub fn error(error: &Value) -> String {
    let word = |key: &str| error[key].as_str().unwrap_or_default();
    let report = [Group::with_title(Level::ERROR.primary_title(word("message")).id(word("error")))];
    let mut shown = visible::rendered(Renderer::styled().render(&report)) + "\n";
    let details = &error["details"];
    for one in list(&details["matches"]) {
        let kind = one["kind"].as_str().unwrap_or_default();
        let _ = writeln!(shown, "  {}, {KIND}{kind}{KIND:#}:", lines(&one["line_range_inclusive"]));
        shown.push_str(&target(one["target"].as_str().unwrap_or_default()));
    }
    let suggestions = list(&details["suggestions"]);
    if !suggestions.is_empty() {
        let _ = writeln!(shown, "  {BOLD}there is:{BOLD:#}");
    }
    for one in suggestions {
        shown.push_str(&target(one.as_str().or(one["target"].as_str()).unwrap_or_default()));
    }
    for one in list(&details["parse_errors"]) {
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

/// The structures of a file, each with its lines, its kind and its header; ` [n]` stands behind a
/// header that needs it to be a target.
pub fn outline(heading: Option<&str>, structures: &[Listed<'_>]) -> String {
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
    let title = Level::WARNING.primary_title(&warning.message).id(warning.kind);
    visible::rendered(Renderer::styled().render(&[Group::with_title(title)])) + "\n"
}

/// One line that says what was done; for `read` the texts themselves.
fn result(request: &Request, result: &Value) -> String {
    let path = visible::one_line(request.path());
    let at = |key: &str| lines(&result[key]);
    match request {
        Request::Read { .. } => texts(&path, list(&result["matches"])),
        Request::Replace { .. } => format!("replaced: {path}, {}\n", at("lines")),
        Request::Delete { .. } => {
            format!("deleted: {path}, {} as they were\n", at("deleted_line_range_inclusive"))
        }
        Request::ReplaceText { .. } => format!("replaced: {path}, {}\n", at("affected_lines")),
        Request::ReplaceAllText { .. } => {
            let number = result["total_replacements"].as_u64().unwrap_or_default() as usize;
            let times = words::count(number, "time");
            format!("replaced {times}: {path}, {}\n", at("affected_lines"))
        }
        Request::Insert { .. } => {
            format!("inserted: {path}, from line {} on\n", result["inserted_at_line"])
        }
        Request::MoveBeside { dest_path, .. } | Request::MoveToEdge { dest_path, .. } => {
            let dest_path = visible::one_line(dest_path);
            let (from, to) = (at("source_original_line_range"), at("destination_final_line_range"));
            format!("moved: {path}, {from} as they were, to {dest_path}, {to}\n")
        }
    }
}

/// The text of each match; where there are several, with its lines above it.
fn texts(path: &str, matches: &[Value]) -> String {
    let mut shown = String::new();
    for one in matches {
        if matches.len() > 1 {
            let between = if shown.is_empty() { "" } else { "\n" };
            let lines = lines(&one["line_range_inclusive"]);
            let headline = format!("{between}{BOLD}{path}, {lines}{BOLD:#}\n");
            shown.push_str(&render::for_stream(headline, &io::stdout()));
        }
        let text = one["text"].as_str().unwrap_or_default();
        shown.push_str(&visible::for_stream(text, &io::stdout()));
        if !text.ends_with('\n') {
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
fn lines(range: &Value) -> String {
    match (range[0].as_u64(), range[1].as_u64()) {
        (Some(first), Some(last)) if first != last => format!("lines {first}-{last}"),
        (Some(line), _) => format!("line {line}"),
        _ => "no lines".to_owned(),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}
