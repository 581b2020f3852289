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
        "\n1 import os\n\n3 def two():\n4     return 22\n",
        "1: import os\n2: x = 1\n",
    ] {
        refused("b.py", before, text, "is after its number");
    }
    taken("a.md", "# List\n", "1. one\n2. two\n3. three\n");
    for text in ["1| one\n2| two\n", "1 │ one\n2 │ two\n", "  1\tone\n  2\ttwo\n"] {
        refused("a.txt", "", text, "is after its number");
    }
    taken("a.txt", "", "1\tone\n2\ttwo\n");
    taken("a.yml", "", "1: one\n2: two\n");
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

#[test]
fn the_line_that_shows_it_is_told() {
    let snapshot = MemorySnapshot::of([("t.rs", "a\n")]);
    let text = "a\n\n>>>>>>> REPLACE\n";
    let issue = super::refused(&snapshot, whole_file("t.rs", text));
    assert!(issue.message.starts_with("line 3 of the file's text: `>>>>>>> REPLACE` ends an edit"));
    assert_eq!(issue.details["line"], 3);
}

#[test]
fn the_beginning_of_a_patch() {
    let says = "begins a part of a patch";
    for header in ["Begin Patch", "Update File: t.rs", "Add File: t.rs", "delete file: t.rs"] {
        refused("t.rs", "a\n", &format!("*** {header}\n+a\n"), says);
    }
    taken("t.rs", "a\n", "*** a\n");
    taken("t.rs", "a\n", "Begin Patch\n");
}

#[test]
fn an_edit_between_markers_has_all_three() {
    let says = "begins an edit between markers";
    for text in [
        "<<<<<<< SEARCH\nb\n=======\nB\n>>>>>>> REPLACE\n",
        "--- search\nb\n====:\nB\n+++ replace\n",
        "&lt;&lt;&lt;&lt; a\nb\n====\nB\n  &gt;&gt;&gt;&gt; b\n",
    ] {
        refused("t.rs", "a\nb\n", text, says);
    }
    for text in [
        "<<<< a\n(text)\n>>>> b\n",
        "<<<< a\n==\n>>>> b\n",
        "<<<< a\n====\n(text)\n",
        "<<<< a\n====\n+++ b\n",
        "--- a\n====\n+++ replace\n",
        "---\nTitle\n====\n>>>> x\n",
        "SEARCH\n====\n>>>> x\n",
        "<p>\n====\n> quote\n",
    ] {
        taken("t.rs", "a\nb\n", text);
    }
}

#[test]
fn a_call_of_a_tool_for_edits() {
    let says = "is a call of a tool for edits";
    refused("t.rs", "a\n", "{\"old_string\": \"b\", \"new_string\": \"B\"}\n", says);
    refused("t.rs", "a\n", "[\n  {\n  \"old_str\" : \"b\"\n}]\n", says);
    taken("d.json", "", "{\n  \"a\": 1,\n  \"old_str\": 2\n}\n");
    taken("t.rs", "a\n", "let a = r#\"{\"old_str\": \"b\"}\"#;\n");
}

#[test]
fn signs_before_all_lines() {
    let says = "has the sign of a removed or added line";
    refused("a.md", "", "+a\n-b\n", says);
    refused("a.md", "", "+a\n-b\n```\ncode\n```\n", says);
    refused("a.txt", "", " a\n-b\n+c\n", says);
    for text in ["- a\n-\n- b\n", "+ a\n+\n  b\n+ c\n", "-a\n--all\n"] {
        taken("a.md", "", text);
    }
    taken("a.lua", "", "-- one\n  two()\n--three\n");
    refused("a.lua", "", "-one()\n+two()\n", says);
}

#[test]
fn commands_that_make_the_file_or_run_it() {
    let says = "makes or runs this very file";
    for text in [
        "cat > run.sh\n",
        "# Make it.\ncd bin\ncat <<EOF > ./run.sh\nls\nEOF\n",
        "echo 'a > b' >run.sh\n",
        "echo ls | sudo tee run.sh\n",
        "tee run.sh\n",
        "chmod +x run.sh && ./run.sh\n",
        "chmod +x run.sh\nbash 'run.sh'\n",
        "%%writefile run.sh\nls\n",
    ] {
        refused("bin/run.sh", "ls\n", text, says);
    }
    for text in [
        "cat run.sh\n",
        "cat > other.sh\n",
        "echo \"print > run.sh now\"\n",
        "chmod +x run.sh\necho done\n",
        "chmod +x run.sh && ./other.sh\n",
        "chmod +x run.sh\nrun.sh\n",
        "chmod +x other.sh && ./run.sh\n",
        "ls > run.sh\n",
    ] {
        taken("bin/run.sh", "ls\n", text);
    }
}
