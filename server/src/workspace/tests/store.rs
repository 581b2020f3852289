//! The ledger and the undo journal as one store: what was done is known, undone and redone, after
//! a kill too.

use std::fs;
use std::path::PathBuf;

use operator_core::edit::{Change, ChangeSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{
    Answer, BlockId, Door, Event, Operation, OperationId, Transcript, Transition, Work,
};
use operator_core::path::{Kind, State};
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;

use super::super::{Changer, RedoError, Transaction, UndoError, Workspace};
use super::{Disk, create, delete, edit, path, rename, set, set_mode, tree};

pub(super) fn block(name: &str) -> BlockId {
    BlockId { text: Fingerprint::of(name.as_bytes()), nth: 0 }
}

pub(crate) fn chat() -> Transcript {
    Transcript::new("chat.md")
}

fn state(text: &str) -> State {
    match text {
        "-" => State::Missing,
        "/" => State::Directory,
        _ => State::File(Fingerprint::of(text.as_bytes())),
    }
}

/// A block's work: `path before after` for each file.
pub(super) fn work(name: &str, transitions: &str) -> Work {
    let words: Vec<&str> = transitions.split_whitespace().collect();
    let transition = |it: &[&str]| Transition::new(path(it[0]), state(it[1]), state(it[2]));
    let transitions = words.chunks(3).map(transition).collect();
    Work {
        block: block(name),
        name: name.to_owned(),
        title: format!("do {name}"),
        transitions,
        part: None,
    }
}

pub(super) fn begin(workspace: &Workspace) -> Transaction {
    let mut journal = Transaction::begin(workspace).unwrap();
    journal.describe(Door::Cli, 1_000, chat());
    journal
}

/// Applies one block and commits it.
fn apply(workspace: &Workspace, work: Work, changes: ChangeSet) -> OperationId {
    let mut journal = begin(workspace);
    let id = journal.id();
    journal.add_works(vec![work]);
    workspace.apply(&changes, &mut journal).unwrap();
    journal.commit().unwrap();
    id
}

pub(crate) fn write(workspace: &Workspace, file: &str, before: &str, after: &str) -> OperationId {
    let name = format!("{file} {before} {after}");
    let changes = match before {
        "-" => set([create(file, after)]),
        _ => set([edit(workspace, file, after)]),
    };
    apply(workspace, work(&name, &name), changes)
}

pub(super) fn is_applied(workspace: &Workspace, name: &str) -> bool {
    let ledger = workspace.ledger().unwrap();
    ledger.standing(&chat(), block(name), true).applied.is_some()
}

pub(super) fn store(disk: &Disk) -> PathBuf {
    fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path()
}

/// The numbers, and whether they are undone.
pub(super) fn listed(workspace: &Workspace) -> Vec<(u64, bool)> {
    let all = workspace.operations().unwrap();
    all.iter().map(|it| (it.operation.id.0, it.undone)).collect()
}

#[test]
fn what_was_applied_is_known_to_the_next_run() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    assert_eq!(workspace.ledger().unwrap().operations().count(), 0);
    assert!(!disk.at("state").exists(), "looking writes nothing");
    let first = write(&workspace, "a", "z", "x");
    let second = write(&disk.open(), "a", "x", "y");
    assert_eq!((first, second), (OperationId(1), OperationId(2)));
    assert!(is_applied(&workspace, "a z x") && is_applied(&workspace, "a x y"));
    assert_eq!(listed(&workspace), [(2, false), (1, false)]);
    workspace.undo(None, false).unwrap();
    assert!(is_applied(&workspace, "a z x") && !is_applied(&workspace, "a x y"));
    assert_eq!(listed(&workspace), [(2, true), (1, false)]);
    assert_eq!(disk.text("ws/a"), "x");
    assert_eq!(Transaction::begin(&workspace).unwrap().id(), OperationId(3));
}

#[test]
fn a_block_whose_write_failed_is_not_applied() {
    let disk = Disk::new();
    disk.put("ws/b", "b");
    let workspace = disk.open();
    let mut journal = begin(&workspace);
    journal.add_works(vec![work("first", "a - x")]);
    workspace.apply(&set([create("a", "x")]), &mut journal).unwrap();
    journal.add_works(vec![work("second", "c - x b - x")]);
    workspace.apply(&set([create("c", "x"), create("b", "x")]), &mut journal).unwrap_err();
    journal.add_works(vec![work("third", "d - x b b -")]);
    let third = set([create("d", "x"), delete("b", Kind::Directory)]);
    workspace.apply(&third, &mut journal).unwrap_err();
    journal.add_works(vec![work("fourth", "b b -")]);
    workspace.apply(&set([delete("b", Kind::File)]), &mut journal).unwrap();
    journal.commit().unwrap();
    let applied = ["first", "second", "third", "fourth"].map(|it| is_applied(&workspace, it));
    assert_eq!(applied, [true, false, false, true]);
}

#[test]
fn a_run_that_is_rolled_back_leaves_no_operation() {
    let disk = Disk::new();
    let workspace = disk.open();
    let mut journal = begin(&workspace);
    journal.add_works(vec![work("a", "a - x")]);
    workspace.apply(&set([create("a", "x")]), &mut journal).unwrap();
    journal.rollback().unwrap();
    assert_eq!(workspace.ledger().unwrap().operations().count(), 0);
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
}

#[test]
fn what_changes_nothing_is_remembered_and_undone() {
    let disk = Disk::new();
    disk.put("ws/a", "x");
    let workspace = disk.open();
    let mut journal = begin(&workspace);
    journal.add_works(vec![work("same", "a x x")]);
    journal.commit().unwrap();
    assert!(is_applied(&workspace, "same"));
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
    assert!(is_applied(&workspace, "same"));
    assert_eq!(workspace.undo(Some(OperationId(1)), false).unwrap(), []);
    assert!(!is_applied(&workspace, "same"));
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
}

#[test]
fn other_events_are_kept_by_a_run_that_writes_nothing() {
    let disk = Disk::new();
    let workspace = disk.open();
    let mut journal = begin(&workspace);
    let answer = Answer { ok: true, summary: "3 lines".to_owned(), ..Answer::default() };
    let answered = Event::Answered { transcript: chat(), block: block("r"), answer };
    let by_hand = Operation {
        id: journal.id(),
        time: 0,
        door: Door::Hand,
        transcript: chat(),
        works: vec![work("h", "h - x")],
    };
    journal.note(vec![answered.clone(), Event::ByHand(by_hand)]);
    journal.commit().unwrap();
    let ledger = workspace.ledger().unwrap();
    assert!(ledger.standing(&chat(), block("r"), false).answer.is_some());
    assert_eq!(listed(&workspace), [], "what was made by hand is not an operation of a program");
    // The numbers of those are not used again.
    let id = write(&workspace, "a", "-", "x");
    assert!(ledger.operation(id).is_none());
    // A run that is rolled back notes nothing.
    let mut journal = begin(&workspace);
    journal.note(vec![Event::Answered {
        transcript: chat(),
        block: block("s"),
        answer: Answer { ok: true, ..Answer::default() },
    }]);
    journal.rollback().unwrap();
    let ledger = workspace.ledger().unwrap();
    assert!(ledger.standing(&chat(), block("s"), false).answer.is_none());
}

#[test]
fn an_operation_is_undone_by_its_number() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let a = write(&workspace, "a", "z", "x");
    let b = write(&workspace, "b", "-", "x");
    let undo = |id: OperationId| workspace.undo(Some(id), false);
    assert!(matches!(undo(OperationId(9)), Err(UndoError::Unknown(OperationId(9)))));
    assert_eq!(undo(a).unwrap().len(), 1);
    assert_eq!((disk.text("ws/a"), disk.text("ws/b")), ("z".to_owned(), "x".to_owned()));
    assert!(matches!(undo(a), Err(UndoError::AlreadyUndone(id)) if id == a));
    assert_eq!(undo(b).unwrap().len(), 1);
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
}

#[test]
fn the_one_who_came_in_between_is_named() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let first = write(&workspace, "a", "z", "x");
    let second = write(&workspace, "a", "x", "y");
    let Err(UndoError::Changed(all)) = workspace.undo(Some(first), false) else { panic!() };
    assert_eq!(all[0].path, path("a"));
    assert!(matches!(&all[0].by, Some(Changer::Operation { id, .. }) if *id == second));
    let text = UndoError::Changed(all).to_string();
    assert!(text.contains("a (by operation 2: chat.md, 1970-01-01 00:00 UTC)"), "{text}");
    // What leads back to the same content is somebody else's all the same.
    let third = write(&workspace, "a", "y", "x");
    let Err(UndoError::Changed(all)) = workspace.undo(Some(first), false) else { panic!() };
    assert!(matches!(&all[0].by, Some(Changer::Operation { id, .. }) if *id == second));
    assert_eq!(disk.text("ws/a"), "x");
    disk.put("ws/a", "typed");
    let Err(UndoError::Changed(all)) = workspace.undo(None, false) else { panic!() };
    assert_eq!(all[0].by, Some(Changer::Hand));
    disk.put("ws/a", "x");
    for _ in [third, second, first] {
        workspace.undo(None, false).unwrap();
    }
    assert_eq!(disk.text("ws/a"), "z");
}

#[test]
fn an_operation_is_not_undone_below_a_later_one_that_came_after_a_hand() {
    let disk = Disk::new();
    let workspace = disk.open();
    let first = write(&workspace, "a", "-", "x");
    disk.put("ws/a", "typed");
    write(&workspace, "a", "typed", "y");
    let mut journal = begin(&workspace);
    journal.add_works(vec![work("gone", "a y -")]);
    workspace.apply(&set([delete("a", Kind::File)]), &mut journal).unwrap();
    journal.commit().unwrap();
    // The file is as it was before the first.
    assert!(matches!(workspace.undo(Some(first), false), Err(UndoError::Changed(_))));
    assert!(is_applied(&workspace, "gone") && is_applied(&workspace, "a - x"));
}

#[test]
fn what_was_undone_by_hand_is_not_undone_again() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    disk.put("ws/b", "z");
    let workspace = disk.open();
    write(&workspace, "a", "z", "x");
    let second = write(&workspace, "b", "z", "x");
    disk.put("ws/b", "z");
    assert!(matches!(workspace.undo(Some(second), false), Err(UndoError::AlreadyUndone(_))));
    assert_eq!(workspace.undo(None, false).unwrap()[0].path, path("a"));
    // Once it is there again it can be undone again.
    disk.put("ws/b", "x");
    assert_eq!(workspace.undo(None, false).unwrap()[0].path, path("b"));
}

#[test]
fn what_was_made_again_by_hand_is_undone_again() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    disk.put("ws/b", "z");
    let workspace = disk.open();
    write(&workspace, "b", "z", "x");
    let second = write(&workspace, "a", "z", "x");
    let text = |path: &str| disk.text(path);
    for which in [None, Some(second)] {
        workspace.undo(Some(second), false).unwrap();
        disk.put("ws/a", "x");
        assert_eq!(workspace.undo(which, false).unwrap()[0].path, path("a"));
        assert_eq!((text("ws/a"), text("ws/b")), ("z".to_owned(), "x".to_owned()));
        assert_eq!(workspace.redo().unwrap(), second);
        assert_eq!(text("ws/a"), "x");
    }
}

/// Everything that a redo must give back, with the works that say so.
pub(super) fn mixed(disk: &Disk) -> Workspace {
    disk.put("ws/edit", "z");
    disk.put("ws/twice", "z");
    disk.put("ws/run", "#!");
    set_mode(&disk.at("ws/run"), 0o750);
    disk.put("ws/gone", "g");
    disk.put("ws/dir/deep/file", "f");
    disk.put("ws/moved/file", "m");
    disk.put("ws/old", "o");
    disk.open()
}

pub(super) fn mixed_changes(workspace: &Workspace) -> Vec<(Work, ChangeSet)> {
    let content = Content::plain("#!");
    let copy = Change::Create { path: path("run2"), content, like: Some(path("run")) };
    let twice = workspace.read(&path("twice")).unwrap();
    let again = Change::Edit {
        path: path("twice"),
        before: twice.with_text("x"),
        after: twice.with_text("y"),
    };
    vec![
        (work("1", "edit z x"), set([edit(workspace, "edit", "x")])),
        (work("2", "twice z x"), set([edit(workspace, "twice", "x")])),
        (work("3", "new/deep/file - n"), set([create("new/deep/file", "n")])),
        (work("4", "run2 - #!"), set([copy])),
        (work("5", "gone g -"), set([delete("gone", Kind::File)])),
        (work("6", "dir / -"), set([delete("dir", Kind::Directory)])),
        (work("7", "moved / - other - /"), set([rename("moved", "other", Kind::Directory)])),
        (work("8", "old o - new/old - o"), set([rename("old", "new/old", Kind::File)])),
        (work("9", "twice x y"), set([again])),
        (work("10", "dir - d"), set([create("dir", "d")])),
        (work("11", "empty - /"), set([Change::CreateDirectory { path: path("empty") }])),
    ]
}

pub(super) fn apply_mixed(workspace: &Workspace) -> OperationId {
    let mut journal = begin(workspace);
    let id = journal.id();
    for (work, changes) in mixed_changes(workspace) {
        journal.add_works(vec![work]);
        workspace.apply(&changes, &mut journal).unwrap();
    }
    journal.commit().unwrap();
    id
}

#[test]
fn redo_brings_back_what_undo_took() {
    for elsewhere in [false, true] {
        let disk = Disk::new();
        let other = tempfile::tempdir_in("/dev/shm").ok().filter(|_| elsewhere);
        let mut workspace = mixed(&disk);
        if let Some(other) = &other {
            workspace = workspace.with_state_directory(other.path().to_owned());
        }
        let before = tree(&disk.at("ws"));
        let id = apply_mixed(&workspace);
        let after = tree(&disk.at("ws"));
        assert!(matches!(workspace.redo(), Err(RedoError::Nothing)));
        for _ in 0..3 {
            workspace.undo(None, false).unwrap();
            assert_eq!(tree(&disk.at("ws")), before);
            assert_eq!(listed(&workspace), [(id.0, true)]);
            assert_eq!(workspace.redo().unwrap(), id);
            assert_eq!(tree(&disk.at("ws")), after);
            assert_eq!(listed(&workspace), [(id.0, false)]);
        }
        let applied = (1..=11).filter(|number| is_applied(&workspace, &number.to_string()));
        assert_eq!(applied.count(), 11);
    }
}

#[test]
fn a_redo_that_is_refused_by_the_disk_can_be_tried_again() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    apply_mixed(&workspace);
    let after = tree(&disk.at("ws"));
    workspace.undo(None, false).unwrap();
    let before = tree(&disk.at("ws"));
    let log = store(&disk).join("00000001/log");
    let lines = fs::read_to_string(&log).unwrap();
    disk.put("ws/twice", "mine");
    workspace.redo().unwrap_err();
    disk.put("ws/twice", "z");
    assert_eq!(fs::read_to_string(&log).unwrap(), lines, "nothing is on record");
    // A file that its owner made read-only is not written: the first write is not recorded.
    set_mode(&disk.at("ws/twice"), 0o444);
    assert!(matches!(workspace.redo(), Err(RedoError::Apply(_))));
    set_mode(&disk.at("ws/twice"), 0o644);
    assert_eq!(tree(&disk.at("ws")), before);
    workspace.redo().unwrap();
    assert_eq!(tree(&disk.at("ws")), after);
}

#[test]
fn each_content_is_kept_once() {
    let disk = Disk::new();
    let text = "x".repeat(10_000);
    disk.put("ws/a", &text);
    disk.put("ws/b", &text);
    let workspace = disk.open();
    let mut journal = begin(&workspace);
    journal.add_works(vec![work("1", "")]);
    let changes = set([edit(&workspace, "a", "1"), edit(&workspace, "b", "2")]);
    workspace.apply(&changes, &mut journal).unwrap();
    journal.commit().unwrap();
    for _ in 0..3 {
        workspace.undo(None, false).unwrap();
        workspace.redo().unwrap();
    }
    let kept = store(&disk).join("00000001/before").metadata().unwrap().len();
    assert_eq!(kept, 10_000 + 1 + 1);
}

#[test]
fn redo_goes_forth_as_undo_goes_back() {
    let disk = Disk::new();
    disk.put("ws/a", "1");
    let workspace = disk.open();
    for (before, after) in [("1", "2"), ("2", "3"), ("3", "4")] {
        write(&workspace, "a", before, after);
    }
    (0..3).for_each(|_| drop(workspace.undo(None, false).unwrap()));
    for after in ["2", "3"] {
        workspace.redo().unwrap();
        assert_eq!(disk.text("ws/a"), after);
    }
    // Another change of the file ends it.
    write(&workspace, "a", "3", "5");
    assert!(matches!(workspace.redo(), Err(RedoError::Nothing)));
    workspace.undo(None, false).unwrap();
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/a"), "2");
}

#[test]
fn redo_says_why_where_a_directory_could_not_be_read_after_the_undo() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    apply_mixed(&workspace);
    workspace.undo(None, false).unwrap();
    let state = tree(&disk.at("state"));
    let names = state.iter().filter_map(|line| line.split_once(' ')).map(|(name, _)| name);
    let log = disk.at("state").join(names.into_iter().find(|it| it.ends_with("/log")).unwrap());
    let text = fs::read_to_string(&log).unwrap();
    let (start, digests) = text.split_once(r#"{"trees":["#).unwrap();
    let (_, rest) = digests.split_once("]}").unwrap();
    fs::write(&log, format!(r#"{start}{{"trees":["",""]}}{rest}"#)).unwrap();
    let before = tree(&disk.at("ws"));
    let error = workspace.redo().unwrap_err();
    assert!(
        error.to_string().starts_with("operation 1 cannot be redone: dir could not"),
        "{error}"
    );
    assert!(matches!(workspace.repetition(&workspace), Err(RedoError::NotRecorded(..))));
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn redo_touches_nothing_where_a_file_has_changed_since() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    apply_mixed(&workspace);
    workspace.undo(None, false).unwrap();
    for (file, text) in [("ws/edit", "z"), ("ws/gone", "g"), ("ws/twice", "z")] {
        disk.put(file, "mine");
        let before = tree(&disk.at("ws"));
        let Err(RedoError::Changed(changed)) = workspace.redo() else { panic!("{file}") };
        assert_eq!(format!("ws/{changed}"), file);
        assert_eq!(tree(&disk.at("ws")), before);
        disk.put(file, text);
    }
    for (file, changed) in [("ws/dir/mine", "dir"), ("ws/moved/mine", "moved")] {
        disk.put(file, "mine");
        let Err(RedoError::Changed(it)) = workspace.redo() else { panic!("{file}") };
        assert_eq!(it, path(changed));
        fs::remove_file(disk.at(file)).unwrap();
    }
    disk.put("ws/run2", "mine");
    assert!(matches!(workspace.redo(), Err(RedoError::Changed(it)) if it == path("run2")));
    fs::remove_file(disk.at("ws/run2")).unwrap();
    workspace.redo().unwrap();
}

/// As after a kill at each moment: what a folder's record says up to a line, with and without the
/// ledger's file.
#[test]
fn after_a_kill_the_ledger_says_what_the_disk_shows() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    let before = tree(&disk.at("ws"));
    let all = mixed_changes(&workspace);
    for number in 1..=all.len() {
        let mut journal = begin(&workspace);
        for (work, changes) in &all[..number] {
            journal.add_works(vec![work.clone()]);
            workspace.apply(changes, &mut journal).unwrap();
        }
        drop(journal);
        // Looking alone is enough, and so is the next run.
        let expected: Vec<bool> = (1..=all.len()).map(|it| it <= number).collect();
        let applied = |workspace: &Workspace| -> Vec<bool> {
            (1..=all.len()).map(|it| is_applied(workspace, &it.to_string())).collect()
        };
        assert_eq!(applied(&workspace), expected, "killed after {number}");
        drop(Transaction::begin(&workspace).unwrap());
        assert_eq!(applied(&workspace), expected, "killed after {number}, next run");
        workspace.undo(None, false).unwrap();
        assert_eq!(tree(&disk.at("ws")), before, "killed after {number}");
        assert!(!applied(&workspace).contains(&true), "killed after {number}, undone");
    }
}

#[test]
fn the_ledger_is_made_anew_from_the_folders() {
    let disk = Disk::new();
    disk.put("ws/a", "1");
    let workspace = disk.open();
    write(&workspace, "a", "1", "2");
    let undone = write(&workspace, "b", "-", "x");
    workspace.undo(Some(undone), false).unwrap();
    write(&workspace, "a", "2", "3");
    let file = store(&disk).join("ledger");
    let text = fs::read(&file).unwrap();
    let expected = listed(&workspace);
    assert_eq!(expected, [(3, false), (2, true), (1, false)]);
    // Cut off anywhere, as by a kill or a full disk.
    for length in (0..text.len()).step_by(31) {
        fs::write(&file, &text[..length]).unwrap();
        assert_eq!(listed(&workspace), expected, "{length} of {} bytes", text.len());
        drop(Transaction::begin(&workspace).unwrap());
        assert_eq!(listed(&workspace), expected, "{length} of {} bytes, next run", text.len());
        // A last line that is not whole is cut off before the next one.
        let lines = fs::read_to_string(&file).unwrap();
        let lines = lines.rsplit_once('\n').map_or("", |(lines, _)| lines);
        let whole = |line: &str| serde_json::from_str::<Event>(line).is_ok();
        assert!(lines.lines().all(whole), "{lines}");
    }
}

#[test]
fn a_kill_between_the_folder_and_the_ledger_is_made_good() {
    let disk = Disk::new();
    disk.put("ws/a", "1");
    let workspace = disk.open();
    let id = write(&workspace, "a", "1", "2");
    let file = store(&disk).join("ledger");
    let ledger = || fs::read(&file).unwrap();
    let applied = ledger();
    workspace.undo(None, false).unwrap();
    let undone = ledger();
    fs::write(&file, &applied).unwrap();
    assert_eq!(listed(&workspace), [(1, true)]);
    assert_eq!(workspace.redo().unwrap(), id);
    fs::write(&file, &undone).unwrap();
    assert_eq!(listed(&workspace), [(1, false)]);
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/a"), "1");
}

/// As after a kill at each step of a redo.
#[test]
fn a_redo_that_was_killed_is_undone_or_finished() {
    for finish in [false, true] {
        let disk = Disk::new();
        let workspace = mixed(&disk);
        let before = tree(&disk.at("ws"));
        let id = apply_mixed(&workspace);
        let after = tree(&disk.at("ws"));
        workspace.undo(None, false).unwrap();
        let log = store(&disk).join("00000001/log");
        let reverted = fs::read_to_string(&log).unwrap().lines().count();
        let file = store(&disk).join("ledger");
        let ledger = fs::read(&file).unwrap();
        workspace.redo().unwrap();
        let text = fs::read_to_string(&log).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for kept in reverted + 1..lines.len() {
            fs::write(&log, &text).unwrap();
            if kept + 1 < lines.len() {
                // What is on record is not done yet.
                workspace.undo(None, false).unwrap();
            }
            fs::write(&log, lines[..kept].join("\n") + "\n{\"st").unwrap();
            fs::write(&file, &ledger).unwrap();
            if finish {
                assert_eq!(workspace.redo().unwrap(), id);
                assert_eq!(tree(&disk.at("ws")), after, "{kept} lines");
            } else {
                let undone = workspace.undo(None, false);
                let is_done = kept + 1 == lines.len();
                assert!(undone.is_ok() == is_done, "{kept} lines: {undone:?}");
                assert_eq!(tree(&disk.at("ws")), before, "{kept} lines");
                assert_eq!(workspace.redo().unwrap(), id);
                assert_eq!(tree(&disk.at("ws")), after, "{kept} lines");
            }
        }
    }
}

#[test]
fn a_transaction_that_nobody_describes_is_an_operation_too() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    let before = tree(&disk.at("ws"));
    let mut journal = Transaction::begin(&workspace).unwrap();
    for (_, changes) in mixed_changes(&workspace) {
        workspace.apply(&changes, &mut journal).unwrap();
    }
    journal.commit().unwrap();
    let after = tree(&disk.at("ws"));
    assert_eq!(listed(&workspace), [(1, false)]);
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
    workspace.redo().unwrap();
    assert_eq!(tree(&disk.at("ws")), after);
}

#[test]
fn a_transaction_of_an_older_program_is_undone_as_it_was() {
    let disk = Disk::new();
    disk.put("ws/a", "1");
    let workspace = disk.open();
    write(&workspace, "a", "1", "2");
    let folder = store(&disk);
    fs::remove_file(folder.join("ledger")).unwrap();
    let log = folder.join("00000001/log");
    let text = fs::read_to_string(&log).unwrap();
    let is_old = |line: &&str| !line.starts_with("{\"operation") && !line.starts_with("{\"work");
    let old: Vec<&str> = text.lines().filter(is_old).collect();
    assert_eq!(old.len(), 3, "{text}");
    fs::write(&log, old.join("\n") + "\n").unwrap();
    assert_eq!(listed(&workspace), []);
    disk.put("ws/a", "mine");
    let Err(UndoError::Changed(all)) = workspace.undo(None, false) else { panic!() };
    assert_eq!(all[0].by, None);
    disk.put("ws/a", "2");
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/a"), "1");
    assert!(matches!(workspace.undo(None, false), Err(UndoError::Nothing)));
    assert!(matches!(workspace.redo(), Err(RedoError::Nothing)));
}

#[test]
fn what_is_not_kept_any_more_is_said() {
    let disk = Disk::new();
    disk.put("ws/a", "1");
    let workspace = disk.open();
    let id = write(&workspace, "a", "1", "2");
    fs::remove_dir_all(store(&disk).join("00000001")).unwrap();
    assert!(matches!(workspace.undo(Some(id), false), Err(UndoError::NotKept(it)) if it == id));
    assert!(matches!(workspace.undo(None, false), Err(UndoError::NotKept(_))));
    // Its number is not used again.
    assert_eq!(write(&workspace, "b", "-", "x"), OperationId(2));
}
