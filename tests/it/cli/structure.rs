//! `structure`: what it prints, what it exits with, and that the manual shows it as it is.

use std::path::Path;

use operator_lsp::workspace::real_path;
use serde_json::json;

use super::{World, fingerprint};

const CODE: &str = "class A:\n    def run(self):\n        return 1\n";

fn world() -> World {
    World::new(&[("a.py", CODE)])
}

/// The manual's example: each command after `$ `, and everything that it prints.
#[test]
fn the_manual_shows_what_is_printed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("spec/manual/command-line.md")).unwrap();
    let section = page.split("\n## ").find(|section| section.starts_with("Structures")).unwrap();
    let example = section.split("```").nth(1).unwrap().strip_prefix("text\n").unwrap();
    let file = root.join("spec/examples/workspace/greeter/cli.py");
    let world = World::new(&[("greeter/cli.py", &std::fs::read_to_string(file).unwrap())]);
    let mut commands = 0;
    for part in example.split("$ operator-lsp ").skip(1) {
        let (line, rest) = part.split_once('\n').unwrap();
        let (line, input, expected) = match line.strip_suffix(" <<'EOT'") {
            Some(line) => {
                let (input, expected) = rest.split_once("EOT\n").unwrap();
                (line, input, expected)
            }
            None => (line, "", rest),
        };
        let arguments: Vec<&str> = line.split(' ').collect();
        let ran = world.run_with_input(input, &arguments).exits(0);
        assert_eq!(format!("{}{}", ran.err, ran.out).trim_end(), expected.trim_end());
        commands += 1;
    }
    assert_eq!(commands, 3);
}

#[test]
fn what_is_no_operation_is_usage() {
    let world = world();
    for arguments in [
        &["structure"][..],
        &["structure", "rename", "a.py"],
        &["structure", "read", "a.py"],
        &["structure", "replace", "a.py", "--target", "A"],
        &["structure", "replace", "a.py", "--target", "A", "--content", "x", "--content-file", "y"],
        &["structure", "delete", "a.py", "--target", "A", "--base-fingerprint", "sha256:0"],
        &["structure", "replace", "a.py", "--target", "A", "--content-file", "none"],
    ] {
        let ran = world.run(arguments).exits(2);
        assert_eq!(ran.out, "", "{arguments:?}");
    }
    assert_eq!(world.text("a.py"), CODE);
}

#[test]
fn a_failure_is_said_and_changes_nothing() {
    let world = world();
    let ran = world.run(&["structure", "delete", "a.py", "--target", "stop"]).exits(1);
    assert_eq!(ran.out, "");
    ran.says("error[TARGET_NOT_FOUND]");
    let json = ["structure", "delete", "a.py", "--target", "stop", "--format", "json"];
    let ran = world.run(&json).exits(1);
    assert_eq!(ran.json()["error"]["details"]["state"], "FILE_UNCHANGED");
    assert_eq!(ran.err, "");
    assert_eq!(world.text("a.py"), CODE);
    world.run(&["undo"]).exits(1).says("nothing to undo");
}

#[test]
fn several_matches_are_listed_with_their_targets() {
    let world = world();
    world.put("a.py", format!("{CODE}\n\n{}", CODE.replace('A', "B")));
    let ran = world.run(&["structure", "delete", "a.py", "--target", "run"]).exits(1);
    ran.says("  lines 2-3, method:\n    A\n    run\n  lines 7-8, method:\n    B\n    run\n");
}

#[test]
fn a_content_that_is_no_text_is_refused() {
    let world = world();
    let replace =
        ["structure", "replace", "a.py", "--target", "A", "--content-file", "-", "--format=json"];
    let ran = world.run_with_input(b"\xff", &replace).exits(1);
    assert_eq!(ran.json()["error"]["error"], "ENCODING_ERROR");
    let ran = world.run_with_input("x".repeat((1 << 20) + 1), &replace).exits(1);
    assert_eq!(ran.json()["error"]["error"], "CONTENT_TOO_LARGE");
    assert_eq!(world.text("a.py"), CODE);
}

#[test]
fn a_content_that_takes_too_long_to_parse_is_refused() {
    let world = world();
    world.put("a.lua", "function a() end\n");
    let replace =
        ["structure", "replace", "a.lua", "--target", "a", "--content-file", "-", "--format=json"];
    let ran = world.run_with_input("not ".repeat(200_000), &replace).exits(1);
    assert_eq!(ran.json()["error"]["error"], "PARSER_FAILED");
    assert_eq!(world.text("a.lua"), "function a() end\n");
}

#[test]
fn a_write_states_what_it_was_made_for() {
    let world = world();
    let delete = |base: &str| {
        let arguments = ["structure", "delete", "a.py", "--target", "A", "--format", "json"];
        world.run(&[&arguments[..], &["--base-fingerprint", base]].concat())
    };
    let ran = delete(&fingerprint("")).exits(1);
    let details = &ran.json()["error"]["details"];
    assert_eq!(details["found"], fingerprint(CODE));
    assert_eq!(details["expected"], fingerprint(""));
    delete(&fingerprint(CODE)).exits(0);
    assert_eq!(world.text("a.py"), "");
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("a.py"), CODE);
}

#[test]
fn a_path_may_be_absolute_inside_the_root() {
    let world = world();
    let inside = real_path(&world.root()).unwrap().join("a.py");
    let read = |path: &str| world.run(&["structure", "read", path, "--target", "run"]);
    assert_eq!(read(inside.to_str().unwrap()).exits(0).out, "def run(self):\n    return 1\n");
    read("/etc/passwd").exits(1).says("PATH_OUTSIDE_WORKSPACE");
    read("../a.py").exits(1).says("PATH_OUTSIDE_WORKSPACE");
}

#[test]
fn an_outline_of_a_directory_goes_on_after_what_cannot_be_read() {
    let world = world();
    world.put("b/ok.md", "# One\n");
    world.put("b/bad.py", b"x = '\xff'\n");
    world.put("b/picture.png", b"\x89PNG");
    world.put("b/gone/c.py", "x = 1\n");
    world.put(".gitignore", "gone/\n");
    let ran = world.run(&["structure", "outline", "none.py", "a.py", "b", "--format", "json"]);
    let files = &ran.exits(1).json()["files"];
    let found: Vec<_> = files
        .as_array()
        .unwrap()
        .iter()
        .map(|file| (file["path"].as_str().unwrap(), &file["language"], &file["error"]["error"]))
        .collect();
    let null = &json!(null);
    let expected = [
        ("none.py", null, &json!("FILE_NOT_FOUND")),
        ("a.py", &json!("python"), null),
        ("b/bad.py", null, &json!("ENCODING_ERROR")),
        ("b/ok.md", &json!("markdown"), null),
    ];
    assert_eq!(found, expected);
    let ran = world.run(&["structure", "outline", "none.py", "a.py", "b"]).exits(1);
    let expected = "a.py\n1-3  class   class A:\n2-3  method    def run(self):\n\nb/ok.md\n1-1  section  One\n";
    assert_eq!(ran.out, expected);
}

#[test]
fn files_come_in_their_order_however_long_each_takes() {
    let world = World::new(&[]);
    for number in 0..40 {
        let lines = if number % 7 == 0 { 3000 } else { 1 };
        world.put(&format!("f{number:02}.py"), "def f(): ...\n".repeat(lines));
    }
    let ran = world.run(&["structure", "outline", ".", "--format", "json"]).exits(0);
    let files = &ran.json()["files"];
    let paths: Vec<_> =
        files.as_array().unwrap().iter().map(|file| file["path"].as_str().unwrap()).collect();
    let expected: Vec<_> = (0..40).map(|number| format!("f{number:02}.py")).collect();
    assert_eq!(paths, expected);
}

#[test]
fn the_specification_is_printed() {
    let ran = world().run(&["spec", "structure"]).exits(0);
    assert!(ran.out.starts_with("# Structure operations\n"));
}

#[test]
fn the_log_says_what_was_done_with_which_structure() {
    let world = world();
    world.run(&["structure", "delete", "a.py", "--target", "A\nrun"]).exits(0);
    let log = world.run(&["log"]).exits(0).out;
    assert!(log.contains("  structure delete a.py"), "{log}");
    let json = world.run(&["log", "--format", "json"]).exits(0).json();
    let title = json["operations"][0]["blocks"][0]["title"].as_str().unwrap();
    assert!(title.starts_with("structure delete a.py") && title.ends_with("run"), "{title}");
}
