//! What the ledger says while blocks are applied, undone and redone by several doors, files are
//! edited by hand, looked at now and then, and read again by another program: held against a model
//! that knows who did what. Every text is a new one, so that the model is simple.

use std::collections::{BTreeMap, BTreeSet};

use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{
    BlockId, Door, Event, Ledger, Observation, Operation, OperationId, Transcript, Transition, Work,
};
use operator_core::path::{FilePath, State};

use crate::choices::Choices;

const FILES: [&str; 5] = ["f", "g", "d/f", "d/g", "h"];
/// How many things happen at most.
const MOST: usize = 40;

/// What one operation changes.
#[derive(Debug, Clone)]
struct Made {
    id: OperationId,
    blocks: BTreeSet<u32>,
    changes: Vec<(&'static str, State, State)>,
}

struct World {
    ledger: Ledger,
    /// The events that are kept on disk.
    kept: Vec<Event>,
    files: BTreeMap<&'static str, State>,
    texts: u32,
    blocks: u32,
    done: Vec<Made>,
    undone: Vec<Made>,
    said: Vec<String>,
}

/// Checks one input: each thing that happens is a few bytes.
pub fn run(input: &[u8]) {
    let mut choices = Choices::new(input);
    let mut world = World::new();
    for _ in 0..MOST {
        if choices.is_over() {
            break;
        }
        world.act(&mut choices);
        if !choices.rarely(3) {
            world.look(&FILES);
            world.check();
        }
    }
    world.look(&FILES);
    world.check();
    let before = world.kept.len();
    world.look(&FILES);
    assert_eq!(world.kept.len(), before, "a second look: {:?}", world.said);
    world.read_again();
    world.look(&FILES);
    world.check();
}

fn chat() -> Transcript {
    Transcript::new("chat.md")
}

fn path(name: &str) -> FilePath {
    FilePath::new(0, name)
}

fn id(block: u32) -> BlockId {
    BlockId { text: Fingerprint::of(&block.to_be_bytes()), nth: 0 }
}

impl World {
    fn new() -> World {
        World {
            ledger: Ledger::default(),
            kept: Vec::new(),
            files: FILES.iter().map(|name| (*name, State::Missing)).collect(),
            texts: 0,
            blocks: 0,
            done: Vec::new(),
            undone: Vec::new(),
            said: Vec::new(),
        }
    }

    fn act(&mut self, choices: &mut Choices<'_>) {
        match choices.below(10) {
            0..3 => self.apply(choices),
            3 => self.peek(choices),
            4 => self.edit(choices),
            5 | 6 => self.undo(choices),
            7 => self.redo(choices),
            8 => self.merged(choices),
            _ => self.rare(choices),
        }
    }

    fn say(&mut self, what: impl Into<String>) {
        self.said.push(what.into());
    }

    fn take(&mut self, event: Event) {
        self.ledger.apply(&event);
        self.kept.push(event);
    }

    fn new_text(&mut self) -> State {
        self.texts += 1;
        State::File(Fingerprint::of(format!("text {}", self.texts).as_bytes()))
    }

    /// An operation of some new blocks on the files as they are.
    fn operation(&mut self, door: Door, choices: &mut Choices<'_>) -> (Operation, Made) {
        let (mut now, mut changes, mut blocks) = (self.files.clone(), Vec::new(), BTreeSet::new());
        let mut works = Vec::new();
        for _ in 0..=choices.below(3) {
            self.blocks += 1;
            blocks.insert(self.blocks);
            let mut transitions = Vec::new();
            for _ in 0..=choices.below(2) {
                let name = *choices.pick(&FILES);
                let (before, after) = (now[name], self.new_text());
                now.insert(name, after);
                changes.push((name, before, after));
                transitions.push(Transition::new(path(name), before, after));
            }
            let name = format!("block {}", self.blocks);
            let title = name.clone();
            works.push(Work { block: id(self.blocks), name, title, transitions, part: None });
        }
        let number = self.ledger.next_id();
        let made = Made { id: number, blocks, changes };
        (Operation { id: number, time: 0, door, transcript: chat(), works }, made)
    }

    fn apply(&mut self, choices: &mut Choices<'_>) {
        // Whoever applies has looked at the files.
        self.look(&FILES);
        let way = choices.below(4);
        let door = if way == 3 { Door::Cli } else { Door::Lsp };
        let (operation, made) = self.operation(door, choices);
        self.say(format!("apply {made:?}, way {way}"));
        let last = |name: &str| made.changes.iter().rfind(|it| it.0 == name).map(|it| it.2);
        if way == 3 {
            let events = self.ledger.observe_before(&operation, 0, &|_| true);
            self.kept.extend(events);
            self.take(Event::Applied(operation));
        } else {
            let events = self.ledger.hand_over(operation, 0, &|_| false);
            self.kept.extend(events);
            // `hand_over` has taken it in already.
        }
        for name in FILES {
            if let Some(state) = last(name) {
                self.files.insert(name, state);
                // An editor shows one file after the other.
                if way == 1 {
                    self.look(&[name]);
                }
            }
        }
        if way == 0 {
            self.take(Event::Claimed { operation: made.id });
        }
        if way != 3 {
            self.look(&FILES);
        }
        self.done.push(made);
        self.undone.clear();
    }

    /// An edit is asked for and never made.
    fn peek(&mut self, choices: &mut Choices<'_>) {
        self.look(&FILES);
        let (operation, made) = self.operation(Door::Lsp, choices);
        self.say(format!("peek {made:?}"));
        let events = self.ledger.hand_over(operation, 0, &|_| false);
        self.kept.extend(events);
        if choices.rarely(2) {
            self.take(Event::Withdrawn { operation: made.id });
        }
    }

    fn edit(&mut self, choices: &mut Choices<'_>) {
        let name = *choices.pick(&FILES);
        let text = self.new_text();
        self.say(format!("edit {name} to {text:?}"));
        self.files.insert(name, text);
        self.look(&[name]);
        self.undone.clear();
    }

    /// Whether the files are as an operation has left them, and nobody came after it.
    fn is_last(&self, made: &Made) -> bool {
        made.changes.iter().all(|(name, _, _)| {
            let last = made.changes.iter().rfind(|it| it.0 == *name).map(|it| it.2);
            last == self.files.get(name).copied()
        })
    }

    fn undo(&mut self, choices: &mut Choices<'_>) {
        if self.done.is_empty() {
            return;
        }
        self.look(&FILES);
        let which = self.done.len() - 1 - choices.below(self.done.len());
        let made = self.done[which].clone();
        let allowed = self.ledger.can_undo(made.id);
        self.say(format!("undo {:?}: {allowed:?}", made.id));
        assert_eq!(allowed.is_ok(), self.is_last(&made), "{:?}", self.said);
        if allowed.is_err() {
            return;
        }
        let by_editor = choices.rarely(3);
        if !by_editor {
            self.take(Event::Undone { operation: made.id });
        }
        for (name, before, _) in made.changes.iter().rev() {
            self.files.insert(name, *before);
        }
        if by_editor {
            self.look(&FILES);
        }
        self.done.remove(which);
        self.undone.push(made);
    }

    fn redo(&mut self, choices: &mut Choices<'_>) {
        let Some(made) = self.undone.pop() else { return };
        self.look(&FILES);
        let by_editor = choices.rarely(3);
        self.say(format!("redo {:?}, by an editor: {by_editor}", made.id));
        if !by_editor {
            self.take(Event::Redone { operation: made.id });
        }
        for (name, _, after) in &made.changes {
            self.files.insert(name, *after);
        }
        if by_editor {
            self.look(&FILES);
        }
        self.done.push(made);
    }

    /// A look at the files ends after something else has happened.
    fn merged(&mut self, choices: &mut Choices<'_>) {
        let then = self.ledger.clone();
        let mut other = then.clone();
        let found = other.observe(&self.found(&FILES), 0, &|_| Vec::new());
        self.say("a look that takes long");
        match choices.below(4) {
            0 => self.apply(choices),
            1 => self.edit(choices),
            2 => self.undo(choices),
            _ => {}
        }
        let merged = self.ledger.merge(&found, &then);
        self.kept.extend(merged.events);
        self.look(&FILES);
    }

    fn rare(&mut self, choices: &mut Choices<'_>) {
        match choices.below(3) {
            0 => self.read_again(),
            1 if !self.done.is_empty() => {
                let made = self.done.remove(0);
                self.say(format!("forget {:?}", made.id));
                self.take(Event::Forgotten { operation: made.id });
            }
            _ => {
                self.blocks += 1;
                let at = [(path("f"), self.files["f"])].into();
                let (transcript, block) = (chat(), id(self.blocks));
                let ambiguous = self.blocks.is_multiple_of(2);
                self.take(Event::Proposed { transcript, block, at, ambiguous });
            }
        }
    }

    /// Another program reads what was kept.
    fn read_again(&mut self) {
        self.say("read again");
        let mut ledger = Ledger::default();
        for event in self.kept.iter().filter(|event| event.is_lasting()) {
            let text = serde_json::to_string(event).expect("an event can be written");
            let read: Event = serde_json::from_str(&text).expect("an event can be read");
            assert_eq!(&read, event);
            ledger.apply(&read);
        }
        self.ledger = ledger;
    }

    fn found(&self, names: &[&'static str]) -> Vec<Observation> {
        let found = |name: &&'static str| Observation {
            path: path(name),
            state: self.files[name],
            closed: false,
        };
        names.iter().map(found).collect()
    }

    fn look(&mut self, names: &[&'static str]) {
        let found = self.found(names);
        let events = self.ledger.observe(&found, 0, &|_| Vec::new());
        self.kept.extend(events);
    }

    fn check(&self) {
        let applied: BTreeSet<u32> = self.done.iter().flat_map(|it| it.blocks.clone()).collect();
        let is_applied = |it: &u32| self.ledger.standing(&chat(), id(*it), true).applied.is_some();
        let found: BTreeSet<u32> = (1..=self.blocks).filter(is_applied).collect();
        assert_eq!(found, applied, "{:#?}", self.said);
        for made in &self.done {
            assert!(self.ledger.stands(made.id), "{:?} in {:#?}", made.id, self.said);
        }
    }
}
