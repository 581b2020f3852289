//! Where a proposal is, from what the scan, the ledger, the replies and its plan say of it.

use super::Status;
use crate::dialect::Claim;
use crate::ledger::Standing;

/// The status of a block that its neighbours leave open.
///
/// `reply` is what a reply in the transcript says that can be relied on, `set_aside` whether one asked
/// for the block again and a later answer has come, or the block is a draft, and `planned` what the plan comes to on the
/// files as they are.
pub fn of(standing: &Standing, reply: Option<&Claim>, set_aside: bool, planned: Status) -> Status {
    let is_answered = standing.answer.as_ref().is_some_and(|answer| answer.ok || answer.ran);
    match reply {
        _ if standing.applied.is_some() => Status::Applied,
        Some(reply) if reply.refused => Status::Rejected,
        // Once it was undone it may be done again, whatever was said before.
        Some(reply) if reply.ok && !standing.undone => Status::Applied,
        _ if standing.rejected => Status::Rejected,
        _ if is_answered => Status::Applied,
        _ if set_aside => Status::Superseded,
        _ => planned,
    }
}
