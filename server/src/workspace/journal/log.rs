//! One transaction's record: a line for each step, synced before the step is applied.

use std::collections::{HashMap, HashSet};
use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{Door, Transcript, Work};
use operator_core::path::FilePath;
use operator_core::text::Content;
use serde::{Deserialize, Serialize};

use super::made::MadeStep;
use super::record::Record;
use super::regular;
use super::step::{FilePathDef, Saved, Step};
use crate::workspace::Workspace;
use crate::workspace::attributes::Attributes;
use crate::workspace::durable::{self, Written};
use crate::workspace::errors::JournalError;
use crate::workspace::place::read_up_to;
use crate::workspace::replace::sync_directory;

pub(super) const VERSION: u32 = 1;
const LOG: &str = "log";
const BYTES: &str = "before";
/// The lines that settle a record are shorter than this.
const TAIL: u64 = 64;
/// A record of so many bytes at most is read from its beginning, in one call of the system.
const SHORT: u64 = 4_096;
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
        /// Whether somebody wants it to be left where its file has changed.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        skipped: bool,
    },
    /// The steps from this one on were undone, and the next step has this number.
    Back {
        to: usize,
    },
    Commit,
    /// A file that already has the content that the steps leave, since the editor has an unsaved
    /// text for it. It does not show whether the editor has made the steps.
    Shown {
        #[serde(with = "FilePathDef")]
        path: FilePath,
    },
    /// The steps are an editor's, and it is about to get them.
    Handed,
    /// What a kill left behind was removed.
    Swept,
    /// What the steps are for.
    Operation(Header),
    /// A block that the steps from here on are for.
    Work(Work),
    /// What the step with this number left, kept before it is undone.
    After {
        step: usize,
        saved: Saved,
    },
    /// The digests of the directories that the operation changes, once it is undone.
    Trees(Vec<String>),
    /// Every step was undone, and all can be made again.
    Reverted,
    /// The steps are made again: those that follow take the place of those before.
    Again,
}

/// What a record ends with, if that settles it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Commit,
    Handed,
    Swept,
    Reverted,
}

/// For what the steps of a transaction are.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) door: Door,
    pub(super) time: u64,
    pub(super) transcript: Transcript,
}

/// A record that is open for more lines.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    folder: Dir,
    lines: File,
    bytes: File,
    kept: u64,
    /// How much of it and of the record is durable.
    durable: Lengths,
    /// The folder that its folder is in, while its name in there is not durable.
    above: Option<Dir>,
    /// How long the record is up to its last whole line.
    length: u64,
    /// Lines that could not be written; they go before the next one.
    unwritten: Vec<u8>,
    /// Where contents are that are kept already.
    known: HashMap<Fingerprint, (u64, u64)>,
    /// The steps of which what they left is kept.
    pub(super) kept_after: HashSet<usize>,
}

/// How long the files of a record are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Lengths {
    lines: u64,
    bytes: u64,
}

impl Log {
    /// A new record in a new folder; it is durable once something is added to it.
    pub(super) fn create(path: PathBuf, workspace: &Workspace) -> Result<Log, JournalError> {
        let failed = |source| JournalError::Io { path: path.clone(), source };
        std::fs::create_dir(&path).map_err(failed)?;
        let mut log = Log::at(path)?;
        let roots = workspace.inner.paths.iter().map(|root| root.to_string_lossy().into_owned());
        // Before the first line, also where that could not be made durable and another one follows.
        log.unwritten = log.text(&[Line::Begin { version: VERSION, roots: roots.collect() }])?;
        let above = log.path.parent().unwrap_or(&log.path);
        let above = Dir::open_ambient_dir(above, ambient_authority());
        log.above = Some(above.map_err(|source| log.failed(source))?);
        Ok(log)
    }

    /// The file of the record in a folder.
    pub(super) fn file(path: &Path) -> PathBuf {
        path.join(LOG)
    }

    /// What a record ends with, if its last line settles it. Its file has `length` bytes, and nothing of
    /// it was read.
    pub(super) fn end(mut file: &File, length: u64) -> io::Result<Option<End>> {
        let skipped = if length > SHORT { length - TAIL } else { 0 };
        if skipped > 0 {
            file.seek(SeekFrom::Start(skipped))?;
        }
        let mut end = vec![0; usize::try_from(length - skipped).unwrap_or_default()];
        file.read_exact(&mut end)?;
        let Some(end) = end.strip_suffix(b"\n") else { return Ok(None) };
        let last = end.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        Ok(match serde_json::from_slice(last) {
            Ok(Line::Commit) => Some(End::Commit),
            Ok(Line::Handed) => Some(End::Handed),
            Ok(Line::Swept) => Some(End::Swept),
            Ok(Line::Reverted) => Some(End::Reverted),
            _ => None,
        })
    }

    /// How many bytes a folder keeps of files that were written.
    pub(super) fn size(path: &Path) -> u64 {
        path.join(BYTES).symlink_metadata().map_or(0, |data| data.len())
    }

    /// What the record in a folder says, without a hand on it.
    pub(super) fn read(path: &Path) -> Result<Record, JournalError> {
        let read = || -> io::Result<Vec<u8>> {
            let mut text = Vec::new();
            regular::open(&Log::file(path), OpenOptions::new().read(true))?
                .read_to_end(&mut text)?;
            Ok(text)
        };
        let text = read().map_err(|source| JournalError::Io { path: path.to_owned(), source })?;
        parse(&text).map(|(record, _)| record).ok_or_else(|| JournalError::Damaged(path.to_owned()))
    }

    /// The record in a folder, and what it says. A last line that a kill cut short does not
    /// count: its step was not begun.
    pub(super) fn open(path: PathBuf) -> Result<(Log, Record), JournalError> {
        let mut log = Log::at(path)?;
        let mut text = Vec::new();
        log.lines.read_to_end(&mut text).map_err(|source| log.failed(source))?;
        let damaged = || JournalError::Damaged(log.path.clone());
        let (record, whole) = parse(&text).ok_or_else(damaged)?;
        log.length = whole as u64;
        let whole =
            |(_, offset, length): &&(_, u64, u64)| offset.saturating_add(*length) <= log.kept;
        let known = record.contents().iter().filter(whole);
        log.known = known.map(|(content, offset, length)| (*content, (*offset, *length))).collect();
        Ok((log, record))
    }

    fn at(path: PathBuf) -> Result<Log, JournalError> {
        let open = || -> io::Result<(Dir, File, File)> {
            let bytes = regular::open_to_add(&path.join(BYTES))?;
            let folder = Dir::open_ambient_dir(&path, ambient_authority())?;
            Ok((folder, regular::open_to_add(&Log::file(&path))?, bytes))
        };
        let sizes = |lines: &File, bytes: &File| -> io::Result<(u64, u64)> {
            Ok((lines.metadata()?.len(), bytes.metadata()?.len()))
        };
        let failed = |source| JournalError::Io { path: path.clone(), source };
        let (folder, lines, bytes) = open().map_err(failed)?;
        let (length, kept) = sizes(&lines, &bytes).map_err(failed)?;
        let (above, unwritten, known, kept_after) = Default::default();
        let durable = Lengths { lines: length, bytes: kept };
        Ok(Log {
            path,
            folder,
            lines,
            bytes,
            kept,
            durable,
            above,
            length,
            unwritten,
            known,
            kept_after,
        })
    }

    pub(super) fn path(&self) -> &PathBuf {
        &self.path
    }

    /// Closes the folder and its files, without which Windows does not rename it, and tells where
    /// it is.
    pub(super) fn close(self) -> PathBuf {
        self.path
    }

    pub(super) fn folder(&self) -> &Dir {
        &self.folder
    }

    pub(super) fn failed(&self, source: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), source }
    }

    /// Keeps the old bytes of steps, and tells the steps where they are.
    pub(super) fn keep(
        &mut self,
        steps: Vec<(Step, Option<&Content>)>,
    ) -> Result<(Vec<Step>, Vec<Line>), JournalError> {
        let mut kept = Vec::new();
        self.keeping(|bytes| {
            for (mut step, content) in steps {
                if let Step::Write { before: Some(saved), .. } = &mut step
                    && let Some(content) = content
                {
                    bytes.add(saved, &content.parts())?;
                }
                kept.push(step);
            }
            Ok(())
        })?;
        let lines = kept.iter().cloned().map(Line::Step).collect();
        Ok((kept, lines))
    }

    /// Keeps what was before steps that somebody else makes and what they leave, and tells the steps
    /// where it is.
    pub(super) fn keep_made(
        &mut self,
        steps: &[MadeStep],
    ) -> Result<(Vec<Step>, Vec<Line>), JournalError> {
        let (mut kept, mut lines) = (Vec::new(), Vec::new());
        self.keeping(|bytes| {
            for (number, MadeStep { step, before, after, .. }) in steps.iter().enumerate() {
                let mut step = step.clone();
                if let (Step::Write { before: Some(saved), .. }, Some(before)) = (&mut step, before)
                {
                    bytes.add(saved, &before.parts())?;
                }
                lines.push(Line::Step(step.clone()));
                kept.push(step);
                if let Some(after) = after {
                    let mut saved = Saved::of_text(after);
                    bytes.add(&mut saved, &after.parts())?;
                    lines.push(Line::After { step: number, saved });
                }
            }
            Ok(())
        })?;
        Ok((kept, lines))
    }

    /// Keeps what these steps left, so that they can be made again.
    pub(super) fn keep_left<'a>(
        &mut self,
        left: impl Iterator<Item = &'a (usize, Content)>,
    ) -> Result<(), JournalError> {
        let mut lines = Vec::new();
        self.keeping(|bytes| {
            for (step, content) in left {
                let mut saved = Saved::of_text(content);
                bytes.add(&mut saved, &content.parts())?;
                lines.push(Line::After { step: *step, saved });
            }
            Ok(())
        })?;
        if lines.is_empty() { Ok(()) } else { self.append(&lines) }
    }

    /// Makes the names in the folder durable.
    pub(super) fn sync_names(&self) -> io::Result<()> {
        sync_directory(&self.folder)
    }

    /// What was written and is not durable yet.
    fn unsynced(&self) -> Vec<Written<'_>> {
        let lines = (self.length > self.durable.lines).then_some(Written::Data(&self.lines));
        let bytes = (self.kept > self.durable.bytes).then_some(Written::Data(&self.bytes));
        let names = self.above.iter().flat_map(|above| [&self.folder, above]);
        bytes.into_iter().chain(lines).chain(names.map(Written::Names)).collect()
    }

    /// Takes note that all of that is durable.
    fn has_synced(&mut self) {
        self.durable = Lengths { lines: self.length, bytes: self.kept };
        self.above = None;
    }

    /// Forgets what was written and could not be made durable: the next sync may succeed without it.
    fn cut_back(&mut self) {
        let Lengths { lines, bytes } = self.durable;
        // What fails here is cut off by the next write.
        let _ = self.lines.set_len(lines).and_then(|()| self.bytes.set_len(bytes));
        (self.length, self.kept) = (lines, bytes);
        self.known.retain(|_, (offset, length)| *offset + *length <= bytes);
    }

    /// Keeps contents; they are durable after the next sync.
    fn keeping(
        &mut self,
        keep: impl FnOnce(&mut Bytes) -> io::Result<()>,
    ) -> Result<(), JournalError> {
        regular::cut(&self.bytes, self.kept).map_err(|source| self.failed(source))?;
        let file = BufWriter::with_capacity(BUFFER, &self.bytes);
        let (end, known) = (self.kept, &self.known);
        let mut bytes = Bytes { file, end, known, new: HashMap::new() };
        let written = keep(&mut bytes).and_then(|()| bytes.file.flush());
        let (end, new) = (bytes.end, std::mem::take(&mut bytes.new));
        drop(bytes);
        if let Err(source) = written {
            let _ = self.bytes.set_len(self.kept);
            return Err(self.failed(source));
        }
        self.kept = end;
        self.known.extend(new);
        Ok(())
    }

    /// Keeps what these steps left and the disk still shows, so that they can be made again.
    pub(super) fn keep_after<'a>(
        &mut self,
        steps: impl Iterator<Item = (usize, &'a Step)>,
        workspace: &Workspace,
    ) -> Result<(), JournalError> {
        let mut lines = Vec::new();
        let kept_after = self.kept_after.clone();
        self.keeping(|bytes| {
            for (number, step) in steps.filter(|(number, _)| !kept_after.contains(number)) {
                let Step::Write { path, after, .. } = step else { continue };
                let Some((content, attributes)) = left_by(workspace, path, *after) else {
                    continue;
                };
                let length = content.len() as u64;
                let attributes = Some(attributes);
                let mut saved = Saved { offset: 0, length, fingerprint: *after, attributes };
                bytes.add(&mut saved, &[&content])?;
                lines.push((number, saved));
            }
            Ok(())
        })?;
        if lines.is_empty() {
            return Ok(());
        }
        let numbers: Vec<usize> = lines.iter().map(|(number, _)| *number).collect();
        let lines = lines.into_iter().map(|(step, saved)| Line::After { step, saved });
        self.append(&lines.collect::<Vec<_>>())?;
        self.kept_after.extend(numbers);
        Ok(())
    }

    /// A content that is kept; `None` where the journal lacks it.
    pub(super) fn content(&self, fingerprint: Fingerprint) -> io::Result<Option<Vec<u8>>> {
        let Some((offset, length)) = self.known.get(&fingerprint).copied() else { return Ok(None) };
        self.bytes(&Saved { offset, length, fingerprint, attributes: None })
    }

    /// Adds lines, durably, after those that could not be written before.
    pub(super) fn append(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        let unwritten = self.unwritten.clone();
        self.write(lines)?;
        let synced = durable::sync(&self.unsynced());
        self.settle(synced).inspect_err(|_| self.unwritten = unwritten)
    }

    /// Makes what was written durable while something else is done.
    pub(super) fn sync_beside<T>(
        &mut self,
        act: impl FnOnce() -> T,
    ) -> (Result<(), JournalError>, T) {
        let (synced, done) = durable::sync_beside(&self.unsynced(), act);
        (self.settle(synced), done)
    }

    /// Takes note of the outcome of a sync of what was written.
    fn settle(&mut self, synced: io::Result<()>) -> Result<(), JournalError> {
        match synced {
            Ok(()) => {
                self.has_synced();
                Ok(())
            }
            Err(source) => {
                self.cut_back();
                Err(self.failed(source))
            }
        }
    }

    /// Adds lines after those that could not be written before; they are durable after the next sync.
    pub(super) fn write(&mut self, lines: &[Line]) -> Result<(), JournalError> {
        let mut text = self.unwritten.clone();
        text.extend(self.text(lines)?);
        let mut file = &self.lines;
        let written = regular::cut(file, self.length).and_then(|()| file.write_all(&text));
        written.map_err(|source| {
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

/// Contents that are being kept, each once.
struct Bytes<'a> {
    file: BufWriter<&'a File>,
    end: u64,
    known: &'a HashMap<Fingerprint, (u64, u64)>,
    new: HashMap<Fingerprint, (u64, u64)>,
}

impl Bytes<'_> {
    fn add(&mut self, saved: &mut Saved, parts: &[&[u8]]) -> io::Result<()> {
        let known = self.known.get(&saved.fingerprint).or(self.new.get(&saved.fingerprint));
        if let Some((offset, length)) = known {
            (saved.offset, saved.length) = (*offset, *length);
            return Ok(());
        }
        saved.offset = self.end;
        self.end += saved.length;
        self.new.insert(saved.fingerprint, (saved.offset, saved.length));
        parts.iter().try_for_each(|part| self.file.write_all(part))
    }
}

/// The file that a step has written, if it is there and still as the step left it.
fn left_by(
    workspace: &Workspace,
    path: &FilePath,
    after: Fingerprint,
) -> Option<(Vec<u8>, Attributes)> {
    let (file, data) = workspace.place_to_read(path).ok()?.open().ok()?;
    let content = read_up_to(&file, &data, usize::MAX - 1).ok()?;
    let attributes = Attributes::of(&file).ok()?;
    (Fingerprint::of(&content) == after).then_some((content, attributes))
}

/// What the whole lines of a record say, and how long they are; `None` where one cannot be
/// understood.
fn parse(text: &[u8]) -> Option<(Record, usize)> {
    let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut record = Record::default();
    for line in text[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let line = serde_json::from_slice(line).ok()?;
        if !record.take(line) {
            return None;
        }
    }
    Some((record, whole))
}
