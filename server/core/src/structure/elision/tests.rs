//! What single contents with marks come to.

use super::*;

fn resolved(path: &str, file: &str, content: &str) -> Result<String, Unresolved> {
    let language = operator_grammars::of_file(path, "").expect("a known language");
    let patience: &mut dyn FnMut() -> ControlFlow<()> = &mut || ControlFlow::Continue(());
    let parsed = Parsed::new(language, Content::plain(file), patience).expect("it parses");
    resolve(&parsed, content, patience)
}

fn check(path: &str, file: &str, content: &str, expected: &str) {
    assert_eq!(resolved(path, file, content).as_deref(), Ok(expected), "{content}");
}

/// The content is refused at this line, counted from 1, with these words.
fn refused(path: &str, file: &str, content: &str, line: usize, words: &str) -> Unresolved {
    let why = resolved(path, file, content).expect_err("it is refused");
    assert!(why.message.contains(words), "{words} is not in: {}", why.message);
    assert_eq!(why.line + 1, line, "{}", why.message);
    why
}

const PYTHON: &str = "\
import os
import sys


def a():
    return 1


class B:
    size = 2

    def one(self):
        return 1

    # Two of them.
    def two(self):
        first = 1
        second = 2
        return first + second


def c():
    return 3
";

#[test]
fn a_structure_takes_the_place_of_the_one_with_its_name() {
    let expected = PYTHON.replace("return 3", "return 4");
    check("x.py", PYTHON, "# ... existing code ...\n\ndef c():\n    return 4\n", &expected);
    let expected = PYTHON.replace("def a():\n    return 1", "def a(b):\n    return b");
    check("x.py", PYTHON, "# ...\ndef a(b):\n    return b\n# …\n", &expected);
}

#[test]
fn a_header_with_marks_leads_to_its_members() {
    let content = "\
# ... existing code ...

class B:
    # ... existing code ...

    # Two of them.
    def two(self):
        return 3

# ... existing code ...
";
    let body = "        first = 1\n        second = 2\n        return first + second";
    check("x.py", PYTHON, content, &PYTHON.replace(body, "        return 3"));
    let rust = "struct A;\n\nimpl A {\n    fn a() {}\n\n    fn b() {}\n}\n";
    let content = "// ...\n\nimpl A {\n    // ...\n\n    fn b() { c() }\n}\n";
    check("x.rs", rust, content, &rust.replace("b() {}", "b() { c() }"));
}

#[test]
fn lines_around_a_mark_say_where_in_a_function_it_is() {
    let content = "\
# ...
class B:
    # ...
    # Two of them.
    def two(self):
        first = 5
        second = 2
        # ...

# ...
";
    check("x.py", PYTHON, content, &PYTHON.replace("first = 1", "first = 5"));
    let between = content.replace("        second = 2\n", "");
    refused("x.py", PYTHON, &between, 6, "whether it is new");
}

#[test]
fn a_new_structure_comes_between_two_that_are_sent() {
    let content = "\
# ...

def a():
    return 1


def new():
    return 0


class B:
    # ...
    def one(self):
        return 1
    # ...

# ...
";
    let expected = PYTHON.replace("class B", "def new():\n    return 0\n\n\nclass B");
    check("x.py", PYTHON, content, &expected);
    refused("x.py", PYTHON, "# ...\n\ndef new():\n    return 0\n", 3, "is beside a mark");
    refused("x.py", PYTHON, "# ...\n\ndef new():\n    return 0\n\n# ...\n", 3, "is beside a mark");
}

#[test]
fn imports_are_added_at_the_top() {
    let content = "import os\nimport sys\nimport time\n\n# ... existing code ...\n";
    check("x.py", PYTHON, content, &PYTHON.replace("import sys", "import sys\nimport time"));
    refused("x.py", PYTHON, "import time\n\n# ...\n", 1, "whether it is new");
}

#[test]
fn nothing_is_left_out_without_a_mark() {
    let why = refused(
        "x.py",
        PYTHON,
        "# ...\n\ndef a():\n    return 2\n\n\ndef c():\n    return 3\n",
        7,
        "`class B:`",
    );
    assert!(why.is_left_out);
    let why = refused("x.py", PYTHON, "def a():\n    return 2\n\n# ...\n", 1, "`import os`");
    assert!(why.is_left_out);
}

#[test]
fn what_may_be_either_is_refused() {
    refused(
        "x.py",
        PYTHON,
        "# ...\nclass B:\n    # ...\n    def two(self):\n        pass\n# ...\n",
        4,
        "Two of them",
    );
    refused("x.py", PYTHON, "# Loading...\ndef a():\n    return 1\n", 1, "a mark or new");
    refused("x.py", PYTHON, "# ...\ndef a(:\n    return 1\n", 2, "syntax error");
    refused("x.py", "def a(:\n", "# ...\n", 1, "line 1 of the file");
    refused(
        "x.py",
        PYTHON,
        "# ...\n\ndef c():\n    pass\n\n\ndef a():\n    pass\n",
        7,
        "another place",
    );
    refused("x.py", PYTHON, "# ...\n  # ...\ndef c():\n    pass\n", 2, "indented otherwise");
    let twice = "def a():\n    pass\n\n\ndef a():\n    pass\n";
    refused("x.py", twice, "# ...\n\ndef a():\n    return 1\n", 3, "is beside a mark");
    refused("x.py", "# ...\nimport os\nx = 1\n", "# ...\nx = 2\n", 1, "this very line");
    // Both come to the same text.
    let file = "def a():\n    return 1\n\n# ... helpers ...\n\ndef b():\n    return 2\n";
    let content = file.replace("return 1", "return 11");
    check("x.py", file, &content, &content);
}

#[test]
fn all_other_bytes_stay() {
    let file = PYTHON.replace('\n', "\r\n");
    let file = file.trim_end();
    let expected = file.replace("return 3", "return 4\r\n");
    let expected = expected.trim_end();
    check("x.py", file, "# ...\n\ndef c():\n    return 4\n", expected);
}
