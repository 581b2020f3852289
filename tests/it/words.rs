//! What people and models read has none of the words of the "not" list.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sources;

/// What is not written, and what to write instead. `CONTRIBUTING.md` has the glossary.
const NOT: &[(&str, &str)] = &[
    ("stands", "is"),
    ("stand in", "replace"),
    ("mend", "fix"),
    ("mends", "fixes"),
    ("mended", "fixed"),
    ("carry out", "apply or run"),
    ("carries out", "applies or runs"),
    ("carried out", "applied or run"),
    ("take back", "undo"),
    ("takes back", "undoes"),
    ("taken back", "undone"),
    ("took back", "undid"),
    ("judge", "check"),
    ("judged", "checked"),
    ("made for", "based on"),
    ("looked for", "searched for"),
    ("has to", "must"),
    ("have to", "must"),
    ("knows no", "unknown"),
    ("comes of", "the outcome of"),
    ("come of", "the outcome of"),
    ("came of", "the outcome of"),
    ("become of", "the status of"),
    ("belongs into", "belongs in"),
    ("so that", "so"),
    ("nowhere", "not in"),
    ("moved on", "changed"),
    ("out of account", "ignored"),
    ("right behind", "right after"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The texts between quotes in a source, and the comments that become help.
fn texts(source: &str, quotes: &[char], comment: &str, with_help: bool) -> String {
    let source = sources::without_tests(source);
    let mut texts = String::new();
    let mut open = None;
    for line in source.lines() {
        let help = line.trim_start().strip_prefix("///").filter(|_| with_help && open.is_none());
        if let Some(help) = help {
            texts.push_str(help);
            continue;
        }
        let mut chars = line.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            match open {
                None if line[at..].starts_with(comment) => break,
                // A character in quotes of its own, as `'"'`.
                None if char == '\'' && !quotes.contains(&'\'') => {
                    let rest: Vec<char> = line[at + 1..].chars().take(3).collect();
                    let length = match rest[..] {
                        ['\\', _, '\'', ..] => 3,
                        [_, '\'', ..] => 2,
                        _ => 0,
                    };
                    chars.by_ref().take(length).for_each(|_| {});
                }
                None if quotes.contains(&char) => open = Some(char),
                Some(quote) if quote == char => {
                    open = None;
                    texts.push('\n');
                }
                Some(_) if char == '\\' => match chars.next() {
                    Some((_, escaped)) if escaped != 'n' => texts.push(escaped),
                    _ => texts.push(' '),
                },
                Some(_) => texts.push(char),
                None => {}
            }
        }
        texts.push(if open.is_some() { ' ' } else { '\n' });
    }
    texts
}

/// The words of the list that a text has, with what is around each.
fn found(text: &str) -> Vec<String> {
    let plain = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let lower = plain.to_ascii_lowercase();
    let mut all = Vec::new();
    for (not, instead) in NOT {
        for (at, _) in lower.match_indices(not) {
            let is_word = |char: Option<char>| char.is_none_or(|it| !it.is_alphanumeric());
            let end = at + not.len();
            if is_word(lower[..at].chars().next_back()) && is_word(lower[end..].chars().next()) {
                let before: String = plain[..at].chars().rev().take(40).collect();
                let before: String = before.chars().rev().collect();
                let after: String = plain[at..].chars().take(40 + not.len()).collect();
                all.push(format!("…{before}{after}… (not \"{not}\": {instead})"));
            }
        }
    }
    all
}

#[test]
fn messages_help_and_pages_have_plain_words() {
    let root = root();
    let mut wrong = Vec::new();
    let mut check = |path: &Path, text: String| {
        let shown = path.strip_prefix(&root).unwrap().display().to_string();
        wrong.extend(found(&text).into_iter().map(|it| format!("{shown}: {it}")));
    };
    let listed = |folder: &str, extension: &str| {
        let all = sources::files(&root.join(folder), extension);
        assert!(!all.is_empty(), "{folder} has no {extension}");
        all
    };
    for path in listed("server", ".rs") {
        let is_help = path.ends_with("args.rs");
        let source = fs::read_to_string(&path).unwrap();
        check(&path, texts(&source, &['"'], "//", is_help));
    }
    for path in listed("editors/vscode/src", ".ts") {
        check(&path, texts(&fs::read_to_string(&path).unwrap(), &['"', '\'', '`'], "//", false));
    }
    for path in listed("editors/neovim", ".lua") {
        check(&path, texts(&fs::read_to_string(&path).unwrap(), &['"', '\''], "--", false));
    }
    for folder in ["spec", "editors"] {
        for path in listed(folder, ".md") {
            let shown = path.strip_prefix(&root).unwrap();
            if !shown.starts_with("spec/cases") && !shown.starts_with("spec/examples") {
                check(&path, fs::read_to_string(&path).unwrap());
            }
        }
    }
    let pages = ["README.md", "SECURITY.md", "spec/problems.toml", "spec/actions.toml"];
    let more = ["editors/vscode/package.json", "editors/emacs/operator-mode.el"];
    for page in pages.into_iter().chain(more).chain(["editors/neovim/doc/operator-lsp.txt"]) {
        let text = fs::read_to_string(root.join(page)).unwrap();
        check(&root.join(page), text.replace("\\\n", "\n"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_word_of_the_list_is_found_in_a_text() {
    let source =
        "// It stands.\nlet says = \"it has to \\\n    be `{x}`\"; let c = '\"'; // judged\n";
    assert_eq!(found(&texts(source, &['"'], "//", false)).len(), 1);
    assert_eq!(found("This was MADE\nfor it; notmended").len(), 1);
}
