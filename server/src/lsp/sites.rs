//! The workspace as each transcript sees it: the folders, and the open documents in them.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use operator_core::path::FilePath;
use operator_core::snapshot::Snapshot;
use operator_core::snapshot::{Answers, CursorContext, FileId, Surroundings};
use tower_lsp::ls_types::Uri;

use super::config::Config;
use super::documents::DocumentSnapshot;
use super::proto;
use crate::workspace::{
    OpenDocument, OpenDocuments, OpenError, View, Workspace, WorkspaceOptions, real_path,
};

/// The workspace as one transcript sees it. A clone is cheap and does not change.
#[derive(Clone)]
pub struct Site {
    workspace: Workspace,
    /// The folders as the client names them, in the order of the workspace's.
    names: Arc<[PathBuf]>,
    texts: OpenDocuments,
    documents: Arc<HashMap<FilePath, (Uri, i32)>>,
}

/// Which folders a transcript sees.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Key {
    /// The client's folders.
    Folders,
    /// The transcript's own directory, where the client has no folder.
    Directory(PathBuf),
    /// None: an untitled transcript, and no folder.
    Nowhere,
}

/// Every workspace that an open transcript sees, with every open document in it.
#[derive(Default)]
pub struct Sites {
    folders: Vec<PathBuf>,
    /// Whether the first of the client's folders cannot be opened. No other takes its place.
    first_is_missing: bool,
    config: Config,
    places: HashMap<Key, Site>,
    /// Where each transcript looks, so the disk is asked once.
    homes: HashMap<Uri, (Key, usize)>,
    open: HashMap<Uri, (PathBuf, Arc<DocumentSnapshot>)>,
    /// The edit-ops requests that were answered last.
    answers: Answers,
}

impl Site {
    /// The workspace as it is now.
    pub fn view(&self) -> View {
        self.workspace.view(self.texts.clone())
    }

    /// The workspace on disk.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The absolute path of the folder that the transcript's paths begin in.
    pub fn home(&self) -> Option<&str> {
        self.workspace.home()
    }

    /// The absolute paths of the workspace's folders.
    pub fn folders(&self) -> &[PathBuf] {
        self.workspace.roots()
    }

    /// The absolute path of a file or directory on disk.
    pub fn on_disk(&self, file: &FilePath) -> PathBuf {
        self.workspace.absolute(file)
    }

    /// The URI of a file: that of the document where the file is open, else one below the folder as
    /// the client names it, which may be a symbolic link.
    pub fn uri(&self, file: &FilePath) -> Option<Uri> {
        let open = self.documents.get(file).map(|(uri, _)| uri.clone());
        open.or_else(|| {
            let names = file.path.split('/').filter(|name| !name.is_empty());
            proto::uri_of(&match self.names.get(file.root) {
                Some(folder) => names.fold(folder.clone(), |path, name| path.join(name)),
                None => self.workspace.absolute(file),
            })
        })
    }

    /// The version of a file that is open.
    pub fn version(&self, file: &FilePath) -> Option<i32> {
        self.documents.get(file).map(|(_, version)| *version)
    }

    /// The file that a URI means, where it is in the workspace.
    pub fn file(&self, uri: &Uri) -> Option<FilePath> {
        self.workspace.locate(&proto::path_of(uri)?)
    }

    /// The open files that are not on disk as the editor has them.
    pub fn unsaved(&self) -> Vec<String> {
        let view = self.view();
        let is_unsaved = |file: &&FilePath| view.state(file) != self.workspace.state(file);
        let mut unsaved: Vec<_> =
            self.texts.keys().filter(is_unsaved).map(FilePath::to_string).collect();
        unsaved.sort();
        unsaved
    }

    fn put(&mut self, document: &DocumentSnapshot, path: &Path) -> Option<FilePath> {
        let known = self.documents.iter().find(|(_, (uri, _))| *uri == document.uri);
        let file = match known {
            Some((file, _)) => file.clone(),
            None => self.workspace.locate(path)?,
        };
        let text = match document.unsynced {
            Some(_) => OpenDocument::Unsynced,
            None => OpenDocument::Text(document.text.clone()),
        };
        Arc::make_mut(&mut self.texts).insert(file.clone(), text);
        let version = (document.uri.clone(), document.version);
        Arc::make_mut(&mut self.documents).insert(file.clone(), version);
        Some(file)
    }

    fn take(&mut self, uri: &Uri) {
        let gone = self.documents.iter().find(|(_, (known, _))| known == uri);
        let Some(file) = gone.map(|(file, _)| file.clone()) else { return };
        Arc::make_mut(&mut self.texts).remove(&file);
        Arc::make_mut(&mut self.documents).remove(&file);
    }
}

impl Sites {
    /// The workspace as a transcript sees it.
    pub fn of(&mut self, uri: &Uri) -> Site {
        let (key, home) = match self.homes.get(uri) {
            Some(known) => known.clone(),
            None => {
                let found = self.find_home(uri);
                self.homes.insert(uri.clone(), found.clone());
                found
            }
        };
        let mut site = self.place(&key);
        let directory =
            proto::path_of(uri).and_then(|path| Some(path.parent()?.to_str()?.to_owned()));
        let (files, answers) = (self.virtual_files(), self.answers.clone());
        let transcript = proto::path_of(uri).and_then(|path| Some(path.to_str()?.to_owned()));
        let surroundings = Surroundings { transcript, directory, files, answers, request: None };
        let surroundings = Arc::new(surroundings);
        site.workspace = site.workspace.with_home(home).with_surroundings(surroundings);
        site
    }

    /// Remembers what a proposal with this digest was asked for.
    pub fn remember(&mut self, digest: String, asked: CursorContext) {
        self.answers.remember(digest, asked);
    }

    fn virtual_files(&self) -> BTreeMap<FileId, String> {
        let files = self.config.virtual_files.iter();
        files.filter_map(|(id, path)| Some((FileId::of(id)?, path.clone()))).collect()
    }

    /// The workspace for a path that no transcript names: the folders, or where there is none the
    /// directory of an absolute path.
    pub fn of_path(&mut self, path: &str) -> Site {
        let path = Path::new(path);
        let directory = path.parent().filter(|_| path.is_absolute());
        let key = match directory {
            _ if !self.folders.is_empty() => Key::Folders,
            _ if self.first_is_missing => Key::Nowhere,
            Some(directory) => Key::Directory(directory.to_owned()),
            None => Key::Nowhere,
        };
        self.place(&key)
    }

    /// The folder that holds a transcript, else the first.
    fn find_home(&mut self, uri: &Uri) -> (Key, usize) {
        let path = proto::path_of(uri);
        let key = match path.as_deref().and_then(Path::parent) {
            _ if !self.folders.is_empty() => Key::Folders,
            _ if self.first_is_missing => Key::Nowhere,
            Some(directory) => Key::Directory(directory.to_owned()),
            None => Key::Nowhere,
        };
        let site = self.place(&key);
        match path.and_then(|path| site.workspace.locate(&path)) {
            Some(file) => (key, file.root),
            None if self.first_is_missing => (Key::Nowhere, 0),
            None => (key, 0),
        }
    }

    fn place(&mut self, key: &Key) -> Site {
        if let Some(site) = self.places.get(key) {
            return site.clone();
        }
        let site = self.open_place(key);
        self.places.insert(key.clone(), site.clone());
        site
    }

    /// The file that an open document is to a transcript.
    pub fn file_of(&mut self, transcript: &Uri, document: &Uri) -> Option<FilePath> {
        let site = self.of(transcript);
        let mut documents = site.documents.iter();
        documents.find(|(_, (uri, _))| uri == document).map(|(file, _)| file.clone())
    }

    /// Takes in a document as it is now.
    pub fn put(&mut self, document: &Arc<DocumentSnapshot>) {
        let Some(path) = proto::path_of(&document.uri) else { return };
        for site in self.places.values_mut() {
            site.put(document, &path);
        }
        self.open.insert(document.uri.clone(), (path, document.clone()));
    }

    /// Lets go of a document that is closed.
    pub fn take(&mut self, uri: &Uri) {
        self.open.remove(uri);
        self.homes.remove(uri);
        self.places.values_mut().for_each(|site| site.take(uri));
    }

    /// Opens everything anew with these folders and settings; gives what is wrong with them.
    pub fn reset(&mut self, folders: Vec<PathBuf>, config: &Config) -> Vec<String> {
        let mut problems = Vec::new();
        self.config = config.clone();
        let first = folders.first().cloned();
        self.folders = folders;
        self.folders.retain(|folder| {
            let opened = Workspace::open(std::slice::from_ref(folder), WorkspaceOptions::default());
            if let Err(error) = &opened {
                problems.push(error.to_string());
            }
            opened.is_ok()
        });
        self.first_is_missing = self.folders.first() != first.as_ref();
        let (mut options, defaults) = (options(config), WorkspaceOptions::default());
        if let Err(error @ OpenError::Pattern { .. }) = Workspace::open(&[], options.clone()) {
            problems.push(format!("settings/invalid-value: {error}"));
            self.config.protected_paths.clone_from(&defaults.protected);
            options.protected = defaults.protected;
        }
        self.config.allowed_roots.retain(|root| {
            options.allowed_roots = vec![PathBuf::from(root)];
            let opened = Workspace::open(&[], options.clone());
            if let Err(error) = &opened {
                problems.push(format!("settings/invalid-value: operator.allowedRoots: {error}"));
            }
            opened.is_ok()
        });
        self.places.clear();
        self.homes.clear();
        problems
    }

    fn open_place(&self, key: &Key) -> Site {
        let roots = match key {
            Key::Folders => self.folders.clone(),
            Key::Directory(directory) => vec![directory.clone()],
            Key::Nowhere => Vec::new(),
        };
        let workspace = Workspace::open(&roots, options(&self.config)).or_else(|error| {
            tracing::warn!(%error, "a workspace cannot be opened");
            Workspace::open(&[], WorkspaceOptions::default())
        });
        let workspace = workspace.expect("no folder and the built-in patterns always open");
        let names = workspace.roots().iter().map(|folder| named(folder, &roots)).collect();
        let mut site = Site { workspace, names, texts: Arc::default(), documents: Arc::default() };
        for (path, document) in self.open.values() {
            site.put(document, path);
        }
        site
    }
}

/// How the client names a folder whose path without links is `folder`.
fn named(folder: &Path, names: &[PathBuf]) -> PathBuf {
    let is_named = |name: &&PathBuf| real_path(name).is_ok_and(|path| path == *folder);
    names.iter().find(is_named).map_or(folder, PathBuf::as_path).to_owned()
}

fn options(config: &Config) -> WorkspaceOptions {
    WorkspaceOptions {
        limits: config.limits.clone(),
        protected: config.protected_paths.clone(),
        allowed_roots: config.allowed_roots.iter().map(PathBuf::from).collect(),
    }
}
