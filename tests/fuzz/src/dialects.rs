//! Blocks of every dialect, nested and damaged: what holds of any transcript, and that nothing is
//! guessed. A text that is in a file once is replaced there; one that is not, or twice, is not.

use operator_core::dialect::Dialects;
use operator_core::limits::Limits;
use operator_core::review::{Reviewer, Status};
use operator_core::scan::Scan;
use operator_core::snapshot::{MemorySnapshot, Snapshot};
use operator_core::text::Text;

use crate::blocks::{self, Replacement};
use crate::choices::Choices;
use crate::transcript::{Edit, check};
use crate::world::{MANY, world};

/// Checks one input: an even first byte makes a transcript, an odd one a single block.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    if choices.below(2) == 1 {
        return one(&mut choices);
    }
    let text = blocks::transcript(&mut choices);
    let mut news = Vec::new();
    for _ in 0..choices.below(4) {
        let (at, gone) = (choices.large(), choices.byte());
        let new = match choices.below(4) {
            0 => String::new(),
            1 => blocks::any(&mut choices).text,
            2 => "\n".to_owned(),
            _ => choices.raw(20),
        };
        news.push((u16::try_from(at).unwrap_or_default(), gone, new));
    }
    let edits: Vec<Edit<'_>> =
        news.iter().map(|(at, gone, new)| Edit { at: *at, gone: *gone, new }).collect();
    check(&text, &edits);
}

/// One block by itself, as it was written.
fn one(choices: &mut Choices<'_>) {
    let block = blocks::any(choices);
    check(&block.text, &[]);
    let Some(replaces) = block.replaces.filter(|it| it.path == "many.txt") else { return };
    if let Some(expected) = expected(&replaces) {
        assert_eq!(left(&block.text), expected, "{}", block.text);
    }
}

/// What must be in the file afterwards, and `None` inside where nothing may be done; `None` where
/// that is not for a simple rule to say.
fn expected(it: &Replacement) -> Option<Option<String>> {
    let odd = |text: &str| text.contains(['\r', '`', '\u{FFFD}', '\0']) || text.contains("...");
    if it.old.is_empty() || it.old == it.new || odd(&it.old) || odd(&it.new) {
        return None;
    }
    let is_place = |at: usize| MANY[at..].starts_with(&*it.old);
    let begins_line = |at: usize| at == 0 || MANY[..at].ends_with('\n');
    let places = (0..MANY.len()).filter(|at| is_place(*at));
    let places: Vec<usize> = places.filter(|at| !it.is_of_lines || begins_line(*at)).collect();
    let [at] = places.as_slice() else { return Some(None) };
    Some(Some([&MANY[..*at], &it.new, &MANY[at + it.old.len()..]].concat()))
}

/// What the block leaves in the file, where it may be applied.
fn left(text: &str) -> Option<String> {
    let (dialects, limits) = (Dialects::all().at_home(Some("/")), Limits::default());
    let world: MemorySnapshot = world();
    let scan = Scan::new(&Text::new(text), &dialects, &limits);
    let mut reviewer = Reviewer::default();
    let review = reviewer.review(&scan, &world, &limits);
    let proposal = review.proposals().find(|it| it.status == Status::Ready)?;
    let checked = reviewer.book().check(&proposal, &world, &limits);
    let plan = checked.plan.as_ref().expect("what is ready has a plan");
    let mut after = world.clone();
    after.apply(&plan.changes);
    let path = after.resolve("many.txt").ok()?;
    let content = after.read(&path).ok()?;
    Some(content.text.to_string())
}
