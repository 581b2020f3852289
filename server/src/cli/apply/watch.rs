//! What a person sees while blocks are applied: a question each, a diff each, or a bar.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use operator_core::dialect::{Failure, Fault};
use operator_core::plan::Plan;
use operator_core::problem::Severity;
use operator_core::review::{Proposal, WithOthers};
use operator_core::snapshot::Snapshot;

use super::ask::{self, Consent, Key};
use super::diff;
use super::engine::{Done, Watcher};
use crate::cli::input::Transcript;
use crate::cli::render;
use crate::visible;

/// Work that takes no longer shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// Shows each change, and asks about it where there is somebody to ask.
pub struct Shown<'a> {
    /// The transcript.
    pub transcript: &'a Transcript,
    /// How many blocks there are to be done.
    pub total: usize,
    /// The person's end of the terminal; without one every change is taken.
    pub input: Option<Box<dyn BufRead>>,
    /// How many blocks are done.
    pub seen: usize,
    /// Whether changes that need a look of their own are taken without one.
    pub allow_caution: bool,
}

/// Takes every change, and shows a bar once it takes long.
pub struct Bar {
    start: Instant,
    bar: ProgressBar,
    total: u64,
    seen: u64,
    /// Whether changes that need a look of their own are taken without one.
    allow_caution: bool,
}

impl Watcher for Shown<'_> {
    fn consent(
        &mut self,
        proposal: &Proposal,
        plan: &Plan,
        now: &dyn Snapshot,
    ) -> io::Result<Consent> {
        let mut out = anstream::stderr().lock();
        let number = format!("({}/{})", self.seen + 1, self.total);
        writeln!(out, "{}", headline(&number, proposal))?;
        for remark in proposal.problems() {
            write!(out, "{}", place(self.transcript, &remark))?;
        }
        let diff = diff::render(&plan.changes, now);
        out.write_all(render::for_stream(diff, &io::stderr()).as_bytes())?;
        let question = match &plan.program {
            Some((program, directory)) => {
                let directory = visible::name(&directory.to_string());
                let code = visible::program(&program.code);
                writeln!(out, "{} in {directory}:\n{code}", program.language)?;
                format!("{number} Run this program")
            }
            None if proposal.caution().is_some() => format!("{number} Needs a look. Apply this"),
            None => format!("{number} Apply this"),
        };
        let consent = match &mut self.input {
            Some(input) => asked(&question, plan, input, &mut out)?,
            None => unasked(proposal, self.allow_caution),
        };
        writeln!(out)?;
        Ok(consent)
    }

    fn done(&mut self, done: &Done) -> io::Result<()> {
        self.seen += 1;
        // What is left was shown with its reason.
        if done.is_left() || !matches!(done.answer.result, Err(Failure::Problem { .. })) {
            return Ok(());
        }
        let mut out = anstream::stderr().lock();
        let number = format!("({}/{})", self.seen, self.total);
        writeln!(out, "{}", headline(&number, &done.proposal))?;
        write!(out, "{}", failure(self.transcript, done))
    }
}

impl Bar {
    /// A bar for so many blocks.
    pub fn new(total: usize, allow_caution: bool) -> Bar {
        let bar = ProgressBar::hidden();
        Bar { start: Instant::now(), bar, total: total as u64, seen: 0, allow_caution }
    }
}

impl Watcher for Bar {
    fn consent(&mut self, proposal: &Proposal, _: &Plan, _: &dyn Snapshot) -> io::Result<Consent> {
        Ok(unasked(proposal, self.allow_caution))
    }

    fn done(&mut self, _: &Done) -> io::Result<()> {
        self.seen += 1;
        if self.bar.is_hidden() && self.start.elapsed() > PATIENCE {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} blocks")
                .unwrap_or_else(|_| ProgressStyle::default_bar());
            // Draws on standard error, and only where that is a terminal.
            self.bar = ProgressBar::new(self.total).with_style(style);
        }
        self.bar.set_position(self.seen);
        Ok(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// What holds where nobody is asked.
fn unasked(proposal: &Proposal, allow_caution: bool) -> Consent {
    match proposal.with_others() {
        WithOthers::AfterALook if !allow_caution => Consent::Leave,
        _ => Consent::Yes,
    }
}

/// What a person answers about a block, or about each of its hunks.
fn asked(
    question: &str,
    plan: &Plan,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Consent> {
    let hunks = plan.hunks().len();
    Ok(match ask::ask(question, hunks, input, out)? {
        Key::Yes => Consent::Yes,
        Key::No => Consent::No,
        Key::All => Consent::All,
        Key::None => Consent::None,
        Key::Quit => Consent::Quit,
        Key::Split => {
            let show = |number: usize| render::for_stream(diff::hunk(plan, number), &io::stderr());
            ask::ask_each(hunks, &show, input, out)?
        }
    })
}

fn headline(number: &str, proposal: &Proposal) -> String {
    let bold = anstyle::Style::new().bold();
    let id = proposal.placed.block.parsed.id.as_deref();
    let id = id.map(|id| format!(" (id {id})")).unwrap_or_default();
    let title = visible::one_line(&format!("{}{id}", proposal.title()));
    format!("{bold}{number} {title}{bold:#}")
}

/// Why a block was not done: the problem at its place, or the outcome of the write.
pub fn failure(transcript: &Transcript, done: &Done) -> String {
    let Err(Failure::Problem { fault, .. }) = &done.answer.result else {
        return String::new();
    };
    let Fault { code, message, .. } = &**fault;
    let mut problems = done.proposal.problems();
    let known = problems.find(|it| it.code.as_str() == code && it.message == *message);
    known.map_or_else(
        || {
            let (start, title) = (done.proposal.placed.span.start, done.proposal.title());
            render::remark(transcript, start, code, &format!("{title}: {message}"))
        },
        |problem| place(transcript, &problem),
    )
}

/// The warnings of a block where they are, for a run that shows no block by itself.
pub fn warnings(transcript: &Transcript, done: &Done) -> String {
    let warnings = done.proposal.problems().filter(|it| it.severity == Severity::Warning);
    warnings.map(|problem| place(transcript, &problem)).collect()
}

/// A problem where it is, for people.
pub fn place(transcript: &Transcript, problem: &operator_core::problem::Problem) -> String {
    let width = render::width(&console::Term::stderr());
    render::problem(&transcript.name, &transcript.text, problem, width)
}
