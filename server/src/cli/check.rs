//! `check`: what is wrong with the blocks of transcripts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use operator_core::dialect::Dialects;
use operator_core::ledger;
use operator_core::limits::Limits;
use operator_core::problem::{Problem, Severity};
use operator_core::review::{Book, Proposal, Review, Reviewer};
use operator_core::scan::Scan;
use serde::Serialize;

use super::args::{CheckArgs, Format};
use super::input::{self, Transcript};
use super::{Exit, book, complain, failure, json, render, request, root, words};
use crate::visible;
use crate::workspace::Workspace;

/// A transcript and what was found in it.
struct Checked {
    transcript: Transcript,
    /// What the ledger calls it.
    name: ledger::Transcript,
    review: Review,
    proposals: Vec<Proposal>,
}

#[derive(Serialize)]
struct Report<'a> {
    transcripts: Vec<TranscriptReport<'a>>,
    summary: Summary,
    /// Why some transcripts are not in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<json::Error>,
}

#[derive(Serialize)]
struct TranscriptReport<'a> {
    path: &'a str,
    blocks: Vec<json::Block>,
    problems: json::Problems<'a>,
}

/// How much was found in all transcripts.
#[derive(Serialize)]
struct Summary {
    blocks: usize,
    errors: usize,
    warnings: usize,
}

/// Checks the transcripts and prints what is found; says on standard error which cannot be read.
pub fn run(args: &CheckArgs) -> io::Result<Exit> {
    let limits = Limits { exec: args.allow_exec, ..Limits::default() };
    let Some(workspace) = root::open(&args.root, &limits) else {
        return Ok(Exit::Failed);
    };
    let Ok(request) = request::given(&args.virtual_files).inspect_err(|it| complain(it)) else {
        return Ok(Exit::Failed);
    };
    let standard_input = [PathBuf::from("-")];
    let files: &[PathBuf] = if args.files.is_empty() { &standard_input } else { &args.files };
    let mut unread = Vec::new();
    let mut checked = Vec::new();
    for file in files {
        let workspace = root::around(&workspace, file, &args.virtual_files, request.as_ref());
        // One transcript that cannot be checked keeps none of the others from it.
        let found = failure::contained(|| check(file, &workspace, &limits));
        match found.unwrap_or_else(|| Err(format!("cannot check {}", input::name(file)))) {
            Ok(found) => checked.push(found),
            Err(message) => {
                complain(&message);
                unread.push(message);
            }
        }
    }
    let summary = Summary::of(&checked);
    let exit = match (unread.is_empty(), summary.errors) {
        (false, _) => Exit::Failed,
        (true, 0) => Exit::Fine,
        (true, _) => Exit::Wrong,
    };
    match args.format {
        Format::Human => print_for_people(&checked, &summary)?,
        Format::Json => {
            let error = (!unread.is_empty()).then(|| unread.join("\n").into());
            json::print(&Report { error, ..Report::of(&checked, summary) })?;
        }
    }
    Ok(exit)
}

fn check(file: &Path, workspace: &Workspace, limits: &Limits) -> Result<Checked, String> {
    let transcript = input::read(file, limits.transcript_bytes)?;
    let dialects = Dialects::all().at_home(workspace.home());
    let scan = Scan::new(&transcript.text, &dialects, limits);
    let book = book::of(workspace, file, &transcript).unwrap_or_else(|error| {
        complain(&format!("what was applied before is not known: {error}"));
        Book::default()
    });
    let name = book.transcript.clone();
    let review = Reviewer::with_book(book).review(&scan, workspace, limits);
    let proposals: Vec<Proposal> = review.proposals().collect();
    Ok(Checked { transcript, name, review, proposals })
}

fn print_for_people(checked: &[Checked], summary: &Summary) -> io::Result<()> {
    let width = render::width(&console::Term::stdout());
    let mut out = io::BufWriter::new(anstream::stdout().lock());
    for found @ Checked { transcript, .. } in checked {
        for problem in found.problems() {
            let shown = render::problem(&transcript.name, &transcript.text, &problem, width);
            out.write_all(render::for_stream(shown, &io::stdout()).as_bytes())?;
        }
    }
    for Checked { transcript, name, proposals, .. } in checked {
        if checked.len() > 1 && !proposals.is_empty() {
            writeln!(out, "{}", visible::one_line(&transcript.name))?;
        }
        for line in words::listed(&transcript.text, proposals, name) {
            writeln!(out, "{line}")?;
        }
    }
    if !checked.is_empty() {
        writeln!(out, "{}", conclusion(checked, summary))?;
    }
    out.flush()
}

/// The last line: how many blocks, where they are, how many problems.
fn conclusion(checked: &[Checked], summary: &Summary) -> String {
    let blocks = words::statuses(checked.iter().flat_map(|found| &found.proposals));
    match words::counts(&[(summary.errors, "error"), (summary.warnings, "warning")]) {
        Some(problems) => format!("{blocks}; {problems}"),
        None => blocks,
    }
}

impl Summary {
    fn of(checked: &[Checked]) -> Summary {
        let mut summary = Summary { blocks: 0, errors: 0, warnings: 0 };
        for found in checked {
            summary.blocks += found.proposals.len();
            for problem in found.problems() {
                summary.errors += usize::from(problem.severity == Severity::Error);
                summary.warnings += usize::from(problem.severity == Severity::Warning);
            }
        }
        summary
    }
}

impl Checked {
    /// Its problems, in the order of the text.
    fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        json::in_order(&self.review, &self.proposals).map(|(_, problem)| problem)
    }
}

impl Report<'_> {
    fn of(checked: &[Checked], summary: Summary) -> Report<'_> {
        let transcripts =
            checked.iter().map(|Checked { transcript, review, proposals, .. }| {
                let text = &transcript.text;
                let blocks = proposals.iter();
                TranscriptReport {
                    path: &transcript.path,
                    blocks: blocks.map(|proposal| json::Block::of(text, proposal)).collect(),
                    problems: json::Problems { text, review, proposals },
                }
            });
        Report { transcripts: transcripts.collect(), summary, error: None }
    }
}
