//! What is before the lines of a structure: what the containers around it ask for, and its
//! own indentation.

use super::containers::{Asks, Containers, Cursor};
use super::{line_start, lines_from};
use crate::outline::Parsed;
use crate::structure::Kind;
use crate::text::Span;

/// What is before the lines of a structure.
pub(super) struct Prefix {
    /// The containers around it.
    pub containers: Containers,
    /// What they put before each line.
    pub outer: String,
    /// Its own indentation.
    pub own: String,
    /// How many columns that has.
    columns: usize,
    /// Whether a container's marker is before it on its first line.
    pub behind_marker: bool,
    /// Whether only its first line is indented: what is in a section stands for itself.
    heads: bool,
}

impl Prefix {
    /// What is before the lines of a structure.
    pub(super) fn of(parsed: &Parsed, index: usize) -> Prefix {
        let structure = &parsed.outline.structures[index];
        let (text, start) = (parsed.text(), structure.extent.start);
        let containers = Containers::around(parsed, &structure.extent);
        let first = line_start(text, start);
        let mut whole = Cursor::new(&text[first..]);
        whole.skip(start - first);
        let behind_marker = containers.0.last().is_some_and(|last| last.start >= first);
        let (mut cursor, _) = containers.stripped(&text[first..]);
        if let Some(last) = containers.0.last().filter(|_| behind_marker) {
            (cursor.column, cursor.pad) = (last.column, 0);
        }
        let columns = whole.column.saturating_sub(cursor.column - cursor.pad);
        let raw = text.len() - cursor.rest.len();
        let heads = structure.kind == Kind::Section;
        let (outer, own) = if behind_marker || raw > start {
            (written(&containers), " ".repeat(columns))
        } else if cursor.pad > 0 {
            // A tab goes on from what is asked for into what is its own.
            (text[first..start].to_owned(), String::new())
        } else {
            (text[first..raw].to_owned(), text[raw..start].to_owned())
        };
        Prefix { containers, outer, own, columns, behind_marker, heads }
    }

    /// The lines of what is in `span` at zero indent.
    pub(super) fn zero_lines(&self, parsed: &Parsed, span: &Span) -> Vec<String> {
        let lines = lines_from(&parsed.text()[..span.end], span.start).map(|(start, line)| {
            let mut cursor = Cursor::new(line);
            if start > span.start {
                if !self.containers.strip(&mut cursor) {
                    // Other white space than blanks is text.
                    return line.trim_matches([' ', '\t', '\r', '\n']).to_owned();
                }
                if !self.heads {
                    cursor.blanks(self.columns);
                }
            }
            if cursor.is_blank() { String::new() } else { cursor.text() }
        });
        lines.collect()
    }

    /// A line at zero indent, as it is written; `first` of what it is in.
    pub(super) fn line(&self, line: &str, first: bool) -> String {
        if line.trim_matches(super::BLANKS).is_empty() {
            return self.blank().to_owned();
        }
        let own = if first || !self.heads { self.own.as_str() } else { "" };
        // A quote's marker takes the blank after it.
        let apart = self.outer.ends_with('>') && format!("{own}{line}").starts_with([' ', '\t']);
        format!("{}{}{own}{line}", self.outer, if apart { " " } else { "" })
    }

    /// A blank line.
    pub(super) fn blank(&self) -> &str {
        self.outer.trim_end()
    }
}

/// What containers ask for, written out.
fn written(containers: &Containers) -> String {
    let asked = containers.0.iter().map(|container| match container.asks {
        Asks::Quote(true) => "> ".to_owned(),
        Asks::Quote(false) => ">".to_owned(),
        Asks::Indent(width) => " ".repeat(width),
    });
    asked.collect()
}
