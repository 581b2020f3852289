//! A set of dialects, ready to be searched for in one pass.

use std::collections::BTreeMap;
use std::iter;
use std::sync::{Arc, LazyLock};

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem;

use super::{ALL, Dialect};
use crate::dialect::off::NEEDLE as OFF;
use crate::dialect::thought;
use crate::text::Span;

/// Some dialects and the search for all their needles. A clone is cheap.
#[derive(Clone)]
pub struct Dialects {
    list: Arc<[&'static dyn Dialect]>,
    needles: Arc<[Needle]>,
    home: Option<Arc<str>>,
    /// Those that make a document a chat; `None` for one that is known to be a chat.
    strong: Option<Arc<Dialects>>,
    /// Whether nothing is searched for in thoughts.
    pass_over_thoughts: bool,
}

impl Dialects {
    /// Every dialect that the product knows.
    pub fn all() -> &'static Dialects {
        static DIALECTS: LazyLock<Dialects> = LazyLock::new(|| Dialects::new(ALL));
        &DIALECTS
    }

    /// These dialects, in the order in which they are asked about a line.
    pub fn new(list: &[&'static dyn Dialect]) -> Dialects {
        let (list, needles): (Arc<[_]>, _) = (list.into(), needles(list).into());
        Dialects { list, needles, home: None, strong: None, pass_over_thoughts: true }
    }

    /// The same for a document that may not be a chat: the dialects of [chats
    /// only](super::Rules::in_chats_only) are searched for where another one finds something.
    #[must_use]
    pub fn in_any_document(&self) -> Dialects {
        let strong: Vec<_> = self.iter().filter(|it| !it.rules().in_chats_only).collect();
        let strong = Dialects {
            home: self.home.clone(),
            // It is not known in which fence a line is, so a draft makes a document a chat as well.
            pass_over_thoughts: false,
            ..Dialects::new(&strong)
        };
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

    /// Whether nothing is searched for between the tags of a thought.
    pub(crate) fn pass_over_thoughts(&self) -> bool {
        self.pass_over_thoughts
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

    /// Those of which a line holds a needle, in their order: no other one opens a block there.
    pub fn with_needle_in(&self, line: &str) -> impl Iterator<Item = &'static dyn Dialect> + '_ {
        let all_in = |needle: &Needle| needle.all_in(line, 0, line.len());
        self.only(self.needles.iter().map(all_in).fold(Subset::default(), Subset::or))
    }

    /// Some of them, in their order.
    pub(crate) fn only(&self, some: Subset) -> impl Iterator<Item = &'static dyn Dialect> + '_ {
        self.iter().enumerate().filter(move |(at, _)| some.has(*at)).map(|(_, dialect)| dialect)
    }
}

/// Some of the dialects of a set: bit `n` is for the `n`th.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Subset(u32);

impl Subset {
    fn one(at: usize) -> Subset {
        Subset(1 << at)
    }

    fn has(self, at: usize) -> bool {
        self.0 >> at & 1 == 1
    }

    /// Those that are in one of both.
    pub(crate) fn or(self, other: Subset) -> Subset {
        Subset(self.0 | other.0)
    }
}

/// Some needles that are searched for in one go.
pub struct Needle {
    hook: Hook,
    /// The needles; none where the hook is all that is to be found.
    whole: Vec<Whole>,
    /// Whose needles they are.
    of: Subset,
}

/// A part of needles that is searched for as it is. That is much faster than a search for words in
/// any case.
enum Hook {
    /// A byte.
    Sign(u8),
    /// Any of three bytes.
    Signs([u8; 3]),
    /// A text.
    Text(Box<memmem::Finder<'static>>),
    /// Any of some texts.
    Texts(Box<AhoCorasick>),
}

/// A needle with a hook in it.
struct Whole {
    text: &'static [u8],
    /// Where the hook is.
    at: usize,
    any_case: bool,
    /// Whose needle it is.
    of: Subset,
}

impl Needle {
    fn new(hook: Hook) -> Needle {
        Needle { hook, whole: Vec::new(), of: Subset::default() }
    }

    fn push(&mut self, whole: Whole) {
        self.of = self.of.or(whole.of);
        match self
            .whole
            .iter_mut()
            .find(|it| (it.text, it.any_case) == (whole.text, whole.any_case))
        {
            Some(same) => same.of = same.of.or(whole.of),
            None => self.whole.push(whole),
        }
    }

    /// Where it begins next, from `from` on and before `until`.
    pub fn find(&self, text: &str, from: usize, until: usize) -> Option<usize> {
        self.places(text, from, until).map(|(start, _)| start).next()
    }

    /// Whose needles begin from `from` on and before `until`.
    pub(crate) fn all_in(&self, text: &str, from: usize, until: usize) -> Subset {
        let mut found = Subset::default();
        for (_, of) in self.places(text, from, until) {
            found = found.or(of);
            if found == self.of {
                break;
            }
        }
        found
    }

    /// Where needles begin, from `from` on and before `until`, and whose they are. Of those with
    /// the same hook the first counts.
    fn places(
        &self,
        text: &str,
        from: usize,
        until: usize,
    ) -> impl Iterator<Item = (usize, Subset)> {
        // One that begins before that may end after it.
        let end = until.saturating_add(LONGEST).min(text.len());
        let text = &text.as_bytes()[..end];
        let mut next = from;
        let hooks = iter::from_fn(move || {
            let place = next + self.hook.find(&text[next..])?;
            next = place + 1;
            Some(place)
        });
        hooks.filter_map(move |place| self.at(text, place, &(from..until)))
    }

    /// Where the first of the needles begins whose hook is at a place, and whose they all are.
    fn at(&self, text: &[u8], place: usize, within: &Span) -> Option<(usize, Subset)> {
        if self.whole.is_empty() {
            return within.contains(&place).then_some((place, self.of));
        }
        let mut found: Option<(usize, Subset)> = None;
        for whole in &self.whole {
            if let Some(start) = whole.start(text, place).filter(|start| within.contains(start)) {
                let (first, of) = found.unwrap_or((start, Subset::default()));
                found = Some((first.min(start), of.or(whole.of)));
            }
        }
        found
    }
}

impl Hook {
    fn find(&self, text: &[u8]) -> Option<usize> {
        match self {
            Hook::Sign(sign) => memchr::memchr(*sign, text),
            Hook::Signs([a, b, c]) => memchr::memchr3(*a, *b, *c, text),
            Hook::Text(finder) => finder.find(text),
            Hook::Texts(finder) => finder.find(text).map(|found| found.start()),
        }
    }
}

impl Whole {
    fn start(&self, text: &[u8], place: usize) -> Option<usize> {
        let start = place.checked_sub(self.at)?;
        // Most places are told by one byte.
        if !text[start].eq_ignore_ascii_case(&self.text[0]) {
            return None;
        }
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

/// Texts of so many bytes or more are searched for together: a search with vectors compares so many bytes
/// of each with the text at once.
const LONG: usize = 4;

/// The needles of some dialects.
///
/// Those with a rare sign are found together, and so are those with `_`, with `--` and with `!`, and
/// long ones. Of any other one the signs that it begins with are enough, where they are two or more.
fn needles(list: &[&'static dyn Dialect]) -> Vec<Needle> {
    let mut rare = Needle::new(Hook::Signs(RARE));
    let mut shared = ["_", "--", "!"].map(|hook| (hook, Needle::new(text(hook))));
    // Those of the comments and of thoughts are searched for anyway.
    let mut others = BTreeMap::from([(OFF, Subset::default())]);
    for thought in thought::needles() {
        let (text, of) = (thought.as_bytes(), Subset::default());
        match thought.bytes().next().is_some_and(|byte| RARE.contains(&byte)) {
            true => rare.push(Whole { text, at: 0, any_case: false, of }),
            false => _ = others.insert(thought, of),
        }
    }
    for (of, rules) in list.iter().enumerate().map(|(at, it)| (Subset::one(at), it.rules())) {
        let exact = rules.needles.iter().map(|needle| (*needle, false));
        let any_case = rules.needles_any_case.iter().map(|needle| (*needle, true));
        for (needle, any_case) in exact.chain(any_case) {
            let whole = |at| Whole { text: needle.as_bytes(), at, any_case, of };
            if let Some(at) = needle.bytes().position(|byte| RARE.contains(&byte)) {
                rare.push(whole(at));
                continue;
            }
            let mut hooks = shared.iter_mut();
            if let Some((at, found)) = hooks.find_map(|(hook, it)| Some((needle.find(*hook)?, it)))
            {
                found.push(whole(at));
                continue;
            }
            assert!(!any_case, "a needle in any case has a sign that is shared");
            let word = needle.find(|char: char| char.is_ascii_alphanumeric());
            let signs = &needle[..word.unwrap_or(needle.len())];
            let hook = if signs.len() >= 2 { signs } else { needle };
            let found = others.entry(hook).or_default();
            *found = found.or(of);
        }
    }
    let shared = shared.into_iter().map(|(_, needle)| needle).chain([rare]);
    let shared = shared.filter(|needle| !needle.whole.is_empty());
    let (long, short): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|(hook, _)| hook.len() >= LONG);
    let short = short.into_iter().map(|(hook, of)| Needle { of, ..Needle::new(text(hook)) });
    shared.chain(short).chain(together(&long)).collect()
}

/// The needle that is found by any of some texts.
fn together(texts: &[(&'static str, Subset)]) -> Option<Needle> {
    if texts.is_empty() {
        return None;
    }
    // What a search with vectors finds is looked at by the automaton that is the quickest to make.
    let mut builder = AhoCorasick::builder();
    builder.match_kind(MatchKind::LeftmostFirst).kind(Some(AhoCorasickKind::NoncontiguousNFA));
    let finder = builder.build(texts.iter().map(|(text, _)| text)).expect("a few texts");
    let mut needle = Needle::new(Hook::Texts(Box::new(finder)));
    for (text, of) in texts {
        needle.push(Whole { text: text.as_bytes(), at: 0, any_case: false, of: *of });
    }
    Some(needle)
}

fn text(hook: &'static str) -> Hook {
    match hook.as_bytes() {
        [sign] => Hook::Sign(*sign),
        _ => Hook::Text(Box::new(memmem::Finder::new(hook))),
    }
}
