//! Which blocks are to be applied.

use operator_core::review::{Decided, Proposal, Review};

/// The blocks that count, or those of them with one of the ids or numbers where any is given.
///
/// # Errors
/// A message for people: an id or number that no block has.
pub fn select(review: &Review, only: &[String]) -> Result<Vec<Proposal>, String> {
    let all: Vec<Proposal> =
        review.proposals().filter(|it| it.decided(false) != Some(Decided::Superseded)).collect();
    if only.is_empty() {
        return Ok(all);
    }
    if let Some(wrong) = only.iter().find(|only| !all.iter().any(|it| is_meant(it, only, &all))) {
        return Err(nothing_meant(wrong, &all, review.len()));
    }
    let wanted = |proposal: &Proposal| only.iter().any(|only| is_meant(proposal, only, &all));
    Ok(all.iter().filter(|proposal| wanted(proposal)).cloned().collect())
}

/// Whether a word is a block's id or, where no block has that id, its number.
fn is_meant(proposal: &Proposal, only: &str, all: &[Proposal]) -> bool {
    if id(proposal) == Some(only) {
        return true;
    }
    // A number as it is written in no other way: `+3` and `03` are none.
    let number = (proposal.placed.index + 1).to_string();
    number == only && !all.iter().any(|it| id(it) == Some(only))
}

fn id(proposal: &Proposal) -> Option<&str> {
    proposal.placed.block.parsed.id.as_deref()
}

fn nothing_meant(wrong: &str, all: &[Proposal], blocks: usize) -> String {
    let known: Vec<&str> = all.iter().filter_map(id).collect();
    let numbers = match blocks {
        0 => "there is no block".to_owned(),
        1 => "there is one block, number 1".to_owned(),
        _ => format!("the blocks have the numbers 1 to {blocks}"),
    };
    match known.is_empty() {
        true => format!("no block has the id or number `{wrong}`: {numbers}, and no ids"),
        false => format!(
            "no block has the id or number `{wrong}`: {numbers}, and the ids {}",
            known.join(", ")
        ),
    }
}
