//! The disk with the editor's open buffers before it.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use operator_core::fingerprint::Fingerprint;
use operator_core::outline::Parsed;
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::Surroundings;
use operator_core::snapshot::{Denied, Details, Entry, Snapshot};
use operator_core::syntax::{Language, Unparsed};
use operator_core::text::{Content, Text};

use super::{Workspace, walk};

const BOM: [u8; 3] = [0xef, 0xbb, 0xbf];

/// The open documents by the files that they show (`Workspace::locate`).
pub type OpenDocuments = Arc<HashMap<FilePath, OpenDocument>>;

/// What the editor has of a file.
#[derive(Debug, Clone)]
pub enum OpenDocument {
    /// The text of the buffer, without a byte order mark.
    Text(Text),
    /// A buffer whose text the server does not know for sure.
    Unsynced,
}

/// A workspace as its editor shows it.
#[derive(Debug, Clone)]
pub struct View {
    workspace: Workspace,
    open: OpenDocuments,
    /// What the editor shows of these files is neither read nor changed.
    not_reloaded: BTreeSet<FilePath>,
}

impl View {
    pub(super) fn new(workspace: Workspace, open: OpenDocuments) -> View {
        View { workspace, open, not_reloaded: BTreeSet::new() }
    }

    /// The same where these files were changed by another program and the editor has not reloaded them.
    pub fn without<'a>(self, not_reloaded: impl Iterator<Item = &'a FilePath>) -> View {
        View { not_reloaded: not_reloaded.cloned().collect(), ..self }
    }

    /// The workspace underneath.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    fn content(&self, path: &FilePath, open: &OpenDocument) -> Result<Content, Denied> {
        self.workspace.check_saved(path)?;
        match self.not_reloaded.contains(path) {
            true => Err(Denied::NotReloaded),
            false => self.buffer(path, open),
        }
    }

    /// Whether the editor shows a file, and not as it is on disk.
    pub fn is_unsaved(&self, path: &FilePath) -> bool {
        let Some(open) = self.open.get(path) else { return false };
        let OpenDocument::Text(text) = open else { return true };
        let Ok(size) = self.workspace.details(path).map(|it| it.size) else { return true };
        // Most texts have another size, byte order mark or not, and need not be put together.
        let mark = size.checked_sub(text.len() as u64);
        if mark != Some(0) && mark != Some(BOM.len() as u64) {
            return true;
        }
        let Ok(shown) = self.buffer(path, open) else { return true };
        size != shown.len() as u64
            || self.workspace.state_on_disk(path) != Ok(State::File(shown.fingerprint()))
    }

    /// What is on disk of a file that the editor shows with the same lines, or where that cannot be
    /// told. Some editors have line endings of their own.
    pub fn loaded(&self, path: &FilePath) -> Option<State> {
        let Some(open) = self.open.get(path) else { return self.state(path).ok() };
        let (shown, on_disk) = (self.buffer(path, open).ok()?, self.workspace.read(path).ok()?);
        let is_same = !on_disk.is_utf8() || shown.text.lines().eq(on_disk.text.lines());
        is_same.then(|| State::File(on_disk.fingerprint()))
    }

    /// Whether neither this is on disk of an open file nor what the editor shows. An empty file does not count:
    /// whoever writes one may empty it first.
    pub fn is_changed_below(&self, path: &FilePath, loaded: State) -> bool {
        match self.workspace.state_on_disk(path) {
            Ok(State::File(now)) if now != Fingerprint::of(&[]) => {
                loaded != State::File(now) && self.loaded(path).is_none()
            }
            _ => false,
        }
    }

    fn buffer(&self, path: &FilePath, open: &OpenDocument) -> Result<Content, Denied> {
        self.workspace.guard(path)?;
        let OpenDocument::Text(text) = open else { return Err(Denied::Unsynced) };
        Ok(Content::new(self.has_bom(path), text.to_string()))
    }

    /// Editors strip the mark from the buffer and write it back.
    fn has_bom(&self, path: &FilePath) -> bool {
        let mut start = [0; 3];
        let file = self.workspace.place_to_read(path).and_then(|place| place.open());
        file.is_ok_and(|(mut file, _)| file.read_exact(&mut start).is_ok()) && start == BOM
    }

    /// The open documents below a directory.
    fn below<'a>(&'a self, directory: &'a FilePath) -> impl Iterator<Item = &'a FilePath> {
        self.open.keys().filter(move |path| path.is_within(directory) && *path != directory)
    }

    fn only_open(&self, path: &FilePath) -> bool {
        !matches!(self.workspace.kind(path), Ok(Some(Kind::File)))
    }
}

impl Snapshot for View {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        self.workspace.resolve(path)
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        self.workspace.resolve_absolute(path)
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        let on_disk = self.workspace.details(path);
        // The editor writes the file, and it decides what becomes of hard links.
        let links = 1;
        match self.open.get(path) {
            // Its time is the disk's, its size the buffer's.
            Some(open) => {
                let size = self.content(path, open)?.len() as u64;
                Ok(Details { size, modified: on_disk.ok().and_then(|it| it.modified), links })
            }
            None => on_disk.map(|details| Details { links, ..details }),
        }
    }

    fn name(&self) -> Option<String> {
        self.workspace.name()
    }

    fn is_open(&self, path: &FilePath) -> bool {
        self.open.contains_key(path)
    }

    fn surroundings(&self) -> Arc<Surroundings> {
        self.workspace.surroundings()
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        self.workspace.guard(path)?;
        if self.open.contains_key(path) {
            return Ok(Some(Kind::File));
        }
        match self.workspace.kind(path)? {
            None if self.below(path).next().is_some() => Ok(Some(Kind::Directory)),
            kind => Ok(kind),
        }
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        let Some(open) = self.open.get(path) else { return self.workspace.read(path) };
        if let OpenDocument::Text(text) = open {
            let (size, limit) = (text.len() as u64, self.workspace.limits().file_bytes);
            if size > limit as u64 {
                return Err(Denied::TooLarge { size, limit });
            }
        }
        self.content(path, open)
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        match self.open.get(path) {
            Some(open) => Ok(State::File(self.content(path, open)?.fingerprint())),
            None => match self.workspace.state(path)? {
                State::Missing if self.kind(path)?.is_some() => Ok(State::Directory),
                state => Ok(state),
            },
        }
    }

    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        self.workspace.writable(path)
    }

    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        let mut entries: BTreeSet<Entry> = match self.workspace.list(path) {
            Err(Denied::NotFound) if self.below(path).next().is_some() => BTreeSet::new(),
            listed => listed?.into_iter().collect(),
        };
        let prefix = if path.path.is_empty() { 0 } else { path.path.len() + 1 };
        for open in self.below(path) {
            let rest = open.path.get(prefix..).unwrap_or_default();
            let (name, directory) = match rest.split_once('/') {
                Some((name, _)) => (name.to_owned(), true),
                None => (rest.to_owned(), false),
            };
            entries.insert(Entry { name, directory });
        }
        entries.retain(|entry| self.workspace.guard(&path.join(&entry.name)).is_ok());
        Ok(entries.into_iter().collect())
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        let mut files = match self.workspace.files(path, ignored, limit) {
            Err(Denied::NotFound) if self.kind(path)?.is_some() => Vec::new(),
            files => files?,
        };
        for open in self.open.keys().filter(|open| open.is_within(path) && self.only_open(open)) {
            let hidden = !ignored && walk::is_excluded(&self.workspace, open);
            if !hidden && self.workspace.guard(open).is_ok() {
                files.push(open.clone());
            }
        }
        if files.len() > limit {
            return Err(Denied::TooMany { limit });
        }
        files.sort();
        Ok(files)
    }

    fn unread(&self, path: &FilePath, ignored: bool) -> Vec<(FilePath, Denied)> {
        self.workspace.unread(path, ignored)
    }

    fn parsed(
        &self,
        path: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        self.workspace.parsed(path, language, content)
    }

    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        self.workspace.patience(bytes)
    }
}
