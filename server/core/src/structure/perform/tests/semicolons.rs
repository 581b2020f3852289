//! Statements of languages that need no `;` at their end.

use super::*;
use crate::structure::perform::insertion::Side::{After, Before};

/// Languages in which a statement may end with its line.
const OPTIONAL: [&str; 3] = ["a.js", "a.ts", "a.tsx"];

#[test]
fn a_statement_is_whole_with_the_comment_on_its_last_line() {
    for path in OPTIONAL {
        for (start, value) in [
            ("const", "3000"),
            ("let", "3000"),
            ("var", "3000"),
            ("export const", "3000"),
            ("export let", "3000"),
            ("const", "{\n  a: 1\n}"),
            ("const", "() => {\n  f()\n}"),
        ] {
            for note in ["// default", "/* default */"] {
                let rest = "const HOST = 'h'\n";
                let own = format!("{start} PORT = {value} {note}");
                let before = &format!("{own}\n{rest}");
                check_in(path, before, delete("PORT"), rest);
                let new = format!("{start} PORT = 8080 {note}");
                check_in(path, before, replace("PORT", &new), &format!("{new}\n{rest}"));
                let moved = format!("{rest}{own}\n");
                let gap = if value.starts_with('(') { "\n" } else { "" };
                let moved = moved.replacen(rest, &format!("{rest}{gap}"), 1);
                check_in(path, before, move_beside("PORT", After, "a.py", "HOST"), &moved);
            }
        }
    }
    let ambient = "declare const A: string // first\ndeclare const B: string\n";
    check_in("a.ts", ambient, delete("A"), "declare const B: string\n");
}

#[test]
fn a_comment_below_a_statement_stays_with_what_follows() {
    for path in OPTIONAL {
        let before = "const a = 1 // one\n// two\nconst b = 2\n\n// end\n";
        check_in(path, before, delete("a"), "// two\nconst b = 2\n\n// end\n");
        check_in(path, before, delete("b"), "const a = 1 // one\n\n// end\n");
    }
}

#[test]
fn a_semicolon_that_is_first_on_a_line_belongs_to_that() {
    for path in OPTIONAL {
        for (start, end) in
            [("const", " = 2"), ("let", " = 2"), ("let", ""), ("export let", " = 2")]
        {
            for (between, next) in [("\n\n", ";[1, 2].forEach(f)\n"), ("\n", ";(f || g)()\n")] {
                let (b, rest) = (format!("{start} b{end}"), format!("{between}{next}"));
                let before = &format!("const a = 1\n{b}{rest}");
                let new = format!("{start} b = 5");
                check_in(path, before, replace("b", &new), &format!("const a = 1\n{new}{rest}"));
                check_in(path, before, delete("b"), &format!("const a = 1{rest}"));
                check_in(
                    path,
                    before,
                    insert(After, "b", "const c = 3"),
                    &format!("const a = 1\n{b}\nconst c = 3{rest}"),
                );
                check_in(
                    path,
                    before,
                    move_beside("a", After, "a.py", "b"),
                    &format!("{b}\nconst a = 1{rest}"),
                );
                check_in(
                    path,
                    before,
                    move_beside("b", Before, "a.py", "a"),
                    &format!("{b}\nconst a = 1{rest}"),
                );
            }
        }
        let exports = "module.exports = x\n;[1].map(x)\n";
        check_in(path, exports, delete("exports"), ";[1].map(x)\n");
        check_in(
            path,
            exports,
            replace("exports", "module.exports = y"),
            "module.exports = y\n;[1].map(x)\n",
        );
        let noted = "const b = 2 // two\n// all\n;[1].map(x)\n";
        check_in(path, noted, delete("b"), "// all\n;[1].map(x)\n");
        let call = "it('a', () => {\n  f()\n})\n;[1].map(x)\n";
        check_in(path, call, delete("it('a'"), ";[1].map(x)\n");
    }
    check_in("a.ts", "type A = B\n;[1].map(x)\n", delete("A"), ";[1].map(x)\n");
}
