//! Checks the new blocks of a large transcript on several cores, before the review comes to them.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread;

use foldhash::HashMap;

use super::check::{CheckResult, Depth, check};
use super::place::open_command;
use super::since::On;
use crate::limits::Limits;
use crate::scan::{Block, Rank};
use crate::snapshot::Snapshot;

/// What blocks of which nobody knows a base come to, each by itself, by their ranks.
pub type Ahead = HashMap<Rank, CheckResult>;

/// A block that is not checked yet.
pub type Unchecked<'a> = (Rank, &'a Arc<Block>);

/// Checks blocks on the workspace as it is, in so many threads.
pub fn check_ahead(
    blocks: &[Unchecked<'_>],
    snapshot: &dyn Snapshot,
    limits: &Limits,
    count: usize,
) -> Ahead {
    let check = |part: &[Unchecked<'_>]| -> Vec<(Rank, CheckResult)> {
        let result = |(rank, block): &Unchecked<'_>| {
            let command = open_command(block, false, false).ok()?;
            let is_wanted = !limits.cancel.is_cancelled();
            let check = || check(block, command, On::now(snapshot), None, limits, Depth::Outlook);
            is_wanted.then(|| (*rank, check().0))
        };
        part.iter().filter_map(result).collect()
    };
    let check = &check;
    thread::scope(|scope| {
        let start = |part| thread::Builder::new().spawn_scoped(scope, move || check(part));
        // Where no thread can be started, the review does it.
        let threads: Vec<_> = blocks
            .chunks(blocks.len().div_ceil(count).max(1))
            .filter_map(|part| start(part).ok())
            .collect();
        let results =
            threads.into_iter().flat_map(|it| it.join().unwrap_or_else(|it| resume_unwind(it)));
        results.collect()
    })
}
