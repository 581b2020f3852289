//! Real git repositories, apart from whatever the user's own git is configured to do.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

pub use crate::lsp::client::transport::isolate;

/// A work tree.
pub struct Git<'a>(pub &'a Path);

impl Git<'_> {
    /// Makes the folder a repository on `main`, with an identity and no commit.
    pub fn init(&self) {
        self.run(&["init", "-q", "-b", "main"]);
        self.run(&["config", "user.name", "A Tester"]);
        self.run(&["config", "user.email", "tester@example.com"]);
        // What the machine would make up is not an identity.
        self.run(&["config", "user.useConfigOnly", "true"]);
    }

    pub fn output(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new("git");
        isolate(&mut command);
        command.args(arguments).current_dir(self.0).stdin(Stdio::null());
        command.output().expect("the tests need the `git` program")
    }

    /// What a command that must succeed prints.
    #[track_caller]
    pub fn run(&self, arguments: &[&str]) -> String {
        let output = self.output(arguments);
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert!(output.status.success(), "git {arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Commits everything that there is.
    #[track_caller]
    pub fn commit(&self, message: &str) {
        self.run(&["add", "-A"]);
        self.run(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Adds a repository of its own, made in `other` with one file, as a submodule, and commits it.
    #[track_caller]
    pub fn add_submodule(&self, place: &str, other: &Path, (name, text): (&str, &str)) {
        fs::create_dir(other).unwrap();
        Git(other).init();
        fs::write(other.join(name), text).unwrap();
        Git(other).commit("its own");
        let url = other.to_str().unwrap();
        let allowed = ["-c", "protocol.file.allow=always"];
        self.run(&[&allowed[..], &["submodule", "--quiet", "add", url, place]].concat());
        self.commit("with a submodule");
    }

    /// Every commit of the branch, the newest first: `message: path path`.
    #[track_caller]
    pub fn log(&self) -> Vec<String> {
        let arguments = ["log", "--first-parent", "--root", "--name-only", "--format=%x01%s%x02"];
        let printed = self.run(&arguments);
        let commits = printed.split('\u{1}').skip(1);
        let show = |commit: &str| {
            let (subject, files) = commit.split_once('\u{2}').unwrap();
            let files: Vec<&str> = files.split_whitespace().collect();
            format!("{subject}: {}", files.join(" "))
        };
        commits.map(show).collect()
    }

    /// What is not committed, as `git status --short` has it.
    #[track_caller]
    pub fn status(&self) -> String {
        self.run(&["status", "--short", "--untracked-files=all"])
    }

    /// The commit that a name means.
    #[track_caller]
    pub fn id(&self, name: &str) -> String {
        self.run(&["rev-parse", "--verify", name]).trim().to_owned()
    }

    /// The names of the refs that begin so.
    #[track_caller]
    pub fn refs(&self, prefix: &str) -> Vec<String> {
        let printed = self.run(&["for-each-ref", "--format=%(refname)", prefix]);
        printed.lines().map(str::to_owned).collect()
    }

    /// Has every commit go through a hook that prints this and fails.
    pub fn failing_hook(&self, says: &str) {
        self.hook(&format!("echo '{says}' >&2; exit 1"));
    }

    /// Has every commit go through a hook that runs this line.
    pub fn hook(&self, line: &str) {
        let hook = self.0.join(".git/hooks/pre-commit");
        fs::create_dir_all(hook.parent().unwrap()).unwrap();
        fs::write(&hook, format!("#!/bin/sh\n{line}\n")).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&hook, fs::Permissions::from_mode(0o755)).unwrap();
        }
    }
}
