//! A temporary world for one case: the workspace, what is beside it, and the transcript.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use operator_lsp::workspace::{real_path, with_slashes};

use crate::parse::{Case, Section};
use crate::tree::Tree;

/// What stands for the workspace's absolute path in transcripts, replies and problems.
pub const ROOT: &str = "{{root}}";

/// The word for a transcript whose blocks may run programs.
const ALLOW_EXEC: &str = "allow-exec";
/// The word for a transcript whose blocks are applied although they need a look of their own.
const ALLOW_CAUTION: &str = "allow-caution";

/// The directories of one case, gone when it is dropped.
pub struct World {
    directory: tempfile::TempDir,
    /// Whether the case lets blocks run programs.
    pub allows_exec: bool,
    /// Whether the case applies what needs a look of its own.
    pub allows_caution: bool,
}

impl World {
    /// The world as the case's `file` and `link` sections describe it.
    pub fn new(case: &Case) -> World {
        let transcript = case.first("transcript");
        let has = |word| transcript.is_some_and(|section| section.has(word));
        let (allows_exec, allows_caution) = (has(ALLOW_EXEC), has(ALLOW_CAUTION));
        let directory = tempfile::tempdir().unwrap();
        let world = World { directory, allows_exec, allows_caution };
        for part in ["world/workspace", "state", "chat"] {
            fs::create_dir_all(world.directory.path().join(part)).unwrap();
        }
        case.of("file").for_each(|section| world.put(section));
        case.of("link").for_each(|section| world.link(section));
        world
    }

    fn put(&self, section: &Section) {
        if section.path().ends_with('/') {
            return fs::create_dir_all(self.root().join(section.path())).unwrap();
        }
        for (path, bytes) in section.files() {
            let path = self.root().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, bytes).unwrap();
            if section.has("executable") {
                make_executable(&path);
            }
            if section.has("read-only") {
                let mut permissions = fs::metadata(&path).unwrap().permissions();
                permissions.set_readonly(true);
                fs::set_permissions(&path, permissions).unwrap();
            }
        }
    }

    fn link(&self, section: &Section) {
        let path = self.root().join(section.path());
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        make_link(section.body.trim_end(), &path);
    }

    /// The workspace.
    pub fn root(&self) -> PathBuf {
        real_path(self.directory.path()).unwrap().join("world").join("workspace")
    }

    /// The workspace's absolute path, for which transcripts have `{{root}}`.
    pub fn home(&self) -> String {
        with_slashes(self.root().to_str().unwrap()).into_owned()
    }

    /// A transcript with the workspace's path where it has `{{root}}`.
    pub fn fill(&self, bytes: &[u8]) -> Vec<u8> {
        match std::str::from_utf8(bytes) {
            Ok(text) => text.replace(ROOT, &self.home()).into_bytes(),
            Err(_) => bytes.to_vec(),
        }
    }

    /// A text with `{{root}}` where it has the workspace's path.
    pub fn hide(&self, text: &str) -> String {
        text.replace(&self.home(), ROOT)
    }

    /// The workspace and what is beside it, as they are now.
    pub fn tree(&self) -> Tree {
        Tree::read(&self.directory.path().join("world"))
    }

    /// Writes the transcript that [`World::run`] is given; outside the workspace, so that no case
    /// depends on it.
    pub fn transcript(&self, bytes: &[u8]) -> PathBuf {
        let path = self.directory.path().join("chat/chat.md");
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs the binary on the workspace.
    pub fn run(&self, arguments: &[&str], transcript: Option<&Path>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_operator-lsp"));
        command.args(arguments).args(transcript).arg("--root").arg(self.root());
        if self.allows_exec && matches!(arguments.first(), Some(&"check" | &"apply")) {
            command.arg("--allow-exec");
        }
        if self.allows_caution && arguments.first() == Some(&"apply") {
            command.arg("--allow-caution");
        }
        command.env("OPERATOR_LSP_STATE_DIR", self.directory.path().join("state"));
        command.env("NO_COLOR", "1").current_dir(self.directory.path());
        command.output().unwrap()
    }
}

#[cfg(unix)]
fn make_link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(unix)]
fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[cfg(windows)]
fn make_link(target: &str, path: &Path) {
    std::os::windows::fs::symlink_file(target, path).unwrap();
}

#[cfg(windows)]
fn make_executable(_: &Path) {}
