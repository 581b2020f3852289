//! The fenced code of Markdown, held against the grammar `tree-sitter-md` on the pages of this
//! repository.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use operator_core::outline::Parsed;
use operator_core::structure::Kind;
use operator_core::text::Content;
use tree_sitter::{Node, Parser};

/// The first line of a fence, from 1, and its language.
type Fence = (usize, Option<String>);

fn pages(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder)
        .expect("the folder is there")
        .map(|entry| entry.expect("it is listed").path())
    {
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|it| it == "md") {
            found.push(path);
        }
    }
}

fn ours(text: &str) -> Vec<Fence> {
    let language = operator_grammars::by_language_id("markdown").expect("it is registered");
    let mut patience = || ControlFlow::Continue(());
    let parsed =
        Parsed::new(language, Content::plain(text), &mut patience).expect("it is parsed in time");
    let code = parsed.outline.structures.iter().filter(|it| it.kind == Kind::Code);
    let fenced = code.filter(|it| text[it.own_start..].starts_with(['`', '~']));
    let fence = fenced.map(|it| {
        let name = it.name.map(|name| name.of(text).to_owned());
        (parsed.lines_of(&it.extent)[0], name)
    });
    fence.collect()
}

fn theirs(text: &str) -> Vec<Fence> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_md::LANGUAGE.into()).expect("the versions fit");
    let tree = parser.parse(text, None).expect("nothing stops it");
    let mut fences = Vec::new();
    below(tree.root_node(), text, &mut fences);
    fences
}

fn child<'a>(node: Node<'a>, kind: &str) -> Option<Node<'a>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).find(|child| child.kind() == kind)
}

fn below(node: Node<'_>, text: &str, fences: &mut Vec<Fence>) {
    if node.kind() == "fenced_code_block" {
        let info = child(node, "info_string").and_then(|info| child(info, "language"));
        let name = info.map(|it| text[it.byte_range()].to_owned());
        fences.push((node.start_position().row + 1, name));
    }
    for child in node.children(&mut node.walk()) {
        below(child, text, fences);
    }
}

#[test]
fn the_fences_are_those_that_the_grammar_finds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = vec![root.join("README.md")];
    pages(&root.join("spec"), &mut files);
    let (mut count, mut wrong) = (0, Vec::new());
    let mut spent = [Duration::ZERO; 2];
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let start = Instant::now();
        let ours = ours(&text);
        spent[0] += start.elapsed();
        let start = Instant::now();
        let theirs = theirs(&text);
        spent[1] += start.elapsed();
        count += ours.len();
        if ours != theirs {
            wrong.push(format!("{}: {ours:?}\n{theirs:?}", path.display()));
        }
    }
    println!("{count} fences; {spent:?}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
