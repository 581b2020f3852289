//! A set of dialects, ready to be looked for in one pass.

use std::sync::{Arc, LazyLock};

use aho_corasick::AhoCorasick;

use super::{ALL, Dialect};

/// Some dialects and the search for all their needles. A clone is cheap.
#[derive(Clone)]
pub struct Dialects {
    list: Arc<[&'static dyn Dialect]>,
    needles: Arc<AhoCorasick>,
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
        let needles = list.iter().flat_map(|dialect| dialect.needles());
        let needles = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(needles)
            .expect("a few short needles are far below the automaton's limits");
        Dialects { list: list.into(), needles: Arc::new(needles), home: None }
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

    /// Where the next needle begins, at `from` or after it.
    pub fn next_needle(&self, text: &str, from: usize) -> Option<usize> {
        let input = aho_corasick::Input::new(text).span(from..text.len());
        self.needles.find(input).map(|found| found.start())
    }
}
