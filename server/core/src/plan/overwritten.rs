//! What the new text of a whole file says of itself: that it is not whole, or does not parse.

use std::collections::{BTreeSet, HashSet};

use super::caution::{COUNTED, Caution, Reason, counts};
use super::context::shown;
use super::odd_lines::breaks;
use super::placeholder::is_dots;
use crate::edit::line_hunks;
use crate::outline::Parsed;
use crate::path::FilePath;
use crate::snapshot::Snapshot;
use crate::structure::elision;
use crate::syntax::{Grammar, Language, Tree};
use crate::text::Content;
use crate::text::one_line::{count, excerpt};

/// Of a file with fewer lines that are not blank, all may be new, where there are as many or just one.
const FEW_LINES: usize = 3;

/// So many lines of code less are not only written in another way.
const MUCH: usize = 3;

/// So many lines without indentation less may be those of structures.
const MANY_OUTER: usize = 2;

/// What a block says of the text that takes the place of a file's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Says {
    /// That it is all of the file: what is not in it is meant to go.
    Whole,
    /// Nothing: a fence names the file.
    Nothing,
    /// That it may be a part of the file.
    MayBePart,
}

/// Why the text that takes the place of a file's whole text needs a look, if it does; one that may be a
/// part of the file does where it is shorter or mostly new, too.
pub(super) fn caution(
    path: &FilePath,
    (before, after): (&Content, &Content),
    block: Says,
    snapshot: &dyn Snapshot,
) -> Option<Caution> {
    if before.len() + after.len() > COUNTED {
        return None;
    }
    let language = operator_grammars::of_file(&path.path, before.text.lines().next().unwrap_or(""));
    let over = Over { before: &before.text, after: &after.text, language };
    let says = |reason, what: String| {
        let counts = counts(over.before, over.after);
        let message = format!("it overwrites `{}`{counts}, and {what}", shown(path));
        Some(Caution::of_content(reason, message))
    };
    if let Some(what) = over.loses_lines().filter(|_| block != Says::Whole) {
        return says(Reason::ShrinksFile, what);
    }
    if block == Says::MayBePart && (over.is_shorter() || over.is_mostly_new()) {
        let what = "the block does not say that this is all of it".to_owned();
        return says(Reason::ShrinksFile, what);
    }
    if let Some(what) = over.leaves_out() {
        return says(Reason::LeavesOut, what);
    }
    let language = language.filter(|language| elision::resolves(language))?;
    let mut patience = snapshot.patience(after.len());
    let tree = Tree::parse(Grammar::of(language), &after.text, &mut *patience).ok()?;
    let stand_in = over.stand_in(over.after, &trimmed(over.before).collect());
    let loses_outer = over.outer_lines_lost() >= MANY_OUTER;
    // The structures are looked at only where they may say something.
    let is_looked_at = stand_in.is_some() || over.is_mostly_new() || loses_outer;
    if !tree.root().has_error() && !is_looked_at {
        return None;
    }
    let old = snapshot.parsed(path, language, before.clone()).ok()?;
    let new = Parsed::new(language, Content::plain(after.text.clone()), &mut *patience).ok()?;
    if let Some(what) = breaks(&old, &new) {
        return says(Reason::SyntaxErrors, what);
    }
    let lost = loses_structures(&old, &new, stand_in, over.is_mostly_new());
    let lost = lost.or_else(|| {
        let what = outer_lost(&old, &new).filter(|_| loses_outer)?;
        Some((Reason::ShrinksFile, what))
    });
    let (reason, what) = lost?;
    if block == Says::Whole && reason == Reason::ShrinksFile { None } else { says(reason, what) }
}

/// That two structures directly in the file are gone and none come, or all code above the first one is.
fn outer_lost(old: &Parsed, new: &Parsed) -> Option<String> {
    let (known, left) = (outer(old), outer(new));
    let mut gone = known.iter().filter(|it| !left.contains(it));
    let more = known.len().saturating_sub(left.len());
    if let Some(first) = gone.next().filter(|_| more > 1) {
        let first = excerpt(first, 60);
        return Some(format!("`{first}` and {} are gone", count(more - 1, "more structure")));
    }
    let (above, left) = (head(old), head(new));
    let first = above.first().filter(|_| left.is_empty() && !has_any(new, &above))?;
    Some(format!("`{}` and all code above the first structure is gone", excerpt(first, 60)))
}

/// The names of the structures directly in a file.
fn outer(parsed: &Parsed) -> Vec<&str> {
    let structures = &parsed.outline.structures;
    let outer = parsed.outline.children(None).filter_map(|at| structures[at].name);
    outer.map(|name| name.of(parsed.text())).collect()
}

/// The lines of code above the first structure of a file.
fn head(parsed: &Parsed) -> Vec<&str> {
    let first = parsed.outline.children(None).next();
    let first = first.map_or(0, |at| parsed.outline.structures[at].extent.start);
    let is_code = |line: &&str| {
        line.contains(char::is_alphanumeric)
            && elision::comment(line, Some(parsed.language())).is_none()
    };
    trimmed(&parsed.text()[..first]).filter(is_code).collect()
}

/// Whether some of these lines are in a text.
fn has_any(parsed: &Parsed, lines: &[&str]) -> bool {
    trimmed(parsed.text()).any(|line| lines.contains(&line))
}

/// A text in the place of another one.
struct Over<'a> {
    before: &'a str,
    after: &'a str,
    language: Option<&'static Language>,
}

impl Over<'_> {
    /// That no line stays, or that only a run of the old lines does.
    fn loses_lines(&self) -> Option<String> {
        let filled = |text| str::lines(text).filter(|line| !line.trim().is_empty());
        let joined = |text| filled(text).fold("\n".to_owned(), |all, line| all + line + "\n");
        let (old, new) = (joined(self.before), joined(self.after));
        if new.len() < old.len() && old.contains(&new) {
            let lines = count(filled(self.after).count(), "line");
            return Some(format!("the new text is a part of it, {lines}"));
        }
        let known: HashSet<&str> = new.lines().map(str::trim).collect();
        let is_gone =
            |line: &str| !line.contains(char::is_alphanumeric) || !known.contains(line.trim());
        let lines = filled(self.before).count();
        let is_much = lines >= FEW_LINES || filled(self.after).count() < lines;
        (is_much && old.lines().all(is_gone)).then(|| "none of its lines stays".to_owned())
    }

    /// Whether lines are fewer.
    fn is_shorter(&self) -> bool {
        trimmed(self.after).count() < trimmed(self.before).count()
    }

    /// That a comment or dots are in the place of code: all that is there, or below what is left of it.
    fn leaves_out(&self) -> Option<String> {
        let known = trimmed(self.before).collect();
        let hunks = line_hunks(self.before, self.after);
        hunks.into_iter().find_map(|(old, new)| {
            let (old, new) = (&self.before[old], &self.after[new]);
            let is_code =
                |line: &&str| line.contains(char::is_alphanumeric) && !self.is_comment(line);
            let code = trimmed(old).find(is_code)?;
            let count = |text| trimmed(text).filter(is_code).count();
            let left = count(new);
            let is_short = left == 0 || left + MUCH <= count(old);
            let line = self.stand_in(new, &known).filter(|_| is_short)?;
            let (line, code) = (excerpt(line, 80), excerpt(code, 80));
            Some(format!("`{line}` is in the place of `{code}`"))
        })
    }

    /// The last line of a text that is new and is dots, or a comment that is not an old line and not
    /// about a new line below it; `known` has the old lines.
    fn stand_in<'t>(&self, text: &'t str, known: &HashSet<&str>) -> Option<&'t str> {
        let mut is_free = true;
        text.lines().map(str::trim).rev().find(|line| {
            let Some(said) = elision::comment(line, self.language) else {
                is_free = !line.contains(char::is_alphanumeric) || known.contains(line);
                return is_dots(line) && !known.contains(line);
            };
            is_free && !known.contains(line) && !known.contains(said)
        })
    }

    fn is_comment(&self, line: &str) -> bool {
        elision::comment(line, self.language).is_some()
    }

    /// How many more lines with a word and without indentation are gone than are new.
    fn outer_lines_lost(&self) -> usize {
        fn outer(text: &str) -> impl Iterator<Item = &str> {
            let begins =
                |line: &&str| line.starts_with(|it: char| it.is_alphanumeric() || it == '#');
            text.lines().map(str::trim_end).filter(begins)
        }
        let (old, new): (HashSet<&str>, HashSet<&str>) =
            (outer(self.before).collect(), outer(self.after).collect());
        old.difference(&new).count().saturating_sub(new.difference(&old).count())
    }

    /// Whether most lines of the old text are not in the new one.
    fn is_mostly_new(&self) -> bool {
        let known: HashSet<&str> = trimmed(self.after).collect();
        let stays = trimmed(self.before).filter(|line| known.contains(line)).count();
        stays * 2 < trimmed(self.before).count()
    }
}

/// That structures are gone and a comment or dots are new, that all structures are gone, or, where most
/// lines are others, more than come.
fn loses_structures(
    old: &Parsed,
    new: &Parsed,
    stand_in: Option<&str>,
    is_mostly_new: bool,
) -> Option<(Reason, String)> {
    let (known, names) = (names(old), names(new));
    let mut gone = known.difference(&names);
    let (first, left) = (gone.next()?, names.intersection(&known).count());
    if left == 0 && (known.len() > 1 || names.is_empty()) {
        let what = format!("none of its structures stays, `{first}` among them");
        return Some((Reason::ShrinksFile, what));
    }
    let (fresh, more) = (names.difference(&known).count(), gone.clone().count());
    if is_mostly_new && more >= fresh {
        let more = match more {
            0 => "is".to_owned(),
            _ => format!("and {} are", count(more, "more structure")),
        };
        return Some((Reason::ShrinksFile, format!("`{first}` {more} gone")));
    }
    let line = stand_in.filter(|_| gone.count() >= fresh)?;
    Some((Reason::LeavesOut, format!("`{first}` is gone, and `{}` is new", excerpt(line, 80))))
}

/// The lines that are not blank, without what is around them.
fn trimmed(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// The names of all structures.
fn names(parsed: &Parsed) -> BTreeSet<&str> {
    let structures = parsed.outline.structures.iter();
    structures.filter_map(|it| Some(&parsed.text()[it.name?.span()])).collect()
}
