//! What the parts of a Markdown text are called by besides their headers.

use super::forms::canonical;
use crate::outline::Structure;
use crate::structure::Kind;

/// A heading with its `##`, also where it is underlined; an item or a quote with its marker, or
/// with the marks of what it begins with; code by its fence, and by its first line.
pub(super) fn forms(text: &str, structure: &Structure, header: &str) -> Vec<String> {
    let own = &text[structure.own_start..structure.extent.end];
    let line = own.lines().next().unwrap_or_default();
    let mut forms = vec![canonical(line)];
    match structure.kind {
        Kind::Section => {
            let marks = "#".repeat(level(text, structure, line));
            forms.push(canonical(&format!("{marks}{header}")));
        }
        Kind::Item => {
            let number = line.trim_start_matches(|it: char| it.is_ascii_digit());
            forms.push(canonical(number.get(1..).unwrap_or_default()));
        }
        Kind::Quote => forms.push(canonical(line.strip_prefix('>').unwrap_or(line))),
        Kind::Code => forms.extend(first_line(text, structure).map(canonical)),
        _ => {}
    }
    forms
}

/// The level of a section by its heading's first line, or by what underlines it.
fn level(text: &str, section: &Structure, line: &str) -> usize {
    // What is underlined may begin with `#`, too.
    if section.header.first().is_some_and(|piece| piece.start() > section.own_start) {
        return line.len() - line.trim_start_matches('#').len();
    }
    let end = section.header.last().map_or(section.own_start, |piece| piece.end());
    let below = text[end..section.extent.end].split_once('\n').map_or("", |(_, below)| below);
    // Where the heading is in a quote, so is the line below it.
    if below.trim_start_matches([' ', '\t', '>']).starts_with('=') { 1 } else { 2 }
}

/// The first line of code that is not blank.
pub(super) fn first_line<'a>(text: &'a str, structure: &Structure) -> Option<&'a str> {
    let code = structure.body.filter(|_| structure.kind == Kind::Code)?;
    code.of(text).lines().map(str::trim).find(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use crate::outline::Parsed;
    use crate::structure::{Index, Match, Target};
    use crate::text::Content;

    const TEXT: &str = "\
# One ##

Two
words
---

> # Quoted

Three<T>
===

1. ## Step
2) [ ] An item whose text goes on for more than fifty characters
   and on a second line

``` rust,ignore
fn main() {}
```

    $ make

>tight quote
";

    /// The first lines of the structures that a target fits.
    fn fits(target: &str) -> Vec<&'static str> {
        let markdown = operator_grammars::by_language_id("markdown").unwrap();
        let mut patience = || ControlFlow::Continue(());
        let parsed = Parsed::new(markdown, Content::plain(TEXT), &mut patience).unwrap();
        match Index::new(&parsed).find(&Target::parse(target)) {
            Match::Structures(places) => places
                .iter()
                .map(|place| &TEXT[parsed.outline.structures[*place].extent.clone()])
                .map(|text| text.lines().next().unwrap())
                .collect(),
            _ => Vec::new(),
        }
    }

    #[test]
    fn a_heading_is_found_with_its_level_or_without() {
        for target in ["One", "# One", "#One", "# One ##"] {
            assert_eq!(fits(target), ["# One ##"], "{target}");
        }
        for target in ["Two words", "## Two words", "Two"] {
            assert_eq!(fits(target), ["Two"], "{target}");
        }
        assert_eq!(fits("# Three<T>"), ["Three<T>"]);
        assert_eq!(fits("# Two words"), [""; 0]);
        assert_eq!(fits("### One"), [""; 0]);
    }

    #[test]
    fn an_item_or_quote_is_found_with_its_marker_or_without() {
        for target in ["1. ## Step", "## Step", "Step"] {
            assert_eq!(fits(target), ["1. ## Step"], "{target}");
        }
        let item = "2) [ ] An item whose text goes on for more than fifty characters";
        for target in [
            item,
            "[ ] An item whose text goes on for more than fifty characters",
            "An item whose text goes on for more than fifty characters",
            "[ ] An item whose text goes on for more than fifty",
            "An item whose text goes on for more than fifty cha",
            "An item",
        ] {
            assert_eq!(fits(target), [item], "{target}");
        }
        for target in ["> # Quoted", "# Quoted", "Quoted"] {
            assert_eq!(fits(target), ["> # Quoted"], "{target}");
        }
        assert_eq!(fits("> tight quote"), [">tight quote"]);
    }

    #[test]
    fn code_is_found_by_its_language_its_fence_or_its_first_line() {
        for target in ["rust", "rust,ignore", "```rust,ignore", "fn main() {}"] {
            assert_eq!(fits(target), ["``` rust,ignore"], "{target}");
        }
        assert_eq!(fits("$ make"), ["$ make"]);
    }
}
