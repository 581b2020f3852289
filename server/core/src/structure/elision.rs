//! Elision: the text of a file that is given with marks in the place of what stays as it is.
//!
//! Both texts are taken as a list of elements: structures with a name, and the lines between them.
//! What is in both, and in no text twice, is the same element. A mark is the elements of the file
//! between its neighbours; everything else is as the content has it.

mod level;
mod mark;
mod matching;
mod pieces;
mod region;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use crate::outline::Parsed;
use crate::place::Lines;
use crate::syntax::{Blocks, Language, Unparsed};
use crate::text::Content;
use crate::text::one_line::excerpt;
use level::Side;
pub use mark::{Marks, comment, marks};
use pieces::Pieces;

/// Why a content with marks is not the text of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unresolved {
    /// Whether something is left out where no mark says so; else it is not known what a mark or a
    /// piece between marks is in the file.
    pub is_left_out: bool,
    /// The line of the content, counted from 0.
    pub line: usize,
    /// What is wrong, and what to send.
    pub message: String,
}

impl Unresolved {
    fn new(line: usize, message: impl Into<String>) -> Unresolved {
        Unresolved { is_left_out: false, line, message: message.into() }
    }

    /// That something of the file is neither in the content nor where a mark is.
    fn left_out(line: usize, what: &str) -> Unresolved {
        let what = excerpt(what, 80);
        let message = format!(
            "`{what}` is left out above this line, and no mark says so; send it, or a mark in its \
             place"
        );
        Unresolved { is_left_out: true, line, message }
    }
}

/// The text of a file after its structures are those of a content, with what the file has in the
/// place of each mark.
///
/// # Errors
/// [`Unresolved`] where more than one text may be meant, or none.
pub fn resolve(
    file: &Parsed,
    content: &str,
    patience: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<String, Unresolved> {
    let language = file.language();
    let own = Content::plain(content);
    let parsed = Parsed::new(language, own, patience).map_err(too_much)?;
    let before = Side::new(file, BTreeSet::new());
    let lines = Lines::new(parsed.text());
    let found = mark::found(&parsed, &lines, &before.lines)?;
    let after = Side { parsed: &parsed, lines, marks: found.marks };
    let result = with_pieces(&before, &after, patience);
    match found.of_file {
        // Whether it is a mark or not, the text is the same then.
        Some(line) => result
            .ok()
            .filter(|text| text.lines().eq(content.lines()))
            .ok_or_else(|| mark::of_file(line)),
        None => result,
    }
}

/// The text of a file with the pieces of a content in their places.
fn with_pieces(
    before: &Side<'_>,
    after: &Side<'_>,
    patience: &mut dyn FnMut() -> ControlFlow<()>,
) -> Result<String, Unresolved> {
    check_errors(before, after)?;
    let mut pieces = Pieces::new(before, after);
    pieces.level(None, None)?;
    let Pieces { pieces, levels, .. } = pieces;
    let text = Content::plain(before.lines.replace_all(&pieces, None));
    let result = Parsed::new(before.parsed.language(), text, patience).map_err(too_much)?;
    check_result(&result, &levels)?;
    Ok(result.text().to_owned())
}

fn too_much(_: Unparsed) -> Unresolved {
    Unresolved::new(0, "the text takes too long to parse; send the file whole")
}

/// Whether marks can be resolved in files of a language: its structures are found by a grammar.
pub fn resolves(language: &Language) -> bool {
    language.blocks == Blocks::Query
}

/// The first comment of a text without marks that may be one all the same, where the file does not
/// have it.
pub fn unsure(
    language: &Language,
    file: &Content,
    content: &str,
    patience: &mut dyn FnMut() -> ControlFlow<()>,
) -> Option<Unresolved> {
    if !resolves(language) {
        return None;
    }
    let parsed = Parsed::new(language, Content::plain(content), patience).ok()?;
    mark::found(&parsed, &Lines::new(parsed.text()), &Lines::new(&file.text)).err()
}

/// Refuses texts with syntax errors: where a structure ends in them is not certain.
fn check_errors(file: &Side<'_>, content: &Side<'_>) -> Result<(), Unresolved> {
    if let Some(error) = file.parsed.outline.errors.first() {
        let line = file.lines.line_of(error.start) + 1;
        let says = format!(
            "line {line} of the file has a syntax error, so where its structures end is not \
             certain; send the file whole"
        );
        return Err(Unresolved::new(0, says));
    }
    match content.parsed.outline.errors.first() {
        Some(error) => {
            let says = "the text has a syntax error here; send whole structures, each in its \
                        class or module";
            Err(Unresolved::new(content.lines.line_of(error.start), says))
        }
        None => Ok(()),
    }
}

/// Refuses a result that does not parse, or has other structures than the marks and pieces say.
fn check_result(result: &Parsed, levels: &[pieces::Expected<'_>]) -> Result<(), Unresolved> {
    let side = Side::new(result, BTreeSet::new());
    let is_sound = result.outline.errors.is_empty();
    if is_sound && levels.iter().all(|level| level.holds(&side)) {
        return Ok(());
    }
    let says = "with the pieces in their places the file would not parse into the same \
                structures; send the file whole";
    Err(Unresolved::new(0, says))
}

#[cfg(test)]
mod tests;
