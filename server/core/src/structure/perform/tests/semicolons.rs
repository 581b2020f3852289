//! Statements of languages that need no `;` at their end.

use super::*;
use crate::structure::perform::insertion::Side::After;

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
