//! `read_structure` and `replace_structure`.

use serde_json::json;

use super::*;

fn check_read(before: &str, target: &str, text: &str, lines: [usize; 2]) {
    let expected = json!({"matches": [{"text": text, "line_range_inclusive": lines}]});
    assert_eq!(result(before, &read(target)), expected);
}

const CLASS: &str = "\
class A:
    x = 1

    # about f
    @cached
    def f(self):
        s = \"\"\"
  as it is
\"\"\"
        return s  # done

    def g(self):
        pass
";

#[test]
fn a_structure_is_read_at_zero_indent() {
    let text = "# about f\n@cached\ndef f(self):\n    s = \"\"\"\n  as it is\n\"\"\"\n    return s  # done";
    check_read(CLASS, "f", text, [4, 10]);
    check_read("if x:\r\n    def f():\r\n        pass\r\n", "f", "def f():\n    pass", [2, 3]);
}

#[test]
fn lines_left_of_it_show_what_is_common() {
    let before = "if x:\n    def f():\n  # left\n        pass\n";
    check_read(before, "f", "  def f():\n# left\n      pass", [2, 4]);
}

#[test]
fn every_match_is_read_and_so_is_a_whole_file() {
    let before = "if a:\n    def f(): 1\nelse:\n    def f(): 2\n";
    let both = json!({"matches": [
        {"text": "def f(): 1", "line_range_inclusive": [2, 2]},
        {"text": "def f(): 2", "line_range_inclusive": [4, 4]},
    ]});
    assert_eq!(result(before, &read("f")), both);
    check_read("a = 1\r\nb = 2\r\n", "", "a = 1\nb = 2\n", [1, 2]);
    check_read("", "", "", [1, 1]);
}

#[test]
fn what_is_put_in_place_gets_the_indentation() {
    check(
        CLASS,
        replace("f", "def f(self):\n    s = \"\"\"\n  new\n\"\"\"\n\n    return 2\n"),
        "class A:\n    x = 1\n\n    def f(self):\n        s = \"\"\"\n  new\n\"\"\"\n\n        \
         return 2\n\n    def g(self):\n        pass\n",
    );
    assert_eq!(result(CLASS, &replace("f", "def f():\n    pass")), json!({"lines": [4, 5]}));
}

#[test]
fn lines_that_stay_keep_their_bytes() {
    check(
        "class A:\n\tdef f(self):\r\n\t\ta = 1  \n\t\t \n\t\treturn a\r\n",
        replace("f", "def f(self):\n\ta = 1  \n\t \n\tb = 2\n\treturn a"),
        "class A:\n\tdef f(self):\r\n\t\ta = 1  \n\t\t \n\t\tb = 2\n\t\treturn a\r\n",
    );
}

#[test]
fn levels_are_written_as_the_file_has_them() {
    check(
        "class A:\n\tdef f(self):\n\t\tpass\n",
        replace("f", "def f(self):\n  if x:\n    return (1,\n            2)\n"),
        "class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn (1,\n\t\t\t\t\t\t\t2)\n",
    );
    check(
        "class A:\n  def f(self):\n    pass\n",
        replace("f", "def f(self):\n    if x:\n        pass"),
        "class A:\n  def f(self):\n    if x:\n      pass\n",
    );
}

#[test]
fn a_docstring_moves_with_the_code() {
    check(
        "class A:\n    def f(self):\n        pass\n",
        replace("f", "def f(self):\n    \"\"\"What.\n\n    More.\n    \"\"\"\n"),
        "class A:\n    def f(self):\n        \"\"\"What.\n\n        More.\n        \"\"\"\n",
    );
}

#[test]
fn content_may_come_indented() {
    check(
        "class A:\n    def f(self):\n        pass\n",
        replace("f", "\n      def f(self):\n          return 1\n\n"),
        "class A:\n    def f(self):\n        return 1\n",
    );
}

#[test]
fn a_part_of_a_line_is_replaced_to_the_byte() {
    check("a = 1; b = 2  # c\n", replace("a", "a = 3;"), "a = 3; b = 2  # c\n");
    check("f(lambda: 1, 2)\n", replace("lambda", "lambda: (\n    3)"), "f(lambda: (\n    3), 2)\n");
    check("class A: x = 1\n", replace("x", "x = 2"), "class A: x = 2\n");
}

#[test]
fn branches_are_replaced_alone() {
    let chain = "if a:\n    f()\nelif b:\n    g()\nelse:\n    h()\n";
    check(
        chain,
        replace("elif b", "elif c:\n    i()"),
        "if a:\n    f()\nelif c:\n    i()\nelse:\n    h()\n",
    );
    check(
        chain,
        replace("else", "else:\n    i()"),
        "if a:\n    f()\nelif b:\n    g()\nelse:\n    i()\n",
    );
    check(chain, replace("if a", "while a:\n    j()"), "while a:\n    j()\n");
}

#[test]
fn a_comment_after_a_form_feed_stays() {
    check("a = 1\n", replace("a", "\u{c}# c"), "\u{c}# c\n");
    let functions = "<?php\nfunction f() {}\n";
    let after = "<?php\nfunction f() {}\n\n\u{c}# c\n";
    check_in("a.php", functions, insert(Side::After, "f", "\u{c}# c"), after);
}

#[test]
fn a_whole_file_is_replaced_with_its_final_newline_as_it_was() {
    check("a = 1\n", replace("", "b = 2"), "b = 2\n");
    check("a = 1", replace("", "b = 2\n"), "b = 2");
    check("\r\n\na = 1\r\n", replace("", "b = 2\nc = 3"), "\r\n\nb = 2\r\nc = 3\r\n");
    check("", replace("", "b = 2"), "b = 2\n");
    check("a = 1\n", replace("", ""), "");
    check("\u{c}a = 1\n", replace("", "\u{c}a = 1\n"), "\u{c}a = 1\n");
    check("\u{c}a = 1\n", replace("", "b = 2"), "b = 2\n");
}
