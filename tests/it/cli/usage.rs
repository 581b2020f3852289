//! Usage errors, help, `spec` and `fingerprint`.

use std::io::{BufRead, BufReader};

use super::*;

#[test]
fn every_usage_error_exits_with_2() {
    let world = World::new(&[]);
    for arguments in [
        &["frobnicate"][..],
        &["check", "--frobnicate"],
        &["check", "--format", "xml"],
        &["apply", "--yes", "--dry-run"],
        &["apply", "one", "two", "--yes"],
        &["spec", "frobnicate"],
        &["prompt", "--dialect", "structure"],
        &["prompt", "--root", "nowhere"],
        &["fingerprint"],
        &["check", "--root", "nowhere"],
        &["undo", "--root", "nowhere"],
        &["apply", "--yes", "--root", "nowhere"],
        &["apply", "--yes", "nowhere.md"],
        &["edit-ops", "request.json"],
        &["serve-http", "--listen", "nowhere"],
    ] {
        let ran = world.run(arguments).exits(2);
        assert_eq!(ran.out, "", "{arguments:?}");
        assert!(ran.err.starts_with("error: "), "{arguments:?}\n{}", ran.all());
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let world = World::new(&[]);
    let all = [
        "serve",
        "check",
        "apply",
        "log",
        "prompt",
        "undo",
        "redo",
        "spec",
        "fingerprint",
        "edit-ops",
        "serve-http",
    ];
    for command in all {
        let help = world.run(&["--help"]).exits(0).out;
        assert!(help.contains(command), "{help}");
        let help = world.run(&[command, "--help"]).exits(0).out;
        assert!(help.contains("Usage: operator-lsp"), "{help}");
    }
    let version = world.run(&["--version"]).exits(0).out;
    assert_eq!(version, format!("operator-lsp {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_is_a_command_too() {
    let world = World::new(&[]);
    let flag = world.run(&["apply", "--help"]).exits(0).out;
    assert_eq!(world.run(&["help", "apply"]).exits(0).out, flag);
    world.run(&["help"]).exits(0);
}

#[test]
fn it_is_the_server_without_a_command() {
    let world = World::new(&[]);
    for arguments in [&[][..], &["serve"]] {
        let ran = world.run_with_input(message(r#"{"method":"exit"}"#), arguments).exits(1);
        assert_eq!((ran.out.as_str(), ran.err.as_str()), ("", ""), "{arguments:?}");

        let mut command = world.command(arguments);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut input = server.stdin.take().unwrap();
        let mut output = BufReader::new(server.stdout.take().unwrap());
        let initialize = r#"{"id":1,"method":"initialize","params":{"capabilities":{}}}"#;
        for request in [initialize, r#"{"id":2,"method":"shutdown"}"#] {
            input.write_all(message(request).as_bytes()).unwrap();
            let answer = read_message(&mut output);
            assert!(answer.get("result").is_some(), "{answer}");
        }
        input.write_all(message(r#"{"method":"exit"}"#).as_bytes()).unwrap();
        assert_eq!(server.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

fn message(body: &str) -> String {
    let body = body.replacen('{', r#"{"jsonrpc":"2.0","#, 1);
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn read_message(output: &mut impl BufRead) -> Value {
    let mut header = String::new();
    while !header.ends_with("\r\n\r\n") {
        assert_ne!(output.read_line(&mut header).unwrap(), 0, "{header}");
    }
    let length = header.trim().strip_prefix("Content-Length: ").unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    output.read_exact(&mut body).unwrap();
    serde_json::from_slice(&body).unwrap()
}

#[test]
fn the_specification_is_the_page() {
    let world = World::new(&[]);
    let page = include_str!("../../../spec/operator.md");
    assert_eq!(world.run(&["spec"]).exits(0).out, page);
    assert_eq!(world.run(&["spec", "operator"]).exits(0).out, page);
    let list = world.run(&["spec", "--list"]).exits(0).out;
    let names: Vec<&str> = list.lines().filter_map(|line| Some(line.split_once('\t')?.0)).collect();
    let dialects = operator_core::dialect::written().map(|rules| rules.name);
    let others = dialects.chain(["structure"]).filter(|name| *name != "search-replace");
    assert_eq!(names, ["search-replace"].into_iter().chain(others).collect::<Vec<_>>());
    assert!(list.lines().next().unwrap().ends_with(" (recommended)"), "{list}");
    for name in names {
        assert!(world.run(&["spec", name]).exits(0).out.starts_with('#'), "{name}");
    }
}

#[test]
fn fingerprints_are_of_exact_bytes() {
    let world = World::new(&[("a.txt", "a\r\n"), ("b c.txt", "\u{feff}b")]);
    world.put("raw", b"\xff\x00");
    let expected =
        format!("{}  a.txt\n{}  b c.txt\n", fingerprint("a\r\n"), fingerprint("\u{feff}b"));
    assert_eq!(world.run(&["fingerprint", "a.txt", "b c.txt"]).exits(0).out, expected);
    let ran = world.run(&["fingerprint", "raw"]).exits(0);
    let raw = operator_core::fingerprint::Fingerprint::of(b"\xff\x00");
    assert_eq!(ran.out, format!("{raw}  raw\n"));
    let ran = world.run_with_input("x", &["fingerprint", "-"]).exits(0);
    assert_eq!(ran.out, format!("{}  -\n", fingerprint("x")));
}

#[test]
fn a_file_that_cannot_be_read_hides_no_other() {
    let world = World::new(&[("a", "a"), ("b", "b")]);
    let ran = world.run(&["fingerprint", "a", "nowhere", ".", "b"]).exits(2);
    assert_eq!(ran.out, format!("{}  a\n{}  b\n", fingerprint("a"), fingerprint("b")));
    ran.says("cannot read nowhere: no such file").says("cannot read .: it is a directory");
}

#[cfg(unix)]
#[test]
fn a_fingerprint_and_a_problem_are_on_one_line_each() {
    let world = World::new(&[("a\nb", "x"), ("c\nd.md", "OPERATOR_CMD\n")]);
    let ran = world.run(&["fingerprint", "a\nb"]).exits(0);
    assert_eq!(ran.out, format!("{}  a\\u{{a}}b\n", fingerprint("x")));
    let ran = world.run(&["check", "c\nd.md"]).exits(1);
    assert!(ran.out.contains("--> c\\u{a}d.md:1:1"), "{}", ran.all());
}

#[test]
fn a_command_that_cannot_run_says_why_in_its_json() {
    let world = World::new(&[("a.txt", "a\n")]);
    let commands: [&[&str]; 7] = [
        &["check", "nowhere"],
        &["check", "--root", "nowhere"],
        &["apply", "nowhere", "--yes"],
        &["reply", "nowhere"],
        &["log", "--root", "nowhere"],
        &["prompt", "nowhere"],
        &["structure", "outline", ".", "--root", "nowhere"],
    ];
    for command in commands {
        let ran = world.run(&[command, &["--format", "json"]].concat()).exits(2);
        let error = ran.json()["error"].clone();
        assert_eq!(error["code"], "failed", "{}", ran.all());
        let message = error["message"].as_str().unwrap();
        assert!(message.contains("nowhere") && ran.err.contains(message), "{}", ran.all());
    }
    let good = world.transcript(read("r-1", "a.txt"));
    let ran = world.run(&["check", as_argument(&good), "nowhere", "--format", "json"]).exits(2);
    let json = ran.json();
    assert_eq!(json["transcripts"].as_array().unwrap().len(), 1);
    assert_eq!(json["error"]["message"], "cannot read nowhere: no such file");
}
