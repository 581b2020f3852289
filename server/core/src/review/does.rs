//! What a proposal does, as facts of which every editor makes its own words.

use serde::Serialize;

use super::{Proposal, Status};
use crate::command::{Command, ReadLines, SearchFor, Step};
use crate::plan::{ChangeKind, Extent};
use crate::spec::Effect;

/// What a proposal does. What is not known of it is left out in JSON.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Does<'a> {
    /// The kind of deed.
    pub kind: Deed,
    /// How many files it changes, where it can be planned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<usize>,
    /// How many lines come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub added: Option<usize>,
    /// How many lines go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<usize>,
    /// Where a file is moved or copied to, as the block writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<&'a str>,
    /// The first line that is asked for, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
    /// The last of them; there may be fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<usize>,
    /// What is searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<&'a str>,
}

/// A kind of deed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Deed {
    /// It changes the text of files.
    Edit,
    /// It gives a file its whole text, and it is not known whether the file is there.
    Write,
    /// It creates files.
    Create,
    /// It deletes files.
    Delete,
    /// It moves a file or directory.
    Move,
    /// It copies a file or directory.
    Copy,
    /// It makes a directory.
    MakeDirectory,
    /// It reads a file, or its structures.
    Read,
    /// It lists a directory.
    List,
    /// It asks for size, lines and fingerprint.
    Stat,
    /// It searches files.
    Search,
    /// It runs a program.
    Run,
    /// Anything else.
    #[default]
    Other,
}

/// A part of an inbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Group {
    /// What would change something, or cannot be used as it is.
    Changes,
    /// What the model wants to know.
    Questions,
    /// What nothing is left to do with.
    Done,
}

impl Proposal {
    /// What it does, as far as its block and its plan say.
    pub fn does(&self) -> Does<'_> {
        let parsed = &self.placed.block.parsed;
        let mut does = match &parsed.command {
            Some(command) => of_command(command),
            None => Does { kind: by_effect(parsed.effect), ..Does::default() },
        };
        if let Some(extent) = self.check_result().extent {
            does.kind = changed(does.kind, extent);
            does.files = Some(extent.files);
            does.added = extent.lines.map(|lines| lines.added);
            does.removed = extent.lines.map(|lines| lines.removed);
        }
        does
    }

    /// The part of an inbox that it belongs to.
    pub fn group(&self) -> Group {
        match (self.status, self.effect()) {
            (Status::Applied | Status::Satisfied | Status::Rejected | Status::Superseded, _) => {
                Group::Done
            }
            (_, Some(Effect::Read | Effect::Meta)) => Group::Questions,
            _ => Group::Changes,
        }
    }
}

fn by_effect(effect: Option<Effect>) -> Deed {
    match effect {
        Some(Effect::Read) => Deed::Read,
        Some(Effect::Write) => Deed::Edit,
        Some(Effect::Exec) => Deed::Run,
        Some(Effect::Meta) | None => Deed::Other,
    }
}

/// What the steps say: of several different ones that there is an edit.
fn of_command(command: &Command) -> Does<'_> {
    let mut steps = command.steps.iter().map(|step| of_step(step, command));
    let first = steps.next().unwrap_or_default();
    match steps.all(|other| other.kind == first.kind) {
        true if command.steps.len() < 2 => first,
        true => Does { kind: first.kind, ..Does::default() },
        false => Does { kind: by_effect(Some(command.action.effect)), ..Does::default() },
    }
}

fn of_step<'a>(step: &'a Step, command: &Command) -> Does<'a> {
    let of_kind = |kind| Does { kind, ..Does::default() };
    match step {
        Step::Read { lines, .. } => {
            let (first, last) = asked_lines(lines).unzip();
            Does { first, last, ..of_kind(Deed::Read) }
        }
        Step::List { .. } => of_kind(Deed::List),
        Step::Stat { .. } => of_kind(Deed::Stat),
        Step::Search { what, .. } => {
            let query = match what {
                SearchFor::Text { query, .. } => Some(query.as_str()),
                SearchFor::Files(_) => None,
            };
            Does { query, ..of_kind(Deed::Search) }
        }
        Step::Write { .. } | Step::WholeFile { .. } => of_kind(Deed::Write),
        Step::Edit { .. } | Step::Patch { .. } => of_kind(Deed::Edit),
        Step::Delete { .. } => of_kind(Deed::Delete),
        Step::Move { path_to, .. } => Does { to: Some(path_to), ..of_kind(Deed::Move) },
        Step::Copy { path_to, .. } => Does { to: Some(path_to), ..of_kind(Deed::Copy) },
        Step::MakeDirectory { .. } => of_kind(Deed::MakeDirectory),
        Step::Structure(_) => of_kind(by_effect(Some(command.action.effect))),
        Step::Exec(_) => of_kind(Deed::Run),
        Step::Nothing { .. } | Step::InterfaceSpec | Step::Context(_) => of_kind(Deed::Other),
    }
}

fn asked_lines(lines: &ReadLines) -> Option<(usize, usize)> {
    match lines {
        ReadLines::All => None,
        ReadLines::From { start, count } => {
            Some((*start, start.saturating_add(count.saturating_sub(1))))
        }
        ReadLines::Named { lines, .. } => {
            let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
            Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
        }
    }
}

/// What is done, where the plan says it better than the steps.
fn changed(deed: Deed, extent: Extent) -> Deed {
    match (deed, extent.kind) {
        // What a move does to the files is said by where it leads to.
        (Deed::Move | Deed::Copy, _) => deed,
        (_, Some(ChangeKind::Create)) => Deed::Create,
        (_, Some(ChangeKind::Delete)) => Deed::Delete,
        (_, Some(ChangeKind::Transfer)) => Deed::Move,
        (_, Some(ChangeKind::Directory)) => Deed::MakeDirectory,
        (_, Some(ChangeKind::Edit) | None) => Deed::Edit,
    }
}
