//! What differs between the lines of a hunk and those that are most like them.

use super::like::{self, Budget};

/// Why lines are not at a place that is like them; all but the last two say that nothing else
/// differs in any line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// They are indented alike, and otherwise.
    Indent(Indent),
    /// Numbers of lines are before them, as [`unnumbered`] has them.
    LineNumbers,
    /// Blanks at the ends of lines.
    TrailingBlanks,
    /// Upper and lower case.
    Case,
    /// A character that ways like another one or like nothing: its name.
    LookAlike(&'static str),
    /// The line that differs first differs in these ways: `whitespace`, `quotes`, `case`, `text`.
    Line(Vec<&'static str>),
    /// The lines are there exactly, and the hints exclude the place.
    Excluded,
}

/// How lines must be indented to fit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Indent {
    /// These blanks come before each line.
    Add(String),
    /// These blanks go from the start of each line.
    Remove(String),
}

impl Indent {
    /// The indentation that makes one line of the other; `None` where more differs.
    fn between(there: &str, searched: &str) -> Option<Indent> {
        let blanks = |text: &str| text.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        let added = there.strip_suffix(searched).filter(|added| blanks(added));
        let removed = searched.strip_suffix(there).filter(|removed| blanks(removed));
        let add = added.map(|added| Indent::Add(added.to_owned()));
        add.or_else(|| removed.map(|removed| Indent::Remove(removed.to_owned())))
    }

    /// A line indented so, a blank one as it is; `None` where it lacks what is removed.
    pub fn line(&self, line: &str) -> Option<String> {
        match self {
            _ if line.trim().is_empty() => Some(line.to_owned()),
            Indent::Add(added) => Some(format!("{added}{line}")),
            Indent::Remove(removed) => line.strip_prefix(removed.as_str()).map(str::to_owned),
        }
    }
}

/// What still may be all that differs, the first before the others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    Indent,
    LineNumbers,
    TrailingBlanks,
    Case,
    LookAlike,
}

const WAYS: [Way; 5] =
    [Way::Indent, Way::LineNumbers, Way::TrailingBlanks, Way::Case, Way::LookAlike];

/// Lines of the file laid beside those of a hunk.
pub(super) struct Laid<'a> {
    /// The line of the file at each of them, if there is one.
    pub there: Vec<Option<&'a str>>,
    pub searched: &'a [&'a str],
    /// The searched lines without numbers, if all of them have one.
    pub bare: Option<&'a [&'a str]>,
}

impl Laid<'_> {
    /// The first line that differs, and how all do, as far as the budget goes.
    pub(super) fn difference(&self, budget: &mut Budget) -> Option<(usize, Difference)> {
        let pairs = self.there.iter().zip(self.searched);
        let first = pairs.into_iter().position(|(there, searched)| *there != Some(searched))?;
        let (there, searched) = (self.there[first].unwrap_or_default(), self.searched[first]);
        let indent = Indent::between(there, searched);
        let difference = match (self.only_way(&indent, budget), indent) {
            (Some(Way::Indent), Some(indent)) => Difference::Indent(indent),
            (Some(Way::LineNumbers), _) => Difference::LineNumbers,
            (Some(Way::TrailingBlanks), _) => Difference::TrailingBlanks,
            (Some(Way::Case), _) => Difference::Case,
            (Some(Way::LookAlike), _) => {
                let name = like::deceptive(there).or_else(|| like::deceptive(searched));
                Difference::LookAlike(name.map_or("a character", |(_, name)| name))
            }
            _ => Difference::Line(like::differs(there, searched)),
        };
        Some((first, difference))
    }

    /// The first way that is all in which the lines differ.
    fn only_way(&self, indent: &Option<Indent>, budget: &mut Budget) -> Option<Way> {
        let mut ways = WAYS.to_vec();
        for (at, searched) in self.searched.iter().enumerate() {
            let there = self.there.get(at).copied().flatten()?;
            if ways.is_empty() || !budget.take(there.len().min(searched.len()) + 1) {
                return None;
            }
            ways.retain(|way| self.holds(*way, there, at, indent));
        }
        ways.first().copied()
    }

    /// Whether one line differs in this alone, or not at all.
    fn holds(&self, way: Way, there: &str, at: usize, indent: &Option<Indent>) -> bool {
        let searched = self.searched[at];
        match way {
            Way::Indent => {
                let indented = indent.as_ref().and_then(|indent| indent.line(searched));
                indented.is_some_and(|line| line == there)
            }
            Way::LineNumbers => self.bare.is_some_and(|bare| bare[at] == there),
            Way::TrailingBlanks => there.trim_end() == searched.trim_end(),
            Way::Case => {
                let lower = |char: char| char.to_lowercase();
                there.chars().flat_map(lower).eq(searched.chars().flat_map(lower))
            }
            Way::LookAlike => like::plain(there).eq(like::plain(searched)),
        }
    }
}

/// The lines without the numbers before them, as in `12 | text`, `12: text` or `12`, a tab and the
/// text; `None` unless each line has one, and they count up.
pub fn unnumbered<'h>(lines: &[&'h str]) -> Option<Vec<&'h str>> {
    let mut before = None;
    let mut bare = Vec::with_capacity(lines.len());
    for line in lines {
        let (number, text) = numbered(line)?;
        if before.is_some_and(|before: u64| before.checked_add(1) != Some(number)) {
            return None;
        }
        before = Some(number);
        bare.push(text);
    }
    before.map(|_| bare)
}

/// The number before a line, and the line. The blank after the mark goes with it.
fn numbered(line: &str) -> Option<(u64, &str)> {
    let line = line.trim_start_matches([' ', '\t']);
    let digits = line.len() - line.trim_start_matches(|char: char| char.is_ascii_digit()).len();
    let number = line[..digits].parse().ok()?;
    let rest = &line[digits..];
    if let Some(text) = rest.strip_prefix(['\t', '→']) {
        return Some((number, text));
    }
    let text = rest.trim_start_matches(' ').strip_prefix(['|', ':', '│'])?;
    Some((number, text.strip_prefix(' ').unwrap_or(text)))
}
