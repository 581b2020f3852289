//! Which blocks are to be applied.

use std::collections::BTreeSet;

use operator_core::review::{Decided, Proposal, Review};

/// What makes a word an id, and nothing else.
const ID: &str = "id:";
/// What makes a word a number, and nothing else.
const NUMBER: &str = "number:";

/// The blocks that count, or those of them with one of the ids or numbers where any is given.
///
/// # Errors
/// A message for people: an id or number that no block has, or a word that is the id of one block
/// and the number of another.
pub fn select(review: &Review, only: &[String]) -> Result<Vec<Proposal>, String> {
    let all: Vec<Proposal> = review.proposals().collect();
    let chosen: Vec<BTreeSet<usize>> =
        only.iter().map(|word| meant(word, &all)).collect::<Result<_, _>>()?;
    let chosen: BTreeSet<usize> = chosen.into_iter().flatten().collect();
    let is_meant = |it: &Proposal| only.is_empty() || chosen.contains(&it.placed.index);
    Ok(all.into_iter().filter(|it| counts(it) && is_meant(it)).collect())
}

/// The word that means this block alone, or the blocks with its number, among all of a transcript.
pub fn word_for(proposal: &Proposal, all: &[Proposal]) -> String {
    let number = number(proposal);
    match meant(&number, all) {
        Ok(_) => number,
        Err(_) => format!("{NUMBER}{number}"),
    }
}

/// The indices of the blocks that a word means.
fn meant(word: &str, all: &[Proposal]) -> Result<BTreeSet<usize>, String> {
    let with = |is: &dyn Fn(&Proposal) -> bool| -> BTreeSet<usize> {
        all.iter().filter(|it| counts(it) && is(it)).map(|it| it.placed.index).collect()
    };
    let with_id = |word: &str| with(&|it| id(it) == Some(word));
    // A number as it is written in no other way: `+3` and `03` are none.
    let with_number = |word: &str| with(&|it| number(it) == word);
    let (by_id, by_number) = (with_id(word), with_number(word));
    if !by_id.is_empty() && !by_number.is_empty() && by_id != by_number {
        return Err(ambiguous(word, &by_id, &by_number, all));
    }
    let explicit = |prefix, find: &dyn Fn(&str) -> BTreeSet<usize>| {
        word.strip_prefix(prefix).map(find).unwrap_or_default()
    };
    let all_meant = [by_id, by_number, explicit(ID, &with_id), explicit(NUMBER, &with_number)];
    let found = all_meant.into_iter().find(|found| !found.is_empty());
    found.ok_or_else(|| nothing_meant(word, all))
}

/// Whether no later block has its id.
fn counts(proposal: &Proposal) -> bool {
    proposal.decided(false) != Some(Decided::Superseded)
}

fn id(proposal: &Proposal) -> Option<&str> {
    proposal.placed.block.parsed.id.as_deref()
}

fn number(proposal: &Proposal) -> String {
    (proposal.placed.index + 1).to_string()
}

fn ambiguous(
    word: &str,
    by_id: &BTreeSet<usize>,
    by_number: &BTreeSet<usize>,
    all: &[Proposal],
) -> String {
    let named = |blocks: &BTreeSet<usize>| {
        let names = all.iter().filter(|it| blocks.contains(&it.placed.index)).map(Proposal::name);
        names.collect::<Vec<_>>().join(" and ")
    };
    format!(
        "`--only {word}` may mean {}, by its id, and {}, by its number; \
         use `--only {ID}{word}` or `--only {NUMBER}{word}`",
        named(by_id),
        named(by_number),
    )
}

/// What is said of a block that a later one has taken the place of.
fn superseded(old: &Proposal, all: &[Proposal]) -> String {
    let name = old.name();
    let has_its_id = |it: &&Proposal| counts(it) && id(it).is_some() && id(it) == id(old);
    match all.iter().rfind(has_its_id) {
        Some(new) => format!("{name} is superseded by {}, which has the same id", new.name()),
        None => format!("{name} is superseded by a later block"),
    }
}

fn nothing_meant(wrong: &str, all: &[Proposal]) -> String {
    let bare = wrong.strip_prefix(NUMBER).unwrap_or(wrong);
    if let Some(old) = all.iter().find(|it| number(it) == bare) {
        return superseded(old, all);
    }
    let known: Vec<&str> = all.iter().filter(|it| counts(it)).filter_map(id).collect();
    let numbers = match all.len() {
        0 => "there is no block".to_owned(),
        1 => "there is one block, number 1".to_owned(),
        blocks => format!("the blocks have the numbers 1 to {blocks}"),
    };
    match known.is_empty() {
        true => format!("no block has the id or number `{wrong}`: {numbers}, and no ids"),
        false => format!(
            "no block has the id or number `{wrong}`: {numbers}, and the ids {}",
            known.join(", ")
        ),
    }
}
