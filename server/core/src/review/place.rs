//! What a block's place among its neighbours says of it before it is judged.

use std::sync::Arc;

use super::judge::Judgement;
use super::memory::NOTHING;
use super::{Proposal, Status};
use crate::command::Command;
use crate::problem::{self, Problem, Replacement};
use crate::scan::Placed;

impl Proposal {
    /// A proposal of which nothing is known but its block and what the block's own place says.
    pub(super) fn of(placed: &Placed, status: Status) -> Proposal {
        let mut around = Vec::new();
        match (status, placed.inside) {
            (Status::Superseded, _) => around.push(duplicate(placed)),
            (Status::Blocked, Some(outer)) => around.push(inside(placed, outer)),
            _ => {}
        }
        let judgement = NOTHING.clone();
        let placed = placed.clone();
        Proposal {
            placed,
            status,
            plan: None,
            ready_after: None,
            answered: false,
            barred: false,
            judgement,
            around,
        }
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.around.push(problem);
    }

    pub(super) fn set_judgement(&mut self, judgement: Judgement) {
        self.judgement = Arc::new(judgement);
    }
}

/// The command of a block that is to be planned, or the status that keeps it from being.
pub fn open_command(placed: &Placed, superseded: bool) -> Result<&Command, Status> {
    match &placed.block.parsed.command {
        _ if superseded => Err(Status::Superseded),
        None => Err(Status::Invalid),
        Some(_) if placed.inside.is_some() => Err(Status::Blocked),
        Some(command) => Ok(command),
    }
}

fn duplicate(placed: &Placed) -> Problem {
    let parsed = &placed.block.parsed;
    let place = placed.block.dialect.locate(parsed, "id");
    let id = parsed.id.as_deref().unwrap_or_default();
    let says = format!("a later block has the id `{id}` too, and stands in this one's place");
    Problem::new(problem::OPERATOR_DUPLICATE_ID, place, says)
        .choice("Remove this block", vec![Replacement::remove(0..placed.block.whole)])
}

fn inside(placed: &Placed, outer: usize) -> Problem {
    let says = format!(
        "this may be part of the raw text that block {} leaves open, so it is not run: mend that \
         block first",
        outer + 1
    );
    let place = 0..placed.block.len.min(first_line(placed));
    Problem::new(problem::SCAN_INSIDE_UNTERMINATED, place, says).detail("block", outer)
}

fn first_line(placed: &Placed) -> usize {
    placed
        .block
        .parsed
        .fields
        .first()
        .map_or(placed.block.len, |field| field.key.start.saturating_sub(1))
}
