//! Property: whatever way a transcript is applied, the workspace is the same afterwards, and
//! it is the one that the plans show.

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::json;

use super::client::{Capabilities, ENCODINGS, Encoding};
use super::ways::{CommandLine, all_at_once, client, one_by_one, saved};
use super::workspace::{Tree, Workspace, block, cases};

const PATHS: &[&str] = &["a.txt", "b.md", "sub/c.py", "sub/deep/d.txt", "é e.txt"];
const NEW_PATHS: &[&str] = &["a.txt", "b.md", "sub/new.txt", "n/n/n.txt", "sub/deep/d.txt"];
const WORDS: &[&str] = &["one", "two", "é", "😀x", "  indent", "", "e\u{301}nd", "\tt", "𝒳𝒴"];

/// One thing that a transcript asks for.
#[derive(Debug, Clone)]
enum Asked {
    Write(&'static str, String),
    Edit(&'static str, Vec<(u8, String, String)>),
    Delete(&'static str),
    Copy(&'static str, &'static str),
    Move(&'static str, &'static str),
    Read(&'static str),
}

fn content() -> impl Strategy<Value = String> {
    let ending = prop::sample::select(&["\n", "\n", "\n", "\r\n"][..]);
    let words = prop::collection::vec(prop::sample::select(WORDS), 0..8);
    (words, ending, any::<bool>()).prop_map(|(words, ending, last)| {
        let text = words.join(ending);
        let end = if last && !text.is_empty() { ending } else { "" };
        format!("{text}{end}")
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    let path = || prop::sample::select(PATHS);
    let new = || prop::sample::select(NEW_PATHS);
    let word = || prop::sample::select(WORDS).prop_map(str::to_owned);
    let edit = (0..5_u8, word(), word());
    prop_oneof![
        3 => (new(), content()).prop_map(|(path, text)| Asked::Write(path, text)),
        6 => (path(), prop::collection::vec(edit, 1..3)).prop_map(|(p, e)| Asked::Edit(p, e)),
        1 => prop::sample::select(&["a.txt", "b.md", "sub/c.py"][..]).prop_map(Asked::Delete),
        1 => (path(), new()).prop_map(|(from, to)| Asked::Copy(from, to)),
        2 => (prop::sample::select(&["a.txt", "b.md", "sub/c.py"][..]), prop::sample::select(&["m/x", "sub/new.txt", "b.md"][..]))
            .prop_map(|(from, to)| Asked::Move(from, to)),
        1 => path().prop_map(Asked::Read),
    ]
}

fn edits(edits: &[(u8, String, String)]) -> String {
    let edits: Vec<_> = edits
        .iter()
        .map(|(kind, find, text)| match kind {
            0 => json!({"op": "insertAfter", "anchor": find, "text": text, "occurrence": 1}),
            1 => json!({"op": "insertBefore", "anchor": find, "text": text, "occurrence": 1}),
            2 => json!({"op": "replaceFirst", "find": find, "text": text, "occurrence": 1}),
            3 => json!({"op": "replaceAll", "find": find, "text": text}),
            _ => json!({"op": "replaceRange", "startLine": 1, "endLine": 1, "text": text}),
        })
        .collect();
    json!({"version": 1, "edits": edits}).to_string()
}

fn transcript(asked: &[Asked]) -> String {
    let blocks = asked.iter().enumerate().map(|(index, asked)| {
        let id = format!("b{index}");
        match asked {
            Asked::Write(path, text) if text.is_empty() => {
                block(&id, "fs.write", &[("path", path), ("content", "")])
            }
            Asked::Write(path, text) => {
                block(&id, "fs.write", &[("path", path), ("content_b64", text)])
            }
            Asked::Edit(path, all) => {
                block(&id, "fs.applyEdits", &[("path", path), ("edits_b64", &edits(all))])
            }
            Asked::Delete(path) => block(&id, "fs.delete", &[("path", path)]),
            Asked::Copy(from, to) => block(&id, "fs.copy", &[("path", from), ("path_to", to)]),
            Asked::Move(from, to) => block(&id, "fs.move", &[("path", from), ("path_to", to)]),
            Asked::Read(path) => block(&id, "fs.read", &[("path", path)]),
        }
    });
    blocks.collect::<Vec<_>>().join("\nProse.\n")
}

fn tree() -> impl Strategy<Value = Tree> {
    let file = (prop::sample::select(PATHS), content(), 0..4_u8);
    prop::collection::vec(file, 1..5).prop_map(|files| {
        let marked = |mark: u8, text| format!("{}{text}", if mark == 0 { "\u{feff}" } else { "" });
        let file = |(path, text, mark): (&str, String, u8)| {
            (path.to_owned(), marked(mark, text).into_bytes())
        };
        files.into_iter().map(file).collect()
    })
}

fn check(way: impl Fn(&Tree, &[String], &str, Encoding) -> Tree) {
    let config = Config { cases: cases(60), failure_persistence: None, ..Config::default() };
    let encoding = prop::sample::select(&ENCODINGS[..]);
    let given = (tree(), prop::collection::vec(asked(), 1..6), any::<u8>(), encoding);
    let run = TestRunner::new(config).run(&given, |(tree, asked, open, encoding)| {
        let text = transcript(&asked);
        let open: Vec<_> = tree
            .keys()
            .enumerate()
            .filter(|(i, _)| open >> i & 1 == 1)
            .map(|(_, p)| p.clone())
            .collect();
        let reference = Workspace::of(&tree);
        let line = CommandLine::new(&reference);
        let said = line.apply(&text);
        // What needs a look is left by the command line, and applied by whoever has looked.
        let is_left = |it: &serde_json::Value| it["error"]["code"] == "plan/needs-a-look";
        prop_assume!(!said["results"].as_array().unwrap().iter().any(is_left));
        let expected = reference.tree();
        let found = way(&tree, &open, &text, encoding);
        prop_assert_eq!(readable(&found), readable(&expected));
        line.undo();
        prop_assert_eq!(readable(&reference.tree()), readable(&tree), "undone");
        Ok(())
    });
    run.unwrap_or_else(|failure| panic!("{failure}"));
}

fn readable(tree: &Tree) -> Vec<(String, String)> {
    let text = |bytes: &Vec<u8>| String::from_utf8(bytes.clone()).unwrap();
    tree.iter().map(|(path, bytes)| (path.clone(), text(bytes))).collect()
}

#[test]
fn action_by_action() {
    check(|tree, open, text, encoding| {
        let workspace = Workspace::of(tree);
        let capabilities = Capabilities::everything().encoding(encoding.name());
        let mut client = client(&workspace, capabilities, open);
        one_by_one(&mut client, text);
        saved(&mut client, &workspace)
    });
}

#[test]
fn all_as_one_edit() {
    check(|tree, open, text, encoding| {
        let workspace = Workspace::of(tree);
        let capabilities = Capabilities::everything().encoding(encoding.name());
        let mut client = client(&workspace, capabilities, open);
        all_at_once(&mut client, text);
        saved(&mut client, &workspace)
    });
}
