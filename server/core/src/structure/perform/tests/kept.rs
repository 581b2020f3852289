//! That what an operation is not about stays as it was, in every language.

use super::*;
use crate::outline::Parsed;
use crate::structure::Index;
use crate::structure::perform::insertion::Side::{After, Before};
use crate::text::Content;

macro_rules! examples {
    ($($path:literal),* $(,)?) => {
        [$(($path, include_str!(concat!("../../../../../../grammars/", $path)))),*]
    };
}

/// The examples of every language, each with its path.
const EXAMPLES: [(&str, &str); 49] = examples![
    "bash/cases/script.sh",
    "c/cases/definitions.h",
    "c/cases/functions.c",
    "cpp/cases/definitions.hpp",
    "cpp/cases/functions.cpp",
    "csharp/cases/blocks.cs",
    "csharp/cases/definitions.cs",
    "csharp/cases/program.cs",
    "css/cases/style.css",
    "go/cases/blocks.go",
    "go/cases/definitions.go",
    "html/cases/page.html",
    "java/cases/Blocks.java",
    "java/cases/Definitions.java",
    "java/cases/module-info.java",
    "javascript/cases/blocks.js",
    "javascript/cases/definitions.js",
    "javascript/cases/modules.cjs",
    "javascript/cases/tests.mjs",
    "javascript/cases/view.jsx",
    "json/cases/package.json",
    "json/cases/settings.jsonc",
    "lua/cases/definitions.lua",
    "lua/cases/module.lua",
    "markdown/cases/definitions.md",
    "markdown/cases/edges.md",
    "markdown/cases/nested.md",
    "markdown/cases/tabs.md",
    "markdown/cases/windows.md",
    "php/cases/blocks.php",
    "php/cases/definitions.php",
    "php/cases/namespaces.php",
    "php/cases/page.php",
    "php/cases/settings.php",
    "python/cases/definitions.py",
    "ruby/cases/definitions.rb",
    "ruby/cases/spec.rb",
    "rust/cases/blocks.rs",
    "rust/cases/broken.rs",
    "rust/cases/definitions.rs",
    "toml/cases/empty.toml",
    "toml/cases/manifest.toml",
    "tsx/cases/definitions.tsx",
    "tsx/cases/view.tsx",
    "typescript/cases/ambient.d.ts",
    "typescript/cases/blocks.ts",
    "typescript/cases/definitions.ts",
    "yaml/cases/documents.yml",
    "yaml/cases/workflow.yaml",
];

fn parsed(path: &str, text: &str) -> Parsed {
    let first_line = text.lines().next().unwrap_or_default();
    let language = operator_grammars::of_file(path, first_line).expect("it is known");
    let mut patience = || std::ops::ControlFlow::Continue(());
    Parsed::new(language, Content::plain(text), &mut patience).expect("it is short")
}

#[test]
fn a_move_to_where_it_is_changes_nothing() {
    let three = "1. one\n2. two\n3. three\n";
    for (target, side, dest) in
        [("two", After, "one"), ("three", After, "two"), ("one", Before, "two")]
    {
        check_in("a.md", three, move_beside(target, side, "a.py", dest), three);
    }
    let quoted = "> 1. one\r\n>\r\n> 2. two\r\n";
    check_in("a.md", quoted, move_beside("two", After, "a.py", "one"), quoted);
}

#[test]
fn neighbours_that_nothing_parts_stay_where_they_are() {
    for (path, text) in EXAMPLES {
        let parsed = parsed(path, text);
        if !parsed.outline.errors.is_empty() {
            continue;
        }
        let structures = &parsed.outline.structures;
        let targets = Index::new(&parsed).targets();
        for index in 0..structures.len() {
            let siblings: Vec<usize> = parsed.outline.children(structures[index].parent).collect();
            let next = siblings.iter().copied().find(|it| *it > index);
            let Some(next) = next else { continue };
            let between = text.get(structures[index].extent.end..structures[next].extent.start);
            if between.is_some_and(|between| between.trim().is_empty()) {
                let forward = move_beside(&targets[next], After, "a.py", &targets[index]);
                check_in(path, text, forward, text);
                let back = move_beside(&targets[index], Before, "a.py", &targets[next]);
                check_in(path, text, back, text);
            }
        }
    }
}

#[test]
fn a_printed_target_fits_its_structure_where_headers_end_with_numbers() {
    let texts = [
        "# a\n\none\n\n# a\n\ntwo\n\n# a [1]\n\nthree\n",
        "# a\n\n## a\n\n# a [1]\n",
        "# a\n\n# a\n\n# a [1]\n\n# a [01]\n\n# a [2]\n\n# a [2]\n",
        "# b\n\n- a\n- a\n- a [1]\n  - a\n  - a [2]\n  - a\n",
    ];
    for text in texts {
        let parsed = parsed("a.md", text);
        let index = Index::new(&parsed);
        for (place, target) in index.targets().iter().enumerate() {
            assert!(index.is_unique(target, place), "{target}");
            assert_eq!(*target, index.target(place));
        }
    }
}

#[test]
fn what_is_all_of_a_body_has_its_neighbours_in_that() {
    let item = "<li id=\"m\">y</li>";
    for (before, target, after) in [
        (
            "<ul id=\"u\"><li id=\"l\">x</li></ul>\n",
            "l",
            "<ul id=\"u\"><li id=\"l\">x</li> <li id=\"m\">y</li></ul>\n",
        ),
        (
            "<section id=\"s\"><h1>t</h1></section>\n",
            "t",
            "<section id=\"s\"><h1>t</h1> <li id=\"m\">y</li></section>\n",
        ),
        (
            "<main><p id=\"p\">x</p></main>\n",
            "p",
            "<main><p id=\"p\">x</p> <li id=\"m\">y</li></main>\n",
        ),
        (
            "<section id=\"s\">\n<h1>t</h1></section>\n",
            "t",
            "<section id=\"s\">\n<h1>t</h1> <li id=\"m\">y</li></section>\n",
        ),
    ] {
        check_in("a.html", before, insert(After, target, item), after);
    }
    check("class A: x = 1\n", insert(After, "x", "y = 2"), "class A: x = 1; y = 2\n");
}

#[test]
fn a_move_that_would_change_more_is_refused() {
    let tables = "a = 1\nb = 2\n\n[t]\nx = 1\n";
    for request in [
        move_to("t", Before, "a.py"),
        move_to("a", After, "a.py"),
        move_beside("t", Before, "a.py", "a"),
        move_beside("a", After, "a.py", "t"),
        insert(After, "t", "y = 2"),
        insert(Before, "a", "[u]"),
    ] {
        assert_eq!(refused_in("a.toml", tables, request), "INVALID_DESTINATION");
    }
    let root = "a = 1\nb = 2\n\nc = 3\n\n[t]\nx = 1\n";
    check_in("a.toml", tables, insert(Before, "t", "c = 3"), root);
    let declarators = "const a = 1,\n      b = 2;\n\nfunction f() {}\n";
    let request = move_beside("b", After, "a.py", "f");
    assert_eq!(refused_in("a.js", declarators, request), "INVALID_DESTINATION");
    let pages = "<?php\nfunction f() {}\n?>\n<p>html</p>\n";
    assert_eq!(refused_in("a.php", pages, move_to("f", After, "a.py")), "INVALID_DESTINATION");
    let object = "{\"a\": 1, \"b\": {\"c\": 2}}\n";
    assert_eq!(refused_in("a.json", object, move_to("a", After, "a.py")), "INVALID_DESTINATION");
}

#[test]
fn members_take_their_own_semicolon_and_no_other() {
    let fields = "class A { a: number; b: string; c = 1; m() {} }\n";
    check_in("a.ts", fields, replace("b", "b: string;"), fields);
    check_in("a.ts", fields, delete("b"), "class A { a: number; c = 1; m() {} }\n");
    check_in("a.ts", fields, delete("m"), "class A { a: number; b: string; c = 1; }\n");
    let private = "class A{#x;#y;#r=1;z;m(){}}\n";
    check_in("a.js", private, delete("#r"), "class A{#x;#y;z;m(){}}\n");
    let constants = "enum E { X, Y; int z; int k; }\n";
    check_in("a.java", constants, replace("z", "int z;"), constants);
    check_in("a.java", constants, delete("z"), "enum E { X, Y; int k; }\n");
    let branches = "if x; then d=1; else e=2; fi\n";
    check_in("a.sh", branches, replace("else", "else e=2;"), branches);
    check_in("a.sh", branches, delete("else"), "if x; then d=1; fi\n");
}

#[test]
fn what_is_read_changes_nothing_in_any_language() {
    for (path, text) in EXAMPLES {
        let parsed = parsed(path, text);
        if !parsed.outline.errors.is_empty() {
            continue;
        }
        for target in Index::new(&parsed).targets() {
            let (_, excerpt) =
                done(&[(path, text)], &about(path, read(&target))).expect("it is there");
            let output = json!(excerpt.output);
            let own = output["matches"][0]["text"].as_str().expect("it is text");
            check_in(path, text, replace(&target, own), text);
        }
    }
}

#[test]
fn a_comment_at_the_end_takes_in_nothing() {
    check("x = 1; y = 2\n", replace("x", "z = 3  # note"), "z = 3;  # note\ny = 2\n");
    check_in(
        "a.rs",
        "fn a() {} fn b() {}\n",
        insert(After, "a", "fn c() {} // note"),
        "fn a() {}\n\nfn c() {} // note\n\nfn b() {}\n",
    );
    check_in(
        "a.c",
        "int a; int b;\n",
        insert(After, "a", "int c; // note"),
        "int a;\nint c; // note\nint b;\n",
    );
    check_in(
        "a.lua",
        "local t = { b = { 2 };\n  c = { 3 } -- third\n}\n",
        move_beside("c", Before, "a.py", "b"),
        "local t = { c = { 3 }; -- third\n  b = { 2 }\n}\n",
    );
    check_in(
        "a.java",
        "enum E {\n    A, // first\n    B;\n\n    int x;\n}\n",
        move_beside("A", After, "a.py", "B"),
        "enum E {\n    B, A // first\n    ;\n\n    int x;\n}\n",
    );
}

#[test]
fn an_only_statement_without_braces_leaves_empty_ones() {
    let languages = [
        ("a.c", "void f(void)"),
        ("a.cpp", "void f()"),
        ("a.java", "void f()"),
        ("a.cs", "void f()"),
        ("a.js", "function f()"),
        ("a.ts", "function f()"),
    ];
    for (path, header) in languages {
        let before =
            &format!("{header} {{\n    if (!ok)\n        for (;;) retry();\n    launch();\n}}\n");
        let after = &format!("{header} {{\n    if (!ok)\n        {{}}\n    launch();\n}}\n");
        let request = about(path, delete("for (;;)"));
        let (snapshot, done) = done(&[(path, before)], &request).expect("it can be done");
        assert_eq!(text(&snapshot, path), *after);
        assert_eq!(done.warnings[0].kind.as_str(), "STRUCTURE_EMPTY", "{path}");
        for side in [Before, After] {
            let request = insert(side, "for (;;)", "y();");
            assert_eq!(refused_in(path, before, request), "INVALID_DESTINATION", "{path}");
        }
    }
}

#[test]
fn indented_code_keeps_its_indentation_where_it_goes() {
    let code = "para\n\n    code\n\nend\n";
    check_in("a.md", code, move_to("code", Before, "a.py"), "    code\n\npara\n\nend\n");
    check_in("a.md", code, move_to("code", After, "a.py"), "para\n\nend\n\n    code\n");
    let after = "para\n\nend\n\n    code\n";
    check_in("a.md", code, move_beside("code", After, "a.py", "end"), after);
    let before = "    code\n\npara\n\nend\n";
    check_in("a.md", code, move_beside("code", Before, "a.py", "para"), before);
}

#[test]
fn an_emptied_body_of_a_script_is_told() {
    for before in [
        "if x; then\n  a=1\nfi\n",
        "while x; do\n  a=1\ndone\n",
        "for i in 1 2; do\n  a=1\ndone\n",
        "if x; then\n  b\nelif y; then\n  a=1\nfi\n",
        "if x; then\n  b\nelse\n  a=1\nfi\n",
        "if x; then\n  a=1\nelse\n  b\nfi\n",
    ] {
        let request = about("a.sh", delete("a"));
        let (snapshot, done) = done(&[("a.sh", before)], &request).expect("it can be done");
        let kinds: Vec<_> = done.warnings.iter().map(|it| it.kind.as_str()).collect();
        assert_eq!(kinds, ["STRUCTURE_EMPTY"], "{}", text(&snapshot, "a.sh"));
    }
}

#[test]
fn a_new_file_begins_with_what_the_language_wants_first() {
    let request = about("a.php", move_to("f", Before, "b.php"));
    for files in [
        &[("a.php", "<?php\nfunction f() {}\n")][..],
        &[("a.php", "<?php\nfunction f() {}\n"), ("b.php", "")][..],
    ] {
        let (snapshot, _) = done(files, &request).expect("it can be done");
        assert_eq!(text(&snapshot, "b.php"), "<?php\n\nfunction f() {}\n");
    }
    let object = "{\"a\": 1, \"b\": {\"c\": 2}}\n";
    assert_eq!(refused_in("a.json", object, move_to("a", After, "b.json")), "INVALID_DESTINATION");
}

#[test]
fn front_matter_stays_first() {
    let matter = "---\na: 1\n---\n\ntext\n";
    assert_eq!(refused_in("a.md", matter, move_to("---", After, "a.py")), "INVALID_DESTINATION");
    let request = about("a.md", insert(Before, "---", "new"));
    let (_, done) = done(&[("a.md", matter)], &request).expect("it can be done");
    assert_eq!(done.warnings[0].kind.as_str(), "SYNTAX_BROKEN");
}

#[test]
fn every_language_has_examples() {
    for language in crate::syntax::LANGUAGES {
        let folder = format!("{}/", language.name);
        assert!(EXAMPLES.iter().any(|(path, _)| path.starts_with(&folder)), "{}", language.name);
    }
}
