//! Blocks are held against the files as they were when the blocks came in.

use super::*;

const FILE: &str = "import os\n\n\ndef f():\n    x = 1\n\ndef g():\n    x = 1\n    return x\n";

/// A block that puts `new` in the place of `old`, at a line where one is given.
fn pair(line: Option<usize>, old: &str, new: &str) -> String {
    let line = line.map(|line| format!(":start_line:{line}\n-------\n")).unwrap_or_default();
    format!("n.py\n```\n<<<<<<< SEARCH\n{line}{old}=======\n{new}>>>>>>> REPLACE\n```\n\n")
}

/// A block that adds lines after the first one, and one that counts the lines without these.
fn numbered(more: &str) -> String {
    let first = pair(Some(1), "import os\n", &format!("import os\n{more}"));
    first + &pair(Some(8), "    x = 1\n", "    x = 2\n")
}

fn check(before: &str, chat: &str, runs: &[&[&str]], after: &str) -> World {
    let world = World::new(&[("n.py", before), ("chat.md", chat)]);
    for run in runs {
        world.run(&[&["apply", "chat.md", "--yes"], *run].concat());
    }
    assert_eq!(world.text("n.py"), after, "{runs:?}");
    world
}

#[test]
fn a_line_number_counts_the_lines_that_were_there() {
    let after = FILE.replace("os\n", "os\nimport re\n").replace("1\n    return", "2\n    return");
    for runs in [&[&[][..]][..], &[&["--only", "1"], &[]], &[&["--only", "2"], &["--only", "1"]]] {
        check(FILE, &numbered("import re\n"), runs, &after);
    }
}

#[test]
fn a_line_number_that_may_mean_two_places_chooses_none() {
    let more = "import re\nimport sys\nimport json\n";
    let after = FILE.replace("os\n", &format!("os\n{more}"));
    for runs in [&[&[][..]][..], &[&["--only", "1"], &[]], &[&[], &[]]] {
        check(FILE, &numbered(more), runs, &after);
    }
}

#[test]
fn a_line_number_chooses_nothing_in_a_file_that_somebody_else_has_changed() {
    let world = World::new(&[("n.py", FILE), ("chat.md", &numbered("import re\n"))]);
    world.run(&["apply", "chat.md", "--yes", "--only", "1"]).exits(0);
    let typed = world.text("n.py").replace("import re\n", "import re\nimport io\nimport sys\n");
    world.put("n.py", &typed);
    let ran = world.run(&["apply", "chat.md", "--yes"]).exits(1);
    assert!(ran.out.contains("plan/text-ambiguous"), "{}", ran.out);
    assert_eq!(world.text("n.py"), typed);
}

/// A block that has two places, and one that changes the first of them.
fn corrected() -> String {
    let exact = pair(None, "def f():\n    x = 1\n", "def f():\n    x = 2\n");
    pair(None, "    x = 1\n", "    x = 2\n") + &exact
}

#[test]
fn a_block_does_not_get_the_place_that_another_one_has_left_over() {
    let after = FILE.replacen("x = 1", "x = 2", 1);
    for runs in
        [&[&[][..], &[]][..], &[&["--only", "1"], &["--only", "2"], &[]], &[&["--only", "2"], &[]]]
    {
        let world = check(FILE, &corrected(), runs, &after);
        let said = world.run(&["check", "chat.md"]).exits(1).out;
        assert!(said.contains("this had several places in `n.py` when it came in"), "{said}");
        // Once the other one is undone, all is as it was.
        world.run(&["undo"]).exits(0);
        let said = world.run(&["check", "chat.md"]).exits(1).out;
        assert!(said.contains("is in `n.py` 2 times"), "{said}");
    }
}

#[test]
fn a_block_gets_the_place_that_is_left_once_a_person_has_changed_the_other() {
    let world = check(FILE, &pair(None, "    x = 1\n", "    x = 2\n"), &[&[]], FILE);
    let typed = FILE.replacen("x = 1", "x = 0", 1);
    world.put("n.py", &typed);
    world.run(&["apply", "chat.md", "--yes"]).exits(0);
    assert_eq!(world.text("n.py"), typed.replace("x = 1", "x = 2"));
}

#[test]
fn a_block_gets_the_place_that_an_earlier_one_leaves() {
    let exact = pair(None, "def f():\n    x = 1\n", "def f():\n    x = 2\n");
    let chat = exact + &pair(None, "    x = 1\n", "    x = 3\n");
    let after = FILE.replacen("x = 1", "x = 2", 1).replace("x = 1", "x = 3");
    for runs in [&[&[][..]][..], &[&["--only", "1"], &[]]] {
        check(FILE, &chat, runs, &after);
    }
}
