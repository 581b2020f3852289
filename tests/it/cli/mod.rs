//! The command line.

mod apply;
mod ask;
mod came_in;
mod caution;
mod check;
mod commit;
mod conversation;
mod edit_ops;
mod encodings;
mod examples;
mod git_apply;
#[cfg(unix)]
mod heredocs;
mod history;
mod killed;
mod ledger;
mod log;
mod planted;
#[cfg(unix)]
mod programs;
mod prompt;
mod pruned;
mod replies;
mod reply;
mod settings;
mod structure;
mod usage;

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use data_encoding::BASE64;
use operator_lsp::workspace::{real_path, with_slashes};
use serde_json::Value;

/// A workspace, a place for transcripts and an undo journal, gone when it is dropped.
struct World {
    directory: tempfile::TempDir,
}

/// What a command left.
struct Ran {
    code: Option<i32>,
    out: String,
    err: String,
}

impl World {
    fn new(files: &[(&str, &str)]) -> World {
        let world = World { directory: tempfile::tempdir().unwrap() };
        fs::create_dir_all(world.root()).unwrap();
        files.iter().for_each(|(path, text)| world.put(path, text));
        world
    }

    fn root(&self) -> PathBuf {
        self.directory.path().join("workspace")
    }

    /// The root without links, as blocks write it.
    fn home(&self) -> String {
        let root = real_path(&self.root()).unwrap();
        with_slashes(root.to_str().unwrap()).into_owned()
    }

    fn put(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_else(|_| "(not there)".to_owned())
    }

    /// Writes a transcript outside the workspace.
    fn transcript(&self, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.directory.path().join("chat.md");
        fs::write(&path, text).unwrap();
        path
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_operator-lsp"));
        command.args(arguments).current_dir(self.root());
        command.env("OPERATOR_LSP_STATE_DIR", self.directory.path().join("state"));
        crate::git::isolate(&mut command);
        command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
        command
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.command(arguments).stdin(Stdio::null()).output().unwrap().into()
    }

    /// Runs a command on a transcript that is beside the workspace.
    fn run_on(&self, transcript: impl AsRef<[u8]>, arguments: &[&str]) -> Ran {
        let path = self.transcript(transcript);
        let mut command = self.command(arguments);
        command.arg(path).stdin(Stdio::null()).output().unwrap().into()
    }

    fn run_with_input(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> Ran {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // A command that refuses to run does not read its input.
        let _ = child.stdin.take().unwrap().write_all(input.as_ref());
        child.wait_with_output().unwrap().into()
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        Ran { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}

impl Ran {
    /// Standard output as JSON, which must be all of it.
    fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}", self.all()))
    }

    /// Everything that it left, for messages.
    fn all(&self) -> String {
        format!("exit {:?}\n--- out\n{}\n--- err\n{}", self.code, self.out, self.err)
    }

    #[track_caller]
    fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{}", self.all());
        self
    }

    #[track_caller]
    fn says(self, text: &str) -> Ran {
        assert!(self.err.contains(text), "{text:?} is not said\n{}", self.all());
        self
    }
}

/// A block with these fields; one whose name ends in `_b64` is given in the clear.
fn block(id: &str, action: &str, fields: &[(&str, &str)]) -> String {
    let mut block = format!("OPERATOR_CMD\nversion: 1\nid: {id}\naction: {action}\n");
    for (name, value) in fields {
        let encoded = match name.ends_with("_b64") {
            true => BASE64.encode(value.as_bytes()),
            false => (*value).to_owned(),
        };
        writeln!(block, "{name}: {encoded}").unwrap();
    }
    block + "END_OPERATOR_CMD\n"
}

fn write(id: &str, path: &str, content: &str) -> String {
    block(id, "fs.write", &[("path", path), ("content_b64", content)])
}

fn read(id: &str, path: &str) -> String {
    block(id, "fs.read", &[("path", path)])
}

fn delete(id: &str, path: &str) -> String {
    block(id, "fs.delete", &[("path", path)])
}

/// A block that asks for the first `find` in the file to become `text`.
fn replace(id: &str, path: &str, find: &str, text: &str) -> String {
    let edit = serde_json::json!({ "op": "replaceFirst", "find": find, "text": text });
    let edits = serde_json::json!({ "version": 1, "edits": [edit] }).to_string();
    block(id, "fs.applyEdits", &[("path", path), ("edits_b64", &edits)])
}

fn fingerprint(text: &str) -> String {
    operator_core::fingerprint::Fingerprint::of(text.as_bytes()).to_string()
}

fn as_argument(path: &Path) -> &str {
    path.to_str().unwrap()
}
