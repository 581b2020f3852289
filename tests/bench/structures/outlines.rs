//! Every function and class of the library is found by its printed target, with CPython's extent.

use std::ops::ControlFlow;
use std::path::Path;

use operator_core::outline::{Parsed, Structure};
use operator_core::structure::{Index, Kind, Match, Target};
use operator_core::syntax::LANGUAGES;
use operator_core::text::Content;

use crate::library::{self, Definition};

/// Definitions that the grammar does not see, and why.
const EXPLAINED: &[(&str, &[&str], &str)] = &[(
    "test/test_compile.py",
    &[
        "TestSourcePositions",
        "TestExpressionStackSize",
        "TestStackSizeStability",
        "test_weird_attribute_position_regressions",
        "f",
    ],
    "a line break after the dot in `(bar.` with less indentation after it: the grammar takes it \
     for the end of the block, although parentheses are open",
)];

/// Of so many files one is looked at.
const EVERY: usize = 8;

fn is_explained(path: &Path, definition: &Definition) -> bool {
    EXPLAINED
        .iter()
        .any(|(file, names, _)| path.ends_with(file) && names.contains(&definition.name.as_str()))
}

#[test]
fn every_definition_is_where_cpython_sees_it() {
    let files = library::some(EVERY);
    if files.is_empty() {
        return;
    }
    let python = LANGUAGES.iter().find(|language| language.name == "python");
    let python = python.expect("Python is a language");
    let seen = library::definitions(&files);
    let (mut definitions, mut structures, mut commented, mut explained) = (0, 0, 0, 0);
    let mut wrong = Vec::new();
    for (path, expected) in &seen {
        let bytes = std::fs::read(path).expect("CPython has just read it");
        let content = Content::of_bytes(bytes).expect("CPython found it to be UTF-8");
        let mut patience = || ControlFlow::Continue(());
        let parsed = Parsed::new(python, content, &mut patience).expect("it is code");
        let index = Index::new(&parsed);
        for (place, target) in index.targets().iter().enumerate() {
            structures += 1;
            if index.find(&Target::parse(target)) != Match::Structures(vec![place]) {
                wrong.push(format!("{}: the target {target:?} is not its own", path.display()));
            }
        }
        let lines: Vec<&str> = parsed.text().lines().collect();
        for definition in expected {
            definitions += 1;
            let places =
                parsed.outline.structures.iter().filter(|it| names(&parsed, it, definition));
            let extents = places.map(|structure| parsed.lines_of(&structure.extent));
            let fitting: Vec<_> =
                extents.filter(|extent| fits(&lines, *extent, definition)).collect();
            match fitting.as_slice() {
                [] if is_explained(path, definition) => explained += 1,
                [] => wrong.push(format!(
                    "{}:{}-{} {} is not there",
                    path.display(),
                    definition.first,
                    definition.last,
                    definition.name
                )),
                several => {
                    let exact = [definition.first, definition.last];
                    commented += usize::from(!several.contains(&exact));
                }
            }
        }
    }
    println!(
        "{} files of {}, {definitions} definitions ({commented} with comments around them), \
         {structures} structures, {explained} differences explained, {} not",
        seen.len(),
        files.len(),
        wrong.len()
    );
    assert!(wrong.is_empty(), "\n{}", wrong[..wrong.len().min(50)].join("\n"));
}

fn names(parsed: &Parsed, structure: &Structure, definition: &Definition) -> bool {
    let is_class = structure.kind == Kind::Class;
    let is_function = matches!(structure.kind, Kind::Function | Kind::Method);
    let name = structure.name.map(|name| name.of(parsed.text()));
    (if definition.class { is_class } else { is_function })
        && name == Some(definition.name.as_str())
}

/// Whether the extent is the definition's, but for comments directly around it.
fn fits(lines: &[&str], [first, last]: [usize; 2], definition: &Definition) -> bool {
    let comment = |line: &&str| line.trim_start().starts_with('#');
    let blank = |line: &&str| line.trim().is_empty();
    first <= definition.first
        && last >= definition.last
        && lines[first - 1..definition.first - 1].iter().all(comment)
        && lines[definition.last..last].iter().all(|line| comment(line) || blank(line))
}
