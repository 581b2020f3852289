//! What an editor has made, in the one store: undone and redone like what the command line made.

use std::fs;

use operator_core::edit::{Change, ChangeSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{Door, Event, OperationId, Transition, Work};
use operator_core::path::{Kind, State};
use operator_core::snapshot::Snapshot;
use operator_core::text::Content;

use super::super::{Changer, Made, RedoError, Transaction, UndoError, Workspace};
use super::store::{chat, is_applied, listed, mixed, mixed_changes, store, work, write};
use super::{Disk, create, delete, edit, path, rename, set, set_mode, tree};

/// Writes changes as an editor does that saves all at once.
pub(super) fn save(workspace: &Workspace, changes: &ChangeSet) {
    let parents = |at: &std::path::Path| fs::create_dir_all(at.parent().unwrap()).unwrap();
    for change in changes.iter() {
        let at = workspace.absolute(change.path());
        match change {
            Change::Create { content, .. } | Change::Edit { after: content, .. } => {
                parents(&at);
                fs::write(&at, content.to_bytes()).unwrap();
            }
            Change::Delete { kind: Kind::File, .. } => fs::remove_file(&at).unwrap(),
            Change::Delete { .. } => fs::remove_dir_all(&at).unwrap(),
            Change::Rename { from, .. } => {
                parents(&at);
                fs::rename(workspace.absolute(from), &at).unwrap();
            }
            Change::CreateDirectory { .. } => fs::create_dir_all(&at).unwrap(),
        }
    }
}

/// Tells the store what an editor has made.
pub(super) fn tell(
    workspace: &Workspace,
    door: Door,
    works: Vec<Work>,
    made: Option<&Made>,
) -> OperationId {
    let mut journal = Transaction::begin(workspace).unwrap();
    let id = journal.id();
    journal.describe(door, 1_000, chat());
    journal.add_works(works);
    if let Some(made) = made {
        journal.keep_made(made).unwrap();
    }
    journal.commit().unwrap();
    id
}

pub(super) fn made(workspace: &Workspace, changes: &ChangeSet) -> Option<Made> {
    Made::new(changes, workspace, workspace)
}

/// Makes changes as an editor does, and saves them.
pub(super) fn apply(workspace: &Workspace, works: Vec<Work>, changes: &ChangeSet) -> OperationId {
    let made = made(workspace, changes);
    save(workspace, changes);
    tell(workspace, Door::Lsp, works, made.as_ref())
}

/// An edit of one file that an editor makes, and its work.
fn one(workspace: &Workspace, file: &str, before: &str, after: &str) -> (Vec<Work>, ChangeSet) {
    let name = format!("{file} {before} {after}");
    (vec![work(&name, &name)], set([edit(workspace, file, after)]))
}

pub(super) fn all_mixed(workspace: &Workspace) -> (Vec<Work>, ChangeSet) {
    let (mut works, mut changes) = (Vec::new(), ChangeSet::default());
    for (work, more) in mixed_changes(workspace) {
        works.push(work);
        changes.append(more);
    }
    (works, changes)
}

#[test]
fn what_an_editor_made_is_undone_and_redone() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    set_mode(&disk.at("ws/gone"), 0o640);
    disk.put("ws/dir/picture", [0xff, 0, 0xfe]);
    disk.link("deep/file", "ws/dir/link");
    set_mode(&disk.at("ws/dir/picture"), 0o700);
    disk.put("ws/mark", "\u{feff}z\r\n");
    let before = tree(&disk.at("ws"));
    let (mut works, mut changes) = all_mixed(&workspace);
    changes.push(edit(&workspace, "mark", "y\r\n"));
    let text = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
    let marked = [text("\u{feff}z\r\n"), text("\u{feff}y\r\n")];
    works.push(work("12", "mark z y"));
    works[11].transitions[0] = Transition::new(path("mark"), marked[0], marked[1]);
    let id = apply(&workspace, works, &changes);
    let after = tree(&disk.at("ws"));
    assert_eq!(listed(&workspace), [(id.0, false)]);
    for which in [None, Some(id), None] {
        workspace.undo(which, false).unwrap();
        assert_eq!(tree(&disk.at("ws")), before);
        assert_eq!(listed(&workspace), [(id.0, true)]);
        assert_eq!(workspace.redo().unwrap(), id);
        assert_eq!(tree(&disk.at("ws")), after);
    }
}

#[test]
fn what_an_editor_has_not_saved_is_not_undone() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    disk.put("ws/b", "z");
    let workspace = disk.open();
    let older = write(&workspace, "c", "-", "x");
    let changes = set([edit(&workspace, "a", "x"), edit(&workspace, "b", "x")]);
    let kept = made(&workspace, &changes);
    let id = tell(&workspace, Door::Lsp, vec![work("1", "a z x b z x")], kept.as_ref());
    let refused = |which| match workspace.undo(which, false) {
        Err(UndoError::NotSaved(it, files)) => (it, files.len()),
        other => panic!("{other:?}"),
    };
    let before = tree(&disk.at("ws"));
    assert_eq!([refused(None), refused(Some(id))], [(id, 2), (id, 2)]);
    assert_eq!(tree(&disk.at("ws")), before);
    disk.put("ws/b", "x");
    assert_eq!(refused(None), (id, 1));
    disk.put("ws/a", "x");
    assert_eq!(workspace.undo(None, false).unwrap().len(), 2);
    assert_eq!((disk.text("ws/a"), disk.text("ws/b")), ("z".to_owned(), "z".to_owned()));
    workspace.undo(Some(older), false).unwrap();
}

#[test]
fn what_was_never_saved_can_be_forgotten() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let older = write(&workspace, "c", "-", "x");
    let (works, changes) = one(&workspace, "a", "z", "x");
    let id = tell(&workspace, Door::Lsp, works, made(&workspace, &changes).as_ref());
    assert_eq!(workspace.undo(None, true).unwrap(), []);
    assert_eq!(listed(&workspace), [(id.0, true), (older.0, false)]);
    assert_eq!(workspace.undo(None, false).unwrap()[0].path, path("c"));
}

#[test]
fn a_final_line_ending_that_an_editor_adds_is_nobodys_change() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let (mut works, changes) = one(&workspace, "a", "z", "x");
    works[0].transitions[0].ended = vec![Content::plain("x\n").fingerprint()];
    apply(&workspace, works, &changes);
    disk.put("ws/a", "x\n");
    workspace.undo(None, false).unwrap();
    assert_eq!(disk.text("ws/a"), "z");
    workspace.redo().unwrap();
    assert_eq!(disk.text("ws/a"), "x");
}

#[test]
fn the_refusals_are_those_of_any_operation() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let (works, changes) = one(&workspace, "a", "z", "x");
    let first = apply(&workspace, works, &changes);
    disk.put("ws/a", "mine");
    let Err(UndoError::Changed(all)) = workspace.undo(None, false) else { panic!() };
    assert_eq!((&all[0].path, &all[0].by), (&path("a"), &Some(Changer::Hand)));
    disk.put("ws/a", "x");
    let second = write(&workspace, "a", "x", "y");
    let Err(UndoError::Changed(all)) = workspace.undo(Some(first), false) else { panic!() };
    assert!(matches!(&all[0].by, Some(Changer::Operation { id, .. }) if *id == second));
    workspace.undo(None, false).unwrap();
    workspace.undo(None, false).unwrap();
    assert!(matches!(workspace.undo(Some(first), false), Err(UndoError::AlreadyUndone(_))));
    disk.put("ws/a", "mine");
    assert!(matches!(workspace.redo(), Err(RedoError::Changed(it)) if it == path("a")));
    disk.put("ws/a", "z");
    assert_eq!(workspace.redo().unwrap(), first);
    assert_eq!(workspace.redo().unwrap(), second);
    assert_eq!(disk.text("ws/a"), "y");
}

#[test]
fn what_could_not_be_kept_is_said_to() {
    let disk = Disk::new();
    disk.put("ws/d/a", "z");
    let workspace = disk.open();
    set_mode(&disk.at("ws/d/a"), 0o000);
    let changes = set([delete("d", Kind::Directory)]);
    let is_read = fs::read(disk.at("ws/d/a")).is_ok();
    set_mode(&disk.at("ws/d/a"), 0o644);
    if !is_read {
        set_mode(&disk.at("ws/d/a"), 0o000);
        assert!(made(&workspace, &changes).is_none());
    }
    save(&workspace, &changes);
    let id = tell(&workspace, Door::Lsp, vec![work("1", "d / -")], None);
    assert!(matches!(workspace.undo(None, false), Err(UndoError::NotKept(it)) if it == id));
}

#[test]
fn what_was_made_by_hand_is_undone_by_its_number() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let (works, changes) = one(&workspace, "a", "z", "x");
    let kept = made(&workspace, &changes);
    save(&workspace, &changes);
    let id = tell(&workspace, Door::Hand, works, kept.as_ref());
    assert!(is_applied(&workspace, "a z x"));
    workspace.undo(Some(id), false).unwrap();
    assert_eq!(disk.text("ws/a"), "z");
    assert!(!is_applied(&workspace, "a z x"));
    workspace.redo().unwrap();
    assert_eq!(disk.text("ws/a"), "x");
}

#[test]
fn what_the_editor_undoes_stays_undone_and_can_be_redone() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    let before = tree(&disk.at("ws"));
    let (works, changes) = all_mixed(&workspace);
    let id = apply(&workspace, works, &changes);
    let after = tree(&disk.at("ws"));
    let note = |event| {
        let mut journal = Transaction::begin(&workspace).unwrap();
        journal.note(vec![event]);
        journal.commit().unwrap();
    };
    note(Event::Undone { operation: id });
    assert_eq!(listed(&workspace), [(id.0, true)]);
    drop(Transaction::begin(&workspace).unwrap());
    assert_eq!(listed(&workspace), [(id.0, true)]);
    note(Event::Redone { operation: id });
    assert_eq!(listed(&workspace), [(id.0, false)]);
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
    workspace.redo().unwrap();
    assert_eq!(tree(&disk.at("ws")), after);
}

/// As after a kill while the editor's operation is written down, and with the ledger's file lost.
#[test]
fn a_kill_while_it_is_written_leaves_all_of_it_or_nothing() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let (works, changes) = one(&workspace, "a", "z", "x");
    apply(&workspace, works, &changes);
    let (log, ledger) = (store(&disk).join("00000001/log"), store(&disk).join("ledger"));
    let text = fs::read_to_string(&log).unwrap();
    let kept = fs::read(store(&disk).join("00000001/before")).unwrap();
    fs::remove_file(&ledger).unwrap();
    assert_eq!(listed(&workspace), [(1, false)]);
    assert!(is_applied(&workspace, "a z x"));
    // It is not known to be saved, as long as nobody has looked.
    disk.put("ws/a", "z");
    assert!(matches!(workspace.undo(None, false), Err(UndoError::NotSaved(..))));
    disk.put("ws/a", "x");
    for length in (1..text.len()).step_by(17) {
        let _ = fs::create_dir(log.parent().unwrap());
        fs::write(&log, &text[..length]).unwrap();
        fs::write(log.with_file_name("before"), &kept).unwrap();
        let _ = fs::remove_file(&ledger);
        drop(Transaction::begin(&workspace).unwrap());
        let known = listed(&workspace);
        assert!(known.is_empty() || known == [(1, false)], "{length}: {known:?}");
        match workspace.undo(None, false) {
            Ok(_) => assert_eq!(disk.text("ws/a"), "z", "{length} bytes"),
            Err(UndoError::Nothing) => assert_eq!(disk.text("ws/a"), "x", "{length} bytes"),
            Err(error) => panic!("{length} bytes: {error}"),
        }
        disk.put("ws/a", "x");
    }
}

#[test]
fn what_an_editor_has_moved_and_deleted_comes_back_as_it_stood() {
    let disk = Disk::new();
    disk.put("ws/d/a", [0xff, 1]);
    disk.put("ws/d/b", "b");
    let workspace = disk.open();
    let before = tree(&disk.at("ws"));
    let content = Content::plain;
    let changes = set([
        Change::Edit { path: path("d/b"), before: content("b"), after: content("B") },
        rename("d", "e", Kind::Directory),
        create("e/new/c", "c"),
        delete("e", Kind::Directory),
    ]);
    let work = work("1", "d/b b B d / - e - / e/new/c - c e / -");
    assert!(workspace.kind(&path("e")).unwrap().is_none());
    apply(&workspace, vec![work], &changes);
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
}
