//! Where in a block the cursor is: the scan has the block, whole or not, and its dialect reads the
//! line.

use operator_core::dialect::{BlockEnd, Cursor};
use operator_core::scan::{Placed, Scan};
use operator_core::spec::{Action, FieldType};
use operator_core::text::lines::Ending;
use operator_core::text::{Span, Text, lines};

use crate::lsp::payload;

/// Where the cursor is.
#[derive(Debug)]
pub enum Place {
    /// Outside any block: where the line's text begins, and the text up to the cursor.
    Outside { start: usize, word: String },
    /// In a block, at a key.
    Key { block: WrittenBlock, start: usize },
    /// In a block, at the value of a key.
    Value { block: WrittenBlock, key: String, value: Written },
    /// Where nothing is offered.
    Nothing,
}

/// What is there of a value.
#[derive(Debug)]
pub struct Written {
    /// It up to the cursor.
    pub span: Span,
    /// That text.
    pub text: String,
    /// What must come before it.
    pub open: &'static str,
    /// What must follow it.
    pub close: &'static str,
    /// Whether it is written without escapes.
    pub plain: bool,
}

/// The block that is being written.
pub struct WrittenBlock {
    /// The block.
    pub placed: Placed,
    /// Its first line.
    pub header: String,
    /// The keys on other lines than the cursor's.
    keys: Vec<String>,
}

impl std::fmt::Debug for WrittenBlock {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "ended {}, {:?}", self.is_ended(), self.keys)
    }
}

impl WrittenBlock {
    fn new(text: &Text, placed: Placed, line: usize) -> WrittenBlock {
        let start = placed.span.start;
        let others = placed.block.parsed.fields.iter();
        let others = others.filter(|field| text.line_of(start + field.key.start) != line);
        let keys = others.map(|field| field.name.to_string()).collect();
        let header = text.line(text.line_of(start)).into_owned();
        WrittenBlock { placed, header, keys }
    }

    /// Whether the block has a key.
    pub fn has(&self, key: &str) -> bool {
        self.keys.iter().any(|known| known == key)
    }

    /// Its action, where that is known.
    pub fn action(&self) -> Option<&'static Action> {
        payload::action(&self.placed.block)
    }

    /// Whether it has its end marker.
    pub fn is_ended(&self) -> bool {
        self.placed.block.end == BlockEnd::Closed
    }
}

/// Where in a block, or outside one, `offset` is.
pub fn place(text: &Text, scan: &Scan, offset: usize) -> Place {
    let line = text.line_of(offset);
    let start = text.line_start(line);
    let whole = text.line(line);
    let (before, after) = whole.split_at((offset - start).min(whole.len()));
    let blanks = before.len() - before.trim_start().len();
    let Some(placed) = block_around(text, scan, start) else {
        return Place::Outside { start: start + blanks, word: before[blanks..].to_owned() };
    };
    let block = WrittenBlock::new(text, placed, line);
    if let Some((key, is_list)) = raw_field(&block.placed, offset) {
        let span = start + blanks..offset;
        let (open, close, plain) = ("", "", true);
        let value = Written { span, text: before[blanks..].to_owned(), open, close, plain };
        return if is_list { Place::Value { block, key, value } } else { Place::Nothing };
    }
    let is_last = block.is_ended() && text.line_of(block.placed.span.end) == line;
    let Some(writing) = block.placed.block.dialect.rules().writing.filter(|_| !is_last) else {
        return Place::Nothing;
    };
    let first = text.line_of(block.placed.span.start);
    let above = (first..line).rev().map(|line| text.line(line)).find(|it| !it.trim().is_empty());
    match writing.cursor(&above.unwrap_or_default(), before, after) {
        Cursor::Key => Place::Key { block, start },
        Cursor::Value { key, start: begins, open, close } => {
            let text = before[begins..].to_owned();
            let span = start + begins..offset;
            let value = Written { span, text, open, close, plain: false };
            Place::Value { block, key: key.to_owned(), value }
        }
        Cursor::Elsewhere => Place::Nothing,
    }
}

/// The block that has the line which begins at `line`, below its first line.
fn block_around(text: &Text, scan: &Scan, line: usize) -> Option<Placed> {
    let placed = scan.blocks().take_while(|placed| placed.span.start < line).last()?;
    let (end, block) = (placed.span.end, &placed.block);
    if line <= end {
        return Some(placed);
    }
    // What is being written is not a line of it yet, and is right below.
    let open = block.end != BlockEnd::Closed && block.raw_until.is_none();
    (open && text.slice(end..line).trim().is_empty()).then_some(placed)
}

/// The field in whose text an offset is, and whether that is a list of paths.
fn raw_field(placed: &Placed, offset: usize) -> Option<(String, bool)> {
    let start = placed.span.start;
    let mut texts = placed.block.parsed.fields.iter().filter(|field| field.heredoc);
    let field = texts.find(|field| {
        start + field.value.start <= offset
            && offset <= start + field.value.end
            && field.value.start > field.key.end
    })?;
    let kind = payload::kind(&placed.block, field).typed();
    Some((field.name.to_string(), kind == Some(FieldType::Paths)))
}

/// The ending of the line before, for what is written over several lines.
pub fn ending(text: &Text, offset: usize) -> &'static str {
    let line = text.line_of(offset);
    let above = text.slice(text.line_start(line.saturating_sub(1))..text.line_start(line));
    Ending::of_line(&above).map_or_else(|| lines::Ending::Lf.as_str(), Ending::as_str)
}

#[cfg(test)]
mod tests {
    use operator_core::dialect::Dialects;
    use operator_core::limits::Limits;

    use super::*;

    /// The place of the `|` in `marked`, in a few words.
    fn at(marked: &str) -> String {
        let offset = marked.find('|').unwrap();
        let text = Text::new(&marked.replace('|', ""));
        let scan = Scan::new(&text, Dialects::all(), &Limits::default());
        match place(&text, &scan, offset) {
            Place::Outside { word, .. } => format!("outside {word:?}"),
            Place::Key { block, start } => format!("key at {start}, {block:?}"),
            Place::Value { key, value, .. } => {
                let Written { span, text, open, close, .. } = value;
                format!("value of {key} at {} {open}[{text}]{close}", span.start)
            }
            Place::Nothing => "nothing".to_owned(),
        }
    }

    #[test]
    fn the_cursor_is_found_while_the_block_is_written() {
        assert_eq!(at("a\n  OPER|"), "outside \"OPER\"");
        let id = r#"["id"]"#;
        assert_eq!(at("OPERATOR_CMD\nid: a\nac|"), format!("key at 19, ended false, {id}"));
        assert_eq!(
            at("OPERATOR_CMD\n|\nid: a\nEND_OPERATOR_CMD\nx: y"),
            format!("key at 13, ended true, {id}")
        );
        assert_eq!(at("OPERATOR_CMD\npath: src/m|\n"), "value of path at 19 [src/m]");
        assert_eq!(at("OPERATOR_CMD\npath:|"), "value of path at 18 []");
        assert_eq!(at("OPERATOR_CMD\nEND_OPERATOR_CMD\n|"), "outside \"\"");
        assert_eq!(at("OPERATOR_CMD\nsome prose |"), "nothing");
    }

    #[test]
    fn a_block_of_several_kinds_of_values_is_read_as_well() {
        let open = "#!SHAM [@three-char-SHA-256: k7m]\naction = \"files_read\"\n";
        let start = open.len();
        let action = r#"["action"]"#;
        assert_eq!(at(&format!("{open}pa|")), format!("key at {start}, ended false, {action}"));
        assert_eq!(
            at(&format!("{open}path = \"/w/a|\"\n#!END_SHAM_k7m")),
            format!("value of path at {} [/w/a]", start + 8)
        );
        assert_eq!(
            at(&format!("{open}path = |\n#!END_SHAM_k7m")),
            format!("value of path at {} \"[]\"", start + 7)
        );
        let list = "paths = <<'EOT_SHAM_k7m'\n/w/a\n/w|\nEOT_SHAM_k7m\n#!END_SHAM_k7m\n";
        assert_eq!(at(&format!("{open}{list}")), format!("value of paths at {} [/w]", start + 30));
        let text = "content = <<'EOT_SHAM_k7m'\npa|\nEOT_SHAM_k7m\n#!END_SHAM_k7m\n";
        assert_eq!(at(&format!("{open}{text}")), "nothing", "it is content");
        assert_eq!(at(&format!("{open}content = <<'EOT_SHAM_k7m'\npa|")), "outside \"pa\"");
    }
    #[test]
    fn the_line_below_file_is_a_path() {
        let pair = "<<<SEARCH>>>\na\n<<<REPLACE>>>\nb\n<<<END>>>\n";
        assert_eq!(at("<<<FILE>>>\n|"), "value of path at 11 []");
        assert_eq!(at("<<<FILE>>>\n\n|"), "value of path at 12 []");
        assert_eq!(at("<<<FILE>>>\nsrc/m|"), "value of path at 11 [src/m]");
        assert_eq!(
            at(&format!("Text.\n<<<FILE>>>\nsrc/m|x\n{pair}")),
            "value of path at 17 [src/m]"
        );
        assert_eq!(at("<<<EXPLANATION>>>\nwhy\n<<<FILE>>>\nsrc/m|"), "value of path at 33 [src/m]");
        assert_eq!(at(&format!("<<<FILE>>>\na.rs\n{}", pair.replace("a\n", "a|\n"))), "nothing");
    }
}
