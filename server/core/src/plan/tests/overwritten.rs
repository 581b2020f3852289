//! Whole files whose text is not that of all the file, or does not parse.

use super::caution::{reasons, says};
use super::*;
use crate::plan::caution::COUNTED;

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

/// What is said of the text that takes the place of a file, after the path and the counts.
fn said(path: &str, before: &str, text: &str) -> String {
    said_of(path, before, whole_file(path, text))
}

/// The same of a text that may be a part of the file.
fn said_of_part(path: &str, before: &str, text: &str) -> String {
    let Step::WholeFile { path: name, mut file } = whole_file(path, text) else { unreachable!() };
    file.may_be_part = true;
    said_of(path, before, Step::WholeFile { path: name, file })
}

fn said_of(path: &str, before: &str, step: Step) -> String {
    let says = says(&MemorySnapshot::of([(path, before)]), step);
    says.split_once("), and ").map_or(says.clone(), |(_, what)| what.to_owned())
}

#[test]
fn a_text_of_which_no_line_stays() {
    let none = "none of its lines stays";
    assert_eq!(said("a.txt", "a\nb\nc\n", "d\ne\nf\n"), none);
    assert_eq!(said("a.txt", "a {\nb\n}\n", "c {\nd\n}\n"), none);
    assert_eq!(said("a.txt", "a\nb\nc\n", "a\ne\nf\n"), "");
    // Of two lines both may be new, where there are as many.
    assert_eq!(said("a.txt", "a\nb\n", "c\n"), none);
    assert_eq!(said("a.txt", "a\nb\n", "c\nd\n"), "");
    assert_eq!(said("a.txt", "a\nb\n", "c\nd\ne\n"), "");
    assert_eq!(said("a.txt", "a\nb\nc\nd\n", "b\nc\n"), "the new text is a part of it, 2 lines");
    let write =
        Step::Write { path: "a.txt".into(), content: "d\ne\nf\n".into(), mode: WriteMode::Replace };
    assert_eq!(said_of("a.txt", "a\nb\nc\n", write), "");
}

#[test]
fn the_lines_of_large_texts_are_not_looked_at() {
    let said = |before: usize, after: usize| {
        let before = format!("{}\nb\nc\n", "a".repeat(before - 5));
        said("a.txt", &before, &format!("{}\ne\nf\n", "d".repeat(after - 5)))
    };
    let none = "none of its lines stays";
    assert_eq!(said(2_000, 2_000), none);
    assert_eq!(said(COUNTED - 6, 6), none);
    assert_eq!(said(COUNTED - 6, 7), "");
}

#[test]
fn a_text_that_may_be_a_part_is_shorter_or_mostly_new() {
    let part = "the block does not say that this is all of it";
    let before = "a\nb\nc\nd\ne\n";
    assert_eq!(said_of_part("a.txt", before, "a\nb\nd\ne\n"), part);
    assert_eq!(said_of_part("a.txt", before, "a\nv\nw\nx\ny\n"), part);
    assert_eq!(said_of_part("a.txt", before, "a\nb\nx\nd\ne\n"), "");
    assert_eq!(said_of_part("a.txt", "a\nb\nc\nd\n", "a\nb\nx\ny\n"), "");
    assert_eq!(said("a.txt", before, "a\nb\nd\ne\n"), "");
}

#[test]
fn structures_that_are_gone() {
    let five =
        "function a() {}\nfunction b() {}\nfunction c() {}\nfunction d() {}\nfunction e() {}\n";
    let three = five.replace("function b() {}\n", "").replace("function d() {}\n", "");
    assert_eq!(said("u.js", five, &three), "`b` and 1 more structure are gone");
    let write = Step::Write { path: "u.js".into(), content: three, mode: WriteMode::Replace };
    assert_eq!(said_of("u.js", five, write), "");
    // With a line beside it that is gone.
    let before = "function a() {}\nfunction b() {}\nfunction c() {}\nrun(1);\n";
    assert_eq!(said("u.js", before, "function a() {}\nfunction c() {}\n"), "");
    // Most lines are others.
    let runs = "run(1);\nrun(2);\nrun(3);\n";
    let two = format!("function a() {{}}\nfunction b() {{}}\n{runs}");
    let goes = "function a() {}\ngo(1);\ngo(2);\ngo(3);\n";
    assert_eq!(said("u.js", &two, goes), "`b` is gone");
    let three = two.replace("run(3);", "function c() {}");
    let goes = "function a() {}\nfunction d() {}\ngo(1);\ngo(2);\n";
    assert_eq!(said("u.js", &three, goes), "`b` and 1 more structure are gone");
    let goes = "function a() {}\nfunction d() {}\nfunction e() {}\ngo(1);\ngo(2);\n";
    assert_eq!(said("u.js", &two, goes), "");
    let one = "function a() {}\nrun(1);\nrun(2);\n";
    assert_eq!(said("u.js", one, "function b() {}\ngo(1);\nrun(2);\n"), "");
    assert_eq!(
        said("u.js", &two, "function c() {}\ngo(1);\ngo(2);\nrun(3);\n"),
        "none of its structures stays, `a` among them"
    );
}

#[test]
fn code_above_the_first_structure_that_is_gone() {
    let functions = "def a():\n    x = 1\n    return x\n\ndef b():\n    return 2\n";
    let said = |above: &str, after: &str| said("b.py", &format!("{above}\n{functions}"), after);
    let imports = "import os\nimport sys\n";
    let changed = functions.replace("2", "22");
    assert_eq!(
        said(imports, &changed),
        "`import os` and all code above the first structure is gone"
    );
    // Another line is there, or one of them is elsewhere.
    let three = format!("{imports}import io\n");
    assert_eq!(said(&three, &format!("import re\n\n{changed}")), "");
    assert_eq!(said(imports, &changed.replace("    x = 1", "    import os\n    x = 1")), "");
    // Comments are no code, and what is indented is not above.
    assert_eq!(said("# About.\n# More about it.\n", &changed), "");
    assert_eq!(said("import os\n", &changed.replace("    x = 1\n", "")), "");
}

#[test]
fn a_comment_in_the_place_of_many_lines() {
    let said = |before: &str, after: &str| {
        let [before, after] = [before, after].map(|calls| {
            calls.split(' ').map(|it| format!("{it}();\n")).collect::<String>() + "last();\n"
        });
        said("u.js", &before, &after.replace("last", "// The others.\nlast"))
    };
    assert_eq!(said("a b c", "d"), "");
    let place = "`// The others.` is in the place of `a();`";
    assert_eq!(said("a b c e", "d"), place);
    assert_eq!(said("a b c d", "e f"), "");
    assert_eq!(said("a b c d e", "f g"), place);
}
