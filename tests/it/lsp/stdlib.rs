//! A long transcript on code that others wrote: the same tree whatever way it is applied, and
//! the first one again after `undo`.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use operator_core::edit::unified;
use serde_json::{Value, json};

use super::client::{Capabilities, OnEdit};
use super::reply::replies;
use super::ways::{self, CHAT, CommandLine};
use super::workspace::{Tree, Workspace, block};

/// Three packages of the machine's Python, or a tree of similar shape where there is none.
fn packages() -> Tree {
    let Some(library) = standard_library() else {
        let says = "there is no `python3` to say where its library is: a generated tree stands in";
        std::io::stderr().write_all(says.as_bytes()).unwrap();
        return generated();
    };
    let mut tree = Tree::new();
    for package in ["json", "http"] {
        for entry in std::fs::read_dir(library.join(package)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "py") {
                let name = path.file_name().unwrap().to_str().unwrap();
                tree.insert(format!("{package}/{name}"), std::fs::read(&path).unwrap());
            }
        }
    }
    tree.insert("argparse.py".to_owned(), std::fs::read(library.join("argparse.py")).unwrap());
    tree
}

fn standard_library() -> Option<PathBuf> {
    let says = "import sysconfig; print(sysconfig.get_path('stdlib'))";
    let output = Command::new("python3").args(["-c", says]).output().ok()?;
    let path = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim());
    let whole = ["json/decoder.py", "http/client.py", "argparse.py"];
    let is_there = |file: &&str| Path::new(&path).join(file).is_file();
    whole.iter().all(is_there).then_some(path)
}

fn generated() -> Tree {
    let module = |name: &str, count: usize| {
        let function = |index: usize| {
            format!(
                "def {name}_{index}(value):\n    \"\"\"Does {index}.\"\"\"\n    return value + {index}\n\n\n"
            )
        };
        let body: String = (0..count).map(function).collect();
        format!("\"\"\"The module {name}.\"\"\"\n\nimport re\n\n\n{body}").into_bytes()
    };
    let names = [
        ("json/__init__.py", "init"),
        ("json/decoder.py", "decoder"),
        ("json/encoder.py", "encoder"),
        ("json/scanner.py", "scanner"),
        ("json/tool.py", "tool"),
        ("http/__init__.py", "init"),
        ("http/client.py", "client"),
        ("http/cookies.py", "cookies"),
        ("http/server.py", "server"),
        ("argparse.py", "argparse"),
    ];
    names.iter().map(|(path, name)| ((*path).to_owned(), module(name, 60))).collect()
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

    fn add(&mut self, action: &str, fields: &[(&str, &str)]) {
        let id = format!("b{}", self.blocks.len() + 1);
        self.blocks.push(block(&id, action, fields));
    }

    fn read(&mut self, action: &str, fields: &[(&str, &str)]) {
        self.add(action, fields);
    }

    fn write(&mut self, path: &str, text: &str) {
        self.add("fs.write", &[("path", path), ("content_b64", text)]);
        self.tree.insert(path.to_owned(), text.as_bytes().to_vec());
    }

    fn edit(&mut self, path: &str, edits: &Value, after: String) {
        let edits = json!({"version": 1, "edits": edits}).to_string();
        self.add("fs.applyEdits", &[("path", path), ("edits_b64", &edits)]);
        self.tree.insert(path.to_owned(), after.into_bytes());
    }

    fn patch(&mut self, path: &str, after: String) {
        let patch = unified(&format!("a/{path}"), &format!("b/{path}"), &self.text(path), &after);
        self.add("fs.patch", &[("path", path), ("patch_b64", &patch)]);
        self.tree.insert(path.to_owned(), after.into_bytes());
    }

    fn delete(&mut self, path: &str) {
        self.add("fs.delete", &[("path", path)]);
        let below = format!("{path}/");
        self.tree.retain(|known, _| known != path && !known.starts_with(&below));
    }

    fn transfer(&mut self, action: &str, from: &str, to: &str) {
        self.add(action, &[("path", from), ("path_to", to)]);
        let below = format!("{from}/");
        let inside = |path: &String| path == from || path.starts_with(&below);
        let moved: Tree = self
            .tree
            .iter()
            .filter(|(path, _)| inside(path))
            .map(|(path, bytes)| (path.replacen(from, to, 1), bytes.clone()))
            .collect();
        if action != "fs.copy" {
            self.tree.retain(|path, _| !inside(path));
        }
        self.tree.extend(moved);
    }
}

/// The lines of a text with every one that `changed` names replaced.
fn with_lines(text: &str, changed: &[(usize, &str)]) -> String {
    let lines = text.split_inclusive('\n').enumerate();
    let line = |(index, line): (usize, &str)| {
        let new = changed.iter().find(|(at, _)| *at == index + 1);
        new.map_or(line.to_owned(), |(_, new)| format!("{new}\n"))
    };
    lines.map(line).collect()
}

/// A transcript that uses every action at least once.
fn script(tree: &Tree) -> Script {
    let mut script = Script { tree: tree.clone(), blocks: Vec::new() };
    script.read("operator.getInterfaceSpec", &[]);
    script.read("fs.list", &[("path", ".")]);
    script.read("fs.searchTree", &[("path", "."), ("query", "import")]);
    let files: Vec<_> = tree.keys().cloned().collect();
    for path in &files {
        script.read("fs.stat", &[("path", path)]);
        let text = script.text(path);
        // A change near the end first, so that the patch must find its place in a long file.
        let count = text.lines().count();
        script.patch(path, with_lines(&text, &[(count, "# the end"), (1, "# the start 😀")]));
    }
    for path in ["json/decoder.py", "http/client.py", "argparse.py"] {
        script.read("fs.readSlice", &[("path", path), ("start", "1"), ("lines", "20")]);
        script.read("fs.search", &[("path", path), ("query", "def ")]);
        let text = script.text(path);
        let first = text.find("import").unwrap();
        let after =
            format!("{}IMPORT{}", &text[..first], &text[first + 6..]).replace("def ", "DEF ");
        let edits = json!([
            {"op": "replaceFirst", "find": "import", "text": "IMPORT", "occurrence": 1},
            {"op": "replaceAll", "find": "def ", "text": "DEF "},
            {"op": "insertBefore", "anchor": "# the start 😀\n", "text": "# é\n"},
            {"op": "replaceRange", "startLine": 2, "endLine": 2, "text": ""},
        ]);
        script.edit(path, &edits, after.replacen("# the start 😀\n", "# é\n", 1));
    }
    script.write("json/new/deep/module.py", "NEW = 'é'\r\nMORE = 1\r\n");
    let anew = format!("{}# Written anew.\n", script.text("json/__init__.py"));
    script.write("json/__init__.py", &anew);
    script.transfer("fs.copy", "json", "json_copy");
    script.transfer("fs.move", "http", "web/http");
    script.transfer("fs.rename", "argparse.py", "arguments.py");
    script.transfer("fs.copy", "arguments.py", "web/arguments.py");
    script.delete("json/tool.py");
    // To delete it needs a look of its own, which "all at once" is not.
    script.transfer("fs.move", "json/new", "web/new");
    script.read("fs.read", &[("path", "web/http/client.py")]);
    let text = script.text("arguments.py");
    let after = format!("{text}# added\n");
    script.edit(
        "arguments.py",
        &json!([{"op": "insertAfter", "anchor": "# the end\n", "text": "# added\n"}]),
        after,
    );
    script
}

fn same(found: &Tree, expected: &Tree, how: &str) {
    let names = |tree: &Tree| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(found), names(expected), "{how}");
    for (path, bytes) in found {
        assert!(*bytes == expected[path], "{path} differs {how}");
    }
}

#[test]
fn one_transcript_three_ways() {
    let tree = packages();
    let script = script(&tree);
    let transcript = script.blocks.join("\n");
    assert!(script.blocks.len() >= 40, "{}", script.blocks.len());
    let used: BTreeSet<_> =
        transcript.lines().filter_map(|line| line.strip_prefix("action: ")).collect();
    assert_eq!(used.len(), 14, "{used:?}");

    let workspace = Workspace::of(&tree);
    let line = CommandLine::new(&workspace);
    let applied = line.apply(&transcript);
    let failed: Vec<_> = applied["results"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|result| result["ok"] != true)
        .map(|result| &result["summary"])
        .collect();
    assert!(failed.is_empty(), "{failed:?}");
    same(&workspace.tree(), &script.tree, "by the command line");
    line.undo();
    same(&workspace.tree(), &tree, "after `undo`");

    let capabilities = || Capabilities::everything();
    let workspace = Workspace::of(&tree);
    let open = ["json/decoder.py".to_owned(), "argparse.py".to_owned()];
    let mut client = ways::client(&workspace, capabilities(), &open);
    ways::one_by_one(&mut client, &transcript);
    let found = ways::saved(&mut client, &workspace);
    same(&found, &script.tree, "action by action");

    let workspace = Workspace::of(&tree);
    let mut client = ways::client(&workspace, capabilities(), &[]);
    ways::all_at_once(&mut client, &transcript);
    assert_eq!(client.edits_made.len(), 1);
    same(&workspace.tree(), &script.tree, "all as one edit");
    client.on_edit = OnEdit::Apply;
    client.command("operator.undo", &Value::Null).unwrap();
    // What was emptied is not taken away: an editor has no operation for that.
    let mut found = workspace.tree();
    found.retain(|path, _| !path.ends_with('/'));
    same(&found, &tree, "after `operator.undo`");
}

#[test]
fn every_read_is_answered_as_by_the_command_line() {
    let tree = packages();
    let script = script(&tree);
    let transcript: Vec<_> = script.blocks.iter().filter(|block| !block.contains("_b64")).collect();
    let reads = ["fs.list", "fs.search", "fs.stat", "fs.read", "operator."];
    let is_read = |block: &&&String| {
        let mut actions = reads.iter().map(|read| format!("action: {read}"));
        actions.any(|action| block.contains(&action)) && !block.contains("web/")
    };
    let transcript: Vec<_> = transcript.into_iter().filter(|b| is_read(&b)).cloned().collect();
    let transcript = transcript.join("\n");
    let workspace = Workspace::of(&tree);
    let printed = CommandLine::new(&workspace).apply(&transcript);
    let printed: String = printed["replies"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| r["text"].as_str().unwrap())
        .collect();
    let mut client = ways::client(&workspace, Capabilities::everything(), &[]);
    client.open(CHAT, "markdown", &transcript);
    let mut told = String::new();
    for index in 0..client.proposals(CHAT).len() {
        let answer = client.command("operator.reply", &json!({"uri": CHAT, "block": index}));
        told.push_str(answer.unwrap().as_str().unwrap());
    }
    assert_eq!(replies(&told), replies(&printed));
}
