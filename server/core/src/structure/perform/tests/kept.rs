//! That what an operation is not about stays as it was, in every language.

use super::*;
use crate::outline::Parsed;
use crate::structure::Index;
use crate::structure::perform::insertion::Side::{After, Before};
use crate::text::Content;

/// The examples of every language, each with its path.
#[expect(clippy::disallowed_methods, reason = "the examples are files of another crate")]
fn examples() -> Vec<(String, String)> {
    let grammars = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../grammars");
    let mut examples = Vec::new();
    for language in crate::syntax::LANGUAGES {
        let folder = grammars.join(language.name).join("cases");
        for entry in std::fs::read_dir(folder).expect("every language has examples") {
            let path = entry.expect("it is listed").path();
            let name = path.file_name().expect("it has a name").to_string_lossy().into_owned();
            if !name.ends_with(".outline") {
                examples.push((name, std::fs::read_to_string(&path).expect("it is text")));
            }
        }
    }
    examples
}

fn parsed(path: &str, text: &str) -> Parsed {
    let first_line = text.lines().next().unwrap_or_default();
    let language = operator_grammars::of_file(path, first_line).expect("it is known");
    let mut patience = || std::ops::ControlFlow::Continue(());
    Parsed::new(language, Content::plain(text), &mut patience).expect("it is short")
}

#[test]
fn a_move_to_where_it_is_changes_nothing() {
    let three = "1. one\n2. two\n3. three\n";
    for (target, side, dest) in
        [("two", After, "one"), ("three", After, "two"), ("one", Before, "two")]
    {
        check_in("a.md", three, move_beside(target, side, "a.py", dest), three);
    }
    let quoted = "> 1. one\r\n>\r\n> 2. two\r\n";
    check_in("a.md", quoted, move_beside("two", After, "a.py", "one"), quoted);
}

#[test]
fn neighbours_that_nothing_parts_stay_where_they_are() {
    for (path, text) in examples() {
        let parsed = parsed(&path, &text);
        if !parsed.outline.errors.is_empty() {
            continue;
        }
        let structures = &parsed.outline.structures;
        let targets = Index::new(&parsed).targets();
        for index in 0..structures.len() {
            let siblings: Vec<usize> = parsed.outline.children(structures[index].parent).collect();
            let next = siblings.iter().copied().find(|it| *it > index);
            let Some(next) = next else { continue };
            let between = text.get(structures[index].extent.end..structures[next].extent.start);
            if between.is_some_and(|between| between.trim().is_empty()) {
                let forward = move_beside(&targets[next], After, "a.py", &targets[index]);
                check_in(&path, &text, forward, &text);
                let back = move_beside(&targets[index], Before, "a.py", &targets[next]);
                check_in(&path, &text, back, &text);
            }
        }
    }
}

#[test]
fn a_printed_target_fits_its_structure_where_headers_end_with_numbers() {
    let texts = [
        "# a\n\none\n\n# a\n\ntwo\n\n# a [1]\n\nthree\n",
        "# a\n\n## a\n\n# a [1]\n",
        "# a\n\n# a\n\n# a [1]\n\n# a [01]\n\n# a [2]\n\n# a [2]\n",
        "# b\n\n- a\n- a\n- a [1]\n  - a\n  - a [2]\n  - a\n",
    ];
    for text in texts {
        let parsed = parsed("a.md", text);
        let index = Index::new(&parsed);
        for (place, target) in index.targets().iter().enumerate() {
            assert!(index.is_unique(target, place), "{target}");
            assert_eq!(*target, index.target(place));
        }
    }
}
