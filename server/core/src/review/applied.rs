//! That a block was applied: because it was said, or because its targets show it.

use crate::plan::{Outcome, Target};
use crate::snapshot::{FilePath, Snapshot, State};

/// How a block was applied.
pub struct Applied {
    targets: Vec<Followed>,
    outcome: Outcome,
    standing: Standing,
}

/// A target, and what is known of it since.
struct Followed {
    target: Target,
    /// Whether it was ever seen as the plan left it.
    seen: bool,
    /// Whether it was opened since: it is no longer a place where nobody looks.
    open: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Nothing but the client's word says so.
    Said,
    /// All targets were seen as the plan left them: only then do targets that are as before mean
    /// that it was undone.
    Shown,
    /// A target shows that it was not done, or not yet.
    Denied,
}

/// What targets have shown; the targets are as they were and as they are.
pub enum Turn {
    /// It is taken back.
    Undone(Vec<Target>),
    /// It never was done.
    Denied(Vec<Target>),
    /// It is done after all.
    Done(Vec<Target>, Outcome),
}

impl Applied {
    /// Takes somebody's word for it.
    pub fn said(targets: &[Target], outcome: &Outcome) -> Applied {
        let follow =
            |target: &Target| Followed { target: target.clone(), seen: false, open: false };
        let targets = targets.iter().map(follow).collect();
        Applied { targets, outcome: outcome.clone(), standing: Standing::Said }
    }

    /// Where the targets are as the plan would leave them, that it was applied.
    pub fn found(
        targets: &[Target],
        outcome: &Outcome,
        snapshot: &dyn Snapshot,
    ) -> Option<Applied> {
        let found = Applied { standing: Standing::Shown, ..Applied::said(targets, outcome) };
        (found.changes() && found.all_are(snapshot, after)).then_some(found)
    }

    /// Whether it counts as applied.
    pub fn stands(&self) -> bool {
        self.standing != Standing::Denied
    }

    /// Notes that some of its targets were seen as the plan left them.
    pub fn saw(&mut self, files: &[FilePath]) {
        for followed in &mut self.targets {
            followed.seen |= files.contains(&followed.target.path);
        }
    }

    /// Notes that a file is open from now on.
    pub fn opened(&mut self, file: &FilePath) {
        for followed in self.targets.iter_mut().filter(|it| it.target.path == *file) {
            followed.open = true;
        }
    }

    /// Looks at the targets; gives what they show that was not known. What a later block left in
    /// them (`covered`) does not mean that this one was undone.
    pub fn follow(&mut self, snapshot: &dyn Snapshot, covered: bool) -> Option<Turn> {
        for followed in &mut self.targets {
            followed.seen = followed.seen || followed.target.is_shown_in(snapshot);
        }
        match self.standing {
            Standing::Said if self.is_denied(snapshot) => {
                self.standing = Standing::Denied;
                Some(Turn::Denied(self.reversed()))
            }
            Standing::Said => {
                if self.targets.iter().all(|it| it.seen || !it.target.changes()) {
                    self.standing = Standing::Shown;
                }
                None
            }
            Standing::Shown if covered => None,
            Standing::Shown => self.is_undone(snapshot).then(|| Turn::Undone(self.reversed())),
            Standing::Denied if self.all_are(snapshot, after) => {
                self.standing = Standing::Shown;
                let targets = self.targets.iter().map(|it| it.target.clone()).collect();
                Some(Turn::Done(targets, self.outcome.clone()))
            }
            Standing::Denied => None,
        }
    }

    /// Whether its targets, once seen as the plan left them, are again as they were before.
    pub fn is_undone(&self, snapshot: &dyn Snapshot) -> bool {
        self.standing == Standing::Shown && self.changes() && self.all_are(snapshot, before)
    }

    /// Whether it was only said, and a target shows otherwise.
    pub fn is_denied(&self, snapshot: &dyn Snapshot) -> bool {
        let said = self.standing == Standing::Said;
        said && self.targets.iter().any(|followed| followed.denies(snapshot))
    }

    /// The one of these changes that goes on from its own: of the same target, and not from the
    /// same state, as those of blocks are that were carried out together, or of a directory that
    /// the target is in.
    pub fn gone_on_by<'a>(&self, others: &'a [Target]) -> Option<&'a Target> {
        let changed = self.targets.iter().map(|followed| &followed.target);
        let mut changed = changed.filter(|target| target.changes());
        changed.find_map(|target| {
            let mut others = others.iter().filter(|other| other.changes());
            others.find(|other| match other.path == target.path {
                true => other.before != target.before,
                false => target.path.is_within(&other.path),
            })
        })
    }

    fn changes(&self) -> bool {
        self.targets.iter().any(|followed| followed.target.changes())
    }

    fn all_are(&self, snapshot: &dyn Snapshot, state: fn(&Target) -> State) -> bool {
        self.targets.iter().all(|followed| followed.is(snapshot, state))
    }

    fn reversed(&self) -> Vec<Target> {
        self.targets.iter().map(|followed| followed.target.reversed()).collect()
    }
}

impl Followed {
    fn is(&self, snapshot: &dyn Snapshot, state: fn(&Target) -> State) -> bool {
        snapshot.state(&self.target.path) == Ok(state(&self.target))
    }

    /// A file that is not open may have the change in an editor that does not show it, as long as
    /// it is on disk what it was.
    fn denies(&self, snapshot: &dyn Snapshot) -> bool {
        let Ok(now) = snapshot.state(&self.target.path) else { return false };
        let hidden = now == self.target.before && !self.open;
        self.target.changes() && !self.seen && now != self.target.after && !hidden
    }
}

fn before(target: &Target) -> State {
    target.before
}

fn after(target: &Target) -> State {
    target.after
}
