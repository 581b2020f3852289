//! The lines between the parts of a block: its start, its dividers and its end.

use crate::dialect::likeness::{is_markup_after, is_markup_before, plain};
use crate::dialect::margin;
use crate::text::Span;

/// Which line between the parts of a block a line is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Word {
    /// `<<<<<<< SEARCH`
    Start,
    /// `=======`
    Divider,
    /// `>>>>>>> REPLACE`
    End,
}

/// Which signs the markers of a block have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signs {
    /// `<<<<<<<`, `=======` and `>>>>>>>`, as a merge conflict of git has them.
    Brackets,
    /// `-------`, `=======` and `+++++++`, as a diff has them.
    Dashes,
}

/// A marker in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marker {
    pub word: Word,
    /// The signs that it has; `None` for a divider that both kinds of blocks have.
    pub signs: Option<Signs>,
    /// The bytes of the line that are the marker, blanks around it left out.
    pub span: Span,
    /// Whether words come after it.
    pub has_text: bool,
}

impl Word {
    /// The marker as a block of these signs has it.
    pub fn text(self, signs: Signs) -> &'static str {
        match (self, signs) {
            (Word::Start, Signs::Brackets) => "<<<<<<< SEARCH",
            (Word::Start, Signs::Dashes) => "------- SEARCH",
            (Word::Divider, _) => "=======",
            (Word::End, Signs::Brackets) => ">>>>>>> REPLACE",
            (Word::End, Signs::Dashes) => "+++++++ REPLACE",
        }
    }
}

/// How many signs a marker of brackets, or a divider, has.
const BRACKETS: std::ops::RangeInclusive<usize> = 5..=9;
/// How many a marker of dashes has at least.
const DASHES: usize = 3;

/// The marker that a line is. It may be indented or quoted, and words may come after it.
pub fn find(line: &str) -> Option<Marker> {
    let start = margin::of(line).len();
    let text = &line[start..];
    let sign = text.chars().next().filter(|sign| matches!(sign, '<' | '>' | '=' | '-' | '+'))?;
    let rest = text.trim_start_matches(sign);
    let count = text.len() - rest.len();
    let (word, signs) = match sign {
        '<' if BRACKETS.contains(&count) => (Word::Start, Some(Signs::Brackets)),
        '>' if BRACKETS.contains(&count) => (Word::End, Some(Signs::Brackets)),
        '-' if count >= DASHES => (Word::Start, Some(Signs::Dashes)),
        '+' if count >= DASHES => (Word::End, Some(Signs::Dashes)),
        '=' if BRACKETS.contains(&count) => (Word::Divider, None),
        '=' if count >= DASHES => (Word::Divider, Some(Signs::Dashes)),
        _ => return None,
    };
    let after = match word {
        Word::Start => named(rest, "SEARCH").map(|after| after.strip_prefix('>').unwrap_or(after)),
        Word::End => named(rest, "REPLACE"),
        Word::Divider => Some(rest),
    }?;
    let has_text = !after.trim().is_empty();
    // What goes on without a blank is another word, or a line of content.
    let is_word = has_text && !after.starts_with([' ', '\t']);
    // A divider has no name: with words after it, it is content.
    let is_content = is_word || has_text && word == Word::Divider;
    let end = line.len() - after.len();
    (!is_content).then_some(Marker { word, signs, span: start..end, has_text })
}

/// What comes after a blank and this name.
fn named<'a>(rest: &'a str, name: &str) -> Option<&'a str> {
    rest.strip_prefix(' ')?.trim_start_matches(' ').strip_prefix(name)
}

/// The words of markers, and those that older tools have in their place.
const NAMES: [(Word, Signs, &str, &str); 6] = [
    (Word::Start, Signs::Brackets, "<<<", "SEARCH"),
    (Word::Start, Signs::Brackets, "<<<", "ORIGINAL"),
    (Word::Start, Signs::Dashes, "-----", "SEARCH"),
    (Word::End, Signs::Brackets, ">>>", "REPLACE"),
    (Word::End, Signs::Brackets, ">>>", "UPDATED"),
    (Word::End, Signs::Dashes, "+++++", "REPLACE"),
];
/// No line that is longer is nearly a marker, in bytes.
const LONGEST: usize = 200;

/// A line that is nearly a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Near {
    pub word: Word,
    pub signs: Signs,
    /// What comes after its word: nothing, or a path.
    pub after: String,
}

/// The marker that a line nearly is: in other case, with other signs around it, with more or fewer of its
/// own, or escaped.
pub fn near(line: &str) -> Option<Near> {
    if line.len() > LONGEST || find(line).is_some() {
        return None;
    }
    let text = plain(line);
    near_divider(&text).or_else(|| NAMES.iter().find_map(|name| near_named(&text, *name)))
}

fn near_named(text: &str, (word, signs, first, name): (Word, Signs, &str, &str)) -> Option<Near> {
    let at = text.find(first)?;
    let rest = text[at..].trim_start_matches(&first[..1]).trim_start();
    let (found, after) = rest.split_at_checked(name.len())?;
    // Another word than that of today is a branch of git in lower case.
    let is_name = match matches!(name, "SEARCH" | "REPLACE") {
        true => found.eq_ignore_ascii_case(name),
        false => found == name,
    };
    let other = ["/REPLACE", " BLOCK"].iter().find_map(|other| after.strip_prefix(other));
    let (path, after) = match other.unwrap_or(after).strip_prefix(':') {
        Some(path) if !is_markup_after(path) => (path.trim(), ""),
        _ => ("", other.unwrap_or(after)),
    };
    // `<<<SEARCH>>>` is a marker of another dialect.
    let is_alone = is_markup_before(&text[..at]) && is_markup_after(after) && !after.contains(">>");
    let is_rule = signs == Signs::Dashes && text[..at].trim() != "";
    let after = path.to_owned();
    (is_name && is_alone && !is_rule).then_some(Near { word, signs, after })
}

fn near_divider(text: &str) -> Option<Near> {
    let at = text.find("===")?;
    let after = text[at..].trim_start_matches('=');
    let is_alone = is_markup_before(&text[..at]) && is_markup_after(after);
    let is_divider = is_alone && !after.contains('=');
    let (signs, after) = (Signs::Brackets, String::new());
    is_divider.then_some(Near { word: Word::Divider, signs, after })
}

/// Whether a line looks like a marker, of a merge conflict perhaps, without being one.
pub fn is_alike(line: &str) -> bool {
    let sign = line.chars().next().filter(|sign| matches!(sign, '<' | '>'));
    let Some(sign) = sign else { return false };
    let rest = line.trim_start_matches(sign);
    BRACKETS.contains(&(line.len() - rest.len())) && (rest.is_empty() || rest.starts_with(' '))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_marker_or_content() {
        let cases = [
            ("<<<<<<< SEARCH", "Start Brackets"),
            ("<<<<< SEARCH", "Start Brackets"),
            ("<<<<<<< SEARCH>", "Start Brackets"),
            ("<<<<<<< SEARCH>  ", "Start Brackets"),
            ("  <<<<<<< SEARCH", "Start Brackets"),
            ("> <<<<<<< SEARCH", "Start Brackets"),
            ("<<<<<<< SEARCH src/a.rs", "Start Brackets and text"),
            ("------- SEARCH", "Start Dashes"),
            ("--- SEARCH", "Start Dashes"),
            ("=======", "Divider"),
            ("=====  ", "Divider"),
            ("===", "Divider Dashes"),
            ("============", "Divider Dashes"),
            (">>>>>>> REPLACE", "End Brackets"),
            ("> >>>>>>> REPLACE", "End Brackets"),
            ("+++ REPLACE", "End Dashes"),
            ("<<<< SEARCH", "-"),
            ("<<<<<<<<<< SEARCH", "-"),
            ("<<<<<<< HEAD", "-"),
            ("<<<<<<<SEARCH", "-"),
            ("<<<<<<< SEARCHES", "-"),
            ("<<<<<<< search", "-"),
            ("--- a/src/main.rs", "-"),
            ("======= a title", "-"),
            ("see <<<<<<< SEARCH", "-"),
            ("", "-"),
        ];
        for (line, expected) in cases {
            let found = find(line).map(|it| {
                let signs = it.signs.map_or(String::new(), |signs| format!(" {signs:?}"));
                let text = if it.has_text { " and text" } else { "" };
                format!("{:?}{signs}{text}", it.word)
            });
            assert_eq!(found.as_deref().unwrap_or("-"), expected, "{line}");
        }
    }

    #[test]
    fn a_line_is_nearly_a_marker_or_something_else() {
        let cases = [
            ("<<<<<<< search", "Start"),
            ("<<<<<<< SEARCH:", "Start"),
            ("<<<<<<<SEARCH", "Start"),
            ("<<<<<<<\u{a0}SEARCH", "Start"),
            ("<<<<<<<\u{200b} SEARCH", "Start"),
            ("`<<<<<<< SEARCH`", "Start"),
            ("**<<<<<<< SEARCH**", "Start"),
            ("- <<<<<<< SEARCH", "Start"),
            ("1. <<<<<<< SEARCH", "Start"),
            ("<<<< SEARCH", "Start"),
            ("<<<<<<<<<< SEARCH", "Start"),
            ("\\<<<<<<< SEARCH", "Start"),
            ("\\<\\<\\<\\<\\<\\<\\< SEARCH", "Start"),
            ("<<<<<<< SEARCH/REPLACE", "Start"),
            ("<<<<<<< SEARCH:src/a.py", "Start src/a.py"),
            ("&lt;&lt;&lt;&lt;&lt;&lt;&lt; SEARCH", "Start"),
            ("<<<<<<< ORIGINAL", "Start"),
            ("><<<<<<< SEARCH", "Start"),
            ("------- Search", "Start"),
            (">>>>>>> replace", "End"),
            (">>>>>>> REPLACE:", "End"),
            (">>>>>>> UPDATED", "End"),
            ("+++++++REPLACE", "End"),
            ("=======:", "Divider"),
            ("`=======`", "Divider"),
            ("**=======**", "Divider"),
            ("<<<<<<< SEARCH", "-"),
            ("<<<<<<< HEAD", "-"),
            ("<<<<<<< original", "-"),
            ("<<<<<<< SEARCHES", "-"),
            (">>>>>>> main", "-"),
            ("<<<SEARCH>>>", "-"),
            ("cat <<SEARCH", "-"),
            ("cat <<< SEARCH", "-"),
            ("out << search;", "-"),
            ("Write `<<<<<<< SEARCH` and `=======`", "-"),
            ("--- search", "-"),
            ("| --- | search", "-"),
            ("== a ==", "-"),
            ("a === b", "-"),
            ("", "-"),
        ];
        for (line, expected) in cases {
            let found = near(line).map(|it| format!("{:?} {}", it.word, it.after));
            assert_eq!(found.as_deref().map_or("-", str::trim), expected, "{line}");
        }
    }

    #[test]
    fn what_a_merge_conflict_has_is_alike() {
        for line in ["<<<<<<< HEAD", ">>>>>>> main", ">>>>>>>", "<<<<< x"] {
            assert!(is_alike(line), "{line}");
        }
        for line in [">>> x", "<<<<<<<x", "=======", " <<<<<<< HEAD", ""] {
            assert!(!is_alike(line), "{line}");
        }
    }
}
