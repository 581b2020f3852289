//! One transaction's record: a line for each step, synced before the step is carried out.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::snapshot::FilePath;
use operator_core::text::Content;
use serde::{Deserialize, Deserializer, Serialize};

use crate::workspace::Workspace;
use crate::workspace::errors::JournalError;

const VERSION: u32 = 1;
const LOG: &str = "log";
const BYTES: &str = "before";
/// The lines that settle a record are shorter than this.
const TAIL: u64 = 64;
/// Small contents are written together.
const BUFFER: usize = 64 << 10;

/// What one step does, and what there was before.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "step")]
pub(in crate::workspace) enum Step {
    /// A file is written; `before` is `None` where there was none.
    Write {
        #[serde(with = "FilePathDef")]
        path: FilePath,
        before: Option<Saved>,
        #[serde(deserialize_with = "fingerprint")]
        after: Fingerprint,
        temporary: String,
    },
    /// A directory is made.
    Directory {
        #[serde(with = "FilePathDef")]
        path: FilePath,
    },
    /// A file or directory is deleted, kept in the transaction's folder as `saved`.
    Remove {
        #[serde(with = "FilePathDef")]
        path: FilePath,
        saved: String,
        temporary: String,
    },
    /// A file, with its fingerprint, or a directory gets another path.
    Rename {
        #[serde(with = "FilePathDef")]
        from: FilePath,
        #[serde(with = "FilePathDef")]
        to: FilePath,
        #[serde(deserialize_with = "maybe_fingerprint")]
        file: Option<Fingerprint>,
    },
}

/// Where a file's old bytes are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::workspace) struct Saved {
    pub(super) offset: u64,
    pub(super) length: u64,
    #[serde(deserialize_with = "fingerprint")]
    pub(super) fingerprint: Fingerprint,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "FilePath")]
struct FilePathDef {
    root: usize,
    path: String,
}

/// A line of the record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    Begin {
        version: u32,
        roots: Vec<String>,
    },
    Step(Step),
    /// The steps from this one on were taken back.
    Back {
        to: usize,
    },
    Commit,
    /// What a kill left behind was removed.
    Swept,
}

/// A record that is open for more lines.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    folder: Dir,
    lines: File,
    bytes: File,
    kept: u64,
}

/// What a record says.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) roots: Vec<String>,
    pub(super) raw: Vec<Step>,
    pub(super) settled: bool,
}

impl Saved {
    /// A content that is yet to be kept.
    pub(in crate::workspace) fn of(content: &Content) -> Saved {
        let fingerprint = content.fingerprint();
        Saved { offset: 0, length: content.len() as u64, fingerprint }
    }
}

impl Log {
    /// A new record in a new folder.
    pub(super) fn create(path: PathBuf, workspace: &Workspace) -> Result<Log, JournalError> {
        let failed = |source| JournalError::Io { path: path.clone(), source };
        std::fs::create_dir(&path).map_err(failed)?;
        let mut log = Log::at(path)?;
        let roots = workspace.inner.paths.iter().map(|root| root.to_string_lossy().into_owned());
        log.append(&[Line::Begin { version: VERSION, roots: roots.collect() }])?;
        Ok(log)
    }

    /// Whether the last line of the record in a folder settles it.
    pub(super) fn ends_settled(path: &Path) -> io::Result<bool> {
        let settles = [Line::Commit, Line::Swept].map(|line| serde_json::to_string(&line));
        let mut file = File::open(path.join(LOG))?;
        let mut end = Vec::new();
        file.seek(SeekFrom::Start(file.metadata()?.len().saturating_sub(TAIL)))?;
        file.take(TAIL).read_to_end(&mut end)?;
        let Some(end) = end.strip_suffix(b"\n") else { return Ok(false) };
        let last = end.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(settles.iter().flatten().any(|line| line.as_bytes() == last))
    }

    /// The record in a folder, and what it says. A last line that a kill cut short does not
    /// count: its step was not begun.
    pub(super) fn open(path: PathBuf) -> Result<(Log, Record), JournalError> {
        let mut log = Log::at(path)?;
        let mut text = Vec::new();
        log.lines.read_to_end(&mut text).map_err(|source| log.failed(source))?;
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        log.lines.set_len(whole as u64).map_err(|source| log.failed(source))?;
        let mut record = Record::default();
        for line in text[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            let damaged = || JournalError::Damaged(log.path.clone());
            let line = serde_json::from_slice(line).map_err(|_| damaged())?;
            if !record.take(line) {
                return Err(damaged());
            }
        }
        Ok((log, record))
    }

    fn at(path: PathBuf) -> Result<Log, JournalError> {
        let open = || -> io::Result<(Dir, File, File, u64)> {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true);
            let bytes = options.open(path.join(BYTES))?;
            let kept = bytes.metadata()?.len();
            let folder = Dir::open_ambient_dir(&path, ambient_authority())?;
            Ok((folder, options.open(path.join(LOG))?, bytes, kept))
        };
        match open() {
            Ok((folder, lines, bytes, kept)) => Ok(Log { path, folder, lines, bytes, kept }),
            Err(source) => Err(JournalError::Io { path, source }),
        }
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    pub(super) fn folder(&self) -> &Dir {
        &self.folder
    }

    fn failed(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }

    /// Keeps the old bytes of steps, durably, and tells the steps where they are.
    pub(super) fn keep(
        &mut self,
        steps: Vec<(Step, Option<&Content>)>,
    ) -> Result<(Vec<Step>, Vec<Line>), JournalError> {
        let (mut kept, mut end) = (Vec::new(), self.kept);
        let mut bytes = BufWriter::with_capacity(BUFFER, &self.bytes);
        let mut written = Ok(());
        for (mut step, content) in steps {
            if let (Step::Write { before: Some(saved), .. }, Some(content)) = (&mut step, content) {
                saved.offset = end;
                end += saved.length;
                let mut parts = content.parts().into_iter();
                written = written.and_then(|()| parts.try_for_each(|part| bytes.write_all(part)));
            }
            kept.push(step);
        }
        let written = written.and_then(|()| bytes.flush());
        drop(bytes);
        if end > self.kept {
            if let Err(source) = written.and_then(|()| self.bytes.sync_data()) {
                let _ = self.bytes.set_len(self.kept);
                return Err(self.failed(source));
            }
            self.kept = end;
        }
        let lines = kept.iter().cloned().map(Line::Step).collect();
        Ok((kept, lines))
    }

    /// Adds lines, durably.
    pub(super) fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)
                .map_err(|error| self.failed(io::Error::other(error)))?;
            text.push(b'\n');
        }
        let length = self.lines.metadata().map_err(|source| self.failed(source))?.len();
        self.lines.write_all(&text).and_then(|()| self.lines.sync_data()).map_err(|source| {
            // Half a line must not stand before the next one.
            let _ = self.lines.set_len(length);
            self.failed(source)
        })
    }

    /// A file's old bytes, unless the journal lacks them.
    pub(super) fn bytes(&self, saved: &Saved) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = &self.bytes;
        file.seek(SeekFrom::Start(saved.offset)).ok()?;
        file.take(saved.length).read_to_end(&mut bytes).ok()?;
        (Fingerprint::of(&bytes) == saved.fingerprint).then_some(bytes)
    }
}

impl Record {
    fn take(&mut self, line: Line) -> bool {
        match line {
            Line::Begin { version, roots } => {
                self.roots = roots;
                return version == VERSION;
            }
            Line::Step(step) => {
                self.raw.push(step);
                self.settled = false;
            }
            Line::Back { to } => self.raw.truncate(to),
            Line::Commit | Line::Swept => self.settled = true,
        }
        true
    }

    /// The steps in terms of the workspace's roots as they are now.
    pub(super) fn steps(&self, workspace: &Workspace) -> Result<Vec<Step>, JournalError> {
        let now = |root: &mut usize| -> Result<(), JournalError> {
            let name = self.roots.get(*root).cloned().unwrap_or_default();
            let mut roots = workspace.inner.paths.iter();
            let found = roots.position(|path| path.to_string_lossy() == name.as_str());
            *root = found.ok_or(JournalError::OtherRoot(name))?;
            Ok(())
        };
        let mut steps = self.raw.clone();
        for step in &mut steps {
            match step {
                Step::Write { path, .. } | Step::Directory { path } | Step::Remove { path, .. } => {
                    now(&mut path.root)?;
                }
                Step::Rename { from, to, .. } => {
                    now(&mut from.root)?;
                    now(&mut to.root)?;
                }
            }
        }
        Ok(steps)
    }
}

fn fingerprint<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Fingerprint, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

fn maybe_fingerprint<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Fingerprint>, D::Error> {
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(serde::de::Error::custom)).transpose()
}
