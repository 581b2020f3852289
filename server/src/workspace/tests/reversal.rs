//! Undo and redo as changes that an editor makes: applied after the operation they give back each
//! byte.

use std::collections::HashMap;
use std::fs;
use std::sync::Arc;

use operator_core::edit::{Change, ChangeSet};
use operator_core::fingerprint::Fingerprint;
use operator_core::ledger::{Door, OperationId, Transition};
use operator_core::path::{Kind, State};
use operator_core::text::{Content, Text};

use super::super::{
    Changer, OpenDocument, RedoError, Reversal, Transaction, UndoError, View, Workspace,
};
use super::editor::{all_mixed, apply, made, save, tell};
use super::store::{apply_mixed, listed, mixed, store, work, write};
use super::{Disk, create, delete, edit, path, set, set_mode, tree};

/// Tells the store that the editor has made the changes.
fn note(workspace: &Workspace, reversal: &Reversal) {
    let mut journal = Transaction::begin(workspace).unwrap();
    journal.add_reversal(reversal).unwrap();
    journal.commit().unwrap();
}

fn undo(workspace: &Workspace, id: Option<OperationId>) -> Reversal {
    let reversal = workspace.reversal(id, workspace).unwrap();
    save(workspace, &reversal.changes);
    note(workspace, &reversal);
    reversal
}

fn redo(workspace: &Workspace) -> Reversal {
    let reversal = workspace.repetition(workspace).unwrap();
    save(workspace, &reversal.changes);
    note(workspace, &reversal);
    reversal
}

/// The tree without what no edit of text can give back: an editor makes files anew.
fn texts(disk: &Disk) -> Vec<String> {
    let lines = tree(&disk.at("ws")).into_iter();
    lines.map(|line| line.replace(" 755 ", " ").replace(" 750 ", " ")).collect()
}

/// The state of the store's folder: nothing of it may change.
fn kept(disk: &Disk) -> Vec<String> {
    tree(&store(disk))
}

#[test]
fn the_way_back_and_forth_gives_each_byte_whoever_made_it() {
    for editor in [false, true] {
        let disk = Disk::new();
        let workspace = mixed(&disk);
        set_mode(&disk.at("ws/run"), 0o644);
        let before = texts(&disk);
        let id = match editor {
            true => {
                let (works, changes) = all_mixed(&workspace);
                apply(&workspace, works, &changes)
            }
            false => apply_mixed(&workspace),
        };
        let after = texts(&disk);
        for round in 0..3 {
            let store = kept(&disk);
            workspace.reversal(Some(id), &workspace).unwrap();
            assert_eq!(kept(&disk), store, "looking writes nothing");
            let reversal = undo(&workspace, None);
            assert_eq!((reversal.operation.id, reversal.is_redo), (id, false));
            assert_eq!(reversal.title, "do 1, and 10 more");
            assert_eq!(texts(&disk), before, "editor {editor}, round {round}");
            assert_eq!(listed(&workspace), [(id.0, true)]);
            assert!(matches!(
                workspace.reversal(Some(id), &workspace),
                Err(UndoError::AlreadyUndone(_))
            ));
            redo(&workspace);
            assert_eq!(texts(&disk), after, "editor {editor}, round {round}");
            assert_eq!(listed(&workspace), [(id.0, false)]);
            // The command line goes on where the editor was, and the other way round.
            workspace.undo(None, false).unwrap();
            assert_eq!(texts(&disk), before, "editor {editor}, round {round}");
            redo(&workspace);
            assert_eq!(texts(&disk), after, "editor {editor}, round {round}");
            undo(&workspace, Some(id));
            assert_eq!(workspace.redo().unwrap(), id);
            assert_eq!(texts(&disk), after, "editor {editor}, round {round}");
        }
    }
}

/// A change, and what was at its file before and is there afterwards.
fn check(before: &[(&str, &str)], change: Change, transitions: Vec<Transition>) {
    let disk = Disk::new();
    before.iter().for_each(|(file, text)| disk.put(&format!("ws/{file}"), text));
    let workspace = disk.open();
    let then = texts(&disk);
    let mut work = work("1", "");
    work.transitions = transitions;
    apply(&workspace, vec![work], &set([change]));
    let after = texts(&disk);
    undo(&workspace, None);
    assert_eq!(texts(&disk), then);
    redo(&workspace);
    assert_eq!(texts(&disk), after);
}

#[test]
fn marks_and_line_endings_come_back() {
    let state = |text: &str| State::File(Fingerprint::of(text.as_bytes()));
    let texts = [
        ("\u{feff}a\r\nb\r\n", "\u{feff}a\r\nc\r\n"),
        ("a\r\nb\nc", "a\r\nb\nd"),
        ("", "x"),
        ("\u{feff}", "\u{feff}x"),
        ("x\n", ""),
        ("ä\u{2028}\0b", "ä\u{2028}\0c\n\n"),
    ];
    for (before, after) in texts {
        let (one, two) = (Content::of_file(before), Content::of_file(after));
        let change = Change::Edit { path: path("a"), before: one.clone(), after: two };
        let transition = Transition::new(path("a"), state(before), state(after));
        check(&[("a", before)], change, vec![transition]);
        let change = Change::Create { path: path("d/b"), content: one, like: None };
        check(&[], change, vec![Transition::new(path("d/b"), State::Missing, state(before))]);
        let transition = Transition::new(path("a"), state(before), State::Missing);
        check(&[("a", before)], delete("a", Kind::File), vec![transition]);
        let transition = Transition::new(path("d"), State::Directory, State::Missing);
        let files = [("d/a", before), ("d/e/b", after)];
        check(&files, delete("d", Kind::Directory), vec![transition]);
    }
}

fn view(workspace: &Workspace, open: &[(&str, &str)]) -> View {
    let document = |(file, text): &(&str, &str)| (path(file), OpenDocument::Text(Text::new(text)));
    workspace.view(Arc::new(open.iter().map(document).collect::<HashMap<_, _>>()))
}

/// An editor's edit of one file that is not saved.
fn unsaved(workspace: &Workspace, file: &str, before: &str, after: &str) -> OperationId {
    let name = format!("{file} {before} {after}");
    let changes = set([edit(workspace, file, after)]);
    let made = made(workspace, &changes);
    tell(workspace, Door::Lsp, vec![work(&name, &name)], made.as_ref())
}

#[test]
fn open_buffers_stand_before_the_disk() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    let workspace = disk.open();
    let id = unsaved(&workspace, "a", "z", "x");
    let reversal = workspace.reversal(None, &view(&workspace, &[("a", "x")])).unwrap();
    assert_eq!(reversal.operation.id, id);
    let expected = set([Change::Edit {
        path: path("a"),
        before: Content::plain("x"),
        after: Content::plain("z"),
    }]);
    assert_eq!(reversal.changes, expected);
    note(&workspace, &reversal);
    let repetition = workspace.repetition(&view(&workspace, &[("a", "z")])).unwrap();
    let back = set([Change::Edit {
        path: path("a"),
        before: Content::plain("z"),
        after: Content::plain("x"),
    }]);
    assert_eq!(repetition.changes, back);
    assert_eq!(disk.text("ws/a"), "z");
    note(&workspace, &repetition);
    // In the buffer a person has typed since.
    let shown = view(&workspace, &[("a", "mine")]);
    let Err(UndoError::Changed(all)) = workspace.reversal(None, &shown) else { panic!() };
    assert_eq!((&all[0].path, &all[0].by), (&path("a"), &Some(Changer::Hand)));
}

#[test]
fn the_newest_that_is_as_it_was_left_is_chosen() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    disk.put("ws/b", "z");
    let workspace = disk.open();
    assert!(matches!(workspace.reversal(None, &workspace), Err(UndoError::Nothing)));
    assert!(matches!(workspace.repetition(&workspace), Err(RedoError::Nothing)));
    let one = OperationId(1);
    assert!(matches!(workspace.reversal(Some(one), &workspace), Err(UndoError::Unknown(_))));
    assert!(!disk.at("state").exists(), "looking writes nothing");
    let first = write(&workspace, "a", "z", "x");
    let second = write(&workspace, "b", "z", "x");
    let chosen = || workspace.reversal(None, &workspace).unwrap().operation.id;
    assert_eq!(chosen(), second);
    disk.put("ws/b", "mine");
    assert_eq!(chosen(), first);
    disk.put("ws/b", "z");
    assert_eq!(chosen(), first, "the newest was undone by hand");
    disk.put("ws/b", "x");
    assert_eq!(chosen(), second);
    disk.put("ws/a", "mine");
    disk.put("ws/b", "mine");
    let Err(UndoError::Changed(all)) = workspace.reversal(None, &workspace) else { panic!() };
    assert_eq!((&all[0].path, &all[0].by), (&path("b"), &Some(Changer::Hand)));
    disk.put("ws/a", "x");
    let third = write(&workspace, "a", "x", "y");
    let Err(UndoError::Changed(all)) = workspace.reversal(Some(first), &workspace) else {
        panic!()
    };
    assert!(matches!(&all[0].by, Some(Changer::Operation { id, .. }) if *id == third));
    fs::remove_dir_all(store(&disk).join("00000003")).unwrap();
    assert!(
        matches!(workspace.reversal(None, &workspace), Err(UndoError::NotKept(it)) if it == third)
    );
}

#[test]
fn what_was_put_back_by_hand_is_as_it_was_left_already() {
    let disk = Disk::new();
    disk.put("ws/a", "z");
    disk.put("ws/b", "z");
    let workspace = disk.open();
    let before = texts(&disk);
    let changes = set([edit(&workspace, "a", "x"), edit(&workspace, "b", "x"), create("c", "x")]);
    let id = apply(&workspace, vec![work("1", "a z x b z x c - x")], &changes);
    let after = texts(&disk);
    disk.put("ws/b", "z");
    fs::remove_file(disk.at("ws/c")).unwrap();
    let reversal = undo(&workspace, Some(id));
    let paths: Vec<_> = reversal.changes.iter().map(|it| it.path().to_string()).collect();
    assert_eq!(paths, ["a"]);
    assert_eq!(texts(&disk), before);
    assert_eq!(listed(&workspace), [(id.0, true)]);
    redo(&workspace);
    assert_eq!(texts(&disk), after);
    undo(&workspace, Some(id));
    assert_eq!(texts(&disk), before);
}

#[test]
fn what_no_edit_gives_back_is_left_to_the_command_line() {
    let disk = Disk::new();
    disk.put("ws/d/picture", [0xff, 0]);
    let workspace = disk.open();
    let before = tree(&disk.at("ws"));
    let id = apply(&workspace, vec![work("1", "d / -")], &set([delete("d", Kind::Directory)]));
    let Err(error) = workspace.reversal(None, &workspace) else { panic!() };
    assert_eq!(
        error.to_string(),
        "operation 1 cannot be undone in the editor: d/picture: this is not UTF-8 (byte 0); \
         `operator-lsp undo 1` can"
    );
    workspace.undo(Some(id), false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
    redo(&workspace);
    assert!(!disk.at("ws/d").exists());
    workspace.undo(None, false).unwrap();
    assert_eq!(tree(&disk.at("ws")), before);
}

#[test]
fn a_directory_that_others_use_stays() {
    let disk = Disk::new();
    let workspace = disk.open();
    apply(&workspace, vec![work("1", "d/e/a - x")], &set([create("d/e/a", "x")]));
    disk.put("ws/d/.git", "protected, so that the workspace does not show it");
    undo(&workspace, None);
    assert!(disk.at("ws/d/.git").exists() && !disk.at("ws/d/e").exists());
    redo(&workspace);
    assert_eq!(disk.text("ws/d/e/a"), "x");
}

#[test]
fn what_changes_nothing_has_no_edits() {
    let disk = Disk::new();
    disk.put("ws/a", "x");
    let workspace = disk.open();
    let id = tell(&workspace, Door::Lsp, vec![work("same", "a x x")], None);
    let reversal = undo(&workspace, None);
    assert_eq!((reversal.operation.id, reversal.changes), (id, ChangeSet::default()));
    assert_eq!(listed(&workspace), [(id.0, true)]);
    redo(&workspace);
    assert_eq!(listed(&workspace), [(id.0, false)]);
}

#[test]
fn a_repetition_touches_nothing_that_has_changed() {
    let disk = Disk::new();
    let workspace = mixed(&disk);
    apply_mixed(&workspace);
    workspace.undo(None, false).unwrap();
    for (file, text) in [("ws/edit", "z"), ("ws/gone", "g"), ("ws/twice", "z")] {
        disk.put(file, "mine");
        let Err(RedoError::Changed(changed)) = workspace.repetition(&workspace) else { panic!() };
        assert_eq!(format!("ws/{changed}"), file);
        disk.put(file, text);
    }
    for (file, changed) in [("ws/dir/mine", "dir"), ("ws/moved/mine", "moved")] {
        disk.put(file, "mine");
        let Err(RedoError::Changed(it)) = workspace.repetition(&workspace) else { panic!() };
        assert_eq!(it, path(changed));
        fs::remove_file(disk.at(file)).unwrap();
    }
    let shown = view(&workspace, &[("edit", "typed")]);
    assert!(
        matches!(workspace.repetition(&shown), Err(RedoError::Changed(it)) if it == path("edit"))
    );
    workspace.repetition(&workspace).unwrap();
}
