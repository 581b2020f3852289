//! Which structures a target fits, looked up rather than searched for where it fits exactly.

use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use super::forms::{Form, canonical, exact, without_last_word};
use super::{Match, Target, inside, numbered};
use crate::structure::{Kind, Parsed};

/// How many characters of a header are enough.
const ENOUGH: usize = 50;

/// The structures of a file by what they are called exactly.
pub struct Index<'a> {
    pub(super) parsed: &'a Parsed,
    /// By form without modifiers, in the order of the text.
    by_form: HashMap<String, Vec<usize>>,
    headers: Vec<Form>,
}

impl<'a> Index<'a> {
    /// The index of a file.
    pub fn new(parsed: &'a Parsed) -> Index<'a> {
        let mut by_form: HashMap<String, Vec<usize>> = HashMap::new();
        let mut headers = Vec::with_capacity(parsed.outline.structures.len());
        for (index, structure) in parsed.outline.structures.iter().enumerate() {
            let (header, forms) = exact(parsed.language(), parsed.text(), structure);
            headers.push(header);
            for form in forms {
                by_form.entry(form).or_default().push(index);
            }
        }
        Index { parsed, by_form, headers }
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

    /// What a line fits without a number at its end. Inside a parent: its own children, or deeper
    /// ones where none of these fits.
    fn unnumbered(&self, line: &str, parents: Option<&[usize]>, exactly: bool) -> Vec<usize> {
        let language = self.parsed.language();
        let asked = Form::of(language, line);
        // What looks like a modifier may be all of a header: `default`, `static { … }`.
        let plain = (!asked.modifiers.is_empty()).then(|| Form {
            modifiers: Vec::new(),
            rest: canonical(without_last_word(language, line)),
        });
        let fitting = |range: Range<usize>| match exactly {
            true => self.exact(&asked, plain.as_ref(), range),
            false => self.loose(&asked, line, range),
        };
        let Some(parents) = parents else { return fitting(0..self.headers.len()) };
        let mut found = Vec::new();
        for parent in parents {
            let structures = &self.parsed.outline.structures;
            let deep = fitting(inside(&self.parsed.outline, *parent));
            let is_child = |index: &&usize| structures[**index].parent == Some(*parent);
            let direct: Vec<usize> = deep.iter().filter(is_child).copied().collect();
            found.extend(if direct.is_empty() { deep } else { direct });
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Those in a range whose exact forms have one that is asked for.
    fn exact(&self, asked: &Form, plain: Option<&Form>, range: Range<usize>) -> Vec<usize> {
        let one = |asked: &Form| {
            let known = self.by_form.get(&asked.rest).map(Vec::as_slice).unwrap_or_default();
            let first = known.partition_point(|index| *index < range.start);
            let last = known.partition_point(|index| *index < range.end);
            let fits = |index: &&usize| asked.asks_within(&self.headers[**index]);
            known[first..last].iter().filter(fits).copied().collect::<Vec<usize>>()
        };
        let mut found = one(asked);
        if let Some(plain) = plain {
            found.extend(one(plain));
            found.sort_unstable();
            found.dedup();
        }
        found
    }

    fn loose(&self, asked: &Form, line: &str, range: Range<usize>) -> Vec<usize> {
        let fits = |index: &usize| {
            let header = &self.headers[*index];
            asked.asks_within(header) && self.begins(*index, &asked.rest)
                || self.is_long_start(*index, line)
        };
        range.filter(fits).collect()
    }

    /// Whether the header, with its keyword or without, begins with `asked` and a word ends there.
    fn begins(&self, index: usize, asked: &str) -> bool {
        let rest = self.headers[index].rest.as_str();
        let without_keyword = self.header_from_name(index);
        [Some(rest), without_keyword.as_deref()].into_iter().flatten().any(|header| {
            let Some(after) = header.strip_prefix(asked) else { return false };
            let part = |char: char| char.is_alphanumeric() || char == '_';
            let word_goes_on = asked.ends_with(part) && after.starts_with(part);
            !asked.is_empty() && !word_goes_on
        })
    }

    /// The header from the name on.
    fn header_from_name(&self, index: usize) -> Option<String> {
        let structure = &self.parsed.outline.structures[index];
        let name = structure.name.as_ref()?;
        let text = self.parsed.text();
        let pieces = structure.header.iter().filter(|piece| piece.end > name.start);
        let pieces: Vec<&str> =
            pieces.map(|piece| &text[piece.start.max(name.start)..piece.end]).collect();
        Some(canonical(&pieces.join(" ")))
    }

    /// Whether the line is the first 50 characters of the header, or of a task without its box.
    fn is_long_start(&self, index: usize, line: &str) -> bool {
        if line.chars().count() < ENOUGH {
            return false;
        }
        let (structure, text) = (&self.parsed.outline.structures[index], self.parsed.text());
        let task = structure.name.clone().filter(|_| structure.kind == Kind::Item);
        let task = task.map(|name| &text[name]);
        let begins = |header: &str| {
            let start: String = header.chars().take(ENOUGH).collect();
            canonical(&start) == canonical(line)
        };
        begins(&structure.header_text(text)) || task.is_some_and(begins)
    }
}
