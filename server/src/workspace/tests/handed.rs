//! Edits that are on record before an editor makes them: what the next run says of them.

use std::fs;

use operator_core::ledger::{Door, Event, Observation, Operation, OperationId, Work};
use operator_core::snapshot::Snapshot;

use super::super::{Made, Transaction, UndoError, Workspace};
use super::editor::{all_mixed, made, save};
use super::store::{chat, is_applied, listed, mixed, store, work, write};
use super::{Disk, edit, path, set, tree};

fn hand_out(workspace: &Workspace, time: u64, works: &[Work], made: Option<&Made>) -> Operation {
    let mut journal = Transaction::begin(workspace).unwrap();
    let id = journal.id();
    journal.describe(Door::Lsp, time, chat());
    journal.add_works(works.to_vec());
    journal.hand_out(made, false).unwrap();
    journal.commit().unwrap();
    Operation { id, time, door: Door::Lsp, transcript: chat(), works: works.to_vec() }
}

/// A file with `z`, and the record of an edit to `x`.
fn one() -> (Disk, Workspace, Operation) {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let kept = made(&workspace, &set([edit(&workspace, "a", "x")]));
    let operation = hand_out(&workspace, 1, &[work("1", "a z x")], kept.as_ref());
    (disk, workspace, operation)
}

fn folders(disk: &Disk) -> usize {
    let all = fs::read_dir(store(disk)).unwrap();
    all.filter(|it| it.as_ref().unwrap().path().is_dir()).count()
}

fn nothing_to_undo(workspace: &Workspace) -> bool {
    matches!(workspace.undo(None, false), Err(UndoError::Nothing))
}

#[test]
fn what_was_made_before_a_kill_is_known_and_undone_and_redone() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    let before = tree(&disk.at("ws"));
    let (works, changes) = all_mixed(&workspace);
    let names: Vec<String> = works.iter().map(|work| work.name.clone()).collect();
    let applied =
        |workspace: &Workspace| names.iter().filter(|name| is_applied(workspace, name)).count();
    let operation = hand_out(&workspace, 1, &works, made(&workspace, &changes).as_ref());
    assert_eq!(
        (applied(&disk.open()), listed(&disk.open()), store(&disk).join("ledger").exists()),
        (0, Vec::new(), false),
        "not made yet"
    );
    assert!(nothing_to_undo(&disk.open()));
    save(&workspace, &changes);
    let after = tree(&disk.at("ws"));
    // Looking alone is enough, and so is the next run.
    assert_eq!((applied(&disk.open()), listed(&disk.open())), (names.len(), vec![(1, false)]));
    drop(Transaction::begin(&disk.open()).unwrap());
    assert_eq!((applied(&disk.open()), listed(&disk.open())), (names.len(), vec![(1, false)]));
    for _ in 0..2 {
        disk.open().undo(None, false).unwrap();
        assert_eq!((tree(&disk.at("ws")), applied(&disk.open())), (before.clone(), 0));
        assert_eq!(disk.open().redo().unwrap(), operation.id);
        assert_eq!((tree(&disk.at("ws")), applied(&disk.open())), (after.clone(), names.len()));
    }
}

#[test]
fn what_was_made_without_a_kill_has_one_record() {
    let (disk, workspace, operation) = one();
    let unsaved = |workspace: &Workspace| {
        let mut journal = Transaction::begin(workspace).unwrap();
        assert!(journal.go_on(1, &chat(), &operation.works).unwrap());
        journal.commit().unwrap();
    };
    // The word of the editor is enough, and another attempt says nothing new.
    unsaved(&workspace);
    unsaved(&disk.open());
    assert_eq!((listed(&disk.open()), folders(&disk)), (vec![(1, false)], 1));
    assert!(is_applied(&disk.open(), "1"));
    disk.put("ws/a", "x");
    workspace.undo(None, false).unwrap();
    assert_eq!((disk.text("ws/a"), listed(&workspace)), ("z".to_owned(), vec![(1, true)]));
}

#[test]
fn what_cannot_be_undone_has_no_record_once_it_was_made() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    hand_out(&workspace, 1, &[work("1", "a z x")], None);
    disk.put("ws/a", "x");
    drop(Transaction::begin(&workspace).unwrap());
    assert_eq!((listed(&workspace), folders(&disk)), (vec![(1, false)], 0));
    assert!(matches!(workspace.undo(None, false), Err(UndoError::NotKept(OperationId(1)))));
}

#[test]
fn another_text_is_not_what_was_handed_out() {
    for text in ["z", "other"] {
        let (disk, workspace, _) = one();
        disk.put("ws/a", text);
        drop(Transaction::begin(&workspace).unwrap());
        assert!(!is_applied(&workspace, "1") && listed(&workspace).is_empty(), "{text}");
        assert!(nothing_to_undo(&workspace), "{text}");
        assert!(matches!(workspace.undo(Some(OperationId(1)), false), Err(UndoError::Unknown(_))));
    }
}

#[test]
fn a_file_that_has_the_result_before_the_edit_does_not_show_it() {
    let disk = Disk::new();
    disk.put("ws/a", "x");
    let workspace = disk.open();
    // The editor has the unsaved text "z" for it.
    let operation = hand_out(&workspace, 1, &[work("1", "a z x")], None);
    drop(Transaction::begin(&disk.open()).unwrap());
    assert!(!is_applied(&disk.open(), "1") && listed(&disk.open()).is_empty());
    // The editor's own text does.
    let state = operation.works[0].transitions[0].after;
    let mut journal = Transaction::begin(&disk.open()).unwrap();
    journal.observe(&[Observation { path: path("a"), state, closed: false }]);
    journal.commit().unwrap();
    assert!(is_applied(&disk.open(), "1"));
}

#[test]
fn what_only_an_editor_shows_is_what_was_handed_out() {
    let (disk, _, operation) = one();
    let workspace = disk.open();
    let state = work("", "a z x").transitions[0].after;
    let found = Observation { path: path("a"), state, closed: false };
    let events =
        workspace.ledger().unwrap().observe(std::slice::from_ref(&found), 2, &|_| Vec::new());
    assert!(matches!(&events[..], [Event::Made { owners, .. }] if owners[0].0 == operation.id));
    let mut journal = Transaction::begin(&workspace).unwrap();
    journal.observe(&[found]);
    journal.commit().unwrap();
    assert_eq!((listed(&disk.open()), is_applied(&disk.open(), "1")), (vec![(1, false)], true));
}

#[test]
fn what_was_not_made_leaves_nothing_behind() {
    let (disk, workspace, operation) = one();
    let mut journal = Transaction::begin(&workspace).unwrap();
    journal.withdraw(&operation).unwrap();
    journal.commit().unwrap();
    assert_eq!((folders(&disk), store(&disk).join("ledger").exists()), (0, false));
    disk.put("ws/a", "x");
    assert!(!is_applied(&disk.open(), "1"));
}

#[test]
fn what_is_handed_out_and_never_made_stays_bounded() {
    let (disk, workspace, _) = one();
    let known = write(&workspace, "b", "-", "y");
    let length = || fs::metadata(store(&disk).join("ledger")).unwrap().len();
    let before = length();
    let kept = made(&workspace, &set([edit(&workspace, "a", "x")]));
    for time in 2..50 {
        hand_out(&workspace, time, &[work("1", "a z x")], kept.as_ref());
    }
    assert_eq!((folders(&disk), length()), (2, before), "one of a block");
    for time in 50..150 {
        hand_out(&workspace, time, &[work(&time.to_string(), "a z x")], kept.as_ref());
    }
    assert_eq!((folders(&disk), length()), (33, before));
    disk.put("ws/a", "x");
    assert!(is_applied(&workspace, "149"), "the newest of those that do the same");
    assert!(is_applied(&workspace, "b - y") && listed(&workspace).contains(&(known.0, false)));
}

#[test]
fn a_block_that_another_run_applies_is_not_expected_any_more() {
    let (disk, workspace, _) = one();
    let mut journal = Transaction::begin(&workspace).unwrap();
    journal.describe(Door::Cli, 2, chat());
    journal.add_works(vec![work("1", "a z x")]);
    workspace.apply(&set([edit(&workspace, "a", "x")]), &mut journal).unwrap();
    journal.commit().unwrap();
    assert_eq!((folders(&disk), listed(&workspace)), (1, vec![(2, false)]));
    workspace.undo(None, false).unwrap();
    assert!(!is_applied(&disk.open(), "1"));
}

#[test]
fn what_happened_since_is_not_undone_by_an_edit_that_was_never_made() {
    let (disk, workspace, _) = one();
    write(&workspace, "a", "z", "y");
    let other = write(&workspace, "a", "y", "w");
    for workspace in [workspace.clone(), disk.open()] {
        assert!(is_applied(&workspace, "a z y") && is_applied(&workspace, "a y w"));
        assert!(workspace.ledger().unwrap().can_undo(other).is_ok());
        assert_eq!(workspace.ledger().unwrap().head(&path("a")), workspace.state(&path("a")).ok());
    }
    workspace.undo(None, false).unwrap();
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/a"), "z");
    assert!(nothing_to_undo(&disk.open()));
}

#[test]
fn the_number_of_what_is_forgotten_is_not_given_again() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    disk.put("ws/b", "z");
    let workspace = disk.open();
    let operation = hand_out(&workspace, 1, &[work("1", "a z x b z y")], None);
    // A part of it is seen, and comes on record with that.
    disk.put("ws/a", "x");
    let mut journal = Transaction::begin(&workspace).unwrap();
    journal.withdraw(&operation).unwrap();
    journal.commit().unwrap();
    assert!(Transaction::begin(&workspace).unwrap().id() > operation.id);
    assert!(Transaction::begin(&disk.open()).unwrap().id() > operation.id);
}
