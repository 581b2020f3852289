//! How the cost grows: four times the text takes at most six times the work, whatever the text is.
//!
//! Work is counted, not timed: the bytes, items and lines that the core says it looks at, and the
//! bytes that it asks the allocator for.

use std::sync::Once;

use operator_core::dialect::{Answers, Dialects};
use operator_core::limits::Limits;
use operator_core::review::Reviewer;
use operator_core::scan::Scan;
use operator_core::snapshot::MemorySnapshot;
use operator_core::text::{Text, work};

use crate::choices::Choices;
use crate::world::world;
use crate::{allocated, blocks};

/// How long the smaller of the two texts is at least, in bytes. What looks some lines or bytes ahead
/// at each line, up to a limit, has reached that limit then.
const SMALL: usize = 32_000;
/// So much may be asked for without a reason in the text, in bytes.
const ALLOCATED_ALWAYS: usize = 64 << 10;

/// What something has cost.
#[derive(Debug, Clone, Copy)]
struct Cost {
    looked_at: usize,
    allocated: usize,
    /// What of it was allocated by the scan, and by the scan and the review.
    #[expect(dead_code, reason = "it is printed where the cost is not held")]
    parts: [usize; 2],
}

/// Checks one input. Its first byte says what is repeated: a text as it is, with what is before and
/// after it, or a block; in the transcript, or in the file that a block changes.
pub fn run(input: &[u8]) {
    static WARM: Once = Once::new();
    WARM.call_once(|| _ = cost("```diff\n--- a/a.txt\n+++ b/a.txt\n@@\n-one\n```\n", &world()));
    let mut choices = Choices::new(input);
    match choices.below(3) {
        0 => raw(choices.remainder()),
        1 => {
            let block = blocks::transcript(&mut choices);
            in_transcript("", &block, "");
        }
        _ => {
            let block = blocks::any(&mut choices).text;
            in_file(&block, &String::from_utf8_lossy(choices.remainder()));
        }
    }
}

fn raw(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut parts = text.splitn(3, '\0');
    let mut next = || parts.next().unwrap_or_default();
    let (before, unit, after) = (next(), next(), next());
    in_transcript(before, unit, after);
}

/// A unit that a transcript has many times.
fn in_transcript(before: &str, unit: &str, after: &str) {
    let made = |times: usize| [before, &unit.repeat(times), after].concat();
    if let Some(times) = times(unit, before.len() + after.len()) {
        let (once, more) = (made(times), made(4 * times));
        let world = world();
        held(once.len(), cost(&once, &world), cost(&more, &world), || once.clone());
    }
}

/// A unit that a file has many times.
fn in_file(block: &str, unit: &str) {
    let made = |times: usize| {
        let mut world = world();
        world.files.insert("many.txt".to_owned(), unit.repeat(times).into_bytes());
        world
    };
    if let Some(times) = times(unit, block.len()) {
        let (once, more) = (cost(block, &made(times)), cost(block, &made(4 * times)));
        held(unit.len() * times, once, more, || format!("{block}\nin many of\n{unit}"));
    }
}

/// How often a unit is repeated, so that what is around it does not count.
fn times(unit: &str, around: usize) -> Option<usize> {
    let small = std::env::var("SMALL").ok().and_then(|it| it.parse().ok()).unwrap_or(SMALL);
    let wanted = small.max(2 * around);
    (!unit.is_empty()).then(|| wanted / unit.len() + 1)
}

fn held(length: usize, once: Cost, more: Cost, shown: impl Fn() -> String) {
    let looked_at = once.looked_at.max(length);
    assert!(more.looked_at <= 6 * looked_at, "{once:?} becomes {more:?}: {}", shown());
    let allocated = once.allocated.max(ALLOCATED_ALWAYS);
    assert!(more.allocated <= 6 * allocated, "{once:?} becomes {more:?}: {}", shown());
}

/// What it costs to scan a text, to review it, and to answer one block. To type a character in its
/// middle costs so much at most for each byte of the text and of the files, or twice what the text
/// costs from nothing, before or after: a block that waits for another has both be planned in turn.
fn cost(text: &str, world: &MemorySnapshot) -> Cost {
    let (dialects, limits) = (Dialects::all().at_home(Some("/")), Limits::default());
    taken();
    let mut live = Text::new(text);
    let mut scan = Scan::new(&live, &dialects, &limits);
    let scanned = allocated::sum();
    let mut reviewer = Reviewer::default();
    let review = reviewer.review(&scan, world, &limits);
    let reviewed = allocated::sum();
    if let Some(proposal) = review.proposals().next() {
        let answer = [proposal.answer()];
        let strays = scan.strays_with(&proposal.placed);
        let answers = Answers { transcript: &live, answers: &answer, strays: &strays };
        proposal.placed.block.dialect.replies(&answers);
    }
    let fresh = Cost { parts: [scanned, reviewed], ..taken() };
    let at = live.line_start_of(live.len() / 2);
    live.replace(at..at, "x");
    scan.edit(&live, at..at, 1, &dialects, &limits);
    reviewer.review(&scan, world, &limits);
    let edited = taken();
    let around = text.len() + world.files.values().map(Vec::len).sum::<usize>();
    let is_bounded = |fresh: &Cost| {
        edited.looked_at <= 2 * fresh.looked_at.max(6 * around)
            && edited.allocated <= 2 * fresh.allocated.max(8 * around) + ALLOCATED_ALWAYS
    };
    if !is_bounded(&fresh) {
        let scan = Scan::new(&live, &dialects, &limits);
        Reviewer::default().review(&scan, world, &limits);
        let anew = taken();
        assert!(is_bounded(&anew), "{fresh:?}, an edit {edited:?}, anew {anew:?}: {text}");
    }
    fresh
}

/// What was done since the last call.
fn taken() -> Cost {
    Cost { looked_at: work::take(), allocated: allocated::take(), parts: [0, 0] }
}
