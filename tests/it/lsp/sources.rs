//! A long transcript of SHAM and replacer blocks on the project's own sources: the same tree
//! whatever way it is applied.

use std::path::Path;

use serde_json::Value;

use super::client::{Capabilities, OnEdit};
use super::ways::{self, CommandLine};
use super::workspace::{Tree, Workspace};

/// What stands for the workspace's absolute path until there is one.
const ROOT: &str = "{{root}}";

/// Some of the project's own sources and pages, as they are.
const SOURCES: &[&str] = &[
    "server/core/src/text/content.rs",
    "server/core/src/text/lines.rs",
    "server/core/src/text/nearest.rs",
    "server/core/src/text/position.rs",
    "server/core/src/edit/anchors.rs",
    "server/core/src/edit/change_set.rs",
    "server/core/src/edit/needs.rs",
    "server/core/src/edit/smallest.rs",
    "server/core/src/edit/unified.rs",
    "spec/operator.md",
    "spec/structure.md",
];

fn sources() -> Tree {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: &&str| ((*path).to_owned(), std::fs::read(project.join(path)).unwrap());
    SOURCES.iter().map(read).collect()
}

/// The blocks of the transcript, made while their effect on the tree is followed.
struct Script {
    tree: Tree,
    blocks: Vec<String>,
}

impl Script {
    fn text(&self, path: &str) -> String {
        String::from_utf8(self.tree[path].clone()).unwrap()
    }

    fn set(&mut self, path: &str, text: impl Into<String>) {
        self.tree.insert(path.to_owned(), text.into().into_bytes());
    }

    /// A SHAM block; a value of several lines is a heredoc, and so ends without a line break.
    fn sham(&mut self, action: &str, fields: &[(&str, &str)]) {
        let id = format!("{:03}", self.blocks.len());
        let mut block = format!("#!SHAM [@three-char-SHA-256: {id}]\naction = \"{action}\"\n");
        for (key, value) in fields {
            block.push_str(&match value.contains('\n') {
                true => format!("{key} = <<'EOT_SHAM_{id}'\n{value}\nEOT_SHAM_{id}\n"),
                false => format!("{key} = {}\n", Value::from(*value)),
            });
        }
        self.blocks.push(format!("{block}#!END_SHAM_{id}\n"));
    }

    /// A replacer block that puts one text in the place of another.
    fn search(&mut self, path: &str, old: &str, new: &str) {
        let block =
            format!("<<<FILE>>>\n{path}\n<<<SEARCH>>>\n{old}\n<<<REPLACE>>>\n{new}\n<<<END>>>\n");
        self.blocks.push(block);
    }
}

/// The path in the workspace as SHAM wants it.
fn at(path: &str) -> String {
    format!("{ROOT}/{path}")
}

/// A line of a text, from 1, without its ending.
fn line(text: &str, number: usize) -> String {
    text.lines().nth(number - 1).unwrap().to_owned()
}

/// A line from the middle of a text that is in it once.
fn unique(text: &str) -> String {
    let lines = text.lines().skip(text.lines().count() / 2);
    let mut lines = lines.filter(|line| line.len() > 20 && text.matches(*line).count() == 1);
    lines.next().expect("some line is in the text once").to_owned()
}

/// A transcript of more than fifty blocks.
fn script(tree: &Tree) -> Script {
    let mut script = Script { tree: tree.clone(), blocks: Vec::new() };
    let code = || SOURCES.iter().filter(|path| path.ends_with(".rs"));
    for path in code() {
        let text = script.text(path);
        script.sham("file_read_numbered", &[("path", &at(path)), ("lines", "1-3")]);
        script.sham("grep", &[("path", &at(path)), ("pattern", "fn ")]);
        let first = line(&text, 1);
        script.sham(
            "file_replace_text",
            &[
                ("path", &at(path)),
                ("old_text", &first),
                ("new_text", &format!("{first}\n//! é 😀")),
            ],
        );
        let count = text.matches("fn ").count().to_string();
        script.sham(
            "replace_all_text_in_file",
            &[("path", &at(path)), ("old_text", "fn "), ("new_text", "FN "), ("count", &count)],
        );
        let after = text.replacen(&first, &format!("{first}\n//! é 😀"), 1).replace("fn ", "FN ");
        script.set(path, after);
    }
    for path in code() {
        let text = script.text(path);
        let old = unique(&text);
        script.search(path, &old, "use nothing;\nuse more;");
        script.set(path, text.replacen(&old, "use nothing;\nuse more;", 1));
    }
    let path = "server/core/src/text/lines.rs";
    script.sham("file_comment_lines", &[("path", &at(path)), ("lines", "2")]);
    let text = script.text(path);
    script.set(path, text.replacen("\n//! é 😀\n", "\n// //! é 😀\n", 1));
    script.sham(
        "file_replace_lines",
        &[("path", &at(path)), ("lines", "1-2"), ("new_content", "//! Lines.")],
    );
    let text = script.text(path);
    let rest: String = text.split_inclusive('\n').skip(2).collect();
    script.set(path, format!("//! Lines.\n{rest}"));
    script.sham("file_append", &[("path", &at(path)), ("content", "// the end\n")]);
    script.set(path, format!("{}// the end\n", script.text(path)));

    script
        .sham("file_write", &[("path", &at("new/deep/a.py")), ("content", "def f():\n    x = 1")]);
    script.sham(
        "insert_after_structure",
        &[("path", &at("new/deep/a.py")), ("target", "def f"), ("content", "def g():\n    y = 2")],
    );
    script.sham(
        "file_replace_text",
        &[("path", &at("new/deep/a.py@@def g")), ("old_text", "2"), ("new_text", "3")],
    );
    script.sham(
        "move_structure_to_before",
        &[
            ("source_path", &at("new/deep/a.py")),
            ("source_target", "def g"),
            ("dest_path", &at("new/deep/a.py")),
            ("dest_target", "def f"),
        ],
    );
    script.sham("file_move", &[("old_path", &at("new/deep/a.py")), ("new_path", &at("new/b.py"))]);
    script.set("new/b.py", "def g():\n    y = 3\n\ndef f():\n    x = 1");
    script.sham("file_delete", &[("path", &at("spec/operator.md"))]);
    script.tree.remove("spec/operator.md");
    script.blocks.push(
        "<<<EXPLANATION>>>\nLess of it.\n<<<FILE>>>\nnew/b.py\n<<<OVERWRITE>>>\ngone = 1\n\n\
         text\n<<<END>>>\n"
            .to_owned(),
    );
    script.set("new/b.py", "gone = 1\n\ntext\n");
    script.sham("grep", &[("path", ROOT), ("pattern", "FN "), ("include", "*.rs")]);
    script
}

fn same(found: &Tree, expected: &Tree, how: &str) {
    let mut found = found.clone();
    // What was emptied is not taken away.
    found.retain(|path, _| !path.ends_with('/'));
    let names = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(expected), "{how}");
    for (path, bytes) in &found {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(text(bytes), text(&expected[path]), "{path} {how}");
    }
}

#[test]
fn one_transcript_three_ways() {
    let tree = sources();
    let script = script(&tree);
    assert!(script.blocks.len() >= 50, "{}", script.blocks.len());
    let transcript =
        |workspace: &Workspace| script.blocks.join("\nProse.\n").replace(ROOT, &workspace.home());

    let workspace = Workspace::of(&tree);
    let line = CommandLine::new(&workspace);
    let applied = line.apply(&transcript(&workspace));
    let results = applied["results"].as_array().unwrap();
    let failed: Vec<_> = results.iter().filter(|it| it["ok"] != true).collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert_eq!(results.len(), script.blocks.len());
    same(&workspace.tree(), &script.tree, "by the command line");
    line.undo();
    same(&workspace.tree(), &tree, "after `undo`");

    let workspace = Workspace::of(&tree);
    let open = ["server/core/src/text/lines.rs".to_owned()];
    let mut client = ways::client(&workspace, Capabilities::everything(), &open);
    ways::one_by_one(&mut client, &transcript(&workspace));
    let found = ways::saved(&mut client, &workspace);
    same(&found, &script.tree, "action by action");

    let workspace = Workspace::of(&tree);
    let mut client = ways::client(&workspace, Capabilities::everything(), &[]);
    ways::all_at_once(&mut client, &transcript(&workspace));
    assert_eq!(client.edits_made.len(), 1);
    same(&workspace.tree(), &script.tree, "all as one edit");
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    same(&workspace.tree(), &tree, "after `operator.undo`");
}
