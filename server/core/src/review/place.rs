//! What a block's place among its neighbours says of it before it is checked.

use std::sync::Arc;

use foldhash::HashMap;

use super::check::NOTHING;
use super::entry::{Entry, Page, Pages};
use super::index::Index;
use super::order::once_applied;
use super::rivals::Rivals;
use super::{After, Proposal, Review, Status, name};
use crate::command::Command;
use crate::problem::{self, Problem, Replacement};
use crate::scan::{Block, Piece, Placed, Rank, Scan};
use crate::spec::FieldRole;

impl Review {
    /// The blocks of a transcript without replies, each with what its own place says of it and
    /// nothing else: what is to be checked is blocked until then.
    pub fn of_places<'a>(scan: &'a Scan) -> Review {
        let mut index = Index::default();
        let blocks = |piece: &'a Piece| piece.commands().take(scan.looked_at(piece));
        for (rank, _, block) in scan.pieces().iter().flat_map(blocks) {
            index.set_block(rank, block, true);
        }
        let nth: HashMap<Rank, u32> = index.numbered().into_iter().collect();
        let entry = |(number, (rank, start, block)): (usize, (Rank, usize, &'a Arc<Block>))| {
            let inside = scan.inside(number, start).is_some();
            let is_draft = scan.is_draft(start);
            let is_superseded = is_draft || index.is_superseded(rank, block);
            let status = open_command(block, inside, is_superseded).err();
            let status = status.unwrap_or(Status::Blocked);
            let nth = nth.get(&rank).copied().unwrap_or_default();
            let is_shown = scan.is_shown(block);
            let entry = Entry::new(block.clone());
            (rank, Arc::new(Entry { nth, status, inside, is_draft, is_shown, ..entry }))
        };
        let page = |piece: &'a Piece| {
            let entries = (piece.commands..).zip(blocks(piece)).map(entry);
            Arc::new(Page::new(piece.rank(), entries))
        };
        let mut pages = Pages::default();
        pages.splice(0..0, scan.pieces().iter().map(page).collect());
        let mut rivals = Rivals::new(&index, &pages);
        let rival = |(rank, entry): (Rank, &Arc<Entry>)| Some((rank, rivals.of(rank, entry)?));
        let found: Vec<_> = pages.entries().filter_map(rival).collect();
        for (rank, rival) in found {
            pages.change(rank, |entry| entry.rival = Some(rival));
        }
        Review { scan: scan.clone(), pages }
    }
}

impl Proposal {
    /// A proposal of which nothing is known but its block and what the block's own place says.
    pub(super) fn of(placed: &Placed, status: Status) -> Proposal {
        let mut around = Vec::new();
        match (status, placed.inside) {
            (Status::Superseded, _) if placed.is_draft => around.push(draft(placed)),
            (Status::Superseded, _) => around.push(superseded(placed)),
            (Status::Blocked, Some(outer)) => around.push(inside(placed, outer)),
            _ => {}
        }
        let check_result = NOTHING.clone();
        let placed = placed.clone();
        Proposal {
            placed,
            status,
            plan: None,
            ready_after: None,
            answered: false,
            nth: 0,
            by: None,
            undone: false,
            unverified: false,
            edited: false,
            below_unmade: false,
            rival: None,
            is_shown: false,
            is_told: false,
            answer: None,
            barred: false,
            check_result,
            around,
        }
    }

    /// What is known of a block, where it is now; `after` is the block that it waits for.
    pub(super) fn shown(placed: Placed, entry: &Entry, after: Option<(usize, &Entry)>) -> Proposal {
        let mut proposal = Proposal::of(&placed, entry.status);
        if entry.unread {
            proposal.around.push(unread(&placed));
        }
        if entry.is_unverified_by_itself() {
            proposal.around.push(unverified(&placed));
        }
        if let Some(bar) = &entry.bar {
            proposal.around.push(Problem::clone(bar));
        }
        let after = after.map(|(index, other)| {
            let name = name(index, other.block.parsed.id.as_deref());
            After { index, name }
        });
        let check_result = match &after {
            None => entry.check_result.clone(),
            Some(after) => Arc::new(once_applied(&entry.check_result, &after.name)),
        };
        Proposal {
            status: entry.shown_status(),
            ready_after: after,
            answered: entry.answered,
            nth: entry.nth,
            by: entry.by.clone(),
            undone: entry.undone,
            unverified: entry.unverified,
            edited: entry.edited_from.is_some(),
            below_unmade: entry.below_unmade,
            rival: entry.rival,
            is_shown: entry.is_shown,
            is_told: entry.is_told,
            answer: entry.answer.clone(),
            barred: entry.bar.is_some(),
            check_result,
            ..proposal
        }
    }
}

/// The command of a block that is to be planned, or the status that keeps it from being.
pub fn open_command(block: &Block, inside: bool, superseded: bool) -> Result<&Command, Status> {
    match &block.parsed.command {
        _ if superseded => Err(Status::Superseded),
        None => Err(Status::Invalid),
        Some(_) if inside => Err(Status::Blocked),
        Some(command) => Ok(command),
    }
}

fn superseded(placed: &Placed) -> Problem {
    match placed.block.dialect.rules().ids_are_unique {
        true => duplicate(placed),
        false => asked_again(placed),
    }
}

fn asked_again(placed: &Placed) -> Problem {
    let says = "the reply below asks for this block again, so the later answer counts instead";
    let place = 0..placed.block.len.min(first_line(placed));
    Problem::new(problem::CHAT_SUPERSEDED, place, says)
}

/// Says of a block that it is in a thought.
fn draft(placed: &Placed) -> Problem {
    let says = "a line below ends a thought, and this block is above it in the same message, so it is a draft \
                and not applied";
    let place = 0..placed.block.len.min(first_line(placed));
    Problem::new(problem::CHAT_DRAFT, place, says)
}

fn duplicate(placed: &Placed) -> Problem {
    let parsed = &placed.block.parsed;
    let place = parsed.locate(FieldRole::Id, None);
    let id = parsed.id.as_deref().unwrap_or_default();
    let says = format!("superseded by a later block with the same id `{id}`");
    Problem::new(problem::OPERATOR_DUPLICATE_ID, place, says)
        .choice("Remove this block", vec![Replacement::remove(0..placed.block.whole)])
}

/// Says of a block that it changes a file which nothing earlier in the transcript has read.
fn unread(placed: &Placed) -> Problem {
    let block = &placed.block;
    let place = block.parsed.locate(FieldRole::Path, None);
    let path = block.parsed.path.as_deref().unwrap_or_default();
    let says = format!("nothing earlier in this transcript has read {path}");
    Problem::new(problem::OPERATOR_UNREAD_TARGET, place, says)
}

/// Says of a block that the reply to it and others was not written by this program.
fn unverified(placed: &Placed) -> Problem {
    let block = &placed.block;
    let place = block.parsed.locate(FieldRole::Action, None);
    let says = "the result below was not written by operator-lsp: this command has not run";
    Problem::new(problem::REPLY_UNVERIFIED, place, says)
}

fn inside(placed: &Placed, outer: usize) -> Problem {
    let says = format!(
        "this may belong to block {}, which has no end, so it is not run; fix that block first",
        outer + 1
    );
    let place = 0..placed.block.len.min(first_line(placed));
    Problem::new(problem::SCAN_INSIDE_UNTERMINATED, place, says).detail("block", outer)
}

fn first_line(placed: &Placed) -> usize {
    placed.block.parsed.fields.first().map_or(placed.block.len, |field| match field.key.start {
        0 => field.key.end,
        start => start - 1,
    })
}
