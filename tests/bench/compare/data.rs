//! The files, transcripts and patches, the same every time.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use operator_core::dialect::operator::encode;

use super::OURS;

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

/// The program as it is installed: a copy without the names of functions. What a linker has written
/// starts more slowly than a copy of it, since the system keeps it in smaller pieces.
fn installed(directory: &Path) -> io::Result<PathBuf> {
    let program = directory.join("operator-lsp");
    let status = Command::new("strip").arg("-o").arg(&program).arg(OURS).status();
    if !status.is_ok_and(|status| status.success()) {
        fs::copy(OURS, &program)?;
    }
    Ok(program)
}

/// A temporary directory with a workspace, undo journals and the data of the works in it.
pub struct Bench {
    directory: tempfile::TempDir,
    program: PathBuf,
}

impl Bench {
    /// A directory where `TMPDIR` says.
    pub fn new() -> io::Result<Bench> {
        let directory = tempfile::tempdir()?;
        let program = installed(directory.path())?;
        let bench = Bench { directory, program };
        fs::create_dir(bench.workspace())?;
        Ok(bench)
    }

    /// The program under measurement, without arguments.
    pub fn ours(&self) -> Command {
        Command::new(&self.program)
    }

    /// How many bytes the program has.
    pub fn size_of_ours(&self) -> usize {
        fs::metadata(&self.program).map_or(0, |data| data.len() as usize)
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
            fs::write(&path, lines.collect::<String>())?;
            rested(&path)?;
        }
        Ok(())
    }

    /// The files of the many proposals.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        let workspace = self.workspace();
        (0..FILES).map(move |file| workspace.join(name(file)))
    }

    /// The large file.
    pub fn large(&self) -> PathBuf {
        self.workspace().join("large.py")
    }

    /// The large file as it is before.
    pub fn write_large(&self) -> io::Result<()> {
        let lines: String = (1..=LARGE).map(|line| text(0, line)).collect();
        fs::write(self.large(), lines)?;
        rested(&self.large())
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

/// Makes a file as old as most are: one that was written in this moment is looked at twice.
fn rested(file: &Path) -> io::Result<()> {
    let age = std::time::Duration::from_secs(60);
    fs::File::options().append(true).open(file)?.set_modified(std::time::SystemTime::now() - age)
}

/// Makes the records of all operations a minute old, as those of a workspace in use are.
pub fn rest_records(state: &Path) -> io::Result<()> {
    for journal in fs::read_dir(state)? {
        for entry in fs::read_dir(journal?.path())? {
            let record = entry?.path().join("log");
            if record.exists() {
                rested(&record)?;
            }
        }
    }
    Ok(())
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

/// The same patch as a block.
pub fn one_patch_block() -> String {
    let payload = format!("patch_b64: {}", encode(&one_patch()));
    block("fs.patch", 0, LARGE / 2, "large.py", &payload)
}

/// A transcript of about `size` bytes that is nothing but blocks.
pub fn transcript(size: usize) -> String {
    transcripts::transcript(size, 100)
}

/// A transcript of about `size` bytes that is mostly prose.
pub fn chat(size: usize) -> String {
    transcripts::transcript(size, 5)
}

/// A Python file of about `size` bytes.
pub fn functions(size: usize) -> String {
    let mut text = String::with_capacity(size + 200);
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "def function_{number}(value, other=None):\n    \"\"\"Does {number}.\"\"\"\n    if value:\n        \
             print(value)\n    return value + {number}\n\n\n"
        );
    }
    text
}

/// A chat of about `size` bytes in which `share` percent is search-replace blocks, each a new file.
pub fn pairs(size: usize, share: usize) -> String {
    transcripts::mixed(size, share, |number| new_file(number, 4))
}

/// A chat of about `size` bytes that is nothing but blocks of all dialects, each a new file.
pub fn all_dialects(size: usize) -> String {
    transcripts::mixed(size, 100, |number| new_file(number, number))
}

/// How many bytes the block of a new file has, about.
pub const NEW_FILE: usize = 6_100;

/// A new file in a fence below its path in the dialect of that number.
fn new_file(number: usize, dialect: usize) -> String {
    let path = format!("src/step_{number}.py");
    let line = "    value = compute(value)  # one line of code that is not very long\n";
    let body = format!("def step_{number}(value):\n{}    return value\n", line.repeat(88));
    let added = || body.lines().fold(String::new(), |all, line| all + "+" + line + "\n");
    match dialect % 7 {
        0 => block("fs.write", number, 0, &path, &format!("content_b64: {}", encode(&body))),
        1 => format!("<<<FILE>>>\n{path}\n<<<OVERWRITE>>>\n{body}<<<END>>>\n\n"),
        2 => format!(
            "#!SHAM [@three-char-SHA-256: k7m]\naction = \"file_write\"\npath = \"/nowhere/{path}\"\n\
             content = <<'EOT_SHAM_k7m'\n{body}EOT_SHAM_k7m\n#!END_SHAM_k7m\n\n"
        ),
        3 => {
            format!("```\n*** Begin Patch\n*** Add File: {path}\n{}*** End Patch\n```\n\n", added())
        }
        4 => format!("{path}\n```python\n<<<<<<< SEARCH\n=======\n{body}>>>>>>> REPLACE\n```\n\n"),
        5 => {
            let lines = body.lines().count();
            format!(
                "```diff\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1,{lines} @@\n{}```\n\n",
                added()
            )
        }
        _ => format!("New file: `{path}`\n````python\n{body}````\n\n"),
    }
}
