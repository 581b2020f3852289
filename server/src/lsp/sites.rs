//! The workspace as each transcript sees it: the folders, and the open documents in them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foldhash::{HashMap, HashSet};
use operator_core::path::{FilePath, State};
use operator_core::snapshot::{Answers, CursorContext, FileId, Surroundings};
use tower_lsp::ls_types::Uri;

use super::config::Config;
use super::context::Published;
use super::documents::DocumentSnapshot;
use super::proto;
use crate::workspace::{
    LedgerEnd, OpenDocument, OpenDocuments, OpenError, Unsaved, View, Workspace, WorkspaceOptions,
    real_or_same, real_path,
};

/// The workspace as one transcript sees it. A clone is cheap and does not change.
#[derive(Clone)]
pub struct Site {
    workspace: Workspace,
    /// The folders as the client names them, in the order of the workspace's.
    names: Arc<[PathBuf]>,
    texts: OpenDocuments,
    documents: Arc<HashMap<FilePath, (Uri, i32)>>,
    /// The file of each open document.
    files: Arc<HashMap<Uri, FilePath>>,
    /// What the editor has shown of each open file before anybody has looked at it; `None` once that is
    /// not needed any more.
    before: Arc<HashMap<FilePath, Option<Before>>>,
    /// What was on disk of each open file as the editor showed it last; nothing from a save until it is seen.
    loaded: Arc<HashMap<FilePath, State>>,
    /// How far the kept ledger's file was written when the workspace was opened.
    kept_end: LedgerEnd,
}

/// So many texts of a file are known that the editor has shown before anybody has looked: the first and
/// the last ones.
const MOST_BEFORE: usize = 32;
/// So many bytes they have together at most, but for the first and the last one.
const MOST_BEFORE_BYTES: usize = 4 << 20;

/// What an editor has shown of a file before anybody has looked at it.
#[derive(Clone, Default)]
struct Before {
    /// The texts, the last one last.
    texts: Vec<OpenDocument>,
    /// Whether the file was saved.
    is_saved: bool,
}

/// The file that one open document is to each transcript.
pub struct FilesOf<'a> {
    homes: &'a HashMap<Uri, usize>,
    /// The file in each place.
    files: Vec<Option<&'a FilePath>>,
}

/// The folder that a transcript's paths begin in.
#[derive(Debug, PartialEq, Eq)]
enum Key {
    /// One of the client's folders. What is known of it does not depend on the others.
    Folder(PathBuf),
    /// The transcript's own directory, where the client has no folder.
    Directory(PathBuf),
    /// None: an untitled transcript, and no folder.
    Nowhere,
}

/// Every workspace that an open transcript sees, with every open document in it.
#[derive(Default)]
pub struct Sites {
    folders: Vec<PathBuf>,
    /// All of them, in which a transcript's own is found.
    all: Option<Workspace>,
    /// Whether the first of the client's folders cannot be opened. No other takes its place.
    first_is_missing: bool,
    config: Config,
    places: Vec<(Key, Site)>,
    /// The number of each transcript's place, so the disk is asked once.
    homes: HashMap<Uri, usize>,
    open: HashMap<Uri, (PathBuf, Arc<DocumentSnapshot>)>,
    /// The edit-ops requests that were answered last.
    answers: Answers,
    /// What other programs are told that the editor has not saved.
    unsaved: Arc<Unsaved>,
}

impl Site {
    /// A workspace without open documents, and its folders as the client names them.
    pub fn new(workspace: Workspace, roots: &[PathBuf]) -> Site {
        let names = workspace.folders().iter().map(|folder| named(folder, roots)).collect();
        let (texts, documents, files, before, loaded) = Default::default();
        let kept_end = workspace.ledger_end();
        Site { workspace, names, texts, documents, files, before, loaded, kept_end }
    }

    /// The workspace as it is now.
    pub fn view(&self) -> View {
        self.workspace.view(self.texts.clone())
    }

    /// The workspace as the editor has shown one file before anybody has looked at it, the last one last, and
    /// whether the file was saved.
    pub fn views_before(&self, file: &FilePath) -> (Vec<View>, bool) {
        let Some(Some(before)) = self.before.get(file) else { return Default::default() };
        let view = |text: &OpenDocument| {
            self.workspace.view(Arc::new([(file.clone(), text.clone())].into()))
        };
        (before.texts.iter().map(view).collect(), before.is_saved)
    }

    /// The workspace on disk.
    pub fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    /// The absolute path of the folder that the transcript's paths begin in.
    pub fn home(&self) -> Option<&str> {
        self.workspace.home()
    }

    /// The absolute path of the workspace's folder; nothing where there is none.
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

    /// Whether a file that is open has no later text by now.
    pub fn is_latest(&self, file: &FilePath, published: &Published) -> bool {
        self.documents.get(file).is_some_and(|(uri, version)| {
            published.get(uri).is_some_and(|it| it.version == *version)
        })
    }

    /// The file that an open document is.
    pub fn file_of(&self, document: &Uri) -> Option<&FilePath> {
        let file = self.files.get(document)?;
        // Two names may lead to one file; it is the document that came last.
        self.documents.get(file).filter(|(uri, _)| uri == document)?;
        Some(file)
    }

    /// The file that a URI means, where it is in the workspace.
    pub fn file(&self, uri: &Uri) -> Option<FilePath> {
        self.workspace.locate(&proto::path_of(uri)?)
    }

    /// The files that the editor shows.
    pub fn open_files(&self) -> Vec<FilePath> {
        self.texts.keys().cloned().collect()
    }

    /// How far the kept ledger's file was written when the workspace was opened. What was added since may
    /// have changed a file that the editor shows as it was before.
    pub fn kept_end(&self) -> LedgerEnd {
        self.kept_end
    }

    /// Whether another program has changed an open file since the editor has loaded or saved it.
    pub fn is_changed_below(&self, file: &FilePath) -> bool {
        self.loaded.get(file).is_some_and(|loaded| self.view().is_changed_below(file, *loaded))
    }

    /// The open files that are not on disk as the editor has them.
    pub fn unsaved(&self) -> Vec<String> {
        let view = self.view();
        let files = self.texts.keys().filter(|file| view.is_unsaved(file));
        let mut unsaved: Vec<_> = files.map(FilePath::to_string).collect();
        unsaved.sort();
        unsaved
    }

    pub(super) fn put(&mut self, document: &DocumentSnapshot, path: &Path) -> Option<FilePath> {
        let file = match self.file_of(&document.uri) {
            Some(file) => file.clone(),
            None => {
                let file = self.workspace.locate(path)?;
                Arc::make_mut(&mut self.files).insert(document.uri.clone(), file.clone());
                file
            }
        };
        let text = match document.unsynced {
            Some(_) => OpenDocument::Unsynced,
            None => OpenDocument::Text(document.text.clone()),
        };
        self.keep_before(&file, &text, document.text.len());
        Arc::make_mut(&mut self.texts).insert(file.clone(), text);
        let version = (document.uri.clone(), document.version);
        Arc::make_mut(&mut self.documents).insert(file.clone(), version);
        Some(file)
    }

    /// Keeps a text that nobody has looked at yet.
    fn keep_before(&mut self, file: &FilePath, text: &OpenDocument, bytes: usize) {
        if matches!(self.before.get(file), Some(None)) {
            return;
        }
        let before = Arc::make_mut(&mut self.before).entry(file.clone()).or_default();
        let texts = &mut before.get_or_insert_default().texts;
        texts.push(text.clone());
        let is_over =
            |texts: &[_]| texts.len() > MOST_BEFORE || texts.len() * bytes > MOST_BEFORE_BYTES;
        while texts.len() > 2 && is_over(texts) {
            texts.remove(1);
        }
    }

    fn take(&mut self, uri: &Uri) {
        if let Some(file) = self.file_of(uri).cloned() {
            Arc::make_mut(&mut self.before).remove(&file);
            Arc::make_mut(&mut self.loaded).remove(&file);
            Arc::make_mut(&mut self.texts).remove(&file);
            Arc::make_mut(&mut self.documents).remove(&file);
        }
        Arc::make_mut(&mut self.files).remove(uri);
    }
}

impl FilesOf<'_> {
    /// The file that it is to a transcript, where that sees it.
    pub fn to(&self, transcript: &Uri) -> Option<&FilePath> {
        let place = self.homes.get(transcript)?;
        self.files.get(*place).copied().flatten()
    }
}

impl Sites {
    /// The workspace as a transcript sees it.
    pub fn of(&mut self, uri: &Uri) -> Site {
        let place = match self.homes.get(uri) {
            Some(known) => *known,
            None => {
                let path = proto::path_of(uri);
                let found = self.place_of(path.as_deref());
                self.homes.insert(uri.clone(), found);
                found
            }
        };
        let mut site = self.places[place].1.clone();
        let directory =
            proto::path_of(uri).and_then(|path| Some(path.parent()?.to_str()?.to_owned()));
        let (files, answers) = (self.virtual_files(), self.answers.clone());
        let transcript = proto::path_of(uri).and_then(|path| Some(path.to_str()?.to_owned()));
        let surroundings = Surroundings { transcript, directory, files, answers, request: None };
        site.workspace = site.workspace.with_surroundings(Arc::new(surroundings));
        site
    }

    /// The folder of a transcript whose site was asked for.
    pub fn folders_of(&self, transcript: &Uri) -> Option<&[PathBuf]> {
        let place = self.homes.get(transcript)?;
        Some(self.places[*place].1.folders())
    }

    /// The file that an open document is to each transcript whose site was asked for.
    pub fn files_of(&self, document: &Uri) -> FilesOf<'_> {
        let files = self.places.iter().map(|(_, site)| site.file_of(document)).collect();
        FilesOf { homes: &self.homes, files }
    }

    /// The workspaces, with the file that an open document is there.
    pub fn with_file<'a>(
        &'a self,
        document: &'a Uri,
    ) -> impl Iterator<Item = (&'a Site, &'a FilePath)> {
        self.places.iter().filter_map(|(_, site)| Some((site, site.file_of(document)?)))
    }

    /// The files of a workspace that the editor shows now.
    pub fn open_files(&self, folders: &[PathBuf]) -> Vec<FilePath> {
        let sites = self.places.iter().map(|(_, site)| site);
        let sites = sites.filter(|site| site.folders() == folders);
        sites.flat_map(Site::open_files).collect()
    }

    /// Remembers what a proposal with this digest was asked for.
    pub fn remember(&mut self, digest: String, asked: CursorContext) {
        self.answers.remember(digest, asked);
    }

    fn virtual_files(&self) -> BTreeMap<FileId, String> {
        let files = self.config.virtual_files.iter();
        files.filter_map(|(id, path)| Some((FileId::of(id)?, path.clone()))).collect()
    }

    /// The workspace for a path that no transcript names.
    pub fn of_path(&mut self, path: &str) -> Site {
        let path = Path::new(path);
        let place = self.place_of(Some(path).filter(|path| path.is_absolute()));
        self.places[place].1.clone()
    }

    /// The place for an absolute path: the folder that holds it, else the first; where there is
    /// none, its directory.
    fn place_of(&mut self, path: Option<&Path>) -> usize {
        let holds = |all: &Workspace| Some(self.folders.get(all.locate(path?)?.root)?.clone());
        let key = match self.all.as_ref().and_then(holds) {
            Some(folder) => Key::Folder(folder),
            None if self.first_is_missing => Key::Nowhere,
            None => match (self.folders.first(), path.and_then(Path::parent)) {
                (Some(first), _) => Key::Folder(first.clone()),
                (None, Some(directory)) => Key::Directory(directory.to_owned()),
                (None, None) => Key::Nowhere,
            },
        };
        self.place(key)
    }

    fn place(&mut self, key: Key) -> usize {
        self.places.iter().position(|(known, _)| *known == key).unwrap_or_else(|| {
            let site = self.open_place(&key, None);
            self.places.push((key, site));
            self.places.len() - 1
        })
    }

    /// Takes in a document as it is now.
    pub fn put(&mut self, document: &Arc<DocumentSnapshot>) {
        let Some(path) = proto::path_of(&document.uri) else { return };
        for (_, site) in &mut self.places {
            site.put(document, &path);
        }
        self.open.insert(document.uri.clone(), (path, document.clone()));
    }

    /// Takes in that the editor has saved a document. It may be on disk in another encoding than it is shown.
    pub fn saved(&mut self, uri: &Uri) {
        for (_, site) in &mut self.places {
            let Some(file) = site.file_of(uri).cloned() else { continue };
            Arc::make_mut(&mut site.loaded).remove(&file);
            if let Some(Some(before)) = Arc::make_mut(&mut site.before).get_mut(&file) {
                before.is_saved = true;
            }
        }
    }

    /// Takes in what is on disk of a file as the editor shows it.
    pub fn note_loaded(&mut self, folders: &[PathBuf], file: &FilePath, state: State) {
        let sites = self.places.iter_mut().map(|(_, site)| site);
        for site in sites.filter(|site| site.folders() == folders) {
            if site.documents.contains_key(file) && site.loaded.get(file) != Some(&state) {
                Arc::make_mut(&mut site.loaded).insert(file.clone(), state);
            }
        }
    }

    /// Lets go of what the editor has shown of a file before anybody has looked at it.
    pub fn forget_before(&mut self, folders: &[PathBuf], file: &FilePath) {
        let sites = self.places.iter_mut().map(|(_, site)| site);
        for site in sites.filter(|site| site.folders() == folders) {
            Arc::make_mut(&mut site.before).get_mut(file).into_iter().for_each(|it| *it = None);
        }
    }

    /// Lets go of a document that is closed.
    pub fn take(&mut self, uri: &Uri) {
        self.open.remove(uri);
        self.homes.remove(uri);
        self.places.iter_mut().for_each(|(_, site)| site.take(uri));
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
        let mut known = HashSet::default();
        self.folders.retain(|folder| known.insert(real_or_same(folder)));
        let all = (!self.folders.is_empty())
            .then(|| Workspace::open(&self.folders, WorkspaceOptions::default()));
        self.all = all.and_then(Result::ok);
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
        let known = std::mem::take(&mut self.places);
        self.homes.clear();
        // Before the client shows a document: what it shows is compared with the ledger of now.
        for folder in self.folders.clone() {
            let key = Key::Folder(folder);
            let known = known.iter().find(|(it, _)| *it == key).map(|(_, site)| site);
            let site = self.open_place(&key, known);
            self.places.push((key, site));
        }
        problems
    }

    /// Opens a place; what the editor has shown there before is known where it was open, as `known`.
    fn open_place(&self, key: &Key, known: Option<&Site>) -> Site {
        let (roots, beside) = match key {
            Key::Folder(folder) => {
                let others = self.folders.iter().filter(|other| *other != folder);
                (vec![folder.clone()], others.cloned().collect())
            }
            Key::Directory(directory) => (vec![directory.clone()], Vec::new()),
            Key::Nowhere => Default::default(),
        };
        let names: Vec<PathBuf> = roots.iter().chain(&beside).cloned().collect();
        let unsaved = self.unsaved.clone();
        let options = WorkspaceOptions { beside, unsaved, ..options(&self.config) };
        let workspace = Workspace::open(&roots, options).or_else(|error| {
            tracing::warn!(%error, "a workspace cannot be opened");
            Workspace::open(&[], WorkspaceOptions::default())
        });
        let workspace = workspace.expect("no folder and the built-in patterns always open");
        let mut site = Site::new(workspace, &names);
        if let Some(known) = known {
            site.before = known.before.clone();
            site.loaded = known.loaded.clone();
            site.kept_end = known.kept_end;
        }
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
        history: Some(config.history),
        protected: config.protected_paths.clone(),
        allowed_roots: config.allowed_roots.iter().map(PathBuf::from).collect(),
        ..WorkspaceOptions::default()
    }
}

#[cfg(test)]
mod tests {
    use operator_core::snapshot::Snapshot;
    use operator_core::text::Text;

    use super::*;

    #[test]
    fn what_the_editor_has_shown_is_known_where_the_settings_come_after_it() {
        let directory = tempfile::tempdir().unwrap();
        let folder = real_path(directory.path()).unwrap();
        let path = folder.join("a.txt");
        let uri = proto::uri_of(&path).unwrap();
        let mut sites = Sites::default();
        sites.reset(vec![folder.clone()], &Config::default());
        for (version, text) in [(1, "one\n"), (2, "one\ntyped\n")] {
            let (uri, text) = (uri.clone(), Text::new(text));
            sites.put(&Arc::new(DocumentSnapshot { uri, version, text, unsynced: None }));
        }
        sites.reset(vec![folder], &Config::default());
        let site = sites.of(&uri);
        let file = site.file_of(&uri).unwrap();
        let (before, _) = site.views_before(file);
        let texts = before.iter().map(|it| it.read(file).unwrap().text.to_string());
        assert_eq!(texts.collect::<Vec<_>>(), ["one\n", "one\ntyped\n", "one\ntyped\n"]);
    }
}
