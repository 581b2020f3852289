//! What the specification and the examples show is what the program does.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use operator_lsp::workspace::real_path;

use super::{Ran, World};
use crate::conversation::{copy_workspace, spec};

/// A page of the specification, whose blocks are found.
fn page(name: &str) -> String {
    let page = fs::read_to_string(spec(name)).unwrap();
    let shown = page.replace("<!-- operator-lsp: off -->\n", "");
    assert!(shown.len() < page.len(), "{name} is no transcript");
    shown
}

/// Every Markdown page of the project that is not a transcript by intent.
fn pages() -> Vec<PathBuf> {
    let project = real_path(&spec("..")).unwrap();
    let is_other = |path: &Path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let hidden = name.starts_with('.') || ["target", "node_modules"].contains(&name);
        hidden || path.ends_with("spec/cases") || path.ends_with("spec/examples")
    };
    let (mut ahead, mut pages) = (vec![project], Vec::new());
    while let Some(directory) = ahead.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if is_other(&path) {
                continue;
            }
            if path.is_dir() {
                ahead.push(path);
            } else if path.extension().is_some_and(|it| it == "md") {
                pages.push(path);
            }
        }
    }
    pages
}

#[test]
fn the_projects_own_pages_are_no_transcripts() {
    let world = World::new(&[]);
    let pages = pages();
    assert!(pages.len() > 10, "{pages:?}");
    let paths: Vec<&str> = pages.iter().map(|path| path.to_str().unwrap()).collect();
    let ran = world.run(&[&["check", "--format", "json"][..], &paths].concat());
    for one in ran.json()["transcripts"].as_array().unwrap() {
        assert_eq!(one["blocks"], serde_json::json!([]), "{}", one["path"]);
        assert_eq!(one["problems"], serde_json::json!([]), "{}", one["path"]);
    }
}

/// The replies that are in a page, and the page without them.
fn without_replies(page: &str) -> (String, Vec<String>) {
    let (mut rest, mut replies) = (String::new(), Vec::new());
    let mut inside = None;
    for line in page.split_inclusive('\n') {
        if line == "OPERATOR_RESULT\n" {
            inside = Some(String::new());
        }
        match &mut inside {
            None => rest.push_str(line),
            Some(reply) => {
                reply.push_str(line);
                if line == "END_OPERATOR_RESULT\n" {
                    replies.extend(inside.take());
                }
            }
        }
    }
    (rest, replies)
}

/// The workspace of the examples.
pub fn example_world() -> World {
    let world = World::new(&[]);
    copy_workspace(&world.root());
    world
}

#[test]
fn the_specification_of_the_replacer_shows_edits_that_fit() {
    let server = "    app.run(port=8080)\n    print(\"here\")\nfirst\nsecond\n";
    let world = World::new(&[("project/src/server.py", server)]);
    let page = page("replacer.md");
    let ran = world.run_on(page, &["apply", "--yes"]);
    let replies = "ok project/src/server.py\n\
         ok project/config/settings.json\n\
         ok project/src/server.py\n\
         ok project/src/server.py\n\
         ok project/src/server.py\n";
    assert!(ran.out.contains(replies), "{}", ran.out);
    let file = |path: &str| fs::read_to_string(world.root().join(path)).unwrap();
    assert_eq!(file("project/src/server.py"), "    app.run(port=settings.port)\n1\n2\n");
    assert_eq!(file("project/config/settings.json"), "{\n   \"debug\": true\n}\n");
}

#[test]
fn the_specifications_for_chats_show_edits_that_fit() {
    let world =
        World::new(&[("src/greeter.py", "def greet(name):\n    return \"Hello \" + name\n")]);
    let ran = world.run_on(page("search-replace.md"), &["apply", "--yes"]).exits(0);
    assert!(ran.out.starts_with("operator-lsp applied 1 of 1 block.\n"), "{}", ran.out);
    let expected = "def greet(name: str) -> str:\n    return f\"Hello {name}\"\n";
    assert_eq!(world.text("src/greeter.py"), expected);

    let greeter = "class Greeter:\ndef greet(self, name):\n    return \"Hello \" + name\n";
    let world = World::new(&[("src/greeter.py", greeter), ("old.py", "")]);
    let ran = world.run_on(page("apply-patch.md"), &["apply", "--yes"]).exits(0);
    assert!(ran.out.starts_with("operator-lsp applied 1 of 1 block.\n"), "{}", ran.out);
    let expected = "class Greeter:\ndef greet(self, name):\n    return f\"Hello {name}\"\n";
    assert_eq!(world.text("src/greeter.py"), expected);
    assert_eq!(world.text("docs/greeting.md"), "# Greeting\n\nIt says hello.\n");
    assert_eq!(world.text("old.py"), "(not there)");

    let world =
        World::new(&[("src/greeter.py", "def greet(name):\n    return \"Hello \" + name\n")]);
    let ran = world.run_on(page("diff.md"), &["apply", "--yes"]).exits(0);
    assert!(ran.out.starts_with("operator-lsp applied 2 of 2 blocks.\n"), "{}", ran.out);
    let expected = "def greet(name):\n    return f\"Hello {name}\"\n";
    assert_eq!(world.text("src/greeter.py"), expected);
    assert_eq!(world.text("docs/greeting.md"), "# Greeting\n\nIt says hello.\n");

    let greeter = "import sys\n\n\ndef greet(name):\n    return \"Hello \" + name\n\n\ndef bye():\n    sys.exit()\n";
    let world = World::new(&[("src/greeter.py", greeter)]);
    let ran = world.run_on(page("files.md"), &["apply", "--yes"]).exits(0);
    assert!(ran.out.starts_with("operator-lsp applied 2 of 2 blocks.\n"), "{}", ran.out);
    let expected = greeter
        .replace("def greet(name):", "def greet(name: str) -> str:")
        .replace("\"Hello \" + name", "f\"Hello {name}\"");
    assert_eq!(world.text("src/greeter.py"), expected);
    assert_eq!(world.text("docs/greeting.md"), "# Greeting\n\nIt says hello.\n");
}

#[test]
fn the_specification_shows_the_very_replies() {
    let (page, replies) = without_replies(&page("operator.md"));
    assert_eq!(replies.len(), 4);
    let ran = example_world().run_on(page, &["apply", "--yes"]);
    for reply in replies {
        assert!(ran.out.contains(&reply), "not given:\n{reply}\nbut\n{}", ran.out);
    }
}

#[test]
fn the_good_example_ends_well_and_can_be_taken_back() {
    let world = example_world();
    let chat = fs::read_to_string(spec("examples/chat-good.md")).unwrap();
    let dry = world.run_on(&chat, &["apply", "--dry-run"]);
    assert_eq!(dry.code, Some(0), "{}", dry.err);
    for shown in ["warning[operator/unknown-field]", "+    \"es\": \"Hola\",", "would be applied"] {
        assert!(dry.err.contains(shown), "{shown} in\n{}", dry.err);
    }
    assert_eq!(dry.out, "");
    let notes = fs::read(world.root().join("notes.txt")).unwrap();
    let ran = world.run_on(&chat, &["apply", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("OPERATOR_RESULT\nid: find-1\nok: true\n"));
    assert_eq!(world.text("notes.txt"), "(not there)");
    assert_eq!(world.run(&["undo"]).code, Some(0));
    assert_eq!(fs::read(world.root().join("notes.txt")).unwrap(), notes);
    assert_eq!(world.text("docs/ideas.txt"), "(not there)");
}

/// The manual's examples of `apply`: between two lines `…` is what is printed, word for word.
#[test]
fn the_manual_shows_what_apply_prints() {
    let world = example_world();
    let directory = world.directory.path();
    fs::copy(spec("examples/chat-good.md"), directory.join("chat-good.md")).unwrap();
    let page = fs::read_to_string(spec("manual/command-line.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("Apply")).unwrap();
    let examples: Vec<&str> = section.split("$ operator-lsp ").skip(1).collect();
    assert_eq!(examples.len(), 2);
    for example in examples {
        let (line, shown) = example.split("```").next().unwrap().split_once('\n').unwrap();
        let arguments: Vec<&str> = line.split(' ').collect();
        let mut command = world.command(&arguments);
        let ran = command.current_dir(directory).stdin(Stdio::null()).output().unwrap();
        let ran = Ran::from(ran).exits(0);
        let said = format!("{}{}", ran.err, ran.out);
        let mut from = 0;
        for part in shown.split("…\n").filter(|part| !part.is_empty()) {
            let at = said[from..].find(part);
            let at = at.unwrap_or_else(|| panic!("not printed, or not there:\n{part}\nin\n{said}"));
            from += at + part.len();
        }
    }
}

#[test]
fn the_good_example_of_the_replacer_ends_well() {
    let world = example_world();
    let chat = fs::read_to_string(spec("examples/replacer-good.md")).unwrap();
    let ran = world.run_on(chat, &["apply", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(world.text("greeter/__init__.py").contains("    \"es\": \"Adiós\",\n"));
    assert_eq!(world.run(&["undo"]).code, Some(0));
    assert_eq!(world.text("greeter/__main__.py"), "(not there)");
}

#[test]
fn the_good_examples_of_chats_end_well() {
    let examples = [
        ("search-replace-good.md", 6),
        ("apply-patch-good.md", 2),
        ("diff-good.md", 4),
        ("files-good.md", 5),
    ];
    for (example, count) in examples {
        let world = example_world();
        let chat = fs::read_to_string(spec("examples").join(example)).unwrap();
        let ran = world.run_on(chat, &["apply", "--yes"]).exits(0);
        let first = format!("operator-lsp applied {count} of {count} blocks.\n");
        assert!(ran.out.starts_with(&first), "{}", ran.out);
        assert!(world.text("greeter/__init__.py").contains("    \"es\": \"Adiós\",\n"));
        assert!(world.text("tests/test_greeter.py").contains("    def test_spanish(self):\n"));
        assert_eq!(world.run(&["undo"]).code, Some(0));
        assert_eq!(world.text("greeter/__main__.py"), "(not there)");
    }
}

#[test]
fn the_good_example_of_edit_ops_ends_well() {
    let world = example_world();
    let chat = fs::read_to_string(spec("examples/edit-ops-good.md")).unwrap();
    let ran = world.run_on(chat, &["apply", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("{\"applied\":true,"), "{}", ran.out);
    assert_eq!(world.text("entrypoint.txt"), "run\n");
    assert_eq!(world.run(&["undo"]).code, Some(0));
    assert_eq!(world.text("entrypoint.txt"), "(not there)");
}

/// What `check` finds in a damaged example.
fn trouble(example: &str, kinds: &[&str]) {
    let chat = fs::read_to_string(spec("examples").join(example)).unwrap();
    let ran = example_world().run_on(chat, &["check"]);
    assert_eq!(ran.code, Some(1));
    for kind in kinds {
        assert!(ran.out.contains(kind), "{kind} in\n{}", ran.out);
    }
}

#[test]
fn the_bad_examples_have_every_kind_of_trouble() {
    let operator = [
        "scan/indented",
        "operator/invalid-base64",
        "operator/unknown-action",
        "operator/duplicate-id",
        "operator/inline-content",
        "operator/nested-block",
        "operator/missing-end",
        "plan/text-ambiguous",
        "plan/stale",
        "plan/outside-workspace",
        "plan/protected-path",
    ];
    trouble("chat.md", &operator);
    let replacer = [
        "replacer/path-not-plain",
        "replacer/marker-not-alone",
        "replacer/missing-end",
        "plan/text-ambiguous",
        "plan/text-not-found",
        "plan/outside-workspace",
    ];
    trouble("replacer.md", &replacer);
    let search_replace = [
        "search-replace/missing-path",
        "search-replace/empty-search",
        "search-replace/line-numbers-inside",
        "search-replace/fence-inside",
        "search-replace/mixed-markers",
        "search-replace/missing-divider",
        "search-replace/text-on-marker",
        "search-replace/missing-end",
        "scan/indented",
        "plan/text-ambiguous",
        "plan/text-not-found",
        "plan/outside-workspace",
    ];
    trouble("search-replace.md", &search_replace);
    let apply_patch = [
        "apply-patch/missing-blank",
        "apply-patch/anchor-not-found",
        "apply-patch/anchor-ambiguous",
        "apply-patch/no-place",
        "apply-patch/unknown-header",
        "apply-patch/empty-chunk",
        "apply-patch/missing-end",
        "plan/text-ambiguous",
        "plan/text-not-found",
        "plan/file-exists",
        "plan/outside-workspace",
    ];
    trouble("apply-patch.md", &apply_patch);
    let files = [
        "files/elision-unresolved",
        "files/missing-mark",
        "files/not-announced",
        "files/not-a-file",
        "files/open-fence",
        "plan/file-exists",
        "plan/needs-a-look",
        "plan/outside-workspace",
        "scan/indented",
    ];
    trouble("files.md", &files);
    let diff = [
        "diff/wrong-count",
        "diff/missing-path",
        "diff/missing-blank",
        "diff/malformed-hunk",
        "diff/closed-fence",
        "diff/no-place",
        "diff/binary",
        "plan/text-ambiguous",
        "plan/text-not-found",
        "plan/file-exists",
        "plan/outside-workspace",
    ];
    trouble("diff.md", &diff);
    let sham = [
        "sham/invalid-path",
        "sham/unknown-action",
        "sham/unclosed-quote",
        "sham/unclosed-heredoc",
    ];
    trouble("sham.md", &sham);
    let edit_ops = [
        "edit-ops/invalid-json",
        "edit-ops/schema",
        "edit-ops/unknown-file",
        "edit-ops/overlap",
        "edit-ops/needs-cursor",
        "edit-ops/missing-base",
        "plan/stale",
    ];
    trouble("edit-ops.md", &edit_ops);
}
