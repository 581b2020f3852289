//! No source outside a dialect's folder names it, besides the registry: read from the sources.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use operator_lsp::workspace::with_slashes;

use crate::sources;

/// Where the registry is.
const REGISTRY: &str = "core/src/dialect/mod.rs";

/// What is left, each `file: name` with the reason. Take out what goes, add nothing.
const LEFT: &[&str] = &[
    // An edit of several places at once keeps the proposal that it comes from.
    "core/src/command/step.rs: edit_ops",
    // The service that asks a model for a proposal reads it before it gives it out.
    "src/edit_ops/answer.rs: edit_ops",
];

/// Dialects whose names are words for other things, too: a command of git, a language of fences.
const WORDS: &[&str] = &["diff", "files"];

/// The folders of dialects; what several of them use has no `mod.rs`.
fn folders(dialects: &Path) -> Vec<String> {
    let entries = fs::read_dir(dialects).unwrap().map(|entry| entry.unwrap().path());
    let folders = entries.filter(|path| path.join("mod.rs").is_file());
    folders.map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// Whether code names a dialect by its module, its name or its own operation. The name of the
/// first one is that of the settings' section, too.
fn names(code: &str, folder: &str) -> bool {
    let module = [format!("dialect::{folder}"), format!("super::{folder}::")];
    let name = format!("\"{}\"", folder.replace('_', "-"));
    let words = folder.split('_').map(|word| word[..1].to_uppercase() + &word[1..]);
    let operation = format!("Operation::{}(", words.collect::<String>());
    module.iter().any(|module| code.contains(module.as_str()))
        || folder != "operator" && !WORDS.contains(&folder) && code.contains(&name)
        || code.contains(&operation)
}

#[test]
fn nothing_but_the_registry_names_a_dialect() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let dialects = root.join("core/src/dialect");
    let folders = folders(&dialects);
    assert!(folders.len() >= 4, "{folders:?}");
    let core = sources::files(&root.join("core/src"), ".rs");
    let all = core.into_iter().chain(sources::files(&root.join("src"), ".rs"));
    let mut found = BTreeSet::new();
    for path in all {
        let code = sources::code(&fs::read_to_string(&path).unwrap());
        let file = with_slashes(path.strip_prefix(root).unwrap().to_str().unwrap()).into_owned();
        let others = folders.iter().filter(|folder| !path.starts_with(dialects.join(folder)));
        for folder in others.filter(|folder| file != REGISTRY && names(&code, folder)) {
            found.insert(format!("{file}: {folder}"));
        }
    }
    let left: BTreeSet<String> = LEFT.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(found, left);
}
