//! A ledger in which a test applies blocks and looks at files, whose texts are words.

use crate::fingerprint::Fingerprint;
use crate::ledger::*;

/// A ledger and files without content, of which only the states are known.
#[derive(Default)]
pub(super) struct Book {
    pub(super) ledger: Ledger,
    pub(super) kept: Vec<Event>,
}

/// A state by a word: `-` for nothing, `/` for a directory, else a file with that text.
pub(super) fn state(word: &str) -> State {
    match word {
        "-" => State::Missing,
        "/" => State::Directory,
        // Words of a script are not empty.
        "\u{2205}" => state(""),
        text => State::File(Fingerprint::of(text.as_bytes())),
    }
}

pub(super) fn path(name: &str) -> FilePath {
    FilePath::new(0, name)
}

pub(super) fn block(name: &str) -> BlockId {
    BlockId { text: Fingerprint::of(name.as_bytes()), nth: 0 }
}

pub(super) fn chat() -> Transcript {
    Transcript::new("chat.md")
}

/// A block's work: its name, then `path before after` for each file.
pub(super) fn work(name: &str, transitions: &str) -> Work {
    let words: Vec<&str> = transitions.split_whitespace().collect();
    let transition = |it: &[&str]| Transition::new(path(it[0]), state(it[1]), state(it[2]));
    let transitions = words.chunks(3).map(transition).collect();
    Work {
        block: block(name),
        name: name.to_owned(),
        title: name.to_owned(),
        transitions,
        part: None,
    }
}

/// Such a work whose first file may get a final line ending from an editor.
pub(super) fn ended_work(name: &str, transitions: &str) -> Work {
    let mut work = work(name, transitions);
    let after = transitions.split_whitespace().nth(2).unwrap_or_default();
    work.transitions[0].ended = vec![Fingerprint::of(format!("{after}\n").as_bytes())];
    work
}

/// The steps of a file, each as what was there before and after, with a star where a block made it.
pub(super) fn steps(ledger: &Ledger, words: &[&str]) -> String {
    let word = |wanted| words.iter().find(|it| state(it) == wanted).copied().unwrap_or("?");
    let steps = ledger.timelines[&path("f")].steps().iter().map(|step| {
        let star = if step.owner.is_some() { "*" } else { "" };
        format!("{}{}{star}", word(step.before), word(step.after))
    });
    steps.collect::<Vec<_>>().join(" ")
}

/// Whose the steps of a file are, by the names of the blocks; a dot for nobody.
pub(super) fn owners(ledger: &Ledger, name: &str) -> String {
    let work = |step: &timeline::Step| step.owner.and_then(|owner| ledger.work(owner));
    let steps = ledger.timelines[&path(name)].steps().iter();
    steps.map(|step| work(step).map_or(".", |work| &work.name)).collect::<Vec<_>>().join(" ")
}

impl Book {
    pub(super) fn take(&mut self, event: Event) {
        self.ledger.apply(&event);
        self.kept.push(event);
    }

    /// A block is complete, with `path text` for each file as it is then.
    pub(super) fn propose(&mut self, name: &str, files: &str) {
        let words: Vec<&str> = files.split_whitespace().collect();
        let at = words.chunks(2).map(|it| (path(it[0]), state(it[1]))).collect();
        let (transcript, block) = (chat(), block(name));
        self.take(Event::Proposed { transcript, block, at, ambiguous: false });
    }

    pub(super) fn hand_out(&mut self, works: &[Work]) -> OperationId {
        let id = self.ledger.next_id();
        let (transcript, works) = (chat(), works.to_vec());
        let operation = Operation { id, time: 0, door: Door::Lsp, transcript, works };
        self.take(Event::HandedOut(operation));
        id
    }

    pub(super) fn apply(&mut self, works: &[Work]) -> OperationId {
        let operation = self.hand_out(works);
        self.take(Event::Claimed { operation });
        operation
    }

    pub(super) fn find(&mut self, name: &str, word: &str, closed: bool, hand: &[Work]) {
        let found = Observation { path: path(name), state: state(word), closed };
        let candidates = |path: &FilePath| {
            let of = hand.iter().filter(|work| work.transitions.iter().any(|it| it.path == *path));
            of.map(|work| Candidate { transcript: chat(), work: work.clone() }).collect()
        };
        let events = self.ledger.observe(&[found], 0, &candidates);
        self.kept.extend(events);
    }

    /// Takes in what is at several paths, each `path text`, all at once.
    pub(super) fn see_all(&mut self, files: &[&str]) {
        let found = files.iter().map(|file| {
            let (name, word) = file.split_once(' ').unwrap();
            Observation { path: path(name), state: state(word), closed: false }
        });
        let events = self.ledger.observe(&found.collect::<Vec<_>>(), 0, &|_| Vec::new());
        self.kept.extend(events);
    }

    pub(super) fn see(&mut self, name: &str, word: &str) {
        self.find(name, word, false, &[]);
    }

    /// The names of those blocks that are applied.
    #[track_caller]
    pub(super) fn check(&self, names: &str, applied: &str) {
        let is_applied = |ledger: &Ledger, name: &str| {
            ledger.standing(&chat(), block(name), true).applied.is_some()
        };
        let found = |ledger: &Ledger| -> Vec<String> {
            let names = names.split_whitespace().filter(|name| is_applied(ledger, name));
            names.map(str::to_owned).collect()
        };
        assert_eq!(found(&self.ledger).join(" "), applied);
        assert_eq!(found(&self.again()).join(" "), applied, "after a restart");
    }

    /// The ledger as another program reads it.
    pub(super) fn again(&self) -> Ledger {
        let mut ledger = Ledger::default();
        for event in self.kept.iter().filter(|event| event.is_lasting()) {
            let mut line = Vec::new();
            event.add_line(&mut line);
            ledger.apply(&Event::from_line(&line).unwrap());
        }
        ledger
    }

    /// Leaves the events out that have led to what the ledger is, as another program reads it, and reads
    /// it again.
    pub(super) fn shorten(&mut self) {
        let ledger = self.again();
        let is_state = |event: &Event| !matches!(event, Event::Proposed { .. });
        let bases: Vec<Event> = self.kept.iter().filter(|it| !is_state(it)).cloned().collect();
        self.kept = ledger.state().into_iter().chain(bases).collect();
        self.ledger = self.again();
        let Ledger { operations, works, timelines, standing, in_flight, bases, .. } = &self.ledger;
        for path in ledger.timelines.keys().filter(|path| ledger.has_changed(path)) {
            assert_eq!(timelines.get(path), ledger.timelines.get(path));
        }
        assert!((operations, works) == (&ledger.operations, &ledger.works));
        assert!((standing, in_flight) == (&ledger.standing, &ledger.in_flight));
        assert!(bases == &ledger.bases);
    }
}
