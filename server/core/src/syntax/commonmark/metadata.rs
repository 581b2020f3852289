//! Front matter: the metadata before a Markdown text, in YAML between `---` or in TOML between
//! `+++`.

use super::Item;
use crate::syntax::Kind;

/// Where the metadata ends that a text begins with; zero where it begins with none.
///
/// The line after the first must not be blank: `---` and a blank line are a break between
/// paragraphs.
pub(super) fn end(text: &str) -> usize {
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next() else { return 0 };
    let closing: &[&str] = match first.trim_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return 0,
    };
    let mut end = first.len();
    for (count, line) in lines.enumerate() {
        end += line.len();
        if closing.contains(&line.trim_end()) {
            return end;
        }
        if count == 0 && line.trim().is_empty() {
            return 0;
        }
    }
    0
}

/// The front matter that ends at `end`; its header is the line that opens it.
pub(super) fn item(text: &str, end: usize) -> Option<Item> {
    let span = 0..text[..end].trim_end().len();
    let header = Some((0..3).into());
    (end > 0).then_some(Item {
        kind: Kind::FrontMatter,
        span,
        name: None,
        header,
        body: None,
        until: None,
    })
}
