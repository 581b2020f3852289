//! Files in other encodings than UTF-8: what is ASCII in them is edited on bytes.

use super::*;

/// Latin-1: a line with a byte beyond ASCII above and below the one that is edited.
const LATIN: &[u8] = b"# caf\xe9\r\none = 1\r\n\xa0two = 2\xff";
/// Shift-JIS, with a character whose second byte is a backslash.
const JAPANESE: &[u8] = b"// \x95\x5c\x8e\xa6\nlet a = 1;\n// \x83\x5c\n";

fn search_replace(path: &str, old: &str, new: &str) -> String {
    format!("{path}\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n")
}

fn world(path: &str, bytes: &[u8]) -> World {
    let world = World::new(&[]);
    world.put(path, bytes);
    world
}

fn bytes(world: &World, path: &str) -> Vec<u8> {
    fs::read(world.root().join(path)).unwrap()
}

#[test]
fn an_ascii_edit_of_latin_1_is_checked_applied_undone_and_made_again() {
    let world = world("a.py", LATIN);
    let chat = search_replace("a.py", "one = 1", "one = 11\nmore = 3");
    let ran = world.run_on(&chat, &["check"]).exits(0);
    assert!(ran.out.ends_with("\n1 block: 1 ready\n"), "{}", ran.out);
    let ran = world.run_on(&chat, &["apply", "--dry-run"]).exits(0);
    assert!(ran.err.contains("# caf\u{fffd}") && ran.err.contains("+more = 3"), "{}", ran.all());
    assert_eq!(bytes(&world, "a.py"), LATIN);
    let edited = b"# caf\xe9\r\none = 11\r\nmore = 3\r\n\xa0two = 2\xff";
    let ran = world.run_on(&chat, &["apply", "--yes", "--format", "json"]).exits(0).json();
    assert_eq!(ran["changed"][0]["kind"], "edit", "{ran}");
    assert_eq!(bytes(&world, "a.py"), edited);
    let sum = world.run(&["fingerprint", "a.py"]).exits(0).out;
    let stated = ran["changed"][0]["fingerprint"].as_str().unwrap();
    assert!(sum.contains(stated), "{sum}");
    world.run(&["undo"]).exits(0);
    assert_eq!(bytes(&world, "a.py"), LATIN);
    world.run(&["redo"]).exits(0);
    assert_eq!(bytes(&world, "a.py"), edited);
    let ran = world.run_on(&chat, &["check"]).exits(0);
    assert!(ran.out.ends_with("\n1 block: 1 applied\n"), "{}", ran.out);
}

#[test]
fn every_dialect_of_whole_lines_edits_shift_jis() {
    let patch =
        "*** Begin Patch\n*** Update File: a.rs\n@@\n-let a = 1;\n+let a = 2;\n*** End Patch\n";
    let diff = "```diff\n--- a/a.rs\n+++ b/a.rs\n@@ -2 +2 @@\n-let a = 1;\n+let a = 2;\n```\n";
    for chat in
        [patch.to_owned(), diff.to_owned(), search_replace("a.rs", "let a = 1;", "let a = 2;")]
    {
        let world = world("a.rs", JAPANESE);
        world.run_on(&chat, &["apply", "--yes"]).exits(0);
        let edited = b"// \x95\x5c\x8e\xa6\nlet a = 2;\n// \x83\x5c\n";
        assert_eq!(bytes(&world, "a.rs"), edited, "{chat}");
        world.run(&["undo"]).exits(0);
        assert_eq!(bytes(&world, "a.rs"), JAPANESE, "{chat}");
    }
}

#[test]
fn a_second_block_sees_the_bytes_that_the_first_one_leaves() {
    let world = world("a.py", LATIN);
    let chat = search_replace("a.py", "one = 1", "one = 2")
        + &search_replace("a.py", "one = 2", "one = 3");
    for how in [&["--atomic"][..], &[]] {
        world.run_on(&chat, &[&["apply", "--yes"], how].concat()).exits(0);
        assert_eq!(bytes(&world, "a.py"), b"# caf\xe9\r\none = 3\r\n\xa0two = 2\xff");
        world.run(&["undo"]).exits(0);
        assert_eq!(bytes(&world, "a.py"), LATIN);
    }
    let read = chat + &read("r-1", "a.py");
    let json = world.run_on(&read, &["apply", "--yes", "--format", "json"]).exits(1).json();
    assert_eq!(json["results"][2]["error"]["code"], "plan/not-utf8", "{json}");
}

#[test]
fn what_is_not_ascii_is_refused_with_the_first_byte() {
    let utf16: Vec<u8> = "one = 1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let utf16 = [&[0xff, 0xfe], &utf16[..]].concat();
    let binary = b"one = 1\n\xff\0\n".to_vec();
    for (file, old, new, at) in [
        (LATIN.to_vec(), "one = 1", "one = \u{e9}", 5),
        (LATIN.to_vec(), "# caf\u{e9}\none = 1", "one = 2", 5),
        (utf16, "one = 1", "one = 2", 0),
        (binary, "one = 1", "one = 2", 8),
    ] {
        let world = world("a.py", &file);
        let chat = search_replace("a.py", old, new);
        let json = world.run_on(&chat, &["apply", "--yes", "--format", "json"]).exits(1).json();
        let error = &json["results"][0]["error"];
        assert_eq!(
            (&error["code"], &error["details"]["offset"]),
            (&"plan/not-utf8".into(), &at.into())
        );
        assert_eq!(bytes(&world, "a.py"), file);
    }
}

#[test]
fn a_reply_shows_no_byte_as_another_character() {
    let world = world("a.py", LATIN);
    let chat = search_replace("a.py", "# caf\none = 1", "one = 2");
    let ran = world.run_on(&chat, &["apply", "--yes"]).exits(1);
    assert!(ran.out.contains("# caf\u{fffd}"), "{}", ran.all());
}
