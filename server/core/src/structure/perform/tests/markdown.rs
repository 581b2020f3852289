//! What the operations make of Markdown.

use proptest::prelude::*;

use super::*;
use crate::outline::Parsed;
use crate::structure::Index;
use crate::structure::perform::insertion::Side::{After, Before};
use crate::text::Content;

/// A request about `a.py` as one about `a.md`.
fn of_markdown(mut request: Request) -> Request {
    let Arguments { path, dest_path, .. } = &mut request.arguments;
    for path in [path, dest_path] {
        *path = path.replace(".py", ".md");
    }
    request
}

fn changed(before: &str, request: Request) -> String {
    let request = of_markdown(request);
    let (snapshot, done) = done(&[("a.md", before)], &request).expect("it can be done");
    assert_eq!(done.warnings, [], "{request:?}");
    text(&snapshot, "a.md")
}

#[track_caller]
fn check(before: &str, request: Request, expected: &str) {
    let shown = format!("{request:?}");
    let after = changed(before, request);
    assert!(after == expected, "{shown}\n{after}\nexpected:\n{expected}");
}

fn move_item(target: &str, side: Side, dest: &str) -> Request {
    move_beside(target, side, "a.py", dest)
}

#[test]
fn items_join_the_list_with_its_marker() {
    check("* a\n* b\n", insert(After, "a", "- new\n  more"), "* a\n* new\n  more\n* b\n");
    check("- a\n- b\n", insert(Before, "a", "new"), "- new\n- a\n- b\n");
    check("- a\n\n- b\n", insert(After, "a", "1. new"), "- a\n\n- new\n\n- b\n");
    check("- a\n- b\n", insert(After, "b", "new\nmore"), "- a\n- b\n- new\n  more\n");
    check("-   a\n", insert(After, "a", "- b\n\n  c"), "-   a\n-   b\n\n    c\n");
    check("- a\n  - b\n- c\n", insert(After, "b", "- n"), "- a\n  - b\n  - n\n- c\n");
    check("- [ ] a\n", insert(After, "a", "- [x] b"), "- [ ] a\n- [x] b\n");
    check("> - a\n> - b\n", insert(Before, "b", "- n\n  m"), "> - a\n> - n\n>   m\n> - b\n");
}

#[test]
fn text_after_a_marker_stays_where_what_is_before_it_goes() {
    let text = "- > q\n\n  \u{a0}b\n- c\n";
    let (snapshot, _) = done(&[("a.md", text)], &of_markdown(delete("q"))).expect("it can be done");
    assert_eq!(super::text(&snapshot, "a.md"), "- \u{a0}b\n- c\n");
}

#[test]
fn footnotes_that_share_a_line_are_one() {
    let text = "[^1]: [^2]: x\n\n[^3]:\n\n[^4]: > [^5]: y\n";
    assert_eq!(parsed(text).1, ["[^1]", "[^3]", "[^4]", "[^5]: y"]);
    let moved = "[^3]:\n\n[^1]: [^2]: x\n\n[^4]: > [^5]: y\n";
    check(text, move_item("[^3]", Before, "[^1]"), moved);
    check(moved, move_item("[^1]", Before, "[^3]"), text);
}

#[test]
fn what_an_item_line_ends_with_stays() {
    check("- a\n", insert(After, "a", "* b  \n  c"), "- a\n- b  \n  c\n");
    check("- a\n", insert(After, "a", "* b\u{a0}\n*   "), "- a\n- b\u{a0}\n-\n");
    let twice = "1. a\n\n- b  \n  c\n";
    check(twice, move_item("b", Before, "a"), "1. b  \n   c\n\n2. a\n");
}

#[test]
fn an_item_after_a_lone_carriage_return_does_not_join_the_list() {
    check("- a\n- b\n", insert(After, "a", "* c\né\r- d"), "- a\n\n* c\né\r- d\n\n- b\n");
}

#[test]
fn ordered_lists_are_renumbered() {
    let three = "1. a\n2. b\n3. c\n";
    check(three, insert(Before, "a", "n"), "1. n\n2. a\n3. b\n4. c\n");
    check(three, insert(After, "a", "1. m\n1. n"), "1. a\n2. m\n3. n\n4. b\n5. c\n");
    check(three, delete("a"), "1. b\n2. c\n");
    check(three, delete("b"), "1. a\n2. c\n");
    check(three, move_item("c", Before, "a"), "1. c\n2. a\n3. b\n");
    check(three, move_item("a", After, "c"), "1. b\n2. c\n3. a\n");
    check(three, replace("b", "x"), "1. a\n2. x\n3. c\n");
    check(three, replace("b", "- x\n- y"), "1. a\n2. x\n3. y\n4. c\n");
    check("1) a\n1) b\n", insert(After, "b", "2. n"), "1) a\n1) b\n1) n\n");
    check("3. a\n7. b\n", insert(After, "a", "n"), "3. a\n7. n\n7. b\n");
    let nine = "8. a\n9. b\n\n   more\n\n   - inner\n";
    check(nine, insert(Before, "a", "n"), "8. n\n9. a\n10. b\n\n    more\n\n    - inner\n");
    let ten = "9. a\n10. b\n\n    more\n";
    check(ten, delete("a"), "9. b\n\n   more\n");
}

#[test]
fn gaps_are_those_of_the_neighbours() {
    let two = "# A\n\na\n\n\n# B\n\nb\n";
    check(two, insert(After, "A", "# N\n\nn"), "# A\n\na\n\n\n# N\n\nn\n\n\n# B\n\nb\n");
    check(two, delete("A"), "# B\n\nb\n");
    check(two, delete("B"), "# A\n\na\n");
    check(two, move_item("B", Before, "A"), "# B\n\nb\n\n\n# A\n\na\n");
    check("a\n\nb\n", insert(After, "a", "n"), "a\n\nn\n\nb\n");
    check("a\n```\nc\n```\nb\n", delete("c"), "a\n\nb\n");
    check("# A\n## B\n## C\n", delete("B"), "# A\n## C\n");
    check("# A\ntext\n", insert(After, "text", "more"), "# A\ntext\n\nmore\n");
    check("> a\n>\n> b\n\nc\n", delete("b"), "> a\n\nc\n");
    check("> a\n>\n> b\n>\n> c\n", delete("b"), "> a\n>\n> c\n");
    check("> a\n>\n> b\n", insert(After, "b", "n\n\nm"), "> a\n>\n> b\n>\n> n\n>\n> m\n");
    check("> a\n>\n> b\n", insert(Before, "b", "n"), "> a\n>\n> n\n>\n> b\n");
    let nested = "> > a\n> >\n> > b\n>\n> c\n";
    check(nested, delete("b"), "> > a\n>\n> c\n");
    let inner = "> - > a\n>   >\n>   > b\n>\n>   c";
    check(inner, insert(After, "b", "n"), "> - > a\n>   >\n>   > b\n>   >\n>   > n\n>\n>   c");
    let inner = "> - > a\n>   >\n>   > b\n>   >\n>   > n\n>\n>   c";
    check(inner, delete("n"), "> - > a\n>   >\n>   > b\n>\n>   c");
    check("> # A\nb\n", insert(After, "b", "n"), "> # A\nb\n\nn\n");
}

#[test]
fn what_is_in_containers_keeps_its_depth() {
    let list = "- a\n\n  text\n  lazy\n\n  ```\n    code\n  ```\n";
    let (_, read) = done(&[("a.md", list)], &of_markdown(read("code"))).unwrap();
    assert_eq!(json!(read.output)["matches"][0]["text"], "```\n  code\n```");
    check(list, replace("text", "one\ntwo"), "- a\n\n  one\n  two\n\n  ```\n    code\n  ```\n");
    check(list, delete("text"), "- a\n\n  ```\n    code\n  ```\n");
    check("- ```\n  c\n  ```\n  more\n", delete("```\nc"), "- more\n");
    check("- ```\n  c\n  ```\n", delete("```\nc"), "-\n");
    check("- ```\n  c\n  ```\n", insert(Before, "```\nc", "text"), "- text\n\n  ```\n  c\n  ```\n");
    check("- a\n- b\n\n> q\n", move_item("b", After, "q"), "- a\n\n> q\n\n- b\n");
    check("a\n\n- b\n- c\n", move_item("a", After, "b"), "- b\n- a\n- c\n");
    check("1. a\n   1. x\n2. b\n", move_item("x", After, "b"), "1. a\n2. b\n3. x\n");
    check("- a\n\t- b\n\t- c\n", insert(After, "b", "n"), "- a\n\t- b\n\t- n\n\t- c\n");
}

#[test]
fn edges_of_a_file() {
    check(
        "---\na: b\n---\n\n# A\n\n# B\n",
        move_to("B", Before, "a.py"),
        "---\na: b\n---\n\n# B\n\n# A\n",
    );
    check("# A\n\na\n\n# B", move_to("A", After, "a.py"), "# B\n\n# A\n\na");
    check("- a\n- b\n", move_to("b", Before, "a.py"), "- b\n- a\n");
    check("1. a\n2. b\n", move_to("a", After, "a.py"), "1. b\n2. a\n");
    check(
        "# A\r\n\r\na\r\n\r\n# B\r\n",
        insert(After, "A", "# N\n\nn"),
        "# A\r\n\r\na\r\n\r\n# N\r\n\r\nn\r\n\r\n# B\r\n",
    );
    check("# A\n\na", insert(After, "A", "b"), "# A\n\na\n\nb");
}

/// Every file in the grammar's cases.
const FILES: [&str; 5] = [
    include_str!("../../../../../../grammars/markdown/cases/tabs.md"),
    include_str!("../../../../../../grammars/markdown/cases/definitions.md"),
    include_str!("../../../../../../grammars/markdown/cases/edges.md"),
    include_str!("../../../../../../grammars/markdown/cases/nested.md"),
    include_str!("../../../../../../grammars/markdown/cases/windows.md"),
];

fn parsed(text: &str) -> (Parsed, Vec<String>) {
    let markdown = operator_grammars::by_language_id("markdown").unwrap();
    let mut patience = || std::ops::ControlFlow::Continue(());
    let parsed = Parsed::new(markdown, Content::plain(text), &mut patience).unwrap();
    let targets = Index::new(&parsed).targets();
    (parsed, targets)
}

fn read_back(text: &str, target: &str) -> String {
    let (_, read) = done(&[("a.md", text)], &of_markdown(read(target))).unwrap();
    json!(read.output)["matches"][0]["text"].as_str().unwrap().to_owned()
}

#[test]
fn a_structure_replaced_by_what_was_read_leaves_every_byte() {
    for file in FILES {
        for target in parsed(file).1 {
            let content = read_back(file, &target);
            let after = changed(file, replace(&target, &content));
            assert!(after == file, "{target}\n{content}\n-> {after}");
        }
    }
}

/// A block of Markdown, one line each, at zero indent.
fn block() -> impl Strategy<Value = Vec<String>> {
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let plain = prop::sample::select(vec![
        "text",
        "two\nlines",
        "[ ] task",
        "```js\n  code();\n\n# no heading\n```",
        "    indented\n\n      code",
        "| a | b |\n|---|---|\n| 1 | 2 |",
    ]);
    plain.prop_map(lines).prop_recursive(3, 20, 3, |inner| {
        let markers = prop::sample::select(vec!["- ", "*   ", "1. ", "9) ", "> "]);
        let inner = prop::collection::vec(inner, 1..4);
        (markers, prop::collection::vec(inner, 1..4)).prop_map(|(marker, items)| {
            let mut lines = Vec::new();
            for (place, blocks) in items.iter().enumerate() {
                let number = marker.trim_end_matches([' ', '.', ')']).parse::<usize>();
                let marker = match number {
                    Ok(first) => marker.replace(&first.to_string(), &(first + place).to_string()),
                    Err(_) => marker.to_owned(),
                };
                let indent = if marker == "> " {
                    "> ".to_owned()
                } else {
                    " ".repeat(marker.replace("[ ] ", "").len())
                };
                let blank = indent.trim_end().to_owned();
                if place > 0 {
                    lines.push(blank.clone());
                }
                let text = blocks.join(&[String::new()][..]);
                lines.extend(text.iter().enumerate().map(|(place, line)| match place {
                    0 => format!("{marker}{line}"),
                    _ if line.is_empty() => blank.clone(),
                    _ => format!("{indent}{line}"),
                }));
            }
            lines
        })
    })
}

/// A text whose blocks are one blank line apart.
fn document() -> impl Strategy<Value = String> {
    let heading = prop::sample::select(vec!["# A", "## B ##", "Under\n---", "### C"]);
    let heading = heading.prop_map(|it| it.lines().map(str::to_owned).collect::<Vec<_>>());
    let blocks = prop::collection::vec(prop_oneof![heading, block()], 1..6);
    let endings = prop::sample::select(vec!["\n", "\r\n"]);
    (blocks, endings, any::<bool>()).prop_map(|(blocks, ending, ends)| {
        let mut text = blocks.join(&[String::new()][..]).join(ending);
        if ends {
            text.push_str(ending);
        }
        text
    })
}

/// Pieces that make sense together now and then.
fn chaos() -> impl Strategy<Value = String> {
    let pieces = vec![
        "a", "\n", "\n\n", "\r\n", "\r", "> ", ">", "- ", "* ", "+", "1. ", "9) ", "10. ", "    ",
        "  ", " ", "\t", "# ", "##", "===\n", "---\n", "---", "```\n", "~~~", "| a |\n", "|---|\n",
        "[^1]: ", "[x]: y\n", "[ ] ", "<div>\n", "<!--", "é", "😀", "\\", "...\n", "k: v\n",
        "\u{a0}", "\0",
    ];
    prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn what_was_read_changes_nothing(text in prop_oneof![document(), chaos()]) {
        let mut targets = parsed(&text).1;
        // Of a whole file `\r\r\n` is read as `\r\n`, which is one ending.
        targets.extend((!text.contains("\r\r\n")).then(String::new));
        for target in targets {
            let content = read_back(&text, &target);
            if !content.trim().is_empty() {
                prop_assert_eq!(changed(&text, replace(&target, &content)), text.clone(), "{}", target);
            }
        }
    }

    #[test]
    fn deleting_undoes_inserting(text in document()) {
        let (file, targets) = parsed(&text);
        for (structure, target) in file.outline.structures.iter().zip(targets) {
            let new = if structure.kind == crate::structure::Kind::Section { "### N w\n\n- it" } else { "N w" };
            let line = text[..structure.extent.start].rfind('\n').map_or(0, |at| at + 1);
            // What is first in an item or a quote is that itself.
            let around = structure.parent.map(|parent| &file.outline.structures[parent]);
            let is_first = around.is_some_and(|around| around.extent.start >= line);
            for side in [Before, After].into_iter().skip(usize::from(is_first)) {
                let inserted = changed(&text, insert(side, &target, new));
                let back = changed(&inserted, delete("N w"));
                prop_assert_eq!(back, text.clone(), "{:?} {}:\n{}", side, target, inserted);
            }
        }
    }

    #[test]
    fn a_structure_is_in_another_one_or_beside_it(text in prop_oneof![document(), chaos()]) {
        let (file, targets) = parsed(&text);
        let mut open: Vec<(&crate::text::Span, &str)> = Vec::new();
        for (structure, target) in file.outline.structures.iter().zip(&targets) {
            let extent = &structure.extent;
            while open.pop_if(|(around, _)| around.end <= extent.start).is_some() {}
            if let Some((around, other)) = open.last() {
                prop_assert!(extent.end <= around.end, "{:?} begins in {:?} and ends outside", target, other);
                prop_assert!(structure.parent.is_some(), "{:?} is in {:?}", target, other);
            }
            open.push((extent, target));
        }
    }

    #[test]
    fn nothing_makes_an_operation_panic(text in chaos(), content in chaos(), pick in any::<prop::sample::Index>()) {
        let (_, targets) = parsed(&text);
        let mut targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        targets.push("");
        let (target, other) = (targets[pick.index(targets.len())], targets[targets.len() / 2]);
        for request in [
            read(target),
            replace(target, &content),
            delete(target),
            insert(Before, target, &content),
            insert(After, target, &content),
            move_beside(target, After, "a.py", other),
            move_beside(target, Before, "a.py", other),
            move_beside(target, Before, "b.py", "x"),
            move_to(target, Before, "a.py"),
            move_to(target, After, "b.py"),
            move_to(target, After, "c.py"),
        ] {
            let _ = done(&[("a.md", &text), ("b.md", "1. x\n2. y\n")], &of_markdown(request));
        }
    }
}

#[test]
fn white_space_that_is_no_blank_is_text_of_a_whole_file() {
    check("  \u{a0}> ", replace("", " \u{a0}===\n> "), " \u{a0}===\n> ");
    check("\n\u{a0}a\n\u{a0}\n\n", replace("", "b"), "\nb\n\n");
    for text in ["\u{a0}", "a  ", " \u{a0}a \n", "\r\n\u{b}\r\n\r\n"] {
        check(text, replace("", text), text);
    }
}

#[test]
fn white_space_that_is_no_blank_is_text() {
    let text = "a...\n> [x]: y\n...\n\u{a0}";
    let content = read_back(text, "...");
    assert_eq!(content, "...\n\u{a0}");
    assert_eq!(changed(text, replace("...", &content)), text);
}
