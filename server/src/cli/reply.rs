//! `reply`: what to send back to the model about a transcript.

use std::collections::HashMap;
use std::io::{self, Write};

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::problem::{SCAN_TOO_MANY_BLOCKS, SCAN_TRANSCRIPT_TOO_LARGE};
use operator_core::review::{News, Proposal, Replies, Reply, Review, Reviewer, Status};
use operator_core::scan::Scan;
use operator_core::spec::Effect;
use serde::Serialize;

use super::args::{Format, ReplyArgs};
use super::input::Transcript;
use super::{Exit, book, complain, json, render, root, words};

/// The whole of `reply --format json`.
#[derive(Serialize)]
struct Report {
    replies: Vec<Reply>,
    summary: Summary,
}

/// How many blocks there are, and what became of them.
#[derive(Serialize)]
struct Summary {
    blocks: usize,
    applied: usize,
    waiting: usize,
    failed: usize,
}

/// Prints the replies to the blocks of a transcript as the files and the ledger are now.
pub fn run(args: &ReplyArgs) -> io::Result<Exit> {
    let limits = Limits::default();
    let opened = root::with_transcript(&args.transcript, &limits);
    let Some((workspace, transcript)) = opened else { return Ok(Exit::Failed) };
    let dialects = Dialects::all().at_home(workspace.home());
    let scan = Scan::new(&transcript.text, &dialects, &limits);
    let book = match book::of(&workspace, &args.transcript.file, &transcript) {
        Ok(book) => book,
        Err(error) => {
            complain(&error.to_string());
            return Ok(Exit::Failed);
        }
    };
    let mut reviewer = Reviewer::with_book(book);
    let review = reviewer.review(&scan, &workspace, &limits);
    let replies = Replies {
        text: &transcript.text,
        review: &review,
        book: reviewer.book(),
        snapshot: &workspace,
        limits: &limits,
    };
    let News { replies, .. } = replies.news(&HashMap::new());
    let proposals: Vec<Proposal> = review.proposals().collect();
    let summary = Summary::of(&proposals);
    let exit = match proposals.is_empty() || summary.waiting + summary.failed > 0 {
        true => Exit::Wrong,
        false => Exit::Fine,
    };
    match args.format {
        Format::Json => json::print(&Report { replies, summary })?,
        Format::Human => {
            say_what_is_unread(&transcript, &review)?;
            say(&proposals, &summary, replies.is_empty())?;
            words::print_replies(&replies)?;
        }
    }
    Ok(exit)
}

/// Says on standard error why blocks of a transcript are not read.
fn say_what_is_unread(transcript: &Transcript, review: &Review) -> io::Result<()> {
    let is_unread = |code| matches!(code, SCAN_TOO_MANY_BLOCKS | SCAN_TRANSCRIPT_TOO_LARGE);
    let width = render::width(&console::Term::stderr());
    for problem in review.stray().filter(|problem| is_unread(problem.code)) {
        let shown = render::problem(&transcript.name, &transcript.text, &problem, width);
        anstream::stderr().write_all(shown.as_bytes())?;
    }
    Ok(())
}

/// Says on standard error what the replies are about.
fn say(proposals: &[Proposal], summary: &Summary, is_empty: bool) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    writeln!(out, "{}", words::statuses(proposals))?;
    if summary.waiting > 0 {
        let waiting = words::count(summary.waiting, "block");
        writeln!(out, "no reply yet to {waiting} that can still be applied or rejected")?;
    } else if is_empty && !proposals.is_empty() {
        writeln!(out, "nothing to send: the replies to all blocks are in the transcript")?;
    }
    out.flush()
}

impl Summary {
    fn of(proposals: &[Proposal]) -> Summary {
        let counted: Vec<&Proposal> =
            proposals.iter().filter(|it| it.status != Status::Superseded).collect();
        let waits = |it: &Proposal| {
            let changes = matches!(it.effect(), Some(Effect::Write | Effect::Exec));
            it.ready_after.is_some() || it.status == Status::Ready && changes
        };
        let is_done = |it: &Proposal| {
            let is_done = matches!(it.status, Status::Ready | Status::Applied | Status::Satisfied);
            is_done && !waits(it)
        };
        let number = |is: &dyn Fn(&Proposal) -> bool| counted.iter().filter(|it| is(it)).count();
        let (applied, waiting) = (number(&is_done), number(&waits));
        let blocks = proposals.len();
        Summary { blocks, applied, waiting, failed: counted.len() - applied - waiting }
    }
}
