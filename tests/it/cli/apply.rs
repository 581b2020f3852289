//! `apply` without questions, and `undo`.

use serde_json::json;

use super::*;

fn results(json: &Value) -> Vec<(u64, &str, bool)> {
    let result = |it: &Value| it["ok"].as_bool().unwrap();
    let all = json["results"].as_array().unwrap().iter();
    all.map(|it| (it["seq"].as_u64().unwrap(), it["id"].as_str().unwrap_or("-"), result(it)))
        .collect()
}

#[test]
fn replies_are_all_that_standard_output_gets() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat =
        format!("Talk.\n{}More talk.\n{}", read("r-1", "a.txt"), write("w-1", "b.txt", "b\n"));
    let ran = world.run_on(chat, &["apply", "--yes"]).exits(0);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(&lines[..3], ["OPERATOR_RESULT", "id: r-1", "ok: true"], "{}", ran.all());
    assert!(lines[3].starts_with("summary: ") && lines[3].contains(&fingerprint("one\n")));
    assert_eq!(lines[4], format!("details_b64: {}", BASE64.encode(b"one\n")));
    assert_eq!(&lines[5..9], ["END_OPERATOR_RESULT", "OPERATOR_RESULT", "id: w-1", "ok: true"]);
    assert!(lines[9].contains(&fingerprint("b\n")), "{}", ran.all());
    assert!(ran.out.ends_with("\nEND_OPERATOR_RESULT\n"), "{}", ran.all());
    assert_eq!(world.text("b.txt"), "b\n");
    assert_eq!(ran.err, "  create b.txt\n2 blocks: 1 applied, 1 answered\n");
}

#[test]
fn a_later_block_sees_what_an_earlier_one_did_and_a_failed_one_stops_nothing() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = [
        replace("e-1", "a.txt", "one", "two"),
        replace("e-2", "a.txt", "one", "three"),
        replace("e-3", "a.txt", "two", "four"),
        read("r-4", "a.txt"),
    ];
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--format", "json"]).exits(1);
    let json = ran.json();
    let expected = [(1, "e-1", true), (2, "e-2", false), (3, "e-3", true), (4, "r-4", true)];
    assert_eq!(results(&json), expected, "{}", ran.all());
    assert_eq!(json["results"][1]["error"]["code"], "plan/text-not-found");
    assert_eq!(json["results"][3]["data"], "four\n");
    assert_eq!(
        json["changed"],
        json!([{"path": "a.txt", "kind": "edit", "fingerprint": fingerprint("four\n")}])
    );
    assert_eq!(world.text("a.txt"), "four\n");
    ran.says("error[plan/text-not-found]: ").says("4 blocks: 2 applied, 1 answered, 1 failed\n");
}

#[test]
fn the_json_is_as_documented() {
    let world = World::new(&[("a.txt", "one\n"), ("d/x.txt", "x\n")]);
    let moved = block("m-1", "fs.move", &[("path", "d/x.txt"), ("path_to", "y.txt")]);
    let chat = [moved, delete("d-1", "a.txt"), "OPERATOR_CMD\nid: bad\n".to_owned()];
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--format", "json"]).exits(1);
    assert_eq!(ran.out.matches('\n').count(), 1);
    let json = ran.json();
    let keys = |it: &Value| it.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json), ["results", "replies", "changed", "problems"]);
    let first = ["seq", "dialect", "id", "action", "ok", "summary", "warnings"];
    assert_eq!(keys(&json["results"][0]), first, "{}", ran.all());
    let failed = ["seq", "dialect", "id", "action", "ok", "summary", "error", "warnings"];
    assert_eq!(keys(&json["results"][2]), failed);
    assert_eq!(keys(&json["results"][2]["error"]), ["code", "message", "details"]);
    assert_eq!(json["results"][2]["action"], Value::Null);
    assert_eq!(
        json["changed"],
        json!([
            {"path": "y.txt", "from": "d/x.txt", "kind": "rename", "fingerprint": fingerprint("x\n")},
            {"path": "a.txt", "kind": "delete"},
        ])
    );
    let replies = json["replies"].as_array().unwrap();
    assert_eq!(replies.len(), 3);
    assert_eq!(keys(&replies[0]), ["dialect", "text"]);
    assert!(
        replies[0]["text"].as_str().unwrap().starts_with("OPERATOR_RESULT\nid: m-1\nok: true\n")
    );
    assert!(
        replies[2]["text"].as_str().unwrap().starts_with("OPERATOR_RESULT\nid: bad\nok: false\n")
    );
    assert_eq!(json["problems"][0]["block"], 2, "{}", ran.all());
}

#[test]
fn without_a_block_it_says_what_it_searched_for() {
    let world = World::new(&[]);
    let ran = world.run_on("Talk.\n", &["apply", "--yes"]).exits(1);
    assert_eq!(ran.out, "");
    let says = "no blocks found; searched for those of operator, sham, replacer, search-replace, ";
    assert!(ran.err.starts_with(says) && ran.err.lines().count() == 1, "{}", ran.all());
    let json = world.run_on("Talk.\n", &["apply", "--yes", "--format", "json"]).exits(1).json();
    assert_eq!(json, json!({"results": [], "replies": [], "changed": [], "problems": []}));
}

#[test]
fn without_a_block_it_says_what_it_saw() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = "Use `<write_to_file>`:\n\n<write_to_file>\n<path>a.txt</path>\n\nOr so:\n\n```json\n\
                {\n  \"command\": \"str_replace\",\n  \"old_str\": \"one\",\n  \"new_str\": \"two\"\n}\n\
                ```\n\n### Delete `a.txt`\n";
    for how in ["--yes", "--dry-run"] {
        let ran = world.run_on(chat, &["apply", how]).exits(1);
        let places: Vec<&str> =
            ran.err.lines().filter_map(|it| it.split(": info[").next()).collect();
        let expected = ["chat.md:3:1", "chat.md:11:4", "chat.md:16:1", "no blocks found; "];
        let fits =
            |(is, expected): (&&str, &str)| is.ends_with(expected) || is.starts_with(expected);
        assert!(places.len() == 4 && places.iter().zip(expected).all(fits), "{}", ran.all());
        assert!(ran.err.contains("this is a `str_replace` call"), "{}", ran.all());
    }
    let json = world.run_on(chat, &["apply", "--yes", "--format", "json"]).exits(1).json();
    let codes = json["problems"].as_array().unwrap().iter().map(|problem| &problem["code"]);
    assert_eq!(codes.collect::<Vec<_>>(), ["chat/not-applied"; 3]);
    assert_eq!(world.text("a.txt"), "one\n");
    let ran = world.run_on(chat, &["check"]).exits(0);
    assert!(ran.out.contains("info[chat/not-applied]: this asks for a file to be deleted"));
}

#[test]
fn without_a_terminal_it_says_which_flag() {
    let world = World::new(&[("a.txt", "one\n")]);
    for chat in [write("w-1", "a.txt", "two\n"), read("r-1", "a.txt")] {
        let ran = world.run_with_input(&chat, &["apply"]).exits(2);
        assert_eq!(ran.out, "");
        ran.says("--yes").says("--dry-run");
        world.run_on(&chat, &["apply"]).exits(2).says("--yes");
    }
    assert_eq!(world.text("a.txt"), "one\n");
}

#[test]
fn a_dry_run_shows_everything_and_writes_nothing() {
    let world = World::new(&[("a.txt", "one\ntwo\n")]);
    let chat = [replace("e-1", "a.txt", "two", "2"), read("r-1", "a.txt"), delete("d-1", "a.txt")];
    let ran = world.run_on(chat.concat(), &["apply", "--dry-run"]).exits(0);
    assert_eq!(world.text("a.txt"), "one\ntwo\n");
    // Nothing was done, so there is nothing to tell the model.
    assert_eq!(ran.out, "", "{}", ran.all());
    let ran = ran.says("(1/3) fs.applyEdits a.txt (id e-1)\n").says(" one\n-two\n+2\n");
    ran.says("delete file a.txt\n").says("3 blocks: 2 would be applied, 1 would be answered\n");
    world.run(&["undo"]).exits(1).says("nothing to undo");
    let json = world.run_on(chat.concat(), &["apply", "--dry-run", "--format", "json"]).json();
    assert_eq!((&json["dry_run"], &json["replies"]), (&json!(true), &json!([])));
    assert_eq!(results(&json), [(1, "e-1", true), (2, "r-1", true), (3, "d-1", true)]);
    assert_eq!(json["results"][1]["data"], "one\n2\n", "what would be read");
    let json = world.run_on(chat.concat(), &["apply", "--yes", "--format", "json"]).json();
    assert_eq!((json.get("dry_run"), json["replies"].as_array().unwrap().len()), (None, 3));
}

#[test]
fn only_the_named_blocks_are_looked_at() {
    let world = World::new(&[]);
    let chat = [write("a", "a.txt", "a"), write("b", "b.txt", "b"), write("c", "c.txt", "c")];
    let arguments = ["apply", "--yes", "--format", "json", "--only", "c", "--only", "a"];
    let json = world.run_on(chat.concat(), &arguments).exits(0).json();
    assert_eq!(results(&json), [(1, "a", true), (2, "c", true)]);
    assert_eq!(world.text("b.txt"), "(not there)");
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--only", "d"]).exits(2);
    ran.says("no block has the id or number `d`").says("a, b, c");
}

#[test]
fn of_blocks_with_one_id_the_last_counts() {
    let world = World::new(&[]);
    let chat = [write("a", "first.txt", "1"), write("a", "last.txt", "2")];
    let json = world.run_on(chat.concat(), &["apply", "--yes", "--format", "json"]).exits(0).json();
    assert_eq!(results(&json), [(1, "a", true)]);
    assert_eq!(world.text("first.txt"), "(not there)");
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--only", "1"]).exits(2);
    ran.says("block 1 (a) is superseded by block 2 (a), which has the same id");
}

#[test]
fn a_refusal_that_nobody_has_given_stops_nothing() {
    let world = World::new(&[]);
    let refusal =
        "OPERATOR_RESULT\nid: a\nok: false\nsummary: refused by the user\nEND_OPERATOR_RESULT\n";
    let chat = [write("a", "a.txt", "a"), refusal.to_owned(), write("b", "b.txt", "b")];
    let ran =
        world.run_on(chat.concat(), &["apply", "--yes", "--atomic", "--format", "json"]).exits(0);
    let json = ran.json();
    assert_eq!(results(&json), [(1, "a", true), (2, "b", true)]);
    assert_eq!(json["problems"][0]["code"], "reply/unverified");
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("a".into(), "b".into()));
}

#[test]
fn atomic_is_all() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = [replace("e-1", "a.txt", "one", "two"), write("w-1", "b.txt", "b")];
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--atomic"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("two\n".into(), "b".into()));
    ran.says("2 blocks: 2 applied\n");
}

#[test]
fn or_nothing() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = [
        replace("e-1", "a.txt", "one", "two"),
        read("r-1", "a.txt"),
        replace("e-2", "a.txt", "gone", "three"),
        write("w-1", "b.txt", "b"),
        read("r-2", "b.txt"),
    ];
    for how in ["--yes", "--dry-run"] {
        let arguments = ["apply", how, "--atomic", "--format", "json"];
        let json = world.run_on(chat.concat(), &arguments).exits(1).json();
        let ok: Vec<_> = results(&json).into_iter().map(|(_, id, ok)| (id, ok)).collect();
        let none = [("e-1", false), ("r-1", true), ("e-2", false), ("w-1", false), ("r-2", false)];
        assert_eq!(ok, none, "{json}");
        assert_eq!(json["results"][1]["data"], "one\n", "a read tells what is there");
        for index in [0, 3, 4] {
            let error = &json["results"][index]["error"];
            assert_eq!(
                (&error["code"], &error["details"]),
                (&json!("plan/all-or-nothing"), &json!({"block": 3}))
            );
            let message = error["message"].as_str().unwrap();
            assert!(message.starts_with("not done: block 3 (e-2) failed"), "{error}");
        }
        assert_eq!(json["changed"], json!([]));
        assert_eq!(
            (world.text("a.txt").as_str(), world.text("b.txt").as_str()),
            ("one\n", "(not there)")
        );
    }
    world.run(&["undo"]).exits(1).says("nothing to undo");
}

/// A search-replace block for a file.
fn search_replace(path: &str, search: &str, replace: &str) -> String {
    format!("{path}\n````\n<<<<<<< SEARCH\n{search}\n=======\n{replace}\n>>>>>>> REPLACE\n````\n\n")
}

#[test]
fn what_fails_where_nothing_is_written_tells_of_the_files_as_they_are() {
    let world = World::new(&[("a.py", "top\nx = 1\ny\nx = 1\nend = 5\n")]);
    let chat = [
        search_replace("a.py", "top", "top\nin1\nin2"),
        search_replace("a.py", "x = 1", "x = 2"),
        search_replace("a.py", "end = 6", "end = 7"),
    ];
    for how in ["--yes", "--dry-run"] {
        let arguments = ["apply", how, "--atomic", "--format", "json"];
        let json = world.run_on(chat.concat(), &arguments).exits(1).json();
        let details = |index: usize| json["results"][index]["error"]["details"].clone();
        assert_eq!(details(1)["lines"], json!([2, 4]), "{json}");
        assert_eq!(details(2)["nearest"][0]["line"], 5, "{json}");
    }
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--atomic"]).exits(1);
    // As the blocks of the transcript are numbered, also where a reply leaves some out.
    assert!(ran.out.contains("\n3. `a.py` "), "{}", ran.out);
    let reply = world.run_on(chat.concat(), &["reply"]).exits(1).out;
    assert!(!reply.contains("\n1. ") && reply.contains("\n3. `a.py` "), "{reply}");
}

#[test]
fn a_diff_shows_which_blanks_change() {
    let world = World::new(&[("a.py", "if x:\n    y = 1\n\tz = 1\n")]);
    let chat = search_replace("a.py", "    y = 1", "\ty = 1");
    let ran = world.run_on(chat, &["apply", "--dry-run"]).exits(0);
    ran.says("\n-    y = 1\n+\ty = 1\n \tz = 1\nnote: line 2 has a tab in place of 4 blanks\n");
}

#[test]
fn undo_takes_back_a_whole_run() {
    let world = World::new(&[("a.txt", "one\r\n"), ("d/x.txt", "x"), ("e.txt", "e")]);
    let chat = [
        replace("e-1", "a.txt", "one", "two"),
        write("w-1", "new/b.txt", "b"),
        delete("d-1", "d"),
        replace("e-2", "a.txt", "two", "three"),
        block("m-1", "fs.move", &[("path", "e.txt"), ("path_to", "f.txt")]),
    ];
    world.run_on(chat.concat(), &["apply", "--yes", "--allow-caution"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("f.txt")), ("three\r\n".into(), "e".into()));
    world.run_on(read("r-1", "a.txt"), &["apply", "--yes"]).exits(0);
    let ran = world.run(&["undo"]).exits(0);
    assert!(ran.out.contains("a.txt") && ran.out.contains("changes undone"), "{}", ran.all());
    let after = ["a.txt", "d/x.txt", "e.txt", "f.txt", "new/b.txt"].map(|path| world.text(path));
    assert_eq!(after, ["one\r\n", "x", "e", "(not there)", "(not there)"]);
    assert!(!world.root().join("new").exists());
    let ran = world.run(&["undo"]).exits(1).says("nothing to undo");
    assert_eq!(ran.out, "");
}

#[test]
fn undo_touches_nothing_where_a_file_has_changed_since() {
    let world = World::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let chat = [replace("1", "a.txt", "one", "two"), replace("2", "b.txt", "one", "two")];
    world.run_on(chat.concat(), &["apply", "--yes"]).exits(0);
    world.put("b.txt", "mine\n");
    world.run(&["undo"]).exits(1).says("b.txt");
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("two\n".into(), "mine\n".into()));
    world.put("b.txt", "two\n");
    world.run(&["undo"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("b.txt")), ("one\n".into(), "one\n".into()));
}

#[cfg(unix)]
#[test]
fn what_the_disk_refuses_fails_alone() {
    use std::os::unix::fs::PermissionsExt;

    let world = World::new(&[("a.txt", "one\n"), ("locked/b.txt", "one\n"), ("c.txt", "one\n")]);
    let locked = world.root().join("locked");
    let allow = |mode| fs::set_permissions(&locked, fs::Permissions::from_mode(mode)).unwrap();
    allow(0o555);
    // Root may write everywhere; then there is nothing to see.
    let is_root = fs::write(locked.join("probe"), "").is_ok();
    let chat = [
        replace("1", "a.txt", "one", "two"),
        replace("2", "locked/b.txt", "one", "two"),
        replace("3", "c.txt", "one", "two"),
    ];
    let ran = world.run_on(chat.concat(), &["apply", "--yes", "--format", "json"]);
    allow(0o755);
    if is_root {
        return;
    }
    let json = ran.exits(1).json();
    assert_eq!(results(&json), [(1, "1", true), (2, "2", false), (3, "3", true)]);
    assert_eq!(json["results"][1]["error"]["code"], "plan/permission-denied");
    let after = ["a.txt", "locked/b.txt", "c.txt"].map(|path| world.text(path));
    assert_eq!(after, ["two\n", "one\n", "two\n"]);
    world.run(&["undo"]).exits(0);
    assert_eq!(world.text("c.txt"), "one\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_leaves_nothing_half_done() {
    let world = World::new(&[("a.txt", "one\n"), ("c.txt", "one\n")]);
    let big = "text\n".repeat(100_000);
    let chat = [
        replace("1", "a.txt", "one", "two"),
        write("2", "new/big.txt", &big),
        replace("3", "c.txt", "one", "two"),
    ];
    world.transcript(chat.concat());
    // A limit on the size of files stands for the full disk: the system refuses the same write.
    let line = format!(
        "trap '' XFSZ; ulimit -f 100; exec {} apply --yes ../chat.md --format json",
        env!("CARGO_BIN_EXE_operator-lsp")
    );
    let mut command = Command::new("sh");
    command.args(["-c", &line]).current_dir(world.root()).stdin(Stdio::null());
    command.env("OPERATOR_LSP_STATE_DIR", world.directory.path().join("state"));
    let ran: Ran = command.output().unwrap().into();
    let ran = ran.exits(1);
    let json = ran.json();
    assert_eq!(results(&json), [(1, "1", true), (2, "2", false), (3, "3", true)], "{}", ran.all());
    assert_eq!(json["results"][1]["error"]["code"], "plan/io");
    let after = ["a.txt", "new/big.txt", "c.txt"].map(|path| world.text(path));
    assert_eq!(after, ["two\n", "(not there)", "two\n"]);
    let left = fs::read_dir(world.root()).unwrap().count();
    assert_eq!(left, 2, "no temporary file and no empty directory stays");
    world.run(&["undo"]).exits(0);
    assert_eq!((world.text("a.txt"), world.text("c.txt")), ("one\n".into(), "one\n".into()));
}

#[test]
fn what_a_result_in_the_transcript_says_is_done_is_not_done_again() {
    let world = World::new(&[("log.txt", "one\n")]);
    let path = format!("{}/log.txt", world.home());
    let append = |id: &str, text: &str| {
        format!(
            "#!SHAM [@three-char-SHA-256: {id}]\naction = \"file_append\"\npath = \"{path}\"\n\
             content = \"{text}\"\n#!END_SHAM_{id}\n"
        )
    };
    let first = append("a1a", "two");
    let ran = world.run_on(&first, &["apply", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let grown = world.text("log.txt");
    // As the editor inserts it, and what the model wrote after that.
    let chat = format!("{first}{}", ran.out);
    let ran = world.run_on(&chat, &["apply", "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    assert_eq!(world.text("log.txt"), grown);
    let ran = world.run_on(format!("{chat}{}", append("b2b", "three")), &["apply", "--yes"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(world.text("log.txt"), format!("{grown}three"));
}

#[test]
fn a_transcript_does_not_find_itself() {
    let world = World::new(&[("a.txt", "needle\n"), ("b.md", "a needle\n")]);
    let path = world.home();
    let sham = |id: &str, fields: &str| {
        format!("#!SHAM [@three-char-SHA-256: {id}]\n{fields}#!END_SHAM_{id}\n")
    };
    let grep =
        sham("abc", &format!("action = \"grep\"\npattern = \"needle\"\npath = \"{path}\"\n"));
    let glob =
        sham("abd", &format!("action = \"glob\"\npattern = \"*.md\"\nbase_path = \"{path}\"\n"));
    let tree = block("t", "fs.searchTree", &[("path", "."), ("query", "needle")]);
    let one = block("o", "fs.searchTree", &[("path", "chat.md"), ("query", "needle")]);
    world.put("chat.md", format!("{grep}{glob}{tree}{one}"));
    let ran = world.run(&["apply", "--yes", "--format", "json", "chat.md"]).exits(0).json();
    let results = ran["results"].as_array().unwrap();
    let files = |index: usize| {
        let data = results[index]["data"].as_array().unwrap().iter();
        data.map(|one| {
            one["file"].as_str().or(one.as_str()).unwrap().replace(&format!("{path}/"), "")
        })
        .collect::<Vec<_>>()
    };
    assert_eq!(files(0), ["a.txt", "b.md"]);
    assert_eq!(files(1), ["b.md", "chat.md"], "a file is found by its name");
    let said = "2 matching lines in 2 files of 2; this transcript is left out";
    assert!(results[2]["summary"].as_str().unwrap().contains(said), "{}", results[2]);
    assert!(results[3]["data"].as_str().unwrap().contains("needle"), "it is named itself");
    let both = format!("{path}/a.txt\\n{path}/chat.md");
    let fields = "old_text = \"needle\"\nnew_text = \"pin\"\n";
    let fields = format!("action = \"files_replace_all_text\"\npaths = \"{both}\"\n{fields}");
    let replace = sham("abe", &fields);
    world.put("chat.md", &replace);
    let ran = world.run(&["apply", "--yes", "--format", "json", "chat.md"]).exits(0).json();
    let counts = &ran["results"][0]["data"]["results"];
    assert_eq!(
        (&counts[0]["replacements_made"], &counts[1]["replacements_made"]),
        (&1.into(), &0.into())
    );
    assert_eq!((world.text("a.txt"), world.text("chat.md")), ("pin\n".to_owned(), replace));
    let said = &ran["results"][0]["warnings"][0]["message"];
    assert_eq!(said, "this transcript is one of the files and is left as it is");
    world.put("a.txt", "needle\n");
    world.put("chat.md", format!("{grep}{glob}{tree}{one}"));
    // From standard input it is none of the files.
    let text = std::fs::read_to_string(world.root().join("chat.md")).unwrap();
    let ran = world.run_with_input(text, &["apply", "--yes", "--format", "json"]).exits(0).json();
    assert_eq!(ran["results"][0]["data"].as_array().unwrap().len(), 2 + 3);
}

#[test]
fn a_replacement_in_several_files_that_fails_has_replaced_nothing() {
    let world = World::new(&[("a.txt", "one\n")]);
    let chat = "#!SHAM [@three-char-SHA-256: abc]\naction = \"files_replace_all_text\"\n\
                paths = \"ROOT/a.txt\\nROOT/no.txt\"\nold_text = \"one\"\nnew_text = \"two\"\n\
                #!END_SHAM_abc\n";
    let ran = world.run_on(chat.replace("ROOT", &world.home()), &["apply", "--yes"]).exits(1);
    assert_eq!(ran.out.matches("\"replacements_made\": 0").count(), 2, "{}", ran.all());
    assert_eq!(world.text("a.txt"), "one\n");
}

#[test]
fn the_summary_of_a_move_with_an_edit_has_both_paths_and_the_fingerprint() {
    let patch = "*** Begin Patch\n*** Update File: a.txt\n*** Move to: d/b.txt\n@@\n-one\n+two\n\
                 *** End Patch\n";
    let diff = "```diff\ndiff --git a/a.txt b/d/b.txt\nrename from a.txt\nrename to d/b.txt\n\
                --- a/a.txt\n+++ b/d/b.txt\n@@ -1 +1 @@\n-one\n+two\n```\n";
    let several = patch.replace("*** End", "*** Add File: n.txt\n+n\n*** End");
    let print = fingerprint("two\n");
    for (chat, summary) in [
        (patch, format!("edited a.txt → d/b.txt, 1 line, {print}")),
        (diff, format!("edited a.txt → d/b.txt, 1 line, {print}")),
        (&several, "edited a.txt → d/b.txt, n.txt".to_owned()),
    ] {
        let world = World::new(&[("a.txt", "one\n")]);
        let ran = world.run_on(chat, &["apply", "--yes", "--format", "json"]).exits(0);
        assert_eq!(ran.json()["results"][0]["summary"], summary);
        assert_eq!(world.text("d/b.txt"), "two\n");
    }
}

#[test]
fn undo_names_what_is_in_the_way() {
    let world = World::new(&[("x.txt", "one\n")]);
    let chat = block("m", "fs.move", &[("path", "x.txt"), ("path_to", "y.txt")]);
    world.run_on(chat, &["apply", "--yes"]).exits(0);
    world.put("x.txt", "new\n");
    world.run(&["undo"]).exits(1).says("because these have changed since: x.txt");
}

#[test]
fn undo_passes_over_what_has_changed_nothing() {
    for other in ["a.txt", "b.txt"] {
        let world = World::new(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
        world.run_on(write("1", "a.txt", "two\n"), &["apply", "--yes"]).exits(0);
        let same = write("2", other, "two\n");
        world.run_on(&same, &["apply", "--yes"]).exits(0).says("1 satisfied");
        world.run(&["undo"]).exits(0);
        assert_eq!(world.text("a.txt"), "one\n");
        world.run(&["undo"]).exits(1).says("nothing to undo");
        world.run(&["redo"]).exits(0);
        assert_eq!(world.text("a.txt"), "two\n");
        world.run_on(&same, &["check"]).exits(0);
    }
}

#[test]
fn undo_says_that_a_change_came_from_standard_input() {
    let world = World::new(&[("a.txt", "one\n")]);
    world.run_on(write("1", "a.txt", "two\n"), &["apply", "--yes"]).exits(0);
    world.run_with_input(write("2", "a.txt", "three\n"), &["apply", "--yes"]).exits(0);
    world.run(&["undo", "1"]).exits(1).says("a.txt (by operation 2: standard input, ");
}

#[test]
fn check_says_which_block_another_waits_for() {
    let world = World::new(&[]);
    let chat = [write("one", "a.txt", "one\n"), replace("two", "a.txt", "one", "two")].concat();
    let json = world.run_on(chat, &["check", "--format", "json"]).exits(0).json();
    let blocks = &json["transcripts"][0]["blocks"];
    assert_eq!(
        (&blocks[0]["after"], &blocks[1]["after"], &blocks[0]["by"]),
        (&Value::Null, &json!(0), &Value::Null)
    );
}

#[test]
fn what_is_applied_already_has_its_data_once_more() {
    let world = World::new(&[]);
    let path = format!("{}/a.txt", world.home());
    let chat = format!(
        "#!SHAM [@three-char-SHA-256: abc]\naction = \"file_write\"\npath = \"{path}\"\n\
         content = \"one\"\n#!END_SHAM_abc\n"
    );
    let run = || world.run_on(&chat, &["apply", "--yes"]).exits(0).json()["results"][0].clone();
    let first = run();
    assert_eq!(first["data"], json!({"path": path, "bytesWritten": 3}));
    assert_eq!(run(), first);
}

#[cfg(unix)]
#[test]
fn a_reader_that_goes_away_does_not_change_what_was_done() {
    let world = World::new(&[("a.txt", &"one\n".repeat(20_000))]);
    let path = world.transcript(read("r-1", "a.txt"));
    let mut command = world.command(&["apply", "--yes", as_argument(&path)]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    let ran = Ran::from(child.wait_with_output().unwrap());
    ran.exits(0).says("1 block: 1 answered");
}
