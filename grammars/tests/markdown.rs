//! The blocks of Markdown, held against another parser of CommonMark on every Markdown file under
//! the folder where Cargo keeps the sources of packages, where that is there.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use comrak::nodes::NodeValue;
use comrak::{Arena, Options, parse_document};
use operator_core::outline::Parsed;
use operator_core::structure::Kind;
use operator_core::syntax::{Item, items};
use operator_core::text::Content;

/// Kind, first and last line, from 1.
type Block = (&'static str, usize, usize);

/// A text by its lines.
struct Lines<'a>(Vec<&'a str>);

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        Lines(text.lines().collect())
    }

    /// The last line up to `last` that holds more than blanks and the markers of quotes around.
    fn trimmed(&self, first: usize, last: usize, quotes: usize) -> usize {
        let is_blank = |line: usize| {
            let mut rest = self.0[line - 1].trim();
            for _ in 0..quotes {
                rest = rest.strip_prefix('>').unwrap_or(rest).trim();
            }
            rest.is_empty()
        };
        let mut last = last.min(self.0.len());
        while last > first && is_blank(last) {
            last -= 1;
        }
        last
    }

    /// The first line that is not a link definition: the other parser counts those that a paragraph
    /// begins with as parts of it.
    fn after_definitions(&self, first: usize, last: usize) -> usize {
        (first..last).find(|line| !is_definition(self.0[line - 1])).unwrap_or(last)
    }

    /// The last line of an item whose other lines end with `last`: the other parser does not count
    /// the link definitions that it ends with. Its content is `indent` columns in.
    fn with_definitions(&self, last: usize, indent: usize) -> usize {
        let lines = (last + 1..=self.0.len()).map(|line| (line, self.0[line - 1]));
        let own = lines.take_while(|(_, text)| {
            let indented = text.len() - text.trim_start().len() >= indent;
            text.trim().is_empty() || indented && is_definition(text)
        });
        own.filter(|(_, text)| !text.trim().is_empty()).last().map_or(last, |(line, _)| line)
    }
}

/// Whether a line defines a link.
fn is_definition(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with('[') && !line.starts_with("[^") && line.contains("]: ")
}

/// The blocks that the other parser finds; front matter is cut off before.
fn others(text: &str, skipped: usize) -> BTreeSet<Block> {
    let lines = Lines::of(text);
    let mut options = Options::default();
    options.extension.table = true;
    let arena = Arena::new();
    let root = parse_document(&arena, text, &options);
    let mut blocks = BTreeSet::new();
    for node in root.descendants() {
        let data = node.data.borrow();
        let (mut first, last) = (data.sourcepos.start.line, data.sourcepos.end.line);
        let is_quote = |it: &NodeValue| matches!(it, NodeValue::BlockQuote);
        let around = node.ancestors().skip(1);
        let quotes = around.filter(|it| is_quote(&it.data.borrow().value)).count();
        let (kind, last) = match &data.value {
            NodeValue::Item(list) => {
                let indent = data.sourcepos.start.column - 1 + list.padding;
                ("item", lines.with_definitions(last, indent))
            }
            NodeValue::BlockQuote => ("quote", last),
            NodeValue::CodeBlock(_) => ("code", last),
            NodeValue::Table(_) => ("table", last),
            NodeValue::Paragraph => {
                first = lines.after_definitions(first, last);
                ("paragraph", last)
            }
            NodeValue::Heading(heading) => {
                let ends = |level: u8| level <= heading.level;
                let next = node.following_siblings().skip(1).find(|it| {
                    matches!(&it.data.borrow().value, NodeValue::Heading(it) if ends(it.level))
                });
                let parent = node.parent().expect("a heading has a parent");
                let end = match (next, &parent.data.borrow().value) {
                    (Some(next), _) => next.data.borrow().sourcepos.start.line - 1,
                    (None, NodeValue::Document) => lines.0.len(),
                    (None, _) => parent.data.borrow().sourcepos.end.line,
                };
                ("section", end)
            }
            _ => continue,
        };
        blocks.insert((kind, skipped + first, skipped + lines.trimmed(first, last, quotes)));
    }
    blocks
}

fn ours(text: &str) -> (Parsed, BTreeSet<Block>) {
    let language = operator_grammars::by_language_id("markdown").expect("it is in the registry");
    let mut patience = || ControlFlow::Continue(());
    let parsed = Parsed::new(language, Content::plain(text), &mut patience).expect("it is small");
    let found = items(&parsed.tree, text, &mut patience).expect("it is small");
    let block = |item: &Item| {
        let [first, last] = parsed.lines_of(&item.span);
        (item.kind.as_str(), first, last)
    };
    let blocks = found.items.iter().map(block).collect();
    (parsed, blocks)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|it| it.eq_ignore_ascii_case("md")) {
            files.push(path);
        }
    }
}

fn sources() -> Option<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo")))?;
    Some(home.join("registry/src"))
}

#[test]
fn the_blocks_are_those_that_another_parser_finds() {
    let mut files = Vec::new();
    sources().inspect(|folder| collect(folder, &mut files));
    files.sort();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = Vec::new();
    for path in &files {
        let Ok(text) = fs::read_to_string(path) else { continue };
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
        let (parsed, ours) = ours(text);
        let matter = parsed.outline.structures.first().filter(|it| it.kind == Kind::FrontMatter);
        let skipped = matter.map_or(0, |it| parsed.lines_of(&it.extent)[1]);
        let start = text.split_inclusive('\n').take(skipped).map(str::len).sum();
        let mut theirs = others(&text[start..], skipped);
        if skipped > 0 {
            theirs.insert(("front-matter", 1, skipped));
        }
        for (kind, ..) in &ours {
            *counts.entry(kind).or_default() += 1;
        }
        for (who, block) in (ours.difference(&theirs).map(|it| ("we", it)))
            .chain(theirs.difference(&ours).map(|it| ("they", it)))
        {
            wrong.push(format!("{}: only {who} see {block:?}", path.display()));
        }
    }
    println!("{} files: {counts:?}, {} differences", files.len(), wrong.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
