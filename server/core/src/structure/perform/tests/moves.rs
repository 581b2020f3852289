//! The operations that move a structure.

use serde_json::json;

use super::*;
use crate::structure::perform::insertion::Side::{After, Before};

const THREE: &str = "def a(): pass\n\n\ndef b():\n    pass\n\n\ndef c(): pass\n";

fn check_both(a: &str, b: &str, request: &Request, expected: [&str; 2]) {
    let (snapshot, done) = done(&[("a.py", a), ("b.py", b)], request).expect("it can be done");
    assert_eq!(done.warnings, [], "{request:?}");
    assert_eq!([text(&snapshot, "a.py"), text(&snapshot, "b.py")], expected, "{request:?}");
}

#[test]
fn within_a_file() {
    check(
        THREE,
        move_beside("a", After, "a.py", "b"),
        "def b():\n    pass\n\n\ndef a(): pass\n\n\ndef c(): pass\n",
    );
    check(
        THREE,
        move_beside("c", Before, "a.py", "a"),
        "def c(): pass\n\n\ndef a(): pass\n\n\ndef b():\n    pass\n",
    );
    check(
        THREE,
        move_to("b", Before, "a.py"),
        "def b():\n    pass\n\n\ndef a(): pass\n\n\ndef c(): pass\n",
    );
    check(
        THREE,
        move_to("a", After, "a.py"),
        "def b():\n    pass\n\n\ndef c(): pass\n\n\ndef a(): pass\n",
    );
    let lines =
        json!({"source_original_line_range": [1, 1], "destination_final_line_range": [5, 5]});
    assert_eq!(result(THREE, &move_beside("a", After, "a.py", "b")), lines);
    let lines =
        json!({"source_original_line_range": [8, 8], "destination_final_line_range": [1, 1]});
    assert_eq!(result(THREE, &move_to("c", Before, "a.py")), lines);
}

#[test]
fn to_where_it_is_changes_nothing() {
    for request in [
        move_beside("b", After, "a.py", "a"),
        move_beside("b", Before, "a.py", "c"),
        move_beside("a", Before, "a.py", "b"),
        move_beside("c", After, "a.py", "b"),
        move_to("a", Before, "a.py"),
        move_to("c", After, "a.py"),
    ] {
        check(THREE, request.clone(), THREE);
        let (_, done) = done(&[("a.py", THREE)], &request).expect("it can be done");
        assert!(done.changes.is_empty());
    }
}

#[test]
fn to_another_depth() {
    let before = "class A:\n    def f(self):\n        s = '''\nraw\n'''\n        # why\n# left\n        return s\n\n    def g(self): pass\n\n\ndef h(): pass\n";
    check(
        before,
        move_beside("f", After, "a.py", "h"),
        "class A:\n    def g(self): pass\n\n\ndef h(): pass\n\ndef f(self):\n    s = '''\nraw\n'''\n    # why\n# left\n    return s\n",
    );
    check(
        "class A:\n    x = 1\n\n    def g(self): pass\n\n\ndef h(): pass\n",
        move_beside("h", Before, "a.py", "g"),
        "class A:\n    x = 1\n\n    def h(): pass\n\n    def g(self): pass\n",
    );
}

#[test]
fn the_only_code_of_a_block_may_go() {
    let before = "class A:\n    def f(self): pass\n\n\nx = 1\n";
    let request = move_beside("f", After, "a.py", "A");
    let (snapshot, moved) = done(&[("a.py", before)], &request).expect("it can be done");
    assert_eq!(text(&snapshot, "a.py"), "class A:\n\ndef f(self): pass\n\n\nx = 1\n");
    let kinds: Vec<&str> = moved.warnings.iter().map(|warning| warning.kind.as_str()).collect();
    assert_eq!(kinds, ["STRUCTURE_EMPTY"]);
}

#[test]
fn statements_and_members_take_their_separators() {
    check("a = 1; b = 2; c = 3\n", move_beside("a", After, "a.py", "c"), "b = 2; c = 3; a = 1\n");
    check("a = 1; b = 2\n", move_beside("b", Before, "a.py", "a"), "b = 2; a = 1\n");
    check(
        "f(lambda: 1, lambda x: 2)\n",
        move_beside("lambda x", Before, "a.py", "lambda [1]"),
        "f(lambda x: 2, lambda: 1)\n",
    );
    check(
        "f(\n    lambda: 1,  # one\n    lambda x: 2  # two\n)\n",
        move_beside("lambda x", Before, "a.py", "lambda [1]"),
        "f(\n    lambda x: 2,  # two\n    lambda: 1  # one\n)\n",
    );
    check(
        "f(\n    lambda: 1,  # one\n    lambda x: 2,  # two\n)\n",
        move_beside("lambda [1]", After, "a.py", "lambda x"),
        "f(\n    lambda x: 2,  # two\n    lambda: 1,  # one\n)\n",
    );
}

#[test]
fn to_another_file() {
    check_both(
        "class A:\n    def f(self):\n        pass\n\n    def g(self): pass\n",
        "class B:\n\tdef a(self):\n\t\tpass\n\n\tdef b(self): pass\n",
        &move_beside("f", After, "b.py", "a"),
        [
            "class A:\n    def g(self): pass\n",
            "class B:\n\tdef a(self):\n\t\tpass\n\n\tdef f(self):\n\t\tpass\n\n\tdef b(self): pass\n",
        ],
    );
    check_both(
        "def a():\n    pass\n\n\ndef b(): pass\n",
        "\"\"\"Doc.\"\"\"\r\nimport os\r\n",
        &move_to("a", Before, "b.py"),
        ["def b(): pass\n", "\"\"\"Doc.\"\"\"\r\n\r\ndef a():\r\n    pass\r\n\r\nimport os\r\n"],
    );
    check_both(
        "def a(): pass\n",
        "x = 1",
        &move_to("a", After, "b.py"),
        ["", "x = 1\n\ndef a(): pass"],
    );
}

#[test]
fn to_a_file_that_is_made() {
    let request = move_to("f", After, "new/b.py");
    let before = "class A:\r\n    def f(self):\r\n        pass\r\n\r\n    x = 1\r\n";
    let (snapshot, done) = done(&[("a.py", before)], &request).expect("it can be done");
    assert_eq!(text(&snapshot, "new/b.py"), "def f(self):\r\n    pass\r\n");
    assert_eq!(text(&snapshot, "a.py"), "class A:\r\n    x = 1\r\n");
    assert_eq!(json!(done.output)["destination_final_line_range"], json!([1, 2]));
    assert_eq!(done.targets.len(), 2);
}

#[test]
fn only_where_it_can_be() {
    let code = |request: &Request| {
        let files = [
            ("a.py", "class A:\n    def f(self): pass\n"),
            ("b.rs", "fn b() {}\n"),
            ("c.py", "def c(: pass\n"),
        ];
        done(&files, request).expect_err("it cannot be done").code.as_str()
    };
    assert_eq!(code(&move_beside("A", After, "a.py", "f")), "INVALID_DESTINATION");
    assert_eq!(code(&move_beside("A", After, "a.py", "A")), "INVALID_DESTINATION");
    assert_eq!(code(&move_beside("", After, "a.py", "A")), "INVALID_DESTINATION");
    assert_eq!(code(&move_beside("f", After, "b.rs", "b")), "LANGUAGE_MISMATCH");
    assert_eq!(code(&move_to("f", After, "b.rs")), "LANGUAGE_MISMATCH");
    assert_eq!(code(&move_to("f", After, "new.rs")), "LANGUAGE_MISMATCH");
    assert_eq!(code(&move_to("f", After, "new.xyz")), "LANGUAGE_UNSUPPORTED");
    assert_eq!(code(&move_beside("f", After, "d.py", "d")), "FILE_NOT_FOUND");
    assert_eq!(code(&move_to("f", After, "../d.py")), "PATH_OUTSIDE_WORKSPACE");
}

#[test]
fn a_move_that_would_break_the_syntax_is_refused() {
    let before = "if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\n";
    let request = move_beside("else", Before, "a.py", "elif b");
    assert_eq!(refused_in("a.py", before, request), "INVALID_DESTINATION");
}

#[track_caller]
fn cannot_hold(path: &str, before: &str, requests: &[Request]) {
    for request in requests {
        assert_eq!(refused_in(path, before, request.clone()), "INVALID_DESTINATION");
    }
}

#[test]
fn nothing_goes_into_what_cannot_hold_it() {
    for item in ["type T = { x: 1 };", "function g() {}", "interface J {}", "enum E { A }"] {
        let text = format!("interface I {{\n  a: string;\n  b: number;\n}}\n\nexport {item}\n");
        let name = item.split([' ', '(']).nth(1).unwrap_or_default();
        cannot_hold("a.ts", &text, &[move_beside(name, After, "a.py", "a")]);
        let text = text.replace("interface I {", "type I = {");
        cannot_hold("a.ts", &text, &[move_beside(name, Before, "a.py", "a")]);
        let content = format!("export {item}");
        cannot_hold("a.tsx", &text, &[insert(After, "a", &content)]);
    }
    let text = "namespace N {\n  export type A = 1;\n}\n\nexport type T = 2;\n";
    let after = "namespace N {\n  export type A = 1;\n\n  export type T = 2;\n}\n";
    check_in("a.ts", text, move_beside("T", After, "a.py", "A"), after);
    let member = "impl S {\n    fn f() {\n        if a {\n            b();\n        }\n        c();\n    }\n}\n";
    for item in ["struct T(u8);", "impl T {\n    fn x() {}\n}", "mod m;"] {
        let name = item.split(['(', '{', ';']).next().unwrap_or_default();
        let text = format!("{member}\n{item}\n");
        cannot_hold("a.rs", &text, &[move_beside(name, After, "a.py", "f")]);
    }
    let text = format!("fn g() {{}}\n\n{member}");
    let edges = [move_to("if a", After, "a.py"), move_to("if a", Before, "a.py")];
    cannot_hold("a.rs", &text, &edges);
    cannot_hold("a.rs", &text, &[move_beside("if a", After, "a.py", "g")]);
    cannot_hold("a.rs", &text, &[move_to("if a", After, "b.rs")]);
    // A file that is only a part of one holds it already.
    let text = "if a {\n    b();\n}\n";
    let after = "if a {\n    b();\n}\n\nif c {\n    d();\n}\n";
    check_in("a.rs", text, insert(After, "if a", "if c {\n    d();\n}"), after);
    let text = ":root {\n  --bg: red;\n  --fg: blue;\n}\n\nmain {\n  color: red;\n}\n";
    let edges = [move_beside("--bg", Before, "a.py", "main"), move_to("--bg", Before, "a.py")];
    cannot_hold("a.css", text, &edges);
}

#[test]
fn an_alias_stands_for_the_same_value_where_it_goes() {
    let text = "x: &e\n  A: 1\nbuild:\n  env:\n    <<: *e\nlast: 1\n";
    cannot_hold("a.yaml", text, &[move_to("build", Before, "a.py")]);
    let after = "x: &e\n  A: 1\nlast: 1\nbuild:\n  env:\n    <<: *e\n";
    check_in("a.yaml", text, move_to("build", After, "a.py"), after);
    let again = "x: &e 1\nb: *e\ny: &e 2\nc: *e\nd: 3\n";
    cannot_hold("a.yaml", again, &[move_beside("b", After, "a.py", "y")]);
    let documents = "a: &e 1\nb: *e\nq: 1\n---\nc: &e 2\nd: 3\n";
    cannot_hold("a.yaml", documents, &[move_beside("b", After, "a.py", "d")]);
    let own = "x: 1\nb:\n  c: &e 1\n  d: *e\n";
    let after = "b:\n  c: &e 1\n  d: *e\nx: 1\n";
    check_in("a.yaml", own, move_to("b", Before, "a.py"), after);
    for other in ["q: 1\n", "q: &e 2\n"] {
        let request = about("a.yaml", move_beside("build", After, "b.yaml", "q"));
        let refused = done(&[("a.yaml", text), ("b.yaml", other)], &request);
        assert_eq!(refused.expect_err(other).code.as_str(), "INVALID_DESTINATION");
    }
    cannot_hold("a.yaml", text, &[move_to("build", After, "c.yaml")]);
}

#[test]
fn a_key_stays_in_its_document_at_the_start_and_the_end() {
    for above in ["---\n", "# about\n---\n", "# about\n\n%YAML 1.2\n---\n", "--- # first\n"] {
        let before = &format!("{above}a: 1\nb: 2\n");
        let after = &format!("{above}b: 2\na: 1\n");
        check_in("a.yaml", before, move_to("b", Before, "a.py"), after);
        check_in("a.yaml", before, move_to("a", After, "a.py"), after);
        check_in("a.yaml", after, move_to("b", Before, "a.py"), after);
    }
    for below in ["...\n", "...\n# end\n", "..."] {
        let before = &format!("a: 1\nb: 2\n{below}");
        let after = &format!("b: 2\na: 1\n{below}");
        check_in("a.yaml", before, move_to("a", After, "a.py"), after);
        check_in("a.yaml", after, move_to("a", After, "a.py"), after);
    }
    let closed = "---\na: 1\n...\n---\nb: 2\nc: 3\n";
    let after = "---\na: 1\n...\n---\nc: 3\nb: 2\n";
    check_in("a.yaml", closed, move_to("b", After, "a.py"), after);
}

#[test]
fn comments_of_the_whole_file_stay_first() {
    for (path, above) in [
        ("a.rb", "# frozen_string_literal: true\n"),
        ("a.rb", "# typed: strict\n# frozen_string_literal: true\n"),
        ("a.rb", "# -*- coding: utf-8 -*-\n# frozen_string_literal: true\n"),
        ("a.rb", "#!/usr/bin/env ruby\n# frozen_string_literal: true\n"),
        ("a.js", "// @flow strict\n"),
        ("a.js", "#!/usr/bin/env node\n/* eslint-disable no-var, semi */\n"),
        ("a.js", "/**\n * Copyright\n * @flow\n */\n"),
        ("a.ts", "// @ts-nocheck\n/* eslint-disable */\n"),
        ("a.tsx", "/** @jsxImportSource preact */\n"),
    ] {
        let (a, b) = match path {
            "a.rb" => ("A = 1\n", "B = 2\n"),
            _ => ("const A = 1;\n", "const B = 2;\n"),
        };
        for gap in ["", "\n"] {
            let before = &format!("{above}{gap}{a}{b}");
            check_in(path, before, delete("A"), &format!("{above}{gap}{b}"));
            check_in(path, before, move_to("B", Before, "a.py"), &format!("{above}{gap}{b}{a}"));
        }
        let noted =
            &format!("{above}{}{a}{b}", if path == "a.rb" { "# One.\n" } else { "// One.\n" });
        check_in(path, noted, delete("A"), &format!("{above}{b}"));
    }
    let line = "// eslint-disable-next-line no-var\nvar a = 1;\nvar b = 2;\n";
    check_in("a.js", line, delete("a"), "var b = 2;\n");
}

#[test]
fn a_comment_after_a_form_feed_stays_on_its_line() {
    let text = "def f(): pass\u{c}# é\nb = 2\n";
    check(text, move_beside("b", After, "a.py", "f"), text);
}

#[test]
fn a_comment_of_something_else_does_not_go() {
    // Once it is below what moves, and above where that was, it would be that one's.
    let text = "def f():a = 1\r# é\n\tb = 2";
    let code = refused_in("a.py", text, move_beside("b", After, "a.py", "f"));
    assert_eq!(code, "INVALID_DESTINATION");
}
