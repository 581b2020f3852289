//! What a person sees while blocks are applied: a question each, a diff each, or a bar.

use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

use console::Term;
use operator_core::dialect::{Failure, Fault};
use operator_core::plan::Plan;
use operator_core::problem::Severity;
use operator_core::review::{Proposal, WithOthers};
use operator_core::snapshot::Snapshot;

use super::ask::{self, Consent, Key};
use super::diff;
use super::edit::{self, Edited, Editing};
use super::engine::{Done, Watcher};
use crate::cli::input::Transcript;
use crate::cli::render;
use crate::visible;

/// Work that takes no longer shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long a bar is shown as it is.
const REDRAW: Duration = Duration::from_millis(50);
/// How wide a bar is, in columns.
const BAR_WIDTH: usize = 40;

/// Shows each change, and asks about it where there is somebody to ask.
pub struct Shown<'a> {
    /// The transcript, and what an edited block is checked with.
    pub editing: Editing<'a>,
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
    terminal: Term,
    /// When it is drawn next.
    next: Instant,
    is_drawn: bool,
    total: usize,
    seen: usize,
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
        let (editing, block) = (self.editing, Block { number: &number, proposal, plan });
        block.show(editing.transcript, now, &mut out)?;
        let consent = match &mut self.input {
            Some(input) => asked(&block, editing, now, input, &mut out)?,
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
        write!(out, "{}", failure(self.editing.transcript, done))
    }
}

impl Bar {
    /// A bar for so many blocks.
    pub fn new(total: usize, allow_caution: bool) -> Bar {
        let (terminal, next) = (Term::stderr(), Instant::now() + PATIENCE);
        Bar { terminal, next, is_drawn: false, total, seen: 0, allow_caution }
    }

    fn line(&self) -> String {
        let text = format!("{}/{} blocks", self.seen, self.total);
        // A line that is broken could not be cleared.
        let (_, columns) = self.terminal.size();
        let width = usize::from(columns).saturating_sub(text.len() + 2).min(BAR_WIDTH);
        let done = (width * self.seen).checked_div(self.total).unwrap_or(0);
        format!("{:░<width$} {text}", "█".repeat(done))
    }
}

impl Watcher for Bar {
    fn consent(&mut self, proposal: &Proposal, _: &Plan, _: &dyn Snapshot) -> io::Result<Consent> {
        Ok(unasked(proposal, self.allow_caution))
    }

    fn done(&mut self, _: &Done) -> io::Result<()> {
        self.seen += 1;
        if self.terminal.is_term() && self.next <= Instant::now() {
            (self.next, self.is_drawn) = (Instant::now() + REDRAW, true);
            // A terminal that is gone keeps nothing from being applied.
            let _ = self.terminal.clear_line().and_then(|()| self.terminal.write_str(&self.line()));
        }
        Ok(())
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        if self.is_drawn {
            let _ = self.terminal.clear_line();
        }
    }
}

/// What holds where nobody is asked.
fn unasked(proposal: &Proposal, allow_caution: bool) -> Consent {
    match proposal.with_others() {
        WithOthers::AfterALook if !allow_caution => Consent::Leave,
        _ => Consent::Yes,
    }
}

/// A block that a person is asked about.
struct Block<'a> {
    /// Its number among all.
    number: &'a str,
    /// The block.
    proposal: &'a Proposal,
    /// Its plan.
    plan: &'a Plan,
}

impl Block<'_> {
    /// Shows what it is, what is to be said of it, and what it would change or run.
    fn show(
        &self,
        transcript: &Transcript,
        now: &dyn Snapshot,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        writeln!(out, "{}", headline(self.number, self.proposal))?;
        for remark in self.proposal.problems() {
            write!(out, "{}", place(transcript, &remark))?;
        }
        let diff = diff::render(&self.plan.changes, now);
        out.write_all(render::for_stream(diff, &io::stderr()).as_bytes())?;
        if let Some((program, directory)) = &self.plan.program {
            let directory = visible::name(&directory.to_string());
            let code = visible::program(&program.code);
            writeln!(out, "{} in {directory}:\n{code}", program.language)?;
        }
        Ok(())
    }

    fn question(&self) -> String {
        let number = self.number;
        match &self.plan.program {
            Some(_) => format!("{number} Run this program"),
            None if self.proposal.caution().is_some() => {
                format!("{number} Needs a look. Apply this")
            }
            None => format!("{number} Apply this"),
        }
    }
}

/// What a person decides about a block, about each of its hunks, or about what it was edited to.
fn asked(
    block: &Block<'_>,
    editing: Editing<'_>,
    now: &dyn Snapshot,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> io::Result<Consent> {
    let hunks = block.plan.hunks().len();
    let (mut edited, mut question) = (None, block.question());
    let mut text = editing.text(block.proposal);
    loop {
        let can = |key| match key {
            Key::Split => edited.is_none() && hunks > 1,
            Key::Edit => block.plan.program.is_none(),
            Key::All => edited.is_none(),
            _ => true,
        };
        match ask::ask(&question, can, input, out)? {
            Key::Yes => return Ok(edited.map_or(Consent::Yes, Consent::Edited)),
            Key::No => return Ok(Consent::No),
            Key::All => return Ok(Consent::All),
            Key::None => return Ok(Consent::None),
            Key::Quit => return Ok(Consent::Quit),
            Key::Split => {
                let show =
                    |hunk: usize| render::for_stream(diff::hunk(block.plan, hunk), &io::stderr());
                return ask::ask_each(hunks, &show, input, out);
            }
            Key::Edit => {}
        }
        if let Some((block, next)) = edit_on(block, editing, now, &mut text, out)? {
            (edited, question) = (Some(Box::new(block)), next);
        }
    }
}

/// Has the person edit the text of a block, and shows what it is then; gives that with the question
/// about it. The text is what the next edit goes on from, also where it cannot be applied.
fn edit_on(
    block: &Block<'_>,
    editing: Editing<'_>,
    now: &dyn Snapshot,
    text: &mut String,
    out: &mut dyn Write,
) -> io::Result<Option<(Proposal, String)>> {
    let made = edit::in_editor(text).and_then(|edited| {
        text.clone_from(&edited);
        editing.edited(block.proposal, &edited, now)
    });
    match made {
        Ok(Edited { transcript, proposal, plan }) => {
            let shown = Block { number: block.number, proposal: &proposal, plan: &plan };
            shown.show(&transcript, now, out)?;
            let question = shown.question();
            Ok(Some((proposal, question)))
        }
        Err(says) => {
            writeln!(out, "{}", says.trim_end())?;
            writeln!(out, "not edited: the question is about what was shown before")?;
            Ok(None)
        }
    }
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
            // What is said of a program begins with its action, as in its result.
            let is_titled = message.strip_prefix(&title).is_some_and(|it| it.starts_with(": "));
            let says = if is_titled { message.clone() } else { format!("{title}: {message}") };
            render::remark(transcript, start, code, &says)
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
