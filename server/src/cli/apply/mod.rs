//! `apply`: applies the blocks of a transcript and prints the replies.

mod alike;
mod ask;
mod changed;
mod commit;
pub mod diff;
mod disk;
mod edit;
mod engine;
mod record;
mod report;
mod room;
mod run;
mod select;
mod start;
mod watch;

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};

use operator_core::dialect::{Dialects, Failure};
use operator_core::ledger::Event;
use operator_core::limits::Limits;
use operator_core::path::FilePath;
use operator_core::problem::{SCAN_TOO_MANY_BLOCKS, SCAN_TRANSCRIPT_TOO_LARGE};
use operator_core::review::{Proposal, Review, Reviewer};
use operator_core::scan::Scan;
use operator_core::snapshot::Remembered;

use super::args::{ApplyArgs, Format};
use super::input::{self, Transcript};
use super::{Exit, book, complain, json, root, words};
use crate::visible;
use crate::workspace::git::{GitError, Hooks};
use crate::workspace::{Left, Workspace};
use changed::{Changed, Changes, Kind};
use commit::{Committer, GitReport};
use engine::Done;
use report::Report;
use run::{How, Job, Ran};

/// Files of more bytes than this altogether are not kept in memory from plan to write.
const KEPT: usize = 256 << 20;
/// How often it is tried to apply all at once, where other runs change the workspace meanwhile.
const ATTEMPTS: usize = 4;
/// The program that puts its standard input onto the clipboard.
const CLIPBOARD: &str = if cfg!(target_os = "macos") {
    "pbcopy"
} else if cfg!(windows) {
    "clip"
} else {
    "wl-copy"
};
/// How many changed files are listed for people.
const LISTED: usize = 20;

/// Applies a transcript as far as the arguments and the person at the terminal let it.
pub fn run(args: &ApplyArgs) -> io::Result<Exit> {
    let limits = Limits { exec: args.allow_exec, ..Limits::default() };
    let opened = root::with_transcript(&args.transcript, &limits);
    let Some((workspace, transcript)) = opened else { return Ok(Exit::Failed) };
    let Some(how) = how(args) else { return Ok(Exit::Failed) };
    let git = match args.commit.then(|| Committer::new(&workspace, hooks(args))).transpose() {
        Ok(git) => git,
        Err(error) => return Ok(failed(&nothing_done(&error))),
    };
    let dialects = Dialects::all().at_home(workspace.home());
    let scan = Scan::new(&transcript.text, &dialects, &limits);
    let given = Given { args, limits, workspace, transcript, git, dialects, scan };
    // One that asks a person is not begun again.
    let again = if matches!(how, How::Yes) { ATTEMPTS - 1 } else { 0 };
    for _ in 0..again {
        let edition = given.workspace.ledger_edition();
        match given.attempt(How::Yes, Some(edition)) {
            Err(error) if run::is_outdated(&error) => {}
            result => return result,
        }
    }
    given.attempt(how, None)
}

/// What is applied, and how.
struct Given<'a> {
    args: &'a ApplyArgs,
    limits: Limits,
    workspace: Workspace,
    transcript: Transcript,
    git: Option<Committer>,
    dialects: Dialects,
    scan: Scan,
}

impl Given<'_> {
    /// Applies it. `edition` is the state of the ledger that was there before; where it is another
    /// one by the time of the first write, nothing is written.
    fn attempt(&self, how: How, edition: Option<(u64, u128)>) -> io::Result<Exit> {
        let Given { args, limits, workspace, transcript, git, dialects, scan } = self;
        let book = match book::of(workspace, &args.transcript.file, transcript) {
            Ok(book) => book,
            Err(error) => return Ok(failed(&error.to_string())),
        };
        let mut reviewer = Reviewer::with_book(book.clone());
        let seen = Remembered::with_room(workspace, KEPT);
        let is_known = book.concerns(scan) || scan.reply_blocks().next().is_some();
        // Each block is checked on its turn. A person and `--only` want to know them all before, and
        // what the ledger and replies say of a block depends on its files.
        let review = match is_known || matches!(how, How::Ask(_)) || !args.only.is_empty() {
            true => reviewer.review(scan, &seen, limits),
            false => Review::of_places(scan),
        };
        let selected = match select::select(&review, &args.only) {
            Ok(selected) => selected,
            Err(message) => return Ok(failed(&message)),
        };
        let (news, bases) = news(reviewer.book_mut().take_found());
        let job = Job {
            transcript,
            workspace,
            seen: &seen,
            limits,
            selected: &selected,
            atomic: args.atomic,
            book: &book,
            dialects,
            edition,
            news,
            bases,
            again: args.again,
            // A block that was chosen was looked at.
            allow_caution: args.allow_caution || !args.only.is_empty(),
            git: git.as_ref(),
        };
        let ran = match job.run(how, &mut reviewer.book().clone()) {
            Err(error) => match commit::refusal(&error) {
                Some(refusal) => return Ok(failed(&nothing_done(refusal))),
                None => return Err(error),
            },
            Ok(ran) => ran,
        };
        let Ran { all, left, lock } = ran;
        let changed = changed(&all, &left, workspace);
        // A dry run has changed nothing, whatever it lists; what is half done is not committed.
        let git = git.as_ref().filter(|_| !args.dry_run && left.is_empty());
        let git = git.map(|git| git.result(workspace, &changed));
        drop(lock);
        let shown = Shown { all, changed, git };
        let exit = shown.exit(&review);
        match print(args, transcript, &review, shown) {
            // A reader that has seen enough (`| head`) does not change what was done.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
            printed => printed?,
        }
        if left.is_empty() {
            return Ok(exit);
        }
        complain(&half_done(&left, args.commit));
        Ok(exit.max(Exit::Wrong))
    }
}

/// The files that are not as the kept ledger has them, and the bases of blocks that it does not have.
fn news(found: Vec<Event>) -> (BTreeSet<FilePath>, Vec<Event>) {
    let lasting = found.iter().filter(|event| event.is_lasting());
    let paths = lasting.flat_map(|event| event.paths().into_iter().cloned()).collect();
    (paths, record::bases(found).collect())
}

/// What is printed of a run.
struct Shown {
    all: Vec<Done>,
    changed: Vec<Changed>,
    git: Option<GitReport>,
}

impl Shown {
    /// How the run ends. A stray marker does not count as a failed block; blocks that were not read
    /// may have failed. Without any block, nothing of what the model wrote was applied.
    fn exit(&self, review: &Review) -> Exit {
        let is_unread = |code| matches!(code, SCAN_TOO_MANY_BLOCKS | SCAN_TRANSCRIPT_TOO_LARGE);
        let passed_over = review.stray().any(|problem| is_unread(problem.code));
        let committed = self.git.as_ref().is_none_or(GitReport::is_fine);
        let done = !self.all.is_empty() && self.all.iter().all(Done::is_ok);
        if done && !passed_over && committed { Exit::Fine } else { Exit::Wrong }
    }
}

fn nothing_done(error: &GitError) -> String {
    format!("nothing is applied, because it cannot be committed: {error}")
}

/// What a write that failed half way has left, for people.
fn half_done(left: &[Left], commit: bool) -> String {
    let mut message = "the run failed half way, and not every change could be undone:".to_owned();
    for left in left.iter().take(LISTED) {
        message += &format!("\n  {}", visible::one_line(&left.to_string()));
    }
    if left.len() > LISTED {
        message += &format!("\n  and {} more", left.len() - LISTED);
    }
    if commit {
        message += "\nnothing was committed";
    }
    message + "\nthe undo journal is kept: `operator-lsp undo` undoes the rest"
}

fn changed(all: &[Done], left: &[Left], now: &Workspace) -> Vec<Changed> {
    let mut changes = Changes::default();
    for done in all {
        if let (true, Some(plan)) = (done.wrote(), &done.proposal.plan) {
            changes.note(plan);
        }
    }
    left.iter().rev().for_each(|left| changes.note_left(left, now));
    changes.into_list()
}

fn hooks(args: &ApplyArgs) -> Hooks {
    if args.hooks { Hooks::Run } else { Hooks::Off }
}

fn how(args: &ApplyArgs) -> Option<How> {
    if args.dry_run {
        return Some(How::Dry);
    }
    if args.yes {
        return Some(How::Yes);
    }
    let terminal = ask::terminal(input::is_stdin(&args.transcript.file));
    if terminal.is_none() {
        complain(
            "no terminal to ask on; use --yes to apply every block that can be \
             applied, or --dry-run to see what that would do",
        );
    }
    terminal.map(How::Ask)
}

fn failed(message: &str) -> Exit {
    complain(message);
    Exit::Failed
}

fn print(
    args: &ApplyArgs,
    transcript: &Transcript,
    review: &Review,
    shown: Shown,
) -> io::Result<()> {
    let Shown { all, changed, git } = shown;
    let mut proposals: Vec<Proposal> = review.proposals().collect();
    for done in &all {
        proposals[done.proposal.placed.index] = done.proposal.clone();
    }
    // A dry run has done nothing, so there is nothing to tell the model.
    let replies = match args.dry_run {
        true => Vec::new(),
        false => report::replies(&transcript.text, review.scan(), &all),
    };
    for problem in review.stray() {
        anstream::stderr().write_all(watch::place(transcript, &problem).as_bytes())?;
    }
    conclude(args, &all, &proposals, &changed)?;
    if let Some(git) = &git {
        git.say(&mut anstream::stderr())?;
    }
    match args.format {
        Format::Human if replies.is_empty() => {}
        Format::Human if io::stdout().is_terminal() && !args.replies => {
            let count = match replies.len() {
                1 => "1 reply".to_owned(),
                count => format!("{count} replies"),
            };
            let how = format!("`| {CLIPBOARD}` copies, and --replies prints");
            writeln!(anstream::stderr(), "{count} for the model, which {how}")?;
        }
        Format::Human => words::print_replies(&replies)?,
        Format::Json => {
            let results = report::results(&all);
            let text = &transcript.text;
            let problems = json::Problems { text, review, proposals: &proposals };
            let dry_run = args.dry_run;
            json::print(&Report { dry_run, results, replies, changed, problems, git })?;
        }
    }
    Ok(())
}

/// Says on standard error the outcome of it.
fn conclude(
    args: &ApplyArgs,
    all: &[Done],
    proposals: &[Proposal],
    changed: &[Changed],
) -> io::Result<()> {
    let mut out = anstream::stderr().lock();
    for file in changed.iter().take(LISTED) {
        let from = file.from.as_ref().map(|from| format!("{from} → ")).unwrap_or_default();
        let path = visible::one_line(&format!("{from}{}", file.path));
        writeln!(out, "  {:<6} {path}", file.kind.as_str())?;
    }
    if changed.len() > LISTED {
        writeln!(out, "  and {} more", changed.len() - LISTED)?;
    }
    for (said, blocks) in applied_elsewhere(all) {
        writeln!(out, "  {said}: {blocks}")?;
    }
    writeln!(out, "{}", conclusion(all, args.dry_run))?;
    if let Some(how) = how_to_take(all, proposals) {
        writeln!(out, "{how}")?;
    }
    out.flush()
}

/// What is said of blocks that were applied from other transcripts, and which ones these are.
fn applied_elsewhere(all: &[Done]) -> Vec<(String, String)> {
    const NAMED: usize = 10;
    let mut found: Vec<(String, Vec<usize>)> = Vec::new();
    for done in all.iter().filter(|done| done.was_applied_before()) {
        let (said, number) = (done.answer.summary(), done.proposal.placed.index + 1);
        match found.iter_mut().find(|(other, _)| *other == said) {
            Some((_, numbers)) => numbers.push(number),
            None if said == record::BEFORE => {}
            None => found.push((said, vec![number])),
        }
    }
    let blocks = |numbers: &[usize]| {
        let named: Vec<String> = numbers.iter().take(NAMED).map(usize::to_string).collect();
        let word = if numbers.len() == 1 { "block" } else { "blocks" };
        match numbers.len() - named.len() {
            0 => format!("{word} {}", named.join(", ")),
            more => format!("{word} {}, and {more} more", named.join(", ")),
        }
    };
    found.into_iter().take(LISTED).map(|(said, numbers)| (said, blocks(&numbers))).collect()
}

fn conclusion(all: &[Done], dry: bool) -> String {
    if all.is_empty() {
        return words::no_blocks();
    }
    let applied = all.iter().filter(|done| done.wrote()).count();
    let before = all.iter().filter(|done| done.was_applied_before()).count();
    let satisfied = all.iter().filter(|done| done.is_satisfied()).count();
    let done = all.iter().filter(|done| done.is_ok()).count();
    let answered = done - applied - before - satisfied;
    let told = |failure| all.iter().filter(|it| it.answer.result.as_ref() == Err(&failure)).count();
    let (refused, undecided) = (told(Failure::Refused), told(Failure::Pending));
    let left = all.iter().filter(|done| done.is_left()).count();
    let failed = all.len() - done - refused - undecided - left;
    let [would_apply, would_answer, not_decided] = match dry {
        true => ["would be applied", "would be answered", "would be run"],
        false => ["applied", "answered", "not decided"],
    };
    let each = [
        (applied, would_apply),
        (before, "already applied"),
        (satisfied, "satisfied"),
        (answered, would_answer),
        (refused, "rejected"),
        (undecided, not_decided),
        (left, "left, needs a look"),
        (failed, "failed"),
    ];
    let each = each.iter().filter(|(number, _)| *number > 0);
    let each: Vec<_> = each.map(|(number, word)| format!("{number} {word}")).collect();
    format!("{}: {}", words::count(all.len(), "block"), each.join(", "))
}

/// How what was left can be applied, once somebody has looked at it.
fn how_to_take(all: &[Done], proposals: &[Proposal]) -> Option<String> {
    const NAMED: usize = 5;
    let left: Vec<&Done> = all.iter().filter(|done| done.is_left()).collect();
    let only = |done: &&Done| format!("--only {}", select::word_for(&done.proposal, proposals));
    let chosen: Vec<String> = left.iter().take(NAMED).map(only).collect();
    let more = if left.len() > NAMED { " …" } else { "" };
    let (what, them) = match left.len() {
        0 => return None,
        1 => ("the change that was left", "it"),
        _ => ("the changes that were left", "those that are right"),
    };
    let chosen = chosen.join(" ");
    Some(format!("look at {what}, and apply {them} with {chosen}{more}"))
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
