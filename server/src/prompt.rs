//! The files of a prompt, found and read once for the command line and the language server.

use std::collections::HashSet;
use std::path::Path;

use operator_core::dialect::{self, Rules};
use operator_core::path::{FilePath, Kind};
use operator_core::prompt::{self, Draft, File, LeftOut, Prompt, Reason};
use operator_core::snapshot::{Denied, PathStyle, Snapshot};
use operator_core::text::glob::Glob;

use serde_json::{Value, json};

use crate::workspace::{AnyPath, Workspace, with_slashes};

/// What is asked for.
pub struct Asked {
    /// Files, directories and globs, from the workspace on or absolute.
    pub paths: Vec<String>,
    /// The dialect that the model is to write.
    pub rules: &'static Rules,
    /// Whether the tree of the workspace is wanted.
    pub tree: bool,
    /// Whether outlines take the place of texts.
    pub outline: bool,
    /// What the model is asked for.
    pub ask: Option<String>,
    /// The most tokens.
    pub budget: Option<usize>,
}

/// A prompt as it was made.
pub struct Made {
    /// The prompt.
    pub prompt: Prompt,
    /// Whether a file or directory was left out that was asked for by its own name.
    pub is_partial: bool,
}

impl Made {
    /// The prompt for programs, as `spec/lsp-extensions.md` has it.
    pub fn to_json(&self) -> Value {
        let Prompt { text, tokens, files, left_out } = &self.prompt;
        let files = files
            .iter()
            .map(|it| json!({ "path": it.path, "tokens": it.tokens, "outline": it.outline }));
        let left_out =
            left_out.iter().map(|it| json!({ "path": it.path, "reason": it.reason.to_string() }));
        let (files, left_out): (Vec<_>, Vec<_>) = (files.collect(), left_out.collect());
        json!({ "text": text, "tokens": tokens, "files": files, "leftOut": left_out })
    }
}

/// The dialect of this name that models write.
pub fn dialect(name: &str) -> Option<&'static Rules> {
    dialect::written().find(|rules| rules.name == name)
}

/// Makes the prompt of what a workspace holds, as `snapshot` shows it.
///
/// # Errors
/// What cannot be made a prompt of, one message for each path.
pub fn make<S: Snapshot>(
    asked: &Asked,
    snapshot: &S,
    workspace: &Workspace,
) -> Result<Made, Vec<String>> {
    let mut found = Found::new(snapshot, workspace, asked.rules);
    let missing: Vec<String> =
        asked.paths.iter().filter_map(|path| found.add(path).err()).collect();
    if !missing.is_empty() {
        return Err(missing);
    }
    let tree = asked.tree.then(|| found.tree()).transpose().map_err(|why| vec![why])?;
    let draft = Draft {
        rules: asked.rules,
        home: workspace.home().map(str::to_owned),
        tree,
        files: found.files,
        outline: asked.outline,
        budget: asked.budget,
        ask: asked.ask.clone(),
    };
    let mut prompt = draft.compose(&found.view);
    let is_over = prompt.left_out.iter().any(|it| found.named.contains(&it.path));
    prompt.left_out.splice(0..0, found.left_out);
    Ok(Made { prompt, is_partial: found.is_partial || is_over })
}

/// The files so far.
struct Found<'a, S> {
    view: AnyPath<'a, S>,
    workspace: &'a Workspace,
    rules: &'static Rules,
    files: Vec<File>,
    left_out: Vec<LeftOut>,
    is_partial: bool,
    /// The files that are asked for by their own name, as the dialect writes it.
    named: HashSet<String>,
    seen: HashSet<FilePath>,
}

/// Whether a path may be a pattern.
fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

impl<'a, S: Snapshot> Found<'a, S> {
    fn new(snapshot: &'a S, workspace: &'a Workspace, rules: &'static Rules) -> Found<'a, S> {
        Found {
            view: AnyPath { snapshot, workspace, once: true },
            workspace,
            rules,
            files: Vec::new(),
            left_out: Vec::new(),
            is_partial: false,
            named: HashSet::new(),
            seen: HashSet::new(),
        }
    }

    /// Adds what a path or a glob means.
    fn add(&mut self, path: &str) -> Result<(), String> {
        let there = self.view.resolve(path).and_then(|at| Ok((self.view.kind(&at)?, at)));
        let (kind, at) = match there {
            Ok((Some(kind), at)) => (kind, at),
            Ok((None, _)) => return self.add_glob(path),
            // Windows has no names with `*` or `?`.
            Err(Denied::Io(_)) if is_glob(path) => return self.add_glob(path),
            Err(denied) => {
                self.leave_out(path.to_owned(), Reason::Denied(denied), true);
                return Ok(());
            }
        };
        if let Some(reason) = self.excluded(&at, kind) {
            self.leave_out(self.name(&at), reason, true);
            return Ok(());
        }
        match kind {
            Kind::File => self.file(at, true),
            Kind::Directory => {
                let files = self.below(&at)?;
                files.into_iter().for_each(|file| self.file(file, false));
            }
        }
        Ok(())
    }

    fn add_glob(&mut self, pattern: &str) -> Result<(), String> {
        if !is_glob(pattern) {
            return Err(format!("`{pattern}` does not exist"));
        }
        let home = self.workspace.home().map(|home| format!("{home}/"));
        let pattern = with_slashes(pattern);
        let below = home.and_then(|home| pattern.strip_prefix(&home)).unwrap_or(&pattern);
        let glob = Glob::parse(below.trim_start_matches("./"))
            .map_err(|why| format!("`{pattern}` is not a glob: {why}"))?;
        let mut files = self.all()?;
        files.retain(|file| glob.fits_name(&file.path));
        if files.is_empty() {
            return Err(format!("`{pattern}` matches no file"));
        }
        files.into_iter().for_each(|file| self.file(file, false));
        Ok(())
    }

    /// Reads a file; what may not be sent is left out.
    fn file(&mut self, path: FilePath, is_named: bool) {
        if is_named {
            self.named.insert(self.name(&path));
        }
        if !self.seen.insert(path.clone()) {
            return;
        }
        let name = self.name(&path);
        if let Some(directory) = prompt::dependency(&path.path).filter(|_| !is_named) {
            let directory = self.name(&FilePath::new(path.root, directory));
            if self.left_out.iter().all(|known| known.path != directory) {
                self.leave_out(directory, Reason::Dependency, false);
            }
            return;
        }
        let read = self.view.read(&path).map_err(|denied| match denied {
            Denied::NotUtf8(_) => Reason::Binary,
            denied => Reason::Denied(denied),
        });
        let read = read.and_then(|content| match prompt::secret(&path.path, &content.text) {
            Some(reason) => Err(reason),
            None if content.text.contains('\0') => Err(Reason::Binary),
            None => Ok(content),
        });
        match read {
            Ok(content) => self.files.push(File { path, name, content }),
            Err(reason) => self.leave_out(name, reason, is_named),
        }
    }

    fn leave_out(&mut self, path: String, reason: Reason, is_named: bool) {
        self.is_partial |= is_named;
        self.left_out.push(LeftOut { path, reason });
    }

    /// Why a file or directory is left out before it is looked at.
    fn excluded(&self, path: &FilePath, kind: Kind) -> Option<Reason> {
        let inside = if kind == Kind::Directory { "/" } else { "" };
        if prompt::dependency(&format!("{}{inside}", path.path)).is_some() {
            return Some(Reason::Dependency);
        }
        let is_ignored = self.workspace.ignores(path, kind == Kind::Directory);
        is_ignored.then_some(Reason::Ignored)
    }

    /// The files below a directory that a search finds. What it passes over is left out.
    fn below(&mut self, directory: &FilePath) -> Result<Vec<FilePath>, String> {
        let limit = self.workspace.limits().files_per_command;
        let files = self.view.files(directory, false, limit);
        for (path, why) in self.view.unread(directory, false) {
            let path = self.name(&path);
            if self.left_out.iter().all(|known| known.path != path) {
                self.leave_out(path, Reason::Denied(why), false);
            }
        }
        files.map_err(|why| format!("`{}` cannot be listed: {why}", self.name(directory)))
    }

    /// The files of the workspace that a search finds.
    fn all(&mut self) -> Result<Vec<FilePath>, String> {
        let home = self.view.resolve(".").map_err(|why| why.to_string())?;
        self.below(&home)
    }

    fn tree(&mut self) -> Result<Vec<String>, String> {
        let files = self.all()?.into_iter().map(|file| file.path.to_string());
        Ok(files.filter(|path| prompt::dependency(path).is_none()).collect())
    }

    /// A path as the dialect writes it.
    fn name(&self, path: &FilePath) -> String {
        let is_home = self.workspace.home().map(Path::new)
            == self.workspace.roots().get(path.root).map(AsRef::as_ref);
        match is_home && self.rules.paths != PathStyle::Absolute {
            true => path.to_string(),
            false => with_slashes(&self.workspace.absolute(path).to_string_lossy()).into_owned(),
        }
    }
}
