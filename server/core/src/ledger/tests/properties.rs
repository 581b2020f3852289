//! Random scripts of blocks, hand edits, undo, checkouts, restarts and looks that miss some files,
//! held against a world that knows who did what.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::*;

/// The paths of the world; `d` and `e` are directories.
const PATHS: [&str; 6] = ["f", "g", "d", "d/f", "e", "e/f"];

/// What a block does.
#[derive(Debug, Clone, Copy)]
enum Deed {
    /// Leaves this text in a file.
    Write(&'static str, &'static str),
    /// Makes a text of one file another.
    Replace(&'static str, &'static str, &'static str),
    /// Adds to whatever a file holds: twice is wrong.
    Insert(&'static str),
    /// Removes a file.
    Delete(&'static str),
    /// Gives a file, or a directory with what is in it, another path.
    Move(&'static str, &'static str),
    /// Two writes, both or none.
    Both(&'static str, &'static str, &'static str),
}

fn deed() -> impl Strategy<Value = Deed> {
    let file = || prop::sample::select(vec!["f", "g", "d/f", "e/f"]);
    let text = || prop::sample::select(vec!["x", "y", "z"]);
    prop_oneof![
        4 => (file(), text()).prop_map(|(file, text)| Deed::Write(file, text)),
        3 => (file(), text(), text()).prop_map(|(file, old, new)| Deed::Replace(file, old, new)),
        2 => file().prop_map(Deed::Insert),
        1 => file().prop_map(Deed::Delete),
        1 => prop::sample::select(vec![("f", "g"), ("g", "f"), ("d", "e"), ("e", "d"), ("f", "e/f")])
            .prop_map(|(from, to)| Deed::Move(from, to)),
        1 => (text(), text()).prop_map(|(one, two)| Deed::Both("f", one, two)),
    ]
}

/// What happens.
#[derive(Debug, Clone)]
enum Act {
    /// A block is applied, by one way or another.
    Apply(usize, Way),
    /// All blocks that can be are applied together.
    ApplyAll(Way),
    /// The edit of a block is asked for and never made.
    Peek(usize),
    /// Somebody types something of their own.
    Type(&'static str),
    /// Somebody makes the change of a block by hand.
    ByHand(usize),
    /// The last thing that was done is undone.
    Undo,
    /// It is redone.
    Redo,
    /// A file gets the text that it had so many changes ago.
    Checkout(&'static str, usize),
    /// An editor shows a file from now on, or no longer.
    Open(&'static str, bool),
    /// The disk is looked at, these files alone.
    Look(u8),
    /// The program ends and begins again.
    Restart,
    /// The same, with a ledger that says what is and not what has happened.
    Shorten,
}

/// How it becomes known that an edit was made.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Way {
    /// Whoever made it says so.
    Said,
    /// The files show it, if an editor shows them.
    Shown,
    /// Whoever made it says so, and has not saved it: the disk shows the old text.
    Unsaved,
    /// The files show it, and those that come show first that they are empty.
    InSteps,
}

fn act() -> impl Strategy<Value = Act> {
    let file = || prop::sample::select(vec!["f", "g", "d/f", "e/f"]);
    let way = || prop_oneof![3 => Just(Way::Said), 2 => Just(Way::Shown), 1 => Just(Way::Unsaved), 1 => Just(Way::InSteps)];
    prop_oneof![
        8 => (0..6_usize, way()).prop_map(|(block, way)| Act::Apply(block, way)),
        1 => way().prop_map(Act::ApplyAll),
        1 => (0..6_usize).prop_map(Act::Peek),
        2 => file().prop_map(Act::Type),
        2 => (0..6_usize).prop_map(Act::ByHand),
        4 => Just(Act::Undo),
        2 => Just(Act::Redo),
        2 => (file(), 1..4_usize).prop_map(|(file, back)| Act::Checkout(file, back)),
        2 => (file(), any::<bool>()).prop_map(|(file, open)| Act::Open(file, open)),
        2 => any::<u8>().prop_map(Act::Look),
        1 => Just(Act::Restart),
        1 => Just(Act::Shorten),
    ]
}

/// A change of some files that was made as one.
#[derive(Debug, Clone)]
struct Made {
    /// Path, before, after, and whose it is.
    changes: Vec<(String, String, String, Option<usize>)>,
    operation: Option<OperationId>,
}

/// The files, who made what of them, and a ledger that must find that out.
struct World {
    deeds: Vec<Deed>,
    files: BTreeMap<String, String>,
    open: BTreeSet<&'static str>,
    /// What the disk shows of files whose text is in an editor alone.
    unsaved: BTreeMap<String, String>,
    done: Vec<Made>,
    undone: Vec<Made>,
    /// The texts of each path that were undone: an editor may redo them after changes of other files,
    /// and show them again where it throws away what was done instead.
    undone_texts: Vec<(String, String)>,
    /// The paths of which some of that was a block's.
    undone_of_blocks: BTreeSet<String>,
    /// The texts that checkouts have removed, and whose they were.
    gone: Vec<(String, String, Option<usize>)>,
    book: Book,
    peeked: bool,
    typed: usize,
    /// Whether every file is looked at after every act.
    watchful: bool,
}

impl World {
    fn new(deeds: &[Deed], watchful: bool) -> World {
        let files = [("f", "x"), ("g", "-"), ("d", "/"), ("d/f", "x"), ("e", "-"), ("e/f", "-")];
        let files = files.map(|(path, text)| (path.to_owned(), text.to_owned()));
        let mut world = World {
            deeds: deeds.to_vec(),
            files: files.into(),
            open: BTreeSet::new(),
            unsaved: BTreeMap::new(),
            done: Vec::new(),
            undone: Vec::new(),
            undone_texts: Vec::new(),
            undone_of_blocks: BTreeSet::new(),
            gone: Vec::new(),
            book: Book::default(),
            peeked: false,
            typed: 0,
            watchful,
        };
        for block in 0..deeds.len() {
            let at = PATHS.map(|name| (path(name), state(&world.files[name]))).into();
            let block = super::block(&block.to_string());
            world.book.take(Event::Proposed { transcript: chat(), block, at, ambiguous: false });
        }
        world
    }

    /// What a deed changes in `files`, or everything it touches where nothing would change.
    fn plan(&self, deed: Deed, files: &BTreeMap<String, String>) -> Option<Vec<[String; 3]>> {
        let all = self.touched(deed, files)?;
        let changes = |[_, before, after]: &[String; 3]| before != after;
        let some: Vec<_> = all.iter().filter(|it| changes(it)).cloned().collect();
        Some(if some.is_empty() { all } else { some })
    }

    /// What a deed acts on: path, before, after; `None` where it cannot be done.
    fn touched(&self, deed: Deed, files: &BTreeMap<String, String>) -> Option<Vec<[String; 3]>> {
        let is_text = |text: &str| text != "-" && text != "/";
        let change =
            |path: &str, after: &str| [path.to_owned(), files[path].clone(), after.to_owned()];
        let parent = |path: &str| path.split_once('/').map(|(directory, _)| directory.to_owned());
        let made = |path: &str| {
            let missing = parent(path).filter(|parent| files[parent] == "-");
            // The directory is made with it, as the disk does; no transition says so.
            (missing, files[path] != "/")
        };
        match deed {
            Deed::Write(path, text) => made(path).1.then(|| vec![change(path, text)]),
            Deed::Replace(path, old, new) => {
                (files[path] == old && old != new).then(|| vec![change(path, new)])
            }
            Deed::Insert(path) => {
                is_text(&files[path]).then(|| vec![change(path, &format!("{}+", files[path]))])
            }
            Deed::Delete(path) => is_text(&files[path]).then(|| vec![change(path, "-")]),
            Deed::Move(from, to) => (files[from] != "-" && files[to] == "-")
                .then(|| vec![change(from, "-"), change(to, &files[from])]),
            Deed::Both(path, one, two) => Some(vec![change(path, one), change("g", two)]),
        }
    }

    /// The blocks that are applied, in truth.
    fn applied(&self) -> BTreeSet<usize> {
        let changes = self.done.iter().flat_map(|made| &made.changes);
        changes.filter_map(|(_, _, _, owner)| *owner).collect()
    }

    /// What a change of a path means for other paths: directories that come with it, or what is
    /// in a directory that moves.
    fn write_files(
        files: &mut BTreeMap<String, String>,
        changes: &[[String; 3]],
    ) -> Vec<[String; 3]> {
        let before = files.clone();
        for [path, _, after] in changes {
            files.insert(path.clone(), after.clone());
            if after != "-"
                && let Some((directory, _)) = path.split_once('/')
            {
                files.insert(directory.to_owned(), "/".to_owned());
            }
        }
        let moved = changes.iter().find(|[_, before, after]| before == "/" && after == "-");
        let to = changes.iter().find(|[_, before, after]| before == "-" && after == "/");
        if let (Some([from, ..]), Some([to, ..])) = (moved, to) {
            let inner = files.insert(format!("{from}/f"), "-".to_owned()).unwrap_or_default();
            files.insert(format!("{to}/f"), inner);
        }
        let named = |path: &String| changes.iter().any(|[named, ..]| named == path);
        let others = files.iter().filter(|(path, text)| before[*path] != **text && !named(path));
        others.map(|(path, text)| [path.clone(), before[path].clone(), text.clone()]).collect()
    }

    fn make(
        &mut self,
        changes: Vec<[String; 3]>,
        owner: Option<usize>,
    ) -> Vec<(String, String, String, Option<usize>)> {
        let others = World::write_files(&mut self.files, &changes);
        let owned = changes.into_iter().map(|[path, before, after]| (path, before, after, owner));
        let others = others.into_iter().map(|[path, before, after]| (path, before, after, None));
        let all: Vec<_> = owned.chain(others).collect();
        // What nobody but a person has done is not known once something else is done.
        let of_blocks = &self.undone_of_blocks;
        let is_other = |path: &String| all.iter().any(|(other, ..)| other == path);
        self.undone_texts.retain(|(path, _)| of_blocks.contains(path) || !is_other(path));
        all
    }

    fn work(&self, block: usize, changes: &[[String; 3]]) -> Work {
        let text = |[path, before, after]: &[String; 3]| format!("{path} {before} {after}");
        super::work(&block.to_string(), &changes.iter().map(text).collect::<Vec<_>>().join(" "))
    }

    fn is_open(&self, path: &str) -> bool {
        self.open.contains(path)
    }

    /// What there is to be seen of a path.
    fn shown(&self, name: &str) -> &str {
        let hidden = self.unsaved.get(name).filter(|_| !self.is_open(name));
        hidden.unwrap_or(&self.files[name])
    }

    /// Looks at some paths.
    fn look(&mut self, wanted: impl Fn(&World, &str) -> bool) {
        let seen: Vec<Observation> = PATHS
            .iter()
            .filter(|path| wanted(self, path))
            .map(|name| Observation {
                path: path(name),
                state: state(self.shown(name)),
                closed: !self.is_open(name),
            })
            .collect();
        let events = self.book.ledger.observe(&seen, 0, &|_| Vec::new());
        self.book.kept.extend(events);
    }

    fn look_where_it_shows(&mut self) {
        let watchful = self.watchful;
        self.look(|world, path| watchful || world.is_open(path));
    }

    /// Hands blocks out that are planned one after the other.
    fn hand_out(&mut self, works: Vec<Work>) -> OperationId {
        let id = self.book.ledger.next_id();
        let operation = Operation { id, time: 0, door: Door::Cli, transcript: chat(), works };
        let open = self.open.clone();
        let events = self.book.ledger.hand_over(operation, 0, &|it| !open.contains(&*it.path));
        self.book.kept.extend(events);
        id
    }

    fn apply(&mut self, blocks: &[usize], way: Way) {
        let mut files = self.files.clone();
        let mut works = Vec::new();
        let mut all = Vec::new();
        for block in blocks {
            let Some(changes) = self.plan(self.deeds[*block], &files) else { continue };
            if blocks.len() > 1 && changes.iter().all(|[_, before, after]| before == after) {
                continue;
            }
            works.push(self.work(*block, &changes));
            World::write_files(&mut files, &changes);
            all.push((*block, changes));
        }
        let paths = || all.iter().flat_map(|(_, changes)| changes).map(|[path, ..]| path);
        let is_shown = paths().all(|path| self.is_open(path))
            && all
                .iter()
                .flat_map(|(_, changes)| changes)
                .all(|[_, before, after]| before != after)
            && blocks.len() == 1;
        if works.is_empty() || matches!(way, Way::Shown | Way::InSteps) && !is_shown {
            return;
        }
        let operation = self.hand_out(works);
        let before = self.files.clone();
        if way == Way::InSteps {
            self.show_empty(all.iter().flat_map(|(_, planned)| planned));
        }
        let mut changes = Vec::new();
        for (block, planned) in all {
            changes.extend(self.make(planned, Some(block)));
        }
        if !matches!(way, Way::Shown | Way::InSteps) {
            self.book.take(Event::Claimed { operation });
        }
        let is_text = |text: &String| text != "-" && text != "/";
        for (name, text) in self.files.iter().filter(|_| way == Way::Unsaved) {
            let is_plain = !name.contains('/') && is_text(text) && is_text(&before[name]);
            if is_plain && before[name] != *text {
                self.unsaved.insert(name.clone(), before[name].clone());
            }
        }
        // Whoever is told that files have changed looks at them at once.
        let changed: BTreeSet<String> = changes.iter().map(|(path, ..)| path.clone()).collect();
        self.look(|_, path| changed.contains(path));
        self.done.push(Made { changes, operation: Some(operation) });
        self.undone.clear();
    }

    /// Shows the files that come while they are empty.
    fn show_empty<'a>(&mut self, planned: impl Iterator<Item = &'a [String; 3]>) {
        for [path, before, after] in planned {
            if before == "-" && after != "/" {
                self.files.insert(path.clone(), String::new());
                self.look(|_, it| it == path);
                self.files.insert(path.clone(), before.clone());
            }
        }
    }

    /// Whether the last change can be undone without the help of the ledger: all of it is shown.
    fn is_shown(&self, made: &Made) -> bool {
        let each = |path: &str| {
            let mut own = made.changes.iter().filter(|(known, ..)| known == path);
            let first = own.next().map(|(_, before, _, _)| before);
            let last = made.changes.iter().rfind(|(known, ..)| known == path);
            last.map(|(_, _, after, _)| after) != first
        };
        made.changes
            .iter()
            .all(|(path, before, after, _)| self.is_open(path) && before != after && each(path))
    }

    fn take(&mut self, act: &Act) {
        let looks = matches!(act, Act::Look(_) | Act::Restart | Act::Shorten | Act::Open(..));
        if !looks || matches!(act, Act::Open(_, false)) {
            // Everything is saved before anything else happens to it.
            let saved = std::mem::take(&mut self.unsaved);
            self.look(|_, path| saved.contains_key(path));
        }
        match act {
            Act::Apply(block, way) => {
                if *block < self.deeds.len() && !self.applied().contains(block) {
                    self.apply(&[*block], *way);
                }
            }
            Act::ApplyAll(way) => {
                let applied = self.applied();
                let open: Vec<usize> =
                    (0..self.deeds.len()).filter(|it| !applied.contains(it)).collect();
                self.apply(&open, *way);
            }
            Act::Peek(block) => {
                let deed = self.deeds.get(*block).filter(|_| !self.applied().contains(block));
                let plan = deed.and_then(|deed| self.plan(*deed, &self.files));
                if let Some(changes) = plan {
                    let work = self.work(*block, &changes);
                    self.hand_out(vec![work]);
                    self.peeked = true;
                }
            }
            Act::Type(path) => {
                if self.files[*path] != "/" {
                    self.typed += 1;
                    let text = format!("typed {}", self.typed).replace(' ', "_");
                    let changes = vec![[(*path).to_owned(), self.files[*path].clone(), text]];
                    let changes = self.make(changes, None);
                    self.done.push(Made { changes, operation: None });
                    self.undone.clear();
                }
            }
            Act::ByHand(block) => self.by_hand(*block),
            Act::Undo => self.undo(),
            Act::Redo => self.redo(),
            Act::Checkout(path, back) => self.checkout(path, *back),
            Act::Open(path, true) => _ = self.open.insert(path),
            Act::Open(path, false) => _ = self.open.remove(path),
            Act::Look(bits) => {
                let wanted = |_: &World, path: &str| {
                    let at = PATHS.iter().position(|known| *known == path).unwrap();
                    bits >> at & 1 == 1
                };
                self.look(wanted);
            }
            Act::Restart => self.book.ledger = self.book.again(),
            Act::Shorten => self.book.shorten(),
        }
        self.look_where_it_shows();
    }

    /// The states that a path had and that no undo has removed, the first one first.
    fn states(&self, path: &str) -> Vec<String> {
        let changes = self.done.iter().flat_map(|made| &made.changes);
        let mut own = changes.filter(|(changed, ..)| changed == path).peekable();
        let first = own.peek().map_or(self.files[path].clone(), |(_, before, ..)| before.clone());
        std::iter::once(first).chain(own.map(|(_, _, after, _)| after.clone())).collect()
    }

    fn by_hand(&mut self, block: usize) {
        let Some(deed) = self.deeds.get(block) else { return };
        let Some(changes) = self.plan(*deed, &self.files) else { return };
        let [changed] = changes.as_slice() else { return };
        let [name, before, after] = changed;
        let applied = self.applied();
        let is_same = |path: &String, text: &String| path == name && text == after;
        let gone = || self.gone.iter().filter(|(path, text, _)| is_same(path, text));
        if self.peeked
            || before == after
            || !self.is_open(name)
            || name.contains('/')
            || self.states(name).contains(after)
            || self.undone_texts.iter().any(|(path, text)| is_same(path, text))
            // Nobody can tell which of several changes to the same text is made again, nor whether one is that of a
            // block whose other changes are still there.
            || gone().count() > 1
            || gone().any(|(_, _, owner)| owner.is_some_and(|owner| applied.contains(&owner)))
        {
            return;
        }
        let fits = |it: &usize| {
            !applied.contains(it)
                && self.plan(self.deeds[*it], &self.files).is_some_and(|mut plan| {
                    plan.retain(|[_, before, after]| before != after);
                    plan == changes
                })
        };
        let owner = (0..self.deeds.len()).find(fits);
        let hand: Vec<Work> = (0..self.deeds.len())
            .filter_map(|it| Some(self.work(it, &self.plan(self.deeds[it], &self.files)?)))
            .collect();
        let (name, after) = (name.clone(), after.clone());
        // The ledger is told before: what nobody looked at may hide what was there.
        self.look(|_, path| path == name);
        let changes = self.make(changes, owner);
        self.book.find(&name, &after, false, &hand);
        self.done.push(Made { changes, operation: None });
        self.undone.clear();
    }

    fn undo(&mut self) {
        let Some(made) = self.done.last().cloned() else { return };
        let can_be_seen = self.is_shown(&made) && !self.peeked;
        match made.operation {
            _ if can_be_seen => {}
            Some(id) => {
                // The files are looked at before, as undo does.
                let paths: Vec<String> = made.changes.iter().map(|it| it.0.clone()).collect();
                self.look(|_, path| paths.iter().any(|known| known == path));
                if !self.book.ledger.stands(id) || self.book.ledger.can_undo(id).is_err() {
                    return;
                }
                self.book.take(Event::Undone { operation: id });
            }
            None => return,
        }
        self.done.pop();
        for (path, before, _, _) in made.changes.iter().rev() {
            self.files.insert(path.clone(), before.clone());
        }
        let texts = made.changes.iter().map(|(path, _, after, _)| (path.clone(), after.clone()));
        self.undone_texts.extend(texts);
        let owned = made.changes.iter().filter(|(_, _, _, owner)| owner.is_some());
        self.undone_of_blocks.extend(owned.map(|(path, ..)| path.clone()));
        self.undone.push(made);
    }

    fn redo(&mut self) {
        let Some(made) = self.undone.last().cloned() else { return };
        // A state that was there earlier, too, is taken for that one.
        let is_earlier =
            made.changes.iter().any(|(path, _, after, _)| self.states(path).contains(after));
        match made.operation {
            None if is_earlier => return,
            Some(operation) if is_earlier => self.book.take(Event::Redone { operation }),
            _ if self.is_shown(&made) && !self.peeked => {}
            Some(operation) => self.book.take(Event::Redone { operation }),
            None => return,
        }
        self.undone.pop();
        for (path, _, after, _) in &made.changes {
            self.files.insert(path.clone(), after.clone());
        }
        self.done.push(made);
    }

    fn checkout(&mut self, name: &'static str, back: usize) {
        let states = self.states(name);
        let Some(text) = states.len().checked_sub(back + 1).map(|at| states[at].clone()) else {
            return;
        };
        // What nobody ever saw cannot be known again.
        let changes = self.done.iter().flat_map(|made| &made.changes);
        let blocks = changes.filter(|(path, _, _, owner)| path == name && owner.is_some());
        let is_known =
            blocks.flat_map(|(_, before, after, _)| [before, after]).any(|it| *it == text);
        if states[0] != text && !is_known {
            return;
        }
        if self.peeked || name.contains('/') || text == self.files[name] {
            return;
        }
        // The latest change that led to this text stays. What an operation leaves and changes
        // again was never there.
        let own = |made: &Made| made.changes.iter().filter(|(path, ..)| path == name).count();
        let ends = self.done.iter().scan(0, |sum, made| {
            *sum += own(made);
            Some(*sum)
        });
        let ends: BTreeSet<usize> = ends.chain([0]).collect();
        let places = || (0..states.len()).rev().filter(|at| states[*at] == text);
        let seen = places().find(|at| ends.contains(at));
        let Some(stays) = seen.or_else(|| places().next()) else { return };
        let mut seen = 0;
        for made in &mut self.done {
            made.changes.retain(|(path, _, after, owner)| {
                seen += usize::from(path == name);
                let is_kept = path != name || seen <= stays;
                self.gone.extend((!is_kept).then(|| (path.clone(), after.clone(), *owner)));
                is_kept
            });
            made.operation = None;
        }
        self.done.retain(|made| !made.changes.is_empty());
        self.undone.clear();
        self.files.insert(name.to_owned(), text);
        // What a checkout does to a closed file is seen before anything else is done to it.
        self.look(|_, path| path == name);
    }

    fn found(&self) -> BTreeSet<usize> {
        let is_applied = |block: &usize| {
            let id = super::block(&block.to_string());
            self.book.ledger.standing(&chat(), id, true).applied.is_some()
        };
        (0..self.deeds.len()).filter(is_applied).collect()
    }
}

/// Scripts are short, so there are eight for each case that is asked for.
fn config() -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: 8 * usual.cases, max_shrink_iters: 20_000, ..usual }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn the_ledger_finds_out_who_did_what(
        deeds in prop::collection::vec(deed(), 1..6),
        acts in prop::collection::vec(act(), 1..14),
    ) {
        let (mut often, mut seldom) = (World::new(&deeds, true), World::new(&deeds, false));
        for act in &acts {
            often.take(act);
            seldom.take(act);
            prop_assert_eq!(often.found(), often.applied(), "often, after {:?}", act);
            prop_assert_eq!(&often.files, &seldom.files);
        }
        seldom.look(|_, _| true);
        prop_assert_eq!(seldom.found(), seldom.applied(), "seldom");
        seldom.book.ledger = seldom.book.again();
        seldom.look(|_, _| true);
        prop_assert_eq!(seldom.found(), seldom.applied(), "after a restart");
    }

    #[test]
    fn one_event_says_the_same_as_handed_out_made_and_seen(
        deeds in prop::collection::vec(deed(), 1..12),
    ) {
        let mut files = World::new(&[], false).files;
        let world = World::new(&deeds, false);
        let (mut three, mut one) = (Ledger::default(), Ledger::default());
        for (block, deed) in deeds.iter().enumerate() {
            let Some(changes) = world.plan(*deed, &files) else { continue };
            let works = vec![world.work(block, &changes)];
            World::write_files(&mut files, &changes);
            let id = three.next_id();
            let operation = Operation { id, time: 0, door: Door::Cli, transcript: chat(), works };
            three.hand_over(operation.clone(), 0, &|_| true);
            three.apply(&Event::Claimed { operation: id });
            for path in operation.paths() {
                let last = operation.works[0].transitions.iter().rfind(|it| it.path == *path);
                three.apply(&Event::Seen { path: path.clone(), to: last.unwrap().after });
            }
            one.observe_before(&operation, 0, &|_| true);
            one.apply(&Event::Applied(operation));
            prop_assert!(one.timelines == three.timelines, "after {:?}", deed);
            prop_assert!(one.standing == three.standing, "after {:?}", deed);
            prop_assert!(one.works == three.works && one.in_flight == three.in_flight);
        }
    }

    #[test]
    fn undoing_the_last_first_gives_back_every_earlier_answer(
        deeds in prop::collection::vec(deed(), 1..6),
        acts in prop::collection::vec(act(), 1..14),
    ) {
        let mut world = World::new(&deeds, true);
        let mut answers = vec![world.found()];
        for act in acts.iter().filter(|act| !matches!(act, Act::Undo | Act::Redo | Act::Checkout(..))) {
            let before = world.done.len();
            world.take(act);
            if world.done.len() > before {
                answers.push(world.found());
            }
        }
        while answers.len() > 1 {
            let before = world.done.len();
            world.take(&Act::Undo);
            if world.done.len() == before {
                break;
            }
            answers.pop();
            prop_assert_eq!(Some(&world.found()), answers.last());
        }
    }
}
