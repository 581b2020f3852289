//! Which blocks are to be carried out.

use operator_core::review::{Proposal, Review, Status};

/// The blocks that count, or those of them with one of the ids where any is given.
///
/// # Errors
/// A message for people: an id that no block has.
pub fn select(review: &Review, only: &[String]) -> Result<Vec<Proposal>, String> {
    let id = |proposal: &Proposal| proposal.placed.block.parsed.id.clone();
    let count = review.proposals().filter(|it| it.status != Status::Superseded);
    let all: Vec<Proposal> = count.collect();
    if let Some(wrong) =
        only.iter().find(|only| !all.iter().any(|it| id(it).as_ref() == Some(only)))
    {
        let known: Vec<String> = all.iter().filter_map(id).collect();
        return Err(match known.is_empty() {
            true => format!("no block has the id `{wrong}`: no block has an id at all"),
            false => format!("no block has the id `{wrong}`; there are: {}", known.join(", ")),
        });
    }
    let wanted =
        |proposal: &Proposal| only.is_empty() || id(proposal).is_some_and(|id| only.contains(&id));
    Ok(all.into_iter().filter(|proposal| wanted(proposal)).collect())
}
