//! Where in a block the cursor is, read from the lines themselves: what is being written is no
//! block yet.

use operator_core::text::lines::Ending;
use operator_core::text::{Text, lines};

use super::{END, START};

/// How many lines of a block are looked at, up and down.
const MOST: usize = 100;

/// Where the cursor is.
#[derive(Debug, PartialEq, Eq)]
pub enum Place {
    /// Outside any block: where the line's text begins, and the text up to the cursor.
    Outside { start: usize, word: String },
    /// In a block, where a key stands.
    Key { block: WrittenBlock, start: usize },
    /// In a block, where the value of a key stands: where it begins, and it up to the cursor.
    Value { block: WrittenBlock, key: String, start: usize, value: String },
    /// Where nothing is offered.
    Nothing,
}

/// The other lines of the block that is being written.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct WrittenBlock {
    fields: Vec<(String, String)>,
    /// Whether it has its end marker.
    pub ended: bool,
}

impl WrittenBlock {
    /// The value of a key that the block has.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn take(&mut self, line: &str) {
        if let Some((key, value)) = line.split_once(':') {
            self.fields.push((key.trim().to_owned(), value.trim().to_owned()));
        }
    }
}

/// Where in a block, or outside one, `offset` is.
pub fn place(text: &Text, offset: usize) -> Place {
    let line = text.line_of(offset);
    let start = text.line_start(line);
    let before = text.slice(start..offset);
    let Some(block) = block_around(text, line) else {
        let blanks = before.len() - before.trim_start().len();
        return Place::Outside { start: start + blanks, word: before.trim_start().to_owned() };
    };
    match before.split_once(':') {
        None if before.trim() == before => Place::Key { block, start },
        None => Place::Nothing,
        Some((key, value)) => {
            let blanks = value.len() - value.trim_start().len();
            let begins = start + key.len() + 1 + blanks;
            let value = value.trim_start().to_owned();
            Place::Value { block, key: key.trim().to_owned(), start: begins, value }
        }
    }
}

/// The other lines of the block that a line stands in, if it stands in one.
fn block_around(text: &Text, line: usize) -> Option<WrittenBlock> {
    let mut block = WrittenBlock::default();
    let first = line.saturating_sub(MOST);
    let start = (first..line).rev().find_map(|above| {
        let words = text.line(above);
        match words.trim() {
            START => Some(Some(above)),
            END | "OPERATOR_RESULT" | "END_OPERATOR_RESULT" => Some(None),
            _ => None,
        }
    });
    let start = start.flatten()?;
    (start + 1..line).for_each(|above| block.take(&text.line(above)));
    for below in line + 1..text.line_count().min(line + MOST) {
        let words = text.line(below);
        if words.trim() == END {
            block.ended = true;
        }
        if block.ended || words.trim() == START || !words.contains(':') {
            break;
        }
        block.take(&words);
    }
    Some(block)
}

/// The ending of the line before, for what is written over several lines.
pub fn ending(text: &Text, offset: usize) -> &'static str {
    let line = text.line_of(offset);
    let above = text.slice(text.line_start(line.saturating_sub(1))..text.line_start(line));
    Ending::of_line(&above).map_or_else(|| lines::Ending::Lf.as_str(), Ending::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of the `|` in `marked`, in a few words.
    fn at(marked: &str) -> String {
        let offset = marked.find('|').unwrap();
        let text = Text::new(&marked.replace('|', ""));
        match place(&text, offset) {
            Place::Outside { word, .. } => format!("outside {word:?}"),
            Place::Key { block, start } => {
                format!("key at {start}, ended {}, {:?}", block.ended, block.fields)
            }
            Place::Value { key, start, value, .. } => {
                format!("value of {key} at {start} {value:?}")
            }
            Place::Nothing => "nothing".to_owned(),
        }
    }

    #[test]
    fn the_cursor_is_found_while_the_block_is_written() {
        assert_eq!(at("a\n  OPER|"), "outside \"OPER\"");
        assert_eq!(at("OPERATOR_CMD\nid: a\nac|"), "key at 19, ended false, [(\"id\", \"a\")]");
        assert_eq!(
            at("OPERATOR_CMD\n|\nid: a\nEND_OPERATOR_CMD\nx: y"),
            "key at 13, ended true, [(\"id\", \"a\")]"
        );
        assert_eq!(at("OPERATOR_CMD\npath: src/m|\n"), "value of path at 19 \"src/m\"");
        assert_eq!(at("OPERATOR_CMD\npath:|"), "value of path at 18 \"\"");
        assert_eq!(at("OPERATOR_CMD\nEND_OPERATOR_CMD\n|"), "outside \"\"");
        assert_eq!(at("OPERATOR_CMD\nsome prose |"), "nothing");
    }
}
