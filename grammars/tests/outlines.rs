//! The outlines of the files in each language's `cases` folder.
//!
//! Beside `name.ext` is `name.ext.outline`: a line for each structure, indented by depth,
//! `first-last kind target | header`, the lines of a target joined by ` > `.
//! `UPDATE_CASES=1` writes them anew: read the diff.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use operator_core::outline::Parsed;
use operator_core::structure::{Index, Match, Target};
use operator_core::text::Content;
use operator_grammars::{LANGUAGES, Language};

fn parsed(language: &Language, text: &str) -> Parsed {
    let mut patience = || ControlFlow::Continue(());
    Parsed::new(language, Content::plain(text), &mut patience).expect("cases are small")
}

fn outline(parsed: &Parsed) -> String {
    let index = Index::new(parsed);
    let targets = index.targets();
    let mut lines = String::new();
    for (place, (structure, target)) in parsed.outline.structures.iter().zip(&targets).enumerate() {
        let found = index.find(&Target::parse(target));
        assert_eq!(found, Match::Structures(vec![place]), "the target {target:?}");
        let [first, last] = parsed.lines_of(&structure.extent);
        let indent = "  ".repeat(structure.depth);
        let header = structure.header_text(parsed.text());
        let (kind, target) = (structure.kind, target.replace('\n', " > "));
        lines.push_str(&format!("{indent}{first}-{last} {kind} {target} | {header}\n"));
    }
    lines
}

/// Every line taken out and put back, one after the other: the structures are those of a fresh
/// parse each time.
fn check_incremental(language: &Language, fresh: &Parsed) {
    let text = fresh.text().to_owned();
    let mut start = 0;
    let mut now = fresh.clone();
    for line in text.split_inclusive('\n') {
        let span = start..start + line.len();
        start = span.end;
        let mut without = text.clone();
        without.replace_range(span.clone(), "");
        for (old, text) in [(span.clone(), &without), (span.start..span.start, &text)] {
            let mut patience = || ControlFlow::Continue(());
            let edited = now.edited(old, Content::plain(text.clone()), &mut patience);
            now = edited.expect("cases are small");
            assert_eq!(now.outline, parsed(language, text).outline, "{text}");
        }
    }
}

fn cases(language: &Language) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(language.name).join("cases");
    let entries = fs::read_dir(&folder).map(|entries| entries.flatten().collect::<Vec<_>>());
    let paths = entries.unwrap_or_default().into_iter().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|it| it != "outline")).collect();
    paths.sort();
    paths
}

#[test]
fn every_case_has_the_outline_beside_it() {
    let update = std::env::var_os("UPDATE_CASES").is_some();
    let only = std::env::var("CASE").unwrap_or_default();
    for language in LANGUAGES {
        let cases = cases(language);
        assert!(!cases.is_empty(), "{} has no cases", language.name);
        for path in cases.iter().filter(|path| path.to_string_lossy().contains(&only)) {
            let text = fs::read_to_string(path).expect("a case is UTF-8");
            let parsed = parsed(language, &text);
            let found = outline(&parsed);
            check_incremental(language, &parsed);
            let beside = PathBuf::from(format!("{}.outline", path.display()));
            if update {
                fs::write(&beside, &found).expect("the folder can be written");
            }
            let expected = fs::read_to_string(&beside).unwrap_or_default();
            assert!(found == expected, "{}:\n{found}\nexpected:\n{expected}", path.display());
        }
    }
}
