//! Programs of a transcript: what they are given, and which program runs them.

use std::os::unix::fs::PermissionsExt;

use super::*;

fn bash(code: &str) -> String {
    format!(
        "#!SHAM [@three-char-SHA-256: exe]\naction = \"exec\"\nlang = \"bash\"\n\
         code = <<'EOT_SHAM_exe'\n{code}\nEOT_SHAM_exe\n#!END_SHAM_exe\n"
    )
}

/// Runs a program with some more variables in the environment; gives what it prints.
fn run(world: &World, code: &str, variables: &[(&str, &str)]) -> String {
    let chat = world.transcript(bash(code));
    let mut command = world.command(&["apply", "--yes", "--allow-exec", "--format", "json"]);
    command.arg(chat).envs(variables.iter().copied()).stdin(Stdio::null());
    let ran = Ran::from(command.output().unwrap()).exits(0);
    ran.json()["results"][0]["data"]["stdout"].as_str().unwrap().to_owned()
}

#[test]
fn a_program_gets_no_secrets() {
    let world = World::new(&[]);
    let secrets = [
        ("LLM_CHAT_OPS_API_KEY", "1"),
        ("OPERATOR_HTTP_TOKEN", "2"),
        ("AWS_SECRET_ACCESS_KEY", "3"),
        ("my_password", "4"),
        ("DATABASE_URL", "postgres://me:5@host/db"),
        ("GIT_CONFIG_VALUE_0", "Authorization: 6"),
    ];
    let others = [("GREETING", "hello"), ("GIT_AUTHOR_NAME", "me")];
    let printed = run(&world, "env", &[&secrets[..], &others[..]].concat());
    for (name, _) in secrets {
        assert!(!printed.contains(name), "{name} in\n{printed}");
    }
    for (name, value) in others {
        assert!(printed.contains(&format!("{name}={value}\n")), "{name} not in\n{printed}");
    }
}

#[test]
fn no_program_of_the_workspace_is_taken_for_an_interpreter() {
    let world = World::new(&[]);
    for path in ["bash", "bin/bash"] {
        world.put(path, "#!/bin/sh\necho pwned > ../pwned\necho pwned\n");
        let file = world.root().join(path);
        fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let bin = world.root().join("bin");
    let path = format!(".::bin:{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let printed = run(&world, "echo \"$PATH\"; type -P bash", &[("PATH", &path)]);
    assert!(!world.directory.path().join("pwned").exists(), "{printed}");
    assert!(!printed.contains(as_argument(&world.root())), "{printed}");
    assert!(printed.starts_with('/') && !printed.contains("::"), "{printed}");
}

/// Applies a transcript `times` times; returns the output and status of the last run.
fn apply(world: &World, times: usize, more: &[&str]) -> Ran {
    let arguments = [&["apply", "--yes", "--allow-exec", "chat.md"], more].concat();
    let run = || world.run(&arguments);
    (1..times).for_each(|_| drop(run()));
    run()
}

#[test]
fn a_program_is_not_run_twice() {
    let program = bash("echo ran >> runs.txt");
    let with =
        |other: String| World::new(&[("a.txt", "one\n"), ("chat.md", &(program.clone() + &other))]);
    for world in [with(String::new()), with(read("r", "a.txt")), with(write("w", "n.txt", "x"))] {
        let last = apply(&world, 3, &["--format", "json"]).exits(0);
        assert_eq!(last.json()["results"][0]["summary"], "already run");
        assert_eq!(world.text("runs.txt"), "ran\n");
        let check = world.run(&["check", "chat.md"]).exits(0).out;
        assert!(check.starts_with("1  ran         exec"), "{check}");
        apply(&world, 1, &["--again"]).exits(0);
        assert_eq!(world.text("runs.txt"), "ran\nran\n");
    }
}

#[test]
fn a_program_of_standard_input_is_not_run_twice() {
    let world = World::new(&[]);
    for _ in 0..2 {
        let program = bash("echo ran >> runs.txt");
        world.run_with_input(program, &["apply", "--yes", "--allow-exec"]).exits(0);
    }
    assert_eq!(world.text("runs.txt"), "ran\n");
}

#[test]
fn of_two_equal_programs_the_second_one_alone_was_run() {
    let world = World::new(&[("chat.md", &bash("echo ran >> runs.txt").repeat(2))]);
    apply(&world, 1, &["--only", "2"]).exits(0);
    apply(&world, 2, &[]).exits(0);
    assert_eq!(world.text("runs.txt"), "ran\nran\n");
}

#[test]
fn a_program_that_failed_is_not_run_again() {
    for other in [String::new(), write("w", "n.txt", "x")] {
        let program = bash("echo ran >> runs.txt; exit 3");
        let world = World::new(&[("chat.md", &(program + &other))]);
        apply(&world, 1, &[]).exits(1).says("]: exec: ended with exit code 3");
        let again = apply(&world, 1, &[]).exits(1);
        assert!(
            again.out.contains("already run, and it failed: exec: ended with exit code 3"),
            "{}",
            again.all()
        );
        assert_eq!(world.text("runs.txt"), "ran\n");
        apply(&world, 1, &["--again"]).exits(1);
        assert_eq!(world.text("runs.txt"), "ran\nran\n");
    }
}

#[test]
fn a_program_that_was_not_started_can_be_run_later() {
    let program = bash("echo ran >> runs.txt").replace("bash", "python");
    let world = World::new(&[("chat.md", &program)]);
    let arguments = ["apply", "--yes", "--allow-exec", "chat.md"];
    let ran: Ran = world.command(&arguments).env("PATH", "").output().unwrap().into();
    ran.exits(1).says("is not on the PATH");
    let check = world.run(&["check", "--allow-exec", "chat.md"]).exits(0).out;
    assert!(check.starts_with("1  ready"), "{check}");
}
