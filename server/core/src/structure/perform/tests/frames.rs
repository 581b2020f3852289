//! That an edit leaves the tree around it as it was, where no syntax is an error.

use super::*;
use crate::structure::perform::insertion::Side::{After, Before};

/// The types of the warnings that a request about `a.py` gives in a file of another name.
#[track_caller]
fn told_in(path: &str, before: &str, request: Request) -> Vec<&'static str> {
    let request = about(path, request);
    let (_, done) = done(&[(path, before)], &request).expect("it can be done");
    done.warnings.iter().map(|it| it.kind.as_str()).collect()
}

#[track_caller]
fn refuses(path: &str, before: &str, requests: &[Request]) {
    for request in requests {
        assert_eq!(refused_in(path, before, request.clone()), "INVALID_DESTINATION");
    }
}

#[test]
fn commands_that_are_joined_are_not_taken_apart() {
    let pipe = "ls | while read f; do\n  echo $f\ndone\nrm -rf /x\n";
    assert_eq!(told_in("a.sh", pipe, delete("while read f")), ["SYNTAX_BROKEN"]);
    refuses("a.sh", pipe, &[move_to("while read f", After, "a.py")]);
    refuses("a.sh", pipe, &[insert(Before, "while read f", "y=1")]);
    refuses("a.sh", pipe, &[insert(After, "while read f", "y=1")]);
    let list = "test -f x && if a; then\n  b\nfi\nrm x\n";
    assert_eq!(told_in("a.sh", list, delete("if a")), ["SYNTAX_BROKEN"]);
    refuses("a.sh", list, &[move_to("if a", After, "a.py"), insert(Before, "if a", "y=1")]);
    let values = "x=1\nb=$(git x) ||\nc=$(git y) || exit 1\n";
    refuses("a.sh", values, &[insert(Before, "c", "z=1"), insert(After, "b", "z=1")]);
    let commented = "x=1\n# about\nb=$(git x) || exit 1\n";
    refuses("a.sh", commented, &[insert(Before, "b", "z=1")]);
    let alone = "x=1\nwhile read f; do\n  echo $f\ndone < in\nrm x\n";
    check_in("a.sh", alone, delete("while read f"), "x=1\nrm x\n");
}

#[test]
fn a_value_of_a_statement_is_not_beside_anything() {
    let text = "fn f() {\n    let x = match a { _ => 1 };\n    g(x);\n}\n";
    assert_eq!(told_in("a.rs", text, delete("match a")), ["SYNTAX_BROKEN"]);
    refuses("a.rs", text, &[move_to("match a", After, "a.py"), insert(Before, "match a", "h();")]);
    refuses("a.rs", text, &[insert(After, "match a", "h();")]);
    let text = "fn f() {\n    let x = if a { 1 } else { 2 };\n    g(x);\n}\n";
    assert_eq!(told_in("a.rs", text, delete("if a")), ["SYNTAX_BROKEN"]);
    let text = "fn f() {\n    if a {\n        b();\n    }\n\n    if c {\n        d();\n    }\n}\n";
    let first = "fn f() {\n    if a {\n        b();\n    }\n}\n";
    check_in("a.rs", text, delete("if c"), first);
    let text = "def f():\n    g = lambda x: x + 1\n    h(g)\n";
    assert_eq!(told_in("a.py", text, delete("lambda x")), ["SYNTAX_BROKEN"]);
    for text in ["def f():\n    return lambda y: y.z\n", "x = a if b else (lambda: 1)\n"] {
        assert_eq!(told_in("a.py", text, delete("lambda")), ["SYNTAX_BROKEN"], "{text}");
    }
    let text = "function f() {\n  return function (x) {\n    a(x);\n  };\n}\n";
    refuses("a.js", text, &[insert(After, "function (x)", "function (y) {\n  b(y);\n}")]);
    assert_eq!(told_in("a.js", text, delete("function (x)")), ["SYNTAX_BROKEN"]);
    let text = "(function() {\n    a();\n})()\n";
    assert_eq!(told_in("a.js", text, delete("function()")), ["SYNTAX_BROKEN"]);
    refuses("a.js", text, &[move_to("function()", After, "a.py")]);
    check("f(lambda: 1, 2)\n", delete("lambda"), "f(2)\n");
}

#[test]
fn a_value_leaves_no_empty_body() {
    for (path, line, target) in [
        ("a.java", "Runnable t = () -> { run(); };", "() ->"),
        ("a.java", "Runnable t = new Runnable() { void run() {} };", "new Runnable()"),
        ("a.java", "int r = switch (o) { case 1 -> 2; default -> 3; };", "switch (o)"),
        ("a.cs", "Func<int, int> g = x => { return x; };", "x =>"),
        ("a.cs", "var s = n switch { 1 => 2, _ => 3 };", "n switch"),
        ("a.cpp", "auto f = [this](int x) { return x; };", "[this](int x)"),
    ] {
        let text =
            format!("class A {{\n    void m() {{\n        {line}\n        q();\n    }}\n}}\n");
        assert_eq!(told_in(path, &text, delete(target)), ["SYNTAX_BROKEN"], "{line}");
    }
}

#[test]
fn a_try_needs_what_catches() {
    let text = "def f():\n    try:\n        x()\n    except E:\n        y()\n    return 1\n";
    assert_eq!(told_in("a.py", text, delete("except E")), ["SYNTAX_BROKEN"]);
    let text = "try:\n    x()\nexcept E:\n    y()\nfinally:\n    z()\n";
    check(text, delete("except E"), "try:\n    x()\nfinally:\n    z()\n");
    let text = "try {\n  x();\n} catch (e) {\n  y();\n}\n";
    assert_eq!(told_in("a.js", text, delete("catch")), ["SYNTAX_BROKEN"]);
    assert_eq!(told_in("a.tsx", text, delete("catch")), ["SYNTAX_BROKEN"]);
    let text = "class A {\n    void M() {\n        try { X(); } catch { Y(); }\n    }\n}\n";
    assert_eq!(told_in("a.cs", text, delete("catch")), ["SYNTAX_BROKEN"]);
}

#[test]
fn what_moves_stays_what_it_was() {
    let object =
        "const o = {\n  get: () => 1,\n  put: function () { return 2; },\n};\n\nfunction g() {}\n";
    refuses(
        "a.js",
        object,
        &[
            move_to("get", After, "a.py"),
            move_to("put", After, "a.py"),
            move_to("get", After, "b.js"),
            move_beside("get", Before, "a.py", "g"),
        ],
    );
    let branch = "f() {\n  x\n}\nif a; then\n  b\nelse\n  if c; then\n    d\n  fi\nfi\n";
    refuses("a.sh", branch, &[move_beside("else", Before, "a.py", "f")]);
    let branch = "int add(int a) {\n    int b = 1;\n    if (a)\n        b = 2;\n    else\n        b = 3;\n    return b;\n}\n";
    refuses("a.c", branch, &[move_to("else", After, "a.py")]);
    let branch = "class A {\n    void f() {\n        if (a) { b(); } else { c(); }\n    }\n}\n";
    refuses("a.java", branch, &[move_beside("else", After, "a.py", "f")]);
    let class = "class A {\n  f() {\n    if (a) {\n      b();\n    }\n    c();\n  }\n}\n";
    refuses("a.ts", class, &[move_beside("if (a)", After, "a.py", "f")]);
    refuses("a.ts", class, &[insert(After, "f", "if (a) {\n  b();\n}")]);
    let groups = "package p\n\ntype (\n\tOther int\n\tMore int\n)\n\nvar (\n\ta = 1\n\tb = 2\n)\n";
    refuses("a.go", groups, &[move_beside("Other", Before, "a.py", "b")]);
    let table = "return {\n  cmd = { \"x\" },\n  root = function() return 1 end,\n}\n";
    refuses("a.lua", table, &[move_to("cmd", Before, "a.py"), move_to("root", Before, "a.py")]);
}

#[test]
fn arms_are_alike_wherever_they_are() {
    let case = |arms: &[&str]| format!("case $1 in\n{}esac\n", arms.concat());
    let help = "  -h|--help) one ;;\n";
    let version = "  -v) two ;;\n";
    let file = "  *.c) three ;;\n";
    let number = "  1|2) four ;;\n";
    let rest = "  *) five ;;\n";
    let all = case(&[help, version, file, number, rest]);
    check_in("a.sh", &all, delete("-h|--help)"), &case(&[version, file, number, rest]));
    let moved = move_beside("-h|--help)", After, "a.py", "-v)");
    check_in("a.sh", &all, moved, &case(&[version, help, file, number, rest]));
    let moved = move_beside("*.c)", Before, "a.py", "-h|--help)");
    check_in("a.sh", &all, moved, &case(&[file, help, version, number, rest]));
    let moved = move_beside("1|2)", Before, "a.py", "-h|--help)");
    check_in("a.sh", &all, moved, &case(&[number, help, version, file, rest]));
    let insert = insert(Before, "-h|--help)", "-q) quiet ;;");
    let after = case(&["  -q) quiet ;;\n", help, version, file, number, rest]);
    check_in("a.sh", &all, insert, &after);
}

#[test]
fn an_arm_before_others_has_its_end() {
    let case = |arms: &[&str]| format!("case $1 in\n{}esac\n", arms.concat());
    let open = case(&["  a) one ;;\n", "  b) two ;;\n", "  c) three\n"]);
    let more = case(&["  a) one ;;\n", "  b) two ;;\n", "  c) three ;;\n", "  d) four ;;\n"]);
    check_in("a.sh", &open, insert(After, "c)", "d) four ;;"), &more);
    let more = case(&["  a) one ;;\n", "  b) two ;;\n", "  c) three ;;\n", "  d) four\n"]);
    check_in("a.sh", &open, insert(After, "c)", "d) four"), &more);
    let more = case(&["  a) one ;;\n", "  b) two ;;\n", "  d) four ;;\n", "  c) three\n"]);
    for content in ["d) four ;;", "d) four"] {
        check_in("a.sh", &open, insert(Before, "c)", content), &more);
        check_in("a.sh", &open, insert(After, "b)", content), &more);
    }
    let moved = case(&["  b) two ;;\n", "  c) three ;;\n", "  a) one ;;\n"]);
    check_in("a.sh", &open, move_beside("a)", After, "a.py", "c)"), &moved);
    let moved = case(&["  c) three ;;\n", "  a) one ;;\n", "  b) two ;;\n"]);
    check_in("a.sh", &open, move_beside("c)", Before, "a.py", "a)"), &moved);
    let noted = case(&["  a) one ;;\n", "  c) three # note\n"]);
    let more = case(&["  a) one ;;\n", "  c) three ;; # note\n", "  d) four ;;\n"]);
    check_in("a.sh", &noted, insert(After, "c)", "d) four ;;"), &more);
    let moved = case(&["  c) three ;; # note\n", "  a) one ;;\n"]);
    check_in("a.sh", &noted, move_beside("c)", Before, "a.py", "a)"), &moved);
    let falls = case(&["  a) one ;&\n", "  b) two\n    ;;\n"]);
    let more = case(&["  a) one ;&\n", "  c) three ;&\n", "  b) two\n    ;;\n"]);
    check_in("a.sh", &falls, insert(After, "a)", "c) three ;&"), &more);
}

#[test]
fn a_constant_is_not_taken_from_those_that_have_its_value() {
    let group = "package p\n\nconst (\n\tA = iota\n\t// more\n\tB\n\tC = 5\n\tD = 6\n)\n";
    assert_eq!(told_in("a.go", group, delete("A")), ["SYNTAX_BROKEN"]);
    refuses("a.go", group, &[move_beside("A", After, "a.py", "D")]);
    let without = "package p\n\nconst (\n\tA = iota\n\tC = 5\n\tD = 6\n)\n";
    check_in("a.go", group, delete("B"), without);
    check_in("a.go", without, delete("C"), "package p\n\nconst (\n\tA = iota\n\tD = 6\n)\n");
}

#[test]
fn a_declarator_goes_to_no_other_declaration() {
    let class = "class A {\n    public static final int A = 1, B = 2;\n    int x, y = 3;\n}\n";
    refuses("a.java", class, &[move_beside("B", After, "a.py", "x")]);
    refuses("a.java", class, &[move_beside("B", After, "a.py", "y")]);
    refuses("a.java", class, &[move_beside("y", Before, "a.py", "B")]);
    for declarations in
        ["const a = 1, b = 2; let c = 3, d = 4;\n", "export let a, b = 2; let c, d;\n"]
    {
        for path in ["a.js", "a.ts"] {
            refuses(path, declarations, &[move_beside("b", After, "a.py", "c")]);
            refuses(path, declarations, &[move_beside("d", After, "a.py", "a")]);
        }
    }
    let class = "<?php\nclass A {\n    public $a = 1, $b = 2;\n    private $c, $d;\n}\n";
    refuses("a.php", class, &[move_beside("$b", After, "a.py", "$c")]);
    check_in(
        "a.js",
        "let a = 1, b = 2; let c = 3, d;\n",
        move_beside("b", After, "a.py", "c"),
        "let a = 1; let c = 3, b = 2, d;\n",
    );
    check_in(
        "a.js",
        "let a = 1, b = 2;\n",
        move_beside("b", Before, "a.py", "a"),
        "let b = 2, a = 1;\n",
    );
}

#[test]
fn a_member_goes_to_another_list_in_brackets() {
    let objects = "const o = {\n  a,\n  get: () => 1,\n};\nconst p = {\n  put: () => 2,\n  set: () => 3,\n};\n";
    let after = "const o = {\n  a,\n};\nconst p = {\n  put: () => 2,\n  get: () => 1,\n  set: () => 3,\n};\n";
    check_in("a.js", objects, move_beside("get", After, "a.py", "put"), after);
}

#[test]
fn tables_stay_with_their_element() {
    let text = "[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n\n[bin.opts]\nx = 1\n\n[[bin]]\nname = \"c\"\n";
    assert_eq!(told_in("a.toml", text, delete("bin [2]")), ["SYNTAX_BROKEN"]);
    refuses(
        "a.toml",
        text,
        &[
            move_beside("bin [2]", Before, "a.py", "bin [1]"),
            move_to("bin [2]", After, "a.py"),
            insert(After, "bin [2]", "[[bin]]\nname = \"n\""),
            insert(Before, "bin.opts", "[[bin]]\nname = \"n\""),
            move_beside("bin [3]", After, "a.py", "bin [2]"),
            move_to("bin.opts", After, "a.py"),
        ],
    );
    let more = text.replace("\n[[bin]]\nname = \"c\"\n", "");
    check_in("a.toml", text, delete("bin [3]"), &more);
    let text = "[[bin]]\nname = \"a\"\n\n[[bin]]\nname = \"b\"\n\n[lib]\nx = 1\n";
    check_in("a.toml", text, delete("bin [1]"), "[[bin]]\nname = \"b\"\n\n[lib]\nx = 1\n");
}

#[test]
fn a_section_takes_in_nothing_besides() {
    let text = "# A\n\n## B\n\nb\n\n## C\n\nc\n\n# D\n\nd\n";
    refuses(
        "a.md",
        text,
        &[
            move_beside("D", After, "a.py", "B"),
            insert(After, "B", "# N\n\nn"),
            insert(After, "b", "# X"),
        ],
    );
    assert_eq!(told_in("a.md", text, replace("B", "# N\n\nn")), ["SYNTAX_BROKEN"]);
    check_in("a.md", text, replace("B", "## N\n\nn"), &text.replace("## B\n\nb", "## N\n\nn"));
    let moved = "# A\n\n## C\n\nc\n\n## B\n\nb\n\n# D\n\nd\n";
    check_in("a.md", text, move_beside("C", Before, "a.py", "B"), moved);
    check_in(
        "a.md",
        text,
        move_to("D", Before, "a.py"),
        "# D\n\nd\n\n# A\n\n## B\n\nb\n\n## C\n\nc\n",
    );
}

#[test]
fn what_stays_first_is_no_part_of_the_first_structure() {
    for (path, text) in [
        ("a.sh", "#!/bin/sh\n# about a\na=1\n"),
        ("a.py", "#!/usr/bin/env python3\n\n# about a\na = 1\n"),
        ("a.rb", "#!/usr/bin/env ruby\n# about a\nA = 1\n"),
        ("a.lua", "#!/usr/bin/env lua\n\n-- about a\na = 1\n"),
        ("a.js", "#!/usr/bin/env node\n// about a\nlet a = 1;\n"),
        ("a.yaml", "# -*- coding: utf-8 -*-\n# about a\na: 1\n"),
        ("a.rs", "#![allow(x)]\n// about a\nfn a() {}\n"),
        ("a.py", "# -*- coding: utf-8 -*-\n# about a\na = 1\n"),
    ] {
        let name = if path == "a.rb" { "A" } else { "a" };
        check_in(path, text, move_to(name, Before, "a.py"), text);
        if path == "a.rs" {
            continue;
        }
        let (other, line) = match path {
            "a.sh" => ("b", "b=2\n"),
            "a.rb" => ("B", "B = 2\n"),
            "a.js" => ("b", "let b = 2;\n"),
            "a.yaml" => ("b", "b: 2\n"),
            _ => ("b", "b = 2\n"),
        };
        let both = format!("{text}{line}");
        let split = text.find("//").or(text.find("-- about")).or(text.find("# about")).unwrap_or(0);
        let (first, rest) = text.split_at(split);
        let expected = format!("{first}{line}{rest}");
        check_in(path, &both, move_to(other, Before, "a.py"), &expected);
    }
    let encoded = "# -*- coding: utf-8 -*-\n# about a\na = 1\nb = 2\n";
    check(encoded, delete("a"), "# -*- coding: utf-8 -*-\nb = 2\n");
    let after = "# -*- coding: utf-8 -*-\nb = 2\n# about a\na = 1\n";
    check(encoded, move_beside("a", After, "a.py", "b"), after);
    let licence = "#!/bin/sh\n# (c) me\n\n# about a\na=1\nb=2\n";
    let after = "#!/bin/sh\n# (c) me\n\nb=2\n# about a\na=1\n";
    check_in("a.sh", licence, move_to("b", Before, "a.py"), after);
}

#[test]
fn a_key_that_loses_its_value_is_told() {
    assert_eq!(told_in("a.yaml", "a:\n  b: 1\nc: 2\n", delete("b")), ["STRUCTURE_EMPTY"]);
    assert_eq!(told_in("a.yaml", "a:\n  - b\nc: 2\n", delete("b")), ["STRUCTURE_EMPTY"]);
    check_in("a.yaml", "a: {b: 1}\nc: 2\n", delete("b"), "a: {}\nc: 2\n");
    check_in("a.json", "{\"a\": {\"b\": 1}}\n", delete("b"), "{\"a\": {}}\n");
    check_in("a.toml", "[a]\nb = 1\n", delete("b"), "[a]\n");
}

#[test]
fn a_function_without_a_name_says_nothing_of_indentation() {
    let text = "f(\n    1,\n    lambda x: 2)\n\n\ndef g():\n    pass\n\n\nx = 1\n";
    let after = "f(\n    1,\n    lambda x: 2)\n\n\nx = 1\n\ndef g():\n    pass\n";
    check(text, move_beside("x", Before, "a.py", "g"), after);
    let text =
        "x = f(\n        lambda x: [])\n\n\ndef g():\n    return h(1,\n             lambda: 2)\n";
    check(text, replace("lambda x", "lambda x: []"), text);
}

#[test]
fn a_branch_goes_without_the_branches_behind_it() {
    for (path, head, foot) in [
        ("a.go", "package p\n\nfunc f() {\n    if a {\n        x()\n    ", "    }\n}\n"),
        ("a.js", "function f() {\n    if (a) {\n        x();\n    ", "    }\n}\n"),
        ("a.c", "void f() {\n    if (a) {\n        x();\n    ", "    }\n}\n"),
        ("a.rs", "fn f() {\n    if a {\n        x();\n    ", "    }\n}\n"),
        ("a.java", "class A { void f() {\n    if (a) {\n        x();\n    ", "    }\n} }\n"),
        ("a.cs", "class A { void f() {\n    if (a) {\n        x();\n    ", "    }\n} }\n"),
    ] {
        let branch = "} else if (b) {\n        y();\n    ";
        let more = "} else if (c) {\n        z();\n    ";
        let last = "} else {\n        w();\n";
        for rest in [last.to_owned(), format!("{more}{last}")] {
            let before = format!("{head}{branch}{rest}{foot}");
            check_in(path, &before, delete("else if (b)"), &format!("{head}{rest}{foot}"));
            let content = "else if (d) {\n    v();\n}";
            let request = about(path, insert(Before, "else if (b)", content));
            let done = done(&[(path, &before)], &request);
            assert_eq!(done.expect("it can be done").1.warnings, [], "{path}");
        }
    }
}

#[test]
fn a_comment_behind_what_has_no_end_is_no_part_of_it() {
    let text = "<head>\n  <meta id=\"a\">\n\n  <!-- Icon -->\n  <link id=\"b\">\n</head>\n";
    let (_, rest) = text.split_once("\n\n").expect("it is there");
    let after = format!("<head>\n  <meta id=\"a\">\n\n  <meta id=\"c\">\n\n{rest}");
    check_in("a.html", text, insert(After, "a", "<meta id=\"c\">"), &after);
}

#[test]
fn blank_lines_that_are_a_value_stay() {
    let text = "b: 1\na: |+\n  text\n\n\nc: 2\n";
    assert_eq!(told_in("a.yaml", text, delete("c")), ["SYNTAX_BROKEN"]);
    refuses(
        "a.yaml",
        text,
        &[
            move_to("c", Before, "a.py"),
            insert(After, "a", "z: 1"),
            move_beside("a", Before, "a.py", "b"),
        ],
    );
    check_in("a.yaml", text, delete("b"), "a: |+\n  text\n\n\nc: 2\n");
    let plain = "b: 1\na: |\n  text\n\n\nc: 2\n";
    check_in("a.yaml", plain, insert(After, "a", "z: 1"), "b: 1\na: |\n  text\nz: 1\n\n\nc: 2\n");
}

#[test]
fn a_statement_without_anything_is_a_separator() {
    let text = "void f() {\n    if (a) {\n        b();\n    };\n    c();\n}\n";
    check_in("a.c", text, delete("if (a)"), "void f() {\n    ;\n    c();\n}\n");
}

#[test]
fn a_name_keeps_its_value() {
    let text = "a: &x\n  b: 1\nd: &y 2\nc: *x\n";
    assert_eq!(told_in("a.yaml", text, delete("a")), ["SYNTAX_BROKEN"]);
    assert_eq!(told_in("a.yaml", text, replace("a", "a: 1")), ["SYNTAX_BROKEN"]);
    refuses("a.yaml", text, &[move_to("a", After, "a.py")]);
    check_in("a.yaml", text, delete("d"), "a: &x\n  b: 1\nc: *x\n");
    check_in("a.yaml", text, replace("a", "a: &x 1"), "a: &x 1\nd: &y 2\nc: *x\n");
}
