//! A set of dialects, ready to be searched for in one pass.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use memchr::memmem;

use super::{ALL, Dialect};
use crate::dialect::off::NEEDLE as OFF;

/// Some dialects and the search for all their needles. A clone is cheap.
#[derive(Clone)]
pub struct Dialects {
    list: Arc<[&'static dyn Dialect]>,
    needles: Arc<[Needle]>,
    home: Option<Arc<str>>,
    /// Those that make a document a chat; `None` for one that is known to be a chat.
    strong: Option<Arc<Dialects>>,
}

impl Dialects {
    /// Every dialect that the product knows.
    pub fn all() -> &'static Dialects {
        static DIALECTS: LazyLock<Dialects> = LazyLock::new(|| Dialects::new(ALL));
        &DIALECTS
    }

    /// These dialects, in the order in which they are asked about a line.
    pub fn new(list: &[&'static dyn Dialect]) -> Dialects {
        Dialects { list: list.into(), needles: needles(list).into(), home: None, strong: None }
    }

    /// The same for a document that may not be a chat: the dialects of [chats
    /// only](super::Rules::in_chats_only) are searched for where another one finds something.
    #[must_use]
    pub fn in_any_document(&self) -> Dialects {
        let strong: Vec<_> = self.iter().filter(|it| !it.rules().in_chats_only).collect();
        let strong = Dialects { home: self.home.clone(), ..Dialects::new(&strong) };
        Dialects { strong: Some(strong.into()), ..self.clone() }
    }

    /// Whether they are searched for as in a chat.
    pub fn are_of_a_chat(&self) -> bool {
        self.strong.is_none()
    }

    /// Those by which a document is a chat; `None` where it is one anyway.
    pub(crate) fn strong(&self) -> Option<&Dialects> {
        self.strong.as_deref()
    }

    /// Whether it matters in which fence a line is.
    pub(crate) fn follow_fences(&self) -> bool {
        self.iter().any(|dialect| dialect.rules().in_chats_only)
    }

    /// The same for a workspace at this absolute path.
    #[must_use]
    pub fn at_home(&self, home: Option<&str>) -> Dialects {
        let strong = self.strong.as_ref().map(|strong| strong.at_home(home).into());
        Dialects { home: home.map(Into::into), strong, ..self.clone() }
    }

    /// The absolute path of the workspace, where there is one.
    pub fn home(&self) -> Option<&str> {
        self.home.as_deref()
    }

    /// The dialects.
    pub fn iter(&self) -> impl Iterator<Item = &'static dyn Dialect> + '_ {
        self.list.iter().copied()
    }

    /// The dialect of that name.
    pub fn named(&self, name: &str) -> Option<&'static dyn Dialect> {
        self.iter().find(|dialect| dialect.name() == name)
    }

    /// How many lines above a block's first line say something about it in some dialect.
    pub fn looks_back(&self) -> usize {
        self.iter().map(|dialect| dialect.rules().looks_back).max().unwrap_or(0)
    }

    /// What is searched for in a text, each by itself.
    pub fn needles(&self) -> &[Needle] {
        &self.needles
    }
}

/// Some needles that are searched for in one go.
pub struct Needle {
    hook: Hook,
    /// The needles; none where the hook is all that is to be found.
    whole: Vec<Whole>,
}

/// A part of needles that is searched for as it is. That is much faster than a search for words in
/// any case, though there is one for each hook.
enum Hook {
    /// Any of three bytes.
    Signs([u8; 3]),
    /// A text.
    Text(Box<memmem::Finder<'static>>),
}

/// A needle with a hook in it.
struct Whole {
    text: &'static [u8],
    /// Where the hook is.
    at: usize,
    any_case: bool,
}

impl Needle {
    fn new(hook: Hook) -> Needle {
        Needle { hook, whole: Vec::new() }
    }

    /// Where it begins next, from `from` on and before `until`.
    pub fn find(&self, text: &str, from: usize, until: usize) -> Option<usize> {
        // One that begins before that may end after it.
        let end = until.saturating_add(LONGEST).min(text.len());
        let text = &text.as_bytes()[..end];
        let mut next = from;
        loop {
            let place = next + self.hook.find(&text[next..])?;
            if let Some(start) = self.start(text, place).filter(|start| *start >= from) {
                return Some(start).filter(|start| *start < until);
            }
            next = place + 1;
        }
    }

    /// Where the needle begins whose hook is at a place.
    fn start(&self, text: &[u8], place: usize) -> Option<usize> {
        if self.whole.is_empty() {
            return Some(place);
        }
        self.whole.iter().find_map(|whole| whole.start(text, place))
    }
}

impl Hook {
    fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Hook::Signs([a, b, c]) => memchr::memchr3(*a, *b, *c, text),
            Hook::Text(finder) => finder.find(text),
        }
    }
}

impl Whole {
    fn start(&self, text: &[u8], place: usize) -> Option<usize> {
        if self.text[self.at] != text[place] {
            return None;
        }
        let start = place.checked_sub(self.at)?;
        let there = text.get(start..start + self.text.len())?;
        let is_there = match self.any_case {
            true => there.eq_ignore_ascii_case(self.text),
            false => there == self.text,
        };
        is_there.then_some(start)
    }
}

/// No needle is longer, in bytes.
const LONGEST: usize = 32;

/// Signs that are rare in most texts.
const RARE: [u8; 3] = *b"<`~";

/// The needles of some dialects.
///
/// Those with a rare sign are found together, and so are those with `_` and with `--`. Of any other
/// one the signs that it begins with are enough, where they are two or more.
fn needles(list: &[&'static dyn Dialect]) -> Vec<Needle> {
    let mut rare = Needle::new(Hook::Signs(RARE));
    let mut shared = ["_", "--"].map(|hook| (hook, Needle::new(text(hook))));
    // That of the comments is searched for anyway.
    let mut others = BTreeSet::from([OFF]);
    let rules = || list.iter().map(|dialect| dialect.rules());
    let exact = rules().flat_map(|rules| rules.needles).map(|needle| (*needle, false));
    let any_case = rules().flat_map(|rules| rules.needles_any_case).map(|needle| (*needle, true));
    for (needle, any_case) in exact.chain(any_case).filter(|(needle, _)| *needle != OFF) {
        let whole = |at| Whole { text: needle.as_bytes(), at, any_case };
        if let Some(at) = needle.bytes().position(|byte| RARE.contains(&byte)) {
            rare.whole.push(whole(at));
            continue;
        }
        let mut hooks = shared.iter_mut();
        if let Some((at, found)) = hooks.find_map(|(hook, it)| Some((needle.find(*hook)?, it))) {
            found.whole.push(whole(at));
            continue;
        }
        assert!(!any_case, "a needle in any case has a sign that is shared");
        let word = needle.find(|char: char| char.is_ascii_alphanumeric());
        let signs = &needle[..word.unwrap_or(needle.len())];
        others.insert(if signs.len() >= 2 { signs } else { needle });
    }
    let shared = shared.into_iter().map(|(_, needle)| needle).chain([rare]);
    let shared = shared.filter(|needle| !needle.whole.is_empty());
    shared.chain(others.into_iter().map(|hook| Needle::new(text(hook)))).collect()
}

fn text(hook: &'static str) -> Hook {
    Hook::Text(Box::new(memmem::Finder::new(hook)))
}
