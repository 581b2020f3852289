//! Where a path leads once `..`, symlinks and the case of names are followed.
//!
//! This only finds the name of a place. What keeps operations inside is that they walk from the
//! root's handle to that name without following anything (`place`), so a link that is swapped in
//! after this makes them fail rather than escape.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::MetadataExt;
use cap_std::ambient_authority;
use cap_std::fs::Dir;
use operator_core::path::FilePath;
use operator_core::snapshot::Denied;

use super::windows::Naming;
use super::{Workspace, names};

/// As in Linux; more than this is taken for a loop.
const MAX_LINKS: usize = 40;

/// Where `path`, as a block writes it, leads from the workspace's home folder.
pub(super) fn resolve(workspace: &Workspace, path: &str) -> Result<FilePath, Denied> {
    let home = workspace.roots().first().ok_or(Denied::NoWorkspace)?;
    if path.len() > LONGEST {
        return Err(Denied::Io(format!("a path has at most {LONGEST} bytes")));
    }
    let path = path.replace('\\', "/");
    if has_drive(&path) {
        return Err(Denied::Outside);
    }
    Walk::new(workspace, home.clone(), true).run(Path::new(path.trim_start_matches('/')))
}

/// What systems take as a path at most (`PATH_MAX`).
const LONGEST: usize = 4096;

/// Where an absolute `path`, as a block writes it, leads.
pub(super) fn resolve_absolute(workspace: &Workspace, path: &str) -> Result<FilePath, Denied> {
    if !Path::new(path).is_absolute() {
        return Err(Denied::Outside);
    }
    Walk::new(workspace, PathBuf::new(), true).run(Path::new(path))
}

/// The path of a place by its absolute path, protected or not.
pub(super) fn locate(workspace: &Workspace, absolute: &Path) -> Option<FilePath> {
    if !absolute.is_absolute() {
        return None;
    }
    Walk::new(workspace, PathBuf::new(), false).run(absolute).ok()
}

/// Whether the file system takes `readme` for `README`, as far as the folder's names can tell.
pub(super) fn folds_case(dir: &Dir) -> bool {
    let Ok(entries) = dir.entries() else { return false };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let Some(name) = names.into_iter().find(|name| swap_case(name) != *name) else {
        return FOLDS_CASE;
    };
    let identity = |name: &str| dir.symlink_metadata(name).map(|data| (data.dev(), data.ino()));
    matches!((identity(&name), identity(&swap_case(&name))), (Ok(one), Ok(other)) if one == other)
}

fn swap_case(name: &str) -> String {
    let swap = |c: char| {
        if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() }
    };
    name.chars().map(swap).collect()
}

fn has_drive(path: &str) -> bool {
    let mut bytes = path.bytes();
    let letter = bytes.next().is_some_and(|byte| byte.is_ascii_alphabetic());
    letter && bytes.next() == Some(b':') && matches!(bytes.next(), None | Some(b'/'))
}

/// A walk from a canonical place along names that may be links.
struct Walk<'a> {
    workspace: &'a Workspace,
    at: PathBuf,
    /// The names still to come, the next one last.
    ahead: Vec<Step>,
    links: usize,
    /// False once a name was not there: what follows is not looked up.
    exists: bool,
    guarded: bool,
}

enum Step {
    Anchor(PathBuf),
    Up,
    Name(OsString),
}

impl<'a> Walk<'a> {
    fn new(workspace: &'a Workspace, at: PathBuf, guarded: bool) -> Walk<'a> {
        Walk { workspace, at, ahead: Vec::new(), links: 0, exists: true, guarded }
    }

    fn run(mut self, path: &Path) -> Result<FilePath, Denied> {
        if path.as_os_str().as_encoded_bytes().contains(&0) {
            return Err(Denied::Io("a path cannot hold a NUL character".into()));
        }
        self.push(path);
        while let Some(step) = self.ahead.pop() {
            match step {
                Step::Anchor(anchor) => self.jump(anchor),
                Step::Up => self.up(),
                Step::Name(name) => self.enter(&name)?,
            }
        }
        let path = place_of(self.workspace, &self.at)?.ok_or(Denied::Outside)?;
        if self.guarded {
            self.workspace.guard(&path)?;
        }
        Ok(path)
    }

    fn push(&mut self, path: &Path) {
        let start = self.ahead.len();
        let mut anchor = PathBuf::new();
        for component in path.components() {
            match component {
                Component::Prefix(_) | Component::RootDir => anchor.push(component),
                Component::CurDir => {}
                Component::ParentDir => self.ahead.push(Step::Up),
                Component::Normal(name) => self.ahead.push(Step::Name(name.to_owned())),
            }
        }
        if !anchor.as_os_str().is_empty() {
            self.ahead.insert(start, Step::Anchor(anchor));
        }
        self.ahead[start..].reverse();
    }

    fn jump(&mut self, anchor: PathBuf) {
        self.at = anchor;
        self.exists = true;
    }

    fn up(&mut self) {
        self.at.pop();
        // What is above a missing name may exist again; to look costs nothing.
        self.exists = true;
    }

    fn enter(&mut self, name: &OsString) -> Result<(), Denied> {
        if let Some(why) = name.to_str().and_then(|name| Naming::HERE.refusal(name)) {
            return Err(Denied::Io(why));
        }
        let root = self.root();
        let name = match root {
            _ if !self.exists => name.clone(),
            Some(root) if root_folds(self.workspace, root) => self.real_name(name)?,
            Some(_) => name.clone(),
            None => self.real_name_outside(name),
        };
        self.at.push(&name);
        // Below what is not there nothing is; the whole path is guarded at the end.
        if !self.exists {
            return Ok(());
        }
        self.guard_here()?;
        match fs::symlink_metadata(&self.at) {
            Ok(data) if data.is_symlink() => self.follow(),
            Ok(data) if data.is_dir() || !self.has_names_ahead() => Ok(()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.exists = false;
                Ok(())
            }
            // What is there outside is nobody's business.
            _ if root.is_none() => Err(Denied::Outside),
            Ok(_) => Err(Denied::NotADirectory),
            Err(error) => Err(denied(error)),
        }
    }

    fn follow(&mut self) -> Result<(), Denied> {
        self.links += 1;
        if self.links > MAX_LINKS {
            return Err(Denied::Io("its symbolic links go round in a circle".into()));
        }
        let target = fs::read_link(&self.at).map_err(denied)?;
        self.at.pop();
        self.push(&target);
        Ok(())
    }

    fn has_names_ahead(&self) -> bool {
        matches!(self.ahead.last(), Some(Step::Name(_)))
    }

    fn root(&self) -> Option<usize> {
        place_of(self.workspace, &self.at).ok().flatten().map(|place| place.root)
    }

    /// Names on the way count, too: a protected name may be a link to one that is not.
    fn guard_here(&self) -> Result<(), Denied> {
        if !self.guarded {
            return Ok(());
        }
        place_of(self.workspace, &self.at)?.map_or(Ok(()), |path| self.workspace.guard(&path))
    }

    /// The name that the system has for what it finds by this one: in another case, in another
    /// form of Unicode, or instead of a short name that it has made up itself.
    fn real_name(&self, name: &OsString) -> Result<OsString, Denied> {
        let Ok(entries) = names::of(&self.at) else { return Ok(name.clone()) };
        if entries.contains(name) {
            return Ok(name.clone());
        }
        if let Some(alike) = entries.iter().rfind(|entry| is_alike(entry, name)) {
            return Ok(alike.clone());
        }
        let Some(identity) = self.identity(name) else { return Ok(name.clone()) };
        let real = entries.into_iter().find(|entry| self.identity(entry) == Some(identity));
        real.ok_or_else(|| Denied::Io("the system lists it under another name".into()))
    }

    /// The same on the way to a root, where nothing is listed.
    fn real_name_outside(&self, name: &OsString) -> OsString {
        let paths = self.workspace.inner.paths.iter();
        let mut ahead = paths.filter_map(|root| root.strip_prefix(&self.at).ok()?.iter().next());
        let is_short = name.to_str().is_some_and(|name| Naming::HERE.may_be_short(name));
        let may_be =
            |next: &OsStr| FOLDS_CASE && next != name && (is_short || is_alike(next, name));
        let is_it = |next: &&OsStr| {
            may_be(next) && self.identity(next).is_some_and(|it| self.identity(name) == Some(it))
        };
        ahead.find(is_it).map_or_else(|| name.clone(), OsStr::to_owned)
    }

    fn identity(&self, name: &OsStr) -> Option<(u64, u64)> {
        let dir = Dir::open_ambient_dir(&self.at, ambient_authority()).ok()?;
        dir.symlink_metadata(name).map(|data| (data.dev(), data.ino())).ok()
    }
}

/// Whether systems of this kind mostly fold the case of names.
const FOLDS_CASE: bool = cfg!(any(windows, target_os = "macos"));

/// Whether two names are the same where case is folded.
pub(super) fn is_alike(one: &OsStr, other: &OsStr) -> bool {
    one.to_string_lossy().to_lowercase() == other.to_string_lossy().to_lowercase()
}

fn root_folds(workspace: &Workspace, root: usize) -> bool {
    workspace.inner.roots.get(root).is_some_and(|root| root.folds_case)
}

/// The path in the root that a canonical absolute path is in. Where roots lie in one another it
/// is the outermost folder that an editor shows, then the outermost allowed root: one file, one path.
pub(super) fn place_of(workspace: &Workspace, at: &Path) -> Result<Option<FilePath>, Denied> {
    let folders = workspace.inner.folders;
    let paths = workspace.inner.paths.iter().enumerate();
    let within = paths.filter_map(|(root, path)| Some((root, at.strip_prefix(path).ok()?)));
    let Some((root, rest)) =
        within.max_by_key(|(root, rest)| (*root < folders, rest.as_os_str().len()))
    else {
        return Ok(None);
    };
    let names: Option<Vec<&str>> = rest.iter().map(|name| name.to_str()).collect();
    let names = names.ok_or_else(|| Denied::Io("its name is not UTF-8".into()))?;
    Ok(Some(FilePath::new(root, names.join("/"))))
}

/// What the system's refusal means to a plan.
pub(super) fn denied(error: io::Error) -> Denied {
    match error.kind() {
        io::ErrorKind::NotFound => Denied::NotFound,
        io::ErrorKind::PermissionDenied => Denied::Permission,
        io::ErrorKind::NotADirectory => Denied::NotADirectory,
        io::ErrorKind::IsADirectory => Denied::NotAFile,
        _ => Denied::Io(error.to_string()),
    }
}
