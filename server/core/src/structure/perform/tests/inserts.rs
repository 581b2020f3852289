//! `insert_before_structure` and `insert_after_structure`.

use serde_json::json;

use super::*;
use crate::structure::perform::insertion::Side::{After, Before};

const TWO: &str = "def a(): pass\n\n\ndef b(): pass\n\n\nx = 1\n";

#[test]
fn the_gap_is_the_one_of_the_neighbours() {
    let new = "def n():\n    pass\n";
    check(
        TWO,
        insert(After, "a", new),
        "def a(): pass\n\n\ndef n():\n    pass\n\n\ndef b(): pass\n\n\nx = 1\n",
    );
    check(
        TWO,
        insert(Before, "a", new),
        "def n():\n    pass\n\n\ndef a(): pass\n\n\ndef b(): pass\n\n\nx = 1\n",
    );
    assert_eq!(result(TWO, &insert(After, "a", new)), json!({"inserted_at_line": 4}));
    let lines = json!({"inserted_at_line": 4, "target_now_at_line": 8});
    assert_eq!(result(TWO, &insert(Before, "b", new)), lines);
    check("def a(): pass\n", insert(After, "a", new), "def a(): pass\n\ndef n():\n    pass\n");
    check("x = 1\ny = 2\n", insert(After, "x", "z = 3"), "x = 1\nz = 3\ny = 2\n");
    check("x = 1\n", insert(Before, "x", "z = 3"), "z = 3\nx = 1\n");
}

#[test]
fn another_kind_gets_the_gap_of_its_own_on_both_sides() {
    check(
        "x = 1\ny = 2\n\n\ndef a(): pass\n\n\ndef b(): pass\n",
        insert(After, "x", "def n(): pass"),
        "x = 1\n\n\ndef n(): pass\n\n\ny = 2\n\n\ndef a(): pass\n\n\ndef b(): pass\n",
    );
    check(
        "class A:\n    x = 1\n    y = 2\n",
        insert(After, "y", "def f(self):\n    pass"),
        "class A:\n    x = 1\n    y = 2\n\n    def f(self):\n        pass\n",
    );
}

#[test]
fn a_missing_final_newline_stays_missing() {
    check("x = 1", insert(After, "x", "y = 2\n"), "x = 1\ny = 2");
    check("x = 1", insert(Before, "x", "y = 2\n"), "y = 2\nx = 1");
    check("x = 1\r\ny = 2", insert(After, "y", "z = 3"), "x = 1\r\ny = 2\r\nz = 3");
}

#[test]
fn branches_stand_close() {
    let chain = "if a:\n    f()\nelse:\n    h()\n";
    check(
        chain,
        insert(Before, "else", "elif b:\n    g()"),
        "if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\n",
    );
    let cases = "match x:\n    case 1:\n        pass\n";
    check(
        cases,
        insert(After, "case 1", "case 2:\n    pass"),
        "match x:\n    case 1:\n        pass\n    case 2:\n        pass\n",
    );
}

#[test]
fn statements_of_a_line_stay_on_it_where_they_can() {
    check("a = 1; b = 2\n", insert(After, "a", "c = 3"), "a = 1; c = 3; b = 2\n");
    check("a = 1; b = 2\n", insert(Before, "a", "c = 3"), "c = 3; a = 1; b = 2\n");
    check("a = 1; b = 2  # two\n", insert(After, "b", "c = 3;"), "a = 1; b = 2; c = 3  # two\n");
    check("class A: x = 1\n", insert(Before, "x", "y = 2"), "class A: y = 2; x = 1\n");
}

#[test]
fn statements_of_a_line_are_parted_for_what_needs_lines() {
    let new = "def f():\n    pass";
    check("a = 1; b = 2\n", insert(After, "a", new), "a = 1\n\ndef f():\n    pass\n\nb = 2\n");
    check("a = 1; b = 2\n", insert(Before, "b", new), "a = 1\n\ndef f():\n    pass\n\nb = 2\n");
    check("a = 1; b = 2\n", insert(Before, "a", new), "def f():\n    pass\n\na = 1; b = 2\n");
    check("a = 1; b = 2\n", insert(After, "b", "def f(): pass"), "a = 1; b = 2\n\ndef f(): pass\n");
    check(
        "class A: x = 1\n",
        insert(After, "x", new),
        "class A:\n    x = 1\n\n    def f():\n        pass\n",
    );
    check(
        "class A: x = 1\n",
        insert(Before, "x", new),
        "class A:\n    def f():\n        pass\n\n    x = 1\n",
    );
    check(
        "class A: x = 1; y = 2\n",
        insert(Before, "y", new),
        "class A:\n    x = 1\n\n    def f():\n        pass\n\n    y = 2\n",
    );
}

#[test]
fn members_of_a_list_get_separators() {
    check("f(lambda: 1)\n", insert(After, "lambda", "2"), "f(lambda: 1, 2)\n");
    check("f(lambda: 1,2)\n", insert(Before, "lambda", "0,"), "f(0,lambda: 1,2)\n");
    check("f(\n    lambda: 1\n)\n", insert(After, "lambda", "2"), "f(\n    lambda: 1,\n    2\n)\n");
    check(
        "f(\n    lambda: 1,  # one\n)\n",
        insert(After, "lambda", "2  # two"),
        "f(\n    lambda: 1,  # one\n    2,  # two\n)\n",
    );
    check(
        "f(\n    lambda: 1  # one\n)\n",
        insert(After, "lambda", "2"),
        "f(\n    lambda: 1,  # one\n    2\n)\n",
    );
}

#[test]
fn beside_the_whole_file_is_its_edge() {
    let before = "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n\nimport os\n";
    check(
        before,
        insert(Before, "", "x = 1"),
        "#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\"\"\"Doc.\"\"\"\nfrom __future__ import annotations\n\nx = 1\nimport os\n",
    );
    check("x = 1\n\n", insert(After, "", "y = 2"), "x = 1\ny = 2\n\n");
    check("", insert(After, "", "y = 2"), "y = 2\n");
}

#[test]
fn an_indentation_that_does_not_fit_is_told() {
    let before = "class A:\n\tdef f(self):\n\t\treturn 1\n";
    let found = warnings(before, &replace_text("f", "\t\treturn 1", "        return 1"));
    let details = json!({"expected_indent": "\t\t", "actual_indent": "        ", "line": 3});
    assert!(found.contains(&("INDENTATION_INCONSISTENT".to_owned(), details)), "{found:?}");
    let before = "class A:\n    def f(self): pass\n\n    def g(self): pass\n";
    let found = warnings(before, &insert(After, "f", "x = 1\n  def h(self): pass"));
    assert!(found.iter().any(|(kind, _)| kind == "INDENTATION_INCONSISTENT"), "{found:?}");
}

#[test]
fn a_comment_behind_the_last_member_is_no_member() {
    let before = "f(\n    lambda: 1\n    # no more\n)\n";
    let after = "f(\n    lambda: 1,\n    2\n    # no more\n)\n";
    check(before, insert(After, "lambda", "2"), after);
    check("f(\n    1,\n    lambda: 2\n    # x\n)\n", delete("lambda"), "f(\n    1\n    # x\n)\n");
}

#[test]
fn a_heredoc_keeps_its_end_and_its_first_line_at_any_depth() {
    let before = "f() {\n    if a; then\n        b\n    fi\n}\necho done\n";
    let heredocs = [
        "cat <<EOF\nline 1\nline 2\nEOF",
        "cat <<\"EOF\" > k\nline 1\nEOF",
        "cat <<EOF | h\n  line $x\nEOF",
        "y=$(cat <<EOF\nline 1\nEOF\n)",
        "cat <<EOF\nEOF",
        "cat <<-EOF\n\tline 1\n\tEOF",
    ];
    for heredoc in heredocs {
        // Only the lines of code, the first and the `)`, have the indentation.
        let indented = format!("    {}", heredoc.replace("\n)", "\n    )"));
        let after = before.replace("    fi\n", &format!("    fi\n\n{indented}\n"));
        check_in("a.sh", before, insert(After, "if a", heredoc), &after);
        let replaced = before.replace("    if a; then\n        b\n    fi", &indented);
        check_in("a.sh", before, replace("if a", heredoc), &replaced);
    }
    let page = "if ($b) { ?>\nS1\n  S2\n<?php\n}";
    let before = "<?php\nfunction f() {\n    if ($a) {\n        b();\n    }\n}\n";
    let after = before.replace("}\n}", "}\n\n    if ($b) { ?>\nS1\n  S2\n<?php\n    }\n}");
    check_in("a.php", before, insert(After, "if ($a)", page), &after);
}

#[test]
fn a_heredoc_moves_as_it_is() {
    let before = "if a; then\n    x=1\nfi\nif b; then\n    cat <<EOF\nline 1\nEOF\nfi\n";
    let after =
        "if a; then\n    x=1\n\n    if b; then\n        cat <<EOF\nline 1\nEOF\n    fi\nfi\n";
    check_in("a.sh", before, move_beside("if b", After, "a.py", "x"), after);
    let nested = "f() {\n    if a; then\n        cat <<EOF\nline 1\nEOF\n    fi\n}\n";
    let request = about("a.sh", read("if a"));
    let (_, done) = done(&[("a.sh", nested)], &request).expect("it can be done");
    let text = &json!(done.output)["matches"][0]["text"];
    assert_eq!(*text, json!("if a; then\n    cat <<EOF\nline 1\nEOF\nfi"));
}

#[test]
fn the_unit_of_a_file_may_only_be_seen_in_brackets() {
    for unit in ["\t", "  "] {
        let text = |text: &str| text.replace('\t', unit);
        let before = text("X = (\n\t1,\n\t2,\n)\n\nY = (\n\t3,\n)\n");
        let content = text("Y = (\n\t3,\n\t4,\n)");
        let after = text("X = (\n\t1,\n\t2,\n)\n\nY = (\n\t3,\n\t4,\n)\n");
        check(&before, replace("Y", &content), &after);
        check(&before, replace("Y", "Y = (\n    3,\n    4,\n)"), &after);
        let before = text("int a[] = {\n\t1,\n};\n");
        let after = text("int a[] = {\n\t1,\n};\nint b[] = {\n\t2,\n};\n");
        check_in("a.c", &before, insert(After, "a", &text("int b[] = {\n\t2,\n};")), &after);
    }
    let before = "export type A = B<\n\tC,\n\tD\n>;\n";
    let content = "export type E = B<\n\tC\n>;";
    let after = format!("{before}\n{content}\n");
    check_in("a.ts", before, insert(After, "A", content), &after);
}

#[test]
fn a_comment_beside_a_block_stays() {
    let (snapshot, _) = done(&[("a.py", "def f():\r# c")], &insert(After, "f", "x = 1")).unwrap();
    assert_eq!(text(&snapshot, "a.py"), "def f():\n\nx = 1\n\n\r# c");
    let before = "def f(): lambda: 1# c\u{c}\n# d";
    let (snapshot, _) = done(&[("a.py", before)], &insert(After, "f", "def g():")).unwrap();
    assert_eq!(text(&snapshot, "a.py"), "def f(): lambda: 1# c\n\ndef g():\n\n\u{c}\n# d");
}
