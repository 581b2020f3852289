//! One transaction's record: a line for each step, synced before the step is carried out.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::text::Content;
use serde::{Deserialize, Serialize};

use super::record::Record;
use super::regular;
use super::step::{Saved, Step};
use crate::workspace::Workspace;
use crate::workspace::errors::JournalError;
use crate::workspace::replace::sync_directory;

pub(super) const VERSION: u32 = 1;
const LOG: &str = "log";
const BYTES: &str = "before";
/// The lines that settle a record are shorter than this.
const TAIL: u64 = 64;
/// Small contents are written together.
const BUFFER: usize = 64 << 10;

/// A line of the record.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Line {
    Begin {
        version: u32,
        roots: Vec<String>,
    },
    Step(Step),
    /// The step with this number was undone.
    Undone {
        step: usize,
    },
    /// The step with this number could not be undone, while steps before it may be.
    Left {
        step: usize,
    },
    /// The steps from this one on were undone, and the next step has this number.
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
    /// How long the record is up to its last whole line.
    length: u64,
    /// Lines that could not be written; they go before the next one.
    unwritten: Vec<u8>,
}

impl Log {
    /// A new record in a new folder.
    pub(super) fn create(path: PathBuf, workspace: &Workspace) -> Result<Log, JournalError> {
        let failed = |source| JournalError::Io { path: path.clone(), source };
        std::fs::create_dir(&path).map_err(failed)?;
        let mut log = Log::at(path)?;
        let roots = workspace.inner.paths.iter().map(|root| root.to_string_lossy().into_owned());
        log.append(&[Line::Begin { version: VERSION, roots: roots.collect() }])?;
        sync_directory(&log.folder).map_err(|source| log.failed(source))?;
        Ok(log)
    }

    /// Whether the last line of the record in a folder settles it.
    pub(super) fn ends_settled(path: &Path) -> io::Result<bool> {
        let settles = [Line::Commit, Line::Swept].map(|line| serde_json::to_string(&line));
        let mut file = regular::open(&path.join(LOG), OpenOptions::new().read(true))?;
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
        log.length = whole as u64;
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
        let open = || -> io::Result<(Dir, File, File)> {
            let mut options = OpenOptions::new();
            options.read(true).append(true).create(true);
            let bytes = regular::open(&path.join(BYTES), &mut options)?;
            let folder = Dir::open_ambient_dir(&path, ambient_authority())?;
            Ok((folder, regular::open(&path.join(LOG), &mut options)?, bytes))
        };
        let sizes = |lines: &File, bytes: &File| -> io::Result<(u64, u64)> {
            Ok((lines.metadata()?.len(), bytes.metadata()?.len()))
        };
        let failed = |source| JournalError::Io { path: path.clone(), source };
        let (folder, lines, bytes) = open().map_err(failed)?;
        let (length, kept) = sizes(&lines, &bytes).map_err(failed)?;
        Ok(Log { path, folder, lines, bytes, kept, length, unwritten: Vec::new() })
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
        cut(&self.bytes, self.kept).map_err(|source| self.failed(source))?;
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

    /// Adds lines, durably, after those that could not be written before.
    pub(super) fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        let mut text = self.unwritten.clone();
        text.extend(self.text(lines)?);
        let mut file = &self.lines;
        let written = cut(file, self.length).and_then(|()| file.write_all(&text));
        written.and_then(|()| file.sync_data()).map_err(|source| {
            // Half a line must not come before the next one; if this fails, it is cut off then.
            let _ = file.set_len(self.length);
            self.failed(source)
        })?;
        self.length += text.len() as u64;
        self.unwritten.clear();
        Ok(())
    }

    /// Adds a line about what is done already. If it cannot be written now, it goes before the
    /// next line; if there is none, the disk still shows what the line says.
    pub(super) fn note(&mut self, line: Line) {
        let lines = [line];
        if self.append(&lines).is_err()
            && let Ok(text) = self.text(&lines)
        {
            self.unwritten.extend(text);
        }
    }

    /// Whether every line is on the record.
    pub(super) fn is_complete(&self) -> bool {
        self.unwritten.is_empty()
    }

    fn text(&self, lines: &[Line]) -> Result<Vec<u8>, JournalError> {
        let mut text = Vec::new();
        for line in lines {
            serde_json::to_writer(&mut text, line)
                .map_err(|error| self.failed(io::Error::other(error)))?;
            text.push(b'\n');
        }
        Ok(text)
    }

    /// A file's old bytes; `None` where the journal lacks them.
    pub(super) fn bytes(&self, saved: &Saved) -> io::Result<Option<Vec<u8>>> {
        let mut bytes = Vec::new();
        let mut file = &self.bytes;
        file.seek(SeekFrom::Start(saved.offset))?;
        file.take(saved.length).read_to_end(&mut bytes)?;
        Ok((Fingerprint::of(&bytes) == saved.fingerprint).then_some(bytes))
    }
}

/// Cuts off what a write that failed left at the end of a file.
fn cut(file: &File, length: u64) -> io::Result<()> {
    match file.metadata()?.len() > length {
        true => file.set_len(length),
        false => Ok(()),
    }
}
