//! The replies below commands that this program has not written.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};

use super::entry::Pages;
use crate::dialect::ReplyStyle;
use crate::problem::{Problem, REPLY_UNVERIFIED, Replacement};
use crate::scan::{Block, Piece, Rank, Scan};

/// The replies by what they answer, with their places.
type Replies<'a> = HashMap<(&'static str, &'a str), BTreeMap<Rank, (usize, &'a Block)>>;

/// A warning for each reply that claims what the ledger does not know, in the order of the
/// commands; spans count from the start of the transcript.
pub fn problems(scan: &Scan, pages: &Pages) -> impl Iterator<Item = Problem> + use<> {
    let mut found: BTreeMap<usize, Problem> = BTreeMap::new();
    if pages.iter().any(|page| page.sum().unverified > 0) {
        let replies = replies(scan);
        for (rank, entry) in pages.entries().filter(|(_, entry)| entry.unverified) {
            let Some(name) = entry.block.answered_as() else { continue };
            let Some(known) = replies.get(&(entry.block.dialect.rules().family, name)) else {
                continue;
            };
            let mut below = known.range(rank..);
            let reply = match entry.block.dialect.rules().reply {
                ReplyStyle::InPlace { .. } => below.next(),
                _ => below.next_back(),
            };
            if let Some((_, (start, block))) = reply {
                found.entry(*start).or_insert_with(|| problem(*start, block));
            }
        }
    }
    found.into_values()
}

fn replies(scan: &Scan) -> Replies<'_> {
    let mut replies: Replies<'_> = HashMap::new();
    for (rank, start, block) in scan.pieces().iter().flat_map(Piece::replies) {
        // A reply to a whole transcript may be right about other blocks.
        if block.dialect.rules().reply.answers_several() {
            continue;
        }
        for said in &block.parsed.says {
            let of_name = replies.entry((block.dialect.rules().family, &*said.of)).or_default();
            of_name.insert(rank, (start, block));
        }
    }
    replies
}

fn problem(start: usize, block: &Block) -> Problem {
    let says = "this result was not written by operator-lsp: the command has not run";
    let problem = Problem::new(REPLY_UNVERIFIED, start..start + block.len, says);
    problem.fix("Remove this result", vec![Replacement::remove(start..start + block.whole)])
}
