//! Trees are kept, made from the ones before, and let go.

use super::*;

const PYTHON: &str = "a.py";

fn language() -> &'static Language {
    operator_grammars::by_path(PYTHON).unwrap()
}

fn path(name: &str) -> FilePath {
    FilePath::new(0, name)
}

fn parsed(trees: &Trees, text: &str) -> Arc<Parsed> {
    trees.parsed(&path(PYTHON), language(), Content::plain(text)).unwrap()
}

#[test]
fn a_file_is_parsed_once_for_each_state() {
    let trees = Trees::default();
    let first = parsed(&trees, "def f(): ...\n");
    assert!(Arc::ptr_eq(&first, &parsed(&trees, "def f(): ...\n")));
    let second = parsed(&trees, "def g(): ...\n");
    assert!(!Arc::ptr_eq(&first, &second));
    assert!(Arc::ptr_eq(&second, &parsed(&trees, "def g(): ...\n")));
}

#[test]
fn what_a_file_became_has_the_structures_of_a_fresh_parse() {
    let texts = [
        "def f():\n    pass\n",
        "def f():\n    é = 1\n\n\ndef g(): ...\n",
        "def f(:\n    é = 1\n\n\ndef g(): ...\n",
        "def f():\n    è = 1\n\n\ndef g(): ...\n",
        "",
        "x = '''\ndef f(): ...\n'''\n",
        "x = ''\ndef f(): ...\n'''\n",
        "class A:\n    def f(self): ...\n    def f(self): ...\n",
        "class A:\n    def f(self): ...\n",
    ];
    let trees = Trees::default();
    for text in texts.iter().chain(texts.iter().rev()) {
        let fresh = parse(language(), Content::plain(*text)).unwrap();
        assert_eq!(parsed(&trees, text).outline, fresh.outline, "{text}");
    }
}

#[test]
fn the_changed_bytes_are_whole_characters() {
    let check = |before: &str, after: &str, expected: Span| {
        assert_eq!(changed(before, after), expected, "{before:?} {after:?}");
    };
    check("abc", "abc", 3..3);
    check("abc", "axc", 1..2);
    check("aa", "aaa", 2..2);
    check("aaa", "aa", 2..3);
    check("é", "è", 0..2);
    check("xéy", "xèy", 1..3);
    check("", "a", 0..0);
    // The same last byte of two characters.
    check("aĩb", "aéb", 1..3);
}

#[test]
fn those_that_nobody_looks_at_go_first() {
    let trees = Trees::default();
    let third = ROOM / 3 + 1;
    let mut files = trees.files();
    for name in ["a", "b", "a", "c"] {
        files.slot(&path(name), third);
    }
    let mut left: Vec<_> = files.slots.keys().map(|path| path.to_string()).collect();
    left.sort();
    assert_eq!(left, ["a", "c"]);
    // One that is alone larger than the room is kept all the same.
    files.slot(&path("d"), ROOM * 2);
    assert_eq!(files.slots.len(), 1);
}

#[test]
fn what_nobody_asks_for_goes_after_a_while() {
    let trees = Trees::default();
    parsed(&trees, "def f(): ...\n");
    let mut files = trees.files();
    assert!(files.is_swept);
    assert!(files.let_go(KEPT).is_some_and(|next| next <= KEPT));
    assert_eq!((files.slots.len(), files.is_swept), (1, true));
    assert_eq!(files.let_go(Duration::ZERO), None);
    assert_eq!((files.slots.len(), files.is_swept), (0, false));
}
