//! A plan that was not made as it is: some of its hunks left out, or the block edited.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Plan;
use super::outcome::{Fact, Outcome, PartOfFile};
use crate::edit::{Change, Hunk, hunks, with_hunks};
use crate::path::{FilePath, State};
use crate::text::lines;

/// What was made of a plan: which of its hunks are made and which are not, by their 0-based numbers,
/// or another plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// Those that are made.
    pub applied: Vec<usize>,
    /// Those that the user left out, or that cannot be made.
    pub rejected: Vec<usize>,
    /// Whether the user has edited the block before it was applied; hunks are not counted then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub edited: bool,
    /// Whether these are the numbers of its files and not of its hunks: the editor has not changed
    /// the others, or their change was undone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub files: bool,
}

impl Part {
    /// The numbers of its files, where it is files that are counted.
    pub fn of_files(&self) -> Option<Part> {
        self.files.then(|| Part { files: false, ..self.clone() })
    }

    /// The numbers of its hunks, where it is hunks that are counted.
    pub fn of_hunks(&self) -> Option<Part> {
        (!self.edited && !self.files).then(|| self.clone())
    }

    /// What is known of the outcome, where the plan is not known any more.
    pub fn fact(&self) -> Fact {
        let made = self.applied.len();
        let of = made + self.rejected.len();
        match (self.edited, self.files) {
            (true, _) => Fact::MadeAsEdited,
            (_, true) => Fact::MadeInSomeFiles { made, of },
            (_, false) => Fact::MadeInPart { made, of },
        }
    }
}

impl Plan {
    /// The separate hunks of what it edits, in order; none where it does anything else, since that
    /// is all or nothing.
    pub fn hunks(&self) -> Vec<(&FilePath, Hunk)> {
        let mut all = Vec::new();
        for change in self.changes.iter() {
            let Change::Edit { path, before, after } = change else { return Vec::new() };
            all.extend(hunks(&before.text, &after.text).into_iter().map(|hunk| (path, hunk)));
        }
        if self.program.is_some() { Vec::new() } else { all }
    }

    /// The plan with those of its hunks alone whose 0-based numbers are taken; `None` where it has
    /// no such hunk, or no hunks at all.
    #[must_use]
    pub fn with_hunks(&self, taken: &BTreeSet<usize>) -> Option<Plan> {
        let count = self.hunks().len();
        if taken.is_empty() || taken.iter().any(|number| *number >= count) {
            return None;
        }
        if taken.len() == count {
            return Some(self.clone());
        }
        let mut plan = self.clone();
        let (mut changes, mut facts, mut first) = (Vec::new(), Vec::new(), 0);
        for change in self.changes.iter() {
            let Change::Edit { path, before, after } = change else { return None };
            let own = hunks(&before.text, &after.text);
            let is_taken = |number: usize| taken.contains(&(first + number));
            let text = with_hunks(&before.text, &after.text, is_taken);
            let after = before.with_text(text);
            let state = State::File(after.fingerprint());
            for target in plan.targets.iter_mut().filter(|target| target.path == *path) {
                target.after = state;
            }
            let (applied, rejected) =
                own.iter().enumerate().partition(|(number, _)| is_taken(*number));
            let places =
                |some: Vec<(usize, &Hunk)>| some.into_iter().map(|(_, hunk)| *hunk).collect();
            facts.push(Fact::WroteInPart(PartOfFile {
                path: path.clone(),
                lines: lines::count(&after.text),
                fingerprint: after.fingerprint(),
                applied: places(applied),
                rejected: places(rejected),
            }));
            if after != *before {
                changes.push(Change::Edit { path: path.clone(), before: before.clone(), after });
            }
            first += own.len();
        }
        plan.changes = changes.into_iter().collect();
        plan.outcome = Outcome::Done(facts);
        let (applied, rejected) = (0..count).partition(|number| taken.contains(number));
        plan.part = Some(Part { applied, rejected, ..Part::default() });
        Some(plan)
    }

    /// The plan as that of a block which the user has edited to this one: what it leaves is not
    /// what the model expects.
    #[must_use]
    pub fn as_edited(&self) -> Plan {
        let part = Part { edited: true, ..Part::default() };
        let outcome = Outcome::Done(vec![part.fact()]);
        Plan { outcome, part: Some(part), ..self.clone() }
    }
}
