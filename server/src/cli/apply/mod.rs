//! `apply`: carries out the blocks of a transcript and prints the replies.

mod ask;
mod changed;
mod commit;
pub mod diff;
mod disk;
mod engine;
mod remembered;
mod report;
mod run;
mod select;
mod watch;

use std::io::{self, Write};

use operator_core::dialect::{ALL, Dialects, Failure};
use operator_core::limits::Limits;
use operator_core::problem::{Problem, SCAN_TOO_MANY_BLOCKS, SCAN_TRANSCRIPT_TOO_LARGE};
use operator_core::review::{Proposal, Review, Reviewer, Status};
use operator_core::scan::Scan;
use operator_core::snapshot::MemorySnapshot;
use operator_core::text::Text;

use super::args::{ApplyArgs, Format};
use super::input::{self, Transcript};
use super::{Exit, complain, json, request, root, words};
use crate::workspace::git::GitError;
use changed::{Changed, Changes, Kind};
use commit::{Committer, GitReport};
use engine::Done;
use remembered::Remembered;
use report::Report;
use run::{How, Job};

/// How many changed files are listed for people.
const LISTED: usize = 20;

/// Applies a transcript as far as the arguments and the person at the terminal let it.
pub fn run(args: &ApplyArgs) -> io::Result<Exit> {
    let Some(how) = how(args) else { return Ok(Exit::Failed) };
    let limits = Limits { exec: args.allow_exec, ..Limits::default() };
    let Some(workspace) = root::open(&args.root, &limits) else { return Ok(Exit::Failed) };
    let request = match request::given(&args.virtual_files) {
        Ok(request) => request,
        Err(message) => return Ok(failed(&message)),
    };
    let workspace = root::around(&workspace, &args.file, &args.virtual_files, request.as_ref());
    let transcript = match input::read(&args.file, limits.transcript_bytes) {
        Ok(transcript) => transcript,
        Err(message) => return Ok(failed(&message)),
    };
    let git = match args.commit.then(|| Committer::new(&workspace)).transpose() {
        Ok(git) => git,
        Err(error) => return Ok(failed(&nothing_done(&error))),
    };
    let dialects = Dialects::all().at_home(workspace.home());
    let scan = Scan::new(&transcript.text, &dialects, &limits);
    let mut reviewer = Reviewer::default();
    let seen = Remembered::new(&workspace);
    let quick = !matches!(how, How::Ask(_)) && args.only.is_empty();
    let text = &transcript.text;
    let review = quick.then(|| among_themselves(&scan, text, &limits)).flatten();
    let review = review.unwrap_or_else(|| {
        let review = reviewer.review(&scan, &seen, &limits);
        match reviewer.read_replies(&scan, text, ALL.iter().copied()) {
            true => reviewer.review(&scan, &seen, &limits),
            false => review,
        }
    });
    let selected = match select::select(&review, &args.only) {
        Ok(selected) => selected,
        Err(message) => return Ok(failed(&message)),
    };
    let job = Job {
        transcript: &transcript,
        workspace: &workspace,
        seen: &seen,
        limits: &limits,
        selected: &selected,
        atomic: args.atomic,
        git: git.as_ref(),
    };
    let all = match job.run(how, &mut reviewer) {
        Err(error) => match commit::refusal(&error) {
            Some(refusal) => return Ok(failed(&nothing_done(refusal))),
            None => return Err(error),
        },
        Ok(all) => all,
    };
    let changed = changed(&all);
    // A dry run has changed nothing, whatever it lists.
    let git = git.filter(|_| !args.dry_run);
    let git = git.map(|git| git.result(&workspace, &changed));
    print(args, &transcript, &review, Ran { all, changed, git })
}

/// What became of a run.
struct Ran {
    all: Vec<Done>,
    changed: Vec<Changed>,
    git: Option<GitReport>,
}

fn nothing_done(error: &GitError) -> String {
    format!("nothing is applied, because it cannot be committed: {error}")
}

fn changed(all: &[Done]) -> Vec<Changed> {
    let mut changes = Changes::default();
    for done in all {
        if let (true, Some(plan)) = (done.wrote(), &done.proposal.plan) {
            changes.note(plan);
        }
    }
    changes.into_list()
}

/// What the blocks are to one another, which is all that a review has to say where each of them is
/// judged on its turn. One that was refused, or of which a reply tells, is not, so that `None` asks
/// for a whole review.
fn among_themselves(scan: &Scan, text: &Text, limits: &Limits) -> Option<Review> {
    let mut reviewer = Reviewer::default();
    let review = reviewer.review(scan, &MemorySnapshot::default(), limits);
    let told = reviewer.read_replies(scan, text, ALL.iter().copied());
    (!told && review.count(Status::Rejected) == 0).then_some(review)
}

fn how(args: &ApplyArgs) -> Option<How> {
    if args.dry_run {
        return Some(How::Dry);
    }
    if args.yes {
        return Some(How::Yes);
    }
    let terminal = ask::terminal(input::is_stdin(&args.file));
    if terminal.is_none() {
        complain(
            "there is no terminal to ask on: give --yes to apply every block that can be \
             applied, or --dry-run to see what that would do",
        );
    }
    terminal.map(How::Ask)
}

fn failed(message: &str) -> Exit {
    complain(message);
    Exit::Failed
}

fn print(args: &ApplyArgs, transcript: &Transcript, review: &Review, ran: Ran) -> io::Result<Exit> {
    let Ran { all, changed, git } = ran;
    let mut proposals: Vec<Proposal> = review.proposals().collect();
    for done in &all {
        proposals[done.proposal.placed.index] = done.proposal.clone();
    }
    let replies = report::replies(&transcript.text, &all);
    let stray: Vec<Problem> = review.stray().collect();
    for problem in &stray {
        anstream::stderr().write_all(watch::place(transcript, problem).as_bytes())?;
    }
    conclude(args, &all, &changed)?;
    if let Some(git) = &git {
        git.say(&mut anstream::stderr())?;
    }
    let committed = git.as_ref().is_none_or(GitReport::is_fine);
    match args.format {
        Format::Human => {
            let mut out = io::BufWriter::new(io::stdout().lock());
            replies.iter().try_for_each(|reply| out.write_all(reply.text.as_bytes()))?;
            out.flush()?;
        }
        Format::Json => {
            let results = report::results(&all);
            let problems = json::in_order(&stray, &proposals);
            let problems = json::problems(&transcript.text, &proposals, &problems);
            json::print(&Report { results, replies, changed, problems, git })?;
        }
    }
    // A stray marker is no block that failed; blocks that were not looked at may be.
    let passed_over = stray
        .iter()
        .any(|problem| matches!(problem.code, SCAN_TOO_MANY_BLOCKS | SCAN_TRANSCRIPT_TOO_LARGE));
    let fine = all.iter().all(Done::is_ok) && !passed_over && committed;
    Ok(if fine { Exit::Fine } else { Exit::Wrong })
}

/// Says on standard error what came of it.
fn conclude(args: &ApplyArgs, all: &[Done], changed: &[Changed]) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    for file in changed.iter().take(LISTED) {
        let from = file.from.as_ref().map(|from| format!("{from} → ")).unwrap_or_default();
        let path = annotate_snippets::normalize_untrusted_str(&format!("{from}{}", file.path));
        writeln!(out, "  {:<6} {path}", file.kind.as_str())?;
    }
    if changed.len() > LISTED {
        writeln!(out, "  and {} more", changed.len() - LISTED)?;
    }
    writeln!(out, "{}", conclusion(all, args.dry_run))?;
    out.flush()
}

fn conclusion(all: &[Done], dry: bool) -> String {
    if all.is_empty() {
        return "no blocks found".to_owned();
    }
    let applied = all.iter().filter(|done| done.wrote()).count();
    let answered = all.iter().filter(|done| done.is_ok()).count() - applied;
    let refused = all.iter().filter(|done| done.answer.result == Err(Failure::Refused)).count();
    let failed = all.len() - applied - answered - refused;
    let would = if dry { "would be applied" } else { "applied" };
    let each = [(applied, would), (answered, "answered"), (refused, "refused"), (failed, "failed")];
    let each = each.iter().filter(|(number, _)| *number > 0);
    let each: Vec<_> = each.map(|(number, word)| format!("{number} {word}")).collect();
    format!("{}: {}", words::count(all.len(), "block"), each.join(", "))
}

impl Kind {
    /// The word in JSON and on screen.
    fn as_str(self) -> &'static str {
        match self {
            Kind::Create => "create",
            Kind::Edit => "edit",
            Kind::Delete => "delete",
            Kind::Rename => "rename",
            Kind::Mkdir => "mkdir",
        }
    }
}
