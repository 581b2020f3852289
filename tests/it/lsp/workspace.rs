//! A workspace on disk, gone when it is dropped, and transcripts for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use data_encoding::BASE64;
use operator_lsp::workspace::{real_path, with_slashes};
use tempfile::TempDir;

pub use super::client::{path_of, uri_of};

/// Files by their path below the root, directories that hold nothing with a trailing `/`.
pub type Tree = BTreeMap<String, Vec<u8>>;

/// A directory that is the workspace, or holds several.
pub struct Workspace {
    directory: TempDir,
}

impl Workspace {
    /// A workspace with these files.
    pub fn new(files: &[(&str, &str)]) -> Workspace {
        let workspace = Workspace { directory: tempfile::tempdir().unwrap() };
        files.iter().for_each(|(path, text)| workspace.put(path, text));
        workspace
    }

    /// A workspace with this tree.
    pub fn of(tree: &Tree) -> Workspace {
        let workspace = Workspace::new(&[]);
        tree.iter().for_each(|(path, bytes)| workspace.put(path, bytes));
        workspace
    }

    /// The root, without links in it.
    pub fn root(&self) -> PathBuf {
        real_path(self.directory.path()).unwrap()
    }

    /// The root as blocks write it.
    pub fn home(&self) -> String {
        with_slashes(self.root().to_str().unwrap()).into_owned()
    }

    /// Writes a file, parents included; a path that ends in `/` is a directory.
    pub fn put(&self, path: &str, content: impl AsRef<[u8]>) {
        let file = self.root().join(path);
        if path.ends_with('/') {
            return fs::create_dir_all(file).unwrap();
        }
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }

    /// A file's text, or that it is not there.
    pub fn text(&self, path: &str) -> String {
        let bytes = fs::read(self.root().join(path));
        bytes.map_or("(not there)".to_owned(), |bytes| String::from_utf8(bytes).unwrap())
    }

    /// The URI of a path in the workspace; of the root where it is empty.
    pub fn uri(&self, path: &str) -> String {
        if path.is_empty() { uri_of(&self.root()) } else { uri_of(&self.root().join(path)) }
    }

    /// Everything that is there.
    pub fn tree(&self) -> Tree {
        let mut tree = Tree::new();
        collect(&self.root(), "", &mut tree);
        tree
    }
}

fn collect(directory: &Path, prefix: &str, tree: &mut Tree) {
    for entry in fs::read_dir(directory).unwrap() {
        let entry = entry.unwrap();
        let name = format!("{prefix}{}", entry.file_name().into_string().unwrap());
        if !entry.file_type().unwrap().is_dir() {
            tree.insert(name, fs::read(entry.path()).unwrap());
        } else {
            let (name, count) = (format!("{name}/"), tree.len());
            collect(&entry.path(), &name, tree);
            if tree.len() == count {
                tree.insert(name, Vec::new());
            }
        }
    }
}

/// A payload as the protocol wants it.
pub fn b64(text: impl AsRef<[u8]>) -> String {
    BASE64.encode(text.as_ref())
}

/// One operator block; a field whose name ends in `_b64` is given decoded.
pub fn block(id: &str, action: &str, fields: &[(&str, &str)]) -> String {
    let mut text = format!("OPERATOR_CMD\nversion: 1\nid: {id}\naction: {action}\n");
    for (name, value) in fields {
        let encoded = name.ends_with("_b64").then(|| b64(value));
        writeln!(text, "{name}: {}", encoded.as_deref().unwrap_or(value)).unwrap();
    }
    text + "END_OPERATOR_CMD\n"
}

/// How many cases a property is tried with: `IT_CASES` makes a run as long as wanted.
pub fn cases(usual: u32) -> u32 {
    std::env::var("IT_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(usual)
}
