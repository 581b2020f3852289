use super::*;
use crate::fingerprint::Fingerprint;
use crate::problem::*;
use crate::spec::FieldRole;
use crate::text::glob::Glob;

fn workspace() -> MemorySnapshot {
    let text: String = (1..=12).map(|n| format!("line {n}\r\n")).collect();
    let mut snapshot = MemorySnapshot::of([
        ("src/a.rs", text.as_str()),
        ("empty", ""),
        (".hidden", "line 1"),
        ("z", "x\ny"),
    ]);
    snapshot.files.insert("icon".into(), vec![0xff]);
    snapshot
}

fn searched(path: &str, query: &str, in_tree: bool) -> Step {
    let what = SearchFor::Text { query: query.into(), include: None };
    Step::Search { path: path.into(), what, in_tree }
}

fn check(step: Step, summary: &str, text: Option<&str>) {
    let (plan, _) = done(&workspace(), step);
    assert_eq!((line(&plan.outcome).as_str(), details(&plan.outcome).as_deref()), (summary, text));
    assert!(plan.changes.is_empty());
}

#[test]
fn files_and_directories_are_read() {
    let z = Fingerprint::of(b"x\ny");
    check(read("z".into()), &format!("read z, 2 lines, {z}"), Some("x\ny"));
    let nothing = Fingerprint::of(b"");
    check(read("empty".into()), &format!("read empty, 0 lines, {nothing}"), None);
    check(
        Step::List { path: ".".into(), with_details: false },
        "listed ., 5 entries",
        Some(".hidden\nempty\nicon\nsrc/\nz"),
    );
    check(
        Step::Stat { path: "z".into() },
        &format!("looked at z, 3 bytes, 2 lines, {z}"),
        Some(&format!(r#"{{"size":3,"lines":2,"fingerprint":"{z}","kind":"file"}}"#)),
    );
    check(
        Step::Stat { path: "src".into() },
        "looked at src, directory, 1 entry",
        Some(r#"{"kind":"directory","entries":1}"#),
    );
    let icon = Fingerprint::of(&[0xff]);
    check(
        Step::Stat { path: "icon".into() },
        &format!("looked at icon, {icon}"),
        Some(&format!(r#"{{"size":null,"lines":null,"fingerprint":"{icon}","kind":"file"}}"#)),
    );
}

#[test]
fn slices_are_numbered_to_the_widest() {
    let snapshot = workspace();
    let fingerprint = Fingerprint::of(&snapshot.files["src/a.rs"]);
    let slice = |path: &str, start, count| {
        let (lines, delimiter) = (ReadLines::From { start, count }, Some(": ".to_owned()));
        Step::Read { path: path.into(), lines, delimiter }
    };
    check(
        slice("src/a.rs", 9, 2),
        &format!("read src/a.rs, lines 9-10 of 12, {fingerprint}"),
        Some(" 9: line 9\n10: line 10"),
    );
    check(
        slice("src/a.rs", 12, 120),
        &format!("read src/a.rs, lines 12-12 of 12, {fingerprint}"),
        Some("12: line 12"),
    );
    check(slice("empty", 1, 120), &format!("read empty, 0 lines, {}", Fingerprint::of(b"")), None);
    let issue = refused(&snapshot, slice("src/a.rs", 13, 1));
    assert_eq!((issue.code, issue.field), (PLAN_RANGE_OUT_OF_BOUNDS, FieldRole::Start));
    assert_eq!(issue.message, "line 13 is beyond the end of `src/a.rs`, which has 12 lines");
    let all = details(&done(&snapshot, slice("src/a.rs", 1, usize::MAX)).0.outcome).unwrap();
    assert_eq!(all.lines().count(), 12);
}

#[test]
fn searches_say_what_they_left_out() {
    let search = |path: &str, query: &str| searched(path, query, false);
    check(
        search("src/a.rs", "line 1"),
        "searched src/a.rs: 4 matching lines",
        Some(" 1: line 1\n10: line 10\n11: line 11\n12: line 12"),
    );
    check(search("z", "y"), "searched z: 1 matching line", Some("2: y"));
    check(search("src/a.rs", "Line"), "searched src/a.rs: 0 matching lines", None);
    let limits = Limits { matches_per_file: 2, matches_per_tree: 3, ..Limits::default() };
    let snapshot = MemorySnapshot::of([("a", "x x\nx\nx"), ("b/c", "x\nx"), ("d", "x")]);
    let found = |operation| plan(&command(operation), &snapshot, &limits).unwrap().outcome;
    let one = found(search("a", "x"));
    assert_eq!(line(&one), "searched a: the first 2 of 3 matching lines");
    assert_eq!(details(&one).as_deref(), Some("1: x x\n2: x"));
    let tree = found(searched("", "x", true));
    assert_eq!(
        line(&tree),
        "searched .: 6 matching lines in 3 files of 3; 3 shown, at most 2 a file and 3 in all"
    );
    assert_eq!(details(&tree).as_deref(), Some("a:1: x x\na:2: x\nb/c:1: x"));
}

#[test]
fn a_tree_is_searched_without_hidden_files() {
    let tree = |path: &str, query: &str| searched(path, query, true);
    check(
        tree("", "line 2"),
        "searched .: 1 matching line in 1 file of 4; 1 file not searched (no UTF-8 text, too large, or closed)",
        Some("src/a.rs:2: line 2"),
    );
    check(tree("z", "x"), "searched z: 1 matching line in 1 file of 1", Some("z:1: x"));
    check(tree("src", "nothing"), "searched src: 0 matching lines of 1", None);
}

#[test]
fn lines_that_are_named_are_all_there_unless_they_may_be_missing() {
    let snapshot = MemorySnapshot::of([("z", "x\ny"), ("empty", "")]);
    let named = |path: &str, lines: &str, clip: bool| Step::Read {
        path: path.into(),
        lines: ReadLines::Named { lines: lines.into(), clip },
        delimiter: None,
    };
    let text = |step: Step| {
        let (plan, _) = done(&snapshot, step);
        match plan.outcome.facts() {
            [Fact::Read { text, .. }] => text.clone(),
            facts => panic!("{facts:?}"),
        }
    };
    assert_eq!(text(named("z", "1", false)), "x");
    assert_eq!(text(named("z", "1-2", false)), "x\ny");
    assert_eq!(text(named("z", "2-3", true)), "y");
    assert_eq!(text(named("empty", "1", false)), "");
    let issue = refused(&snapshot, named("z", "2-3", false));
    assert_eq!((issue.code, issue.field), (PLAN_RANGE_OUT_OF_BOUNDS, FieldRole::Lines));
    assert_eq!(issue.message, "`z` has 2 lines, and lines 2-3 are asked for");
    assert_eq!(issue.details["data"], serde_json::json!({"path": "z", "content": "y"}));
}

/// What is found in a tree.
fn found(snapshot: &dyn Snapshot, path: &str, include: Option<&str>) -> FoundInTree {
    let include = include.map(|glob| Glob::parse(glob).unwrap());
    let what = SearchFor::Text { query: "x".into(), include };
    let step = Step::Search { path: path.into(), what, in_tree: true };
    let plan = plan_in(snapshot, step).unwrap();
    match plan.outcome.facts() {
        [Fact::FoundInTree(found)] => found.clone(),
        facts => panic!("{facts:?}"),
    }
}

#[test]
fn a_search_leaves_the_transcript_out_unless_it_is_named() {
    let memory = MemorySnapshot::of([("chats/one.md", "x"), ("a", "x")]);
    let snapshot = with_transcript(memory, "chats/one.md");
    let told = |path: &str| {
        let found = found(&snapshot, path, None);
        (found.total, found.searched, found.leaves_transcript)
    };
    assert_eq!(told(""), (1, 1, true));
    assert_eq!(told("a"), (1, 1, false));
    assert_eq!(told("chats/one.md"), (1, 1, false));
    let other = with_transcript(MemorySnapshot::of([("a", "x")]), "gone.md");
    assert!(!found(&other, "", None).leaves_transcript);
}

#[test]
fn a_long_line_is_cut_and_the_fact_says_so() {
    let line = |length: usize| format!("{}\n", "x".repeat(length));
    let files = [("cut/a", line(501) + "x\n"), ("cut/b", line(1)), ("whole/a", line(500))];
    let snapshot = MemorySnapshot::of(files);
    let cut = found(&snapshot, "cut", None);
    assert_eq!((cut.is_cut, cut.files[0].1[0].1.chars().count()), (true, 501));
    assert!(cut.files[0].1[0].1.ends_with("x…"));
    let whole = found(&snapshot, "whole", None);
    assert_eq!((whole.is_cut, whole.files[0].1[0].1.len()), (false, 500));
}

#[test]
fn globs_are_of_the_path_from_the_directory_on() {
    let files = [("src/a.rs", "x"), ("src/b/c.rs", "x"), ("src/b/d.txt", "x")];
    let snapshot = MemorySnapshot::of(files);
    let fitting = |path: &str, glob: &str| {
        let what = SearchFor::Files(Glob::parse(glob).unwrap());
        let step = Step::Search { path: path.into(), what, in_tree: true };
        let plan = plan_in(&snapshot, step).unwrap();
        match plan.outcome.facts() {
            [Fact::FoundFiles { files, .. }] => {
                files.iter().map(FilePath::to_string).collect::<Vec<_>>()
            }
            facts => panic!("{facts:?}"),
        }
    };
    assert_eq!(fitting("src", "b/*.rs"), ["src/b/c.rs"]);
    assert_eq!(fitting("src", "*.rs"), ["src/a.rs"]);
    assert_eq!(fitting("src/a.rs", "a.rs"), ["src/a.rs"]);
    assert_eq!(fitting("src/a.rs", "src/a.rs"), Vec::<String>::new());
    assert_eq!(found(&snapshot, "src", Some("*.rs")).total, 2);
    assert_eq!(found(&snapshot, "src", Some("b/*.rs")).total, 1);
}

#[test]
fn the_first_of_what_is_not_searched_is_named() {
    let remarks = |count: usize| {
        let unread = ["a", "b", "c"].map(|path| (FilePath::new(0, path), Denied::Permission));
        let unread = unread.into_iter().take(count).collect();
        let known = Known { memory: MemorySnapshot::of([("x", "x")]), unread, ..Known::default() };
        let plan = plan_in(&known, searched("", "x", true)).unwrap();
        plan.remarks.into_iter().map(|remark| remark.message).collect::<Vec<_>>()
    };
    assert_eq!(remarks(0), Vec::<String>::new());
    assert_eq!(remarks(1), ["`a` is not searched: the system does not allow it"]);
    assert_eq!(remarks(3), ["`a` and 2 more are not searched: the system does not allow it"]);
}

#[test]
fn a_search_for_nothing_is_refused() {
    let issue = refused(&workspace(), searched("", "", true));
    assert_eq!((issue.code, issue.field), (PLAN_TEXT_EMPTY, FieldRole::Pattern));
}
