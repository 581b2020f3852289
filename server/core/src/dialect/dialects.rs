//! A set of dialects, ready to be searched for in one pass.

use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;
use memchr::memmem;

use super::{ALL, Dialect};
use crate::dialect::off::NEEDLE as OFF;

/// Some dialects and the search for all their needles. A clone is cheap.
#[derive(Clone)]
pub struct Dialects {
    list: Arc<[&'static dyn Dialect]>,
    needles: Arc<[Needle]>,
    home: Option<Arc<str>>,
}

impl Dialects {
    /// Every dialect that the product knows.
    pub fn all() -> &'static Dialects {
        static DIALECTS: LazyLock<Dialects> = LazyLock::new(|| Dialects::new(ALL));
        &DIALECTS
    }

    /// These dialects, in the order in which they are asked about a line.
    pub fn new(list: &[&'static dyn Dialect]) -> Dialects {
        Dialects { list: list.into(), needles: needles(list).into(), home: None }
    }

    /// The same for a workspace at this absolute path.
    #[must_use]
    pub fn at_home(&self, home: Option<&str>) -> Dialects {
        Dialects { home: home.map(Into::into), ..self.clone() }
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

    /// What is searched for in a text, each by itself: together they would be searched byte by byte.
    pub fn needles(&self) -> &[Needle] {
        &self.needles
    }
}

/// One thing that is searched for in a text.
pub enum Needle {
    /// A text without letters.
    Exact(Box<memmem::Finder<'static>>),
    /// Any of some texts, in any case.
    Folded(AhoCorasick),
}

impl Needle {
    /// Where it begins next, from `from` on and before `until`.
    pub fn find(&self, text: &str, from: usize, until: usize) -> Option<usize> {
        // One that begins before that may end after it.
        let end = until.saturating_add(LONGEST).min(text.len());
        let found = match self {
            Needle::Exact(finder) => {
                finder.find(&text.as_bytes()[from..end]).map(|found| from + found)
            }
            Needle::Folded(automaton) => {
                let input = aho_corasick::Input::new(text.as_bytes()).span(from..end);
                automaton.find(input).map(|found| found.start())
            }
        };
        found.filter(|at| *at < until)
    }
}

/// No needle is longer, in bytes.
const LONGEST: usize = 32;

/// The needles of some dialects. Of one that begins with signs the signs are enough to look for.
fn needles(list: &[&'static dyn Dialect]) -> Vec<Needle> {
    let all = || list.iter().flat_map(|dialect| dialect.rules().needles.iter().copied());
    let signs = |needle: &'static str| {
        let end = needle.find(|char: char| char.is_ascii_alphanumeric() || char == '_');
        Some(&needle[..end.unwrap_or(needle.len())]).filter(|signs| signs.len() >= 2)
    };
    let mut exact: Vec<&str> = all().filter_map(signs).collect();
    exact.sort_unstable();
    exact.dedup();
    // That of the comments is searched for anyway.
    let folded = all().filter(|needle| signs(needle).is_none() && *needle != OFF);
    let folded: Vec<&str> = folded.collect();
    let mut needles: Vec<Needle> = exact
        .into_iter()
        .map(|signs| Needle::Exact(Box::new(memmem::Finder::new(signs))))
        .collect();
    needles.push(Needle::Exact(Box::new(memmem::Finder::new(OFF))));
    if !folded.is_empty() {
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(folded);
        let automaton = automaton.expect("a few short needles are far below its limits");
        needles.push(Needle::Folded(automaton));
    }
    needles
}
