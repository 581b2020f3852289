//! Files are changed at random, and what was not changed is left out at random. The content is
//! resolved to the changed file byte by byte, or refused.
//!
//! `ELISION_CASES` is how many changes are tried, `ELISION_FILES` lists folders with more sources.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use operator_core::edit::unified;
use operator_core::outline::Parsed;
use operator_core::structure::elision::resolve;
use operator_core::syntax::Language;
use operator_core::text::Content;
use proptest::prelude::RngExt;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use super::changes::{Changes, Manner};
use super::elements::Source;

/// How often a manner was tried, resolved, and resolved to something else.
#[derive(Debug, Default)]
struct Counts {
    tried: usize,
    resolved: usize,
    wrong: Vec<String>,
    refusals: BTreeMap<String, usize>,
}

/// Languages whose files are code.
const CODE: [&str; 14] = [
    "python",
    "rust",
    "typescript",
    "tsx",
    "javascript",
    "go",
    "java",
    "c",
    "cpp",
    "lua",
    "csharp",
    "php",
    "ruby",
    "bash",
];

fn language_of(path: &Path) -> Option<&'static Language> {
    let name = path.file_name()?.to_string_lossy().into_owned();
    operator_grammars::of_file(&name, "").filter(|it| CODE.contains(&it.name))
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let name = entry.file_name();
        let is_left_out = ["target", "node_modules", ".git"].iter().any(|it| name == *it);
        if path.is_dir() && !is_left_out {
            sources(&path, found);
        } else if language_of(&path).is_some() {
            found.push(path);
        }
    }
}

fn parse(language: &Language, text: &str) -> Option<Parsed> {
    let parsed = Parsed::new(language, Content::plain(text), &mut || ControlFlow::Continue(()));
    parsed.ok().filter(|parsed| parsed.outline.errors.is_empty())
}

/// Whether a changed file has all structures that it had, and as many more as were added: a bracket
/// that was removed takes others in, and a member that is not sent is refused.
fn has_same_names(source: &Source<'_>, changed: &Parsed, added: usize) -> bool {
    let (before, changed) = (source.names(), Source::new(changed));
    let after = changed.names();
    let paths = changed.paths(None);
    after.len() == before.len() + added
        && before.iter().all(|it| after.contains(it))
        && source.paths(None).iter().all(|it| paths.contains(it))
}

/// One change of one file; whether it could be made.
fn try_one(path: &Path, rng: TestRng, manner: Manner, counts: &mut Counts) -> Option<()> {
    let text = fs::read_to_string(path).ok().filter(|text| text.len() < 60_000)?;
    let language = language_of(path)?;
    let file = parse(language, &text)?;
    let source = Source::new(&file);
    let mut changes = Changes { source: &source, language, rng, manner, fresh: 0, added: 0 };
    let part = changes.level(None, source.all())?;
    if !part.is_changed && manner == Manner::Structures {
        return None;
    }
    let ending = if text.ends_with('\n') { "\n" } else { "" };
    let expected = format!("{}{ending}", part.text.join("\n"));
    let changed = parse(language, &expected)?;
    if manner == Manner::Structures && !has_same_names(&source, &changed, changes.added) {
        return None;
    }
    let trailing = text.len() - text.trim_end().len();
    if text.contains('\r') || trailing > 1 || text.starts_with('\n') {
        return None;
    }
    counts.tried += 1;
    let sent = part.sent.join("\n");
    let sent = sent.trim_matches('\n').to_owned() + "\n";
    match resolve(&file, &sent, &mut || ControlFlow::Continue(())) {
        Ok(result) if result == expected => counts.resolved += 1,
        Ok(result) => counts.wrong.push(format!(
            "{}\n--- sent\n{sent}\n--- expected, result\n{}",
            path.display(),
            unified("a", "b", &expected, &result)
        )),
        Err(why) => {
            let kind: String = why.message.split('`').step_by(2).collect();
            *counts.refusals.entry(format!("{}: {kind}", language.name)).or_default() += 1;
        }
    }
    Some(())
}

#[test]
fn a_content_with_marks_is_the_file_or_is_refused() {
    let cases = std::env::var("ELISION_CASES").ok().and_then(|count| count.parse().ok());
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for folder in ["server", "grammars", "editors", "spec/examples"] {
        sources(&root.join(folder), &mut files);
    }
    if let Ok(folder) = std::env::var("ELISION_FILES") {
        folder.split(':').for_each(|folder| sources(Path::new(folder), &mut files));
    }
    files.sort();
    for manner in [Manner::Structures, Manner::Anything] {
        let mut runner =
            TestRunner::new(Config { rng_algorithm: RngAlgorithm::ChaCha, ..Config::default() });
        let mut counts = Counts::default();
        let mut missed = 0;
        while counts.tried < cases.unwrap_or(200) && missed < 100_000 {
            let mut rng = runner.new_rng();
            let path = files[rng.random_range(0..files.len())].clone();
            missed += usize::from(try_one(&path, rng, manner, &mut counts).is_none());
        }
        println!("{manner:?}: tried {}, resolved {}", counts.tried, counts.resolved);
        println!("{:#?}", counts.refusals);
        assert!(
            counts.wrong.is_empty(),
            "{}",
            counts.wrong[..counts.wrong.len().min(3)].join("\n\n")
        );
        if manner == Manner::Structures {
            assert!(counts.resolved * 10 >= counts.tried * 8, "too few are resolved: {counts:?}");
        }
    }
}
