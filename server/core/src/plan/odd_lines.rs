//! New lines that are not those of a file's text, such as a listing's with their numbers: the file does not
//! parse with them.

use std::collections::HashSet;

use super::caution::{COUNTED, Caution, Reason};
use super::context::shown;
use crate::edit::{changed_lines, line_hunks};
use crate::outline::Parsed;
use crate::path::FilePath;
use crate::snapshot::Snapshot;
use crate::structure::elision;
use crate::text::Content;
use crate::text::one_line::excerpt;

/// Why an edit needs a look whose new lines are those of a listing, a diff or a page, if the file does not
/// parse with them and does without.
pub(super) fn caution(
    path: &FilePath,
    (before, after): (&Content, &Content),
    snapshot: &dyn Snapshot,
) -> Option<Caution> {
    if before.len() + after.len() > COUNTED {
        return None;
    }
    // The lines that change are told from those between them only where it may matter.
    changed_lines(&before.text, &after.text).lines().find(|line| is_odd(line.trim()))?;
    let known: HashSet<&str> = before.text.lines().collect();
    let mut new = line_hunks(&before.text, &after.text).into_iter().map(|(_, new)| new);
    let is_new = |line: &&str| is_odd(line.trim()) && !known.contains(line);
    let odd = new.find_map(|new| after.text[new].lines().find(is_new))?;
    let language = operator_grammars::of_file(&path.path, before.text.lines().next().unwrap_or(""))
        .filter(|language| elision::resolves(language))?;
    let old = snapshot.parsed(path, language, before.clone()).ok()?;
    let mut patience = snapshot.patience(after.len());
    let new = Parsed::new(language, Content::plain(after.text.clone()), &mut *patience).ok()?;
    let what = breaks(&old, &new)?;
    let (name, odd) = (shown(path), excerpt(odd.trim(), 80));
    let message = format!("it writes `{odd}` to `{name}`, and {what}");
    Some(Caution::of_content(Reason::SyntaxErrors, message))
}

/// Whether a line may not be of the text of a file: it has a number, a sign or a marker before it, is a
/// fence, or has what pages write for signs.
fn is_odd(line: &str) -> bool {
    let begins = ["```", "~~~", "+", "<<<<<<<", "=======", ">>>>>>>"];
    let entities = ["&lt;", "&gt;", "&amp;", "&quot;", "&#39;"];
    let number = line.trim_start_matches(|char: char| char.is_ascii_digit());
    let is_numbered =
        number.len() < line.len() && number.trim_start().starts_with(['|', ':', '│', '→']);
    is_numbered
        || begins.iter().any(|begins| line.starts_with(begins))
        || line.contains('&') && entities.iter().any(|entity| line.contains(entity))
}

/// That the new text has syntax errors that the old one does not have. A file without any structure
/// may be text whatever its name is.
pub(super) fn breaks(old: &Parsed, new: &Parsed) -> Option<String> {
    old.outline.structures.first()?;
    let errors = &new.outline.errors;
    let first = errors.first().filter(|_| errors.len() > old.outline.errors.len())?;
    let [line, _] = new.lines_of(first);
    Some(format!("line {line} of the new text has a syntax error"))
}
