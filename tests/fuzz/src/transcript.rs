//! What must hold of any transcript.

use std::fmt::Write;

use operator_core::dialect::{Answers, Dialects};
use operator_core::limits::Limits;
use operator_core::problem::Problem;
use operator_core::review::{Proposal, Reviewer, Status};
use operator_core::scan::Scan;
use operator_core::snapshot::{MemorySnapshot, Snapshot};
use operator_core::text::{Span, Text};

use crate::world::world;

/// One edit of a transcript.
pub struct Edit<'a> {
    /// Where, of 65,536 parts of the text.
    pub at: u16,
    /// How many bytes go.
    pub gone: u8,
    /// What comes.
    pub new: &'a str,
}

/// Checks one input: a transcript, and after NUL bytes the edits that it goes through.
pub fn run(input: &[u8]) {
    let Ok(input) = str::from_utf8(input) else { return };
    let mut parts = input.split('\0');
    let text = parts.next().unwrap_or_default();
    let edits: Vec<Edit<'_>> = parts.take(8).filter_map(edit).collect();
    check(text, &edits);
}

/// Two characters say where, one how much goes, the rest is what comes.
fn edit(part: &str) -> Option<Edit<'_>> {
    let mut characters = part.chars();
    let [high, low, gone] = [characters.next()?, characters.next()?, characters.next()?];
    let byte = |character: char| u32::from(character).to_le_bytes()[0];
    let at = u16::from_be_bytes([byte(high), byte(low)]);
    Some(Edit { at, gone: byte(gone), new: characters.as_str() })
}

fn dialects() -> Dialects {
    Dialects::all().at_home(Some("/"))
}

/// Whatever the text is: its problems lie in it, what a plan leaves is what it says, and a scan that
/// follows edits finds what a fresh one does.
pub fn check(text: &str, edits: &[Edit<'_>]) {
    let (dialects, limits) = (dialects(), Limits::default());
    let mut live = Text::new(text);
    let mut scan = Scan::new(&live, &dialects, &limits);
    checked(text, &live, &scan, &limits);
    for edit in edits {
        let old = place(&live, edit);
        live.replace(old.clone(), edit.new);
        scan.edit(&live, old, edit.new.len(), &dialects, &limits);
        assert_eq!(shown(&scan), shown(&Scan::new(&live, &dialects, &limits)));
    }
}

fn place(text: &Text, edit: &Edit<'_>) -> Span {
    let start = text.floor(text.len() * usize::from(edit.at) / 65_536);
    let end = text.floor((start + usize::from(edit.gone)).min(text.len()));
    start..end.max(start)
}

fn shown(scan: &Scan) -> String {
    let mut out = String::new();
    for placed in scan.blocks() {
        let parsed = &placed.block.parsed;
        let _ = writeln!(
            out,
            "{} {} {:?} {:?} {:?} inside {:?} {:?} {:?} {:?}",
            placed.index,
            placed.block.dialect.name(),
            placed.span,
            placed.block.end,
            parsed.id,
            placed.inside,
            parsed.action,
            parsed.path,
            parsed.problems,
        );
    }
    for (span, block) in scan.reply_blocks() {
        let _ = writeln!(out, "{span:?} {:?}", block.parsed.says);
    }
    for problem in scan.problems() {
        let _ = writeln!(out, "{problem:?}");
    }
    out
}

fn checked(text: &str, live: &Text, scan: &Scan, limits: &Limits) {
    let world = world();
    let mut reviewer = Reviewer::default();
    let review = reviewer.review(scan, &world, limits);
    for (_, problem) in review.problems() {
        lies_in(text, &problem);
    }
    for proposal in review.proposals() {
        assert!(text.get(proposal.placed.span.clone()).is_some(), "{:?}", proposal.placed.span);
        let checked = reviewer.book().check(&proposal, &world, limits);
        if checked.status == Status::Ready {
            leaves_what_it_says(&checked, &world);
        }
        let answers = [checked.answer(), checked.refusal()];
        for answer in answers {
            let replies = proposal.placed.block.dialect.replies(&Answers {
                transcript: live,
                answers: &[answer],
                strays: &scan.strays_with(&proposal.placed),
            });
            assert!(replies.iter().all(|reply| !reply.is_empty()));
        }
    }
    let planned =
        reviewer.book().plan_all(&review, &world, limits, |_| true).expect("memory can be read");
    let mut after = world.clone();
    after.apply(&planned.changes);
}

/// The problem and all that it offers lies in the text, between whole characters.
fn lies_in(text: &str, problem: &Problem) {
    assert!(text.get(problem.span.clone()).is_some(), "{problem:?}");
    for fix in &problem.fixes {
        let mut end = 0;
        for edit in &fix.edits {
            assert!(end <= edit.span.start && text.get(edit.span.clone()).is_some(), "{fix:?}");
            end = edit.span.end;
        }
    }
}

fn leaves_what_it_says(proposal: &Proposal, world: &MemorySnapshot) {
    let plan = proposal.plan.as_ref().expect("what is ready has a plan");
    let mut after = world.clone();
    after.apply(&plan.changes);
    for target in &plan.targets {
        assert_eq!(world.state(&target.path), Ok(target.before), "{}", proposal.title());
        assert_eq!(after.state(&target.path), Ok(target.after), "{}", proposal.title());
    }
}
