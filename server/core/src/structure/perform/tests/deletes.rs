//! `delete_structure`.

use serde_json::json;

use super::*;

#[test]
fn the_larger_gap_stays() {
    let before = "def a(): pass\n\ndef b(): pass\n\n\ndef c(): pass\n";
    check(before, delete("b"), "def a(): pass\n\n\ndef c(): pass\n");
    check(before, delete("a"), "def b(): pass\n\n\ndef c(): pass\n");
    check(before, delete("c"), "def a(): pass\n\ndef b(): pass\n");
    let lines = json!({"deleted_line_range_inclusive": [3, 3]});
    assert_eq!(result(before, &delete("b")), lines);
}

#[test]
fn no_gap_stays_at_the_edge_of_a_block() {
    let before = "class A:\n    def a(self): pass\n\n    def b(self): pass\n\n\nx = 1\n";
    check(before, delete("a"), "class A:\n    def b(self): pass\n\n\nx = 1\n");
    check(before, delete("b"), "class A:\n    def a(self): pass\n\n\nx = 1\n");
    let nested = "if x:\n    def a(): pass\n\n    def b(): pass\nelse:\n    pass\n";
    check(nested, delete("b"), "if x:\n    def a(): pass\nelse:\n    pass\n");
}

#[test]
fn a_missing_final_newline_stays_missing() {
    check("def a(): pass\n\ndef b(): pass", delete("b"), "def a(): pass");
    check("def a(): pass\r\n\r\ndef b(): pass", delete("b"), "def a(): pass");
    check("def a(): pass\n\ndef b(): pass", delete("a"), "def b(): pass");
    check("def a(): pass", delete("a"), "");
    check("def a(): pass\n", delete("a"), "");
}

#[test]
fn what_belongs_to_it_goes_too() {
    let before = "x = 1\n\n# about f\n@one\n@two(\n    3)\nasync def f():\n    pass  # end\n    # more\n# next\ny = 2\n";
    check(before, delete("f"), "x = 1\n\n# next\ny = 2\n");
}

#[test]
fn a_part_of_a_line_goes_with_its_separator() {
    check("a = 1; b = 2\n", delete("a"), "b = 2\n");
    check("a = 1; b = 2\nc = 3\n", delete("b"), "a = 1\nc = 3\n");
    check("a = 1; b = 2; c = 3\n", delete("b"), "a = 1; c = 3\n");
    check("a = 1; b = 2;\n", delete("b"), "a = 1;\n");
    check("f(1, lambda: 2)\n", delete("lambda"), "f(1)\n");
    check("f(lambda: 2, 1)\n", delete("lambda"), "f(1)\n");
    check("f(\n    1,\n    lambda: 2,\n)\n", delete("lambda"), "f(\n    1,\n)\n");
    check("f(\n    1,  # one\n    lambda: 2\n)\n", delete("lambda"), "f(\n    1  # one\n)\n");
}

#[test]
fn branches_go_alone() {
    let chain = "if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\ni()\n";
    check(chain, delete("elif b"), "if a:\n    f()\nelse:\n    h()\ni()\n");
    check(chain, delete("else"), "if a:\n    f()\nelif b:\n    g()\ni()\n");
    check(chain, delete("if a"), "i()\n");
    let tries = "try:\n    f()\nexcept A:\n    g()\nexcept B:\n    h()\nfinally:\n    i()\n";
    check(tries, delete("except A"), "try:\n    f()\nexcept B:\n    h()\nfinally:\n    i()\n");
    check(tries, delete("finally"), "try:\n    f()\nexcept A:\n    g()\nexcept B:\n    h()\n");
}

#[test]
fn a_body_without_code_is_told() {
    let empty = |before, target| {
        let warnings = warnings(before, &delete(target));
        warnings.into_iter().map(|(kind, details)| format!("{kind} {details}")).collect::<Vec<_>>()
    };
    let expected = "STRUCTURE_EMPTY {\"structure\":\"A\",\"lines\":[1,1]}";
    assert_eq!(empty("class A:\n    x = 1\n\n\ny = 2\n", "x"), [expected]);
    assert_eq!(empty("class A:\n    x = 1\n", "x"), [expected]);
    let expected = "STRUCTURE_EMPTY {\"structure\":\"A\",\"lines\":[1,1]}";
    assert_eq!(empty("class A:\n    # left\n\n    x = 1\n", "x"), [expected]);
    let nested = "class A:\n    def f(self):\n        if x:\n            pass\n    y = 2\n";
    let expected = "STRUCTURE_EMPTY {\"structure\":\"f\",\"lines\":[2,2]}";
    assert_eq!(empty(nested, "if x"), [expected]);
    assert!(empty("class A:\n    \"\"\"Doc.\"\"\"\n    x = 1\n", "x").is_empty());
}

#[test]
fn a_broken_syntax_is_told() {
    let warnings = warnings("f(key=lambda: 1)\n", &delete("lambda"));
    let kinds: Vec<&str> = warnings.iter().map(|(kind, _)| kind.as_str()).collect();
    assert_eq!(kinds, ["SYNTAX_BROKEN"]);
    assert_eq!(warnings[0].1["errors"][0]["line"], 1);
}

#[test]
fn what_is_around_may_be_empty_or_joined() {
    let suite = "describe(\"thing\", function()\n  it(\"works\", function()\n    assert(true)\n  end)\nend)\n";
    let request = about("a.lua", delete("it(\"works\""));
    let (snapshot, done) = done(&[("a.lua", suite)], &request).expect("it can be done");
    assert_eq!(text(&snapshot, "a.lua"), "describe(\"thing\", function()\nend)\n");
    assert_eq!(
        done.warnings.iter().map(|it| it.kind.as_str()).collect::<Vec<_>>(),
        ["STRUCTURE_EMPTY"]
    );
    let text = "<p>Para <b id=\"b\">bold</b> tail</p>\n";
    check_in("a.html", text, delete("b"), "<p>Para tail</p>\n");
    let text = "<p>\n  Para <b id=\"b\">bold</b> tail <i id=\"i\">more</i> end\n</p>\n";
    check_in("a.html", text, delete("b"), "<p>\n  Para tail <i id=\"i\">more</i> end\n</p>\n");
    check_in("a.html", text, delete("i"), "<p>\n  Para <b id=\"b\">bold</b> tail end\n</p>\n");
}

#[test]
fn an_empty_body_takes_the_place_of_no_statement_among_others() {
    // The module is an expression once nothing else is on its line.
    for (path, before, target, expected) in [
        ("a.ts", "namespace N {} const x = 1;\n", "x", "namespace N {}\n"),
        ("a.js", "if (x) function f() {}\ng();\n", "f", "if (x) {}\ng();\n"),
    ] {
        let (snapshot, _) =
            done(&[(path, before)], &about(path, delete(target))).expect("it can be done");
        assert_eq!(text(&snapshot, path), expected);
    }
}
