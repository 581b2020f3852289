//! Blocks that put different texts in the place of the same one: which of them is meant, only a person can
//! say.

use std::collections::BTreeSet;
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::HashMap;
use foldhash::fast::FixedState;

use super::Status;
use super::check::CheckResult;
use super::entry::{Entry, Pages};
use super::index::Index;
use crate::command::{FileEdit, Step};
use crate::path::FilePath;
use crate::plan::Caution;
use crate::scan::{Block, Rank};
use crate::spec::Effect;

/// Where the other block is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rival {
    /// A block above replaces the same text.
    Above,
    /// A block below does.
    Below,
    /// A block below has changed the file, since a reply has said that this one was not applied.
    Made,
    /// A block above has replaced the text.
    AppliedAbove,
    /// A block below has.
    AppliedBelow,
}

impl Rival {
    /// What is said of a block with such a rival.
    fn says(self) -> &'static str {
        match self {
            Rival::Above => "a block above replaces the same text with another one",
            Rival::Below => "a block below replaces the same text with another one",
            Rival::Made => {
                "it was not applied when the model was told of it, and a block below has changed this file since"
            }
            Rival::AppliedAbove => {
                "a block above was applied instead; it has replaced this text with another one"
            }
            Rival::AppliedBelow => {
                "a block below was applied instead; it has replaced this text with another one"
            }
        }
    }

    /// Whether the other block is applied, and the text is gone with it.
    fn is_applied(self) -> bool {
        matches!(self, Rival::AppliedAbove | Rival::AppliedBelow)
    }

    /// Whether a block with such a rival needs a look, should its text be there.
    pub fn needs_a_look(self) -> bool {
        !self.is_applied()
    }

    /// Has the check result of a block say it: it needs a look, or its text is not there for this reason.
    pub fn mark(self, block: &Block, check_result: &mut CheckResult) {
        if self.is_applied() {
            return check_result.is_replaced(self.says());
        }
        check_result.look_at(block, Caution::conflicts(self.says()));
    }
}

/// A text that a block puts in the place of another one, which is gone then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Swap {
    /// Stands for the file, the text that is there, and what else says where.
    pub place: u64,
    /// Stands for the text that takes its place.
    text: u64,
}

impl Swap {
    /// Those of a block.
    pub fn of(block: &Block) -> Vec<Swap> {
        let steps = block.parsed.command.as_ref().map(|it| it.steps.as_slice());
        let edits = steps.unwrap_or_default().iter().filter_map(|step| match step {
            Step::Edit { path, edit, .. } => Some((path, edit)),
            _ => None,
        });
        edits.flat_map(|(path, edit)| Swap::of_edit(path, edit)).collect()
    }

    fn of_edit(path: &str, edit: &FileEdit) -> Vec<Swap> {
        match edit {
            FileEdit::SearchReplace { search: old, replace: new }
            | FileEdit::Replace { old, new, .. } => {
                let stays = old.is_empty() || new.contains(old);
                (!stays).then(|| Swap::new((path, old), new)).into_iter().collect()
            }
            FileEdit::Hunks(hunks) => {
                let swaps = hunks.iter().filter_map(|hunk| {
                    let [reading] = &hunk.readings[..] else { return None };
                    let (old, new) = (reading.old.text(), reading.new.text());
                    let stays =
                        new.match_indices(old).any(|(at, _)| at == 0 || new[..at].ends_with('\n'));
                    (!stays).then(|| Swap::new((path, old, hunk.line, &hunk.anchors), new))
                });
                swaps.collect()
            }
            _ => Vec::new(),
        }
    }

    fn new(place: impl std::hash::Hash, text: &str) -> Swap {
        let hasher = FixedState::default();
        Swap { place: hasher.hash_one(place), text: hasher.hash_one(text) }
    }
}

/// The blocks for which it may be another that is a rival, or none, where these have changed.
pub fn concerned<'a>(
    changed: impl Iterator<Item = &'a Arc<Entry>>,
    index: &Index,
) -> BTreeSet<Rank> {
    let (mut places, mut paths) = (BTreeSet::new(), BTreeSet::new());
    for entry in changed {
        places.extend(Swap::of(&entry.block).iter().map(|swap| swap.place));
        // Without a reply none was overtaken.
        let watched = entry.watched().filter(|_| index.has_replies());
        paths.extend(watched);
    }
    let replacing = places.into_iter().flat_map(|place| index.replacing(place));
    replacing.chain(paths.into_iter().flat_map(|path| index.at(path))).collect()
}

/// Finds the rivals of blocks.
pub struct Rivals<'a> {
    index: &'a Index,
    pages: &'a Pages,
    places: HashMap<u64, Place>,
    overtaken: HashMap<FilePath, BTreeSet<Rank>>,
}

impl<'a> Rivals<'a> {
    /// Those in a transcript.
    pub fn new(index: &'a Index, pages: &'a Pages) -> Rivals<'a> {
        Rivals { index, pages, places: HashMap::default(), overtaken: HashMap::default() }
    }

    /// Where the rival of a block is, if it has one.
    pub fn of(&mut self, rank: Rank, entry: &Entry) -> Option<Rival> {
        // Whoever is shown one needs a look all the same.
        let swaps = Swap::of(&entry.block).into_iter().filter(|_| !entry.is_shown);
        let other = swaps.filter_map(|swap| self.place(swap.place).rival(rank, swap)).next();
        let other = other.or_else(|| self.applied(rank, entry));
        let is_overtaken = other.is_none()
            && entry.is_told
            && entry.looked_at().iter().any(|path| self.overtaken(path).contains(&rank));
        other.or(is_overtaken.then_some(Rival::Made))
    }

    /// The block that is applied instead of one that has no place any more: all that the latter replaces is
    /// replaced by others.
    fn applied(&mut self, rank: Rank, entry: &Entry) -> Option<Rival> {
        if entry.status != Status::Blocked || entry.inside {
            return None;
        }
        let mut last = None;
        for swap in Swap::of(&entry.block) {
            let (other, text) = self.place(swap.place).applied?;
            if text == swap.text {
                return None;
            }
            last = last.max(Some(other));
        }
        last.map(|last| if last > rank { Rival::AppliedBelow } else { Rival::AppliedAbove })
    }

    fn place(&mut self, place: u64) -> &Place {
        let Rivals { index, pages, places, .. } = self;
        places.entry(place).or_insert_with(|| {
            let mut found = Place::default();
            let all = index.replacing(place).filter_map(|rank| Some((rank, pages.get(rank)?)));
            all.for_each(|(rank, entry)| found.add(rank, entry, place));
            found
        })
    }

    /// The blocks that were not applied when the model was told of them, where a later one has changed a
    /// file since.
    fn overtaken(&mut self, path: &FilePath) -> &BTreeSet<Rank> {
        let Rivals { index, pages, overtaken, .. } = self;
        overtaken.entry(path.clone()).or_insert_with(|| {
            let ranks: BTreeSet<Rank> = index.at(path).collect();
            let entry = |rank: Rank| Some((rank, pages.get(rank)?));
            let entries: Vec<_> = ranks.into_iter().filter_map(entry).collect();
            let is_made = |entry: &Entry| {
                entry.status == Status::Applied && entry.block.parsed.effect == Some(Effect::Write)
            };
            let last = entries.iter().rfind(|(_, entry)| is_made(entry)).map(|(rank, _)| *rank);
            let told = entries.into_iter().filter(|(rank, entry)| {
                let is_open = matches!(entry.status, Status::Ready | Status::Blocked);
                is_open && entry.is_told && !entry.undone && last.is_some_and(|last| *rank < last)
            });
            told.map(|(rank, _)| rank).collect()
        })
    }
}

/// What replaces one text, as far as it is open which block does.
#[derive(Default)]
struct Place {
    /// The last block that replaces it, and with what.
    last: Option<(Rank, u64)>,
    /// The last one that does so with another text.
    other: Option<Rank>,
    /// The last one that is applied, and with what.
    applied: Option<(Rank, u64)>,
}

impl Place {
    /// Takes in a block, in the order of blocks.
    fn add(&mut self, rank: Rank, entry: &Entry, place: u64) {
        let is_closed = matches!(entry.status, Status::Rejected | Status::Superseded);
        if is_closed || entry.inside || entry.is_draft || entry.is_shown {
            return;
        }
        for swap in Swap::of(&entry.block).into_iter().filter(|swap| swap.place == place) {
            if entry.status == Status::Applied {
                self.applied = Some((rank, swap.text));
                continue;
            }
            if let Some((last, text)) = self.last.replace((rank, swap.text))
                && text != swap.text
            {
                self.other = Some(last);
            }
        }
    }

    /// Where a block is that replaces the text otherwise than the block of this rank does.
    fn rival(&self, rank: Rank, swap: Swap) -> Option<Rival> {
        let (last, text) = self.last?;
        let rival = if text == swap.text { self.other? } else { last };
        (rival != rank).then_some(if rival > rank { Rival::Below } else { Rival::Above })
    }
}
