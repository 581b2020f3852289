//! What the operations make of Markdown.

use super::*;
use crate::structure::request::Side::{After, Before};
use crate::structure::{Index, Parsed};
use crate::text::Content;

/// A request about `a.py` as one about `a.md`.
fn of_markdown(request: Request) -> Request {
    let md = |path: String| path.replace(".py", ".md");
    match request {
        Request::Read { path, target } => Request::Read { path: md(path), target },
        Request::Replace { path, target, content } => {
            Request::Replace { path: md(path), target, content }
        }
        Request::Delete { path, target } => Request::Delete { path: md(path), target },
        Request::Insert { path, target, content, side } => {
            Request::Insert { path: md(path), target, content, side }
        }
        Request::MoveBeside { path, target, dest_path, dest_target, side } => {
            let (path, dest_path) = (md(path), md(dest_path));
            Request::MoveBeside { path, target, dest_path, dest_target, side }
        }
        Request::MoveToEdge { path, target, dest_path, side } => {
            Request::MoveToEdge { path: md(path), target, dest_path: md(dest_path), side }
        }
        other => other,
    }
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
    check("> # A\nb\n", insert(After, "b", "n"), "> # A\nb\n\nn\n");
}

#[test]
fn what_is_in_containers_keeps_its_depth() {
    let list = "- a\n\n  text\n  lazy\n\n  ```\n    code\n  ```\n";
    let (_, read) = done(&[("a.md", list)], &of_markdown(read("code"))).unwrap();
    assert_eq!(read.result["matches"][0]["text"], "```\n  code\n```");
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

fn targets(text: &str) -> Vec<String> {
    let markdown = operator_grammars::by_language_id("markdown").unwrap();
    let mut patience = || std::ops::ControlFlow::Continue(());
    Index::new(&Parsed::new(markdown, Content::plain(text), &mut patience).unwrap()).targets()
}

#[test]
fn a_structure_replaced_by_what_was_read_leaves_every_byte() {
    for file in FILES {
        for target in targets(file) {
            let (_, read) = done(&[("a.md", file)], &of_markdown(read(&target))).unwrap();
            let content = read.result["matches"][0]["text"].as_str().unwrap().to_owned();
            let after = changed(file, replace(&target, &content));
            assert!(after == file, "{target}\n{content}\n-> {after}");
        }
    }
}
