//! Why operations cannot be done.

use serde_json::json;

use super::*;
use crate::structure::perform::insertion::Side::After;

const CLASSES: &str = "class UserAuth:\n    def validate(self): pass\n\n\nclass Other:\n    def validate(self): pass\n";

#[test]
fn an_ambiguous_target_lists_targets_that_are_not() {
    let failure = failure(CLASSES, &delete("validate"));
    assert_eq!(failure.code.as_str(), "TARGET_AMBIGUOUS");
    let header = "def validate(self):";
    assert_eq!(
        failure.details["matches"],
        json!([
            {"target": "UserAuth\nvalidate", "kind": "method", "header": header, "line_range_inclusive": [2, 2]},
            {"target": "Other\nvalidate", "kind": "method", "header": header, "line_range_inclusive": [6, 6]},
        ])
    );
    assert_eq!(failure.details["state"], "FILE_UNCHANGED");
}

#[test]
fn a_target_that_fits_nothing_gets_suggestions() {
    let failure = failure(CLASSES, &read("Other\nvaldate"));
    assert_eq!(failure.code.as_str(), "TARGET_NOT_FOUND");
    assert_eq!(failure.details["searched_path"], json!(["Other", "valdate"]));
    assert_eq!(failure.details["parent_found"], json!("Other"));
    assert_eq!(
        failure.details["suggestions"],
        json!(
            ["UserAuth\nvalidate", "Other\nvalidate"]
                .map(str::to_owned)
                .into_iter()
                .rev()
                .collect::<Vec<_>>()
        )
    );
    let failure = super::failure(CLASSES, &read("userauth"));
    assert_eq!(failure.details["parent_found"], json!(null));
    assert_eq!(failure.details["suggestions"][0], "UserAuth");
    let failure = super::failure("x = 1\n", &read("whatever"));
    assert_eq!(failure.details["suggestions"], json!([]));
}

#[test]
fn syntax_errors_matter_where_they_are() {
    let before = "def a():\n    x = (1\n\n\ndef b(): pass\n";
    let good = "def a():\n    x = )\n\n\ndef b(): pass\n";
    assert_eq!(failure(before, &delete("a")).code.as_str(), "PARSER_FAILED");
    check(good, delete("b"), "def a():\n    x = )\n");
    let failure = failure(good, &delete("a"));
    assert_eq!(failure.code.as_str(), "PARSER_FAILED");
    assert_eq!(failure.details["parse_errors"][0]["line"], 2);
}

#[test]
fn limits_and_permissions_are_kept() {
    let mut snapshot = MemorySnapshot::of([("a.py", "x = 1\n"), ("b.txt", "")]);
    snapshot.read_only.insert("a.py".to_owned());
    let limits = Limits { file_bytes: 20, content_bytes: 30, ..Limits::default() };
    let code = |snapshot: &MemorySnapshot, request: &Request| {
        let failure = perform(request, snapshot, &limits).expect_err("it cannot be done");
        (failure.code.as_str(), Value::Object(failure.details))
    };
    let (denied, details) = code(&snapshot, &delete("x"));
    assert_eq!(denied, "PERMISSION_DENIED");
    assert_eq!(details["operation"], "write");
    snapshot.read_only.clear();
    let (large, details) = code(&snapshot, &insert(After, "x", "yyyyyyyy = 123456"));
    assert_eq!(large, "FILE_TOO_LARGE");
    assert_eq!(details, json!({"state": "FILE_UNCHANGED", "file_size": 24, "limit": 20}));
    assert_eq!(code(&snapshot, &replace("x", &"y".repeat(31))).0, "CONTENT_TOO_LARGE");
    assert_eq!(code(&snapshot, &replace("x", " \n")).0, "TEXT_EMPTY");
    let mut other = read("");
    other.arguments.path = "b.txt".to_owned();
    assert_eq!(code(&snapshot, &other).0, "LANGUAGE_UNSUPPORTED");
    other.arguments.path = "c.py".to_owned();
    assert_eq!(code(&snapshot, &other).0, "FILE_NOT_FOUND");
}

#[test]
fn an_error_between_a_structure_and_what_is_around_it_makes_its_place_unsure() {
    let swallowed = "\
class A(X):
  \"\"\"doc\"\"\"

  d = {
      1:
          \"\"\"\\
          text
          \"\"\"\"\"\",
  }

  def m(self):
    return 1


@deco
class B(A):
  \"\"\"doc\"\"\"

  def m(self):
    return 2
";
    for target in ["A", "m", "A\nm"] {
        assert_eq!(refused_in("a.py", swallowed, delete(target)), "PARSER_FAILED");
    }
    // The errors take the decorator away from the class.
    let parted = "\
class A(B):
  d = {}
)
  def run(self):
    return 1


@deco(1)
class C(A):
  def g(self):
    return 2
";
    assert_eq!(refused_in("a.py", parted, delete("C")), "PARSER_FAILED");
    let elsewhere = "x = )\n\ndef f():\n    y = )\n\ndef g():\n    return 2\n";
    let rest = "x = )\n\ndef f():\n    y = )\n";
    check_in("a.py", elsewhere, delete("g"), rest);
}

#[test]
fn a_target_with_its_closing_is_not_the_beginning_of_a_longer_header() {
    let texts = [
        ("a.py", "def f():\n    if user and user.ok:\n        grant()\n", "if user", ":"),
        ("a.py", "while a.b:\n    c()\n", "while a", ":"),
        (
            "a.sh",
            "if [ \"$m\" = \"\" ] && [ b ]; then\n  c\nfi\n",
            "if [ \"$m\" = \"\" ]",
            "; then",
        ),
        ("a.sh", "case $a$b in\n  c) d ;;\nesac\n", "case $a", " in"),
        ("a.rs", "fn f() {\n    match a.b {\n        _ => {}\n    }\n}\n", "match a", " {"),
        ("a.rs", "impl Foo for Bar<T> {\n    fn f() {}\n}\n", "impl Foo for Bar", " {"),
        ("a.go", "package a\n\nfunc f() {\n\tif a.b {\n\t\tc()\n\t}\n}\n", "if a", " {"),
        ("a.css", ".a, .b {\n  color: red;\n}\n", ".a", " {"),
    ];
    for (path, text, start, closing) in texts {
        let open = about(path, read(start));
        assert!(done(&[(path, text)], &open).is_ok(), "{start}");
        let closed = about(path, delete(&format!("{start}{closing}")));
        let failure = done(&[(path, text)], &closed).expect_err(start);
        assert_eq!(failure.code.as_str(), "TARGET_NOT_FOUND");
        assert_ne!(failure.details["suggestions"], json!([]), "{start}");
    }
    // A `:` and a `{` that the header has where the line ends are a beginning.
    let text = "def f(a: int, b):\n    pass\n";
    check_in("a.py", text, replace("def f(a:", "x = 1"), "x = 1\n");
}

#[track_caller]
fn unsure(path: &str, before: &str, targets: &[&str]) {
    for target in targets {
        assert_eq!(refused_in(path, before, delete(target)), "PARSER_FAILED", "{target}");
    }
}

#[test]
fn what_is_directly_below_a_structure_may_be_a_part_of_it() {
    let text = "#if A\nint a;\n#else\nM (x)\nM (y)\n#endif\nint z;\n";
    unsure("a.h", text, &["#else"]);
    assert_eq!(refused_in("a.h", text, replace("#else", "#else\nint q;")), "PARSER_FAILED");
    check_in("a.h", text, delete("z"), "#if A\nint a;\n#else\nM (x)\nM (y)\n#endif\n");
    let text = "class C:\n    def f(self):\n        try:\n            return a\n\n        M (x)\n        except E:\n            pass\n        return b\n\n    def g(self):\n        pass\n";
    unsure("a.py", text, &["try"]);
    check_in("a.py", text, delete("g"), &text.replace("\n    def g(self):\n        pass\n", ""));
    let text = "<?php\ninterface I\n{\n    /** a */\n    const A = 1;\n    /** b */\n    return return\n    const B = 2;\n    public function f();\n}\nfunction g() {}\n";
    unsure("a.php", text, &["I"]);
}

#[test]
fn what_is_directly_above_a_structure_may_be_a_part_of_it() {
    let text = "class A {\n    def\n    public final int run() {\n        return 1;\n    }\n    abstract void stop();\n}\n";
    unsure("a.java", text, &["run"]);
}

#[test]
fn a_closer_too_many_or_too_few_makes_unsure_what_it_closes() {
    let text =
        "void f(void) {\n  if (a)\n    b();\n  }\n\n  c();\n}\n\nvoid g(void) {\n  d();\n}\n";
    unsure("a.c", text, &["f", "if (a)"]);
    let rest = "void f(void) {\n  if (a)\n    b();\n  }\n\n  c();\n}\n";
    check_in("a.c", text, delete("g"), rest);
    let text =
        "function f() {\n  if (a) {\n    b();\n  c();\n}\n\nfunction g() {\n  d();\n}\n// end\n";
    unsure("a.js", text, &["f", "if (a)", "g"]);
    // What is missing closes nothing.
    let text = "class A {\n  void m() { a(); }\n  void n() { b(); }\n}\n";
    check_in("a.cpp", text, delete("m"), "class A {\n  void n() { b(); }\n}\n");
}

#[test]
fn an_error_may_hide_what_is_meant() {
    let text = "def f(a):\n    x = 1\n    if a == P:\n        x y = pipe(o=(True, False))\n        z = 2\n    try:\n        g()\n    except E:\n        if a == P:\n            close(a)\n        raise\n";
    unsure("a.py", text, &["f\nif a == P"]);
    let text = "class A {\n    int run(Object o) {\n        if (o == null) {\n            return 0;\n        } else if (o == x) return 1;\n        def\n        else {\n            one();\n        }\n        return 3;\n    }\n}\n";
    unsure("a.java", text, &["if (o == null)\nelse"]);
    let text = "class A:\n    def f(self:\n        pass\n\nclass B:\n    def f(self):\n        pass\n\n    def g(self):\n        pass\n";
    unsure("a.py", text, &["f"]);
    let rest = |gone: &str| text.replace(gone, "");
    check_in("a.py", text, delete("B\nf"), &rest("    def f(self):\n        pass\n\n"));
    check_in("a.py", text, delete("g"), &rest("\n    def g(self):\n        pass\n"));
    let text = "local function waits, done)\n  a()\nend\n\nfunction M.waits()\n  b()\nend\n";
    unsure("a.lua", text, &["waits"]);
    unsure("a.json", "{\"a\": {\"v\" 1}, \"b\": {\"v\": 2}}\n", &["v"]);
    let counted = "[{\"op\":\"a\",\"v\" 1},\n{\"op\":\"b\",\"v\":2},\n{\"op\":\"c\",\"v\":3}]\n";
    unsure("a.json", counted, &["v [2]", "op [3]"]);
    let refused =
        failure("def f(a:\n    pass\n\n\nclass B:\n    def f(a):\n        pass\n", &delete("f"));
    assert!(refused.message.contains("may hide"), "{}", refused.message);
}

#[test]
fn a_name_is_suggested_with_and_without_what_it_belongs_to() {
    let suggestions = |path: &str, before: &str, target: &str| {
        let request = about(path, delete(target));
        let failure = done(&[(path, before)], &request).expect_err("nothing fits");
        assert_eq!(failure.code.as_str(), "TARGET_NOT_FOUND", "{target}");
        json!(failure.details)["suggestions"].clone()
    };
    let methods = "void Gadget::run() {\n}\n\nvoid Gadget::stop() {\n}\n";
    assert_eq!(suggestions("a.cpp", methods, "run"), json!(["Gadget::run"]));
    assert_eq!(suggestions("a.cpp", methods, "Widget::run()")[0], json!("Gadget::run"));
    let methods = "package p\n\nfunc (s *Server) Run() {\n}\n\nfunc (s *Server) Close() {\n}\n";
    assert_eq!(suggestions("a.go", methods, "Server.Run"), json!(["Run"]));
}
