//! Paths of which only the end is known, and the files that a command may be about.

use super::*;
use crate::command::Wanted;
use crate::plan::like::{files, listed};
use crate::problem::REPLACER_PATH_AMBIGUOUS;

/// The command that edits the file whose path ends like this one.
fn by_end(path: &str) -> Command {
    let edit = FileEdit::Replace { old: "1".into(), new: "2".into(), wanted: Wanted::Once };
    command(Step::Edit { path: path.into(), edit, missing: Missing::FindByEnd })
}

fn shown(paths: Vec<FilePath>) -> Vec<String> {
    paths.iter().map(FilePath::to_string).collect()
}

#[test]
fn the_first_of_many_files_that_end_alike_are_named() {
    let message = |count: usize| {
        let files = (0..count).map(|number| (format!("{number:02}/main.rs"), "1"));
        let snapshot = MemorySnapshot::of(files);
        let mut issues = plan(&by_end("main.rs"), &snapshot, &Limits::default()).unwrap_err();
        assert_eq!(issues[0].code, REPLACER_PATH_AMBIGUOUS);
        issues.remove(0).message
    };
    let (twenty, more) = (message(20), message(21));
    assert!(twenty.ends_with("`18/main.rs`, `19/main.rs`; give more of the path"), "{twenty}");
    assert!(more.ends_with("`19/main.rs`, …; give more of the path"), "{more}");
}

#[test]
fn a_command_is_about_the_files_that_its_paths_mean_or_may_mean() {
    let snapshot = MemorySnapshot::of([("src/a/main.rs", "1"), ("src/b/main.rs", "1"), ("x", "")]);
    let about = |command: &Command| shown(files(command, &snapshot, &Limits::default()));
    assert_eq!(about(&by_end("x")), ["x"]);
    assert_eq!(about(&by_end("a/main.rs")), ["src/a/main.rs", "a/main.rs", "."]);
    assert_eq!(about(&by_end("main.rs")), ["main.rs", "."]);
    assert_eq!(about(&by_end("lib.rs")), ["lib.rs", "."]);
    assert_eq!(about(&command(read("a/main.rs".into()))), ["a/main.rs"]);
}

#[test]
fn an_id_of_a_virtual_file_means_the_one_beside_the_transcript() {
    let surroundings =
        Surroundings { directory: Some("/work/chats".into()), ..Surroundings::default() };
    let snapshot = MemorySnapshot {
        home: "/work".to_owned(),
        surroundings: Arc::new(surroundings),
        ..MemorySnapshot::of([("chats/tool.py", ""), ("tool.py", "")])
    };
    let about = |paths: PathStyle| {
        let command = Command { paths, ..command(read("tool.py".into())) };
        shown(files(&command, &snapshot, &Limits::default()))
    };
    assert_eq!(about(PathStyle::Relative), ["tool.py"]);
    assert_eq!(about(PathStyle::Virtual), ["chats/tool.py"]);
}

#[test]
fn names_like_a_missing_one_are_looked_for_in_the_directory_that_is_there() {
    let snapshot = MemorySnapshot::of([("src/main.rs", "")]);
    let listed = |path: &str| shown(listed(&command(read(path.into())), &snapshot));
    assert_eq!(listed("src/mian.rs"), ["src"]);
    assert_eq!(listed("scr/main.rs"), ["."]);
    assert_eq!(listed("src/main.rs"), Vec::<String>::new());
}
