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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::MemorySnapshot;

    #[test]
    fn a_line_of_a_listing_or_a_page_is_odd() {
        for line in [
            "12| let a = 1;",
            "12 | let a = 1;",
            "3: let a = 1;",
            "3 │ x",
            "3→x",
            "```js",
            "~~~",
            "+ let a = 1;",
            "<<<<<<< HEAD",
            "=======",
            ">>>>>>> theirs",
            "a &lt; b",
            "&quot;a&quot;",
            "it&#39;s",
        ] {
            assert!(is_odd(line), "{line}");
        }
        for line in ["", "let a = 1;", "12", "12 a", "| a", ": a", "a && b", "- a", "====", "a&b;"]
        {
            assert!(!is_odd(line), "{line}");
        }
    }

    /// What is said of an edit of a file `a.js`.
    fn says(before: &str, after: &str) -> Option<String> {
        let of = |text: &str| Content::plain(format!("{text}function f() {{}}\n"));
        let (before, after) = (of(before), of(after));
        let path = FilePath::new(0, "a.js");
        let caution = caution(&path, (&before, &after), &MemorySnapshot::default());
        caution.map(|caution| caution.message)
    }

    #[test]
    fn the_first_odd_line_that_is_new_is_told() {
        let before = "let a = 1;\nlet b = 2;\n";
        let after = "let z = 0;\nlet a = 1;\nlet b =&gt; 2;\n";
        assert_eq!(
            says(before, after).as_deref(),
            Some(
                "it writes `let b =&gt; 2;` to `a.js`, and line 3 of the new text has a syntax error"
            )
        );
        assert_eq!(says(before, "let a = 1;\n+ 2;\n"), None);
    }

    #[test]
    fn errors_that_the_file_has_may_stay() {
        let before = "let a =&gt; 1;\nlet b = 2;\n";
        assert_eq!(says(before, "let a = 1;\nlet b =&gt; 2;\n"), None);
        assert!(says(before, "let a =&gt; 1;\nlet b =&gt; 2;\n").is_some());
    }

    #[test]
    fn large_texts_are_not_looked_at() {
        let is_told = |bytes: usize| {
            let (line, odd) = ("let b = 2;\n", "let b =&gt; 2;\n");
            let above =
                "x".repeat(bytes - line.len() - odd.len() - 2 * "//\nfunction f() {}\n".len());
            let (first, second) = above.split_at(above.len() / 2);
            says(&format!("//{first}\n{line}"), &format!("//{second}\n{odd}")).is_some()
        };
        assert_eq!([4_000, COUNTED, COUNTED + 1].map(is_told), [true, true, false]);
    }
}
