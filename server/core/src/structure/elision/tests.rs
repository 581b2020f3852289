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

#[test]
fn a_structure_of_the_same_name_that_is_another_one_is_not_replaced() {
    let go = "package g\n\nfunc (s *A) Close() error {\n\treturn nil\n}\n\nfunc (s *B) Open() error {\n\treturn nil\n}\n";
    let content = "// ...\n\nfunc (s *B) Close() error {\n\treturn s.x.Close()\n}\n\n// ...\n";
    refused("g.go", go, content, 3, "is beside a mark");
    let content = "// ...\n\nfunc (it A) Close() error {\n\treturn it.x.Close()\n}\n\n// ...\n";
    let expected = go.replace("(s *A)", "(it A)").replacen("return nil", "return it.x.Close()", 1);
    check("g.go", go, content, &expected);

    let class =
        |member: &str| format!("class A {{\n  {member} {{\n    return 1\n  }}\n\n  z() {{}}\n}}\n");
    let marked = |member: &str| {
        format!("// ...\nclass A {{\n  // ...\n  {member} {{\n    return 2\n  }}\n  // ...\n}}\n")
    };
    for (old, new) in [("get x()", "set x(v)"), ("create()", "static create()")] {
        refused("a.js", &class(old), &marked(new), 4, "is beside a mark");
    }
    let expected = class("async x(v)").replace("return 1", "return 2");
    check("a.js", &class("x()"), &marked("async x(v)"), &expected);

    let ruby = |name: &str| format!("class A\n  def {name}\n    1\n  end\n\n  def z\n  end\nend\n");
    let content = "# ...\nclass A\n  # ...\n  def self.make\n    2\n  end\n  # ...\nend\n";
    refused("a.rb", &ruby("make"), content, 4, "is beside a mark");
    check("a.rb", &ruby("self.make"), content, &ruby("self.make").replace("    1", "    2"));
}

#[test]
fn an_overload_is_not_replaced_by_another_one() {
    let class = |member: &str, value: u8| {
        format!(
            "class A {{\n    {member} {{\n        return {value};\n    }}\n\n    int z() {{ return 0; }}\n}}\n"
        )
    };
    let marked = |member: &str| {
        format!(
            "// ...\nclass A {{\n    // ...\n    {member} {{\n        return 2;\n    }}\n    // ...\n}}\n"
        )
    };
    for path in ["A.java", "a.cs"] {
        let two = "int add(int a, int b)";
        refused(
            path,
            &class(two, 1),
            &marked("int add(int a, int b, int c)"),
            4,
            "is beside a mark",
        );
        let new = "public int add(int a,  int b)";
        check(path, &class(two, 1), &marked(new), &class(new, 2));
    }
    let typescript =
        "function f(a: string): string;\nfunction f(a: any) {\n  return a;\n}\n\nfunction z() {}\n";
    let content = "// ...\n\nfunction f(a: number): number {\n  return a;\n}\n\n// ...\n";
    let expected = typescript.replace("(a: any)", "(a: number): number");
    check("f.ts", typescript, content, &expected);
}

#[test]
fn what_a_structure_without_marks_lacks_is_not_deleted() {
    let toml = "[package]\nname = \"a\"\n\n[dependencies]\nanyhow = \"1\"\ntokio = \"1\"\n\n[dev-dependencies]\ninsta = \"1\"\n";
    let content = "# ...\n\n[dependencies]\nserde = \"1\"\n\n# ...\n";
    let why = refused("Cargo.toml", toml, content, 4, "`anyhow");
    assert!(why.is_left_out);
    let content =
        "# ...\n\n[dependencies]\nanyhow = \"2\"\ntokio = \"1\"\nserde = \"1\"\n\n# ...\n";
    let expected = toml
        .replace("anyhow = \"1\"\ntokio = \"1\"", "anyhow = \"2\"\ntokio = \"1\"\nserde = \"1\"");
    check("Cargo.toml", toml, content, &expected);
    let content = "# ...\n\nclass B:\n    def two(self):\n        return 3\n\n\n# ...\n";
    refused("x.py", PYTHON, content, 5, "left out");
}

const IMPLS: &str = "\
struct A;

impl A {
    fn one(&self) {}
}

impl B for A {
    fn two(&self) {}
}

impl A {
    fn three(&self) {}

    fn four(&self) {}
}
";

#[test]
fn of_two_structures_with_one_name_the_one_between_its_neighbours_is_meant() {
    let content = "\
// ... existing code ...

impl B for A {
    fn two(&self) {}
}

impl A {
    // ... existing code ...

    fn four(&self) {
        self.one();
    }
}
";
    let expected =
        IMPLS.replace("fn four(&self) {}", "fn four(&self) {\n        self.one();\n    }");
    check("x.rs", IMPLS, content, &expected);
}

#[test]
fn a_mark_in_what_is_new_or_may_be_another_is_refused() {
    let content = "\
struct A;

impl A {
    fn one(&self) {}
}

impl Fresh {
    // ... existing code ...
}

impl B for A {
    // ... existing code ...
}

// ... existing code ...
";
    refused("x.rs", IMPLS, content, 8, "what this mark is in is not in the file exactly once");
    let content = "\
// ... existing code ...

impl A {
    // ... existing code ...

    fn four(&self) {
        self.one();
    }
}
";
    refused("x.rs", IMPLS, content, 3, "is not in the file exactly once");
}
