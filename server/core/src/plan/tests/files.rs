use super::*;
use crate::edit::Change;
use crate::fingerprint::Fingerprint;
use crate::problem::*;
use crate::snapshot::{Denied, Layer, Staged};
use crate::spec::FieldRole;

fn write(path: &str, content: &str) -> Step {
    Step::Write { path: path.into(), content: content.into(), mode: WriteMode::Replace }
}

fn moved(path: &str, path_to: &str) -> Step {
    Step::Move { path: path.into(), path_to: path_to.into(), overwrite: false }
}

fn copied(path: &str, path_to: &str) -> Step {
    Step::Copy { path: path.into(), path_to: path_to.into() }
}

fn paths(snapshot: &MemorySnapshot) -> Vec<&str> {
    snapshot.files.keys().map(String::as_str).collect()
}

#[test]
fn a_new_file_is_exact_and_an_old_one_keeps_its_endings() {
    let check = |before: Option<&str>, content: &str, after: &str| {
        let snapshot = MemorySnapshot::of(before.map(|text| ("x", text)));
        let (_, then) = done(&snapshot, write("x", content));
        assert_eq!(text_of(&then, "x"), after, "{content:?} on {before:?}");
    };
    check(None, "a\r\nb\n", "a\r\nb\n");
    check(None, "", "");
    check(None, "\u{feff}a", "\u{feff}a");
    check(Some("x\r\n"), "a\nb\n", "a\r\nb\r\n");
    check(Some("x\n"), "a\r\nb", "a\nb");
    check(Some("x"), "a\r\nb\n", "a\r\nb\n");
    check(Some(""), "a\r\n", "a\r\n");
    check(Some("\u{feff}x\n"), "a\n", "\u{feff}a\n");
    check(Some("\u{feff}x\n"), "\u{feff}a\n", "\u{feff}a\n");
}

#[test]
fn a_write_says_what_it_did() {
    let snapshot = MemorySnapshot::of([("a/x", "old\n")]);
    let (plan, then) = done(&snapshot, write("b/c/new", "1\n2\n"));
    let fingerprint = Fingerprint::of(b"1\n2\n");
    assert_eq!(line(&plan.outcome), format!("created b/c/new, 2 lines, {fingerprint}"));
    assert_eq!(paths(&then), ["a/x", "b/c/new"]);
    let (plan, _) = done(&snapshot, write("/a/x", "1\n2\n"));
    assert_eq!(line(&plan.outcome), format!("wrote a/x, 2 lines, {fingerprint}"));
    let (plan, _) = done(&snapshot, write("a\\x", "old\n"));
    assert_eq!((codes(&plan.remarks), plan.changes.len()), (vec![PLAN_NO_CHANGE], 0));
    let (plan, _) = done(&snapshot, write(&"é\n".repeat(200), "1"));
    assert!(line(&plan.outcome).ends_with(&format!("…, 1 line, {}", Fingerprint::of(b"1"))));
}

#[test]
fn what_cannot_be_written_says_why() {
    let mut snapshot = MemorySnapshot::of([("src/main.rs", "a")]);
    snapshot.files.insert("icon".into(), vec![b'a', 0xff]);
    let check = |operation, code, message: &str| {
        let issue = refused(&snapshot, operation);
        assert_eq!((issue.code, issue.message.as_str()), (code, message));
        issue
    };
    check(
        write("../x", ""),
        PLAN_OUTSIDE_WORKSPACE,
        "`../x` is outside the workspace; give a path inside it",
    );
    check(write("src", ""), PLAN_NOT_A_FILE, "`src` is a directory, and a file is needed");
    let below = check(
        write("src/main.rs/x", ""),
        PLAN_NOT_A_DIRECTORY,
        "`src/main.rs` is a file, and a directory is needed",
    );
    assert_eq!(below.field, FieldRole::Path);
    check(
        write("icon", ""),
        PLAN_NOT_UTF8,
        "`icon` is not UTF-8 text (byte 2): no block can read it, and only blocks of whole lines \
         that are ASCII can edit it, and none if it is UTF-16 or binary",
    );
    let near = check(
        read("src/mian.rs".into()),
        PLAN_FILE_NOT_FOUND,
        "`src/mian.rs` does not exist; did you mean `src/main.rs`?",
    );
    assert_eq!(near.details["nearest"], "src/main.rs");
    check(
        Step::Delete { path: "scr/main.rs".into(), only: Only::Anything },
        PLAN_FILE_NOT_FOUND,
        "`scr/main.rs` does not exist; did you mean `src/main.rs`?",
    );
    check(
        Step::Delete { path: "docs".into(), only: Only::Anything },
        PLAN_FILE_NOT_FOUND,
        "`docs` does not exist",
    );
    check(
        Step::Delete { path: "/".into(), only: Only::Anything },
        PLAN_PROTECTED_PATH,
        "`.` is the workspace folder itself and cannot be deleted",
    );
}

#[test]
fn directories_go_and_move_with_their_files() {
    let mut snapshot = MemorySnapshot::of([("a/x", "1"), ("a/b/y", "2"), ("z", "3")]);
    snapshot.directories.insert("a/empty".into());
    let delete = |path: &str| Step::Delete { path: path.into(), only: Only::Anything };
    let (plan, then) = done(&snapshot, delete("a"));
    assert_eq!(line(&plan.outcome), "deleted a/ with 2 files");
    assert_eq!(paths(&then), ["z"]);
    assert_eq!(line(&done(&snapshot, delete("z")).0.outcome), "deleted z");

    let (plan, then) = done(&snapshot, moved("a", "c/d"));
    assert_eq!(line(&plan.outcome), "moved a to c/d, 2 files");
    assert_eq!(paths(&then), ["c/d/b/y", "c/d/x", "z"]);
    assert!(then.directories.contains("c/d/empty"));

    let (plan, then) = done(&snapshot, copied("a", "c"));
    assert_eq!(line(&plan.outcome), "copied a to c, 2 files");
    assert_eq!(Extent::of(&plan, &snapshot).map(|extent| extent.files), Some(2));
    assert_eq!(paths(&then), ["a/b/y", "a/x", "c/b/y", "c/x", "z"]);
    assert!(then.directories.contains("c/empty"));

    let (plan, then) = done(&snapshot, moved("z", "n/z"));
    assert_eq!(line(&plan.outcome), format!("moved z to n/z, {}", Fingerprint::of(b"3")));
    assert_eq!(paths(&then), ["a/b/y", "a/x", "n/z"]);
}

#[test]
fn nothing_is_overwritten_or_moved_into_itself() {
    let snapshot = MemorySnapshot::of([("a/x", "1"), ("z", "3")]);
    let check = |operation, code, message: &str| {
        let issue = refused(&snapshot, operation);
        assert_eq!(
            (issue.code, issue.field, issue.message.as_str()),
            (code, FieldRole::DestPath, message)
        );
    };
    let there = "`z` is there already; take another path, or delete it first";
    check(moved("a/x", "z"), PLAN_FILE_EXISTS, there);
    check(copied("a", "z"), PLAN_FILE_EXISTS, there);
    check(moved("a", "a/b"), PLAN_FILE_EXISTS, "`a` cannot be moved into itself");
    check(copied("z", "./z"), PLAN_FILE_EXISTS, "`z` cannot be copied onto itself");
    check(moved("a/x", "z/x"), PLAN_NOT_A_DIRECTORY, "`z` is a file, and a directory is needed");
}

#[test]
fn large_files_and_payloads_are_refused() {
    let snapshot = MemorySnapshot::of([("x", "12345")]);
    let limits = Limits { file_bytes: 4, content_bytes: 6, ..Limits::default() };
    let code = |operation| plan(&command(operation), &snapshot, &limits).unwrap_err()[0].code;
    assert_eq!(code(read("x".into())), PLAN_FILE_TOO_LARGE);
    assert_eq!(code(write("new", "12345")), PLAN_FILE_TOO_LARGE);
    assert_eq!(code(write("new", "1234567")), PLAN_CONTENT_TOO_LARGE);
}

#[test]
fn many_files_have_a_limit() {
    let snapshot = MemorySnapshot::of((0..9).map(|n| (format!("a/{n}"), "")));
    let limits = Limits { files_per_command: 8, ..Limits::default() };
    for operation in
        [moved("a", "b"), copied("a", "b"), Step::Delete { path: "a".into(), only: Only::Anything }]
    {
        let issues = plan(&command(operation), &snapshot, &limits).unwrap_err();
        assert_eq!(issues[0].code, PLAN_TOO_MANY_FILES);
    }
}

/// A workspace whose file system takes a name in any case.
struct Folding(MemorySnapshot);

impl Layer for Folding {
    fn inner(&self) -> &dyn Snapshot {
        &self.0
    }

    fn resolve(&self, path: &str) -> Result<FilePath, Denied> {
        let path = self.0.resolve(path)?;
        let alike = |it: &&String| it.to_lowercase() == path.path.to_lowercase();
        let alike = self.0.files.keys().find(alike).cloned();
        Ok(alike.map_or(path, |it| FilePath::new(0, it)))
    }
}

#[test]
fn a_name_changes_its_case_where_the_file_system_takes_both_for_one() {
    let folding = Folding(MemorySnapshot::of([("src/readme.md", "x")]));
    let plan_of = |step| plan(&command(step), &folding, &Limits::default());
    let plan = plan_of(moved("src/readme.md", "SRC/README.md")).unwrap();
    let to = FilePath::new(0, "src/README.md");
    assert!(matches!(plan.changes.iter().next(), Some(Change::Rename { to: it, .. }) if *it == to));
    // What follows finds it under its new name, whatever the case.
    let mut staged = Staged::new(&folding);
    staged.stage(&plan.changes).unwrap();
    let staged: &dyn Snapshot = &staged;
    assert_eq!(staged.resolve("src/Readme.md"), Ok(to.clone()));
    assert_eq!(staged.read(&to).unwrap().text, "x");
    for step in [moved("src/readme.md", "src/readme.md"), copied("src/readme.md", "src/README.md")]
    {
        assert_eq!(plan_of(step).unwrap_err()[0].code, PLAN_FILE_EXISTS);
    }
}
