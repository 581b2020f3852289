//! The files, transcripts and patches, the same every time.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use operator_core::dialect::operator::encode;

#[path = "../transcripts.rs"]
mod transcripts;

/// How many files the many proposals change.
pub const FILES: usize = 200;
/// How many proposals there are for each.
pub const PER_FILE: usize = 5;
/// How many lines lie between two changes of a file.
const APART: usize = 40;
/// The lines of the large file.
const LARGE: usize = 100_000;

/// A temporary directory with a workspace, undo journals and the data of the works in it.
pub struct Bench {
    directory: tempfile::TempDir,
}

impl Bench {
    /// A directory where `TMPDIR` says.
    pub fn new() -> io::Result<Bench> {
        let bench = Bench { directory: tempfile::tempdir()? };
        fs::create_dir(bench.workspace())?;
        Ok(bench)
    }

    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    pub fn workspace(&self) -> PathBuf {
        self.root().join("workspace")
    }

    pub fn state(&self) -> PathBuf {
        self.root().join("state")
    }

    /// A file beside the workspace.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.root().join(name);
        fs::write(&path, text).expect("the temporary directory can be written");
        path
    }

    /// The files of the many proposals as they are before.
    pub fn write_tree(&self) -> io::Result<()> {
        for file in 0..FILES {
            let path = self.workspace().join(name(file));
            fs::create_dir_all(path.parent().unwrap_or(&path))?;
            let lines = (1..=APART * (PER_FILE + 1)).map(|line| text(file, line));
            fs::write(path, lines.collect::<String>())?;
        }
        Ok(())
    }

    /// The large file as it is before.
    pub fn write_large(&self) -> io::Result<()> {
        let lines: String = (1..=LARGE).map(|line| text(0, line)).collect();
        fs::write(self.workspace().join("large.py"), lines)
    }

    /// The many proposals as patches, in one transcript.
    pub fn patches(&self) -> String {
        let block = |(file, at)| {
            let patch = encode(&patch(&name(file), file, at));
            block("fs.patch", file, at, &name(file), &format!("patch_b64: {patch}"))
        };
        places().map(block).collect()
    }

    /// The many proposals as edits, in one transcript.
    pub fn edits(&self) -> String {
        let block = |(file, at)| {
            let edits = edits(&[(text(file, at), changed(file, at))]);
            block("fs.applyEdits", file, at, &name(file), &edits)
        };
        places().map(block).collect()
    }

    /// The same patches in one file.
    pub fn many_patches(&self) -> String {
        places().map(|(file, at)| patch(&name(file), file, at)).collect()
    }
}

/// A file and a line for each proposal.
fn places() -> impl Iterator<Item = (usize, usize)> {
    (0..FILES).flat_map(|file| (1..=PER_FILE).map(move |at| (file, at * APART)))
}

fn name(file: usize) -> String {
    format!("src/part_{}/module_{file}.py", file % 20)
}

fn text(file: usize, line: usize) -> String {
    format!("    value_{line} = compute_{file}(value_{line}, {line})\n")
}

fn changed(file: usize, line: usize) -> String {
    format!("    value_{line} = compute_{file}(value_{line}, {line}) + 1\n")
}

fn patch(name: &str, file: usize, at: usize) -> String {
    let mut patch = format!("--- a/{name}\n+++ b/{name}\n@@ -{0},7 +{0},7 @@\n", at - 3);
    for line in at - 3..=at + 3 {
        // Writing to a string cannot fail.
        let _ = match line == at {
            true => write!(patch, "-{}+{}", text(file, line), changed(file, line)),
            false => write!(patch, " {}", text(file, line)),
        };
    }
    patch
}

/// A payload that replaces texts by others.
fn edits(pairs: &[(String, String)]) -> String {
    let edit = |(find, text): &(String, String)| {
        format!("{{\"op\":\"replaceFirst\",\"find\":{find:?},\"text\":{text:?}}}")
    };
    let edits: Vec<String> = pairs.iter().map(edit).collect();
    let json = format!("{{\"version\":1,\"edits\":[{}]}}", edits.join(","));
    format!("edits_b64: {}", encode(&json))
}

fn block(action: &str, file: usize, at: usize, path: &str, payload: &str) -> String {
    format!(
        "OPERATOR_CMD\nversion: 1\nid: change-{file}-{at}\naction: {action}\npath: {path}\n\
         {payload}\nEND_OPERATOR_CMD\n\n"
    )
}

/// One edit in the middle of the large file.
pub fn one_edit() -> String {
    let at = LARGE / 2;
    let payload = edits(&[(text(0, at), changed(0, at))]);
    block("fs.applyEdits", 0, at, "large.py", &payload)
}

/// The same as a patch.
pub fn one_patch() -> String {
    patch("large.py", 0, LARGE / 2)
}

/// An edit of a text that is nearly in the large file.
pub fn miss() -> String {
    let at = LARGE / 2;
    let missing = text(0, at).replace("compute_0", "computed_0");
    block("fs.applyEdits", 0, at, "large.py", &edits(&[(missing, changed(0, at))]))
}

/// Three edits of texts that are in the large file.
pub fn hits() -> String {
    let places = [LARGE / 4, LARGE / 2, LARGE / 4 * 3];
    let payload = edits(&places.map(|at| (text(0, at), changed(0, at))));
    block("fs.applyEdits", 0, 1, "large.py", &payload)
}

/// A transcript of about `size` bytes that is nothing but blocks.
pub fn transcript(size: usize) -> String {
    transcripts::transcript(size, 100)
}

/// A transcript of about `size` bytes that is mostly prose.
pub fn chat(size: usize) -> String {
    transcripts::transcript(size, 5)
}

/// A source file of about `size` bytes.
pub fn lines(size: usize) -> String {
    let mut lines = String::with_capacity(size + 100);
    for line in 1.. {
        if lines.len() >= size {
            break;
        }
        lines.push_str(&text(1, line));
    }
    lines
}
