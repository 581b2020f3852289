//! The disk as a snapshot.

use std::ffi::OsStr;
use std::io::Read;
use std::ops::ControlFlow;
use std::sync::Arc;

use cap_fs_ext::MetadataExt;
use cap_std::fs::{File, Metadata};
use operator_core::fingerprint::Fingerprint;
use operator_core::outline::Parsed;
use operator_core::path::{FilePath, Kind, State};
use operator_core::snapshot::Surroundings;
use operator_core::snapshot::{Denied, Details, Entry, Snapshot};
use operator_core::syntax::{Language, Unparsed};
use operator_core::text::Content;

use super::place::Place;
use super::resolve::{self, denied};
use super::{Workspace, trees, walk};

/// How a file is opened.
type Open = fn(&Place) -> Result<(File, Metadata), Denied>;

impl Workspace {
    /// What is at a path in this moment, also where another program has not saved the file.
    pub(super) fn state_on_disk(&self, path: &FilePath) -> Result<State, Denied> {
        self.state_by(Place::open, path)
    }

    fn state_by(&self, open: Open, path: &FilePath) -> Result<State, Denied> {
        match self.kind(path)? {
            None => Ok(State::Missing),
            Some(Kind::Directory) => Ok(State::Directory),
            Some(Kind::File) => {
                let (file, data) = open(&self.place_to_read(path)?)?;
                let limit = self.limits().file_bytes as u64;
                let modified = data.modified().ok().map(cap_std::time::SystemTime::into_std);
                let large = |size| State::Large { size, modified };
                if data.len() > limit {
                    return Ok(large(data.len()));
                }
                // It may grow meanwhile.
                let mut bytes = file.take(limit + 1);
                let fingerprint = Fingerprint::of_reader(&mut bytes).map_err(denied)?;
                Ok(if bytes.limit() == 0 { large(limit + 1) } else { State::File(fingerprint) })
            }
        }
    }
}

impl Snapshot for Workspace {
    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        resolve::resolve(self, path)
    }

    fn resolve_absolute(&self, path: &str) -> Result<FilePath, Denied> {
        resolve::resolve_absolute(self, path)
    }

    fn name(&self) -> Option<String> {
        let home = self.roots().first()?;
        Some(home.file_name()?.to_str()?.to_owned())
    }

    fn surroundings(&self) -> Arc<Surroundings> {
        self.surroundings.clone()
    }

    fn details(&self, path: &FilePath) -> Result<Details, Denied> {
        let data = self.place_to_read(path)?.metadata().map_err(denied)?.ok_or(Denied::NotFound)?;
        let size = if data.is_file() { data.len() } else { 0 };
        let modified = data.modified().ok().map(cap_std::time::SystemTime::into_std);
        let links = if data.is_file() { data.nlink() } else { 1 };
        Ok(Details { size, modified, links })
    }

    fn kind(&self, path: &FilePath) -> Result<Option<Kind>, Denied> {
        let place = match self.place_to_read(path) {
            Err(Denied::NotFound) => return Ok(None),
            place => place?,
        };
        match place.metadata().map_err(denied)? {
            None => Ok(None),
            Some(_) if self.is_in_another_case(path, &place) => Ok(None),
            Some(data) if data.is_file() => Ok(Some(Kind::File)),
            Some(data) if data.is_dir() => Ok(Some(Kind::Directory)),
            Some(_) => Err(Denied::NotAFile),
        }
    }

    fn read(&self, path: &FilePath) -> Result<Content, Denied> {
        self.read_any(path)?.in_utf8().map_err(Denied::NotUtf8)
    }

    fn read_any(&self, path: &FilePath) -> Result<Content, Denied> {
        self.check_saved(path)?;
        let bytes = self.place_to_read(path)?.read(self.limits().file_bytes)?;
        Content::of_any_bytes(bytes).map_err(Denied::NotUtf8)
    }

    fn state(&self, path: &FilePath) -> Result<State, Denied> {
        self.check_saved(path)?;
        self.state_by(Place::open_written, path)
    }

    fn writable(&self, path: &FilePath) -> Result<(), Denied> {
        self.check_saved(path)?;
        let place = match self.place_to_read(path) {
            Err(Denied::NotFound) => return Ok(()),
            place => place?,
        };
        match place.metadata().map_err(denied)? {
            Some(data) if data.permissions().readonly() => Err(Denied::ReadOnly),
            _ => Ok(()),
        }
    }

    fn list(&self, path: &FilePath) -> Result<Vec<Entry>, Denied> {
        let mut entries = Vec::new();
        for entry in self.entries(path)? {
            let name = entry.file_name().to_string_lossy().into_owned();
            if self.guard(&path.join(&name)).is_err() {
                continue;
            }
            let file_type = entry.file_type().map_err(denied)?;
            let directory = match file_type.is_symlink() {
                true => self.leads_to_directory(path, &name),
                false => file_type.is_dir(),
            };
            entries.push(Entry { name, directory });
        }
        entries.sort();
        Ok(entries)
    }

    fn files(&self, path: &FilePath, ignored: bool, limit: usize) -> Result<Vec<FilePath>, Denied> {
        walk::files(self, path, ignored, limit)
    }

    fn unread(&self, path: &FilePath, ignored: bool) -> Vec<(FilePath, Denied)> {
        walk::unread(self, path, ignored)
    }

    fn parsed(
        &self,
        path: &FilePath,
        language: &'static Language,
        content: Content,
    ) -> Result<Arc<Parsed>, Unparsed> {
        self.inner.trees.parsed(path, language, content)
    }

    fn patience(&self, bytes: usize) -> Box<dyn FnMut() -> ControlFlow<()>> {
        Box::new(trees::patience(bytes))
    }
}

impl Workspace {
    /// Whether what is there has the name in another case by now: what was resolved before it was
    /// renamed is not there any more.
    fn is_in_another_case(&self, path: &FilePath, place: &Place) -> bool {
        if !self.root(path.root).is_ok_and(|root| root.folds_case) || place.name == "." {
            return false;
        }
        let Ok(entries) = place.dir.entries() else { return false };
        let names: Vec<_> = entries.flatten().map(|entry| entry.file_name()).collect();
        let name = OsStr::new(&place.name);
        names.iter().all(|it| it != name) && names.iter().any(|it| resolve::is_alike(it, name))
    }

    fn leads_to_directory(&self, parent: &FilePath, name: &str) -> bool {
        let target = self.resolve_absolute(&self.absolute(&parent.join(name)).to_string_lossy());
        target.and_then(|target| self.kind(&target)).is_ok_and(|kind| kind == Some(Kind::Directory))
    }
}
