//! What is kept, and what goes.

use std::fs;
use std::time::Duration;

use operator_core::dialect::Failure;
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{Answer, BlockId, Event, Kept, Ledger, OperationId, Transcript};
use operator_core::path::State;
use operator_core::plan::Outcome;

use super::super::bounds::{Bounds, History};
use super::super::store::Store;
use super::super::{Transaction, UndoError};
use crate::workspace::tests::{Disk, create, edit, path, set};
use crate::workspace::{JournalError, Workspace, WorkspaceOptions};

/// Changes a file, or makes it, with these bounds.
fn write(disk: &Disk, workspace: &Workspace, bounds: Bounds, file: &str, text: &str) {
    let mut journal = Transaction::begin(workspace).unwrap();
    journal.store.bounds = bounds;
    let change = match disk.at(&format!("ws/{file}")).exists() {
        true => edit(workspace, file, text),
        false => create(file, text),
    };
    workspace.apply(&set([change]), &mut journal).unwrap();
    journal.commit().unwrap();
}

fn folders(workspace: &Workspace) -> Result<Vec<u64>, JournalError> {
    Store::lock(workspace)?.transactions()
}

#[test]
fn the_oldest_go_but_not_those_that_made_the_last_change_of_a_file() {
    let disk = Disk::new();
    let workspace = disk.open();
    let bounds = Bounds { operations: 3, ..Bounds::of(History::default()) };
    write(&disk, &workspace, bounds, "lone", "x");
    for number in 0..8 {
        write(&disk, &workspace, bounds, "a", &number.to_string());
    }
    assert_eq!(folders(&workspace).unwrap(), [1, 8, 9]);
    let undo = |id| workspace.undo(Some(OperationId(id)), false);
    assert!(matches!(undo(7), Err(UndoError::NotKept(OperationId(7)))));
    undo(9).unwrap();
    undo(8).unwrap();
    assert!(matches!(workspace.undo(None, false), Err(UndoError::NotKept(OperationId(7)))));
    undo(1).unwrap();
    assert_eq!(disk.text("ws/a"), "5");
    // The numbers of those that are gone are not used again.
    write(&disk, &workspace, bounds, "b", "x");
    assert!(folders(&workspace).unwrap().contains(&10));
}

#[test]
fn what_is_large_or_old_goes_first() {
    let text = |number: usize| number.to_string().repeat(1_000);
    let run = |bounds: Bounds, same: bool| {
        let disk = Disk::new();
        let workspace = disk.open();
        for file in ["a", "b", "c", "d", "e"] {
            disk.put(&format!("ws/{file}"), text(9));
        }
        for (number, file) in ["a", "b", "c", "d", "e"].iter().enumerate() {
            let file = if same { "a" } else { file };
            write(&disk, &workspace, bounds, file, &text(number));
        }
        folders(&workspace).unwrap()
    };
    let usual = Bounds::of(History::default());
    assert_eq!(run(usual, true), [1, 2, 3, 4, 5]);
    let small = Bounds { bytes: 2_500, ..usual };
    assert_eq!(run(small, true), [3, 4, 5]);
    assert_eq!(run(small, false), [1, 2, 3, 4, 5], "all of them are heads");
    let tiny = Bounds { bytes: 2_500, most_bytes: 3_500, ..usual };
    assert_eq!(run(tiny, false), [2, 3, 4, 5]);
    let short = Bounds { age: Duration::ZERO, ..usual };
    assert_eq!(run(short, true), [4, 5], "the last one is a head");
    assert_eq!(run(short, false), [1, 2, 3, 4, 5]);
}

#[test]
fn what_an_editor_wants_kept_the_command_line_keeps() {
    let disk = Disk::new();
    let shell = disk.open();
    let editor = |operations| {
        let history = Some(History { operations, ..History::default() });
        disk.open_with(WorkspaceOptions { history, ..WorkspaceOptions::default() })
    };
    let write = |workspace: &Workspace, text: &str| {
        let bounds = Store::lock(workspace).unwrap().bounds;
        write(&disk, workspace, bounds, "a", text);
        folders(workspace).unwrap().len()
    };
    let three = editor(3);
    assert_eq!(["0", "1", "2", "3"].map(|text| write(&three, text)), [1, 2, 3, 3]);
    assert_eq!(["4", "5"].map(|text| write(&shell, text)), [3, 3]);
    assert_eq!(["6", "7"].map(|text| write(&editor(4), text)), [4, 4]);
    assert_eq!(write(&shell, "8"), 4);
    // What nobody can understand says nothing.
    let state = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    fs::write(state.join("history"), "{\"operations\": 1").unwrap();
    assert_eq!(write(&shell, "9"), 5);
    assert_eq!(write(&three, "10"), 3);
    assert!(!state.join("history.new").exists());
}

#[test]
fn what_was_deleted_counts() {
    use operator_core::path::Kind;
    let disk = Disk::new();
    disk.put("ws/d/large", "x".repeat(5_000));
    let workspace = disk.open();
    let mut journal = Transaction::begin(&workspace).unwrap();
    let changes = set([crate::workspace::tests::delete("d", Kind::Directory)]);
    workspace.apply(&changes, &mut journal).unwrap();
    journal.commit().unwrap();
    let bounds = Bounds { bytes: 4_000, most_bytes: 4_000, ..Bounds::of(History::default()) };
    write(&disk, &workspace, bounds, "a", "x");
    assert_eq!(folders(&workspace).unwrap(), [2]);
}

#[test]
fn the_ledger_is_shortened_and_says_the_same_of_what_is_left() {
    let disk = Disk::new();
    let workspace = disk.open();
    let bounds = Bounds { told: 5, operations: 8, ..Bounds::of(History::default()) };
    write(&disk, &workspace, bounds, "lone", "x");
    for number in 0..30 {
        write(&disk, &workspace, bounds, "a", &number.to_string());
        let ledger = workspace.ledger().unwrap();
        assert!(ledger.operations().count() <= 14, "{number}");
        assert!(ledger.stands(OperationId(1)), "it made the last change of a file");
        assert!(ledger.stands(OperationId(number + 2)));
        assert!(ledger.stands(OperationId((number + 2).saturating_sub(3).max(1))));
    }
    let state = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    assert!(!state.join("ledger.new").exists());
    for number in (24..29).rev() {
        workspace.undo(None, false).unwrap();
        assert_eq!(disk.text("ws/a"), number.to_string());
    }
}

#[test]
fn a_shortened_ledger_says_what_the_events_have_led_to() {
    let disk = Disk::new();
    let workspace = disk.open();
    let usual = Bounds::of(History::default());
    for text in ["0", "1", "2"] {
        write(&disk, &workspace, usual, "a", text);
    }
    write(&disk, &workspace, usual, "b", "0");
    write(&disk, &workspace, usual, "b", "1");
    workspace.undo(None, false).unwrap();
    disk.put("ws/a", "1");
    let mut journal = Transaction::begin(&workspace).unwrap();
    let state = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
    let on = Some(Fingerprint::of(b"1"));
    let saved = Event::Saved { path: path("a"), to: state("1 typed"), on };
    journal.note(vec![saved, Event::Back { path: path("a"), to: state("1"), typed: None }]);
    journal.commit().unwrap();
    let before = workspace.ledger().unwrap();
    // Many bases are told, the same one again and again.
    let mut journal = Transaction::begin(&workspace).unwrap();
    journal.store.bounds = Bounds { told: 8, ..usual };
    let block = BlockId { text: Fingerprint::of(b"block"), nth: 0 };
    let at = [(path("a"), state("1"))].into();
    let (transcript, ambiguous) = (Transcript::new("chat.md"), false);
    let base = Event::Proposed { transcript: transcript.clone(), block, at, ambiguous };
    journal.note(vec![base; 100]);
    journal.commit().unwrap();
    let file = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    let lines = fs::read_to_string(file.join("ledger")).unwrap();
    assert!(lines.starts_with(r#"{"shortened":"#) && lines.lines().count() < 12, "{lines}");
    let other = disk.open();
    let after = other.ledger().unwrap();
    assert!([path("a"), path("b")].iter().all(|it| after.is_same_at(&before, it)));
    assert!(after.operations().eq(before.operations()));
    assert!(after.base(&transcript, block).is_some());
    let stands =
        |ledger: &Ledger| ledger.operations().map(|it| ledger.stands(it.id)).collect::<Vec<_>>();
    assert_eq!(stands(&after), [true, true, false, true, false]);
    assert_eq!(stands(&after), stands(&before));
    // What was undone can be made again, and no number is used again.
    other.redo().unwrap();
    assert_eq!(disk.text("ws/b"), "1");
    write(&disk, &other, usual, "c", "0");
    assert!(folders(&other).unwrap().ends_with(&[5, 6]));
    assert!(other.operations().unwrap().iter().all(|it| it.undone == (it.operation.id.0 == 3)));
}

#[test]
fn what_few_operations_have_gone_through_is_summed_up() {
    let disk = Disk::new();
    let workspace = disk.open();
    let usual = Bounds::of(History::default());
    write(&disk, &workspace, usual, "a", "0");
    write(&disk, &workspace, usual, "a", "1");
    for _ in 0..20 {
        workspace.undo(None, false).unwrap();
        workspace.redo().unwrap();
    }
    let state = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    let lines = || fs::read_to_string(state.join("ledger")).unwrap();
    assert!(!lines().contains("shortened") && lines().lines().count() > 40);
    let before = workspace.ledger().unwrap();
    let mut journal = Transaction::begin(&workspace).unwrap();
    journal.store.bounds = Bounds { told: 20, ..usual };
    journal.note(vec![Event::Seen { path: path("a"), to: State::File(Fingerprint::of(b"1")) }]);
    journal.commit().unwrap();
    assert!(lines().starts_with(r#"{"shortened":"#) && lines().lines().count() < 6, "{}", lines());
    for workspace in [&workspace, &disk.open()] {
        let after = workspace.ledger().unwrap();
        assert!(after.operations().eq(before.operations()), "none is forgotten");
        assert!(after.is_same_at(&before, &path("a")));
    }
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/a"), "0");
    workspace.redo().unwrap();
    assert_eq!(disk.text("ws/a"), "1");
}

#[test]
fn answers_that_were_replaced_are_forgotten_first() {
    let disk = Disk::new();
    let workspace = disk.open();
    let chat = Transcript::new("chat.md");
    let block = |name: u32| BlockId { text: Fingerprint::of(&name.to_be_bytes()), nth: 0 };
    for number in 0..60 {
        let mut journal = Transaction::begin(&workspace).unwrap();
        journal.store.bounds = Bounds { told: 5, ..Bounds::of(History::default()) };
        let answer = Answer { ok: true, summary: number.to_string(), ..Answer::default() };
        let (transcript, block) = (chat.clone(), block(number % 4));
        journal.note(vec![Event::Answered { transcript, block, answer }]);
        journal.commit().unwrap();
    }
    let ledger = workspace.ledger().unwrap();
    let summary = |name| ledger.standing(&chat, block(name), false).answer.unwrap().summary;
    assert_eq!([0, 1, 2, 3].map(summary), ["56", "57", "58", "59"]);
    let state = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    assert!(fs::read_to_string(state.join("ledger")).unwrap().lines().count() <= 41);
}

#[test]
fn old_replies_make_room_and_a_rejection_stays() {
    let disk = Disk::new();
    let workspace = disk.open();
    let chat = Transcript::new("chat.md");
    let block = |name: u32| BlockId { text: Fingerprint::of(&name.to_be_bytes()), nth: 0 };
    let long = Ok(Outcome::noted("x".repeat(60_000)));
    let all =
        [(0, Err(Failure::Refused))].into_iter().chain((1..=100).map(|it| (it, long.clone())));
    for (number, told) in all {
        let mut journal = Transaction::begin(&workspace).unwrap();
        let blocks = vec![(block(number), Kept::new(&told).unwrap())];
        journal.note(vec![Event::Told { transcript: chat.clone(), blocks }]);
        journal.commit().unwrap();
    }
    let ledger = workspace.ledger().unwrap();
    assert!(ledger.standing(&chat, block(0), false).rejected);
    assert!(ledger.told(&chat, block(1)).is_none());
    assert_eq!(ledger.told(&chat, block(100)).unwrap().told(), Some(long));
    let state = fs::read_dir(disk.at("state")).unwrap().next().unwrap().unwrap().path();
    assert!(state.join("ledger").metadata().unwrap().len() < 5 << 20);
}
