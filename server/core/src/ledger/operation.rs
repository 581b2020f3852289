//! Operations: what one request to apply changes, block by block.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::identity::{BlockId, OperationId, Transcript};
use super::timeline::Owner;
use crate::edit::{Change, Hunk, Target, whole_hunk};
use crate::fingerprint::Fingerprint;
use crate::path::{FilePath, State};
use crate::plan::{Part, Plan};
use crate::text::Content;

/// The program by which something was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Door {
    /// The command line.
    Cli,
    /// The language server, by an edit of the client.
    Lsp,
    /// A person made the change of a block without applying it.
    Hand,
}

impl Door {
    /// How a block was applied, in JSON: by a program, or by hand.
    pub fn word(self) -> &'static str {
        match self {
            Door::Cli | Door::Lsp => "apply",
            Door::Hand => "hand",
        }
    }
}

/// Blocks that are applied together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Its number.
    pub id: OperationId,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub time: u64,
    /// By which program.
    pub door: Door,
    /// The transcript that the blocks are in.
    pub transcript: Transcript,
    /// The blocks in document order.
    pub works: Vec<Work>,
}

/// What one block changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Work {
    /// The block.
    pub block: BlockId,
    /// What people call the block: `block 3 (edit-1)`.
    pub name: String,
    /// What it does: `fs.write src/main.rs`.
    pub title: String,
    /// Its files and directories, in the order in which they change.
    pub transitions: Vec<Transition>,
    /// Which hunks of it were made, where the user left some out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Part>,
}

/// A change of one file or directory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transition {
    /// Where.
    #[serde(with = "super::form::file_path")]
    pub path: FilePath,
    /// What was there.
    #[serde(with = "super::form::state")]
    pub before: State,
    /// What is there afterwards; the same as before where nothing had to be changed.
    #[serde(with = "super::form::state")]
    pub after: State,
    /// The same text with a final line ending, where it has none: some editors add one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ended: Vec<Fingerprint>,
    /// Which lines became which of a text that was there before and is afterwards, as one hunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<Hunk>,
}

impl Operation {
    /// Every transition with its number in its work and the work, in order. What stays the same is
    /// left out where the block changes something else.
    pub(super) fn transitions(&self) -> impl Iterator<Item = (usize, &Transition, Owner)> {
        let works = self.works.iter().enumerate();
        works.flat_map(|(number, work)| {
            let owner = Owner { operation: self.id, work: number };
            let changes = work.transitions.iter().any(Transition::changes);
            let transitions = work.transitions.iter().enumerate();
            let transitions = transitions.filter(move |(_, it)| it.changes() || !changes);
            transitions.map(move |(number, transition)| (number, transition, owner))
        })
    }

    /// Every path that it changes, each once, in order.
    pub fn paths(&self) -> Vec<&FilePath> {
        let mut paths: Vec<&FilePath> = Vec::new();
        for transition in self.works.iter().flat_map(|work| &work.transitions) {
            if !paths.contains(&&transition.path) {
                paths.push(&transition.path);
            }
        }
        paths
    }
}

impl Work {
    /// The work as an editor has made it that changed these files and gave up before the others;
    /// `None` where it changed none.
    pub fn made_in(&self, files: &BTreeSet<FilePath>) -> Option<Work> {
        let changes: Vec<&Transition> = self.transitions.iter().filter(|it| it.changes()).collect();
        let is_made = |number: &usize| changes[*number].comes_with(files);
        let (applied, rejected): (Vec<_>, Vec<_>) = (0..changes.len()).partition(is_made);
        match (applied.is_empty(), rejected.is_empty()) {
            (true, _) => None,
            (_, true) => Some(self.clone()),
            (_, false) => {
                let transitions = applied.iter().map(|number| changes[*number].clone()).collect();
                let part = Some(Part { applied, rejected, files: true, ..Part::default() });
                Some(Work { transitions, part, ..self.clone() })
            }
        }
    }
}

impl Transition {
    /// A change of which only the states are known.
    pub fn new(path: FilePath, before: State, after: State) -> Transition {
        Transition { path, before, after, ended: Vec::new(), lines: None }
    }

    /// Whether it changes anything.
    pub fn changes(&self) -> bool {
        self.before != self.after
    }

    /// Whether it is made where these files are changed: directories come with the files in them.
    pub fn comes_with(&self, files: &BTreeSet<FilePath>) -> bool {
        let is_above = |file: &FilePath| file.is_within(&self.path);
        files.contains(&self.path) || self.after == State::Directory && files.iter().any(is_above)
    }

    /// The transitions of a plan.
    pub fn of_plan(plan: &Plan) -> Vec<Transition> {
        let transition = |target: &Target| {
            let Target { path, before, after } = target.clone();
            let ended = match after {
                State::File(_) => content_of(plan, &path).map(ended).unwrap_or_default(),
                _ => Vec::new(),
            };
            let lines = lines(plan, &path);
            Transition { path, before, after, ended, lines }
        };
        plan.targets.iter().map(transition).collect()
    }

    /// Whether a state is the one that it leads to.
    pub fn leads_to(&self, state: State) -> bool {
        let ended = |state| matches!(state, State::File(found) if self.ended.contains(&found));
        self.after == state || ended(state)
    }
}

/// What a plan leaves in a file, where its changes say so.
fn content_of<'a>(plan: &'a Plan, path: &FilePath) -> Option<&'a Content> {
    let mut contents = plan.changes.iter().filter_map(|change| match change {
        Change::Create { path, content, .. } => Some((path, content)),
        Change::Edit { path, after, .. } => Some((path, after)),
        _ => None,
    });
    contents.find(|(changed, _)| *changed == path).map(|(_, content)| content)
}

/// Which lines of a file a plan changes, where it edits its text and does nothing else to it.
fn lines(plan: &Plan, path: &FilePath) -> Option<Hunk> {
    let mut changes = plan.changes.iter().filter(|change| change.touches(path));
    match (changes.next(), changes.next()) {
        (Some(Change::Edit { before, after, .. }), None) => whole_hunk(&before.text, &after.text),
        _ => None,
    }
}

/// The fingerprints of a text with a final line ending, where it has none.
pub(super) fn ended(content: &Content) -> Vec<Fingerprint> {
    if content.text.ends_with(['\n', '\r']) {
        return Vec::new();
    }
    let with = |ending: &str| {
        let text = format!("{}{ending}", &*content.text);
        content.with_text(text).fingerprint()
    };
    vec![with("\n"), with("\r\n")]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edit::ChangeSet;
    use crate::path::Kind;
    use crate::plan::Outcome;

    /// A plan that makes these changes, with what is before and after at the same paths.
    fn plan(changes: Vec<Change>, states: &[(State, State)]) -> Plan {
        let target = |(change, (before, after)): (&Change, &(State, State))| Target {
            path: change.path().clone(),
            before: *before,
            after: *after,
        };
        Plan {
            targets: changes.iter().zip(states).map(target).collect(),
            changes: changes.into_iter().collect::<ChangeSet>(),
            outcome: Outcome::Done(Vec::new()),
            remarks: Vec::new(),
            program: None,
            part: None,
        }
    }

    #[test]
    fn what_a_plan_leaves_is_known_with_a_final_line_ending_and_by_its_lines() {
        let path = |name: &str| FilePath::new(0, name);
        let text = |text: &str| Content::plain(text);
        let state = |text: &str| State::File(Content::plain(text).fingerprint());
        let edit = |name, before, after| Change::Edit {
            path: path(name),
            before: text(before),
            after: text(after),
        };
        let changes = vec![
            Change::Create { path: path("new"), content: text("n"), like: None },
            edit("edited", "1\n2\n3", "1\na\nb\n3"),
            edit("ended", "1\n", "2\n"),
            Change::Delete { path: path("gone"), kind: Kind::File, files: 1 },
            edit("moved", "1", "2"),
            Change::Rename { from: path("moved"), to: path("to"), kind: Kind::File, files: 1 },
        ];
        let states = [
            (State::Missing, state("n")),
            (state("1\n2\n3"), state("1\na\nb\n3")),
            (state("1\n"), state("2\n")),
            (state("1"), State::Missing),
            (state("1"), State::Missing),
        ];
        let transitions = Transition::of_plan(&plan(changes, &states));
        let of = |name: &str| transitions.iter().find(|it| it.path == path(name)).unwrap();
        let hunk = |first, removed, added| Some(Hunk { first, removed, added });
        for (name, after, lines) in [
            ("new", Some("n"), None),
            ("edited", Some("1\na\nb\n3"), hunk(2, 1, 2)),
            ("ended", None, hunk(1, 1, 1)),
            ("gone", None, None),
            ("moved", None, None),
        ] {
            let with_ending = |text: &str| {
                ["\n", "\r\n"].map(|it| Content::plain(format!("{text}{it}")).fingerprint())
            };
            let expected = after.map(with_ending).into_iter().flatten().collect::<Vec<_>>();
            assert_eq!((&of(name).ended, of(name).lines), (&expected, lines), "{name}");
        }
    }

    #[test]
    fn a_file_with_one_final_line_ending_too_many_is_not_as_the_plan_leaves_it() {
        let check = |planned: &str, shown: &str, expected: bool| {
            let state = |text: &str| State::File(Content::plain(text).fingerprint());
            let path = FilePath::new(0, "a");
            let change = Transition::new(path, State::Missing, state(planned));
            let change = Transition { ended: ended(&Content::plain(planned)), ..change };
            assert_eq!(change.leads_to(state(shown)), expected, "{planned:?} {shown:?}");
        };
        for (planned, shown) in [("a\n", "a\n"), ("a", "a\n"), ("a", "a\r\n"), ("", "\n")] {
            check(planned, shown, true);
        }
        for (planned, shown) in
            [("a\n", "a\n\n"), ("a\r\n", "a\r\n\r\n"), ("a\n", "a"), ("a", "a\n\n")]
        {
            check(planned, shown, false);
        }
    }
}
