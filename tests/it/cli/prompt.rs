//! `prompt`: what is in it, what is left out, and that it is not taken for an answer.

use super::*;

const CODE: &str = "def greet(name):\n    return name\n";
const FILES: &[(&str, &str)] = &[
    ("src/greeter.py", CODE),
    ("src/other.py", "x = 1\n"),
    ("src/key.py", "-----BEGIN PRIVATE KEY-----\n"),
    ("docs/guide.md", "# Guide\n\n```sh\nls\n```\n"),
    (".env", "A=1\n"),
    (".github/ci.yml", "on: push\n"),
    (".git/config", "[core]\n"),
    (".gitignore", "/build/\n*.log\n"),
    ("build/out.txt", "built\n"),
    ("a.log", "log\n"),
    ("web/node_modules/one/index.js", "one\n"),
    ("web/node_modules/two/index.js", "two\n"),
];

/// The files in a prompt, by their headings.
fn files(text: &str) -> Vec<&str> {
    let files = text.split("\n# Files\n").nth(1).unwrap_or_default();
    files.lines().filter_map(|line| line.strip_prefix("## ")).collect()
}

fn left_out(ran: &Ran) -> Vec<&str> {
    ran.err.lines().filter_map(|line| line.strip_prefix("warning: ")).collect()
}

#[test]
fn files_directories_and_globs_are_taken() {
    let world = World::new(FILES);
    let ran = world.run(&["prompt", "src/greeter.py"]).exits(0);
    assert_eq!(files(&ran.out), ["src/greeter.py"]);
    assert!(ran.out.contains(&format!("```python\n{CODE}```\n")), "{}", ran.out);
    let lines: Vec<&str> = ran.err.lines().collect();
    let tokens = ran.out.len().div_ceil(3);
    assert_eq!(lines[0].replace(',', ""), format!("{tokens} tokens in all"));
    assert!(lines[1].ends_with(" src/greeter.py") && lines.len() == 2, "{}", ran.err);

    let root = real_path(&world.root()).unwrap();
    let ran = world.run(&["prompt", root.join("d*/*").to_str().unwrap()]).exits(0);
    assert_eq!(files(&ran.out), ["docs/guide.md"]);
    let ran = world.run(&["prompt", "*.py", "docs", "src/other.py", "./docs/*"]).exits(0);
    assert_eq!(files(&ran.out), ["src/greeter.py", "src/other.py", "docs/guide.md"]);
    assert!(ran.out.contains("````markdown\n# Guide\n\n```sh\n"), "{}", ran.out);
    assert_eq!(left_out(&ran), ["src/key.py is left out: line 1 looks like a private key"]);
}

#[test]
fn what_may_not_be_sent_is_left_out_also_by_its_name() {
    let world = World::new(FILES);
    world.put("image.bin", [0, 159, 146, 150]);
    let asked =
        [".env", ".git/config", "build", "build/out.txt", "a.log", "src/key.py", "image.bin"];
    for path in asked.iter().chain(&["web/node_modules/one/index.js", "web/node_modules", "../x"]) {
        let ran = world.run(&["prompt", path, "src/other.py"]).exits(1);
        assert_eq!(files(&ran.out), ["src/other.py"], "{path}");
        assert!(left_out(&ran)[0].starts_with(&format!("{path} is left out: ")), "{}", ran.all());
    }
    let ran = world.run(&["prompt", ".env", "src/other.py", "--format", "json"]).exits(1);
    assert_eq!((&ran.json()["files"][0]["path"], ran.err.as_str()), (&"src/other.py".into(), ""));
    assert_eq!(ran.json()["leftOut"][0]["path"], ".env");
    let ran = world.run(&["prompt", ".github/ci.yml"]).exits(0);
    assert_eq!(files(&ran.out), [".github/ci.yml"]);
    let ran = world.run(&["prompt", "web"]).exits(0);
    let says = "web/node_modules is left out: it is in a directory of dependencies";
    assert_eq!(left_out(&ran), [says]);
    let ran = world.run(&["prompt", "."]).exits(0);
    assert_eq!(files(&ran.out), ["docs/guide.md", "src/greeter.py", "src/other.py"]);
}

#[test]
fn nothing_is_printed_where_a_path_fits_nothing() {
    let world = World::new(FILES);
    for (path, says) in [
        ("src/gone.py", "`src/gone.py` does not exist"),
        ("*.rs", "`*.rs` matches no file"),
        ("[", "`[` is not a glob: "),
    ] {
        let ran = world.run(&["prompt", "src/other.py", path]).exits(2);
        assert_eq!(ran.out, "");
        assert!(ran.err.starts_with(&format!("error: {says}")), "{}", ran.err);
    }
}

#[test]
fn the_tree_the_request_and_the_outline_are_in_it_where_they_are_asked_for() {
    let world = World::new(FILES);
    let plain = world.run(&["prompt"]).exits(0).out;
    assert!(plain.contains("<<<<<<< SEARCH") && !plain.contains("Its files:"), "{plain}");
    let asked = ["prompt", "--tree", "--ask", "Why?", "--outline", "src/greeter.py"];
    let ran = world.run(&asked).exits(0);
    let tree = "```\ndocs/\n  guide.md\nsrc/\n  greeter.py\n  key.py\n  other.py\n```\n";
    assert!(ran.out.contains(tree), "{}", ran.out);
    assert!(ran.out.contains("1-2: def greet(name):\n") && !ran.out.contains("return name"));
    assert!(ran.out.contains("\n# The request\n\nWhy?\n"));
    assert!(ran.err.contains(" src/greeter.py (outline)\n"), "{}", ran.err);
    let ran = world.run(&["prompt", "--budget", "1", "src/other.py"]).exits(1);
    let ran = ran.says("more than the budget of 1");
    assert_eq!(left_out(&ran), ["src/other.py is left out: it is over the budget"]);
}

#[test]
fn paths_are_as_the_dialect_writes_them() {
    let world = World::new(FILES);
    let root = world.home();
    let ran = world.run(&["prompt", "--dialect", "sham", "src/other.py"]).exits(0);
    assert!(ran.out.contains(&format!("It is `{root}`.")), "{}", ran.out);
    assert_eq!(files(&ran.out), [format!("{root}/src/other.py")]);
}

#[test]
fn a_prompt_in_a_transcript_has_no_blocks() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let world = World::new(&[]);
    for name in ["operator", "search-replace", "files"] {
        let page = fs::read_to_string(project.join(format!("spec/{name}.md"))).unwrap();
        world.put(&format!("{name}.md"), page);
    }
    for dialect in
        ["operator", "sham", "replacer", "search-replace", "apply-patch", "diff", "files"]
    {
        let ask = "a.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n";
        let asked = ["prompt", ".", "--dialect", dialect, "--ask", ask];
        let prompt = world.run(&asked).exits(0).out;
        let found = world.run_with_input(&prompt, &["check", "-", "--format", "json"]).json();
        assert_eq!(found["summary"], serde_json::json!({"blocks": 0, "errors": 0, "warnings": 0}));
        let answer = format!("{prompt}\na.py\n<<<<<<< SEARCH\n=======\nb\n>>>>>>> REPLACE\n");
        let found = world.run_with_input(&answer, &["check", "-", "--format", "json"]).json();
        assert_eq!(found["summary"]["blocks"], 1, "{dialect}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_left_out_and_named() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let world = World::new(FILES);
    fs::write(world.root().join(OsStr::from_bytes(b"src/caf\xe9.py")), "x = 1\n").unwrap();
    let says = "src/caf\u{fffd}.py is left out: its name is not UTF-8";
    for arguments in [&["prompt", "src"][..], &["prompt", "--tree"], &["prompt", "*.py"]] {
        assert!(left_out(&world.run(arguments).exits(0)).contains(&says), "{arguments:?}");
    }
    let ran = world.run(&["structure", "outline", "."]).exits(1);
    assert!(ran.out.contains("function  def greet(name):"), "{}", ran.all());
    ran.says("its name is not UTF-8");
}

#[cfg(unix)]
#[test]
fn a_directory_that_cannot_be_read_hides_no_file() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new(&[("src/a.py", CODE), ("closed/b.py", CODE)]);
    let closed = world.root().join("closed");
    let allow = |mode| fs::set_permissions(&closed, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o000);
    // Root may read everywhere; then there is nothing to see.
    let is_root = fs::read_dir(&closed).is_ok();
    let query = [("path", "."), ("query", "greet")];
    let chat = [block("find", "fs.searchTree", &query), delete("gone", "closed")].concat();
    let searched = world.run_on(chat, &["apply", "--yes", "--only", "find", "--format", "json"]);
    let prompts = ["src", ".", "*.py"].map(|path| world.run(&["prompt", "--tree", path]));
    let outline = world.run(&["structure", "outline", ".", "--format", "json"]);
    allow(0o755);
    if is_root {
        return;
    }
    for ran in prompts {
        let ran = ran.exits(0);
        assert_eq!(files(&ran.out), ["src/a.py"]);
        assert_eq!(left_out(&ran), ["closed is left out: the system does not allow it"]);
    }
    let result = searched.exits(0).json()["results"][0].clone();
    assert_eq!(
        result["warnings"][0]["message"],
        "`closed` is not searched: the system does not allow it"
    );
    assert!(result["summary"].as_str().unwrap().contains("; 1 file not searched"), "{result}");
    let files = outline.exits(1).json()["files"].clone();
    assert_eq!((&files[0]["path"], &files[1]["path"]), (&"closed".into(), &"src/a.py".into()));
}

#[cfg(unix)]
#[test]
fn a_name_is_on_one_line_of_its_own() {
    let world = World::new(&[("a b.txt", "x\n"), ("c\nd.txt", "y\n")]);
    let ran = world.run(&["prompt", "."]).exits(0);
    assert_eq!(files(&ran.out), ["`a b.txt`", "c\\u{a}d.txt"]);
    assert_eq!(ran.err.lines().count(), 3, "{}", ran.err);
}
