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
