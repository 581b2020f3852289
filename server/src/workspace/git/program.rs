//! The `git` program as a child process that asks nobody anything.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use super::{GitCode, GitError};

/// What a git command that runs inside another (a hook) is told, and what would lead to another
/// repository, index or pathspec than the one meant.
const FOREIGN: [&str; 13] = [
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
/// How much of what git and its hooks say is passed on: lines, from the end.
const SAID: usize = 12;

/// The program, run in one directory.
#[derive(Debug, Clone)]
pub(super) struct Program {
    directory: PathBuf,
}

impl Program {
    pub(super) fn new(directory: &Path) -> Program {
        Program { directory: directory.to_owned() }
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
        let mut command = Command::new("git");
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
        let cannot = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => GitError::new(
                GitCode::NoGit,
                "there is no `git` program on the PATH: install git, or do without commits",
            ),
            _ => GitError::new(GitCode::Failed, format!("`git` cannot be run: {error}")),
        };
        let mut child = command.spawn().map_err(cannot)?;
        let stdin = child.stdin.take();
        std::thread::scope(|scope| {
            if let (Some(mut stdin), Some(input)) = (stdin, input) {
                // A command that has failed does not read on; it says why by itself.
                scope.spawn(move || stdin.write_all(input));
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
