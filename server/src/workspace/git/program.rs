//! The `git` program as a child process that asks nobody anything.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use super::{GitCode, GitError};
use crate::workspace::environment::Environment;
use crate::workspace::exec::orphans;

/// What a git command that runs inside another (a hook) is told, and what would lead to another
/// repository, index, pathspec or configuration than the one meant, or to another program.
const FOREIGN: [&str; 16] = [
    "GIT_CONFIG",
    "GIT_EXTERNAL_DIFF",
    "GIT_ATTR_SOURCE",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_PREFIX",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
];
/// What holds whatever a configuration says: a directory that only looks like a repository is none,
/// and nothing runs that git could do without.
const GUARDED: [&str; 4] =
    ["safe.bareRepository=explicit", "core.fsmonitor=false", "core.pager=cat", "diff.external="];
/// No hook is found in what is not a directory.
const NO_HOOKS: &str = "core.hooksPath=/dev/null";
/// How much of what git and its hooks say is passed on: lines, from the end.
const SAID: usize = 12;

/// Whether git runs the programs that a repository names: its hooks, and filters that may be a
/// program of the workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hooks {
    /// They run: the user has allowed it.
    Run,
    /// None runs.
    #[default]
    Off,
}

/// The program, run in one directory.
#[derive(Debug, Clone)]
pub(super) struct Program {
    directory: PathBuf,
    hooks: Hooks,
    /// More settings, `name=value`, that hold whatever a configuration says.
    settings: Vec<String>,
}

impl Program {
    pub(super) fn new(directory: &Path, hooks: Hooks) -> Program {
        Program { directory: directory.to_owned(), hooks, settings: Vec::new() }
    }

    /// The same program with more settings.
    pub(super) fn with(&self, settings: Vec<String>) -> Program {
        Program { settings, ..self.clone() }
    }

    /// Whether hooks run.
    pub(super) fn hooks(&self) -> Hooks {
        self.hooks
    }

    /// What a command prints, if it succeeds.
    pub(super) fn run(&self, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
        self.run_on(arguments, None)
    }

    /// What a command that reads `input` prints, if it succeeds.
    pub(super) fn run_on(
        &self,
        arguments: &[&str],
        input: Option<&[u8]>,
    ) -> Result<Vec<u8>, GitError> {
        let output = self.output(arguments, input)?;
        if output.status.success() { Ok(output.stdout) } else { Err(failed(arguments, &output)) }
    }

    /// The one line that a command prints; `None` where it ends with 1, which is how git says no.
    pub(super) fn ask(&self, arguments: &[&str]) -> Result<Option<String>, GitError> {
        let output = self.output(arguments, None)?;
        match output.status.code() {
            Some(0) => Ok(Some(line(&output.stdout))),
            Some(1) => Ok(None),
            _ => Err(failed(arguments, &output)),
        }
    }

    /// Whatever comes of a command.
    pub(super) fn output(
        &self,
        arguments: &[&str],
        input: Option<&[u8]>,
    ) -> Result<Output, GitError> {
        let cannot = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => GitError::new(
                GitCode::NoGit,
                "`git` is not on the PATH: install git, or do without commits",
            ),
            _ => GitError::new(GitCode::Failed, format!("`git` cannot be run: {error}")),
        };
        // A program of the workspace is not taken for git, nor for one that git runs.
        let Some(mut command) = Environment::of_git(&self.directory).command("git") else {
            return Err(cannot(io::ErrorKind::NotFound.into()));
        };
        orphans::mark_as_own(&mut command);
        let no_hooks = (self.hooks == Hooks::Off).then_some(NO_HOOKS);
        let settings = GUARDED.into_iter().chain(no_hooks);
        for setting in settings.chain(self.settings.iter().map(String::as_str)) {
            command.args(["-c", setting]);
        }
        command.args(arguments).current_dir(&self.directory);
        FOREIGN.iter().for_each(|name| {
            command.env_remove(name);
        });
        // Nobody is there to answer a question or to write in an editor.
        command.env("GIT_TERMINAL_PROMPT", "0").env("GIT_EDITOR", "true");
        // Messages are read here; a hook is to have the user's own language and characters.
        if arguments.first() != Some(&"commit") {
            command.env("LC_ALL", "C");
        }
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(cannot)?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            if let (Some(mut stdin), Some(input)) = (stdin, input) {
                // A command that has failed does not read on; it says why by itself.
                let write = move || stdin.write_all(input);
                if let Err(error) = std::thread::Builder::new().spawn_scoped(scope, write) {
                    // Without its input it cannot end well.
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(cannot(error));
                }
            }
            child.wait_with_output().map_err(cannot)
        })
    }
}

/// The error of a command that failed, in git's own words.
pub(super) fn failed(arguments: &[&str], output: &Output) -> GitError {
    let name = arguments.iter().find(|argument| !argument.starts_with("--"));
    let name = name.copied().unwrap_or_default();
    let said = said(output);
    let message = match said.is_empty() {
        true => format!("`git {name}` failed and did not say why ({})", output.status),
        false => format!("`git {name}` failed: {said}"),
    };
    GitError::new(GitCode::Failed, message)
}

/// The last lines that a command printed, errors before output.
pub(super) fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    let (error, out) = (text(&output.stderr), text(&output.stdout));
    let all = if error.is_empty() { out } else { error };
    let lines: Vec<&str> = all.lines().collect();
    lines[lines.len().saturating_sub(SAID)..].join("\n")
}

/// What was printed, without the end of the line.
pub(super) fn line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.strip_suffix('\n').unwrap_or(&text).to_owned()
}
