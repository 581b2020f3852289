//! Whole files whose text is not that of all the file, or does not parse.

use super::caution::reasons;
use super::*;

const JS: &str = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n\n\
                  function three() {\n  return 3;\n}\n\nmodule.exports = { one, two, three };\n";
const TWO: &str = "function two() {\n  return 2;\n}";
const PY: &str =
    "import os\n\ndef greet(name):\n    return \"Hello \" + name\n\ndef two():\n    return 2\n";

/// The reasons for a look at the text that takes the place of a file.
fn looks(path: &str, before: &str, text: &str) -> Vec<&'static str> {
    let snapshot = MemorySnapshot::of([(path, before)]);
    reasons(&snapshot, whole_file(path, text))
}

fn check(path: &str, before: &str, text: &str, expected: &str) {
    let expected: Vec<&str> = expected.split_whitespace().collect();
    assert_eq!(looks(path, before, text), expected, "{text}");
}

#[test]
fn a_text_with_syntax_errors_that_the_file_does_not_have() {
    let check = |path, before: &str, old: &str, new: &str| {
        check(path, before, &before.replacen(old, new, 1), "syntax-errors");
    };
    check("u.js", JS, "  return 1;", "  ret 1;\n  ...");
    check("u.js", JS, "  return 3;\n}\n\nmodule.exports = { one, two, three };\n", "  ret\n");
    check("u.js", JS, TWO, "function two() { ... }");
    check("b.py", PY, "\"Hello \"", "“Hello ”");
    check("b.py", PY, "    return 2\n", "return 2\nUse caution\n");
    check("t.ts", "let f = (x: number) => x > 1 && x;\nlet g = 1;\n", "=> x", "=&gt; x");
    check("d.json", "{\n  \"a\": 1,\n  \"b\": 2\n}\n", "\"a\": 1,", "\"a\": 1");
}

#[test]
fn a_file_with_errors_may_keep_them() {
    check(
        "u.js",
        "function one( {\n  return 1;\n}\nlet a = 1;\n",
        "function one( {\n  return 2;\n}\nlet a = 1;\n",
        "",
    );
    check("a.txt", "one (\ntwo\n", "one (((\ntwo\n", "");
    check("a.py", "one\n", "one or two words\n", "");
}

#[test]
fn a_comment_in_the_place_of_code() {
    for comment in [
        "// 나머지 코드는 그대로",
        "// (Rest blijft hetzelfde)",
        "// two() stays as it was",
        "// ⋯",
    ] {
        check("u.js", JS, &JS.replace("return 1", "return 11").replace(TWO, comment), "leaves-out");
    }
    for comment in ["// -- snip --", "// etc.", "/* keep the rest */"] {
        let text = JS.replace("return 1", "return 11").replace(TWO, comment);
        check("u.js", JS, &text, "placeholder");
    }
    check(
        "b.py",
        PY,
        &PY.replace("return 2", "return 22").replace("import os", "# existing imports"),
        "leaves-out",
    );
    let list = "<ul>\n  <li>1</li>\n  <li>2</li>\n</ul>\n<p>a</p>\n";
    for (path, stands_in, reason) in [
        ("x.html", "  <!-- existing items -->\n", "placeholder"),
        ("x.html", "  ...\n", "leaves-out"),
        ("x.html", "  …\n", "leaves-out"),
        ("x.vue", "  <!-- existing items -->\n", "placeholder"),
        ("x.md", "<!-- items -->\n", "leaves-out"),
    ] {
        let text = list.replace("  <li>1</li>\n  <li>2</li>\n", stands_in);
        check(path, list, &text, reason);
    }
    let json = "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": 3\n}\n";
    check("d.json", json, &json.replace("  \"b\": 2,\n", "  // other keys\n"), "leaves-out");
    let jsx = "let a = (\n  <div>\n    <h1>A</h1>\n    <ul>\n      <li>1</li>\n      <li>2</li>\n    </ul>\n  </div>\n);\n";
    let list = "    <ul>\n      <li>1</li>\n      <li>2</li>\n    </ul>\n";
    let text = jsx.replace(list, "    {/* existing list */}\n").replace("<h1>A", "<h1>B");
    check("x.jsx", jsx, &text, "placeholder");
    // Beside a line that changes.
    let text = JS
        .replace(TWO, "function zwei() {}\n// as before")
        .replace("function three", "function drei");
    check("u.js", JS, &text, "");
    let text = JS.replace("}\n\nfunction two() {\n  return 2;\n}\n", "} // 1\n// as before\n");
    check("u.js", JS, &text, "leaves-out");
}

#[test]
fn comments_beside_code_that_stays() {
    check("u.js", JS, &JS.replace("  return 1;", "  // One.\n  return 1;"), "");
    check("u.js", JS, &JS.replace("  return 1;", "  // return 1;"), "");
    check("u.js", JS, &JS.replace("  return 1;", "  // Eleven.\n  return 11;"), "");
    check("u.js", JS, &JS.replace("function two", "// Was two.\nfunction zwei"), "");
    let text = JS
        .replace("  return 1;", "  // From below.\n  return 2;")
        .replace(&format!("{TWO}\n\n"), "");
    check("u.js", JS, &text, "leaves-out");
    check("u.js", JS, &text.replace("return 2;", "return 1 + 1;"), "");
    check("u.js", JS, &JS.replace(&format!("{TWO}\n\n"), ""), "");
    check("a.md", "# One\n\ntext\n", "# Two\n\ntext\n", "");
    check("a.css", "#a {\n  top: 1px;\n}\n", "#b {\n  top: 1px;\n}\n", "");
    check("a.c", "#include <a.h>\nint a;\nint b;\n", "#include <b.h>\nint a;\nint b;\n", "");
}

#[test]
fn a_text_that_keeps_nothing_or_is_a_part() {
    check("b.py", PY, "# (no changes needed)\n", "placeholder");
    check("b.py", PY, "def two():\n    return 2\n", "shrinks-file");
    check("b.py", PY, "    return 2\n", "shrinks-file");
    check("b.py", PY, "import os\n", "shrinks-file");
    check("b.py", PY, "import os\n\nfirst = 1\nsecond = 2\nthird = 3\n", "shrinks-file");
    check("VERSION", "1\n", "2\n", "");
    check("a.env", "A=1\nB=1\n", "A=2\nB=2\n", "");
    check("b.py", "def a():\n    return 1\nprint(1)\n", "def b():\n    return 1\nprint(1)\n", "");
    check("b.py", PY, &PY.replace("    return 2\n", "    return 2\n\n"), "");
}
