//! Texts that are taken as those of whole files, and those that are refused.

use super::*;
use crate::problem::FILES_NOT_A_FILE;

/// What is said of a text that is to be that of the file at `path`, which has the text `before`.
fn says(path: &str, before: &str, text: &str) -> Option<String> {
    let snapshot = MemorySnapshot::of([(path, before)]);
    let issues = plan_in(&snapshot, whole_file(path, text)).err()?;
    assert_eq!(issues[0].code, FILES_NOT_A_FILE, "{issues:?}");
    let (line, _) = issues[0].message.split_once(", so").unwrap();
    Some(line.trim_start_matches("line ").to_owned())
}

fn refused(path: &str, before: &str, text: &str, expected: &str) {
    let said = says(path, before, text);
    assert!(said.as_ref().is_some_and(|said| said.ends_with(expected)), "{text:?}: {said:?}");
}

fn taken(path: &str, before: &str, text: &str) {
    assert_eq!(says(path, before, text), None, "{text:?}");
}

#[test]
fn the_end_of_an_edit_whose_start_is_lost() {
    let before = "a\nb\nc\n";
    for text in [
        "b\n=======\nB\n>>>>>>> REPLACE\n",
        "b\n=======\nB\n+++++++ REPLACE\n",
        "B\n  >>>>>>> REPLACE\n",
        "-b\n+B\n*** End Patch\n",
        "b\n=======\nB\n>>>>>>>\n",
        "b\n=======\nB\n>>>>>>> theirs\n",
        "SEARCH\nb\n=======\nB\nREPLACE\n",
        "B\n#!END_SHAM_abc\n",
        "B\nEND_OPERATOR_CMD\n",
    ] {
        refused("t.rs", before, text, "ends an edit");
        taken("t.rs", &format!("{before}{text}"), text);
    }
    for text in [
        "=======\nTitle\n=======\n\n>>>> x = 1\n",
        "// >>>>>>> REPLACE\n",
        "let end = \">>>>>>> REPLACE\";\n",
        "Title\n=======\n",
        "SEARCH\nREPLACE\n",
    ] {
        taken("t.rs", before, text);
    }
    taken("a.md", "# Old\n", "# Use\n\n```\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```\n");
}

#[test]
fn signs_before_a_line_that_the_file_has() {
    let js = "function one() {\n  return 1;\n}\n";
    let says = "has the sign of a line that the file has";
    refused("u.js", js, "function one() {\n-  return 1;\n+  return 11;\n}\n", says);
    refused(
        "b.py",
        "def two():\n    return 2\n",
        "def two():\n-   return 2\n+   return 22\n",
        says,
    );
    refused("t.rs", "a\nb\nc\n", "a\n-b\n+B\nc\n", says);
    refused("a.yml", "a: 1\nb: 2\n", "a: 1\n-b: 2\n+b: 3\n", says);
    taken("a.md", "# List\n\ntwo\n", "# List\n\n- one\n+ two\n");
    taken("a.md", "# List\n\none\n", "# List\n\n- one\n- two\n");
    taken("a.md", "# List\n\none\n- one\n", "# List\n\n- one\n+ two\n");
    taken("a.md", "one\ntwo\n", "- one\n- two\n");
    taken("a.js", "run();\nx\n", "-run();\nx\n");
}

#[test]
fn lines_after_their_numbers() {
    let before = "import os\n\ndef two():\n    return 2\n";
    for text in [
        "1 import os\n2\n3 def two():\n4     return 22\n",
        "  1 import os\n  2\n  3 def two():\n  4     return 22\n",
        "1import os\n2\n3def two():\n4    return 22\n",
        " 1. import os\n 2.\n 3. def two():\n 4.     return 22\n",
        "1 import os\n\n3 def two():\n4     return 22\n",
        "9 import os\n\n10 def two():\n11     return 22\n",
    ] {
        refused("b.py", before, text, "is after its number");
    }
    taken("a.md", "# List\n", "1. one\n2. two\n3. three\n");
    taken("a.csv", "", "1,one\n2,two\n3,three\n");
    taken("a.txt", "", "1 one\n2 two\n3 three\n");
    taken("a.yml", "", "1: one\n2: two\n3: three\n");
    taken("a.py", "", "1\n2\n4\n");
    taken("a.py", "", "1\n2\n");
}

#[test]
fn what_comes_with_a_copy_of_a_page() {
    let says = "is of a page that shows code";
    for text in [
        "Copy code\nimport os\n",
        "Copy\nimport os\n",
        "python\nCopy\nimport os\n",
        "py\nimport os\n",
        "import os\nUse code with caution.\n",
    ] {
        refused("b.py", "import sys\n", text, says);
    }
    refused("b.py", "", ">>> import os\n>>> os.sep\n'/'\n", "is typed at a prompt");
    taken("b.py", "python\n", "python\nimport os\n");
    taken("a.md", "", "Copy\n\n>>> x\n");
    taken("a.txt", "", "Copy code\n");
}
