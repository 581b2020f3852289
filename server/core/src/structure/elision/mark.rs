//! Marks: comments that are in the place of what stays as it is.

use std::collections::BTreeSet;

use super::Unresolved;
use crate::outline::Parsed;
use crate::place::Lines;
use crate::syntax::{Blocks, Language};
use crate::text::{brackets, lines};

/// How lines of a text look like marks, whatever they are in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Marks {
    /// No line does.
    None,
    /// A comment has dots in it.
    Unsure,
    /// A comment begins with dots, or says that code is left out.
    Sure,
}

/// Words of comments in the place of code.
const PHRASES: [&str; 12] = [
    "existing",
    "rest of",
    "remaining",
    "remainder",
    "unchanged",
    "the same",
    "same as",
    "as before",
    "previous code",
    "other code",
    "omitted",
    "code here",
];

/// Words of comments about what is not there any more.
const GONE: [&str; 4] = ["removed", "deleted", "remove ", "delete "];

/// What begins and ends comments besides a language's own comment to the end of the line.
const AROUND: [(&str, &str); 3] = [("<!--", "-->"), ("{/*", "*/}"), ("/*", "*/")];

/// What is said of a comment that may be one of the code.
pub const UNSURE: &str = "whether this comment is a mark or new is not certain; a mark begins with \
                          `...`, and a comment that is new has no dots";

/// What begins comments to the end of the line in some language.
const BEGINS: [&str; 5] = ["//", "#", "--", ";", "%"];

/// How the lines of a text look like marks; `language` is that of its file, where it is known.
pub fn marks(text: &str, language: Option<&Language>) -> Marks {
    text.lines().map(|line| likeness(line, language)).max().unwrap_or(Marks::None)
}

/// How one line looks like a mark.
pub(super) fn likeness(line: &str, language: Option<&Language>) -> Marks {
    if lines::begins_with_word(line) {
        return Marks::None;
    }
    if let Some(said) = own_comment(line.trim(), language) {
        let has_dots = said.contains("...") || said.contains('…');
        return match (is_sure(said), has_dots && language.is_some()) {
            (true, _) => Marks::Sure,
            // Dots are in texts that no language is known for, too.
            (false, true) => Marks::Unsure,
            (false, false) => Marks::None,
        };
    }
    // The comment of another language is none here, and is not written.
    match other_comment(line.trim(), language).is_some_and(is_sure) {
        true => Marks::Sure,
        false => Marks::None,
    }
}

/// What a comment says that is all of a line. Where the language has none to the end of the line, or is
/// not known, those of others count.
pub fn comment<'a>(line: &'a str, language: Option<&Language>) -> Option<&'a str> {
    let line = line.trim();
    let own = own_comment(line, language);
    let has_own = language.is_some_and(|it| it.line_comment.is_some());
    let slashes = || line.strip_prefix("//").map(str::trim);
    own.or_else(|| if has_own || is_prose(language) { None } else { slashes() })
}

fn is_prose(language: Option<&Language>) -> bool {
    language.is_some_and(|it| it.blocks == Blocks::CommonMark)
}

fn own_comment<'a>(line: &'a str, language: Option<&Language>) -> Option<&'a str> {
    let around = if is_prose(language) { &AROUND[..1] } else { &AROUND[..] };
    let between = around.iter().find_map(|(open, close)| {
        let said = line.strip_prefix(open)?.strip_suffix(close)?;
        Some(said.trim())
    });
    let own = language.and_then(|language| language.line_comment);
    between.or_else(|| said(line, own?))
}

fn other_comment<'a>(line: &'a str, language: Option<&Language>) -> Option<&'a str> {
    if is_prose(language) { None } else { BEGINS.iter().find_map(|begins| said(line, begins)) }
}

fn said<'a>(line: &'a str, begins: &str) -> Option<&'a str> {
    let said = line.strip_prefix(begins)?;
    Some(said.trim_start_matches(['/', '#', '-', '!']).trim())
}

/// Whether a comment says that something is left out, perhaps in brackets.
fn is_sure(said: &str) -> bool {
    let mut said = said;
    while let Some((_, inside)) = brackets::inside(said) {
        said = inside;
    }
    let has_dots = said.contains("...") || said.contains('…');
    let lower = said.to_lowercase();
    let says = || PHRASES.iter().any(|phrase| lower.contains(phrase));
    let is_gone = GONE.iter().any(|word| lower.contains(word));
    has_dots && !is_gone && (said.starts_with("...") || said.starts_with('…') || says())
}

/// The lines of a content that are marks, counted from 0.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// All of them.
    pub marks: BTreeSet<usize>,
    /// The first one that may be a line of the file as well.
    pub of_file: Option<usize>,
}

/// That a line may be a mark, or the line that the file has.
pub(super) fn of_file(line: usize) -> Unresolved {
    let says = "the file has this very line, so whether it is a mark is not certain; write the edit \
                in another dialect";
    Unresolved::new(line, says)
}

/// Finds the marks of a content.
///
/// # Errors
/// [`Unresolved`] for a line that may be a mark or a new comment.
pub(super) fn found(
    content: &Parsed,
    lines: &Lines<'_>,
    file: &Lines<'_>,
) -> Result<Found, Unresolved> {
    let mut found = Found::default();
    for at in 0..lines.len() {
        let line = lines.get(at).unwrap_or_default();
        let likeness = likeness(line, Some(content.language()));
        if likeness == Marks::None {
            continue;
        }
        let is_of_file = !file.places(&[line], 0..file.len()).is_empty();
        let is_comment = is_comment(content, lines, at);
        let says = match (likeness, is_comment, is_of_file) {
            (Marks::Sure, true, _) => {
                found.marks.insert(at);
                found.of_file = found.of_file.or(is_of_file.then_some(at));
                continue;
            }
            (Marks::Sure, false, true) => return Err(of_file(at)),
            (Marks::Sure, false, false) => {
                "this line looks like a mark and is not a comment; a mark is a comment alone on \
                 its line"
            }
            (_, true, false) => UNSURE,
            _ => continue,
        };
        return Err(Unresolved::new(at, says));
    }
    Ok(found)
}

/// Whether a comment is all of a line, but for blanks and the braces that JSX has around it.
fn is_comment(content: &Parsed, lines: &Lines<'_>, line: usize) -> bool {
    let text = content.text();
    let span = lines.span(line..line + 1);
    let own = text[span.clone()].trim();
    let start = span.start + (text[span.clone()].len() - text[span].trim_start().len());
    let (start, own) = match own.strip_prefix('{').and_then(|own| own.strip_suffix('}')) {
        Some(inner) => (start + 1, inner),
        None => (start, own),
    };
    let comments = &content.outline.comments;
    let place = comments.partition_point(|comment| comment.start < start);
    let comment = comments.get(place).filter(|comment| comment.start == start);
    comment.is_some_and(|comment| text[comment.clone()].trim() == own)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_comment_begins_with_a_word() {
        let own = operator_grammars::LANGUAGES.iter().filter_map(|it| it.line_comment);
        let all = own.chain(BEGINS).chain(AROUND.map(|(open, _)| open));
        assert_eq!(all.filter(|it| lines::begins_with_word(it)).collect::<Vec<_>>(), [""; 0]);
    }

    fn language(name: &str) -> Option<&'static Language> {
        operator_grammars::LANGUAGES.iter().find(|language| language.name == name)
    }

    #[test]
    fn a_comment_with_dots_is_a_mark() {
        for (name, line) in [
            ("python", "# ... existing code ..."),
            ("python", "    # ..."),
            ("python", "# …"),
            ("python", "# rest of the class unchanged..."),
            ("rust", "// ... rest of the code"),
            ("rust", "/* ... */"),
            ("html", "<!-- ... -->"),
            ("markdown", "<!-- ... existing content ... -->"),
            ("tsx", "{/* ... existing code ... */}"),
            ("python", "// ... existing code ..."),
            ("json", "// ... existing keys ..."),
            ("javascript", "// [...]"),
            ("javascript", "/* (… the rest …) */"),
        ] {
            assert_eq!(likeness(line, language(name)), Marks::Sure, "{line}");
        }
        for (name, line) in [
            ("python", "# Loading..."),
            ("go", "// see also a, b, ..."),
            ("go", "// ... function two removed ..."),
            ("python", "# ... deleted ..."),
        ] {
            assert_eq!(likeness(line, language(name)), Marks::Unsure, "{line}");
        }
        for (name, line) in [
            ("python", "..."),
            ("python", "[... existing code ...]"),
            ("python", "# [previous code here]"),
            ("python", "x = 1  # ..."),
            ("rust", "// the rest of the code"),
            ("rust", ".. // ..."),
            ("markdown", "# ..."),
            ("markdown", "// ... existing code ..."),
        ] {
            assert_eq!(likeness(line, language(name)), Marks::None, "{line}");
        }
        assert_eq!(likeness("# ... existing code ...", None), Marks::Sure);
        assert_eq!(likeness("# and so on...", None), Marks::None);
    }
}
