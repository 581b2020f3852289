//! Which structures a target fits, looked up rather than searched for where it fits exactly.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt};

use super::forms::{Called, Form, beginning, canonical, collapsed, without_end};
use super::{Match, Target, inside, numbered};
use crate::outline::Parsed;
use crate::structure::Kind;

/// How many characters of a header are enough.
const ENOUGH: usize = 50;

/// The structures of a file by what they are called exactly.
pub struct Index<'a> {
    pub(super) parsed: &'a Parsed,
    /// By form without modifiers, in the order of the text.
    by_form: HashMap<String, Vec<usize>>,
    /// What each is called by.
    pub(super) called: Vec<Called>,
}

impl<'a> Index<'a> {
    /// The index of a file.
    pub fn new(parsed: &'a Parsed) -> Index<'a> {
        let mut by_form: HashMap<String, Vec<usize>> = HashMap::new();
        let mut called = Vec::with_capacity(parsed.outline.structures.len());
        for (index, structure) in parsed.outline.structures.iter().enumerate() {
            let by = Called::of(parsed.language(), parsed.text(), structure);
            for form in by.exactly(parsed.text(), structure) {
                by_form.entry(form).or_default().push(index);
            }
            called.push(by);
        }
        Index { parsed, by_form, called }
    }

    /// The header of each structure on one line.
    pub fn into_headers(self) -> impl Iterator<Item = String> {
        self.called.into_iter().map(|called| called.header)
    }

    /// What a target fits.
    pub fn find(&self, target: &Target) -> Match {
        if target.lines.is_empty() {
            return Match::File;
        }
        let mut parents: Option<Vec<usize>> = None;
        for (fitted, line) in target.lines.iter().enumerate() {
            let found = self.line(line, parents.as_deref());
            if found.is_empty() {
                return Match::Nothing { fitted, parents: parents.unwrap_or_default() };
            }
            parents = Some(found);
        }
        Match::Structures(parents.unwrap_or_default())
    }

    /// A line without the number of the structure that it takes: a header that really ends so has
    /// none.
    pub fn without_number<'l>(&self, line: &'l str) -> &'l str {
        let is_header = || !self.unnumbered(line, None, true).is_empty();
        numbered(line).filter(|_| !is_header()).map_or(line, |(rest, _)| rest)
    }

    /// What one line fits inside the structures of the line before, or anywhere.
    pub(super) fn line(&self, line: &str, parents: Option<&[usize]>) -> Vec<usize> {
        let whole = self.unnumbered(line, parents, true);
        if !whole.is_empty() {
            return whole;
        }
        let Some((rest, number)) = numbered(line) else {
            return self.unnumbered(line, parents, false);
        };
        let pick = |parents: Option<&[usize]>| {
            let exact = self.unnumbered(rest, parents, true);
            let all = if exact.is_empty() { self.unnumbered(rest, parents, false) } else { exact };
            all.get(number - 1).copied()
        };
        match parents {
            None => pick(None).into_iter().collect(),
            Some(parents) => {
                let mut found: Vec<usize> =
                    parents.iter().filter_map(|parent| pick(Some(&[*parent]))).collect();
                found.sort_unstable();
                found.dedup();
                found
            }
        }
    }

    pub(super) fn unnumbered(
        &self,
        line: &str,
        parents: Option<&[usize]>,
        exactly: bool,
    ) -> Vec<usize> {
        let asked = Form::of(self.parsed.language(), line);
        let mut fitting = match exactly {
            true => self.exact(&asked),
            false => Cow::Owned(self.loose(&asked, line)),
        };
        if exactly && !asked.modifiers.is_empty() {
            let fitting = fitting.to_mut();
            fitting.extend_from_slice(&self.exact(&self.plain(line)));
            fitting.sort_unstable();
            fitting.dedup();
        }
        match parents {
            None => fitting.into_owned(),
            Some(parents) => self.among(&fitting, parents),
        }
    }

    /// A line of which nothing is a modifier: what looks like one may be all of a header, `default`.
    fn plain(&self, line: &str) -> Form {
        let line = without_end(self.parsed.language(), line);
        Form { modifiers: Vec::new(), rest: canonical(line) }
    }

    /// Whether a line fits one structure and no other inside the structure directly around it, or
    /// anywhere. It is looked at no further than that takes: a name may be there thousands of times.
    pub(super) fn fits_alone(&self, line: &str, index: usize, parent: Option<usize>) -> bool {
        let asked = Form::of(self.parsed.language(), line);
        let plain = (!asked.modifiers.is_empty()).then(|| self.plain(line));
        let outline = &self.parsed.outline;
        let range = parent.map_or(0..self.called.len(), |parent| inside(outline, parent));
        let mut fits = false;
        for asked in std::iter::once(&asked).chain(&plain) {
            let known = self.by_form.get(&asked.rest).map(Vec::as_slice).unwrap_or_default();
            let first = known.partition_point(|it| *it < range.start);
            let known = known[first..].iter().take_while(|it| **it < range.end);
            let known = known.filter(|it| asked.asks_within(&self.called[**it].form));
            for found in known {
                let counts = parent.is_none() || outline.structures[*found].parent == parent;
                if counts && *found != index {
                    return false;
                }
                fits |= *found == index;
            }
        }
        fits
    }

    fn exact(&self, asked: &Form) -> Cow<'_, [usize]> {
        let known = self.by_form.get(&asked.rest).map(Vec::as_slice).unwrap_or_default();
        // Who asks for no modifier is content with any.
        if asked.modifiers.is_empty() {
            return Cow::Borrowed(known);
        }
        let fits = |index: &&usize| asked.asks_within(&self.called[**index].form);
        Cow::Owned(known.iter().filter(fits).copied().collect())
    }

    /// Whether the header of a structure goes on where a line ends it: `if a:` of `if a and b:`.
    pub fn goes_on(&self, index: usize, line: &str) -> bool {
        self.begins(index, &Form::of(self.parsed.language(), line).rest)
    }

    fn loose(&self, asked: &Form, line: &str) -> Vec<usize> {
        // A closing says that the header ends there.
        let start = beginning(self.parsed.language(), line);
        let fits = |index: &usize| {
            asked.asks_within(&self.called[*index].form) && self.begins(*index, &start)
                || self.is_long_start(*index, line)
        };
        (0..self.called.len()).filter(fits).collect()
    }

    /// Whether the header, with its keyword or without, begins with `asked` and a word ends there.
    fn begins(&self, index: usize, asked: &str) -> bool {
        let rest = beginning(self.parsed.language(), &self.called[index].header);
        let without_keyword = self.header_from_name(index);
        let after_name = self.after_names(index, without_keyword.as_deref());
        [Some(rest.as_str()), without_keyword.as_deref()].into_iter().flatten().any(|header| {
            let Some(after) = header.strip_prefix(asked) else { return false };
            let part = |char: char| char.is_alphanumeric() || char == '_';
            let word_goes_on = asked.ends_with(part) && after.starts_with(part);
            // The first of several names is not all that is declared.
            let name_goes_on = after.starts_with(',') && after.len() > after_name;
            !asked.is_empty() && !word_goes_on && !name_goes_on
        })
    }

    /// How much of the header is after the name of what may declare several things.
    fn after_names(&self, index: usize, from_name: Option<&str>) -> usize {
        let structure = &self.parsed.outline.structures[index];
        let declares = matches!(structure.kind, Kind::Variable | Kind::Constant | Kind::Field);
        let name = structure.name.filter(|_| declares);
        let after = name.zip(from_name).map(|(name, from_name)| {
            from_name.len().saturating_sub(canonical(name.of(self.parsed.text())).len())
        });
        after.unwrap_or(usize::MAX)
    }

    /// The header from the name on.
    fn header_from_name(&self, index: usize) -> Option<String> {
        let structure = &self.parsed.outline.structures[index];
        let name = structure.name?.start();
        let text = self.parsed.text();
        let pieces = structure.header.iter().filter(|piece| piece.end() > name);
        let pieces: Vec<&str> =
            pieces.map(|piece| &text[piece.start().max(name)..piece.end()]).collect();
        Some(collapsed(&pieces.join(" ")))
    }

    /// Whether the line is the first 50 characters of the header, or of a task without its box.
    fn is_long_start(&self, index: usize, line: &str) -> bool {
        if line.chars().count() < ENOUGH {
            return false;
        }
        let (structure, text) = (&self.parsed.outline.structures[index], self.parsed.text());
        let task = structure.name.filter(|_| structure.kind == Kind::Item);
        let task = task.map(|name| name.of(text));
        let begins = |header: &str| {
            let start: String = header.chars().take(ENOUGH).collect();
            collapsed(&start) == collapsed(line)
        };
        begins(&self.called[index].header) || task.is_some_and(begins)
    }

    /// Those of `fitting` inside the parents: directly, or deeper where none of a parent's own
    /// children fits.
    fn among(&self, fitting: &[usize], parents: &[usize]) -> Vec<usize> {
        let mut found = Vec::new();
        for parent in parents {
            let range = inside(&self.parsed.outline, *parent);
            let first = fitting.partition_point(|index| *index < range.start);
            let last = fitting.partition_point(|index| *index < range.end);
            let deep = &fitting[first..last];
            let is_child =
                |index: &&usize| self.parsed.outline.structures[**index].parent == Some(*parent);
            let direct: Vec<usize> = deep.iter().filter(is_child).copied().collect();
            found.extend(if direct.is_empty() { deep.to_vec() } else { direct });
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
