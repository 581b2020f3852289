//! What is undone by doing the opposite, and that nothing makes an operation panic.

use proptest::prelude::*;

use super::*;
use crate::outline::Parsed;
use crate::structure::Index;
use crate::structure::perform::insertion::Side::{After, Before};
use crate::syntax::LANGUAGES;
use crate::text::Content;

/// The structures of a text in Python, each with its target.
fn targets(text: &str) -> (Parsed, Vec<String>) {
    let mut patience = || std::ops::ControlFlow::Continue(());
    let python = LANGUAGES.iter().find(|it| it.name == "python").expect("it is known");
    let parsed = Parsed::new(python, Content::plain(text), &mut patience).expect("it is short");
    let targets = Index::new(&parsed).targets();
    (parsed, targets)
}

/// A statement of Python, one line each, at zero indent.
fn statement() -> impl Strategy<Value = Vec<String>> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let plain = prop::sample::select(vec![
        "x = 1",
        "call(a,\n     b)",
        "s = '''one\n  two\n\nthree'''",
        "# a comment\ny = {\n>1: 2,\n}  # behind",
        "return x",
        "a = 1; b = 2",
    ])
    .prop_map(lines);
    plain.prop_recursive(4, 24, 4, |inner| {
        let heads = prop::sample::select(vec![
            "def f(self):",
            "# about it\n@decorated(1,\n           2)\nasync def f(a, b=lambda: 1):",
            "class C(B):",
            "if x:",
            "with a as b:  # why",
            "def g():\n>\"\"\"Doc.\n\n>More.\n>\"\"\"\n\n",
        ]);
        (heads, prop::collection::vec(inner, 1..4), any::<bool>()).prop_map(
            |(head, body, branch)| {
                let mut lines: Vec<String> = head.lines().map(str::to_owned).collect();
                let indented = |line: &String| {
                    if line.is_empty() { String::new() } else { format!(">{line}") }
                };
                for (place, statement) in body.iter().enumerate() {
                    if place > 0 {
                        lines.push(String::new());
                    }
                    lines.extend(statement.iter().map(indented));
                }
                if branch && head == "if x:" {
                    lines.push("else:".to_owned());
                    lines.push(">pass".to_owned());
                }
                lines
            },
        )
    })
}

/// A module whose statements all are one blank line apart.
fn module() -> impl Strategy<Value = String> {
    let units = prop::sample::select(vec!["    ", "  ", "\t"]);
    let endings = prop::sample::select(vec!["\n", "\r\n"]);
    let statements = prop::collection::vec(statement(), 1..5);
    (statements, units, endings, any::<bool>()).prop_map(|(statements, unit, ending, ends)| {
        let lines: Vec<String> = statements.join(&[String::new()][..]);
        let mut text = lines.join(ending).replace('>', unit);
        if ends {
            text.push_str(ending);
        }
        text
    })
}

/// Pieces that make sense together now and then.
fn chaos() -> impl Strategy<Value = String> {
    let pieces = vec![
        "def f():",
        "class A:",
        "if x:",
        "else:",
        "try:",
        "except:",
        "a = 1",
        "; ",
        "b = 2",
        "(",
        ")",
        "lambda: 1",
        ", ",
        "[",
        "]",
        "'''",
        "\"",
        "\\",
        "# c",
        "\n",
        "\n    ",
        "\n\t",
        "\n  ",
        "\r\n",
        "\r",
        "\u{c}",
        "é",
        "😀",
        "@d",
        "pass",
        "match x:",
        "case 1:",
        "f(",
        " ",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_was_read_changes_nothing(text in module()) {
        for target in targets(&text).1 {
            let read = result(&text, &read(&target));
            let content = read["matches"][0]["text"].as_str().expect("it is text").to_owned();
            prop_assert_eq!(after(&text, &replace(&target, &content)), text.clone());
        }
    }

    #[test]
    fn a_whole_file_that_was_read_changes_nothing(start in "(\r?\n|\u{c}){0,3}", text in module()) {
        let text = format!("{start}{text}");
        prop_assert_eq!(after(&text, &replace("", &text.replace("\r\n", "\n"))), text);
    }

    #[test]
    fn deleting_undoes_inserting(text in module()) {
        let (parsed, targets) = targets(&text);
        for (structure, target) in parsed.outline.structures.iter().zip(targets) {
            let is_definition = structure.kind.runs() || structure.kind.has_members();
            if structure.kind == crate::structure::Kind::Lambda || !is_definition {
                continue;
            }
            for side in [Before, After] {
                let new = "def new_one():\n    return '''\nx'''";
                let inserted = after(&text, &insert(side, &target, new));
                let back = after(&inserted, &delete("new_one"));
                prop_assert_eq!(back, text.clone(), "{:?} {}: {}", side, target, inserted);
            }
        }
    }

    #[test]
    fn moving_back_undoes_moving(text in module()) {
        let (parsed, targets) = targets(&text);
        for pair in 0..targets.len() {
            let siblings: Vec<usize> =
                parsed.outline.children(parsed.outline.structures[pair].parent).collect();
            let place = siblings.iter().position(|it| *it == pair).expect("it is one of them");
            let Some(next) = siblings.get(place + 1).copied() else { continue };
            let structures = &parsed.outline.structures;
            let between = &text[structures[pair].extent.end..structures[next].extent.start];
            let are_neighbours = between.trim().is_empty() && structures[pair].kind == structures[next].kind;
            let shares_line = [pair, next].iter().any(|it| {
                let [first, _] = parsed.lines_of(&structures[*it].extent);
                text.lines().nth(first - 1).is_some_and(|line| line.contains("; "))
            });
            let depth = |index: usize| {
                let start = structures[index].extent.start;
                start - text[..start].rfind('\n').map_or(0, |at| at + 1)
            };
            if !are_neighbours || shares_line || depth(pair) != depth(next) || structures[pair].body.is_none() {
                continue;
            }
            let moved = after(&text, &move_beside(&targets[pair], After, "a.py", &targets[next]));
            let (now, places) = super::roundtrips::targets(&moved);
            // The two have changed places.
            let first = now.outline.structures[pair].extent.clone();
            prop_assert!(text[structures[next].extent.clone()] == moved[first]);
            let second: Vec<usize> = now.outline.children(now.outline.structures[pair].parent).collect();
            let back = move_beside(&places[second[place + 1]], Before, "a.py", &places[pair]);
            prop_assert_eq!(after(&moved, &back), text.clone(), "{}", moved);
        }
    }

    #[test]
    fn nothing_makes_an_operation_panic(text in chaos(), content in chaos(), pick in any::<prop::sample::Index>()) {
        let targets = targets(&text).1;
        let mut targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        targets.push("");
        let (target, other) = (targets[pick.index(targets.len())], targets[targets.len() / 2]);
        for request in [
            read(target),
            replace(target, &content),
            delete(target),
            insert(Before, target, &content),
            insert(After, target, &content),
            replace_text(target, "a", &content),
            replace_all(target, "\n", "", None),
            move_beside(target, After, "a.py", other),
            move_beside(target, Before, "a.py", other),
            move_beside(target, Before, "b.py", "x"),
            move_to(target, Before, "a.py"),
            move_to(target, After, "b.py"),
            move_to(target, After, "c.py"),
        ] {
            let _ = done(&[("a.py", &text), ("b.py", "x = 1\n")], &request);
        }
    }
}
