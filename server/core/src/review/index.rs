//! Where in the transcript each id, reply and path is, so that an edit finds the far blocks
//! that it changes something for.
//!
//! The index holds exactly what the entries and the replies of the last review say, each with its
//! rank; it notes what has come and gone since it was last told to forget.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::entry::{Entry, Use};
use super::rivals::Swap;
use crate::command::Command;
use crate::dialect::{ReplyStyle, Said};
use crate::fingerprint::Fingerprint;
use crate::path::FilePath;
use crate::scan::{Block, Rank};

type IdKey = (String, &'static str, Rank);
type FamilyKey = (&'static str, Rank);
type PathKey = (FilePath, Use, Rank);

/// What one reply says of one command.
#[derive(Clone)]
pub struct Answered {
    reply: Arc<Block>,
    nth: usize,
}

impl Answered {
    /// What is said.
    pub fn said(&self) -> &Said {
        &self.reply.parsed.says[self.nth]
    }

    /// Whether another one is the same place of the same reply.
    pub fn is(&self, other: &Answered) -> bool {
        Arc::ptr_eq(&self.reply, &other.reply) && self.nth == other.nth
    }
}

/// Where everything is by which blocks concern one another.
#[derive(Default)]
pub struct Index {
    ids: BTreeSet<IdKey>,
    /// The blocks by their text.
    texts: BTreeSet<(Fingerprint, Rank)>,
    /// What is said of commands, by what replies name them by.
    replies: BTreeMap<(String, Rank), Answered>,
    /// The fingerprints that replies state, each with the reply's rank and the command's name.
    stated: BTreeSet<(Fingerprint, Rank, String)>,
    /// The commands of the families that are answered answer by answer.
    commands: BTreeSet<FamilyKey>,
    /// The replies to those.
    answers: BTreeMap<FamilyKey, Arc<Block>>,
    paths: BTreeSet<PathKey>,
    /// The blocks by the texts that they replace.
    swaps: BTreeSet<(u64, Rank)>,
    /// How many blocks search trees.
    trees: usize,
    /// How many blocks wait for others.
    waiting: usize,
    /// How many blocks find their place by line numbers alone.
    counting: usize,
    ids_changed: Changes<IdKey>,
    texts_changed: BTreeSet<Fingerprint>,
    replies_changed: Changes<(String, Rank, Fingerprint)>,
    commands_changed: Changes<FamilyKey>,
    paths_changed: Changes<PathKey>,
}

/// What was added or removed, and not both.
struct Changes<K> {
    /// `None` where nobody asks.
    keys: Option<BTreeSet<K>>,
}

impl<K> Default for Changes<K> {
    fn default() -> Changes<K> {
        Changes { keys: Some(BTreeSet::new()) }
    }
}

impl<K: Ord + Clone> Changes<K> {
    fn note(&mut self, key: &K) {
        if let Some(keys) = &mut self.keys
            && !keys.remove(key)
        {
            keys.insert(key.clone());
        }
    }

    fn iter(&self) -> impl Iterator<Item = &K> {
        self.keys.iter().flatten()
    }
}

impl Index {
    /// Takes a block in, or out where it is not `there` any more.
    pub fn set_block(&mut self, rank: Rank, block: &Block, there: bool) {
        self.texts_changed.insert(block.digest);
        set(&mut self.texts, (block.digest, rank), there);
        if is_per_answer(block) {
            let key = (block.dialect.rules().family, rank);
            self.commands_changed.note(&key);
            set(&mut self.commands, key, there);
        }
        if block.parsed.command.as_ref().is_some_and(Command::counts_lines) {
            self.counting = if there { self.counting + 1 } else { self.counting - 1 };
        }
        for swap in Swap::of(block) {
            set(&mut self.swaps, (swap.place, rank), there);
        }
        let Some(id) = block.answered_as() else { return };
        let key = (id.to_owned(), block.dialect.name(), rank);
        self.ids_changed.note(&key);
        set(&mut self.ids, key, there);
    }

    /// Takes in what a reply says, or out where it is not there any more.
    pub fn set_reply(&mut self, rank: Rank, reply: &Arc<Block>, there: bool) {
        if is_per_answer(reply) {
            let key = (reply.dialect.rules().family, rank);
            match there {
                true => _ = self.answers.insert(key, reply.clone()),
                false => _ = self.answers.remove(&key),
            }
        }
        for (nth, said) in reply.parsed.says.iter().enumerate() {
            let key = (said.of.clone(), rank);
            // A reply may name a command twice.
            let is_change = match there {
                true => self.replies.insert(key, Answered { reply: reply.clone(), nth }).is_none(),
                false => self.replies.remove(&key).is_some(),
            };
            if is_change {
                self.replies_changed.note(&(said.of.clone(), rank, reply.digest));
            }
            for fingerprint in &said.claim.stated {
                set(&mut self.stated, (*fingerprint, rank, said.of.clone()), there);
            }
        }
    }

    /// Takes in what an entry looks at and waits for, or out where it does not any more.
    pub fn set_entry(&mut self, rank: Rank, entry: &Entry, there: bool) {
        let count = |number: &mut usize| if there { *number += 1 } else { *number -= 1 };
        if entry.waits() {
            count(&mut self.waiting);
        }
        for (path, how) in entry.uses() {
            let key = (path.clone(), how, rank);
            self.paths_changed.note(&key);
            if set(&mut self.paths, key, there) && how == Use::Searches {
                count(&mut self.trees);
            }
        }
    }

    /// Forgets what has changed, and notes what does from now on.
    pub fn settle(&mut self) {
        (self.ids_changed, self.replies_changed) = Default::default();
        (self.commands_changed, self.paths_changed) = Default::default();
    }

    /// Notes no change until it is settled: every block is looked at anyway.
    pub fn note_nothing(&mut self) {
        self.ids_changed.keys = None;
        self.replies_changed.keys = None;
        self.commands_changed.keys = None;
        self.paths_changed.keys = None;
    }

    /// The blocks whose text has come or gone somewhere, each with its number among equal ones.
    pub fn numbered(&mut self) -> Vec<(Rank, u32)> {
        let changed = std::mem::take(&mut self.texts_changed);
        let of = |text: &Fingerprint| {
            let equal = self.texts.range((*text, 0)..=(*text, Rank::MAX));
            equal.zip(0..).map(|((_, rank), nth)| (*rank, nth))
        };
        changed.iter().flat_map(of).collect()
    }

    /// Whether some block waits for others.
    pub fn has_waiting(&self) -> bool {
        self.waiting > 0
    }

    /// Whether some block finds its place by line numbers alone.
    pub fn has_counting(&self) -> bool {
        self.counting > 0
    }

    /// The blocks that replace a text, in order.
    pub fn replacing(&self, place: u64) -> impl Iterator<Item = Rank> {
        self.swaps.range((place, 0)..=(place, Rank::MAX)).map(|(_, rank)| *rank)
    }

    /// Whether something is said of commands.
    pub fn has_replies(&self) -> bool {
        !self.replies.is_empty()
    }

    /// Whether a later block is in this one's place.
    pub fn is_superseded(&self, rank: Rank, block: &Block) -> bool {
        let Some(id) = block.parsed.id.as_ref().filter(|_| block.dialect.rules().ids_are_unique)
        else {
            return false;
        };
        self.next_of(rank, id, block).is_some()
    }

    /// Whether the reply to a block asks for it again, and a later answer follows that reply.
    pub fn is_asked_again(&self, rank: Rank, block: &Block) -> bool {
        let Some(name) = block.answered_as().filter(|_| is_per_answer(block)) else {
            return false;
        };
        let below = |until| self.replies.range((name.to_owned(), rank)..(name.to_owned(), until));
        let Some(((_, first), _)) = below(Rank::MAX).next() else { return false };
        let family = block.dialect.rules().family;
        let later = self.commands.range((family, *first)..=(family, Rank::MAX)).next();
        let last = later.and_then(|(_, later)| below(*later).next_back());
        last.is_some_and(|(_, answered)| answered.said().claim.again)
    }

    /// What a reply below a block says of it, where one answers it.
    ///
    /// Of several the last one counts, as a command may be answered again. A reply to a whole
    /// transcript repeats what earlier ones say, so there the first one counts.
    pub fn reply(&self, rank: Rank, block: &Block) -> Option<&Answered> {
        let name = block.answered_as().filter(|_| !self.replies.is_empty())?;
        let style = block.dialect.rules().reply;
        let last = match style {
            ReplyStyle::InPlace { .. } => self.next_of(rank, name, block).map(|next| next - 1),
            _ => None,
        };
        let last = (name.to_owned(), last.unwrap_or(Rank::MAX));
        let mut below = self.replies.range((name.to_owned(), rank)..=last);
        let is_first = matches!(style, ReplyStyle::PerTranscript { .. });
        let found = if is_first { below.next() } else { below.next_back() };
        found.map(|(_, answered)| answered)
    }

    /// Whether a reply above a block states a fingerprint.
    pub fn is_stated_before(&self, rank: Rank, fingerprint: Fingerprint) -> bool {
        let above = (fingerprint, 0, String::new())..(fingerprint, rank, String::new());
        self.stated.range(above).next().is_some()
    }

    /// The next block of the same dialect with that id.
    fn next_of(&self, rank: Rank, id: &str, block: &Block) -> Option<Rank> {
        let key = |rank| (id.to_owned(), block.dialect.name(), rank);
        self.ids.range(key(rank + 1)..=key(Rank::MAX)).next().map(|(_, _, rank)| *rank)
    }

    /// The blocks that an id or reply that has come or gone may say something of.
    ///
    /// Of the blocks with an id only the last before the change can be another's predecessor now
    /// that was not before, or the other way round; and a reply counts for any of them.
    pub fn concerned(&self) -> Vec<Rank> {
        let before = self.ids_changed.iter().filter_map(|(id, dialect, rank)| {
            let before = (id.clone(), *dialect, 0)..(id.clone(), *dialect, *rank);
            self.ids.range(before).next_back().map(|(_, _, rank)| *rank)
        });
        let answered = self.replies_changed.iter().flat_map(|(id, _, _)| {
            let from = self.ids.range((id.clone(), "", 0)..);
            from.take_while(move |key| key.0 == *id).map(|(_, _, rank)| *rank)
        });
        let asked = self.asked_by_changed().flat_map(|name| {
            let from = self.ids.range((name.to_owned(), "", 0)..);
            from.take_while(move |key| key.0 == name).map(|(_, _, rank)| *rank)
        });
        before.chain(answered).chain(asked).collect()
    }

    /// What the replies right before a command that has come or gone name commands by: whether a
    /// later answer follows those replies may have changed.
    fn asked_by_changed(&self) -> impl Iterator<Item = &str> {
        let replies = self.commands_changed.iter().flat_map(|(family, rank)| {
            let before = self.commands.range((*family, 0)..(*family, *rank)).next_back();
            let from = before.map_or(0, |(_, before)| *before);
            self.answers.range((*family, from)..(*family, *rank))
        });
        replies.flat_map(|(_, reply)| reply.parsed.says.iter().map(|said| &*said.of))
    }

    /// Whether something before a block reads a file.
    pub fn is_read_before(&self, rank: Rank, path: &FilePath) -> bool {
        self.is_used_before(rank, path, Use::Reads) || self.is_searched_before(rank, path)
    }

    fn is_searched_before(&self, rank: Rank, path: &FilePath) -> bool {
        let mut around = ancestors(path).filter(|_| self.trees > 0);
        around.any(|path| self.is_used_before(rank, &path, Use::Searches))
    }

    fn is_used_before(&self, rank: Rank, path: &FilePath, how: Use) -> bool {
        let before = (path.clone(), how, 0)..(path.clone(), how, rank);
        self.paths.range(before).next().is_some()
    }

    /// The blocks that a read or a search that has come or gone may make the first of its file,
    /// or no longer the first.
    ///
    /// After a read only the next one can be, and after a search none where an earlier search
    /// covers it.
    pub fn read_after(&self) -> Vec<Rank> {
        let mut after = Vec::new();
        for (path, how, rank) in self.paths_changed.iter() {
            match how {
                Use::Reads => {
                    let key = |rank| (path.clone(), Use::Reads, rank);
                    let next = self.paths.range(key(rank + 1)..=key(Rank::MAX)).next();
                    after.extend(next.map(|(_, _, rank)| *rank));
                }
                Use::Searches if !self.is_searched_before(*rank, path) => {
                    let reads = self.within(path).filter(|(_, how, _)| *how == Use::Reads);
                    after.extend(reads.map(|(_, _, rank)| *rank).filter(|later| later > rank));
                }
                Use::Searches | Use::Other => {}
            }
        }
        after
    }

    /// The blocks that look at a path.
    pub fn at(&self, path: &FilePath) -> impl Iterator<Item = Rank> {
        let all = (path.clone(), Use::Reads, 0)..=(path.clone(), Use::Other, Rank::MAX);
        self.paths.range(all).map(|(_, _, rank)| *rank)
    }

    /// Every look at a path or at something below it.
    pub fn within(&self, path: &FilePath) -> impl Iterator<Item = &PathKey> {
        // The digit zero is the character after the slash.
        let (from, to) = match &*path.path {
            "" => (FilePath::new(path.root, ""), FilePath::new(path.root + 1, "")),
            dir => {
                let below = |end: char| FilePath::new(path.root, format!("{dir}{end}"));
                (below('/'), below('0'))
            }
        };
        let itself = (path.clone(), Use::Reads, 0)..=(path.clone(), Use::Other, Rank::MAX);
        let itself = self.paths.range(itself).filter(|(path, _, _)| !path.path.is_empty());
        itself.chain(self.paths.range((from, Use::Reads, 0)..(to, Use::Reads, 0)))
    }

    /// The blocks that look at a path, at a directory around it, or at something below it.
    pub fn near(&self, path: &FilePath) -> Vec<Rank> {
        let around = ancestors(path).skip(1);
        let around = around.flat_map(|path| self.at(&path).collect::<Vec<_>>());
        around.chain(self.within(path).map(|(_, _, rank)| *rank)).collect()
    }
}

/// Whether a block is of a family in which one reply answers an answer.
fn is_per_answer(block: &Block) -> bool {
    block.dialect.rules().reply == ReplyStyle::PerAnswer
}

fn set<K: Ord>(keys: &mut BTreeSet<K>, key: K, there: bool) -> bool {
    if there { keys.insert(key) } else { keys.remove(&key) }
}

/// A path and the directories around it.
pub fn ancestors(path: &FilePath) -> impl Iterator<Item = FilePath> {
    std::iter::successors(Some(path.clone()), FilePath::parent)
}
