//! What may be done with a proposal: the one table that every shell asks.

use super::{Proposal, Status};
use crate::ledger::{By, Door};
use crate::spec::Effect;

/// Something that can be done with one proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Offer {
    /// Shows what it would change.
    Preview,
    /// Applies it.
    Apply,
    /// Applies it and inserts its reply.
    ApplyAndReply,
    /// Inserts the reply of a command that only reads, or runs a program and inserts its result.
    Run,
    /// The same once more.
    RunAgain,
    /// Inserts a reply that says that the user refused.
    Reject,
    /// Undoes the operation that applied it.
    Undo,
    /// Applies it once more.
    ApplyAgain,
}

/// Where an offer is shown, or why it cannot be taken now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Availability {
    /// Wherever there is room for a button.
    Button,
    /// In menus alone: it is possible, and not the usual next step.
    Menu,
    /// It cannot be taken now; the reason, for a person.
    Disabled(String),
}

/// What a shell around the core cannot do, whatever the review says.
#[derive(Debug, Clone, Copy, Default)]
pub struct Limitations<'a> {
    /// Whether only an action can change something, since its edit comes with it: the client takes
    /// no edits from the server.
    pub no_edits: bool,
    /// Why the program of this proposal cannot be run.
    pub cannot_run: Option<&'a str>,
}

/// What may be done with one proposal, in the order in which it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offers {
    list: Vec<(Offer, Availability)>,
    needs_a_look: bool,
}

/// Whether a proposal is applied or read together with the others of its transcript.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WithOthers {
    /// It can be, as things are.
    Now,
    /// It is tried in its turn: the blocks before it may change what it comes to.
    InTurn,
    /// It is left until a person has looked at it by itself.
    AfterALook,
    /// It is not tried.
    Never,
}

/// How a proposal was decided, so that nothing is asked about it or done with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided<'a> {
    /// A later block has its id, or a later answer counts instead.
    Superseded,
    /// The user refused it.
    Rejected,
    /// The ledger knows by what it was applied.
    Applied(&'a By),
    /// A reply in the transcript says that it was done.
    Answered,
    /// Its program was run; the reply is not in the transcript yet.
    Ran,
}

/// A cell of the table.
#[derive(Clone, Copy)]
enum Cell {
    Button,
    Menu,
    Disabled,
}

/// What can be done in principle with a proposal of that status and effect.
fn row(status: Status, effect: Option<Effect>) -> &'static [(Offer, Cell)] {
    use Cell::{Button, Disabled, Menu};
    use Offer::{Apply, ApplyAgain, ApplyAndReply, Preview, Reject, Run, RunAgain, Undo};
    match (status, effect) {
        (Status::Superseded | Status::Rejected | Status::Satisfied, _) => &[],
        (Status::Ready, Some(Effect::Write)) => {
            &[(Preview, Button), (Apply, Button), (ApplyAndReply, Button), (Reject, Button)]
        }
        (Status::Ready, _) => &[(Run, Button), (Reject, Button)],
        (Status::Stale, Some(Effect::Write)) => {
            &[(Preview, Button), (Apply, Disabled), (ApplyAndReply, Disabled), (Reject, Button)]
        }
        (Status::Blocked, Some(Effect::Write)) => {
            &[(Apply, Disabled), (ApplyAndReply, Disabled), (Reject, Button)]
        }
        (Status::Stale | Status::Blocked, _) => &[(Run, Disabled), (Reject, Button)],
        // What is wrong with the block tells the model more than a refusal.
        (Status::Invalid, Some(Effect::Write)) => {
            &[(Apply, Disabled), (ApplyAndReply, Disabled), (Reject, Menu)]
        }
        (Status::Invalid, Some(_)) => &[(Run, Disabled), (Reject, Menu)],
        (Status::Invalid, None) => &[(Apply, Disabled), (Reject, Menu)],
        (Status::Applied, Some(Effect::Write)) => &[(Undo, Button), (ApplyAgain, Button)],
        (Status::Applied, _) => &[(RunAgain, Menu)],
    }
}

/// What may be done with a proposal.
pub fn offers(proposal: &Proposal, limitations: Limitations<'_>) -> Offers {
    let row = row(proposal.status, proposal.effect()).iter();
    let row = row.filter(|(offer, _)| is_possible(proposal, *offer, limitations));
    let list = row.map(|(offer, cell)| {
        let cannot_run = limitations.cannot_run.filter(|_| offer.runs());
        let availability = match (cell, cannot_run) {
            (Cell::Disabled, _) => Availability::Disabled(proposal.why_not()),
            (_, Some(reason)) => Availability::Disabled(reason.to_owned()),
            (Cell::Button, None) if !limitations.no_edits || *offer == Offer::Preview => {
                Availability::Button
            }
            (Cell::Button | Cell::Menu, None) => Availability::Menu,
        };
        (*offer, availability)
    });
    Offers { list: list.collect(), needs_a_look: proposal.caution().is_some() }
}

/// Whether a proposal has what an offer takes.
fn is_possible(proposal: &Proposal, offer: Offer, limitations: Limitations<'_>) -> bool {
    let by = proposal.by.as_ref();
    match offer {
        // A reply needs an id to answer to, where blocks are told apart by their ids.
        Offer::Reject => {
            let block = &proposal.placed.block;
            block.parsed.id.is_some() || !block.dialect.rules().ids_are_unique
        }
        // There is no action with the edit for these.
        Offer::Undo => by.is_some_and(|by| by.door != Door::Hand) && !limitations.no_edits,
        Offer::ApplyAgain => by.is_some() && !limitations.no_edits,
        _ => true,
    }
}

/// Whether something with these properties is applied or read together with others; `is_barred`
/// says that the shell cannot apply it.
pub(super) fn with_others(
    status: Status,
    effect: Option<Effect>,
    needs_a_look: bool,
    is_barred: bool,
) -> WithOthers {
    match (status, effect) {
        (_, Some(Effect::Exec) | None) => WithOthers::Never,
        _ if is_barred => WithOthers::Never,
        (Status::Ready, _) if needs_a_look => WithOthers::AfterALook,
        (Status::Ready, _) => WithOthers::Now,
        (Status::Blocked | Status::Stale, _) => WithOthers::InTurn,
        // An earlier one may be about to change the file that is now as it wants.
        (Status::Satisfied, Some(Effect::Write)) => WithOthers::InTurn,
        _ => WithOthers::Never,
    }
}

impl Offer {
    /// All of them.
    pub const ALL: [Offer; 8] = [
        Offer::Preview,
        Offer::Apply,
        Offer::ApplyAndReply,
        Offer::Run,
        Offer::RunAgain,
        Offer::Reject,
        Offer::Undo,
        Offer::ApplyAgain,
    ];

    /// The word in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Offer::Preview => "preview",
            Offer::Apply => "apply",
            Offer::ApplyAndReply => "applyAndReply",
            Offer::Run => "run",
            Offer::RunAgain => "runAgain",
            Offer::Reject => "reject",
            Offer::Undo => "undo",
            Offer::ApplyAgain => "applyAgain",
        }
    }

    fn runs(self) -> bool {
        matches!(self, Offer::Run | Offer::RunAgain)
    }
}

impl Offers {
    /// All offers, those that cannot be taken now included.
    pub fn iter(&self) -> impl Iterator<Item = (Offer, &Availability)> {
        self.list.iter().map(|(offer, availability)| (*offer, availability))
    }

    /// The offers that are shown wherever there is room for a button.
    pub fn buttons(&self) -> impl Iterator<Item = Offer> {
        let buttons = self.iter().filter(|(_, it)| **it == Availability::Button);
        buttons.map(|(offer, _)| offer)
    }

    /// Why it cannot be applied or run now, where it was not before.
    pub fn reason(&self) -> Option<&str> {
        self.iter().find_map(|(offer, availability)| match availability {
            Availability::Disabled(reason) if offer != Offer::RunAgain => Some(reason.as_str()),
            _ => None,
        })
    }

    /// Whether it can be taken now.
    pub fn allow(&self, offer: Offer) -> bool {
        let mut all = self.iter();
        all.any(|(it, availability)| {
            it == offer && !matches!(availability, Availability::Disabled(_))
        })
    }

    /// The offer that a key may take unseen; none where the proposal needs a look of its own.
    pub fn preferred(&self) -> Option<Offer> {
        (self.allow(Offer::Apply) && !self.needs_a_look).then_some(Offer::Apply)
    }
}

impl Proposal {
    /// Whether it is applied or read together with the others of its transcript.
    pub fn with_others(&self) -> WithOthers {
        with_others(self.status, self.effect(), self.caution().is_some(), self.barred)
    }

    /// How it was decided; where it is wanted once more (`again`), what was applied, run or refused
    /// before is not, unless a reply in the transcript says so.
    pub fn decided(&self, again: bool) -> Option<Decided<'_>> {
        let ran = self.status == Status::Applied && self.effect() == Some(Effect::Exec);
        match &self.by {
            _ if self.status == Status::Superseded => Some(Decided::Superseded),
            _ if self.status == Status::Rejected && !(again && self.answer.is_none()) => {
                Some(Decided::Rejected)
            }
            Some(by) if !again => Some(Decided::Applied(by)),
            _ if self.answered => Some(Decided::Answered),
            // What only reads can be read again at any time.
            _ => (ran && !again).then_some(Decided::Ran),
        }
    }

    /// Why it cannot be applied, for a person.
    pub fn why_not(&self) -> String {
        let status = self.status.as_str();
        match (self.status, &self.ready_after, self.error()) {
            (Status::Applied, _, _) => "it is applied already".to_owned(),
            (Status::Satisfied, _, _) => "the file already has this content".to_owned(),
            (_, Some(after), _) => format!("blocked: ready once {} is applied", after.name),
            (_, None, Some(problem)) => format!("{status}: {}", problem.message),
            (_, None, None) => format!("it is {status}"),
        }
    }
}
